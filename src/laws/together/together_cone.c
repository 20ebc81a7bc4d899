#include "laws/together/together_cone.h"

#include <string.h>

#include "laws/together/together_lcp.h"
#include "laws/together/together_linear.h"

#define RESIDUAL_GOAL   1e-14 /* relative to the largest impulse: where the small solver stops trying */
#define RESIDUAL_ACCEPT 1e-9  /* above it the small solver has failed */
#define RESIDUAL_LARGE  1e-8  /* the goal of sweeps over many contacts, unless the caller has another */
#define EDGE_TOL        1e-9  /* of mu p_n: an impulse this close to the edge of its cone lies on it */
#define SHIFT_FALL      0.1   /* from one shift to the next */
#define STRESS_MOST     1e4   /* impulses this much larger than q over K are stress of contacts against each other */
#define MOVED_TOL       1e-6  /* of K z: velocities that follow a free share z are not unique */

enum { FEW_SWEEPS = 8, NEWTON_STEPS = 12, ROUNDS = 8, MANY_SWEEPS = 2000, PROXIMAL_STEPS = 4, RESTARTS = 24 };

size_t cone_work(const carom_contacts *x)
{
    size_t m = (size_t)x->count, n = m * (size_t)x->dim, total = sweep_work(x) + block_doubles(3 * n);
    if (x->count <= TOGETHER_LCP_MOST)
        total += block_doubles(m * m + 2 * m) + lcp_work(m);
    if (x->count <= TOGETHER_DENSE_MOST)
        total += newton_work(x) + block_doubles(n * n) + linear_work(n);
    return total;
}

static bool is_singular(const carom_contacts *x, void *work)
{
    block_memory block = {work};
    int n = x->count * x->dim;
    double *K = take_doubles(&block, (size_t)n * (size_t)n);
    together_full(x, K);
    return linear_is_singular(n, K, block.at);
}

/* ---- without friction ---- */

static cone_end solve_normals(const cone_problem *pb, double *p, void *work)
{
    int m = pb->x->count, dim = pb->x->dim;
    size_t size = (size_t)m;
    block_memory block = {work};
    double *N = take_doubles(&block, size * size), *q = take_doubles(&block, size), *z = take_doubles(&block, size);
    cone_end end = {.solutions = 1, .examined = true};
    together_normals(pb->x, N);
    for (int i = 0; i < m; i++)
        q[i] = together_normal(pb->x, pb->q, i);
    end.status = lcp_solve(m, N, q, z, &end.redundant, block.at);
    for (int i = 0; i < m; i++)
        p[(i + 1) * dim - 1] = z[i];
    return end;
}

/* ---- few planar contacts: every combination of modes ---- */

static bool admits(const void *law, int j, const mode_form *form, const double *p, const double *y,
                   const mode_sizes *tol)
{
    const cone_problem *pb = law;
    double mu = pb->coeffs[j].mu, lift = pb->convex ? mu * fabs(y[0]) : 0;
    if (form->mode == CAROM_TOGETHER_MODE_OPEN)
        return y[1] - lift >= -tol->y;
    if (p[1] < -tol->p)
        return false;
    if (form->mode == CAROM_TOGETHER_MODE_STICK)
        return fabs(p[0]) <= mu * p[1] + tol->p;
    return form->mode == CAROM_TOGETHER_MODE_CLOSED || form->sign * y[0] >= -tol->y;
}

