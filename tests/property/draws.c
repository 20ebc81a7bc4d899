#include "draws.h"

#include <float.h>

#define TURN  6.283185307179586
#define LEAST 4.9406564584124654e-324 /* the smallest denormal */

static const struct {
    const char *word;
    bool tame, patch;
} kinds[] = {
#define KIND(name, word, tame, meaning)       {word, tame, false},
#define PATCH_KIND(name, word, tame, meaning) {word, tame, true},
#include "kinds.def"
#undef PATCH_KIND
#undef KIND
};

const char *kind_word(kind k)
{
    return kinds[k].word;
}

bool kind_is_tame(kind k)
{
    return kinds[k].tame;
}

bool kind_has_patch(kind k)
{
    return kinds[k].patch;
}

static carom_problem turned_at_random(dice *d, const carom_problem *pb)
{
    double angle = dice_between(d, 0, TURN);
    carom_direction turn = {cos(angle), sin(angle)};
    return carom_problem_turned(pb, turn);
}

/* (1/m) 1 + the sum of (r x a)(r x a)^T / I over three axes a, for each of two bodies. */
static carom_csym two_bodies(dice *d)
{
    carom_csym K = {0, 0, 0, 0, 0, 0};
    for (int body = 0; body < 2; body++) {
        carom_cvec a[3], w[3], r = dice_cvec(d);
        double m = dice_decades(d, -1, 1), inverse[3];
        dice_axes(d, a);
        for (int i = 0; i < 3; i++) {
            w[i] = carom_cvec_make(r.t2 * a[i].n - r.n * a[i].t2, r.n * a[i].t1 - r.t1 * a[i].n,
                                   r.t1 * a[i].t2 - r.t2 * a[i].t1);
            inverse[i] = 1 / (m * dice_between(d, 0.1, 1));
        }
        carom_csym S = csym_from(inverse, w);
        K = (carom_csym){K.t11 + S.t11 + 1 / m, K.t12 + S.t12, K.t22 + S.t22 + 1 / m,
                         K.t1n + S.t1n,         K.t2n + S.t2n, K.nn + S.nn + 1 / m};
    }
    return K;
}

/* Rank as asked; u in the range of K or anywhere. */
static carom_problem singular(dice *d, int rank, bool inside)
{
    carom_problem pb = corpus_singular(d, rank);
    if (!inside)
        pb.u = dice_cvec(d);
    return pb;
}

static carom_problem zero_row(dice *d)
{
    carom_problem pb = {corpus_spread(d, 1.5), dice_cvec(d)};
    int draw = dice_below(d, 3); /* without t2, without t1, without both */
    if (draw != 1)
        pb.K.t12 = pb.K.t22 = pb.K.t2n = 0;
    if (draw != 0)
        pb.K.t12 = pb.K.t11 = pb.K.t1n = 0;
    return pb;
}

static double digit(dice *d, int most)
{
    return dice_below(d, 2 * most + 1) - most;
}

