/* jia: impact with tangential compliance.
 *
 * Hypothesis   the bodies touch through a small spot on three springs, one normal and two tangential. The spot sticks,
 *              or slips under Coulomb friction; the normal spring loses 1 - e^2 of its energy when compression ends.
 * Equations    always   p' = F,   u' = K F
 *              stick    F' = -D u,   D = diag(1, 1, k)                                                         (1)
 *              slip     F_t = -mu f s,   f' = -k u_n,   s' = s_perp (u_t . s_perp) / (mu f)                    (2)
 *              slip ends when sigma = u_t . s + mu k u_n falls to zero                                         (3)
 *              sticking ends when |F_t| reaches mu f                                                           (4)
 *              it begins in slip when |u_t| >= mu eta^2 |u_n|                                                  (5)
 *              k = eta^2 in compression and eta^2 / e^2 in restitution, the force being continuous             (6)
 *              `phases` says when a further compression begins: where u_n falls to zero again (all), where f
 *              passes its largest value so far (peak), never (first)                                          (6a)
 * Page         docs/laws/jia.md
 * Reference    Jia (2013), Three-dimensional impact: energy-based modeling of tangential compliance, Int. J. Robotics
 *              Research 32; in the plane Stronge (2000), chapter 5 */
#include "carom/elementary.h"
#include "laws/law.h"
#include "laws/springs/springs.h"
#include "laws/stick_slip.h"

#define FRICTIONLESS (EPS * EPS) /* below it friction is rounding of nothing: mu counts as zero */
#define FOREVER      1e100       /* from it on mu counts as infinite: the spot never slips */
#define STEEP        (1 / EPS)   /* from it on the rim of the cone is below the rounding of p */
#define PLASTIC      (EPS / 4)   /* below it e counts as zero: restitution would add less than rounding */
#define ETA_LEAST    1e-30       /* eta beyond these counts as these: rigid along t, and along n */
#define ETA_MOST     1e30
#define BORDER_NUDGE (64 * EPS)  /* of the slip: how far beside the border between the modes a start on it is taken */
#define FALLS_EQUAL  (8 * EPS)   /* of K_nn: a grazing contact does not jam below it */
#define SLIDES_BY    (EPS * EPS) /* of the slip: what an impact so shallow changes of it */
#define OPENS        (4 * EPS)   /* of the slip: rounding of u_n */
enum { WEDGE_SWITCHES = 256 };   /* more changes of mode than any impact that ends has when K is singular */

/* ---- the beginning ---- */

static double slip_of(const compliant *c)
{
    return c->planar ? fabs(c->u0.t1) : carom_cvec_slip(c->u0);
}

/* The unit vector along (x, y), which is not zero. */
static tvec direction_of(const compliant *c, double x, double y)
{
    if (c->planar)
        return (tvec){copysign(1, x), 0};
    double size = carom_hypot(x, y);
    return (tvec){x / size, y / size};
}

/* d sigma / dp_n of (3) as slip begins along u_t = slip s. */
static double slide_growth(const compliant *c, double slip)
{
    const carom_csym *K = &c->K;
    tvec s = {c->u0.t1 / slip, c->u0.t2 / slip};
    tvec Ms = {K->t11 * s.t1 + K->t12 * s.t2, K->t12 * s.t1 + K->t22 * s.t2};
    double bs = tvec_dot(coupling(K), s);
    return bs - c->mu * tvec_dot(s, Ms) + c->mu * c->k * (K->nn - c->mu * bs);
}

/* On the border of (5) the spot neither lags nor slides: to first order both modes are the same motion. It takes the
 * side that sigma takes, as a start BORDER_NUDGE beside it does; the outcome is continuous there. */
static void leave_border(compliant *c)
{
    double slip = slip_of(c), border = c->mu * c->k * fabs(c->u0.n);
    if (border == 0 || !(fabs(slip - border) <= BORDER_NUDGE * border))
        return;
    double side = slide_growth(c, slip) >= 0 ? 1 + BORDER_NUDGE : 1 - BORDER_NUDGE;
    c->u0.t1 *= side * border / slip;
    c->u0.t2 *= side * border / slip;
}

static void begin(compliant *c)
{
    if (c->per_mu > 0)
        leave_border(c);
    double slip = slip_of(c);
    c->now = (spot){.u = c->u0, .s = {1, 0}};
    c->slipping = c->per_mu > 0 && slip >= c->mu * c->k * fabs(c->u0.n); /* (5) */
    if (c->slipping && slip > 0)
        c->now.s = direction_of(c, c->u0.t1, c->u0.t2);
    c->border_order = 1;
    c->out->phases.phases = 1;
    c->out->phases.first = c->slipping ? "slip" : "stick";
}

/* ---- from event to event ---- */

