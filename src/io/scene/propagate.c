/* Linear propagation: with the gradient J at the means and independent inputs of deviations s, the outcomes have the
 * covariance J diag(s^2) J^T. Two checks say whether that can be trusted. Runs with one input moved by 2 and 3
 * deviations must take the same branches at the same impacts as the mean does; and draws of all inputs must spread as
 * the covariance says. */
#include "carom/propagate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/heap.h"
#include "carom/json_short.h"

#define SPREAD_TOL    0.1 /* of a deviation: drawn and linear ones may differ so much, and by their own uncertainty */
#define SPREAD_SIGMAS 4   /* of the deviation that so many draws have by chance */

enum { DEVIATIONS_LEAST = 2, DEVIATIONS_MOST = 3 };

/* False when the watcher wants it to end; where the work stands is not known. */
static bool goes_on(carom_propagation *p)
{
    const carom_watcher *w = &p->task->watcher;
    p->stopped |= w->watch && !w->watch(w->context, 0);
    return !p->stopped;
}

/* The scene at these values of the inputs. Free it, whatever is returned. */
static bool scene_at(carom_propagation *p, const double *values, carom_scene_file *file, carom_case_error *error)
{
    return carom_inputs_scene(&p->input, values, &p->task->change, file, error);
}

/* ---- plain runs ---- */

/* What happened in a run, as one number: bodies and branches of all impacts. */
typedef struct path {
    uint64_t hash;
    carom_propagation *p;
} path;

static void take_text(path *p, const char *text)
{
    for (; *text; text++)
        p->hash = (p->hash ^ (unsigned char)*text) * 0x100000001b3;
}

static bool follow(void *context, const carom_sim_event *event)
{
    path *p = context;
    char who[64];
    for (int i = 0; i < event->count; i++) {
        snprintf(who, sizeof who, "%d %d %d ", (int)event->kind, event->contacts[i].a, event->contacts[i].b);
        take_text(p, who);
    }
    if (event->outcome && event->outcome->mode)
        take_text(p, event->outcome->mode);
    return goes_on(p->p);
}

/* Run a scene; the outcomes, and its path. False: refused. */
static bool run_plain(const carom_propagation *p, const carom_scene_file *file, double *values, path *way)
{
    static const carom_memory memory = {carom_heap_resize, NULL};
    carom_sim *sim = NULL;
    carom_gradient *layout = NULL;
    carom_sim_stop stop;
    carom_terms of = {0};
    carom_case_error error;
    const carom_sim_observer watch = {.after = follow, .context = way};
    bool fine = carom_sim_create(&file->scene, &memory, &sim, NULL) == CAROM_STATUS_OK &&
                carom_gradient_create(sim, &memory, &layout) == CAROM_STATUS_OK;
    if (fine) {
        carom_sim_observe(sim, &watch);
        fine = carom_sim_advance(sim, &file->until, &stop) == CAROM_STATUS_OK;
    }
    const carom_term_source from = {"of", file, layout, sim, &error};
    fine = fine && carom_terms_read(&of, &from, p->task->of);
    for (int i = 0; i < of.count && fine; i++)
        values[i] = of.list[i].value;
    carom_terms_free(&of);
    carom_gradient_free(layout);
    carom_sim_free(sim);
    return fine;
}

static bool run_at(carom_propagation *p, const double *inputs, double *values, path *way)
{
    carom_scene_file file;
    carom_case_error error;
    bool fine = scene_at(p, inputs, &file, &error) && run_plain(p, &file, values, way);
    carom_scene_free(&file);
    return fine;
}

/* ---- what the inputs are ---- */

static bool read_inputs(carom_propagation *p, carom_case_error *error)
{
    const carom_variables *v = p->task->v;
    p->inputs = v->count;
    if (v->count == 0)
        return carom_request_fail(error, "", "from which inputs? Say --random NAME=normal:MEAN:DEVIATION");
    for (int i = 0; i < v->count; i++) {
        const carom_variable *one = &v->list[i];
        if (one->part)
            return carom_request_fail(error, "", "%s: all orientations have no mean to spread from; use carom ensemble",
                                      one->name);
        if (!one->random)
            return carom_request_fail(error, "", "%s has no distribution; say --random NAME=normal:MEAN:DEVIATION",
                                      one->name);
        if (strstr(one->name, ".orientation"))
            return carom_request_fail(error, "", "%s is part of a quaternion, which cannot change alone", one->name);
        p->mean[i] = one->normal ? one->from : 0.5 * (one->from + one->to);
        p->deviation[i] = one->normal ? one->to : (one->to - one->from) / sqrt(12.0);
    }
    return true;
}

