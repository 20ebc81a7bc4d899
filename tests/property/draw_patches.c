/* Random contacts with a patch: K and u of four or six rows [t1, t2, n, w_n, w_t1, w_t2], from bodies or eigenvalues.
 */
#include <string.h>

#include "draws.h"

enum { ROWS = CAROM_PATCH_SIZE, POINT_ROWS = 3, PRESSURES = 4 };

#define ROLLING_SHARE 0.5 /* of problems of laws with rolling resistance that have some */

typedef struct drawn {
    double K[ROWS][ROWS], u[ROWS];
} drawn;

/* ---- K ---- */

/* Add the inverse masses of a body with principal axes, seen at the end of an arm. */
static void add_body(drawn *x, double m, const double inverse[3], const carom_cvec axes[3], carom_cvec r)
{
    for (int k = 0; k < 3; k++) {
        const carom_cvec a = axes[k];
        const double part[ROWS] = {
            a.t2 * r.n - a.n * r.t2, a.n * r.t1 - a.t1 * r.n, a.t1 * r.t2 - a.t2 * r.t1, a.n, a.t1, a.t2};
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < ROWS; j++)
                x->K[i][j] += inverse[k] * part[i] * part[j];
    }
    for (int i = 0; i < POINT_ROWS; i++)
        x->K[i][i] += 1 / m;
}

static const carom_cvec along[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void add_balls(dice *d, drawn *x)
{
    for (int body = 0, bodies = 1 + dice_below(d, 2); body < bodies; body++) {
        const double m = dice_decades(d, -1, 1), R = dice_between(d, 0.3, 3), I = dice_between(d, 0.1, 0.6) * m * R * R;
        const double inverse[3] = {1 / I, 1 / I, 1 / I};
        add_body(x, m, inverse, along, carom_cvec_make(0, 0, body == 0 ? -R : R));
    }
}

/* On its face, edge or corner: an arm along the normal alone, or to a side, or to both. */
static void add_box(dice *d, drawn *x)
{
    const double m = dice_decades(d, -1, 1), a = dice_between(d, 0.3, 3), b = dice_between(d, 0.3, 3),
                 c = dice_between(d, 0.3, 3);
    const double inverse[3] = {3 / (m * (b * b + c * c)), 3 / (m * (a * a + c * c)), 3 / (m * (a * a + b * b))};
    const int sides = dice_below(d, 3);
    add_body(x, m, inverse, along, carom_cvec_make(sides > 0 ? a : 0, sides > 1 ? b : 0, -c));
}

static void add_bodies(dice *d, drawn *x)
{
    for (int body = 0; body < 2; body++) {
        carom_cvec axes[3], r = dice_cvec(d);
        double m = dice_decades(d, -1, 1), inverse[3];
        dice_axes(d, axes);
        for (int i = 0; i < 3; i++)
            inverse[i] = 1 / (m * dice_between(d, 0.1, 1));
        add_body(x, m, inverse, axes, r);
    }
}

/* Eigenvalues over some decades on random axes, as many as not zero. */
static void add_spread(dice *d, double decades, int rank, drawn *x)
{
    double axis[ROWS][ROWS];
    for (int k = 0; k < rank; k++) {
        double size = 0, value = dice_decades(d, -decades / 2, decades / 2);
        for (int i = 0; i < ROWS; i++)
            axis[k][i] = dice_gauss(d);
        for (int j = 0; j < 2 * k; j++) { /* twice: orthogonal to rounding */
            double along_j = 0;
            for (int i = 0; i < ROWS; i++)
                along_j += axis[k][i] * axis[j % k][i];
            for (int i = 0; i < ROWS; i++)
                axis[k][i] -= along_j * axis[j % k][i];
        }
        for (int i = 0; i < ROWS; i++)
            size += axis[k][i] * axis[k][i];
        for (int i = 0; i < ROWS; i++)
            axis[k][i] /= sqrt(size);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < ROWS; j++)
                x->K[i][j] += value * axis[k][i] * axis[k][j];
    }
}

/* A row of spin that nothing moves, or a K without full rank. */
static void add_singular(dice *d, drawn *x)
{
    const int draw = dice_below(d, 3), still = 3 + dice_below(d, 3);
    add_spread(d, 1.5, draw == 0 ? 3 : ROWS, x);
    for (int i = 0; i < ROWS && draw == 1; i++)
        x->K[still][i] = x->K[i][still] = 0;
    if (draw < 2)
        return;
    const double share = dice_between(d, -2, 2); /* spin follows from slip, whatever acts */
    for (int i = 0; i < ROWS; i++)
        x->K[still][i] = share * x->K[0][i];
    for (int i = 0; i < ROWS; i++)
        x->K[i][still] = share * x->K[i][0];
}

/* Couplings of the normal close to what its rows allow. */
static void add_strongly_coupled(dice *d, drawn *x)
{
    double part[ROWS], size = 0, share = dice_between(d, 0.5, 0.999);
    for (int i = 0; i < ROWS; i++) {
        x->K[i][i] = dice_decades(d, -0.7, 0.7);
        part[i] = i == 2 ? 0 : dice_gauss(d);
        size += part[i] * part[i];
    }
    for (int i = 0; i < ROWS; i++)
        if (i != 2)
            x->K[i][2] = x->K[2][i] = share * part[i] / sqrt(size) * sqrt(x->K[i][i] * x->K[2][2]);
}

