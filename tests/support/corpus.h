/* A seeded corpus of contacts: the same on every machine, hard where laws break.
 *
 * Every kind is a way to be difficult: ill-conditioned and singular K, grazing and purely normal approach, spheres,
 * rods, planar problems given in 2D and hidden in 3D. */
#ifndef CAROM_TESTS_CORPUS_H
#define CAROM_TESTS_CORPUS_H

#include <math.h>
#include <stdint.h>

#include "carom/carom.h"

typedef struct dice {
    uint64_t state;
} dice;

/* splitmix64: small, good enough, the same everywhere. */
static inline uint64_t dice_bits(dice *d)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in [low, high). */
static inline double dice_between(dice *d, double low, double high)
{
    return low + (high - low) * (double)(dice_bits(d) >> 11) * 0x1p-53;
}

static inline int dice_below(dice *d, int n)
{
    return (int)(dice_bits(d) % (uint64_t)n);
}

/* 10^uniform(low, high). */
static inline double dice_decades(dice *d, double low, double high)
{
    return pow(10, dice_between(d, low, high));
}

static inline double dice_gauss(dice *d)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += dice_between(d, 0, 1);
    return sum;
}

static inline carom_cvec dice_cvec(dice *d)
{
    double a = dice_gauss(d), b = dice_gauss(d);
    return carom_cvec_make(a, b, dice_gauss(d));
}

/* sum of value[i] v_i v_i^T */
static inline carom_csym csym_from(const double value[3], const carom_cvec v[3])
{
    carom_csym K = {0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 3; i++) {
        K.t11 += value[i] * v[i].t1 * v[i].t1;
        K.t12 += value[i] * v[i].t1 * v[i].t2;
        K.t22 += value[i] * v[i].t2 * v[i].t2;
        K.t1n += value[i] * v[i].t1 * v[i].n;
        K.t2n += value[i] * v[i].t2 * v[i].n;
        K.nn += value[i] * v[i].n * v[i].n;
    }
    return K;
}

/* A random orthonormal triple (Gram-Schmidt). */
static inline void dice_axes(dice *d, carom_cvec v[3])
{
    for (int i = 0; i < 3; i++) {
        v[i] = dice_cvec(d);
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < i; j++)
                v[i] = carom_cvec_sub(v[i], carom_cvec_scale(carom_cvec_dot(v[i], v[j]), v[j]));
        v[i] = carom_cvec_scale(1 / sqrt(carom_cvec_dot(v[i], v[i])), v[i]);
    }
}

/* clang-format finds no fixed point on a list of macro calls. */
/* clang-format off */
#define CORPUS_KINDS(KIND) \
    KIND(GENERIC) KIND(SPHERE) KIND(ROD) KIND(PLANAR) KIND(HIDDEN_PLANE) \
    KIND(NORMAL) KIND(CENTRAL) KIND(OBLIQUE) KIND(GRAZING) KIND(TOUCHING) \
    KIND(ILL) KIND(RANK_TWO) KIND(RANK_ONE)
/* clang-format on */

typedef enum corpus_kind {
#define KIND(name) CORPUS_##name,
    CORPUS_KINDS(KIND)
#undef KIND
        CORPUS_KIND_COUNT
} corpus_kind;

static inline const char *corpus_word(corpus_kind kind)
{
    static const char *const words[] = {
#define KIND(name) #name,
        CORPUS_KINDS(KIND)
#undef KIND
    };
    return words[kind];
}

/* K is well-conditioned and the approach is not close to a border: symmetries hold to many digits there. */
static inline bool corpus_is_tame(corpus_kind kind)
{
    return kind <= CORPUS_OBLIQUE;
}

static inline carom_csym corpus_sphere(dice *d)
{
    double m = dice_decades(d, -2, 2), j = dice_between(d, 2, 4);
    carom_csym K = {j / m, 0, j / m, 0, 0, 1 / m};
    return K;
}

/* A thin rod hit at its end: 1/m + 3/m (1 - d d^T) along a random direction d. */
static inline carom_csym corpus_rod(dice *d)
{
    carom_cvec v[3];
    dice_axes(d, v);
    double m = dice_decades(d, -1, 1), value[3] = {1 / m, 4 / m, 4 / m};
    return csym_from(value, v);
}

