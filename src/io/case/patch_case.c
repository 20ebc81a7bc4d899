/* A case whose contact has a patch or rolling resistance: which numbers it has, and the words of what is missing. */
#include <stdlib.h>
#include <string.h>

#include "carom/patch.h"
#include "io/case/reader.h"

int patch_numbers(const carom_case *c)
{
    if (c->together)
        return c->contacts.dim;
    if (c->patch.size > 0 || c->dim != 3)
        return c->patch.size > 0 ? c->patch.size : c->dim;
    return c->source == CAROM_SOURCE_BODIES || c->rows ? carom_patch_size(&c->rule.coeffs) : 3;
}

carom_status patch_problem(const carom_case *c, carom_patch_problem *problem)
{
    const carom_generalized links = patch_mechanism(c);
    *problem = c->patch;
    if (c->rows)
        return carom_patch_reduce_generalized(&links, problem);
    return c->source == CAROM_SOURCE_BODIES
               ? carom_patch_reduce_bodies(&c->bodies[0], &c->bodies[1], &c->pairs->contact, patch_numbers(c), problem)
               : CAROM_STATUS_OK;
}

carom_generalized patch_mechanism(const carom_case *c)
{
    carom_generalized mechanism = c->mechanism;
    mechanism.dim = patch_numbers(c);
    return mechanism;
}

void patch_speeds(const carom_case *c, carom_cvec p, carom_cspin m, double *qdot)
{
    const carom_generalized with_spin = patch_mechanism(c);
    if (with_spin.dim > 3)
        carom_patch_apply_generalized(&with_spin, p, m, qdot);
    else
        carom_generalized_apply(&c->mechanism, p, qdot);
}

/* ---- contacts that are solved together ---- */

static int numbers_needed(const carom_case *c)
{
    int needed = c->dim;
    for (int i = 0; i < c->count && c->dim == 3; i++)
        needed = carom_patch_size(&c->coeffs[i]) > needed ? carom_patch_size(&c->coeffs[i]) : needed;
    return needed;
}

void take_rows(carom_case *c, int count)
{
    const size_t n = (size_t)c->mechanism.n, block = (size_t)count * n;
    double *J = c->numbers + n * n;
    for (size_t i = 0; i < (size_t)c->count; i++)
        memcpy(J + i * block, c->rows + i * CAROM_PATCH_SIZE * n, block * sizeof *J);
}

static bool fit_links(carom_case *c)
{
    const int needed = numbers_needed(c);
    carom_generalized_contacts all = all_contacts(c);
    all.dim = needed;
    void *memory = calloc(1, carom_generalized_contacts_size(&all));
    carom_contacts made;
    if (!memory)
        return false;
    take_rows(c, needed);
    if (carom_generalized_contacts_reduce(&all, memory, &made) != CAROM_STATUS_OK) {
        take_rows(c, c->mechanism.dim);
        free(memory);
        return false;
    }
    free(c->reduced);
    c->reduced = memory;
    c->contacts = made;
    c->mechanism.dim = needed;
    return true;
}

bool fit_spins(carom_case *c)
{
    const carom_bodies set = {c->body_count, c->bodies, c->count, c->pairs, numbers_needed(c)};
    if (!c->together || set.dim == c->contacts.dim || (c->source != CAROM_SOURCE_BODIES && !c->rows))
        return true;
    if (c->rows)
        return fit_links(c);
    void *memory = malloc(carom_bodies_size(&set));
    carom_contacts made;
    if (!memory || carom_bodies_contacts(&set, memory, &made) != CAROM_STATUS_OK) {
        free(memory);
        return false;
    }
    free(c->reduced);
    c->reduced = memory;
    c->contacts = made;
    return true;
}

/* ---- checks ---- */

static bool check_together(const reader *r, const carom_case *c)
{
    const bool spins = c->together_rule.law && c->together_rule.law->uses & CAROM_USES(patch);
    for (int i = 0; i < c->count && spins; i++) {
        static const place coefficients = {NULL, "coefficients"};
        const int needed = carom_patch_size(&c->coeffs[i]);
        const place at = {&coefficients, needed == 6 ? "rho" : "patch"};
        if (needed > 3 && c->dim == 2)
            return reader_fail(r, &at, "has no meaning in a planar case: nothing spins about the normal");
        if (needed > 3 && needed > c->contacts.dim)
            return reader_fail(r, &at, "needs %d numbers per contact: [t1, t2, n, w_n%s]", needed,
                               needed == 6 ? ", w_t1, w_t2" : "");
    }
    return true;
}

/* The numbers that the coefficients need are there. */
bool check_patch(const reader *r, const carom_case *c)
{
    static const place coefficients = {NULL, "coefficients"};
    const carom_coeffs *k = &c->rule.coeffs;
    const int needed = carom_patch_size(k);
    const place at = {&coefficients, k->rho > 0 ? "rho" : "patch"};
    if (c->together)
        return check_together(r, c);
    if (needed == 3 || needed <= patch_numbers(c))
        return true;
    if (c->dim == 2)
        return reader_fail(r, &at, "has no meaning in a planar case: nothing spins about the normal");
    if (c->source == CAROM_SOURCE_REDUCED)
        return reader_fail(r, &at, "needs \"reduced\" with %d numbers: u = [t1, t2, n, w_n%s] and a %d x %d K", needed,
                           needed == 6 ? ", w_t1, w_t2" : "", needed, needed);
    return reader_fail(r, &at, "needs a mechanism given by M and a J of %d rows: t1, t2, n, w_n%s", needed,
                       needed == 6 ? ", w_t1, w_t2" : "");
}
