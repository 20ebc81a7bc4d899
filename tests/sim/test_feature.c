/* Corners, edges and faces along a direction, and where two pieces touch. */
#include "sim/shape/feature.h"

#include <stdlib.h>

#include "core/num.h"
#include "sim/plain_distance.h"
#include "sim/shape/hull_table.h"

enum { TRIES = 300 };

/* Every point of the feature is as far along the direction as the support point; its edges lie across. */
static void check_feature(const placed *p, carom_vec3 d, const feature *f, int count, int edges)
{
    double most = carom_vec3_dot(d, support(p, d));
    assert_int_equal(f->count, count);
    assert_int_equal(f->edges, edges);
    for (int k = 0; k < f->count; k++)
        assert_near(carom_vec3_dot(d, feature_point(f, k)), most, 4e-15);
    for (int k = 0; k < f->edges; k++) {
        assert_near(carom_vec3_dot(d, f->edge[k]), 0, 2e-15);
        assert_near(carom_vec3_length(f->edge[k]), 1, 2e-15);
    }
}

/* Of a box: a corner, an edge or a face, when a direction has three, two or one of the axes. */
static void test_box(void **state)
{
    (void)state;
    dice d = {81};
    for (int n = 0; n < TRIES; n++) {
        piece p;
        carom_solid box = dice_solid(&d, 0, NULL);
        assert_true(piece_of(&box, 3, &p));
        placed at = place_part(&p, NULL, dice_vec(&d, 2), dice_turn(&d));
        carom_vec3 own = vec(0.36, -0.48, 0.8);
        for (int axes = 1; axes <= 3; axes++) {
            carom_vec3 way = from_piece(&at, vec(own.x, axes > 1 ? own.y : 0, axes > 2 ? own.z : 0));
            way = carom_vec3_scale(1 / carom_vec3_length(way), way);
            feature f = feature_of(&at, way, 1e-12);
            check_feature(&at, way, &f, 1 << (3 - axes), 3 - axes);
        }
    }
}

/* Of round pieces: a face, a line of the side, a point of the rim. */
static void test_round(void **state)
{
    (void)state;
    dice d = {82};
    for (int n = 0; n < TRIES; n++) {
        piece p;
        carom_solid solid = dice_solid(&d, 1 + n % 2, NULL); /* cylinder, cone */
        assert_true(piece_of(&solid, 3, &p));
        placed at = place_part(&p, NULL, dice_vec(&d, 2), dice_turn(&d));
        double angle = dice_between(&d, -3, 3), lean = p.kind == CORE_CONE ? p.size[0] / (p.size[2] - p.size[1]) : 0;
        carom_vec3 down = from_piece(&at, vec(0, 0, -1)), side = from_piece(&at, vec(cos(angle), sin(angle), lean));
        carom_vec3 rim = from_piece(&at, vec(cos(angle), sin(angle), -0.4));
        side = carom_vec3_scale(1 / carom_vec3_length(side), side);
        rim = carom_vec3_scale(1 / carom_vec3_length(rim), rim);
        feature f = feature_of(&at, down, 1e-12), g = feature_of(&at, side, 1e-12), h = feature_of(&at, rim, 1e-12);
        check_feature(&at, down, &f, 4, 2);
        check_feature(&at, side, &g, 2, 1);
        check_feature(&at, rim, &h, 1, 0);
    }
}

/* The area of a polygon given by its corners in order, seen along n. */
static double area_of(const carom_vec3 *p, int count, carom_vec3 n)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += 0.5 * carom_vec3_dot(n, carom_vec3_cross(p[k], p[(k + 1) % count]));
    return fabs(sum);
}

static void *resize(void *context, void *block, size_t size)
{
    (void)context;
    if (size)
        return realloc(block, size);
    free(block);
    return NULL;
}

/* A prism with n corners in its base, in an order that is not that of the face. */
static void shuffled_prism(int n, int step, carom_vec3 *points)
{
    for (int k = 0; k < n; k++) {
        double angle = 6.283185307179586 / n * ((step * k + 1) % n);
        points[k] = vec(0.3 * cos(angle), 0.3 * sin(angle), 0.2);
        points[n + k] = carom_vec3_sub(points[k], vec(0, 0, 0.4));
    }
}

