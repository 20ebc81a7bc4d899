/* pfeiffer-glocker: compression with Coulomb friction, then a restitution that gives back stored impulse.
 *
 * Hypothesis   planar. Compression ends as in whittaker with e = 0. Expansion returns e times its normal impulse
 *              (Poisson); of the tangential impulse a share alpha is stored and returned, the rest is Coulomb friction.
 * Equations    compression  P_C from u_n after = 0,   u_C = u_t + (K P_C)_t                                (1)
 *              expansion    P_En = e P_Cn,   P_Et = clip(-(u_C + k P_En) / K_tt, low, high)                (2)
 *                           low, high = mu P_En (sigma alpha -+ (1 - alpha)),   sigma = sgn P_Ct           (3)
 *                           alpha = (nu + e_t |P_Ct| / (mu P_Cn)) / 2, kept in 0...1; 0 without P_Ct       (4)
 * Page         docs/laws/pfeiffer-glocker.md
 * Reference    Pfeiffer and Glocker (1996), chapter 8; Chatterjee (1997), section 5.1.4 */
#include "laws/family_plane.h"

enum { EXPANDS_STICK, EXPANDS_PLUS, EXPANDS_MINUS, EXPANDS_COUNT }; /* final slip: none, along +t, along -t */

/* (3), (4): how far the expansion may go against sigma, as a signed impulse along it. Written without alpha, which a
 * large mu would multiply by what rounding left of it: mu P_En (2 alpha - 1) = e e_t |P_Ct| - (1 - nu) mu P_En. */
LANES_INLINE double least_return(carom_cvec p_c, const carom_coeffs *c)
{
    double bound = c->mu * c->e * p_c.n;
    double stored = clamp(c->e * c->e_t * fabs(p_c.t1) - (1 - c->nu) * bound, -bound, bound);
    return p_c.t1 == 0 ? -bound : stored; /* nothing is stored */
}

/* The problem lies in the plane of t1 and n. The branch is that of compression times EXPANDS_COUNT, and the other. */
LANES_INLINE flat_end in_plane(const carom_problem *problem, const carom_coeffs *c)
{
    const carom_csym *K = &problem->K;
    ending compression = {-problem->u.n, c->mu};
    const flat_end first = whittaker_planar(problem, compression); /* (1) */
    carom_cvec p_c = first.end.p;
    double u_c = first.sticks ? 0 : problem->u.t1 + (K->t11 * p_c.t1 + K->t1n * p_c.n);
    double p_n = c->e * p_c.n, most = c->mu * p_n, least = least_return(p_c, c);
    bool forward = !(p_c.t1 < 0);
    double low = forward ? least : -most, high = forward ? most : -least;              /* (3) */
    double free = -(u_c + K->t1n * p_n), stick = K->t11 > 0 ? free * (1 / K->t11) : 0; /* (2), times K_tt */
    bool above = free > K->t11 * high, under = !above & (free < K->t11 * low);
    int expands = above ? EXPANDS_MINUS : under ? EXPANDS_PLUS : EXPANDS_STICK;
    double p_t = p_c.t1 + (above ? high : under ? low : stick);
    flat_end result = {
        {{p_t, 0, p_c.n + p_n}, first.end.branch * EXPANDS_COUNT + expands}, first.acts, !(above | under)};
    return result;
}

/* Rounding, of the turned K above all, must not leave an approach. */
LANES_INLINE carom_cvec lifted(const carom_problem *problem, carom_cvec p)
{
    double approach = problem->u.n + carom_csym_apply(problem->K, p).n;
    p.n -= approach < 0 ? approach / problem->K.nn : 0;
    return p;
}

/* Of a problem with that end in its plane. */
LANES_INLINE verdict acted(const carom_problem *problem, flat_end flat, carom_cvec p)
{
    verdict result = {{p.t1, p.t2, flat.acts ? lifted(problem, p).n : p.n}, flat.end.branch};
    return result;
}

LANES_INLINE verdict of_planar(const carom_problem *problem, const carom_coeffs *c)
{
    const flat_end flat = in_plane(problem, c);
    return acted(problem, flat, flat.end.p);
}

LANES_INLINE verdict of_sphere(const carom_problem *problem, const carom_coeffs *c)
{
    const rolled plane = roll(problem);
    const flat_end flat = in_plane(&plane.problem, c);
    return acted(problem, flat, unroll(&plane, flat.end.p));
}

LANES_INLINE verdict kernel(const carom_problem *problem, const schur *s, const carom_coeffs *c)
{
    return s->whole ? of_sphere(problem, c) : of_planar(problem, c);
}

LANES_KERNEL(pfeiffer_glocker_lanes, kernel, covers_plane, HEAVY)

/* By what compression does, then expansion. */
#define MODES(compression) compression "/stick", compression "/slip+", compression "/slip-"
static const char *const modes[END_COUNT * EXPANDS_COUNT] = {
    "no_impact",       "no_impact",        "no_impact", MODES("slip"), MODES("stick"),
    MODES("slip_jam"), MODES("stick_jam"), "singular",  "singular",    "singular",
};

static bool is_jam(int branch)
{
    return branch >= END_STICK_JAM * EXPANDS_COUNT && branch < (END_STICK_JAM + 1) * EXPANDS_COUNT;
}

/* The plane that a problem in space lies in. */
static carom_status find_plane(const carom_problem *problem, const carom_coeffs *c, verdict *result)
{
    carom_direction d;
    if (carom_problem_plane(problem, &d))
        return CAROM_STATUS_NOT_PLANAR;
    const carom_problem turned = carom_problem_turned(problem, d);
    const flat_end flat = in_plane(&turned, c);
    *result = acted(problem, flat, carom_cvec_make(d.c * flat.end.p.t1, d.s * flat.end.p.t1, flat.end.p.n));
    return CAROM_STATUS_OK;
}

LANES_INLINE carom_status answer(const carom_problem *problem, const schur *s, const carom_rule *rule,
                                 carom_outcome *out)
{
    (void)s;
    const carom_coeffs *c = &rule->coeffs;
    verdict result;
    if (problem_is_planar(problem))
        result = of_planar(problem, c);
    else if (csym_is_sphere(&problem->K))
        result = of_sphere(problem, c);
    else if (find_plane(problem, c, &result))
        return CAROM_STATUS_NOT_PLANAR;
    out->p = result.p;
    out->mode = modes[result.branch];
    if (is_jam(result.branch))
        out->flags |= CAROM_FLAG_JAM;
    return CAROM_STATUS_OK;
}

ALGEBRAIC_SOLVE(pfeiffer_glocker)

#ifdef LANES_BASELINE
const carom_law carom_law_pfeiffer_glocker = {
    .id = "pfeiffer-glocker",
    .name = "Pfeiffer-Glocker",
    .family = "algebraic",
    .summary = "Coulomb compression, then an expansion that returns part of both impulses; planar.",
    .reference = "pfeiffer1996",
    .uses = CAROM_USES(e) | CAROM_USES(e_t) | CAROM_USES(nu) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_PLANAR_ONLY | CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE |
              CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE | CAROM_TRAIT_FRAME_FREE,
    .solve = solve,
    .batch = &batch,
};
#endif
