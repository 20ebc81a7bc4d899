#include "sim/ride.h"

#include "core/rotate.h"
#include "sim/driven.h"
#include "sim/fields.h"
#include "sim/ground.h"
#include "sim/motion.h"
#include "sim/ride_solve.h"
#include "sim/touching.h"

enum { ROWS = RIDE_ROWS, CHOICES = 64 };
#define SLIP_ZERO   1e-12 /* of the speeds of the body: no slip */
#define PRESS_TOL   1e-12 /* of the weight, as an acceleration: no force */
#define NEVER_SLIPS 1e9   /* friction beyond this: a contact that cannot hold opens */

/* ---- forces ---- */

/* One unknown force: contact, direction of the force on the body, and of the acceleration that it keeps at zero. */
typedef struct row {
    int contact, axis; /* 0, 1: tangents; 2: normal; 3, 4, 5: moments about these */
    carom_vec3 force, keep;
    carom_vec3 moment, keep_turn; /* of contacts that resist rolling or spinning */
} row;

typedef struct dynamics {
    carom_sym3 inv, I; /* world */
    carom_vec3 v_rate, w_rate, gyro;
    carom_vec3 arm[RIDE_CONTACTS], b[RIDE_CONTACTS]; /* arms; accelerations of the contacts without forces */
    carom_vec3 c[RIDE_CONTACTS];                     /* the part of b that is neither v' nor w' */
} dynamics;

static void push_by_fields(const ride *r, const double y[STATE], dynamics *d)
{
    wrench a = field_wrench(r->fields, vec_at(y + 7), vec_at(y + 10));
    d->v_rate = sum_of(d->v_rate, carom_vec3_scale(1 / r->mass, a.F));
    d->gyro = sum_of(d->gyro, a.M);
    d->w_rate = carom_sym3_apply(d->inv, d->gyro);
}

static void start_dynamics(const ride *r, const double y[STATE], dynamics *d)
{
    carom_quat q = quat_at(y + 3);
    carom_vec3 w = vec_at(y + 10), none = {0, 0, 0};
    d->inv = r->planar || r->isotropic ? r->inv_inertia : quat_turn_sym3(q, r->inv_inertia);
    d->I = r->planar || r->isotropic ? r->inertia : quat_turn_sym3(q, r->inertia);
    d->gyro = r->planar || r->isotropic ? none : carom_vec3_cross(carom_sym3_apply(d->I, w), w);
    d->v_rate = r->gravity;
    d->w_rate = r->planar || r->isotropic ? none : carom_sym3_apply(d->inv, d->gyro);
    if (r->fields)
        push_by_fields(r, y, d);
    for (int k = 0; k < r->count; k++) {
        d->arm[k] = contact_arm(r, k, y);
        double turned = carom_vec3_dot(contact_velocity(r, k, y), r->c[k].n_rate); /* (n . u)' = n . u' + n' . u */
        d->c[k] = carom_vec3_cross(w, arm_rate(&r->c[k], q, w));
        d->c[k] = sum_of(d->c[k], carom_vec3_scale(turned, r->c[k].n));
        const driven *moving = driven_of(r->sim, r->c[k].ground);
        if (moving)
            d->c[k] = carom_vec3_sub(d->c[k], driven_accel(moving, r->time));
        d->b[k] = sum_of(sum_of(d->v_rate, carom_vec3_cross(d->w_rate, d->arm[k])), d->c[k]);
    }
}

/* Acceleration at contact k that a force F at contact m makes. */
static carom_vec3 response(const ride *r, const dynamics *d, int k, int m, carom_vec3 F)
{
    carom_vec3 turn = carom_sym3_apply(d->inv, carom_vec3_cross(d->arm[m], F));
    return sum_of(carom_vec3_scale(1 / r->mass, F), carom_vec3_cross(turn, d->arm[k]));
}

static carom_vec3 tangential(const ride_contact *c, carom_vec3 u)
{
    carom_vec3 t = carom_vec3_sub(u, carom_vec3_scale(carom_vec3_dot(u, c->n), c->n));
    return t;
}

/* The direction of slip: of the velocity; where it only begins, the one chosen. */
static carom_vec3 slip_direction(const ride *r, int k, const double y[STATE])
{
    const ride_contact *c = &r->c[k];
    carom_vec3 u = tangential(c, contact_velocity(r, k, y));
    double size = carom_vec3_length(u), speed = carom_vec3_length(vec_at(y + 7));
    if (c->mode == RIDE_ONSET && !(size > 1e-9 * speed + 1e-300))
        return c->slip;
    return size > 0 ? carom_vec3_scale(1 / size, u) : c->slip;
}

