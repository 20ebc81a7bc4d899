/* Forces of closed contacts, and the rates of the state. */
#include "sim/rest/ride.h"

#include "sim/rest/ride_balance.h"
#include "sim/rest/ride_equations.h"

#define FRICTION_SHARE 0.1 /* of a force of friction against a normal one, where both would do */

/* Accelerations and forces. */
typedef struct forced {
    carom_vec3 v_rate[ISLAND_BODIES], w_rate[ISLAND_BODIES];
    double *x; /* of the rows */
} forced;

/* Where contacts are redundant, the least forces are taken, and the squares of those of friction count in inverse
 * proportion to the load of their contact: a face then has friction in proportion to its loads, so that all of it
 * reaches its bound at one instant. False: all count the same. */
static bool weigh_rows(const ride *r, row_list rows, const double *x, double *weight)
{
    arena_mark mark = arena_now(r->arena);
    double *load = TAKE(r->arena, double, r->count), most = 0;
    bool differ = false;
    memset(load, 0, (size_t)r->count * sizeof *load);
    for (int i = 0; i < rows.count; i++)
        if (rows.at[i].axis == 2)
            most = max(most, load[rows.at[i].contact] = max(x[i], 0));
    for (int i = 0; i < rows.count; i++) {
        weight[i] = rows.at[i].axis == 2 ? r->c[rows.at[i].contact].share
                    /* a contact without load keeps some, or rows would vanish */
                    : !(most > 0) ? 1
                                  : FRICTION_SHARE * sqrt(max(load[rows.at[i].contact] / most, 0.1 * SMALL_SHARE));
        differ |= weight[i] != 1;
    }
    arena_back(r->arena, mark);
    return differ;
}

/* A force on member m at an arm. */
static void accelerate(const ride *r, const dynamics *d, int m, const carom_vec3 at[2], forced *out)
{
    out->v_rate[m] = sum_of(out->v_rate[m], carom_vec3_scale(1 / r->m[m].mass, at[1]));
    out->w_rate[m] = sum_of(out->w_rate[m], carom_sym3_apply(d->m[m].inv, carom_vec3_cross(at[0], at[1])));
}

/* The moment of a row on both members. */
static void turn_members(const ride *r, const dynamics *d, const row *x, double size, forced *out)
{
    int a = r->c[x->contact].a, b = r->c[x->contact].b;
    carom_vec3 M = carom_vec3_scale(size, x->moment);
    out->w_rate[a] = sum_of(out->w_rate[a], carom_sym3_apply(d->m[a].inv, M));
    if (b >= 0)
        out->w_rate[b] = carom_vec3_sub(out->w_rate[b], carom_sym3_apply(d->m[b].inv, M));
}

/* The same where joints hold the members. */
static void apply_held(const ride *r, const dynamics *d, row_list rows, forced *out)
{
    double force[FREEDOMS * ISLAND_BODIES] = {0};
    for (int i = 0; i < rows.count; i++)
        add_force(r, d, &rows.at[i], out->x[i], force);
    respond_all(r, d, force, out->v_rate, out->w_rate);
    for (int m = 0; m < r->members; m++) {
        out->v_rate[m] = sum_of(out->v_rate[m], d->m[m].v_rate);
        out->w_rate[m] = sum_of(out->w_rate[m], d->m[m].w_rate);
    }
}

/* The accelerations that the forces of all rows make. */
static void apply_rows(const ride *r, const dynamics *d, row_list rows, forced *out)
{
    if (d->W) {
        apply_held(r, d, rows, out);
        return;
    }
    arena_mark mark = arena_now(r->arena);
    carom_vec3 *total = TAKE(r->arena, carom_vec3, r->count);
    memset(total, 0, (size_t)r->count * sizeof *total);
    for (int i = 0; i < rows.count; i++) {
        int k = rows.at[i].contact;
        total[k] = sum_of(total[k], carom_vec3_scale(out->x[i], rows.at[i].force));
    }
    for (int m = 0; m < r->members; m++) {
        out->v_rate[m] = d->m[m].v_rate;
        out->w_rate[m] = d->m[m].w_rate;
    }
    for (int k = 0; k < r->count; k++) {
        accelerate(r, d, r->c[k].a, (carom_vec3[]){d->arm[k], total[k]}, out);
        if (r->c[k].b >= 0)
            accelerate(r, d, r->c[k].b, (carom_vec3[]){d->arm_b[k], carom_vec3_scale(-1, total[k])}, out);
    }
    for (int i = 0; i < rows.count && r->resists; i++)
        turn_members(r, d, &rows.at[i], out->x[i], out);
    arena_back(r->arena, mark);
}

