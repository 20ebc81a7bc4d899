/* A facet is the triangle and the same triangle pushed into the solid: a hull of six points. Points that triangles
 * share are pushed along a common normal, so that neighbours meet without a gap, and flat parts of a mesh are floors
 * without seams (contact/seam.h). How deep does not matter to impacts, which happen at the surface; a deep facet tells
 * in from out where steps leave an overlap, and it must not come out of the other side of a wall. */
#include "sim/world/ground_mesh.h"

#include "core/rotate.h"

#define DEPTH     0.5  /* of the shortest side of the triangles at a point */
#define WALL      0.4  /* of the way through the solid to its other side */
#define LEAN_MOST 0.25 /* cosine: a common normal further from that of a facet is not used for it */

typedef struct mesh_point {
    carom_vec3 at, normal; /* world; of the facets there, weighted by their areas */
    double depth;
} mesh_point;

/* A triangle with area: its owner and its corners. */
typedef struct facet {
    int owner;
    mesh_point *corner[3];
    carom_vec3 normal; /* unit */
} facet;

static bool is_mesh(const carom_scene_body *b)
{
    return b->solid.kind == CAROM_SOLID_MESH;
}

static carom_status check_mesh(const carom_scene_body *b, int dim)
{
    const carom_solid *s = &b->solid;
    if (dim != 3 || !b->def.fixed || b->drive || !vec_is_zero(b->def.velocity) || !vec_is_zero(b->def.omega) ||
        !s->points || !s->triangles || s->triangle_count < 1)
        return CAROM_STATUS_BAD_SHAPE;
    for (size_t k = 0; k < 3 * (size_t)s->triangle_count; k++)
        if (s->triangles[k] < 0 || s->triangles[k] >= s->point_count)
            return CAROM_STATUS_BAD_SHAPE;
    for (int k = 0; k < s->point_count; k++)
        if (!isfinite(s->points[k].x + s->points[k].y + s->points[k].z))
            return CAROM_STATUS_NOT_FINITE;
    return CAROM_STATUS_OK;
}

/* ---- points and triangles in the world ---- */

static carom_vec3 side_of(const facet *f, int k)
{
    return carom_vec3_sub(f->corner[(k + 1) % 3]->at, f->corner[k]->at);
}

/* Fills in the normal, and what the triangle gives to its points; false: it has no area. */
static bool weigh(facet *f)
{
    double shortest = INFINITY, longest = 0;
    for (int k = 0; k < 3; k++) {
        double side = carom_vec3_length(side_of(f, k));
        longest = max(longest, side);
        shortest = min(shortest, side);
    }
    carom_vec3 n = carom_vec3_cross(side_of(f, 0), side_of(f, 1));
    double area = carom_vec3_length(n);
    if (!(area > 0.01 * ROUND_PLACE * longest * longest)) /* a needle, to rounding of its corners */
        return false;
    f->normal = carom_vec3_scale(1 / area, n);
    for (int k = 0; k < 3; k++) {
        f->corner[k]->normal = carom_vec3_add(f->corner[k]->normal, n);
        f->corner[k]->depth = min(f->corner[k]->depth, DEPTH * shortest);
    }
    return true;
}

/* Triangles of a mesh, from the points on that its first one has. */
static void add_triangles(carom_sim *sim, store *facets, mesh_point *points, int owner)
{
    const carom_scene_body *b = &sim->own_scene.bodies[owner];
    const carom_solid *s = &b->solid;
    for (int k = 0; k < s->point_count; k++)
        points[k] = (mesh_point){
            carom_vec3_add(b->def.position, quat_turn(b->def.orientation, s->points[k])), {0, 0, 0}, INFINITY};
    for (int k = 0; k < s->triangle_count; k++) {
        const int *t = s->triangles + 3 * (size_t)k;
        facet f = {owner, {&points[t[0]], &points[t[1]], &points[t[2]]}, {0, 0, 0}};
        if (weigh(&f))
            ((facet *)facets->data)[facets->count++] = f;
    }
    for (int k = 0; k < s->point_count; k++) {
        double length = carom_vec3_length(points[k].normal);
        points[k].normal = carom_vec3_scale(length > 0 ? 1 / length : 0, points[k].normal);
    }
}

static bool make_tree(carom_sim *sim, const store *facets)
{
    const facet *f = facets->data;
    if (!store_resize(&sim->facets.boxes, &sim->memory, facets->count))
        return false;
    box3 *boxes = sim->facets.boxes.data;
    for (size_t k = 0; k < facets->count; k++) {
        boxes[k] = box_around(f[k].corner[0]->at, 0);
        box_add(&boxes[k], f[k].corner[1]->at);
        box_add(&boxes[k], f[k].corner[2]->at);
    }
    return facet_tree_build(&sim->facets, &sim->memory);
}

/* ---- depth ---- */

/* How far from x along the unit vector d a facet is; infinite: it is not met, or only in its border. */
static double way_to(const facet *f, carom_vec3 x, carom_vec3 d)
{
    double across = carom_vec3_dot(f->normal, d);
    double way = carom_vec3_dot(f->normal, carom_vec3_sub(f->corner[0]->at, x)) / across;
    if (across == 0 || !(way > 0))
        return INFINITY;
    carom_vec3 at = vec_plus(x, way, d);
    for (int k = 0; k < 3; k++) {
        carom_vec3 in = carom_vec3_cross(f->normal, side_of(f, k));
        if (!(carom_vec3_dot(in, carom_vec3_sub(at, f->corner[k]->at)) > 0))
            return INFINITY;
    }
    return way;
}

