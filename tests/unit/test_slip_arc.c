/* laws/coulomb/slip_arc.c: stops that are easily missed. */
#include "laws/coulomb/coulomb.h"
#include "support/check.h"

#define TOL 1e-13 /* u_n rises by less than a hundredth of p where it is zero */

/* A second compression no deeper than 4e-5: u_n is zero at these p, by integration with 30 digits. */
static void shallow_dip(void **state)
{
    (void)state;
    static const double K[9] = {1.7420567697392477,   0.41741908454088328,  -0.10590545832309999,
                                0.41741908454088328,  0.94342545454650839,  -0.31017472820473341,
                                -0.10590545832309999, -0.31017472820473341, 0.28072870899384811};
    static const double u[3] = {-0.86102355041325718, -0.50856508495348873, -0.022466592829556112};
    static const double up = 0.5624793215505913, down = 0.6819023580358718, again = 0.7373813318447741;
    carom_problem problem;
    carom_outcome out;
    carom_rule rule = carom_rule_default(carom_law_find("routh-poisson"));
    rule.coeffs.mu = 0.86394286739297432;
    rule.coeffs.e = 1;
    assert_int_equal(carom_problem_from_K(3, K, u, &problem), CAROM_STATUS_OK);
    assert_int_equal(solve_seen(&problem, &rule, &out), CAROM_STATUS_OK);
    assert_int_equal(out.phases.phases, 2);
    assert_near(seen_events[1].at.p.n, up, 1, TOL);
    assert_near(seen_events[3].at.p.n, down, 1, TOL);
    assert_near(seen_events[5].at.p.n, again, 1, TOL);
    assert_near(out.p.n, 2 * (up + again - down), 1, TOL);
}

/* The goal, or a zero of u_n, at the end of an arc to the last bit: nothing is missed, and nothing happens twice. */
static void stops_at_ends(void **state)
{
    (void)state;
    static const struct {
        const char *law;
        double mu, e, K[9], u[3];
        int phases;
        double p_n; /* of an integration with 34 digits */
    } cases[] = {
        {"routh-newton",
         0.85147054790272558,
         1,
         {2.9345208328894024, 0.70077529477003453, -0.14807522537522061, 0.70077529477003453, 3.5169470159611755,
          -0.51267413653424687, -0.14807522537522061, -0.51267413653424687, 0.11760474784051204},
         {0.98490834177153619, -0.17307674109724536, -0.021970635213769196},
         2,
         1.2446895218646235},
        {"routh-newton",
         0.47749428990402309,
         0.5486955404988002,
         {2.4637492704601263, -0.78281960777923021, -1.8500709329212487e-10, -0.78281960777923021, 1.5238013430232091,
          -4.1908361968352055e-11, -1.8500709329212487e-10, -4.1908361968352055e-11, 2.3444850839414402},
         {-0.59829780364487661, -0.80127382220668908, -2.268410468114737},
         1,
         1.4984429630838713},
        {"routh-stronge",
         5.6851986413264823,
         1,
         {1.2939565235240453, -0.43220000677192894, -0.60829780090045271, -0.43220000677192894, 3.0110980990184784,
          1.6808694645162383, -0.60829780090045271, 1.6808694645162383, 1.9308903082420756},
         {-0.57042910318277207, -0.82134684405682012, -0.36231182013390317},
         2,
         0.27527678656199413},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        carom_problem problem;
        carom_outcome out;
        carom_rule rule = carom_rule_default(carom_law_find(cases[i].law));
        rule.coeffs.mu = cases[i].mu;
        rule.coeffs.e = cases[i].e;
        assert_int_equal(carom_problem_from_K(3, cases[i].K, cases[i].u, &problem), CAROM_STATUS_OK);
        assert_int_equal(carom_solve(&problem, &rule, NULL, &out), CAROM_STATUS_OK);
        assert_int_equal(out.phases.phases, cases[i].phases);
        assert_near(out.p.n, cases[i].p_n, 1, TOL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shallow_dip),
        cmocka_unit_test(stops_at_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
