/* Several starts.
 *
 * Outcomes are piecewise smooth with flat regions, so one start is not enough. Points are scattered over the box, the
 * best that lie apart are the starts of descents, a coefficient whose objective has many minima (eta) is scanned with
 * the others at their best, and the best two minima are polished by a simplex, which walks over kinks. The points are
 * the same on every run. */
#include <math.h>
#include <string.h>

#include "carom/elementary.h"
#include "core/num.h"
#include "fit/fit_core.h"

enum { STARTS = 8, SCANNED = 400, MINIMA = 24, LOCAL_GRID = 15, REFINED = 3 };
enum { ENOUGH = 48 }; /* impacts to seek starts on; the minimum is sought on all */

#define APART        0.08  /* starts differ by more than this part of the range in one parameter */
#define ROUNDING     1e-12 /* of the objective: no difference */
#define SAME_MINIMUM 1e-4  /* of the objective */
#define LEAST_LOG    1e-3  /* where the logarithmic scale of a range that begins at zero begins */

/* ---- the box ---- */

static bool is_logarithmic(int coeff)
{
    return coeff == CAROM_COEFF_mu || coeff == CAROM_COEFF_mu_s || coeff == CAROM_COEFF_eta ||
           coeff == CAROM_COEFF_kappa;
}

/* The point at this part of the range, and back. */
static double range_value(const carom_fit_free *f, double part)
{
    if (!is_logarithmic(f->coeff))
        return f->min + part * (f->max - f->min);
    double low = max(f->min, min(LEAST_LOG, f->max / 2));
    return low * carom_pow(f->max / low, part);
}

static double range_part(const carom_fit_free *f, double value)
{
    if (f->max == f->min)
        return 0;
    if (!is_logarithmic(f->coeff))
        return (value - f->min) / (f->max - f->min);
    double low = max(f->min, min(LEAST_LOG, f->max / 2));
    return carom_log(max(value, low) / low) / carom_log(f->max / low);
}

static double draw(uint64_t *state) /* splitmix64, 53 bits */
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* ---- local parameters ---- */

static double unit_objective(fit_work *w, int unit, const double *x)
{
    double r[CAROM_FIT_MEASURED], total = 0;
    carom_outcome outcome;
    for (int i = 0; i < w->task->impact_count; i++) {
        if (fit_unit(w, i) != unit || fit_is_left_out(w, i))
            continue;
        if (!fit_residuals(w, i, x, r, &outcome))
            return INFINITY;
        for (int k = 0; k < w->task->impacts[i].count; k++)
            total += w->task->impacts[i].weight * fit_loss(w->task, r[k]);
    }
    return total;
}

/* The local parameters of every unit at the best of a grid, one after the other. */
static void guess_local(fit_work *w, double *x)
{
    for (int at = w->shared; at < w->total; at++) {
        double best = INFINITY, value = x[at];
        int unit = (at - w->shared) / w->local;
        for (int k = 0; k < LOCAL_GRID; k++) {
            x[at] = range_value(fit_free(w, at), (k + 0.5) / LOCAL_GRID);
            double here = unit_objective(w, unit, x);
            value = here < best ? x[at] : value;
            best = min(best, here);
        }
        x[at] = value;
    }
}

/* ---- scattered starts ---- */

typedef struct start {
    double objective;
    double x[CAROM_FIT_SHARED];
} start;

static bool is_apart(const fit_work *w, const start *a, const double *x)
{
    for (int j = 0; j < w->shared; j++)
        if (fabs(range_part(fit_free(w, j), a->x[j]) - range_part(fit_free(w, j), x[j])) > APART)
            return true;
    return false;
}

/* Put a point into a list of at most room, best first; the worst falls out. */
static void insert(start *list, int *count, int room, const start *point)
{
    int at = *count < room ? (*count)++ : room;
    if (at == room && list[room - 1].objective <= point->objective)
        return;
    for (at -= at == room; at > 0 && list[at - 1].objective > point->objective; at--)
        list[at] = list[at - 1];
    list[at] = *point;
}

static start start_of(const fit_work *w, double objective, const double *x)
{
    start s = {.objective = objective};
    memcpy(s.x, x, (size_t)w->shared * sizeof *x);
    return s;
}

/* Keep a point among the best that lie apart. */
static void keep(const fit_work *w, start *list, int *count, double objective, const double *x)
{
    for (int i = 0; i < *count; i++) {
        if (is_apart(w, &list[i], x))
            continue;
        if (list[i].objective <= objective)
            return;
        memmove(list + i, list + i + 1, (size_t)(--*count - i) * sizeof *list);
        i--;
    }
    start s = start_of(w, objective, x);
    insert(list, count, STARTS, &s);
}

static int scattered(int k)
{
    static const int counts[CAROM_FIT_SHARED + 1] = {1, 120, 250, 700, 1300, 2000, 2500, 3000, 3500};
    return counts[k];
}