static carom_vec3 acceleration_at(const ride *r, const dynamics *d, int k, const forced *x)
{
    int a = r->c[k].a, b = r->c[k].b;
    carom_vec3 own = sum_of(sum_of(x->v_rate[a], carom_vec3_cross(x->w_rate[a], d->arm[k])), d->c[k]);
    return b < 0 ? own : carom_vec3_sub(own, sum_of(x->v_rate[b], carom_vec3_cross(x->w_rate[b], d->arm_b[k])));
}

/* What rounding has left of the accelerations that rows keep at zero is taken out: several bodies carry more of it than
 * the collocation bears. */
static void refine(const ride *r, const dynamics *d, row_list rows, const row_system *s, forced *out)
{
    double *b = TAKE(r->arena, double, rows.count), *x = TAKE(r->arena, double, rows.count);
    for (int i = 0; i < rows.count; i++) {
        b[i] = -carom_vec3_dot(rows.at[i].keep, acceleration_at(r, d, rows.at[i].contact, out));
        b[i] -= r->resists ? kept_turn(r, d, &rows.at[i], out->w_rate) : 0;
    }
    solve_system_again(r, s, b, x);
    for (int i = 0; i < rows.count; i++)
        out->x[i] += x[i];
    apply_rows(r, d, rows, out);
}

/* Forces first, from K; accelerations from them. */
static void force_by_response(const ride *r, const dynamics *d, row_list rows, forced *out)
{
    row_system s;
    double *b = TAKE(r->arena, double, rows.count);
    carom_vec3 w_rate[ISLAND_BODIES];
    for (int m = 0; m < r->members; m++)
        w_rate[m] = d->m[m].w_rate;
    for (int i = 0; i < rows.count; i++) {
        b[i] = -carom_vec3_dot(rows.at[i].keep, d->b[rows.at[i].contact]);
        b[i] -= r->resists ? kept_turn(r, d, &rows.at[i], w_rate) : 0;
    }
    weigh_alike(r, rows, &s);
    arena_mark mark = arena_now(r->arena);
    solve_system(r, d, rows, b, &s, out->x);
    if (!r->resists && weigh_rows(r, rows, out->x, s.weight)) {
        arena_back(r->arena, mark);
        solve_system(r, d, rows, b, &s, out->x);
    }
    apply_rows(r, d, rows, out);
    if (r->members > 1 || d->W)
        refine(r, d, rows, &s, out);
}

/* The same of one body on one contact as one system, m v' - F = m g, I w' - arm x F = gyro, keep (v' + w' x arm) =
 * -keep c, which keeps its digits when the mass is all in the middle of the body: K is then a small number beside a
 * large one. */
