#include "sim/rest/settle.h"

#include "core/rotate.h"
#include "sim/contact/closed_list.h"
#include "sim/detect/impact_time.h"
#include "sim/detect/near.h"
#include "sim/motion/course.h"
#include "sim/motion/sim_linkage.h"
#include "sim/resolve/gather.h"
#include "sim/resolve/sim_road.h"
#include "sim/rest/air_flight.h"
#include "sim/rest/ball_on_plane.h"
#include "sim/rest/closed_contacts.h"
#include "sim/rest/ride_joints.h"
#include "sim/rest/rim_feet.h"
#include "sim/rest/standstill.h"

enum { TINY_MOST = 400 }; /* such pieces in a row: a slip may end slowly */

/* ---- motion on closed contacts ---- */

static void stand_still(carom_sim *sim, int i, double t, const double y[STATE], double until)
{
    carom_vec3 none = {0, 0, 0};
    snap at = snap_of(y);
    at.v = at.w = none;
    at.q = quat_scale(1 / quat_norm(at.q), at.q);
    course c = course_driven(at, none, none, until);
    motion_begin(sim, i, t, &c);
}

static void step_all(carom_sim *sim, const island *bodies, double t)
{
    for (int m = 0; m < bodies->count; m++)
        step_enter(sim, bodies->body[m], t);
}

/* What the acceleration problem does not cover is stepped where bodies rest on each other. */
static carom_status give_up(carom_sim *sim, const island *bodies, double t)
{
    if (sim->arena->failed)
        return CAROM_STATUS_NO_MEMORY;
    if (bodies->count == 1)
        return CAROM_STATUS_UNSUPPORTED;
    step_all(sim, bodies, t);
    return CAROM_STATUS_OK;
}

/* After many very short pieces in a row, switch to stepping. */
static bool is_stuck(carom_sim *sim, const ride *r, double length)
{
    /* a piece that, many times in a row, stepping takes over */
    bool tiny = length < 0.1 * SMALL_SHARE * sqrt(ride_radius(r) / r->strength), stuck = false;
    /* a contact may change its mode twice at an instant: more pieces without a length go round in circles */
    int more = length <= SAME_INSTANT * r->time ? TINY_MOST / (2 * r->count + 1) + 1 : 1;
    for (int m = 0; m < r->members; m++) {
        frame_of_body *f = frame_of(sim, r->m[m].body);
        f->tiny = tiny ? f->tiny + more : f->tiny > 0 ? f->tiny - 1 : 0;
        stuck |= f->tiny > TINY_MOST;
    }
    return stuck;
}

/* The tracks of all members begin. */
static carom_status ride_on(carom_sim *sim, const island *bodies, ride *r, double t, const double *y, const double *f)
{
    track *k[ISLAND_BODIES];
    for (int m = 0; m < bodies->count; m++)
        if (!(k[m] = track_of(sim, bodies->body[m])))
            return CAROM_STATUS_NO_MEMORY;
    lay_rims(sim, r, y);
    bool fails = leaves_rims(r, y, f) || ride_piece(r, t, y, ride_next(r, t), k) == RIDE_FAILS;
    if (fails || is_stuck(sim, r, k[0]->end - t)) {
        step_all(sim, bodies, t);
        return CAROM_STATUS_OK;
    }
    for (int m = 0; m < bodies->count; m++) {
        int i = bodies->body[m];
        course c = course_on_track(sim, i, y + STATE * m, k[m]);
        motion_begin(sim, i, t, &c);
    }
    return CAROM_STATUS_OK;
}

static bool touches(const carom_sim *sim, const island *bodies)
{
    for (int m = 0; m < bodies->count; m++)
        if (mover_of(sim, bodies->body[m])->closed)
            return true;
    return false;
}

/* Bodies that closed contacts still connect go on from the state y; or one that none holds any more. */
static carom_status go_on_together(carom_sim *sim, const island *bodies, double t, double *y)
{
    ride r;
    double f[RIDE_STATE];
    int first = bodies->body[0];
    if (!touches(sim, bodies))
        return is_jointed(sim, first) ? jointed_fly(sim, frame_of(sim, first)->assembly, t) : fly(sim, first, t);
    if (!ride_make(sim, bodies, &r))
        return give_up(sim, bodies, t);
    ride_choose(&r, y, f);
    if (stands_still(sim, &r, y, f)) {
        for (int m = 0; m < bodies->count; m++)
            stand_still(sim, bodies->body[m], t, y + STATE * m, ride_next(&r, t));
        return CAROM_STATUS_OK;
    }
    return !r.joints && roll_plainly(sim, &r, t) ? CAROM_STATUS_OK : ride_on(sim, bodies, &r, t, y, f);
}

