#include "sim/rest.h"

#include "sim/collide.h"
#include "sim/observe.h"
#include "sim/predict.h"
#include "sim/touching.h"

/* A velocity after an impact below this share of the one before is zero: rounding of u + K p. */
#define PLASTIC_TOL 1e-13
/* A slip below this share of the speed of the body has stopped. */
#define SLIP_TOL 1e-14

double energy_of(const carom_sim *sim, int i, double t)
{
    carom_body body = body_at(sim, i, t);
    return carom_body_energy(&body) - body.mass * carom_vec3_dot(sim->scene->gravity, body.position);
}

/* ---- closing ---- */

static bool is_supported(const carom_sim *sim, const touching *c)
{
    return mover_of(sim, c->a)->is_sphere && is_plane(sim, c->b);
}

static int find_closed(const carom_sim *sim, int a, int b)
{
    const closed_contact *c = sim->closed.data;
    for (size_t k = 0; k < sim->closed.count; k++)
        if (c[k].a == a && c[k].b == b)
            return (int)k;
    return -1;
}

static void tell_change(carom_sim *sim, carom_sim_event_kind kind, const closed_contact *c, double energy)
{
    carom_sim_contact contact = {.a = c->a, .b = c->b, .normal = c->normal, .rule = *rule_of(sim, c->a, c->b)};
    contact.def_a = def_at(sim, c->a, sim->time);
    contact.def_b = def_at(sim, c->b, sim->time);
    contact.arm_a = c->arm;
    carom_sim_event event = {kind, sim->time, 1, &contact, NULL, NULL, energy};
    observe_change(sim, &event);
}

/* Are the bounces of this contact over? (5.1) of the page: what is left of them takes less than the resting time and
 * stays below the resting length. */
static bool is_over(const carom_sim *sim, const touching *c, double u_n, double a_n)
{
    if (!(a_n < 0))
        return false;
    double before = -c->u_n, speed = fabs(c->u_n) + fabs(c->problem.u.t1) + fabs(c->problem.u.t2);
    if (u_n <= PLASTIC_TOL * speed)
        return true;
    double e = before > 0 ? u_n / before : 1;
    return e < 1 && 2 * u_n / (-a_n * (1 - e)) <= sim->scene->resting_time &&
           0.5 * u_n * u_n / -a_n <= sim->scene->resting_length;
}

static void close_contact(carom_sim *sim, const touching *c, double u_n)
{
    mover *m = mover_of(sim, c->a);
    double before = energy_of(sim, c->a, sim->time);
    m->v = carom_vec3_sub(m->v, carom_vec3_scale(u_n, c->normal));
    double change = energy_of(sim, c->a, sim->time) - before;
    sim->ledger.rest += change;
    if (find_closed(sim, c->a, c->b) >= 0)
        return;
    closed_contact *k = store_push(&sim->closed, &sim->memory);
    if (!k) {
        sim->out_of_memory = true;
        return;
    }
    *k = (closed_contact){c->a, c->b, c->normal, c->contact.arm_a, false};
    mover_of(sim, c->a)->closed++;
    mover_of(sim, c->b)->closed++;
    tell_change(sim, CAROM_SIM_EVENT_REST, k, change);
}

static void open_contact(carom_sim *sim, int k)
{
    closed_contact *list = sim->closed.data, c = list[k];
    list[k] = list[sim->closed.count - 1];
    sim->closed.count--;
    mover_of(sim, c.a)->closed--;
    mover_of(sim, c.b)->closed--;
    tell_change(sim, CAROM_SIM_EVENT_LEAVE, &c, 0);
}

static carom_vec3 slip_velocity(const carom_sim *sim, const closed_contact *c, double t)
{
    carom_body a = body_at(sim, c->a, t), b = body_at(sim, c->b, t);
    carom_vec3 arm_b = carom_vec3_sub(carom_vec3_add(a.position, c->arm), b.position);
    carom_vec3 u = carom_vec3_sub(carom_vec3_add(a.velocity, carom_vec3_cross(a.omega, c->arm)),
                                  carom_vec3_add(b.velocity, carom_vec3_cross(b.omega, arm_b)));
    return carom_vec3_sub(u, carom_vec3_scale(carom_vec3_dot(u, c->normal), c->normal));
}

static double normal_velocity(const carom_sim *sim, const touching *c)
{
    carom_vec3 v = carom_vec3_sub(mover_of(sim, c->a)->v, mover_of(sim, c->b)->v);
    return carom_vec3_dot(c->normal, v);
}

/* ---- a sphere on a plane: accelerations are constant while it slides along a line or rolls ---- */

typedef struct ride {
    double mu, mu_s;
    double lambda;   /* normal force over mass */
    double k;        /* 1 + m R^2 / I: slip acceleration over the force per mass that causes it */
    carom_vec3 n, g; /* normal, tangential gravity */
    carom_vec3 u;    /* slip */
    double slip;
} ride;

static double friction_of(const carom_rule *rule, double *mu_s)
{
    double mu = rule->law->uses & CAROM_USES(mu) ? rule->coeffs.mu : 0;
    *mu_s = rule->coeffs.mu_s >= mu ? rule->coeffs.mu_s : mu;
    return mu;
}