/* Eigenvalues over some decades on random axes. */
static inline carom_csym corpus_spread(dice *d, double decades)
{
    carom_cvec v[3];
    dice_axes(d, v);
    double value[3];
    for (int i = 0; i < 3; i++)
        value[i] = dice_decades(d, -decades / 2, decades / 2);
    return csym_from(value, v);
}

/* A mechanism with fewer freedoms than directions: it moves, and is moved, only along rank axes. */
static inline carom_problem corpus_singular(dice *d, int rank)
{
    carom_cvec v[3], u = {0, 0, 0};
    dice_axes(d, v);
    double value[3] = {0, 0, 0};
    for (int i = 0; i < rank; i++) {
        value[i] = dice_decades(d, -0.5, 0.5);
        u = carom_cvec_add(u, carom_cvec_scale(dice_gauss(d), v[i]));
    }
    carom_problem pb = {csym_from(value, v), u};
    return pb;
}

static inline carom_csym corpus_K(dice *d, corpus_kind kind)
{
    carom_csym K = corpus_spread(d, 1.5);
    if (kind == CORPUS_SPHERE)
        K = corpus_sphere(d);
    if (kind == CORPUS_ROD)
        K = corpus_rod(d);
    if (kind == CORPUS_CENTRAL)
        K.t12 = K.t1n = K.t2n = 0;
    if (kind == CORPUS_PLANAR)
        K.t12 = K.t2n = K.t22 = 0;
    if (kind == CORPUS_HIDDEN_PLANE)
        K.t12 = K.t2n = 0;
    if (kind == CORPUS_ILL)
        K = corpus_spread(d, 12);
    return K;
}

static inline carom_problem corpus_problem(dice *d, corpus_kind kind)
{
    carom_problem pb = {corpus_K(d, kind), dice_cvec(d)};
    if (kind == CORPUS_NORMAL)
        pb.u.t1 = pb.u.t2 = 0;
    if (kind == CORPUS_CENTRAL)
        pb.u.t1 = pb.u.t2 = 0;
    if (kind == CORPUS_OBLIQUE)
        pb.u.n *= 0.05;
    if (kind == CORPUS_PLANAR || kind == CORPUS_HIDDEN_PLANE)
        pb.u.t2 = 0;
    if (kind == CORPUS_RANK_TWO || kind == CORPUS_RANK_ONE)
        pb = corpus_singular(d, kind == CORPUS_RANK_TWO ? 2 : 1);
    if (kind == CORPUS_GRAZING)
        pb.u.n *= dice_decades(d, -9, -4);
    if (kind == CORPUS_TOUCHING)
        pb.u.n = 0;
    if (pb.u.n > 0)
        pb.u = carom_cvec_scale(-1, pb.u);
    if (kind == CORPUS_HIDDEN_PLANE) {
        double angle = dice_between(d, 0, 6.283185307179586);
        carom_direction turn = {cos(angle), sin(angle)};
        pb = carom_problem_turned(&pb, turn);
    }
    return pb;
}

/* Coefficients with their borders drawn often. */
static inline double corpus_border(dice *d, double low, double high)
{
    int draw = dice_below(d, 6);
    return draw == 0 ? low : draw == 1 ? high : dice_between(d, low, high);
}

/* The coefficients of region, from those of other laws: no dice, so that the draws of these laws stay. */
static inline void corpus_place(carom_coeffs *c)
{
    c->share = fabs(c->e_t);
    c->turn = 6.28 * (c->nu - 0.5);
}

static inline carom_rule corpus_rule(dice *d, const carom_law *law)
{
    carom_rule rule = carom_rule_default(law);
    carom_coeffs *c = &rule.coeffs;
    c->e = corpus_border(d, law->traits & CAROM_TRAIT_SIGNED_E ? -1 : 0, 1);
    c->e_t = corpus_border(d, -1, 1);
    int draw = dice_below(d, 8);
    c->mu = draw == 0 ? 0 : draw == 1 ? dice_decades(d, 1, 6) : dice_between(d, 0, draw < 5 ? 1 : 10);
    c->nu = corpus_border(d, 0, 1);
    c->s_1 = corpus_border(d, 0, 1);
    c->s_2 = (1 - c->s_1) * corpus_border(d, 0, 1);
    c->ratio_1 = dice_between(d, -0.5, 0.5);
    c->ratio_2 = dice_between(d, -0.5, 0.5);
    c->eta = dice_decades(d, -1, 0.5);
    corpus_place(c);
    return rule;
}

#endif
