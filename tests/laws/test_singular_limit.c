/* A singular K is the limit of regular ones: the answer for K and that for K + eps z z^T, z the null vector, come
 * together as eps goes to zero; or the law refuses K because the impulse grows without bound. Pendulums on a pin
 * (planar, rank one) and mechanisms with two freedoms (rank two), moving as they can: u is in the range of K. */
#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/corpus.h"
#include "support/laws.h"

typedef struct singular_case {
    carom_problem pb;
    double z[3]; /* null vector, unit */
} singular_case;

static carom_csym outer(carom_csym K, double s, const double w[3])
{
    return (carom_csym){K.t11 + s * w[0] * w[0], K.t12 + s * w[0] * w[1], K.t22 + s * w[1] * w[1],
                        K.t1n + s * w[0] * w[2], K.t2n + s * w[1] * w[2], K.nn + s * w[2] * w[2]};
}

/* Two orthogonal directions of motion (one in the plane) and the null vector, small whole numbers: K is exact. */
static singular_case roll(dice *d, bool planar)
{
    static const double frames[][3][3] = {{{1, 2, 2}, {2, 1, -2}, {2, -2, 1}},
                                          {{2, 3, 6}, {3, -6, 2}, {6, 2, -3}},
                                          {{1, 4, 8}, {4, 7, -4}, {8, -4, 1}},
                                          {{4, 4, 7}, {8, -1, -4}, {1, -8, 4}}};
    static const double lines[][2] = {{3, 1}, {1, 2}, {-2, 1}, {5, 2}, {-4, 1}, {1, 1}, {1, 4}};
    singular_case c = {0};
    double size = dice_between(d, -2, 2);
    if (planar) {
        const double *w = lines[dice_below(d, 7)], v[3] = {w[0], 0, w[1]};
        c.pb.K = outer(c.pb.K, 0.25, v);
        c.pb.u = (carom_cvec){-0.25 * w[0], 0, -0.25 * w[1]};
        c.z[0] = -w[1] / hypot(w[0], w[1]);
        c.z[2] = w[0] / hypot(w[0], w[1]);
        return c;
    }
    const double(*f)[3] = frames[dice_below(d, 4)];
    int null = dice_below(d, 3), one = (null + 1) % 3, two = (null + 2) % 3;
    double length = sqrt(f[null][0] * f[null][0] + f[null][1] * f[null][1] + f[null][2] * f[null][2]);
    c.pb.K = outer(outer(c.pb.K, 0.25, f[one]), 0.125, f[two]);
    c.pb.u = (carom_cvec){f[one][0] + size * f[two][0], f[one][1] + size * f[two][1], f[one][2] + size * f[two][2]};
    if (c.pb.u.n > 0)
        c.pb.u = carom_cvec_scale(-1, c.pb.u);
    for (int i = 0; i < 3; i++)
        c.z[i] = f[null][i] / length;
    return c;
}

static bool answer(const carom_problem *pb, const carom_rule *rule, carom_outcome *out)
{
    return carom_solve(pb, rule, NULL, out) == CAROM_STATUS_OK;
}

static double distance(carom_cvec a, carom_cvec b)
{
    return carom_cvec_slip(carom_cvec_sub(a, b)) + fabs(a.n - b.n);
}

/* The answers for K and for K + eps z z^T do not come together. */
static bool is_apart(const singular_case *c, const carom_rule *rule, const carom_outcome *exact)
{
    double gap[2], size = distance(exact->p, (carom_cvec){0, 0, 0});
    for (int i = 0; i < 2; i++) {
        carom_problem near = {outer(c->pb.K, i ? 1e-10 : 1e-8, c->z), c->pb.u};
        carom_outcome out;
        if (!answer(&near, rule, &out))
            return true;
        gap[i] = distance(out.p, exact->p);
    }
    return gap[1] > 0.3 * gap[0] && gap[1] > 1e-4 * size;
}

