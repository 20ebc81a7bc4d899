/* How the impulses of lzb change: its path, followed with partial derivatives along some directions at a time. */
#include <math.h>

#include "core/block_memory.h"
#include "core/num.h"
#include "derivative/pass.h"
#include "derivative/together_derivative.h"
#include "laws/together/together_call.h"

#define SAME_IMPULSE 1e-6 /* of the largest impulse: another path */

_Static_assert((int)PASS_COEFFS == (int)CAROM_COEFF_SLOTS, "pass.h");

#ifdef CAROM_HAS_DERIVATIVES

static int take_pass(const contacts_pass *in, double *p, double *dp)
{
#ifdef CAROM_HAS_DERIVATIVES_AVX2
    if (carom_isa_best() >= CAROM_ISA_AVX2)
        return carom_lzb_all_avx2(in, p, dp);
#endif
    return carom_lzb_all(in, p, dp);
}

size_t lzb_changes_work(const carom_contacts *x)
{
    return carom_lzb_size_all(x->count, x->dim, x->row[x->count]) + block_doubles((size_t)(x->count * x->dim));
}

/* Where the first instant decides: a contact that nothing presses and that opens, and one that presses without slip.
 * Where others press a contact that begins at rest, p has the same slope on both sides. */
static void find_border(const together_point *at, carom_together_changes *c)
{
    const carom_contacts *x = at->x;
    const double most = largest_of((size_t)(x->count * x->dim), x->u);
    for (int j = 0; j < x->count; j++) {
        const double *u = x->u + j * x->dim, slip = x->dim == 2 ? fabs(u[0]) : length_of(u[0], u[1]);
        if (together_normal(x, at->p, j) == 0)
            note_border(c, j, u[x->dim - 1], most, "u_n = 0");
        if (u[x->dim - 1] < 0 && at->rule->coeffs[j].mu > 0)
            note_border(c, j, slip, most, "u_t = 0");
    }
}

static bool is_same(const together_point *at, const double *p)
{
    const int n = at->x->count * at->x->dim;
    const double size = largest_of((size_t)n, at->p);
    for (int i = 0; i < n; i++)
        if (!(fabs(p[i] - at->p[i]) <= SAME_IMPULSE * size))
            return false;
    return true;
}

carom_status lzb_changes(const together_point *at, carom_together_changes *changes)
{
    const carom_contacts *x = at->x;
    const int n = x->count * x->dim;
    block_memory block = {at->work};
    double *p = take_doubles(&block, (size_t)n);
    contacts_pass in = {
        x->count, x->dim, x->row, x->column,           x->K,    x->u, (const double *)at->rule->coeffs, 0,
        {NULL},   {NULL}, {NULL}, at->rule->law->uses, block.at};
    find_border(at, changes);
    for (int first = 0; first < at->count; first += in.directions) {
        in.directions = at->count - first < PASS_DIRECTIONS ? at->count - first : PASS_DIRECTIONS;
        for (int k = 0; k < in.directions; k++) {
            const carom_together_variation *v = &at->directions[first + k];
            in.dK[k] = v->K;
            in.du[k] = v->u;
            in.dcoeffs[k] = (const double *)v->coeffs;
        }
        if (!take_pass(&in, p, changes->p + (ptrdiff_t)first * n) || !is_same(at, p))
            return CAROM_STATUS_NO_DERIVATIVE;
    }
    return CAROM_STATUS_OK;
}

#endif
