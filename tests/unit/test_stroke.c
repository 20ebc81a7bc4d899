/* The stroke of a cue: geometry and outcome of the massé stroke of the reference, and the slide that follows. */
#include <stdlib.h>

#include "support/check.h"

#include "carom/carom.h"

#define SAME 1e-12 /* of the largest number: another program, rounding of the inputs */

/* tests/vectors/compliant-masse.json of the reference, 57 digits rounded. */
static carom_stroke masse(void)
{
    carom_stroke s = carom_stroke_default();
    s.speed = 4;
    s.elevation = acos(-1.0) / 3;
    s.side = 0.4;
    s.height = -0.2;
    return s;
}

static void near3(carom_vec3 a, double x, double y, double z)
{
    double size = fmax(fabs(x), fmax(fabs(y), fabs(z)));
    assert_near(a.x, x, size, SAME);
    assert_near(a.y, y, size, SAME);
    assert_near(a.z, z, size, SAME);
}

static carom_body ball_after(const carom_stroke *s)
{
    carom_body bodies[2], after[2];
    carom_pair pairs[2];
    carom_contacts problem;
    carom_coeffs coeffs[2] = {carom_coeffs_default(), carom_coeffs_default()};
    double p[6], u_after[6];
    coeffs[0].e = 0.75, coeffs[0].mu = 0.6, coeffs[0].eta = 1.1;
    coeffs[1].e = 0.5, coeffs[1].mu = 0.2, coeffs[1].eta = 1.1, coeffs[1].stiffness = 60;
    assert_int_equal(carom_stroke_bodies(s, bodies, pairs), CAROM_STATUS_OK);
    carom_bodies set = {2, bodies, 2, pairs, 3};
    carom_together_rule rule = carom_together_rule_default(carom_together_find("compliant"), coeffs);
    void *reduced = malloc(carom_bodies_size(&set));
    assert_int_equal(carom_bodies_contacts(&set, reduced, &problem), CAROM_STATUS_OK);
    void *work = malloc(carom_together_work(&problem, &rule));
    carom_together_outcome out = {.p = p, .u_after = u_after};
    assert_int_equal(carom_together_solve(&problem, &rule, NULL, work, &out), CAROM_STATUS_OK);
    carom_bodies_push(&set, p, after);
    free(reduced);
    free(work);
    return after[0];
}

static void masse_has_the_numbers_of_the_reference(void **state)
{
    (void)state;
    const carom_stroke s = masse();
    const carom_body ball = ball_after(&s);
    near3(ball.velocity, 3.0797073241963373, -0.47852366810632, 0.030393280663736286);
    near3(ball.omega, -130.86974098736607, -98.76451655243115, -73.74331914350645);
    const carom_slide slide = carom_slide_of(&ball, s.ball_radius, 0.2, 9.81);
    assert_near(slide.time, 1.0564020454987593, 1, SAME);
    assert_near(slide.x, 2.3627258585450672, 1, SAME);
    assert_near(slide.y, 0.13106340112741802, 1, SAME);
    assert_near(slide.v_x, 1.3934492142871782, 1, SAME);
    assert_near(slide.v_y, 0.7266553366994816, 1, SAME);
}

/* Turned about z, mirrored, faster: the ball follows. */
static void a_stroke_turns_and_mirrors(void **state)
{
    (void)state;
    carom_stroke s = masse();
    const carom_body ball = ball_after(&s);
    s.direction = 0.7;
    s.speed = 8;
    const carom_body turned = ball_after(&s);
    const double c = 2 * cos(0.7), n = 2 * sin(0.7);
    assert_near(turned.velocity.x, c * ball.velocity.x - n * ball.velocity.y, 6, SAME);
    assert_near(turned.velocity.y, n * ball.velocity.x + c * ball.velocity.y, 6, SAME);
    s = masse();
    s.side = -s.side;
    const carom_body mirrored = ball_after(&s);
    near3(mirrored.velocity, ball.velocity.x, -ball.velocity.y, ball.velocity.z);
    near3(mirrored.omega, -ball.omega.x, ball.omega.y, -ball.omega.z);
}

static void what_is_no_stroke_is_refused(void **state)
{
    (void)state;
    carom_body bodies[2];
    carom_pair pairs[2];
    carom_stroke s = masse();
    s.side = 0.99;
    assert_int_equal(carom_stroke_bodies(&s, bodies, pairs), CAROM_STATUS_OUT_OF_RANGE);
    s = masse();
    s.elevation = -0.1;
    assert_int_equal(carom_stroke_bodies(&s, bodies, pairs), CAROM_STATUS_OUT_OF_RANGE);
    s = masse();
    s.speed = 0;
    assert_int_equal(carom_stroke_bodies(&s, bodies, pairs), CAROM_STATUS_OUT_OF_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masse_has_the_numbers_of_the_reference),
        cmocka_unit_test(a_stroke_turns_and_mirrors),
        cmocka_unit_test(what_is_no_stroke_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
