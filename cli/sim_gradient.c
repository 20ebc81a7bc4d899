#include "sim_gradient.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "sim_report.h"
#include "table.h"

enum { SHOWN_COLUMNS = 4 };

static const char *const methods[] = {"any", "forward", "adjoint"};

bool gradient_method_read(const char *word, gradient_method *method)
{
    for (int i = METHOD_FORWARD; i <= METHOD_ADJOINT; i++)
        if (strcmp(word, methods[i]) == 0) {
            *method = (gradient_method)i;
            return true;
        }
    complain("--method: \"%s\" is neither forward nor adjoint", word);
    return false;
}

/* ---- the run ---- */

static bool record(void *context, const sim_run *run, const carom_sim_event *event)
{
    (void)run;
    return carom_gradient_event(context, event);
}

static const char *name_of(const carom_scene_file *file, int body)
{
    return body >= 0 ? file->names[body] : "";
}

/* One sentence: what happened, to whom, when. */
static void complain_refused(const gradient_run *g)
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
    complain("%s: there is no gradient through the %s%s at t = %.10g s: %s%s", g->task->command,
             event && why.other >= 0 ? carom_sim_event_word(why.event) : "motion", who, why.time,
             carom_gradient_refusal_sentence(why.refusal), border);
}

static bool has_end(const gradient_run *g)
{
    if (g->run.status != CAROM_STATUS_OK) {
        carom_case_error error;
        carom_sim_error blame = carom_sim_blame(g->run.sim);
        carom_scene_refuse(g->run.file, g->run.status, &blame, &error);
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    if (g->run.stop == CAROM_SIM_STOP_TIME || g->run.stop == CAROM_SIM_STOP_IMPACTS)
        return true;
    if (carom_gradient_refused(g->gradient).refusal != CAROM_GRADIENT_NONE)
        complain_refused(g);
    else
        complain("%s: the run must end at a time or with an impact (--time, --impacts); here %s", g->task->command,
                 carom_sim_stop_meaning(g->run.stop));
    return false;
}

/* Names are read twice: before the run, for mistakes in them, and after it, for the values at its end. */
static bool read_terms(gradient_run *g, const gradient_task *task)
{
    const carom_scene_file *file = g->run.file;
    term_source of = {"--of", file, g->gradient, g->run.sim}, by = {task->by_option, file, g->gradient, NULL};
    terms_free(&g->of);
    terms_free(&g->by);
    return terms_read(&g->of, &of, task->of) && terms_read(&g->by, &by, task->by);
}

static bool run_and_record(gradient_run *g, const carom_scene_file *file, const gradient_task *task)
{
    if (!sim_run_start(&g->run, file))
        return false;
    (void)!carom_gradient_create(g->run.sim, &sim_memory, &g->gradient);
    must_have(g->gradient);
    if (!read_terms(g, task))
        return false;
    if (task->one_sided)
        carom_gradient_take_branches(g->gradient);
    sim_sink sink = {.event = record, .context = g->gradient};
    sim_run_add(&g->run, &sink);
    sim_run_go(&g->run);
    if (!has_end(g))
        return false;
    if (carom_gradient_end(g->gradient, g->run.stop == CAROM_SIM_STOP_IMPACTS) == CAROM_STATUS_OK)
        return true;
    complain_refused(g);
    return false;
}

/* ---- the matrix ---- */

static void fill_forward(gradient_run *g, double *in, double *out)
{
    for (int k = 0; k < g->by.count; k++) {
        memset(in, 0, carom_gradient_inputs(g->gradient) * sizeof *in);
        term_fill(&g->by.list[k], in);
        carom_gradient_forward(g->gradient, in, out);
        for (int i = 0; i < g->of.count; i++)
            g->matrix[(size_t)i * (size_t)g->by.count + (size_t)k] = term_of(&g->of.list[i], out);
    }
}

static void fill_adjoint(gradient_run *g, double *in, double *out)
{
    for (int i = 0; i < g->of.count; i++) {
        memset(out, 0, carom_gradient_outputs(g->gradient) * sizeof *out);
        term_fill(&g->of.list[i], out);
        carom_gradient_adjoint(g->gradient, out, in);
        for (int k = 0; k < g->by.count; k++)
            g->matrix[(size_t)i * (size_t)g->by.count + (size_t)k] = term_of(&g->by.list[k], in);
    }
}

static void fill_matrix(gradient_run *g, gradient_method method)
{
    double *in = must_have(calloc(carom_gradient_inputs(g->gradient), sizeof *in));
    double *out = must_have(calloc(carom_gradient_outputs(g->gradient), sizeof *out));
    g->matrix = must_have(calloc((size_t)g->of.count * (size_t)g->by.count, sizeof *g->matrix));
    g->method = method != METHOD_ANY ? method : g->of.count < g->by.count ? METHOD_ADJOINT : METHOD_FORWARD;
    if (g->method == METHOD_ADJOINT)
        fill_adjoint(g, in, out);
    else
        fill_forward(g, in, out);
    free(in);
    free(out);
}

bool gradient_run_go(gradient_run *g, const carom_scene_file *file, const gradient_task *task)
{
    memset(g, 0, sizeof *g);
    g->task = task;
    if (!run_and_record(g, file, task) || !read_terms(g, task))
        return false;
    fill_matrix(g, task->method);
    return true;
}

void gradient_run_free(gradient_run *g)
{
    terms_free(&g->of);
    terms_free(&g->by);
    free(g->matrix);
    carom_gradient_free(g->gradient);
    sim_run_free(&g->run);
}

/* ---- printing ---- */

static json_t *number_or_null(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static void add_terms(json_t *object, const char *key, const char *values, const terms *t)
{
    json_t *names = json_array(), *numbers = json_array();
    for (int i = 0; i < t->count; i++) {
        json_array_append_new(names, json_string(t->list[i].name));
        json_array_append_new(numbers, number_or_null(t->list[i].value));
    }
    json_object_set_new(object, key, names);
    json_object_set_new(object, values, numbers);
}

static json_t *json_of(const gradient_run *g)
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

/* A table of a few outputs, one row per input. */
static void print_columns(const gradient_run *g, int first, int count)
{
    const char *heads[SHOWN_COLUMNS + 1] = {"by"};
    static const char *const align[SHOWN_COLUMNS + 1] = {"l", "lr", "lrr", "lrrr", "lrrrr"};
    table t = table_start(align[count], heads);
    for (int c = 0; c < count; c++)
        heads[c + 1] = g->of.list[first + c].name;
    for (int k = 0; k < g->by.count; k++) {
        char text[SHOWN_COLUMNS][CAROM_NUMBER_SIZE];
        const char *cells[SHOWN_COLUMNS + 1] = {g->by.list[k].name};
        for (int c = 0; c < count; c++) {
            snprintf(text[c], sizeof text[c], "%.13g",
                     g->matrix[(size_t)(first + c) * (size_t)g->by.count + (size_t)k] + 0.0);
            cells[c + 1] = text[c];
        }
        table_add(&t, ROW_PLAIN, cells);
    }
    table_print(&t);
    table_free(&t);
}

static int columns_that_fit(const gradient_run *g, int first)
{
    size_t width = 0;
    for (int k = 0; k < g->by.count; k++)
        width = strlen(g->by.list[k].name) > width ? strlen(g->by.list[k].name) : width;
    int count = 0;
    while (count < SHOWN_COLUMNS && first + count < g->of.count) {
        size_t name = strlen(g->of.list[first + count].name);
        width += 2 + (name > 20 ? name : 20);
        if (count > 0 && width > TABLE_WIDTH)
            break;
        count++;
    }
    return count;
}

static void print_text(const gradient_run *g)
{
    const carom_gradient_about about = carom_gradient_describe(g->gradient);
    sim_report_head(&g->run);
    for (int i = 0; i < g->of.count; i++)
        if (isfinite(g->of.list[i].value)) {
            printf("  ");
            text_put(g->of.list[i].name);
            printf(" = %.13g\n", g->of.list[i].value + 0.0);
        }
    for (int first = 0, count; first < g->of.count; first += count) {
        count = columns_that_fit(g, first);
        printf("\n");
        print_columns(g, first, count);
    }
    if (about.kinks)
        printf("\nimpacts on a border of their law: %lld; derivatives are those of the branches taken\n", about.kinks);
    else if (isfinite(about.distance))
        printf("\nnearest border of a law: %s, %.3g away, at t = %.6g s\n", about.border, about.distance,
               about.distance_time);
    if (about.grazing)
        printf("impacts that nearly graze: %lld; their share of the gradient grows like 1/u_n\n", about.grazing);
}

int gradient_print(const carom_scene_file *file, const gradient_task *task)
{
    gradient_run g;
    bool fine = gradient_run_go(&g, file, task);
    if (fine && task->json) {
        json_t *summary = sim_report_json(&g.run, true);
        json_object_set_new(summary, "gradient", json_of(&g));
        json_print(stdout, summary, false);
        json_decref(summary);
    } else if (fine)
        print_text(&g);
    gradient_run_free(&g);
    return fine ? FINE : BAD_INPUT;
}
