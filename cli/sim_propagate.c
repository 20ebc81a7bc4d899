/* Linear propagation: with the gradient J at the means and independent inputs of deviations s, the outcomes have the
 * covariance J diag(s^2) J^T. Two checks say whether that can be trusted. Runs with one input moved by 2 and 3
 * deviations must take the same branches at the same impacts as the mean does; and draws of all inputs must spread as
 * the covariance says. */
#include "sim_propagate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "sim_report.h"
#include "table.h"

#define SPREAD_TOL    0.1 /* of a deviation: drawn and linear ones may differ so much, and by their own uncertainty */
#define SPREAD_SIGMAS 4

enum { DEVIATIONS_LEAST = 2, DEVIATIONS_MOST = 3, WARNING_SIZE = 400, WARNINGS_MOST = 64 };
enum { PROPAGATE_DRAWS = 200 }; /* unless --count says otherwise */

typedef struct propagation {
    ensemble *e;
    const gradient_task *task;
    gradient_run g;
    varied input;
    double mean[VARY_MOST], deviation[VARY_MOST];
    int outcomes, inputs;
    double *covariance; /* outcomes x outcomes by rows */
    double *drawn_mean, *drawn_squares;
    long drawn, refused;
    int warnings;
    char warning[WARNINGS_MOST][WARNING_SIZE];
} propagation;

/* ---- plain runs ---- */

/* What happened in a run, as one number: bodies and branches of all impacts. */
typedef struct path {
    uint64_t hash;
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
    return !output_is_stopped();
}

/* Run a scene; the outcomes, and its path. False: refused. */
static bool run_plain(const propagation *p, const carom_scene_file *file, double *values, path *way)
{
    carom_sim *sim = NULL;
    carom_gradient *layout = NULL;
    carom_sim_stop stop;
    terms of = {0};
    const carom_sim_observer watch = {.after = follow, .context = way};
    bool fine = carom_sim_create(&file->scene, &sim_memory, &sim, NULL) == CAROM_STATUS_OK &&
                carom_gradient_create(sim, &sim_memory, &layout) == CAROM_STATUS_OK;
    if (fine) {
        carom_sim_observe(sim, &watch);
        fine = carom_sim_advance(sim, &file->until, &stop) == CAROM_STATUS_OK;
    }
    term_source from = {"--of", file, layout, sim};
    fine = fine && terms_read(&of, &from, p->task->of);
    for (int i = 0; i < of.count && fine; i++)
        values[i] = of.list[i].value;
    terms_free(&of);
    carom_gradient_free(layout);
    carom_sim_free(sim);
    return fine;
}

static bool run_at(propagation *p, const double *inputs, double *values, path *way)
{
    carom_scene_file file;
    carom_case_error error;
    bool fine = ensemble_scene(p->e, &p->input, inputs, &file, &error) && run_plain(p, &file, values, way);
    carom_scene_free(&file);
    return fine;
}

/* ---- what the inputs are ---- */

static bool read_inputs(propagation *p)
{
    const variables *v = &p->e->sweep.v;
    p->inputs = v->count;
    if (v->count == 0) {
        complain("propagate: from which inputs? Say --random NAME=normal:MEAN:DEVIATION");
        return false;
    }
    for (int i = 0; i < v->count; i++) {
        const variable *one = &v->list[i];
        if (!one->random || strstr(one->name, ".orientation")) {
            complain(one->random ? "propagate: %s is part of a quaternion, which cannot change alone"
                                 : "propagate: %s has no distribution; say --random NAME=normal:MEAN:DEVIATION",
                     one->name);
            return false;
        }
        p->mean[i] = one->normal ? one->from : 0.5 * (one->from + one->to);
        p->deviation[i] = one->normal ? one->to : (one->to - one->from) / sqrt(12.0);
    }
    return true;
}

/* The names of the inputs, as --by takes them. */
static char *input_list(const variables *v)
{
    char *list = must_have(calloc(VARY_MOST, VARY_NAME + 1));
    for (int i = 0; i < v->count; i++) {
        strcat(list, i ? "," : "");
        strcat(list, v->list[i].name);
    }
    return list;
}

/* ---- first order ---- */

static double entry(const propagation *p, int outcome, int input)
{
    return p->g.matrix[(size_t)outcome * (size_t)p->inputs + (size_t)input];
}

