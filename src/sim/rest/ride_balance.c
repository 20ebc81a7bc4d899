#include "sim/rest/ride_balance.h"

#include "core/rotate.h"

enum { SWEEPS = 4000 };
#define STILL      1e-14 /* of the accelerations: a sweep that changes no more than this ends the search */
#define BALANCED   1e-10 /* of the same: a search that ends at its bound with no more than this has found a balance */
#define LIFT       3e-13 /* of the same: what is accelerated away more than this opens */
#define NO_FORCE   1e-11 /* of the weight */
#define AT_BOUND   1e-11 /* of the friction that a contact can bear */
#define NO_ONSET   1e-10 /* of the accelerations: such a slip does not begin */
#define MASS_LEAST 1e-12 /* of a normal response: friction that takes more than the rest of it jams the contact */

/* One of the bodies of a contact: its member, or -1; the arm, and the inverse inertia times arm x axis. */
typedef struct strut_side {
    int member;
    double inv_mass;
    carom_vec3 arm, spin[3];
} strut_side;

/* One contact, axes t1, t2, n: forces on the body with the foot, which the body below receives too, accelerations
 * without forces, and the parts of its response. */
typedef struct strut {
    carom_vec3 axis[3];
    strut_side side[2];
    double free[3], force[3], own[3]; /* own: response of an axis to a force along it */
    double mu, mu_s;
    double slip[2]; /* direction of a slip; zero: it has none */
    bool slips;
} strut;

typedef struct balance {
    int count;
    strut *s;
    bool settled;                                  /* sweeps change nothing any more */
    carom_vec3 v[ISLAND_BODIES], w[ISLAND_BODIES]; /* accelerations that the forces make */
} balance;

static void push_side(balance *b, const strut_side *x, carom_vec3 axis, int k, double by)
{
    int m = x->member;
    b->v[m] = carom_vec3_add(b->v[m], carom_vec3_scale(by * x->inv_mass, axis));
    b->w[m] = carom_vec3_add(b->w[m], carom_vec3_scale(by, x->spin[k]));
}

static void push(balance *b, strut *s, int axis, double by)
{
    s->force[axis] += by;
    push_side(b, &s->side[0], s->axis[axis], axis, by);
    if (s->side[1].member >= 0)
        push_side(b, &s->side[1], s->axis[axis], axis, -by);
}

static carom_vec3 rate_at(const balance *b, const strut_side *x)
{
    return carom_vec3_add(b->v[x->member], carom_vec3_cross(b->w[x->member], x->arm));
}

static double acceleration(const balance *b, const strut *s, int axis)
{
    carom_vec3 at = rate_at(b, &s->side[0]);
    if (s->side[1].member >= 0)
        at = carom_vec3_sub(at, rate_at(b, &s->side[1]));
    return s->free[axis] + carom_vec3_dot(s->axis[axis], at);
}

static double respond_side(const strut *s, const strut_side *x, int axis, int to)
{
    double turn = carom_vec3_dot(s->axis[axis], carom_vec3_cross(x->spin[to], x->arm));
    return (axis == to ? x->inv_mass : 0) + turn;
}

static double respond(const strut *s, int axis, int to)
{
    double own = respond_side(s, &s->side[0], axis, to);
    return s->side[1].member < 0 ? own : own + respond_side(s, &s->side[1], axis, to);
}

/* The normal response of a contact that slips to its own force, friction included; zero: it jams. */
static double slip_response(const strut *s)
{
    double own = s->own[2];
    for (int k = 0; k < 2; k++)
        own -= s->mu * s->slip[k] * respond(s, 2, k);
    return own > MASS_LEAST * s->own[2] ? own : 0;
}

/* A contact that slips: its force has a direction. Returns the change of an acceleration. */
static double relax_slip(balance *b, strut *s)
{
    double own = slip_response(s);
    if (!(own > 0))
        return INFINITY;
    double next = max(0, s->force[2] - acceleration(b, s, 2) / own), by = next - s->force[2];
    push(b, s, 2, by);
    for (int k = 0; k < 2; k++)
        push(b, s, k, -s->mu * s->slip[k] * by);
    return fabs(by) * s->own[2];
}

/* A contact that sticks as far as friction allows. */
static double relax_stick(balance *b, strut *s)
{
    double next = max(0, s->force[2] - acceleration(b, s, 2) / s->own[2]), by = next - s->force[2];
    double change = fabs(by) * s->own[2], own = max(s->own[0], s->own[1]);
    push(b, s, 2, by);
    double t[2] = {s->force[0] - acceleration(b, s, 0) / own, s->force[1] - acceleration(b, s, 1) / own};
    double size = sqrt(t[0] * t[0] + t[1] * t[1]), most = s->mu_s * s->force[2], share = size > most ? most / size : 1;
    for (int k = 0; k < 2; k++) {
        by = share * t[k] - s->force[k];
        change = max(change, fabs(by) * own);
        push(b, s, k, by);
    }
    return change;
}

static strut_side make_side(const ride *r, int m, const double *y, carom_vec3 place, const carom_vec3 axis[3])
{
    const double *own = y + STATE * m;
    carom_quat q = {own[3], own[4], own[5], own[6]};
    strut_side x = {.member = m, .inv_mass = 1 / r->m[m].mass, .arm = place};
    carom_sym3 inv = r->planar || r->m[m].isotropic ? r->m[m].inv_inertia : quat_turn_sym3(q, r->m[m].inv_inertia);
    for (int k = 0; k < 3; k++)
        x.spin[k] = carom_sym3_apply(inv, carom_vec3_cross(x.arm, axis[k]));
    return x;
}

