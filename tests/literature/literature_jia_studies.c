/* Jia (2013), sections 8.1.3 and 8.1.4: how the bounce depends on speeds and coefficients. */
#include <math.h>
#include <stddef.h>

#include "jia_model.h"

static const place speeds = {GROUP_PRINTED, DOCUMENT_JIA, "section 8.1.3, Figure 14"},
                   studies = {GROUP_PRINTED, DOCUMENT_JIA, "section 8.1.4, Figure 15"};

/* V_x or w_y after the throw as one coefficient varies; as printed, or of the variant that explains the print. */
typedef struct study {
    carom_coeff of;
    bool spin, variant;
} study;

static double study_at(study s, double x)
{
    carom_coeffs c = jia_usual();
    carom_coeffs_set(&c, s.of, x);
    impact i = jia_bounce(jia_thrown, &c);
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

/* Does the ball slip throughout, by this law, when V_0x or w_0y has this value? */
typedef struct slipping {
    const char *law;
    bool spin;
} slipping;

static void see_stick(void *context, const carom_event *event)
{
    *(bool *)context |= event->kind == CAROM_EVENT_SLIP_TO_STICK || event->kind == CAROM_EVENT_STICK ||
                        event->kind == CAROM_EVENT_STICK_TO_SLIP;
}

static bool slips_throughout(slipping s, double x)
{
    double u_t = s.spin ? -1 - x : x - 2;
    const carom_problem pb = {{3.5, 0, 3.5, 0, 0, 1}, {u_t, 0, -5}};
    carom_rule rule = carom_rule_default(carom_law_find(s.law));
    carom_outcome out;
    bool sticks = false;
    carom_tracer tracer = {see_stick, NULL, &sticks};
    rule.coeffs = jia_usual();
    return carom_solve(&pb, &rule, &tracer, &out) == CAROM_STATUS_OK && !sticks;
}

/* The speed between two where slip begins to last throughout. */
static double full_slip_between(slipping s, double stays, double slips)
{
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (stays + slips);
        if (slips_throughout(s, middle))
            slips = middle;
        else
            stays = middle;
    }
    return slips_throughout(s, slips) ? slips : NAN;
}

/* Slip lasts throughout where |u_t| > mu (K_tt/K_nn) |u_n|. While the ball slips, the tangential spring follows the
 * normal force, so that the spot slides with
 *
 *     |u_t| - mu K_tt p_n - mu eta^2 (|u_n| - K_nn p_n)     in compression, and with eta/e for eta in restitution.
 *
 * For eta^2 < K_tt/K_nn < eta^2/e^2, as here, this falls until compression ends, at p_n = |u_n|/K_nn, and rises
 * afterwards: its least value is |u_t| - mu (K_tt/K_nn) |u_n|. Footnote 13 leaves this to simulation. Without
 * compliance the slip falls to the end, where p_n is (1 + e) times as much. */
static void add_thresholds(literature *l)
{
    const slipping speed = {"jia", false}, spin = {"jia", true}, rigid = {"routh-stronge", false};
    static const place formula = {GROUP_DERIVED, DOCUMENT_JIA, "section 8.1.3: |u_t| > mu (K_tt/K_nn) |u_n|"};
    const double limit = jia_usual().mu * 3.5 * 5;
    const double found[6] = {full_slip_between(speed, -1, -15), full_slip_between(speed, 3, 15),
                             full_slip_between(rigid, -1, -15), full_slip_between(rigid, 3, 15),
                             full_slip_between(spin, -1, -15),  full_slip_between(spin, 0, 15)};
    literature_add(l, &speeds, "-5", found[0], "V_0x below which slip lasts throughout");
    literature_add(l, &speeds, "9", found[1], "V_0x above which slip lasts throughout");
    literature_add(l, &speeds, "-8.5", found[2], "the same without compliance, below");
    literature_add(l, &speeds, "12.5", found[3], "the same without compliance, above");
    literature_add(l, &speeds, "-8.0", found[4], "w_0y below which slip lasts throughout");
    literature_add(l, &speeds, "6.0", found[5], "w_0y above which slip lasts throughout");
    literature_add_formula(l, &formula, 2 - limit, found[0], "V_0x below which slip lasts throughout");
    literature_add_formula(l, &formula, 2 + limit, found[1], "V_0x above which slip lasts throughout");
    literature_add_formula(l, &formula, -1 - limit, found[4], "w_0y below which slip lasts throughout");
    literature_add_formula(l, &formula, -1 + limit, found[5], "w_0y above which slip lasts throughout");
}

