/* Scenes and bodies to begin with. */
#include <string.h>

#include "carom/solve.h"
#include "sim/world/world.h"

carom_scene carom_scene_default(void)
{
    carom_scene s;
    memset(&s, 0, sizeof s);
    s.dim = 3;
    s.rule = carom_rule_default(carom_law_find("newton"));
    s.together = carom_together_rule_default(carom_together_find("moreau"), NULL);
    s.resting_time = CAROM_RESTING_TIME;
    s.resting_length = CAROM_RESTING_LENGTH;
    s.step = CAROM_STEP;
    return s;
}

carom_scene_body carom_scene_shape(carom_shape shape, double mass)
{
    carom_scene_body body = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = shape}};
    body.def = carom_shape_body(&shape, mass);
    return body;
}

carom_scene_body carom_scene_sphere(double mass, double radius)
{
    carom_shape sphere = {CAROM_SHAPE_SPHERE, {radius, 0, 0}};
    return carom_scene_shape(sphere, mass);
}

carom_scene_body carom_scene_box(double mass, carom_vec3 size)
{
    carom_shape box = {CAROM_SHAPE_BOX, {size.x, size.y, size.z}};
    return carom_scene_shape(box, mass);
}

carom_scene_body carom_scene_half_space(carom_vec3 normal, double offset)
{
    carom_scene_body body = {.solid = {.kind = CAROM_SOLID_HALF_SPACE, .normal = normal, .offset = offset}};
    body.def = carom_body_def_default();
    body.def.fixed = true;
    return body;
}
