/* mindlin: elastic spheres with micro-slip, as a line of independent springs.
 *
 * Hypothesis   smooth elastic bodies touch like a row of springs at xi_j = j D with gaps xi_j^2/R
 *              (dimensionality reduction); each sticks or slips on its own under Coulomb friction. Planar.
 * Equations    k_nj = E* w_j,  k_tj = kappa k_nj,  w_0 = D,  w_j = 2 D,  D = a_H / annuli                          (1)
 *              a_H = sqrt(R x_H),  x_H the largest compression of Hertz without friction                       (2)
 *              |k_tj s_j| <= mu k_nj (x - gap_j);  stick s_j' = u_t;  slip with sign sigma                       (3)
 *              all springs that slip with one sign have w = u_t - sigma (mu/kappa) x', and stick together        (4)
 *              a spring that closes sticks if kappa |u_t| <= mu x'                                               (5)
 * Page         docs/laws/mindlin.md
 * Reference    Mindlin and Deresiewicz (1953); Maw, Barber and Fawcett (1976); Popov and Hess (2015) */
#include "carom/convert.h"
#include "laws/force/force.h"

enum { MORE_SPRINGS = 4, EXTRA_SPRINGS = 16 }; /* springs: 4 annuli + 16, so x may reach 16 x_H */
enum { EVENTS_PER_SPRING = 24, ZEROS_MOST = 5 };
#define SAME_TOL (64 * EPS) /* springs whose friction bounds agree to this change together */

typedef enum spring_state { SPRING_STICK, SPRING_PLUS, SPRING_MINUS } spring_state;

typedef struct annuli {
    force_core core;
    force_report report;
    double stiffness; /* k_n of a spring j > 0, dimensionless */
    double kappa, mu, per_annuli;
    int closed, most, sticking, events;
    double *offset;       /* stick: s_j = offset + q */
    unsigned char *state; /* spring_state */
    /* Sums over the closed springs: F_n = A x - B, and the same of those that slip; stick: k_t sums. */
    double A, B, A_slip[2], B_slip[2], k_stick, o_stick;
    double bound[2]; /* mu x -+ kappa q must stay above these */
    force_series q, slide[2], slip_force[2], margin[2];
    int margin_zeros[2], turn_zeros, end_zeros;
} annuli;

typedef enum annuli_event {
    EVENT_NONE,
    EVENT_SLIP_PLUS,
    EVENT_SLIP_MINUS,
    EVENT_STICK_PLUS,
    EVENT_STICK_MINUS,
    EVENT_CLOSE,
    EVENT_OPEN,
    EVENT_TURN
} annuli_event;

/* ---- springs ---- */

static double gap_of(const annuli *m, int j)
{
    double xi = j * m->per_annuli;
    return xi * xi;
}

static double normal_stiffness(const annuli *m, int j)
{
    return j == 0 ? 0.5 * m->stiffness : m->stiffness;
}

static void note_sticking(annuli *m, int j, double k, double gap)
{
    m->k_stick += m->kappa * k;
    m->o_stick += m->kappa * k * m->offset[j];
    m->sticking++;
    m->bound[0] = fmax(m->bound[0], m->mu * gap + m->kappa * m->offset[j]);
    m->bound[1] = fmax(m->bound[1], m->mu * gap - m->kappa * m->offset[j]);
}

static void sum_springs(annuli *m)
{
    m->A = m->B = m->k_stick = m->o_stick = 0;
    m->A_slip[0] = m->A_slip[1] = m->B_slip[0] = m->B_slip[1] = 0;
    m->bound[0] = m->bound[1] = -INFINITY;
    m->sticking = 0;
    for (int j = 0; j < m->closed; j++) {
        double k = normal_stiffness(m, j), gap = gap_of(m, j);
        m->A += k;
        m->B += k * gap;
        if (m->state[j] == SPRING_STICK) {
            note_sticking(m, j, k, gap);
            continue;
        }
        int side = m->state[j] == SPRING_MINUS;
        m->A_slip[side] += k;
        m->B_slip[side] += k * gap;
    }
}

