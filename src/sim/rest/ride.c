/* Forces of closed contacts, and the rates of the state. */
#include "sim/rest/ride.h"

#include "sim/rest/ride_balance.h"
#include "sim/rest/ride_equations.h"

#define FRICTION_SHARE 0.1  /* of a force of friction against a normal one, where both would do */
#define LOAD_LEAST     1e-2 /* of the largest load */

/* Accelerations and forces. */
typedef struct forced {
    carom_vec3 v_rate[RIDE_BODIES], w_rate[RIDE_BODIES];
    double x[ROWS]; /* of the rows */
} forced;

/* Where contacts repeat each other, the least forces are taken, and those of friction count the more the less load
 * their contact has to bear them: weight is the square root of what each counts for, inverted. */
static void weigh_rows(const ride *r, const row *rows, int n, const double *x, double weight[ROWS])
{
    double load[RIDE_CONTACTS] = {0}, most = 0;
    for (int i = 0; i < n; i++)
        if (rows[i].axis == 2)
            most = max(most, load[rows[i].contact] = max(x[i], 0));
    for (int i = 0; i < n; i++)
        weight[i] = rows[i].axis == 2 ? r->c[rows[i].contact].share
                    : !(most > 0)     ? 1
                                      : FRICTION_SHARE * max(load[rows[i].contact] / most, LOAD_LEAST);
}

/* The equations with these weights. */
typedef struct weighted {
    double S[ROWS][ROWS], weight[ROWS];
    row_basis basis;
} weighted;

static void solve_weighted(const ride *r, double A[ROWS][ROWS], const double *b, const row *rows, double *x, int n,
                           weighted *w)
{
    double c[ROWS];
    weigh_rows(r, rows, n, x, w->weight);
    for (int i = 0; i < n; i++) {
        c[i] = w->weight[i] * b[i];
        for (int j = 0; j < n; j++)
            w->S[i][j] = w->weight[i] * A[i][j] * w->weight[j];
    }
    solve_rows(w->S, c, x, n, &w->basis);
    for (int i = 0; i < n; i++)
        x[i] *= w->weight[i];
}

/* A force on member m at an arm. */
static void accelerate(const ride *r, const dynamics *d, int m, const carom_vec3 at[2], forced *out)
{
    out->v_rate[m] = sum_of(out->v_rate[m], carom_vec3_scale(1 / r->m[m].mass, at[1]));
    out->w_rate[m] = sum_of(out->w_rate[m], carom_sym3_apply(d->m[m].inv, carom_vec3_cross(at[0], at[1])));
}

/* The accelerations that the forces of all rows make. */
static void apply_rows(const ride *r, const dynamics *d, const row *rows, int n, forced *out)
{
    carom_vec3 total[RIDE_CONTACTS] = {{0, 0, 0}};
    for (int i = 0; i < n; i++)
        total[rows[i].contact] = sum_of(total[rows[i].contact], carom_vec3_scale(out->x[i], rows[i].force));
    for (int m = 0; m < r->members; m++) {
        out->v_rate[m] = d->m[m].v_rate;
        out->w_rate[m] = d->m[m].w_rate;
    }
    for (int k = 0; k < r->count; k++) {
        accelerate(r, d, r->c[k].a, (carom_vec3[]){d->arm[k], total[k]}, out);
        if (r->c[k].b >= 0)
            accelerate(r, d, r->c[k].b, (carom_vec3[]){d->arm_b[k], carom_vec3_scale(-1, total[k])}, out);
    }
    for (int i = 0; i < n && r->resists; i++)
        out->w_rate[0] =
            sum_of(out->w_rate[0], carom_sym3_apply(d->m[0].inv, carom_vec3_scale(out->x[i], rows[i].moment)));
}

static carom_vec3 acceleration_at(const ride *r, const dynamics *d, int k, const forced *x)
{
    int a = r->c[k].a, b = r->c[k].b;
    carom_vec3 own = sum_of(sum_of(x->v_rate[a], carom_vec3_cross(x->w_rate[a], d->arm[k])), d->c[k]);
    return b < 0 ? own : carom_vec3_sub(own, sum_of(x->v_rate[b], carom_vec3_cross(x->w_rate[b], d->arm_b[k])));
}

/* What rounding has left of the accelerations that rows keep at zero is taken out: several bodies carry more of it than
 * the collocation bears. */
