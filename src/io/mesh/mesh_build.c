/* Meshes from files: words, growing lists, and points that are the same. */
#include "io/mesh/mesh_build.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/json/number.h"

bool mesh_fail(const mesh_text *t, const char *format, ...)
{
    va_list list;
    int at = t->line > 0 ? snprintf(t->why, CAROM_MESH_MESSAGE, "%.100s:%ld: ", t->name, t->line)
                         : snprintf(t->why, CAROM_MESH_MESSAGE, "%.100s: ", t->name);
    va_start(list, format);
    vsnprintf(t->why + at, CAROM_MESH_MESSAGE - (size_t)at, format, list);
    va_end(list);
    return false;
}

/* ---- words ---- */

void mesh_skip_blanks(mesh_text *t, bool lines)
{
    while (t->at < t->end && isspace((unsigned char)*t->at) && (lines || *t->at != '\n'))
        t->line += *t->at++ == '\n';
}

void mesh_skip_line(mesh_text *t)
{
    const char *next = memchr(t->at, '\n', (size_t)(t->end - t->at));
    t->at = next ? next + 1 : t->end;
    t->line++;
}

size_t mesh_word(mesh_text *t, const char **word)
{
    mesh_skip_blanks(t, false);
    *word = t->at;
    while (t->at < t->end && !isspace((unsigned char)*t->at))
        t->at++;
    return (size_t)(t->at - *word);
}

bool mesh_is_word(const char *word, size_t length, const char *expected)
{
    return length == strlen(expected) && memcmp(word, expected, length) == 0;
}

/* Exporters write what JSON does not know: "+1", ".5", "1.", "1.E3". It is brought into its grammar first. */
bool mesh_number(const char *word, size_t length, double *value)
{
    char text[64];
    size_t n = 0;
    bool digits = false;
    for (size_t i = word[0] == '+'; i < length; i++) {
        bool dot = word[i] == '.', digit = isdigit((unsigned char)word[i]);
        if (n + 3 > sizeof text || (!digit && !strchr("+-.eE", word[i])))
            return false;
        if (dot && (n == 0 || !isdigit((unsigned char)text[n - 1])))
            text[n++] = '0';
        text[n++] = word[i];
        if (dot && (i + 1 == length || !isdigit((unsigned char)word[i + 1])))
            text[n++] = '0';
        digits |= digit;
    }
    *value = digits ? carom_internal_number_read(text, n) : NAN;
    return isfinite(*value);
}

/* ---- lists ---- */

static bool grow(void **list, int *room, int count, size_t size)
{
    if (count < *room)
        return true;
    int more = *room ? 2 * *room : 256;
    void *moved = realloc(*list, (size_t)more * size);
    if (!moved)
        return false;
    *list = moved;
    *room = more;
    return true;
}

bool mesh_add_point(mesh_text *t, mesh_build *b, carom_vec3 x)
{
    void *list = b->mesh.points;
    if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z))
        return mesh_fail(t, "a point is not finite");
    if (b->mesh.point_count >= 3 * CAROM_MESH_TRIANGLES)
        return mesh_fail(t, "more than %d points", 3 * CAROM_MESH_TRIANGLES);
    if (!grow(&list, &b->point_room, b->mesh.point_count, sizeof x))
        return mesh_fail(t, "out of memory");
    b->mesh.points = list;
    b->mesh.points[b->mesh.point_count++] = x;
    return true;
}

bool mesh_add_triangle(mesh_text *t, mesh_build *b, const int corner[3])
{
    void *list = b->mesh.triangles;
    if (b->mesh.triangle_count >= CAROM_MESH_TRIANGLES)
        return mesh_fail(t, "more than %d triangles", CAROM_MESH_TRIANGLES);
    for (int k = 0; k < 3; k++)
        if (corner[k] < 0 || corner[k] >= b->mesh.point_count)
            return mesh_fail(t, "a face names point %d of %d", corner[k] + 1, b->mesh.point_count);
    if (!grow(&list, &b->triangle_room, b->mesh.triangle_count, 3 * sizeof *corner))
        return mesh_fail(t, "out of memory");
    b->mesh.triangles = list;
    memcpy(b->mesh.triangles + 3 * (size_t)b->mesh.triangle_count++, corner, 3 * sizeof *corner);
    return true;
}