/* A sum that keeps the sign of a zero where nothing is added. */
static carom_vec3 turning(const ride *r, carom_vec3 a, carom_vec3 b)
{
    return r->resists ? sum_of(a, b) : a;
}

/* What row i keeps, by a unit of row j. */
static double row_response(const ride *r, const dynamics *d, const row *i, const row *j)
{
    double straight = carom_vec3_dot(i->keep, response(r, d, i->contact, j->contact, j->force));
    if (!r->resists)
        return straight;
    carom_vec3 arm = carom_vec3_cross(d->arm[j->contact], j->force);
    carom_vec3 w = carom_sym3_apply(d->inv, j->moment), all = carom_sym3_apply(d->inv, sum_of(arm, j->moment));
    return straight + carom_vec3_dot(i->keep, carom_vec3_cross(w, d->arm[i->contact])) +
           carom_vec3_dot(i->keep_turn, all);
}

/* Moments against the turns that go, for one unit of the normal force. */
static carom_vec3 resisting(const ride_contact *c, const double y[STATE])
{
    carom_vec3 M = {0, 0, 0};
    const ride_turn *turns[2] = {&c->roll, &c->whirl};
    for (int m = 0; m < 2; m++)
        if (turns[m]->mode == TURN_GOES || turns[m]->mode == TURN_ONSET)
            M = carom_vec3_sub(M, carom_vec3_scale(turns[m]->length, turn_axis(c, turns[m], y)));
    return M;
}

/* Rows that hold turns. In the plane there is one axis to roll about, t2. */
static int holding_rows(const ride *r, int k, row *rows)
{
    const ride_contact *c = &r->c[k];
    carom_vec3 none = {0, 0, 0}, axis[3] = {c->t1, c->t2, c->n};
    bool rolls = c->roll.mode == TURN_HELD, holds[3] = {rolls && !r->planar, rolls, c->whirl.mode == TURN_HELD};
    int count = 0;
    for (int m = 0; m < 3; m++)
        if (holds[m])
            rows[count++] = (row){k, 3 + m, none, none, axis[m], axis[m]};
    return count;
}

static int make_rows(const ride *r, const double y[STATE], row *rows)
{
    int count = 0;
    for (int k = 0; k < r->count; k++) {
        const ride_contact *c = &r->c[k];
        if (c->mode == RIDE_OPEN)
            continue;
        carom_vec3 normal = c->n, none = {0, 0, 0};
        if (c->mode != RIDE_STICK)
            normal = carom_vec3_sub(c->n, carom_vec3_scale(c->mu, slip_direction(r, k, y)));
        rows[count++] = (row){k, 2, normal, c->n, r->resists ? resisting(c, y) : none, none};
        count += r->resists ? holding_rows(r, k, rows + count) : 0;
        if (c->mode != RIDE_STICK || c->mu_s == 0)
            continue;
        rows[count++] = (row){k, 0, c->t1, c->t1, none, none};
        if (!r->planar)
            rows[count++] = (row){k, 1, c->t2, c->t2, none, none};
    }
    return count;
}

/* Accelerations and forces. */
typedef struct forced {
    carom_vec3 v_rate, w_rate;
    double x[ROWS]; /* of the rows */
} forced;

/* Forces first, from K; accelerations from them. */
static void force_by_response(const ride *r, const dynamics *d, const row *rows, int n, forced *out)
{
    double A[ROWS][ROWS], b[ROWS] = {0};
    for (int i = 0; i < n; i++) {
        b[i] = -carom_vec3_dot(rows[i].keep, d->b[rows[i].contact]);
        if (r->resists)
            b[i] -= carom_vec3_dot(rows[i].keep_turn, d->w_rate);
        for (int j = 0; j < n; j++)
            A[i][j] = row_response(r, d, &rows[i], &rows[j]);
    }
    solve_rows(A, b, out->x, n);
    carom_vec3 total[RIDE_CONTACTS] = {{0, 0, 0}};
    for (int i = 0; i < n; i++)
        total[rows[i].contact] = sum_of(total[rows[i].contact], carom_vec3_scale(out->x[i], rows[i].force));
    out->v_rate = d->v_rate;
    out->w_rate = d->w_rate;
    for (int k = 0; k < r->count; k++) {
        out->v_rate = sum_of(out->v_rate, carom_vec3_scale(1 / r->mass, total[k]));
        out->w_rate = sum_of(out->w_rate, carom_sym3_apply(d->inv, carom_vec3_cross(d->arm[k], total[k])));
    }
    for (int i = 0; i < n && r->resists; i++)
        out->w_rate = sum_of(out->w_rate, carom_sym3_apply(d->inv, carom_vec3_scale(out->x[i], rows[i].moment)));
}

