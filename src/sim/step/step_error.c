#include "sim/step/step_error.h"

/* The acceleration of a step is that of its middle. Where accelerations a change smoothly this is wrong by h^2 a'' / 24
 * in the mean over the step; where one jumps within it, by the jump times the share of the step that has it wrong. The
 * second difference d of the accelerations of three steps in a row is h^2 a'' in the first case, and the jump, twice,
 * in the second: h |d| / 8 is three times the error of the velocity there, and the jump acting for a quarter of the
 * step here. The velocity of a body at rest has no error. */
#define DIFFERENCE_SHARE 0.125

void step_estimate(carom_sim *sim, int i, double h, carom_vec3 mean, carom_vec3 a)
{
    step_error *e = &frame_of(sim, i)->error;
    bool first = frame_of(sim, i)->entered;
    carom_vec3 change = carom_vec3_sub(a, first ? a : e->a), d = carom_vec3_sub(change, first ? change : e->change);
    e->v = min(e->v + DIFFERENCE_SHARE * h * carom_vec3_length(d), carom_vec3_length(mean));
    e->x += h * e->v;
    e->a = a;
    e->change = change;
}
