/* A contact of jointed bodies.
 *
 * A unit impulse at the contact, with the impulses of the joints that it causes, makes the velocities
 *
 *     V_i = W J_i^T - W G^T (G W G^T)^-1 G W J_i^T                                         (1)
 *     K_ik = V_i W^-1 V_k                                                                  (2)
 *
 * (2) is a sum of squares: K is positive semi-definite however stiff the linkage is. An impulse p then changes the
 * velocities by V p: the joints act within the impact, not after it. */
#include "carom/assert.h"
#include "mechanism/envelope.h"
#include "mechanism/linkage.h"
#include "mechanism/mobility.h"

static void push_one(const carom_linkage *l, int body, carom_vec3 arm, carom_vec3 f, carom_twist *V)
{
    if (body < 0)
        return;
    const carom_body *b = &l->bodies[body].body;
    V[body].v = vec_plus(V[body].v, b->inv_mass, f);
    V[body].w = carom_vec3_add(V[body].w, carom_sym3_apply(b->inv_inertia, carom_vec3_cross(arm, f)));
}

static carom_twist of(const carom_twist *V, int body)
{
    return body < 0 ? twist_zero() : V[body];
}

/* Add the impulses of the joints to the response V, so that no joint opens. Returns the square of the change. */
static double add_joint_impulses(carom_linkage *l, carom_twist *V)
{
    double *rhs = linkage_vector(l, 0);
    for (int j = 0; j < l->joint_count; j++) {
        const carom_joint *p = &l->joints[j];
        carom_twist a = of(V, p->def.a), b = of(V, p->def.b);
        for (int i = p->row; i < p->row + p->rows; i++) {
            const carom_joint_row *r = &l->rows[i];
            rhs[i] = -carom_vec3_dot(r->f, carom_vec3_sub(a.v, b.v)) - carom_vec3_dot(r->ta, a.w) +
                     carom_vec3_dot(r->tb, b.w);
        }
    }
    double change = carom_linkage_solve(l);
    for (int j = 0; j < l->joint_count; j++) {
        const carom_joint_def *d = &l->joints[j].def;
        for (int i = l->joints[j].row; i < l->joints[j].row + l->joints[j].rows; i++) {
            const carom_joint_row *r = &l->rows[i];
            carom_twist on_a = {r->wa, r->f}, on_b = {r->wb, r->f};
            if (d->a >= 0)
                on_a.v = carom_vec3_scale(l->bodies[d->a].body.inv_mass, r->f);
            if (d->b >= 0)
                on_b.v = carom_vec3_scale(l->bodies[d->b].body.inv_mass, r->f);
            if (d->a >= 0)
                V[d->a] = twist_plus(V[d->a], r->j, on_a);
            if (d->b >= 0)
                V[d->b] = twist_plus(V[d->b], -r->j, on_b);
        }
    }
    return change;
}

/* (2) */
double carom_linkage_inner(const carom_linkage *l, const carom_twist *V, const carom_twist *U)
{
    double sum = 0;
    for (int i = 0; i < l->body_count; i++) {
        const carom_body *b = &l->bodies[i].body;
        sum += b->mass * carom_vec3_dot(V[i].v, U[i].v) + carom_vec3_dot(V[i].w, carom_sym3_apply(b->inertia, U[i].w));
    }
    return sum;
}

static carom_vec3 velocity_at(const carom_linkage *l, int body, carom_vec3 arm)
{
    const carom_body *b = &linkage_member(l->bodies, body)->body;
    return carom_vec3_add(b->velocity, carom_vec3_cross(b->omega, arm));
}

/* Speeds of a body at an arm, added up without regard to direction. */
static double speed_size(const carom_linkage *l, int body, carom_vec3 arm)
{
    const carom_body *b = &linkage_member(l->bodies, body)->body;
    return carom_vec3_length(b->velocity) + carom_vec3_length(b->omega) * carom_vec3_length(arm);
}

/* What the rounding of arms and the opening of joints leave of a direction without motion. free: K_ii of the two bodies
 * without joints. A joint that is open by d lets its bodies move against each other by w x d. Joints that hold weakly,
 * by an acute angle or a short arm, magnify both. */
