/* whittaker: Coulomb's law between the impulse and the slip at the end of the impact.
 *
 * Hypothesis   Newton's restitution along the normal; friction opposes the final slip, or is whatever stops it. The
 *              law of Whittaker, taken up by Kane and Levinson. It can create energy.
 * Equations    p_n = (c - k . p_t) / K_nn,  u_t after = a + B p_t,  a = u_t + k c / K_nn,  c = (1 + e) v_n   (1)
 *              stick:  p_t = -B^-1 a   if |p_t| <= mu p_n                                                    (2)
 *              slip:   p_t = -mu p_n d,  p_n = c / (K_nn - mu k . d),  d = u_t after / |u_t after|           (3)
 *              planar: d = sgn a, one solution for every K                                                   (4)
 *              space:  d solves (K_nn - mu k . d)(d_perp . u_t) + c d_perp . (k - mu K_TT d) = 0,            (5)
 *                      a trigonometric polynomial of degree 2; kept are K_nn > mu k . d and d . u_t after > 0
 *              unique if mu |k| / K_nn < 2 sqrt(det B) / tr B                                                (6)
 *              u_n = 0: p = 0 if mu k . u_t <= K_nn |u_t|; else stick, or a root of (5) with mu k . d = K_nn (7)
 * Choice       stick if it solves, else the smallest p_n; with "select": "first" always the smallest p_n
 * Page         docs/laws/whittaker.md
 * Reference    Whittaker (1904), section 95; Kane and Levinson (1985); Chatterjee (1997), sections 5.1.2 and 6.3 */
#include "laws/family_plane.h"

LANES_INLINE verdict in_plane(const carom_problem *problem, const carom_coeffs *c)
{
    return whittaker_planar(problem, (ending){rebound(problem, c->e), c->mu}).end;
}

LANES_INLINE verdict of_sphere(const carom_problem *problem, const carom_coeffs *c)
{
    const rolled flat = roll(problem);
    verdict end = in_plane(&flat.problem, c);
    end.p = unroll_sphere(problem, &flat, end.p);
    return end;
}

LANES_INLINE verdict kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    return s->whole ? of_sphere(problem, c) : in_plane(problem, c);
}

LANES_KERNEL(whittaker_lanes, kernel, covers_plane, LIGHT)

static const char *const modes[END_COUNT] = {"no_impact", "slip", "stick", "slip_jam", "stick_jam", "singular"};

static void say(const verdict *result, carom_outcome *out)
{
    out->p = result->p;
    out->mode = modes[result->branch];
    out->flags |= result->branch == END_SLIP_JAM || result->branch == END_STICK_JAM ? CAROM_FLAG_JAM : 0;
}

static int choice_of(const endings *list, const carom_rule *rule)
{
    for (int i = 0; i < list->count && rule->options.select != CAROM_OPTION_SELECT_FIRST; i++)
        if (list->at[i].branch == END_STICK || list->at[i].branch == END_STICK_JAM)
            return i;
    return 0;
}

static carom_status in_space(const carom_problem *problem, const schur *s, const carom_rule *rule, carom_outcome *out)
{
    const endings list =
        LANES_VARIANT(whittaker_spatial)(problem, s, (ending){rebound(problem, rule->coeffs.e), rule->coeffs.mu});
    say(&list.at[choice_of(&list, rule)], out);
    out->solutions = list.count;
    for (int i = 0; list.count > 1 && i < list.count && i < CAROM_SOLUTIONS_KEPT; i++)
        out->all[i] = list.at[i].p;
    return CAROM_STATUS_OK;
}

/* A problem in space that lies flat may have solutions beside that of its plane, unless (6) holds. */
LANES_INLINE carom_status answer(const carom_problem *problem, const schur *s, const carom_rule *rule,
                                 carom_outcome *out)
{
    const carom_coeffs *c = &rule->coeffs;
    verdict result;
    if (problem_is_planar(problem)) {
        result = in_plane(problem, c);
    } else if (csym_is_sphere(&problem->K)) {
        result = of_sphere(problem, c);
    } else if (problem_lies_flat(problem) && is_sole_ending(&problem->K, s, c->mu)) {
        const carom_problem flat = flat_of(problem);
        result = in_plane(&flat, c);
    } else {
        return in_space(problem, s, rule, out);
    }
    say(&result, out);
    return CAROM_STATUS_OK;
}

ALGEBRAIC_SOLVE(whittaker)

#ifdef LANES_BASELINE
const carom_law carom_law_whittaker = {
    .id = "whittaker",
    .name = "Whittaker / Kane-Levinson",
    .family = "algebraic",
    .summary = "Coulomb's law between the impulse and the slip at the end of the impact; can create energy.",
    .reference = "whittaker1904",
    .uses = CAROM_USES(e) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_NEWTON_E | CAROM_TRAIT_FRAME_FREE,
    .solve = solve,
    .batch = &batch,
};
#endif
