/* Block principal pivoting (Judice and Pires 1994): every set of contacts of the wrong sign changes sides at once;
 * where that makes no progress, one at a time (Murty), which ends for N + eps I. */
#include "laws/together/together_lcp.h"

#include "core/block_memory.h"
#include "core/num.h"
#include "laws/together/together_linear.h"

#define SIGN_TOL      1e-13 /* of the largest number of its kind: a value that counts as not negative */
#define REDUNDANT_TOL 1e-7  /* the same for x where contacts are redundant: rounding over LIMIT_EPS */

enum { BLOCK_TRIES = 3 };

size_t lcp_work(size_t n)
{
    return block_doubles(n * n + 3 * n) + 2 * block_ints(n) + linear_work(n);
}

typedef struct lcp {
    int n, active;
    const double *N, *q;
    double *A, *b, *y, *w, *x;
    int *list, *in; /* the active contacts; whether each is one */
    bool shifted;   /* N is singular: pivot with N + eps I */
    double shift, scale;
    void *linear;
} lcp;

static void gather(lcp *s)
{
    s->active = 0;
    for (int i = 0; i < s->n; i++)
        if (s->in[i])
            s->list[s->active++] = i;
    for (int a = 0; a < s->active; a++) {
        s->b[a] = -s->q[s->list[a]];
        for (int c = 0; c < s->active; c++)
            s->A[a * s->active + c] = s->N[s->list[a] * s->n + s->list[c]];
    }
}

static void scatter(lcp *s)
{
    for (int i = 0; i < s->n; i++)
        s->x[i] = 0;
    for (int a = 0; a < s->active; a++)
        s->x[s->list[a]] = s->y[a];
}

/* w = (N + shift) x + q; zero by definition where x acts. */
static void form_w(lcp *s)
{
    for (int i = 0; i < s->n; i++) {
        double sum = s->q[i];
        for (int a = 0; a < s->active; a++)
            sum += s->N[i * s->n + s->list[a]] * s->y[a];
        s->w[i] = s->in[i] ? 0 : sum;
    }
}

static void solve_active(lcp *s)
{
    gather(s);
    for (int a = 0; s->shifted && a < s->active; a++)
        s->A[a * (s->active + 1)] += s->shift;
    (void)linear_limit(s->active, s->A, s->b, s->y, s->linear);
    scatter(s);
    form_w(s);
}

/* Contacts of the wrong sign; the last of them in *last. */
static int count_wrong(const lcp *s, int *last)
{
    double most = 0;
    int wrong = 0;
    for (int i = 0; i < s->n; i++)
        most = max(most, fabs(s->x[i]));
    double x_tol = (s->shifted ? REDUNDANT_TOL : SIGN_TOL) * most, w_tol = SIGN_TOL * s->scale;
    for (int i = 0; i < s->n; i++)
        if (s->in[i] ? s->x[i] < -x_tol : s->w[i] < -w_tol) {
            wrong++;
            *last = i;
        }
    return wrong;
}

static void change_sides(lcp *s, int only)
{
    double most = 0;
    for (int i = 0; i < s->n; i++)
        most = max(most, fabs(s->x[i]));
    double x_tol = (s->shifted ? REDUNDANT_TOL : SIGN_TOL) * most, w_tol = SIGN_TOL * s->scale;
    for (int i = 0; i < s->n; i++)
        if ((only < 0 || only == i) && (s->in[i] ? s->x[i] < -x_tol : s->w[i] < -w_tol))
            s->in[i] = !s->in[i];
}

static bool pivot(lcp *s)
{
    int fewest = s->n + 1, tries = BLOCK_TRIES, last = -1;
    for (int k = 0; k < 20 * s->n + 100; k++) {
        solve_active(s);
        int wrong = count_wrong(s, &last);
        if (wrong == 0)
            return true;
        bool better = wrong < fewest;
        tries = better ? BLOCK_TRIES : tries - 1;
        fewest = better ? wrong : fewest;
        change_sides(s, tries >= 0 ? -1 : last);
    }
    return false;
}

/* The limit on the active set; contacts that it leaves below zero by rounding are dropped. */
static carom_status finish(lcp *s, bool *redundant)
{
    gather(s);
    linear_end end = linear_limit(s->active, s->A, s->b, s->y, s->linear);
    *redundant = end != LINEAR_REGULAR;
    if (end == LINEAR_INCONSISTENT)
        return CAROM_STATUS_INADMISSIBLE;
    scatter(s);
    for (int i = 0; i < s->n; i++)
        s->x[i] = max(s->x[i], 0);
    return CAROM_STATUS_OK;
}

static lcp lcp_start(int n, const double *N, const double *q, double *x, void *work)
{
    block_memory block = {work};
    size_t size = (size_t)n;
    lcp s = {.n = n, .N = N, .q = q, .x = x};
    s.A = take_doubles(&block, size * size);
    s.b = take_doubles(&block, size);
    s.y = take_doubles(&block, size);
    s.w = take_doubles(&block, size);
    s.list = take_ints(&block, size);
    s.in = take_ints(&block, size);
    s.linear = block.at;
    double diagonal = 0;
    for (int i = 0; i < n; i++) {
        diagonal = max(diagonal, N[i * (n + 1)]);
        s.scale = max(s.scale, fabs(q[i]));
        s.in[i] = q[i] < 0;
    }
    s.shift = LIMIT_EPS * diagonal;
    s.shifted = linear_is_singular(n, N, s.linear);
    return s;
}

carom_status lcp_solve(int n, const double *N, const double *q, double *x, bool *redundant, void *work)
{
    lcp s = lcp_start(n, N, q, x, work);
    *redundant = false;
    if (!pivot(&s))
        return CAROM_STATUS_ITERATION_LIMIT;
    return finish(&s, redundant);
}
