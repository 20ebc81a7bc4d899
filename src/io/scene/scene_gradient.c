/* How the end of a run changes with its inputs. */
#include "carom/scene_gradient.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/heap.h"
#include "carom/json_short.h"

static const char *const methods[] = {"any", "forward", "adjoint"};

bool carom_gradient_method_read(const char *word, carom_gradient_method *method, carom_case_error *error)
{
    for (int i = CAROM_GRADIENT_FORWARD; i <= CAROM_GRADIENT_ADJOINT; i++)
        if (strcmp(word, methods[i]) == 0) {
            *method = (carom_gradient_method)i;
            return true;
        }
    return carom_request_fail(error, "method", "\"%s\" is neither forward nor adjoint", word);
}

/* ---- the run ---- */

static bool record(void *context, const carom_scene_run *run, const carom_sim_event *event)
{
    (void)run;
    return carom_gradient_event(context, event);
}

static const char *name_of(const carom_scene_file *file, int body)
{
    return body >= 0 ? file->names[body] : "";
}

/* One sentence: what happened, to whom, when. */
static bool refuse(const carom_scene_gradient *g, carom_case_error *error)
{
    const carom_gradient_reason why = carom_gradient_refused(g->gradient);
    const carom_scene_file *file = g->run.file;
    char border[96] = "", who[160] = "";
    bool event = why.refusal != CAROM_GRADIENT_STEPPED && why.refusal != CAROM_GRADIENT_FORCED;
    if (why.refusal == CAROM_GRADIENT_KINK)
        snprintf(border, sizeof border, " (%s); --one-sided takes the branch of the law", why.border);
    if (why.other >= 0)
        snprintf(who, sizeof who, " of %.60s and %.60s", name_of(file, why.body), name_of(file, why.other));
    else if (why.body >= 0)
        snprintf(who, sizeof who, " of %.60s", name_of(file, why.body));
    return carom_request_fail(error, "", "there is no gradient through the %s%s at t = %.10g s: %s%s",
                              event && why.other >= 0 ? carom_sim_event_word(why.event) : "motion", who, why.time,
                              carom_gradient_refusal_sentence(why.refusal), border);
}

static bool has_end(const carom_scene_gradient *g, carom_case_error *error)
{
    if (!carom_scene_run_check(&g->run, error))
        return false;
    if (g->run.stop == CAROM_SIM_STOP_TIME || g->run.stop == CAROM_SIM_STOP_IMPACTS)
        return true;
    if (carom_gradient_refused(g->gradient).refusal != CAROM_GRADIENT_NONE)
        return refuse(g, error);
    return carom_request_fail(error, "", "the run must end at a time or with an impact (--time, --impacts); here %s",
                              carom_sim_stop_meaning(g->run.stop));
}

/* Names are read twice: before the run, for mistakes in them, and after it, for the values at its end. */
static bool read_terms(carom_scene_gradient *g, const carom_gradient_task *task, carom_case_error *error)
{
    const carom_scene_file *file = g->run.file;
    const carom_term_source of = {"of", file, g->gradient, g->run.sim, error},
                            by = {task->by_option, file, g->gradient, NULL, error};
    carom_terms_free(&g->of);
    carom_terms_free(&g->by);
    return carom_terms_read(&g->of, &of, task->of) && carom_terms_read(&g->by, &by, task->by);
}

static bool run_and_record(carom_scene_gradient *g, const carom_scene_file *file, const carom_gradient_task *task,
                           carom_case_error *error)
{
    static const carom_memory memory = {carom_heap_resize, NULL};
    if (!carom_scene_run_start(&g->run, file, error))
        return false;
    if (carom_gradient_create(g->run.sim, &memory, &g->gradient) != CAROM_STATUS_OK)
        return carom_request_fail(error, "", "out of memory");
    if (!read_terms(g, task, error))
        return false;
    if (task->one_sided)
        carom_gradient_take_branches(g->gradient);
    const carom_run_sink sink = {.event = record, .context = g->gradient};
    carom_scene_run_add(&g->run, &sink);
    g->run.watcher = task->watcher;
    carom_scene_run_go(&g->run);
    return has_end(g, error) &&
           (carom_gradient_end(g->gradient, g->run.stop == CAROM_SIM_STOP_IMPACTS) == CAROM_STATUS_OK ||
            refuse(g, error));
}

