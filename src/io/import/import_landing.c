/* What a model meets: ground under it, and an impact of its run as a case of the mechanism. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/heap.h"
#include "carom/import.h"
#include "carom/json_short.h"
#include "carom/scene_run.h"

static bool fail(char *why, const char *text)
{
    snprintf(why, CAROM_IMPORT_MESSAGE, "%.250s", text);
    return false;
}

/* The text must outlive the file. */
static bool read_scene(const carom_json *scene, char **bytes, carom_scene_file *file, char *why)
{
    carom_case_error error;
    *bytes = json_text(scene, 17);
    carom_text text = {"import", 1, *bytes ? *bytes : "", *bytes ? strlen(*bytes) : 0};
    return carom_scene_read(&text, file, &error) || fail(why, error.message);
}

/* ---- ground ---- */

/* The lowest point of what moves, along up; infinite when there is none. Only distances are asked for: nothing
 * collides.
 */
static double lowest(const carom_scene_file *file, int ground)
{
    const carom_memory heap = carom_heap();
    carom_scene scene = file->scene;
    carom_sim *sim = NULL;
    carom_sim_error error;
    double least = INFINITY;
    int *all = calloc((size_t)scene.body_count + 1, sizeof *all);
    for (int k = 0; all && k < scene.body_count; k++)
        all[k] = k;
    carom_no_contact nothing = {scene.body_count, all};
    scene.no_contacts = &nothing;
    scene.no_contact_count = 1;
    if (all && carom_sim_create(&scene, &heap, &sim, &error) == CAROM_STATUS_OK)
        for (int k = 0; k < scene.body_count; k++)
            least = scene.bodies[k].def.fixed ? least : fmin(least, carom_sim_distance(sim, k, ground));
    carom_sim_free(sim);
    free(all);
    return least;
}

static carom_vec3 up_of(const carom_json *scene)
{
    const json_t *g = json_object_get(scene, "gravity");
    carom_vec3 v = {-json_number_value(json_array_get(g, 0)), -json_number_value(json_array_get(g, 1)),
                    -json_number_value(json_array_get(g, 2))};
    double length = carom_vec3_length(v);
    return length > 0 ? carom_vec3_scale(1 / length, v) : carom_vec3_make(0, 0, 1);
}

static json_t *half_space(carom_vec3 n, double offset)
{
    return json_pack("{s:{s:{s:[f f f], s:f}}, s:b}", "shape", "half-space", "normal", n.x, n.y, n.z, "offset", offset,
                     "fixed", true);
}

bool carom_import_ground(carom_import_result *r, double below, char why[CAROM_IMPORT_MESSAGE])
{
    static const char name[] = "ground";
    json_t *bodies = json_object_get(r->scene, "bodies");
    carom_scene_file file;
    char *bytes = NULL;
    if (!json_object_get(r->scene, "until"))
        return fail(why, "ground: a friction problem has none");
    if (json_object_get(bodies, name))
        return fail(why, "ground: the model has a body of this name");
    carom_vec3 up = up_of(r->scene);
    json_object_set_new(bodies, name, half_space(up, 0));
    bool fine = read_scene(r->scene, &bytes, &file, why);
    for (int k = 0; fine && k < file.scene.body_count; k++)
        if (strcmp(file.names[k], name) == 0) {
            double least = lowest(&file, k);
            fine = isfinite(least) || fail(why, "ground: nothing of the model moves");
            json_object_set_new(bodies, name, half_space(up, fine ? least - below : 0));
            break;
        }
    carom_scene_free(&file);
    free(bytes);
    return fine;
}

/* ---- an impact ---- */

static carom_json *impact_of(carom_scene_file *file, long long number, char why[CAROM_IMPORT_MESSAGE])
{
    carom_run_impact w = {number, 0, NULL};
    carom_scene_run run = {.rate = 0};
    carom_case_error error;
    if (file->until.impacts < 0 || file->until.impacts > number)
        file->until.impacts = number;
    if (carom_scene_run_start(&run, file, &error)) {
        carom_scene_run_want(&run, &w);
        carom_scene_run_go(&run);
        if (!w.tree)
            snprintf(why, CAROM_IMPORT_MESSAGE, "--impact: the run has %lld impacts", w.seen);
    } else
        fail(why, error.message);
    carom_scene_run_free(&run);
    return w.tree;
}

bool carom_import_impact(carom_import_result *r, long long number, char why[CAROM_IMPORT_MESSAGE])
{
    carom_scene_file file;
    char *bytes = NULL;
    json_t *tree = read_scene(r->scene, &bytes, &file, why) ? impact_of(&file, number, why) : NULL;
    carom_scene_free(&file);
    free(bytes);
    if (!tree)
        return false;
    carom_json_free(r->scene);
    r->scene = tree;
    return true;
}
