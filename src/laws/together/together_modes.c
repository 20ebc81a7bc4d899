#include "laws/together/together_modes.h"

#include <string.h>

#include "laws/together/together_linear.h"

#define SAME_TOL 1e-8 /* of the largest impulse: solutions this close are one */

enum { ROWS = 2 * MODES_CONTACTS };

typedef struct search {
    const mode_problem *pb;
    int n;                               /* rows: 2 m */
    double K[ROWS * ROWS], shift, speed; /* of q */
    const mode_form *chosen[MODES_CONTACTS];
    int unknowns, contact[ROWS], slot[ROWS];
    double A[ROWS * ROWS], b[ROWS], y0[ROWS]; /* y0 = q + K p0 */
    mode_solution *found;
    int count;
    double work[ROWS * ROWS + 4 * ROWS]; /* linear_work(ROWS) */
} search;

static const double *column_of(const search *s, int k)
{
    return s->chosen[s->contact[k]]->S[s->slot[k]];
}

static void list_unknowns(search *s)
{
    s->unknowns = 0;
    for (int j = 0; j < s->pb->x->count; j++)
        for (int k = 0; k < s->chosen[j]->unknowns; k++) {
            s->contact[s->unknowns] = j;
            s->slot[s->unknowns++] = k;
        }
}

static void form_start(search *s)
{
    for (int i = 0; i < s->n; i++) {
        double sum = s->pb->q[i];
        for (int j = 0; j < s->pb->x->count; j++)
            sum += s->K[i * s->n + 2 * j] * s->chosen[j]->p0[0] + s->K[i * s->n + 2 * j + 1] * s->chosen[j]->p0[1];
        s->y0[i] = sum;
    }
}

/* A = R K S, b = -R y0 */
static void form_system(search *s)
{
    int k = s->unknowns;
    for (int r = 0; r < k; r++) {
        int i = 2 * s->contact[r];
        const double *R = s->chosen[s->contact[r]]->R[s->slot[r]];
        const double *Kt = s->K + i * s->n, *Kn = Kt + s->n;
        s->b[r] = -(R[0] * s->y0[i] + R[1] * s->y0[i + 1]);
        for (int c = 0; c < k; c++) {
            int j = 2 * s->contact[c];
            const double *S = column_of(s, c);
            s->A[r * k + c] = R[0] * (Kt[j] * S[0] + Kt[j + 1] * S[1]) + R[1] * (Kn[j] * S[0] + Kn[j + 1] * S[1]);
        }
    }
}

static void form_impulse(const search *s, const double *x, double *p)
{
    for (int j = 0; j < s->pb->x->count; j++) {
        p[2 * j] = s->chosen[j]->p0[0];
        p[2 * j + 1] = s->chosen[j]->p0[1];
    }
    for (int k = 0; k < s->unknowns; k++) {
        const double *S = column_of(s, k);
        p[2 * s->contact[k]] += x[k] * S[0];
        p[2 * s->contact[k] + 1] += x[k] * S[1];
    }
}

/* Do all contacts admit p? Velocities with K + shift I. */
static bool is_admitted(const search *s, const double *p, double shift)
{
    double y[ROWS], impulse = 0, speed = s->speed;
    for (int i = 0; i < s->n; i++) {
        double sum = s->pb->q[i] + shift * p[i], size = fabs(s->pb->q[i]);
        for (int j = 0; j < s->n; j++) {
            double term = s->K[i * s->n + j] * p[j];
            sum += term;
            size = max(size, fabs(term));
        }
        y[i] = sum;
        impulse = max(impulse, fabs(p[i]));
        speed = max(speed, size);
    }
    mode_sizes sizes = {MODES_TOL * impulse, MODES_TOL * speed};
    for (int j = 0; j < s->pb->x->count; j++)
        if (!s->pb->admits(s->pb->law, j, s->chosen[j], p + 2 * j, y + 2 * j, &sizes))
            return false;
    return true;
}

/* One impulse in two combinations of modes: the one with more sticking contacts names it. */
static void prefer_sticking(const search *s, mode_solution *f)
{
    int sticking = 0;
    for (int j = 0; j < s->pb->x->count; j++)
        sticking += s->chosen[j]->mode == CAROM_TOGETHER_MODE_STICK;
    if (sticking <= f->sticking)
        return;
    f->sticking = sticking;
    for (int j = 0; j < s->pb->x->count; j++)
        f->modes[j] = s->chosen[j]->mode;
}

static void keep(search *s, const double *p, bool redundant)
{
    double size = largest_of((size_t)s->n, p);
    for (int k = 0; k < s->count; k++) {
        double gap = 0;
        for (int i = 0; i < s->n; i++)
            gap = max(gap, fabs(p[i] - s->found[k].p[i]));
        if (gap <= SAME_TOL * size) {
            prefer_sticking(s, &s->found[k]);
            return;
        }
    }
    if (s->count == MODES_KEPT)
        return;
    mode_solution *f = &s->found[s->count++];
    memset(f, 0, sizeof *f);
    memcpy(f->p, p, (size_t)s->n * sizeof *p);
    f->redundant = redundant;
    for (int j = 0; j < s->pb->x->count; j++) {
        f->modes[j] = s->chosen[j]->mode;
        f->sticking += f->modes[j] == CAROM_TOGETHER_MODE_STICK;
        f->total += p[2 * j + 1];
    }
}

