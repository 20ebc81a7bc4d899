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
#include "laws/whittaker.h"
#include "laws/patch/patch_end.h"

static inline carom_impulse whittaker(const carom_impact *x, const carom_coeffs *c)
{
    const final_state want = {(1 + c->e) * x->v_n, c->mu};
    if (x->kind == CAROM_KIND_SPHERE) {
        const slip_plane_view view = into_slip_plane(x);
        const planar_end end = whittaker_planar(x, &view.K, view.u, want);
        return from_slip_plane(x, end.p_t, end.p_n, end.branch);
    }
    const planar_end end = whittaker_planar(x, &x->K, x->u, want);
    return impulse_make(end.p_t, 0, end.p_n, end.branch);
}

static const char *const whittaker_modes[END_COUNT] = {"no_impact", "slip",      "stick",
                                                       "slip_jam",  "stick_jam", "unbounded"};

static int choice_of(const endings *list, const carom_rule *rule)
{
    for (int i = 0; i < list->count && rule->options.select != CAROM_OPTION_SELECT_FIRST; i++)
        if (list->at[i].branch == END_STICK || list->at[i].branch == END_STICK_JAM)
            return i;
    return 0;
}

/* A contact in space that lies flat may have solutions beside the one in its plane, unless (6) holds. */
static carom_status whittaker_general(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer,
                                      carom_outcome *out)
{
    (void)tracer;
    const bool absent = x->kind == CAROM_KIND_SINGULAR && x->K.t22 == 0 && x->u.t2 == 0;
    const bool planar = absent || (x->kind == CAROM_KIND_FLAT && has_one_end(x, rule->coeffs.mu));
    endings list = {1, {whittaker(x, &rule->coeffs)}};
    if (!planar)
        list = whittaker_spatial(x, (final_state){(1 + rule->coeffs.e) * x->v_n, rule->coeffs.mu});
    const carom_impulse chosen = list.at[choice_of(&list, rule)];
    if (chosen.branch == END_UNBOUNDED)
        return CAROM_STATUS_UNBOUNDED;
    out->p = chosen.p;
    out->mode = whittaker_modes[chosen.branch];
    out->flags |= chosen.branch == END_SLIP_JAM || chosen.branch == END_STICK_JAM ? CAROM_FLAG_JAM : 0;
    out->solutions = list.count;
    for (int i = 0; list.count > 1 && i < list.count && i < CAROM_SOLUTIONS_KEPT; i++)
        out->all[i] = list.at[i].p;
    return CAROM_STATUS_OK;
}

const carom_law carom_law_whittaker = {
    .id = "whittaker",
    .name = "Whittaker / Kane-Levinson",
    .family = "algebraic",
    .summary = "Coulomb's law between the impulse and the slip at the end of the impact; can create energy.",
    .reference = "whittaker1904",
    .uses = CAROM_USES(e) | CAROM_USES(mu) | CAROM_USES(patch) | CAROM_USES(rho),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_NEWTON_E | CAROM_TRAIT_FRAME_FREE |
              CAROM_TRAIT_VELOCITY_SCALES | CAROM_TRAIT_MASS_SCALES | CAROM_TRAIT_LOCAL,
    CAROM_MODES(whittaker_modes),
    .kinds = CAROM_KINDS(PLANAR) | CAROM_KINDS(SPHERE),
    .jams = 1u << END_SLIP_JAM | 1u << END_STICK_JAM,
    .kernel = whittaker,
    .solve = whittaker_general,
    .refusal = CAROM_STATUS_UNBOUNDED,
    .patch = PATCH_OF(carom_patch_end),
};
