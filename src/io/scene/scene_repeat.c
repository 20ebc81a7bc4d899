/* "repeat": many bodies of one kind, on a lattice or at random places that do not overlap. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/elementary.h"
#include "carom/study.h"
#include "io/case/format.h"
#include "io/scene/scene.h"

enum { LATTICE_MOST = 1000000, RANDOM_MOST = 10000, TRIES = 10000 }; /* tries for the place of one body */

/* What the draws are for: each has numbers of its own. */
typedef enum purpose { PLACES, SPEEDS, TURNS } purpose;

typedef struct copies {
    const reader *r;
    const carom_scene_file *file;
    const place *at;    /* the key "repeat" */
    const char *name;   /* of the body */
    const json_t *kind; /* the body itself */
    const json_t *repeat;
    json_t *out; /* "bodies" that grow */
    carom_vec3 middle;
    double speed, seed;
    bool turned;
    long made;
} copies;

/* ---- draws ---- */

static carom_variables variables_of(const copies *c, purpose p, int count)
{
    carom_variables v = {.count = count, .draws = LONG_MAX, .seed = (uint64_t)c->seed * 3 + (uint64_t)p};
    for (int i = 0; i < count; i++)
        v.list[i] = (carom_variable){.random = true, .normal = p == SPEEDS, .count = 1, .part = p == TURNS ? i + 1 : 0};
    return v;
}

static json_t *vector_of(const copies *c, const double x[3])
{
    json_t *list = json_array();
    for (int i = 0; i < c->file->scene.dim; i++)
        json_array_append_new(list, json_real(x[i]));
    return list;
}

static void put_velocity(const copies *c, json_t *body)
{
    carom_variables v = variables_of(c, SPEEDS, 3);
    double x[CAROM_STUDY_VARIABLES] = {0};
    const json_t *given = json_object_get(body, "velocity");
    for (int i = 0; i < 3; i++) {
        v.list[i].from = json_number_value(json_array_get(given, (size_t)i));
        v.list[i].to = c->speed;
    }
    carom_study_values(&v, c->made, x);
    json_object_set_new(body, "velocity", vector_of(c, x));
}

static void put_orientation(const copies *c, json_t *body)
{
    carom_variables v = variables_of(c, TURNS, 4);
    double q[CAROM_STUDY_VARIABLES];
    carom_study_values(&v, c->made, q);
    if (c->file->scene.dim == 2)
        json_object_set_new(body, "angle", json_real(2 * carom_atan2(q[3], q[0])));
    else
        json_object_set_new(body, "orientation", json_pack("[f, f, f, f]", q[0], q[1], q[2], q[3]));
}

/* ---- one copy ---- */

static bool add_copy(copies *c, const double x[3])
{
    char name[192];
    snprintf(name, sizeof name, "%.140s-%ld", c->name, ++c->made);
    if (json_object_get(c->out, name) || json_object_get(json_object_get(c->file->document, "bodies"), name))
        return reader_fail(c->r, c->at, "makes a body \"%s\", and there is one", name);
    json_t *body = json_deep_copy(c->kind);
    if (!body)
        return reader_fail(c->r, c->at, "out of memory");
    json_object_del(body, "repeat");
    json_object_set_new(body, "position", vector_of(c, x));
    if (c->speed > 0)
        put_velocity(c, body);
    if (c->turned)
        put_orientation(c, body);
    return json_object_set_new(c->out, name, body) == 0 || reader_fail(c->r, c->at, "out of memory");
}

/* ---- lattices ---- */

static bool read_triple(const copies *c, const char *key, double x[3])
{
    const place here = {c->at, key};
    const json_t *value = json_object_get(c->repeat, key);
    return value ? reader_vector(c->r, &here, value, c->file->scene.dim, x) : reader_missing(c->r, c->at, key);
}

static bool add_lattice(copies *c)
{
    const place here = {c->at, "lattice"};
    double count[3] = {1, 1, 1}, step[3] = {0, 0, 0}, total = 1;
    if (!read_triple(c, "lattice", count) || !read_triple(c, "step", step))
        return false;
    for (int i = 0; i < 3; i++) {
        if (!(count[i] >= 1 && count[i] == floor(count[i])))
            return reader_fail(c->r, &here, "must be whole numbers >= 1");
        total *= count[i];
    }
    if (total > LATTICE_MOST)
        return reader_fail(c->r, &here, "makes %.0f bodies; the most is %d", total, LATTICE_MOST);
    for (double k = 0; k < total; k++) {
        double i[3] = {fmod(k, count[0]), fmod(floor(k / count[0]), count[1]), floor(k / (count[0] * count[1]))};
        double m[3] = {c->middle.x, c->middle.y, c->middle.z};
        for (int a = 0; a < 3; a++)
            m[a] += step[a] * (i[a] - 0.5 * (count[a] - 1));
        if (!add_copy(c, m))
            return false;
    }
    return true;
}

/* ---- random places ---- */

static double number_in(const json_t *sizes, const char *key)
{
    return json_number_value(json_object_get(sizes, key));
}

static double largest(const json_t *list)
{
    double most = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        most = fmax(most, json_number_value(json_array_get(list, i)));
    return most;
}

static double diagonal(const json_t *list)
{
    double square = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        square += json_number_value(json_array_get(list, i)) * json_number_value(json_array_get(list, i));
    return sqrt(square);
}