static int list_forms(const cone_problem *pb, int j, mode_form *forms)
{
    static const mode_form open = {0, {0, 0}, {{0, 0}, {0, 0}}, {{0, 0}, {0, 0}}, CAROM_TOGETHER_MODE_OPEN, 0};
    static const mode_form stick = {2, {0, 0}, {{1, 0}, {0, 1}}, {{1, 0}, {0, 1}}, CAROM_TOGETHER_MODE_STICK, 0};
    static const mode_form closed = {1, {0, 0}, {{0, 1}, {0, 0}}, {{0, 1}, {0, 0}}, CAROM_TOGETHER_MODE_CLOSED, 0};
    double mu = pb->coeffs[j].mu;
    forms[0] = open;
    if (mu == 0) {
        forms[1] = closed;
        return 2;
    }
    forms[1] = stick;
    for (int k = 0; k < 2; k++) { /* slip along sign: friction against it */
        mode_form slip = closed;
        slip.mode = CAROM_TOGETHER_MODE_SLIP;
        slip.sign = k ? -1 : 1;
        slip.S[0][0] = -slip.sign * mu;
        slip.R[0][0] = pb->convex ? slip.S[0][0] : 0;
        forms[2 + k] = slip;
    }
    return 4;
}

static cone_end enumerate(const cone_problem *pb, double *p, mode_solution *all, void *work)
{
    mode_solution own[MODES_KEPT];
    mode_problem modes = {.x = pb->x, .q = pb->q, .admits = admits, .law = pb};
    mode_solution *found = all ? all : own;
    for (int j = 0; j < pb->x->count; j++)
        modes.form_count[j] = list_forms(pb, j, modes.forms[j]);
    modes.singular = is_singular(pb->x, work);
    cone_end end = {.solutions = modes_solve(&modes, found), .examined = true, .enumerated = true};
    if (end.solutions == 0) {
        end.status = CAROM_STATUS_INADMISSIBLE;
        return end;
    }
    memcpy(p, found[0].p, (size_t)(2 * pb->x->count) * sizeof *p);
    end.redundant = found[0].redundant;
    if (modes.singular) {
        double y[2 * MODES_CONTACTS];
        together_velocity(pb->x, pb->q, p, y);
        end.free_share = modes_freedom(pb->x, p, y);
        end.redundant |= end.free_share > 0;
    }
    return end;
}

/* ---- sweeps and Newton ---- */

typedef struct iteration {
    sweep_problem sweeps;
    bool few;   /* Newton may be used */
    void *work; /* of both */
} iteration;

/* Alternate sweeps and Newton until the residual is at its floor. */
static sweep_end iterate(iteration *it, double *p)
{
    sweep_end end = {INFINITY, 0};
    int bound = it->sweeps.iterations;
    if (!it->few)
        return sweep_solve(&it->sweeps, p, it->work);
    for (int round = 0, length = FEW_SWEEPS; round < ROUNDS && end.sweeps < bound; round++, length *= 2) {
        it->sweeps.iterations = length < bound - end.sweeps ? length : bound - end.sweeps;
        end.sweeps += sweep_solve(&it->sweeps, p, it->work).sweeps;
        end.residual = newton_solve(&it->sweeps, p, NEWTON_STEPS, it->work);
        if (end.residual <= it->sweeps.tolerance)
            break;
    }
    it->sweeps.iterations = bound;
    return end;
}

static double shift_of(const carom_contacts *x)
{
    double most = 0;
    for (int i = 0; i < x->count; i++) {
        const double *K = carom_contacts_block(x, i, i);
        for (int a = 0; a < x->dim; a++)
            most = max(most, K[a * (x->dim + 1)]);
    }
    return LIMIT_EPS * most;
}

/* K + shift I with a shift that falls from the size of K to LIMIT_EPS of it, each from the last answer: finds a
 * solution where sweeps cycle, and the limit of rule 4 where contacts are redundant. */
static void follow_shift(iteration *it, double *p)
{
    int n = it->sweeps.x->count * it->sweeps.x->dim, bound = it->sweeps.iterations;
    double last = shift_of(it->sweeps.x);
    for (int i = 0; i < n; i++)
        p[i] = 0;
    it->sweeps.iterations = FEW_SWEEPS;
    for (double shift = last / LIMIT_EPS; shift > 0.5 * last; shift *= SHIFT_FALL) {
        it->sweeps.shift = shift;
        if (newton_solve(&it->sweeps, p, NEWTON_STEPS, it->work) > RESIDUAL_ACCEPT) {
            (void)sweep_solve(&it->sweeps, p, it->work);
            (void)newton_solve(&it->sweeps, p, NEWTON_STEPS, it->work);
        }
    }
    it->sweeps.iterations = bound;
}

