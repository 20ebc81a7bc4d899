/* "material" of a body: {"E", "nu", "density", "radius", "size"}. It changes no answer; Carom warns where a body may
 * not be taken for rigid. */
#include <math.h>

#include "carom/elementary.h"
#include "io/case/reader.h"

#define PI             3.14159265358979323846
#define COMMON_POISSON 0.3

/* A number > 0, or the default when the key is absent. */
static bool read_positive(const reader *r, const place *at, const json_t *object, const char *key, double *number)
{
    place here = {at, key};
    const json_t *value = json_object_get(object, key);
    if (!value)
        return true;
    if (!reader_number(r, &here, value, number))
        return false;
    return *number > 0 || reader_fail_number(r, &here, "must be > 0", *number);
}

/* The diameter of the ball with the volume of the body; an immovable body has no end. */
static double usual_size(double mass, double density)
{
    return isfinite(mass) && mass > 0 ? carom_cbrt(6 * mass / (PI * density)) : INFINITY;
}

bool reader_material(const reader *r, const place *body, const json_t *object, double mass, carom_elastic_body *elastic)
{
    static const char *const keys[] = {"E", "nu", "density", "radius", "size", NULL};
    const place at = {body, "material"}, nu = {&at, "nu"};
    const json_t *material = json_object_get(object, "material"), *ratio = json_object_get(material, "nu");
    carom_elastic_body m = {0, COMMON_POISSON, json_number_value(json_object_get(object, "density")), 0, 0};
    *elastic = (carom_elastic_body){0, 0, 0, 0, 0};
    if (!material)
        return true;
    if (!reader_keys(r, &at, material, keys) || !read_positive(r, &at, material, "E", &m.E) ||
        !read_positive(r, &at, material, "density", &m.density) || (ratio && !reader_number(r, &nu, ratio, &m.nu)))
        return false;
    if (!(m.nu > -1 && m.nu <= 0.5))
        return reader_fail_number(r, &nu, "must be > -1 and <= 0.5", m.nu);
    if (m.E == 0 || m.density == 0)
        return reader_missing(r, &at, m.E == 0 ? "E" : "density");
    m.size = usual_size(mass, m.density);
    if (!read_positive(r, &at, material, "size", &m.size))
        return false;
    m.radius = 0.5 * m.size;
    if (!read_positive(r, &at, material, "radius", &m.radius))
        return false;
    *elastic = m;
    return true;
}
