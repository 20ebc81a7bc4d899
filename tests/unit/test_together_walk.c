#include "laws/together/together_walk.h"

#include <stdlib.h>

#include "carom/elementary.h"
#include "carom/solve.h"
#include "support/check.h"

enum { CORNERS = 4, LANDINGS = 3000 };

static double draw(uint64_t *seed) /* -1...1 */
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

/* A cube that slides on its face, whose corners approach and leave by a share of the slip: down to its rounding. */
static carom_body settling_cube(uint64_t *seed)
{
    carom_body_def def = carom_body_def_default();
    carom_body cube;
    double share = carom_pow(10, -15 + 9 * draw(seed));
    def.mass = 0.37;
    def.inertia = (carom_sym3){9.85e-4, 0, 0, 9.85e-4, 0, 9.25e-4};
    def.velocity = carom_vec3_make(0.5 * draw(seed), 0.5 * draw(seed), share * draw(seed));
    def.omega = carom_vec3_make(20 * share * draw(seed), 20 * share * draw(seed), 3 * draw(seed));
    assert_int_equal(carom_body_init(&def, &cube), CAROM_STATUS_OK);
    return cube;
}

static void solve_landing(uint64_t *seed, const char *law)
{
    carom_body bodies[2] = {settling_cube(seed)};
    carom_body_def fixed = carom_body_def_default();
    carom_pair pairs[CORNERS];
    carom_coeffs coeffs[CORNERS];
    fixed.fixed = true;
    assert_int_equal(carom_body_init(&fixed, &bodies[1]), CAROM_STATUS_OK);
    double e = fabs(draw(seed)), mu = fabs(draw(seed));
    for (int i = 0; i < CORNERS; i++) {
        carom_vec3 arm = carom_vec3_make(i & 1 ? 0.0483 : -0.0483, i & 2 ? 0.0483 : -0.0483, -0.0572);
        pairs[i] = (carom_pair){.a = 0, .b = 1};
        assert_int_equal(carom_contact_init(arm, carom_vec3_make(0, 0, 0), carom_vec3_make(0, 0, 1), &pairs[i].contact),
                         CAROM_STATUS_OK);
        coeffs[i] = carom_coeffs_default();
        coeffs[i].e = e;
        coeffs[i].mu = mu;
    }
    carom_bodies set = {2, bodies, CORNERS, pairs, 3};
    carom_contacts problem;
    void *memory = malloc(carom_bodies_size(&set));
    assert_int_equal(carom_bodies_contacts(&set, memory, &problem), CAROM_STATUS_OK);
    carom_together_rule rule = carom_together_rule_default(carom_together_find(law), coeffs);
    void *work = malloc(carom_together_work(&problem, &rule));
    double p[3 * CORNERS], after[3 * CORNERS], speed = 0;
    carom_together_mode modes[CORNERS];
    carom_together_outcome out = {.p = p, .u_after = after, .modes = modes};
    assert_true(carom_status_is_answer(carom_together_solve(&problem, &rule, NULL, work, &out)));
    for (int i = 0; i < 3 * CORNERS; i++)
        speed = fmax(speed, fabs(problem.u[i]));
    for (int i = 0; i < CORNERS; i++)
        assert_true(after[3 * i + 2] >= -1e-12 * speed);
    assert_true(out.energy.change <= 1e-12 * 0.37 * speed * speed);
    free(memory);
    free(work);
}

/* A slow approach beside a fast slip is known to the rounding of the slip. Below it contacts passed rounding to each
 * other up to the bound of the steps. */
static void test_slow_landings_end(void **state)
{
    uint64_t seed = 20390;
    for (int i = 0; i < LANDINGS; i++)
        solve_landing(&seed, (const char *)*state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_slow_landings_end, (void *)"lzb"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