static void place_all(carom_sim *sim, const island *bodies, double t, const double *y)
{
    for (int m = 0; m < bodies->count; m++) {
        course c = course_free(sim, bodies->body[m], snap_of(y + STATE * m));
        motion_begin(sim, bodies->body[m], t, &c);
    }
}

/* What has become of an island: parts that closed contacts still connect. The next part whose bodies are not done yet;
 * false when there is none. */
static bool next_part(const carom_sim *sim, const island *bodies, island *done, island *part)
{
    for (int m = 0; m < bodies->count; m++) {
        if (island_find(done, bodies->body[m]) >= 0)
            continue;
        *part = island_of(sim, bodies->body[m]);
        for (int k = 0; k < part->count; k++)
            island_add(done, part->body[k]);
        return true;
    }
    return false;
}

static void part_state(const island *bodies, const double *y, const island *part, double *out)
{
    for (int m = 0; m < part->count; m++)
        memcpy(out + STATE * m, y + STATE * island_find(bodies, part->body[m]), STATE * sizeof *out);
}

/* Painleve's paradox: a contact slips, is pressed, and no force of friction with its load stops it. What stops it is an
 * impulse, the limit of impacts with a slower and slower approach. The contact opens and approaches as little as its
 * velocity can tell, and its pair collides at once. */
static bool jam(carom_sim *sim, ride *r, double *y)
{
    for (int k = 0; k < r->count; k++) {
        const ride_contact *m = &r->c[k];
        if (!m->jams || m->mode == RIDE_OPEN)
            continue;
        double *own = y + STATE * m->a;
        carom_vec3 u = contact_velocity(r, k, y), v = vec_at(own + 7);
        double speed = carom_vec3_length(u) + carom_vec3_length(v);
        /* the approach of a contact that jams */
        put(own + 7, carom_vec3_sub(v, carom_vec3_scale(carom_vec3_dot(m->n, u) + 8 * EPS * speed, m->n)));
        drop_contact(sim, m->closed);
        return true;
    }
    return false;
}

/* The bodies of an island go on from the state y: modes change, contacts open, parts may separate. */
static carom_status go_on(carom_sim *sim, const island *bodies, double t, double *y)
{
    ride r;
    double f[RIDE_STATE], own[RIDE_STATE];
    island done = {.count = 0}, part;
    if (bodies->count > 1)
        place_all(sim, bodies, t, y);
    if (!leave_grounds(sim, bodies, y)) {
        place_all(sim, bodies, t, y);
        step_all(sim, bodies, t);
        return CAROM_STATUS_OK;
    }
    if (!ride_make(sim, bodies, &r))
        return give_up(sim, bodies, t);
    ride_choose(&r, y, f);
    if (jam(sim, &r, y))
        return go_on(sim, bodies, t, y);
    apply_modes(sim, &r);
    place_all(sim, bodies, t, y);
    carom_status status = CAROM_STATUS_OK;
    while (!status && next_part(sim, bodies, &done, &part)) {
        part_state(bodies, y, &part, own);
        status = go_on_together(sim, &part, t, own);
    }
    return status;
}

/* ---- after an impact ---- */

static void replace_closed(carom_sim *sim, const island *bodies, const trial *x)
{
    for (int k = (int)sim->closed.count - 1; k >= 0; k--) {
        const closed_contact *c = (const closed_contact *)sim->closed.data + k;
        bool own = island_find(bodies, c->a) >= 0;
        int m = own ? find_trial(sim, x, c) : -1;
        if (own && !(m >= 0 && x->at[m].closes))
            open_contact(sim, k);
    }
    for (int k = 0; k < x->count; k++)
        if (x->at[k].closes && !x->at[k].was_closed)
            close_contact(sim, &x->at[k].c);
}

/* Normal velocities end where contacts have closed, and the motion begins. */
static carom_status settle_part(carom_sim *sim, const island *bodies, double t, double *y)
{
    ride r;
    if (!touches(sim, bodies))
        return CAROM_STATUS_OK;
    if (!ride_make(sim, bodies, &r))
        return give_up(sim, bodies, t);
    if (r.joints && feet_meet(&r, y)) {
        step_all(sim, bodies, t);
        return CAROM_STATUS_OK;
    }
    double change = ride_close_gaps(&r, y);
    change += ride_stop_normal(&r, y) + ride_stop_slip(&r, y);
    sim->ledger.driven += r.by_ground;
    sim->ledger.rest += change;
    for (int k = 0; k < r.count; k++) {
        closed_contact *c = (closed_contact *)sim->closed.data + r.c[k].closed;
        if (c->is_new)
            tell_change(sim, CAROM_SIM_EVENT_REST, c, change);
    }
    return go_on(sim, bodies, t, y);
}

