#include "sim/rest/rim_feet.h"

#include "core/rotate.h"
#include "sim/contact/crossing.h"
#include "sim/contact/ground.h"

void lay_rims(carom_sim *sim, ride *r, const double *y)
{
    for (int k = 0; k < r->count; k++) {
        ride_contact *c = &r->c[k];
        carom_quat q = quat_at(y + STATE * c->a + 3);
        carom_vec3 axis = quat_turn(quat_multiply(q, c->foot.turn), carom_vec3_make(0, 0, 1));
        /* a rim that may come down as a whole */
        if (c->foot.kind != CORE_DISK || carom_vec3_length(carom_vec3_cross(axis, c->n)) >= 10 * SMALL_SHARE)
            continue;
        carom_vec3 core = vec_plus(contact_arm(r, k, y), c->foot.margin, c->n);
        c->foot.kind = CORE_POINT;
        c->foot.offset = quat_turn(quat_conjugate(q), core);
        ((closed_contact *)sim->closed.data)[c->closed].foot = c->foot;
    }
}

/* A direction is rounding where what has it is: d, of such a size, points along the unit vector out to rounding. */
static bool points_along(carom_vec3 d, carom_vec3 out, double rounding)
{
    double size = carom_vec3_length(d);
    return vec_distance(d, carom_vec3_scale(size, out)) <= SAME * size + rounding;
}

/* Does a round face, tilted or still flat, turn about another axis than the one that takes it down, or up again, at the
 * point of its rim in this direction? scale: of such turns. */
static bool turns_beside(carom_vec3 turn, carom_vec3 n, carom_vec3 out, bool tilted, double scale)
{
    carom_vec3 down = carom_vec3_cross(turn, n), level = vec_across(out, n);
    out = carom_vec3_scale(1 / carom_vec3_length(level), level);
    down = carom_vec3_scale(tilted && carom_vec3_dot(down, out) < 0 ? -1 : 1, down);
    return carom_vec3_length(down) > SAME * scale && !points_along(down, out, ROUND_SPEED * scale);
}

/* A round face stands on points of its rim. It may tip over one of them where it goes down there and nowhere else;
 * otherwise it would sink in between: stepping takes over. */
static bool leaves_feet_of_rim(const ride *r, int k, const double *y, const double *f)
{
    const ride_contact *c = &r->c[k];
    if (c->closed < 0 || c->mode == RIDE_OPEN || c->foot.kind != CORE_POINT)
        return false;
    const closed_contact *own = (const closed_contact *)r->sim->closed.data + c->closed;
    const piece *p = piece_at(r->sim, own->a, own->piece);
    const double *at = y + STATE * c->a;
    carom_quat q = {at[3], at[4], at[5], at[6]};
    carom_vec3 axis = quat_turn(p->turn, carom_vec3_make(0, 0, 1));
    carom_vec3 out = vec_across(carom_vec3_sub(c->foot.offset, p->offset), axis);
    bool round = p->kind == CORE_CYLINDER || p->kind == CORE_CONE || p->kind == CORE_DISK;
    if (!round || !(carom_vec3_length(out) > 0.5 * p->size[0])) /* an apex */
        return false;
    out = quat_turn(q, carom_vec3_scale(1 / carom_vec3_length(out), out));
    axis = quat_turn(q, axis);
    carom_vec3 tilt = vec_across(carom_vec3_scale(-1, c->n), axis), rate = vec_at(f + STATE * c->a + 10);
    bool tilted = carom_vec3_length(tilt) > SAME;
    if (tilted && !points_along(tilt, out, ROUND_PLACE))
        return true;
    if (c->b >= 0)
        rate = carom_vec3_sub(rate, vec_at(f + STATE * c->b + 10));
    double scale = r->strength / ride_radius(r);
    carom_vec3 turn = turn_against(r, k, y);
    bool turns = tilted || carom_vec3_length(carom_vec3_cross(turn, c->n)) > SAME * sqrt(scale);
    return turns_beside(turn, c->n, out, tilted, sqrt(scale)) || turns_beside(rate, c->n, out, turns, scale);
}

/* A side that lies along a line has one foot, which holds no turn but the one about its axis. */
static bool leaves_line(const ride *r, int k, const double *y, const double *f)
{
    const ride_contact *c = &r->c[k];
    if (c->closed < 0 || !is_side(r->sim, (const closed_contact *)r->sim->closed.data + c->closed))
        return false;
    carom_vec3 rate = vec_at(f + STATE * c->a + 10), axis = c->under.axis;
    if (c->b >= 0)
        rate = carom_vec3_sub(rate, vec_at(f + STATE * c->b + 10));
    double least = SAME * r->strength / ride_radius(r);
    return carom_vec3_length(vec_across(turn_against(r, k, y), axis)) > sqrt(SAME * least) ||
           carom_vec3_length(vec_across(rate, axis)) > least || !lies_along(r->sim, r->m[c->a].body, &c->under);
}

bool leaves_rims(const ride *r, const double *y, const double *f)
{
    for (int k = 0; k < r->count; k++)
        if (leaves_feet_of_rim(r, k, y, f) || leaves_line(r, k, y, f))
            return true;
    return false;
}
