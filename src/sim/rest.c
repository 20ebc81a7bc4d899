#include "sim/rest.h"

#include "core/rotate.h"
#include "sim/closing.h"
#include "sim/collide.h"
#include "sim/fields.h"
#include "sim/foot.h"
#include "sim/ground.h"
#include "sim/impact_time.h"
#include "sim/jointed.h"
#include "sim/observe.h"
#include "sim/predict.h"
#include "sim/ride.h"
#include "sim/roll.h"
#include "sim/seam.h"
#include "sim/step.h"
#include "sim/touching.h"

/* Sine of the tilt of a rim, and share of the time scale of a body: below these (the second, many times in a row),
 * stepping takes over. */
#define GAP_TIME    1e-3 /* of the time scale of a body: where the second derivative of a gap is looked at */
#define PRESSED     1e-4 /* of the accelerations: it tells a contact that presses from rounding */
#define NEARLY_FLAT 0.01
#define STIFF       1e-4
#define JAM_RATE    (8 * EPS) /* of the speeds: the approach of a contact that jams */
enum { TINY_MOST = 400 };     /* such pieces in a row: a slip may end slowly */
enum { AGAIN_MOST = 100 };    /* impacts of a body at one instant */

double energy_of(const carom_sim *sim, int i, double t)
{
    carom_body body = body_at(sim, i, t);
    return carom_body_energy(&body) - body.mass * carom_vec3_dot(gravity_of(sim, i), body.position);
}

/* ---- events ---- */

static void tell_change(carom_sim *sim, carom_sim_event_kind kind, const closed_contact *c, double energy)
{
    carom_sim_contact contact = {.a = c->a, .b = c->b, .normal = c->normal, .rule = *rule_of(sim, c->a, c->b)};
    double y[STATE];
    ride r = {.sim = sim, .body = c->a, .count = 1};
    r.c[0].n = c->normal;
    r.c[0].foot = c->foot;
    state_of(sim, c->a, sim->time, y);
    contact.def_a = def_at(sim, c->a, sim->time);
    contact.def_b = def_at(sim, c->b, sim->time);
    contact.arm_a = contact_arm(&r, 0, y);
    contact.arm_b = carom_vec3_sub(carom_vec3_add(contact.def_a.position, contact.arm_a), contact.def_b.position);
    carom_sim_event event = {kind, sim->time, 1, &contact, NULL, NULL, energy, NULL};
    observe_change(sim, &event);
}

static void drop_contact(carom_sim *sim, int k)
{
    closed_contact *list = sim->closed.data, c = list[k];
    for (size_t n = (size_t)k + 1; n < sim->closed.count; n++)
        list[n - 1] = list[n];
    sim->closed.count--;
    mover_of(sim, c.a)->closed--;
    mover_of(sim, c.b)->closed--;
    remember(sim, c.a, c.b);
}

static void open_contact(carom_sim *sim, int k)
{
    closed_contact c = *((const closed_contact *)sim->closed.data + k);
    drop_contact(sim, k);
    tell_change(sim, CAROM_SIM_EVENT_LEAVE, &c, 0);
}

static bool moves_over_body(const piece *foot)
{
    return foot->kind != CORE_POINT || foot->margin > 0;
}

/* ---- motion on closed contacts ---- */

track *track_of(carom_sim *sim, int i)
{
    if (!sim->tracks.count && !store_resize(&sim->tracks, &sim->memory, (size_t)sim->count)) {
        sim->out_of_memory = true;
        return NULL;
    }
    return (track *)sim->tracks.data + i;
}

static void set_velocities(carom_sim *sim, int i, double t, const double y[STATE])
{
    mover *m = mover_of(sim, i);
    frame_of_body *f = frame_of(sim, i);
    carom_quat q = {y[3], y[4], y[5], y[6]};
    m->track = NULL;
    m->x = carom_vec3_make(y[0], y[1], y[2]);
    m->v = carom_vec3_make(y[7], y[8], y[9]);
    m->t0 = t;
    f->until = INFINITY;
    spin_start(&f->turn, &f->moments, t, q, carom_vec3_make(y[10], y[11], y[12]));
}

