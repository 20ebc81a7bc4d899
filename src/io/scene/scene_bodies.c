/* The bodies of a scene: shape, mass, motion, material. */
#include <math.h>
#include <string.h>

#include "carom/elementary.h"
#include "io/case/format.h"
#include "io/json/number.h"
#include "io/scene/scene.h"

static const place bodies_place = {NULL, "bodies"};

/* ---- mass ---- */

/* Does every part of a compound have a density of its own? Then the body needs neither mass nor density. */
static bool has_dense_parts(const json_t *object)
{
    const json_t *parts = json_object_get(json_object_get(json_object_get(object, "shape"), "compound"), "parts");
    for (size_t i = 0; i < json_array_size(parts); i++)
        if (!json_object_get(json_array_get(parts, i), "density"))
            return false;
    return json_array_size(parts) > 0;
}

static bool check_mass_keys(const reader *r, const place *at, const json_t *object)
{
    place mass = {at, "mass"}, density = {at, "density"};
    const json_t *m = json_object_get(object, "mass"), *rho = json_object_get(object, "density");
    if (m && rho)
        return reader_fail(r, &density, "give either \"mass\" or \"density\", not both");
    return m || rho || has_dense_parts(object) ||
           reader_fail(r, &mass, "missing key: a body that can move needs \"mass\" or \"density\"");
}

/* Why a solid gives no mass. */
static bool blame_solid(const reader *r, const place *at, carom_status status, const json_t *object)
{
    place shape = {at, "shape"}, density = {at, "density"};
    r->error->status = status;
    if (status == CAROM_STATUS_BAD_MASS && json_object_get(object, "density"))
        return reader_fail(r, &density, "this shape has no volume; give its mass");
    return reader_fail(r, &shape, "%s", carom_status_message(status));
}

/* A body made from a mesh weighs what the mesh encloses, whatever it collides with. */
static bool weigh_mesh(carom_scene_body *body, const carom_mesh_measure *w, double density, carom_vec3 *centre)
{
    double rho = density > 0 ? density : body->def.mass / w->volume;
    carom_sym3 I = w->inertia;
    body->def.mass = rho * w->volume;
    body->def.inertia = (carom_sym3){rho * I.xx, rho * I.xy, rho * I.xz, rho * I.yy, rho * I.yz, rho * I.zz};
    body->own_com = true;
    body->com = *centre = w->centre;
    return true;
}

/* Mass and inertia of the solid; the centre of mass in its frame also of bodies that are fixed. */
static bool weigh(const reader *r, const place *at, const json_t *object, carom_scene_file *file, int i)
{
    carom_scene_body *body = &file->bodies[i];
    bool by_mass = json_object_get(object, "mass") || body->def.fixed;
    double density = json_object_get(object, "density") ? json_number_value(json_object_get(object, "density")) : 1;
    if (scene_mesh_found(file, object))
        return weigh_mesh(body, scene_mesh_found(file, object), by_mass ? 0 : density, &file->centres[i]);
    if (body->solid.kind == CAROM_SOLID_COMPOUND)
        density = 1; /* its parts have theirs */
    carom_status status =
        carom_solid_body(&body->solid, file->scene.dim, by_mass ? 0 : density, &body->def, &file->centres[i]);
    return status == CAROM_STATUS_OK || blame_solid(r, at, status, object);
}

/* A centre of mass other than the centre of the shape comes with a mass and an inertia of its own. */
static bool read_com(const reader *r, const place *at, const json_t *object, carom_scene_file *file, int i)
{
    carom_scene_body *body = &file->bodies[i];
    place com = {at, "com"};
    if (!json_object_get(object, "com"))
        return true;
    if (!json_object_get(object, "mass") || !json_object_get(object, "inertia"))
        return reader_fail(r, &com, "a centre of mass of its own needs \"mass\" and \"inertia\"");
    if (!reader_world(r, &com, object, file->scene.dim, &body->com))
        return false;
    body->own_com = true;
    file->centres[i] = body->com;
    return true;
}

