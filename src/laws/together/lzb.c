/* lzb: compliant normal contacts inside the impact, energetic restitution at each of them.
 *
 * Hypothesis   the configuration is frozen while contacts press like springs, force over compression to the power eta;
 *              each gives back e^2 of the energy it stored; Coulomb friction.
 * Equations    with a fictitious time and one compression delta_j >= 0 per contact:
 *              delta' = -u_n (u_n < 0),   -u_n / e^2 (u_n > 0, delta > 0)                                     (1)
 *              p_n' = F = k delta^eta,   p_t' = -mu F u_t / |u_t|,   u' = K p'                                (2)
 *              contacts at rest: least phi K_tt phi / 2 + phi . rest over |phi_j| <= mu_j F_j                 (3)
 *              the impact ends when nothing presses and nothing approaches                                    (4)
 * Note         the published form takes the energy as the state and one impulse as the time; its singular start and
 *              its primary contact belong to that choice, not to the law.
 * Page         docs/laws/lzb.md
 * Reference    Liu, Zhao and Brogliato (2008); Jia, Mason and Erdmann (2008) */
#include <string.h>

#include "core/taylor.h"
#include "laws/together/lzb_path.h"
#include "laws/together/together_cone.h"
#include "laws/together/together_linear.h"

#define SPENT_ENERGY 1e-26 /* of the energy at the beginning: what is left is ended by one plastic step */
#define STALL_ENERGY 1e-20 /* the same where events have ceased to take time */
#define APPROACH_TOL 1e-14 /* of the largest velocity: slower approaches do not begin */

enum { LZB_MOST = 64, STEPS_MOST = 20000, STALL_STEPS = 64, SHOWN_PARTS = 8 }; /* points of a step that a tracer sees */

static size_t work(const carom_contacts *x, const carom_together_rule *rule)
{
    (void)rule;
    return lzb_path_work(x) + block_doubles((size_t)(2 * x->count * x->dim)) + cone_work(x);
}

static void take_series(lzb_path *s, block_memory *block)
{
    size_t m = (size_t)s->m, n = (size_t)s->n;
    s->U = take_doubles(block, n * LZB_TERMS);
    s->P = take_doubles(block, n * LZB_TERMS);
    s->D = take_doubles(block, m * LZB_TERMS);
    s->F = take_doubles(block, m * LZB_TERMS);
    s->W = take_doubles(block, m * LZB_TERMS);
    s->V = take_doubles(block, m * LZB_TERMS);
    s->Q = take_doubles(block, 2 * m * LZB_TERMS);
    s->A = take_doubles(block, n * n);
    s->b = take_doubles(block, n);
    s->phi = take_doubles(block, n);
    s->stuck = take_ints(block, n);
    s->rate = take_doubles(block, n);
    s->next = take_doubles(block, n);
    s->shown = take_doubles(block, 2 * n + m);
    s->linear = block->at;
    block->at += linear_work(n);
}

/* Stored energy plus energy of approach. */
static double energy_left(const lzb_path *s)
{
    double sum = 0;
    for (int j = 0; j < s->m; j++) {
        double u_n = s->u[(j + 1) * s->dim - 1], N = s->K[((j + 1) * s->dim - 1) * (s->n + 1)];
        sum += lzb_force(s, j, s->delta[j]) * s->delta[j] / (1 + s->eta);
        sum += u_n < 0 ? 0.5 * u_n * u_n / N : 0;
    }
    return sum;
}

static void fill_contacts(lzb_path *s, const carom_coeffs *c)
{
    double most = 0;
    for (int j = 0; j < s->m; j++)
        most = max(most, c[j].stiffness * s->K[((j + 1) * s->dim - 1) * (s->n + 1)]);
    for (int j = 0; j < s->m; j++) {
        lzb_contact contact = {.kappa = c[j].stiffness / most, .e = c[j].e, .mu = c[j].mu, .rate = 1};
        s->contact[j] = contact;
        s->delta[j] = 0;
    }
}

static lzb_path path_of(const carom_together_call *call, block_memory *block)
{
    const carom_contacts *x = call->x;
    lzb_path s = {.x = x, .tracer = call->tracer, .m = x->count, .dim = x->dim, .n = x->count * x->dim};
    size_t n = (size_t)s.n, m = (size_t)s.m;
    s.K = take_doubles(block, n * n);
    s.u = take_doubles(block, n);
    s.p = take_doubles(block, n);
    s.delta = take_doubles(block, m);
    s.contact = (lzb_contact *)(void *)block->at;
    block->at += m * sizeof(lzb_contact);
    take_series(&s, block);
    s.eta = call->rule->coeffs[0].exponent;
    s.speed = largest_of(n, x->u);
    together_full(x, s.K);
    for (int i = 0; i < s.n; i++) {
        s.u[i] = x->u[i] / s.speed;
        s.p[i] = 0;
    }
    fill_contacts(&s, call->rule->coeffs);
    s.energy = energy_left(&s);
    return s;
}

