/* The description of a recording: rate, columns, shape and masses of the body, floor. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/elementary.h"
#include "io/track/recording_parts.h"

enum { ARC = 181 }; /* points of a round side */

#define PI 3.14159265358979323846

static const char *const keys[] = {"name",    "rate", "columns",   "box",     "points", "half_disk",
                                   "radius",  "com",  "inertia",   "gravity", "floor",  "slope",
                                   "turn",    "drag", "spin_drag", "margins", "touch",  "depth",
                                   "sliding", "fit",  "found",     "notes",   NULL};

const recording_word recording_words[] = {{"half", CAROM_FIND_HALF},
                                          {"com", CAROM_FIND_COM},
                                          {"inertia", CAROM_FIND_INERTIA},
                                          {"radius", CAROM_FIND_RADIUS},
                                          {"gravity", CAROM_FIND_GRAVITY},
                                          {"floor", CAROM_FIND_FLOOR},
                                          {"turn", CAROM_FIND_TURN},
                                          {"drag", CAROM_FIND_DRAG},
                                          {"depth", CAROM_FIND_DEPTH},
                                          {"sliding", CAROM_FIND_SLIDING},
                                          {NULL, 0}};

/* A number of the top level with a least value; as it is when the key is not there. */
static bool take(const reader *r, const json_t *d, const char *key, double least, double *number)
{
    const json_t *value = json_object_get(d, key);
    place at = {NULL, key};
    if (!value)
        return true;
    if (!reader_number(r, &at, value, number))
        return false;
    return *number >= least || reader_fail_number(r, &at, least > 0 ? "must be > 0" : "must be >= 0", *number);
}

/* A vector of the dimension into x, y (and z). */
static bool take_vector(const reader *r, const json_t *d, const char *key, int dim, carom_vec3 *v)
{
    const json_t *value = json_object_get(d, key);
    place at = {NULL, key};
    double x[3] = {0};
    if (!value)
        return true;
    if (!reader_vector(r, &at, value, dim, x))
        return false;
    *v = carom_vec3_make(x[0], x[1], x[2]);
    return true;
}

/* ---- columns ---- */

static bool take_names(const reader *r, const json_t *columns, const char *key, int count,
                       char (*names)[CAROM_RECORD_NAME])
{
    static const place above = {NULL, "columns"};
    place at = {&above, key};
    const json_t *value = json_object_get(columns, key);
    for (int i = 0; i < count && value; i++) {
        const char *word = json_string_value(json_is_array(value) ? json_array_get(value, (size_t)i) : value);
        if (!word || strlen(word) >= CAROM_RECORD_NAME ||
            (json_is_array(value) && json_array_size(value) != (size_t)count))
            return reader_fail(r, &at, "must be %d name%s of columns", count, count > 1 ? "s" : "");
        snprintf(names[i], CAROM_RECORD_NAME, "%s", word);
    }
    return true;
}

/* A recording with an angle is planar. The record is the first column unless it is named. */
static bool read_columns(const reader *r, const json_t *d, carom_recording *rec)
{
    static const place at = {NULL, "columns"};
    static const char *const known[] = {"record", "frame", "position", "quaternion", "angle", NULL};
    static const char *const space[] = {"", "frame", "x", "y", "z", "qw", "qx", "qy", "qz"};
    static const char *const plane[] = {"", "frame", "x", "z", "theta", "", "", "", ""};
    const json_t *columns = json_object_get(d, "columns");
    bool planar = json_object_get(columns, "angle") != NULL;
    rec->body.dim = planar ? 2 : 3;
    for (int i = 0; i < CAROM_RECORDING_COLUMNS; i++)
        snprintf(rec->column[i], CAROM_RECORD_NAME, "%s", planar ? plane[i] : space[i]);
    if (!columns)
        return true;
    if (planar && json_object_get(columns, "quaternion"))
        return reader_fail(r, &at, "give an angle or a quaternion, not both");
    return reader_keys(r, &at, columns, known) && take_names(r, columns, "record", 1, rec->column) &&
           take_names(r, columns, "frame", 1, rec->column + 1) &&
           take_names(r, columns, "position", rec->body.dim, rec->column + 2) &&
           (planar ? take_names(r, columns, "angle", 1, rec->column + 4)
                   : take_names(r, columns, "quaternion", 4, rec->column + 5));
}

/* ---- the shape ---- */

static bool read_box(const reader *r, const json_t *d, carom_tracked *b)
{
    static const place at = {NULL, "box"};
    carom_vec3 half = {0, 0, 0};
    if (!take_vector(r, d, "box", b->dim, &half))
        return false;
    if (!(half.x > 0) || !(half.y > 0) || (b->dim == 3 && !(half.z > 0)))
        return reader_fail(r, &at, "half widths must be > 0");
    carom_tracked_box(b, half);
    carom_vec3 s = {half.x * half.x, half.y * half.y, half.z * half.z};
    b->inertia = carom_vec3_make((s.y + s.z) / 3, (s.z + s.x) / 3, (s.x + s.y) / 3);
    return true;
}

static bool read_points(const reader *r, const json_t *list, carom_tracked *b)
{
    static const place at = {NULL, "points"};
    b->point_count = (int)json_array_size(list);
    if (b->point_count < 2 || b->point_count > CAROM_TRACKED_POINTS)
        return reader_fail(r, &at, "must be an array of 2 to %d points", CAROM_TRACKED_POINTS);
    for (int i = 0; i < b->point_count; i++) {
        double x[3] = {0};
        if (!reader_vector(r, &at, json_array_get(list, (size_t)i), b->dim, x))
            return false;
        b->corner[i] = carom_vec3_make(x[0], x[1], x[2]);
    }
    return true;
}

