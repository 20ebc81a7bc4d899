/* STL: triangles without connections, as text or as 50 bytes each behind a head of 84. Their normals are ignored: the
 * order of the corners tells the outside. */
#include <stdint.h>
#include <string.h>

#include "io/mesh/mesh_build.h"

enum { HEAD = 80, COUNT = 4, ROW = 50 };

static uint32_t whole(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double single(const char *bytes)
{
    uint32_t bits = whole((const unsigned char *)bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static bool add_three(mesh_text *t, mesh_build *b, const carom_vec3 corner[3])
{
    int first = b->mesh.point_count, three[3] = {first, first + 1, first + 2};
    for (int k = 0; k < 3; k++)
        if (!mesh_add_point(t, b, corner[k]))
            return false;
    return mesh_add_triangle(t, b, three);
}

static bool read_binary(mesh_text *t, mesh_build *b, uint32_t count)
{
    t->line = 0;
    for (uint32_t i = 0; i < count; i++) {
        const char *row = t->at + HEAD + COUNT + (size_t)ROW * i + 12;
        carom_vec3 corner[3];
        for (int k = 0; k < 3; k++)
            corner[k] = carom_vec3_make(single(row + 12 * k), single(row + 12 * k + 4), single(row + 12 * k + 8));
        if (!add_three(t, b, corner))
            return false;
    }
    return true;
}

static bool read_vertex(mesh_text *t, carom_vec3 *x)
{
    const char *word;
    double v[3];
    for (int k = 0; k < 3; k++) {
        size_t n = mesh_word(t, &word);
        if (!n || !mesh_number(word, n, &v[k]))
            return mesh_fail(t, "a vertex needs three numbers");
    }
    *x = carom_vec3_make(v[0], v[1], v[2]);
    return true;
}

/* One line of a facet: a corner, or the end of three of them. */
static bool read_line(mesh_text *t, mesh_build *b, carom_vec3 corner[3], int *corners)
{
    const char *word;
    size_t n = mesh_word(t, &word);
    if (mesh_is_word(word, n, "vertex"))
        return *corners < 3 ? read_vertex(t, &corner[(*corners)++]) : mesh_fail(t, "a facet has three corners");
    if (!mesh_is_word(word, n, "endloop"))
        return true;
    if (*corners != 3)
        return mesh_fail(t, "a facet has three corners, not %d", *corners);
    *corners = 0;
    return add_three(t, b, corner);
}

/* Facets between "solid" and "endsolid": a file that ends before is broken off. */
static bool read_text(mesh_text *t, mesh_build *b)
{
    carom_vec3 corner[3];
    int corners = 0;
    bool open = false;
    while (t->at < t->end) {
        mesh_text line = *t;
        const char *word;
        size_t n = mesh_word(&line, &word);
        if (mesh_is_word(word, n, "solid") || mesh_is_word(word, n, "endsolid"))
            open = word[0] == 's';
        else if (!read_line(t, b, corner, &corners))
            return false;
        mesh_skip_line(t);
    }
    if (corners)
        return mesh_fail(t, "the file ends inside a facet");
    return !open || mesh_fail(t, "the file is broken off: \"endsolid\" is missing");
}

/* Binary files may begin with "solid", too: their length tells. */
bool mesh_read_stl(mesh_text *t, mesh_build *b)
{
    size_t length = (size_t)(t->end - t->at);
    if (length >= HEAD + COUNT) {
        uint32_t count = whole((const unsigned char *)t->at + HEAD);
        bool is_binary = length == HEAD + COUNT + (size_t)ROW * count;
        if (is_binary && count > CAROM_MESH_TRIANGLES) {
            t->line = 0;
            return mesh_fail(t, "%lu triangles; %d are the most that is read", (unsigned long)count,
                             CAROM_MESH_TRIANGLES);
        }
        if (is_binary)
            return read_binary(t, b, count);
    }
    if (length >= 5 && memcmp(t->at, "solid", 5) == 0)
        return read_text(t, b);
    t->line = 0;
    return mesh_fail(t, "neither \"solid ...\" nor a binary STL of the length that its number of triangles needs");
}