/* Where K is singular, the signs belong to K + eps I and the numbers are the limit. */
static void try_combination(search *s)
{
    double x[ROWS], p[ROWS], shift = s->pb->singular ? s->shift : 0;
    list_unknowns(s);
    form_start(s);
    form_system(s);
    int k = s->unknowns;
    if (s->pb->singular) {
        for (int i = 0; i < k; i++)
            s->A[i * (k + 1)] += shift;
        if (linear_limit(k, s->A, s->b, x, s->work) == LINEAR_INCONSISTENT)
            return;
        form_impulse(s, x, p);
        if (!is_admitted(s, p, shift))
            return;
        form_system(s);
    }
    linear_end end = linear_limit(k, s->A, s->b, x, s->work);
    form_impulse(s, x, p);
    if (end != LINEAR_INCONSISTENT && (s->pb->singular || is_admitted(s, p, 0)))
        keep(s, p, end == LINEAR_LIMIT);
}

static bool is_preferred(const mode_solution *a, const mode_solution *b)
{
    return a->sticking != b->sticking ? a->sticking > b->sticking : a->total < b->total;
}

static void select_first(mode_solution *found, int count)
{
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && is_preferred(&found[j], &found[j - 1]); j--) {
            mode_solution swap = found[j];
            found[j] = found[j - 1];
            found[j - 1] = swap;
        }
}

int modes_solve(const mode_problem *pb, mode_solution *solutions)
{
    search s;
    int m = pb->x->count, at[MODES_CONTACTS] = {0};
    s.pb = pb;
    s.n = 2 * m;
    s.found = solutions;
    s.count = 0;
    s.speed = largest_of((size_t)s.n, pb->q);
    together_full(pb->x, s.K);
    s.shift = 0;
    for (int i = 0; i < s.n; i++)
        s.shift = max(s.shift, LIMIT_EPS * s.K[i * (s.n + 1)]);
    for (int j = 0; j < m;) { /* an odometer over the forms of all contacts */
        for (int i = 0; i < m; i++)
            s.chosen[i] = &pb->forms[i][at[i]];
        try_combination(&s);
        for (j = 0; j < m && ++at[j] == pb->form_count[j]; j++)
            at[j] = 0;
    }
    select_first(solutions, s.count);
    return s.count;
}

/* A z = 0 by two steps of inverse iteration; z in columns S. Returns the share of normal impulses in it. */
static double null_share(search *s)
{
    double z[ROWS], b[ROWS], p[ROWS] = {0}, most = 0, normal = 0;
    int k = s->unknowns;
    for (int i = 0; i < k; i++)
        b[i] = 1 + 0.37 * i;
    for (int turn = 0; turn < 2; turn++) {
        (void)linear_limit(k, s->A, b, z, s->work);
        double size = largest_of((size_t)k, z);
        for (int i = 0; i < k; i++)
            b[i] = size > 0 ? z[i] / size : 0;
    }
    for (int c = 0; c < k; c++) {
        const double *S = column_of(s, c);
        p[2 * s->contact[c]] += b[c] * S[0];
        p[2 * s->contact[c] + 1] += b[c] * S[1];
    }
    for (int j = 0; j < s->pb->x->count; j++) {
        most = max(most, max(fabs(p[2 * j]), fabs(p[2 * j + 1])));
        normal = max(normal, fabs(p[2 * j + 1]));
    }
    return most > 0 ? normal / most : 0;
}

double modes_freedom(const carom_contacts *x, const double *p, const double *y)
{
    search s;
    mode_form forms[MODES_CONTACTS];
    mode_problem pb = {.x = x, .q = y};
    double size = largest_of((size_t)(2 * x->count), p), speed = largest_of((size_t)(2 * x->count), x->u);
    s.pb = &pb;
    s.n = 2 * x->count;
    together_full(x, s.K);
    for (int j = 0; j < x->count; j++) {
        mode_form f = {.unknowns = 0};
        bool acts = p[2 * j + 1] > SAME_TOL * size, rests = fabs(y[2 * j]) <= SAME_TOL * speed;
        f.unknowns = !acts ? 0 : rests ? 2 : 1;
        f.S[0][0] = rests ? 1 : acts ? p[2 * j] / p[2 * j + 1] : 0;
        f.S[0][1] = rests ? 0 : 1;
        f.S[1][1] = 1;
        f.R[0][0] = rests ? 1 : 0;
        f.R[0][1] = rests ? 0 : 1;
        f.R[1][1] = 1;
        forms[j] = f;
        s.chosen[j] = &forms[j];
    }
    list_unknowns(&s);
    form_start(&s);
    form_system(&s);
    double b[ROWS] = {0}, z[ROWS];
    return s.unknowns && linear_limit(s.unknowns, s.A, b, z, s.work) != LINEAR_REGULAR ? null_share(&s) : 0;
}