static bool is_over(const lzb_path *s)
{
    for (int j = 0; j < s->m; j++)
        if (s->contact[j].active || s->u[(j + 1) * s->dim - 1] < -APPROACH_TOL)
            return false;
    return true;
}

static void show(const lzb_path *s)
{
    const carom_together_tracer *t = s->tracer;
    if (!t || !t->step)
        return;
    const carom_together_state state = lzb_state(s);
    t->step(t->context, &state);
}

/* Points inside the step, from its polynomials. */
static void show_step(const lzb_path *s, double h)
{
    const carom_together_tracer *t = s->tracer;
    if (!t || !t->step)
        return;
    double *p = s->shown, *u = p + s->n, *delta = u + s->n;
    for (int k = 1; k < SHOWN_PARTS; k++) {
        double at = h * k / SHOWN_PARTS;
        for (int i = 0; i < s->n; i++) {
            p[i] = s->speed * taylor_at(lzb_series(s->P, i), LZB_ORDER, at);
            u[i] = s->speed * taylor_at(lzb_series(s->U, i), LZB_ORDER, at);
        }
        for (int j = 0; j < s->m; j++)
            delta[j] = s->speed * max(0, taylor_at(lzb_series(s->D, j), LZB_ORDER, at));
        carom_together_state state = {s->time + at, p, u, delta, NULL};
        t->step(t->context, &state);
    }
}

/* What is left of an endless exchange: contacts that open end, and one plastic step of moreau stops the others. */
static void end_plastic(lzb_path *s, const carom_together_call *call, block_memory *block)
{
    for (int j = 0; j < s->m; j++)
        if (s->contact[j].active)
            lzb_turn_off(s, j);
    if (is_over(s))
        return;
    double *q = take_doubles(block, (size_t)s->n), *p = take_doubles(block, (size_t)s->n);
    cone_problem pb = {s->x, call->rule->coeffs, q, false, 0, 0};
    memcpy(q, s->u, (size_t)s->n * sizeof *q);
    memset(p, 0, (size_t)s->n * sizeof *p);
    (void)cone_solve(&pb, p, NULL, block->at);
    for (int i = 0; i < s->n; i++)
        s->p[i] += p[i];
}

static carom_status walk(lzb_path *s, const carom_together_call *call, block_memory *block, int *steps)
{
    int stalled = 0; /* steps in a row that took no time */
    lzb_begin(s);
    show(s);
    for (*steps = 0; !is_over(s); ++*steps) {
        if (*steps == STEPS_MOST)
            return CAROM_STATUS_STEP_LIMIT;
        if (energy_left(s) < (stalled > STALL_STEPS ? STALL_ENERGY : SPENT_ENERGY) * s->energy) {
            end_plastic(s, call, block);
            return CAROM_STATUS_OK;
        }
        for (int j = 0; j < s->m; j++)
            if (s->contact[j].departs) { /* its direction follows the forces */
                lzb_decide_grip(s, false);
                break;
            }
        lzb_settle(s);
        double h = lzb_expand(s);
        lzb_event event = lzb_next_event(s, h);
        stalled = event.time > 0 ? 0 : stalled + 1;
        if (event.time > 0)
            show_step(s, event.time);
        lzb_move(s, event.time);
        if (event.contact >= 0)
            lzb_apply_event(s, &event);
        show(s);
    }
    return CAROM_STATUS_OK;
}

static carom_status solve(const carom_together_call *call, carom_together_outcome *out)
{
    block_memory block = {(char *)call->work};
    lzb_path s = path_of(call, &block);
    carom_status status = walk(&s, call, &block, &out->iterations);
    for (int i = 0; i < s.n; i++)
        out->p[i] = s.speed * s.p[i];
    out->solutions = 1;
    out->examined = true;
    out->flags |= s.redundant ? CAROM_FLAG_REDUNDANT : 0u;
    return CARRIES_PARTIALS && s.stopped ? CAROM_STATUS_NO_DERIVATIVE : status;
}

const carom_together carom_together_lzb = {
    .id = "lzb",
    .name = "Liu, Zhao and Brogliato",
    .summary = "Contacts press like springs inside the impact; each gives back e squared of the energy it stored.",
    .reference = "liu2008",
    .uses = CAROM_USES(e) | CAROM_USES(mu) | CAROM_USES(stiffness) | CAROM_USES(exponent),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_UNIQUE |
              CAROM_TRAIT_HAS_PATH,
    .frictionless = 0,
    .most = LZB_MOST,
    .work = work,
    .solve = solve,
};