static strut make_strut(ride *r, int k, const double *y, carom_vec3 free)
{
    const ride_contact *c = &r->c[k];
    strut s = {.axis = {c->t1, c->t2, c->n}, .mu = c->mu, .mu_s = c->mu_s};
    carom_vec3 arm = contact_arm(r, k, y);
    s.side[0] = make_side(r, c->a, y, arm, s.axis);
    s.side[1].member = -1;
    if (c->b >= 0) {
        carom_vec3 place = carom_vec3_add(vec_at(y + STATE * c->a), arm);
        s.side[1] = make_side(r, c->b, y, carom_vec3_sub(place, vec_at(y + STATE * c->b)), s.axis);
    }
    s.slips = c->mode == RIDE_SLIP;
    s.slip[0] = carom_vec3_dot(c->slip, c->t1);
    s.slip[1] = carom_vec3_dot(c->slip, c->t2);
    for (int m = 0; m < 3; m++) {
        s.free[m] = carom_vec3_dot(s.axis[m], free);
        s.own[m] = respond(&s, m, m);
    }
    return s;
}

static void make_balance(ride *r, const double *y, balance *b)
{
    double f[RIDE_STATE];
    *b = (balance){.count = r->count, .s = TAKE(r->arena, strut, r->count)};
    arena_mark mark = arena_now(r->arena);
    carom_vec3 *free = TAKE(r->arena, carom_vec3, r->count);
    ride_mode *mode = TAKE(r->arena, ride_mode, r->count);
    for (int k = 0; k < r->count; k++)
        mode[k] = r->c[k].mode, r->c[k].mode = RIDE_OPEN;
    ride_rates(r, y, f, free);
    for (int k = 0; k < r->count; k++) {
        r->c[k].mode = mode[k];
        b->s[k] = make_strut(r, k, y, free[k]);
    }
    arena_back(r->arena, mark);
}

static bool find_balance(balance *b, double strength)
{
    double worst = INFINITY;
    for (int n = 0; n < SWEEPS && worst > STILL * strength; n++) {
        worst = 0;
        for (int k = 0; k < b->count; k++)
            worst = max(worst, (b->s[k].slips ? relax_slip : relax_stick)(b, &b->s[k]));
        if (worst == INFINITY)
            return false;
    }
    b->settled = worst <= STILL * strength;
    return worst <= BALANCED * strength;
}

/* Is a contact accelerated away? One of several that repeat each other may carry nothing and stay. */
static bool lifts(const balance *b, const strut *s, const ride *r)
{
    double least = r->count == 1 ? 0 : b->settled ? LIFT : BALANCED;
    return !(s->force[2] > NO_FORCE * r->mass * r->strength) && acceleration(b, s, 2) > least * r->strength;
}

/* Open, stick, or begin to slip where it is accelerated to. */
static void set_mode(const balance *b, const strut *s, const ride *r, ride_contact *c)
{
    double a[2] = {acceleration(b, s, 0), acceleration(b, s, 1)}, size = sqrt(a[0] * a[0] + a[1] * a[1]);
    if (lifts(b, s, r)) {
        c->mode = RIDE_OPEN;
        return;
    }
    double t[2] = {s->force[0], s->force[1]}, friction = sqrt(t[0] * t[0] + t[1] * t[1]);
    bool yields =
        friction >= (1 - AT_BOUND) * s->mu_s * s->force[2] && (r->count == 1 || size > NO_ONSET * r->strength);
    if (s->slips)
        return;
    c->mode = !yields ? RIDE_STICK : c->mu < NEVER_SLIPS ? RIDE_ONSET : RIDE_OPEN;
    if (yields && friction > 0)
        c->slip = carom_vec3_add(carom_vec3_scale(-t[0] / friction, c->t1), carom_vec3_scale(-t[1] / friction, c->t2));
    else if (yields && size > 0)
        c->slip = carom_vec3_add(carom_vec3_scale(a[0] / size, c->t1), carom_vec3_scale(a[1] / size, c->t2));
}

bool ride_balance(ride *r, const double *y)
{
    arena_mark mark = arena_now(r->arena);
    balance b;
    make_balance(r, y, &b);
    bool found = find_balance(&b, r->strength);
    for (int k = 0; found && k < r->count; k++)
        set_mode(&b, &b.s[k], r, &r->c[k]);
    arena_back(r->arena, mark);
    return found;
}

bool slip_jams(ride *r, int k, const double *y)
{
    arena_mark mark = arena_now(r->arena);
    balance b;
    if (r->c[k].mode != RIDE_SLIP || r->c[k].mu == 0)
        return false;
    make_balance(r, y, &b);
    bool jams = slip_response(&b.s[k]) == 0;
    arena_back(r->arena, mark);
    return jams;
}

static bool any_begins(const ride *r)
{
    for (int k = 0; k < r->count; k++)
        if (r->c[k].mode == RIDE_ONSET && r->c[k].mu > 0)
            return true;
    return false;
}

void turn_onsets(ride *r, const double *y)
{
    arena_mark mark = arena_now(r->arena);
    balance b;
    if (!any_begins(r))
        return;
    make_balance(r, y, &b);
    for (int k = 0; k < r->count; k++)
        b.s[k].mu_s = r->c[k].mode == RIDE_ONSET ? r->c[k].mu : b.s[k].mu_s;
    bool found = find_balance(&b, r->strength);
    for (int k = 0; found && k < r->count; k++) {
        ride_contact *c = &r->c[k];
        const double *t = b.s[k].force;
        double friction = sqrt(t[0] * t[0] + t[1] * t[1]);
        if (c->mode == RIDE_ONSET && friction > 0)
            c->slip =
                carom_vec3_add(carom_vec3_scale(-t[0] / friction, c->t1), carom_vec3_scale(-t[1] / friction, c->t2));
    }
    arena_back(r->arena, mark);
}
