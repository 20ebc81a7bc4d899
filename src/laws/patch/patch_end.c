/* Whittaker's law for a contact with a patch and rolling resistance: friction opposes the slips at the end.
 *
 * Equations    u_n after = -e u_n,   P in -p_n dPsi(U after)                                                       (1)
 *              stick: P = -B^-1 (U + k c / K_nn),  p_n = (c - k.P) / K_nn,  c = (1 + e) v_n,
 *                     if p_n holds P                                                                               (2)
 *              else:  phi(p_n) = K_nn p_n + k.P(p_n) - c = 0,  P(p_n) by the resolvent of U + k p_n               (3)
 *              unique if the largest (|k|_B^-1 |g|_B + |k.g|) / 2 over the g that friction can have is below K_nn  (4)
 *              u_n = 0: P = 0 if K_nn >= k.g at the friction g of U; else a solution with p_n > 0                  (5)
 * Choice       stick if it solves, else the smallest p_n; with "select": "first" always the smallest p_n
 * Page         docs/theory/patch.md */
#include "laws/patch/patch_end.h"

#include "laws/whittaker.h"

enum { SCAN = 64, ENDS = 8, ROOT_STEPS = 80 };
#define ROOT_TOL   (2 * EPS) /* of p_n, and of the terms of phi */
#define SCAN_FIRST 1e-9      /* of the largest p_n: where a scan of a grazing contact begins */
#define DIP        0.3       /* of phi: a scan looks closer where it comes this near to zero without crossing */

static const char *const end_modes[END_COUNT] = {"no_impact", "slip", "stick", "slip_jam", "stick_jam", "unbounded"};

/* An end of the impact. */
typedef struct patch_stop {
    patch_impulse p;
    bool sticks, rolls_on; /* friction holds; rolling resistance does not */
} patch_stop;

typedef struct patch_stops {
    int count;
    patch_stop at[ENDS];
} patch_stops;

typedef struct patch_target {
    const carom_patch_contact *x;
    double c;
} patch_target;