static void stand_still(carom_sim *sim, int i, double t, double y[STATE])
{
    carom_vec3 none = {0, 0, 0};
    for (int k = 7; k < STATE; k++)
        y[k] = 0;
    set_velocities(sim, i, t, y);
    mover_of(sim, i)->a = none;
    spin_drive(&frame_of(sim, i)->turn, t, frame_of(sim, i)->turn.q, none, none);
}

/* What forces of the size of g would stop within the resting time is at rest when nothing accelerates it. */
static bool is_still(const ride *r, const double y[STATE], const double f[STATE])
{
    double R = mover_of(r->sim, r->body)->radius, g = r->strength, v = 0, a = 0;
    for (int k = 0; k < 3; k++) {
        v = max(v, max(fabs(y[7 + k]), R * fabs(y[10 + k])));
        a = max(a, max(fabs(f[7 + k]), R * fabs(f[10 + k])));
    }
    return v <= max(1e3 * rest_speed(r), g * r->sim->scene->resting_time) && a <= 1e-9 * g;
}

/* Modes have been chosen: tell what changed, drop contacts that open. */
static void apply_modes(carom_sim *sim, ride *r)
{
    for (int k = r->count - 1; k >= 0; k--) {
        ride_contact *m = &r->c[k];
        closed_contact *c = (closed_contact *)sim->closed.data + m->closed;
        bool slips = (m->mode == RIDE_SLIP || m->mode == RIDE_ONSET) && m->mu > 0;
        if (m->mode == RIDE_OPEN) {
            open_contact(sim, m->closed);
            continue;
        }
        if (slips != c->slips && !(c->is_new && slips))
            tell_change(sim,
                        slips                       ? CAROM_SIM_EVENT_SLIDE
                        : moves_over_body(&c->foot) ? CAROM_SIM_EVENT_ROLL
                                                    : CAROM_SIM_EVENT_STICK,
                        c, 0);
        c->slips = slips;
        c->onset = m->mode == RIDE_ONSET;
        c->is_new = false;
    }
}

void drop_contacts(carom_sim *sim, int i)
{
    closed_contact *list = sim->closed.data;
    size_t kept = 0;
    for (size_t k = 0; k < sim->closed.count; k++) {
        if (list[k].a == i) {
            mover_of(sim, list[k].a)->closed--;
            mover_of(sim, list[k].b)->closed--;
        } else {
            list[kept++] = list[k];
        }
    }
    sim->closed.count = kept;
}

/* A ball rolls on: from a face over its edge, and from an edge onto the face behind it. */
static bool rolls_on(const carom_sim *sim, const ride_contact *m, carom_vec3 place, closed_contact *c)
{
    if (!is_whole_ball(sim, c->a, c->piece, &m->foot))
        return false;
    if (m->under.kind == GROUND_FLAT)
        return border_ground(sim, m->ground, m->n, place, &c->under);
    if (!m->under.sharp || !face_ground(sim, m->ground, m->n, &c->normal))
        return false;
    c->level = carom_vec3_dot(c->normal, carom_vec3_sub(m->under.at, mover_position(mover_of(sim, c->b), sim->time)));
    c->under.kind = GROUND_FLAT;
    return true;
}

/* A ball that comes to a border rolls over it. */
static bool is_inside(const ride *r, int k, touch_point at, const double y[STATE])
{
    const ride_contact *m = &r->c[k];
    double R = mover_of(r->sim, r->body)->radius;
    const closed_contact *c = (const closed_contact *)r->sim->closed.data + m->closed;
    if (is_whole_ball(r->sim, c->a, c->piece, &m->foot) || m->under.kind != GROUND_FLAT)
        return inside_ground(r->sim, m->ground, &m->under, at) > FACE_BORDER * R;
    return stays_inside(r->sim, m->ground, at, slip_velocity(r, k, y), R);
}