static void to_stick(compliant *c)
{
    compliant_record(c, CAROM_EVENT_SLIP_TO_STICK);
    c->slipping = false;
    c->border_order = c->published && c->restitution ? 0 : 2;
}

/* On the border f = |F_t| / mu. The larger of the two has the digits. */
static void to_slip(compliant *c)
{
    spot *a = &c->now;
    if (c->per_mu < 1)
        a->F.n = c->per_mu * sqrt(square(a->F.t1) + square(a->F.t2));
    compliant_record(c, CAROM_EVENT_STICK_TO_SLIP);
    c->slipping = true;
    tvec s = direction_of(c, -a->F.t1, -a->F.t2);
    spot_aim(c, s.t1, s.t2, square(a->F.n), a);
}

/* The normal spring loses 1 - e^2 of its energy: same force, stiffer by 1/e^2, shorter by e^2 (6). */
static void to_restitution(compliant *c)
{
    carom_phases *ph = &c->out->phases;
    spot *a = &c->now;
    double held = 0.5 * square(a->F.n) / c->k;
    a->u.n = 0;
    compliant_record(c, CAROM_EVENT_COMPRESSION_END);
    ph->p_compression += c->impulse * (a->p.n - c->from_p);
    ph->work_compression -= c->energy * (held - c->from_held);
    c->loss += (1 - c->e) * (1 + c->e) * held;
    c->peak = a->F.n;
    c->reload_order = c->reading == CAROM_OPTION_PHASES_FIRST ? 0 : c->reading == CAROM_OPTION_PHASES_PEAK ? 2 : 1;
    c->k /= square(c->e);
    c->d /= c->e;
    c->restitution = true;
    if (c->published) {
        c->mu *= c->e;
        if (c->slipping)
            spot_aim(c, a->s.t1, a->s.t2, a->y, a);
    }
}

/* A further compression begins, with the springs of the first (6a). */
static void to_compression(compliant *c)
{
    spot *a = &c->now;
    if (c->reading == CAROM_OPTION_PHASES_PEAK) {
        a->F.n = c->peak;
        a->y = square(c->peak);
    } else
        a->u.n = 0;
    c->k *= square(c->e);
    c->d *= c->e;
    c->restitution = false;
    c->reload_order = c->reading == CAROM_OPTION_PHASES_PEAK ? 0 : 1;
    c->from_p = a->p.n;
    c->from_held = 0.5 * square(a->F.n) / c->k;
    c->loss -= (1 - c->e) * (1 + c->e) * c->from_held;
    c->out->phases.phases++;
    compliant_record(c, CAROM_EVENT_COMPRESSION_BEGIN);
}

static void change_mode(compliant *c)
{
    c->switches++;
    if (c->slipping)
        to_stick(c);
    else
        to_slip(c);
}

static ending go_on(compliant *c)
{
    bool wedged = c->switches == WEDGE_SWITCHES && c->restitution && compliant_singular(c);
    ending how = wedged ? ENDS_WEDGED : c->slipping ? compliant_slip(c) : compliant_stick(c);
    return how == ENDS_WEDGED ? compliant_wedge(c) : how;
}

static carom_status end(compliant *c)
{
    compliant_record(c, CAROM_EVENT_END);
    return CAROM_STATUS_OK;
}

/* The bounds are used up. A singular K can load the springs without end. */
static carom_status give_up(const compliant *c, carom_status status)
{
    return compliant_unstoppable(c) ? CAROM_STATUS_UNBOUNDED : status;
}

static carom_status walk(compliant *c)
{
    for (int i = 0; i < COMPLIANT_EVENTS; i++)
        switch (go_on(c)) {
        case ENDS_SWITCH:
            change_mode(c);
            break;
        case ENDS_COMPRESSION:
            to_restitution(c);
            if (c->e == 0)
                return end(c);
            break;
        case ENDS_RESTITUTION:
            to_compression(c);
            break;
        case ENDS_IMPACT:
            return end(c);
        case ENDS_UNBOUNDED:
        case ENDS_WEDGED:
            return CAROM_STATUS_UNBOUNDED;
        case ENDS_NOT:
            return give_up(c, CAROM_STATUS_STEP_LIMIT);
        }
    return give_up(c, CAROM_STATUS_EVENT_LIMIT);
}

/* ---- shallow impacts ---- */

/* b . s as slip begins. */
static double pull_of(const compliant *c)
{
    return (c->K.t1n * c->u0.t1 + c->K.t2n * c->u0.t2) / carom_cvec_slip(c->u0);
}

/* u_n = 0: without jam the limit is no impulse at all. */
static bool stays_grazing(const compliant *c)
{
    return c->u0.n == 0 && pull_of(c) <= c->per_mu * (1 + FALLS_EQUAL) * c->K.nn;
}