/* Close what is over, open what lifts, and begin the motion. */
static carom_status settle_island(carom_sim *sim, const island *bodies, double t)
{
    trial x;
    double y[RIDE_STATE], own[RIDE_STATE];
    island done = {.count = 0}, part;
    if (!collect(sim, bodies, t, &x))
        return CAROM_STATUS_NO_MEMORY;
    if (!x.count)
        return CAROM_STATUS_OK;
    island_state(sim, bodies, t, y);
    if (!judge(sim, bodies, &x, y))
        return give_up(sim, bodies, t);
    replace_closed(sim, bodies, &x);
    carom_status status = CAROM_STATUS_OK;
    while (!status && next_part(sim, bodies, &done, &part)) {
        part_state(bodies, y, &part, own);
        status = settle_part(sim, &part, t, own);
    }
    return status;
}

/* The second derivative of the gap of two bodies that touch at time t, from the motions that begin there. */
static double gap_acceleration(const carom_sim *sim, const touching *c, double strength, double t)
{
    /* where the second derivative of a gap is looked at */
    double h = SMALL_SHARE * sqrt(mover_of(sim, c->a)->radius / strength), g[3];
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

/* Contacts that only stepping can follow: their bounces are over, but there is nothing to stand on. */
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
    /* faster rebounds are looked at later */
    if (!(strength > 0 && R > 0) || after.u.n > SMALL_SHARE * sqrt(strength * R))
        return false;
    double turned = gap_acceleration(sim, c, strength, t), pulled = pull_at(sim, c);
    rebound r = {c->u_n, after.u.n, turned < -PRESSED * strength ? min(turned, pulled) : pulled, speed, t};
    return is_over(sim->scene, &r);
}

static bool is_crowded(const carom_sim *sim, int i)
{
    return involved_at(sim, frame_of(sim, i)->slot)->crowded;
}

/* Has body a bounced too often? What hits fixed bodies at once is one bounce. */
static bool is_due(carom_sim *sim, size_t k, double t)
{
    const touching *c = touching_at(sim, (int)k), *last = c - 1;
    bool movable = mover_of(sim, c->b)->is_movable,
         same = k > 0 && last->a == c->a && !mover_of(sim, last->b)->is_movable;
    bool due = (movable || !same) && step_is_due(sim, c->a, c->b, t);
    due |= movable && step_is_due(sim, c->b, c->a, t);
    return due || frame_of(sim, c->a)->again > INSTANT_MOST;
}

static void begin_steps(carom_sim *sim, double t)
{
    for (size_t k = 0; k < sim->touchings.count; k++) {
        const touching *c = touching_at(sim, (int)k);
        closed_contact made;
        bool stands = c->bounces || standing(sim, c, t, &made);
        bool due = is_due(sim, k, t);
        stands &= !(mover_of(sim, c->b)->is_movable && (is_crowded(sim, c->a) || is_crowded(sim, c->b)));
        if (!due && (stands || !needs_steps(sim, c, t)))
            continue;
        step_enter(sim, c->a, t);
        step_enter(sim, c->b, t);
    }
}

/* Everything that closed contacts connect with body i, whose motion has begun. False: no room. */
static bool add_connected(const carom_sim *sim, int i, island *out)
{
    island more = island_of(sim, i);
    for (int m = 0; m < more.count; m++)
        if (!island_add(out, more.body[m]))
            return false;
    return true;
}

/* Body i and all that closed contacts, or contacts of this impact that may close, connect it with. False: more than an
 * island has room for. */
static bool gather_island(carom_sim *sim, int i, double t, island *out)
{
    *out = island_of(sim, i);
    for (int m = 0; m < out->count; m++)
        for (size_t k = 0; k < sim->touchings.count; k++) {
            const touching *c = touching_at(sim, (int)k);
            closed_contact made;
            int body = out->body[m], other = c->a == body ? c->b : c->a;
            if ((c->a != body && c->b != body) || !mover_of(sim, other)->is_movable || island_find(out, other) >= 0)
                continue;
            if (standing(sim, c, t, &made) && !add_connected(sim, other, out))
                return false;
        }
    return true;
}

/* Members that the impact has not reached take part from now on: their pieces end here. */
static bool involve_all(carom_sim *sim, const island *bodies, double t)
{
    for (int m = 0; m < bodies->count; m++) {
        int i = bodies->body[m];
        bool is_new = frame_of(sim, i)->slot < 0;
        if (involve(sim, i, t) < 0)
            return false;
        involved *x = involved_at(sim, frame_of(sim, i)->slot);
        x->settled = true;
        if (is_new)
            set_motion(sim, i, t, &x->now);
    }
    return true;
}

