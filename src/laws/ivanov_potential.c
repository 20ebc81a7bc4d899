/* ivanov-potential: the contact force as the gradient of a potential.
 *
 * Hypothesis   the contact force depends on the interference of the bodies alone, through a potential that is convex
 *              and of degree two, with a parameter mu that tilts it like friction. Kinetic energy is conserved.
 * Equations    q displacement, h = -q_n;  phi = c_1 (h^2 + 2 mu h |q|)                                            (1)
 *              F_t = -2 c_1 mu h q_t / |q|,   F_n = 2 c_1 (h + mu |q| + mu h^2 / |q|)                             (2)
 *              the contact ends at h = 0; F_n = 2 c_1 mu |q_t| there                                              (3)
 *              with q = t Q the first moments are regular: t Q' + Q = u,  F(q) = t F(Q)                           (4)
 * Page         docs/laws/ivanov-potential.md
 * Reference    Ivanov (1995), as surveyed by Chatterjee (1997), section 5.2.3 */
#include <string.h>

#include "laws/force/force.h"

typedef struct potential {
    force_core core;
    force_report report;
    double mu;
    bool first; /* the expansion is about q = 0 */
    int turn_zeros;
    force_series q[2], B[3], square, size, h_size, h_h; /* B = Q or q; |B|^2, |B|, h/|B|, h^2/|B| */
    force_series G[3];                                  /* (2) of B */
} potential;

static int tangents(const potential *P)
{
    return P->core.planar ? 1 : 2;
}

/* (2) at order k, in units with 2 c_1 = 1; B[2] holds h. */
static void force_of(potential *P, int k)
{
    P->square[k] = series_product(P->B[2], P->B[2], k);
    for (int i = 0; i < tangents(P); i++)
        P->square[k] += series_product(P->B[i], P->B[i], k);
    P->size[k] = series_sqrt(P->square, P->size, k);
    P->h_size[k] = series_quotient(P->B[2], P->size, P->h_size, k);
    P->h_h[k] = series_product(P->B[2], P->h_size, k);
    for (int i = 0; i < tangents(P); i++)
        P->G[i][k] = -P->mu * series_product(P->h_size, P->B[i], k);
    P->G[2][k] = P->B[2][k] + P->mu * (P->size[k] + P->h_h[k]);
}

static void expand(potential *P)
{
    force_core *c = &P->core;
    for (int k = 0; k <= FORCE_ORDER; k++) {
        const double per = 1.0 / (k + 1);
        force_core_velocity(c, k);
        for (int i = 0; i < tangents(P); i++)
            P->B[i][k] = P->first ? c->v[i][k] * per : P->q[i][k];
        P->B[2][k] = P->first ? -c->v[2][k] * per : c->x[k];
        force_of(P, k);
        for (int i = 0; i < 3; i++)
            c->F[i][k] = !P->first ? P->G[i][k] : k > 0 ? P->G[i][k - 1] : 0; /* (4) */
        if (k == FORCE_ORDER)
            break;
        force_core_push(c, k);
        for (int i = 0; i < tangents(P); i++)
            P->q[i][k + 1] = c->v[i][k] * per;
    }
}

static double reach(const potential *P)
{
    force_terms t = force_terms_none(false);
    const double per_speed = 1 / fmax(1, carom_cvec_slip(P->core.u0));
    for (int i = 0; i < tangents(P); i++) {
        force_weigh(&t, P->core.v[i], per_speed);
        force_weigh(&t, P->G[i], per_speed);
    }
    force_weigh(&t, P->core.v[2], 1);
    force_weigh(&t, P->G[2], 1);
    return force_reach(&t, FORCE_STEP_MOST);
}

/* True at the end of the contact. */
static bool step(potential *P)
{
    force_core *c = &P->core;
    expand(P);
    double h = reach(P);
    force_series minus;
    for (int k = 0; k <= FORCE_ORDER; k++)
        minus[k] = -c->v[2][k];
    bool over = series_falls(c->x, P->first ? 1 : 0, FORCE_ORDER, &h);
    bool turns = series_falls(P->report.compressing ? minus : c->v[2], P->turn_zeros, FORCE_ORDER, &h);
    force_report_peak(&P->report, c->F[2], h);
    force_report_piece(&P->report, CAROM_CONTACT_MODE_POTENTIAL, h);
    force_core_move(c, h);
    for (int i = 0; i < tangents(P); i++)
        series_move(P->q[i], h);
    P->first = false;
    P->turn_zeros = turns ? 1 : 0;
    if (turns)
        force_report_turn(&P->report);
    return over && !turns;
}

static carom_status solve(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer, carom_outcome *out)
{
    const carom_problem given = {x->K, x->u}, *problem = &given;
    const carom_coeffs *c = &rule->coeffs;
    potential P;
    memset(&P, 0, sizeof P);
    if (problem->u.n == 0)
        return force_nothing(problem, tracer, out);
    force_report_begin(&P.report, problem, tracer, out);
    carom_problem scaled = force_scale(problem, -problem->u.n / sqrt(2 * c->c_1 * problem->K.nn), &P.report.units);
    force_core_begin(&P.core, &scaled, P.report.units.planar);
    P.report.core = &P.core;
    P.mu = c->mu;
    P.first = true;
    force_report_mode(&P.report, CAROM_CONTACT_MODE_POTENTIAL);
    bool over = false;
    for (int i = 0; i < FORCE_STEPS && !over; i++)
        over = step(&P);
    force_report_end(&P.report);
    out->force.dissipated_normal = 0; /* phi = 0 at h = 0 */
    return over ? CAROM_STATUS_OK : CAROM_STATUS_STEP_LIMIT;
}

const carom_law carom_law_ivanov_potential = {
    .id = "ivanov-potential",
    .name = "Ivanov's potential",
    .family = "contact-force",
    .summary = "A conservative contact force from a potential of degree two; no energy is lost.",
    .reference = "ivanov1995visco",
    .uses = CAROM_USES(mu) | CAROM_USES(c_1),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE |
              CAROM_TRAIT_HAS_PATH | CAROM_TRAIT_FRAME_FREE | CAROM_TRAIT_CONTACT_FORCE | CAROM_TRAIT_VELOCITY_SCALES |
              CAROM_TRAIT_MASS_SCALES | CAROM_TRAIT_LOCAL,
    .modes = carom_force_modes,
    .mode_count = FORCE_MODES,
    .solve = solve,
};
