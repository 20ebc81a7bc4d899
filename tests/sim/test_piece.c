/* Cores of pieces: no point of the body is further along a direction than its support point, which is one of them. */
#include "sim/parts.h"

enum { TRIES = 400, SAMPLES = 200 };

/* How far outside the core a point is, in the axes of the piece: zero or a rounding error inside. */
static double outside(const piece *p, carom_vec3 x)
{
    const double *s = p->size;
    double across = sqrt(x.x * x.x + x.y * x.y);
    switch (p->kind) {
    case CORE_POINT:
        return carom_vec3_length(x);
    case CORE_SEGMENT:
        return fmax(across, fabs(x.z) - s[0]);
    case CORE_BOX:
        return fmax(fabs(x.x) - s[0], fmax(fabs(x.y) - s[1], fabs(x.z) - s[2]));
    case CORE_CYLINDER:
        return fmax(across - s[0], fabs(x.z) - s[1]);
    case CORE_CONE:
        return fmax(fmax(s[1] - x.z, x.z - s[2]), across - s[0] * (s[2] - x.z) / (s[2] - s[1]));
    case CORE_DISK:
        return fmax(across - s[0], fabs(x.z));
    case CORE_ELLIPSOID:
        return sqrt(pow(x.x / s[0], 2) + pow(x.y / s[1], 2) + pow(x.z / s[2], 2)) - 1;
    default:
        return INFINITY;
    }
}

/* A point of the core: of a hull a mean of its points, else the first of a cube around it that lies inside. */
static carom_vec3 any_point(dice *d, const piece *p, const carom_vec3 *points)
{
    carom_vec3 x = {0, 0, 0};
    if (p->kind == CORE_HULL) {
        double weight = 0;
        for (int k = 0; k < PART_POINTS; k++) {
            double w = -log(dice_between(d, 1e-9, 1));
            x = carom_vec3_add(x, carom_vec3_scale(w, points[k]));
            weight += w;
        }
        return carom_vec3_scale(1 / weight, x);
    }
    bool thin = p->kind == CORE_SEGMENT || p->kind == CORE_POINT;
    do {
        x = dice_vec(d, p->reach);
        x.x = thin ? 0 : x.x, x.y = thin ? 0 : x.y, x.z = p->kind == CORE_DISK || p->kind == CORE_POINT ? 0 : x.z;
    } while (outside(p, x) > 0);
    return x;
}

static bool is_point_of_hull(const carom_vec3 *points, carom_vec3 x)
{
    for (int k = 0; k < PART_POINTS; k++)
        if (points[k].x == x.x && points[k].y == x.y && points[k].z == x.z)
            return true;
    return false;
}

static void test_support(void **state)
{
    (void)state;
    dice d = {11};
    for (int n = 0; n < TRIES; n++) {
        carom_vec3 points[PART_POINTS];
        piece p;
        carom_solid solid = dice_solid(&d, n % PART_KINDS, points);
        assert_true(piece_of(&solid, 3, &p));
        carom_vec3 way = dice_unit(&d), far = core_support(&p, points, way);
        if (p.kind == CORE_HULL)
            assert_true(is_point_of_hull(points, far));
        else
            assert_near(fmax(outside(&p, far), 0), 0, 4e-16);
        for (int k = 0; k < SAMPLES; k++) {
            carom_vec3 x = any_point(&d, &p, points);
            assert_true(carom_vec3_dot(way, x) <= carom_vec3_dot(way, far) + 1e-15);
            assert_true(carom_vec3_length(x) + p.margin <= p.reach * (1 + 4e-16));
        }
    }
}

/* The reach is that of a surface point: no smaller ball holds the body. */
static void test_reach(void **state)
{
    (void)state;
    dice d = {12};
    for (int n = 0; n < TRIES; n++) {
        carom_vec3 points[PART_POINTS];
        piece p;
        carom_solid solid = dice_solid(&d, n % PART_KINDS, points);
        double most = 0;
        assert_true(piece_of(&solid, 3, &p));
        for (int k = 0; k < 40 * SAMPLES; k++)
            most = fmax(most, carom_vec3_length(core_support(&p, points, dice_unit(&d))) + p.margin);
        assert_true(most <= p.reach * (1 + 4e-16) && most > 0.99 * p.reach);
    }
}