/* The same as one system, m v' - F = m g, I w' - arm x F = gyro, keep (v' + w' x arm) = -keep c, which keeps its digits
 * when the mass is all in the middle of the body: K is then a small number beside a large one. */
static void force_at_once(const ride *r, const dynamics *d, const row *rows, int n, forced *out)
{
    double A[ROWS][ROWS] = {{0}}, b[ROWS] = {0}, mass = r->mass, R = ride_size(r);
    double scale = 1 / (mass * R);
    const double I[3][3] = {{d->I.xx, d->I.xy, d->I.xz}, {d->I.xy, d->I.yy, d->I.yz}, {d->I.xz, d->I.yz, d->I.zz}};
    put(b, d->v_rate);
    put(b + 3, carom_vec3_scale(scale, d->gyro));
    for (int i = 0; i < 3; i++) {
        A[i][i] = 1;
        for (int j = 0; j < 3; j++)
            A[3 + i][3 + j] = !r->planar ? scale * I[i][j] : i == j ? (i == 2 ? scale * d->I.zz : 1) : 0;
    }
    for (int k = 0; k < n; k++) {
        double F[3], N[3], keep[3], turn[3];
        carom_vec3 arm = d->arm[rows[k].contact];
        put(F, rows[k].force);
        put(N, turning(r, carom_vec3_cross(arm, rows[k].force), rows[k].moment));
        put(keep, rows[k].keep);
        put(turn, turning(r, carom_vec3_cross(arm, rows[k].keep), rows[k].keep_turn));
        for (int i = 0; i < 3; i++) {
            A[i][6 + k] = -F[i] / mass;
            A[3 + i][6 + k] = !r->planar || i == 2 ? -scale * N[i] : 0;
            A[6 + k][i] = keep[i];
            A[6 + k][3 + i] = turn[i];
        }
        b[6 + k] = -carom_vec3_dot(rows[k].keep, d->c[rows[k].contact]);
    }
    eliminate(A, b, 6 + n);
    out->v_rate = vec_at(b);
    out->w_rate = vec_at(b + 3);
    memcpy(out->x, b + 6, (size_t)n * sizeof *b);
}

/* The mass, times the square of the size, over the smallest moment of inertia. */
static double concentration(const ride *r)
{
    double R = mover_of(r->sim, r->body)->radius, inv = r->inv_inertia.zz;
    if (!r->planar)
        inv = max(inv, max(r->inv_inertia.xx, r->inv_inertia.yy));
    return r->mass * R * R * inv;
}

/* Several contacts may repeat each other: their system is singular. */
static bool of_one_contact(const row *rows, int n)
{
    for (int i = 1; i < n; i++)
        if (rows[i].contact != rows[0].contact)
            return false;
    return true;
}

void ride_rates(ride *r, const double y[STATE], double f[STATE], carom_vec3 *a)
{
    dynamics d;
    row rows[ROWS];
    forced x;
    ride_aim(r, y);
    start_dynamics(r, y, &d);
    int n = make_rows(r, y, rows);
    (r->count && of_one_contact(rows, n) ? force_at_once : force_by_response)(r, &d, rows, n, &x);
    for (int k = 0; k < r->count; k++) {
        memset(r->c[k].force, 0, sizeof r->c[k].force);
        if (a)
            a[k] = sum_of(sum_of(x.v_rate, carom_vec3_cross(x.w_rate, d.arm[k])), d.c[k]);
    }
    for (int i = 0; i < n; i++)
        r->c[rows[i].contact].force[rows[i].axis] = x.x[i];
    r->drive = 0;
    for (int i = 0; i < n && r->is_driven; i++)
        r->drive += x.x[i] * carom_vec3_dot(rows[i].force, base_velocity(r, rows[i].contact));
    carom_vec3 w = vec_at(y + 10);
    carom_quat rate = {0, w.x, w.y, w.z}, q = {y[3], y[4], y[5], y[6]}, turn = quat_multiply(rate, q);
    put(f, vec_at(y + 7));
    double half = r->steady ? 0 : 0.5;
    f[3] = half * turn.w, f[4] = half * turn.x, f[5] = half * turn.y, f[6] = half * turn.z;
    put(f + 7, x.v_rate);
    put(f + 10, x.w_rate);
}

/* ---- modes ---- */

