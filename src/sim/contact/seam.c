#include "sim/contact/seam.h"

#include "sim/motion/driven_path.h"
#include "sim/motion/motion.h"

static bool moves_alike(const carom_sim *sim, int i, int j)
{
    carom_vec3 v = carom_vec3_sub(mover_of(sim, i)->v, mover_of(sim, j)->v);
    double turn = carom_vec3_length(frame_of(sim, i)->turn.w) + carom_vec3_length(frame_of(sim, j)->turn.w);
    return !driven_of(sim, i) && !driven_of(sim, j) && v.x == 0 && v.y == 0 && v.z == 0 && turn == 0;
}

/* The level of the plane of contact c above that of the face of j, which is a ground along the normal. */
static double level_above(const carom_sim *sim, const closed_contact *c, int j)
{
    snap s = snap_at(sim, j, sim->time);
    placed here = place_piece(sim, piece_at(sim, j, 0), &s);
    carom_vec3 base = mover_position(mover_of(sim, c->b), sim->time);
    return carom_vec3_dot(c->normal, carom_vec3_sub(base, support(&here, c->normal))) + c->level;
}

static bool is_flush(const carom_sim *sim, const closed_contact *c, int j)
{
    const mover *m = mover_of(sim, j);
    if (m->is_movable || mover_of(sim, c->b)->is_movable || m->is_sphere || is_plane(sim, j) ||
        c->under.kind != GROUND_FLAT || !moves_alike(sim, c->b, j) || !is_ground(sim, j, c->normal))
        return false;
    double size = mover_of(sim, c->a)->radius + m->radius + carom_vec3_length(m->x);
    return fabs(level_above(sim, c, j)) <= TOUCH_TOL * size;
}

bool stands_on(const carom_sim *sim, const closed_contact *c, int j)
{
    return c->b == j || is_flush(sim, c, j);
}

/* Contact c goes on over the face of j, if that is where it comes to. */
static bool crosses_to(const carom_sim *sim, closed_contact *c, int j, carom_vec3 point, carom_vec3 u)
{
    touch_point at = {point, c->normal, snap_at(sim, j, sim->time)};
    if (j == c->b || !is_flush(sim, c, j) || !stays_inside(sim, j, at, u, mover_of(sim, c->a)->radius))
        return false;
    c->level += carom_vec3_dot(c->normal, carom_vec3_sub(mover_position(mover_of(sim, c->b), sim->time),
                                                         mover_position(mover_of(sim, j), sim->time)));
    c->b = j;
    return true;
}

bool crosses_seam(const carom_sim *sim, closed_contact *c, carom_vec3 point, carom_vec3 u)
{
    const int *fixed = store_ints(&sim->fixed);
    for (size_t k = 0; k < sim->fixed.count; k++)
        if (crosses_to(sim, c, fixed[k], point, u))
            return true;
    facet_walk w = facets_at(sim, point, mover_of(sim, c->a)->radius);
    for (int k; (k = facet_next(&w)) >= 0;)
        if (crosses_to(sim, c, sim->given + k, point, u))
            return true;
    return false;
}
