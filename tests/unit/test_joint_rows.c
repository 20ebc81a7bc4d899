/* The equations of a joint: rows and their rates against differences along the motion. */
#include "support/linkages.h"
#include "support/trees.h"

#include "mechanism/linkage.h"

static rig r;

/* Let both bodies coast for a time h with constant velocities. */
static void coast(carom_member *m, double h)
{
    carom_vec3 w = m->body.omega;
    double speed = carom_vec3_length(w);
    m->body.position = carom_vec3_add(m->body.position, carom_vec3_scale(h, m->body.velocity));
    m->orientation = quat_multiply(quat_about(carom_vec3_scale(1 / speed, w), h * speed), m->orientation);
    member_turned(m);
}

static void fill(double h, carom_joint_row row[6])
{
    rig moved = r;
    coast(&moved.bodies[0], h);
    coast(&moved.bodies[1], h);
    carom_joint_fill(moved.bodies, &r.joints[0], row);
}

/* G v is the rate of d; what it changes by along free motion is the velocity part of its second derivative. */
static void test_rows_are_derivatives(void **state)
{
    (void)state;
    dice d = {23};
    const double h = 1e-4;
    for (int i = 0; i < 160; i++) {
        rig_clear(&r);
        for (int k = 0; k < 2; k++) {
            rig_body(&r, 1.7, dice_vec3(&d), carom_vec3_make(1, 0.7, 0.4));
            r.bodies[k].orientation = dice_quat(&d);
            r.bodies[k].body.velocity = dice_vec3(&d);
            r.bodies[k].body.omega = dice_vec3(&d);
            member_turned(&r.bodies[k]);
        }
        int freedoms[2] = {i % 4, i / 4 % 4};
        carom_vec3 point = dice_vec3(&d), b = dice_unit(&d), a = freedoms[1] == 1 ? b : dice_unit(&d);
        rig_joint(&r, 0, 1, freedoms, (carom_vec3[]){point, a, b});
        assert_int_equal(carom_linkage_init(&r.linkage, r.defs), CAROM_STATUS_OK);
        if (freedoms[0] == 0 || freedoms[1] == 0) /* these two are written for a closed joint at rest in itself */
            r.bodies[0].body.omega = r.bodies[1].body.omega;
        carom_joint_row row[6], late[6], early[6];
        fill(0, row);
        fill(h, late);
        fill(-h, early);
        for (int k = 0; k < r.linkage.row_count; k++) {
            double rate = (late[k].error - early[k].error) / (2 * h);
            double second = (late[k].error - 2 * row[k].error + early[k].error) / (h * h);
            double scale = 1 + 20 / fabs(sin(r.defs[0].angle) + (freedoms[1] != 2));
            assert_near(carom_linkage_row_velocity(&r.linkage, &r.joints[0], &row[k]), rate, scale, 1e-5);
            if (freedoms[0] != 0 || k >= 3)
                assert_near(row[k].rate, second, 10 * scale, 1e-5);
        }
    }
    rig_clear(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows_are_derivatives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