/* The radius of the sphere around a shape, or 0 where it is not known. */
static double radius_of(const json_t *shape)
{
    const char *word = "";
    json_t *s = NULL;
    json_object_foreach(shape, word, s) break;
    if (strcmp(word, "sphere") == 0 || strcmp(word, "hollow-sphere") == 0)
        return number_in(s, "radius");
    if (strcmp(word, "disk") == 0)
        return hypot(number_in(s, "radius"), 0.5 * number_in(s, "thickness"));
    if (strcmp(word, "box") == 0)
        return 0.5 * diagonal(json_object_get(s, "size"));
    if (strcmp(word, "cylinder") == 0)
        return hypot(number_in(s, "radius"), 0.5 * number_in(s, "length"));
    if (strcmp(word, "capsule") == 0)
        return number_in(s, "radius") + 0.5 * number_in(s, "length");
    return strcmp(word, "ellipsoid") == 0 ? largest(json_object_get(s, "semi_axes")) : 0;
}

static double apart(double d, double period)
{
    return period > 0 ? d - period * floor(d / period + 0.5) : d;
}

static bool is_free(const carom_vec3 *placed, long count, carom_vec3 x, double least, carom_vec3 period)
{
    for (long k = 0; k < count; k++) {
        double dx = apart(x.x - placed[k].x, period.x), dy = apart(x.y - placed[k].y, period.y);
        double dz = apart(x.z - placed[k].z, period.z);
        if (dx * dx + dy * dy + dz * dz < least * least)
            return false;
    }
    return true;
}

/* Random places, one after another, each the first of its draws that is free. */
static bool place_all(copies *c, double count, const double box[3], double least)
{
    const place here = {c->at, "count"};
    carom_variables v = variables_of(c, PLACES, 3);
    carom_vec3 *placed = malloc(((size_t)count + 1) * sizeof *placed);
    const double middle[3] = {c->middle.x, c->middle.y, c->middle.z};
    bool fine = placed || reader_fail(c->r, c->at, "out of memory");
    long draw = 0, tries = 0;
    for (int i = 0; i < 3; i++) {
        v.list[i].from = middle[i] - 0.5 * box[i];
        v.list[i].to = middle[i] + 0.5 * box[i];
    }
    while (fine && c->made < count) {
        double x[CAROM_STUDY_VARIABLES];
        carom_study_values(&v, draw++, x);
        carom_vec3 at = {x[0], x[1], x[2]};
        if (is_free(placed, c->made, at, least, c->file->scene.period)) {
            placed[c->made] = at;
            tries = 0;
            fine = add_copy(c, x);
        } else if (++tries == TRIES)
            fine = reader_fail(c->r, &here,
                               "the box has no room: %ld of %.0f found a place; a larger \"box\" or a \"lattice\" has",
                               c->made, count);
    }
    free(placed);
    return fine;
}

static bool add_random(copies *c)
{
    const place here = {c->at, "count"};
    double box[3] = {0, 0, 0}, gap = 0, count = json_number_value(json_object_get(c->repeat, "count"));
    const double radius = radius_of(json_object_get(c->kind, "shape"));
    reader_take(c->repeat, "gap", &gap);
    if (!read_triple(c, "box", box))
        return false;
    if (!(count >= 1 && count <= RANDOM_MOST))
        return reader_fail(c->r, &here, "must be a whole number from 1 to %d", RANDOM_MOST);
    if (!(box[0] >= 0 && box[1] >= 0 && box[2] >= 0))
        return reader_fail(c->r, c->at, "\"box\" must be sizes >= 0");
    if (!(radius > 0))
        return reader_fail(c->r, &here, "random places need a sphere, disk, box, cylinder, capsule or ellipsoid");
    return place_all(c, count, box, 2 * radius + gap);
}

/* ---- all bodies ---- */

static bool repeat_body(const reader *r, carom_scene_file *file, const char *name, const json_t *body, json_t *out)
{
    static const place bodies = {NULL, "bodies"};
    const place one = {&bodies, name}, at = {&one, "repeat"}, position = {&one, "position"};
    const json_t *repeat = json_object_get(body, "repeat");
    copies c = {.r = r, .file = file, .at = &at, .name = name, .kind = body, .repeat = repeat, .out = out, .seed = 1};
    if (!reader_object(r, &at, repeat, FORMAT_repeat) || !reader_world(r, &position, body, file->scene.dim, &c.middle))
        return false;
    const bool lattice = json_object_get(repeat, "lattice") != NULL;
    if (lattice == (json_object_get(repeat, "count") != NULL))
        return reader_fail(r, &at, "give either \"lattice\" or \"count\"%s", lattice ? ", not both" : "");
    reader_take(repeat, "speed", &c.speed);
    reader_take(repeat, "seed", &c.seed);
    c.turned = json_is_true(json_object_get(repeat, "turned"));
    return lattice ? add_lattice(&c) : add_random(&c);
}

static bool has_repeat(const json_t *bodies)
{
    const char *name;
    json_t *body;
    json_object_foreach(bodies, name, body) if (json_object_get(body, "repeat")) return true;
    return false;
}

bool scene_repeat(const reader *r, carom_scene_file *file)
{
    const json_t *bodies = json_object_get(file->document, "bodies");
    const char *name;
    json_t *body, *out;
    if (!has_repeat(bodies))
        return true;
    out = json_object();
    file->given = json_deep_copy(file->document);
    bool fine = (out && file->given) || reader_fail(r, NULL, "out of memory");
    json_object_foreach(bodies, name, body)
    {
        if (fine && json_object_get(body, "repeat"))
            fine = repeat_body(r, file, name, body, out);
        else if (fine)
            json_object_set_new(out, name, json_incref(body));
    }
    json_object_set_new(file->document, "bodies", out);
    return fine;
}
