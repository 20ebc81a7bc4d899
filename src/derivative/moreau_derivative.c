/* How the impulses of moreau change while the modes of all contacts stay. With y = q + K p and d = y_t / |y_t|,
 *
 *     open     dp = 0
 *     closed   as slip, with mu = 0
 *     stick    dy = 0
 *     slip     dy_n = 0,   dp_t + d(mu p_n) d + mu p_n (1 - d d^T) dy_t / |y_t| = 0                             (1)
 *     convex   dy_n = d(mu |y_t|) in place of dy_n = 0 where it slips                                           (2)
 *
 * with dy = dq + dK p + K dp: one linear system for all directions. At u_n = 0 a contact counts as one that approaches.
 */
#include <math.h>

#include "core/block_memory.h"
#include "core/lu.h"
#include "core/num.h"
#include "derivative/together_derivative.h"
#include "laws/together/together_call.h"

#define SINGULAR_TOL 1e-11 /* smallest pivot over largest: contacts are redundant */

typedef struct moreau_system {
    const together_point *at;
    int n, dim;
    bool convex;
    double *K, *A, *y, *b; /* K and A full; y = q + K p; b = dq + dK p of a direction */
    int *pivot;
} moreau_system;

size_t moreau_changes_work(const carom_contacts *x)
{
    size_t n = (size_t)(x->count * x->dim);
    return block_doubles(2 * n * n + 2 * n) + block_ints(n);
}

static moreau_system system_of(const together_point *at)
{
    block_memory block = {at->work};
    size_t n = (size_t)(at->x->count * at->x->dim);
    moreau_system s = {.at = at, .n = (int)n, .dim = at->x->dim};
    s.convex = at->rule->options.cone == CAROM_OPTION_CONE_CONVEX;
    s.K = take_doubles(&block, n * n);
    s.A = take_doubles(&block, n * n);
    s.y = take_doubles(&block, n);
    s.b = take_doubles(&block, n);
    s.pivot = take_ints(&block, n);
    return s;
}

/* q, as in moreau.c (1). */
static void set_y(const moreau_system *s)
{
    const carom_contacts *x = s->at->x;
    for (int i = 0; i < s->n; i++) {
        const carom_coeffs *c = &s->at->rule->coeffs[i / s->dim];
        const bool normal = i % s->dim == s->dim - 1;
        s->y[i] = normal ? x->u[i] + c->e * min(x->u[i], 0) : (1 + c->e_t) * x->u[i];
    }
    add_blocks(x, x->K, s->at->p, s->y);
}

/* dq + dK p. */
static void set_b(const moreau_system *s, const carom_together_variation *v)
{
    const carom_contacts *x = s->at->x;
    for (int i = 0; i < s->n; i++) {
        const carom_coeffs *c = &s->at->rule->coeffs[i / s->dim], *dc = v->coeffs ? &v->coeffs[i / s->dim] : NULL;
        const bool normal = i % s->dim == s->dim - 1;
        const double u = x->u[i], du = v->u ? v->u[i] : 0;
        s->b[i] = normal ? du * (1 + (u <= 0 ? c->e : 0)) + (dc ? dc->e * min(u, 0) : 0)
                         : (1 + c->e_t) * du + (dc ? dc->e_t * u : 0);
    }
    if (v->K)
        add_blocks(x, v->K, s->at->p, s->b);
}

static double slip_of(const moreau_system *s, int j)
{
    const double *y = s->y + j * s->dim;
    return s->dim == 2 ? fabs(y[0]) : length_of(y[0], y[1]);
}

/* d; a slip that is lost in rounding goes against its friction. */
static void direction_of(const moreau_system *s, int j, double d[2])
{
    const double *y = s->y + j * s->dim, *p = s->at->p + j * s->dim, slip = slip_of(s, j);
    const double friction = s->dim == 2 ? fabs(p[0]) : length_of(p[0], p[1]);
    for (int a = 0; a < s->dim - 1; a++)
        d[a] = slip > 0 ? y[a] / slip : friction > 0 ? -p[a] / friction : 0;
    if (s->dim == 2)
        d[1] = 0;
}

/* Row i of A: K, or the unit row. */
static void put_row(const moreau_system *s, int i, bool unit)
{
    for (int k = 0; k < s->n; k++)
        s->A[i * s->n + k] = unit ? i == k : s->K[i * s->n + k];
}

/* A tangent along which nothing moves, as in a problem that lies in a plane: it has no impulse. */
static bool is_absent(const moreau_system *s, int i)
{
    return s->K[i * (s->n + 1)] == 0 && s->at->p[i] == 0 && s->at->x->u[i] == 0;
}

/* A contact without friction slips, too: mu may grow. */
static bool slips(const moreau_system *s, int j)
{
    const carom_together_mode mode = s->at->modes[j];
    return mode == CAROM_TOGETHER_MODE_SLIP || mode == CAROM_TOGETHER_MODE_CLOSED;
}

