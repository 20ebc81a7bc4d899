/* One scene from its text: JSON, then the keys, then bodies, rules and limits. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/case/format.h"
#include "io/scene/scene.h"

static const place until_place = {NULL, "until"}, resting_place = {NULL, "resting"};

void *scene_take(const reader *r, carom_scene_file *file, size_t count, size_t size)
{
    scene_block *block =
        size && count > (SIZE_MAX - sizeof *block) / size ? NULL : calloc(1, sizeof *block + count * size);
    if (!block) {
        reader_fail(r, NULL, "out of memory");
        return NULL;
    }
    block->next = file->memory;
    file->memory = block;
    return block->start;
}

void carom_scene_free(carom_scene_file *file)
{
    for (scene_block *block = file->memory, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    carom_json_free(file->document);
    carom_json_free(file->given);
    file->memory = NULL;
    file->document = file->given = NULL;
}

scene_name scene_numbered(const char *word, size_t i)
{
    scene_name name;
    snprintf(name.text, sizeof name.text, "%s[%zu]", word, i + 1);
    return name;
}

/* ---- dimension, gravity, period ---- */

static bool read_dimension(const reader *r, const json_t *document, int *dim)
{
    static const place here = {NULL, "dimension"};
    const json_t *value = json_object_get(document, "dimension");
    double number = 3;
    if (value && !reader_number(r, &here, value, &number))
        return false;
    *dim = number == 2 ? 2 : 3;
    return number == 2 || number == 3 || reader_fail_number(r, &here, "must be 2 or 3", number);
}

static bool read_period(const reader *r, const json_t *document, carom_scene_file *file)
{
    static const place here = {NULL, "period"};
    carom_vec3 *L = &file->scene.period;
    if (!reader_world(r, &here, document, file->scene.dim, L))
        return false;
    return (L->x >= 0 && L->y >= 0 && L->z >= 0) || reader_fail(r, &here, "must be lengths >= 0; 0 does not repeat");
}

static bool read_space(const reader *r, const json_t *document, carom_scene_file *file)
{
    static const place gravity = {NULL, "gravity"};
    return read_dimension(r, document, &file->scene.dim) &&
           reader_world(r, &gravity, document, file->scene.dim, &file->scene.gravity) && read_period(r, document, file);
}

/* ---- until, resting, output ---- */

static bool read_impacts(const reader *r, const place *at, const json_t *object, long long *impacts)
{
    const json_t *value = json_object_get(object, at->key);
    double number;
    if (!value)
        return true;
    if (!reader_number(r, at, value, &number))
        return false;
    if (!(number >= 0 && number <= 1e15 && number == floor(number)))
        return reader_fail_number(r, at, "must be a whole number from 0 to 1e15", number);
    *impacts = (long long)number;
    return true;
}

static bool read_until(const reader *r, const json_t *document, carom_sim_until *until)
{
    const json_t *object = json_object_get(document, "until");
    place impacts = {&until_place, "impacts"};
    *until = carom_sim_until_default();
    if (!object)
        return reader_fail(r, &until_place, "missing key: a scene needs an end, for example {\"time\": 5}");
    if (!reader_object(r, &until_place, object, FORMAT_until) || !read_impacts(r, &impacts, object, &until->impacts))
        return false;
    reader_take(object, "time", &until->time);
    until->rest = json_object_get(object, "rest") ? json_is_true(json_object_get(object, "rest")) : until->rest;
    return json_object_get(object, "time") || json_object_get(object, "impacts") ||
           reader_fail(r, &until_place, "give \"time\" or \"impacts\": a scene may never come to rest");
}

static bool read_resting(const reader *r, const json_t *document, carom_scene *scene)
{
    const json_t *object = json_object_get(document, "resting");
    if (object && !reader_object(r, &resting_place, object, FORMAT_resting))
        return false;
    reader_take(object, "time", &scene->resting_time);
    reader_take(object, "length", &scene->resting_length);
    return true;
}

static bool read_view(const reader *r, const place *at, const json_t *value, carom_scene_file *file)
{
    static const char *const words[] = {"front", "side", "above"};
    place here = {at, "view"};
    for (int i = 0; i < 3; i++)
        if (json_is_string(value) && strcmp(json_string_value(value), words[i]) == 0)
            file->view = (carom_scene_view)(CAROM_SCENE_VIEW_FRONT + i);
    if (value && file->scene.dim == 2)
        return reader_fail(r, &here, "has no meaning in a planar scene");
    return !value || file->view != CAROM_SCENE_VIEW_ANY || reader_fail(r, &here, "must be front, side or above");
}

static bool read_output(const reader *r, const json_t *document, carom_scene_file *file)
{
    static const place here = {NULL, "output"};
    const json_t *object = json_object_get(document, "output");
    file->rate = CAROM_SCENE_RATE;
    file->view = CAROM_SCENE_VIEW_ANY;
    if (object && !reader_object(r, &here, object, FORMAT_output))
        return false;
    reader_take(object, "rate", &file->rate);
    return read_view(r, &here, json_object_get(object, "view"), file);
}

static bool read_document(const reader *r, carom_scene_file *file)
{
    scene_materials materials = {NULL, 0};
    if (!reader_parse(r, "scene", &file->document))
        return false;
    const json_t *document = file->document;
    reader_take(document, "step", &file->scene.step);
    return reader_name(r, document, &file->name) && reader_object(r, NULL, document, FORMAT_scene) &&
           read_space(r, document, file) && scene_repeat(r, file) && scene_bodies(r, document, file, &materials) &&
           scene_mechanisms(r, document, file, &materials) && scene_no_contact(r, document, file) &&
           scene_rules(r, document, file, &materials) && scene_stroke(r, document, file) &&
           read_until(r, document, &file->until) && read_resting(r, document, &file->scene) &&
           read_output(r, document, file);
}

bool carom_scene_read(const carom_text *text, carom_scene_file *file, carom_case_error *error)
{
    static const carom_scene_file nothing;
    *file = nothing;
    file->text = *text;
    file->scene = carom_scene_default();
    error->status = CAROM_STATUS_OK;
    error->key[0] = error->rule[0] = error->message[0] = 0;
    reader r = {&file->text, error};
    return read_document(&r, file);
}

bool carom_scene_check(const carom_scene_file *file, carom_case_error *error)
{
    reader r = {&file->text, error};
    return scene_check_rules(&r, file);
}
