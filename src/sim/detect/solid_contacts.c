/* Gaps between bodies, and the points where they touch. */
#include "sim/detect/impact_time.h"
#include "sim/detect/meeting.h"
#include "sim/shape/feature.h"

static bool is_found(const carom_sim *sim, carom_vec3 point, double apart)
{
    for (size_t k = 0; k < sim->found.count; k++)
        if (vec_distance(found_at(sim, (int)k)->point, point) <= apart)
            return true;
    return false;
}

/* The points where two pieces touch; further ones than apart from those that are known. */
static void add_found(carom_sim *sim, const meeting *m, int of, double flat, double apart)
{
    carom_vec3 *point = sim->hulls.clip.data, *room[2] = {point, point + sim->hulls.clip.count / 2};
    int count = contact_points(&m->a, &m->b, m->n, flat, room);
    for (int k = 0; k < count; k++) {
        if (apart > 0 && is_found(sim, point[k], apart))
            continue;
        found_contact *c = store_push(&sim->found, &sim->memory);
        if (!c) {
            sim->out_of_memory = true;
            return;
        }
        bool differs = flat > ROUND_PLACE && !m->plane;
        double gap = differs ? contact_gap_at(&m->a, &m->b, m->n, flat, point[k]) : m->gap;
        *c = (found_contact){point[k], m->n, of, gap};
    }
}

/* Is one of the points found from first on as deep as the bodies are? On a plane all of them say so. */
static bool has_deepest(const carom_sim *sim, const meeting *m, size_t first)
{
    for (size_t k = first; k < sim->found.count && !m->plane; k++)
        if (found_at(sim, (int)k)->gap <= m->gap + STEP_DEPTH * m->a.piece->reach)
            return true;
    return false;
}

/* The deepest point itself is none of the loose ones where a rim is tilted. Where an edge lies on a face to rounding it
 * may be at any end of the two, beside the other body. */
static void add_loosely(carom_sim *sim, const meeting *m, int of)
{
    size_t first = sim->found.count;
    /* pieces further away than the nearest one by more do not count */
    if (m->gap <= sim->loose->gap + SMALL_SHARE * m->a.piece->reach)
        add_found(sim, m, of, 20 * SMALL_SHARE, 0);
    if (m->gap <= sim->loose->gap + TOUCH_TOL * m->a.piece->reach && !has_deepest(sim, m, first))
        add_found(sim, m, of, ROUND_PLACE, VISIBLE * m->a.piece->reach); /* one point */
}

carom_vec3 known_axis(const carom_sim *sim, int i, int j)
{
    const frame_of_body *f = frame_of(sim, i), *g = frame_of(sim, j);
    carom_vec3 none = {0, 0, 0};
    if (f->piece_count > 1 || g->piece_count > 1)
        return none;
    return f->axis_with == j ? f->axis : g->axis_with == i ? carom_vec3_scale(-1, g->axis) : none;
}

int solid_contacts(carom_sim *sim, int i, int j, double t)
{
    const frame_of_body *f = frame_of(sim, i), *g = frame_of(sim, j);
    near_look *loose = sim->loose;
    carom_vec3 none = {0, 0, 0}, axis = loose ? loose->axis : known_axis(sim, i, j);
    bool single = f->piece_count == 1 && g->piece_count == 1;
    double least = single ? INFINITY : solid_gap(sim, i, j, t, &none),
           size = mover_of(sim, i)->radius + (is_plane(sim, j) ? 0 : mover_of(sim, j)->radius);
    sim->found.count = 0;
    for (int a = 0; a < f->piece_count; a++)
        for (int b = 0; b < g->piece_count; b++) {
            pieces_pair p = pieces_pair_of(sim, i, j, a, b);
            meeting m = meet(&p, t, single ? axis : none, 0);
            if (m.plane)
                m.b.piece = p.b;
            if (loose) {
                *loose = (near_look){single ? m.n : none, single ? m.gap : least};
                add_loosely(sim, &m, a);
            } else if (m.gap <= least + TOUCH_TOL * size) {
                /* an impact does not tell the points from one */
                add_found(sim, &m, a, ROUND_PLACE, single ? 10 * SAME * size : 0);
            }
        }
    return (int)sim->found.count;
}

double solid_gap(const carom_sim *sim, int i, int j, double t, carom_vec3 *axis)
{
    const frame_of_body *f = frame_of(sim, i), *g = frame_of(sim, j);
    carom_vec3 none = {0, 0, 0};
    bool single = f->piece_count == 1 && g->piece_count == 1;
    double least = INFINITY;
    for (int a = 0; a < f->piece_count; a++)
        for (int b = 0; b < g->piece_count; b++) {
            pieces_pair p = pieces_pair_of(sim, i, j, a, b);
            meeting m = meet(&p, t, single ? *axis : none, 0);
            least = min(least, m.gap);
            *axis = single ? m.n : none;
        }
    return least;
}
