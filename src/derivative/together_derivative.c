/* Derivatives of an impact at several contacts: the value by carom_together_solve, then what its law knows of changes.
 */
#include "derivative/together_derivative.h"

#include <math.h>
#include <string.h>

#include "carom/assert.h"
#include "core/block_memory.h"
#include "core/num.h"

#define ON_BORDER 1e-12 /* of the largest impulse or velocity: nearer modes cannot be told apart */

typedef struct law_changes {
    const char *id;
    together_changes_of *of;
    together_changes_work *work;
} law_changes;

static const law_changes laws[] = {
    {"moreau", moreau_changes, moreau_changes_work},
#ifdef CAROM_HAS_DERIVATIVES
    {"lzb", lzb_changes, lzb_changes_work},
#endif
};

static const law_changes *changes_of(const carom_together *law)
{
    for (size_t i = 0; law && i < sizeof laws / sizeof laws[0]; i++)
        if (strcmp(laws[i].id, law->id) == 0)
            return &laws[i];
    return NULL;
}

bool carom_together_has_derivatives(const carom_together *law)
{
    return changes_of(law) != NULL;
}

/* The law's own workspace, rounded to doubles, comes last. */
static size_t solver_work(const carom_contacts *x, const carom_together_rule *rule)
{
    return block_doubles(carom_together_work(x, rule) / sizeof(double) + 1);
}

size_t carom_together_derivative_work(const carom_contacts *problem, const carom_together_rule *rule)
{
    const law_changes *law = changes_of(rule->law);
    const bool few = problem->count <= CAROM_TOGETHER_DERIVATIVE_MOST;
    return solver_work(problem, rule) + block_ints((size_t)problem->count) +
           block_doubles((size_t)(problem->count * problem->dim)) + (law && few ? law->work(problem) : 0);
}

static void clear(int n, int count, carom_together_changes *c)
{
    for (int i = 0; c->p && i < n * count; i++)
        c->p[i] = 0;
    for (int i = 0; c->u_after && i < n * count; i++)
        c->u_after[i] = 0;
    c->nonsmooth = false;
    c->border = "";
    c->contact = -1;
    c->distance = INFINITY;
}

/* du_after = du + K dp + dK p. */
static void add_velocities(const together_point *at, const double *zero, carom_together_changes *c)
{
    const int n = at->x->count * at->x->dim;
    for (int k = 0; k < at->count; k++) {
        double *du = c->u_after + (ptrdiff_t)k * n;
        const carom_together_variation *v = &at->directions[k];
        memcpy(du, v->u ? v->u : zero, (size_t)n * sizeof *du);
        add_blocks(at->x, at->x->K, c->p + (ptrdiff_t)k * n, du);
        if (v->K)
            add_blocks(at->x, v->K, at->p, du);
    }
}

static bool is_finite(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i];
    return sum - sum == 0;
}

carom_status carom_together_differentiate(const carom_contacts *problem, const carom_together_rule *rule,
                                          const carom_together_variation *directions, int count, void *work,
                                          carom_together_outcome *outcome, carom_together_changes *changes)
{
    CAROM_ASSERT(problem && rule && work && outcome && changes && changes->p && (directions || count == 0));
    const law_changes *law = problem->dim > 3 ? NULL : changes_of(rule->law); /* of point contacts */
    const int n = problem->count * problem->dim;
    block_memory block = {work};
    carom_together_mode *own = (carom_together_mode *)take_ints(&block, (size_t)problem->count);
    double *zero = take_doubles(&block, (size_t)n);
    carom_together_outcome out = *outcome;
    out.modes = outcome->modes ? outcome->modes : own;
    clear(n, count, changes);
    carom_status status = carom_together_solve(problem, rule, NULL, block.at, &out);
    out.modes = outcome->modes;
    *outcome = out;
    if (!carom_status_is_answer(status))
        return status;
    for (int i = 0; i < n; i++)
        zero[i] = 0;
    block.at += solver_work(problem, rule);
    const together_point at = {problem, rule, directions, count, out.p, out.modes ? out.modes : own, block.at};
    const bool moves = status != CAROM_STATUS_SEPARATING, few = problem->count <= CAROM_TOGETHER_DERIVATIVE_MOST;
    carom_status passed =
        law && few && !(out.flags & CAROM_FLAG_REDUNDANT) ? CAROM_STATUS_OK : CAROM_STATUS_NO_DERIVATIVE;
    if (!passed && moves)
        passed = law->of(&at, changes);
    if (!passed && !is_finite(changes->p, n * count))
        passed = CAROM_STATUS_NO_DERIVATIVE;
    if (passed) {
        clear(n, count, changes);
        return outcome->status = passed;
    }
    changes->nonsmooth = changes->distance < ON_BORDER;
    if (changes->u_after)
        add_velocities(&at, zero, changes);
    return status;
}
