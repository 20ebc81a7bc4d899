/* chatterjee-mix: a convex combination of Chatterjee's laws I, II and III.
 *
 * Hypothesis   the admissible region of impulses is convex, so any weighted mean of three admissible impulses is one.
 * Equations    P = s_1 P_I + s_2 P_II + (1 - s_1 - s_2) P_III                          (1)
 * Page         docs/laws/chatterjee-mix.md
 * Reference    Chatterjee (1997), section 6.6 */
#include "laws/law.h"

extern const carom_law carom_law_chatterjee_velocity, carom_law_chatterjee_momentum, carom_law_chatterjee_rebound;

enum { MOMENTUM_BRANCHES = 3, REBOUND_BRANCHES = 5 };

static inline carom_impulse chatterjee_mix(const carom_impact *x, const carom_coeffs *c)
{
    const carom_impulse I = carom_law_chatterjee_velocity.kernel(x, c);
    const carom_impulse II = carom_law_chatterjee_momentum.kernel(x, c);
    const carom_impulse III = carom_law_chatterjee_rebound.kernel(x, c);
    double s_1 = c->s_1, s_2 = c->s_2, s_3 = max(0, 1 - s_1 - s_2); /* the last weight may miss zero by rounding */
    return impulse_make(s_1 * I.p.t1 + (s_2 * II.p.t1 + s_3 * III.p.t1),
                        s_1 * I.p.t2 + (s_2 * II.p.t2 + s_3 * III.p.t2),
                        s_1 * I.p.n + (s_2 * II.p.n + s_3 * III.p.n), /* (1) */
                        (I.branch * MOMENTUM_BRANCHES + II.branch) * REBOUND_BRANCHES + III.branch);
}

/* "I:rt-a|II:cone|III:cone" and every other combination, in the order of the three lists. */
#define WITH_III(I_II)                                                                                                 \
    I_II "|III:no_impact", I_II "|III:interior", I_II "|III:cone", I_II "|III:scaled-interior", I_II "|III:scaled-cone"
#define WITH_II(I) WITH_III(I "|II:no_impact"), WITH_III(I "|II:interior"), WITH_III(I "|II:cone")
static const char *const mix_modes[] = {
    WITH_II("I:no_impact"), WITH_II("I:rt-a"), WITH_II("I:rt-b"), WITH_II("I:rt-c"),
    WITH_II("I:mu-a"),      WITH_II("I:mu-b"), WITH_II("I:mu-c"),
};

const carom_law carom_law_chatterjee_mix = {
    .id = "chatterjee-mix",
    .name = "Chatterjee I, II and III, mixed",
    .family = "algebraic",
    .summary = "A convex combination of Chatterjee's three laws with the weights s_1, s_2 and the rest.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(e) | CAROM_USES(e_t) | CAROM_USES(mu) | CAROM_USES(s_1) | CAROM_USES(s_2),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE |
              CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE | CAROM_TRAIT_FRAME_FREE | CAROM_TRAIT_VELOCITY_SCALES |
              CAROM_TRAIT_MASS_SCALES | CAROM_TRAIT_LOCAL,
    CAROM_MODES(mix_modes),
    .kernel = chatterjee_mix,
};