/* Where a law refuses K: the impulse of the regular K next to it grows without bound, with the root of 1/eps at least.
 */
static bool grows(const singular_case *c, const carom_rule *rule)
{
    double size[2];
    for (int i = 0; i < 2; i++) {
        carom_problem near = {outer(c->pb.K, i ? 1e-10 : 1e-8, c->z), c->pb.u};
        carom_outcome out;
        size[i] = answer(&near, rule, &out) ? distance(out.p, (carom_cvec){0, 0, 0}) : NAN;
    }
    return size[1] > 5 * size[0];
}

/* By velocity and by work Routh's law has no limit where the contact sticks: it rests there, flagged. */
static bool rests(const carom_rule *rule, const carom_outcome *out)
{
    bool by_impulse = strcmp(rule->law->id, "routh-poisson") == 0;
    return strncmp(rule->law->id, "routh", 5) == 0 && !by_impulse && out->flags & CAROM_FLAG_JAM &&
           distance(out->u_after, (carom_cvec){0, 0, 0}) == 0;
}

/* Plastic impacts in space that can stop with several impulses: whittaker may give another one, or refuse. */
static bool is_open(const char *id, bool planar)
{
    return strcmp(id, "whittaker") == 0 && !planar;
}

static void compare(const char *id, bool planar)
{
    dice d = {planar ? 91u : 92u};
    int answered = 0, resting = 0;
    for (int i = 0; i < 2000; i++) {
        singular_case c = roll(&d, planar);
        carom_rule rule = carom_rule_default(carom_law_find(id));
        carom_outcome exact;
        rule.coeffs.e = dice_between(&d, 0, 1) * (i % 5 > 0 || is_open(id, planar));
        rule.coeffs.e_t = dice_between(&d, 0, 1) * (i % 3 > 0);
        rule.coeffs.mu = dice_between(&d, 0.05, 1.5);
        if (!answer(&c.pb, &rule, &exact)) {
            if (exact.status == CAROM_STATUS_UNBOUNDED)
                assert_true(grows(&c, &rule));
            continue;
        }
        answered++;
        if (rests(&rule, &exact))
            resting++;
        else if (is_apart(&c, &rule, &exact))
            fail_msg("%s: K %g %g %g %g %g %g, u %g %g %g, e %g, e_t %g, mu %g: no limit", id, c.pb.K.t11, c.pb.K.t12,
                     c.pb.K.t22, c.pb.K.t1n, c.pb.K.t2n, c.pb.K.nn, c.pb.u.t1, c.pb.u.t2, c.pb.u.n, rule.coeffs.e,
                     rule.coeffs.e_t, rule.coeffs.mu);
    }
    print_message("%-20s %s: %d answers, %d at rest without a limit\n", id, planar ? "planar" : "space", answered,
                  resting);
}

static void test_all(void **state)
{
    (void)state;
    for (int i = 0; i < carom_law_count(); i++) {
        if (carom_law_at(i)->traits & CAROM_TRAIT_CONTACT_FORCE)
            continue;
        compare(carom_law_at(i)->id, true);
        compare(carom_law_at(i)->id, false);
    }
}

/* z x a: a direction of motion of a K that does not move along z. */
static void across(const double z[3], dice *d, double w[3])
{
    const double a[3] = {dice_below(d, 7) - 3, dice_below(d, 7) - 3, dice_below(d, 7) - 3};
    for (int i = 0; i < 3; i++)
        w[i] = z[(i + 1) % 3] * a[(i + 2) % 3] - z[(i + 2) % 3] * a[(i + 1) % 3];
}

