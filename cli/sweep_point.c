#include <stdio.h>
#include <string.h>

#include "csv.h"
#include "sweep.h"

bool solver_open(solver *x, const sweep *s)
{
    memset(x, 0, sizeof *x);
    x->s = s;
    return s->kind->open(x);
}

void solver_close(solver *x)
{
    if (x->s)
        x->s->kind->close(x);
    carom_inputs_close(&x->input);
}

bool solver_point(solver *x, long i, double values[VARY_MOST], carom_case_error *error)
{
    carom_study_values(&x->s->v, i, values);
    bool fine = x->s->kind->solve(x, values, error);
    if (!fine && !x->refused++)
        snprintf(x->first_refusal, sizeof x->first_refusal, "%s", error->message);
    return fine;
}

void sweep_count_refused(sweep *s, const solver *x)
{
    if (x->refused && !s->refused)
        memcpy(s->first_refusal, x->first_refusal, sizeof s->first_refusal);
    s->refused += x->refused;
}

int sweep_column_count(const sweep *s)
{
    return s->v.count + s->kind->column_count(s);
}

const char *sweep_column(const sweep *s, int k)
{
    return k < s->v.count ? s->v.list[k].name : s->kind->column(s, k - s->v.count);
}

/* FNV-1a over all that decides the numbers. */
void sweep_identify(sweep *s, const char *text)
{
    for (; *text; text++)
        s->identity = (s->identity ^ (unsigned char)*text) * 0x100000001b3;
    s->identity = (s->identity ^ '\n') * 0x100000001b3;
}

/* ---- cases ---- */

static int case_column_count(const sweep *s)
{
    (void)s;
    return csv_column_count();
}

static const char *case_column(const sweep *s, int k)
{
    (void)s;
    return csv_column(k);
}

static bool open_case(solver *x)
{
    return varied_open(&x->input, &x->s->v, x->s->c, "--vary");
}

static void close_case(solver *x)
{
    carom_case_free(&x->c);
    carom_result_free(&x->result);
}

static bool solve_case(solver *x, const double *values, carom_case_error *error)
{
    carom_case *c = &x->c;
    carom_case_free(c);
    *c = (carom_case){0};
    if (!carom_inputs_case(&x->input, values, c, error) || !settings_apply(&x->s->settings, c, error))
        return false;
    carom_inputs_coefficients(&x->s->v, values, c); /* --vary counts more than --set */
    if (!carom_case_check(c, error))
        return false;
    carom_status status = carom_case_solve(c, &x->result);
    return !carom_status_is_refusal(status) || carom_case_refuse(c, status, error);
}

static double case_number(const solver *x, int k)
{
    return csv_number(&x->result, k);
}

static carom_status case_status(const solver *x)
{
    return x->result.outcome.status;
}

static void put_case_head(const sweep *s, FILE *out)
{
    (void)s;
    csv_head(out);
}

static void put_refused(FILE *out, const carom_case *c, const carom_case_error *error)
{
    fprintf(out, ",%s,%s,,", c->rule.law ? c->rule.law->id : "", carom_status_id(error->status));
    for (int k = 0; k < csv_column_count(); k++)
        fputc(',', out);
}

static void put_case(solver *x, const carom_case_error *error, FILE *out)
{
    if (error) {
        put_refused(out, &x->c, error);
        return;
    }
    csv_words(out, &x->c, &x->result);
    csv_numbers(out, &x->result);
}

static json_t *case_json(solver *x, const carom_case_error *error)
{
    return error ? carom_case_error_answer(&x->c, error) : carom_case_answer(&x->c, &x->result);
}

const sweep_kind sweep_of_cases = {
    case_column_count, case_column, open_case, close_case, solve_case, case_number, case_status,
    put_case_head,     put_case,    case_json, 512,        512,        8192};
