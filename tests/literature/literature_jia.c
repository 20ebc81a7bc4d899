/* Jia (2013), section 8: one impact of the ball, and the pencil. */
#include <math.h>
#include <stddef.h>

#include "jia_model.h"

static const place ball_case = {GROUP_PRINTED, DOCUMENT_JIA, "section 8.1.1: the ball"},
                   pencil_case = {GROUP_PRINTED, DOCUMENT_JIA, "section 8.2: the pencil"};

static void add_ball(literature *l)
{
    carom_coeffs c = jia_usual();
    impact i = jia_bounce(jia_thrown, &c);
    const carom_event *stick = jia_event(&i, CAROM_EVENT_SLIP_TO_STICK),
                      *slip = jia_event(&i, CAROM_EVENT_STICK_TO_SLIP);
    double v_t = i.variant.v.x - i.variant.w.y, rate = -c.mu * c.eta * c.eta / c.e * slip->at.u.n; /* J1's */
    literature_add(l, &ball_case, "0.570984", i.after.v.x, "V_x after");
    literature_blame(l, ERRATUM_J1, i.variant.v.x);
    literature_add(l, &ball_case, "-1.92746", i.after.w.y, "w_y after");
    literature_blame(l, ERRATUM_J1, i.variant.w.y);
    literature_add(l, &ball_case, "0.62485", stick->at.p.n, "I_n where slip stops");
    literature_blame(l, ERRATUM_J3, 0.625);
    literature_add(l, &ball_case, "-2.42852", c.mu * c.eta * c.eta * i.u.n, "rate of the spring at the start");
    literature_blame(l, ERRATUM_J3, NAN);
    literature_add(l, &ball_case, "-2.12528", stick->at.u.t1, "v_t there");
    literature_blame(l, ERRATUM_J3, -2.125);
    literature_add(l, &ball_case, "7.36575", slip->at.p.n, "I_n where slip begins again");
    literature_blame(l, ERRATUM_J3, NAN);
    literature_add(l, &ball_case, "2.59255", slip->at.u.t1, "v_t there");
    literature_blame(l, ERRATUM_J3, NAN);
    literature_add(l, &ball_case, "-2.29806", rate / c.e, "rate of the spring just after");
    literature_blame(l, ERRATUM_J1, rate);
    literature_add(l, &ball_case, "2.49847", i.out.u_after.t1, "v_t at the end");
    literature_blame(l, ERRATUM_J1, v_t);
    literature_add(l, &ball_case, "5", jia_event(&i, CAROM_EVENT_COMPRESSION_END)->at.p.n,
                   "I_n where compression ends");
    literature_add(l, &ball_case, "7.5", i.out.p.n, "I_n where restitution ends");
    literature_add(l, &ball_case, "2.5", i.after.v.z, "V_z after");
    literature_add(l, &ball_case, "9.375", -i.out.energy.normal, "energy lost to irreversible deformation");
    literature_add(l, &ball_case, "13.4", i.energy[0], "kinetic energy before");
    literature_blame(l, ERRATUM_J2, jia_energy(jia_thrown));
    literature_add(l, &ball_case, "3.65977", i.energy[1], "kinetic energy after");
    literature_blame(l, ERRATUM_J2, jia_energy(i.variant));
}

/* ---- the pencil: a cone and a cylinder of radius 1/2, with their true inertia ---- */

/* (92): w in the axes of the pencil, tilted by theta = pi/3. */
static void add_velocities(literature *l, const impact *i)
{
    const double s = 0.8660254037844386, c = 0.5;
    carom_vec3 w = i->after.w;
    static const char *const names[] = {"V_x after", "V_y after", "V_z after", "w_1 after", "w_2 after"};
    static const char *const printed[] = {"-0.467507", "0.668974", "2.865", "0.101238", "-1.59079"};
    const double got[] = {i->after.v.x, i->after.v.y, i->after.v.z, s * w.x - c * w.z, w.y};
    for (int k = 0; k < 5; k++) {
        literature_add(l, &pencil_case, printed[k], got[k], "%s", names[k]);
        literature_blame(l, ERRATUM_J4, NAN);
    }
    literature_add(l, &pencil_case, "-0.5", c * w.x + s * w.z, "w_3 after");
}

static void add_pencil(literature *l)
{
    carom_body_def def = carom_body_def_default();
    carom_coeffs c = jia_usual();
    carom_vec3 tip = {-0.9572368421052634, 0, -1.657982845403103};
    c.mu = 0.8;
    def.inertia = (carom_sym3){0.7084942001385042, 0, -0.33839987633420754, 0.903869459833795, 0, 0.31774368074792286};
    def.velocity = (carom_vec3){-4.330127018922194, 0, -2.5};
    def.omega = (carom_vec3){-1.1160254037844386, -0.5, 0.06698729810778081};
    impact i = jia_strike(&def, tip, &c);
    literature_add(l, &pencil_case, "-3.50114", i.u.t1, "initial contact velocity, x");
    literature_add(l, &pencil_case, "-1.91447", i.u.t2, "initial contact velocity, y");
    literature_add(l, &pencil_case, "0", i.u.n, "initial contact velocity, n");
    literature_blame(l, ERRATUM_J5, NAN);
    literature_add(l, &pencil_case, "3.86262", i.out.p.t1, "I_x");
    literature_blame(l, ERRATUM_J4, NAN);
    literature_add(l, &pencil_case, "0.668974", i.out.p.t2, "I_y");
    literature_blame(l, ERRATUM_J4, NAN);
    literature_add(l, &pencil_case, "5.365", i.out.p.n, "I_n");
    literature_blame(l, ERRATUM_J4, NAN);
    add_velocities(l, &i);
    literature_add(l, &pencil_case, "12.65", i.energy[0], "kinetic energy before");
    literature_blame(l, ERRATUM_J2,
                     0.5 * carom_vec3_dot(def.velocity, def.velocity) + 0.1 * carom_vec3_dot(def.omega, def.omega));
    literature_add(l, &pencil_case, "4.71624", i.energy[1], "kinetic energy after");
    literature_blame(l, ERRATUM_J4, NAN);
}

void literature_jia(literature *l)
{
    add_ball(l);
    add_pencil(l);
}
