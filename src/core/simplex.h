/* Nelder and Mead's simplex: the least value of a function that is only known at points. It needs no derivatives and
 * walks over kinks.
 *
 *     fill point[0 ... n], simplex_start(&s), then simplex_step(&s) until the caller has enough; point[0] is the best.
 */
#ifndef CAROM_CORE_SIMPLEX_H
#define CAROM_CORE_SIMPLEX_H

#include <string.h>

#include "core/num.h"

enum { SIMPLEX_MOST = 8 }; /* variables */

typedef struct simplex {
    int n;
    double point[SIMPLEX_MOST + 1][SIMPLEX_MOST], value[SIMPLEX_MOST + 1];
    double (*at)(void *context, double *point); /* may move the point to where it is allowed */
    void *context;
} simplex;

/* Best first, worst last. */
static inline void simplex_sort(simplex *s)
{
    for (int i = 1; i <= s->n; i++)
        for (int k = i; k > 0 && s->value[k] < s->value[k - 1]; k--) {
            double value = s->value[k], point[SIMPLEX_MOST];
            memcpy(point, s->point[k], sizeof point);
            s->value[k] = s->value[k - 1];
            memcpy(s->point[k], s->point[k - 1], sizeof point);
            s->value[k - 1] = value;
            memcpy(s->point[k - 1], point, sizeof point);
        }
}

static inline void simplex_start(simplex *s)
{
    for (int i = 0; i <= s->n; i++)
        s->value[i] = s->at(s->context, s->point[i]);
    simplex_sort(s);
}

/* centre + factor (worst - centre), where centre is the centre of all others. */
static inline double simplex_reach(simplex *s, double factor, double *point)
{
    for (int j = 0; j < s->n; j++) {
        double centre = 0;
        for (int i = 0; i < s->n; i++)
            centre += s->point[i][j] / s->n;
        point[j] = centre + factor * (s->point[s->n][j] - centre);
    }
    return s->at(s->context, point);
}

static inline void simplex_replace(simplex *s, const double *point, double value)
{
    memcpy(s->point[s->n], point, sizeof s->point[0]);
    s->value[s->n] = value;
}

static inline void simplex_shrink(simplex *s)
{
    for (int i = 1; i <= s->n; i++) {
        for (int j = 0; j < s->n; j++)
            s->point[i][j] = (s->point[0][j] + s->point[i][j]) / 2;
        s->value[i] = s->at(s->context, s->point[i]);
    }
}

static inline void simplex_step(simplex *s)
{
    double there[SIMPLEX_MOST], further[SIMPLEX_MOST];
    double value = simplex_reach(s, -1, there);
    if (value < s->value[0]) {
        double more = simplex_reach(s, -2, further);
        simplex_replace(s, more < value ? further : there, min(more, value));
    } else if (value < s->value[s->n - 1])
        simplex_replace(s, there, value);
    else {
        bool outside = value < s->value[s->n];
        double less = simplex_reach(s, outside ? -0.5 : 0.5, further);
        if (less < min(value, s->value[s->n]))
            simplex_replace(s, further, less);
        else
            simplex_shrink(s);
    }
    simplex_sort(s);
}

#endif
