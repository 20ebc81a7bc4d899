/* Sweeps over contacts: what comes out meets Signorini's and Coulomb's conditions, which no code here repeats. */
#include "sim/resolve/contact_sweep.h"

#include "sim/parts.h"

enum { CONTACTS = 3 };
#define SETTLED 1e-7 /* m/s: where 20,000 sweeps end */

/* A body in slot 0 on what is fixed, slot 1. */
static sweep_row row_at(const sweep_body *b, carom_vec3 n, carom_vec3 arm, double mu, double aim)
{
    sweep_row r = {.a = 0, .b = 1, .n = n, .arm_a = arm, .mu = mu, .aim = aim};
    carom_vec3 turned = carom_sym3_apply(b->inv_inertia, carom_vec3_cross(arm, n));
    r.response = carom_vec3_add(carom_vec3_scale(b->inv_mass, n), carom_vec3_cross(turned, arm));
    r.K_n = carom_vec3_dot(n, r.response);
    double most = 9;                                       /* the largest inverse moment here */
    r.K_t = b->inv_mass + most * carom_vec3_dot(arm, arm); /* no tangential response is larger */
    return r;
}

static void test_conditions(void **state)
{
    (void)state;
    dice d = {401};
    for (int n = 0; n < 200; n++) {
        sweep_body bodies[2];
        memset(bodies, 0, sizeof bodies);
        bodies[0].v = dice_vec(&d, 2), bodies[0].w = dice_vec(&d, 5), bodies[0].inv_mass = dice_between(&d, 0.5, 2);
        bodies[0].inv_inertia = (carom_sym3){dice_between(&d, 5, 9), 0, 0, dice_between(&d, 5, 9), 0, 8};
        bodies[0].v.z = -1 - fabs(bodies[0].v.z);
        sweep_row rows[CONTACTS];
        for (int k = 0; k < CONTACTS; k++)
            rows[k] = row_at(&bodies[0], vec(0, 0, 1), vec(k & 1 ? 0.4 : -0.4, k & 2 ? 0.3 : -0.3, -0.2),
                             dice_between(&d, 0, 0.9), n % 2 ? 0 : dice_between(&d, 0, 0.5));
        sweep_rows(rows, CONTACTS, bodies, (sweep_limit){20000, 1e-14});
        for (int k = 0; k < CONTACTS; k++) {
            double over = sweep_velocity(&rows[k], bodies).z - rows[k].aim, friction = carom_vec3_length(rows[k].p_t);
            carom_vec3 slip = sweep_slip(&rows[k], bodies);
            assert_true(rows[k].p_n >= 0);
            assert_near(fmin(over, 0), 0, SETTLED);
            assert_near(rows[k].p_n * over, 0, SETTLED); /* it presses, or it leaves its aim */
            assert_true(friction <= rows[k].mu * rows[k].p_n * (1 + 1e-12) + 1e-15);
            double lost = rows[k].mu * rows[k].p_n * carom_vec3_length(slip); /* all that Coulomb's friction can take */
            assert_near(carom_vec3_dot(rows[k].p_t, slip), -lost, 10 * SETTLED);
            assert_near(carom_vec3_dot(sweep_impulse(&rows[k]), rows[k].n), rows[k].p_n, 1e-15);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_conditions)};
    return cmocka_run_group_tests_name("contact_sweep", tests, NULL, NULL);
}
