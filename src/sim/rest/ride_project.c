/* Gaps and velocities of closed contacts are brought to zero: where contacts close, and where pieces end. */
#include "sim/rest/ride_joints.h"

/* The gap of contact k. */
static double contact_gap(const ride *r, int k, const double *y)
{
    const ride_contact *c = &r->c[k];
    const closed_contact *closed = (const closed_contact *)r->sim->closed.data + c->closed;
    carom_vec3 place = contact_place(r, k, y);
    carom_vec3 base = c->b < 0 ? mover_position(mover_of(r->sim, closed->b), r->sim->time) : vec_at(y + STATE * c->b);
    if (c->under.kind != GROUND_FLAT)
        return carom_vec3_dot(c->n, carom_vec3_sub(place, c->under.at)) - c->under.radius;
    return carom_vec3_dot(c->n, carom_vec3_sub(place, base)) - closed->level;
}

/* An impulse changes the velocities of a member, or, for a unit of time, its place. */
typedef void kick_state(carom_vec3 v, carom_vec3 w, double y[STATE]);

static void push_state(carom_vec3 v, carom_vec3 w, double y[STATE])
{
    put(y + 7, sum_of(vec_at(y + 7), v));
    put(y + 10, sum_of(vec_at(y + 10), w));
}

static void shift_state(carom_vec3 v, carom_vec3 w, double y[STATE])
{
    carom_quat q = quat_multiply(quat_exp(w), quat_at(y + 3));
    put(y, sum_of(vec_at(y), v));
    y[3] = q.w, y[4] = q.x, y[5] = q.y, y[6] = q.z;
}

/* Impulses P on the two bodies of contact k; or, where joints pass them on, on all members. */
static void apply_impulse(const ride *r, const dynamics *d, int k, const double *P, double *y, kick_state *apply)
{
    carom_vec3 v[ISLAND_BODIES], w[ISLAND_BODIES];
    respond_all(r, d, P, v, w);
    for (int m = 0; m < r->members; m++)
        if (d->W || m == r->c[k].a || m == r->c[k].b)
            apply(v[m], w[m], y + STATE * m);
}

/* Impulses along what the rows keep change it by b, and the state with it: places, or velocities. Returns their work.
 */
static double apply_impulses(ride *r, row_list rows, const dynamics *d, const double *b, double *y, kick_state *apply)
{
    row_system s;
    double *p = TAKE(r->arena, double, rows.count), work = 0, P[FREEDOMS * ISLAND_BODIES] = {0};
    weigh_alike(r, rows, &s);
    for (int i = 0; i < rows.count; i++)
        rows.at[i].force = rows.at[i].keep, rows.at[i].moment = rows.at[i].keep_turn;
    solve_system(r, d, rows, b, &s, p);
    for (int i = 0; i < rows.count; i++) {
        int k = rows.at[i].contact;
        add_force(r, d, &rows.at[i], p[i], P);
        if (!d->W || i + 1 == rows.count) {
            apply_impulse(r, d, k, P, y, apply);
            memset(P, 0, sizeof P);
        }
        work -= 0.5 * p[i] * b[i];
        if (r->is_driven && apply == push_state && r->c[k].b < 0)
            r->by_ground += p[i] * carom_vec3_dot(rows.at[i].keep, ground_velocity(r, k, y));
    }
    return work;
}

/* Shift the bodies so that closed contacts have no gap, or push them so that velocities which the modes keep at zero
 * are. Returns the work of the push. */
static double project(ride *r, double *y, bool place)
{
    arena_mark mark = arena_now(r->arena);
    dynamics d;
    start_dynamics(r, y, &d);
    row_list rows = make_rows(r, &d, y);
    double *b = TAKE(r->arena, double, rows.count);
    for (int i = 0; i < rows.count; i++) {
        const row *x = &rows.at[i];
        carom_vec3 u = d.u[x->contact];
        bool counts = !place || x->axis == 2;
        b[i] = !counts ? 0 : place ? -contact_gap(r, x->contact, y) : -carom_vec3_dot(x->keep, u);
        if (r->resists && !place)
            b[i] -= carom_vec3_dot(x->keep_turn, d.w[x->contact]);
    }
    double work = apply_impulses(r, rows, &d, b, y, place ? shift_state : push_state);
    arena_back(r->arena, mark);
    return work;
}

void ride_project(ride *r, double *y)
{
    if (r->joints)
        ride_close_joints(r, y);
    ride_aim(r, y);
    first_modes(r, y);
    project(r, y, true);
    project(r, y, false);
    r->by_ground = 0;
}

/* Kinetic energy, and that of the weights. */
static double energy_at(const ride *r, const double *y)
{
    double sum = 0;
    for (int m = 0; m < r->members; m++, y += STATE) {
        carom_vec3 v = vec_at(y + 7), w = vec_at(y + 10);
        carom_sym3 I = r->planar ? r->m[m].inertia : quat_turn_sym3(quat_at(y + 3), r->m[m].inertia);
        double turning = r->planar ? I.zz * w.z * w.z : carom_vec3_dot(w, carom_sym3_apply(I, w));
        sum += 0.5 * (r->m[m].mass * carom_vec3_dot(v, v) + turning);
        sum -= r->m[m].mass * carom_vec3_dot(r->m[m].gravity, vec_at(y));
    }
    return sum;
}

double ride_close_gaps(ride *r, double *y)
{
    bool any = false;
    for (int k = 0; k < r->count; k++)
        any |= is_crossing(&r->c[k].foot);
    if (!any)
        return 0;
    ride_aim(r, y);
    first_modes(r, y);
    double before = energy_at(r, y);
    project(r, y, true);
    return energy_at(r, y) - before;
}

double ride_stop_slip(ride *r, double *y)
{
    ride_aim(r, y);
    r->closing = true;
    first_modes(r, y);
    r->closing = false;
    return project(r, y, false);
}

double ride_stop_normal(ride *r, double *y)
{
    arena_mark mark = arena_now(r->arena);
    dynamics d;
    carom_vec3 none = {0, 0, 0};
    ride_aim(r, y);
    start_dynamics(r, y, &d);
    row_list rows = {r->count, TAKE(r->arena, row, r->count)};
    double *b = TAKE(r->arena, double, r->count);
    for (int i = 0; i < r->count; i++) {
        rows.at[i] = (row){i, 2, r->c[i].n, r->c[i].n, none, none};
        b[i] = -carom_vec3_dot(r->c[i].n, contact_velocity(r, i, y));
    }
    double work = apply_impulses(r, rows, &d, b, y, push_state);
    arena_back(r->arena, mark);
    return work;
}
