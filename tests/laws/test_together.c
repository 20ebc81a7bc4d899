/* The laws of several contacts: equal to laws of one contact for m = 1, true to their traits over random problems, and
 * free of order and mirror. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/contacts.h"

#define SAME_ONE    1e-12 /* of the largest number: one contact by two programs */
#define SAME_MIRROR 1e-13 /* of the largest number, where K is well conditioned */
#define SLACK       1e-11 /* of the terms: rounding in energies and margins */

/* CAROM_CONTACT_PROBLEMS raises the number of random problems: CAROM_CONTACT_PROBLEMS=1000000. */
static int problem_count(int usual)
{
    const char *text = getenv("CAROM_CONTACT_PROBLEMS");
    return text ? atoi(text) : usual;
}

static carom_together_rule rule_of(const char *id)
{
    const carom_together *law = carom_together_find(id);
    assert_non_null(law);
    return carom_together_rule_default(law, NULL);
}

/* ---- one contact ---- */

static void compare_one(const char *id, const char *single, int dim, bool frictionless)
{
    contacts_random r = {7};
    carom_together_rule rule = rule_of(id);
    for (int k = 0; k < 300; k++) {
        contacts_case c;
        carom_problem problem;
        carom_outcome out;
        contacts_fill(&r, &c, 1, dim);
        c.u[dim - 1] = contacts_within(&r, -2, -0.1);
        c.coeffs[0].mu = frictionless ? 0 : c.coeffs[0].mu;
        c.coeffs[0].nu = contacts_unit(&r);
        c.coeffs[0].e_t = strcmp(id, "poisson-lcp") == 0 ? contacts_unit(&r) : 0;
        c.coeffs[0].exponent = k % 3 == 0 && strcmp(id, "compliant") != 0 ? 1.5 : 1; /* its springs are linear */
        assert_true(contacts_make(&c));
        assert_int_equal(carom_problem_from_K(dim, c.K, c.u, &problem), CAROM_STATUS_OK);
        carom_rule one = carom_rule_default(carom_law_find(single));
        one.coeffs = c.coeffs[0];
        assert_int_equal(carom_solve(&problem, &one, NULL, &out), CAROM_STATUS_OK);
        assert_int_equal(contacts_solve(&c, &rule), CAROM_STATUS_OK);
        double p[3] = {out.p.t1, dim == 3 ? out.p.t2 : out.p.n, out.p.n};
        /* The path of lzb turns through series of order 24; a slip that stops in space is met to 1e-10. */
        double tol = strcmp(id, "lzb") == 0 && dim == 3 ? 1e-9 : SAME_ONE;
        for (int i = 0; i < dim && out.solutions < 2; i++)
            if (fabs(c.p[i] - p[i]) > tol * contacts_largest(dim, p))
                fail_msg("%s is not %s: case %d, %.17g instead of %.17g", id, single, k, c.p[i], p[i]);
        free(c.memory);
    }
}

static void test_one_contact(void **state)
{
    (void)state;
    compare_one("moreau", "whittaker", 2, false);
    compare_one("moreau", "whittaker", 3, false);
    compare_one("poisson-lcp", "pfeiffer-glocker", 2, false);
    compare_one("reflections", "newton", 2, true);
    compare_one("reflections", "newton", 3, true);
    compare_one("sequential", "newton", 3, true);
    compare_one("lzb", "routh-stronge", 2, false);
    compare_one("lzb", "routh-stronge", 3, false);
    compare_one("compliant", "jia", 2, false);
    compare_one("compliant", "jia", 3, false);
}

/* ---- traits ---- */

static double work_of(const contacts_case *c)
{
    double sum = 0;
    for (int i = 0; i < c->n; i++)
        sum += fabs(c->p[i]) * (fabs(c->u[i]) + fabs(c->u_after[i]));
    return sum;
}

