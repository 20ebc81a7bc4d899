/* A contact of links: (K, u) and the effect of an impulse, both in O(n).
 *
 * The elimination of place.c is M = L D L^T in disguise, so with g = D^-1/2 L^-1 J^T
 *
 *     K = J M^-1 J^T = sum of g g^T over the freedoms between the contact and the world          (1)
 *
 * and only the inward sweep is needed: a unit impulse W at the contact leaves S W for each freedom it passes,
 *
 *     u = S W,   W <- W - U u / D.                                                               (2)
 *
 * Applying an impulse adds the outward sweep:  dqdot = (u - U dv) / D,  dv <- dv + S dqdot.       (3) */
#include "mechanism/touch.h"
#include "carom/assert.h"
#include "carom/body.h"
#include "core/num.h"
#include "mechanism/mobility.h"
#include "mechanism/spatial.h"

#define CANCEL_TOL (64 * EPS) /* of the moments that meet */

/* Three unit impulses on their way inward. */
typedef struct leg {
    int link; /* where they act now; CAROM_WORLD when they have arrived */
    carom_wrench W[3];
} leg;

/* The sum (1), and the same sum with sizes in place of S W: what K would be if nothing cancelled. */
typedef struct tally {
    carom_csym K;
    double size[3];
    double extent; /* largest distance from the world's origin on the way: arms are differences of positions */
    int joints;
    double *g; /* 3 x nv by rows, or null: the vectors g of (1) */
} tally;

static bool has_link(const carom_motion *motion, int link)
{
    return link >= 0 && link < motion->mechanism->count;
}

