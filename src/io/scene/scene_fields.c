/* Forces on the bodies of a scene: "gravity" of a body, and "drag", "magnus" and "wind" of a body or of the scene. */
#include <math.h>

#include "io/scene/scene.h"

#define HALF_PI 1.5707963267948966

static const char *const drag_keys[] = {"linear", "quadratic", "angular", "density", "coefficient", "area", NULL};
static const char *const magnus_keys[] = {"coefficient", "density", "lift", "area", "radius", NULL};
static const char *const field_keys[] = {"drag", "magnus", "wind", NULL};

/* A number >= 0 where there is one. */
static bool read_amount(const reader *r, const place *at, const json_t *object, double *number)
{
    const json_t *value = json_object_get(object, at->key);
    if (!value)
        return true;
    return reader_number(r, at, value, number) && (*number >= 0 || reader_fail_number(r, at, "must be >= 0", *number));
}

/* The same, but needed. */
static bool need_amount(const reader *r, const place *at, const json_t *object, double *number)
{
    return json_object_get(object, at->key) ? read_amount(r, at, object, number) : reader_missing(r, at->up, at->key);
}

/* Radius of a sphere; 0: the body is none. */
static double radius_of(const carom_scene_body *body)
{
    carom_shape_kind kind = body->solid.shape.kind;
    bool sphere =
        body->solid.kind == CAROM_SOLID_SHAPE && (kind == CAROM_SHAPE_SPHERE || kind == CAROM_SHAPE_HOLLOW_SPHERE);
    return sphere ? body->solid.shape.size[0] : 0;
}

/* density/2 times the area: given, or that of a sphere. */
static bool read_air(const reader *r, const place *at, const json_t *object, double R, double *air)
{
    place density = {at, "density"}, area = {at, "area"};
    double rho = 0, A = 2 * HALF_PI * R * R;
    if (!need_amount(r, &density, object, &rho) || !read_amount(r, &area, object, &A))
        return false;
    if (R == 0 && !json_object_get(object, "area"))
        return reader_fail(r, &area, "missing key: a body that is no sphere needs the area that it shows to the air");
    *air = 0.5 * rho * A;
    return true;
}

static bool read_drag(const reader *r, const place *at, const json_t *object, double R, carom_fields *f)
{
    place linear = {at, "linear"}, quadratic = {at, "quadratic"}, angular = {at, "angular"},
          coefficient = {at, "coefficient"};
    double air = 0, C = 0;
    if (!reader_keys(r, at, object, drag_keys) || !read_amount(r, &linear, object, &f->drag_linear) ||
        !read_amount(r, &quadratic, object, &f->drag_quadratic) || !read_amount(r, &angular, object, &f->drag_angular))
        return false;
    if (!json_object_get(object, "density") && !json_object_get(object, "coefficient") &&
        !json_object_get(object, "area"))
        return json_object_size(object) > 0 ||
               reader_fail(r, at, "give \"linear\", \"quadratic\" or \"angular\", or \"density\" and \"coefficient\"");
    if (json_object_get(object, "quadratic"))
        return reader_fail(r, &quadratic, "give either \"quadratic\" or \"density\" and \"coefficient\", not both");
    if (!read_air(r, at, object, R, &air) || !need_amount(r, &coefficient, object, &C))
        return false;
    f->drag_quadratic = air * C;
    return true;
}

static bool read_magnus(const reader *r, const place *at, const json_t *object, double R, carom_fields *f)
{
    place coefficient = {at, "coefficient"}, lift = {at, "lift"}, radius = {at, "radius"};
    const json_t *value = json_object_get(object, "coefficient");
    double air = 0, C = 0;
    if (!reader_keys(r, at, object, magnus_keys))
        return false;
    if (value)
        return json_object_size(object) == 1
                   ? reader_number(r, &coefficient, value, &f->magnus)
                   : reader_fail(r, &coefficient, "give either \"coefficient\" or \"density\" and \"lift\", not both");
    if (!read_air(r, at, object, R, &air) || !need_amount(r, &lift, object, &C) || !read_amount(r, &radius, object, &R))
        return false;
    if (!(R > 0))
        return reader_fail(r, &radius, "missing key: a body that is no sphere needs the radius that its spin acts at");
    f->magnus = air * C * R;
    return true;
}

/* One key of the body, or of the scene where the body does not have it. */
typedef struct source {
    place at;
    const json_t *value, *object;
} source;

static source source_of(const place *body, const json_t *object, const json_t *document, const char *key)
{
    bool own = json_object_get(object, key);
    const json_t *from = own ? object : document;
    source s = {{own ? body : NULL, key}, json_object_get(from, key), from};
    return s;
}

static bool has_any(const json_t *object)
{
    for (int i = 0; field_keys[i]; i++)
        if (json_object_get(object, field_keys[i]))
            return true;
    return json_object_get(object, "gravity");
}

bool scene_fields(const reader *r, const place *at, const json_t *object, const json_t *document,
                  carom_scene_file *file)
{
    carom_scene_body *body = &file->bodies[file->scene.body_count];
    source drag = source_of(at, object, document, "drag"), magnus = source_of(at, object, document, "magnus"),
           wind = source_of(at, object, document, "wind");
    place gravity = {at, "gravity"};
    double R = radius_of(body);
    bool own = has_any(object);
    if (body->def.fixed)
        return !own ||
               reader_fail(
                   r, at,
                   "a fixed body feels no forces: \"gravity\", \"drag\", \"magnus\" and \"wind\" have no meaning");
    if (!own && !drag.value && !magnus.value && !wind.value)
        return true;
    carom_fields *f = scene_take(r, file, 1, sizeof *f);
    if (!f)
        return false;
    f->own_gravity = json_object_get(object, "gravity");
    body->fields = f;
    return scene_vector(r, &gravity, object, file->scene.dim, &f->gravity) &&
           scene_vector(r, &wind.at, wind.object, file->scene.dim, &f->wind) &&
           (!drag.value || read_drag(r, &drag.at, drag.value, R, f)) &&
           (!magnus.value || read_magnus(r, &magnus.at, magnus.value, R, f));
}