/* From the answer p of K + shift I: solve K p + q + shift (p - around) around the last answer. The part of p that K
 * does not see stays as it is, the rest converges to a solution of K. */
static double drop_shift(iteration *it, double *p, double *around)
{
    int n = it->sweeps.x->count * it->sweeps.x->dim;
    it->sweeps.shift = shift_of(it->sweeps.x);
    it->sweeps.around = around;
    for (int k = 0; k < PROXIMAL_STEPS; k++) {
        memcpy(around, p, (size_t)n * sizeof *p);
        (void)newton_solve(&it->sweeps, p, NEWTON_STEPS, it->work);
    }
    it->sweeps.shift = 0;
    it->sweeps.around = NULL;
    return newton_solve(&it->sweeps, p, 0, it->work);
}

/* Do velocities follow when the shares of redundant contacts change? z is what the equations leave free. */
static bool moves_with_shares(iteration *it, const double *p, double *z)
{
    const carom_contacts *x = it->sweeps.x;
    int n = x->count * x->dim;
    if (!newton_null(&it->sweeps, p, z, it->work))
        return false;
    double moved = 0, size = largest_of((size_t)n, z) * shift_of(x) / LIMIT_EPS;
    for (int i = 0; i < x->count; i++)
        for (int a = 0; a < x->dim; a++) {
            double sum = 0;
            for (int k = x->row[i]; k < x->row[i + 1]; k++)
                for (int b = 0; b < x->dim; b++)
                    sum += x->K[(k * x->dim + a) * x->dim + b] * z[x->column[k] * x->dim + b];
            moved = max(moved, fabs(sum));
        }
    return moved > MOVED_TOL * size;
}

/* Another start: impulses spread over the cones, the same ones in every run. */
static void scatter_start(const iteration *it, double *p, unsigned *seed)
{
    const carom_contacts *x = it->sweeps.x;
    double size = largest_of((size_t)(x->count * x->dim), it->sweeps.q) * LIMIT_EPS / shift_of(x);
    for (int i = 0; i < x->count; i++)
        for (int a = 0; a < x->dim; a++) {
            *seed = *seed * 1664525u + 1013904223u;
            double share = (double)(*seed >> 8) * 0x1p-24, mu = it->sweeps.coeffs[i].mu;
            p[i * x->dim + a] = a == x->dim - 1 ? 4 * size * share : size * mu * (2 * share - 1);
        }
}

/* Where neither sweeps nor a falling shift ended: other starts. */
static double restart(iteration *it, double *p, double *best, double residual)
{
    size_t bytes = (size_t)(it->sweeps.x->count * it->sweeps.x->dim) * sizeof *p;
    unsigned seed = 1;
    memcpy(best, p, bytes);
    for (int k = 0; k < RESTARTS && residual > RESIDUAL_ACCEPT; k++) {
        scatter_start(it, p, &seed);
        double now = iterate(it, p).residual;
        if (now < residual)
            memcpy(best, p, bytes);
        residual = min(now, residual);
    }
    memcpy(p, best, bytes);
    return residual;
}

/* How much larger the impulses are than q requires, beyond STRESS_MOST: contacts that jam against each other may carry
 * impulses beside which the residual of everything else would look small. */
static double self_stress(const cone_problem *pb, const double *p)
{
    size_t n = (size_t)(pb->x->count * pb->x->dim);
    double natural = largest_of(n, pb->q) * LIMIT_EPS / shift_of(pb->x), size = largest_of(n, p);
    return size > STRESS_MOST * natural && natural > 0 ? size / natural : 1;
}

