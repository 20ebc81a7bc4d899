#include "sim/rest/ride_balance.h"

#include "core/lu.h"
#include "core/rotate.h"
#include "sim/rest/ride_joints.h"

#define STIFFER 0.1                  /* times: the compliance of contacts from one round to the next */
#define STILL   (0.01 * ROUND_SPEED) /* of the accelerations: a sweep that changes no more than this ends the search */

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
    int members;    /* of the island */
    double *answer; /* where joints hold them: what a unit of force along each axis makes of all of them */
} strut;

typedef struct balance {
    int members, count;
    strut *s;
    bool settled;                                  /* sweeps change nothing any more */
    carom_vec3 v[ISLAND_BODIES], w[ISLAND_BODIES]; /* accelerations that the forces make */
} balance;

static double *answer_of(const strut *s, int axis, int member)
{
    return s->answer + FREEDOMS * (s->members * axis + member);
}

static void push_side(balance *b, const strut_side *x, carom_vec3 axis, int k, double by)
{
    int m = x->member;
    b->v[m] = carom_vec3_add(b->v[m], carom_vec3_scale(by * x->inv_mass, axis));
    b->w[m] = carom_vec3_add(b->w[m], carom_vec3_scale(by, x->spin[k]));
}

static void push(balance *b, strut *s, int axis, double by)
{
    s->force[axis] += by;
    for (int m = 0; s->answer && m < s->members; m++) {
        b->v[m] = carom_vec3_add(b->v[m], carom_vec3_scale(by, vec_at(answer_of(s, axis, m))));
        b->w[m] = carom_vec3_add(b->w[m], carom_vec3_scale(by, vec_at(answer_of(s, axis, m) + 3)));
    }
    if (s->answer)
        return;
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
    if (s->answer) {
        const double *a = answer_of(s, to, x->member);
        double by = carom_vec3_dot(s->axis[axis], sum_of(vec_at(a), carom_vec3_cross(vec_at(a + 3), x->arm)));
        return x == &s->side[0] ? by : -by;
    }
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
    return own > ROUND_SPEED * s->own[2] ? own : 0; /* friction that takes more than the rest of it jams the contact */
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
    if (!(s->own[2] > 0))
        return 0;
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

static strut make_strut(ride *r, const dynamics *d, int k, const double *y, carom_vec3 free)
{
    const ride_contact *c = &r->c[k];
    strut s = {.axis = {c->t1, c->t2, c->n}, .mu = c->mu, .mu_s = c->mu_s, .members = r->members};
    if (r->joints)
        s.answer = held_answers(r, d, k, s.axis);
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
    *b = (balance){.members = r->members, .count = r->count, .s = TAKE(r->arena, strut, r->count)};
    carom_vec3 *free = TAKE(r->arena, carom_vec3, r->count);
    ride_mode *mode = TAKE(r->arena, ride_mode, r->count);
    dynamics d;
    for (int k = 0; k < r->count; k++)
        mode[k] = r->c[k].mode, r->c[k].mode = RIDE_OPEN;
    ride_rates(r, y, f, free);
    if (r->joints)
        start_dynamics(r, y, &d);
    for (int k = 0; k < r->count; k++) {
        r->c[k].mode = mode[k];
        b->s[k] = make_strut(r, &d, k, y, free[k]);
    }
}

/* ---- the balance ----
 *
 * Unknown are the accelerations x that forces make of the members, x = W J^T lambda(J x + free). Forces may not be
 * unique, and contacts are given a little compliance c for that, whose forces begin from those of the last round
 * (augmented Lagrangian): with p = lambda - a / c the normal force is max(0, p_n), friction is p_t within its cone.
 * Each round is solved by Newton's method; rounds end when they change nothing. */

/* The force of a contact with the accelerations a, and how it depends on them. */
static void load_contact(const strut *s, const double a[3], double soft, double force[3], double D[3][3])
{
    double c_n = soft * s->own[2], c_t = soft * max(s->own[0], s->own[1]), n = s->force[2] - a[2] / c_n;
    memset(D, 0, 9 * sizeof **D);
    memset(force, 0, 3 * sizeof *force);
    if (!(n > 0))
        return;
    force[2] = n;
    D[2][2] = -1 / c_n;
    double p[2] = {s->force[0] - a[0] / c_t, s->force[1] - a[1] / c_t}, size = sqrt(p[0] * p[0] + p[1] * p[1]);
    bool sticks = !s->slips && size <= s->mu_s * n;
    for (int k = 0; k < 2; k++) {
        double d = s->slips ? -s->slip[k] : size > 0 ? p[k] / size : 0, most = s->slips ? s->mu : s->mu_s;
        force[k] = sticks ? p[k] : most * n * d;
        D[k][2] = sticks ? 0 : most * d * D[2][2];
        for (int m = 0; m < 2 && !s->slips; m++)
            D[k][m] = sticks ? (k == m ? -1 / c_t : 0)
                             : most * n / size * ((k == m ? 1 : 0) - p[k] * p[m] / (size * size)) / -c_t;
    }
}

/* Row of J: what an acceleration of a side's body gives along an axis of the contact. */
static void put_row(const strut *s, int side, int axis, double out[FREEDOMS])
{
    const strut_side *x = &s->side[side];
    double sign = side ? -1 : 1;
    put(out, carom_vec3_scale(sign, s->axis[axis]));
    put(out + 3, carom_vec3_scale(sign, carom_vec3_cross(x->arm, s->axis[axis])));
}

/* Column of W J^T: what a unit of force along an axis makes of a side's body, or of any that joints hold. */
static void put_column(const strut *s, int side, int axis, double column[FREEDOMS])
{
    if (s->answer) {
        memcpy(column, answer_of(s, axis, side), FREEDOMS * sizeof *column);
        return;
    }
    const strut_side *x = &s->side[side];
    double sign = side ? -1 : 1;
    put(column, carom_vec3_scale(sign * x->inv_mass, s->axis[axis]));
    put(column + 3, carom_vec3_scale(sign, x->spin[axis]));
}

static int sides_of(const strut *s)
{
    return s->side[1].member >= 0 ? 2 : 1;
}

/* How many bodies a force at a contact moves, and which. */
static int reach_of(const strut *s)
{
    return s->answer ? s->members : sides_of(s);
}

static int reached(const strut *s, int k)
{
    return s->answer ? k : s->side[k].member;
}

/* A -= W J^T D J of one contact. */
static void add_slope(const strut *s, double D[3][3], int n, double *A)
{
    for (int to = 0; to < reach_of(s); to++)
        for (int from = 0; from < sides_of(s); from++)
            for (int k = 0; k < 3; k++) {
                double column[FREEDOMS], rows[3][FREEDOMS];
                put_column(s, to, k, column);
                for (int m = 0; m < 3; m++)
                    put_row(s, from, m, rows[m]);
                for (int i = 0; i < FREEDOMS; i++)
                    for (int j = 0; j < FREEDOMS; j++)
                        A[(FREEDOMS * reached(s, to) + i) * n + FREEDOMS * s->side[from].member + j] -=
                            column[i] * (D[k][0] * rows[0][j] + D[k][1] * rows[1][j] + D[k][2] * rows[2][j]);
            }
}

/* F = x - W J^T lambda; A = dF / dx, or null. Returns the size of F as an acceleration. */
static double imbalance(const balance *b, const double *size, double soft, double *F, double *A)
{
    int n = FREEDOMS * b->members;
    double worst = 0;
    for (int m = 0; m < b->members; m++) {
        put(F + FREEDOMS * m, b->v[m]);
        put(F + FREEDOMS * m + 3, b->w[m]);
    }
    for (int i = 0; A && i < n * n; i++)
        A[i] = i % (n + 1) == 0;
    for (int c = 0; c < b->count; c++) {
        const strut *s = &b->s[c];
        double a[3] = {acceleration(b, s, 0), acceleration(b, s, 1), acceleration(b, s, 2)}, force[3], D[3][3];
        load_contact(s, a, soft, force, D);
        for (int side = 0; side < reach_of(s); side++)
            for (int k = 0; k < 3; k++) {
                double column[FREEDOMS];
                put_column(s, side, k, column);
                for (int i = 0; i < FREEDOMS; i++)
                    F[FREEDOMS * reached(s, side) + i] -= force[k] * column[i];
            }
        if (A)
            add_slope(s, D, n, A);
    }
    for (int i = 0; i < n; i++)
        worst = max(worst, fabs(F[i]) * (i % FREEDOMS < 3 ? 1 : size[i / FREEDOMS]));
    return worst;
}

static void go_along(balance *b, const double *by, double share)
{
    for (int m = 0; m < b->members; m++) {
        b->v[m] = carom_vec3_sub(b->v[m], carom_vec3_scale(share, vec_at(by + FREEDOMS * m)));
        b->w[m] = carom_vec3_sub(b->w[m], carom_vec3_scale(share, vec_at(by + FREEDOMS * m + 3)));
    }
}

/* One round. False: Newton's method does not arrive. */
static bool solve_round(balance *b, const double *size, double soft, double strength)
{
    enum { MOST = FREEDOMS * ISLAND_BODIES };
    double F[MOST], next[MOST], A[MOST * MOST];
    int pivot[MOST], n = FREEDOMS * b->members;
    double left = imbalance(b, size, soft, F, A);
    for (int step = 0; step < ITERATIONS && left > 0.01 * STILL * strength; step++) {
        double share = 1, now;
        if (!(lu_factor(n, A, pivot) > 0))
            return false;
        lu_solve(n, A, pivot, F);
        go_along(b, F, 1);
        for (int k = 0; k < NEWTON_STEPS && !((now = imbalance(b, size, soft, next, NULL)) < left); k++) {
            share *= 0.5;
            go_along(b, F, -share);
        }
        if (!(now < left))
            return left <= SOLVED * strength;
        left = imbalance(b, size, soft, F, A);
    }
    return left <= SOLVED * strength;
}

/* The forces at the end of a round. Returns the largest change, as an acceleration. */
static double keep_forces(balance *b, double soft)
{
    double change = 0;
    for (int c = 0; c < b->count; c++) {
        strut *s = &b->s[c];
        double a[3] = {acceleration(b, s, 0), acceleration(b, s, 1), acceleration(b, s, 2)}, force[3], D[3][3];
        load_contact(s, a, soft, force, D);
        for (int k = 0; k < 3; k++) {
            change = max(change, fabs(force[k] - s->force[k]) * s->own[k]);
            s->force[k] = force[k];
        }
    }
    return change;
}

static double sweep(balance *b)
{
    double worst = 0;
    for (int k = 0; k < b->count; k++)
        worst = max(worst, (b->s[k].slips ? relax_slip : relax_stick)(b, &b->s[k]));
    return worst;
}

/* Contacts become stiffer from round to round, as long as Newton's method follows. Returns the last change. */
static double solve_rounds(balance *b, const ride *r)
{
    double size[ISLAND_BODIES], soft = 1, stiffer = STIFFER, change = INFINITY;
    carom_vec3 none = {0, 0, 0};
    for (int m = 0; m < b->members; m++) {
        size[m] = member_size(r, m);
        b->v[m] = b->w[m] = none;
    }
    for (int k = 0; k < b->count; k++)
        memset(b->s[k].force, 0, sizeof b->s[k].force);
    for (int round = 0; round < ITERATIONS && change > STILL * r->strength; round++) {
        balance last = *b;
        if (solve_round(b, size, soft, r->strength)) {
            change = keep_forces(b, soft);
            soft = max(stiffer * soft, 10 * SMALL_SHARE); /* less would cost digits */
        } else {
            *b = last;
            if (stiffer == 1)
                break;
            soft /= stiffer;
            stiffer = 1;
        }
    }
    return change;
}

/* The last change of sweeps, as an acceleration; infinite where friction jams. */
static double solve_sweeps(balance *b, const ride *r)
{
    double change = INFINITY;
    for (int n = 0; n < 3 * ITERATIONS && change > STILL * r->strength; n++) {
        change = sweep(b);
        if (change == INFINITY)
            break;
    }
    return change;
}

/* Sweeps find most balances to the last digit, and rounds the others. */
static bool find_balance(balance *b, const ride *r)
{
    double change = solve_sweeps(b, r);
    if (change == INFINITY)
        return false;
    if (change > SOLVED * r->strength)
        change = solve_rounds(b, r);
    b->settled = change <= STILL * r->strength;
    return change <= SOLVED * r->strength;
}

static double least_rate(const balance *b, const ride *r)
{
    /* smaller accelerations are what the search has left */
    return (r->count == 1 ? 0 : b->settled ? 0.3 * ROUND_SPEED : SOLVED) * r->strength;
}

/* Is a contact accelerated away? A redundant contact may carry nothing and stay. */
static bool lifts(const balance *b, const strut *s, const ride *r)
{
    /* no force: a digit above its rounding */
    return !(s->force[2] > 10 * ROUND_SPEED * r->mass * r->strength) && acceleration(b, s, 2) > least_rate(b, r);
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
    double least =
        r->count == 1 || r->members == 1 ? least_rate(b, r) : SOLVED * r->strength; /* such a slip does not begin */
    /* at the bound */
    bool yields = friction >= (1 - 10 * ROUND_SPEED) * s->mu_s * s->force[2] && size >= least;
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
    bool found = find_balance(&b, r);
    for (int k = 0; found && k < r->count; k++)
        set_mode(&b, &b.s[k], r, &r->c[k]);
    arena_back(r->arena, mark);
    return found;
}

bool any_jams(ride *r, const double *y)
{
    arena_mark mark = arena_now(r->arena);
    balance b = {.count = 0};
    bool any = false;
    for (int k = 0; k < r->count; k++) {
        ride_contact *c = &r->c[k];
        c->jams = false;
        if (c->mode != RIDE_SLIP || c->mu == 0)
            continue;
        if (!b.count)
            make_balance(r, y, &b);
        any |= c->jams = slip_response(&b.s[k]) == 0;
    }
    arena_back(r->arena, mark);
    return any;
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
    bool found = solve_sweeps(&b, r) <= SOLVED * r->strength; /* else they keep the direction of their beginning */
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
