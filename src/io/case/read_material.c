/* "material" of a body: {"E", "nu", "density", "radius", "size"}. It changes no answer; Carom warns where a body may
 * not be taken for rigid. */
#include <math.h>

#include "carom/elementary.h"
#include "io/case/format.h"

#define PI             3.14159265358979323846
#define COMMON_POISSON 0.3

/* The diameter of the ball with the volume of the body; an immovable body has no end. */
static double usual_size(double mass, double density)
{
    return isfinite(mass) && mass > 0 ? carom_cbrt(6 * mass / (PI * density)) : INFINITY;
}

bool reader_material(const reader *r, const place *body, const json_t *object, double mass, carom_elastic_body *elastic)
{
    const place at = {body, "material"}, nu = {&at, "nu"};
    const json_t *material = json_object_get(object, "material"), *ratio = json_object_get(material, "nu");
    const json_t *density = json_object_get(material, "density"), *size = json_object_get(material, "size");
    const json_t *radius = json_object_get(material, "radius");
    *elastic = (carom_elastic_body){0, 0, 0, 0, 0};
    if (!material)
        return true;
    if (!reader_object(r, &at, material, FORMAT_material))
        return false;
    carom_elastic_body m = {json_number_value(json_object_get(material, "E")),
                            ratio ? json_number_value(ratio) : COMMON_POISSON,
                            json_number_value(density ? density : json_object_get(object, "density")), 0, 0};
    if (!(m.nu > -1 && m.nu <= 0.5))
        return reader_fail_number(r, &nu, "must be > -1 and <= 0.5", m.nu);
    if (m.density == 0)
        return reader_missing(r, &at, "density");
    m.size = size ? json_number_value(size) : usual_size(mass, m.density);
    m.radius = radius ? json_number_value(radius) : 0.5 * m.size;
    *elastic = m;
    return true;
}
