#include "sim/resolve/contact_sweep.h"

static carom_vec3 plus(carom_vec3 a, double s, carom_vec3 b)
{
    return carom_vec3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

/* A body's share in K: 1/m - [r] I^-1 [r], where [r] x = r cross x. */
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
    r.mu = carom_rule_friction(c->rule);
    return r;
}

carom_vec3 sweep_velocity(const sweep_row *r, const sweep_body *bodies)
{
    const sweep_body *a = &bodies[r->a], *b = &bodies[r->b];
    carom_vec3 v = carom_vec3_sub(a->v, b->v);
    return carom_vec3_add(v, carom_vec3_sub(carom_vec3_cross(a->w, r->arm_a), carom_vec3_cross(b->w, r->arm_b)));
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

void sweep_push(const sweep_row *r, sweep_body *bodies, carom_vec3 P)
{
    sweep_body *a = &bodies[r->a], *b = &bodies[r->b];
    a->v = plus(a->v, a->inv_mass, P);
    b->v = plus(b->v, -b->inv_mass, P);
    a->w = carom_vec3_add(a->w, carom_sym3_apply(a->inv_inertia, carom_vec3_cross(r->arm_a, P)));
    b->w = carom_vec3_sub(b->w, carom_sym3_apply(b->inv_inertia, carom_vec3_cross(r->arm_b, P)));
}

/* The friction that stops a slip, within Coulomb's cone. */
static carom_vec3 friction(const sweep_row *r, carom_vec3 slip)
{
    carom_vec3 t = plus(r->p_t, -1 / r->K_t, slip);
    double size = carom_vec3_length(t), most = r->sticks ? INFINITY : r->mu * max(0, r->p_n);
    return size > most ? carom_vec3_scale(most / size, t) : t;
}

/* One contact; returns by how much it changed a velocity. */
static double relax(sweep_row *r, sweep_body *bodies)
{
    carom_vec3 u = sweep_velocity(r, bodies), P;
    double old = r->p_n, next = old - (carom_vec3_dot(u, r->n) - r->aim) / r->K_n;
    r->p_n = r->holds ? next : max(0, next);
    double change = fabs(r->p_n - old) * r->K_n;
    P = carom_vec3_scale(r->p_n - old, r->n);
    if (r->sticks || (r->mu > 0 && (r->p_n != 0 || old != 0))) {
        u = plus(u, r->p_n - old, r->response);
        carom_vec3 t = friction(r, plus(u, -carom_vec3_dot(u, r->n), r->n)), d = carom_vec3_sub(t, r->p_t);
        r->p_t = t;
        P = carom_vec3_add(P, d);
        change += carom_vec3_length(d) * r->K_t;
    }
    if (change > 0)
        sweep_push(r, bodies, P);
    return change;
}

static double sweep_once(sweep_row *rows, size_t count, sweep_body *bodies)
{
    double worst = 0;
    for (size_t k = 0; k < count; k++) {
        sweep_row *r = &rows[k];
        r->last_n = r->p_n;
        r->last_t = r->p_t;
        if (r->K_n > 0)
            worst = max(worst, relax(r, bodies));
    }
    return worst;
}

/* What the last sweep changed, as an energy. */
static double change_of(const sweep_row *rows, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        double d = rows[k].p_n - rows[k].last_n;
        carom_vec3 t = carom_vec3_sub(rows[k].p_t, rows[k].last_t);
        sum += rows[k].K_n * d * d + rows[k].K_t * carom_vec3_dot(t, t);
    }
    return sum;
}

/* Go on along the last direction, by its share beta, and turn the direction to what the last sweep changed. */
static void go_along(sweep_row *rows, size_t count, sweep_body *bodies, double beta)
{
    for (size_t k = 0; k < count; k++) {
        sweep_row *r = &rows[k];
        double d = beta * r->way_n, change = r->p_n - r->last_n;
        carom_vec3 t = carom_vec3_scale(beta, r->way_t), turn = carom_vec3_sub(r->p_t, r->last_t);
        r->way_n = change + d;
        r->way_t = carom_vec3_add(turn, t);
        if (d == 0 && t.x == 0 && t.y == 0 && t.z == 0)
            continue;
        r->p_n += d;
        r->p_t = carom_vec3_add(r->p_t, t);
        sweep_push(r, bodies, plus(t, d, r->n));
    }
}

/* Each sweep is a step of descent; the steps are made conjugate as Fletcher and Reeves do (Silcowitz, Niebe and Erleben
 * 2010), and a sweep that changes more than the last one begins anew. The last thing done is a sweep, so that cones
 * are obeyed. */
void sweep_rows(sweep_row *rows, size_t count, sweep_body *bodies, sweep_limit limit)
{
    double last = 0;
    for (size_t k = 0; k < count; k++) {
        rows[k].way_n = 0;
        rows[k].way_t = carom_vec3_make(0, 0, 0);
    }
    for (int n = 1; sweep_once(rows, count, bodies) > limit.still && n < limit.sweeps; n++) {
        double change = change_of(rows, count), beta = last > 0 && change <= last ? change / last : 0;
        go_along(rows, count, bodies, beta);
        last = change;
    }
}
