/* OBJ: "v x y z" and "f a b c ...", with corners as "point/texture/normal" and negative numbers from the last point on.
 * Everything else (textures, normals, groups, materials) has no mass. */
#include <stdlib.h>

#include "io/mesh/mesh_build.h"

enum { CORNERS = 1024 }; /* of a face */

static bool read_point(mesh_text *t, mesh_build *b)
{
    const char *word;
    double v[3];
    for (int k = 0; k < 3; k++) {
        size_t n = mesh_word(t, &word);
        if (!n || !mesh_number(word, n, &v[k]))
            return mesh_fail(t, "v needs three numbers");
    }
    return mesh_add_point(t, b, carom_vec3_make(v[0], v[1], v[2]));
}

/* The point of a corner, from 0; -1: no number. */
static int corner_of(const char *word, size_t length, int points)
{
    long sign = word[0] == '-' ? -1 : 1, number = 0;
    for (size_t i = sign < 0; i < length && word[i] != '/'; i++) {
        if (word[i] < '0' || word[i] > '9' || number > CAROM_MESH_TRIANGLES * 10L)
            return -1;
        number = 10 * number + (word[i] - '0');
    }
    return (int)(sign < 0 ? points - number : number - 1);
}

static bool read_face(mesh_text *t, mesh_build *b)
{
    int corner[CORNERS], count = 0;
    const char *word;
    for (size_t n; (n = mesh_word(t, &word)) > 0;) {
        if (count == CORNERS)
            return mesh_fail(t, "a face has more than %d corners", CORNERS);
        corner[count++] = corner_of(word, n, b->mesh.point_count);
    }
    return mesh_add_polygon(t, b, corner, count);
}

bool mesh_read_obj(mesh_text *t, mesh_build *b)
{
    while (t->at < t->end) {
        const char *word;
        size_t n = mesh_word(t, &word);
        if ((mesh_is_word(word, n, "v") && !read_point(t, b)) || (mesh_is_word(word, n, "f") && !read_face(t, b)))
            return false;
        mesh_skip_line(t);
    }
    return true;
}
