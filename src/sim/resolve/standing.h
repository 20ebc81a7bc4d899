/* The closed contact that a touching one may become: a foot of one body on a ground that the other is for it. */
#ifndef CAROM_SIM_STANDING_H
#define CAROM_SIM_STANDING_H

#include "sim/contact/foot.h"
#include "sim/resolve/gather.h"

/* The closed contact that a touching one may become. False: there is nothing to stand on, or no simple foot. Of two
 * movable bodies either may have the foot. */
bool standing(carom_sim *sim, const touching *m, double t, closed_contact *out);

/* The same of a body that touches another one, b, at a place, with velocity u along the ground. */
bool stand_at(carom_sim *sim, const touch_place *at, int b, carom_vec3 u, closed_contact *out);

static inline bool is_ball(const piece *foot)
{
    return foot->kind == CORE_POINT && foot->margin > 0;
}

/* Is the foot on piece k of body i a whole ball, and not the end of a capsule, whose side comes down beside it? */
static inline bool is_whole_ball(const carom_sim *sim, int i, int k, const piece *foot)
{
    return is_ball(foot) && piece_at(sim, i, k)->kind == CORE_POINT;
}

#endif