/* u_n becomes the unit of velocity, as far as the range of numbers allows. */
static void rescale(compliant *c)
{
    enum { UNIT_LEAST = -1000, SLIP_MOST = 900 };
    int by = exponent_of(-c->u0.n), room = UNIT_LEAST - exponent_of(c->unit_u);
    by = by < -SLIP_MOST ? -SLIP_MOST : by;
    by = by < room ? room : by;
    c->u0 = carom_cvec_scale(power_of_two(-by), c->u0);
    c->unit_u *= power_of_two(by);
}

/* An approach so slow that slip stays as it is. A jam is that of the limit u_n = 0; else the spot slips straight on, or
 * if it sticks the contact opens before the tangential springs are loaded. */
static void slide_by(compliant *c)
{
    double slip = carom_cvec_slip(c->u0), size = c->K.t11 + c->K.t22 + c->K.nn;
    double rise = slip > 0 ? c->per_mu * c->K.nn - pull_of(c) : 0; /* du_n/dp_n over mu */
    bool sticks = -c->mu * c->k * c->u0.n > 0.5 * slip;
    double change = -c->u0.n * size * (1 + c->per_mu), most = (sticks ? OPENS : SLIDES_BY) * slip * fabs(rise);
    bool opens = sticks && rise >= 0;
    if (!opens && !(change < most))
        return;
    if (rise < 0) {
        c->u0.n = 0;
        return;
    }
    if (sticks) {
        c->mu = 0;
        c->per_mu = INFINITY;
    }
    c->straight = true;
    rescale(c);
}

/* ---- the law ---- */

static void load(compliant *c, const carom_rule *rule)
{
    const carom_coeffs *x = &rule->coeffs;
    c->mu = x->mu > FRICTIONLESS ? x->mu < FOREVER ? x->mu : INFINITY : 0;
    c->per_mu = 1 / c->mu;
    c->e = x->e > PLASTIC ? x->e : 0;
    c->d = clamp(x->eta, ETA_LEAST, ETA_MOST);
    c->k = square(c->d); /* (6) */
    c->restitution = c->straight = false;
    c->published = rule->options.restitution_slip == CAROM_OPTION_RESTITUTION_SLIP_MU_E;
    /* With e = 1 all readings are one. Springs of a singular K may hold each other; that end is defined for `first`. */
    c->reading = c->published || c->e == 1 || c->singular ? CAROM_OPTION_PHASES_FIRST : rule->options.phases;
    c->reload_order = 0;
    c->loss = c->from_p = c->from_held = c->modes.d = 0;
    c->steps = c->switches = 0;
}

static const char *const jia_modes[] = {STICK_SLIP_MODES};

static carom_status jia(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer, carom_outcome *out)
{
    const carom_problem problem = {x->K, x->u};
    compliant c;
    c.tracer = tracer;
    c.out = out;
    c.singular = x->kind == CAROM_KIND_SINGULAR;
    load(&c, rule);
    compliant_take(&c, &problem);
    out->p = carom_cvec_make(0, 0, 0);
    out->u_after = x->u;
    if (stays_grazing(&c))
        return CAROM_STATUS_OK;
    if (c.mu > 0 && c.u0.n < 0 && -c.u0.n < OPENS * (fabs(c.u0.t1) + fabs(c.u0.t2)))
        slide_by(&c);
    compliant_units(&c);
    if (CARRIES_PARTIALS && c.per_mu > 0) /* (5), where p is smooth to first order */
        passes_border(x, slip_of(&c), c.mu * c.k * fabs(c.u0.n), "slip or stick at the start");
    begin(&c);
    carom_status status = walk(&c);
    compliant_close(&c);
    if (rule->coeffs.mu > STEEP) /* then p_n is known to rounding of the friction only, and may come out as none */
        out->p.n = max(out->p.n, carom_cvec_slip(out->p) / rule->coeffs.mu);
    out->mode = jia_modes[stick_slip_mode(out->phases.first[1] == 'l', c.switches)];
    return status;
}

const carom_law carom_law_jia = {
    .id = "jia",
    .name = "Jia (tangential compliance)",
    .family = "compliant",
    .summary =
        "Three springs at the contact store energy along the normal and the slip; Coulomb friction, energetic e.",
    .reference = "jia2013",
    .uses = CAROM_USES(e) | CAROM_USES(mu) | CAROM_USES(eta),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_TANGENTIAL |
              CAROM_TRAIT_UNIQUE | CAROM_TRAIT_HAS_PATH | CAROM_TRAIT_GIVES_REBOUND | CAROM_TRAIT_FRAME_FREE |
              CAROM_TRAIT_SPRINGS | CAROM_TRAIT_VELOCITY_SCALES | CAROM_TRAIT_MASS_SCALES | CAROM_TRAIT_LOCAL,
    CAROM_MODES(jia_modes),
    .solve = jia,
};
