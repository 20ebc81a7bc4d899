#include <stdio.h>
#include <string.h>

#include "csv.h"
#include "sweep.h"

bool solver_open(solver *x, const sweep *s)
{
    memset(x, 0, sizeof *x);
    x->s = s;
    return varied_open(&x->input, &s->v, s->c, "--vary");
}

void solver_close(solver *x)
{
    varied_close(&x->input);
    carom_result_free(&x->result);
}

static bool solve(solver *x, const double *values, carom_case *c, carom_case_error *error)
{
    if (!varied_case(&x->input, values, c, error) || !settings_apply(&x->s->settings, c, error))
        return false;
    vary_coefficients(&x->s->v, values, c); /* --vary counts more than --set */
    if (!carom_case_check(c, error))
        return false;
    carom_status status = carom_case_solve(c, &x->result);
    return !carom_status_is_refusal(status) || carom_case_refuse(c, status, error);
}

bool solver_point(solver *x, long i, double values[VARY_MOST], carom_case *c, carom_case_error *error)
{
    vary_values(&x->s->v, i, values);
    bool fine = solve(x, values, c, error);
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
    return s->v.count + csv_column_count();
}

const char *sweep_column(const sweep *s, int k)
{
    return k < s->v.count ? s->v.list[k].name : csv_column(k - s->v.count);
}
