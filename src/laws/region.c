/* region: three bounded coefficients that cover the accessible region, all of it and nothing else.
 *
 * Hypothesis   the impulse is named by its place in the accessible region (no penetration, no energy created, inside
 *              the cone), in polar form: turn is the direction of friction, from against the slip; share is the
 *              ratio |p_t|/p_n, of the largest that friction and energy allow in this direction; e is how far along
 *              the impulse lies between the end of compression and the return of all energy.
 * Equations    d = tau turned by turn,   r = |p_t|/p_n = share min(mu, r_E),
 *              r_E the largest ratio that energy allows                                                         (1)
 *              s_C = v_n/(K_nn + r k.d),   s_E = -2 delta.u/(delta K delta),   delta = (r d, 1)                 (2)
 *              p = (s_C + e (s_E - s_C)) delta                                                                  (3)
 *              in the plane: d = +-tau and share |cos turn|, so that turn from 0 to pi sweeps both sides        (4)
 * Page         docs/laws/region.md
 * Reference    Chatterjee (1997), section 10.6, which proposes such a law */
#include "laws/region.h"

#include "carom/elementary.h"
#include "laws/law.h"

enum { CONE_LIMITED = 1, ENERGY_LIMITED };

/* A direction of friction: d, a = d.u_t, which keeps its digits where d is nearly across the slip, and what of share is
 * left along it. */
typedef struct region_way {
    tvec d;
    double a, along;
} region_way;

/* (4). Where no tangent moves, the plane contains the slip. */
static inline bool lies_in_plane(const carom_impact *x)
{
    return x->K.t22 == 0 && (x->u.t2 == 0 || x->K.t11 == 0);
}

static inline region_way way_of(const carom_impact *x, double turn)
{
    const double c = carom_cos(turn), s = carom_sin(turn), side = c < 0 ? -1 : 1;
    const tvec tau = region_axis(&x->K, x->u);
    const region_way plane = {tvec_scale(side, tau), -side * x->v_t, fabs(c)};
    const region_way space = {tvec_make(c * tau.t1 - s * tau.t2, s * tau.t1 + c * tau.t2), -c * x->v_t, 1};
    return lies_in_plane(x) ? plane : space;
}

static inline carom_impulse region(const carom_impact *x, const carom_coeffs *c)
{
    const region_way way = way_of(x, c->turn);
    const tvec d = way.d;
    const region_ray w = {x->v_n, x->K.nn, way.a, pull(x, d), complement_form(x, d)};
    const double r_E = region_ratio(&w), mu = c->mu < MU_MAX || r_E < INFINITY ? c->mu : INFINITY;
    const double r_max = min(mu, r_E), r_share = region_ratio_at(&w, c->share * way.along, r_max); /* (1) */
    const double r = r_share < INFINITY ? min(r_share, MU_MAX) : r_share;
    const region_span s = region_span_at(&w, r, r_E); /* (2) */
    const double p_n = region_normal(&w, &s, c->e);   /* (3) */
    if (!(p_n < INFINITY && r < INFINITY))
        return CAROM_NO_IMPULSE;
    int branch = p_n > 0 ? (mu < r_E ? CONE_LIMITED : ENERGY_LIMITED) : NO_IMPACT;
    return impulse_make(p_n * r * d.t1, p_n * r * d.t2, p_n, branch);
}

static const char *const region_modes[] = {"no_impact", "cone_limited", "energy_limited"};

const carom_law carom_law_region = {
    .id = "region",
    .name = "Region (polar coordinates)",
    .family = "algebraic",
    .summary = "Three bounded coefficients name every accessible impulse and no other.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(e) | CAROM_USES(mu) | CAROM_USES(share) | CAROM_USES(turn),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_TANGENTIAL |
              CAROM_TRAIT_UNIQUE | CAROM_TRAIT_CLOSED_FORM | CAROM_TRAIT_FRAME_FREE | CAROM_TRAIT_ANY_OUTCOME |
              CAROM_TRAIT_VELOCITY_SCALES | CAROM_TRAIT_MASS_SCALES | CAROM_TRAIT_LOCAL,
    CAROM_MODES(region_modes),
    .kernel = region,
    .refusal = CAROM_STATUS_UNBOUNDED,
};
