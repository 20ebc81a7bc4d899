/* Contacts at rest: among them the friction rates phi solve a convex problem, least phi K_tt phi / 2 + phi . rest over
 * |phi_j| <= mu_j F_j. Inside its bound a contact sticks; on it, it starts to slide against phi.
 *
 * At a threshold two modes tie. The forces of a moment later decide.
 *
 * In space a slip that leaves rest is stiff: its direction relaxes within a time of the order of the slip itself. While
 * it is slow, its friction is that of rest, phi on its bound: the direction in which it would start now.
 *
 * Redundant contacts share what holds them, and the share of least length may reach the bound of one contact while
 * another share would hold them all. Motion does not depend on it. Then shares that keep away from all bounds are
 * carried on as parts of mu F, and least lengths decide about what is added. */
#include "laws/together/lzb_path.h"
#include "laws/together/together_linear.h"

#define MOMENT        1e-9  /* units of time */
#define DEPART_CALM   1e-6  /* units of time in which a slip that leaves rest cannot stop */
#define BOUND_TOL     1e-12 /* of mu F: phi this close to its bound lies on it */
#define CHANGE_TOL    1e-15 /* of the largest bound: sweeps end */
#define SHARE_GOOD    0.5   /* of the bounds: shares below it are not improved */
#define SHARE_SETTLED 1e-4  /* of the distance from the bounds: they are no longer improved */
#define WEIGHT_LEAST  1e-9  /* of the sum of all */
#define HELD_TOL      1e-10 /* of its terms: an acceleration that the sweeps have left */

enum {
    GRIP_SWEEPS = 4000,
    GRIP_ROUNDS = 40,
    SHARE_ROUNDS = 400,
    STOPS_MOST = 4
}; /* stops at one instant: then it sticks */

typedef struct grip_state {
    lzb_path *s;
    double *force; /* m, a moment later */
    int list[64], count;
    int hold[64]; /* 1 sticks; else on its bound */
} grip_state;

static bool is_at_rest(const lzb_path *s, int j)
{
    const lzb_contact *c = &s->contact[j];
    return c->active && c->mu > 0 && lzb_slip(s, j) <= LZB_REST_TOL;
}

static bool takes_part(const lzb_path *s, int j)
{
    return is_at_rest(s, j) || (s->contact[j].active && s->contact[j].departs);
}

/* delta a moment later: its slope, or half its curvature where the contact has just begun. */
static double later(const lzb_path *s, int j)
{
    double u_n = s->u[(j + 1) * s->dim - 1], delta = s->delta[j] - s->contact[j].rate * u_n * MOMENT;
    return delta > 0 ? delta : 0.5 * MOMENT * MOMENT;
}

/* The rates of everything but contacts at rest, in s->rate. */
static void other_rates(grip_state *g)
{
    lzb_path *s = g->s;
    for (int j = 0; j < s->m; j++) {
        const lzb_contact *c = &s->contact[j];
        double slip = lzb_slip(s, j);
        s->rate[(j + 1) * s->dim - 1] = c->active ? g->force[j] : 0;
        for (int a = 0; a < s->dim - 1; a++)
            s->rate[j * s->dim + a] =
                c->active && c->mu > 0 && slip > LZB_REST_TOL ? -c->mu * g->force[j] * s->u[j * s->dim + a] / slip : 0;
    }
}

static double row_sum(const lzb_path *s, int row)
{
    double sum = 0;
    for (int j = 0; j < s->n; j++)
        sum += s->K[row * s->n + j] * s->rate[j];
    return sum;
}

/* The size of its terms. */
static double row_size(const lzb_path *s, int row)
{
    double sum = 0;
    for (int j = 0; j < s->n; j++)
        sum += fabs(s->K[row * s->n + j] * s->rate[j]);
    return sum;
}

/* One sweep over the contacts at rest; returns the largest change. */
static double sweep(grip_state *g)
{
    lzb_path *s = g->s;
    double change = 0;
    for (int k = 0; k < g->count; k++) {
        int j = g->list[k], row = j * s->dim;
        double bound = s->contact[j].mu * g->force[j], trial[2] = {0, 0}, before[2] = {s->rate[row], 0};
        double stiff = s->K[row * (s->n + 1)];
        if (s->dim == 3) {
            before[1] = s->rate[row + 1];
            stiff = max(stiff, s->K[(row + 1) * (s->n + 1)]) + fabs(s->K[row * s->n + row + 1]);
        }
        for (int a = 0; a < s->dim - 1; a++)
            trial[a] = before[a] - (stiff > 0 ? row_sum(s, row + a) / stiff : 0);
        double size = length_of(trial[0], trial[1]), factor = size > bound ? bound / size : 1;
        for (int a = 0; a < s->dim - 1; a++) {
            s->rate[row + a] = factor * trial[a];
            change = max(change, fabs(s->rate[row + a] - before[a]));
        }
    }
    return change;
}

