#include "sim/detect/near.h"

#include "sim/detect/cells.h"
#include "sim/detect/impact_time.h"
#include "sim/motion/motion.h"

double balls_gap_at(const carom_sim *sim, int i, int j, double t)
{
    if (is_plane(sim, j))
        return -INFINITY;
    return carom_vec3_length(separation(sim, i, j, t)) - mover_of(sim, i)->radius - mover_of(sim, j)->radius;
}

double gap_from(const carom_sim *sim, int i, int j, double t, carom_vec3 *axis)
{
    const mover *a = mover_of(sim, i), *b = mover_of(sim, j);
    if (is_plane(sim, j)) {
        carom_vec3 d = carom_vec3_sub(mover_position(a, t), mover_position(b, t));
        double height = carom_vec3_dot(plane_normal(sim, j), d) - plane_offset(sim, j) - a->radius;
        return a->is_sphere ? height : solid_gap(sim, i, j, t, axis);
    }
    if (!a->is_sphere || !b->is_sphere)
        return solid_gap(sim, i, j, t, axis);
    return balls_gap_at(sim, i, j, t);
}

double gap_at(const carom_sim *sim, int i, int j, double t)
{
    carom_vec3 none = {0, 0, 0};
    if (is_plane(sim, i))
        return is_plane(sim, j) ? INFINITY : gap_at(sim, j, i, t);
    return gap_from(sim, i, j, t, &none);
}

/* ---- neighbours ---- */

static void visit_bucket(carom_sim *sim, int i, const bucket *b, visitor *visit, void *context)
{
    const cell *cells = sim->cells.data;
    for (int k = 0; k < b->count; k++)
        if (b->body[k] != i && cells_are_near(sim, &cells[i], &cells[b->body[k]]))
            visit(sim, i, b->body[k], context);
    for (int j = b->others ? *cells_others(sim, b) : -1; j >= 0; j = cells[j].next)
        if (j != i && cells_are_near(sim, &cells[i], &cells[j]))
            visit(sim, i, j, context);
}

void visit_cells(carom_sim *sim, int i, visitor *visit, void *context)
{
    cell_steps steps;
    cells_steps(sim, i, &cells_around, &steps);
    for (int x = 0; x < steps.count[0]; x++)
        for (int y = 0; y < steps.count[1]; y++)
            for (int z = 0; z < steps.count[2]; z++)
                visit_bucket(sim, i, cells_row(sim, &steps, y, z) + steps.at[0][x], visit, context);
}
