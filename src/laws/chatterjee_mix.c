/* chatterjee-mix: a convex combination of Chatterjee's laws I, II and III.
 *
 * Hypothesis   the admissible region of impulses is convex, so any weighted mean of three admissible impulses is one.
 * Equations    P = s_1 P_I + s_2 P_II + (1 - s_1 - s_2) P_III                          (1)
 * Page         docs/laws/chatterjee-mix.md
 * Reference    Chatterjee (1997), section 6.6 */
#include "laws/family_chatterjee.h"

/* The three impulses, before they are mixed. */
typedef struct trio {
    factored one, two, three;
} trio;

LANES_INLINE trio trio_of(const carom_problem *problem, const schur *s, const carom_coeffs *c, scaling when,
                          divisions make)
{
    trio t = {chatterjee_velocity(problem, s, c, when == SCALE_IF_NEEDED), chatterjee_momentum(problem, s, c, make),
              chatterjee_rebound(problem, s, c, make, when)};
    return t;
}

/* s_3 of (1), whose sum may miss one by rounding. */
LANES_INLINE double rest_of(const carom_coeffs *c)
{
    return larger(0, 1 - c->s_1 - c->s_2);
}

typedef struct weights {
    double one, two, three;
} weights;

/* (1), of one component. */
LANES_INLINE double weigh(weights s, double one, double two, double three)
{
    return fused(s.one, one, fused(s.two, two, s.three * three));
}

LANES_INLINE carom_cvec mix(const trio *t, const carom_coeffs *c)
{
    const factored one = t->one, two = t->two, three = t->three;
    const weights s = {c->s_1, c->s_2, rest_of(c)};
    const weights by_share = {s.one * one.share, s.two * two.share, s.three * three.share};
    return carom_cvec_make(weigh(by_share, one.t.t1, two.t.t1, three.t.t1),
                           weigh(by_share, one.t.t2, two.t.t2, three.t.t2), weigh(s, one.p_n, two.p_n, three.p_n));
}

LANES_INLINE verdict quick(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    const trio t = trio_of(problem, s, c, SCALE_NEVER, ONE_DIVISION);
    verdict result = {mix(&t, c), NO_IMPACT};
    return result;
}

LANES_INLINE verdict kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    const trio t = trio_of(problem, s, c, SCALE_ALWAYS, ONE_DIVISION);
    verdict result = {mix(&t, c), NO_IMPACT};
    return result;
}

LANES_INLINE bool is_quick(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    return keeps_energy(problem, s, c) & steep(problem, s, c);
}

LANES_TWO_KERNELS(chatterjee_mix_lanes, quick, is_quick, kernel, steep, HEAVY)

/* "I:rt-a|II:cone|III:cone" and every other combination. */
#define NAME_III(one, two, three) "I:" one "|II:" two "|III:" three,
#define NAME_II(one, two)         {REBOUND_MODES(NAME_III, one, two)},
#define NAME_I(one)               {MOMENTUM_MODES(NAME_II, one)},
static const char *const modes[VELOCITY_COUNT][MOMENTUM_COUNT][REBOUND_COUNT] = {VELOCITY_MODES(NAME_I)};

/* Laws II and III side by side, where a regular problem approaches; the same bits as of a lane if there is no gain. */
typedef struct duo {
    factored two, three;
    double gain; /* tentative_gain: law III is not done if it is positive */
} duo;

LANES_INLINE duo duo_of(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    const carom_csym *K = &problem->K;
    carom_cvec u = problem->u;
    double by_t = 1 + c->e_t;
    const pair by_n = {by_t, 1 + c->e};
    segment_pair x = {.rise = rebound(problem, c->e), .nn = K->nn};
    x.q.top = schur_adjugate_pair(s, reduce_scaled_pair(K, u, by_t, by_n));
    x.q.below = schur_divisor(s);
    x.drag = pair_fused(pair_of(K->t1n), x.q.top.t1, K->t2n * x.q.top.t2);
    const cone_cut_pair cut = cut_at_once_pair(c->mu, &x);
    const tvec two = {x.q.top.t1[0], x.q.top.t2[0]}, three = {x.q.top.t1[1], x.q.top.t2[1]};
    const fraction tried = {three, x.q.below};
    duo both = {{two, cut.share[0], cut.p_n[0], (int)(MOMENTUM_INTERIOR - cut.outside[0])},
                {three, cut.share[1], cut.p_n[1], (int)(REBOUND_INTERIOR - cut.outside[1])},
                tentative_gain(problem, c, x.rise, tried)};
    return both;
}

LANES_INLINE trio trio_alone(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    if (!s->regular || !(problem->u.n < 0))
        return trio_of(problem, s, c, SCALE_IF_NEEDED, ALL_DIVISIONS);
    const duo both = duo_of(problem, s, c);
    if (both.gain > 0)
        return trio_of(problem, s, c, SCALE_IF_NEEDED, ONE_DIVISION);
    trio t = {chatterjee_velocity(problem, s, c, true), both.two, both.three};
    return t;
}

LANES_INLINE carom_status answer(const carom_problem *problem, const schur *s, const carom_rule *rule,
                                 carom_outcome *out)
{
    const trio t = trio_alone(problem, s, &rule->coeffs);
    out->p = mix(&t, &rule->coeffs);
    out->mode = modes[t.one.branch][t.two.branch][t.three.branch];
    return CAROM_STATUS_OK;
}

ALGEBRAIC_SOLVE(chatterjee_mix)

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