static cone_end solve_by_sweeps(const cone_problem *pb, double *p, void *work)
{
    size_t n = (size_t)(pb->x->count * pb->x->dim);
    block_memory block = {work};
    double *y = take_doubles(&block, n), *around = take_doubles(&block, n), *other = take_doubles(&block, n);
    bool few = pb->x->count <= TOGETHER_DENSE_MOST;
    double goal = pb->tolerance > 0 ? pb->tolerance : few ? RESIDUAL_GOAL : RESIDUAL_LARGE;
    sweep_problem sweeps = {pb->x, pb->coeffs, pb->q, pb->convex, goal, pb->iterations, 0, NULL};
    sweeps.iterations = pb->iterations > 0 ? pb->iterations : MANY_SWEEPS;
    iteration it = {sweeps, few, block.at};
    sweep_end swept = iterate(&it, p);
    bool singular = few && is_singular(pb->x, it.work);
    cone_end end = {.iterations = swept.sweeps, .solutions = 1, .redundant = singular};
    if (singular || (few && swept.residual > RESIDUAL_ACCEPT)) {
        memcpy(other, p, n * sizeof *p);
        follow_shift(&it, p);
        bool better = drop_shift(&it, p, around) <= max(16 * goal, 2 * swept.residual);
        if (!better)
            memcpy(p, other, n * sizeof *p);
        if (few && newton_solve(&it.sweeps, p, 0, it.work) > RESIDUAL_ACCEPT)
            (void)restart(&it, p, around, swept.residual);
        end.not_unique = better && singular && moves_with_shares(&it, p, around);
    }
    together_velocity(pb->x, pb->q, p, y);
    end.residual = sweep_residual(&it.sweeps, p, y);
    double accept = pb->tolerance > 0 || !few ? goal : RESIDUAL_ACCEPT;
    end.status = end.residual * self_stress(pb, p) <= accept ? CAROM_STATUS_OK : CAROM_STATUS_ITERATION_LIMIT;
    return end;
}

/* ---- choosing ---- */

cone_end cone_solve(const cone_problem *pb, double *p, mode_solution *all, void *work)
{
    const carom_contacts *x = pb->x;
    bool frictionless = together_is_frictionless(x, pb->coeffs);
    if (frictionless && x->count <= TOGETHER_LCP_MOST)
        return solve_normals(pb, p, work);
    if (!frictionless && x->dim == 2 && x->count <= MODES_ALWAYS)
        return enumerate(pb, p, all, work);
    cone_end end = solve_by_sweeps(pb, p, work);
    bool failed = end.status == CAROM_STATUS_ITERATION_LIMIT && pb->tolerance == 0 && pb->iterations == 0;
    return failed && x->dim == 2 && x->count <= MODES_CONTACTS ? enumerate(pb, p, all, work) : end;
}

void cone_modes(const cone_problem *pb, const double *p, const double *y, carom_together_mode *modes)
{
    int dim = pb->x->dim, n = dim - 1;
    double size = largest_of((size_t)(pb->x->count * dim), p), speed = largest_of((size_t)(pb->x->count * dim), y);
    for (int i = 0; i < pb->x->count; i++) {
        const double *pi = p + i * dim, *yi = y + i * dim;
        double friction = n == 1 ? fabs(pi[0]) : length_of(pi[0], pi[1]),
               slip = n == 1 ? fabs(yi[0]) : length_of(yi[0], yi[1]);
        double edge = pb->coeffs[i].mu * pi[n];
        bool rests = slip <= EDGE_TOL * speed;
        modes[i] = pi[n] <= 4 * EPS * size                     ? CAROM_TOGETHER_MODE_OPEN
                   : pb->coeffs[i].mu == 0                     ? CAROM_TOGETHER_MODE_CLOSED
                   : friction < edge * (1 - EDGE_TOL) || rests ? CAROM_TOGETHER_MODE_STICK
                                                               : CAROM_TOGETHER_MODE_SLIP;
    }
}