/* K = A A^T: its rank is the number of columns, exactly. */
static carom_problem integers(dice *d)
{
    int rank = 1 + dice_below(d, 3);
    bool inside = dice_below(d, 2);
    carom_problem pb = {{0, 0, 0, 0, 0, 0}, {0, 0, 0}};
    carom_cvec a[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    const double one[3] = {1, 1, 1};
    for (int i = 0; i < rank; i++) {
        a[i] = carom_cvec_make(digit(d, 3), digit(d, 3), i == 0 ? 1 + dice_below(d, 3) : digit(d, 3));
        pb.u = carom_cvec_add(pb.u, carom_cvec_scale(digit(d, 3), a[i]));
    }
    pb.K = csym_from(one, a);
    if (!inside)
        pb.u = carom_cvec_make(digit(d, 4), digit(d, 4), digit(d, 4));
    return pb;
}

/* K = the sum of (z x a)(z x a)^T: a K of integers that does not move along z. Laws whose impulse points along z have
 * no size for it, and whether a product is exactly zero or rounding must not matter. */
static carom_problem still(dice *d, double *mu)
{
    static const double triples[][3] = {{1, 0, 1}, {0, 1, 1}, {3, 4, 5}, {4, 3, 5}, {5, 12, 13}};
    const double *t = triples[dice_below(d, 5)], times = 1 + dice_below(d, 2);
    const double side = dice_below(d, 2) ? 1 : -1, one[3] = {1, 1, 1};
    const carom_cvec z = {side * times * t[0], times * t[1], 1 + dice_below(d, 3)};
    carom_cvec w[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int i = 0, rank = 1 + dice_below(d, 2); i < rank; i++) {
        const carom_cvec a = {digit(d, 2), digit(d, 2), digit(d, 2)};
        w[i] = carom_cvec_make(z.t2 * a.n - z.n * a.t2, z.n * a.t1 - z.t1 * a.n, z.t1 * a.t2 - z.t2 * a.t1);
    }
    const double s = dice_below(d, 4) / 2.0, n = (1 + dice_below(d, 4)) / 2.0;
    carom_problem pb = {csym_from(one, w), {-s * z.t1, -s * z.t2, -n * z.n}};
    pb.u = dice_below(d, 3) ? pb.u : carom_cvec_make(digit(d, 3), digit(d, 3), digit(d, 3));
    *mu = times * t[2] / z.n * (dice_below(d, 2) ? 1 : 0.5 + dice_below(d, 4));
    return pb;
}

static carom_problem nearly_planar(dice *d)
{
    carom_problem pb = {corpus_spread(d, 1.5), dice_cvec(d)};
    double little = dice_decades(d, -18, -6);
    pb.K.t12 *= little;
    pb.K.t2n *= little;
    pb.u.t2 *= dice_below(d, 2) ? little : 0;
    return dice_below(d, 2) ? turned_at_random(d, &pb) : pb;
}

static carom_csym nearly_isotropic(dice *d)
{
    double k = dice_decades(d, -1, 1), nn = k * dice_between(d, 0.1, 1), apart = dice_decades(d, -18, -1);
    double couple = dice_below(d, 3) ? dice_decades(d, -16, -0.3) * sqrt(k * nn) : 0;
    carom_csym K = {k * (1 + apart),
                    k * apart * dice_between(d, -1, 1),
                    k,
                    couple * dice_gauss(d) / 4,
                    couple * dice_gauss(d) / 4,
                    nn};
    return K;
}

/* Eighths: slip on the line that coupling and K_TT keep, and mu or the slip at the value where the branch changes. */
static carom_problem ties(dice *d, double *mu)
{
    double t = 1 + dice_below(d, 16) / 8.0, nn = 1 + dice_below(d, 16) / 8.0, k = digit(d, 7) / 8, side = 1;
    carom_csym K = {t, 0, dice_below(d, 2) ? t : t + 0.5, k, 0, nn};
    carom_problem pb = {K, {1, 0, -1}};
    switch (dice_below(d, 4)) {
    case 0: /* sticking is just possible */
        *mu = fabs(k) / t;
        break;
    case 1: /* u_n stands still while slipping */
        *mu = k != 0 ? nn / fabs(k) : 1;
        break;
    case 2: /* slip stops where compression ends */
        *mu = 0.5;
        side = k > 0 ? 1 : -1;
        pb.u.t1 = side * (*mu * t - side * k) / (nn - *mu * side * k);
        break;
    default: /* slip across the line */
        *mu = dice_below(d, 9) / 8.0;
        pb.u = carom_cvec_make(0, 1, -1);
    }
    return pb;
}

static double extreme_mu(dice *d)
{
    const double ends[] = {0, LEAST, DBL_MIN, DBL_MAX, 1e10, 1e17, 1e20, INFINITY};
    int draw = dice_below(d, 16);
    return draw < 8 ? ends[draw] : draw < 12 ? dice_decades(d, -300, 0) : dice_decades(d, 0, 300);
}

static carom_problem scaled_far(dice *d)
{
    carom_problem pb = {corpus_spread(d, dice_below(d, 2) ? 1.5 : 6), dice_cvec(d)};
    double k = dice_decades(d, -67, 68), v = dice_decades(d, -140, 140);
    pb.K = (carom_csym){pb.K.t11 * k, pb.K.t12 * k, pb.K.t22 * k, pb.K.t1n * k, pb.K.t2n * k, pb.K.nn * k};
    pb.u = carom_cvec_scale(v, pb.u);
    return pb;
}

static carom_problem denormals(dice *d)
{
    carom_problem pb = {corpus_spread(d, 1.5), dice_cvec(d)};
    int draw = dice_below(d, 4);
    pb.u.n = -LEAST * (1 + dice_below(d, 3));
    if (draw == 1)
        pb.u.t1 = pb.u.t2 = 0;
    if (draw == 2)
        pb.u = carom_cvec_make(digit(d, 4) * LEAST, digit(d, 4) * LEAST, pb.u.n);
    if (draw == 3)
        pb.u = carom_cvec_scale(dice_decades(d, -310, -290), dice_cvec(d));
    return pb;
}

/* Coupling close to what K_TT and K_nn allow. */
static carom_csym strongly_coupled(dice *d)
{
    carom_csym K = corpus_spread(d, 1.5);
    double share = dice_between(d, 0.5, 0.999), angle = dice_between(d, 0, TURN);
    K.t12 = 0;
    K.t1n = share * cos(angle) * sqrt(K.t11 * K.nn);
    K.t2n = share * sin(angle) * sqrt(K.t22 * K.nn);
    return K;
}

static carom_csym draw_K(dice *d, kind k)
{
    carom_csym K;
    switch (k) {
    case KIND_SPHERE:
        return corpus_sphere(d);
    case KIND_ROD:
        return corpus_rod(d);
    case KIND_BODIES:
        return two_bodies(d);
    case KIND_ILL_12:
        return corpus_spread(d, 12);
    case KIND_ILL_16:
        return corpus_spread(d, 16);
    case KIND_ISOTROPIC:
        return nearly_isotropic(d);
    case KIND_JAM:
        return strongly_coupled(d);
    default:
        K = corpus_spread(d, 1.5);
    }
    if (k == KIND_PLANAR || k == KIND_PLANAR_TURNED)
        K.t12 = K.t2n = K.t22 = 0;
    if (k == KIND_EMBEDDED || k == KIND_EMBEDDED_TURNED)
        K.t12 = K.t2n = 0;
    if (k == KIND_CENTRAL)
        K.t12 = K.t1n = K.t2n = 0;
    return K;
}

/* One in four is next to the share below which an approach is none, on either side. Where slip is along a tangent, what
 * friction does across it shows. */
static carom_cvec vanishing(dice *d, carom_cvec u)
{
    double beside = dice_between(d, -1, 1) * dice_decades(d, -15, -1);
    double share = dice_below(d, 4) ? dice_decades(d, -130, -12) : 1e-100 * (1 + beside);
    u.t1 *= dice_below(d, 4) != 0;
    u.n = -share * hypot(u.t1, u.t2);
    return u;
}

static carom_cvec draw_u(dice *d, kind k)
{
    carom_cvec u = dice_cvec(d);
    if (k == KIND_PLANAR || k == KIND_PLANAR_TURNED || k == KIND_EMBEDDED || k == KIND_EMBEDDED_TURNED)
        u.t2 = 0;
    if (k == KIND_NORMAL || k == KIND_CENTRAL)
        u.t1 = u.t2 = 0;
    if (k == KIND_OBLIQUE)
        u.n *= 0.05;
    if (k == KIND_GRAZING)
        u.n *= dice_decades(d, -18, -4);
    if (k == KIND_VANISHING)
        u = vanishing(d, u);
    if (k == KIND_TOUCHING)
        u.n = 0;
    return u;
}

/* Tangents that are far more, or far less, mobile than the normal. */
static carom_problem graded(dice *d)
{
    double both = ldexp(1, dice_below(d, 41) - 20), a = both * dice_decades(d, -1, 1),
           b = both * dice_decades(d, -1, 1);
    carom_csym K = corpus_spread(d, 1.5);
    carom_cvec u = dice_cvec(d);
    carom_problem pb = {{a * K.t11 * a, a * K.t12 * b, b * K.t22 * b, a * K.t1n, b * K.t2n, K.nn},
                        {a * u.t1, b * u.t2, u.n}};
    return pb;
}

static carom_problem draw_problem(dice *d, kind k, double *mu)
{
    switch (k) {
    case KIND_NEAR_PLANAR:
        return nearly_planar(d);
    case KIND_RANK_TWO:
    case KIND_RANK_TWO_OUT:
        return singular(d, 2, k == KIND_RANK_TWO);
    case KIND_RANK_ONE:
    case KIND_RANK_ONE_OUT:
        return singular(d, 1, k == KIND_RANK_ONE);
    case KIND_ZERO_ROW:
        return zero_row(d);
    case KIND_INTEGERS:
        return integers(d);
    case KIND_STILL:
        return still(d, mu);
    case KIND_GRADED:
        return graded(d);
    case KIND_TIES:
        return ties(d, mu);
    case KIND_SCALES:
        return scaled_far(d);
    case KIND_DENORMALS:
        return denormals(d);
    default: {
        carom_problem pb = {draw_K(d, k), draw_u(d, k)};
        return pb;
    }
    }
}

/* At the ends of the range, next to them, or inside. */
static double at_border(dice *d, double low, double high)
{
    const double close[] = {LEAST, 1e-300, 1e-100, 1e-17, 1e-12, 1e-8, 1e-4};
    double near = close[dice_below(d, 7)];
    switch (dice_below(d, 6)) {
    case 0:
        return low;
    case 1:
        return high;
    case 2:
        return low + near;
    case 3:
        return high - near;
    case 4:
        return near;
    default:
        return dice_between(d, low, high);
    }
}

static void draw_borders(dice *d, const carom_law *law, carom_coeffs *c)
{
    c->e = at_border(d, law->traits & CAROM_TRAIT_SIGNED_E ? -1 : 0, 1);
    c->e_t = at_border(d, -1, 1);
    c->nu = at_border(d, 0, 1);
    c->s_1 = at_border(d, 0, 1);
    c->s_2 = (1 - c->s_1) * at_border(d, 0, 1);
    c->eta = dice_decades(d, -2, 2);
    c->mu_s = dice_below(d, 2) ? CAROM_SAME_AS_MU : c->mu * dice_between(d, 1, 3);
    corpus_place(c);
}

static void draw_round(dice *d, carom_coeffs *c)
{
    c->e = dice_below(d, 5) / 4.0;
    c->e_t = digit(d, 4) / 4;
    c->mu = dice_below(d, 17) / 4.0;
    c->nu = dice_below(d, 5) / 4.0;
    c->s_1 = dice_below(d, 3) / 4.0;
    c->s_2 = dice_below(d, 3) / 4.0;
    c->ratio_1 = digit(d, 4) / 4;
    c->ratio_2 = digit(d, 4) / 4;
    c->eta = 1;
    corpus_place(c);
}

/* Stiffness and damping at which stick, slip and losses all matter for masses and velocities about one. */
static void draw_force(dice *d, carom_coeffs *c)
{
    c->k = dice_between(d, 50, 500);
    c->k_t = c->k_t1 = dice_between(d, 40, 400);
    c->k_t2 = dice_below(d, 2) ? c->k_t1 : dice_between(d, 40, 400);
    c->c = dice_below(d, 2) ? 0 : dice_between(d, 0.5, 8);
    c->c_t = dice_below(d, 2) ? 0 : dice_between(d, 0.5, 5);
    c->e = dice_between(d, 0.05, 1);
    c->mu = dice_below(d, 10) ? dice_between(d, 0.05, 1.5) : 0;
    c->exponent = dice_below(d, 5) < 2 ? 1 : dice_below(d, 2) ? 1.5 : dice_between(d, 1.2, 2.5);
    c->a = dice_below(d, 3) ? dice_between(d, 0, 1.2) : 0;
    c->E_star = dice_between(d, 500, 5000);
    c->R = dice_between(d, 0.2, 2);
    c->annuli = 8;
    c->c_1 = dice_between(d, 20, 200);
}

static void draw_coeffs(dice *d, kind k, const carom_law *law, carom_rule *rule)
{
    carom_coeffs *c = &rule->coeffs;
    if (law->traits & CAROM_TRAIT_CONTACT_FORCE) {
        draw_force(d, c);
        return;
    }
    if (k == KIND_BORDERS)
        draw_borders(d, law, c);
    if (k == KIND_INTEGERS || k == KIND_STILL || k == KIND_TIES || (k == KIND_VANISHING && dice_below(d, 2)))
        draw_round(d, c);
    if (k == KIND_MU_EXTREME || (k == KIND_VANISHING && dice_below(d, 3) == 0))
        c->mu = extreme_mu(d);
    if (k == KIND_JAM)
        c->mu = dice_decades(d, -0.3, 1.5);
    if (k == KIND_ISOTROPIC)
        c->mu = dice_decades(d, -12, 0.3);
}

void draw_impact(dice *d, kind k, const carom_law *law, carom_problem *pb, carom_rule *rule)
{
    double mu = -1;
    *rule = corpus_rule(d, law);
    draw_coeffs(d, k, law, rule);
    *pb = draw_problem(d, k, &mu);
    if (mu >= 0)
        rule->coeffs.mu = mu;
    if (pb->u.n > 0)
        pb->u = carom_cvec_scale(-1, pb->u);
    if (k == KIND_EMBEDDED_TURNED || k == KIND_PLANAR_TURNED)
        *pb = turned_at_random(d, pb);
}