/* ---- the matrix ---- */

static void fill_forward(carom_scene_gradient *g, double *in, double *out)
{
    for (int k = 0; k < g->by.count; k++) {
        memset(in, 0, carom_gradient_inputs(g->gradient) * sizeof *in);
        carom_term_fill(&g->by.list[k], in);
        carom_gradient_forward(g->gradient, in, out);
        for (int i = 0; i < g->of.count; i++)
            g->matrix[(size_t)i * (size_t)g->by.count + (size_t)k] = carom_term_value(&g->of.list[i], out);
    }
}

static void fill_adjoint(carom_scene_gradient *g, double *in, double *out)
{
    for (int i = 0; i < g->of.count; i++) {
        memset(out, 0, carom_gradient_outputs(g->gradient) * sizeof *out);
        carom_term_fill(&g->of.list[i], out);
        carom_gradient_adjoint(g->gradient, out, in);
        for (int k = 0; k < g->by.count; k++)
            g->matrix[(size_t)i * (size_t)g->by.count + (size_t)k] = carom_term_value(&g->by.list[k], in);
    }
}

static bool fill_matrix(carom_scene_gradient *g, carom_gradient_method method)
{
    double *in = calloc(carom_gradient_inputs(g->gradient), sizeof *in);
    double *out = calloc(carom_gradient_outputs(g->gradient), sizeof *out);
    g->matrix = calloc((size_t)g->of.count * (size_t)g->by.count, sizeof *g->matrix);
    bool fine = in && out && g->matrix;
    g->method = method != CAROM_GRADIENT_ANY ? method
                : g->of.count < g->by.count  ? CAROM_GRADIENT_ADJOINT
                                             : CAROM_GRADIENT_FORWARD;
    if (fine)
        (g->method == CAROM_GRADIENT_ADJOINT ? fill_adjoint : fill_forward)(g, in, out);
    free(in);
    free(out);
    return fine;
}

bool carom_scene_gradient_go(carom_scene_gradient *g, const carom_scene_file *file, const carom_gradient_task *task,
                             carom_case_error *error)
{
    memset(g, 0, sizeof *g);
    g->task = task;
    return run_and_record(g, file, task, error) && read_terms(g, task, error) &&
           (fill_matrix(g, task->method) || carom_request_fail(error, "", "out of memory"));
}

void carom_scene_gradient_free(carom_scene_gradient *g)
{
    carom_terms_free(&g->of);
    carom_terms_free(&g->by);
    free(g->matrix);
    carom_gradient_free(g->gradient);
    carom_scene_run_free(&g->run);
}

/* ---- the answer ---- */

static json_t *number_or_null(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static void add_terms(json_t *object, const char *key, const char *values, const carom_terms *t)
{
    json_t *names = json_array(), *numbers = json_array();
    for (int i = 0; i < t->count; i++) {
        json_array_append_new(names, json_string(t->list[i].name));
        json_array_append_new(numbers, number_or_null(t->list[i].value));
    }
    json_object_set_new(object, key, names);
    json_object_set_new(object, values, numbers);
}

carom_json *carom_scene_gradient_json(const carom_scene_gradient *g)
{
    const carom_gradient_about about = carom_gradient_describe(g->gradient);
    json_t *object = json_object(), *rows = json_array();
    add_terms(object, "of", "values", &g->of);
    add_terms(object, "by", "at", &g->by);
    for (int i = 0; i < g->of.count; i++) {
        json_t *row = json_array();
        for (int k = 0; k < g->by.count; k++)
            json_array_append_new(row, json_real(g->matrix[(size_t)i * (size_t)g->by.count + (size_t)k]));
        json_array_append_new(rows, row);
    }
    json_object_set_new(object, "matrix", rows);
    json_object_set_new(object, "method", json_string(methods[g->method]));
    json_object_set_new(object, "kinks", json_integer(about.kinks));
    json_object_set_new(object, "grazing", json_integer(about.grazing));
    if (isfinite(about.distance))
        json_object_set_new(
            object, "nearest_border",
            json_pack("{s:s, s:f, s:f}", "border", about.border, "distance", about.distance, "t", about.distance_time));
    return object;
}
