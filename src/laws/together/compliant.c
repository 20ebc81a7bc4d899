/* compliant: normal and tangential springs at every contact, energetic restitution at each of them.
 *
 * Hypothesis   the configuration is frozen while every contact presses with a normal spring k and holds on by a
 *              tangential spring k_t = k / eta^2, whose force Coulomb friction bounds; each contact gives back e^2 of
 *              the energy its normal spring has stored.
 * Equations    with a fictitious time, a force f >= 0 and a spring x per contact, r = mu f / k_t:
 *              p_n' = f,   f' = -kappa u_n,   kappa = k (first loading), k / e^2 (elastic)                       (1)
 *              p_t' = -k_t x,   |x| <= r                                                                        (2)
 *              x' = u_t - sigma x / r,   sigma >= 0,   sigma (r - |x|) = 0                                      (3)
 *              u' = K p'                                                                                        (4)
 *              stick |x| < r; slip |x| = r, x = r s: sigma = u_t . s + mu eta^2 (kappa / k) u_n
 * Readings     `phases` says when a contact loads for the first time: whenever u_n < 0 (all), until u_n first changes
 *              its sign (first), whenever f exceeds every earlier value (peak).
 * Page         docs/laws/compliant.md
 * Reference    Jia (2013), announced there; the law is derived in docs/theory/compliant-contacts.md */
#include <string.h>

#include "laws/together/compliant_path.h"
#include "laws/together/together_cone.h"

#define SPENT_ENERGY 1e-26 /* of the energy at the beginning: what is left is ended by one plastic step */
#define STALL_ENERGY 1e-20 /* the same where events have ceased to take time */
#define APPROACH_TOL 1e-14 /* of the largest velocity: slower approaches do not begin */

enum { CONTACTS_MOST = 64, STEPS_MOST = 20000, STALL_STEPS = 64 };

static size_t work(const carom_contacts *x, const carom_together_rule *rule)
{
    (void)rule;
    return spring_path_work(x) + block_doubles((size_t)(2 * x->count * x->dim)) + cone_work(x);
}

static double normal_mass(const spring_path *s, int j)
{
    return s->K[((j + 1) * s->dim - 1) * (s->n + 1)];
}

/* Stored energy plus that of approach. */
static double energy_left(const spring_path *s)
{
    double sum = 0;
    for (int j = 0; j < s->m; j++) {
        const spring_contact *c = &s->contact[j];
        double u_n = s->u[(j + 1) * s->dim - 1],
               stretch = c->grip == GRIP_SLIPS ? square(c->hold * c->f) : square(c->x[0]) + square(c->x[1]);
        sum += 0.5 * (c->f * c->f / c->k + c->k_t * stretch);
        sum += u_n < 0 ? 0.5 * u_n * u_n / normal_mass(s, j) : 0;
    }
    return sum;
}

static void fill_contacts(spring_path *s, const carom_coeffs *coeffs)
{
    double most = 0;
    for (int j = 0; j < s->m; j++)
        most = max(most, coeffs[j].stiffness * normal_mass(s, j));
    for (int j = 0; j < s->m; j++) {
        spring_contact c = {0};
        c.e = coeffs[j].e;
        c.mu = coeffs[j].mu;
        c.k = coeffs[j].stiffness / most;
        c.k_t = c.k / square(coeffs[j].eta);
        c.hold = c.mu / c.k_t;
        c.unit = sqrt(c.k / normal_mass(s, j));
        s->contact[j] = c;
    }
}

static spring_path path_of(const carom_together_call *call, bool books, block_memory *block)
{
    const carom_contacts *x = call->x;
    spring_path s = {.given = x, .tracer = call->tracer, .m = x->count, .dim = x->dim, .n = x->count * x->dim};
    spring_path_take(&s, block);
    s.books = books;
    s.phases = call->rule->options.phases;
    s.speed = largest_of((size_t)s.n, x->u);
    together_full(x, s.K);
    for (int i = 0; i < s.n; i++) {
        s.u[i] = x->u[i] / s.speed;
        s.p[i] = 0;
    }
    fill_contacts(&s, call->rule->coeffs);
    s.energy = energy_left(&s);
    return s;
}

static bool is_over(const spring_path *s)
{
    for (int j = 0; j < s->m; j++)
        if (s->contact[j].on || s->u[(j + 1) * s->dim - 1] < -APPROACH_TOL)
            return false;
    return true;
}

static void show(const spring_path *s)
{
    const carom_together_tracer *t = s->tracer;
    if (!t || !t->step)
        return;
    const carom_together_state state = spring_state(s);
    t->step(t->context, &state);
}

/* What is left of an endless exchange: contacts that press end, and one plastic step of moreau stops the others. */
static void end_plastic(spring_path *s, const carom_together_call *call, block_memory *block)
{
    for (int j = 0; j < s->m; j++)
        if (s->contact[j].on)
            spring_turn_off(s, j);
    if (is_over(s))
        return;
    double *q = take_doubles(block, (size_t)s->n), *p = take_doubles(block, (size_t)s->n);
    cone_problem problem = {s->given, call->rule->coeffs, q, false, 0, 0};
    memcpy(q, s->u, (size_t)s->n * sizeof *q);
    memset(p, 0, (size_t)s->n * sizeof *p);
    (void)cone_solve(&problem, p, NULL, block->at);
    for (int i = 0; i < s->n; i++)
        s->p[i] += p[i];
}

static carom_status walk(spring_path *s, const carom_together_call *call, block_memory *block, int *steps)
{
    int stalled = 0; /* steps in a row that took no time */
    bool begins = true;
    show(s);
    for (*steps = 0; !is_over(s); ++*steps) {
        if (*steps == STEPS_MOST)
            return CAROM_STATUS_STEP_LIMIT;
        if (energy_left(s) < (stalled > STALL_STEPS ? STALL_ENERGY : SPENT_ENERGY) * s->energy) {
            end_plastic(s, call, block);
            return CAROM_STATUS_OK;
        }
        double h = begins ? spring_begin(s) : spring_expand(s);
        spring_event event = spring_next_event(s, h);
        stalled = event.time > 0 ? 0 : stalled + 1;
        spring_move(s, event.time);
        begins = event.contact >= 0 && spring_apply_event(s, &event);
        show(s);
    }
    return CAROM_STATUS_OK;
}

static carom_status solve(const carom_together_call *call, carom_together_outcome *out)
{
    block_memory block = {(char *)call->work};
    spring_path s = path_of(call, out->losses, &block);
    carom_status status = walk(&s, call, &block, &out->iterations);
    for (int i = 0; i < s.n; i++)
        out->p[i] = s.speed * s.p[i];
    for (int j = 0; out->losses && j < s.m; j++)
        for (int a = 0; a < 2; a++)
            out->losses[2 * j + a] = square(s.speed) * s.contact[j].loss[a];
    out->solutions = 1;
    out->examined = true;
    return status;
}

const carom_together carom_together_compliant = {
    .id = "compliant",
    .name = "Springs at every contact",
    .summary = "Normal and tangential springs at every contact; each gives back e squared of the energy it stored.",
    .reference = "jia2013",
    .uses = CAROM_USES(e) | CAROM_USES(mu) | CAROM_USES(eta) | CAROM_USES(stiffness),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_UNIQUE |
              CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_HAS_PATH,
    .frictionless = 0,
    .most = CONTACTS_MOST,
    .work = work,
    .solve = solve,
};