/* Half of p . (u + u after), normal and tangential parts apart. */
static void check_ledger(const contacts_case *c, const carom_together *law, int k)
{
    double part[2] = {0, 0}, slack = SLACK * work_of(c);
    for (int i = 0; i < c->n; i++)
        part[i % c->dim == c->dim - 1] += 0.5 * c->p[i] * (c->u[i] + c->out.u_after[i]);
    const carom_energy *e = &c->out.energy;
    if (fabs(e->normal - part[1]) > slack || fabs(e->friction - part[0]) > slack ||
        fabs(e->change - (part[0] + part[1])) > slack)
        fail_msg("%s: case %d, the ledger has %g and %g, not %g and %g", law->id, k, e->normal, e->friction, part[1],
                 part[0]);
}

static void check_traits(const contacts_case *c, const carom_together *law, unsigned traits, int k)
{
    check_ledger(c, law, k);
    double speed = fmax(contacts_largest(c->n, c->u), contacts_largest(c->n, c->u_after));
    double impulse = contacts_largest(c->n, c->p);
    if (traits & CAROM_TRAIT_ENERGY_SAFE && c->out.energy.change > SLACK * work_of(c))
        fail_msg("%s creates energy: case %d, %g", law->id, k, c->out.energy.change);
    for (int i = 0; i < c->m; i++) {
        const double *p = c->p + i * c->dim;
        double slip = c->dim == 2 ? fabs(p[0]) : hypot(p[0], p[1]), p_n = p[c->dim - 1];
        if (traits & CAROM_TRAIT_NO_PENETRATION && c->u_after[(i + 1) * c->dim - 1] < -SLACK * speed)
            fail_msg("%s penetrates: case %d", law->id, k);
        if (traits & CAROM_TRAIT_CONE_SAFE && slip - c->coeffs[i].mu * p_n > SLACK * impulse)
            fail_msg("%s leaves the cone: case %d", law->id, k);
    }
}

static void prepare(contacts_random *r, const carom_together *law, contacts_case *c, bool frictionless)
{
    int m = 2 + (int)(contacts_unit(r) * 7), dim = contacts_unit(r) < 0.5 ? 2 : 3;
    bool planar = !frictionless && law->traits & CAROM_TRAIT_PLANAR_ONLY;
    if (law->traits & CAROM_TRAIT_HAS_PATH && m > 5) /* the path of many contacts takes long */
        m = 5;
    contacts_fill(r, c, planar && m > 6 ? 6 : m, planar ? 2 : dim);
    for (int i = 0; i < c->m; i++) {
        c->coeffs[i].mu = frictionless ? 0 : c->coeffs[i].mu;
        if (!(law->uses & CAROM_USES(mu)))
            c->coeffs[i].e = c->coeffs[0].e;
    }
}

static void hold_to_traits(const carom_together *law, bool frictionless, int count)
{
    contacts_random r = {11};
    carom_together_rule rule = carom_together_rule_default(law, NULL);
    for (int k = 0; k < count; k++) {
        contacts_case c;
        prepare(&r, law, &c, frictionless);
        assert_true(contacts_make(&c));
        carom_status status = contacts_solve(&c, &rule);
        if (status != CAROM_STATUS_OK && status != CAROM_STATUS_SEPARATING)
            fail_msg("%s: case %d is answered %s", law->id, k, carom_status_id(status));
        check_traits(&c, law, law->traits | (frictionless ? law->frictionless : 0), k);
        free(c.memory);
    }
}

static void test_traits(void **state)
{
    (void)state;
    for (int i = 0; i < carom_together_count(); i++) {
        const carom_together *law = carom_together_at(i);
        int count = problem_count(law->traits & CAROM_TRAIT_HAS_PATH ? 300 : 2000);
        hold_to_traits(law, true, count);
        if (law->uses & CAROM_USES(mu))
            hold_to_traits(law, false, count);
    }
}

/* Moreau's law with e_t = e, the same everywhere, does not create energy; the convex cone neither. */
static void test_equal_restitution(void **state)
{
    (void)state;
    contacts_random r = {13};
    carom_together_rule rule = rule_of("moreau");
    for (int k = 0; k < problem_count(1000); k++) {
        contacts_case c;
        prepare(&r, rule.law, &c, false);
        for (int i = 0; i < c.m; i++)
            c.coeffs[i].e = c.coeffs[i].e_t = c.coeffs[0].e;
        rule.options.cone = k % 2 ? CAROM_OPTION_CONE_CONVEX : 0;
        assert_true(contacts_make(&c));
        assert_true(carom_status_is_answer(contacts_solve(&c, &rule)));
        check_traits(&c, rule.law, CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE, k);
        free(c.memory);
    }
}

