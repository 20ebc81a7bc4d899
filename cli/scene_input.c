#include "scene_input.h"

#include <stdio.h>
#include <string.h>

#include "input.h"
#include "shelf.h"

bool scene_apply(const void *request, carom_scene_file *file, carom_case_error *error)
{
    const scene_request *r = request;
    file->until.time = r->time > 0 ? r->time : file->until.time;
    file->until.impacts = r->impacts >= 0 ? r->impacts : file->until.impacts;
    return carom_settings_apply_to_scene(&r->settings, file, error);
}

typedef struct task {
    const scene_request *request;
    scene_action *act;
    void *context;
} task;

static int take_scene(const carom_text *text, const task *t)
{
    carom_scene_file file;
    carom_case_error error;
    int status = BAD_INPUT;
    if (carom_scene_read(text, &file, &error) && scene_apply(t->request, &file, &error))
        status = t->act(&file, t->context);
    else
        fprintf(stderr, "%s\n", error.message);
    carom_scene_free(&file);
    return status;
}

int scene_with(const char *command, const char *path, const scene_request *request, scene_action *act, void *context)
{
    const task t = {request, act, context};
    const carom_shipped *shipped = strchr(path, '.') ? NULL : carom_shipped_find(CAROM_SHELF_SCENES, path);
    char name[96];
    if (shipped) { /* unless there is such a file */
        snprintf(name, sizeof name, "scenes/%.80s", shipped->file);
        carom_text text = {name, 1, shipped->text, strlen(shipped->text)};
        return take_scene(&text, &t);
    }
    if (!strchr(path, '.') && !strchr(path, '/') && strcmp(path, "-") != 0)
        return shelf_complain(command, CAROM_SHELF_SCENES, path);
    input in;
    carom_text text;
    int status = BAD_INPUT;
    if (input_open(&in, path) && input_next(&in, &text))
        status = in.is_lines ? complain("%s: %s takes one scene, and this is JSON Lines", in.name, command)
                             : take_scene(&text, &t);
    return input_close(&in) ? status : BAD_INPUT;
}
