/* Recorded impacts from numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/fit/fit_rows.h"

static bool fail(const carom_fit_numbers *x, const char *key, const char *rule, carom_case_error *error)
{
    const carom_text text = {"data", x->number, NULL, 0};
    const reader r = {&text, error};
    const place at = {NULL, key};
    return reader_fail(&r, &at, "%s", rule);
}

/* What was measured, and its covariance where both numbers are known. */
static bool measure(const carom_fit_numbers *x, measurement *m, carom_case_error *error)
{
    int known = 0;
    for (int i = 0; i < x->dim; i++) {
        m->known[i] = !isnan(x->u_after[i]);
        m->value[i] = x->u_after[i];
        known += m->known[i];
        if (m->known[i] && !isfinite(m->value[i]))
            return fail(x, "u_after", "must be finite, or NaN where it was not measured", error);
    }
    for (int i = 0; i < x->dim; i++)
        for (int j = 0; j < x->dim; j++) {
            double entry = x->covariance[i * x->dim + j];
            if (m->known[i] && m->known[j] && (!isfinite(entry) || (i == j && !(entry > 0))))
                return fail(x, "sigma", "a standard deviation must be > 0", error);
            m->covariance[i * x->dim + j] = entry;
        }
    return known > 0 || fail(x, "u_after", "nothing was measured", error);
}

bool carom_fit_data_add_numbers(carom_fit_data *data, const carom_fit_numbers *x, carom_case_error *error)
{
    carom_problem problem;
    carom_status status = carom_problem_from_K(x->dim, x->K, x->u, &problem);
    if (status != CAROM_STATUS_OK)
        return fail(x, "K", carom_status_message(status), error);
    if (!(x->u[x->dim - 1] < 0))
        return fail(x, "u", "u_n must be < 0: the contact does not approach", error);
    if (!(x->weight >= 0 && isfinite(x->weight)))
        return fail(x, "weight", "must be a number >= 0", error);
    measurement *m = calloc(1, sizeof *m);
    if (!m)
        return fail(x, "", "out of memory", error);
    bool fine = measure(x, m, error);
    rows_contact(m, &problem, x->dim);
    m->group = x->group;
    m->weight = x->weight;
    add_trouble trouble = fine ? rows_add(data, &problem, x->dim, x->number, m) : ADD_FINE;
    free(m);
    if (trouble != ADD_FINE)
        return trouble == ADD_SINGULAR ? fail(x, "sigma", "the covariance must be positive definite", error)
                                       : fail(x, "", "out of memory", error);
    return fine;
}
