#include "sim/rest/ride_equations.h"

#include "sim/motion/air.h"
#include "sim/motion/driven_path.h"
#include "sim/rest/contensou.h"
#include "sim/rest/ride_joints.h"

static void push_by_fields(const ride_body *b, const double y[STATE], member_dynamics *d)
{
    wrench a = field_wrench(b->fields, vec_at(y + 7), vec_at(y + 10));
    d->v_rate = sum_of(d->v_rate, carom_vec3_scale(1 / b->mass, a.F));
    d->gyro = sum_of(d->gyro, a.M);
    d->w_rate = carom_sym3_apply(d->inv, d->gyro);
}

static void start_member(const ride *r, const ride_body *b, const double y[STATE], member_dynamics *d)
{
    carom_quat q = quat_at(y + 3);
    carom_vec3 w = vec_at(y + 10), none = {0, 0, 0};
    d->inv = r->planar || b->isotropic ? b->inv_inertia : quat_turn_sym3(q, b->inv_inertia);
    d->I = r->planar || b->isotropic ? b->inertia : quat_turn_sym3(q, b->inertia);
    d->gyro = r->planar || b->isotropic ? none : carom_vec3_cross(carom_sym3_apply(d->I, w), w);
    d->v_rate = b->gravity;
    d->w_rate = r->planar || b->isotropic ? none : carom_sym3_apply(d->inv, d->gyro);
    if (b->fields)
        push_by_fields(b, y, d);
}

/* What the motion of a member below contact k takes from its accelerations: w x r' of the point that is touched. */
static void subtract_ground(const ride *r, int k, const double *y, carom_vec3 place_rate, dynamics *d)
{
    const double *b = y + STATE * r->c[k].b;
    const member_dynamics *m = &d->m[r->c[k].b];
    d->arm_b[k] = carom_vec3_sub(sum_of(vec_at(y + STATE * r->c[k].a), d->arm[k]), vec_at(b));
    carom_vec3 rate = carom_vec3_sub(place_rate, vec_at(b + 7)), turning = carom_vec3_cross(vec_at(b + 10), rate);
    d->c[k] = carom_vec3_sub(d->c[k], turning);
    d->b[k] = carom_vec3_sub(d->b[k], turning);
    d->b[k] = carom_vec3_sub(d->b[k], sum_of(m->v_rate, carom_vec3_cross(m->w_rate, d->arm_b[k])));
}

/* The acceleration of the point below contact k, which moves over the ground with it, of ground that is no member:
 * a + alpha x r + w x r'. */
static carom_vec3 ground_acceleration(const ride *r, int k, const double *y, carom_vec3 place_rate)
{
    const driven *path = driven_of(r->sim, r->c[k].ground);
    carom_vec3 a = {0, 0, 0};
    if (path)
        a = driven_accel(path, r->time);
    if (!r->c[k].turns)
        return a;
    snap b = ground_snap(r, k, y);
    carom_vec3 arm = carom_vec3_sub(contact_place(r, k, y), b.x);
    if (path)
        a = sum_of(a, carom_vec3_cross(driven_alpha(path, r->time), arm));
    return sum_of(a, carom_vec3_cross(b.w, carom_vec3_sub(place_rate, b.v)));
}

void start_dynamics(const ride *r, const double *y, dynamics *d)
{
    carom_vec3 **arrays[] = {&d->arm, &d->arm_b, &d->u, &d->b, &d->c, &d->w};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        *arrays[k] = TAKE(r->arena, carom_vec3, r->count);
    for (int m = 0; m < r->members; m++)
        start_member(r, &r->m[m], y + STATE * m, &d->m[m]);
    d->W = NULL;
    if (r->joints)
        hold_members(r, y, d);
    for (int k = 0; k < r->count; k++) {
        const double *a = y + STATE * r->c[k].a;
        const member_dynamics *m = &d->m[r->c[k].a];
        carom_vec3 w = vec_at(a + 10), rate = arm_rate(&r->c[k], quat_at(a + 3), w);
        d->arm[k] = contact_arm(r, k, y);
        d->w[k] = turn_against(r, k, y);
        d->u[k] = carom_vec3_sub(sum_of(vec_at(a + 7), carom_vec3_cross(w, d->arm[k])), ground_velocity(r, k, y));
        double turned = carom_vec3_dot(d->u[k], r->c[k].n_rate); /* (n . u)' = n . u' + n' . u */
        d->c[k] = carom_vec3_cross(w, rate);
        d->c[k] = sum_of(d->c[k], carom_vec3_scale(turned, r->c[k].n));
        if (r->c[k].b < 0 && r->is_driven)
            d->c[k] = carom_vec3_sub(d->c[k], ground_acceleration(r, k, y, sum_of(vec_at(a + 7), rate)));
        d->b[k] = sum_of(sum_of(m->v_rate, carom_vec3_cross(m->w_rate, d->arm[k])), d->c[k]);
        if (r->c[k].b >= 0)
            subtract_ground(r, k, y, sum_of(vec_at(a + 7), rate), d);
    }
}