static void force_at_once(const ride *r, const dynamics *all, row_list rows, forced *out)
{
    double numbers[(6 + CONTACT_ROWS) * (6 + CONTACT_ROWS)] = {0}, b[6 + CONTACT_ROWS] = {0};
    double mass = r->mass, scale = 1 / (mass * ride_size(r));
    const member_dynamics *d = &all->m[0];
    const carom_vec3 still = {0, 0, 0};
    matrix A = {6 + rows.count, 6 + rows.count, numbers};
    const double I[3][3] = {{d->I.xx, d->I.xy, d->I.xz}, {d->I.xy, d->I.yy, d->I.yz}, {d->I.xz, d->I.yz, d->I.zz}};
    put(b, d->v_rate);
    put(b + 3, carom_vec3_scale(scale, d->gyro));
    for (int i = 0; i < 3; i++) {
        row_of(&A, i)[i] = 1;
        for (int j = 0; j < 3; j++)
            row_of(&A, 3 + i)[3 + j] = !r->planar ? scale * I[i][j] : i == j ? (i == 2 ? scale * d->I.zz : 1) : 0;
    }
    for (int k = 0; k < rows.count; k++) {
        double F[3], N[3], keep[3], turn[3];
        const row *x = &rows.at[k];
        carom_vec3 arm = all->arm[x->contact];
        double unit = row_unit(r, x); /* a row of a moment keeps no acceleration of a point */
        put(F, x->force);
        put(N, turning(r, carom_vec3_cross(arm, x->force), x->moment));
        put(keep, x->keep);
        put(turn, carom_vec3_scale(unit, turning(r, carom_vec3_cross(arm, x->keep), x->keep_turn)));
        for (int i = 0; i < 3; i++) {
            row_of(&A, i)[6 + k] = -F[i] / mass;
            row_of(&A, 3 + i)[6 + k] = !r->planar || i == 2 ? -scale * N[i] : 0;
            row_of(&A, 6 + k)[i] = keep[i];
            row_of(&A, 6 + k)[3 + i] = turn[i];
        }
        b[6 + k] = -carom_vec3_dot(x->keep, all->c[x->contact]);
        b[6 + k] -= r->resists ? unit * kept_turn(r, all, x, &still) : 0;
    }
    eliminate(&A, b);
    out->v_rate[0] = vec_at(b);
    out->w_rate[0] = vec_at(b + 3);
    memcpy(out->x, b + 6, (size_t)rows.count * sizeof *b);
}

/* Several contacts may repeat each other: their system is singular. */
static bool of_one_contact(row_list rows)
{
    for (int i = 1; i < rows.count; i++)
        if (rows.at[i].contact != rows.at[0].contact)
            return false;
    return true;
}

/* The rates of the state of one member. */
static void put_rates(const ride *r, int m, const double *y, const forced *x, double *f)
{
    y += STATE * m, f += STATE * m;
    carom_vec3 w = vec_at(y + 10);
    carom_quat rate = {0, w.x, w.y, w.z}, q = {y[3], y[4], y[5], y[6]}, turn = quat_multiply(rate, q);
    put(f, vec_at(y + 7));
    double half = r->m[m].steady ? 0 : 0.5;
    f[3] = half * turn.w, f[4] = half * turn.x, f[5] = half * turn.y, f[6] = half * turn.z;
    put(f + 7, x->v_rate[m]);
    put(f + 10, x->w_rate[m]);
}

/* The power of moving ground. */
static void put_drive(ride *r, row_list rows, const double *x, const double *y)
{
    for (int m = 0; m < r->members; m++)
        r->m[m].drive = 0;
    for (int i = 0; i < rows.count && r->is_driven; i++) {
        const ride_contact *c = &r->c[rows.at[i].contact];
        if (c->b < 0)
            r->m[c->a].drive += x[i] * carom_vec3_dot(rows.at[i].force, ground_velocity(r, rows.at[i].contact, y));
    }
}

void ride_rates(ride *r, const double *y, double *f, carom_vec3 *a)
{
    arena_mark mark = arena_now(r->arena);
    dynamics d;
    forced x;
    ride_aim(r, y);
    start_dynamics(r, y, &d);
    if (!r->frozen && !r->planar && !r->resists)
        turn_onsets(r, y);
    row_list rows = make_rows(r, &d, y);
    x.x = TAKE(r->arena, double, rows.count);
    bool at_once = r->members == 1 && !r->joints && r->count && of_one_contact(rows) && !r->m[0].thin;
    (at_once ? force_at_once : force_by_response)(r, &d, rows, &x);
    for (int k = 0; k < r->count; k++) {
        memset(r->c[k].force, 0, sizeof r->c[k].force);
        if (a)
            a[k] = acceleration_at(r, &d, k, &x);
    }
    for (int i = 0; i < rows.count; i++)
        r->c[rows.at[i].contact].force[rows.at[i].axis] = x.x[i];
    put_drive(r, rows, x.x, y);
    for (int m = 0; m < r->members; m++)
        put_rates(r, m, y, &x, f);
    arena_back(r->arena, mark);
}
