/* The simplex of core over the shared parameters that may move. */
#include <math.h>
#include <string.h>

#include "core/num.h"
#include "core/simplex.h"
#include "fit/fit_core.h"

enum { ROUNDS = 3, STEPS = 250 }; /* restarts, and steps per parameter in each */

#define FIRST_SIZE 1.0   /* of the simplex, in standard deviations */
#define MOST_SIZE  0.05  /* the same, of the range */
#define LEAST_SIZE 1e-13 /* of the range: the simplex has shrunk to a point; */
#define COARSE     1e-6  /* and where few digits are enough, since a descent follows */

_Static_assert((int)CAROM_FIT_SHARED <= (int)SIMPLEX_MOST, "the simplex moves every shared parameter");

/* The parameters that move, and the whole point: the others stay. */
typedef struct moved {
    fit_work *w;
    int at[CAROM_FIT_SHARED];
    int n;
    double *base;
} moved;

static double value_at(void *context, double *point)
{
    const moved *m = context;
    for (int j = 0; j < m->n; j++)
        m->base[m->at[j]] = point[j];
    fit_project(m->w, m->base);
    for (int j = 0; j < m->n; j++)
        point[j] = m->base[m->at[j]];
    return fit_objective(m->w, m->base);
}

static bool is_point(const simplex *s, const moved *m)
{
    const double least = m->w->coarse ? COARSE : LEAST_SIZE;
    for (int i = 1; i <= s->n; i++)
        for (int j = 0; j < s->n; j++) {
            const carom_fit_free *f = fit_free(m->w, m->at[j]);
            if (fabs(s->point[i][j] - s->point[0][j]) > least * (f->max - f->min))
                return false;
        }
    return true;
}

static void start_at(simplex *s, const moved *m, const double *x, double factor)
{
    for (int i = 0; i <= s->n; i++)
        for (int j = 0; j < s->n; j++) {
            const carom_fit_free *f = fit_free(m->w, m->at[j]);
            double norm = m->w->stds[m->at[j]], size = MOST_SIZE * (f->max - f->min);
            size = factor * (norm > 0 ? min(size, FIRST_SIZE / norm) : size);
            double here = x[m->at[j]], away = here + size <= f->max ? here + size : here - size;
            s->point[i][j] = i == j + 1 ? away : here;
        }
    simplex_start(s);
}

double fit_polish(fit_work *w, double *x)
{
    moved m = {.w = w, .base = w->try};
    double factor = 1;
    for (int j = 0; j < w->shared; j++)
        if (!w->held[j])
            m.at[m.n++] = j;
    if (m.n == 0 || w->local > 0 || !fit_build(w, x))
        return fit_objective(w, x);
    simplex s = {.n = m.n, .at = value_at, .context = &m};
    fit_norms(w, w->stds);
    for (int round = 0; round < (w->coarse ? 1 : ROUNDS); round++, factor *= 0.05) {
        memcpy(m.base, x, (size_t)w->total * sizeof *x);
        start_at(&s, &m, x, factor);
        for (int i = 0; i < STEPS * s.n && !is_point(&s, &m); i++)
            simplex_step(&s);
        value_at(&m, s.point[0]);
        memcpy(x, m.base, (size_t)w->total * sizeof *x);
    }
    return s.value[0];
}
