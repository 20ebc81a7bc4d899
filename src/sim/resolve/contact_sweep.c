#include "sim/resolve/contact_sweep.h"

static carom_vec3 plus(carom_vec3 a, double s, carom_vec3 b)
{
    return carom_vec3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

/* The share of a body in K at the arm r: 1/m - [r] I^-1 [r], [r] x = r cross x. */
static void add_share(const sweep_body *b, carom_vec3 r, carom_sym3 *K)
{
    const carom_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    carom_vec3 row[3];
    for (int k = 0; k < 3; k++)
        row[k] = carom_vec3_cross(carom_sym3_apply(b->inv_inertia, carom_vec3_cross(r, unit[k])), r);
    K->xx += b->inv_mass + row[0].x;
    K->yy += b->inv_mass + row[1].y;
    K->zz += b->inv_mass + row[2].z;
    K->xy += row[0].y;
    K->xz += row[0].z;
    K->yz += row[1].z;
}

/* The larger eigenvalue of K in the tangent plane, from its trace and determinant there. */
static double tangential(const carom_sym3 *K, carom_vec3 n, bool planar)
{
    double K_n = carom_vec3_dot(n, carom_sym3_apply(*K, n)), trace = (K->xx + K->yy) + K->zz - K_n;
    if (planar)
        return K->xx + K->yy - K_n;
    carom_sym3 adjugate = {.xx = K->yy * K->zz - K->yz * K->yz,
                           .yy = K->xx * K->zz - K->xz * K->xz,
                           .zz = K->xx * K->yy - K->xy * K->xy,
                           .xy = K->xz * K->yz - K->xy * K->zz,
                           .xz = K->xy * K->yz - K->xz * K->yy,
                           .yz = K->xy * K->xz - K->xx * K->yz};
    double det = carom_vec3_dot(n, carom_sym3_apply(adjugate, n)), half = 0.5 * trace;
    return half + sqrt(max(0, half * half - det));
}

sweep_row sweep_make(const carom_sim *sim, const touching *c, const sweep_body *bodies)
{
    sweep_row r = {.a = frame_of(sim, c->a)->slot, .b = frame_of(sim, c->b)->slot};
    const sweep_body *a = &bodies[r.a], *b = &bodies[r.b];
    carom_sym3 K = {0, 0, 0, 0, 0, 0};
    r.n = c->contact.frame.n;
    r.arm_a = c->contact.arm_a;
    r.arm_b = c->contact.arm_b;
    add_share(a, r.arm_a, &K);
    add_share(b, r.arm_b, &K);
    r.response = carom_sym3_apply(K, r.n);
    r.K_n = carom_vec3_dot(r.n, r.response);
    r.K_t = tangential(&K, r.n, sim->scene->dim == 2);
    r.mu = touching_friction(c);
    return r;
}

static inline carom_vec3 velocity_at(const sweep_body *b, carom_vec3 arm)
{
    return carom_vec3_add(b->v, carom_vec3_cross(b->w, arm));
}

carom_vec3 sweep_velocity(const sweep_row *r, const sweep_body *bodies)
{
    return carom_vec3_sub(velocity_at(&bodies[r->a], r->arm_a), velocity_at(&bodies[r->b], r->arm_b));
}

carom_vec3 sweep_slip(const sweep_row *r, const sweep_body *bodies)
{
    carom_vec3 u = sweep_velocity(r, bodies);
    return plus(u, -carom_vec3_dot(u, r->n), r->n);
}

carom_vec3 sweep_impulse(const sweep_row *r)
{
    return plus(r->p_t, r->p_n, r->n);
}

/* An impulse, times sign, at the arm r. */
static inline void push(sweep_body *b, carom_vec3 r, double sign, carom_vec3 P)
{
    b->v = plus(b->v, sign * b->inv_mass, P);
    b->w = plus(b->w, sign, carom_sym3_apply(b->inv_inertia, carom_vec3_cross(r, P)));
}

void sweep_push(const sweep_row *r, sweep_body *bodies, carom_vec3 P)
{
    push(&bodies[r->a], r->arm_a, 1, P);
    push(&bodies[r->b], r->arm_b, -1, P);
}

/* What a sweep changes: the largest square of a change of velocity, and the sum of the changes as an energy. */
typedef struct sweep_change {
    double square, energy;
} sweep_change;

/* The friction that stops a slip which the normal impulse next has made of the velocity u, within Coulomb's cone. */
static inline carom_vec3 friction(const sweep_row *r, carom_vec3 u, double u_n, double next)
{
    double step = next - r->p_n;
    carom_vec3 slip = plus(plus(u, -(u_n + step * r->K_n), r->n), step, r->response);
    carom_vec3 t = plus(r->p_t, -r->per_t, slip);
    double square = carom_vec3_dot(t, t), most = r->sticks ? INFINITY : r->mu * max(0, next);
    return square > most * most ? carom_vec3_scale(most / sqrt(square), t) : t;
}

/* One contact. */
static inline void relax(sweep_row *r, sweep_body *bodies, sweep_change *sum)
{
    sweep_body *a = &bodies[r->a], *b = &bodies[r->b];
    carom_vec3 u = carom_vec3_sub(velocity_at(a, r->arm_a), velocity_at(b, r->arm_b));
    double u_n = carom_vec3_dot(u, r->n), free = r->p_n - (u_n - r->aim) * r->per_n;
    double next = r->holds ? free : max(0, free), step = next - r->p_n;
    carom_vec3 t = r->p_t;
    if (r->sticks || (r->mu > 0 && (next != 0 || r->p_n != 0)))
        t = friction(r, u, u_n, next);
    else if (step == 0)
        return;
    carom_vec3 d = carom_vec3_sub(t, r->p_t), P = plus(d, step, r->n);
    r->p_n = next;
    r->p_t = t;
    push(a, r->arm_a, 1, P);
    if (!r->on_ground)
        push(b, r->arm_b, -1, P);
    double normal = step * step * r->K_n, along = carom_vec3_dot(d, d) * r->K_t;
    sum->square = max(sum->square, normal * r->K_n + along * r->K_t);
    sum->energy += normal + along;
}

static sweep_change sweep_once(sweep_row *rows, size_t count, sweep_body *bodies)
{
    sweep_change sum = {0, 0};
    for (size_t k = 0; k < count; k++)
        if (rows[k].K_n > 0)
            relax(&rows[k], bodies, &sum);
    return sum;
}

/* One number, or vector, goes on along its direction by the share beta, and the direction turns to what the last sweep
 * changed. */
static inline void go_on(double *x, double *old, double *way, double beta)
{
    double d = beta * *way;
    *way = (*x - *old) + d;
    *x += d;
    *old = *x;
}

static inline void go_on_vec(carom_vec3 *x, carom_vec3 *old, carom_vec3 *way, double beta)
{
    go_on(&x->x, &old->x, &way->x, beta);
    go_on(&x->y, &old->y, &way->y, beta);
    go_on(&x->z, &old->z, &way->z, beta);
}

/* Velocities are linear in the impulses, so that both go on in the same way. */
static void go_along(sweep_row *rows, size_t count, sweep_body *bodies, int body_count, double beta)
{
    for (size_t k = 0; k < count; k++) {
        go_on(&rows[k].p_n, &rows[k].old_n, &rows[k].way_n, beta);
        if (rows[k].mu > 0 || rows[k].sticks)
            go_on_vec(&rows[k].p_t, &rows[k].old_t, &rows[k].way_t, beta);
    }
    for (int s = 0; s < body_count; s++) {
        go_on_vec(&bodies[s].v, &bodies[s].old_v, &bodies[s].way_v, beta);
        go_on_vec(&bodies[s].w, &bodies[s].old_w, &bodies[s].way_w, beta);
    }
}

static bool is_immovable(const sweep_body *b)
{
    return b->inv_mass == 0 && b->inv_inertia.xx == 0 && b->inv_inertia.yy == 0 && b->inv_inertia.zz == 0;
}

/* Returns how many bodies there are. */
static int prepare(sweep_row *rows, size_t count, sweep_body *bodies)
{
    carom_vec3 none = {0, 0, 0};
    int last = -1;
    for (size_t k = 0; k < count; k++) {
        sweep_row *r = &rows[k];
        r->per_n = 1 / r->K_n;
        r->per_t = 1 / r->K_t;
        r->old_n = r->p_n;
        r->old_t = r->p_t;
        r->way_n = 0;
        r->way_t = none;
        r->on_ground = is_immovable(&bodies[r->b]);
        last = r->a > last ? r->a : last;
        last = r->b > last ? r->b : last;
    }
    for (int s = 0; s <= last; s++) {
        bodies[s].old_v = bodies[s].v;
        bodies[s].old_w = bodies[s].w;
        bodies[s].way_v = bodies[s].way_w = none;
    }
    return last + 1;
}

/* Each sweep is a step of descent; the steps are made conjugate as Fletcher and Reeves do (Silcowitz, Niebe and Erleben
 * 2010), and a sweep that changes more than the last one begins anew. The last thing done is a sweep, so that cones
 * are obeyed. */
void sweep_rows(sweep_row *rows, size_t count, sweep_body *bodies, sweep_limit limit)
{
    double last = 0, still = limit.still * limit.still;
    int body_count = prepare(rows, count, bodies);
    for (int n = 1; n <= limit.sweeps; n++) {
        sweep_change change = sweep_once(rows, count, bodies);
        if (!(change.square > still) || n == limit.sweeps)
            break;
        go_along(rows, count, bodies, body_count, last > 0 && change.energy <= last ? change.energy / last : 0);
        last = change.energy;
    }
}
