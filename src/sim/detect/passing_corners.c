/* Two vertices that graze do not collide. */
#include "sim/detect/meeting.h"
#include "sim/shape/feature.h"

/* The rate of the gap along an axis held in the world: of the points of both that are nearest, the fastest. */
static double gap_rate(const meeting *m, carom_vec3 n)
{
    carom_vec3 turn_a = carom_vec3_cross(n, m->wa), turn_b = carom_vec3_cross(n, m->wb);
    carom_vec3 a = feature_support(&m->a, carom_vec3_scale(-1, n), ROUND_PLACE, carom_vec3_scale(-1, turn_a));
    carom_vec3 b = feature_support(&m->b, n, ROUND_PLACE, turn_b);
    double of_a = carom_vec3_dot(turn_a, carom_vec3_sub(a, m->xa));
    double of_b = carom_vec3_dot(turn_b, carom_vec3_sub(b, m->xb));
    return carom_vec3_dot(n, m->w) + of_a - of_b;
}

void pass_corner(meeting *m)
{
    static const carom_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double turn = carom_vec3_length(m->wa) + carom_vec3_length(m->wb), reach = m->a.piece->reach;
    double slow = -ROUND_SPEED * (carom_vec3_length(m->w) + reach * turn); /* slower approaches do not count */
    bool approaches = gap_rate(m, m->n) < slow;
    for (int k = 0; k < 12 && approaches; k++) {
        carom_vec3 n = carom_vec3_scale(k % 2 ? -1 : 1, quat_turn(k < 6 ? m->a.q : m->b.q, unit[k / 2 % 3]));
        double gap = gap_along(&m->a, &m->b, n) - m->margin;
        if (gap >= -TOUCH_TOL * reach && gap_rate(m, n) >= slow) {
            m->n = n, m->gap = gap, m->is_exact = false;
            return;
        }
    }
}
