/* What a scene says and may not mean. */
#include <math.h>

#include "io/scene/scene.h"

static const place own_patch = {NULL, "patch"};

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

/* A step chosen so short that a run with bodies that are stepped would not end. */
static bool doubt_step(const reader *r, const carom_scene_file *file)
{
    const double many = 1e9; /* a step takes a microsecond or more */
    const place at = {NULL, "step"};
    double step = file->scene.step, steps = file->until.time / step;
    if (!(step < carom_scene_default().step && steps > many && steps < INFINITY))
        return false;
    return !reader_fail(r, &at, "bodies that are moved by steps of %.6g s need %.2g of them until %.6g s", step, steps,
                        file->until.time);
}

bool carom_scene_warn(const carom_scene_file *file, const carom_sim *sim, carom_case_error *warning)
{
    reader r = {&file->text, warning};
    warning->key[0] = warning->rule[0] = warning->message[0] = 0;
    if (doubt_step(&r, file))
        return true;
    for (int i = 0; i < file->scene.body_count; i++)
        if (!file->bodies[i].def.fixed && doubt(&r, file, sim, i))
            return true;
    return false;
}
