#include "carom/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/heap.h"
#include "carom/json_short.h"

/* ---- the table ---- */

long carom_sweep_total(const carom_sweep *s)
{
    return (long)carom_study_total(&s->v);
}

int carom_sweep_words(const carom_sweep *s)
{
    return s->file ? 1 : CAROM_QUANTITY_WORDS;
}

const char *carom_sweep_word_name(const carom_sweep *s, int k)
{
    return s->file ? "status" : carom_quantity_word_name(k);
}

int carom_sweep_numbers(const carom_sweep *s)
{
    return s->file ? s->records.count : carom_quantity_count();
}

const char *carom_sweep_number_name(const carom_sweep *s, int k)
{
    return s->file ? s->records.list[k].name : carom_quantity_name(k);
}

void carom_sweep_tell_apart(carom_sweep *s)
{
    for (int k = 0; k < s->records.count; k++)
        for (int i = 0; i < s->v.count; i++)
            if (strcmp(s->records.list[k].name, s->v.list[i].name) == 0) {
                char name[CAROM_END_NUMBER_NAME];
                snprintf(name, sizeof name, "end.%.150s", s->records.list[k].name);
                memcpy(s->records.list[k].name, name, sizeof name);
            }
}

/* ---- checks ---- */

static bool open_inputs(carom_inputs *input, const carom_sweep *s, carom_case_error *error)
{
    return s->file ? carom_inputs_open_scene(input, &s->v, s->file, "vary", error)
                   : carom_inputs_open(input, &s->v, s->c, "vary", error);
}

/* Does a law of the scene use the coefficient? Of a case that is a warning of the caller. */
static bool scene_uses(const carom_scene_file *file, carom_coeff coeff)
{
    bool used = coeff == CAROM_COEFF_COUNT || (file->scene.rule.law->uses >> coeff & 1);
    for (int k = 0; k < file->scene.pair_count && !used; k++)
        used = file->pairs[k].rule.law->uses >> coeff & 1;
    return used;
}

bool carom_sweep_check(const carom_sweep *s, carom_case_error *error)
{
    const double total = carom_study_total(&s->v);
    carom_inputs trial = {0};
    if (s->v.count == 0)
        return carom_request_fail(error, "", "nothing to vary; say --vary NAME=FROM:TO:COUNT");
    if (!(total <= CAROM_SWEEP_POINTS))
        return carom_request_fail(error, "", "%.6g points are too many; the most is %g", total, CAROM_SWEEP_POINTS);
    bool leads = open_inputs(&trial, s, error);
    carom_inputs_close(&trial);
    for (int i = 0; leads && s->file && i < s->v.count; i++)
        if (!scene_uses(s->file, s->v.list[i].coeff))
            return carom_request_fail(error, "vary", "the law does not use %s", s->v.list[i].name);
    return leads;
}

bool carom_sweep_warn(const carom_sweep *s, carom_settings *settings, carom_case *c, carom_case_error *error)
{
    const uint64_t uses = c->together ? c->together_rule.law->uses : c->rule.law->uses;
    for (int i = 0; i < s->v.count; i++) {
        const carom_variable *one = &s->v.list[i];
        if (one->coeff < CAROM_COEFF_COUNT && !(uses >> one->coeff & 1) &&
            !carom_settings_raise(settings, c, CAROM_WARNING_SWEEP, error, "%s does not use %s", carom_case_law(c),
                                  one->name))
            return false;
    }
    return true;
}

/* ---- points ---- */

bool carom_sweep_open(carom_sweep_point *p, const carom_sweep *s, carom_case_error *error)
{
    memset(p, 0, sizeof *p);
    p->sweep = s;
    return open_inputs(&p->input, s, error);
}

void carom_sweep_close(carom_sweep_point *p)
{
    carom_case_free(&p->c);
    carom_result_free(&p->result);
    carom_inputs_close(&p->input);
}

/* The case at the values of the paths; where these are as before it is there already. */
static bool read_case(carom_sweep_point *p, carom_case_error *error)
{
    if (p->read && !carom_inputs_differ(&p->input, p->values, p->read_at))
        return true;
    carom_case_free(&p->c);
    memcpy(p->read_at, p->values, sizeof p->values);
    return p->read = carom_inputs_case(&p->input, p->values, &p->c, error) &&
                     carom_settings_apply(p->sweep->settings, &p->c, error);
}

static bool prepare_case(carom_sweep_point *p, carom_case_error *error)
{
    if (!read_case(p, error))
        return false;
    carom_inputs_coefficients(&p->sweep->v, p->values, &p->c); /* "vary" counts more than "set" */
    return carom_case_check(&p->c, error);
}