static mobility rounding_of(const carom_linkage *l, const int pair[2], const carom_contact *contact, carom_cvec free)
{
    double open = 0, spin = 0, magnified = 1 / carom_envelope_least_pivot(l->row_count, l->rows, linkage_factor(l));
    for (int i = 0; i < l->row_count; i++)
        open += square(l->rows[i].error);
    for (int i = 0; i < 2; i++)
        spin += sym3_trace(linkage_member(l->bodies, pair[i])->body.inv_inertia);
    double part = magnified * (square(mobility_tolerance(l->joint_count)) + open), extra = magnified * open * spin;
    double speed = speed_size(l, pair[0], contact->arm_a) + speed_size(l, pair[1], contact->arm_b);
    double still = sqrt(part) * speed;
    mobility m = {{part * free.t1 + extra, part * free.t2 + extra, part * free.n + extra}, {still, still, still}};
    return m;
}

void carom_linkage_hold(carom_linkage *l, carom_twist *V)
{
    double change[LINKAGE_SOLVES];
    for (int count = 0; carom_linkage_repeats(count, change); count++)
        change[count] = add_joint_impulses(l, V);
}

/* V_i of (1) for a unit impulse along an axis of the contact; returns K_ii of the bodies without joints. */
static double respond(carom_linkage *l, const int pair[2], const carom_contact *contact, int i)
{
    const carom_vec3 axis[3] = {contact->frame.t1, contact->frame.t2, contact->frame.n};
    carom_twist *V = linkage_twists(l, i);
    for (int k = 0; k < l->body_count; k++)
        V[k] = twist_zero();
    push_one(l, pair[0], contact->arm_a, axis[i], V);
    push_one(l, pair[1], contact->arm_b, carom_vec3_scale(-1, axis[i]), V);
    double free = carom_linkage_inner(l, V, V);
    carom_linkage_hold(l, V);
    return free;
}

carom_status carom_linkage_respond(carom_linkage *l, const int pair[2], const carom_contact *contact,
                                   carom_problem *problem)
{
    carom_cvec free = {respond(l, pair, contact, 0), respond(l, pair, contact, 1), respond(l, pair, contact, 2)};
    const carom_twist *T1 = linkage_twists(l, 0), *T2 = linkage_twists(l, 1), *N = linkage_twists(l, 2);
    carom_csym K = {carom_linkage_inner(l, T1, T1), carom_linkage_inner(l, T1, T2), carom_linkage_inner(l, T2, T2),
                    carom_linkage_inner(l, T1, N),  carom_linkage_inner(l, T2, N),  carom_linkage_inner(l, N, N)};
    carom_vec3 u = carom_vec3_sub(velocity_at(l, pair[0], contact->arm_a), velocity_at(l, pair[1], contact->arm_b));
    problem->K = K;
    problem->u = carom_frame_from_world(contact->frame, u);
    mobility rounding = rounding_of(l, pair, contact, free);
    return mobility_clean(&rounding, problem);
}

carom_status carom_linkage_reduce(carom_linkage *l, int a, int b, const carom_contact *contact, carom_problem *problem)
{
    CAROM_ASSERT(l && l->work && contact && problem && a >= 0 && a < l->body_count && b < l->body_count);
    static const carom_problem nothing = {{0, 0, 0, 0, 0, 0}, {0, 0, 0}};
    const int pair[2] = {a, b};
    *problem = nothing;
    carom_status status = a == b ? CAROM_STATUS_IMMOVABLE : carom_linkage_factorise(l);
    return status ? status : carom_linkage_respond(l, pair, contact, problem);
}

void carom_linkage_apply(carom_linkage *l, carom_cvec p)
{
    CAROM_ASSERT(l && l->work);
    const double weight[3] = {p.t1, p.t2, p.n};
    for (int i = 0; i < 3; i++) {
        const carom_twist *V = linkage_twists(l, i);
        for (int k = 0; k < l->body_count; k++) {
            carom_body *b = &l->bodies[k].body;
            b->velocity = vec_plus(b->velocity, weight[i], V[k].v);
            b->omega = vec_plus(b->omega, weight[i], V[k].w);
        }
    }
}