/* ---- order and mirror ---- */

static void compare_rearranged(const contacts_case *c, contacts_case *d, const int *to, bool mirror, int k)
{
    double speed = fmax(contacts_largest(c->n, c->u), contacts_largest(c->n, c->u_after));
    for (int i = 0; i < c->m; i++)
        for (int a = 0; a < c->dim; a++) {
            double sign = mirror && a == 0 ? -1 : 1;
            double one = c->u_after[i * c->dim + a], other = sign * d->u_after[to[i] * c->dim + a];
            if (fabs(one - other) > SAME_MIRROR * speed)
                fail_msg("case %d: %.17g and %.17g, m %d dim %d", k, one, other, c->m, c->dim);
        }
}

static void rearrange(const carom_together *law, bool frictionless, int count)
{
    contacts_random r = {17};
    carom_together_rule rule = carom_together_rule_default(law, NULL);
    for (int k = 0; k < count; k++) {
        contacts_case c, d;
        int to[CONTACTS_MOST];
        prepare(&r, law, &c, frictionless);
        for (int i = 0; i < c.m; i++)
            to[i] = (i + 1 + k) % c.m;
        contacts_rearrange(&c, to, k % 2, &d);
        assert_true(contacts_make(&c) && contacts_make(&d));
        (void)contacts_solve(&c, &rule);
        (void)contacts_solve(&d, &rule);
        assert_int_equal(c.status, d.status);
        bool unique = c.out.solutions == 1 && (c.out.examined || d.out.examined);
        if (unique)
            compare_rearranged(&c, &d, to, k % 2, k);
        free(c.memory);
        free(d.memory);
    }
}

static void test_order_and_mirror(void **state)
{
    (void)state;
    for (int i = 0; i < carom_together_count(); i++) {
        const carom_together *law = carom_together_at(i);
        if (strcmp(law->id, "sequential") == 0)
            continue;
        rearrange(law, true, 200);
        if (law->uses & CAROM_USES(mu))
            rearrange(law, false, 200);
    }
}

/* ---- sequences that never end ---- */

static void test_endless_sequence(void **state)
{
    (void)state;
    contacts_random r = {19};
    carom_together_rule rule = rule_of("sequential");
    for (int k = 0; k < 200; k++) {
        contacts_case c;
        double kappa = contacts_within(&r, 0.3, 0.9), e = contacts_within(&r, 0, 0.6);
        bool endless = kappa >= 2 * sqrt(e) / (1 + e);
        contacts_fill(&r, &c, 2, 2);
        memset(c.K, 0, sizeof c.K);
        for (int i = 0; i < 4; i++)
            c.K[i * 5] = i % 2 ? 1 : 2;
        c.K[1 * 4 + 3] = c.K[3 * 4 + 1] = -kappa;
        c.coeffs[0].e = c.coeffs[1].e = e;
        c.u[1] = -1;
        c.u[3] = -0.3;
        assert_true(contacts_make(&c));
        assert_int_equal(contacts_solve(&c, &rule), CAROM_STATUS_OK);
        assert_int_equal(c.out.endless, endless);
        if (!endless)
            assert_true(c.out.iterations <= (int)ceil(acos(-1.0) / acos((1 + e) * kappa / (2 * sqrt(e)))) + 1);
        double limit[4] = {c.p[0], c.p[1], c.p[2], c.p[3]};
        c.coeffs[1].e = e * (1 + 1e-15) + 1e-300; /* no longer the same: the sequence itself runs */
        if (endless && c.coeffs[1].e != e && kappa > 2 * sqrt(e) / (1 + e) + 0.05) {
            assert_int_equal(contacts_solve(&c, &rule), CAROM_STATUS_OK);
            for (int i = 0; i < 4; i++)
                assert_true(fabs(c.p[i] - limit[i]) < 1e-11);
        }
        free(c.memory);
    }
}

/* ---- opposed, redundant, duplicate ---- */

