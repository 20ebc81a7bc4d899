/* A law of your own, outside the library: one kernel, one list of words, one descriptor. It works in single calls and
 * in batches, with the ledger, flags and statuses of every other law.
 *
 * The law: no slip survives. The impulse stops the tangential velocity if the cone of mu allows it, else it slides; the
 * normal velocity reverses, scaled by e. For bodies whose K is diagonal. */
#include <stdio.h>

#include "carom/batch.h"
#include "carom/carom.h"

enum { NO_IMPACT, STOPS, SLIDES };

static carom_impulse kernel(const carom_impact *x, const carom_coeffs *c)
{
    double p_n = (1 + c->e) * x->v_n / x->K.nn;
    double stop = x->v_t / x->K.t11, p_t = stop < c->mu * p_n ? stop : c->mu * p_n;
    carom_impulse r = {{p_t * x->tau.c, p_t * x->tau.s, p_n}, stop < c->mu * p_n ? STOPS : SLIDES, {0, 0, 0}};
    return r;
}

static const char *const words[] = {"no_impact", "stops", "slides"};

static const carom_law stop_law = {
    .id = "stop",
    .name = "Stop the slip",
    .family = "own",
    .summary = "Stops the slip if the friction cone allows it.",
    .reference = "none",
    .uses = CAROM_USES(e) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_CONE_SAFE,
    CAROM_MODES(words),
    .kernel = kernel,
};

int main(void)
{
    const carom_problem ball = {{3.5, 0, 3.5, 0, 0, 1}, {2.385, 0.7, -4}};
    carom_rule rule = carom_rule_default(&stop_law);
    rule.coeffs.e = 0.8;
    carom_outcome out;
    if (carom_status_is_refusal(carom_solve(&ball, &rule, NULL, &out)))
        return 1;
    printf("one impact     p = (%.6f, %.6f, %.6f), %s, energy %.6f J\n", out.p.t1, out.p.t2, out.p.n, out.mode,
           out.energy.change);

    double K11[] = {3.5, 3.5, 2}, K12[] = {0, 0, 0}, K22[] = {3.5, 3.5, 2}, K1n[] = {0, 0, 0}, K2n[] = {0, 0, 0};
    double Knn[] = {1, 1, 1}, u1[] = {2.385, 20, 1}, u2[] = {0.7, 0, 0}, un[] = {-4, -4, 4}, p_n[3], p_1[3];
    unsigned char status[3];
    const carom_batch_in in = {3, K11, K12, K22, K1n, K2n, Knn, u1, u2, un, {0}};
    const carom_batch_out rows = {.count = 3, .p_t1 = p_1, .p_n = p_n, .status = status};
    if (carom_batch_solve(&in, &rule, &rows, NULL) != CAROM_STATUS_OK)
        return 1;
    for (int i = 0; i < 3; i++)
        printf("row %d          p_t1 = %9.6f  p_n = %.6f  %s\n", i, p_1[i] + 0.0, p_n[i],
               carom_status_id((carom_status)status[i]));

    const carom_law unfinished = {.id = "unfinished"};
    carom_rule broken = carom_rule_default(&unfinished);
    carom_status refused = carom_solve(&ball, &broken, NULL, &out);
    printf("no kernel      %s: %s\n", carom_status_id(refused), carom_status_message(refused));
    return 0;
}
