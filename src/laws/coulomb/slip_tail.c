/* The tail: the rest of the slip flow along an attracting ray c, f(c) = 0, f1 = f'(c) < 0. Here its series;
 * slip_tail_walk.c walks on it.
 *
 * In the coordinate y that decays as exp(f1 tau), and with E = exp(g tau), the flow is a series without resonances:
 *
 *     u_t = size E sum (alpha_n c + beta_n s) y^n        r = size E sum R_n y^n                            (1)
 *     q_n = 1/2 sum (alpha_i alpha_(n-i) + beta_i beta_(n-i) - R_i R_(n-i)),  0 < i < n                    (2)
 *     beta_n = w_cs q_n / ((n-1) f1)   alpha_n = (b_c q_n - w_cs beta_n) / (n f1)   R_n = alpha_n + q_n    (3)
 *     u_n' = size E sum H_n y^n        H_n = k R_n - mu (b_c alpha_n + b_s beta_n)                         (4)
 *
 * When M is isotropic the ray is b, the series ends at n = 2 and serves from everywhere. */
#include "core/roots.h"
#include "core/series.h"
#include "laws/coulomb/family_incremental.h"

#define NEAR_TURN  0.5        /* |f/f1|: the distance to the ray, in radians, at which a tail may begin */
#define NEAR_BEND  0.4        /* |f| (4 mu|D| + |b|) / f1^2: the same against the nearest other ray */
#define TAIL_SHARE (EPS / 16) /* the last two terms of the series, against the first */
#define ROUND_TOL  (4 * EPS)  /* M is isotropic to rounding of its entries, */
#define ROUND_GAP  0.01       /* and K far enough from singular for that not to matter */

enum { ANGLE_STEPS = 20 };

/* ---- the series ---- */

/* q_n; the products with the newest coefficient come last, so that the others need not wait for it. */
static double q_of(const slip_tail *t, int n)
{
    const double *alpha = t->alpha.a, *beta = t->beta.a, *R = t->R.a;
    double even = 0, odd = 0;
    int i = n / 2, j = n - i;
    if (i == j) {
        odd = 0.5 * (square(alpha[i]) + square(beta[i]) - square(R[i]));
        i--;
        j++;
    }
    for (; i > 1; i -= 2, j += 2) {
        even += alpha[i] * alpha[j] + beta[i] * beta[j] - R[i] * R[j];
        odd += alpha[i - 1] * alpha[j + 1] + beta[i - 1] * beta[j + 1] - R[i - 1] * R[j + 1];
    }
    if (i == 1)
        even += alpha[1] * alpha[j] + beta[1] * beta[j] - R[1] * R[j];
    return even + odd;
}

/* (3): all three are multiples of q_n. */
static void term(slip_tail *t, const slip_rates *q, int n)
{
    double across = q->w_cs / ((n - 1) * t->f1), along = (q->b_c - q->w_cs * across) / (n * t->f1), sum = q_of(t, n);
    t->beta.a[n] = across * sum;
    t->alpha.a[n] = along * sum;
    t->R.a[n] = (along + 1) * sum;
}

static bool negligible(const slip_tail *t, int n, double power)
{
    return (fabs(t->alpha.a[n]) + fabs(t->beta.a[n]) + fabs(t->R.a[n])) * power <= TAIL_SHARE;
}

/* Coefficients up to the order that y needs; false when that is more than there is room for. */
static bool build(slip_tail *t, const slip_field *F, const slip_rates *q, double y)
{
    t->alpha.a[0] = t->R.a[0] = t->beta.a[1] = 1;
    t->beta.a[0] = 0;
    t->alpha.a[1] = t->R.a[1] = -q->w_cs / t->f1;
    double power = fabs(y);
    bool small = false, found = false;
    int n = 2;
    for (; n <= TAIL_ORDER && !found; n++) {
        term(t, q, n);
        power *= fabs(y);
        bool next = negligible(t, n, power);
        found = small && next;
        small = next;
    }
    t->order = n - 1;
    for (int i = 0; i <= t->order; i++)
        t->H.a[i] = F->k * t->R.a[i] - F->mu * (q->b_c * t->alpha.a[i] + q->b_s * t->beta.a[i]);
    t->H.a[0] = t->h;
    return found;
}

/* y from tan x = (sum beta y^n) / (sum alpha y^n), by Halley's method: a step follows the last as its cube, and one
 * that the next could not change is the last. */
static bool locate(slip_tail *t, double tan_x)
{
    double y = tan_x, last = 0, a[TAIL_ORDER + 1];
    for (int n = 0; n <= t->order; n++)
        a[n] = t->beta.a[n] - tan_x * t->alpha.a[n];
    for (int i = 0; i < ANGLE_STEPS; i++) {
        double value = 0, slope = 0, curve = 0;
        for (int n = t->order; n >= 0; n--) {
            curve = curve * y + slope;
            slope = slope * y + value;
            value = value * y + a[n];
        }
        double newton = value / slope, step = newton / (1 - newton * (curve / slope));
        y -= step;
        if (halley_settles(fabs(step), fabs(last), fabs(y)) || fabs(step) <= EPS * fabs(y)) {
            t->y = y;
            return true;
        }
        last = step;
    }
    return false;
}