/* Faces of hulls have all their corners, in order around them: prisms with up to 200 corners in their base. */
static void test_hull(void **state)
{
    (void)state;
    dice d = {83};
    const carom_memory memory = {resize, NULL};
    for (int n = 3; n <= 200; n += 1 + n / 8) {
        carom_vec3 points[400], loop[200];
        hull_table t = {.faces = {.size = sizeof(hull_face)}, .corners = {.size = sizeof(int)}};
        t.clip.size = t.rest.size = sizeof(carom_vec3);
        shuffled_prism(n, n % 7 ? 7 : n % 5 ? 5 : 3, points);
        carom_solid solid = {.kind = CAROM_SOLID_HULL, .points = points, .point_count = 2 * n};
        piece p;
        assert_true(piece_of(&solid, 3, &p));
        assert_true(hull_table_add(&t, &memory, 3, points, &p) && hull_table_link(&t, &memory, &p, 1));
        assert_int_equal(p.face_count, n + 2);
        placed at = place_part(&p, points, dice_vec(&d, 1), dice_turn(&d));
        feature f = feature_of(&at, at.axis[2], 1e-12);
        check_feature(&at, at.axis[2], &f, n, 2);
        for (int k = 0; k < n; k++)
            loop[k] = feature_point(&f, k);
        assert_near(area_of(loop, n, at.axis[2]), 0.045 * n * sin(6.283185307179586 / n), 1e-13);
        for (store *each = &t.faces; each <= &t.rest; each++)
            store_free(each, &memory);
    }
}

/* ---- contact points ---- */

/* Box a upon box b, turned about the common normal and moved aside; gap zero. */
static void stack(placed *a, const placed *b, double turn, carom_vec3 aside)
{
    a->q = quat_multiply(b->q, quat_about(vec(0, 0, 1), turn));
    set_axes(a);
    double height = a->piece->size[2] + b->piece->size[2];
    a->center = carom_vec3_add(b->center, from_piece(b, vec(aside.x, aside.y, height)));
}

static double overlap_of(double a, double b, double aside)
{
    return fmax(fmin(a, aside + b) - fmax(-a, aside - b), 0);
}

/* Parallel faces have a rectangle in common; squares turned against each other a polygon around the circle that both
 * hold: of area 2 a^2 / (1 + sin + cos). */
static void test_faces(void **state)
{
    (void)state;
    dice d = {84};
    for (int n = 0; n < TRIES; n++) {
        piece p[2];
        for (int k = 0; k < 2; k++) {
            carom_solid box = dice_solid(&d, 0, NULL);
            assert_true(piece_of(&box, 3, &p[k]));
        }
        placed b = place_part(&p[1], NULL, dice_vec(&d, 2), dice_turn(&d)), a = {.piece = &p[0]};
        carom_vec3 point[16], spare[16], *room[2] = {point, spare}, aside = dice_vec(&d, 0.1);
        stack(&a, &b, 0, aside);
        int count = contact_points(&a, &b, b.axis[2], ROUND_PLACE, room);
        double want = overlap_of(p[1].size[0], p[0].size[0], aside.x) * overlap_of(p[1].size[1], p[0].size[1], aside.y);
        assert_near(area_of(point, count, b.axis[2]), want, 1e-14);
        double side = 2 * p[0].size[0], angle = dice_between(&d, 0.1, 1.4);
        p[0].size[1] = p[1].size[0] = p[1].size[1] = p[0].size[0];
        stack(&a, &b, angle, vec(0, 0, 0));
        count = contact_points(&a, &b, b.axis[2], ROUND_PLACE, room);
        assert_int_equal(count, 8);
        assert_near(area_of(point, count, b.axis[2]), 2 * side * side / (1 + sin(angle) + cos(angle)), 1e-14);
        for (int k = 0; k < count; k++)
            assert_near(contact_gap_at(&a, &b, b.axis[2], ROUND_PLACE, point[k]), 0, 4e-15);
    }
}

/* Boxes of one width upon each other, turned by roundings and a little more: edges lie along borders of faces, a
 * rounding inside or outside, and cross far away. Points are on the boxes all the same. */
static void test_borders(void **state)
{
    (void)state;
    dice d = {88};
    for (int n = 0; n < 10 * TRIES; n++) {
        carom_solid box = dice_solid(&d, 0, NULL);
        piece p;
        assert_true(piece_of(&box, 3, &p));
        placed b = place_part(&p, NULL, dice_vec(&d, 2), dice_turn(&d)), a = {.piece = &p};
        carom_vec3 point[16], spare[16], *room[2] = {point, spare};
        double small = pow(10, dice_between(&d, -14, -8)), slide = dice_between(&d, -1, 1) * p.size[0];
        stack(&a, &b, 0, vec(slide, n % 2 ? 0 : small * dice_between(&d, -1, 1), 0));
        a.q = quat_multiply(quat_about(dice_unit(&d), small), a.q);
        set_axes(&a);
        carom_vec3 normal = n % 3 ? b.axis[2] : a.axis[2];
        int count = contact_points(&a, &b, normal, n % 5 ? ROUND_PLACE : 0.02, room);
        assert_true(count > 0);
        for (int k = 0; k < count; k++) {
            double away = fmin(vec_distance(point[k], a.center), vec_distance(point[k], b.center));
            assert_true(away < (1 + 1e-7) * p.reach);
        }
    }
}

