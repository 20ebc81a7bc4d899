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

#define HERTZ_SERIES 0.5 /* x up to here: beyond, the closed form loses few units in the last place */

/* The sums over j of 2j d_j x^(j-1), d_j = ((-1/2)_j / j!)^2 (1)_j / (5/2)_j, which is s M; of (2j-1) d_j x^(j-1), the
 * fall of F; and of 2j (2j-1) d_j x^(j-1), on 0 <= x <= 1/2 as polynomials of least error (Chebyshev), below 1e-16. */
static const double hertz_beta[] = {
    1.99999999999999983e-01,  1.42857142857184816e-02, 3.57142857071838420e-03,  1.35281390017148642e-03,
    6.37381797939324114e-04,  3.44221754764106489e-04, 2.03674388584493239e-04,  1.34185263285860985e-04,
    5.69632695614199418e-05,  2.04347512186121003e-04, -4.56984740141193682e-04, 1.28903045896591913e-03,
    -2.19739614437425897e-03, 2.66428998066123648e-03, -1.90964255518065559e-03, 6.78633596829979853e-04};
static const double hertz_fall[] = {
    9.99999999999999917e-02,  1.07142857142898135e-02, 2.97619047549655324e-03,  1.18371216748480029e-03,
    5.73643490816918558e-04,  3.15538703734702755e-04, 1.89103157681349133e-04,  1.25975732168654602e-04,
    5.28261437337817995e-05,  1.98001082881997141e-04, -4.47397010805695137e-04, 1.25853760986551822e-03,
    -2.14661171487697455e-03, 2.60168677553221069e-03, -1.86472449609125933e-03, 6.62294113170046371e-04};
static const double hertz_eta[] = {1.99999999999999983e-01,  4.28571428571479715e-02,  1.78571428560460842e-02,
                                   9.46969706268786446e-03,  5.73644690401608082e-03,  3.78616971833739590e-03,
                                   2.65195570045138971e-03,  1.97031547867172665e-03,  1.25553715087245508e-03,
                                   2.60633610563453834e-03,  -6.22688838635555679e-03, 2.70996739269975702e-02,
                                   -7.20760836377863645e-02, 1.48576794568395093e-01,  -2.16272967859609283e-01,
                                   2.16986764232831891e-01,  -1.33148468125445396e-01, 3.92718513348402770e-02};

/* A polynomial of an even number of terms. */
static double sum_powers(const double *c, int terms, double x)
{
    const double xx = x * x;
    double even = 0, odd = 0;
    for (int j = terms - 2; j >= 0; j -= 2) {
        even = even * xx + c[j];
        odd = odd * xx + c[j + 1];
    }
    return even + odd * x;
}

#define SUM_POWERS(c, x) sum_powers(c, sizeof c / sizeof c[0], x)

static patch_slope hertz_series(double x)
{
    const patch_slope y = {1 - x * SUM_POWERS(hertz_fall, x), SUM_POWERS(hertz_beta, x), SUM_POWERS(hertz_eta, x), 0};
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