static void draw_rows(dice *d, kind k, drawn *x)
{
    switch (k) {
    case KIND_PATCH_BALLS:
        add_balls(d, x);
        break;
    case KIND_PATCH_BOX:
        add_box(d, x);
        break;
    case KIND_PATCH_BODIES:
        add_bodies(d, x);
        break;
    case KIND_PATCH_SINGULAR:
        add_singular(d, x);
        break;
    case KIND_PATCH_JAM:
        add_strongly_coupled(d, x);
        break;
    default:
        add_spread(d, k == KIND_PATCH_ILL ? 10 : 1.5, ROWS, x);
    }
}

/* ---- u ---- */

static void draw_speeds(dice *d, kind k, double a, drawn *x)
{
    double *u = x->u;
    for (int i = 0; i < ROWS; i++)
        u[i] = dice_gauss(d);
    for (int i = POINT_ROWS; i < ROWS && dice_below(d, 2); i++)
        u[i] /= a; /* so that slip and spin matter alike */
    u[2] = k == KIND_PATCH_SEPARATING ? fabs(u[2]) : -fabs(u[2]);
    if (k == KIND_PATCH_SPIN)
        u[0] = u[1] = 0;
    if (k == KIND_PATCH_SLIDE)
        u[3] = 0;
    if (k == KIND_PATCH_GRAZING)
        u[2] *= dice_decades(d, -18, -4);
    if (k == KIND_PATCH_TOUCHING)
        u[2] = 0;
    if (k == KIND_PATCH_RIM) {
        const double beside = dice_below(d, 2) ? 0 : dice_between(d, -1, 1) * dice_decades(d, -15, -1);
        u[3] = hypot(u[0], u[1]) / a * (1 + beside) * (dice_below(d, 2) ? 1 : -1);
    }
}

/* ---- coefficients ---- */

/* The least mu with which the point contact sticks once its slip has stopped. */
static double critical_mu(const drawn *x)
{
    const double(*K)[ROWS] = x->K, det = K[0][0] * K[1][1] - K[0][1] * K[0][1];
    return hypot(K[1][1] * K[0][2] - K[0][1] * K[1][2], K[0][0] * K[1][2] - K[0][1] * K[0][2]) / det;
}

static double draw_radius(dice *d, kind k)
{
    if (k == KIND_PATCH_SMALL)
        return dice_decades(d, -12, -1);
    return k == KIND_PATCH_LARGE ? dice_decades(d, 0, 1) : dice_decades(d, -3, 0);
}

static void draw_friction(dice *d, kind k, const drawn *x, carom_coeffs *c)
{
    c->mu = dice_between(d, 0.05, 1.2);
    if (k == KIND_PATCH_MU)
        c->mu = dice_below(d, 4) ? dice_decades(d, -12, 6) : 0;
    if (k == KIND_PATCH_JAM)
        c->mu = dice_decades(d, -0.3, 1);
    if (k == KIND_PATCH_CRITICAL)
        c->mu = critical_mu(x) * (1 + dice_between(d, -1, 1) * dice_decades(d, -14, -1));
}

/* ---- the problem ---- */

static void store(const drawn *x, int size, carom_patch_problem *pb)
{
    memset(pb, 0, sizeof *pb);
    pb->size = size;
    for (int i = 0; i < size; i++) {
        pb->u[i] = x->u[i];
        for (int j = 0; j < size; j++)
            pb->K[i * size + j] = i < j ? x->K[i][j] : x->K[j][i]; /* symmetric to the last bit */
    }
}

/* Masses, velocities and lengths in other units. */
static void rescale(dice *d, drawn *x, carom_coeffs *c)
{
    const double k = dice_decades(d, -20, 20), v = dice_decades(d, -20, 20), length = dice_decades(d, -10, 10);
    for (int i = 0; i < ROWS; i++) {
        const double row = i < POINT_ROWS ? 1 : 1 / length;
        x->u[i] *= v * row;
        for (int j = 0; j < ROWS; j++)
            x->K[i][j] *= k * row * (j < POINT_ROWS ? 1 : 1 / length);
    }
    c->patch *= length;
    c->rho *= length;
}

void draw_patch(dice *d, kind k, const carom_law *law, carom_patch_problem *pb, carom_rule *rule)
{
    drawn x = {{{0}}, {0}};
    carom_coeffs *c = &rule->coeffs;
    const bool rolls = law->uses & CAROM_USES(rho) && dice_between(d, 0, 1) < ROLLING_SHARE;
    *rule = carom_rule_default(law);
    rule->options.pressure = dice_below(d, PRESSURES);
    c->e = corpus_border(d, 0, 1);
    c->patch = draw_radius(d, k);
    c->rho = rolls ? draw_radius(d, k) : 0;
    c->patch *= !(rolls && dice_below(d, 4) == 0); /* rolling resistance alone */
    draw_rows(d, k, &x);
    draw_speeds(d, k, c->patch > 0 ? c->patch : c->rho, &x);
    draw_friction(d, k, &x, c);
    if (k == KIND_PATCH_SCALES)
        rescale(d, &x, c);
    if (k == KIND_PATCH_NONE)
        c->patch = c->rho = 0;
    store(&x, c->rho > 0 || dice_below(d, 4) == 0 ? 6 : 4, pb);
}
