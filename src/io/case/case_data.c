/* The memory of a case, its contacts one by one, and what commands change. */
#include <stdlib.h>
#include <string.h>

#include "io/case/reader.h"

bool case_allocate(const reader *r, carom_case *c, size_t bodies, size_t numbers)
{
    const size_t pairs = (size_t)c->count * sizeof *c->pairs, coeffs = (size_t)c->count * sizeof *c->coeffs;
    const size_t motions = bodies * sizeof *c->bodies, names = bodies * sizeof *c->names;
    char *block = malloc(pairs + coeffs + motions + names + numbers * sizeof *c->numbers);
    if (!block)
        return reader_fail(r, NULL, "out of memory");
    memset(block, 0, pairs + coeffs + motions + names);
    c->memory = block;
    c->pairs = (carom_pair *)(void *)block;
    c->coeffs = (carom_coeffs *)(void *)(block + pairs);
    c->bodies = (carom_body *)(void *)(block + pairs + coeffs);
    c->names = (const char **)(void *)(block + pairs + coeffs + motions);
    c->numbers = (double *)(void *)(block + pairs + coeffs + motions + names);
    c->body_count = (int)bodies;
    return true;
}

bool case_reduced(const reader *r, carom_case *c, size_t bytes)
{
    c->reduced = calloc(1, bytes > 0 ? bytes : 1);
    return c->reduced || reader_fail(r, NULL, "out of memory");
}

void carom_case_free(carom_case *c)
{
    carom_json_free(c->document);
    free(c->memory);
    free(c->reduced);
    free(c->vibration);
    free(c->saltation);
    c->document = NULL;
    c->memory = c->reduced = c->vibration = NULL;
    c->rule.vibration = NULL;
    c->saltation = NULL;
}

/* ---- contact i ---- */

static carom_cvec row_of(const carom_case *c, const double *rows, int i)
{
    const double *x = rows + (ptrdiff_t)i * c->contacts.dim;
    return (carom_cvec){x[0], c->dim == 3 ? x[1] : 0, x[c->dim - 1]};
}

const carom_coeffs *carom_case_coeffs(const carom_case *c, int i)
{
    return c->together ? &c->coeffs[i] : &c->rule.coeffs;
}

carom_cvec carom_case_u(const carom_case *c, int i)
{
    return c->together ? row_of(c, c->contacts.u, i) : c->problem.u;
}

carom_cvec carom_result_p(const carom_case *c, const carom_result *result, int i)
{
    return c->together ? row_of(c, result->together.p, i) : result->outcome.p;
}

carom_cvec carom_result_u_after(const carom_case *c, const carom_result *result, int i)
{
    return c->together ? row_of(c, result->together.u_after, i) : result->outcome.u_after;
}

/* Of rows of impulses or of velocities of all contacts. */
static carom_cspin spins_of(const carom_case *c, const double *rows, int i)
{
    const int dim = c->contacts.dim;
    const double *x = rows + (ptrdiff_t)i * dim;
    return (carom_cspin){dim > 3 ? x[3] : 0, dim > 4 ? x[4] : 0, dim > 4 ? x[5] : 0};
}

carom_cspin carom_result_m(const carom_case *c, const carom_result *result, int i)
{
    return c->together ? spins_of(c, result->together.p, i) : result->outcome.turning.m;
}

carom_cspin carom_result_w_after(const carom_case *c, const carom_result *result, int i)
{
    return c->together ? spins_of(c, result->together.u_after, i) : result->outcome.turning.w_after;
}

/* ---- the law ---- */

const char *carom_case_law(const carom_case *c)
{
    const carom_together *together = c->together_rule.law;
    return c->together ? together ? together->id : "" : c->rule.law ? c->rule.law->id : "";
}

unsigned carom_case_traits(const carom_case *c)
{
    const carom_together *together = c->together_rule.law;
    return c->together ? together ? together->traits : 0 : c->rule.law ? c->rule.law->traits : 0;
}

uint64_t carom_case_law_uses(const carom_case *c)
{
    const carom_together *together = c->together_rule.law;
    return c->together ? together ? together->uses : 0 : c->rule.law ? c->rule.law->uses : 0;
}

void carom_case_take_coefficient(carom_case *c, carom_coeff i, const carom_coeffs *from)
{
    carom_coeffs_take(&c->rule.coeffs, i, from);
    for (int k = 0; c->together && k < c->count; k++)
        carom_coeffs_take(&c->coeffs[k], i, from);
    case_take_speeds(c);
    (void)fit_spins(c);
}

void carom_case_set_coefficient(carom_case *c, carom_coeff i, double value)
{
    carom_coeffs one = {0};
    carom_coeffs_set(&one, i, value);
    carom_case_take_coefficient(c, i, &one);
}

void carom_case_set_option(carom_case *c, carom_option i, int choice)
{
    carom_options_set(&c->rule.options, i, choice);
    carom_options_set(&c->together_rule.options, i, choice);
}
