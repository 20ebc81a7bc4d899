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

static const char *const modes[END_COUNT][EXPANDS_COUNT] = {
    {"no_impact", "no_impact", "no_impact"},
    {"slip/stick", "slip/slip+", "slip/slip-"},
    {"stick/stick", "stick/slip+", "stick/slip-"},
    {"slip_jam/stick", "slip_jam/slip+", "slip_jam/slip-"},
    {"stick_jam/stick", "stick_jam/slip+", "stick_jam/slip-"},
    {"singular", "singular", "singular"},
};

/* (3), (4): how far the expansion may go against sigma, as a signed impulse along it. Written without alpha, which a
 * large mu would multiply by what rounding left of it: mu P_En (2 alpha - 1) = e e_t |P_Ct| - (1 - nu) mu P_En. */
static double least_return(carom_cvec p_c, const carom_coeffs *c)
{
    double bound = c->mu * c->e * p_c.n;
    if (p_c.t1 == 0)
        return -bound; /* nothing is stored */
    return clamp(c->e * c->e_t * fabs(p_c.t1) - (1 - c->nu) * bound, -bound, bound);
}

/* The problem lies in the plane of t1 and n. */
static verdict kernel(const carom_problem *problem, const carom_coeffs *c, int *expands)
{
    const carom_csym *K = &problem->K;
    ending compression = {-problem->u.n, c->mu};
    verdict result = whittaker_planar(problem, compression); /* (1) */
    carom_cvec p_c = result.p;
    bool stuck = result.branch == END_STICK || result.branch == END_STICK_JAM;
    double u_c = stuck ? 0 : problem->u.t1 + (K->t11 * p_c.t1 + K->t1n * p_c.n);
    double p_n = c->e * p_c.n, sigma = p_c.t1 < 0 ? -1 : 1, most = c->mu * p_n, least = least_return(p_c, c);
    double low = sigma > 0 ? least : -most, high = sigma > 0 ? most : -least;  /* (3) */
    double free = -(u_c + K->t1n * p_n), p_t = K->t11 > 0 ? free / K->t11 : 0; /* (2), times K_tt */
    *expands = EXPANDS_STICK;
    if (free > K->t11 * high) {
        p_t = high;
        *expands = EXPANDS_MINUS;
    } else if (free < K->t11 * low) {
        p_t = low;
        *expands = EXPANDS_PLUS;
    }
    result.p.t1 += p_t;
    result.p.n += p_n;
    return result;
}

static carom_status solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                          carom_outcome *out)
{
    (void)tracer;
    carom_direction d = {1, 0};
    carom_problem flat = *problem;
    if (!is_flat(problem)) {
        if (carom_problem_plane(problem, &d))
            return CAROM_NOT_PLANAR;
        flat = carom_problem_turned(problem, d);
    }
    int expands;
    const verdict result = kernel(&flat, &rule->coeffs, &expands);
    out->p = carom_cvec_make(d.c * result.p.t1, d.s * result.p.t1, result.p.n);
    double approach = problem->u.n + carom_csym_apply(problem->K, out->p).n;
    if (approach < 0 && result.branch != NO_IMPACT)
        out->p.n -= approach / problem->K.nn; /* rounding of the turned K */
    out->mode = modes[result.branch][expands];
    out->flags |= result.branch == END_STICK_JAM ? CAROM_JAM : 0;
    return CAROM_OK;
}

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
};