static bool read_masses(const reader *r, const place *at, const json_t *object, carom_scene_file *file, int i)
{
    carom_scene_body *body = &file->bodies[i];
    place inertia = {at, "inertia"};
    const json_t *own = json_object_get(object, "inertia"), *m = json_object_get(object, "mass");
    if (!check_mass_keys(r, at, object))
        return false;
    body->def.mass = m ? json_number_value(m) : 0;
    return weigh(r, at, object, file, i) &&
           (!own || reader_inertia(r, &inertia, own, file->scene.dim, &body->def.inertia));
}

/* ---- motion ---- */

static bool read_angle(const reader *r, const place *at, const json_t *object, carom_quat *q)
{
    place turn = {at, "orientation"};
    double number = json_number_value(json_object_get(object, "angle"));
    if (json_object_get(object, "orientation"))
        return reader_fail(r, &turn, "has no meaning in a planar scene; give \"angle\"");
    *q = (carom_quat){carom_cos(number / 2), 0, 0, carom_sin(number / 2)};
    return true;
}

static bool read_orientation(const reader *r, const place *at, const json_t *object, int dim, carom_quat *q)
{
    place angle = {at, "angle"}, turn = {at, "orientation"};
    const json_t *value = json_object_get(object, "orientation");
    double w[4];
    if (dim == 2)
        return read_angle(r, at, object, q);
    if (json_object_get(object, "angle"))
        return reader_fail(r, &angle, "is for planar scenes; give \"orientation\"");
    if (!value)
        return true;
    if (!reader_vector(r, &turn, value, 4, w))
        return false;
    *q = (carom_quat){w[0], w[1], w[2], w[3]};
    return true;
}

static bool read_motion(const reader *r, const place *at, const json_t *object, int dim, carom_body_def *def)
{
    place position = {at, "position"}, velocity = {at, "velocity"}, omega = {at, "omega"};
    const json_t *spin = json_object_get(object, "omega");
    if (!reader_world(r, &position, object, dim, &def->position) ||
        !reader_world(r, &velocity, object, dim, &def->velocity) ||
        !read_orientation(r, at, object, dim, &def->orientation))
        return false;
    if (dim == 2 && spin)
        return reader_number(r, &omega, spin, &def->omega.z);
    return reader_world(r, &omega, object, dim, &def->omega);
}

/* ---- one body ---- */

bool scene_material(const reader *r, const place *at, const json_t *object, scene_materials *materials, int *number)
{
    place here = {at, "material"};
    const json_t *value = json_object_get(object, "material");
    const char *word = json_string_value(value);
    *number = 0;
    if (!value)
        return true;
    if (!word)
        return reader_fail(r, &here, "must be a string, the name of a material");
    for (int i = 1; i < materials->count && !*number; i++)
        *number = strcmp(materials->words[i], word) == 0 ? i : 0;
    if (!*number) {
        *number = materials->count;
        materials->words[materials->count++] = word;
    }
    return true;
}

/* A half-space stands still or moves on at a constant velocity; its place is its offset. */
static bool check_half_space(const reader *r, const place *at, const json_t *object, const carom_scene_body *body)
{
    static const char *const without[] = {"position", "orientation", "angle", "omega", NULL};
    place fixed = {at, "fixed"};
    if (body->solid.kind != CAROM_SOLID_HALF_SPACE)
        return true;
    if (!body->def.fixed)
        return reader_fail(r, &fixed, "a half-space must be fixed: give \"fixed\": true");
    for (int i = 0; without[i]; i++) {
        place here = {at, without[i]};
        if (json_object_get(object, without[i]))
            return reader_fail(r, &here, "has no meaning for a half-space; its normal and offset place it");
    }
    return true;
}

/* A surface stands where its frame is. */
static bool check_surface(const reader *r, const place *at, const json_t *object, const carom_scene_body *body)
{
    static const char *const without[] = {"velocity", "omega", "path", NULL};
    for (int i = 0; without[i] && body->solid.kind == CAROM_SOLID_MESH; i++) {
        place here = {at, without[i]};
        if (json_object_get(object, without[i]))
            return reader_fail(r, &here, "ground made of triangles does not move");
    }
    return true;
}