static ride ride_of(const carom_sim *sim, const closed_contact *c, double t)
{
    ride r;
    const mover *m = mover_of(sim, c->a);
    const carom_body *core = &frame_of(sim, c->a)->core;
    carom_vec3 g = sim->scene->gravity;
    double inertia = sim->scene->dim == 2 ? core->inertia.zz : core->inertia.xx;
    r.mu = friction_of(rule_of(sim, c->a, c->b), &r.mu_s);
    r.n = c->normal;
    r.lambda = -carom_vec3_dot(g, r.n);
    r.g = carom_vec3_add(g, carom_vec3_scale(r.lambda, r.n));
    r.k = 1 + core->mass * m->radius * m->radius / inertia;
    r.u = slip_velocity(sim, c, t);
    r.slip = carom_vec3_length(r.u);
    if (r.slip <= SLIP_TOL * (carom_vec3_length(m->v) + m->radius * carom_vec3_length(frame_of(sim, c->a)->turn.w)))
        r.slip = 0;
    return r;
}

/* Constant friction force per mass f: the motion of the sphere from now on. */
static void drive(carom_sim *sim, const closed_contact *c, const ride *r, carom_vec3 f, double duration)
{
    mover *m = mover_of(sim, c->a);
    frame_of_body *b = frame_of(sim, c->a);
    double inertia = sim->scene->dim == 2 ? b->core.inertia.zz : b->core.inertia.xx;
    m->a = carom_vec3_add(r->g, f);
    b->until = m->t0 + duration;
    carom_vec3 alpha = carom_vec3_scale(b->core.mass / inertia, carom_vec3_cross(c->arm, f));
    spin_drive(&b->turn, m->t0, b->turn.q, b->turn.w, alpha);
}

static carom_status start_ride(carom_sim *sim, int k, double t)
{
    closed_contact *c = (closed_contact *)sim->closed.data + k;
    ride r = ride_of(sim, c, t);
    if (!(r.lambda > 0)) {
        open_contact(sim, k);
        return CAROM_STATUS_OK;
    }
    double pull = carom_vec3_length(r.g);
    if (r.slip == 0) {
        bool rolls = pull <= r.mu_s * r.lambda * r.k;
        carom_vec3 f = carom_vec3_scale(rolls ? -1 / r.k : pull > 0 ? -r.mu * r.lambda / pull : 0, r.g);
        c->slips = !rolls;
        drive(sim, c, &r, f, INFINITY);
        return CAROM_STATUS_OK;
    }
    carom_vec3 d = carom_vec3_scale(1 / r.slip, r.u);
    double along = carom_vec3_dot(r.g, d), decay = r.mu * r.lambda * r.k - along;
    c->slips = true;
    drive(sim, c, &r, carom_vec3_scale(-r.mu * r.lambda, d), decay > 0 ? r.slip / decay : INFINITY);
    return CAROM_STATUS_OK;
}

static int contact_of(const carom_sim *sim, int i)
{
    const closed_contact *c = sim->closed.data;
    for (size_t k = 0; k < sim->closed.count; k++)
        if (c[k].a == i)
            return (int)k;
    return -1;
}

carom_status settle(carom_sim *sim, double t)
{
    for (size_t k = 0; k < sim->touchings.count; k++) {
        touching *c = touching_at(sim, (int)k);
        if (!is_supported(sim, c))
            continue;
        double u_n = normal_velocity(sim, c);
        double a_n = carom_vec3_dot(c->normal, mover_of(sim, c->a)->a);
        int known = find_closed(sim, c->a, c->b);
        if (is_over(sim, c, u_n, a_n))
            close_contact(sim, c, u_n);
        else if (known >= 0)
            open_contact(sim, known);
    }
    for (size_t s = 0; s < sim->involved.count; s++) {
        int i = involved_at(sim, (int)s)->body, k = mover_of(sim, i)->is_movable ? contact_of(sim, i) : -1;
        carom_status status = k >= 0 ? start_ride(sim, k, t) : CAROM_STATUS_OK;
        if (status)
            return status;
    }
    return CAROM_STATUS_OK;
}

/* Slip has stopped: what rounding left of it is taken out of the rotation. */
static void stop_slip(carom_sim *sim, closed_contact *c, carom_body *now)
{
    carom_vec3 u = slip_velocity(sim, c, sim->time);
    double R = mover_of(sim, c->a)->radius;
    now->omega = carom_vec3_add(now->omega, carom_vec3_scale(-1 / (R * R), carom_vec3_cross(c->arm, u)));
}

carom_status end_piece(carom_sim *sim, int i, double t)
{
    frame_of_body *f = frame_of(sim, i);
    sim->time = t;
    if (f->turn.until <= t && f->until > t) {
        spin_renew(&f->turn);
        predict(sim, i, t);
        return CAROM_STATUS_OK;
    }
    int k = contact_of(sim, i);
    closed_contact *c = (closed_contact *)sim->closed.data + k;
    carom_body now = body_at(sim, i, t);
    stop_slip(sim, c, &now);
    set_motion(sim, i, t, &now);
    c->slips = false;
    tell_change(sim, CAROM_SIM_EVENT_ROLL, c, 0);
    carom_status status = start_ride(sim, k, t);
    predict(sim, i, t);
    return status;
}
