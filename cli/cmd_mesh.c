/* carom mesh: what a triangle mesh weighs, what is wrong with it, and how convex parts approximate it. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/mesh.h"
#include "cli.h"
#include "json.h"
#include "options.h"

#define LARGE 20.0 /* m: a body this large may have been drawn in millimetres */

typedef struct session {
    double scale, error; /* zero: the default */
    long long parts;
    bool json;
} session;

static json_t *vector(carom_vec3 v)
{
    return json_pack("[f f f]", v.x, v.y, v.z);
}

static json_t *matrix(carom_sym3 I)
{
    return json_pack("[[f f f] [f f f] [f f f]]", I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz);
}

static json_t *count_of(long n)
{
    return n < 0 ? json_null() : json_integer(n);
}

/* The hull and the parts of a mesh that encloses a volume. */
static void add_solids(const session *s, const carom_mesh *mesh, double volume, json_t *tree)
{
    int corners;
    double hull;
    carom_mesh_parts parts;
    carom_vec3 *points = carom_mesh_hull(mesh->points, mesh->point_count, &corners, &hull);
    if (points)
        json_object_set_new(
            tree, "hull",
            json_pack("{s:f, s:f, s:f}", "corners", (double)corners, "volume", hull, "error", hull / volume - 1));
    free(points);
    if (!carom_mesh_decompose(mesh, s->error > 0 ? s->error : 0.01, (int)s->parts, &parts))
        return;
    json_object_set_new(tree, "parts",
                        json_pack("{s:f, s:f}", "count", (double)parts.part_count, "error", parts.error));
    carom_mesh_parts_free(&parts);
}

static json_t *report(const session *s, const carom_mesh *mesh)
{
    carom_mesh_measure m = carom_mesh_measure_of(mesh);
    json_t *defects = json_pack("{s:o, s:o, s:o, s:o, s:o, s:b}", "holes", count_of(m.open_edges), "flipped",
                                count_of(m.flipped_edges), "crowded", count_of(m.crowded_edges), "empty",
                                count_of(m.empty), "crossings", count_of(m.crossings), "inside_out", m.inside_out);
    json_t *tree = json_pack("{s:f, s:f, s:b, s:o, s:f, s:o, s:o}", "points", (double)mesh->point_count, "triangles",
                             (double)mesh->triangle_count, "closed", carom_mesh_is_closed(&m), "defects", defects,
                             "area", m.area, "low", vector(m.low), "high", vector(m.high));
    if (carom_mesh_is_closed(&m)) {
        json_object_set_new(tree, "volume", json_real(m.volume));
        json_object_set_new(tree, "centre", vector(m.centre));
        json_object_set_new(tree, "inertia", matrix(m.inertia));
        add_solids(s, mesh, m.volume, tree);
    }
    carom_vec3 size = carom_vec3_sub(m.high, m.low);
    if (carom_vec3_length(size) > LARGE)
        complain("mesh: warning: it is %.4g m long; if it was drawn in millimetres, give --scale 0.001",
                 carom_vec3_length(size));
    return tree;
}

/* ---- text ---- */

static double number(const json_t *tree, const char *key)
{
    return json_number_value(json_object_get(tree, key));
}

static void print_vector(const char *label, const json_t *v)
{
    printf("%-12s%.10g  %.10g  %.10g\n", label, json_number_value(json_array_get(v, 0)),
           json_number_value(json_array_get(v, 1)), json_number_value(json_array_get(v, 2)));
}

static void print_defects(const json_t *d)
{
    static const char *const rows[][2] = {{"holes", "edges with one triangle: holes"},
                                          {"flipped", "edges whose triangles disagree: flipped faces"},
                                          {"crowded", "edges with three or more triangles: not a manifold"},
                                          {"empty", "triangles without area"},
                                          {"crossings", "pairs of triangles that cut each other"}};
    for (int k = 0; k < 5; k++)
        if (number(d, rows[k][0]) > 0)
            printf("%-12s%.0f %s\n", "defect", number(d, rows[k][0]), rows[k][1]);
    if (json_is_null(json_object_get(d, "crossings")))
        printf("%-12s%s\n", "", "too many triangles to look for those that cut each other");
    if (json_is_true(json_object_get(d, "inside_out")))
        printf("%-12s%s\n", "defect", "all triangles face inwards");
}

static void print_report(const json_t *t)
{
    const json_t *hull = json_object_get(t, "hull"), *parts = json_object_get(t, "parts");
    printf("%-12s%.0f points, %.0f triangles, %s\n", "mesh", number(t, "points"), number(t, "triangles"),
           json_is_true(json_object_get(t, "closed")) ? "closed" : "not closed: no volume");
    print_defects(json_object_get(t, "defects"));
    print_vector("from, m", json_object_get(t, "low"));
    print_vector("to, m", json_object_get(t, "high"));
    printf("%-12s%.10g\n", "area, m2", number(t, "area"));
    if (!json_object_get(t, "volume"))
        return;
    printf("%-12s%.10g\n", "volume, m3", number(t, "volume"));
    print_vector("centre, m", json_object_get(t, "centre"));
    for (size_t k = 0; k < 3; k++)
        print_vector(k ? "" : "inertia, m5", json_array_get(json_object_get(t, "inertia"), k));
    if (hull)
        printf("%-12s%.0f corners, volume %+.3g %%\n", "hull", number(hull, "corners"), 100 * number(hull, "error"));
    if (parts)
        printf("%-12s%.0f convex, volume %+.3g %%\n", "parts", number(parts, "count"), 100 * number(parts, "error"));
}

/* ---- options ---- */

static const option_row options[] = {
    {"scale", "S", "lengths of the file times S are metres (default 1; 0.001 for millimetres)",
     .at = offsetof(session, scale), take_positive},
    {"parts", "N", "at most N convex parts (default 32)", .at = offsetof(session, parts), take_whole, 0, 1, 1000},
    {"error", "E", "parts until their volume is off by the share E (default 0.01)", .at = offsetof(session, error),
     take_positive},
    JSON_OPTION(session, "the same as JSON"),
    {.name = NULL}};

const command_help help_mesh = {
    .usage = "usage: carom mesh [options] FILE.stl|FILE.obj|FILE.ply\n\n"
             "Prints what a triangle mesh encloses: volume, centre of mass and inertia for density 1, exactly; what\n"
             "is wrong with it: holes, flipped faces, edges of three triangles, triangles that cut each other; the\n"
             "convex hull; and convex parts, with the error of their volume. Scenes use a mesh by the shape mesh.\n\n",
    options,
    "\nexample    carom mesh bracket.stl --scale 0.001\n"};

int cmd_mesh(int argc, char **argv)
{
    session s = {.parts = 32};
    carom_mesh mesh;
    char why[CAROM_MESH_MESSAGE];
    if (!options_read("mesh", &help_mesh, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("mesh: expected one file .stl, .obj or .ply");
    if (!carom_mesh_load(argv[optind], &mesh, why))
        return complain("%s", why);
    for (int i = 0; i < mesh.point_count && s.scale > 0; i++)
        mesh.points[i] = carom_vec3_scale(s.scale, mesh.points[i]);
    json_t *tree = report(&s, &mesh);
    if (s.json)
        json_print(stdout, tree, false);
    else
        print_report(tree);
    json_decref(tree);
    carom_mesh_free(&mesh);
    return FINE;
}
