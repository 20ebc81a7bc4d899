/* Meshes: five files of one bracket, its mass by hand, its parts, and what is wrong with broken ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carom/mesh.h"

#define assert_near(got, expected, tolerance) assert_true(fabs((got) - (expected)) <= (tolerance))

static const char *const files[] = {"bracket.obj", "bracket.stl", "bracket-binary.stl", "bracket.ply",
                                    "bracket-binary.ply"};

static carom_mesh loaded(const char *name)
{
    char path[512], why[CAROM_MESH_MESSAGE];
    carom_mesh mesh;
    snprintf(path, sizeof path, "%s/mesh/%s", CAROM_TEST_DATA, name);
    if (!carom_mesh_load(path, &mesh, why))
        fail_msg("%s", why);
    return mesh;
}

/* An L of two boxes, 3 x 1 x 1 and 1 x 1 x 1 on its first metre: moments of boxes and the parallel-axis theorem. */
static void test_bracket(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        carom_mesh mesh = loaded(files[k]);
        carom_mesh_measure m = carom_mesh_measure_of(&mesh);
        double V[2] = {3, 1}, size[2][3] = {{3, 1, 1}, {1, 1, 1}}, at[2][3] = {{1.5, 0.5, 0.5}, {0.5, 1.5, 0.5}}, c[3];
        double xx = 0, zz = 0, xy = 0;
        for (int i = 0; i < 3; i++)
            c[i] = (V[0] * at[0][i] + V[1] * at[1][i]) / 4;
        for (int i = 0; i < 2; i++) {
            double dx = at[i][0] - c[0], dy = at[i][1] - c[1], dz = at[i][2] - c[2];
            xx += V[i] * ((size[i][1] * size[i][1] + size[i][2] * size[i][2]) / 12 + dy * dy + dz * dz);
            zz += V[i] * ((size[i][0] * size[i][0] + size[i][1] * size[i][1]) / 12 + dx * dx + dy * dy);
            xy -= V[i] * dx * dy;
        }
        assert_int_equal(mesh.point_count, 12);
        assert_int_equal(mesh.triangle_count, 20);
        assert_true(carom_mesh_is_closed(&m));
        assert_int_equal(m.crossings, 0);
        assert_near(m.volume, 4, 1e-14);
        assert_near(m.area, 18, 1e-13);
        assert_near(m.centre.x, c[0], 1e-15);
        assert_near(m.centre.y, c[1], 1e-15);
        assert_near(m.inertia.xx, xx, 1e-14);
        assert_near(m.inertia.zz, zz, 1e-14);
        assert_near(m.inertia.xy, xy, 1e-14);
        carom_mesh_free(&mesh);
    }
}

static void test_parts(void **state)
{
    (void)state;
    carom_mesh mesh = loaded("bracket.obj");
    carom_mesh_parts parts;
    int corners;
    double volume;
    carom_vec3 *hull = carom_mesh_hull(mesh.points, mesh.point_count, &corners, &volume);
    assert_int_equal(corners, 10);
    assert_near(volume, 5, 1e-14); /* the triangle between the two boxes, too */
    assert_true(carom_mesh_decompose(&mesh, 0.01, 8, &parts));
    assert_int_equal(parts.part_count, 2);
    assert_near(parts.error, 0, 1e-12);
    carom_mesh_parts_free(&parts);
    free(hull);
    carom_mesh_free(&mesh);
}

static void test_defects(void **state)
{
    (void)state;
    carom_mesh mesh = loaded("bracket.obj");
    int kept = mesh.triangles[0];
    mesh.triangle_count--;
    assert_int_equal(carom_mesh_measure_of(&mesh).open_edges, 3);
    mesh.triangle_count++;
    mesh.triangles[0] = mesh.triangles[1], mesh.triangles[1] = kept;
    assert_int_equal(carom_mesh_measure_of(&mesh).flipped_edges, 3);
    mesh.triangles[1] = mesh.triangles[0], mesh.triangles[0] = kept;
    mesh.points[4].x = -2.5; /* the top of the L leans through its back */
    assert_true(carom_mesh_measure_of(&mesh).crossings > 0);
    mesh.points[4].x = 1;
    for (int k = 0; k < mesh.triangle_count; k++) {
        int *t = mesh.triangles + 3 * k;
        kept = t[0], t[0] = t[1], t[1] = kept;
    }
    assert_true(carom_mesh_measure_of(&mesh).inside_out);
    carom_mesh_free(&mesh);
}

static void test_bad_files(void **state)
{
    (void)state;
    static const char *const bad[][3] = {
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 x\n", "a.obj:3: v needs three numbers"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "a.obj:4: a face names point 4 of 3"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "a.obj:4: a face needs three corners, not 2"},
        {"a.obj", "v 0 0 0\n", "a.obj: no triangles"},
        {"a.stl", "nothing",
         "a.stl: neither \"solid ...\" nor a binary STL of the length that its number of triangles needs"},
        {"a.stl", "solid\nouter loop\nvertex 0 0 0\nendloop\n", "a.stl:4: a facet has three corners, not 1"},
        {"a.ply", "plx\n", "a.ply:1: a PLY file begins with \"ply\""},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nend_header\n1\n",
         "a.ply:7: the file ends too early"},
        {"a.step", "", "a.step: a mesh is a file .stl, .obj or .ply"}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        carom_mesh mesh;
        char why[CAROM_MESH_MESSAGE];
        assert_false(carom_mesh_read(bad[k][0], bad[k][1], strlen(bad[k][1]), &mesh, why));
        assert_string_equal(why, bad[k][2]);
    }
    carom_mesh mesh;
    char why[CAROM_MESH_MESSAGE];
    assert_false(carom_mesh_load("no/such/file.stl", &mesh, why));
    assert_string_equal(why, "no/such/file.stl: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bracket), cmocka_unit_test(test_parts),
                                       cmocka_unit_test(test_defects), cmocka_unit_test(test_bad_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
