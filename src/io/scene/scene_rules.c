/* The rules of a scene: one for all pairs of bodies, one per pair of named materials, one for simultaneous impacts. */
#include <stdio.h>
#include <string.h>

#include "carom/solve.h"
#include "io/case/format.h"
#include "io/scene/scene.h"

static const place law_place = {NULL, "law"}, together_place = {NULL, "together"}, base_place = {NULL, "base"};

/* ---- pairs of materials ---- */

static bool read_material(const reader *r, const place *at, const json_t *value, const scene_materials *materials,
                          int *number)
{
    const char *word = json_string_value(value);
    if (!word)
        return reader_fail(r, at, "must be two names of materials");
    for (int i = 1; i < materials->count; i++)
        if (strcmp(materials->words[i], word) == 0) {
            *number = i;
            return true;
        }
    const char *hint = materials->count > 1 ? carom_nearest(word, materials->words + 1) : NULL;
    if (hint)
        return reader_fail(r, at, "no body is of the material \"%.64s\"; did you mean \"%.64s\"?", word, hint);
    return reader_fail(r, at, "no body is of the material \"%.64s\"", word);
}

static bool read_between(const reader *r, const place *at, const json_t *pair, const scene_materials *materials,
                         carom_scene_pair *out)
{
    const json_t *names = json_object_get(pair, "between");
    if (!names)
        return reader_missing(r, at->up, "between");
    if (json_array_size(names) != 2)
        return reader_fail(r, at, "must be two names of materials");
    return read_material(r, at, json_array_get(names, 0), materials, &out->a) &&
           read_material(r, at, json_array_get(names, 1), materials, &out->b);
}

static bool is_twice(const carom_scene_pair *pairs, int i)
{
    for (int k = 0; k < i; k++)
        if ((pairs[k].a == pairs[i].a && pairs[k].b == pairs[i].b) ||
            (pairs[k].a == pairs[i].b && pairs[k].b == pairs[i].a))
            return true;
    return false;
}

/* What a pair does not say is as in the scene. */
static bool read_pair(const reader *r, const place *here, const json_t *pair, const scene_materials *materials,
                      carom_scene_pair *out)
{
    place between = {here, "between"}, law = {here, "law"}, coefficients = {here, "coefficients"};
    reader_take(pair, "rolling", &out->rolling);
    reader_take(pair, "patch", &out->patch);
    reader_take(pair, "sliding", &out->sliding);
    return reader_object(r, here, pair, FORMAT_pair) &&
           reader_option(r, here, pair, CAROM_OPTION_pressure, &out->rule.options) &&
           read_between(r, &between, pair, materials, out) &&
           reader_law(r, &law, json_object_get(pair, "law"), &out->rule.law) &&
           reader_coefficients(r, &coefficients, json_object_get(pair, "coefficients"), &out->rule.coeffs);
}

static bool read_pairs(const reader *r, const json_t *document, carom_scene_file *file,
                       const scene_materials *materials)
{
    static const place at = {NULL, "pairs"};
    const json_t *array = json_object_get(document, "pairs");
    size_t count = json_array_size(array);
    if (!array)
        return true;
    if (!json_is_array(array))
        return reader_fail(r, &at, "must be an array of objects");
    carom_scene_pair *pairs = scene_take(r, file, count, sizeof *pairs);
    if (!pairs)
        return false;
    file->scene.pairs = file->pairs = pairs;
    for (size_t i = 0; i < count; i++) {
        scene_name name = scene_numbered("pairs", i);
        place here = {NULL, name.text};
        pairs[i].rule = file->scene.rule;
        pairs[i].rolling = file->scene.rolling;
        pairs[i].patch = file->scene.patch;
        pairs[i].sliding = file->scene.sliding;
        if (!read_pair(r, &here, json_array_get(array, i), materials, &pairs[i]))
            return false;
        if (is_twice(pairs, (int)i))
            return reader_fail(r, &here, "these materials have a rule already");
    }
    file->scene.pair_count = (int)count;
    return true;
}

/* ---- checks ---- */

/* A law of planar contacts has no place in space. */
static bool check_fit(const reader *r, const place *at, const carom_law *law, int dim)
{
    if (dim == 2 || !(law->traits & CAROM_TRAIT_PLANAR_ONLY))
        return true;
    r->error->status = CAROM_STATUS_NOT_PLANAR;
    return reader_fail(r, at, "%s is %s; this scene has three dimensions", law->id,
                       carom_trait_meaning(CAROM_TRAIT_BIT_PLANAR_ONLY));
}

/* The same for the law of several contacts, which may be one of contacts with friction in the plane alone. */
static bool check_together(const reader *r, const carom_scene *scene)
{
    const carom_together *law = scene->together.law;
    bool rubs = carom_rule_friction(&scene->rule) > 0;
    for (int i = 0; i < scene->pair_count; i++)
        rubs |= carom_rule_friction(&scene->pairs[i].rule) > 0;
    if (scene->dim == 2 || !law || !rubs || !(law->traits & CAROM_TRAIT_PLANAR_ONLY))
        return true;
    r->error->status = CAROM_STATUS_NOT_PLANAR;
    return reader_fail(r, &together_place, "%s is %s where there is friction; this scene has three dimensions", law->id,
                       carom_trait_meaning(CAROM_TRAIT_BIT_PLANAR_ONLY));
}

bool scene_check_rules(const reader *r, const carom_scene_file *file)
{
    const carom_scene *scene = &file->scene;
    if (!check_rule_at(r, NULL, &scene->rule) || !check_fit(r, &law_place, scene->rule.law, scene->dim) ||
        !check_together(r, scene) || !scene_check_patches(r, scene))
        return false;
    for (int i = 0; i < scene->pair_count; i++) {
        scene_name name = scene_numbered("pairs", (size_t)i);
        place here = {NULL, name.text}, law = {&here, "law"};
        if (!check_rule_at(r, &here, &scene->pairs[i].rule) ||
            !check_fit(r, &law, scene->pairs[i].rule.law, scene->dim))
            return false;
    }
    return true;
}

bool scene_rules(const reader *r, const json_t *document, carom_scene_file *file, const scene_materials *materials)
{
    carom_scene *scene = &file->scene;
    if (!json_object_get(document, "law"))
        return reader_missing(r, NULL, "law");
    reader_take(document, "rolling", &scene->rolling);
    reader_take(document, "patch", &scene->patch);
    reader_take(document, "sliding", &scene->sliding);
    if (!read_rule(r, document, &scene->rule) ||
        !reader_law(r, &law_place, json_object_get(document, "law"), &scene->rule.law) ||
        !read_pairs(r, document, file, materials) ||
        !reader_together(r, &together_place, json_object_get(document, "together"), &scene->together.law) ||
        !reader_law(r, &base_place, json_object_get(document, "base"), &scene->together.base))
        return false;
    scene->together.options = scene->rule.options;
    return scene_check_rules(r, file);
}
