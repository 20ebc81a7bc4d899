/* chatterjee-mix: a convex combination of Chatterjee's laws I, II and III.
 *
 * Hypothesis   the admissible region of impulses is convex, so any weighted mean of three admissible impulses is one.
 * Equations    P = s_1 P_I + s_2 P_II + (1 - s_1 - s_2) P_III                          (1)
 * Page         docs/laws/chatterjee-mix.md
 * Reference    Chatterjee (1997), section 6.6 */
#include "laws/family_chatterjee.h"

/* "I:rt-a|II:cone|III:cone" and every other combination. */
#define NAME_III(one, two, three) "I:" one "|II:" two "|III:" three,
#define NAME_II(one, two)         {REBOUND_MODES(NAME_III, one, two)},
#define NAME_I(one)               {MOMENTUM_MODES(NAME_II, one)},
static const char *const modes[VELOCITY_COUNT][MOMENTUM_COUNT][REBOUND_COUNT] = {VELOCITY_MODES(NAME_I)};

static carom_status solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                          carom_outcome *out)
{
    (void)tracer;
    const carom_coeffs *c = &rule->coeffs;
    const schur s = schur_of(&problem->K);
    const verdict one = chatterjee_velocity_kernel(problem, &s, c);
    const verdict two = chatterjee_momentum_kernel(problem, &s, c);
    const verdict three = chatterjee_rebound_kernel(problem, &s, c);
    double s_3 = larger(0, 1 - c->s_1 - c->s_2); /* (1) */
    out->p = carom_cvec_add(carom_cvec_scale(c->s_1, one.p),
                            carom_cvec_add(carom_cvec_scale(c->s_2, two.p), carom_cvec_scale(s_3, three.p)));
    out->mode = modes[one.branch][two.branch][three.branch];
    return CAROM_OK;
}

const carom_law carom_law_chatterjee_mix = {
    .id = "chatterjee-mix",
    .name = "Chatterjee I, II and III, mixed",
    .family = "algebraic",
    .summary = "A convex combination of Chatterjee's three laws with the weights s_1, s_2 and the rest.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(e) | CAROM_USES(e_t) | CAROM_USES(mu) | CAROM_USES(s_1) | CAROM_USES(s_2),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE |
              CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE | CAROM_TRAIT_FRAME_FREE,
    .solve = solve,
};
