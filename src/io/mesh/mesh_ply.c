/* PLY: a head that names elements and their properties, then rows of them as text or bytes. */
#include <stdint.h>
#include <string.h>

#include "io/mesh/mesh_build.h"

enum { ELEMENTS = 16, PROPERTIES = 64, CORNERS = 1024 };

typedef enum number_kind { CHAR, UCHAR, SHORT, USHORT, INT, UINT, FLOAT, DOUBLE, KINDS } number_kind;

static const char *const kind_words[KINDS][2] = {{"char", "int8"},     {"uchar", "uint8"},   {"short", "int16"},
                                                 {"ushort", "uint16"}, {"int", "int32"},     {"uint", "uint32"},
                                                 {"float", "float32"}, {"double", "float64"}};
static const int kind_sizes[KINDS] = {1, 1, 2, 2, 4, 4, 4, 8};

typedef struct property {
    bool is_list;
    number_kind kind, count_kind;
    char role; /* x, y, z, f: the corners of a face; 0: not needed */
} property;

typedef struct element {
    bool is_vertex, is_face;
    long count;
    int first, properties;
} element;

typedef struct head {
    bool is_text, is_big;
    element elements[ELEMENTS];
    int count;
    property properties[PROPERTIES];
    int property_count;
} head;

/* ---- the head ---- */

static bool read_kind(mesh_text *t, number_kind *kind)
{
    const char *word;
    size_t n = mesh_word(t, &word);
    for (int k = 0; k < KINDS; k++)
        for (int m = 0; m < 2; m++)
            if (mesh_is_word(word, n, kind_words[k][m])) {
                *kind = (number_kind)k;
                return true;
            }
    return mesh_fail(t, "unknown type \"%.*s\"", (int)(n < 20 ? n : 20), word);
}

static bool read_format(mesh_text *t, head *h)
{
    const char *word;
    size_t n = mesh_word(t, &word);
    h->is_text = mesh_is_word(word, n, "ascii");
    h->is_big = mesh_is_word(word, n, "binary_big_endian");
    return h->is_text || h->is_big || mesh_is_word(word, n, "binary_little_endian") ||
           mesh_fail(t, "unknown format \"%.*s\"", (int)(n < 20 ? n : 20), word);
}

static bool read_element(mesh_text *t, head *h)
{
    const char *word, *number;
    size_t n = mesh_word(t, &word), m = mesh_word(t, &number);
    double count;
    if (h->count == ELEMENTS || !m || !mesh_number(number, m, &count) || count < 0 ||
        count > 3.0 * CAROM_MESH_TRIANGLES || count != (double)(long)count)
        return mesh_fail(t, "element needs a name and a number up to %d", 3 * CAROM_MESH_TRIANGLES);
    element e = {mesh_is_word(word, n, "vertex"), mesh_is_word(word, n, "face"), (long)count, h->property_count, 0};
    h->elements[h->count++] = e;
    return true;
}

static bool read_property(mesh_text *t, head *h)
{
    property p = {false, CHAR, CHAR, 0};
    mesh_text ahead = *t;
    const char *word;
    size_t n = mesh_word(&ahead, &word);
    if (!h->count || h->property_count == PROPERTIES)
        return mesh_fail(t, "a property without an element, or more than %d", PROPERTIES);
    if (mesh_is_word(word, n, "list")) {
        p.is_list = true;
        *t = ahead;
    }
    if ((p.is_list && !read_kind(t, &p.count_kind)) || !read_kind(t, &p.kind))
        return false;
    n = mesh_word(t, &word);
    bool corners = mesh_is_word(word, n, "vertex_indices") || mesh_is_word(word, n, "vertex_index");
    element *e = &h->elements[h->count - 1];
    p.role = e->is_vertex && n == 1 && !p.is_list && strchr("xyz", word[0]) ? word[0]
             : e->is_face && corners && p.is_list                           ? 'f'
                                                                            : 0;
    h->properties[h->property_count++] = p;
    e->properties++;
    return true;
}