/* The direction chosen, along the ground, which may have turned since. */
static carom_vec3 chosen_slip(const ride_contact *c)
{
    if (vec_is_zero(c->n_rate))
        return c->slip;
    carom_vec3 t = vec_across(c->slip, c->n);
    return carom_vec3_scale(1 / carom_vec3_length(t), t);
}

/* The direction of slip: of the velocity; where it only begins, the one chosen. */
static carom_vec3 slip_direction(const ride *r, const dynamics *d, int k, const double *y)
{
    const ride_contact *c = &r->c[k];
    carom_vec3 u = carom_vec3_sub(d->u[k], carom_vec3_scale(carom_vec3_dot(d->u[k], c->n), c->n));
    double size = carom_vec3_length(u), speed = carom_vec3_length(vec_at(y + STATE * c->a + 7));
    bool is_slow = !r->resists || !(size > SAME * speed + DBL_MIN);
    if (r->frozen || (c->mode == RIDE_ONSET && is_slow))
        return chosen_slip(c);
    return size > 0 ? carom_vec3_scale(1 / size, u) : chosen_slip(c);
}

double kept_turn(const ride *r, const dynamics *d, const row *x, const carom_vec3 *w_rate)
{
    const ride_contact *c = &r->c[x->contact];
    carom_vec3 rate = c->b < 0 ? w_rate[c->a] : carom_vec3_sub(w_rate[c->a], w_rate[c->b]), w = d->w[x->contact];
    double turned = x->axis == 5   ? carom_vec3_dot(w, c->n_rate)
                    : x->axis >= 3 ? -carom_vec3_dot(w, c->n) * carom_vec3_dot(x->keep_turn, c->n_rate)
                                   : 0;
    return carom_vec3_dot(x->keep_turn, rate) + turned;
}

/* The moment against rolling, where it goes on, for one unit of the normal force. */
static carom_vec3 resisting(const ride *r, int k, const double *y)
{
    const ride_contact *c = &r->c[k];
    carom_vec3 none = {0, 0, 0};
    bool goes = c->roll.mode == TURN_GOES || c->roll.mode == TURN_ONSET;
    return goes ? carom_vec3_sub(none, carom_vec3_scale(c->roll.length, turn_axis(r, k, y))) : none;
}

/* Rows that keep it from rolling. In the plane there is one axis to roll about, t2. */
static int holding_rows(const ride *r, int k, row *rows)
{
    const ride_contact *c = &r->c[k];
    carom_vec3 none = {0, 0, 0};
    int count = 0;
    if (c->roll.mode != TURN_HELD)
        return 0;
    if (!r->planar)
        rows[count++] = (row){k, 3, none, none, c->t1, c->t1};
    rows[count++] = (row){k, 4, none, none, c->t2, c->t2};
    return count;
}

