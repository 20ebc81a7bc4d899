/* The slip plane: rates, invariant rays, and the directions from which slip comes to rest.
 *
 * With c the direction of slip, s the direction a quarter turn ahead, M = K_TT and b = k:
 *
 *     f = s.(b - mu M c) = r dtheta/dp_n,    g = c.(b - mu M c) = dr/dp_n,    h = K_nn - mu b.c                     (1)
 *     f' = -g - mu s.M s                                                                                            (2)
 *
 * By (2) a ray (f = 0) that does not converge is attracting, and a repelling one always converges. theta never crosses
 * a ray, so it runs to the next ray in the direction of f, and slip comes to rest exactly if that ray converges. */
#include "carom/elementary.h"
#include "carom/geometry.h"
#include "core/roots.h"
#include "geometry/tangent.h"

#define RATE_TOL    (16 * EPS) /* of the terms of a rate: smaller rates are zero */
#define FULL        6.283185307179586
#define REFINE_MOST 1e-8 /* radians: what rounding can do to a simple zero */
#define QUARTER     1.5707963267948966

carom_slip_rates carom_slip_rates_at(const carom_csym *K, double mu, carom_direction d)
{
    double m1 = K->t11 * d.c + K->t12 * d.s, m2 = K->t12 * d.c + K->t22 * d.s;   /* M c */
    double n1 = -K->t11 * d.s + K->t12 * d.c, n2 = -K->t12 * d.s + K->t22 * d.c; /* M s */
    double a1 = K->t1n - mu * m1, a2 = K->t2n - mu * m2;
    carom_slip_rates r;
    r.f = -d.s * a1 + d.c * a2;
    r.g = d.c * a1 + d.s * a2;
    r.h = K->nn - mu * (K->t1n * d.c + K->t2n * d.s);
    r.f_slope = -r.g - mu * (-d.s * n1 + d.c * n2);
    return r;
}

static double rate_scale(const carom_csym *K, double mu)
{
    return mu * (K->t11 + K->t22) + carom_hypot(K->t1n, K->t2n);
}

/* f of (1) as a function of the angle of slip. */
static trig2 turning(const carom_csym *K, double mu)
{
    trig2 f = {0, K->t2n, -K->t1n, -mu * K->t12, 0.5 * mu * (K->t11 - K->t22)};
    return f;
}

static double size_of(const trig2 *f)
{
    return fabs(f->a1) + fabs(f->b1) + fabs(f->a2) + fabs(f->b2);
}

static double turning_at(const trig2 *f, double angle)
{
    double c = carom_cos(angle), s = carom_sin(angle);
    return f->a2 * (c - s) * (c + s) + 2 * f->b2 * s * c + f->a1 * c + f->b1 * s;
}

static bool is_zero_at(const trig2 *f, double angle)
{
    return fabs(turning_at(f, angle)) <= RATE_TOL * size_of(f);
}

/* ---- rays ---- */

/* Angles in ascending order, 0 <= angle < 2 pi. */
typedef struct angles {
    int count;
    double at[2 * TRIG2_ROOTS];
} angles;

static void insert(angles *x, double angle)
{
    int i = x->count++;
    for (; i > 0 && x->at[i - 1] > angle; i--)
        x->at[i] = x->at[i - 1];
    x->at[i] = angle;
}

static double angle_of(heading h)
{
    double angle = carom_atan2(h.sin, h.cos) + 0.0, turned = angle < 0 ? angle + FULL : angle;
    return turned < FULL ? turned : 0;
}

/* One step of Newton in the angle, which restores what the quartic of trig2_roots has lost to rounding. */
static double refined(const trig2 *f, const trig2 *slope, double angle)
{
    double step = turning_at(f, angle) / turning_at(slope, angle), next = angle - step;
    return fabs(step) < REFINE_MOST && next >= 0 && next < FULL ? next : angle;
}

/* Where f changes its sign, and where it touches zero. */
static angles zeros_of(const trig2 *f)
{
    const trig2 slope = {0, f->b1, -f->a1, 2 * f->b2, -2 * f->a2};
    angles x = {0};
    heading root[TRIG2_ROOTS];
    for (int i = trig2_roots(f, root) - 1; i >= 0; i--)
        insert(&x, refined(f, &slope, angle_of(root[i])));
    for (int i = trig2_roots(&slope, root) - 1; i >= 0; i--)
        if (is_zero_at(f, angle_of(root[i])))
            insert(&x, angle_of(root[i]));
    return x;
}

/* Two neighbours are one zero when f is zero between them. */
static bool are_one(const trig2 *f, double a, double b)
{
    double gap = b - a;
    return gap < QUARTER && is_zero_at(f, a + 0.25 * gap) && is_zero_at(f, a + 0.5 * gap) &&
           is_zero_at(f, b - 0.25 * gap);
}

/* Zero i, counted on round the circle. */
static double zero_at(const angles *x, int i)
{
    return x->at[i % x->count] + (i < x->count ? 0 : FULL);
}

/* Zeros that are one become their middle. The first cluster begins behind the end of another. */
static angles merged(const trig2 *f, const angles *x)
{
    angles y = {0};
    int start = 0, end;
    while (start + 1 < x->count && are_one(f, zero_at(x, start), zero_at(x, start + 1)))
        start++;
    end = start + x->count;
    for (int i = start + 1, j = i; i <= end; i = j = j + 1) {
        while (j < end && are_one(f, zero_at(x, j), zero_at(x, j + 1)))
            j++;
        double middle = 0.5 * (zero_at(x, i) + zero_at(x, j));
        insert(&y, middle < FULL ? middle : middle - FULL);
    }
    return y;
}