static void close_spring(annuli *m)
{
    const double u_t = m->core.v[0][0], x_rate = -m->core.v[2][0], q = m->q[0];
    bool sticks = m->kappa * fabs(u_t) <= m->mu * x_rate && m->mu > 0; /* (5) */
    m->offset[m->closed] = -q;
    m->state[m->closed] = sticks ? SPRING_STICK : u_t < 0 ? SPRING_MINUS : SPRING_PLUS;
    m->closed++;
}

/* Sticking springs at the bound of this side begin to slip. */
static void release(annuli *m, int side)
{
    const double sign = side ? -1 : 1, tol = SAME_TOL * (fabs(m->bound[side]) + m->kappa * fabs(m->q[0]));
    for (int j = 0; j < m->closed; j++)
        if (m->state[j] == SPRING_STICK &&
            m->mu * gap_of(m, j) + sign * m->kappa * m->offset[j] >= m->bound[side] - tol)
            m->state[j] = side ? SPRING_MINUS : SPRING_PLUS;
}

/* All springs that slip to this side stick. */
static void hold(annuli *m, int side)
{
    const double sign = side ? -1 : 1;
    for (int j = 0; j < m->closed; j++)
        if (m->state[j] == (side ? SPRING_MINUS : SPRING_PLUS)) {
            m->state[j] = SPRING_STICK;
            m->offset[j] = sign * m->mu / m->kappa * (m->core.x[0] - gap_of(m, j)) - m->q[0];
        }
}

/* ---- expansion: linear, so every order is a few products ---- */

static void forces(annuli *m, int k)
{
    force_core *c = &m->core;
    const double x = c->x[k], first = k == 0;
    c->F[2][k] = m->A * x - first * m->B;
    for (int side = 0; side < 2; side++)
        m->slip_force[side][k] = m->mu * (m->A_slip[side] * x - first * m->B_slip[side]);
    c->F[0][k] = -(m->k_stick * m->q[k] + first * m->o_stick) - m->slip_force[0][k] + m->slip_force[1][k];
}

static void expand(annuli *m)
{
    force_core *c = &m->core;
    const double ratio = m->mu / m->kappa;
    for (int k = 0; k <= FORCE_ORDER; k++) {
        force_core_velocity(c, k);
        forces(m, k);
        m->slide[0][k] = c->v[0][k] + ratio * c->v[2][k]; /* (4) */
        m->slide[1][k] = -c->v[0][k] + ratio * c->v[2][k];
        m->margin[0][k] = m->mu * c->x[k] - m->kappa * m->q[k];
        m->margin[1][k] = m->mu * c->x[k] + m->kappa * m->q[k];
        if (k == FORCE_ORDER)
            break;
        force_core_push(c, k);
        m->q[k + 1] = c->v[0][k] / (k + 1);
        double loss = 0;
        for (int side = 0; side < 2; side++)
            if (m->A_slip[side] > 0)
                loss += series_product(m->slip_force[side], m->slide[side], k);
        c->loss_friction[k + 1] = loss / (k + 1);
    }
}

/* A bound that is met now: by how many orders the margin starts at zero. */
static int zeros_of(const double *c, double scale)
{
    int zeros = 0;
    while (zeros < ZEROS_MOST && fabs(c[zeros]) <= SAME_TOL * scale)
        zeros++;
    return zeros;
}