row_list make_rows(const ride *r, const dynamics *d, const double *y)
{
    row *rows = TAKE(r->arena, row, CONTACT_ROWS * r->count);
    int count = 0;
    for (int k = 0; k < r->count; k++) {
        const ride_contact *c = &r->c[k];
        if (c->mode == RIDE_OPEN)
            continue;
        carom_vec3 normal = c->n, none = {0, 0, 0};
        if (has_patch(c)) {
            row *first = rows + count;
            count += patch_rows(r, k, y, first);
            first->moment = sum_of(first->moment, resisting(r, k, y));
            count += holding_rows(r, k, rows + count);
            continue;
        }
        if (c->mode != RIDE_STICK)
            normal = carom_vec3_sub(c->n, carom_vec3_scale(c->mu, slip_direction(r, d, k, y)));
        rows[count++] = (row){k, 2, normal, c->n, r->resists ? resisting(r, k, y) : none, none};
        count += r->resists ? holding_rows(r, k, rows + count) : 0;
        if (c->mode != RIDE_STICK || c->mu_s == 0)
            continue;
        rows[count++] = (row){k, 0, c->t1, c->t1, none, none};
        if (!r->planar)
            rows[count++] = (row){k, 1, c->t2, c->t2, none, none};
    }
    return (row_list){count, rows};
}

/* ---- their solution ---- */

static size_t numbers(size_t count)
{
    return count * sizeof(double) + 16;
}

size_t ride_room(int members, int contacts)
{
    size_t n = (size_t)contacts, m = (size_t)members, rows = CONTACT_ROWS * n, width = FREEDOMS * m;
    size_t forces = 2 * (rows * sizeof(row) + n * (sizeof(ride_contact) + 20 * sizeof(carom_vec3)));
    size_t system = numbers(3 * rows * width + 8 * rows) + least_norm_room((int)rows, (int)width) +
                    least_norm_room((int)width, (int)width);
    size_t nodes = GAUSS_NODES * STATE * m, order = GAUSS_NODES * (width > STATE ? width : STATE);
    size_t held = 2 * numbers(width * width + 2 * STATE * m + 3 * width * n);
    size_t collocation =
        held + numbers(6 * nodes + 40 * STATE * m) + numbers(order * order + 8 * order + width * width + 512);
    return forces + 2 * system + collocation + m * sizeof(track) + 4096;
}

double row_unit(const ride *r, const row *x)
{
    return x->axis >= 3 ? ldexp(1, ilogb(ride_size(r))) : 1;
}

void weigh_alike(const ride *r, row_list rows, row_system *s)
{
    s->weight = TAKE(r->arena, double, rows.count);
    for (int i = 0; i < rows.count; i++)
        s->weight[i] = row_unit(r, &rows.at[i]);
}

static void add_to(double *out, carom_vec3 F, carom_vec3 M)
{
    put(out, sum_of(vec_at(out), F));
    put(out + 3, sum_of(vec_at(out + 3), M));
}

void add_force(const ride *r, const dynamics *d, const row *x, double weight, double *out)
{
    const ride_contact *c = &r->c[x->contact];
    carom_vec3 F = carom_vec3_scale(weight, x->force), M = carom_vec3_scale(weight, x->moment);
    add_to(out + FREEDOMS * c->a, F, turning(r, carom_vec3_cross(d->arm[x->contact], F), M));
    carom_vec3 back = carom_vec3_scale(-1, F), turn = carom_vec3_scale(-1, M);
    if (c->b >= 0)
        add_to(out + FREEDOMS * c->b, back, turning(r, carom_vec3_cross(d->arm_b[x->contact], back), turn));
}

void respond_all(const ride *r, const dynamics *d, const double *force, carom_vec3 *v, carom_vec3 *w)
{
    if (d->W) {
        respond_held(r, d, force, v, w);
        return;
    }
    for (int m = 0; m < r->members; m++, force += FREEDOMS) {
        v[m] = carom_vec3_scale(1 / r->m[m].mass, vec_at(force));
        w[m] = carom_sym3_apply(d->m[m].inv, vec_at(force + 3));
    }
}

static double kept_by(const ride *r, const dynamics *d, const row *x, const carom_vec3 *v, const carom_vec3 *w)
{
    const ride_contact *c = &r->c[x->contact];
    carom_vec3 at = sum_of(v[c->a], carom_vec3_cross(w[c->a], d->arm[x->contact]));
    if (c->b >= 0)
        at = carom_vec3_sub(at, sum_of(v[c->b], carom_vec3_cross(w[c->b], d->arm_b[x->contact])));
    double kept = carom_vec3_dot(x->keep, at);
    carom_vec3 turn = c->b < 0 ? w[c->a] : carom_vec3_sub(w[c->a], w[c->b]);
    return r->resists ? kept + carom_vec3_dot(x->keep_turn, turn) : kept;
}