static carom_status settle_body(carom_sim *sim, int i, double t)
{
    island bodies;
    if (gather_island(sim, i, t, &bodies)) {
        arena_mark mark = arena_now(sim->arena);
        carom_status status = involve_all(sim, &bodies, t) ? settle_island(sim, &bodies, t) : CAROM_STATUS_NO_MEMORY;
        arena_back(sim->arena, mark);
        return status;
    }
    involved_at(sim, frame_of(sim, i)->slot)->crowded = true;
    if (mover_of(sim, i)->closed)
        step_enter(sim, i, t);
    return CAROM_STATUS_OK;
}

/* Whatever went wrong, no NaN goes on from here. */
static bool moves_finitely(const carom_sim *sim, int i)
{
    const mover *m = mover_of(sim, i);
    double sum = m->x.x + m->x.y + m->x.z + m->v.x + m->v.y + m->v.z;
    return sum - sum == 0;
}

/* A ball in free flight that leaves a plane: n.g is the acceleration of its gap, and (5.1) shows at once that its
 * bounces go on. Where that is not far from it, contacts are judged as any others. */
static bool bounces_on(const carom_sim *sim, const touching *c)
{
    const mover *a = mover_of(sim, c->a), *b = mover_of(sim, c->b);
    const frame_of_body *f = frame_of(sim, c->a);
    if (!a->is_sphere || !is_plane(sim, c->b) || b->track || a->closed || f->forced || f->stepped ||
        is_jointed(sim, c->a))
        return false;
    carom_vec3 n = c->contact.frame.n, v = carom_vec3_sub(a->v, b->v), g = gravity_of(sim, c->a);
    double u_n = carom_vec3_dot(n, v), a_n = carom_vec3_dot(n, g);
    double speed = carom_vec3_length(v) + a->radius * carom_vec3_length(f->turn.w) - c->u_n;
    if (!(u_n > VISIBLE * (speed + sqrt(carom_vec3_length(g) * a->radius)))) /* faster is not rest */
        return false;
    rebound slower = {0.5 * c->u_n, 0.5 * u_n, a_n, 0, sim->time};
    return !(a_n < 0) || !is_over(sim->scene, &slower);
}

/* Do all contacts of body i in this impact leave it flying? */
static bool flies_on(const carom_sim *sim, int i)
{
    for (size_t k = 0; k < sim->touchings.count; k++) {
        const touching *c = touching_at(sim, (int)k);
        if ((c->a == i || c->b == i) && !c->bounces)
            return false;
    }
    return !mover_of(sim, i)->closed;
}

carom_status settle(carom_sim *sim, double t)
{
    for (size_t k = 0; k < sim->touchings.count; k++)
        touching_at(sim, (int)k)->bounces = bounces_on(sim, touching_at(sim, (int)k));
    for (size_t s = 0; s < sim->involved.count; s++) {
        int i = involved_at(sim, (int)s)->body;
        bool free = mover_of(sim, i)->is_movable && !frame_of(sim, i)->stepped && may_rest(sim, i);
        free = free && !involved_at(sim, (int)s)->settled && !flies_on(sim, i);
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

/* The pieces of an island end at t. */
static carom_status end_pieces(carom_sim *sim, const island *bodies, double t)
{
    double y[RIDE_STATE];
    ride r;
    island_state(sim, bodies, t, y);
    for (int m = 0; m < bodies->count; m++)
        motion_end(sim, bodies->body[m], t);
    if (!ride_make(sim, bodies, &r)) {
        place_all(sim, bodies, t, y);
        return give_up(sim, bodies, t);
    }
    ride_project(&r, y);
    return go_on(sim, bodies, t, y);
}

carom_status end_piece(carom_sim *sim, int i, double t)
{
    frame_of_body *f = frame_of(sim, i);
    sim->time = t;
    if (f->stepped) {
        sim->step_due = f->due = true;
        return CAROM_STATUS_OK;
    }
    if (is_jointed(sim, i) && !assembly_rests(sim, f->assembly))
        return jointed_renew(sim, i, t);
    if (f->turn.until <= t && f->until > t) {
        spin_renew(&f->turn);
        motion_mark(sim, i);
        return CAROM_STATUS_OK;
    }
    if (f->forced && !mover_of(sim, i)->closed)
        return fly(sim, i, t);
    island bodies = island_of(sim, i);
    arena_mark mark = arena_now(sim->arena);
    carom_status status = end_pieces(sim, &bodies, t);
    arena_back(sim->arena, mark);
    return status;
}