static bool finish_case(carom_sweep_point *p, const carom_outcome *outcome, carom_case_error *error)
{
    p->status = outcome ? carom_case_finish(&p->c, outcome, &p->result) : carom_case_solve(&p->c, &p->result);
    return !carom_status_is_refusal(p->status) || carom_case_refuse(&p->c, p->status, error);
}

static bool run_scene(carom_sweep_point *p, const carom_scene_file *file, carom_case_error *error)
{
    const carom_memory memory = {carom_heap_resize, NULL};
    const carom_records *records = &p->sweep->records;
    carom_sim *sim = NULL;
    carom_sim_error blame = {CAROM_STATUS_OK, -1, -1, 0};
    p->status = carom_sim_create(&file->scene, &memory, &sim, &blame);
    if (!p->status) {
        p->status = carom_sim_advance(sim, &file->until, &p->stop);
        blame = carom_sim_blame(sim);
    }
    for (int k = 0; k < records->count && !p->status; k++)
        p->numbers[k] = carom_end_number_value(&records->list[k], file, sim);
    carom_sim_free(sim);
    return !p->status || carom_scene_refuse(file, p->status, &blame, error);
}

static bool solve_scene(carom_sweep_point *p, carom_case_error *error)
{
    carom_scene_file file;
    bool fine = carom_inputs_scene(&p->input, p->values, &p->sweep->change, &file, error) && run_scene(p, &file, error);
    carom_scene_free(&file);
    return fine;
}

/* A point is refused, or not. */
static bool settle(carom_sweep_point *p, bool fine, const carom_case_error *error)
{
    if (fine)
        return true;
    p->status = error->status;
    if (!p->refused++) {
        p->first_at = p->number;
        p->first = *error;
    }
    return false;
}

bool carom_sweep_prepare(carom_sweep_point *p, long i, carom_case_error *error)
{
    p->number = i;
    p->solved = false;
    error->status = CAROM_STATUS_OK;
    carom_study_values(&p->sweep->v, i, p->values);
    return settle(p, p->sweep->file || prepare_case(p, error), error);
}

bool carom_sweep_finish(carom_sweep_point *p, const carom_outcome *outcome, carom_case_error *error)
{
    error->status = CAROM_STATUS_OK;
    p->solved = p->sweep->file ? solve_scene(p, error) : finish_case(p, outcome, error);
    return settle(p, p->solved, error);
}

bool carom_sweep_solve(carom_sweep_point *p, long i, carom_case_error *error)
{
    return carom_sweep_prepare(p, i, error) && carom_sweep_finish(p, NULL, error);
}

double carom_sweep_number(const carom_sweep_point *p, int k)
{
    return !p->solved ? (double)NAN : p->sweep->file ? p->numbers[k] : carom_quantity_value(&p->c, &p->result, k);
}

void carom_sweep_word(const carom_sweep_point *p, int k, char text[CAROM_QUANTITY_WORD])
{
    const char *name = carom_sweep_word_name(p->sweep, k);
    if (p->solved && !p->sweep->file)
        carom_quantity_word(&p->c, &p->result, k, text);
    else if (strcmp(name, "status") == 0)
        snprintf(text, CAROM_QUANTITY_WORD, "%s",
                 p->solved ? carom_sim_stop_word(p->stop) : carom_status_id(p->status));
    else
        snprintf(text, CAROM_QUANTITY_WORD, "%s", strcmp(name, "law") == 0 && p->c.rule.law ? p->c.rule.law->id : "");
}

/* ---- JSON ---- */

static json_t *scene_json(const carom_sweep_point *p, const carom_case_error *error)
{
    json_t *row = json_object(), *numbers = json_object();
    char status[CAROM_QUANTITY_WORD];
    carom_sweep_word(p, 0, status);
    json_object_set_new(row, "status", json_string(status));
    if (error)
        json_object_set_new(row, "message", json_string(error->message));
    for (int k = 0; k < p->sweep->records.count && !error; k++)
        json_object_set_new(numbers, p->sweep->records.list[k].name, json_real(p->numbers[k]));
    json_object_set_new(row, "record", numbers);
    return row;
}

carom_json *carom_sweep_json(const carom_sweep_point *p, const carom_case_error *error)
{
    const carom_sweep *s = p->sweep;
    json_t *values = json_object(), *row = json_object();
    json_t *answer = s->file ? scene_json(p, error)
                     : error ? carom_case_error_answer(&p->c, error)
                             : carom_case_answer(&p->c, &p->result);
    for (int i = 0; i < s->v.count; i++)
        json_object_set_new(values, s->v.list[i].name, json_real(p->values[i]));
    json_object_set_new(row, "vary", values);
    json_object_update(row, answer);
    json_decref(answer);
    return row;
}
