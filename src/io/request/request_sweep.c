/* Requests about one case or one scene at many values of its inputs. The points are solved one after the other. */
#include <math.h>
#include <stdlib.h>

#include "carom/statistics.h"
#include "carom/sweep.h"
#include "io/request/request.h"

enum { DRAWS = 1000 };
#define MOST_SEED 1e15

static bool use_vary(void *context, const char *text, carom_case_error *error)
{
    return carom_vary_add(context, "vary", text, error);
}

static bool use_random(void *context, const char *text, carom_case_error *error)
{
    return carom_vary_add_random(context, "random", text, error);
}

static bool read_variables(request *r, carom_variables *v)
{
    double count = DRAWS, seed = 1;
    bool fine = request_each(r, "vary", ',', use_vary, v) && request_each(r, "random", ':', use_random, v) &&
                request_number(r, "count", (request_range){1, CAROM_SWEEP_POINTS, true}, &count) &&
                request_number(r, "seed", (request_range){1, MOST_SEED, true}, &seed);
    v->draws = (long)count;
    v->seed = (uint64_t)seed;
    return fine;
}

/* ---- rows ---- */

static json_t *columns_of(const carom_sweep *s)
{
    json_t *list = json_array();
    for (int i = 0; i < s->v.count; i++)
        json_array_append_new(list, json_string(s->v.list[i].name));
    for (int k = 0; k < carom_sweep_words(s); k++)
        json_array_append_new(list, json_string(carom_sweep_word_name(s, k)));
    for (int k = 0; k < carom_sweep_numbers(s); k++)
        json_array_append_new(list, json_string(carom_sweep_number_name(s, k)));
    return list;
}

static json_t *number_or_null(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *row_of(const carom_sweep_point *p)
{
    const carom_sweep *s = p->sweep;
    json_t *row = json_array();
    char word[CAROM_QUANTITY_WORD];
    for (int i = 0; i < s->v.count; i++)
        json_array_append_new(row, json_real(p->values[i]));
    for (int k = 0; k < carom_sweep_words(s); k++) {
        carom_sweep_word(p, k, word);
        json_array_append_new(row, json_string(word));
    }
    for (int k = 0; k < carom_sweep_numbers(s); k++)
        json_array_append_new(row, number_or_null(carom_sweep_number(p, k)));
    return row;
}

/* ---- statistics ---- */

static json_t *summary_of(const char *name, const double *state)
{
    const carom_summary all = carom_statistics_summary(state, 1);
    json_t *out = json_pack("{s:s, s:f}", "quantity", name, "count", all.count), *percentiles = json_object();
    json_object_set_new(out, "mean", number_or_null(all.mean));
    json_object_set_new(out, "deviation", number_or_null(all.deviation));
    json_object_set_new(out, "least", number_or_null(all.least));
    for (int i = 0; i < CAROM_SUMMARY_PERCENTS; i++) {
        char key[CAROM_NUMBER_SIZE];
        carom_number_print(key, carom_summary_percent(i));
        json_object_set_new(percentiles, key, number_or_null(all.percentile[i]));
    }
    json_object_set_new(out, "percentiles", percentiles);
    json_object_set_new(out, "most", number_or_null(all.most));
    return out;
}

/* Of all columns of numbers, in one share. */
static json_t *statistics_of(const carom_sweep *s, const double *numbers, long total)
{
    json_t *list = json_array();
    double *state = NULL;
    for (int k = 0; k < carom_sweep_numbers(s); k++) {
        free(state);
        state = calloc(carom_statistics_room(1), sizeof *state);
        if (!state)
            break;
        carom_statistics_add(state, 0, numbers + (size_t)k * (size_t)total, (size_t)total);
        json_array_append_new(list, summary_of(carom_sweep_number_name(s, k), state));
    }
    free(state);
    return list;
}

/* ---- all points ---- */

static bool goes_on(const request *r, long i, long total)
{
    return !r->watcher || !r->watcher->watch || r->watcher->watch(r->watcher->context, (double)i / (double)total);
}

/* Solve all points: rows, or numbers by columns. False when the watcher ends it or a point cannot be opened. */
static bool solve_all(request *r, const carom_sweep *s, json_t *rows, double *numbers)
{
    carom_sweep_point p;
    carom_case_error error;
    const long total = carom_sweep_total(s);
    bool fine = carom_sweep_open(&p, s, &r->reply->error);
    for (long i = 0; fine && i < total; i++) {
        carom_sweep_solve(&p, i, &error);
        if (rows)
            json_array_append_new(rows, row_of(&p));
        for (int k = 0; numbers && k < carom_sweep_numbers(s); k++)
            numbers[(size_t)k * (size_t)total + (size_t)i] = carom_sweep_number(&p, k);
        fine = goes_on(r, i, total) || request_fail(r, "", "stopped");
    }
    if (fine && p.refused == total) {
        r->reply->error = p.first;
        fine = false;
    }
    carom_sweep_close(&p);
    return fine;
}

/* The answer of a sweep that has been checked: {columns, rows} or {statistics}. */
static bool answer_sweep(request *r, const carom_sweep *s, bool statistics)
{
    const size_t room = (size_t)carom_sweep_total(s) * (size_t)carom_sweep_numbers(s);
    double *numbers = statistics ? malloc(room * sizeof *numbers + 1) : NULL;
    json_t *rows = statistics ? NULL : json_array();
    if (statistics && !numbers)
        return request_fail(r, "", "out of memory");
    bool fine = solve_all(r, s, rows, numbers);
    if (fine && statistics)
        r->reply->answer = json_pack("{s:o}", "statistics", statistics_of(s, numbers, carom_sweep_total(s)));
    else if (fine)
        r->reply->answer = json_pack("{s:o, s:o}", "columns", columns_of(s), "rows", json_incref(rows));
    json_decref(rows);
    free(numbers);
    return fine;
}

bool carom_internal_request_sweep(request *r)
{
    static const char *const options[] = {"vary", "random", "count", "seed", "statistics", NULL};
    carom_case_error *error = &r->reply->error;
    bool statistics = false;
    carom_case c = {0};
    carom_sweep s = {.settings = &r->settings, .c = &c};
    bool fine = request_options(r, true, options) && request_flag(r, "statistics", &statistics) &&
                read_variables(r, &s.v) && request_case(r, &c, false) && carom_case_check(&c, error) &&
                carom_settings_warn(&r->settings, &c, error) && carom_sweep_warn(&s, &r->settings, &c, error) &&
                carom_sweep_check(&s, error) && answer_sweep(r, &s, statistics);
    carom_vary_free(&s.v);
    carom_case_free(&c);
    return fine;
}

bool carom_internal_request_ensemble(request *r)
{
    static const char *const options[] = {"vary",       "random", "count",   "seed", "record",
                                          "statistics", "time",   "impacts", "rate", NULL};
    bool statistics = false;
    carom_scene_file file = {0};
    request_limits l;
    carom_sweep s = {.file = &file, .change = {request_change_scene, &l}};
    bool fine = request_options(r, true, options) && request_flag(r, "statistics", &statistics) &&
                read_variables(r, &s.v) && request_read_scene(r, &l, &file);
    char *record = fine ? request_list(r, "record") : NULL;
    fine = fine && carom_records_read(&s.records, "record", record ? record : "time,impacts,energy.after", &file,
                                      &r->reply->error);
    if (fine)
        carom_sweep_tell_apart(&s);
    fine = fine && carom_sweep_check(&s, &r->reply->error) && answer_sweep(r, &s, statistics);
    free(record);
    carom_vary_free(&s.v);
    carom_scene_free(&file);
    return fine;
}