double rest_speed(const ride *r)
{
    return SLIP_ZERO * sqrt(r->strength * mover_of(r->sim, r->body)->radius);
}

/* Rounding of a velocity of contact that impulses have made zero, against the speeds of the body: K times the mass. */
static double slip_zero(const ride *r)
{
    return max(SLIP_ZERO, 64 * EPS * concentration(r));
}

/* Slip or not, from the velocities. */
static void first_modes(ride *r, const double y[STATE])
{
    double speed = slip_zero(r) * (carom_vec3_length(vec_at(y + 7)) +
                                   mover_of(r->sim, r->body)->radius * carom_vec3_length(vec_at(y + 10)));
    for (int k = 0; k < r->count; k++) {
        ride_contact *c = &r->c[k];
        carom_vec3 u = tangential(c, contact_velocity(r, k, y));
        double slip = carom_vec3_length(u);
        double ending =
            c->mu * r->strength * r->sim->scene->resting_time; /* such a slip ends within the resting time */
        c->mode = slip > speed + rest_speed(r) + min(ending, speed) ? RIDE_SLIP : RIDE_STICK;
        c->slip = slip > 0 ? carom_vec3_scale(1 / slip, u) : c->t1;
        if (r->resists)
            turn_first(c, y, ride_size(r), speed + rest_speed(r));
    }
}

/* The sticking contact that exceeds its friction most; -1: none. */
static int worst_stick(const ride *r, double weight)
{
    int worst = -1;
    double most = PRESS_TOL * weight;
    for (int k = 0; k < r->count; k++) {
        const ride_contact *c = &r->c[k];
        double size = sqrt(c->force[0] * c->force[0] + c->force[1] * c->force[1]);
        if (c->mode == RIDE_STICK && size - c->mu_s * c->force[2] > most)
            most = size - c->mu_s * c->force[2], worst = k;
    }
    return worst;
}

static int worst_pull(const ride *r, double weight)
{
    int worst = -1;
    double most = PRESS_TOL * weight;
    for (int k = 0; k < r->count; k++)
        if (r->c[k].mode != RIDE_OPEN && -r->c[k].force[2] > most)
            most = -r->c[k].force[2], worst = k;
    return worst;
}

static int worst_fall(const ride *r, const carom_vec3 *a)
{
    int worst = -1;
    double most = PRESS_TOL * r->strength;
    for (int k = 0; k < r->count; k++)
        if (r->c[k].mode == RIDE_OPEN && -carom_vec3_dot(r->c[k].n, a[k]) > most)
            most = -carom_vec3_dot(r->c[k].n, a[k]), worst = k;
    return worst;
}

/* A slip that begins goes where it is accelerated to. */
static bool turn_onsets(ride *r, const carom_vec3 *a)
{
    bool turned = false;
    for (int k = 0; k < r->count; k++) {
        ride_contact *c = &r->c[k];
        carom_vec3 t = tangential(c, a[k]);
        double size = carom_vec3_length(t);
        if (c->mode != RIDE_ONSET || !(size > 0))
            continue;
        carom_vec3 next = carom_vec3_scale(1 / size, t);
        turned |= carom_vec3_length(carom_vec3_sub(next, c->slip)) > 1e-13;
        c->slip = next;
    }
    return turned;
}

void ride_choose(ride *r, const double y[STATE], double f[STATE])
{
    carom_vec3 a[RIDE_CONTACTS];
    double weight = r->mass * r->strength;
    ride_aim(r, y);
    first_modes(r, y);
    for (int step = 0; step < CHOICES; step++) {
        ride_rates(r, y, f, a);
        int k = worst_pull(r, weight);
        if (k >= 0) {
            r->c[k].mode = RIDE_OPEN;
            continue;
        }
        k = worst_stick(r, weight);
        if (k >= 0) {
            ride_contact *c = &r->c[k];
            carom_vec3 t = sum_of(carom_vec3_scale(-c->force[0], c->t1), carom_vec3_scale(-c->force[1], c->t2));
            c->slip = carom_vec3_scale(1 / carom_vec3_length(t), t);
            c->mode = c->mu < NEVER_SLIPS ? RIDE_ONSET : RIDE_OPEN;
            continue;
        }
        k = worst_fall(r, a);
        if (k >= 0 && step < CHOICES / 2) {
            r->c[k].mode = RIDE_STICK;
            continue;
        }
        bool turned = r->resists && turn_choose(r, vec_at(f + 10), weight * ride_size(r));
        if (!turn_onsets(r, a) && !turned)
            return;
    }
}

/* ---- closing ---- */

