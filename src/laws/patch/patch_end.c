/* Whittaker's law for a contact with a patch and rolling resistance: friction opposes the slips at the end.
 *
 * Equations    u_n after = -e u_n,   P in -p_n dPsi(U after)                                                       (1)
 *              stick: P = -B^-1 (U + k c / K_nn),  p_n = (c - k.P) / K_nn,  c = (1 + e) v_n,
 *                     if p_n holds P                                                                               (2)
 *              else:  phi(p_n) = K_nn p_n + k.P(p_n) - c = 0,  P(p_n) by the resolvent of U + k p_n               (3)
 *              unique if the largest (|k|_B^-1 |g|_B + |k.g|) / 2 over the g that friction can have is below K_nn  (4)
 *              phi rises by K_nn + (|k.g| + |k|_K^-1 |g|_K) / 2 at most, and falls by what
 *                     |k|_K^-1 ^2 + (|k.g| + |k|_K^-1 |g|_K) / 2 has above K_nn                                    (5)
 *              u_n = 0: P = 0 if K_nn >= k.g at the friction g of U; else a solution with p_n > 0                  (6)
 * Choice       stick if it solves, else the smallest p_n; with "select": "first" always the smallest p_n
 * Page         docs/theory/patch.md */
#include "laws/patch/patch_end.h"

#include "laws/whittaker.h"

#define SEARCH_FIRST 1e-9 /* of the largest p_n: where the search begins at u_n = 0 */
#define MARGIN       1e-9 /* of the bounds of p_n: their rounding */

static const char *const end_modes[END_COUNT] = {"no_impact", "slip", "stick", "slip_jam", "stick_jam", "unbounded"};

/* The stick of everything, (2): the share of what p_n can hold. */
static double stick_of_all(const patch_target *t, patch_solution *s)
{
    const carom_patch_contact *x = t->x;
    const int n = x->count;
    double right[SLIPS + 1], y[SLIPS + 1];
    for (int i = 0; i < n; i++)
        right[i] = -x->U[i];
    right[n] = t->c;
    carom_patch_forward(x, right, y);
    for (int i = n; i >= 0; i--) {
        for (int j = i + 1; j <= n; j++)
            y[i] -= x->L[j][i] * y[j];
        y[i] /= x->L[i][i];
    }
    *s = (patch_solution){.p = y[n]};
    memcpy(s->P, y, (size_t)n * sizeof *y);
    return y[n] > 0 ? max(carom_patch_friction_share(x, y, y[n]), carom_patch_rolling_share(x, y, y[n])) : INFINITY;
}

/* ---- bounds ---- */

/* The sizes of friction, from above: an ellipsoid around the body of a patch, a disc of rolling. */
typedef struct friction_size {
    double k, K, B; /* the largest |k.g|, |g|_K, |g|_B */
} friction_size;

/* Sizes add up over the groups; a form is at most the root of the squares of its entries. */
static friction_size size_of_friction(const carom_patch_contact *x)
{
    const int f = x->frictional;
    const double spin = f == 3 ? patch_spin(x->pressure) : 0;
    friction_size size = {0, 0, 0};
    for (int from = 0; from < x->count; from = from == 0 ? f : x->count) {
        double kk = 0, KK = 0, BB = 0;
        for (int i = from; i < (from == 0 ? f : x->count); i++) {
            const double a = from ? x->rho : x->mu * (i == 2 ? spin : 1);
            kk += square(a * x->k[i]);
            for (int j = from; j < (from == 0 ? f : x->count); j++) {
                const double b = from ? x->rho : x->mu * (j == 2 ? spin : 1);
                KK += square(a * b * x->K[i][j]);
                BB += square(a * b * (x->K[i][j] - x->k[i] * x->k[j] / x->K_nn));
            }
        }
        size.k += sqrt(kk);
        size.K += sqrt(sqrt(KK));
        size.B += sqrt(sqrt(BB));
    }
    return size;
}

/* (4), with (|k|_B^-1)^2 = K_nn^2 (M_nn - 1 / K_nn), M_nn = 1 / L_nn^2. */
static bool is_unique(const carom_patch_contact *x, const friction_size *size)
{
    const double k_B = x->K_nn * sqrt(max(0, 1 / square(x->L[x->count][x->count]) - 1 / x->K_nn));
    return 0.5 * (k_B * size->B + size->k) < x->K_nn;
}

/* (5), with (|k|_K^-1)^2 = K_nn - L_nn^2. */
static void bound_slopes(const friction_size *size, patch_target *t)
{
    const carom_patch_contact *x = t->x;
    const double kk = max(0, x->K_nn - square(x->L[x->count][x->count])),
                 friction = 0.5 * (size->k + sqrt(kk) * size->K);
    t->up = x->K_nn + friction;
    t->down = max(0, kk + friction - x->K_nn);
}

