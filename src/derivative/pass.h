/* One pass over the branch of an impact with numbers that carry partial derivatives: what derivative.c asks of the laws
 * compiled in C++ (*_numbers.cpp). Read by both languages, before `double` becomes something else there. */
#ifndef CAROM_DERIVATIVE_PASS_H
#define CAROM_DERIVATIVE_PASS_H

#ifdef __cplusplus
#define PASS_FUNCTION extern "C"
#else
#define PASS_FUNCTION extern
#endif

/* Partial derivatives of a pass, at most: nine inputs and the five coefficients of chatterjee-mix, by fours. The other
 * laws have up to three coefficients, and passes with twelve; a pass along a direction has one. */
enum { PASS_PARTIALS = 16, PASS_COEFFS = 64, PASS_OPTIONS = 16 };

/* An input: its derivative is `weight` in one column, or nowhere (-1). */
typedef struct pass_input {
    double value, weight;
    int column;
} pass_input;

/* K and u in the order of carom_csym and carom_cvec; coefficients and options in the order of their manifests.
 * Coefficients that the law does not use stay undefined. */
typedef struct pass_in {
    const char *law;
    int planar; /* there is no t2 */
    unsigned long long uses;
    pass_input K[6], u[3], coeffs[PASS_COEFFS];
    int options[PASS_OPTIONS];
} pass_in;

/* p with its partials; the border nearest to the branch, in relative distance, and how near one with a kink is. */
typedef struct pass_out {
    double p[3], dp[3][PASS_PARTIALS];
    const char *border;
    double distance, kink;
} pass_out;

/* False when the law has no such pass, or no answer in it. */
typedef int pass_function(const pass_in *in, pass_out *out);

PASS_FUNCTION pass_function carom_closed_one, carom_closed_all, carom_closed_all_avx2;
PASS_FUNCTION pass_function carom_mix_one, carom_mix_all, carom_mix_all_avx2;
PASS_FUNCTION pass_function carom_coulomb_one, carom_coulomb_all, carom_coulomb_all_avx2;
PASS_FUNCTION pass_function carom_springs_one, carom_springs_all, carom_springs_all_avx2;

/* ---- several contacts ---- */

/* Blocks of K, u and the coefficients of every contact, PASS_COEFFS numbers each; their changes along up to
 * PASS_DIRECTIONS directions, or null. */
enum { PASS_DIRECTIONS = 12 };

typedef struct contacts_pass {
    int count, dim;
    const int *row, *column;
    const double *K, *u, *coeffs;
    int directions;
    const double *dK[PASS_DIRECTIONS], *du[PASS_DIRECTIONS], *dcoeffs[PASS_DIRECTIONS];
    unsigned long long uses;
    void *work;
} contacts_pass;

/* p and its change along every direction, one after the other. False when the law has no answer. */
typedef int contacts_pass_function(const contacts_pass *in, double *p, double *dp);
typedef unsigned long contacts_pass_size(int count, int dim, int blocks); /* bytes of work */

PASS_FUNCTION contacts_pass_function carom_lzb_all, carom_lzb_all_avx2;
PASS_FUNCTION contacts_pass_size carom_lzb_size_all;

#endif