/* In the plane: who holds is solved for at once, the others stand on their bounds, until signs agree. */
static bool pivot_planar(grip_state *g)
{
    lzb_path *s = g->s;
    double side[64];
    for (int k = 0; k < g->count; k++)
        g->hold[k] = 1;
    for (int round = 0; round < GRIP_ROUNDS; round++) {
        int z = 0, wrong = 0;
        for (int k = 0; k < g->count; k++) {
            int row = g->list[k] * s->dim;
            s->rate[row] = g->hold[k] ? 0 : side[k] * s->contact[g->list[k]].mu * g->force[g->list[k]];
            if (g->hold[k])
                s->stuck[z++] = row;
        }
        for (int i = 0; i < z; i++) {
            s->b[i] = -row_sum(s, s->stuck[i]);
            for (int j = 0; j < z; j++)
                s->A[i * z + j] = s->K[s->stuck[i] * s->n + s->stuck[j]];
        }
        if (z && linear_limit(z, s->A, s->b, s->phi, s->linear) == LINEAR_INCONSISTENT)
            return false;
        for (int i = 0; i < z; i++)
            s->rate[s->stuck[i]] = s->phi[i];
        for (int k = 0; k < g->count; k++) {
            int j = g->list[k], row = j * s->dim;
            double bound = s->contact[j].mu * g->force[j];
            bool beyond = g->hold[k] && fabs(s->rate[row]) > bound * (1 - BOUND_TOL);
            bool turns = !g->hold[k] && side[k] * row_sum(s, row) > BOUND_TOL * row_size(s, row);
            if (beyond)
                side[k] = s->rate[row] > 0 ? 1 : -1;
            if (beyond || turns) {
                g->hold[k] = turns;
                wrong++;
            }
        }
        if (!wrong)
            return true;
    }
    return false;
}

/* On its bound or not, contact j does not start to slide: its tangents have no acceleration. */
static bool is_held(const lzb_path *s, int j)
{
    bool held = true;
    for (int row = j * s->dim; row < (j + 1) * s->dim - 1; row++)
        held = held && fabs(row_sum(s, row)) <= HELD_TOL * row_size(s, row);
    return held;
}

/* The rates that hold all contacts of the list, with the least sum of weight |phi|^2 / bound^2; in s->rate. */
static linear_end hold_weighted(grip_state *g, const double *weight)
{
    lzb_path *s = g->s;
    const int d = s->dim - 1, z = d * g->count;
    double unit[64];
    for (int k = 0; k < g->count; k++) {
        unit[k] = s->contact[g->list[k]].mu * g->force[g->list[k]] / sqrt(weight[k]);
        for (int a = 0; a < d; a++) {
            s->stuck[k * d + a] = g->list[k] * s->dim + a;
            s->rate[s->stuck[k * d + a]] = 0;
        }
    }
    for (int i = 0; i < z; i++) {
        s->b[i] = -unit[i / d] * row_sum(s, s->stuck[i]);
        for (int j = 0; j < z; j++)
            s->A[i * z + j] = unit[i / d] * s->K[s->stuck[i] * s->n + s->stuck[j]] * unit[j / d];
    }
    const linear_end kind = linear_limit(z, s->A, s->b, s->phi, s->linear);
    for (int i = 0; i < z && kind != LINEAR_INCONSISTENT; i++)
        s->rate[s->stuck[i]] = unit[i / d] * s->phi[i];
    return kind;
}

/* The largest |phi| / bound, and the weights with which the next one is smaller (Lawson). */
static double reweight(const grip_state *g, double *weight)
{
    const lzb_path *s = g->s;
    double most = 0, sum = 0;
    for (int k = 0; k < g->count; k++) {
        int j = g->list[k];
        const double *phi = s->rate + j * s->dim;
        double ratio = length_of(phi[0], phi[1]) / (s->contact[j].mu * g->force[j]);
        most = max(most, ratio);
        weight[k] *= max(ratio, WEIGHT_LEAST);
        sum += weight[k];
    }
    for (int k = 0; k < g->count; k++)
        weight[k] = max(weight[k] / sum, WEIGHT_LEAST);
    return most;
}

/* In space: rates that hold all contacts of the list well inside their bounds, if there are some. */
static bool hold_all(grip_state *g)
{
    double weight[64], most = INFINITY;
    linear_end kind = LINEAR_LIMIT;
    for (int k = 0; k < g->count; k++) {
        weight[k] = 1;
        if (!(g->force[g->list[k]] > 0))
            return false;
    }
    for (int i = 0; i < SHARE_ROUNDS; i++) {
        kind = hold_weighted(g, weight);
        if (kind == LINEAR_INCONSISTENT)
            return false;
        const double now = reweight(g, weight);
        bool settled = kind == LINEAR_REGULAR || now < SHARE_GOOD || fabs(now - most) <= SHARE_SETTLED * fabs(1 - now);
        most = now;
        if (settled)
            break;
    }
    return most < 1 - BOUND_TOL;
}

static void clear_rates(grip_state *g)
{
    for (int k = 0; k < g->count; k++)
        for (int a = 0; a < g->s->dim - 1; a++)
            g->s->rate[g->list[k] * g->s->dim + a] = 0;
}

