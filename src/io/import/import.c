/* A model file to a scene: the root element tells the format; MJCF and SDF may include other files. */
#include "carom/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/import/import_cone.h"
#include "io/import/model.h"
#include "io/import/sdf.h"

enum { INCLUDES = 16 }; /* depth */

/* The children of an included file stand where the include was. */
static void splice(xml *at, xml *included)
{
    for (xml *c = included->first; c; c = c->next)
        c->up = at->up;
    if (included->last) {
        included->last->next = at->next;
        at->up->last = at->up->last == at ? included->last : at->up->last;
        at->next = included->first;
    }
    included->first = included->last = NULL;
    xml_free(included);
}

static bool follow_includes(xml *e, const char *path, int depth, char *why)
{
    for (xml *c = e->first; c; c = c->next) {
        const char *file = strcmp(c->name, "include") == 0 ? xml_get(c, "file") : NULL;
        if (!file) {
            if (!follow_includes(c, path, depth, why))
                return false;
            continue;
        }
        char name[512];
        const char *slash = strrchr(path, '/');
        int folder = file[0] != '/' && slash ? (int)(slash + 1 - path) : 0;
        snprintf(name, sizeof name, "%.*s%.250s", folder, path, file);
        if (depth == INCLUDES) {
            snprintf(why, CAROM_IMPORT_MESSAGE, "%.100s:%ld: files include each other, more than %d deep", path,
                     c->line, INCLUDES);
            return false;
        }
        xml *root = xml_load(name, why);
        if (!root)
            return false;
        c->taken = true;
        if (!follow_includes(root, name, depth + 1, why)) {
            xml_free(root);
            return false;
        }
        splice(c, root);
    }
    return true;
}

static bool read_model(model *m, xml *root)
{
    root->taken = true;
    if (strcmp(root->name, "robot") == 0)
        return model_read_urdf(m, root);
    if (strcmp(root->name, "mujoco") == 0)
        return follow_includes(root, m->path, 0, m->why) && model_read_mjcf(m, root);
    if (strcmp(root->name, "sdf") == 0)
        return sdf_follow_includes(root, m->path, m->why) && model_read_sdf(m, root);
    return model_fail(m, root, "<%.40s> is none of <robot> (URDF), <mujoco> (MJCF) and <sdf>", root->name);
}

/* A text that begins with a number: a friction problem. True when it was one, read or not. */
static bool import_cone(const char *path, carom_import_result *out, char *why)
{
    size_t length;
    char *bytes = file_load(path, &length);
    const bool is_one = bytes && cone_is_problem(bytes, length);
    if (is_one) {
        out->scene = cone_case(path, bytes, length, why);
        out->losses = out->scene ? carom_json_array() : NULL;
        out->warnings = out->scene ? carom_json_array() : NULL;
    }
    free(bytes);
    return is_one;
}

bool carom_import(const char *path, carom_import_result *out, char why[CAROM_IMPORT_MESSAGE])
{
    model m = {.path = path, .why = why, .gravity = {0, 0, -9.81}, .mu = 1};
    *out = (carom_import_result){NULL, NULL, NULL};
    if (import_cone(path, out, why))
        return out->scene != NULL;
    xml *root = xml_load(path, why);
    if (!root)
        return false;
    if (read_model(&m, root)) {
        out->scene = model_scene(&m);
        out->losses = model_losses(root);
        out->warnings = model_warnings(&m);
    }
    model_free(&m);
    xml_free(root);
    if (out->scene)
        return true;
    carom_import_free(out);
    *out = (carom_import_result){NULL, NULL, NULL};
    return false;
}

void carom_import_free(carom_import_result *r)
{
    carom_json_free(r->scene);
    carom_json_free(r->losses);
    carom_json_free(r->warnings);
    r->scene = r->losses = r->warnings = NULL;
}
