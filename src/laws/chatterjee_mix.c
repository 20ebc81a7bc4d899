/* chatterjee-mix: a convex combination of Chatterjee's laws I, II and III.
 *
 * Hypothesis   the admissible region of impulses is convex, so any weighted mean of three admissible impulses is one.
 * Equations    P = s_1 P_I + s_2 P_II + (1 - s_1 - s_2) P_III                          (1)
 * Page         docs/laws/chatterjee-mix.md
 * Reference    Chatterjee (1997), section 6.6 */
#include "laws/family_chatterjee.h"

/* The three impulses, before they are mixed. */
typedef struct trio {
    verdict one, two, three;
} trio;

LANES_INLINE trio trio_of(const carom_problem *problem, const schur *s, const carom_coeffs *c, scaling when)
{
    trio t = {chatterjee_velocity(problem, s, c, ONE_DIVISION, when == SCALE_IF_NEEDED),
              chatterjee_momentum(problem, s, c, ONE_DIVISION), chatterjee_rebound(problem, s, c, ONE_DIVISION, when)};
    return t;
}

LANES_INLINE carom_cvec mix(const trio *t, const carom_coeffs *c)
{
    double s_3 = larger(0, 1 - c->s_1 - c->s_2); /* (1) */
    return carom_cvec_add(carom_cvec_scale(c->s_1, t->one.p),
                          carom_cvec_add(carom_cvec_scale(c->s_2, t->two.p), carom_cvec_scale(s_3, t->three.p)));
}

LANES_INLINE verdict quick(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    const trio t = trio_of(problem, s, c, SCALE_NEVER);
    verdict result = {mix(&t, c), NO_IMPACT};
    return result;
}

LANES_INLINE verdict kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    const trio t = trio_of(problem, s, c, SCALE_ALWAYS);
    verdict result = {mix(&t, c), NO_IMPACT};
    return result;
}

LANES_TWO_KERNELS(chatterjee_mix_lanes, quick, keeps_energy, kernel)

/* "I:rt-a|II:cone|III:cone" and every other combination. */
#define NAME_III(one, two, three) "I:" one "|II:" two "|III:" three,
#define NAME_II(one, two)         {REBOUND_MODES(NAME_III, one, two)},
#define NAME_I(one)               {MOMENTUM_MODES(NAME_II, one)},
static const char *const modes[VELOCITY_COUNT][MOMENTUM_COUNT][REBOUND_COUNT] = {VELOCITY_MODES(NAME_I)};

LANES_INLINE carom_status answer(const carom_problem *problem, const schur *s, const carom_rule *rule,
                                 carom_outcome *out)
{
    const trio t = trio_of(problem, s, &rule->coeffs, SCALE_IF_NEEDED);
    out->p = mix(&t, &rule->coeffs);
    out->mode = modes[t.one.branch][t.two.branch][t.three.branch];
    return CAROM_OK;
}

ALGEBRAIC_SOLVE(chatterjee_mix, HEAVY)

#ifdef LANES_BASELINE
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
    .batch = &batch,
};
#endif