/* Capsules beside each other touch along the common part of their lines, half way between the surfaces they have. */
static void test_lines(void **state)
{
    (void)state;
    dice d = {85};
    for (int n = 0; n < TRIES; n++) {
        piece p[2];
        for (int k = 0; k < 2; k++) {
            carom_solid capsule = dice_solid(&d, 3, NULL);
            assert_true(piece_of(&capsule, 3, &p[k]));
        }
        placed b = place_part(&p[1], NULL, dice_vec(&d, 2), dice_turn(&d)), a = b;
        double aside = dice_between(&d, -0.2, 0.2), apart = p[0].margin + p[1].margin;
        carom_vec3 point[16], spare[16], *room[2] = {point, spare}, n0 = b.axis[0];
        a.piece = &p[0];
        a.center = carom_vec3_add(b.center, from_piece(&b, vec(apart, 0, aside)));
        int count = contact_points(&a, &b, n0, ROUND_PLACE, room);
        assert_int_equal(count, 2);
        assert_near(carom_vec3_length(carom_vec3_sub(point[0], point[1])),
                    overlap_of(p[1].size[0], p[0].size[0], aside), 1e-14);
        for (int k = 0; k < 2; k++)
            assert_near(carom_vec3_dot(n0, carom_vec3_sub(point[k], b.center)), p[1].margin, 2e-15);
    }
}

/* Edges that cross touch where the common perpendicular meets them. */
static void test_crossing(void **state)
{
    (void)state;
    dice d = {86};
    for (int n = 0; n < TRIES; n++) {
        piece p[2];
        for (int k = 0; k < 2; k++) {
            carom_solid rod = dice_solid(&d, 6, NULL);
            assert_true(piece_of(&rod, 3, &p[k]));
        }
        placed a = place_part(&p[0], NULL, vec(0, 0, 0), dice_turn(&d)), b = a;
        double s = dice_between(&d, -0.9, 0.9) * p[0].size[0], t = dice_between(&d, -0.9, 0.9) * p[1].size[0];
        carom_vec3 point[16], spare[16], *room[2] = {point, spare}, cross;
        b.piece = &p[1];
        b.q = quat_multiply(a.q, quat_about(vec(1, 0, 0), dice_between(&d, 0.2, 2.8)));
        set_axes(&b);
        cross = carom_vec3_cross(a.axis[2], b.axis[2]);
        cross = carom_vec3_scale(1 / carom_vec3_length(cross), cross);
        b.center = carom_vec3_sub(carom_vec3_scale(s, a.axis[2]), carom_vec3_scale(t, b.axis[2]));
        assert_int_equal(contact_points(&a, &b, cross, ROUND_PLACE, room), 1);
        assert_near(carom_vec3_length(carom_vec3_sub(point[0], carom_vec3_scale(s, a.axis[2]))), 0, 2e-14);
    }
}

/* Gaps along a direction: no gap leaves the plane of a planar scene. */
static void test_gap(void **state)
{
    (void)state;
    dice d = {87};
    for (int n = 0; n < TRIES; n++) {
        carom_vec3 points[2][PART_POINTS], corners[2][PART_POINTS], way = dice_unit(&d);
        piece p[2];
        placed at[2];
        double least = INFINITY, most = -INFINITY;
        for (int k = 0; k < 2; k++) {
            carom_solid solid = dice_solid(&d, PART_HULL, points[k]);
            assert_true(piece_of(&solid, 3, &p[k]));
            at[k] = place_part(&p[k], points[k], dice_vec(&d, 1), dice_turn(&d));
            corners_of(&at[k], corners[k]);
        }
        for (int k = 0; k < PART_POINTS; k++)
            least = fmin(least, carom_vec3_dot(way, corners[0][k])),
            most = fmax(most, carom_vec3_dot(way, corners[1][k]));
        assert_near(gap_along(&at[0], &at[1], way), least - most, 2e-15);
        p[0].is_flat = true;
        assert_true(gap_along(&at[0], &at[1], vec(0, 0.6, 0.8)) == -INFINITY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),   cmocka_unit_test(test_round),   cmocka_unit_test(test_hull),
        cmocka_unit_test(test_faces), cmocka_unit_test(test_lines),   cmocka_unit_test(test_crossing),
        cmocka_unit_test(test_gap),   cmocka_unit_test(test_borders),
    };
    return cmocka_run_group_tests_name("feature", tests, NULL, NULL);
}