static annuli_event next_slip(annuli *m, double *h)
{
    annuli_event event = EVENT_NONE;
    const double speed = 1 + m->mu / m->kappa;
    const double scale = m->mu * m->core.x[0] + m->kappa * fabs(m->q[0]) + m->mu;
    for (int side = 0; side < 2; side++) {
        if (m->sticking > 0) {
            m->margin[side][0] -= m->bound[side];
            if (series_falls(m->margin[side], zeros_of(m->margin[side], scale), FORCE_ORDER, h))
                event = side ? EVENT_SLIP_MINUS : EVENT_SLIP_PLUS;
        }
        if (m->A_slip[side] > 0 && m->mu > 0 &&
            series_falls(m->slide[side], zeros_of(m->slide[side], speed), FORCE_ORDER, h))
            event = side ? EVENT_STICK_MINUS : EVENT_STICK_PLUS;
    }
    return event;
}

static annuli_event next_event(annuli *m, double *h)
{
    const force_core *c = &m->core;
    annuli_event event = next_slip(m, h);
    force_series other;
    const double last_gap = gap_of(m, m->closed - 1), next_gap = gap_of(m, m->closed);
    for (int k = 0; k <= FORCE_ORDER; k++)
        other[k] = -c->v[2][k];
    if (series_falls(m->report.compressing ? other : c->v[2], m->turn_zeros, FORCE_ORDER, h))
        event = EVENT_TURN;
    for (int k = 0; k <= FORCE_ORDER; k++)
        other[k] = m->report.compressing ? -c->x[k] : c->x[k];
    other[0] += m->report.compressing ? next_gap : -last_gap;
    if (series_falls(other, m->end_zeros, FORCE_ORDER, h))
        event = m->report.compressing ? EVENT_CLOSE : EVENT_OPEN;
    return event;
}

/* ---- the walk ---- */

static void note_mode(annuli *m, bool first)
{
    const carom_contact_force *f = &m->report.out->force;
    carom_contact_mode mode = m->sticking > 0 ? CAROM_CONTACT_MODE_STICK : CAROM_CONTACT_MODE_SLIP;
    int last = f->mode_count - 1;
    bool same = !first && (last >= CAROM_CONTACT_MODES_KEPT || f->modes[last] == mode);
    if (same)
        return;
    force_report_mode(&m->report, mode);
    if (!first)
        force_report_event(&m->report, m->sticking > 0 ? CAROM_EVENT_SLIP_TO_STICK : CAROM_EVENT_STICK_TO_SLIP);
}

/* False when the contact ends. */
static bool handle(annuli *m, annuli_event event, double h)
{
    m->turn_zeros = h > 0 ? 0 : m->turn_zeros;
    if (event == EVENT_TURN) {
        force_report_turn(&m->report);
        m->turn_zeros = 1;
    } else if (event == EVENT_CLOSE)
        close_spring(m);
    else if (event == EVENT_OPEN)
        m->closed--;
    else if (event == EVENT_SLIP_PLUS || event == EVENT_SLIP_MINUS)
        release(m, event == EVENT_SLIP_MINUS);
    else if (event == EVENT_STICK_PLUS || event == EVENT_STICK_MINUS)
        hold(m, event == EVENT_STICK_MINUS);
    if (event == EVENT_NONE || event == EVENT_TURN)
        return true;
    sum_springs(m);
    if (m->closed > 0)
        note_mode(m, false);
    return m->closed > 0;
}

static carom_status walk(annuli *m)
{
    force_core *c = &m->core;
    c->v[0][0] = c->u0.t1;
    c->v[2][0] = c->u0.n;
    close_spring(m);
    sum_springs(m);
    note_mode(m, true);
    const int events_most = EVENTS_PER_SPRING * m->most;
    for (int step = 0; step < FORCE_STEPS + events_most && m->events <= events_most; step++) {
        expand(m);
        double h = force_core_reach(&m->core, m->q);
        annuli_event event = next_event(m, &h);
        force_report_peak(&m->report, c->F[2], h);
        force_report_piece(&m->report, m->sticking > 0 ? CAROM_CONTACT_MODE_STICK : CAROM_CONTACT_MODE_SLIP, h);
        force_core_move(c, h);
        series_move(m->q, h);
        m->events += event != EVENT_NONE;
        if (event == EVENT_CLOSE && m->closed == m->most)
            break;
        if (!handle(m, event, h)) {
            force_report_end(&m->report);
            return CAROM_STATUS_OK;
        }
    }
    force_report_end(&m->report);
    return CAROM_STATUS_STEP_LIMIT;
}