static void fill_covariance(propagation *p)
{
    for (int i = 0; i < p->outcomes; i++)
        for (int j = 0; j < p->outcomes; j++)
            for (int k = 0; k < p->inputs; k++)
                p->covariance[i * p->outcomes + j] +=
                    entry(p, i, k) * entry(p, j, k) * p->deviation[k] * p->deviation[k];
}

static double deviation_of(const propagation *p, int outcome)
{
    return sqrt(p->covariance[outcome * p->outcomes + outcome]);
}

/* The part of the variance that one input makes. */
static double share_of(const propagation *p, int outcome, int input)
{
    double part = entry(p, outcome, input) * entry(p, outcome, input) * p->deviation[input] * p->deviation[input];
    double whole = p->covariance[outcome * p->outcomes + outcome];
    return whole > 0 ? part / whole : 0;
}

/* ---- checks ---- */

static void warn(propagation *p, const char *format, ...) PRINTF_LIKE(2, 3);
static void warn(propagation *p, const char *format, ...)
{
    va_list args;
    if (p->warnings == WARNINGS_MOST)
        return;
    va_start(args, format);
    vsnprintf(p->warning[p->warnings++], WARNING_SIZE, format, args);
    va_end(args);
}

/* One input moved by several deviations: the first number of them at which the run takes another path, or is refused.
 */
