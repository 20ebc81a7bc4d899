/* Impacts of contacts with a patch: friction that also brakes spin and rolling (docs/theory/patch.md). */
#ifndef CAROM_SIM_IMPACT_PATCH_H
#define CAROM_SIM_IMPACT_PATCH_H

#include "carom/patch.h"
#include "carom/solve.h"
#include "sim/resolve/gather.h"

/* The rule of a pair in impacts: with the patch and the resistance to rolling that it has at rest, where its law and
 * its friction allow them. */
carom_rule impact_rule(const carom_scene *scene, const carom_rule *rule, double patch, double rolling);

/* Contact numbers of an impact: 3, with a patch 4, with resistance to rolling 6; in the plane 2. */
static inline int impact_numbers(const carom_sim *sim, const touching *c)
{
    return sim->scene->dim == 2 || c->jointed ? sim->scene->dim : carom_patch_size(&c->rule->coeffs);
}

/* From here on the contact is a point. */
void drop_patch(carom_sim *sim, touching *c);

/* Contacts of, of a group, are solved together: those whose pair touches at several points are points, and all of them
 * are where the law has no patches. */
void drop_patches(carom_sim *sim, const int *of, int count);

/* Solve one contact by the law of its pair. A body without inertia has no spin that a patch could brake. */
carom_status solve_patch_contact(carom_sim *sim, touching *c, carom_outcome *outcome);

static inline carom_status solve_pair_contact(carom_sim *sim, touching *c, carom_outcome *outcome)
{
    return carom_patch_size(&c->rule->coeffs) > 3 ? solve_patch_contact(sim, c, outcome)
                                                  : carom_solve(&c->problem, c->rule, NULL, outcome);
}

#endif