static int scatter(fit_work *w, start *list)
{
    uint64_t state = w->task->seed;
    int count = 0, points = scattered(w->shared);
    for (int i = 0; i < points && fit_tell(w, 0); i++) {
        for (int j = 0; j < w->shared; j++)
            w->trial[j] = range_value(fit_free(w, j), draw(&state));
        if (w->local > 0)
            guess_local(w, w->trial);
        fit_project(w, w->trial);
        double objective = fit_objective(w, w->trial);
        if (isfinite(objective))
            keep(w, list, &count, objective, w->trial);
    }
    return count;
}

/* ---- descents ---- */

typedef struct minima {
    int count;
    start list[STARTS + MINIMA];
} minima;

/* Descend from a start; the best minimum so far is kept whole in w->x. */
static double descend_from(fit_work *w, const double *shared, double *best)
{
    memcpy(w->trial, shared, (size_t)w->shared * sizeof *shared);
    if (w->local > 0)
        guess_local(w, w->trial);
    double objective = fit_descend(w, w->trial);
    if (objective < *best) {
        *best = objective;
        memcpy(w->x, w->trial, (size_t)w->total * sizeof *w->x);
    }
    return objective;
}

/* The shared parameter whose objective has many minima, or -1. */
static int many_minima(const fit_work *w)
{
    for (int j = 0; j < w->shared; j++)
        if (!w->held[j] && fit_free(w, j)->coeff == CAROM_COEFF_eta)
            return j;
    return -1;
}

/* Minima of the objective along parameter j with the others at their best, as starts. */
static int scan(fit_work *w, int j, start *list)
{
    double before = INFINITY, here = INFINITY, value = 0;
    int count = 0;
    memcpy(w->trial, w->x, (size_t)w->total * sizeof *w->x);
    for (int k = 0; k <= SCANNED; k++) {
        double next = INFINITY, at = k < SCANNED ? range_value(fit_free(w, j), (k + 0.5) / SCANNED) : 0;
        w->trial[j] = at;
        if (k < SCANNED)
            next = fit_objective(w, w->trial);
        if (k > 0 && here <= before && here <= next) {
            start s = start_of(w, here, w->x);
            s.x[j] = value;
            insert(list, &count, MINIMA, &s);
        }
        before = here;
        here = next;
        value = at;
    }
    return count;
}

/* Descent, simplex and descent again; a simplex cannot move local parameters. */
static double refine(fit_work *w, double *x)
{
    double objective = fit_descend(w, x);
    if (w->local > 0)
        return objective;
    fit_polish(w, x);
    return fit_descend(w, x);
}

/* Refine the best minima that lie apart; the best first, from where it is. */
static void refine_best(fit_work *w, const minima *m, double *best)
{
    for (int i = 0, done = 0; i < m->count && done < REFINED; i++) {
        bool apart = done == 0 || is_apart(w, &m->list[0], m->list[i].x) ||
                     m->list[i].objective > m->list[0].objective * (1 + SAME_MINIMUM);
        if (!apart)
            continue;
        if (done++ == 0)
            memcpy(w->trial, w->x, (size_t)w->total * sizeof *w->x);
        else
            memcpy(w->trial, m->list[i].x, (size_t)w->shared * sizeof *w->trial);
        double objective = refine(w, w->trial);
        double factor = done == 1 ? 1 + ROUNDING : 1 - ROUNDING; /* a refined point is better than a rough one */
        if (objective <= *best * factor) {
            *best = objective;
            memcpy(w->x, w->trial, (size_t)w->total * sizeof *w->x);
        }
    }
}

/* One start that is given. */
static double search_from(fit_work *w, const double *x)
{
    double best = INFINITY;
    memcpy(w->trial, x, (size_t)w->shared * sizeof *x);
    if (w->local > 0)
        guess_local(w, w->trial);
    fit_project(w, w->trial);
    best = refine(w, w->trial);
    memcpy(w->x, w->trial, (size_t)w->total * sizeof *w->x);
    return best;
}

double fit_search(fit_work *w)
{
    start list[STARTS > MINIMA ? STARTS : MINIMA];
    minima found = {0};
    double best = INFINITY;
    if (w->task->start)
        return search_from(w, w->task->start);
    w->stride = w->local > 0 ? 1 : w->task->impact_count / ENOUGH;
    int count = scatter(w, list);
    w->rough = true;
    for (int i = 0; i < count && fit_tell(w, 1); i++) {
        double objective = descend_from(w, list[i].x, &best);
        start s = start_of(w, objective, w->trial);
        insert(found.list, &found.count, STARTS + MINIMA, &s);
    }
    int j = many_minima(w);
    count = j >= 0 && isfinite(best) ? scan(w, j, list) : 0;
    for (int i = 0; i < count && fit_tell(w, 1); i++) {
        double objective = descend_from(w, list[i].x, &best);
        start s = start_of(w, objective, w->trial);
        insert(found.list, &found.count, STARTS + MINIMA, &s);
    }
    w->rough = false;
    if (w->stride > 1 && isfinite(best))
        best = (w->stride = 1, fit_objective(w, w->x));
    if (isfinite(best) && !w->stopped)
        refine_best(w, &found, &best);
    return best;
}