/* The gap of contact k. */
static double contact_gap(const ride *r, int k, const double y[STATE])
{
    const ride_contact *c = &r->c[k];
    const closed_contact *closed = (const closed_contact *)r->sim->closed.data + c->closed;
    const mover *plane = mover_of(r->sim, closed->b);
    carom_vec3 place = sum_of(vec_at(y), contact_arm(r, k, y)), base = mover_position(plane, r->sim->time);
    if (c->under.kind != GROUND_FLAT)
        return carom_vec3_dot(c->n, carom_vec3_sub(place, c->under.at)) - c->under.radius;
    return carom_vec3_dot(c->n, carom_vec3_sub(place, base)) - closed->level;
}

/* The rotation that p times what row x keeps makes, as an impulse. */
static carom_vec3 turn_by(const ride *r, const dynamics *d, const row *x, double p)
{
    carom_vec3 M = carom_vec3_cross(d->arm[x->contact], carom_vec3_scale(p, x->keep));
    return carom_sym3_apply(d->inv, turning(r, M, carom_vec3_scale(p, x->keep_turn)));
}

static void push_state(const ride *r, const dynamics *d, const row *x, double p, double y[STATE])
{
    carom_vec3 v = sum_of(vec_at(y + 7), carom_vec3_scale(1 / r->mass, carom_vec3_scale(p, x->keep)));
    carom_vec3 w = sum_of(vec_at(y + 10), turn_by(r, d, x, p));
    put(y + 7, v);
    put(y + 10, w);
}

static void shift_state(const ride *r, const dynamics *d, const row *x, double p, double y[STATE])
{
    carom_quat q = quat_multiply(quat_exp(turn_by(r, d, x, p)), quat_at(y + 3));
    put(y, sum_of(vec_at(y), carom_vec3_scale(1 / r->mass, carom_vec3_scale(p, x->keep))));
    y[3] = q.w, y[4] = q.x, y[5] = q.y, y[6] = q.z;
}

void ride_project(ride *r, double y[STATE])
{
    dynamics d;
    row rows[ROWS];
    double A[ROWS][ROWS], b[ROWS] = {0}, p[ROWS];
    ride_aim(r, y);
    first_modes(r, y);
    start_dynamics(r, y, &d);
    int n = make_rows(r, y, rows);
    for (int place = 1; place >= 0; place--) {
        for (int i = 0; i < n; i++) {
            carom_vec3 u = contact_velocity(r, rows[i].contact, y);
            bool counts = !place || rows[i].axis == 2;
            b[i] = !counts ? 0 : place ? -contact_gap(r, rows[i].contact, y) : -carom_vec3_dot(rows[i].keep, u);
            if (r->resists && !place)
                b[i] -= carom_vec3_dot(rows[i].keep_turn, vec_at(y + 10));
            for (int j = 0; j < n; j++) {
                row push = {rows[j].contact, 0, rows[j].keep, rows[j].keep, rows[j].keep_turn, rows[j].keep_turn};
                A[i][j] = row_response(r, &d, &rows[i], &push);
            }
        }
        solve_rows(A, b, p, n);
        for (int i = 0; i < n; i++)
            (place ? shift_state : push_state)(r, &d, &rows[i], p[i], y);
    }
}

double ride_stop_normal(ride *r, double y[STATE], double *by_ground)
{
    dynamics d;
    double A[ROWS][ROWS], b[ROWS] = {0}, p[ROWS];
    carom_vec3 u[RIDE_CONTACTS];
    ride_aim(r, y);
    start_dynamics(r, y, &d);
    for (int i = 0; i < r->count; i++) {
        u[i] = contact_velocity(r, i, y);
        b[i] = -carom_vec3_dot(r->c[i].n, u[i]);
        for (int j = 0; j < r->count; j++)
            A[i][j] = carom_vec3_dot(r->c[i].n, response(r, &d, i, j, r->c[j].n));
    }
    solve_rows(A, b, p, r->count);
    double work = 0;
    carom_vec3 v = vec_at(y + 7), w = vec_at(y + 10);
    for (int i = 0; i < r->count; i++) {
        carom_vec3 P = carom_vec3_scale(p[i], r->c[i].n);
        work -= 0.5 * p[i] * b[i];
        if (r->is_driven)
            *by_ground += carom_vec3_dot(P, base_velocity(r, i));
        v = sum_of(v, carom_vec3_scale(1 / r->mass, P));
        w = sum_of(w, carom_sym3_apply(d.inv, carom_vec3_cross(d.arm[i], P)));
    }
    put(y + 7, v);
    put(y + 10, w);
    return work;
}
