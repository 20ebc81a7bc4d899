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
#include "laws/whittaker.h"

enum { EXPANDS_STICK, EXPANDS_PLUS, EXPANDS_MINUS, EXPANSIONS }; /* final slip: none, along +t, along -t */

/* (3), (4): how far the expansion may go against sigma, as a signed impulse along it. Written without alpha, which a
 * large mu would multiply by what rounding left of it: mu P_En (2 alpha - 1) = e e_t |P_Ct| - (1 - nu) mu P_En. */
static inline double least_return(double P_Ct, double P_Cn, const carom_coeffs *c)
{
    double bound = c->mu * c->e * P_Cn;
    double stored = clamp(c->e * c->e_t * fabs(P_Ct) - (1 - c->nu) * bound, -bound, bound);
    return P_Ct == 0 ? -bound : stored; /* nothing is stored */
}

/* In the plane of t1 and n. The branch counts what compression does, then what expansion does. */
static inline planar_end compress_expand(const carom_impact *x, const carom_csym *K, carom_cvec u,
                                         const carom_coeffs *c)
{
    const planar_end C = whittaker_planar(x, K, u, (final_state){-u.n, c->mu}); /* (1) */
    double u_C = C.sticks ? 0 : u.t1 + (K->t11 * C.p_t + K->t1n * C.p_n);
    double P_En = c->e * C.p_n, most = c->mu * P_En, least = least_return(C.p_t, C.p_n, c);
    bool forward = !(C.p_t < 0);
    double low = forward ? least : -most, high = forward ? most : -least;         /* (3) */
    double free = -(u_C + K->t1n * P_En), stick = K->t11 > 0 ? free / K->t11 : 0; /* (2), times K_tt */
    bool above = beyond(x, free, K->t11 * high, "expansion clip");
    bool below = !above & beyond(x, K->t11 * low, free, "expansion clip");
    int expansion = above ? EXPANDS_MINUS : below ? EXPANDS_PLUS : EXPANDS_STICK;
    planar_end end = {C.p_t + (above   ? high
                               : below ? low
                                       : stick),
                      C.p_n + P_En, C.branch * EXPANSIONS + expansion, C.acts, false};
    return end;
}

static inline carom_impulse pfeiffer_glocker(const carom_impact *x, const carom_coeffs *c)
{
    if (x->kind == CAROM_KIND_SPHERE) {
        const slip_plane_view view = into_slip_plane(x);
        const planar_end end = compress_expand(x, &view.K, view.u, c);
        return from_slip_plane(x, end.p_t, end.p_n, end.branch);
    }
    const planar_end end = compress_expand(x, &x->K, x->u, c);
    double u_n = x->u.n + (x->K.t1n * end.p_t + x->K.nn * end.p_n); /* rounding must not leave an approach */
    double p_n = end.p_n - (end.acts & (u_n < 0) ? u_n / x->K.nn : 0);
    bool unbounded = end.branch / EXPANSIONS == END_UNBOUNDED;
    return impulse_make(end.p_t, 0, unbounded ? NAN : p_n, end.branch);
}

/* By what compression does, then expansion. */
#define EXPAND(compression) compression "/stick", compression "/slip+", compression "/slip-"
static const char *const pfeiffer_glocker_modes[] = {
    "no_impact",        "no_impact",         "no_impact", EXPAND("slip"), EXPAND("stick"),
    EXPAND("slip_jam"), EXPAND("stick_jam"), "unbounded", "unbounded",    "unbounded",
};

const carom_law carom_law_pfeiffer_glocker = {
    .id = "pfeiffer-glocker",
    .name = "Pfeiffer-Glocker",
    .family = "algebraic",
    .summary = "Coulomb compression, then an expansion that returns part of both impulses; planar.",
    .reference = "pfeiffer1996",
    .uses = CAROM_USES(e) | CAROM_USES(e_t) | CAROM_USES(nu) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_PLANAR_ONLY | CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE |
              CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE | CAROM_TRAIT_FRAME_FREE |
              CAROM_TRAIT_VELOCITY_SCALES | CAROM_TRAIT_MASS_SCALES | CAROM_TRAIT_LOCAL,
    CAROM_MODES(pfeiffer_glocker_modes),
    .jams = 7u << END_STICK_JAM * EXPANSIONS,
    .kernel = pfeiffer_glocker,
    .refusal = CAROM_STATUS_UNBOUNDED,
};
