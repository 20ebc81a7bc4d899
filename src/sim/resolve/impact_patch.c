#include "sim/resolve/impact_patch.h"

carom_rule impact_rule(const carom_scene *scene, const carom_rule *rule, double patch, double rolling)
{
    carom_rule own = *rule;
    const carom_coeffs *c = &rule->coeffs;
    bool one_friction = c->mu_s == CAROM_SAME_AS_MU || c->mu_s == c->mu;
    if (scene->dim != 3 || !own.law || !own.law->patch || !isfinite(c->mu))
        return own;
    if (c->patch == 0 && one_friction && own.law->uses & CAROM_USES(patch))
        own.coeffs.patch = patch;
    if (c->rho == 0 && own.law->uses & CAROM_USES(rho))
        own.coeffs.rho = rolling;
    return own;
}

void drop_patch(carom_sim *sim, touching *c)
{
    if (carom_patch_size(&c->rule->coeffs) == 3)
        return;
    if (!c->own_rule) {
        c->rule = bare_rule_of(sim, c->a, c->b);
        return;
    }
    carom_rule *own = (carom_rule *)sim->own_rules.data + (c->own_rule - 1);
    own->coeffs.patch = own->coeffs.rho = 0;
}

/* Does the pair of contact k touch elsewhere, too? */
static bool touches_twice(const carom_sim *sim, const int *of, int count, int k)
{
    const touching *c = touching_at(sim, of[k]);
    for (int m = 0; m < count; m++) {
        const touching *x = touching_at(sim, of[m]);
        if (m != k && x->a == c->a && x->b == c->b)
            return true;
    }
    return false;
}

void drop_patches(carom_sim *sim, const int *of, int count)
{
    bool has_spins = sim->scene->together.law->uses & CAROM_USES(patch);
    for (int k = 0; k < count; k++)
        if (!has_spins || touching_at(sim, of[k])->jointed || touches_twice(sim, of, count, k))
            drop_patch(sim, touching_at(sim, of[k]));
}

static carom_status solve_with_spins(carom_sim *sim, const touching *c, int size, carom_outcome *outcome)
{
    carom_patch_problem problem;
    const carom_body *a = &involved_at(sim, frame_of(sim, c->a)->slot)->before,
                     *b = &involved_at(sim, frame_of(sim, c->b)->slot)->before;
    carom_status status = carom_patch_reduce_bodies(a, b, &c->contact, size, &problem);
    return status ? status : carom_patch_solve(&problem, c->rule, NULL, outcome);
}

carom_status solve_patch_contact(carom_sim *sim, touching *c, carom_outcome *outcome)
{
    int size = impact_numbers(sim, c);
    if (size > 3) {
        carom_status status = solve_with_spins(sim, c, size, outcome);
        if (status != CAROM_STATUS_OUT_OF_SCOPE || c->own_rule)
            return status;
    }
    drop_patch(sim, c);
    return carom_solve(&c->problem, c->rule, NULL, outcome);
}