/* The way into the solid from a point, to WALL of where it ends. */
static void limit_depth(const carom_sim *sim, const facet *facets, mesh_point *p)
{
    carom_vec3 in = carom_vec3_scale(-1, p->normal);
    box3 box = box_around(p->at, 0);
    box_add(&box, vec_plus(p->at, p->depth / WALL, in));
    facet_walk w = facet_walk_make(&sim->facets, box);
    for (int k; (k = facet_next(&w)) >= 0;) {
        const facet *f = &facets[k];
        if (f->corner[0] != p && f->corner[1] != p && f->corner[2] != p)
            p->depth = min(p->depth, WALL * way_to(f, p->at, in));
    }
}

/* ---- bodies ---- */

static void make_facet(const carom_sim *sim, const facet *f, carom_vec3 *at, carom_scene_body *out)
{
    bool leans = false;
    for (int m = 0; m < 3; m++)
        leans |= carom_vec3_dot(f->corner[m]->normal, f->normal) < LEAN_MOST;
    for (int m = 0; m < 3; m++) {
        const mesh_point *p = f->corner[m];
        at[m] = p->at;
        at[3 + m] = carom_vec3_sub(p->at, carom_vec3_scale(p->depth, leans ? f->normal : p->normal));
    }
    *out = (carom_scene_body){.solid = {.kind = CAROM_SOLID_HULL, .points = at, .point_count = 6}};
    out->def = carom_body_def_default();
    out->def.fixed = true;
    out->material = sim->own_scene.bodies[f->owner].material;
}

/* The body of a hull is where its centre of mass is. */
static carom_status place_facet(carom_scene_body *out)
{
    carom_body_def def = carom_body_def_default();
    def.mass = 1;
    return carom_solid_body(&out->solid, 3, 0, &def, &out->def.position);
}

static carom_status add_bodies(carom_sim *sim, const store *facets)
{
    const facet *f = facets->data;
    carom_scene_body *bodies = sim->own_bodies.data;
    carom_vec3 *points = sim->own_points.data;
    for (size_t k = 0; k < facets->count; k++) {
        carom_scene_body *out = &bodies[sim->own_bodies.count++];
        store_ints(&sim->owners)[k] = f[k].owner;
        make_facet(sim, &f[k], points + 6 * k, out);
        carom_status status = place_facet(out);
        sim->error.body = status ? f[k].owner : sim->error.body;
        if (status)
            return status;
    }
    return CAROM_STATUS_OK;
}

/* ---- the scene ---- */

typedef struct mesh_sizes {
    size_t points, triangles;
} mesh_sizes;

static carom_status measure(const carom_scene *scene, mesh_sizes *all, carom_sim_error *error)
{
    for (int i = 0; i < scene->body_count; i++) {
        const carom_scene_body *b = &scene->bodies[i];
        carom_status status = is_mesh(b) ? check_mesh(b, scene->dim) : CAROM_STATUS_OK;
        error->body = status ? i : error->body;
        if (status)
            return status;
        all->points += is_mesh(b) ? (size_t)b->solid.point_count : 0;
        all->triangles += is_mesh(b) ? (size_t)b->solid.triangle_count : 0;
    }
    return CAROM_STATUS_OK;
}

static carom_status expand(carom_sim *sim, mesh_point *points, store *facets)
{
    const mesh_point *first = points;
    for (int i = 0; i < sim->given; i++)
        if (is_mesh(&sim->own_scene.bodies[i])) {
            add_triangles(sim, facets, points, i);
            points += sim->own_scene.bodies[i].solid.point_count;
        }
    if (!make_tree(sim, facets))
        return CAROM_STATUS_NO_MEMORY;
    for (mesh_point *p = (mesh_point *)(uintptr_t)first; p < points; p++)
        if (p->depth < INFINITY)
            limit_depth(sim, facets->data, p);
    return add_bodies(sim, facets);
}

static bool reserve(carom_sim *sim, const mesh_sizes *all, store *points, store *facets)
{
    size_t given = (size_t)sim->given;
    return given + all->triangles < INT32_MAX / 8 && store_reserve(points, &sim->memory, all->points) &&
           store_reserve(facets, &sim->memory, all->triangles) &&
           store_reserve(&sim->own_bodies, &sim->memory, given + all->triangles) &&
           store_resize(&sim->own_bodies, &sim->memory, given) &&
           store_resize(&sim->owners, &sim->memory, all->triangles) &&
           store_resize(&sim->own_points, &sim->memory, 6 * all->triangles);
}

carom_status ground_mesh_make(carom_sim *sim, const carom_scene *scene)
{
    mesh_sizes all = {0, 0};
    sim->scene = scene;
    sim->count = sim->given = scene->body_count;
    carom_status status = measure(scene, &all, &sim->error);
    if (status || !all.triangles)
        return status;
    store points, facets;
    store_init(&points, sizeof(mesh_point));
    store_init(&facets, sizeof(facet));
    status = CAROM_STATUS_NO_MEMORY;
    if (reserve(sim, &all, &points, &facets)) {
        memcpy(sim->own_bodies.data, scene->bodies, (size_t)sim->given * sizeof *scene->bodies);
        sim->own_scene = *scene;
        sim->own_scene.bodies = sim->own_bodies.data; /* it moves no more */
        status = expand(sim, points.data, &facets);
        sim->own_scene.body_count = sim->count = (int)sim->own_bodies.count;
        sim->scene = &sim->own_scene;
    }
    store_free(&points, &sim->memory);
    store_free(&facets, &sim->memory);
    return status;
}