/* Contacts whose point has come to the border of what it stands on open, unless they are those of a ball that rolls on.
 */
static void leave_grounds(carom_sim *sim, int i, const double y[STATE])
{
    ride r;
    if (!ride_make(sim, i, &r))
        return;
    ride_aim(&r, y);
    for (int k = r.count - 1; k >= 0; k--) {
        ride_contact *m = &r.c[k];
        closed_contact *c = (closed_contact *)sim->closed.data + m->closed;
        carom_vec3 place = carom_vec3_add(carom_vec3_make(y[0], y[1], y[2]), contact_arm(&r, k, y));
        c->normal = m->n;
        if (is_inside(&r, k, (touch_point){place, m->n, sim->time}, y))
            continue;
        if (crosses_seam(sim, c, place, slip_velocity(&r, k, y))) {
            mover_of(sim, m->ground)->closed--;
            mover_of(sim, c->b)->closed++;
        } else if (!rolls_on(sim, m, place, c)) {
            open_contact(sim, m->closed);
        }
    }
}

/* A rim whose plane is nearly the ground rolls faster and faster: stepping takes over. */
static bool lies_nearly_flat(const ride *r, const double y[STATE])
{
    carom_quat q = {y[3], y[4], y[5], y[6]};
    for (int k = 0; k < r->count; k++) {
        carom_vec3 axis = quat_turn(quat_multiply(q, r->c[k].foot.turn), carom_vec3_make(0, 0, 1));
        if (r->c[k].foot.kind == CORE_DISK && carom_vec3_length(carom_vec3_cross(axis, r->c[k].n)) < NEARLY_FLAT)
            return true;
    }
    return false;
}

/* Painleve's paradox: a contact slips, is pressed, and no force of friction with its load stops it. What stops it is an
 * impulse, the limit of impacts with a slower and slower approach. The contact opens and approaches as little as its
 * velocity can tell, and its pair collides at once. */
static bool jam(carom_sim *sim, ride *r, double y[STATE])
{
    for (int k = 0; k < r->count; k++) {
        const ride_contact *m = &r->c[k];
        if (!m->jams || m->mode == RIDE_OPEN)
            continue;
        carom_vec3 u = contact_velocity(r, k, y);
        double speed = carom_vec3_length(u) + carom_vec3_length(vec_at(y + 7));
        put(y + 7, carom_vec3_sub(vec_at(y + 7), carom_vec3_scale(carom_vec3_dot(m->n, u) + JAM_RATE * speed, m->n)));
        drop_contact(sim, m->closed);
        return true;
    }
    return false;
}

/* Body i goes on from the state y on its closed contacts. */
static carom_status go_on(carom_sim *sim, int i, double t, double y[STATE])
{
    ride r;
    double f[STATE];
    leave_grounds(sim, i, y);
    if (!ride_make(sim, i, &r))
        return CAROM_STATUS_UNSUPPORTED;
    ride_choose(&r, y, f);
    if (jam(sim, &r, y))
        return go_on(sim, i, t, y);
    apply_modes(sim, &r);
    set_velocities(sim, i, t, y);
    mover_of(sim, i)->a = gravity_of(sim, i);
    if (!mover_of(sim, i)->closed)
        return fly(sim, i, t);
    if (!ride_make(sim, i, &r))
        return CAROM_STATUS_UNSUPPORTED;
    ride_choose(&r, y, f);
    if (is_still(&r, y, f)) {
        stand_still(sim, i, t, y);
        frame_of(sim, i)->until = ride_next(&r, t);
        return CAROM_STATUS_OK;
    }
    if (roll_plainly(sim, &r, t))
        return CAROM_STATUS_OK;
    track *k = track_of(sim, i);
    if (!k)
        return CAROM_STATUS_NO_MEMORY;
    if (lies_nearly_flat(&r, y)) {
        step_enter(sim, i, t);
        return CAROM_STATUS_OK;
    }
    bool fails = ride_piece(&r, t, y, ride_next(&r, t), k) == RIDE_FAILS;
    bool tiny = k->end - t < STIFF * sqrt(mover_of(sim, i)->radius / r.strength);
    int before = frame_of(sim, i)->tiny;
    frame_of(sim, i)->tiny = tiny ? before + 1 : before > 0 ? before - 1 : 0;
    if (fails || frame_of(sim, i)->tiny > TINY_MOST) {
        step_enter(sim, i, t);
        return CAROM_STATUS_OK;
    }
    mover_of(sim, i)->track = k;
    frame_of(sim, i)->until = k->end;
    spin_follow(&frame_of(sim, i)->turn, k);
    return CAROM_STATUS_OK;
}