static void refine(const ride *r, const dynamics *d, const row *rows, int n, weighted *w, forced *out)
{
    double b[ROWS], x[ROWS];
    for (int i = 0; i < n; i++)
        b[i] = -w->weight[i] * carom_vec3_dot(rows[i].keep, acceleration_at(r, d, rows[i].contact, out));
    solve_again(w->S, &w->basis, b, x, n);
    for (int i = 0; i < n; i++)
        out->x[i] += w->weight[i] * x[i];
    apply_rows(r, d, rows, n, out);
}

/* Forces first, from K; accelerations from them. */
static void force_by_response(const ride *r, const dynamics *d, const row *rows, int n, forced *out)
{
    double A[ROWS][ROWS], b[ROWS] = {0};
    weighted w;
    for (int i = 0; i < n; i++) {
        b[i] = -carom_vec3_dot(rows[i].keep, d->b[rows[i].contact]);
        if (r->resists)
            b[i] -= carom_vec3_dot(rows[i].keep_turn, d->m[0].w_rate);
    }
    fill_responses(r, d, rows, n, A);
    solve_rows(A, b, out->x, n, NULL);
    if (!r->resists)
        solve_weighted(r, A, b, rows, out->x, n, &w);
    apply_rows(r, d, rows, n, out);
    if (r->members > 1)
        refine(r, d, rows, n, &w, out);
}

/* The same of one body on one contact as one system, m v' - F = m g, I w' - arm x F = gyro, keep (v' + w' x arm) =
 * -keep c, which keeps its digits when the mass is all in the middle of the body: K is then a small number beside a
 * large one. */
static void force_at_once(const ride *r, const dynamics *all, const row *rows, int n, forced *out)
{
    double A[ROWS][ROWS], b[ROWS] = {0}, mass = r->mass, R = ride_size(r);
    const member_dynamics *d = &all->m[0];
    double scale = 1 / (mass * R);
    const double I[3][3] = {{d->I.xx, d->I.xy, d->I.xz}, {d->I.xy, d->I.yy, d->I.yz}, {d->I.xz, d->I.yz, d->I.zz}};
    for (int i = 0; i < 6 + n; i++)
        memset(A[i], 0, (size_t)(6 + n) * sizeof **A);
    put(b, d->v_rate);
    put(b + 3, carom_vec3_scale(scale, d->gyro));
    for (int i = 0; i < 3; i++) {
        A[i][i] = 1;
        for (int j = 0; j < 3; j++)
            A[3 + i][3 + j] = !r->planar ? scale * I[i][j] : i == j ? (i == 2 ? scale * d->I.zz : 1) : 0;
    }
    for (int k = 0; k < n; k++) {
        double F[3], N[3], keep[3], turn[3];
        carom_vec3 arm = all->arm[rows[k].contact];
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
        b[6 + k] = -carom_vec3_dot(rows[k].keep, all->c[rows[k].contact]);
    }
    eliminate(A, b, 6 + n);
    out->v_rate[0] = vec_at(b);
    out->w_rate[0] = vec_at(b + 3);
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
static void put_drive(ride *r, const row *rows, int n, const double *x)
{
    for (int m = 0; m < r->members; m++)
        r->m[m].drive = 0;
    for (int i = 0; i < n && r->is_driven; i++) {
        const ride_contact *c = &r->c[rows[i].contact];
        if (c->b < 0)
            r->m[c->a].drive += x[i] * carom_vec3_dot(rows[i].force, base_velocity(r, rows[i].contact));
    }
}

void ride_rates(ride *r, const double *y, double *f, carom_vec3 *a)
{
    dynamics d;
    row rows[ROWS];
    forced x;
    ride_aim(r, y);
    start_dynamics(r, y, &d);
    if (!r->frozen && !r->planar && !r->resists)
        turn_onsets(r, y);
    int n = make_rows(r, y, rows);
    bool at_once = r->members == 1 && r->count && of_one_contact(rows, n) && !r->m[0].thin;
    (at_once ? force_at_once : force_by_response)(r, &d, rows, n, &x);
    for (int k = 0; k < r->count; k++) {
        memset(r->c[k].force, 0, sizeof r->c[k].force);
        if (a)
            a[k] = acceleration_at(r, &d, k, &x);
    }
    for (int i = 0; i < n; i++)
        r->c[rows[i].contact].force[rows[i].axis] = x.x[i];
    put_drive(r, rows, n, x.x);
    for (int m = 0; m < r->members; m++)
        put_rates(r, m, y, &x, f);
}
