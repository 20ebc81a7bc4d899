/* A run as a page that replays it: the page of web/replay with the run inside. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "output.h"
#include "sim_files.h"
#include "sim_record.h"
#include "sim_report.h"

#define UNWRAP(...)          __VA_ARGS__
#define EXAMPLE(name, bytes) static const unsigned char page[] = {UNWRAP bytes};
#include "replay_data.def"
#undef EXAMPLE

static const char mark[] = "@RUN@";

bool sim_page_is_known(void)
{
    return page[0] != 0;
}

/* JSON inside HTML: no "<" ends the script that holds it. */
static void put_json(FILE *out, const json_t *tree)
{
    char *text = json_text(tree, 12);
    for (const char *s = must_have(text); *s; s++)
        if (*s == '<')
            fputs("\\u003c", out);
        else
            fputc(*s, out);
    free(text);
}

static void put_base64(FILE *out, const void *data, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *bytes = data;
    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        unsigned long three = (unsigned long)bytes[i] << 16 | (left > 1 ? (unsigned long)bytes[i + 1] << 8 : 0) |
                              (left > 2 ? bytes[i + 2] : 0);
        fputc(digits[three >> 18 & 63], out);
        fputc(digits[three >> 12 & 63], out);
        fputc(left > 1 ? digits[three >> 6 & 63] : '=', out);
        fputc(left > 2 ? digits[three & 63] : '=', out);
    }
}

static json_t *triple(carom_vec3 v)
{
    return json_pack("[f, f, f]", v.x, v.y, v.z);
}

/* The shape that the scene gives a body or a link, or null. */
static json_t *shape_of(const carom_scene_file *file, int i)
{
    const json_t *document = (const json_t *)(const void *)file->document, *links = json_object_get(document, "links");
    json_t *shape = json_object_get(json_object_get(json_object_get(document, "bodies"), file->names[i]), "shape");
    for (size_t k = 0; !shape && k < json_array_size(links); k++) {
        const char *name = json_string_value(json_object_get(json_array_get(links, k), "name"));
        if (name && strcmp(name, file->names[i]) == 0)
            shape = json_object_get(json_array_get(links, k), "shape");
    }
    return shape ? json_incref(shape) : json_null();
}

static json_t *body_of(const sim_run *run, int i)
{
    const carom_scene_file *file = run->file;
    const carom_body_def *def = &file->bodies[i].def;
    return json_pack("{s:s, s:b, s:b, s:o, s:o, s:o, s:[f, f, f, f]}", "name", file->names[i], "fixed", def->fixed,
                     "moves", sim_moves(file, i), "shape", shape_of(file, i), "centre", triple(file->centres[i]),
                     "position", triple(def->position), "orientation", def->orientation.w, def->orientation.x,
                     def->orientation.y, def->orientation.z);
}

/* Thirteen numbers of a state, as the page wants them: position, velocity, orientation, omega. */
static void put_states(FILE *out, const sim_record *r)
{
    size_t count = r->frames * (size_t)r->body_count;
    float(*numbers)[13] = must_have(calloc(count + 1, sizeof *numbers));
    for (size_t i = 0; i < count; i++) {
        const carom_sim_state *s = &r->states[i];
        double x[13] = {s->position.x, s->position.y,    s->position.z,    s->velocity.x,    s->velocity.y,
                        s->velocity.z, s->orientation.w, s->orientation.x, s->orientation.y, s->orientation.z,
                        s->omega.x,    s->omega.y,       s->omega.z};
        for (int k = 0; k < 13; k++)
            numbers[i][k] = (float)x[k];
    }
    put_base64(out, numbers, count * sizeof *numbers);
    free(numbers);
}

static void put_run(FILE *out, const sim_record *r, const sim_run *run)
{
    const carom_scene *scene = &run->file->scene;
    json_t *head = json_object(), *bodies = json_array();
    for (int i = 0; i < scene->body_count; i++)
        json_array_append_new(bodies, body_of(run, i));
    json_object_set_new(head, "name", json_string(run->file->name ? run->file->name : "scene"));
    json_object_set_new(head, "dimension", json_integer(scene->dim));
    json_object_set_new(head, "gravity", triple(scene->gravity));
    if (carom_vec3_length(scene->period) > 0)
        json_object_set_new(head, "period", triple(scene->period));
    json_object_set_new(head, "bodies", bodies);
    json_object_set(head, "events", r->events);
    json_object_set_new(head, "events_left_out", json_integer(r->events_left_out));
    json_object_set_new(head, "summary", sim_report_json(run, false));
    fputs("{\"head\":", out);
    put_json(out, head);
    json_decref(head);
    fputs(",\"times\":\"", out);
    put_base64(out, r->times, r->frames * sizeof *r->times);
    fputs("\",\"states\":\"", out);
    put_states(out, r);
    fputs("\"}", out);
}

bool sim_page_write(const char *path, const sim_record *r, const sim_run *run)
{
    const size_t length = sizeof page - 1;
    const char *text = (const char *)page, *at = strstr(text, mark);
    output_file f = output_open(path);
    if (!f.file || !at)
        return false;
    const size_t before = (size_t)(at - text), after = before + strlen(mark);
    f.whole_when_stopped = true;
    fwrite(text, 1, before, f.file);
    put_run(f.file, r, run);
    fwrite(text + after, 1, length > after ? length - after : 0, f.file);
    return output_close(&f, true);
}