static void add_full_slip(literature *l)
{
    carom_coeffs c = jia_usual();
    motion forward = jia_thrown, backward = jia_thrown, fast = jia_thrown;
    forward.w.y = 20;
    backward.w.y = -20;
    fast.v.x = -15;
    impact one = jia_bounce(forward, &c), two = jia_bounce(backward, &c), three = jia_bounce(fast, &c);
    literature_add(l, &speeds, "5/2", fabs(one.out.p.t1), "full slip: |I_x|");
    literature_blame(l, ERRATUM_J1, fabs(one.p_variant.t1));
    literature_add(l, &speeds, "25/4", fabs(three.after.w.y - 2), "full slip: |w_y - 2|");
    literature_blame(l, ERRATUM_J1, fabs(three.variant.w.y - 2));
    literature_add(l, &speeds, "-3.5", two.after.v.x, "full slip, V_0x = -1: V_x for small w_0y");
    literature_blame(l, ERRATUM_J1, two.variant.v.x);
    literature_add(l, &speeds, "1.5", one.after.v.x, "full slip, V_0x = -1: V_x for large w_0y");
    literature_blame(l, ERRATUM_J1, one.variant.v.x);
}

static void add_compliance(literature *l)
{
    const study V_x = {CAROM_COEFF_eta, false, false}, w_y = {CAROM_COEFF_eta, true, false};
    literature_add(l, &studies, "2.4", zero_between(V_x, 1.5, 3), "eta_0 where the ball bounces forward");
    literature_add(l, &studies, "2.8", zero_between(w_y, 1.5, 3.5), "eta_0 where the rotation is not reversed");
}

static void add_studies(literature *l)
{
    const study V_x = {CAROM_COEFF_mu, false, false}, V_x_variant = {CAROM_COEFF_mu, false, true};
    const study w_y = {CAROM_COEFF_mu, true, false}, w_y_variant = {CAROM_COEFF_mu, true, true};
    const study V_x_of_e = {CAROM_COEFF_e, false, false}, V_x_of_eta = {CAROM_COEFF_eta, false, false};
    literature_add(l, &studies, "0.36", largest_on(V_x, 0, 0.01, 101), "mu of the largest V_x");
    literature_blame(l, ERRATUM_J1, largest_on(V_x_variant, 0, 0.01, 101));
    literature_add(l, &studies, "0.575906", study_at(V_x, 0.36), "V_x there (mu = 0.36)");
    literature_blame(l, ERRATUM_J1, study_at(V_x_variant, 0.36));
    literature_add(l, &studies, "-1.93976", study_at(w_y, 0.36), "w_y there (mu = 0.36)");
    literature_blame(l, ERRATUM_J1, study_at(w_y_variant, 0.36));
    literature_add(l, &studies, "0.13", zero_between(w_y, 0.05, 0.2), "mu where w_y changes sign");
    literature_blame(l, ERRATUM_J1, zero_between(w_y_variant, 0.05, 0.2));
    literature_add(l, &studies, "0.16", zero_between(V_x, 0.05, 0.2), "mu where V_x changes sign");
    literature_blame(l, ERRATUM_J1, zero_between(V_x_variant, 0.05, 0.2));
    literature_add(l, &studies, "0.22", largest_on(V_x_of_e, 0, 0.01, 101), "e of the largest V_x");
    const double largest[3] = {largest_on(V_x_of_eta, 0.05, 0.05, 60), 1.3, 1.4999};
    literature_add_word(l, &studies, "slightly less than 1.5", largest, "eta_0 of the largest V_x");
    add_compliance(l);
}

static void add_ends(literature *l)
{
    carom_coeffs c = jia_usual();
    c.e = 0;
    impact none = jia_bounce(jia_thrown, &c);
    c.e = 1;
    impact full = jia_bounce(jia_thrown, &c);
    literature_add(l, &studies, "0.554553", none.after.v.x, "e = 0: V_x");
    literature_blame(l, ERRATUM_J3, NAN);
    literature_add(l, &studies, "-1.88638", none.after.w.y, "e = 0: w_y");
    literature_blame(l, ERRATUM_J3, NAN);
    literature_add(l, &studies, "-0.089745", full.after.v.x, "e = 1: V_x");
    literature_blame(l, ERRATUM_J3, NAN);
    literature_add(l, &studies, "-0.275637", full.after.w.y, "e = 1: w_y");
    literature_blame(l, ERRATUM_J3, NAN);
    literature_add(l, &studies, "0.5096", none.energy[1], "e = 0: kinetic energy after");
    literature_blame(l, ERRATUM_J2, jia_energy(none.after));
    literature_add(l, &studies, "96.197", 100 * (1 - none.energy[1] / none.energy[0]), "e = 0: energy lost, percent");
    literature_blame(l, ERRATUM_J2, 100 * (1 - jia_energy(none.after) / jia_energy(jia_thrown)));
    literature_add(l, &studies, "12.5119", full.energy[1], "e = 1: kinetic energy after");
    literature_blame(l, ERRATUM_J2, jia_energy(full.after));
    literature_add(l, &studies, "6.628", 100 * (1 - full.energy[1] / full.energy[0]), "e = 1: energy lost, percent");
    literature_blame(l, ERRATUM_J2, 100 * (1 - jia_energy(full.after) / jia_energy(jia_thrown)));
}

void literature_jia_studies(literature *l)
{
    add_thresholds(l);
    add_full_slip(l);
    add_studies(l);
    add_ends(l);
}
