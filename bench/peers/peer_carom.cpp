// Carom, from two prepared bodies: reduce, solve with ledger, apply.
#include "peers.hpp"

namespace {
carom_body start, a, b;
carom_contact contact;
carom_rule rule;
carom_outcome out;

bool prepare(const impact &i, const char *law)
{
    carom_body_def def = carom_body_def_default(), ground = def;
    def.inertia = carom_sym3{i.inertia.x, 0, 0, i.inertia.y, 0, i.inertia.z};
    def.orientation = i.turn;
    def.velocity = i.v;
    def.omega = i.w;
    ground.fixed = true;
    rule = carom_rule_default(carom_law_find(law));
    rule.coeffs.e = restitution;
    rule.coeffs.mu = friction;
    return !carom_body_init(&def, &start) && !carom_body_init(&ground, &b) &&
           !carom_contact_init(i.arm, carom_vec3_make(0, 0, 0), carom_vec3_make(0, 0, 1), &contact);
}

void step()
{
    carom_problem problem;
    a = start;
    if (carom_bodies_reduce(&a, &b, &contact, &problem) == CAROM_STATUS_OK && carom_solve(&problem, &rule, nullptr, &out) == CAROM_STATUS_OK)
        carom_bodies_apply(&contact, out.p, &a, &b);
}

carom_vec3 p()
{
    return carom_vec3_sub(a.velocity, start.velocity);
}

void done() {}
} // namespace

#define CAROM_PEER(symbol, law)                                                                                                            \
    const peer symbol = {"Carom " law, "bodies to bodies: reduce, exact law, ledger, apply", [](const impact &i) { return prepare(i, law); }, step, p, done, false, nullptr};
CAROM_PEER(carom_whittaker, "whittaker")
CAROM_PEER(carom_stronge, "routh-stronge")
CAROM_PEER(carom_poisson, "routh-poisson")
CAROM_PEER(carom_momentum, "chatterjee-momentum")
