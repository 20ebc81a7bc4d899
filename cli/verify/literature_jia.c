/* Jia (2013), section 8: the ball, its bounces, the parameter studies, and the pencil. */
#include <math.h>
#include <stddef.h>

#include "literature.h"

static const char ball_case[] = "Jia, ball", bounces[] = "Jia, bounces", studies[] = "Jia, studies",
                  pencil_case[] = "Jia, pencil";

typedef struct motion {
    carom_vec3 v, w;
} motion;

static const motion thrown = {{-1, 0, -5}, {0, 2, 0}}, spun = {{-1, 0, -5}, {6, 6, 0}};

/* One impact: the motion before and after, by the equations and as erratum J1 reads them. */
typedef struct impact {
    carom_status status;
    carom_outcome out;
    carom_cvec u; /* before */
    motion after, variant;
    carom_cvec p_variant;
    double energy[2]; /* before and after */
} impact;

static const carom_vec3 below = {0, 0, -1}, origin = {0, 0, 0}, up = {0, 0, 1};

/* J1: in the last slip of the restitution the tangential impulse grows with mu e instead of mu. */
static carom_cvec read_as_J1(const carom_outcome *out, double e)
{
    carom_cvec from = {0, 0, 0};
    int count = out->event_count < CAROM_EVENTS_KEPT ? out->event_count : CAROM_EVENTS_KEPT;
    for (int i = 0; i < count; i++)
        if (out->events[i].kind == CAROM_EVENT_COMPRESSION_END || out->events[i].kind == CAROM_EVENT_STICK_TO_SLIP)
            from = out->events[i].at.p;
    carom_cvec last = carom_cvec_sub(out->p, from);
    return carom_cvec_make(from.t1 + e * last.t1, from.t2 + e * last.t2, out->p.n);
}

static motion moved(carom_body body, const carom_contact *contact, carom_cvec p)
{
    carom_body floor = {0};
    carom_bodies_apply(contact, p, &body, &floor);
    motion m = {body.velocity, body.omega};
    return m;
}

static impact strike(const carom_body_def *def, carom_vec3 arm, const carom_coeffs *coeffs)
{
    static const impact none;
    impact i = none;
    carom_body a, floor = {0};
    carom_contact contact;
    carom_problem problem;
    const carom_law *law = carom_law_find("jia");
    i.status = CAROM_STATUS_NO_LAW;
    if (!law)
        return i;
    carom_rule rule = carom_rule_default(law);
    rule.coeffs = *coeffs;
    contact.arm_a = arm;
    contact.arm_b = origin;
    contact.planar = false;
    if (carom_body_init(def, &a) || carom_frame_init_t1(up, (carom_vec3){1, 0, 0}, &contact.frame) ||
        carom_bodies_reduce(&a, &floor, &contact, &problem))
        return i;
    i.status = carom_solve(&problem, &rule, NULL, &i.out);
    i.u = problem.u;
    i.after = moved(a, &contact, i.out.p);
    i.p_variant = read_as_J1(&i.out, coeffs->e);
    i.variant = moved(a, &contact, i.p_variant);
    i.energy[0] = carom_body_energy(&a);
    i.energy[1] = i.energy[0] + i.out.energy.change;
    return i;
}

static carom_coeffs usual(void)
{
    carom_coeffs c = carom_coeffs_default(); /* eta = sqrt(17/14) */
    c.e = 0.5;
    c.mu = 0.4;
    return c;
}

/* A solid ball of unit mass and radius. */
static impact bounce(motion m, const carom_coeffs *coeffs)
{
    carom_body_def def = carom_body_def_default();
    def.inertia = (carom_sym3){0.4, 0, 0, 0.4, 0, 0.4};
    def.velocity = m.v;
    def.omega = m.w;
    return strike(&def, below, coeffs);
}

bool jia_ball(double V_x, double w_y, const carom_coeffs *coeffs, double after[2])
{
    motion m = thrown;
    m.v.x = V_x;
    m.w.y = w_y;
    impact i = bounce(m, coeffs);
    after[0] = i.after.v.x;
    after[1] = i.after.w.y;
    return i.status == CAROM_STATUS_OK;
}