/* The names of the inputs, with commas between them; null without memory. */
static char *input_list(const carom_variables *v)
{
    char *list = calloc(CAROM_STUDY_VARIABLES, CAROM_STUDY_NAME + 1);
    for (int i = 0; i < v->count && list; i++) {
        strcat(list, i ? "," : "");
        strcat(list, v->list[i].name);
    }
    return list;
}

/* ---- first order ---- */

static double entry(const carom_propagation *p, int outcome, int input)
{
    return p->g.matrix[(size_t)outcome * (size_t)p->inputs + (size_t)input];
}

static void fill_covariance(carom_propagation *p)
{
    for (int i = 0; i < p->outcomes; i++)
        for (int j = 0; j < p->outcomes; j++)
            for (int k = 0; k < p->inputs; k++)
                p->covariance[i * p->outcomes + j] +=
                    entry(p, i, k) * entry(p, j, k) * p->deviation[k] * p->deviation[k];
}

double carom_propagation_deviation(const carom_propagation *p, int outcome)
{
    return sqrt(p->covariance[outcome * p->outcomes + outcome]);
}

/* The part of the variance that one input makes. */
double carom_propagation_share(const carom_propagation *p, int outcome, int input)
{
    double part = entry(p, outcome, input) * entry(p, outcome, input) * p->deviation[input] * p->deviation[input];
    double whole = p->covariance[outcome * p->outcomes + outcome];
    return whole > 0 ? part / whole : 0;
}

/* ---- checks ---- */

static void warn(carom_propagation *p, const char *format, ...) CAROM_PRINTF(2, 3);
static void warn(carom_propagation *p, const char *format, ...)
{
    va_list args;
    if (p->warnings == CAROM_PROPAGATION_WARNINGS)
        return;
    va_start(args, format);
    vsnprintf(p->warning[p->warnings++], CAROM_PROPAGATION_WARNING, format, args);
    va_end(args);
}

/* One input moved by several deviations: the first number of them at which the run takes another path, or is refused.
 */
static void check_input(carom_propagation *p, int input, path mean, double *values)
{
    const carom_variable *one = &p->task->v->list[input];
    for (int d = DEVIATIONS_LEAST; d <= DEVIATIONS_MOST; d++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double at[CAROM_STUDY_VARIABLES];
            path way = {0, p};
            memcpy(at, p->mean, sizeof at);
            at[input] += sign * d * p->deviation[input];
            if (!one->normal)
                at[input] = fmin(fmax(at[input], one->from), one->to);
            bool fine = run_at(p, at, values, &way);
            if (fine && way.hash == mean.hash)
                continue;
            warn(p,
                 fine ? "a border lies within %d deviations of %s: at %.6g the run takes other branches or impacts"
                      : "within %d deviations of %s the run is refused: at %.6g",
                 d, one->name, at[input]);
            return;
        }
}

static void add_draw(carom_propagation *p, const double *values)
{
    p->drawn++;
    for (int i = 0; i < p->outcomes; i++) {
        double off = values[i] - p->drawn_mean[i];
        p->drawn_mean[i] += off / (double)p->drawn;
        p->drawn_squares[i] += off * (values[i] - p->drawn_mean[i]);
    }
}

double carom_propagation_drawn(const carom_propagation *p, int outcome)
{
    return p->drawn > 1 ? sqrt(p->drawn_squares[outcome] / (double)(p->drawn - 1)) : 0;
}

static void draw(carom_propagation *p, double *values)
{
    const carom_variables *v = p->task->v;
    for (long i = 0; i < v->draws && goes_on(p); i++) {
        double at[CAROM_STUDY_VARIABLES];
        path way = {0, p};
        carom_study_values(v, i, at);
        if (run_at(p, at, values, &way))
            add_draw(p, values);
        else
            p->refused++;
    }
    if (p->refused)
        warn(p, "%ld of %ld draws were refused", p->refused, v->draws);
}

static void compare_draws(carom_propagation *p)
{
    double room = SPREAD_TOL + SPREAD_SIGMAS / sqrt(2.0 * (double)p->drawn);
    for (int i = 0; i < p->outcomes; i++) {
        double linear = carom_propagation_deviation(p, i), drawn = carom_propagation_drawn(p, i);
        if (isfinite(drawn) && fabs(drawn - linear) > room * fmax(linear, drawn))
            warn(p, "%s spreads by %.4g in %ld draws, and by %.4g to first order", p->g.of.list[i].name, drawn,
                 p->drawn, linear);
    }
}