/* What carom_body_init refuses, with the key to blame. */
static bool check_body(const reader *r, const place *at, const carom_body_def *def, int dim)
{
    place inertia = {at, "inertia"}, orientation = {at, "orientation"};
    carom_body body;
    carom_status status = dim == 2 ? carom_body_init_planar(def, &body) : carom_body_init(def, &body);
    if (status == CAROM_STATUS_OK)
        return true;
    r->error->status = status;
    return reader_refuse(r,
                         status == CAROM_STATUS_BAD_INERTIA       ? &inertia
                         : status == CAROM_STATUS_BAD_ORIENTATION ? &orientation
                                                                  : at,
                         status);
}

static bool read_body(const reader *r, const place *at, const json_t *object, carom_scene_file *file, int i)
{
    carom_scene_body *body = &file->bodies[i];
    body->def = carom_body_def_default();
    body->def.fixed = json_is_true(json_object_get(object, "fixed"));
    if (!reader_object(r, at, object, FORMAT_scene_body) || !scene_solid(r, at, object, file, &body->solid) ||
        !read_motion(r, at, object, file->scene.dim, &body->def))
        return false;
    bool fine = check_half_space(r, at, object, body) && check_surface(r, at, object, body) &&
                scene_path(r, at, object, file, i);
    if (body->solid.kind != CAROM_SOLID_HALF_SPACE && body->solid.kind != CAROM_SOLID_MESH)
        fine = fine && (body->def.fixed ? weigh(r, at, object, file, i)
                                        : read_masses(r, at, object, file, i) && read_com(r, at, object, file, i));
    return fine && check_body(r, at, &body->def, file->scene.dim);
}

bool scene_link_body(const reader *r, const place *at, const json_t *object, carom_scene_file *file, int i)
{
    carom_scene_body *body = &file->bodies[i];
    place shape = {at, "shape"};
    body->def = carom_body_def_default();
    if (!json_object_get(object, "shape"))
        return reader_missing(r, at, "shape");
    if (!scene_solid(r, at, object, file, &body->solid))
        return false;
    if (body->solid.kind == CAROM_SOLID_HALF_SPACE)
        return reader_fail(r, &shape, "a link cannot be a half-space");
    return read_masses(r, at, object, file, i) && check_body(r, at, &body->def, file->scene.dim);
}

static bool check_name(const reader *r, const char *name)
{
    place here = {&bodies_place, name};
    if (!name[0])
        return reader_fail(r, &bodies_place, "a body needs a name");
    if (strcmp(name, "world") == 0)
        return reader_fail(r, &here, "\"world\" is the immovable body of case files; choose another name");
    for (const char *s = name; *s; s++)
        if ((unsigned char)*s < 0x20 || *s == 0x7F)
            return reader_fail(r, &bodies_place, "names must have no control characters");
    return true;
}

static bool allocate(const reader *r, carom_scene_file *file, size_t count, scene_materials *materials)
{
    file->scene.bodies = file->bodies = scene_take(r, file, count, sizeof *file->bodies);
    file->names = scene_take(r, file, count, sizeof *file->names);
    file->centres = scene_take(r, file, count, sizeof *file->centres);
    materials->words = scene_take(r, file, count + 2, sizeof *materials->words);
    materials->count = 1;
    return file->bodies && file->names && file->centres && materials->words;
}

bool scene_bodies(const reader *r, const json_t *document, carom_scene_file *file, scene_materials *materials)
{
    const json_t *bodies = json_object_get(document, "bodies");
    size_t links = json_array_size(json_object_get(document, "links"));
    size_t count = json_object_size(bodies);
    const char *name;
    json_t *object;
    int i = 0;
    if (!bodies && !links)
        return reader_missing(r, NULL, "bodies");
    if ((bodies && !json_is_object(bodies)) || count + links == 0 || count + links > CAROM_SCENE_BODIES)
        return reader_fail(r, &bodies_place, "must be an object of 1 to %d named bodies", CAROM_SCENE_BODIES);
    if (!allocate(r, file, count + links, materials))
        return false;
    json_object_foreach(bodies, name, object)
    {
        place here = {&bodies_place, name};
        carom_scene_body *body = &file->bodies[i];
        file->names[i] = name;
        file->scene.body_count = i;
        if (!check_name(r, name) || !read_body(r, &here, object, file, i) ||
            !scene_fields(r, &here, object, document, file) ||
            !scene_material(r, &here, object, materials, &body->material))
            return false;
        i++;
    }
    file->scene.body_count = i;
    return true;
}
