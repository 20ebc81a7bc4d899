/* Newton's method on the projection equations, for few contacts. The equations are semismooth: near a solution whose
 * modes are settled the steps converge quadratically. */
#include "core/lu.h"
#include "laws/together/together_local.h"
#include "laws/together/together_sweep.h"

#define NULL_RIDGE                                                                                                     \
    1e-13             /* added to the diagonal, whose entries are about one, so that a singular matrix has factors     \
                       */
#define NULL_TOL 1e-9 /* smallest pivot over largest of a matrix that counts as singular */

enum { HALVINGS = 4 };

size_t newton_work(const carom_contacts *x)
{
    size_t n = (size_t)(x->count * x->dim);
    return block_doubles(n * n + 4 * n) + block_ints(n);
}

typedef struct newton {
    const sweep_problem *pb;
    int n, dim;
    double *J, *f, *y, *step, *trial;
    int *pivot;
} newton;

/* y = q + (K + shift I) p - shift around */
static void form_velocity(const newton *s, const double *p)
{
    const sweep_problem *pb = s->pb;
    together_velocity(pb->x, pb->q, p, s->y);
    for (int i = 0; pb->shift > 0 && i < s->n; i++)
        s->y[i] += pb->shift * (p[i] - (pb->around ? pb->around[i] : 0));
}

static double block_trace(const carom_contacts *x, int i, double shift)
{
    const double *K = carom_contacts_block(x, i, i);
    double trace = 0;
    for (int a = 0; a < x->dim; a++)
        trace += K[a * (x->dim + 1)] + shift;
    return trace;
}

/* The argument of the projection of contact i, and H = 1 + s mu n y_t^T / |y_t|: its last row but one. */
static void argument_of(const newton *s, const double *p, int i, double *z, double *tilt)
{
    const sweep_problem *pb = s->pb;
    int dim = s->dim, n = dim - 1;
    const double *y = s->y + i * dim;
    double rho = 1 / block_trace(pb->x, i, pb->shift), slip = n == 1 ? fabs(y[0]) : length_of(y[0], y[1]);
    double mu = pb->convex ? 0 : pb->coeffs[i].mu;
    for (int a = 0; a < dim; a++)
        z[a] = p[i * dim + a] - rho * y[a];
    z[n] -= rho * mu * slip;
    for (int a = 0; a < n; a++)
        tilt[a] = slip > 0 ? mu * y[a] / slip : 0;
}

static double form_defect(const newton *s, const double *p)
{
    double most = 0, z[3], tilt[2], projected[3];
    form_velocity(s, p);
    for (int i = 0; i < s->pb->x->count; i++) {
        argument_of(s, p, i, z, tilt);
        local_project(s->dim, s->pb->coeffs[i].mu, z, projected);
        for (int a = 0; a < s->dim; a++) {
            s->f[i * s->dim + a] = p[i * s->dim + a] - projected[a];
            most = max(most, fabs(s->f[i * s->dim + a]));
        }
    }
    double size = largest_of((size_t)s->n, p);
    return size > 0 ? most / size : most > 0 ? INFINITY : 0;
}

/* Rows of contact i: (1 - B) on its own place, and rho B H K_ik. */
static void form_rows(const newton *s, const double *p, int i)
{
    const carom_contacts *x = s->pb->x;
    int dim = s->dim, n = dim - 1;
    double z[3], tilt[2], B[9], BH[9], rho = 1 / block_trace(x, i, s->pb->shift);
    argument_of(s, p, i, z, tilt);
    local_project_slope(dim, s->pb->coeffs[i].mu, z, B);
    for (int a = 0; a < dim; a++)
        for (int b = 0; b < dim; b++)
            BH[a * dim + b] = rho * (B[a * dim + b] + (b < n ? B[a * dim + n] * tilt[b] : 0));
    for (int k = x->row[i]; k < x->row[i + 1]; k++)
        for (int a = 0; a < dim; a++)
            for (int b = 0; b < dim; b++) {
                double sum = 0;
                for (int c = 0; c < dim; c++)
                    sum += BH[a * dim + c] * x->K[(k * dim + c) * dim + b];
                s->J[(i * dim + a) * s->n + x->column[k] * dim + b] = sum;
            }
    for (int a = 0; a < dim; a++)
        for (int b = 0; b < dim; b++)
            s->J[(i * dim + a) * s->n + i * dim + b] += (a == b) - B[a * dim + b] + s->pb->shift * BH[a * dim + b];
}

/* A step of full length, or halved until the defect falls. */
static double take_step(const newton *s, double *p, double defect)
{
    double length = 1;
    for (int k = 0; k <= HALVINGS; k++, length *= 0.5) {
        for (int i = 0; i < s->n; i++)
            s->trial[i] = p[i] + length * s->step[i];
        double now = form_defect(s, s->trial);
        if (!(now < defect))
            continue;
        for (int i = 0; i < s->n; i++)
            p[i] = s->trial[i];
        return now;
    }
    return defect;
}

static newton newton_of(const sweep_problem *problem, void *work)
{
    block_memory block = {work};
    size_t n = (size_t)(problem->x->count * problem->x->dim);
    newton s = {problem, (int)n, problem->x->dim, take_doubles(&block, n * n), NULL, NULL, NULL, NULL, NULL};
    s.f = take_doubles(&block, n);
    s.y = take_doubles(&block, n);
    s.step = take_doubles(&block, n);
    s.trial = take_doubles(&block, n);
    s.pivot = take_ints(&block, n);
    return s;
}

static void form_matrix(const newton *s, const double *p)
{
    for (int i = 0; i < s->n * s->n; i++)
        s->J[i] = 0;
    for (int i = 0; i < s->pb->x->count; i++)
        form_rows(s, p, i);
}

bool newton_null(const sweep_problem *problem, const double *p, double *z, void *work)
{
    newton s = newton_of(problem, work);
    (void)form_defect(&s, p);
    form_matrix(&s, p);
    for (int i = 0; i < s.n; i++) {
        s.J[i * (s.n + 1)] += NULL_RIDGE;
        z[i] = 1 + 0.37 * (i % 7);
    }
    if (lu_factor(s.n, s.J, s.pivot) > NULL_TOL)
        return false;
    for (int turn = 0; turn < 3; turn++) { /* inverse iteration */
        lu_solve(s.n, s.J, s.pivot, z);
        double size = largest_of((size_t)s.n, z);
        for (int i = 0; i < s.n && size > 0; i++)
            z[i] /= size;
    }
    return true;
}

double newton_solve(const sweep_problem *problem, double *p, int steps, void *work)
{
    newton s = newton_of(problem, work);
    double defect = form_defect(&s, p);
    for (int k = 0; k < steps && defect > EPS; k++) {
        form_matrix(&s, p);
        for (int i = 0; i < s.n; i++)
            s.step[i] = -s.f[i];
        if (!(lu_factor(s.n, s.J, s.pivot) > 0))
            break;
        lu_solve(s.n, s.J, s.pivot, s.step);
        double now = take_step(&s, p, defect);
        bool stalls = !(now < defect);
        defect = form_defect(&s, p);
        if (stalls)
            break;
    }
    return defect;
}
