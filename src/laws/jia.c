/* jia: impact with tangential compliance.
 *
 * Hypothesis   the bodies touch through a small spot on three springs, one normal and two tangential. The spot sticks,
 *              or slips under Coulomb friction; the normal spring loses 1 - e^2 of its energy when compression ends.
 * Equations    always   p' = F,   u' = K F
 *              stick    F' = -D u,   D = diag(1, 1, k)                                                         (1)
 *              slip     F_t = -mu f s,   f' = -k u_n,   s' = s_perp (u_t . s_perp) / (mu f)                    (2)
 *              slip ends when sigma = u_t . s + mu k u_n falls to zero                                         (3)
 *              sticking ends when |F_t| reaches mu f                                                           (4)
 *              it begins in slip when |u_t| >= mu eta^2 |u_n|                                                  (5)
 *              k = eta^2 in compression and eta^2 / e^2 in restitution, the force being continuous             (6)
 * Page         docs/laws/jia.md
 * Reference    Jia (2013), Three-dimensional impact: energy-based modeling of tangential compliance, Int. J. Robotics
 *              Research 32; in the plane Stronge (2000), chapter 5 */
#include "contact/alone.h"
#include "laws/springs/family_compliant.h"

/* Modes alternate: the first one and their number say it all. */
static const char *const from_slip[] = {"slip", "slip-stick", "slip-stick-slip", "slip-stick-slip-stick",
                                        "slip-stick-slip-stick-slip"};
static const char *const from_stick[] = {"stick", "stick-slip", "stick-slip-stick", "stick-slip-stick-slip",
                                         "stick-slip-stick-slip-stick"};
enum { MODES_NAMED = sizeof from_slip / sizeof from_slip[0] };

static const char *mode_of(bool slip, int switches)
{
    if (switches >= MODES_NAMED)
        return slip ? "slip-stick-chatter" : "stick-slip-chatter";
    return slip ? from_slip[switches] : from_stick[switches];
}

LANES_INLINE carom_status solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                                carom_outcome *out)
{
    int switches;
    carom_status status = compliant_walk(problem, rule, tracer, out, &switches);
    if (out->phases.first)
        out->mode = mode_of(out->phases.first[1] == 'l', switches);
    return status;
}

LANES_ALONE_SOLVE(jia_alone, solve, true)

#ifdef LANES_BASELINE
static const carom_law_batch batch = {.alone = LANES_VARIANTS(jia_alone)};

const carom_law carom_law_jia = {
    .id = "jia",
    .name = "Jia (tangential compliance)",
    .family = "compliant",
    .summary =
        "Three springs at the contact store energy along the normal and the slip; Coulomb friction, energetic e.",
    .reference = "jia2013",
    .uses = CAROM_USES(e) | CAROM_USES(mu) | CAROM_USES(eta),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_TANGENTIAL |
              CAROM_TRAIT_UNIQUE | CAROM_TRAIT_HAS_PATH | CAROM_TRAIT_GIVES_REBOUND | CAROM_TRAIT_FRAME_FREE,
    .solve = solve,
    .batch = &batch,
};
#endif
