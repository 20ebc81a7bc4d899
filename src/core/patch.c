#include "core/patch.h"

#include "core/elliptic.h"

#define PI     3.141592653589793
#define LAMBDA (3 * PI / 16) /* of the ellipse, which touches the patch of Hertz at v = 0 */

/* ---- hertz: (3 / 2 pi a^2) sqrt(1 - r^2/a^2) ---- */

static patch_slope hertz_inside(double x)
{
    const double c = 3 * PI / 8;
    const patch_slope y = {c * (1 - x / 4), c / 2 * (1 - x + 0.375 * x * x), c * (1 - 0.75 * x), 0};
    return y;
}

#define HERTZ_SERIES 0.25 /* x up to here: beyond, the closed form loses four units in the last place at most */

/* 2j d_j, d_j = ((-1/2)_j / j!)^2 (1)_j / (5/2)_j: the terms of s M in powers of x. */
static const double hertz_terms[] = {
    2.00000000000000011e-01, 1.42857142857142853e-02, 3.57142857142857132e-03, 1.35281385281385276e-03,
    6.37383449883449876e-04, 3.44187062937062927e-04, 2.04150169683257925e-04, 1.29704431114551085e-04,
    8.68556458356368902e-05, 6.06311150881619782e-05, 4.37756650936529492e-05, 3.25001149937726461e-05,
    2.47019552179680033e-05, 1.91547419494168759e-05, 1.51123451094425342e-05, 1.21042687971820677e-05,
    9.82449519771280953e-06, 8.06853338635690040e-06, 6.69644539179349789e-06, 5.61042456631903249e-06,
    4.74080875853958222e-06, 4.03713248384247088e-06, 3.46227178229347383e-06, 2.98853382742723098e-06};

static patch_slope hertz_series(double x)
{
    double fall = 0, beta = 0, eta = 0; /* alpha = 1 - x fall */
    for (int j = sizeof hertz_terms / sizeof hertz_terms[0]; j > 0; j--) {
        const double term = hertz_terms[j - 1];
        fall = fall * x + term * (2 * j - 1) / (2 * j);
        beta = beta * x + term;
        eta = eta * x + term * (2 * j - 1);
    }
    const patch_slope y = {1 - x * fall, beta, eta, 0};
    return y;
}

/* With A = s asin(1/s) and c = sqrt(1 - x). */
static patch_slope hertz_outside(double x)
{
    if (x <= HERTZ_SERIES)
        return hertz_series(x);
    const double q = sqrt(x), c = sqrt(1 - x), A = carom_atan2(q, c) / q, gap = (A - c) / x;
    const patch_slope y = {0.75 * (A + c / 2 - gap / 4), 0.375 * (A - (A - 0.75 * c) / x + 0.375 * gap / x),
                           0.75 * ((A - c / 2) / x - 0.75 * gap / x), 0};
    return y;
}

/* ---- uniform: 1 / pi a^2 ---- */

static patch_slope uniform_inside(double x)
{
    const elliptic e = elliptic_at(x);
    const double c = 4 / (3 * PI);
    const patch_slope y = {c * (e.B + e.E), c / 3 * ((4 - 2 * x) * e.E - (1 - x) * (e.B + e.D)),
                           c * (e.B + 2 * (1 - x) * e.D), 0};
    return y;
}

static patch_slope uniform_outside(double x)
{
    const elliptic e = elliptic_at(x);
    const double c = 4 / (3 * PI);
    const patch_slope y = {c * (e.B + e.E), c / 3 * (3 * e.B - e.D + e.C), c * (e.D - e.C), 0};
    return y;
}

/* ---- ring: r = a ---- */

static patch_slope ring_inside(double x)
{
    const elliptic e = elliptic_at(x);
    const patch_slope y = {2 / PI * e.B, 2 / PI * e.E, 2 / PI * e.D, 0};
    return y;
}

static patch_slope ring_outside(double x)
{
    const elliptic e = elliptic_at(x);
    const patch_slope y = {2 / PI * e.E, 2 / PI * e.B, 2 / PI * e.D, 0};
    return y;
}

/* ---- all of them ---- */

typedef patch_slope patch_shape(double x);

typedef struct patch_pressure {
    patch_shape *inside, *outside; /* null: the ellipse */
    double spin;                   /* M at s = 0 */
    bool smooth;
} patch_pressure;

static const patch_pressure pressures[] = {
    {hertz_inside, hertz_outside, 3 * PI / 16, false},
    [CAROM_OPTION_PRESSURE_UNIFORM] = {uniform_inside, uniform_outside, 2.0 / 3, false},
    [CAROM_OPTION_PRESSURE_RING] = {ring_inside, ring_outside, 1, false},
    [CAROM_OPTION_PRESSURE_ELLIPSE] = {NULL, NULL, LAMBDA, true},
};

double patch_spin(int pressure)
{
    return pressures[pressure].spin;
}

bool patch_is_smooth(int pressure)
{
    return pressures[pressure].smooth;
}

patch_slope patch_slope_at(int pressure, double vv, double WW)
{
    const patch_pressure *p = &pressures[pressure];
    if (!p->inside) {
        const patch_slope ellipse = {1, LAMBDA * LAMBDA, LAMBDA * LAMBDA, sqrt(vv + LAMBDA * LAMBDA * WW)};
        return ellipse;
    }
    patch_slope x = vv <= WW ? p->inside(vv / WW) : p->outside(WW / vv);
    x.L = sqrt(max(vv, WW));
    return x;
}

/* The direction (s, 1) or (1, q) whose force and moment have the ratio of f and m: a root of F m - M f, which is
 * monotone. The dual norm is the largest (f v + m W) / Phi, stationary there: the direction needs half its digits only.
 */
enum { DUAL_STEPS = 60 };
#define DUAL_TOL 1e-9 /* of the direction */

double patch_dual(int pressure, double f, double m)
{
    double v, W;
    return patch_dual_slip(pressure, f, m, &v, &W);
}

/* The gradient of the ellipse's dual norm, (f, m / lambda^2). */
static double ellipse_dual(double f, double m, double *v, double *W)
{
    const double most = max(f, m / square(LAMBDA));
    *v = most > 0 ? f / most : 1;
    *W = most > 0 ? m / square(LAMBDA) / most : 0;
    return length_of(f, m / LAMBDA);
}

double patch_dual_slip(int pressure, double f, double m, double *v, double *W)
{
    if (!pressures[pressure].inside)
        return ellipse_dual(f, m, v, W);
    const patch_slope rim = pressures[pressure].inside(1);
    const bool inside = rim.alpha * m >= rim.beta * f;
    double low = 0, high = 1,
           r = inside ? f * rim.beta / (m * rim.alpha + DBL_MIN) : m * rim.alpha / (f * rim.beta + DBL_MIN);
    patch_slope x = rim;
    for (int i = 0; i < DUAL_STEPS; i++) {
        x = inside ? pressures[pressure].inside(r * r) : pressures[pressure].outside(r * r);
        const double g = inside ? x.alpha * r * m - x.beta * f : x.beta * r * f - x.alpha * m;
        const double slope = x.eta * (inside ? m + r * f : f + r * m), next = r - g / slope;
        *(g > 0 ? &high : &low) = r;
        if (!(high - low > DUAL_TOL) || fabs(next - r) <= DUAL_TOL * r)
            break;
        r = next > low && next < high ? next : 0.5 * (low + high);
    }
    *v = inside ? r : 1;
    *W = inside ? 1 : r;
    return f == 0 && m == 0 ? 0 : (f * *v + m * *W) / (x.alpha * *v * *v + x.beta * *W * *W);
}