bool mesh_add_polygon(mesh_text *t, mesh_build *b, const int *corner, int count)
{
    if (count < 3)
        return mesh_fail(t, "a face needs three corners, not %d", count);
    for (int k = 2; k < count; k++) {
        int three[3] = {corner[0], corner[k - 1], corner[k]};
        if (!mesh_add_triangle(t, b, three))
            return false;
    }
    return true;
}

/* ---- one point for the same coordinates ---- */

static uint64_t hash(carom_vec3 x)
{
    double v[3] = {x.x + 0.0, x.y + 0.0, x.z + 0.0}; /* -0 is 0 */
    uint64_t bits[3], h = 0;
    memcpy(bits, v, sizeof bits);
    for (int k = 0; k < 3; k++)
        h = (h ^ bits[k]) * 0x9E3779B97F4A7C15u, h ^= h >> 29;
    return h;
}

static bool is_same(carom_vec3 a, carom_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Points with the same coordinates become one. */
static bool mesh_weld(carom_mesh *m)
{
    size_t room = 16;
    while (room < 2 * (size_t)m->point_count)
        room *= 2;
    int *table = malloc(room * sizeof *table), *number = malloc(((size_t)m->point_count + 1) * sizeof *number),
        kept = 0;
    if (table && number) {
        memset(table, -1, room * sizeof *table);
        for (int i = 0; i < m->point_count; i++) {
            size_t at = hash(m->points[i]) & (room - 1);
            while (table[at] >= 0 && !is_same(m->points[table[at]], m->points[i]))
                at = (at + 1) & (room - 1);
            if (table[at] < 0)
                m->points[kept] = m->points[i], table[at] = kept++;
            number[i] = table[at];
        }
        for (size_t k = 0; k < 3 * (size_t)m->triangle_count; k++)
            m->triangles[k] = number[m->triangles[k]];
        m->point_count = kept;
    }
    bool fine = table && number;
    free(table);
    free(number);
    return fine;
}

/* ---- files ---- */

static bool ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);
    for (size_t k = 0; n >= m && k < m; k++)
        if (tolower((unsigned char)name[n - m + k]) != ending[k])
            return false;
    return n >= m;
}

bool carom_mesh_read(const char *name, const char *bytes, size_t length, carom_mesh *mesh, char why[CAROM_MESH_MESSAGE])
{
    mesh_text t = {name, bytes, bytes + length, 1, why}, whole = {.name = name, .why = why};
    mesh_build b = {{NULL, NULL, 0, 0}, 0, 0};
    bool fine = ends_with(name, ".stl")   ? mesh_read_stl(&t, &b)
                : ends_with(name, ".obj") ? mesh_read_obj(&t, &b)
                : ends_with(name, ".ply") ? mesh_read_ply(&t, &b)
                                          : mesh_fail(&whole, "a mesh is a file .stl, .obj or .ply");
    if (fine && !b.mesh.triangle_count)
        fine = mesh_fail(&whole, "no triangles");
    if (fine && !mesh_weld(&b.mesh))
        fine = mesh_fail(&whole, "out of memory");
    *mesh = b.mesh;
    if (!fine)
        carom_mesh_free(mesh);
    return fine;
}

static bool read_all(FILE *file, const mesh_text *t, char **bytes, size_t *length)
{
    size_t room = 0;
    for (;;) {
        if (*length == room) {
            room = room ? 2 * room : 1 << 16;
            char *more = realloc(*bytes, room);
            if (!more)
                return mesh_fail(t, "out of memory");
            *bytes = more;
        }
        size_t got = fread(*bytes + *length, 1, room - *length, file);
        *length += got;
        if (!got)
            return !ferror(file) || mesh_fail(t, "cannot be read");
    }
}

bool carom_mesh_load(const char *path, carom_mesh *mesh, char why[CAROM_MESH_MESSAGE])
{
    mesh_text t = {.name = path, .why = why};
    char *bytes = NULL;
    size_t length = 0;
    static const carom_mesh none;
    *mesh = none;
    FILE *file = fopen(path, "rb");
    if (!file)
        return mesh_fail(&t, "%s", strerror(errno));
    bool fine = read_all(file, &t, &bytes, &length) && carom_mesh_read(path, bytes, length, mesh, why);
    fclose(file);
    free(bytes);
    return fine;
}

void carom_mesh_free(carom_mesh *mesh)
{
    static const carom_mesh none;
    free(mesh->points);
    free(mesh->triangles);
    *mesh = none;
}