static void set_clamped(contacts_case *c, double u1, double u2)
{
    contacts_random r = {23};
    contacts_fill(&r, c, 2, 2);
    memset(c->K, 0, sizeof c->K);
    for (int i = 0; i < 4; i++)
        c->K[i * 5] = 1;
    c->K[1 * 4 + 3] = c->K[3 * 4 + 1] = -1; /* a ball between parallel walls */
    c->u[0] = c->u[2] = 0;
    c->u[1] = u1;
    c->u[3] = u2;
    for (int i = 0; i < 2; i++) {
        c->coeffs[i].e = 1;
        c->coeffs[i].mu = 0;
    }
}

static void test_opposed(void **state)
{
    (void)state;
    for (int i = 0; i < carom_together_count(); i++) {
        contacts_case c;
        carom_together_rule rule = carom_together_rule_default(carom_together_at(i), NULL);
        set_clamped(&c, -1, 1);
        assert_true(contacts_make(&c));
        assert_int_equal(contacts_solve(&c, &rule), CAROM_STATUS_INADMISSIBLE);
        assert_true(c.p[1] == 0 && c.u_after[1] == -1);
        free(c.memory);
    }
}

/* A contact twice: velocities as with it once, in every law that shares impulses. */
static void test_duplicate(void **state)
{
    (void)state;
    static const char *const laws[] = {"moreau", "poisson-lcp", "reflections", "lzb"};
    contacts_random r = {29};
    for (int l = 0; l < 4; l++)
        for (int k = 0; k < 20; k++) {
            contacts_case one, two;
            carom_together_rule rule = rule_of(laws[l]);
            contacts_fill(&r, &one, 1, 2);
            one.u[1] = -1;
            one.coeffs[0].mu = l == 2 ? 0 : one.coeffs[0].mu;
            one.coeffs[0].e = 0.5;
            two = one;
            two.m = 2;
            two.n = 4;
            for (int i = 0; i < 4; i++) {
                two.u[i] = one.u[i % 2];
                for (int j = 0; j < 4; j++)
                    two.K[i * 4 + j] = one.K[i % 2 * 2 + j % 2];
            }
            two.coeffs[1] = two.coeffs[0];
            assert_true(contacts_make(&one) && contacts_make(&two));
            assert_int_equal(contacts_solve(&one, &rule), CAROM_STATUS_OK);
            assert_int_equal(contacts_solve(&two, &rule), CAROM_STATUS_OK);
            for (int i = 0; i < 4; i++)
                if (fabs(two.u_after[i] - one.u_after[i % 2]) > 1e-10)
                    fail_msg("%s: case %d, %g instead of %g", laws[l], k, two.u_after[i], one.u_after[i % 2]);
            free(one.memory);
            free(two.memory);
        }
}

/* ---- planar problems in space ---- */

/* The planar problem c with rows of zeros along t2. */
static void raise_flat(const contacts_case *c, contacts_case *d)
{
    *d = *c;
    d->memory = NULL;
    d->dim = 3;
    d->n = 3 * c->m;
    memset(d->K, 0, sizeof d->K);
    for (int i = 0; i < d->n; i++) {
        int ri = 2 * (i / 3) + i % 3 / 2;
        d->u[i] = i % 3 == 1 ? 0 : c->u[ri];
        for (int j = 0; j < d->n; j++)
            d->K[i * d->n + j] = i % 3 == 1 || j % 3 == 1 ? 0 : c->K[ri * c->n + 2 * (j / 3) + j % 3 / 2];
    }
}