static void replace_closed(carom_sim *sim, int i, const trial *x)
{
    for (int k = (int)sim->closed.count - 1; k >= 0; k--) {
        const closed_contact *c = (const closed_contact *)sim->closed.data + k;
        int m = c->a == i ? find_trial(sim, x, c) : -1;
        if (c->a == i && !(m >= 0 && x->closes[m]))
            open_contact(sim, k);
    }
    for (int k = 0; k < x->count; k++) {
        if (!x->closes[k] || x->was_closed[k])
            continue;
        closed_contact *c = store_push(&sim->closed, &sim->memory);
        if (!c) {
            sim->out_of_memory = true;
            return;
        }
        *c = x->c[k];
        c->is_new = true;
        mover_of(sim, c->a)->closed++;
        mover_of(sim, c->b)->closed++;
    }
}

/* Close what is over, open what lifts, and begin the motion of body i. */
static carom_status settle_body(carom_sim *sim, int i, double t)
{
    trial x;
    ride r;
    double y[STATE];
    collect(sim, i, t, &x);
    if (!x.count)
        return CAROM_STATUS_OK;
    state_of(sim, i, t, y);
    judge(sim, i, &x, y);
    replace_closed(sim, i, &x);
    if (!mover_of(sim, i)->closed)
        return CAROM_STATUS_OK;
    if (!ride_make(sim, i, &r))
        return CAROM_STATUS_UNSUPPORTED;
    double change = ride_stop_normal(&r, y, &sim->ledger.driven) + ride_stop_slip(&r, y, &sim->ledger.driven);
    sim->ledger.rest += change;
    for (int k = 0; k < r.count; k++) {
        closed_contact *c = (closed_contact *)sim->closed.data + r.c[k].closed;
        if (c->is_new)
            tell_change(sim, CAROM_SIM_EVENT_REST, c, change);
    }
    return go_on(sim, i, t, y);
}

/* The second derivative of the gap of two bodies that touch at time t, from the motions that begin there. */
static double gap_acceleration(const carom_sim *sim, const touching *c, double strength, double t)
{
    double h = GAP_TIME * sqrt(mover_of(sim, c->a)->radius / strength), g[3];
    for (int k = 0; k < 3; k++)
        g[k] = gap_at(sim, c->a, c->b, t + k * h);
    return ((g[2] - 2 * g[1]) + g[0]) / (h * h);
}

/* The same without rotation, where what is stepped or rides counts as carried. */
static double pull_at(const carom_sim *sim, const touching *c)
{
    const mover *a = mover_of(sim, c->a), *b = mover_of(sim, c->b);
    carom_vec3 none = {0, 0, 0};
    carom_vec3 pull = carom_vec3_sub(a->track || frame_of(sim, c->a)->stepped ? none : a->a,
                                     b->track || frame_of(sim, c->b)->stepped ? none : b->a);
    return carom_vec3_dot(c->contact.frame.n, pull);
}

