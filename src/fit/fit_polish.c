/* Nelder and Mead's simplex over the shared parameters that may move: it needs no derivatives and walks over kinks. */
#include <math.h>
#include <string.h>

#include "core/num.h"
#include "fit/fit_core.h"

enum { ROUNDS = 3, STEPS = 250 }; /* restarts, and steps per parameter in each */

#define FIRST_SIZE 1.0   /* of the simplex, in standard deviations */
#define MOST_SIZE  0.05  /* the same, of the range */
#define LEAST_SIZE 1e-13 /* of the range: the simplex has shrunk to a point */

typedef struct simplex {
    fit_work *w;
    int n;
    int at[CAROM_FIT_SHARED]; /* the parameters that move */
    double *base;             /* the whole point: the others stay */
    double point[CAROM_FIT_SHARED + 1][CAROM_FIT_SHARED], value[CAROM_FIT_SHARED + 1];
} simplex;

static double value_at(simplex *s, double *point)
{
    for (int j = 0; j < s->n; j++)
        s->base[s->at[j]] = point[j];
    fit_project(s->w, s->base);
    for (int j = 0; j < s->n; j++)
        point[j] = s->base[s->at[j]];
    return fit_objective(s->w, s->base);
}

/* Best first, worst last. */
static void sort(simplex *s)
{
    for (int i = 1; i <= s->n; i++)
        for (int k = i; k > 0 && s->value[k] < s->value[k - 1]; k--) {
            double value = s->value[k], point[CAROM_FIT_SHARED];
            memcpy(point, s->point[k], sizeof point);
            s->value[k] = s->value[k - 1];
            memcpy(s->point[k], s->point[k - 1], sizeof point);
            s->value[k - 1] = value;
            memcpy(s->point[k - 1], point, sizeof point);
        }
}

/* centre + factor (worst - centre), where centre is the centre of all others. */
static double reach(simplex *s, double factor, double *point)
{
    for (int j = 0; j < s->n; j++) {
        double centre = 0;
        for (int i = 0; i < s->n; i++)
            centre += s->point[i][j] / s->n;
        point[j] = centre + factor * (s->point[s->n][j] - centre);
    }
    return value_at(s, point);
}

static void replace_worst(simplex *s, const double *point, double value)
{
    memcpy(s->point[s->n], point, sizeof s->point[0]);
    s->value[s->n] = value;
}

static void shrink(simplex *s)
{
    for (int i = 1; i <= s->n; i++) {
        for (int j = 0; j < s->n; j++)
            s->point[i][j] = (s->point[0][j] + s->point[i][j]) / 2;
        s->value[i] = value_at(s, s->point[i]);
    }
}

static void step(simplex *s)
{
    double there[CAROM_FIT_SHARED], further[CAROM_FIT_SHARED];
    double value = reach(s, -1, there);
    if (value < s->value[0]) {
        double more = reach(s, -2, further);
        replace_worst(s, more < value ? further : there, min(more, value));
    } else if (value < s->value[s->n - 1])
        replace_worst(s, there, value);
    else {
        bool outside = value < s->value[s->n];
        double less = reach(s, outside ? -0.5 : 0.5, further);
        if (less < min(value, s->value[s->n]))
            replace_worst(s, further, less);
        else
            shrink(s);
    }
    sort(s);
}

static bool is_point(const simplex *s)
{
    for (int i = 1; i <= s->n; i++)
        for (int j = 0; j < s->n; j++) {
            const carom_fit_free *f = fit_free(s->w, s->at[j]);
            if (fabs(s->point[i][j] - s->point[0][j]) > LEAST_SIZE * (f->max - f->min))
                return false;
        }
    return true;
}

static void start_at(simplex *s, const double *x, double factor)
{
    for (int i = 0; i <= s->n; i++) {
        for (int j = 0; j < s->n; j++) {
            const carom_fit_free *f = fit_free(s->w, s->at[j]);
            double norm = s->w->stds[s->at[j]], size = MOST_SIZE * (f->max - f->min);
            size = factor * (norm > 0 ? min(size, FIRST_SIZE / norm) : size);
            double here = x[s->at[j]], away = here + size <= f->max ? here + size : here - size;
            s->point[i][j] = i == j + 1 ? away : here;
        }
        s->value[i] = value_at(s, s->point[i]);
    }
    sort(s);
}

double fit_polish(fit_work *w, double *x)
{
    simplex s = {.w = w, .base = w->try};
    double factor = 1;
    for (int j = 0; j < w->shared; j++)
        if (!w->held[j])
            s.at[s.n++] = j;
    if (s.n == 0 || w->local > 0 || !fit_build(w, x))
        return fit_objective(w, x);
    fit_norms(w, w->stds);
    for (int round = 0; round < ROUNDS; round++, factor *= 0.05) {
        memcpy(s.base, x, (size_t)w->total * sizeof *x);
        start_at(&s, x, factor);
        for (int i = 0; i < STEPS * s.n && !is_point(&s); i++)
            step(&s);
        value_at(&s, s.point[0]);
        memcpy(x, s.base, (size_t)w->total * sizeof *x);
    }
    return s.value[0];
}
