/* What a scene draws: shapes stand on the plane of contact, and what stands for a body without a shape stays on its own
 * side of it. Every case is read from text, as a user writes it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/plot.h"
#include "carom/shape.h"
#include "io/plot/chart.h"
#include "support/check.h"
#include "support/corpus.h"

static carom_picture *draw(const char *text, carom_case *c, char why[256])
{
    carom_text source = {"scene", 1, text, strlen(text)};
    carom_case_error error;
    if (!carom_case_read(&source, c, &error))
        fail_msg("%s", error.message);
    carom_plot request = {.c = c};
    return carom_plot_scene(&request, why, 256);
}

/* The largest y of the path that ends in op i: the lowest point on the page. */
static double lowest_before(const carom_picture *p, int i)
{
    double low = -INFINITY;
    while (i > 0 && p->ops[i - 1].kind != OP_FILL && p->ops[i - 1].kind != OP_STROKE && p->ops[i - 1].kind != OP_CLIP) {
        i--;
        if (p->ops[i].kind == OP_MOVE || p->ops[i].kind == OP_LINE)
            low = fmax(low, p->ops[i].x[1]);
    }
    return low;
}

/* The ground is the first line of the page that is as wide as the frame; the body the first fill in its colour. */
static void find(const carom_picture *p, double *ground, double *body)
{
    *ground = *body = NAN;
    for (int i = 0; i < p->count; i++) {
        const op *o = &p->ops[i];
        if (o->kind == OP_STROKE && o->paint.rgb == INK && isnan(*ground))
            *ground = lowest_before(p, i);
        if (o->kind == OP_FILL && o->paint.rgb == SKY && isnan(*body))
            *body = lowest_before(p, i);
    }
    assert_true(isfinite(*ground) && isfinite(*body));
}

/* Turned about y, each shape stands with its lowest point on the ground: 500 units of page, half a unit of error. */
static void test_shapes_stand_on_the_ground(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        carom_shape shape;
    } shapes[] = {
        {"\"sphere\": {\"radius\": 0.3}", {CAROM_SHAPE_SPHERE, {0.3, 0, 0}}},
        {"\"hollow-sphere\": {\"radius\": 0.3, \"inner\": 0.2}", {CAROM_SHAPE_HOLLOW_SPHERE, {0.3, 0.2, 0}}},
        {"\"box\": {\"size\": [0.7, 0.4, 0.2]}", {CAROM_SHAPE_BOX, {0.7, 0.4, 0.2}}},
        {"\"cylinder\": {\"radius\": 0.2, \"length\": 0.9}", {CAROM_SHAPE_CYLINDER, {0.2, 0.9, 0}}},
        {"\"cone\": {\"radius\": 0.3, \"height\": 0.8}", {CAROM_SHAPE_CONE, {0.3, 0.8, 0}}},
        {"\"capsule\": {\"radius\": 0.2, \"length\": 0.7}", {CAROM_SHAPE_CAPSULE, {0.2, 0.7, 0}}},
        {"\"rod\": {\"length\": 1.3}", {CAROM_SHAPE_ROD, {1.3, 0, 0}}},
        {"\"disk\": {\"radius\": 0.4}", {CAROM_SHAPE_DISK, {0.4, 0, 0}}},
        {"\"ellipsoid\": {\"semi_axes\": [0.7, 0.3, 0.2]}", {CAROM_SHAPE_ELLIPSOID, {0.7, 0.3, 0.2}}},
    };
    dice d = {71};
    for (int i = 0; i < 200; i++) {
        char text[600], why[256] = "";
        double a = 0.5 * dice_between(&d, -3.1, 3.1), ground, body;
        carom_vec3 arm;
        carom_case c;
        (void)!carom_shape_touch(&shapes[i % 9].shape, (carom_quat){cos(a), 0, sin(a), 0}, (carom_vec3){0, 0, -1},
                                 &arm);
        snprintf(
            text, sizeof text,
            "{\"law\": \"smith\", \"bodies\": {\"a\": {\"shape\": {%s}, \"mass\": 1, \"orientation\": [%.17g, 0, "
            "%.17g, 0], \"velocity\": [0.4, 0, -2]}, \"b\": {\"fixed\": true}}, \"contact\": {\"arm_a\": [%.17g, 0, "
            "%.17g], \"normal\": [0, 0, 1]}}",
            shapes[i % 9].text, cos(a), sin(a), arm.x, arm.z);
        carom_picture *p = draw(text, &c, why);
        assert_non_null(p);
        find(p, &ground, &body);
        if (fabs(body - ground) > 0.5)
            fail_msg("%s: %g below the ground", shapes[i % 9].text, body - ground);
        carom_picture_free(p);
        carom_case_free(&c);
    }
}

/* Any inertia, any arm: what stands for the body is not drawn through the floor. */
static void test_ellipsoids_stay_above_the_ground(void **state)
{
    (void)state;
    dice d = {72};
    for (int i = 0; i < 300; i++) {
        char text[600], why[256] = "";
        double x = dice_between(&d, 0.1, 2), z = dice_between(&d, 0.1, 2), ground, body;
        double arm = dice_between(&d, -2, 2), height = dice_between(&d, -0.3, 2);
        carom_case c;
        snprintf(text, sizeof text,
                 i % 2 ? "{\"law\": \"newton\", \"bodies\": {\"a\": {\"mass\": 1, \"inertia\": [%.17g, %.17g, %.17g], "
                         "\"velocity\": [0.4, 0, -9], \"omega\": [0, 0, 0]}, \"b\": {\"fixed\": true}}, \"contact\": "
                         "{\"arm_a\": [%.17g, 0, %.17g], \"normal\": [0, 0, 1]}}"
                       : "{\"law\": \"newton\", \"bodies\": {\"a\": {\"mass\": 1, \"inertia\": %.17g, \"velocity\": "
                         "[%.17g, -%.17g]}, \"b\": {\"fixed\": true}}, \"contact\": {\"arm_a\": [%.17g, %.17g], "
                         "\"normal\": [0, 1]}}",
                 x, 0.9 * (x + z), z, arm, -height);
        carom_picture *p = draw(text, &c, why);
        assert_non_null(p);
        find(p, &ground, &body);
        if (height > 0 && body > ground + 0.1)
            fail_msg("%s\n%g below the ground", text, body - ground);
        carom_picture_free(p);
        carom_case_free(&c);
    }
}

