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
#include "core/taylor.h"
#include "laws/together/lzb_path.h"
#include "laws/together/together_linear.h"
#include "laws/together/together_walk.h"

enum { SHOWN_PARTS = 8 }; /* points of a step that a tracer sees */

static size_t work(const carom_contacts *x, const carom_together_rule *rule)
{
    (void)rule;
    return lzb_path_work(x) + walk_work(x);
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

static void fill_contacts(lzb_path *s, const carom_coeffs *c)
{
    double most = walk_stiffest(s->x, c, s->K);
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
    s.speed = walk_units(x, s.K, s.u, s.p);
    fill_contacts(&s, call->rule->coeffs);
    return s;
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
        carom_together_state state = {s->time + at, p, u, delta, NULL, NULL};
        t->step(t->context, &state);
    }
}

/* ---- the walk ---- */

static bool presses(const void *path, int j)
{
    return ((const lzb_path *)path)->contact[j].active;
}

static double stored(const void *path, int j)
{
    const lzb_path *s = (const lzb_path *)path;
    return lzb_force(s, j, s->delta[j]) * s->delta[j] / (1 + s->eta);
}

static void turn_off_contact(void *path, int j)
{
    lzb_turn_off((lzb_path *)path, j);
}

static carom_together_state state_of(const void *path)
{
    return lzb_state((const lzb_path *)path);
}

static double step(void *path)
{
    lzb_path *s = (lzb_path *)path;
    for (int j = 0; j < s->m; j++)
        if (s->contact[j].departs) { /* its direction follows the forces */
            lzb_decide_grip(s, false);
            break;
        }
    lzb_settle(s);
    lzb_event event = lzb_next_event(s, lzb_expand(s));
    if (event.time > 0)
        show_step(s, event.time);
    lzb_move(s, event.time);
    if (event.contact >= 0)
        lzb_apply_event(s, &event);
    return event.time;
}

static carom_status solve(const carom_together_call *call, carom_together_outcome *out)
{
    block_memory block = {(char *)call->work};
    lzb_path s = path_of(call, &block);
    walk w = {call, &s, s.K, s.u, s.p, 0, 0, presses, stored, step, turn_off_contact, NULL, state_of};
    w.energy = walk_unit_energy(&w);
    lzb_begin(&s);
    carom_status status = walk_run(&w, &block, &out->iterations);
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
    .most = WALK_CONTACTS_MOST,
    .work = work,
    .solve = solve,
};
