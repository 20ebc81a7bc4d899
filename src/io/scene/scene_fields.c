/* Forces on the bodies of a scene: "gravity" of a body, and "drag", "magnus" and "wind" of a body or of the scene. */
#include <math.h>

#include "io/case/format.h"
#include "io/scene/scene.h"

#define HALF_PI 1.5707963267948966

static const char *const field_keys[] = {"drag", "magnus", "wind", NULL};

static bool need_number(const reader *r, const place *at, const json_t *object, const char *key, double *number)
{
    reader_take(object, key, number);
    return json_object_get(object, key) || reader_missing(r, at, key);
}

/* Radius of a sphere; 0 for other bodies. */
static double radius_of(const carom_scene_body *body)
{
    carom_shape_kind kind = body->solid.shape.kind;
    bool sphere =
        body->solid.kind == CAROM_SOLID_SHAPE && (kind == CAROM_SHAPE_SPHERE || kind == CAROM_SHAPE_HOLLOW_SPHERE);
    return sphere ? body->solid.shape.size[0] : 0;
}

/* density/2 times the area: given, or the area of a sphere. */
static bool read_air(const reader *r, const place *at, const json_t *object, double R, double *air)
{
    place area = {at, "area"};
    double rho = 0, A = 2 * HALF_PI * R * R;
    if (!need_number(r, at, object, "density", &rho))
        return false;
    reader_take(object, "area", &A);
    if (R == 0 && !json_object_get(object, "area"))
        return reader_fail(r, &area, "missing key: a body that is no sphere needs the area that it shows to the air");
    *air = 0.5 * rho * A;
    return true;
}

static bool read_drag(const reader *r, const place *at, const json_t *object, double R, carom_fields *f)
{
    place quadratic = {at, "quadratic"};
    double air = 0, C = 0;
    if (!reader_object(r, at, object, FORMAT_drag))
        return false;
    reader_take(object, "linear", &f->drag_linear);
    reader_take(object, "quadratic", &f->drag_quadratic);
    reader_take(object, "angular", &f->drag_angular);
    if (!json_object_get(object, "density") && !json_object_get(object, "coefficient") &&
        !json_object_get(object, "area"))
        return json_object_size(object) > 0 ||
               reader_fail(r, at, "give \"linear\", \"quadratic\" or \"angular\", or \"density\" and \"coefficient\"");
    if (json_object_get(object, "quadratic"))
        return reader_fail(r, &quadratic, "give either \"quadratic\" or \"density\" and \"coefficient\", not both");
    if (!read_air(r, at, object, R, &air) || !need_number(r, at, object, "coefficient", &C))
        return false;
    f->drag_quadratic = air * C;
    return true;
}

static bool read_magnus(const reader *r, const place *at, const json_t *object, double R, carom_fields *f)
{
    place coefficient = {at, "coefficient"}, radius = {at, "radius"};
    double air = 0, C = 0;
    if (!reader_object(r, at, object, FORMAT_magnus))
        return false;
    reader_take(object, "coefficient", &f->magnus);
    if (json_object_get(object, "coefficient"))
        return json_object_size(object) == 1 ||
               reader_fail(r, &coefficient, "give either \"coefficient\" or \"density\" and \"lift\", not both");
    if (!read_air(r, at, object, R, &air) || !need_number(r, at, object, "lift", &C))
        return false;
    reader_take(object, "radius", &R);
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
    return reader_world(r, &gravity, object, file->scene.dim, &f->gravity) &&
           reader_world(r, &wind.at, wind.object, file->scene.dim, &f->wind) &&
           (!drag.value || read_drag(r, &drag.at, drag.value, R, f)) &&
           (!magnus.value || read_magnus(r, &magnus.at, magnus.value, R, f));
}
