/* GJK against closed forms and against all pairs of features. */
#include "sim/shape/distance.h"

#include "core/num.h"
#include "sim/parts.h"
#include "sim/shape/feature.h"

enum { TRIES = 600 };
#define ROUND_TOL 1e-8 /* of the distance: where a round core ends the search */
static const looseness tight = {0, 0};

static carom_vec3 minus(carom_vec3 a, carom_vec3 b)
{
    return carom_vec3_sub(a, b);
}

/* A lower bound of a distance between bodies within a size. An axis from nearest points that are rounded is off by
 * EPS size / distance, and the gap along it by that angle times the size; the search on a round core ends earlier. */
static void assert_bound(double got, double want, bool round)
{
    const double size = 3;
    assert_true(got <= want + 4 * EPS * size);
    assert_near(got, want, 4 * EPS * size * (1 + size / fmax(want, 1e-4)) + (round ? ROUND_TOL * want : 0));
}

static double clamped(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

/* ---- a point and a round core: in the half-plane through the axis ---- */

static double to_segment(double x, double z, const double a[2], const double b[2])
{
    double ex = b[0] - a[0], ez = b[1] - a[1];
    double s = clamped(((x - a[0]) * ex + (z - a[1]) * ez) / (ex * ex + ez * ez), 0, 1);
    return hypot(x - a[0] - s * ex, z - a[1] - s * ez);
}

static double to_cone(const piece *p, carom_vec3 x)
{
    double r = hypot(x.x, x.y), base[2] = {0, p->size[1]}, rim[2] = {p->size[0], p->size[1]}, tip[2] = {0, p->size[2]};
    bool inside = x.z > p->size[1] && r < p->size[0] * (p->size[2] - x.z) / (p->size[2] - p->size[1]);
    return inside ? 0 : fmin(to_segment(r, x.z, base, rim), to_segment(r, x.z, rim, tip));
}

/* The nearest point of an ellipsoid is a_i^2 x_i / (a_i^2 + t), with t by halving. */
static double to_ellipsoid(const piece *p, carom_vec3 x)
{
    double y[3] = {x.x, x.y, x.z}, low = 0, high = 1e3, d = 0;
    for (int k = 0; k < 200; k++) {
        double t = 0.5 * (low + high), sum = 0;
        for (int i = 0; i < 3; i++)
            sum += pow(p->size[i] * y[i] / (p->size[i] * p->size[i] + t), 2);
        *(sum > 1 ? &low : &high) = t;
    }
    for (int i = 0; i < 3; i++)
        d += pow(low * y[i] / (p->size[i] * p->size[i] + low), 2);
    return low < 1e-12 ? 0 : sqrt(d);
}

static double from_point(const piece *p, carom_vec3 x)
{
    const double *s = p->size;
    double r = hypot(x.x, x.y);
    switch (p->kind) {
    case CORE_POINT:
        return carom_vec3_length(x);
    case CORE_SEGMENT:
        return hypot(r, fmax(fabs(x.z) - s[0], 0));
    case CORE_BOX:
        return carom_vec3_length(vec(fmax(fabs(x.x) - s[0], 0), fmax(fabs(x.y) - s[1], 0), fmax(fabs(x.z) - s[2], 0)));
    case CORE_CYLINDER:
        return hypot(fmax(r - s[0], 0), fmax(fabs(x.z) - s[1], 0));
    case CORE_DISK:
        return hypot(fmax(r - s[0], 0), x.z);
    case CORE_CONE:
        return to_cone(p, x);
    default:
        return to_ellipsoid(p, x);
    }
}

static void test_from_point(void **state)
{
    (void)state;
    dice d = {21};
    const carom_solid mote = {.kind = CAROM_SOLID_PARTICLE};
    piece point, p;
    assert_true(piece_of(&mote, 3, &point));
    for (int n = 0; n < TRIES; n++) {
        carom_vec3 points[PART_POINTS], x = dice_vec(&d, 1.5), at = dice_vec(&d, 2);
        carom_quat q = dice_turn(&d);
        carom_solid solid = dice_solid(&d, n % PART_HULL, points);
        assert_true(piece_of(&solid, 3, &p));
        placed a = place_part(&p, NULL, at, q);
        placed b = place_part(&point, NULL, carom_vec3_add(at, quat_turn(q, x)), (carom_quat){1, 0, 0, 0});
        assert_bound(distance_of(&a, &b, vec(0, 0, 0), tight).distance, from_point(&p, x), p.kind > CORE_BOX);
    }
}

/* ---- polytopes: every corner with every triangle, every edge with every edge ---- */

static double point_triangle(carom_vec3 o, const carom_vec3 t[3])
{
    carom_vec3 e = minus(t[1], t[0]), f = minus(t[2], t[0]), n = carom_vec3_cross(e, f), r = minus(o, t[0]);
    double nn = carom_vec3_dot(n, n), v = carom_vec3_dot(carom_vec3_cross(r, f), n) / nn,
           w = carom_vec3_dot(carom_vec3_cross(e, r), n) / nn;
    return v >= 0 && w >= 0 && v + w <= 1 ? fabs(carom_vec3_dot(r, n)) / sqrt(nn) : INFINITY;
}

static double point_edge(carom_vec3 o, carom_vec3 a, carom_vec3 b)
{
    carom_vec3 e = minus(b, a);
    double s = clamped(carom_vec3_dot(minus(o, a), e) / carom_vec3_dot(e, e), 0, 1);
    return carom_vec3_length(minus(o, carom_vec3_add(a, carom_vec3_scale(s, e))));
}

static double edge_edge(const carom_vec3 *a, const carom_vec3 *b)
{
    carom_vec3 e = minus(a[1], a[0]), f = minus(b[1], b[0]), r = minus(b[0], a[0]), n = carom_vec3_cross(e, f);
    double least = fmin(fmin(point_edge(a[0], b[0], b[1]), point_edge(a[1], b[0], b[1])),
                        fmin(point_edge(b[0], a[0], a[1]), point_edge(b[1], a[0], a[1])));
    double nn = carom_vec3_dot(n, n), s = carom_vec3_dot(carom_vec3_cross(r, f), n) / nn,
           t = carom_vec3_dot(carom_vec3_cross(r, e), n) / nn;
    return s >= 0 && s <= 1 && t >= 0 && t <= 1 ? fmin(least, fabs(carom_vec3_dot(r, n)) / sqrt(nn)) : least;
}

static double corners_to_triangles(const carom_vec3 *a, int m, const carom_vec3 *b, int n)
{
    double least = INFINITY;
    for (int o = 0; o < m; o++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                for (int k = 0; k < j; k++) {
                    carom_vec3 t[3] = {b[i], b[j], b[k]};
                    least = fmin(least, point_triangle(a[o], t));
                }
    return least;
}

/* Of two polytopes that are apart: any triangle of corners lies inside. */
static double plain_distance(const carom_vec3 *a, int m, const carom_vec3 *b, int n)
{
    double least = fmin(corners_to_triangles(a, m, b, n), corners_to_triangles(b, n, a, m));
    for (int i = 0; i < m; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < k; l++) {
                    carom_vec3 e[2] = {a[i], a[j]}, f[2] = {b[k], b[l]};
                    least = fmin(least, edge_edge(e, f));
                }
    return least;
}

/* The corners of a box or hull in the world. */
static int corners_of(const placed *p, carom_vec3 *out)
{
    const double *s = p->piece->size;
    int count = p->piece->kind == CORE_BOX ? 8 : PART_POINTS;
    for (int k = 0; k < count; k++) {
        carom_vec3 c = {k & 1 ? s[0] : -s[0], k & 2 ? s[1] : -s[1], k & 4 ? s[2] : -s[2]};
        out[k] = carom_vec3_add(p->center, from_piece(p, count == 8 ? c : p->points[k]));
    }
    return count;
}

static void test_polytopes(void **state)
{
    (void)state;
    dice d = {22};
    int apart = 0;
    for (int n = 0; n < TRIES; n++) {
        carom_vec3 points[2][PART_POINTS], corners[2][PART_POINTS];
        piece p[2];
        placed at[2];
        int count[2];
        for (int k = 0; k < 2; k++) {
            carom_solid solid = dice_solid(&d, (n + k) % 3 ? PART_HULL : 0, points[k]);
            assert_true(piece_of(&solid, 3, &p[k]));
            at[k] = place_part(&p[k], points[k], dice_vec(&d, 1.2), dice_turn(&d));
            count[k] = corners_of(&at[k], corners[k]);
        }
        nearness found = distance_of(&at[0], &at[1], n % 2 ? dice_unit(&d) : vec(0, 0, 0), tight);
        if (!(found.distance > 1e-9))
            continue;
        apart++;
        assert_bound(found.distance, plain_distance(corners[0], count[0], corners[1], count[1]), false);
        assert_near(gap_along(&at[0], &at[1], found.axis), found.distance, 1e-15);
    }
    assert_true(apart > TRIES / 2);
}

/* Overlap is proven by a point in common. */
static void test_overlap(void **state)
{
    (void)state;
    dice d = {23};
    for (int n = 0; n < TRIES; n++) {
        carom_vec3 points[2][PART_POINTS];
        piece p[2];
        placed at[2];
        for (int k = 0; k < 2; k++) {
            carom_solid solid = dice_solid(&d, k ? dice_below(&d, 3) : PART_HULL, points[k]);
            assert_true(piece_of(&solid, 3, &p[k]));
            at[k] = place_part(&p[k], points[k], vec(0, 0, 0), dice_turn(&d));
        }
        carom_vec3 middle = {0, 0, 0};
        for (int k = 0; k < PART_POINTS; k++)
            middle = carom_vec3_add(middle, carom_vec3_scale(1.0 / PART_POINTS, from_piece(&at[0], points[0][k])));
        at[1].center = middle; /* which lies inside the hull; boxes, cylinders and cones hold their centre */
        assert_true(distance_of(&at[0], &at[1], dice_unit(&d), tight).distance == 0);
    }
}

/* Looser searches stay below the distance, by no more than they may. */
static void test_loose(void **state)
{
    (void)state;
    dice d = {24};
    for (int n = 0; n < TRIES; n++) {
        carom_vec3 points[2][PART_POINTS];
        piece p[2];
        placed at[2];
        for (int k = 0; k < 2; k++) {
            carom_solid solid = dice_solid(&d, dice_below(&d, PART_KINDS), points[k]);
            assert_true(piece_of(&solid, 3, &p[k]));
            at[k] = place_part(&p[k], points[k], dice_vec(&d, 3), dice_turn(&d));
        }
        const looseness loose = {n % 2 ? 0.1 : 0, n % 2 ? 0 : 0.03};
        double whole = distance_of(&at[0], &at[1], vec(0, 0, 0), tight).distance;
        double rough = distance_of(&at[0], &at[1], vec(0, 0, 0), loose).distance;
        if (whole > 1e-9) {
            assert_true(rough <= whole + 1e-14);
            assert_true(rough >= whole - fmax(loose.share * whole, loose.length) * 1.2 - 1e-14);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_point),
        cmocka_unit_test(test_polytopes),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_loose),
    };
    return cmocka_run_group_tests_name("distance", tests, NULL, NULL);
}
