#include "sim/world/make_pieces.h"

#include <string.h>

#include "core/rotate.h"

static carom_status half_space_piece(const carom_scene_body *body, piece *p)
{
    double length = carom_vec3_length(body->solid.normal);
    if (!(fabs(length - 1) <= VISIBLE))
        return CAROM_STATUS_BAD_NORMAL;
    if (!body->def.fixed)
        return CAROM_STATUS_BAD_SHAPE;
    p->kind = CORE_HALF_SPACE;
    p->offset = quat_turn(body->def.orientation, carom_vec3_scale(1 / length, body->solid.normal));
    p->size[0] = body->solid.offset;
    return isfinite(p->size[0]) ? CAROM_STATUS_OK : CAROM_STATUS_NOT_FINITE;
}

static const carom_vec3 *points_of(const carom_sim *sim, const piece *p)
{
    return (const carom_vec3 *)sim->points.data + p->first_point;
}

/* An earlier hull of the same points: its faces serve both. */
static const piece *find_twin(const carom_sim *sim, const piece *p)
{
    const piece *all = sim->pieces.data;
    for (const piece *q = all; p->point_count > 2 * BOX_POINTS && q < p; q++)
        if (q->kind == CORE_HULL && q->point_count == p->point_count &&
            memcmp(points_of(sim, q), points_of(sim, p), (size_t)p->point_count * sizeof(carom_vec3)) == 0)
            return q;
    return NULL;
}

static bool add_faces(carom_sim *sim, piece *p)
{
    const piece *twin = find_twin(sim, p);
    if (!twin)
        return hull_table_add(&sim->hulls, &sim->memory, sim->scene->dim, points_of(sim, p), p);
    p->first_face = twin->first_face;
    p->face_count = twin->face_count;
    return true;
}

carom_status weigh_solid(carom_sim *sim, const carom_solid *solid, carom_vec3 *centre)
{
    carom_body_def def = carom_body_def_default();
    if (hull_is_same(&sim->hulls.weighed, solid)) {
        *centre = sim->hulls.centre;
        return CAROM_STATUS_OK;
    }
    carom_status status = carom_solid_body(solid, sim->scene->dim, 0, &def, centre);
    if (!status && solid->kind == CAROM_SOLID_HULL) {
        sim->hulls.weighed = *solid;
        sim->hulls.centre = *centre;
    }
    return status;
}

/* One simple solid, its centre of mass at the place at, turned by q. */
static carom_status add_piece(carom_sim *sim, const carom_solid *solid, carom_vec3 at, carom_quat q)
{
    carom_vec3 centre = {0, 0, 0};
    carom_status status = weigh_solid(sim, solid, &centre);
    piece *p = store_push(&sim->pieces, &sim->memory);
    if (!p)
        return CAROM_STATUS_NO_MEMORY;
    if (status || !piece_of(solid, sim->scene->dim, p))
        return status ? status : CAROM_STATUS_BAD_SHAPE;
    p->offset = at;
    p->turn = quat_scale(1 / quat_norm(q), q);
    p->is_plain = at.x == 0 && at.y == 0 && at.z == 0 && q.x == 0 && q.y == 0 && q.z == 0;
    if (p->kind == CORE_HULL) {
        p->first_point = (int)sim->points.count;
        p->reach = 0;
        for (int i = 0; i < solid->point_count; i++) {
            carom_vec3 *v = store_push(&sim->points, &sim->memory);
            if (!v)
                return CAROM_STATUS_NO_MEMORY;
            *v = carom_vec3_sub(solid->points[i], centre);
            p->reach = max(p->reach, carom_vec3_length(*v));
        }
        if (!add_faces(sim, p))
            return CAROM_STATUS_NO_MEMORY;
    }
    p->reach += carom_vec3_length(at);
    return CAROM_STATUS_OK;
}

carom_status make_pieces(carom_sim *sim, int i)
{
    const carom_scene_body *body = &sim->scene->bodies[i];
    const carom_solid *solid = &body->solid;
    frame_of_body *f = frame_of(sim, i);
    carom_vec3 centre = {0, 0, 0};
    carom_quat none = {1, 0, 0, 0};
    f->first_piece = (int)sim->pieces.count;
    f->piece_count = solid->kind == CAROM_SOLID_COMPOUND ? solid->part_count : 1;
    if (solid->kind == CAROM_SOLID_HALF_SPACE) {
        piece *p = store_push(&sim->pieces, &sim->memory);
        return p ? half_space_piece(body, p) : CAROM_STATUS_NO_MEMORY;
    }
    if (solid->kind == CAROM_SOLID_MESH) { /* its facets collide, not itself */
        piece *p = store_push(&sim->pieces, &sim->memory);
        return p ? CAROM_STATUS_OK : CAROM_STATUS_NO_MEMORY;
    }
    if (solid->kind != CAROM_SOLID_COMPOUND && !body->own_com)
        return add_piece(sim, solid, centre, none);
    carom_status status = weigh_solid(sim, solid, &centre);
    if (solid->kind != CAROM_SOLID_COMPOUND)
        return add_piece(sim, solid, carom_vec3_sub(centre, body->com), none);
    centre = body->own_com ? body->com : centre;
    for (int k = 0; k < solid->part_count && !status; k++)
        status = add_piece(sim, &solid->parts[k].solid, carom_vec3_sub(solid->parts[k].position, centre),
                           solid->parts[k].orientation);
    return status;
}