static double dot(const carom_patch_contact *x, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < x->count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* (3) */
static carom_status phi_at(const patch_target *t, double p_n, double *phi, patch_stop *stop)
{
    const carom_patch_contact *x = t->x;
    double V0[SLIPS];
    patch_resolved end;
    for (int i = 0; i < x->count; i++)
        V0[i] = x->U[i] + x->k[i] * p_n;
    const carom_status status = carom_patch_resolve(x, p_n, V0, &end);
    const double *V = end.V;
    memcpy(stop->p.P, end.P, sizeof end.P);
    const int f = x->frictional;
    stop->p.p_n = p_n;
    stop->sticks = V[0] == 0 && V[1] == 0 && (f < 3 || V[2] == 0);
    stop->rolls_on = x->count > f && (V[f] != 0 || V[f + 1] != 0);
    *phi = x->K_nn * p_n + dot(x, x->k, stop->p.P) - t->c;
    return status;
}

/* Between low and high, where phi has the signs of f_low and f_high: regula falsi (Illinois), then halves. */
static carom_status root_between(const patch_target *t, double low, double high, double f_low, double f_high,
                                 patch_stop *stop)
{
    for (int i = 0; i < ROOT_STEPS; i++) {
        const double mid = i % 3 == 2 ? 0.5 * (low + high) : (low * f_high - high * f_low) / (f_high - f_low);
        const double at = mid > low && mid < high ? mid : 0.5 * (low + high);
        double f;
        const carom_status status = phi_at(t, at, &f, stop);
        const double terms = t->x->K_nn * at + t->c; /* of phi */
        if (status || fabs(f) <= ROOT_TOL * terms || high - low <= ROOT_TOL * high)
            return status;
        if ((f < 0) == (f_low < 0)) {
            low = at, f_low = f, f_high *= 0.5;
        } else {
            high = at, f_high = f, f_low *= 0.5;
        }
    }
    return CAROM_STATUS_OK;
}

/* The stick of everything, (2). */
static bool stick_of_all(const patch_target *t, patch_stop *stop)
{
    const carom_patch_contact *x = t->x;
    const int n = x->count;
    double y[SLIPS + 1], right[SLIPS + 1];
    for (int i = 0; i < n; i++)
        right[i] = -x->U[i];
    right[n] = t->c;
    for (int i = 0; i <= n; i++) {
        double sum = right[i];
        for (int j = 0; j < i; j++)
            sum -= x->L[i][j] * y[j];
        y[i] = sum / x->L[i][i];
    }
    for (int i = n; i >= 0; i--) {
        for (int j = i + 1; j <= n; j++)
            y[i] -= x->L[j][i] * y[j];
        y[i] /= x->L[i][i];
    }
    stop->p.p_n = y[n];
    for (int i = 0; i < n; i++)
        stop->p.P[i] = y[i];
    stop->sticks = true;
    stop->rolls_on = false;
    return y[n] > 0 && carom_patch_friction_share(x, y, y[n]) <= 1 && carom_patch_rolling_share(x, y, y[n]) <= 1;
}

/* The sizes of friction in the metrics of (4), from above: an ellipsoid around the body of a patch, a disc of rolling.
 */
static double pull_bound(const carom_patch_contact *x, double *metric)
{
    const int f = x->frictional;
    const double spin = f == 3 ? patch_spin(x->pressure) : 0;
    double pull = 0, B = 0;
    for (int group = 0; group < 2; group++) {
        double kk = 0, trace = 0;
        for (int i = group ? f : 0; i < (group ? x->count : f); i++) {
            const double scale = group ? x->rho : x->mu * (i == 2 ? spin : 1);
            kk += square(scale * x->k[i]);
            trace += square(scale) * (x->K[i][i] - square(x->k[i]) / x->K_nn);
        }
        pull += sqrt(kk);
        B += sqrt(trace);
    }
    *metric = B;
    return pull;
}

/* (4), with (|k|_B^-1)^2 = K_nn^2 (M_nn - 1 / K_nn), M_nn = 1 / L_nn^2. */
static bool has_one_stop(const carom_patch_contact *x, double pull, double metric)
{
    const double k_B = x->K_nn * sqrt(max(0, 1 / square(x->L[x->count][x->count]) - 1 / x->K_nn));
    return 0.5 * (k_B * metric + pull) < x->K_nn;
}

/* The largest p_n: an end without loss at u_n = 0 loses energy, so 2 p.u + p K p <= 0 with u_n = -c. */
static double most_impulse(const patch_target *t)
{
    const carom_patch_contact *x = t->x;
    const int n = x->count;
    double y[SLIPS + 1], form = 0;
    for (int i = 0; i <= n; i++) {
        double sum = i < n ? x->U[i] : -t->c;
        for (int j = 0; j < i; j++)
            sum -= x->L[i][j] * y[j];
        y[i] = sum / x->L[i][i];
        form += y[i] * y[i];
    }
    const double l = x->L[n][n];
    return (sqrt(form) - y[n]) / l;
}

static void keep(patch_stops *list, const patch_stop *stop)
{
    if (list->count < ENDS)
        list->at[list->count++] = *stop;
}

/* Every crossing of phi between two points, where a dip may hide two. */
static carom_status search_dip(const patch_target *t, const double p[3], const double f[3], patch_stops *list)
{
    double low = p[0], high = p[2];
    for (int i = 0; i < ROOT_STEPS; i++) {
        patch_stop stop = {{{0}, 0}, false, false};
        double at[2] = {low + 0.382 * (high - low), low + 0.618 * (high - low)}, value[2];
        for (int k = 0; k < 2; k++) {
            const carom_status status = phi_at(t, at[k], &value[k], &stop);
            if (status)
                return status;
            if ((value[k] < 0) != (f[1] < 0)) {
                carom_status found = root_between(t, p[0], at[k], f[0], value[k], &stop);
                if (!found)
                    keep(list, &stop), found = root_between(t, at[k], p[2], value[k], f[2], &stop);
                if (!found)
                    keep(list, &stop);
                return found;
            }
        }
        if (!(high - low > 1e-6 * high))
            break;
        *(fabs(value[0]) < fabs(value[1]) ? &high : &low) = at[fabs(value[0]) < fabs(value[1]) ? 1 : 0];
    }
    return CAROM_STATUS_OK;
}

/* All ends, by a scan of phi in equal ratios of p_n. */
static carom_status scan(const patch_target *t, double first, double last, patch_stops *list)
{
    double p[3] = {0}, f[3] = {0};
    const double ratio = carom_exp(carom_log(last / first) / (SCAN - 1));
    double at = first;
    for (int i = 0; i < SCAN; i++, at *= ratio) {
        patch_stop stop;
        p[0] = p[1], p[1] = p[2], f[0] = f[1], f[1] = f[2];
        p[2] = at;
        carom_status status = phi_at(t, at, &f[2], &stop);
        if (!status && i > 0 && (f[2] < 0) != (f[1] < 0)) {
            status = root_between(t, p[1], p[2], f[1], f[2], &stop);
            keep(list, &stop);
        } else if (!status && i > 1 && (f[0] < 0) == (f[2] < 0) && (f[0] < 0) == (f[1] < 0) &&
                   fabs(f[1]) <= fabs(f[0]) && fabs(f[1]) <= fabs(f[2])) {
            status = search_dip(t, p, f, list);
        }
        if (status)
            return status;
    }
    return CAROM_STATUS_OK;
}

/* (5) */
static bool stays_out(const carom_patch_contact *x)
{
    double g[SLIPS];
    carom_patch_gradient(x, x->U, g);
    return x->K_nn >= dot(x, x->k, g);
}

static int choice_of(const patch_stops *list, const carom_rule *rule)
{
    for (int i = 0; i < list->count && rule->options.select != CAROM_OPTION_SELECT_FIRST; i++)
        if (list->at[i].sticks && !list->at[i].rolls_on)
            return i;
    return 0;
}

static void write(const carom_patch_contact *x, const patch_stops *list, int chosen, carom_outcome *out)
{
    const patch_stop *stop = &list->at[chosen];
    const bool jam = x->u_n == 0;
    carom_patch_write(x, &stop->p, &out->p, &out->turning.m);
    out->mode = end_modes[stop->sticks ? (jam ? END_STICK_JAM : END_STICK) : jam ? END_SLIP_JAM : END_SLIP];
    out->turning.rolling = x->count == x->frictional ? NULL : stop->rolls_on ? "slip" : "stick";
    out->flags |= jam ? CAROM_FLAG_JAM : 0;
    out->solutions = list->count;
    for (int i = 0; list->count > 1 && i < list->count && i < CAROM_SOLUTIONS_KEPT; i++)
        carom_patch_write(x, &list->at[i].p, &out->all[i], &out->all_m[i]);
}

carom_status carom_patch_end(const carom_patch_contact *x, const carom_rule *rule, const carom_tracer *tracer,
                             carom_outcome *out)
{
    (void)tracer;
    const patch_target t = {x, -(1 + rule->coeffs.e) * x->u_n};
    patch_stops list = {0, {{{{0}, 0}, false, false}}};
    if (x->u_n == 0 && stays_out(x))
        return CAROM_STATUS_OK;
    double metric, pull = pull_bound(x, &metric);
    const bool one = has_one_stop(x, pull, metric);
    patch_stop stick;
    const bool sticks = stick_of_all(&t, &stick);
    if (one && sticks) {
        keep(&list, &stick);
    } else {
        const double last = most_impulse(&t) * (1 + 1e-9);
        const double first = max(t.c / (x->K_nn + pull), SCAN_FIRST * last) * (1 - 1e-9);
        carom_status status;
        if (pull == 0) { /* spheres: p_n knows nothing of friction */
            double f;
            patch_stop stop;
            status = phi_at(&t, t.c / x->K_nn, &f, &stop);
            keep(&list, &stop);
        } else if (one) {
            double f[2];
            patch_stop stop;
            status = phi_at(&t, first, &f[0], &stop);
            status = status ? status : phi_at(&t, min(last, t.c / max(x->K_nn - pull, EPS * x->K_nn)), &f[1], &stop);
            const double high = stop.p.p_n;
            status = status ? status : root_between(&t, first, high, f[0], f[1], &stop);
            keep(&list, &stop);
        } else {
            status = scan(&t, first, last, &list);
        }
        if (status)
            return status;
    }
    if (list.count == 0 && sticks)
        keep(&list, &stick);
    if (list.count == 0)
        return CAROM_STATUS_ITERATION_LIMIT;
    write(x, &list, choice_of(&list, rule), out);
    return CAROM_STATUS_OK;
}