/* The place of a piece: the support point turns and moves with it. */
static void test_placed(void **state)
{
    (void)state;
    dice d = {13};
    for (int n = 0; n < TRIES; n++) {
        carom_vec3 points[PART_POINTS], x = dice_vec(&d, 3), way = dice_unit(&d);
        carom_quat q = dice_turn(&d);
        piece p;
        carom_solid solid = dice_solid(&d, n % PART_KINDS, points);
        assert_true(piece_of(&solid, 3, &p));
        placed here = place_part(&p, points, x, q);
        carom_vec3 far = core_support(&p, points, quat_turn(quat_conjugate(q), way));
        carom_vec3 want = carom_vec3_add(x, quat_turn(q, far)), got = support(&here, way);
        assert_near(carom_vec3_length(carom_vec3_sub(got, want)), 0, 1e-14);
        carom_vec3 back = to_piece(&here, from_piece(&here, way));
        assert_near(carom_vec3_length(carom_vec3_sub(back, way)), 0, 3e-15);
    }
}

/* Support points of round cores move as differences of them do. */
static void test_rate(void **state)
{
    (void)state;
    const double h = 1e-6;
    const int kinds[] = {1, 2, 4, 5}; /* cylinder, cone, disk, ellipsoid */
    dice d = {14};
    for (int n = 0; n < TRIES; n++) {
        piece p;
        carom_vec3 points[PART_POINTS], way = dice_unit(&d), turn = carom_vec3_cross(dice_vec(&d, 1), way);
        if (way.x * way.x + way.y * way.y < 0.01)
            continue;
        carom_solid solid = dice_solid(&d, kinds[n % 4], points);
        assert_true(piece_of(&solid, 3, &p));
        carom_vec3 ahead = core_support(&p, points, carom_vec3_add(way, carom_vec3_scale(h, turn)));
        carom_vec3 behind = core_support(&p, points, carom_vec3_sub(way, carom_vec3_scale(h, turn)));
        if (fabs(ahead.z - behind.z) > 0.1) /* it jumped over a face */
            continue;
        carom_vec3 want = carom_vec3_scale(0.5 / h, carom_vec3_sub(ahead, behind));
        carom_vec3 got = core_support_rate(&p, way, turn);
        assert_near(carom_vec3_length(carom_vec3_sub(got, want)), 0, 1e-6);
    }
}

/* What has no core of its own, and the plane. */
static void test_kinds(void **state)
{
    (void)state;
    piece p;
    carom_solid plane = {.kind = CAROM_SOLID_HALF_SPACE, .normal = {0, 0, 1}};
    carom_solid both = {.kind = CAROM_SOLID_COMPOUND};
    carom_solid rod = {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_ROD, {1.7, 0, 0}}};
    carom_solid disk = {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_DISK, {0.3, 0, 0}}};
    assert_false(piece_of(&plane, 3, &p));
    assert_false(piece_of(&both, 3, &p));
    assert_true(piece_of(&rod, 2, &p) && p.is_flat);
    assert_near(core_support(&p, NULL, vec(1, 0.1, 0)).x, 0.85, 0); /* in the plane along x */
    assert_true(piece_of(&rod, 3, &p) && !p.is_flat);
    assert_near(core_support(&p, NULL, vec(0.1, 0, 1)).z, 0.85, 0); /* in space along z */
    assert_true(piece_of(&disk, 2, &p));
    assert_true(p.kind == CORE_POINT && p.margin == 0.3 && p.reach == 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_support), cmocka_unit_test(test_reach), cmocka_unit_test(test_placed),
        cmocka_unit_test(test_rate),    cmocka_unit_test(test_kinds),
    };
    return cmocka_run_group_tests_name("piece", tests, NULL, NULL);
}