/* The links of a mechanism: a stroke for each stretch, a white pin for each joint. */
static void test_links_have_bars_and_joints(void **state)
{
    (void)state;
    static const char text[] =
        "{\"law\": \"newton\", \"mechanism\": {\"links\": ["
        "{\"name\": \"a\", \"parent\": \"world\", \"joint\": {\"type\": \"revolute\", \"axis\": [0, 0, 1]}, \"mass\": "
        "1, "
        "\"com\": [0.5, 0, 0], \"inertia\": [0, 0.1, 0.1]},"
        "{\"name\": \"b\", \"parent\": \"a\", \"joint\": {\"type\": \"prismatic\", \"axis\": [1, 0, 0], \"origin\": "
        "[1, "
        "0, 0]}, \"mass\": 1, \"com\": [0.5, 0, 0], \"inertia\": [0, 0.1, 0.1]},"
        "{\"name\": \"c\", \"parent\": \"a\", \"joint\": {\"type\": \"revolute\", \"axis\": [0, 0, 1], \"origin\": "
        "[0.5, "
        "0.2, 0]}, \"mass\": 1, \"com\": [0.5, 0, 0], \"inertia\": [0, 0.1, 0.1]}],"
        "\"q\": [0.6, 0.2, 1], \"qdot\": [-2, 0.1, 0]}, \"contact\": {\"link\": \"b\", \"point\": [1, 0, 0], "
        "\"normal\": [0, 1, 0]}}";
    char why[256] = "";
    carom_case c;
    carom_picture *p = draw(text, &c, why);
    int bars = 0, pins = 0;
    assert_non_null(p);
    for (int i = 0; i < p->count; i++) {
        bars += p->ops[i].kind == OP_STROKE && p->ops[i].x[0] == 11;
        pins += p->ops[i].kind == OP_FILL && p->ops[i].keep && p->ops[i].paint.rgb == WHITE;
    }
    assert_int_equal(bars, 4); /* a to b, a to c, b to the contact, c to its centre of mass */
    assert_int_equal(pins, 3);
    carom_picture_free(p);
    carom_case_free(&c);
}

/* Two bodies that touch a third and the world, without a position: contacts join where the arms say. */
static void test_several_contacts_place_the_bodies(void **state)
{
    (void)state;
    static const char text[] =
        "{\"law\": \"moreau\", \"coefficients\": {\"e\": 0.5, \"mu\": 0.1}, \"bodies\": {"
        "\"left\": {\"shape\": {\"disk\": {\"radius\": 1}}, \"mass\": 1, \"velocity\": [0, -1]},"
        "\"right\": {\"shape\": {\"disk\": {\"radius\": 1}}, \"mass\": 1, \"velocity\": [-1, -1]}},"
        "\"contacts\": [{\"a\": \"left\", \"arm_a\": [0, -1], \"normal\": [0, 1]},"
        "{\"a\": \"right\", \"arm_a\": [0, -1], \"normal\": [0, 1]},"
        "{\"a\": \"right\", \"b\": \"left\", \"arm_a\": [-1, 0], \"arm_b\": [1, 0], \"normal\": [1, 0]}]}";
    char why[256] = "";
    carom_case c;
    carom_picture *p = draw(text, &c, why);
    double middle[2] = {NAN, NAN}, left = INFINITY, right = -INFINITY;
    int discs = 0;
    assert_non_null(p);
    for (int i = 0; i < p->count; i++) {
        const op *o = &p->ops[i];
        if (o->kind == OP_MOVE || o->kind == OP_LINE) {
            left = fmin(left, o->x[0]);
            right = fmax(right, o->x[0]);
        } else if (o->kind == OP_FILL && o->paint.rgb == SKY && discs < 2)
            middle[discs++] = 0.5 * (left + right);
        if (o->kind == OP_FILL || o->kind == OP_STROKE) {
            left = INFINITY;
            right = -INFINITY;
        }
    }
    assert_int_equal(discs, 2);
    assert_true(middle[1] > middle[0] + 50); /* beside each other, not one on the other */
    carom_picture_free(p);
    carom_case_free(&c);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char text[] =
        "{\"law\": \"moreau\", \"reduced\": {\"K\": [[2, 0, 1, 0], [0, 2, 0, 1], [1, 0, 2, 0], [0, 1, 0, 2]], \"u\": "
        "[[0.1, -1], [0, -1]]}}";
    char why[256] = "";
    carom_case c;
    assert_null(draw(text, &c, why));
    assert_non_null(strstr(why, "several contacts without bodies or links"));
    carom_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes_stand_on_the_ground),
        cmocka_unit_test(test_ellipsoids_stay_above_the_ground),
        cmocka_unit_test(test_links_have_bars_and_joints),
        cmocka_unit_test(test_several_contacts_place_the_bodies),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
