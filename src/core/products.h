/* Products of Taylor series, eight of them side by side: coefficients of one order are neighbours in memory, and
 * every product is summed in the same order on every machine. */
#ifndef CAROM_CORE_PRODUCTS_H
#define CAROM_CORE_PRODUCTS_H

#include "core/num.h"

enum { PRODUCTS = 8, FACTOR_ORDERS = 26 };

typedef double factor_row[PRODUCTS]; /* a coefficient of each left factor, or of each right one */

typedef struct factors {
    factor_row left[FACTOR_ORDERS], right[FACTOR_ORDERS + 1];
} factors;

static inline void factor_row_clear(factor_row row)
{
    for (int l = 0; l < PRODUCTS; l++)
        row[l] = 0;
}

/* The terms 1 to k - 1 of order k: those with coefficients of order k are added when they are known, and as numbers of
 * their own, because a vector that was just written number by number is slow to read; for the same reason the latest
 * row of right comes last. right[k] is zero as yet, since terms are added in pairs. */
static inline void products_inside(const factors *f, int k, double *restrict sum)
{
    factor_row_clear(sum);
    if (k < 2)
        return;
#pragma omp simd
    for (int l = 0; l < PRODUCTS; l++) {
        double all = 0;
        for (int j = 1; j < k; j += 2)
            all += f->left[k - j][l] * f->right[j][l] + f->left[k - j - 1][l] * f->right[j + 1][l];
        sum[l] = all;
    }
}

#endif
