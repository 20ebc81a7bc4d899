/* Inverse impacts on random problems: for every law, u is drawn, its outcome is the wish, and the solver starts from
 * another u, 10 % away. Every wish must be met to 1e-10 of the speed.
 *
 *     inverse_campaign [WISHES]      per law; 10,000 by default */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"

#define MET   1e-10
#define APART 0.1

static uint64_t state = 20231116;

static double draw(double low, double high)
{
    uint64_t z = state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return low + (high - low) * ((double)((z ^ (z >> 31)) >> 11) * 0x1p-53);
}

/* K = B B^T + a small diagonal; spheres and planar problems among them. */
static carom_problem random_problem(const carom_law *law)
{
    double B[3][3], K[3][3];
    int kind = law->traits & CAROM_TRAIT_PRINCIPAL_ONLY ? 1
               : law->traits & CAROM_TRAIT_PLANAR_ONLY  ? 2
                                                        : (int)draw(0, 3);
    for (int i = 0; i < 9; i++)
        B[i / 3][i % 3] = draw(-1, 1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            K[i][j] = i == j ? 0.3 : 0;
            for (int k = 0; k < 3; k++)
                K[i][j] += B[i][k] * B[j][k];
        }
    carom_problem p = {{K[0][0], K[0][1], K[1][1], K[0][2], K[1][2], K[2][2]},
                       {draw(-2, 2), draw(-2, 2), draw(-2, -0.2)}};
    if (kind == 1)
        p.K = (carom_csym){p.K.t11, 0, p.K.t11, 0, 0, p.K.nn};
    if (kind == 2)
        p.K.t12 = p.K.t22 = p.K.t2n = p.u.t2 = 0;
    return p;
}

static carom_rule random_rule(const carom_law *law)
{
    carom_rule rule = carom_rule_default(law);
    rule.coeffs.e = draw(0.2, 0.95);
    rule.coeffs.e_t = draw(-0.5, 0.9);
    rule.coeffs.mu = draw(0.05, 0.8);
    rule.coeffs.nu = draw(0, 0.5);
    rule.coeffs.eta = draw(0.7, 1.6);
    rule.coeffs.ratio_1 = draw(-0.2, 0.2);
    rule.coeffs.share = draw(0.1, 0.9);
    return rule;
}

typedef struct tally {
    long wishes, met, singular, refused;
    double worst;
} tally;

/* The Jacobian has full rank where the wish comes from and where the search ended, to 1e-7 of its largest singular
 * value. Slip that turns into an invariant ray forgets where it came from: there it has not. */
static bool is_regular(const carom_problem *truth, const carom_rule *rule, carom_cvec wish, int rank)
{
    static carom_invert_result there;
    int dim = truth->K.t22 == 0 && truth->u.t2 == 0 ? 2 : 3;
    return carom_invert_approach(truth, rule, wish, &there) != CAROM_STATUS_OK ||
           (there.solutions[0].rank == dim && rank == dim);
}

static void one_wish(const carom_law *law, tally *t)
{
    carom_problem truth = random_problem(law);
    carom_rule rule = random_rule(law);
    carom_outcome out;
    static carom_invert_result result;
    if (carom_solve(&truth, &rule, NULL, &out) != CAROM_STATUS_OK || !(out.u_after.n >= 0)) {
        t->refused++;
        return;
    }
    carom_problem start = truth;
    double speed = sqrt(carom_cvec_dot(truth.u, truth.u));
    start.u.t1 += draw(-APART, APART) * speed;
    start.u.t2 += start.u.t2 == 0 ? 0 : draw(-APART, APART) * speed;
    start.u.n *= 1 + draw(-APART, APART);
    t->wishes++;
    carom_status status = carom_invert_approach(&start, &rule, out.u_after, &result);
    double distance = status == CAROM_STATUS_OK && result.count > 0 ? result.solutions[0].distance / speed : INFINITY;
    bool missed = distance > MET;
    if (missed && !is_regular(&truth, &rule, out.u_after, result.solutions[0].rank)) {
        t->singular++;
        return;
    }
    t->met += !missed;
    t->worst = fmax(t->worst, distance);
}

int main(int argc, char **argv)
{
    long wishes = argc > 1 ? strtol(argv[1], NULL, 10) : 10000, failed = 0, all = 0;
    for (int i = 0; i < carom_law_count(); i++) {
        const carom_law *law = carom_law_at(i);
        tally t = {0};
        if (law->traits & CAROM_TRAIT_CONTACT_FORCE)
            continue;
        while (t.wishes < wishes && t.refused < 10 * wishes)
            one_wish(law, &t);
        printf("%-20s %ld of %ld wishes met, the worst %.1e of the speed away; %ld missed where the Jacobian is "
               "singular\n",
               law->id, t.met, t.wishes, t.worst, t.singular);
        failed += t.wishes - t.met - t.singular;
        all += t.wishes;
    }
    printf("%ld passed, %ld failed\n", all - failed, failed);
    return failed > 0;
}
