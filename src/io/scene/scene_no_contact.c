/* Bodies that do not collide: "no_contact". */
#include <string.h>

#include "io/scene/scene.h"

static bool find_body(const reader *r, const place *at, const json_t *value, const carom_scene_file *file, int *body)
{
    const char *word = json_is_string(value) ? json_string_value(value) : NULL;
    for (int k = 0; word && k < file->scene.body_count; k++)
        if (strcmp(file->names[k], word) == 0) {
            *body = k;
            return true;
        }
    if (!word)
        return reader_fail(r, at, "must be an array of names of bodies and links");
    return reader_fail(r, at, "no body or link is called \"%.64s\"", word);
}

static bool read_group(const reader *r, const place *at, const json_t *array, carom_scene_file *file,
                       carom_no_contact *out)
{
    size_t count = json_array_size(array);
    if (!json_is_array(array) || !count)
        return reader_fail(r, at, "must be an array of names of bodies and links");
    int *bodies = scene_take(r, file, count, sizeof *bodies);
    for (size_t k = 0; bodies && k < count; k++)
        if (!find_body(r, at, json_array_get(array, k), file, &bodies[k]))
            return false;
    *out = (carom_no_contact){(int)count, bodies};
    return bodies != NULL;
}

bool scene_no_contact(const reader *r, const json_t *document, carom_scene_file *file)
{
    static const place at = {NULL, "no_contact"};
    const json_t *array = json_object_get(document, at.key);
    size_t count = json_array_size(array);
    if (!array)
        return true;
    if (!json_is_array(array))
        return reader_fail(r, &at, "must be an array of arrays of names");
    carom_no_contact *groups = scene_take(r, file, count, sizeof *groups);
    for (size_t k = 0; groups && k < count; k++) {
        scene_name name = scene_numbered(at.key, k);
        place here = {NULL, name.text};
        if (!read_group(r, &here, json_array_get(array, k), file, &groups[k]))
            return false;
    }
    file->scene.no_contacts = groups;
    file->scene.no_contact_count = groups ? (int)count : 0;
    return groups != NULL;
}
