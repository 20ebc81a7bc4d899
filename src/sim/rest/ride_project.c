/* Gaps and velocities of closed contacts are brought to zero: where contacts close, and where pieces end. */
#include "sim/rest/ride_equations.h"

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

/* What an impulse along what a row keeps changes of one of its bodies. */
typedef struct kick {
    carom_vec3 v, w;
} kick;

static kick kick_of(const ride *r, const dynamics *d, const row *x, double p, int side)
{
    const ride_contact *c = &r->c[x->contact];
    int m = side ? c->b : c->a;
    carom_vec3 P = carom_vec3_scale(side ? -p : p, x->keep), arm = (side ? d->arm_b : d->arm)[x->contact];
    carom_vec3 M = turning(r, carom_vec3_cross(arm, P), carom_vec3_scale(p, x->keep_turn));
    return (kick){carom_vec3_scale(1 / r->m[m].mass, P), carom_sym3_apply(d->m[m].inv, M)};
}

static void push_state(kick by, double y[STATE])
{
    put(y + 7, sum_of(vec_at(y + 7), by.v));
    put(y + 10, sum_of(vec_at(y + 10), by.w));
}

static void shift_state(kick by, double y[STATE])
{
    carom_quat q = quat_multiply(quat_exp(by.w), quat_at(y + 3));
    put(y, sum_of(vec_at(y), by.v));
    y[3] = q.w, y[4] = q.x, y[5] = q.y, y[6] = q.z;
}

/* Responses to impulses along what the rows keep. */
static void fill_keeps(const ride *r, const dynamics *d, const row *rows, int n, double A[ROWS][ROWS])
{
    row along[ROWS] = {{0}};
    for (int i = 0; i < n; i++) {
        along[i] = rows[i];
        along[i].force = rows[i].keep;
        along[i].moment = rows[i].keep_turn;
    }
    fill_responses(r, d, along, n, A);
}

/* Shift the bodies so that closed contacts have no gap, or push them so that velocities which the modes keep at zero
 * are. Returns the work of the push. */
static double project(ride *r, double *y, bool place, double *by_ground)
{
    dynamics d;
    row rows[ROWS];
    double A[ROWS][ROWS], b[ROWS] = {0}, p[ROWS], work = 0;
    start_dynamics(r, y, &d);
    int n = make_rows(r, y, rows);
    for (int i = 0; i < n; i++) {
        carom_vec3 u = contact_velocity(r, rows[i].contact, y);
        bool counts = !place || rows[i].axis == 2;
        b[i] = !counts ? 0 : place ? -contact_gap(r, rows[i].contact, y) : -carom_vec3_dot(rows[i].keep, u);
        if (r->resists && !place)
            b[i] -= carom_vec3_dot(rows[i].keep_turn, vec_at(y + 10));
    }
    fill_keeps(r, &d, rows, n, A);
    solve_rows(A, b, p, n, NULL);
    for (int i = 0; i < n; i++) {
        const ride_contact *c = &r->c[rows[i].contact];
        (place ? shift_state : push_state)(kick_of(r, &d, &rows[i], p[i], 0), y + STATE * c->a);
        if (c->b >= 0)
            (place ? shift_state : push_state)(kick_of(r, &d, &rows[i], p[i], 1), y + STATE * c->b);
        work -= 0.5 * p[i] * b[i];
        if (r->is_driven && !place && c->b < 0)
            *by_ground += p[i] * carom_vec3_dot(rows[i].keep, base_velocity(r, rows[i].contact));
    }
    return work;
}

void ride_project(ride *r, double *y)
{
    double none = 0;
    ride_aim(r, y);
    first_modes(r, y);
    project(r, y, true, &none);
    project(r, y, false, &none);
}

double ride_stop_slip(ride *r, double *y, double *by_ground)
{
    ride_aim(r, y);
    r->closing = true;
    first_modes(r, y);
    r->closing = false;
    return project(r, y, false, by_ground);
}

double ride_stop_normal(ride *r, double *y, double *by_ground)
{
    dynamics d;
    double A[ROWS][ROWS], b[ROWS] = {0}, p[ROWS], work = 0;
    carom_vec3 none = {0, 0, 0};
    ride_aim(r, y);
    start_dynamics(r, y, &d);
    for (int i = 0; i < r->count; i++) {
        thrust x = thrust_of(r, &d, i, r->c[i].n);
        b[i] = -carom_vec3_dot(r->c[i].n, contact_velocity(r, i, y));
        for (int j = 0; j < r->count; j++)
            A[j][i] = carom_vec3_dot(r->c[j].n, response(r, &d, j, &x));
    }
    solve_rows(A, b, p, r->count, NULL);
    for (int i = 0; i < r->count; i++) {
        const ride_contact *c = &r->c[i];
        row along = {i, 2, c->n, c->n, none, none};
        work -= 0.5 * p[i] * b[i];
        if (r->is_driven && c->b < 0)
            *by_ground += carom_vec3_dot(carom_vec3_scale(p[i], c->n), base_velocity(r, i));
        push_state(kick_of(r, &d, &along, p[i], 0), y + STATE * c->a);
        if (c->b >= 0)
            push_state(kick_of(r, &d, &along, p[i], 1), y + STATE * c->b);
    }
    return work;
}