static const carom_event *event_of(const carom_outcome *out, carom_event_kind kind)
{
    static const carom_event none = {CAROM_EVENT_END, {.p = {NAN, NAN, NAN}, .u = {NAN, NAN, NAN}}};
    int count = out->event_count < CAROM_EVENTS_KEPT ? out->event_count : CAROM_EVENTS_KEPT;
    for (int i = 0; i < count; i++)
        if (out->events[i].kind == kind)
            return &out->events[i];
    return &none;
}

/* ---- one bounce ---- */

static void add_ball(literature *l)
{
    carom_coeffs c = usual();
    impact i = bounce(thrown, &c);
    const carom_event *stick = event_of(&i.out, CAROM_EVENT_SLIP_TO_STICK),
                      *slip = event_of(&i.out, CAROM_EVENT_STICK_TO_SLIP);
    double v_t = i.variant.v.x - i.variant.w.y, rate = -c.mu * c.eta * c.eta / c.e * slip->at.u.n; /* J1's */
    literature_add(l, ball_case, "0.570984", i.after.v.x, "V_x after");
    literature_blame(l, ERRATUM_J1, i.variant.v.x);
    literature_add(l, ball_case, "-1.92746", i.after.w.y, "w_y after");
    literature_blame(l, ERRATUM_J1, i.variant.w.y);
    literature_add(l, ball_case, "0.62485", stick->at.p.n, "I_n where slip stops");
    literature_blame(l, ERRATUM_J3, 0.625);
    literature_add(l, ball_case, "-2.12528", stick->at.u.t1, "v_t there");
    literature_blame(l, ERRATUM_J3, -2.125);
    literature_add(l, ball_case, "7.36575", slip->at.p.n, "I_n where slip begins again");
    literature_blame(l, ERRATUM_J3, NAN);
    literature_add(l, ball_case, "2.59255", slip->at.u.t1, "v_t there");
    literature_blame(l, ERRATUM_J3, NAN);
    literature_add(l, ball_case, "-2.29806", rate / c.e, "rate of the spring just after");
    literature_blame(l, ERRATUM_J1, rate);
    literature_add(l, ball_case, "2.49847", i.out.u_after.t1, "v_t at the end");
    literature_blame(l, ERRATUM_J1, v_t);
    literature_add(l, ball_case, "13.4", i.energy[0], "kinetic energy before");
    literature_blame(l, ERRATUM_J2, 13 + 0.1 * 4);
    double V2 = carom_vec3_dot(i.variant.v, i.variant.v), w2 = carom_vec3_dot(i.variant.w, i.variant.w);
    literature_add(l, ball_case, "3.65977", i.energy[1], "kinetic energy after");
    literature_blame(l, ERRATUM_J2, 0.5 * V2 + 0.1 * w2);
}

/* ---- several bounces: gravity turns V_z around between them ---- */

static motion bounced(motion m, int count, bool variant)
{
    carom_coeffs c = usual();
    for (int i = 0; i < count; i++) {
        impact hit = bounce(m, &c);
        m = variant ? hit.variant : hit.after;
        if (i + 1 < count)
            m.v.z = -m.v.z;
    }
    return m;
}

static void add_bounces(literature *l)
{
    motion first = bounced(spun, 1, false), first_J1 = bounced(spun, 1, true);
    motion last = bounced(spun, 8, false), last_J1 = bounced(spun, 8, true);
    motion fifth = bounced(thrown, 5, false), fifth_J1 = bounced(thrown, 5, true);
    literature_add(l, bounces, "0.898164", first.v.x, "Table 1, bounce 1: V_x");
    literature_blame(l, ERRATUM_J1, first_J1.v.x);
    literature_add(l, bounces, "-1.627", first.v.y, "Table 1, bounce 1: V_y");
    literature_blame(l, ERRATUM_J1, first_J1.v.y);
    literature_add(l, bounces, "1.00251", last.v.x, "Table 1, bounce 8: V_x");
    literature_blame(l, ERRATUM_J1, last_J1.v.x);
    literature_add(l, bounces, "-1.71643", last.v.y, "Table 1, bounce 8: V_y");
    literature_blame(l, ERRATUM_J1, last_J1.v.y);
    literature_add(l, bounces, "-0.088333", fifth.v.x, "Figure 1, bounce 5: V_x");
    literature_blame(l, ERRATUM_J1, fifth_J1.v.x);
    literature_add(l, bounces, "-0.279167", fifth.w.y, "Figure 1, bounce 5: w_y");
    literature_blame(l, ERRATUM_J1, fifth_J1.w.y);
    literature_add(l, bounces, "0.155565", fifth.v.z, "Figure 1, bounce 5: V_z");
    literature_blame(l, ERRATUM_J3, 5 * pow(0.5, 5));
}

