/* A run as a page that replays it: the page of web/replay with the run inside. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/json_short.h"
#include "carom/run_record.h"

/* JSON inside HTML: no "<" ends the script that holds it. */
static bool put_json(FILE *out, const json_t *tree)
{
    char *text = json_text(tree, 12);
    for (const char *s = text ? text : ""; *s; s++)
        if (*s == '<')
            fputs("\\u003c", out);
        else
            fputc(*s, out);
    free(text);
    return text != NULL;
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
    const json_t *document = file->document, *links = json_object_get(document, "links");
    json_t *shape = json_object_get(json_object_get(json_object_get(document, "bodies"), file->names[i]), "shape");
    for (size_t k = 0; !shape && k < json_array_size(links); k++) {
        const char *name = json_string_value(json_object_get(json_array_get(links, k), "name"));
        if (name && strcmp(name, file->names[i]) == 0)
            shape = json_object_get(json_array_get(links, k), "shape");
    }
    return shape ? json_incref(shape) : json_null();
}

static json_t *points_of(const carom_solid *s)
{
    json_t *list = json_array();
    for (int k = 0; k < s->point_count; k++)
        json_array_append_new(list, triple(s->points[k]));
    return list;
}

static json_t *surface_of(const carom_solid *s)
{
    json_t *triangles = json_array();
    for (int k = 0; k < s->triangle_count; k++)
        json_array_append_new(
            triangles, json_pack("[i, i, i]", s->triangles[3 * k], s->triangles[3 * k + 1], s->triangles[3 * k + 2]));
    return json_pack("{s:{s:o, s:o}}", "mesh", "points", points_of(s), "triangles", triangles);
}

/* Convex parts of a mesh, in the frame of the mesh. */
static json_t *parts_of(const carom_solid *s)
{
    json_t *parts = json_array();
    for (int k = 0; k < s->part_count; k++)
        json_array_append_new(parts,
                              json_pack("{s:{s:{s:o}}}", "shape", "hull", "points", points_of(&s->parts[k].solid)));
    return json_pack("{s:{s:o}}", "compound", "parts", parts);
}

/* A mesh as the page draws it, which reads no files: its triangles, its hull or its convex parts. */
static json_t *drawn_shape(const carom_scene_file *file, int i)
{
    const carom_solid *s = &file->bodies[i].solid;
    json_t *shape = shape_of(file, i);
    bool is_mesh = json_object_get(shape, "mesh") || json_object_get(shape, "height-field");
    if (!is_mesh)
        return shape;
    json_decref(shape);
    return s->kind == CAROM_SOLID_MESH   ? surface_of(s)
           : s->kind == CAROM_SOLID_HULL ? json_pack("{s:{s:o}}", "hull", "points", points_of(s))
                                         : parts_of(s);
}

static json_t *body_of(const carom_scene_run *run, int i)
{
    const carom_scene_file *file = run->file;
    const carom_body_def *def = &file->bodies[i].def;
    return json_pack("{s:s, s:b, s:b, s:o, s:o, s:o, s:[f, f, f, f]}", "name", file->names[i], "fixed", def->fixed,
                     "moves", carom_scene_moves(file, i), "shape", drawn_shape(file, i), "centre",
                     triple(file->centres[i]), "position", triple(def->position), "orientation", def->orientation.w,
                     def->orientation.x, def->orientation.y, def->orientation.z);
}

/* One end of every joint that holds a point: the number of the body, and the point in its axes from the centre of mass.
 * The page draws a string to those that lie outside the body. */
static void put_string(json_t *list, int body, carom_vec3 at)
{
    if (body != CAROM_WORLD)
        json_array_append_new(list, json_pack("[i, f, f, f]", body, at.x, at.y, at.z));
}

static json_t *strings_of(const carom_scene *scene)
{
    json_t *list = json_array();
    for (int i = 0; i < scene->joint_count; i++) {
        const carom_joint_def *joint = &scene->joints[i];
        if (joint->linear != 0)
            continue;
        put_string(list, joint->a, joint->point_a);
        put_string(list, joint->b, joint->point_b);
    }
    return list;
}

/* Thirteen numbers of a state, as the page wants them: position, velocity, orientation, omega. */
static bool put_states(FILE *out, const carom_run_record *r)
{
    size_t count = r->frames * (size_t)r->body_count;
    float(*numbers)[13] = calloc(count + 1, sizeof *numbers);
    for (size_t i = 0; i < count && numbers; i++) {
        const carom_sim_state *s = &r->states[i];
        double x[13] = {s->position.x, s->position.y,    s->position.z,    s->velocity.x,    s->velocity.y,
                        s->velocity.z, s->orientation.w, s->orientation.x, s->orientation.y, s->orientation.z,
                        s->omega.x,    s->omega.y,       s->omega.z};
        for (int k = 0; k < 13; k++)
            numbers[i][k] = (float)x[k];
    }
    if (numbers)
        put_base64(out, numbers, count * sizeof *numbers);
    free(numbers);
    return numbers != NULL;
}

static bool put_run(FILE *out, const carom_run_record *r, const carom_scene_run *run)
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
    json_object_set_new(head, "strings", strings_of(scene));
    json_object_set(head, "events", r->events);
    json_object_set_new(head, "events_left_out", json_integer(r->events_left_out));
    json_object_set_new(head, "summary", carom_scene_run_json(run, false));
    fputs("{\"head\":", out);
    bool fine = put_json(out, head);
    json_decref(head);
    fputs(",\"times\":\"", out);
    put_base64(out, r->times, r->frames * sizeof *r->times);
    fputs("\",\"states\":\"", out);
    fine = put_states(out, r) && fine;
    fputs("\"}", out);
    return fine;
}

bool carom_run_record_page(const carom_run_record *r, const carom_scene_run *run, const char *page, FILE *out)
{
    static const char mark[] = "@RUN@";
    const char *at = strstr(page, mark);
    if (!at)
        return false;
    fwrite(page, 1, (size_t)(at - page), out);
    bool fine = put_run(out, r, run);
    fputs(at + strlen(mark), out);
    return fine && !ferror(out);
}
