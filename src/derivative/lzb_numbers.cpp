// lzb, the law of several contacts with a path, with partial derivatives: one for every direction of a pass.
#if PARTIALS > 1
#include "derivative/numbers_begin.hpp"

namespace
{
#include "core/lu.c"
#include "core/taylor.c"
#include "laws/together/lzb.c"
#include "laws/together/lzb_events.c"
#include "laws/together/lzb_grip.c"
#include "laws/together/lzb_series.c"
#include "laws/together/together_linear.c"
#include "laws/together/together_walk.c"

// What a plastic step ends is below 1e-13 of the velocities: its partials are left out.
size_t cone_work(const carom_contacts *)
{
    return 0;
}

cone_end cone_solve(const cone_problem *, number *, mode_solution *, void *)
{
    return {};
}

number *numbers_of(block_memory *block, int count, const real *values, const real *const *changes, int directions)
{
    number *x = take_doubles(block, (size_t)count);
    for (int i = 0; i < count; i++) {
        x[i] = values[i];
        for (int k = 0; k < directions; k++)
            x[i].partials()[k] = changes[k] ? changes[k][i] : 0;
    }
    return x;
}

// Coefficients that the law does not use have no partials.
const carom_coeffs *coeffs_of(block_memory *block, const contacts_pass *in)
{
    number *x = numbers_of(block, in->count * PASS_COEFFS, in->coeffs, in->dcoeffs, in->directions);
    for (int i = 0; i < in->count * PASS_COEFFS; i++)
        if (!(in->uses >> i % PASS_COEFFS & 1))
            x[i] = x[i].v;
    return (const carom_coeffs *)x;
}

void write_out(const number *x, int count, int directions, real *values, real *changes)
{
    for (int i = 0; i < count; i++) {
        values[i] = x[i].v;
        for (int k = 0; k < directions; k++)
            changes[k * count + i] = x[i].partials()[k];
    }
}
} // namespace

static_assert(sizeof(carom_coeffs) == PASS_COEFFS * sizeof(number) && PASS_DIRECTIONS <= PARTIALS, "pass.h");

unsigned long PASS_NAME(lzb_size)(int count, int dim, int blocks)
{
    const carom_contacts shape = {count, dim, NULL, NULL, NULL, NULL};
    const int n = count * dim;
    return work(&shape, NULL) + block_doubles((size_t)(blocks * dim * dim + 2 * n + count * PASS_COEFFS));
}

int PASS_NAME(lzb)(const contacts_pass *in, real *p, real *dp)
{
    block_memory block = {(char *)in->work};
    const int n = in->count * in->dim, numbers = in->row[in->count] * in->dim * in->dim;
    const number *K = numbers_of(&block, numbers, in->K, in->dK, in->directions);
    const number *u = numbers_of(&block, n, in->u, in->du, in->directions);
    const carom_contacts x = {in->count, in->dim, in->row, in->column, K, u};
    carom_together_rule rule = {&carom_together_lzb, coeffs_of(&block, in), NULL, {}, NULL, 0, 0};
    carom_together_outcome out = {};
    out.p = take_doubles(&block, (size_t)n);
    const carom_together_call call = {&x, &rule, NULL, NULL, block.at};
    if (solve(&call, &out) != CAROM_STATUS_OK)
        return false;
    write_out(out.p, n, in->directions, p, dp);
    return true;
}
#endif