/* Contacts that only stepping can follow: with a body that moves, or with a fixed one that is no flat ground. */
static bool needs_steps(const carom_sim *sim, const touching *c, double t)
{
    const carom_body *now = &involved_at(sim, frame_of(sim, c->a)->slot)->now,
                     *other = &involved_at(sim, frame_of(sim, c->b)->slot)->now;
    carom_problem after;
    if (carom_bodies_reduce(now, other, &c->contact, &after))
        return false;
    double R = mover_of(sim, c->a)->radius;
    double turn = R * (carom_vec3_length(now->omega) + carom_vec3_length(other->omega));
    double speed = carom_vec3_length(carom_vec3_sub(now->velocity, other->velocity)) + turn - c->u_n;
    double strength = carom_vec3_length(gravity_of(sim, c->a)) + (R > 0 ? turn * turn / R : 0);
    if (!(strength > 0 && R > 0) || after.u.n > SLOW * sqrt(strength * R))
        return false;
    double turned = gap_acceleration(sim, c, strength, t), pulled = pull_at(sim, c);
    rebound r = {c->u_n, after.u.n, turned < -PRESSED * strength ? min(turned, pulled) : pulled, speed};
    return is_over(sim->scene, &r);
}

static void begin_steps(carom_sim *sim, double t)
{
    for (size_t k = 0; k < sim->touchings.count; k++) {
        const touching *c = touching_at(sim, (int)k);
        closed_contact made;
        bool stands = !is_jointed(sim, c->a) && standing(sim, c, t, &made), due = step_is_due(sim, c->a, c->b, t);
        due |= mover_of(sim, c->b)->is_movable && step_is_due(sim, c->b, c->a, t);
        due |= frame_of(sim, c->a)->again > AGAIN_MOST;
        if (!due && (stands || !needs_steps(sim, c, t)))
            continue;
        step_enter(sim, c->a, t);
        step_enter(sim, c->b, t);
    }
}

/* Whatever went wrong, no NaN goes on from here. */
static bool moves_finitely(const carom_sim *sim, int i)
{
    const mover *m = mover_of(sim, i);
    double sum = m->x.x + m->x.y + m->x.z + m->v.x + m->v.y + m->v.z;
    return sum - sum == 0;
}

carom_status settle(carom_sim *sim, double t)
{
    for (size_t s = 0; s < sim->involved.count; s++) {
        int i = involved_at(sim, (int)s)->body;
        bool free = mover_of(sim, i)->is_movable && !frame_of(sim, i)->stepped && !is_jointed(sim, i);
        carom_status status = free ? settle_body(sim, i, t) : CAROM_STATUS_OK;
        if (status)
            return status;
        if (!moves_finitely(sim, i))
            return CAROM_STATUS_OUT_OF_RANGE;
    }
    begin_steps(sim, t);
    return CAROM_STATUS_OK;
}

/* ---- the end of a piece ---- */

carom_status end_piece(carom_sim *sim, int i, double t)
{
    frame_of_body *f = frame_of(sim, i);
    sim->time = t;
    if (f->stepped) {
        step_ask(sim, i);
        return CAROM_STATUS_OK;
    }
    if (is_jointed(sim, i))
        return jointed_renew(sim, i, t);
    if (f->turn.until <= t && f->until > t) {
        spin_renew(&f->turn);
        predict(sim, i, t);
        return CAROM_STATUS_OK;
    }
    if (f->forced && !mover_of(sim, i)->closed)
        return fly_on(sim, i, t);
    double y[STATE];
    ride r;
    state_of(sim, i, t, y);
    book_piece(sim, i, t);
    if (!ride_make(sim, i, &r))
        return CAROM_STATUS_UNSUPPORTED;
    ride_project(&r, y);
    mover_of(sim, i)->version++;
    frame_of(sim, i)->recent_count = 0;
    carom_status status = go_on(sim, i, t, y);
    predict(sim, i, t);
    return status;
}