static bool read_head(mesh_text *t, head *h)
{
    const char *word;
    size_t n = mesh_word(t, &word);
    if (!mesh_is_word(word, n, "ply"))
        return mesh_fail(t, "a PLY file begins with \"ply\"");
    for (mesh_skip_line(t); t->at < t->end; mesh_skip_line(t)) {
        n = mesh_word(t, &word);
        if (mesh_is_word(word, n, "end_header")) {
            mesh_skip_line(t);
            return true;
        }
        bool fine = mesh_is_word(word, n, "format")     ? read_format(t, h)
                    : mesh_is_word(word, n, "element")  ? read_element(t, h)
                    : mesh_is_word(word, n, "property") ? read_property(t, h)
                                                        : true;
        if (!fine)
            return false;
    }
    return mesh_fail(t, "the head does not end");
}

/* ---- numbers ---- */

static double from_bits(number_kind kind, uint64_t bits)
{
    float f;
    double d;
    uint32_t low = (uint32_t)bits;
    switch (kind) {
    case CHAR:
        return (int8_t)bits;
    case SHORT:
        return (int16_t)bits;
    case INT:
        return (int32_t)bits;
    case FLOAT:
        memcpy(&f, &low, sizeof f);
        return (double)f;
    case DOUBLE:
        memcpy(&d, &bits, sizeof d);
        return d;
    default:
        return (double)bits;
    }
}

static bool read_number(mesh_text *t, const head *h, number_kind kind, double *value)
{
    if (h->is_text) {
        const char *word;
        mesh_skip_blanks(t, true);
        size_t n = mesh_word(t, &word);
        return (n && mesh_number(word, n, value)) || mesh_fail(t, n ? "not a number" : "the file ends too early");
    }
    uint64_t bits = 0;
    int size = kind_sizes[kind];
    if (t->end - t->at < size)
        return mesh_fail(t, "the file ends too early");
    for (int k = 0; k < size; k++)
        bits |= (uint64_t)(unsigned char)t->at[h->is_big ? size - 1 - k : k] << (8 * k);
    t->at += size;
    *value = from_bits(kind, bits);
    return true;
}

/* ---- rows ---- */

static bool read_list(mesh_text *t, const head *h, const property *p, mesh_build *b)
{
    double count, number;
    int corner[CORNERS];
    if (!read_number(t, h, p->count_kind, &count))
        return false;
    if (!(count >= 0 && count <= (p->role ? CORNERS : 1e9)))
        return mesh_fail(t, "a list of %g numbers", count);
    for (int k = 0; k < (int)count; k++) {
        if (!read_number(t, h, p->kind, &number))
            return false;
        if (p->role)
            corner[k] = number >= 0 && number < 3.0 * CAROM_MESH_TRIANGLES ? (int)number : -1;
    }
    return !p->role || mesh_add_polygon(t, b, corner, (int)count);
}

static bool read_row(mesh_text *t, const head *h, const element *e, mesh_build *b)
{
    carom_vec3 x = {0, 0, 0};
    for (int k = 0; k < e->properties; k++) {
        const property *p = &h->properties[e->first + k];
        double value = 0;
        if (p->is_list ? !read_list(t, h, p, b) : !read_number(t, h, p->kind, &value))
            return false;
        x.x = p->role == 'x' ? value : x.x;
        x.y = p->role == 'y' ? value : x.y;
        x.z = p->role == 'z' ? value : x.z;
    }
    return !e->is_vertex || mesh_add_point(t, b, x);
}

bool mesh_read_ply(mesh_text *t, mesh_build *b)
{
    head h = {.is_text = true};
    if (!read_head(t, &h))
        return false;
    t->line = h.is_text ? t->line : 0;
    for (int k = 0; k < h.count; k++)
        for (long row = 0; row < h.elements[k].count; row++)
            if (!read_row(t, &h, &h.elements[k], b))
                return false;
    return true;
}
