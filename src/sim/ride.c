#include "sim/ride.h"

#include "core/rotate.h"
#include "sim/driven.h"
#include "sim/fields.h"
#include "sim/ground.h"
#include "sim/motion.h"
#include "sim/ride_balance.h"
#include "sim/ride_solve.h"
#include "sim/touching.h"

enum { ROWS = RIDE_ROWS };
#define FRICTION_SHARE 0.1  /* of a force of friction against a normal one, where both would do */
#define LOAD_LEAST     1e-2 /* of the largest load */

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

/* The direction of slip: of the velocity; where it only begins, the one chosen. */
static carom_vec3 slip_direction(const ride *r, int k, const double y[STATE])
{
    const ride_contact *c = &r->c[k];
    carom_vec3 u = slip_velocity(r, k, y);
    double size = carom_vec3_length(u), speed = carom_vec3_length(vec_at(y + 7));
    bool is_slow = !r->resists || !(size > 1e-9 * speed + 1e-300);
    if (r->frozen || (c->mode == RIDE_ONSET && is_slow))
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

/* Where contacts repeat each other, the least forces are taken, and those of friction count the more the less load
 * their contact has to bear them: weight is the square root of what each counts for, inverted. */
static void weigh_rows(const row *rows, int n, const double *x, double weight[ROWS])
{
    double load[RIDE_CONTACTS] = {0}, most = 0;
    for (int i = 0; i < n; i++)
        if (rows[i].axis == 2)
            most = max(most, load[rows[i].contact] = max(x[i], 0));
    for (int i = 0; i < n; i++)
        weight[i] =
            rows[i].axis == 2 || !(most > 0) ? 1 : FRICTION_SHARE * max(load[rows[i].contact] / most, LOAD_LEAST);
}

static void solve_weighted(double A[ROWS][ROWS], const double *b, const row *rows, double *x, int n)
{
    double S[ROWS][ROWS], c[ROWS], weight[ROWS];
    weigh_rows(rows, n, x, weight);
    for (int i = 0; i < n; i++) {
        c[i] = weight[i] * b[i];
        for (int j = 0; j < n; j++)
            S[i][j] = weight[i] * A[i][j] * weight[j];
    }
    solve_rows(S, c, x, n);
    for (int i = 0; i < n; i++)
        x[i] *= weight[i];
}

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
    if (!r->resists)
        solve_weighted(A, b, rows, out->x, n);
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
    if (!r->frozen && !r->planar && !r->resists)
        turn_onsets(r, y);
    int n = make_rows(r, y, rows);
    (r->count && of_one_contact(rows, n) && !r->thin ? force_at_once : force_by_response)(r, &d, rows, n, &x);
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

/* Shift the body so that closed contacts have no gap, or push it so that velocities which the modes keep at zero are.
 * Returns the work of the push. */
static double project(ride *r, double y[STATE], bool place, double *by_ground)
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
        for (int j = 0; j < n; j++) {
            row push = {rows[j].contact, 0, rows[j].keep, rows[j].keep, rows[j].keep_turn, rows[j].keep_turn};
            A[i][j] = row_response(r, &d, &rows[i], &push);
        }
    }
    solve_rows(A, b, p, n);
    for (int i = 0; i < n; i++) {
        (place ? shift_state : push_state)(r, &d, &rows[i], p[i], y);
        work -= 0.5 * p[i] * b[i];
        if (r->is_driven && !place)
            *by_ground += p[i] * carom_vec3_dot(rows[i].keep, base_velocity(r, rows[i].contact));
    }
    return work;
}

void ride_project(ride *r, double y[STATE])
{
    double none = 0;
    ride_aim(r, y);
    first_modes(r, y);
    project(r, y, true, &none);
    project(r, y, false, &none);
}

double ride_stop_slip(ride *r, double y[STATE], double *by_ground)
{
    ride_aim(r, y);
    r->closing = true;
    first_modes(r, y);
    r->closing = false;
    return project(r, y, false, by_ground);
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