/* ---- parameter studies ---- */

/* V_x or w_y after the throw as one coefficient varies; as printed, or of the variant that explains the print. */
typedef struct study {
    carom_coeff of;
    bool spin, variant;
} study;

static double study_at(study s, double x)
{
    carom_coeffs c = usual();
    carom_coeffs_set(&c, s.of, x);
    impact i = bounce(thrown, &c);
    motion m = s.variant ? i.variant : i.after;
    return s.spin ? m.w.y : m.v.x;
}

/* Where it is largest on a grid. */
static double largest_on(study s, double from, double step, int count)
{
    double best = NAN, top = -INFINITY;
    for (int i = 0; i < count; i++) {
        double x = from + i * step, y = study_at(s, x);
        if (y > top) {
            top = y;
            best = x;
        }
    }
    return best;
}

/* Where it is zero, if it changes sign once between low and high. */
static double zero_between(study s, double low, double high)
{
    bool rises = study_at(s, high) > study_at(s, low);
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if ((study_at(s, middle) > 0) == rises)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

static bool slips_throughout(double V_x)
{
    carom_coeffs c = usual();
    motion m = thrown;
    m.v.x = V_x;
    impact i = bounce(m, &c);
    return i.status == CAROM_STATUS_OK && fabs(fabs(i.out.p.t1) - c.mu * i.out.p.n) <= 1e-9 * i.out.p.n;
}

/* The speed between two where slip begins to last throughout. */
static double full_slip_between(double stays, double slips)
{
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (stays + slips);
        if (slips_throughout(middle))
            slips = middle;
        else
            stays = middle;
    }
    return slips_throughout(slips) ? slips : NAN;
}

static void add_full_slip(literature *l)
{
    carom_coeffs c = usual();
    motion forward = thrown, backward = thrown;
    forward.w.y = 20;
    backward.w.y = -20;
    impact one = bounce(forward, &c), two = bounce(backward, &c);
    literature_add(l, studies, "2.5", fabs(one.out.p.t1), "full slip: |I_x|");
    literature_blame(l, ERRATUM_J1, fabs(one.p_variant.t1));
    literature_add(l, studies, "-3.5", two.after.v.x, "full slip, V_0x = -1: smallest V_x");
    literature_blame(l, ERRATUM_J1, two.variant.v.x);
    literature_add(l, studies, "1.5", one.after.v.x, "full slip, V_0x = -1: largest V_x");
    literature_blame(l, ERRATUM_J1, one.variant.v.x);
    literature_add(l, studies, "-5", full_slip_between(-1, -15), "V_0x below which slip lasts throughout");
    literature_add(l, studies, "9", full_slip_between(3, 15), "V_0x above which slip lasts throughout");
}

static void add_studies(literature *l)
{
    const study V_x = {CAROM_COEFF_mu, false, false}, V_x_variant = {CAROM_COEFF_mu, false, true};
    const study w_y = {CAROM_COEFF_mu, true, false}, w_y_variant = {CAROM_COEFF_mu, true, true};
    const study V_x_of_e = {CAROM_COEFF_e, false, false}, V_x_of_eta = {CAROM_COEFF_eta, false, false};
    literature_add(l, studies, "0.36", largest_on(V_x, 0, 0.01, 101), "mu of the largest V_x");
    literature_blame(l, ERRATUM_J1, largest_on(V_x_variant, 0, 0.01, 101));
    literature_add(l, studies, "0.575906", study_at(V_x, 0.36), "V_x there (mu = 0.36)");
    literature_blame(l, ERRATUM_J1, study_at(V_x_variant, 0.36));
    literature_add(l, studies, "-1.93976", study_at(w_y, 0.36), "w_y there (mu = 0.36)");
    literature_blame(l, ERRATUM_J1, study_at(w_y_variant, 0.36));
    literature_add(l, studies, "0.13", zero_between(w_y, 0.05, 0.2), "mu where w_y changes sign");
    literature_blame(l, ERRATUM_J1, zero_between(w_y_variant, 0.05, 0.2));
    literature_add(l, studies, "0.16", zero_between(V_x, 0.05, 0.2), "mu where V_x changes sign");
    literature_blame(l, ERRATUM_J1, zero_between(V_x_variant, 0.05, 0.2));
    literature_add(l, studies, "0.22", largest_on(V_x_of_e, 0, 0.01, 101), "e of the largest V_x");
    literature_add_word(l, studies, "a bit below 1.5", largest_on(V_x_of_eta, 0.05, 0.05, 60), 1.3, 1.4999,
                        "eta_0 of the largest V_x");
}

