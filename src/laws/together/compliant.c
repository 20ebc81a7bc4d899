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
#include "laws/together/compliant_path.h"
#include "laws/together/together_walk.h"

extern const carom_together carom_together_lzb; /* the law without tangential springs */

#define LATE_ENERGY 1e-18 /* of the energy of the largest velocity: chatter that is not over after many steps */

static size_t work(const carom_contacts *x, const carom_together_rule *rule)
{
    size_t springs = spring_path_work(x) + walk_work(x), without = carom_together_lzb.work(x, rule);
    return springs > without ? springs : without;
}

static void fill_contacts(spring_path *s, const carom_coeffs *coeffs)
{
    double most = walk_stiffest(s->given, coeffs, s->K);
    for (int j = 0; j < s->m; j++) {
        spring_contact c = {0};
        c.e = coeffs[j].e;
        c.mu = coeffs[j].mu;
        c.k = coeffs[j].stiffness / most;
        c.k_t = c.k / square(coeffs[j].eta);
        c.hold = c.mu / c.k_t;
        c.unit = sqrt(c.k / walk_normal_mass(s->given, s->K, j));
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
    s.speed = walk_units(x, s.K, s.u, s.p);
    fill_contacts(&s, call->rule->coeffs);
    s.begins = true;
    return s;
}

/* ---- the walk ---- */

static bool presses(const void *path, int j)
{
    return ((const spring_path *)path)->contact[j].on;
}

static double stored(const void *path, int j)
{
    const spring_contact *c = &((const spring_path *)path)->contact[j];
    double stretch = c->grip == GRIP_SLIPS ? square(c->hold * c->f) : square(c->x[0]) + square(c->x[1]);
    return 0.5 * (c->f * c->f / c->k + c->k_t * stretch);
}

static void turn_off(void *path, int j)
{
    spring_turn_off((spring_path *)path, j);
}

static void lose(void *path, int j, const double loss[2])
{
    spring_contact *c = &((spring_path *)path)->contact[j];
    c->loss[0] += loss[0];
    c->loss[1] += loss[1];
}

static carom_together_state state_of(const void *path)
{
    return spring_state((const spring_path *)path);
}

static double step(void *path)
{
    spring_path *s = (spring_path *)path;
    spring_event event = spring_next_event(s, s->begins ? spring_begin(s) : spring_expand(s));
    spring_show_step(s, event.time);
    spring_move(s, event.time);
    s->begins = event.contact >= 0 && spring_apply_event(s, &event);
    return event.time;
}

static carom_status solve(const carom_together_call *call, carom_together_outcome *out)
{
    if (call->rule->coeffs[0].exponent != 1) /* without friction, or the rule is out of scope */
        return carom_together_lzb.solve(call, out);
    block_memory block = {(char *)call->work};
    spring_path s = path_of(call, out->losses, &block);
    walk w = {call, &s, s.K, s.u, s.p, 0, LATE_ENERGY, presses, stored, step, turn_off, lose, state_of};
    w.energy = walk_unit_energy(&w);
    carom_status status = walk_run(&w, &block, &out->iterations);
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
    .uses = CAROM_USES(e) | CAROM_USES(mu) | CAROM_USES(eta) | CAROM_USES(stiffness) | CAROM_USES(exponent),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_UNIQUE |
              CAROM_TRAIT_TANGENTIAL | CAROM_TRAIT_HAS_PATH,
    .frictionless = 0,
    .most = WALK_CONTACTS_MOST,
    .work = work,
    .solve = solve,
};