carom_status carom_touch_init(carom_motion *a, int link_a, carom_vec3 point, carom_vec3 normal, carom_touch *touch)
{
    CAROM_ASSERT(a && touch);
    carom_touch t = {a, NULL, link_a, CAROM_WORLD, {0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    carom_status status = carom_frame_init(normal, &t.frame);
    if (!has_link(a, link_a))
        status = CAROM_STATUS_BAD_LINK;
    else
        t.point = carom_motion_point(a, link_a, point);
    *touch = t;
    double sum = 0 * (point.x + point.y + point.z);
    return sum == 0 ? status : CAROM_STATUS_NOT_FINITE;
}

static carom_vec3 velocity_at(const carom_motion *motion, int link, carom_vec3 point)
{
    if (!motion || link == CAROM_WORLD)
        return vec_zero();
    const carom_link_state *s = &motion->links[link];
    return twist_shift(s->velocity, carom_vec3_sub(point, s->origin)).v;
}

/* The impulse f at the contact point, seen at the link's origin. */
static carom_wrench push_at(const carom_motion *motion, int link, carom_vec3 point, carom_vec3 f)
{
    carom_vec3 r = carom_vec3_sub(point, motion->links[link].origin);
    carom_wrench W = {carom_vec3_cross(r, f), f};
    return W;
}

static leg start(const carom_touch *t, const carom_motion *motion, int link, double sign)
{
    const carom_vec3 axis[3] = {t->frame.t1, t->frame.t2, t->frame.n};
    leg l = {link, {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}}};
    for (int i = 0; i < 3 && motion && link >= 0; i++)
        l.W[i] = push_at(motion, link, t->point, carom_vec3_scale(sign, axis[i]));
    return l;
}

/* The largest |S W| that a wrench of this size could have, wherever the rounding of positions puts its line. */
static double power_size(const carom_freedom *f, carom_wrench W, double extent)
{
    double force = carom_vec3_length(W.f);
    return twist_slides(f->S) ? force : carom_vec3_length(W.n) + extent * force;
}

/* (1), (2) for the joint of l->link; then to the parent. */
static void pass_joint(const carom_motion *motion, leg *l, tally *sum)
{
    const carom_link *link = &motion->mechanism->links[l->link];
    carom_csym *K = &sum->K;
    sum->extent = fmax(sum->extent, carom_vec3_length(motion->links[l->link].origin));
    sum->joints++;
    for (int k = link->nv - 1; k >= 0; k--) {
        const carom_freedom *f = &motion->freedoms[link->v_at + k];
        double u[3];
        for (int i = 0; i < 3; i++) {
            u[i] = spatial_power(f->S, l->W[i]);
            sum->size[i] += square(power_size(f, l->W[i], sum->extent)) / f->D;
            l->W[i] = wrench_plus(l->W[i], -u[i] / f->D, f->U);
            if (sum->g)
                sum->g[i * motion->mechanism->nv + link->v_at + k] = u[i] / sqrt(f->D);
        }
        K->t11 += u[0] * u[0] / f->D;
        K->t12 += u[0] * u[1] / f->D;
        K->t22 += u[1] * u[1] / f->D;
        K->t1n += u[0] * u[2] / f->D;
        K->t2n += u[1] * u[2] / f->D;
        K->nn += u[2] * u[2] / f->D;
    }
    for (int i = 0; i < 3; i++)
        l->W[i] = wrench_lift(l->W[i], motion->links[l->link].offset);
    l->link = link->def.parent;
}

/* Opposite impulses that meet without having passed a freedom cancel: what rounding leaves is dropped, so that two
 * parts of one rigid body do not seem to move against each other. */
static carom_wrench merge(carom_wrench a, carom_wrench b)
{
    carom_wrench W = wrench_add(a, b);
    double left = carom_vec3_length(W.n), of = carom_vec3_length(a.n) + carom_vec3_length(b.n);
    bool cancels = W.f.x == 0 && W.f.y == 0 && W.f.z == 0 && left <= CANCEL_TOL * of;
    return cancels ? wrench_zero() : W;
}

/* Parents have smaller numbers, so the leg that is further out is always the one to move; where they meet they merge.
 */
static void walk(const carom_motion *motion, leg *a, leg *b, tally *sum)
{
    while (a->link != b->link)
        pass_joint(motion, a->link > b->link ? a : b, sum);
    for (int i = 0; i < 3; i++)
        a->W[i] = merge(a->W[i], b->W[i]);
    while (a->link != CAROM_WORLD)
        pass_joint(motion, a, sum);
}

/* A direction without motion in K has none in u either: both are rows of J. */
static mobility rounding_of(const tally *sum)
{
    double part = square(mobility_tolerance(sum->joints));
    mobility m = {{part * sum->size[0], part * sum->size[1], part * sum->size[2]}, {INFINITY, INFINITY, INFINITY}};
    return m;
}

carom_status carom_touch_rows(const carom_touch *t, double *g_a, double *g_b, carom_problem *problem)
{
    tally sum = {.extent = carom_vec3_length(t->point), .g = g_b};
    leg a = start(t, t->a, t->link_a, 1), b = start(t, t->b, t->link_b, -1), none = start(t, NULL, CAROM_WORLD, 0);
    if (!t->b)
        b = none;
    if (t->b && t->b != t->a) {
        walk(t->b, &b, &none, &sum);
        b = none;
    }
    sum.g = g_a;
    walk(t->a, &a, &b, &sum);
    carom_vec3 u = carom_vec3_sub(velocity_at(t->a, t->link_a, t->point), velocity_at(t->b, t->link_b, t->point));
    problem->K = sum.K;
    problem->u = carom_frame_from_world(t->frame, u);
    mobility rounding = rounding_of(&sum);
    return mobility_clean(&rounding, problem);
}

carom_status carom_touch_reduce(const carom_touch *t, carom_problem *problem)
{
    CAROM_ASSERT(t && t->a && problem && has_link(t->a, t->link_a));
    return carom_touch_rows(t, NULL, NULL, problem);
}

typedef carom_vec3 motion_at(carom_twist S, carom_vec3 arm);

static carom_vec3 slip_at(carom_twist S, carom_vec3 arm)
{
    return twist_shift(S, arm).v;
}

static carom_vec3 spin_at(carom_twist S, carom_vec3 arm)
{
    (void)arm;
    return S.w;
}

/* Add sign times the columns of one link's path to the world: rows t1, t2, n of what a freedom moves there. */
static void add_columns(const carom_touch *t, const carom_motion *motion, int link, motion_at *moved, double *J)
{
    int n = motion->mechanism->nv;
    double sign = motion == t->a && link == t->link_a ? 1 : -1;
    for (; link != CAROM_WORLD; link = motion->mechanism->links[link].def.parent) {
        const carom_link *l = &motion->mechanism->links[link];
        carom_vec3 r = carom_vec3_sub(t->point, motion->links[link].origin);
        for (int k = l->v_at; k < l->v_at + l->nv; k++) {
            carom_cvec v = carom_frame_from_world(t->frame, moved(motion->freedoms[k].S, r));
            J[k] += sign * v.t1;
            J[n + k] += sign * v.t2;
            J[2 * n + k] += sign * v.n;
        }
    }
}

static void fill_columns(const carom_touch *t, const carom_motion *of, motion_at *moved, double *J)
{
    CAROM_ASSERT(t && of && J);
    for (int i = 0; i < 3 * of->mechanism->nv; i++)
        J[i] = 0;
    if (t->a == t->b && t->link_a == t->link_b)
        return;
    if (of == t->a)
        add_columns(t, of, t->link_a, moved, J);
    if (of == t->b)
        add_columns(t, of, t->link_b, moved, J);
}

void carom_touch_jacobian(const carom_touch *t, const carom_motion *of, double *J)
{
    fill_columns(t, of, slip_at, J);
}

/* Axes are unit vectors: what is left of one across a row is rounding. */
void carom_touch_spin_jacobian(const carom_touch *t, const carom_motion *of, double *J)
{
    const int n = of->mechanism->nv;
    fill_columns(t, of, spin_at, J);
    for (int k = 0; k < n; k++) {
        const double rows[3] = {J[2 * n + k], J[k], J[n + k]};
        for (int i = 0; i < 3; i++)
            J[i * n + k] = fabs(rows[i]) > CANCEL_TOL ? rows[i] : 0;
    }
}

void carom_touch_clear(carom_motion *motion)
{
    for (int i = 0; i < motion->mechanism->count; i++)
        motion->links[i].load = wrench_zero();
}

/* (2) for all links, from the loads on them. */
static void sweep_in(carom_motion *motion)
{
    for (int i = motion->mechanism->count - 1; i >= 0; i--) {
        const carom_link *link = &motion->mechanism->links[i];
        carom_wrench W = motion->links[i].load;
        for (int k = link->nv - 1; k >= 0; k--) {
            carom_freedom *f = &motion->freedoms[link->v_at + k];
            f->u = spatial_power(f->S, W);
            W = wrench_plus(W, -f->u / f->D, f->U);
        }
        if (link->def.parent < 0)
            continue;
        carom_wrench *onto = &motion->links[link->def.parent].load;
        *onto = wrench_add(*onto, wrench_lift(W, motion->links[i].offset));
    }
}

/* (3) for all links; qdot receives the speeds after, and may be the speeds of the motion. */
static void sweep_out(carom_motion *motion, double *qdot)
{
    for (int i = 0; i < motion->mechanism->count; i++) {
        const carom_link *link = &motion->mechanism->links[i];
        carom_link_state *self = &motion->links[i];
        self->rate = twist_zero();
        if (link->def.parent >= 0)
            self->rate = twist_shift(motion->links[link->def.parent].rate, self->offset);
        for (int k = 0; k < link->nv; k++) {
            const carom_freedom *f = &motion->freedoms[link->v_at + k];
            double change = (f->u - spatial_power(self->rate, f->U)) / f->D;
            self->rate = twist_plus(self->rate, change, f->S);
            qdot[link->v_at + k] = motion->qdot[link->v_at + k] + change;
        }
    }
}

static void load(const carom_touch *t, carom_motion *motion, int link, carom_vec3 impulse)
{
    if (link == CAROM_WORLD)
        return;
    carom_wrench *onto = &motion->links[link].load;
    *onto = wrench_add(*onto, push_at(motion, link, t->point, impulse));
}

void carom_touch_load(const carom_touch *t, carom_cvec p, carom_motion *motion)
{
    carom_vec3 impulse = carom_frame_to_world(t->frame, p);
    if (motion == t->a)
        load(t, motion, t->link_a, impulse);
    if (motion == t->b)
        load(t, motion, t->link_b, carom_vec3_scale(-1, impulse));
}

void carom_touch_speeds(const carom_touch *t, carom_cvec p, carom_motion *of, double *qdot)
{
    CAROM_ASSERT(t && of && qdot);
    carom_touch_clear(of);
    carom_touch_load(t, p, of);
    sweep_in(of);
    sweep_out(of, qdot);
}

void carom_touch_move(carom_motion *motion)
{
    sweep_in(motion);
    sweep_out(motion, motion->qdot);
    for (int i = 0; i < motion->mechanism->count; i++)
        motion->links[i].velocity = twist_add(motion->links[i].velocity, motion->links[i].rate);
}

static void apply_to(const carom_touch *t, carom_cvec p, carom_motion *motion)
{
    carom_touch_clear(motion);
    carom_touch_load(t, p, motion);
    carom_touch_move(motion);
}

void carom_touch_apply(const carom_touch *t, carom_cvec p)
{
    CAROM_ASSERT(t && t->a);
    apply_to(t, p, t->a);
    if (t->b && t->b != t->a)
        apply_to(t, p, t->b);
}