static void test_flat(void **state)
{
    (void)state;
    contacts_random r = {31};
    for (int l = 0; l < carom_together_count(); l++)
        for (int k = 0; k < 50; k++) {
            contacts_case c, d;
            carom_together_rule rule = carom_together_rule_default(carom_together_at(l), NULL);
            contacts_fill(&r, &c, 2 + k % 3, 2);
            for (int i = 0; i < c.m; i++)
                c.coeffs[i].e = rule.law->uses & CAROM_USES(mu) ? c.coeffs[i].e : c.coeffs[0].e;
            raise_flat(&c, &d);
            assert_true(contacts_make(&c) && contacts_make(&d));
            assert_int_equal(contacts_solve(&c, &rule), contacts_solve(&d, &rule));
            assert_int_equal(c.out.flags, d.out.flags);
            assert_true(c.out.energy.change == d.out.energy.change && c.out.residual == d.out.residual);
            for (int i = 0; i < d.n; i++) {
                int ri = 2 * (i / 3) + i % 3 / 2;
                assert_true(d.p[i] == (i % 3 == 1 ? 0 : c.p[ri]));
                assert_true(d.u_after[i] == (i % 3 == 1 ? 0 : c.u_after[ri]));
            }
            free(c.memory);
            free(d.memory);
        }
}

/* ---- a box that lands on its face ---- */

/* a x b of the rows: (r x) of an arm. */
static void cross_rows(const double r[3], double X[3][3])
{
    const double rows[3][3] = {{0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0}};
    memcpy(X, rows, sizeof rows);
}

/* K = 1 + (r_i x) I^-1 (r_j x)^T for mass 1, u = v + w x r at the four corners below. */
static void fill_box(contacts_random *r, contacts_case *c, double mu)
{
    double h[3], v[3], w[3], arm[4][3];
    memset(c, 0, sizeof *c);
    c->m = 4;
    c->dim = 3;
    c->n = 12;
    for (int i = 0; i < 3; i++)
        h[i] = contacts_within(r, 0.3, 1);
    for (int i = 0; i < 3; i++) {
        v[i] = i == 2 ? -1 : contacts_within(r, -1, 1);
        w[i] = contacts_within(r, -0.5, 0.5);
    }
    for (int i = 0; i < 4; i++) {
        double X[3][3], *a = arm[i];
        a[0] = i & 1 ? h[0] : -h[0];
        a[1] = i & 2 ? h[1] : -h[1];
        a[2] = -h[2];
        cross_rows(a, X);
        for (int p = 0; p < 3; p++) /* w x r = -(r x) w */
            c->u[3 * i + p] = v[p] - (X[p][0] * w[0] + X[p][1] * w[1] + X[p][2] * w[2]);
        c->coeffs[i] = carom_coeffs_default();
        c->coeffs[i].mu = mu;
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double X[3][3], Y[3][3];
            cross_rows(arm[i], X);
            cross_rows(arm[j], Y);
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++) {
                    double sum = p == q;
                    for (int k = 0; k < 3; k++)
                        sum +=
                            X[p][k] * Y[q][k] * 3 / (h[(k + 1) % 3] * h[(k + 1) % 3] + h[(k + 2) % 3] * h[(k + 2) % 3]);
                    c->K[(3 * i + p) * 12 + 3 * j + q] = sum;
                }
        }
}

/* Its contacts are redundant: as long as some share of friction holds them, lzb does not slip, and takes long steps. */
static void test_boxes(void **state)
{
    (void)state;
    const double friction[] = {0.1, 0.3, 1};
    carom_together_rule rule = rule_of("lzb");
    for (int k = 0; k < 36; k++) {
        contacts_random r = {(uint64_t)(k / 3 + 1) * UINT64_C(0x9E3779B97F4A7C15)};
        contacts_case c;
        (void)contacts_unit(&r);
        fill_box(&r, &c, friction[k % 3]);
        assert_true(contacts_make(&c));
        assert_int_equal(contacts_solve(&c, &rule), CAROM_STATUS_OK);
        assert_true(c.out.energy.change < 0 && c.out.iterations < 5000);
        for (int i = 0; i < 4; i++) {
            const double *p = c.p + 3 * i;
            assert_true(hypot(p[0], p[1]) <= c.coeffs[i].mu * p[2] * (1 + SLACK) && c.u_after[3 * i + 2] >= -SLACK);
        }
        free(c.memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_one_contact),
        cmocka_unit_test(test_traits),
        cmocka_unit_test(test_equal_restitution),
        cmocka_unit_test(test_order_and_mirror),
        cmocka_unit_test(test_endless_sequence),
        cmocka_unit_test(test_opposed),
        cmocka_unit_test(test_duplicate),
        cmocka_unit_test(test_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