/* ---- memory and units ---- */

static int springs_for(int count)
{
    return MORE_SPRINGS * count + EXTRA_SPRINGS;
}

enum { SPRINGS_INSIDE = MORE_SPRINGS * CAROM_ANNULI_INSIDE + EXTRA_SPRINGS };

size_t carom_workspace_for_annuli(int count)
{
    return count > CAROM_ANNULI_INSIDE ? (size_t)springs_for(count) * (sizeof(double) + 1) : 0;
}

static void begin(annuli *m, const carom_problem *scaled, const carom_coeffs *c)
{
    const force_units *units = &m->report.units;
    const double radius = sqrt(c->R * units->length); /* a_H (2) */
    force_core_begin(&m->core, scaled, true);
    m->stiffness = 2 * c->E_star * (radius / c->annuli) * units->K * units->time * units->time; /* (1) */
    m->per_annuli = 1 / c->annuli;
    m->kappa = c->kappa;
    m->mu = c->mu;
    m->closed = m->events = m->turn_zeros = m->end_zeros = 0;
    memset(m->q, 0, sizeof m->q);
    m->report.core = &m->core;
    m->report.springs = NULL;
}

static carom_status solve(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer, carom_outcome *out)
{
    const carom_problem given = {x->K, x->u}, *problem = &given;
    const carom_coeffs *c = &rule->coeffs;
    const carom_workspace *lent = rule->workspace;
    double offset[SPRINGS_INSIDE];
    unsigned char state[SPRINGS_INSIDE];
    annuli m;
    carom_problem nudged;
    const size_t needed = carom_workspace_for_annuli((int)c->annuli);
    if (needed > 0 && !(lent && lent->memory && lent->size >= needed))
        return CAROM_STATUS_NO_WORKSPACE;
    if (problem->u.n == 0) {
        if (!force_grazing(problem, c->mu, &nudged))
            return force_nothing(problem, tracer, out);
        problem = &nudged;
    }
    m.most = springs_for((int)c->annuli);
    m.offset = needed > 0 ? lent->memory : offset;
    m.state = needed > 0 ? (unsigned char *)(m.offset + m.most) : state;
    const double k = 4.0 / 3 * c->E_star * sqrt(c->R);
    const double depth = carom_power_compression(k, 1.5, 1 / problem->K.nn, -problem->u.n);
    force_report_begin(&m.report, problem, tracer, out);
    const carom_problem scaled = force_scale(problem, depth, &m.report.units);
    if (!m.report.units.planar)
        return CAROM_STATUS_NOT_PLANAR;
    begin(&m, &scaled, c);
    return walk(&m);
}

const carom_law carom_law_mindlin = {
    .id = "mindlin",
    .name = "Mindlin (annuli)",
    .family = "contact-force",
    .summary = "Hertz contact with micro-slip: annuli stick and slip one by one; planar.",
    .reference = "maw1976",
    .uses = CAROM_USES(E_star) | CAROM_USES(R) | CAROM_USES(kappa) | CAROM_USES(annuli) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_PLANAR_ONLY | CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE |
              CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_UNIQUE | CAROM_TRAIT_HAS_PATH | CAROM_TRAIT_FRAME_FREE |
              CAROM_TRAIT_CONTACT_FORCE | CAROM_TRAIT_VELOCITY_SCALES | CAROM_TRAIT_MASS_SCALES | CAROM_TRAIT_LOCAL,
    .modes = carom_force_modes,
    .mode_count = FORCE_MODES,
    .solve = solve,
};