/* Half a disk in the plane: its straight side on x through the origin, its arc at y > 0. */
static bool read_half_disk(const reader *r, const json_t *value, carom_tracked *b)
{
    static const place at = {NULL, "half_disk"};
    double radius;
    if (b->dim != 2)
        return reader_fail(r, &at, "is for planar recordings");
    if (!reader_number(r, &at, value, &radius))
        return false;
    b->point_count = ARC;
    for (int i = 0; i < ARC; i++) {
        double angle = PI * i / (ARC - 1);
        b->corner[i] = carom_vec3_make(radius * carom_cos(angle), radius * carom_sin(angle), 0);
    }
    double c = 4 * radius / (3 * PI);
    b->com = carom_vec3_make(0, c, 0);
    b->inertia = carom_vec3_make(0, 0, radius * radius / 2 - c * c);
    return radius > 0 || reader_fail_number(r, &at, "must be > 0", radius);
}

static bool read_outline(const reader *r, const json_t *d, carom_tracked *b)
{
    const json_t *points = json_object_get(d, "points"), *disk = json_object_get(d, "half_disk");
    int given = (json_object_get(d, "box") != NULL) + (points != NULL) + (disk != NULL);
    if (given != 1)
        return reader_fail(r, NULL, "give one shape: \"box\", \"points\" or \"half_disk\"");
    return disk ? read_half_disk(r, disk, b) : points ? read_points(r, points, b) : read_box(r, d, b);
}

static bool read_masses(const reader *r, const json_t *d, carom_tracked *b)
{
    static const place at = {NULL, "inertia"};
    const json_t *I = json_object_get(d, "inertia");
    if (!take_vector(r, d, "com", b->dim, &b->com))
        return false;
    if (I && !(b->dim == 3 ? take_vector(r, d, "inertia", 3, &b->inertia) : reader_number(r, &at, I, &b->inertia.z)))
        return false;
    bool fine = b->inertia.z > 0 && (b->dim == 2 || (b->inertia.x > 0 && b->inertia.y > 0));
    return fine || reader_fail(r, &at, "is needed, in m^2 (over the mass), and must be > 0");
}

/* ---- the rest ---- */

static bool read_margins(const reader *r, const json_t *d, carom_tracked *b)
{
    static const place at = {NULL, "margins"};
    const json_t *value = json_object_get(d, "margins");
    double m[2] = {0, 0};
    if (value && !reader_vector(r, &at, value, 2, m))
        return false;
    b->margin_before = (int)m[0];
    b->margin_after = (int)m[1];
    return (m[0] >= 0 && m[1] >= 0 && m[0] <= 8 && m[1] <= 8) || reader_fail(r, &at, "must be two counts from 0 to 8");
}

static bool read_slope(const reader *r, const json_t *d, carom_tracked *b)
{
    static const place at = {NULL, "slope"};
    const json_t *value = json_object_get(d, "slope");
    return !value || (b->dim == 2 && json_is_number(value) ? reader_number(r, &at, value, &b->slope[0])
                                                           : reader_vector(r, &at, value, b->dim - 1, b->slope));
}

static bool read_wants(const reader *r, const json_t *d, carom_recording *rec)
{
    static const place at = {NULL, "fit"};
    const json_t *list = json_object_get(d, "fit"), *entry;
    size_t i;
    json_array_foreach(list, i, entry)
    {
        const char *word = json_string_value(entry);
        unsigned bit = 0;
        for (int k = 0; word && recording_words[k].word; k++)
            bit = strcmp(recording_words[k].word, word) == 0 ? recording_words[k].bit : bit;
        if (!bit)
            return reader_fail(r, &at,
                               "must be words among half, com, inertia, radius, gravity, floor, turn, drag, "
                               "depth, sliding");
        rec->fit |= bit;
    }
    return true;
}

bool carom_recording_describe(carom_recording *rec, const carom_text *text, carom_case_error *error)
{
    static const carom_case_error nothing;
    reader r = {text, error};
    double rate = 0;
    *error = nothing;
    if (!reader_parse(&r, "description", &rec->document))
        return false;
    const json_t *d = rec->document;
    if (!reader_keys(&r, NULL, d, keys) || !take(&r, d, "rate", 1e-9, &rate))
        return false;
    if (!(rate > 0))
        return reader_missing(&r, NULL, "rate");
    rec->body = carom_tracked_default(3, 1 / rate);
    carom_tracked *b = &rec->body;
    return read_columns(&r, d, rec) && read_outline(&r, d, b) && read_masses(&r, d, b) &&
           take(&r, d, "radius", 0, &b->radius) && take(&r, d, "gravity", 1e-9, &b->gravity) &&
           take(&r, d, "floor", -INFINITY, &b->floor) && take(&r, d, "turn", -INFINITY, &rec->turn) &&
           take(&r, d, "drag", -INFINITY, &b->drag) && take(&r, d, "spin_drag", -INFINITY, &b->spin_drag) &&
           take(&r, d, "touch", 0, &b->touch) && take(&r, d, "depth", 0, &b->depth) &&
           take(&r, d, "sliding", 0, &b->sliding) && read_margins(&r, d, b) && read_slope(&r, d, b) &&
           read_wants(&r, d, rec);
}