static carom_direction direction_of(double angle)
{
    carom_direction d = {carom_cos(angle), carom_sin(angle)};
    return d;
}

/* f half-way to the neighbours shows on which side slip turns towards the ray. */
static void judge_ray(carom_hodograph *h, const trig2 *f, int i)
{
    carom_ray *ray = &h->rays[i];
    double before = h->rays[(i + h->count - 1) % h->count].angle, after = h->rays[(i + 1) % h->count].angle;
    before -= before >= ray->angle ? FULL : 0;
    after += after <= ray->angle ? FULL : 0;
    double left = turning_at(f, 0.5 * (before + ray->angle)), right = turning_at(f, 0.5 * (ray->angle + after));
    ray->attracting = left > 0 && right < 0;
    ray->repelling = left < 0 && right > 0;
}

static void fill_ray(carom_hodograph *h, int i, double angle)
{
    carom_ray *ray = &h->rays[i];
    ray->angle = angle;
    ray->direction = direction_of(angle);
    carom_slip_rates r = carom_slip_rates_at(&h->K, h->mu, ray->direction);
    double zero = RATE_TOL * rate_scale(&h->K, h->mu);
    ray->g = r.g;
    ray->f_slope = r.f_slope;
    ray->kind = r.g > zero ? CAROM_RAY_DIVERGING : r.g < -zero ? CAROM_RAY_CONVERGING : CAROM_RAY_STATIONARY;
}

static bool holds_at_rest(const carom_csym *K, double mu)
{
    return is_tangent_regular(K) ? tvec_length(tangent_solve(K, coupling(K))) <= mu : K->t1n == 0 && K->t2n == 0;
}

carom_status carom_hodograph_of(const carom_csym *K, double mu, carom_hodograph *hodograph)
{
    static const carom_hodograph nothing;
    *hodograph = nothing;
    if (!(0 * (K->t11 + K->t12 + K->t22) + 0 * (K->t1n + K->t2n + K->nn) == 0))
        return CAROM_STATUS_NOT_FINITE;
    if (!(mu >= 0 && mu < INFINITY))
        return CAROM_STATUS_BAD_COEFFICIENT;
    hodograph->K = *K;
    hodograph->mu = mu;
    hodograph->sticks = holds_at_rest(K, mu);
    const trig2 f = turning(K, mu);
    if (size_of(&f) <= RATE_TOL * rate_scale(K, mu)) {
        hodograph->every = true;
        return CAROM_STATUS_OK;
    }
    const angles zeros = zeros_of(&f), rays = merged(&f, &zeros);
    hodograph->count = rays.count < CAROM_RAYS ? rays.count : CAROM_RAYS;
    for (int i = 0; i < hodograph->count; i++)
        fill_ray(hodograph, i, rays.at[i]);
    for (int i = 0; i < hodograph->count; i++)
        judge_ray(hodograph, &f, i);
    return CAROM_STATUS_OK;
}

static bool is_rest_everywhere(const carom_hodograph *h)
{
    return h->mu * (h->K.t11 + h->K.t22) > 0;
}

/* The gap after ray i runs to ray i or to ray i + 1; true when that one converges. */
static bool gap_reaches(const carom_hodograph *h, int i)
{
    int next = (i + 1) % h->count;
    double from = h->rays[i].angle, to = h->rays[next].angle + (next <= i ? FULL : 0);
    const trig2 f = turning(&h->K, h->mu);
    const carom_ray *goal = turning_at(&f, 0.5 * (from + to)) > 0 ? &h->rays[next] : &h->rays[i];
    return goal->kind == CAROM_RAY_CONVERGING;
}

/* The gap that holds the angle begins at the last ray at or below it. */
static int gap_of(const carom_hodograph *h, double angle)
{
    int gap = h->count - 1;
    for (int i = 0; i < h->count; i++)
        if (h->rays[i].angle <= angle)
            gap = i;
    return angle < h->rays[0].angle ? h->count - 1 : gap;
}

bool carom_hodograph_reaches(const carom_hodograph *h, carom_direction slip)
{
    if (h->every || h->count == 0)
        return is_rest_everywhere(h);
    double angle = carom_atan2(slip.s, slip.c);
    angle += angle < 0 ? FULL : 0;
    for (int i = 0; i < h->count; i++)
        if (h->rays[i].direction.c == slip.c && h->rays[i].direction.s == slip.s)
            return h->rays[i].kind == CAROM_RAY_CONVERGING;
    return gap_reaches(h, gap_of(h, angle));
}

int carom_hodograph_basin(const carom_hodograph *h, carom_arc arcs[CAROM_RAYS])
{
    int n = h->count, count = 0, start = -1;
    carom_arc whole = {0, FULL};
    bool reaches[CAROM_RAYS] = {false};
    for (int i = 0; i < n; i++) {
        reaches[i] = gap_reaches(h, i);
        if (!reaches[i])
            start = i;
    }
    if (start < 0) { /* no gap fails */
        arcs[0] = whole;
        return n > 0 || is_rest_everywhere(h);
    }
    for (int step = 1; step <= n; step++) { /* begin behind a gap that fails, so that no arc is cut in two */
        int i = (start + step) % n, before = (i + n - 1) % n, next = (i + 1) % n;
        double from = h->rays[i].angle, to = h->rays[next].angle + (next <= i ? FULL : 0);
        if (!reaches[i])
            continue;
        if (reaches[before])
            arcs[count - 1].to += to - from;
        else
            arcs[count++] = (carom_arc){from, to};
    }
    return count;
}
