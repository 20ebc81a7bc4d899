/* Patches of a scene: what is refused, and what may not be meant. */
#include "carom/patch.h"
#include "io/scene/scene.h"

static const place own_patch = {NULL, "patch"};

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

/* The largest patch that a body of a material may have; the key that gives it is that of a pair, or of the scene (-1).
 */
static double largest_patch(const carom_scene *s, int material, int *pair)
{
    double patch = s->patch;
    *pair = -1;
    for (int k = 0; k < s->pair_count; k++)
        if ((s->pairs[k].a == material || s->pairs[k].b == material) && s->pairs[k].patch > patch)
            patch = s->pairs[ *pair = k].patch;
    return patch;
}

static bool is_jointed(const carom_scene *s, int i)
{
    for (int k = 0; k < s->joint_count; k++)
        if (s->joints[k].a == i || s->joints[k].b == i)
            return true;
    return false;
}

/* What is doubtful about the patch of body i. */
static bool doubt(const reader *r, const carom_scene_file *file, const carom_sim *sim, int i)
{
    int pair;
    double patch = largest_patch(&file->scene, file->bodies[i].material, &pair), reach = carom_sim_reach(sim, i);
    scene_name name = scene_numbered("pairs", (size_t)(pair < 0 ? 0 : pair));
    place above = {NULL, name.text}, in_pair = {&above, "patch"};
    const place *at = pair < 0 ? &own_patch : &in_pair;
    if (patch > 0 && is_jointed(&file->scene, i))
        return !reader_fail(r, at, "\"%.64s\" is held by a joint: its closed contacts have no patch", file->names[i]);
    if (patch > reach)
        return !reader_fail(r, at, "%.6g m is larger than \"%.64s\", whose points are at most %.6g m from its centre",
                            patch, file->names[i], reach);
    return false;
}

bool carom_scene_warn(const carom_scene_file *file, const carom_sim *sim, carom_case_error *warning)
{
    reader r = {&file->text, warning};
    warning->key[0] = warning->rule[0] = warning->message[0] = 0;
    for (int i = 0; i < file->scene.body_count; i++)
        if (!file->bodies[i].def.fixed && doubt(&r, file, sim, i))
            return true;
    return false;
}