/* What all rows keep, by a force on the members. */
static void keep_all(const ride *r, const dynamics *d, row_list rows, const double *force, double *kept)
{
    carom_vec3 v[ISLAND_BODIES], w[ISLAND_BODIES];
    respond_all(r, d, force, v, w);
    for (int i = 0; i < rows.count; i++)
        kept[i] = kept_by(r, d, &rows.at[i], v, w);
}

double own_response(const ride *r, const dynamics *d, const row *x)
{
    double force[FREEDOMS * ISLAND_BODIES] = {0}, kept;
    row own = *x;
    add_force(r, d, x, 1, force);
    keep_all(r, d, (row_list){1, &own}, force, &kept);
    return kept;
}

/* By a unit of each force. */
static void fill_responses(const ride *r, const dynamics *d, row_list rows, row_system *s)
{
    int n = rows.count;
    double *kept = TAKE(r->arena, double, n);
    s->A = (matrix){n, n, TAKE(r->arena, double, n *n)};
    for (int k = 0; k < n; k++) {
        double force[FREEDOMS * ISLAND_BODIES] = {0};
        add_force(r, d, &rows.at[k], 1, force);
        keep_all(r, d, rows, force, kept);
        for (int i = 0; i < n; i++)
            row_of(&s->A, i)[k] = s->weight[i] * kept[i] * s->weight[k];
    }
}

/* By columns of forces that are orthogonal and span all that acts on the members. */
static void fill_columns(const ride *r, const dynamics *d, row_list rows, row_system *s)
{
    int n = rows.count, width = FREEDOMS * r->members;
    double *kept = TAKE(r->arena, double, n);
    matrix all = {n, width, TAKE(r->arena, double, n *width)};
    s->columns = (matrix){n, width, TAKE(r->arena, double, n *width)};
    memset(all.at, 0, (size_t)n * (size_t)width * sizeof *all.at);
    for (int i = 0; i < n; i++)
        add_force(r, d, &rows.at[i], s->weight[i], row_of(&all, i));
    memcpy(s->columns.at, all.at, (size_t)n * (size_t)width * sizeof *all.at);
    int rank = span_columns(&s->columns);
    s->A = (matrix){n, rank, TAKE(r->arena, double, n *rank)};
    for (int k = 0; k < rank; k++) {
        double force[FREEDOMS * ISLAND_BODIES] = {0};
        for (int i = 0; i < n; i++)
            for (int j = 0; j < width; j++)
                force[j] += row_of(&s->columns, i)[k] * row_of(&all, i)[j];
        keep_all(r, d, rows, force, kept);
        for (int i = 0; i < n; i++)
            row_of(&s->A, i)[k] = s->weight[i] * kept[i];
    }
}

/* From coefficients to forces. */
static void put_forces(const row_system *s, const double *z, double *x)
{
    for (int i = 0; i < s->A.rows; i++) {
        double sum = s->columns.at ? 0 : z[i];
        for (int k = 0; s->columns.at && k < s->A.columns; k++)
            sum += row_of(&s->columns, i)[k] * z[k];
        x[i] = s->weight[i] * sum;
    }
}

void solve_system(const ride *r, const dynamics *d, row_list rows, const double *right, row_system *s, double *x)
{
    s->columns.at = NULL;
    (d->W || rows.count > FREEDOMS * r->members ? fill_columns : fill_responses)(r, d, rows, s);
    double *z = TAKE(r->arena, double, s->A.columns), *b = TAKE(r->arena, double, rows.count);
    for (int i = 0; i < rows.count; i++)
        b[i] = s->weight[i] * right[i];
    solve_rows(r->arena, &s->A, b, z, &s->basis);
    put_forces(s, z, x);
}

void solve_system_again(const ride *r, const row_system *s, const double *right, double *x)
{
    arena_mark mark = arena_now(r->arena);
    double *z = TAKE(r->arena, double, s->A.columns), *b = TAKE(r->arena, double, s->A.rows);
    for (int i = 0; i < s->A.rows; i++)
        b[i] = s->weight[i] * right[i];
    solve_again(&s->A, &s->basis, b, z);
    put_forces(s, z, x);
    arena_back(r->arena, mark);
}
