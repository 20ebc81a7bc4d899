#include "sim_ensemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/run_record.h"
#include "csv.h"
#include "output.h"
#include "sim_run.h"

enum { ENSEMBLE_DRAWS = 1000 }; /* unless --count says otherwise */

#define DEFAULT_RECORD "time,impacts,energy.after"

/* What one thread has of the run at hand. */
typedef struct outcome {
    double number[RECORDS_MOST];
    carom_sim_stop stop;
} outcome;

static const ensemble *ensemble_of(const sweep *s)
{
    return s->ensemble;
}

static int column_count(const sweep *s)
{
    return ensemble_of(s)->records.count;
}

static const char *column(const sweep *s, int k)
{
    return ensemble_of(s)->records.list[k].name;
}

/* ---- one run ---- */

static bool open_scene(solver *x)
{
    const ensemble *e = ensemble_of(x->s);
    x->own = must_have(calloc(1, sizeof(outcome)));
    return varied_open_scene(&x->input, &x->s->v, e->file, "--vary");
}

static void close_scene(solver *x)
{
    free(x->own);
}

static bool run_scene(solver *x, const carom_scene_file *file, carom_case_error *error)
{
    const ensemble *e = ensemble_of(x->s);
    outcome *out = x->own;
    carom_sim *sim = NULL;
    carom_sim_error blame = {CAROM_STATUS_OK, -1, -1, 0};
    carom_status status = carom_sim_create(&file->scene, &sim_memory, &sim, &blame);
    if (!status) {
        status = carom_sim_advance(sim, &file->until, &out->stop);
        blame = carom_sim_blame(sim);
    }
    for (int k = 0; k < e->records.count && !status; k++)
        out->number[k] = carom_record_value(&e->records.list[k], file, sim);
    carom_sim_free(sim);
    if (status)
        carom_scene_refuse(file, status, &blame, error);
    return status == CAROM_STATUS_OK;
}

static bool solve_scene(solver *x, const double *values, carom_case_error *error)
{
    carom_scene_file file;
    bool fine =
        carom_inputs_scene(&x->input, values, &ensemble_of(x->s)->change, &file, error) && run_scene(x, &file, error);
    carom_scene_free(&file);
    return fine;
}

static double number(const solver *x, int k)
{
    return ((const outcome *)x->own)->number[k];
}

static carom_status status(const solver *x)
{
    (void)x;
    return CAROM_STATUS_OK;
}

/* ---- rows ---- */

static void put_head(const sweep *s, FILE *out)
{
    fputs(",status", out);
    for (int k = 0; k < column_count(s); k++) {
        fputc(',', out);
        carom_csv_text(out, column(s, k));
    }
}

static void put_row(solver *x, const carom_case_error *error, FILE *out)
{
    const outcome *o = x->own;
    fprintf(out, ",%s", error ? carom_status_id(error->status) : carom_sim_stop_word(o->stop));
    for (int k = 0; k < column_count(x->s); k++) {
        char text[CAROM_NUMBER_SIZE] = "";
        if (!error)
            carom_number_print(text, o->number[k]);
        fprintf(out, ",%s", text);
    }
}

static json_t *row_json(solver *x, const carom_case_error *error)
{
    const outcome *o = x->own;
    json_t *row = json_object(), *numbers = json_object();
    json_object_set_new(row, "status",
                        json_string(error ? carom_status_id(error->status) : carom_sim_stop_word(o->stop)));
    if (error)
        json_object_set_new(row, "message", json_string(error->message));
    for (int k = 0; k < column_count(x->s) && !error; k++)
        json_object_set_new(numbers, column(x->s, k), json_real(o->number[k]));
    json_object_set_new(row, "record", numbers);
    return row;
}

/* Runs are long: threads and ranks take few of them at a time. */
static const sweep_kind sweep_of_scenes = {column_count, column,  open_scene, close_scene, solve_scene, number, status,
                                           put_head,     put_row, row_json,   16,          32,          1024};

void ensemble_start(ensemble *e, const char *command, bool shared)
{
    sweep *s = &e->sweep;
    s->kind = &sweep_of_scenes;
    s->command = command;
    s->v.seed = 1;
    s->identity = SWEEP_IDENTITY;
    s->ensemble = e;
    s->ranks = (ranks){0, 1};
    if (shared)
        s->ranks = ranks_start();
    s->threads = sweep_threads(s);
}

void ensemble_end(ensemble *e)
{
    carom_vary_free(&e->sweep.v);
    ranks_end();
}

/* ---- all points ---- */

/* A number of the end that is varied at the start has a column of its own name. */
static void tell_apart(ensemble *e)
{
    for (int k = 0; k < e->records.count; k++)
        for (int i = 0; i < e->sweep.v.count; i++)
            if (strcmp(e->records.list[k].name, e->sweep.v.list[i].name) == 0) {
                char name[RECORD_NAME];
                snprintf(name, sizeof name, "end.%.150s", e->records.list[k].name);
                memcpy(e->records.list[k].name, name, sizeof name);
            }
}

/* The quantities of --statistics are columns, too. */
static bool read_records(ensemble *e, const carom_scene_file *file)
{
    records chosen = {0};
    sweep *s = &e->sweep;
    const char *rows = e->record ? e->record : e->statistics ? NULL : DEFAULT_RECORD;
    if ((rows && !records_read(&e->records, "--record", rows, file)) ||
        (e->statistics && (!records_read(&e->records, "--statistics", e->statistics, file) ||
                           !records_read(&chosen, "--statistics", e->statistics, file))))
        return false;
    if (chosen.count > QUANTITIES_MOST) {
        complain("--statistics: %d numbers are too many; the most is %d", chosen.count, QUANTITIES_MOST);
        return false;
    }
    for (int k = 0; k < chosen.count; k++)
        s->quantity[s->quantities++] = carom_records_find(&e->records, chosen.list[k].name);
    tell_apart(e);
    return true;
}

static void identify_scene(sweep *s, const carom_scene_file *file)
{
    char *text = must_have(json_text(file->document, 17));
    sweep_identify(s, text);
    free(text);
}

/* Paths lead to numbers, and the laws have the coefficients. */
static bool check_variables(const sweep *s, const carom_scene_file *file)
{
    varied trial;
    bool leads = varied_open_scene(&trial, &s->v, file, "--vary");
    carom_inputs_close(&trial);
    for (int i = 0; i < s->v.count && leads; i++) {
        carom_coeff coeff = s->v.list[i].coeff;
        bool used = coeff == CAROM_COEFF_COUNT || (file->scene.rule.law->uses >> coeff & 1);
        for (int k = 0; k < file->scene.pair_count; k++)
            used |= coeff < CAROM_COEFF_COUNT && (file->pairs[k].rule.law->uses >> coeff & 1);
        if (!used) {
            complain("--vary: the law does not use %s", s->v.list[i].name);
            return false;
        }
    }
    return leads;
}

int ensemble_run(ensemble *e, const carom_scene_file *file, const char *output)
{
    sweep *s = &e->sweep;
    s->output = output;
    s->v.draws = s->v.draws ? s->v.draws : ENSEMBLE_DRAWS;
    e->file = file;
    identify_scene(s, file);
    if (!read_records(e, file) || !check_variables(s, file) || !sweep_check_output(s) || !sweep_check_ranks(s) ||
        !sweep_check_total(s))
        return BAD_INPUT;
    return sweep_run(s);
}