static void solve_rates(grip_state *g)
{
    lzb_path *s = g->s;
    double bound = 0;
    if (s->dim == 2 && pivot_planar(g))
        return;
    for (int k = 0; k < g->count; k++)
        g->hold[k] = 1;
    if (s->dim == 3 && hold_all(g))
        return;
    for (int k = 0; k < g->count; k++)
        bound = max(bound, s->contact[g->list[k]].mu * g->force[g->list[k]]);
    clear_rates(g);
    for (int k = 0; k < GRIP_SWEEPS && sweep(g) > CHANGE_TOL * bound; k++)
        continue;
    for (int k = 0; k < g->count; k++) {
        int j = g->list[k];
        const double *phi = s->rate + j * s->dim;
        double size = s->dim == 2 ? fabs(phi[0]) : length_of(phi[0], phi[1]);
        g->hold[k] = size < s->contact[j].mu * g->force[j] * (1 - BOUND_TOL) || is_held(s, j);
    }
}

void lzb_decide_grip(lzb_path *s, bool tell)
{
    grip_state g = {.s = s, .force = lzb_series(s->W, 0)};
    s->shared = false;
    for (int j = 0; j < s->m; j++) {
        s->contact[j].rate = s->contact[j].compresses ? 1 : 1 / (s->contact[j].e * s->contact[j].e);
        g.force[j] = s->contact[j].active ? lzb_force(s, j, later(s, j)) : 0;
        s->contact[j].share[0] = s->contact[j].share[1] = 0;
        if (lzb_slip(s, j) > LZB_DEPARTED || !s->contact[j].active)
            s->contact[j].departs = false;
        if (takes_part(s, j))
            g.list[g.count++] = j;
        else if (s->contact[j].grip == LZB_STICKS)
            s->contact[j].grip = LZB_SLIPS;
        if (is_at_rest(s, j) && s->contact[j].moves)
            lzb_report(s, CAROM_TOGETHER_EVENT_STOP, j);
        s->contact[j].moves = s->contact[j].active && !is_at_rest(s, j);
    }
    for (int j = 0; j < s->m; j++) /* slip decides its own direction */
        for (int a = 0; a < s->dim - 1 && lzb_slip(s, j) > LZB_REST_TOL; a++)
            s->contact[j].direction[a] = s->u[j * s->dim + a] / lzb_slip(s, j);
    if (g.count == 0)
        return;
    other_rates(&g);
    solve_rates(&g);
    for (int k = 0; k < g.count; k++) {
        lzb_contact *c = &s->contact[g.list[k]];
        const double *phi = s->rate + g.list[k] * s->dim;
        double size = s->dim == 2 ? fabs(phi[0]) : length_of(phi[0], phi[1]);
        if (tell && c->grip == LZB_STICKS && !g.hold[k])
            lzb_report(s, CAROM_TOGETHER_EVENT_SLIP, g.list[k]);
        bool rests = is_at_rest(s, g.list[k]);
        g.hold[k] |= s->dim == 3 && c->stops > STOPS_MOST;
        c->grip = rests && g.hold[k] ? LZB_STICKS : LZB_SLIPS;
        c->departs = s->dim == 3 && !g.hold[k];
        if (rests && c->departs)
            c->calm = s->time + DEPART_CALM; /* at a threshold it may be held back for a moment */
        for (int a = 0; a < s->dim - 1 && (rests || c->departs); a++) {
            s->u[g.list[k] * s->dim + a] = rests ? 0 : s->u[g.list[k] * s->dim + a];
            c->direction[a] = size > 0 ? -phi[a] / size : a == 0;
        }
    }
}

bool lzb_share(lzb_path *s)
{
    grip_state g = {.s = s, .force = lzb_series(s->W, 0)};
    for (int j = 0; j < s->m; j++) {
        g.force[j] = s->contact[j].active ? lzb_force(s, j, s->delta[j]) : 0;
        if (takes_part(s, j))
            g.list[g.count++] = j;
    }
    other_rates(&g);
    if (!hold_all(&g))
        return false;
    for (int k = 0; k < g.count; k++) {
        lzb_contact *c = &s->contact[g.list[k]];
        for (int a = 0; a < s->dim - 1; a++)
            c->share[a] = s->rate[g.list[k] * s->dim + a] / (c->mu * g.force[g.list[k]]);
        c->grip = LZB_STICKS;
    }
    return s->shared = true;
}

void lzb_settle(lzb_path *s)
{
    bool some = false;
    for (int j = 0; j < s->m; j++) {
        lzb_contact *c = &s->contact[j];
        if (c->creeps < LZB_CREEPS || lzb_slip(s, j) > LZB_SLOW_SLIP)
            continue;
        for (int a = 0; a < s->dim - 1; a++)
            s->u[j * s->dim + a] = 0;
        c->creeps = 0;
        s->stopped |= s->dim == 3;
        some = true;
    }
    if (some)
        lzb_decide_grip(s, true);
}