static void check(carom_propagation *p, double *values)
{
    path mean = {0, p};
    if (run_at(p, p->mean, values, &mean))
        for (int k = 0; k < p->inputs; k++)
            check_input(p, k, mean, values);
    draw(p, values);
    compare_draws(p);
}

/* ---- all of it ---- */

static bool propagate(carom_propagation *p, const carom_scene_file *mean, carom_case_error *error)
{
    char *by = input_list(p->task->v);
    carom_gradient_task task = {.by_option = "random",
                                .of = p->task->of,
                                .by = by,
                                .one_sided = p->task->one_sided,
                                .watcher = p->task->watcher};
    if (!by)
        return carom_request_fail(error, "", "out of memory");
    bool fine = carom_scene_gradient_go(&p->g, mean, &task, error);
    p->g.task = NULL;
    free(by);
    if (!fine)
        return false;
    const size_t outcomes = (size_t)p->g.of.count;
    p->outcomes = p->g.of.count;
    p->covariance = calloc(outcomes * outcomes, sizeof(double));
    p->drawn_mean = calloc(2 * outcomes, sizeof(double));
    double *values = calloc(outcomes, sizeof *values);
    fine = p->covariance && p->drawn_mean && values;
    if (fine) {
        p->drawn_squares = p->drawn_mean + p->outcomes;
        fill_covariance(p);
        check(p, values);
    }
    free(values);
    return fine ? !p->stopped || carom_request_fail(error, "", "interrupted")
                : carom_request_fail(error, "", "out of memory");
}

bool carom_propagate(carom_propagation *p, const carom_scene_file *file, const carom_propagation_task *task,
                     carom_case_error *error)
{
    memset(p, 0, sizeof *p);
    p->task = task;
    return read_inputs(p, error) && carom_inputs_open_scene(&p->input, task->v, file, "random", error) &&
           scene_at(p, p->mean, &p->mean_scene, error) && propagate(p, &p->mean_scene, error);
}

void carom_propagation_free(carom_propagation *p)
{
    carom_scene_gradient_free(&p->g);
    carom_scene_free(&p->mean_scene);
    carom_inputs_close(&p->input);
    free(p->covariance);
    free(p->drawn_mean);
    memset(p, 0, sizeof *p);
}

/* ---- the answer ---- */

static json_t *array_of(const double *x, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(array, isfinite(x[i]) ? json_real(x[i]) : json_null());
    return array;
}

static json_t *inputs_json(const carom_propagation *p)
{
    json_t *array = json_array();
    for (int k = 0; k < p->inputs; k++)
        json_array_append_new(array, json_pack("{s:s, s:f, s:f}", "name", p->task->v->list[k].name, "mean", p->mean[k],
                                               "deviation", p->deviation[k]));
    return array;
}

static json_t *outcome_json(const carom_propagation *p, int i)
{
    json_t *shares = json_object(), *object = json_object();
    double numbers[] = {p->g.of.list[i].value, carom_propagation_deviation(p, i), p->drawn_mean[i],
                        carom_propagation_drawn(p, i)};
    static const char *const keys[] = {"mean", "deviation", "drawn_mean", "drawn_deviation"};
    json_object_set_new(object, "name", json_string(p->g.of.list[i].name));
    for (int k = 0; k < 4; k++)
        json_object_set_new(object, keys[k], isfinite(numbers[k]) ? json_real(numbers[k]) : json_null());
    for (int k = 0; k < p->inputs; k++)
        json_object_set_new(shares, p->task->v->list[k].name, json_real(carom_propagation_share(p, i, k)));
    json_object_set_new(object, "shares", shares);
    return object;
}

carom_json *carom_propagation_json(const carom_propagation *p)
{
    json_t *object = json_object(), *outcomes = json_array(), *rows = json_array(), *warnings = json_array();
    for (int i = 0; i < p->outcomes; i++) {
        json_array_append_new(outcomes, outcome_json(p, i));
        json_array_append_new(rows, array_of(p->covariance + i * p->outcomes, p->outcomes));
    }
    for (int i = 0; i < p->warnings; i++)
        json_array_append_new(warnings, json_string(p->warning[i]));
    json_object_set_new(object, "inputs", inputs_json(p));
    json_object_set_new(object, "outcomes", outcomes);
    json_object_set_new(object, "covariance", rows);
    json_object_set_new(object, "draws", json_integer(p->drawn));
    json_object_set_new(object, "warnings", warnings);
    return object;
}
