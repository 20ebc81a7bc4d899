/* Profile intervals: the two values of a parameter where the objective, minimised over the others, has risen by the
 * 95 % quantile of chi-square with one degree of freedom. */
#include <math.h>
#include <string.h>

#include "carom/elementary.h"
#include "core/num.h"
#include "fit/fit_core.h"

enum { MARCH = 60, BISECT = 120 };

#define QUANTILE 3.841458820694124 /* chi-square, one degree of freedom, 95 % */
#define NORMAL   1.959963984540054 /* its square root */
#define CLOSE    1e-13             /* of the range: the root is found */
#define SAME     1e-13             /* of the objective: it has not changed */
#define BETTER   1e-10             /* of the objective: the simplex found more than the descent */

double fit_profile(fit_work *w, int at, double value, double *x, bool kinks)
{
    bool before = w->held[at];
    w->held[at] = true;
    x[at] = value;
    double objective = fit_descend(w, x);
    if (kinks && w->local == 0) {
        fit_polish(w, x);
        objective = fit_descend(w, x);
    }
    w->held[at] = before;
    return objective;
}

/* A side of one interval at work. */
typedef struct side {
    fit_work *w;
    int at;
    double best;  /* the minimum */
    bool kinks;   /* polish every point */
    double *near; /* minimiser of the others at the last point inside */
} side;

/* How far the profile at a value is beyond the limit: about linear in the value. */
static double excess(side *s, double value)
{
    fit_work *w = s->w;
    memcpy(w->warm, s->near, (size_t)w->total * sizeof *w->warm);
    double objective = fit_profile(w, s->at, value, w->warm, s->kinks);
    double n = 0;
    for (int i = 0; i < w->task->impact_count; i++)
        n += w->task->impacts[i].count;
    double rise = w->task->scale ? n * carom_log(objective / s->best) : objective - s->best;
    double over = sqrt(max(rise, 0)) - NORMAL;
    if (over <= 0)
        memcpy(s->near, w->warm, (size_t)w->total * sizeof *w->warm);
    return over;
}

/* Illinois' method between a point inside and one outside. */
static double root(side *s, double in, double f_in, double out, double f_out)
{
    const carom_fit_free *f = fit_free(s->w, s->at);
    double close = CLOSE * (f->max - f->min);
    int last = 0;
    for (int i = 0; i < BISECT && fabs(out - in) > close && f_in != 0; i++) {
        double part = isfinite(f_out) && i % 8 != 7 ? f_in / (f_in - f_out) : 0.5;
        double middle = in + min(max(part, 1e-3), 1 - 1e-3) * (out - in), value = excess(s, middle);
        if (value <= 0) {
            in = middle, f_in = value;
            f_out = last < 0 ? f_out / 2 : f_out;
            last = -1;
        } else {
            out = middle, f_out = value;
            f_in = last > 0 ? f_in / 2 : f_in;
            last = 1;
        }
    }
    return in;
}

/* The end of the interval on one side; infinite when the bound comes first. */
static double find_end(side *s, double from, double step, double bound)
{
    double in = from, f_in = -NORMAL, far = INFINITY * step;
    memcpy(s->near, s->w->x, (size_t)s->w->total * sizeof *s->near);
    for (int i = 0; i < MARCH; i++, step *= 1.5) {
        double next = step > 0 ? min(in + step, bound) : max(in + step, bound);
        if (next == in)
            return far;
        double value = excess(s, next);
        if (value > 0)
            return root(s, in, f_in, next, value);
        if (next == bound)
            return far;
        in = next, f_in = value;
    }
    return far;
}

/* Once by descents alone; where the simplex finds a lower objective at the end, again with it. */
static double careful_end(side *s, double from, double step, double bound)
{
    s->kinks = false;
    double end = find_end(s, from, step, bound);
    fit_tell(s->w, 1);
    double at = isfinite(end) ? end : bound;
    if (s->w->local > 0 || s->w->stopped || s->w->shared == 1)
        return end;
    memcpy(s->w->warm, s->near, (size_t)s->w->total * sizeof *s->near);
    double plain = fit_profile(s->w, s->at, at, s->w->warm, false);
    double polished = fit_profile(s->w, s->at, at, s->w->warm, true);
    s->kinks = true;
    if (polished < plain * (1 - BETTER))
        end = find_end(s, from, step, bound);
    fit_tell(s->w, 1);
    return end;
}

/* Where the objective stops being constant, the others fixed. */
static double flat_end(fit_work *w, int at, double best, double bound)
{
    double in = w->x[at], out = bound;
    memcpy(w->warm, w->x, (size_t)w->total * sizeof *w->x);
    w->warm[at] = bound;
    if (fabs(fit_objective(w, w->warm) - best) <= SAME * best)
        return bound;
    for (int i = 0; i < BISECT && in != out; i++) {
        double middle = (in + out) / 2;
        if (middle == in || middle == out)
            break;
        w->warm[at] = middle;
        if (fabs(fit_objective(w, w->warm) - best) <= SAME * best)
            in = middle;
        else
            out = middle;
    }
    return in;
}

static void one_interval(fit_work *w, carom_fit_result *result, int j)
{
    carom_fit_estimate *p = &result->parameters[j];
    const carom_fit_free *f = fit_free(w, j);
    side s = {w, j, result->objective, false, w->near};
    double range = f->max - f->min, step = isfinite(p->std) ? min(NORMAL * p->std, range) : range / 64;
    if (p->state == CAROM_FIT_FLAT) {
        p->flat_low = flat_end(w, j, result->objective, f->min);
        p->flat_high = flat_end(w, j, result->objective, f->max);
        p->low = p->flat_low > f->min ? careful_end(&s, p->flat_low, -range / 1024, f->min) : -INFINITY;
        p->high = p->flat_high < f->max ? careful_end(&s, p->flat_high, range / 1024, f->max) : INFINITY;
        return;
    }
    p->low = careful_end(&s, p->value, -step, f->min);
    p->high = careful_end(&s, p->value, step, f->max);
}

void fit_intervals(fit_work *w, carom_fit_result *result)
{
    bool wald = w->task->loss == CAROM_FIT_HUBER;
    for (int j = 0; j < w->total && !w->stopped; j++) {
        carom_fit_estimate *p = &result->parameters[j];
        if (j < w->shared && !wald && fit_free(w, j)->max > fit_free(w, j)->min)
            one_interval(w, result, j);
        else if (isfinite(p->std)) {
            p->low = p->value - NORMAL * p->std;
            p->high = p->value + NORMAL * p->std;
        }
    }
}
