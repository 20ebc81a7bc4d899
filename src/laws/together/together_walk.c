/* The walk that lzb and compliant share, and how it ends. */
#include "laws/together/together_walk.h"

#include <string.h>

#include "laws/together/together_cone.h"

#define SPENT_ENERGY 1e-26 /* of walk.energy: what is left is ended by one plastic step */
#define STALL_ENERGY 1e-20 /* the same where events have ceased to take time */
#define APPROACH_TOL 1e-14 /* of the largest velocity: slower approaches do not matter */
#define BEGIN_TOL    1e-13 /* of the largest velocity: slower approaches do not begin to press */

enum { STEPS_MOST = 20000, STALL_STEPS = 64, LATE_STEPS = 4000 };

size_t walk_work(const carom_contacts *x)
{
    return block_doubles((size_t)(2 * x->count * x->dim)) + cone_work(x);
}

double walk_units(const carom_contacts *x, double *K, double *u, double *p)
{
    const int n = x->count * x->dim;
    double speed = largest_of((size_t)n, x->u);
    together_full(x, K);
    for (int i = 0; i < n; i++) {
        u[i] = x->u[i] / speed;
        p[i] = 0;
    }
    return speed;
}

double walk_stiffest(const carom_contacts *x, const carom_coeffs *coeffs, const double *K)
{
    double most = 0;
    for (int j = 0; j < x->count; j++)
        most = max(most, coeffs[j].stiffness * walk_normal_mass(x, K, j));
    return most;
}

double walk_energy_left(const walk *w)
{
    const carom_contacts *x = w->call->x;
    double sum = 0;
    for (int j = 0; j < x->count; j++) {
        double u_n = together_normal(x, w->u, j);
        sum += w->stored(w->path, j);
        sum += u_n < 0 ? 0.5 * u_n * u_n / walk_normal_mass(x, w->K, j) : 0;
    }
    return sum;
}

double walk_unit_energy(const walk *w)
{
    double sum = 0;
    for (int j = 0; j < w->call->x->count; j++)
        sum += 0.5 / walk_normal_mass(w->call->x, w->K, j);
    return sum;
}

/* Does no contact press, and none approach faster than tol? */
static bool is_free(const walk *w, double tol)
{
    const carom_contacts *x = w->call->x;
    for (int j = 0; j < x->count; j++)
        if (w->presses(w->path, j) || together_normal(x, w->u, j) < -tol)
            return false;
    return true;
}

/* The work of the plastic impulse p at every contact, where the law keeps books. */
static void book(const walk *w, const double *p)
{
    const carom_contacts *x = w->call->x;
    const int dim = x->dim, n = x->count * dim;
    for (int j = 0; w->lose && j < x->count; j++) {
        double loss[2] = {0, 0};
        for (int i = j * dim; i < (j + 1) * dim; i++) {
            double sum = 2 * w->u[i]; /* before and after */
            for (int k = 0; k < n; k++)
                sum += w->K[i * n + k] * p[k];
            loss[i % dim != dim - 1] -= 0.5 * p[i] * sum;
        }
        w->lose(w->path, j, loss);
    }
}

/* What is left of an endless exchange: contacts that press end, and one plastic step of moreau stops the others. */
static void end_plastic(const walk *w, block_memory *block)
{
    const carom_contacts *x = w->call->x;
    const size_t n = (size_t)(x->count * x->dim);
    for (int j = 0; j < x->count; j++)
        if (w->presses(w->path, j))
            w->turn_off(w->path, j);
    if (is_free(w, APPROACH_TOL))
        return;
    double *q = take_doubles(block, n), *p = take_doubles(block, n);
    cone_problem problem = {x, w->call->rule->coeffs, q, false, 0, 0};
    memcpy(q, w->u, n * sizeof *q);
    memset(p, 0, n * sizeof *p);
    (void)cone_solve(&problem, p, NULL, block->at);
    book(w, p);
    for (size_t i = 0; i < n; i++)
        w->p[i] += p[i];
}

static void show(const walk *w)
{
    const carom_together_tracer *t = w->call->tracer;
    if (!t || !t->step)
        return;
    const carom_together_state state = w->state(w->path);
    t->step(t->context, &state);
}

carom_status walk_run(walk *w, block_memory *block, int *steps)
{
    int stalled = 0; /* steps in a row that took no time */
    show(w);
    for (*steps = 0; !is_free(w, APPROACH_TOL); ++*steps) {
        if (*steps == STEPS_MOST)
            return CAROM_STATUS_STEP_LIMIT;
        double least = stalled > STALL_STEPS ? STALL_ENERGY : SPENT_ENERGY;
        least = *steps > LATE_STEPS ? max(least, w->late) : least;
        if (walk_energy_left(w) < least * w->energy || is_free(w, BEGIN_TOL)) {
            end_plastic(w, block);
            return CAROM_STATUS_OK;
        }
        stalled = w->step(w->path) > 0 ? 0 : stalled + 1;
        show(w);
    }
    return CAROM_STATUS_OK;
}
