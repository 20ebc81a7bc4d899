/* Inside carom-io: a mesh while it is read. */
#ifndef CAROM_IO_MESH_BUILD_H
#define CAROM_IO_MESH_BUILD_H

#include "carom/mesh.h"

/* Text of a mesh file, read word by word. */
typedef struct mesh_text {
    const char *name, *at, *end;
    long line; /* from 1 */
    char *why;
} mesh_text;

/* One line to blame, with the line of the file where it is text (line > 0). Always false. */
bool mesh_fail(const mesh_text *t, const char *format, ...);

/* The next word of the line, or of any line; its length, 0 at the end. */
size_t mesh_word(mesh_text *t, const char **word);
void mesh_skip_blanks(mesh_text *t, bool lines);
void mesh_skip_line(mesh_text *t);
bool mesh_is_word(const char *word, size_t length, const char *expected);

/* The number that a word is. False when it is not a finite number. */
bool mesh_number(const char *word, size_t length, double *value);

/* Points and triangles grow; false: memory ends or there are too many, and why says it. */
typedef struct mesh_build {
    carom_mesh mesh;
    int point_room, triangle_room;
} mesh_build;

bool mesh_add_point(mesh_text *t, mesh_build *b, carom_vec3 x);
bool mesh_add_triangle(mesh_text *t, mesh_build *b, const int corner[3]);

/* A polygon as triangles from its first corner. */
bool mesh_add_polygon(mesh_text *t, mesh_build *b, const int *corner, int count);

bool mesh_read_stl(mesh_text *t, mesh_build *b);
bool mesh_read_obj(mesh_text *t, mesh_build *b);
bool mesh_read_ply(mesh_text *t, mesh_build *b);

/* Pairs of triangles that cut each other, or -1 when memory ends. */
long mesh_crossings(const carom_mesh *m);

/* The triangles of the hull of points, three numbers of points each; null: they span no volume, or memory ends. */
int *mesh_hull_triangles(const carom_vec3 *points, int count, int *triangles);

#endif