static void integrate(slip_tail *t)
{
    for (int n = 2; n <= t->order; n++) {
        double share = 1 / (t->g + n * t->f1);
        t->alpha.i[n] = share * t->alpha.a[n];
        t->beta.i[n] = share * t->beta.a[n];
        t->R.i[n] = share * t->R.a[n];
        t->H.i[n] = share * t->H.a[n];
    }
}

/* ---- entering ---- */

/* On the arc from the direction here to the ray h has at most one zero: it has none where friction cannot pull, one
 * when its signs differ, and two only around its minimum along b. */
static bool bends_once(const slip_field *F, tvec here, double h, const slip_tail *t)
{
    if (!F->dips || !(h * t->h > 0) || h < 0)
        return true;
    double turn = F->b1 * here.t2 - F->b2 * here.t1, turn_ray = F->b1 * t->c.t2 - F->b2 * t->c.t1;
    return tvec_dot(t->c, (tvec){F->b1, F->b2}) <= 0 || turn * turn_ray > 0;
}

static bool is_isotropic(const slip_field *F)
{
    double m = 0.5 * (F->w11 + F->w22);
    if (F->skew == 0 || F->pull == 0)
        return F->pull > 0;
    return F->skew <= ROUND_TOL * m && square(F->pull) * F->mu <= (1 - ROUND_GAP) * F->k * m;
}

/* Isotropic M: y = 2 tan(x/2), alpha = 1 - y^2/4, beta = y, R = 1 + y^2/4. */
static bool enter_round(const slip_field *F, tvec u, tvec here, double h, slip_tail *t)
{
    double m = 0.5 * (F->m11 + F->m22), pull = F->pull;
    t->c.t1 = F->b1 / pull;
    t->c.t2 = F->b2 / pull;
    t->g = fma(-F->mu, m, pull);
    t->f1 = -pull;
    t->l1 = -F->mu * m;
    t->h = fma(-F->mu, pull, F->k);
    if (!bends_once(F, here, h, t))
        return false;
    double cosine = tvec_dot(here, t->c), sine = diff_of_products(F->b1, u.t2, F->b2, u.t1) / (pull * tvec_length(u));
    t->y = 2 * (cosine > 0 ? sine / (1 + cosine) : (1 - cosine) / sine);
    const double alpha[] = {1, 0, -0.25}, beta[] = {0, 1, 0}, R[] = {1, 0, 0.25};
    const double H[] = {t->h, 0, 0.25 * fma(F->mu, pull, F->k)};
    t->order = 2;
    for (int n = 0; n <= 2; n++) {
        t->alpha.a[n] = alpha[n];
        t->beta.a[n] = beta[n];
        t->R.a[n] = R[n];
        t->H.a[n] = H[n];
    }
    return true;
}

static bool enter_near(const slip_field *F, tvec here, const slip_rates *q, slip_tail *t)
{
    double f = fabs(q->f), f1 = q->f1;
    if (!(f1 < 0) || f > -NEAR_TURN * f1 || f * (4 * F->skew + F->pull) > NEAR_BEND * f1 * f1)
        return false;
    slip_rates ray;
    t->c = here;
    if (!slip_field_ray(F, &t->c, &ray) || !(ray.f1 < 0))
        return false;
    t->g = ray.g;
    t->l1 = -ray.w_ss;
    t->f1 = ray.f1;
    t->h = ray.h;
    if (!bends_once(F, here, q->h, t))
        return false;
    double tan_x = (t->c.t1 * here.t2 - t->c.t2 * here.t1) / tvec_dot(here, t->c);
    if (!build(t, F, &ray, tan_x) || !locate(t, tan_x))
        return false;
    if (fabs(t->y) <= fabs(tan_x)) /* for which the series was built */
        return true;
    double power = pow(fabs(t->y), t->order - 1);
    return negligible(t, t->order - 1, power) && negligible(t, t->order, power * fabs(t->y));
}

bool slip_tail_enter(const slip_walk *w, tvec c, const slip_rates *here, slip_tail *t)
{
    const slip_field *F = &w->field;
    bool entered = is_isotropic(F) ? enter_round(F, w->u_t, c, here->h, t) : enter_near(F, c, here, t);
    if (!entered)
        return false;
    t->mu = F->mu;
    t->u_n = w->u_n;
    t->size = tvec_length(w->u_t) / horner(t->R.a, t->order, t->y);
    integrate(t);
    slip_tail_start(t);
    return true;
}
