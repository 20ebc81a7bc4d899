/* Conversions that need bodies. References: 30-digit arithmetic (mpmath): the Hertz time by quadrature, the elliptic
 * contact from the potential of an ellipsoid, integral by integral. */
#include <math.h>

#include "carom/convert.h"
#include "support/check.h"

/* A steel ball on a glass plate. */
static void hertz(void **state)
{
    (void)state;
    const carom_sphere_pair pair = {{2.07e11, 7e10}, {0.29, 0.23}, {0.0123, (double)INFINITY}, 0.06, 1.7};
    carom_hertz_contact h = carom_hertz_from_spheres(&pair);
    assert_near(h.E_star, 55695916439.981596, 5e10, 4e-16);
    assert_near(h.k, 8235967927.1405909, 8e9, 1e-15);
    assert_near(h.compression, 5.8627015158709681e-5, 5e-5, 2e-15);
    assert_near(h.time, 0.00010150319932215205, 1e-4, 2e-15);
    assert_near(h.peak_force, 3697.10106191206, 3e3, 2e-15);
    assert_near(h.radius, 0.00084918330556607687, 8e-4, 2e-15);
}

/* The rounded edge of the thesis' puck, and a round contact, which must be Hertz'. */
static void disk(void **state)
{
    (void)state;
    carom_disk puck = {2.7e9, 0.3, 0.0495, 0.005, 0.0064};
    carom_disk_compression d = carom_disk_compressed(&puck, 100);
    assert_near(d.point, 3.2100454601484324e-5, 3e-5, 1e-12);
    assert_near(d.plane, 1.7901786003980317e-5, 1e-5, 2e-15);
    assert_near(d.sum, d.point + d.plane, 1e-5, 1e-15);
    puck.edge = puck.radius = 0.0123;
    double E_star = puck.E / (1 - 0.09);
    assert_near(carom_disk_compressed(&puck, 100).point, cbrt(9e4 / (16 * E_star * E_star * 0.0123)), 1e-5, 1e-12);
    puck.thickness = -1;
    assert_true(isnan(carom_disk_compressed(&puck, 100).sum));
}

/* At small angles a spring k_t gives walton the tangential restitution -cos(Omega T). */
static void tangential_restitution(void **state)
{
    (void)state;
    carom_rule rule = carom_rule_default(carom_law_find("walton"));
    for (int i = 0; i < 40; i++) {
        double e = 0.3 + 0.07 * (i % 10), ratio = 0.15 + 0.05 * i, inertia = 2 + 0.05 * i;
        carom_problem pb = {{inertia, 0, inertia, 0, 0, 1}, {1e-9, 0, -1}};
        carom_outcome out;
        rule.coeffs.e = e;
        rule.coeffs.mu = 0.4;
        rule.coeffs.k_t = ratio * rule.coeffs.k;
        assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_STATUS_OK);
        assert_near(-out.u_after.t1 / 1e-9, carom_e_t_from_ratio(ratio, inertia, e), 1, 1e-6);
    }
}

static void ratios(void **state)
{
    (void)state;
    for (int i = 0; i <= 20; i++) {
        double e_t = -1 + 0.1 * i, ratio = carom_ratio_from_e_t(e_t, 3.5, 0.7);
        assert_near(i == 0 ? e_t : carom_e_t_from_ratio(ratio, 3.5, 0.7), e_t, 1, 1e-14);
        double nu = -0.9 + 0.0695 * i, kappa = carom_kappa_from_poisson(nu);
        assert_near(carom_poisson_from_kappa(kappa), nu, 1, 1e-14);
        assert_near(carom_kappa_from_eta(carom_eta_from_kappa(kappa)), kappa, kappa, 4e-16);
    }
    assert_near(carom_poisson_from_kappa(carom_kappa_from_poisson(0.5)), 0.5, 1, 4e-16);
    assert_true(isnan(carom_poisson_from_kappa(0.25)) && isnan(carom_kappa_from_eta(0)));
    assert_true(isnan(carom_e_from_slopes(2, 1)) && isnan(carom_e_t_from_ratio(-1, 3.5, 1)));
}

/* Steel on steel: a ball of 1 cm radius against a like one; by hand, from the formulas of Hertz and sqrt(E/density). */
static void validity(void **state)
{
    (void)state;
    const double E = 2.1e11, density = 7800, R = 0.01, mass = 4.0 / 3 * acos(-1) * R * R * R * density;
    carom_elastic_body balls[2] = {{E, 0.3, density, R, 2 * R}, {E, 0.3, density, R, 2 * R}};
    const carom_sphere_pair pair = {{E, E}, {0.3, 0.3}, {R, R}, mass / 2, 1};
    double time = carom_hertz_from_spheres(&pair).time, c = sqrt(E / density);
    carom_validity v = carom_validity_of_bodies(balls, mass / 2, 1);
    assert_near(v.transits, c * time / (2 * R), 10, 1e-15);
    assert_near(v.waves, pow(1 / c, 0.2), 1, 1e-15);
    assert_near(v.wave_energy, 0.3 * cbrt(1 / c), 1, 1e-15);
    assert_int_equal(carom_validity_judge(&v), CAROM_VALIDITY_GOOD);
    v = carom_validity_of_bodies(balls, mass / 2, 30);
    assert_int_equal(carom_validity_judge(&v), CAROM_VALIDITY_FAIR);
    v = carom_validity_of_bodies(balls, mass / 2, 400);
    assert_int_equal(carom_validity_judge(&v), CAROM_VALIDITY_POOR);
    /* The worse of two bodies counts, and a body that waves do not return from counts for its modulus only. */
    balls[1].E = 2.1e9;
    carom_validity soft = carom_validity_of_bodies(balls, mass / 2, 1);
    assert_true(soft.waves > pow(1 / c, 0.2) && soft.waves == pow(1 / sqrt(2.1e9 / density), 0.2));
    balls[1].size = INFINITY;
    assert_near(carom_validity_of_bodies(balls, mass / 2, 1).waves, pow(1 / c, 0.2), 1, 1e-15);
    balls[0].E = balls[1].E = 0;
    assert_true(isnan(carom_validity_of_bodies(balls, mass / 2, 1).waves));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hertz),  cmocka_unit_test(disk),     cmocka_unit_test(tangential_restitution),
        cmocka_unit_test(ratios), cmocka_unit_test(validity),
    };
    return cmocka_run_group_tests_name("conversions of contacts", tests, NULL, NULL);
}