/* K z = 0 in whole numbers, z on the edge of the cone, u such that the impulse of law I points along z. */
static bool roll_still(dice *d, carom_problem *pb, carom_rule *rule)
{
    static const double legs[][3] = {{1, 0, 1}, {0, 1, 1}, {3, 4, 5}, {4, -3, 5}, {5, 12, 13}};
    const double *leg = legs[dice_below(d, 5)], z[3] = {leg[0], leg[1], 1 + dice_below(d, 4)};
    double w[3], s = 1 + dice_below(d, 6), n = (1 + dice_below(d, 6)) / 4.0;
    pb->K = (carom_csym){0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 2; i++) {
        across(z, d, w);
        pb->K = outer(pb->K, 1, w);
    }
    pb->u = (carom_cvec){-s * z[0], -s * z[1], -n * z[2]};
    rule->coeffs.e = dice_below(d, 5) / 4.0;
    rule->coeffs.e_t = dice_below(d, 5) / 4.0;
    rule->coeffs.mu = leg[2] / z[2];
    const carom_csym *K = &pb->K;
    bool two = K->t11 * K->nn + K->t22 * K->nn + K->t11 * K->t22 >
               K->t1n * K->t1n + K->t2n * K->t2n + K->t12 * K->t12; /* freedoms */
    return two && K->nn > 0 && leg[2] * leg[2] * (1 + rule->coeffs.e_t) * s > z[2] * z[2] * (1 + rule->coeffs.e) * n;
}

/* Whether Q K Q rounds to zero depends on units and tangents; that K does not move along Q does not. */
static void test_still(void **state)
{
    (void)state;
    dice d = {93u};
    int seen = 0;
    for (int i = 0; i < 20000; i++) {
        carom_problem pb;
        carom_rule rule = carom_rule_default(carom_law_find("chatterjee-velocity"));
        carom_outcome out;
        if (!roll_still(&d, &pb, &rule))
            continue;
        const double k = dice_decades(&d, -6, 6), v = dice_decades(&d, -6, 6), angle = dice_between(&d, 0, 6.28);
        const carom_direction to = {cos(angle), sin(angle)};
        const carom_csym *K = &pb.K;
        const carom_problem scaled = {{k * K->t11, k * K->t12, k * K->t22, k * K->t1n, k * K->t2n, k * K->nn},
                                      carom_cvec_scale(v, pb.u)},
                            turned = carom_problem_turned(&pb, to);
        assert_int_equal(carom_solve(&pb, &rule, NULL, &out), CAROM_STATUS_UNBOUNDED);
        assert_int_equal(carom_solve(&scaled, &rule, NULL, &out), CAROM_STATUS_UNBOUNDED);
        assert_int_equal(carom_solve(&turned, &rule, NULL, &out), CAROM_STATUS_UNBOUNDED);
        seen++;
    }
    assert_true(seen > 10000);
}

/* Joints that hold the tangents leave rounding in their rows, of either sign: what is refused, and what is not, does
 * not depend on the tangents. */
static void test_rounding_in_rows(void **state)
{
    (void)state;
    dice d = {94u};
    for (int i = 0; i < 20000; i++) {
        const carom_law *law = carom_law_at(i % carom_law_count());
        carom_rule rule = carom_rule_default(law);
        const double noise = dice_decades(&d, -17, -12), angle = dice_between(&d, 0, 6.28);
        const carom_direction to = {cos(angle), sin(angle)};
        const carom_csym K = {noise * dice_gauss(&d), noise * dice_gauss(&d), noise * dice_gauss(&d),
                              noise * dice_gauss(&d), noise * dice_gauss(&d), dice_between(&d, 0.5, 2)};
        const carom_problem pb = {K, dice_cvec(&d)}, turned = carom_problem_turned(&pb, to);
        carom_outcome out, other;
        if (!(law->traits & CAROM_TRAIT_FRAME_FREE) || law->traits & CAROM_TRAIT_CONTACT_FORCE)
            continue;
        assert_int_equal(carom_solve(&pb, &rule, NULL, &out), carom_solve(&turned, &rule, NULL, &other));
        assert_true(carom_status_is_answer(out.status) || carom_status_is_refusal(out.status));
        assert_true(fabs(out.p.n - other.p.n) <= 1e-9 * out.p.n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all), cmocka_unit_test(test_still),
                                       cmocka_unit_test(test_rounding_in_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