/* How dy_t enters (1): mu p_n (1 - d d^T) / |y_t|. In the plane it does not. */
static double turning(const moreau_system *s, int j, const double d[2], int a, int b)
{
    if (s->dim == 2)
        return 0;
    const double mu = s->at->rule->coeffs[j].mu, p_n = s->at->p[(j + 1) * s->dim - 1];
    return mu > 0 ? mu * p_n / slip_of(s, j) * ((a == b) - d[a] * d[b]) : 0;
}

static void put_slip(const moreau_system *s, int j)
{
    double d[2];
    const int first = j * s->dim, normal = first + s->dim - 1, n = s->n;
    const double mu = s->at->rule->coeffs[j].mu;
    direction_of(s, j, d);
    put_row(s, normal, false);
    for (int a = 0; a < s->dim - 1; a++) {
        double *row = s->A + (first + a) * n;
        put_row(s, first + a, true);
        row[normal] += mu * d[a];
        for (int b = 0; b < s->dim - 1 && !is_absent(s, first + a); b++)
            for (int k = 0; k < n; k++)
                row[k] += turning(s, j, d, a, b) * s->K[(first + b) * n + k];
        for (int k = 0; s->convex && k < n; k++)
            s->A[normal * n + k] -= mu * d[a] * s->K[(first + a) * n + k];
    }
}

static bool factor(const moreau_system *s)
{
    together_full(s->at->x, s->K);
    for (int j = 0; j < s->at->x->count; j++) {
        const carom_together_mode mode = s->at->modes[j];
        const int first = j * s->dim, normal = first + s->dim - 1;
        for (int i = first; i < normal; i++)
            put_row(s, i, mode != CAROM_TOGETHER_MODE_STICK || is_absent(s, i));
        put_row(s, normal, mode == CAROM_TOGETHER_MODE_OPEN);
        if (slips(s, j))
            put_slip(s, j);
    }
    return lu_factor(s->n, s->A, s->pivot) > SINGULAR_TOL;
}

/* What (1) and (2) leave on the right: -b through the rows of each mode, and the change of mu. */
static void set_right(const moreau_system *s, const carom_together_variation *v, double *right)
{
    for (int j = 0; j < s->at->x->count; j++) {
        double d[2], friction = 0;
        const carom_together_mode mode = s->at->modes[j];
        const int first = j * s->dim, normal = first + s->dim - 1;
        const double dmu = v->coeffs ? v->coeffs[j].mu : 0, mu = s->at->rule->coeffs[j].mu;
        direction_of(s, j, d);
        for (int a = 0; a < s->dim - 1; a++) {
            double *to = &right[first + a];
            const bool absent = is_absent(s, first + a);
            *to = mode == CAROM_TOGETHER_MODE_STICK && !absent ? -s->b[first + a] : 0;
            if (!slips(s, j) || absent)
                continue;
            *to = -dmu * s->at->p[normal] * d[a];
            for (int b = 0; b < s->dim - 1; b++)
                *to -= turning(s, j, d, a, b) * s->b[first + b];
            friction += mu * d[a] * s->b[first + a];
        }
        right[normal] = mode == CAROM_TOGETHER_MODE_OPEN ? 0 : -s->b[normal];
        if (s->convex && slips(s, j))
            right[normal] += friction + dmu * slip_of(s, j);
    }
}

/* Where the modes end. */
static void find_border(const moreau_system *s, carom_together_changes *c)
{
    const carom_contacts *x = s->at->x;
    const double p_most = largest_of((size_t)s->n, s->at->p), u_most = largest_of((size_t)s->n, x->u);
    const double y_most = max(u_most, largest_of((size_t)s->n, s->y));
    for (int j = 0; j < x->count; j++) {
        const double *p = s->at->p + j * s->dim, p_n = p[s->dim - 1], mu = s->at->rule->coeffs[j].mu;
        const double friction = s->dim == 2 ? fabs(p[0]) : length_of(p[0], p[1]);
        const carom_together_mode mode = s->at->modes[j];
        const bool open = mode == CAROM_TOGETHER_MODE_OPEN;
        note_border(c, j, open ? s->y[(j + 1) * s->dim - 1] : p_n, open ? y_most : p_most, "open/closed");
        if (mode == CAROM_TOGETHER_MODE_STICK)
            note_border(c, j, mu * p_n - friction, mu * p_n, "stick/slip");
        if (mode == CAROM_TOGETHER_MODE_SLIP)
            note_border(c, j, slip_of(s, j), y_most, "stick/slip");
        if (s->at->rule->coeffs[j].e > 0)
            note_border(c, j, together_normal(x, x->u, j), u_most, "u_n = 0");
    }
}

carom_status moreau_changes(const together_point *at, carom_together_changes *changes)
{
    const moreau_system s = system_of(at);
    set_y(&s);
    find_border(&s, changes);
    if (!factor(&s))
        return CAROM_STATUS_NO_DERIVATIVE;
    for (int k = 0; k < at->count; k++) {
        double *dp = changes->p + (ptrdiff_t)k * s.n;
        set_b(&s, &at->directions[k]);
        set_right(&s, &at->directions[k], dp);
        lu_solve(s.n, s.A, s.pivot, dp);
    }
    return CAROM_STATUS_OK;
}