static void check_input(propagation *p, int input, path mean, double *values)
{
    const variable *one = &p->e->sweep.v.list[input];
    for (int d = DEVIATIONS_LEAST; d <= DEVIATIONS_MOST; d++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double at[VARY_MOST];
            path way = {0};
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

static void add_draw(propagation *p, const double *values)
{
    p->drawn++;
    for (int i = 0; i < p->outcomes; i++) {
        double off = values[i] - p->drawn_mean[i];
        p->drawn_mean[i] += off / (double)p->drawn;
        p->drawn_squares[i] += off * (values[i] - p->drawn_mean[i]);
    }
}

static double drawn_deviation(const propagation *p, int outcome)
{
    return p->drawn > 1 ? sqrt(p->drawn_squares[outcome] / (double)(p->drawn - 1)) : 0;
}

static void draw(propagation *p, double *values)
{
    const variables *v = &p->e->sweep.v;
    for (long i = 0; i < v->draws && !output_is_stopped(); i++) {
        double at[VARY_MOST];
        path way = {0};
        vary_values(v, i, at);
        if (run_at(p, at, values, &way))
            add_draw(p, values);
        else
            p->refused++;
    }
    if (p->refused)
        warn(p, "%ld of %ld draws were refused", p->refused, v->draws);
}

static void compare_draws(propagation *p)
{
    double room = SPREAD_TOL + SPREAD_SIGMAS / sqrt(2.0 * (double)p->drawn);
    for (int i = 0; i < p->outcomes; i++) {
        double linear = deviation_of(p, i), drawn = drawn_deviation(p, i);
        if (isfinite(drawn) && fabs(drawn - linear) > room * fmax(linear, drawn))
            warn(p, "%s spreads by %.4g in %ld draws, and by %.4g to first order", p->g.of.list[i].name, drawn,
                 p->drawn, linear);
    }
}

static void check(propagation *p)
{
    double *values = must_have(calloc((size_t)p->outcomes, sizeof *values));
    path mean = {0};
    if (run_at(p, p->mean, values, &mean))
        for (int k = 0; k < p->inputs; k++)
            check_input(p, k, mean, values);
    draw(p, values);
    compare_draws(p);
    free(values);
}

/* ---- printing ---- */

static json_t *array_of(const double *x, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(array, isfinite(x[i]) ? json_real(x[i]) : json_null());
    return array;
}

static json_t *inputs_json(const propagation *p)
{
    json_t *array = json_array();
    for (int k = 0; k < p->inputs; k++)
        json_array_append_new(array, json_pack("{s:s, s:f, s:f}", "name", p->e->sweep.v.list[k].name, "mean",
                                               p->mean[k], "deviation", p->deviation[k]));
    return array;
}

static json_t *outcome_json(const propagation *p, int i)
{
    json_t *shares = json_object(), *object = json_object();
    double numbers[] = {p->g.of.list[i].value, deviation_of(p, i), p->drawn_mean[i], drawn_deviation(p, i)};
    static const char *const keys[] = {"mean", "deviation", "drawn_mean", "drawn_deviation"};
    json_object_set_new(object, "name", json_string(p->g.of.list[i].name));
    for (int k = 0; k < 4; k++)
        json_object_set_new(object, keys[k], isfinite(numbers[k]) ? json_real(numbers[k]) : json_null());
    for (int k = 0; k < p->inputs; k++)
        json_object_set_new(shares, p->e->sweep.v.list[k].name, json_real(share_of(p, i, k)));
    json_object_set_new(object, "shares", shares);
    return object;
}

static json_t *propagation_json(const propagation *p)
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

static void print_outcomes(const propagation *p)
{
    static const char *const heads[] = {"outcome", "mean", "deviation", "drawn mean", "drawn deviation"};
    table t = table_start("lrrrr", heads);
    for (int i = 0; i < p->outcomes; i++) {
        double x[] = {p->g.of.list[i].value, deviation_of(p, i), p->drawn_mean[i], drawn_deviation(p, i)};
        char text[4][CAROM_NUMBER_SIZE];
        const char *cells[5] = {p->g.of.list[i].name};
        for (int k = 0; k < 4; k++) {
            snprintf(text[k], sizeof text[k], "%.6g", x[k] + 0.0);
            cells[k + 1] = isfinite(x[k]) ? text[k] : "";
        }
        table_add(&t, ROW_PLAIN, cells);
    }
    table_print(&t);
    table_free(&t);
}

static void print_shares(const propagation *p)
{
    static const char *const heads[] = {"variance of", "from", "mean", "deviation", "share"};
    table t = table_start("llrrr", heads);
    for (int i = 0; i < p->outcomes; i++)
        for (int k = 0; k < p->inputs; k++) {
            char mean[CAROM_NUMBER_SIZE], deviation[CAROM_NUMBER_SIZE], share[CAROM_NUMBER_SIZE];
            snprintf(mean, sizeof mean, "%.6g", p->mean[k] + 0.0);
            snprintf(deviation, sizeof deviation, "%.6g", p->deviation[k]);
            snprintf(share, sizeof share, "%.1f %%", 100 * share_of(p, i, k));
            table_add(
                &t, ROW_PLAIN,
                (const char *[]){k ? "" : p->g.of.list[i].name, p->e->sweep.v.list[k].name, mean, deviation, share});
        }
    printf("\n");
    table_print(&t);
    table_free(&t);
}

static void print_all(const propagation *p)
{
    if (p->task->json) {
        json_t *summary = sim_report_json(&p->g.run, true);
        json_object_set_new(summary, "propagation", propagation_json(p));
        json_print(stdout, summary, false);
        json_decref(summary);
    } else {
        sim_report_head(&p->g.run);
        print_outcomes(p);
        print_shares(p);
    }
    for (int i = 0; i < p->warnings; i++)
        fprintf(stderr, "warning: propagate: %s\n", p->warning[i]);
}

/* ---- all of it ---- */

static bool propagate(propagation *p, const carom_scene_file *mean)
{
    char *by = input_list(&p->e->sweep.v);
    gradient_task task = *p->task;
    task.by = by;
    bool fine = gradient_run_go(&p->g, mean, &task);
    free(by);
    if (!fine)
        return false;
    p->outcomes = p->g.of.count;
    p->covariance = must_have(calloc((size_t)p->outcomes * (size_t)p->outcomes, sizeof(double)));
    p->drawn_mean = must_have(calloc(2 * (size_t)p->outcomes, sizeof(double)));
    p->drawn_squares = p->drawn_mean + p->outcomes;
    fill_covariance(p);
    check(p);
    return true;
}

int propagate_print(ensemble *e, const carom_scene_file *file, const gradient_task *task)
{
    propagation *p = must_have(calloc(1, sizeof *p));
    carom_scene_file mean = {0};
    carom_case_error error = {.status = CAROM_STATUS_OK};
    p->e = e;
    p->task = task;
    e->sweep.v.draws = e->sweep.v.draws ? e->sweep.v.draws : PROPAGATE_DRAWS;
    bool fine = read_inputs(p) && varied_open_scene(&p->input, &e->sweep.v, file, "--random");
    if (fine && !ensemble_scene(e, &p->input, p->mean, &mean, &error)) {
        fprintf(stderr, "%s\n", error.message);
        fine = false;
    }
    fine = fine && propagate(p, &mean);
    if (fine)
        print_all(p);
    gradient_run_free(&p->g);
    carom_scene_free(&mean);
    varied_close(&p->input);
    free(p->covariance);
    free(p->drawn_mean);
    free(p);
    return fine ? FINE : BAD_INPUT;
}