static void add_ends(literature *l)
{
    carom_coeffs c = usual();
    c.e = 0;
    impact none = bounce(thrown, &c);
    c.e = 1;
    impact full = bounce(thrown, &c);
    literature_add(l, studies, "0.554553", none.after.v.x, "e = 0: V_x");
    literature_blame(l, ERRATUM_J3, NAN);
    literature_add(l, studies, "-1.88638", none.after.w.y, "e = 0: w_y");
    literature_blame(l, ERRATUM_J3, NAN);
    literature_add(l, studies, "-0.089745", full.after.v.x, "e = 1: V_x");
    literature_blame(l, ERRATUM_J3, NAN);
    literature_add(l, studies, "-0.275637", full.after.w.y, "e = 1: w_y");
    literature_blame(l, ERRATUM_J3, NAN);
    double V2 = carom_vec3_dot(full.after.v, full.after.v), w2 = carom_vec3_dot(full.after.w, full.after.w);
    literature_add(l, studies, "12.5119", full.energy[1], "e = 1: kinetic energy after");
    literature_blame(l, ERRATUM_J2, 0.5 * V2 + 0.1 * w2);
}

/* ---- the pencil: a cone and a cylinder of radius 1/2, with their true inertia ---- */

static void add_pencil(literature *l)
{
    carom_body_def def = carom_body_def_default();
    carom_coeffs c = usual();
    carom_vec3 tip = {-0.9572368421052634, 0, -1.657982845403103};
    c.mu = 0.8;
    def.inertia = (carom_sym3){0.7084942001385042, 0, -0.33839987633420754, 0.903869459833795, 0, 0.31774368074792286};
    def.velocity = (carom_vec3){-4.330127018922194, 0, -2.5};
    def.omega = (carom_vec3){-1.1160254037844386, -0.5, 0.06698729810778081};
    impact i = strike(&def, tip, &c);
    literature_add(l, pencil_case, "-3.50114", i.u.t1, "initial contact velocity, x");
    literature_add(l, pencil_case, "-1.91447", i.u.t2, "initial contact velocity, y");
    literature_add(l, pencil_case, "0", i.u.n, "initial contact velocity, n");
    literature_blame(l, ERRATUM_J5, NAN);
    literature_add(l, pencil_case, "3.86262", i.out.p.t1, "I_x");
    literature_blame(l, ERRATUM_J4, NAN);
    literature_add(l, pencil_case, "0.668974", i.out.p.t2, "I_y");
    literature_blame(l, ERRATUM_J4, NAN);
    literature_add(l, pencil_case, "5.365", i.out.p.n, "I_n");
    literature_blame(l, ERRATUM_J4, NAN);
    literature_add(l, pencil_case, "12.65", i.energy[0], "kinetic energy before");
    literature_blame(l, ERRATUM_J2,
                     0.5 * carom_vec3_dot(def.velocity, def.velocity) + 0.1 * carom_vec3_dot(def.omega, def.omega));
    literature_add(l, pencil_case, "4.71624", i.energy[1], "kinetic energy after");
    literature_blame(l, ERRATUM_J4, NAN);
}

void literature_jia(literature *l)
{
    add_ball(l);
    add_bounces(l);
    add_full_slip(l);
    add_studies(l);
    add_ends(l);
    add_pencil(l);
}