/* The largest p_n: an end without loss at u_n = 0 loses energy, so 2 p.u + p K p <= 0 with u_n = -c. */
static double most_impulse(const patch_target *t)
{
    const carom_patch_contact *x = t->x;
    const int n = x->count;
    double u[SLIPS + 1], y[SLIPS + 1], form = 0;
    memcpy(u, x->U, (size_t)n * sizeof *u);
    u[n] = -t->c;
    carom_patch_forward(x, u, y);
    for (int i = 0; i <= n; i++)
        form += y[i] * y[i];
    return (sqrt(form) - y[n]) / x->L[n][n];
}

/* ---- ends ---- */

/* The only end, which is no stick of everything: Newton's method in each mode, started with the share of the slips that
 * friction would leave if it acted as in the stick. */
static bool only_end(const patch_target *t, const patch_solution *stick, double share, patch_ends *ends)
{
    const carom_patch_contact *x = t->x;
    patch_solution *s = &ends->at[0];
    const double p = stick->p > 0 ? stick->p : t->c / x->K_nn, left = 1 - 1 / share;
    for (int groups = FREE_FRICTION;
         groups <= (x->count > x->frictional ? FREE_FRICTION | FREE_ROLLING : FREE_FRICTION); groups++) {
        for (int i = 0; i < x->count; i++)
            s->V[i] = left * (x->U[i] + x->k[i] * p);
        if (carom_patch_end_in_mode(t, groups, s)) {
            ends->count = 1;
            return true;
        }
    }
    return false;
}

carom_status carom_patch_ends(const carom_patch_contact *x, double c, patch_ends *ends)
{
    patch_target own = {x, c, 0, 0}, *t = &own;
    const friction_size size = size_of_friction(t->x);
    patch_solution stick;
    const double share = stick_of_all(t, &stick);
    const bool one = is_unique(t->x, &size), sticks = share <= 1;
    carom_status status = CAROM_STATUS_OK;
    ends->count = 0;
    bound_slopes(&size, t);
    t->down = one ? 0 : t->down;
    if (!(one && sticks) && !(one && only_end(t, &stick, share, ends))) {
        const double last = most_impulse(t) * (1 + MARGIN);
        const double first = t->c > 0 ? t->c / (t->x->K_nn + size.k) * (1 - MARGIN) : SEARCH_FIRST * last;
        status = carom_patch_search(t, first, last, ends);
    }
    if (!status && ends->count == 0 && sticks)
        ends->at[ends->count++] = stick;
    return ends->count == 0 && !status ? CAROM_STATUS_ITERATION_LIMIT : status;
}

/* (6) */
static bool stays_out(const carom_patch_contact *x)
{
    patch_friction friction;
    double pull = 0;
    carom_patch_friction(x, x->U, &friction);
    for (int i = 0; i < x->count; i++)
        pull += x->k[i] * friction.g[i];
    return x->K_nn >= pull;
}

static int choice_of(const carom_patch_contact *x, const patch_ends *ends, const carom_rule *rule)
{
    for (int i = 0; i < ends->count && rule->options.select != CAROM_OPTION_SELECT_FIRST; i++)
        if (carom_patch_groups(x, ends->at[i].V) == 0)
            return i;
    return 0;
}

static void write(const carom_patch_contact *x, const patch_ends *ends, int chosen, carom_outcome *out)
{
    const int groups = carom_patch_groups(x, ends->at[chosen].V);
    const bool jam = x->u_n == 0, slips = groups & FREE_FRICTION;
    carom_patch_write(x, &ends->at[chosen], &out->p, &out->turning.m);
    out->mode = end_modes[!slips ? (jam ? END_STICK_JAM : END_STICK) : jam ? END_SLIP_JAM : END_SLIP];
    out->turning.rolling = x->count == x->frictional ? NULL : groups & FREE_ROLLING ? "slip" : "stick";
    out->flags |= jam ? CAROM_FLAG_JAM : 0;
    out->solutions = ends->count;
    for (int i = 0; ends->count > 1 && i < ends->count && i < CAROM_SOLUTIONS_KEPT; i++)
        carom_patch_write(x, &ends->at[i], &out->all[i], &out->all_m[i]);
}

carom_status carom_patch_end(const carom_patch_contact *x, const carom_rule *rule, const carom_tracer *tracer,
                             carom_outcome *out)
{
    (void)tracer;
    patch_ends ends;
    if (x->u_n == 0 && stays_out(x))
        return CAROM_STATUS_OK;
    const carom_status status = carom_patch_ends(x, -(1 + rule->coeffs.e) * x->u_n, &ends);
    if (!status)
        write(x, &ends, choice_of(x, &ends, rule), out);
    return status;
}
