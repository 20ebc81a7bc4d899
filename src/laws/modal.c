/* modal: a contact spring on bodies that vibrate.
 *
 * Hypothesis   the bodies are rigid but for a few modes of small vibration, which may move before the impact. They
 *              touch through the element of hunt-crossley, with friction; the contact may end and begin again.
 * Equations    z'' + 2 zeta omega z' + omega^2 z = phi . F for each mode,   v = u + sum phi z'                    (1)
 *              damping that couples them: sum_j C_ij z_j' in place of 2 zeta omega z_i' (complex modes)         (1b)
 *              F_n = k x^m (1 + a x'), x = -r_n, r' = v; ends at x = 0                                         (2)
 *              stick and slip as in docs/theory/contact-point.md                                               (3)
 *              recontact: free flight until the gap closes, or until u_n > 0 and the modes cannot close it     (4)
 *              u afterwards is the rigid part, u_0 + K p; the modes keep sum (z'^2 + omega^2 z^2)/2            (5)
 * Page         docs/laws/modal.md
 * Reference    Chatterjee (1997), chapter 9 */
#include "carom/convert.h"
#include "carom/elementary.h"
#include "laws/force/force_point.h"

#define SERIES_PER_MODE 2

static size_t bytes_for(int count)
{
    return (size_t)count * (SERIES_PER_MODE * sizeof(force_series) + sizeof(carom_mode));
}

size_t carom_workspace_for_modes(int count)
{
    return count > CAROM_MODES_INSIDE ? bytes_for(count) : 0;
}

#define SYMMETRY_TOL 1e-12 /* of the geometric mean of the diagonal: what two equal entries may differ by */

/* Symmetric, with no entry larger than its diagonal allows. */
static bool damping_is_good(const carom_vibration *v)
{
    const double *C = v->damping;
    const int n = v->count;
    for (int i = 0; C && i < n; i++)
        for (int j = 0; j < n; j++) {
            double mean = sqrt(C[i * n + i] * C[j * n + j]), c = C[i * n + j], sides = fabs(c - C[j * n + i]);
            if (!(isfinite(mean) && fabs(c) <= mean * (1 + SYMMETRY_TOL) && sides <= SYMMETRY_TOL * mean))
                return false;
        }
    return true;
}

static bool modes_are_good(const carom_vibration *v)
{
    for (int j = 0; v && j < v->count; j++) {
        const carom_mode *m = &v->modes[j];
        double all = m->omega + m->zeta + m->phi.t1 + m->phi.t2 + m->phi.n + m->z + m->rate;
        if (!(m->omega >= 0 && m->zeta >= 0 && isfinite(all)))
            return false;
    }
    return !v || (v->count >= 0 && damping_is_good(v));
}

/* Modes in the units and axes of the dimensionless problem; one that moves out of its plane makes it spatial. */
static bool stays_in_plane(const carom_vibration *v, carom_direction d)
{
    for (int j = 0; j < v->count; j++)
        if (d.c * v->modes[j].phi.t2 - d.s * v->modes[j].phi.t1 != 0)
            return false;
    return true;
}

static void scale_modes(force_point *P, const carom_vibration *v, carom_mode *modes)
{
    const force_units *units = &P->report.units;
    const carom_direction d = units->turn;
    const double per = 1 / sqrt(units->K);
    for (int j = 0; j < v->count; j++) {
        const carom_mode *m = &v->modes[j];
        modes[j].omega = m->omega * units->time;
        modes[j].zeta = m->zeta;
        modes[j].phi = carom_cvec_make(per * (d.c * m->phi.t1 + d.s * m->phi.t2),
                                       per * (d.c * m->phi.t2 - d.s * m->phi.t1), per * m->phi.n);
        modes[j].z = m->z / (per * units->length);
        modes[j].rate = m->rate / (per * units->velocity);
    }
}

/* The point with modes; room holds their series and their scaled copies. */
static carom_status vibrate(force_point *P, const carom_problem *problem, const carom_vibration *v, void *room)
{
    force_series *series = room;
    carom_mode *modes = (carom_mode *)(void *)(series + SERIES_PER_MODE * v->count);
    memset(series, 0, (size_t)(SERIES_PER_MODE * v->count) * sizeof *series);
    if (P->core.planar && !stays_in_plane(v, P->report.units.turn)) {
        carom_problem scaled = force_scale_as_given(problem, P->report.units.length, &P->report.units);
        P->report.units.planar = false;
        force_core_begin(&P->core, &scaled, false);
    }
    scale_modes(P, v, modes);
    P->vibration = (force_vibration){
        modes, v->count, v->recontact != 0, series, series + v->count, v->damping, P->report.units.time};
    for (int j = 0; j < v->count; j++) {
        P->vibration.z[j][0] = modes[j].z;
        P->vibration.rate[j][0] = modes[j].rate;
    }
    return force_point_walk(P);
}

static carom_status solve(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer, carom_outcome *out)
{
    const carom_problem given = {x->K, x->u}, *problem = &given;
    const carom_coeffs *c = &rule->coeffs;
    static const carom_vibration rigid = {NULL, 0, 0, NULL};
    const carom_vibration *v = rule->vibration ? rule->vibration : &rigid;
    const carom_workspace *lent = rule->workspace;
    _Alignas(double) char inside[CAROM_MODES_INSIDE * (SERIES_PER_MODE * sizeof(force_series) + sizeof(carom_mode))];
    force_point P;
    if (!modes_are_good(v))
        return CAROM_STATUS_BAD_MODE;
    bool needs = v->count > CAROM_MODES_INSIDE;
    if (needs && !(lent && lent->memory && lent->size >= bytes_for(v->count)))
        return CAROM_STATUS_NO_WORKSPACE;
    if (problem->u.n == 0)
        return force_nothing(problem, tracer, out);
    const double depth = carom_power_compression(c->k, c->exponent, 1 / problem->K.nn, -problem->u.n);
    const force_normal normal = {.kind = FORCE_POWER, .k = c->k, .exponent = c->exponent, .a = c->a};
    const force_tangent tangent = {force_stiffness_or(c->k_t, c->k * carom_pow(depth, c->exponent - 1), c->eta), c->c_t,
                                   c->mu};
    memset(&P, 0, sizeof P);
    force_report_begin(&P.report, problem, tracer, out);
    force_point_begin(&P, problem, &normal, &tangent);
    return vibrate(&P, problem, v, needs ? lent->memory : inside);
}

const carom_law carom_law_modal = {
    .id = "modal",
    .name = "Vibrating bodies",
    .family = "contact-force",
    .summary = "A contact spring with friction on bodies with modes of vibration, which may touch several times.",
    .reference = "chatterjee1997",
    .uses = CAROM_USES(k) | CAROM_USES(exponent) | CAROM_USES(a) | CAROM_USES(k_t) | CAROM_USES(c_t) | CAROM_USES(mu) |
            CAROM_USES(eta),
    .traits = CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE |
              CAROM_TRAIT_HAS_PATH | CAROM_TRAIT_FRAME_FREE | CAROM_TRAIT_CONTACT_FORCE | CAROM_TRAIT_LOCAL,
    .modes = carom_force_modes,
    .mode_count = FORCE_MODES,
    .solve = solve,
};
