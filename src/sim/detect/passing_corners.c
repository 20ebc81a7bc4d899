#include "sim/detect/passing_corners.h"

#include "core/rotate.h"
#include "sim/world/world.h"

#define PASS_RATE 1e-12 /* of the speeds: slower approaches do not count */

/* The rate of the gap along an axis held in the world: of the points of both that are nearest, the fastest. */
static double gap_rate(const corner *c, carom_vec3 n)
{
    carom_vec3 turn_a = carom_vec3_cross(n, c->wa), turn_b = carom_vec3_cross(n, c->wb);
    carom_vec3 a = feature_support(c->a, carom_vec3_scale(-1, n), TOUCH_FLAT, carom_vec3_scale(-1, turn_a));
    carom_vec3 b = feature_support(c->b, n, TOUCH_FLAT, turn_b);
    double of_a = carom_vec3_dot(turn_a, carom_vec3_sub(a, c->xa));
    double of_b = carom_vec3_dot(turn_b, carom_vec3_sub(b, c->xb));
    return carom_vec3_dot(n, c->w) + of_a - of_b;
}

bool passes_corner(const corner *c, double margin, carom_vec3 *n)
{
    static const carom_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double turn = carom_vec3_length(c->wa) + carom_vec3_length(c->wb), reach = c->a->piece->reach;
    double slow = -PASS_RATE * (carom_vec3_length(c->w) + reach * turn);
    if (gap_rate(c, *n) >= slow)
        return false;
    for (int k = 0; k < 12; k++) {
        carom_vec3 m = carom_vec3_scale(k % 2 ? -1 : 1, quat_turn(k < 6 ? c->a->q : c->b->q, unit[k / 2 % 3]));
        if (gap_along(c->a, c->b, m) - margin >= -TOUCH_TOL * reach && gap_rate(c, m) >= slow) {
            *n = m;
            return true;
        }
    }
    return false;
}
