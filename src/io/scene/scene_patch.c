/* Patches of a scene: what is refused. */
#include "carom/patch.h"
#include "io/scene/scene.h"

static bool check_rule_and_patch(const reader *r, const place *above, const carom_rule *rule, double patch, int dim)
{
    place coefficients = {above, "coefficients"}, here = {&coefficients, rule->coeffs.patch > 0 ? "patch" : "rho"},
          key = {above, "patch"};
    if (carom_patch_size(&rule->coeffs) > 3)
        return reader_fail(r, &here,
                           "in scenes \"patch\" and \"rolling\" stand beside \"coefficients\", for impacts and for "
                           "closed contacts");
    if (dim == 2 && patch > 0)
        return reader_fail(r, &key, "nothing spins about the normal of a contact in a planar scene; must be 0");
    return true;
}

bool scene_check_patches(const reader *r, const carom_scene *scene)
{
    if (!check_rule_and_patch(r, NULL, &scene->rule, scene->patch, scene->dim))
        return false;
    for (int i = 0; i < scene->pair_count; i++) {
        scene_name name = scene_numbered("pairs", (size_t)i);
        place here = {NULL, name.text};
        if (!check_rule_and_patch(r, &here, &scene->pairs[i].rule, scene->pairs[i].patch, scene->dim))
            return false;
    }
    return true;
}
