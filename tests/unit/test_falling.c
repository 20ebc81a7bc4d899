#include "core/falling.h"
#include "support/check.h"

/* a cos(omega t) + b */
typedef struct wave {
    double a, omega, b;
} wave;

static void wave_at(const void *data, double t, double v[SMOOTH_TERMS])
{
    const wave *w = data;
    double w2 = w->omega * w->omega, swing = w->a * cos(w->omega * t);
    v[0] = swing + w->b;
    v[1] = -w->a * w->omega * sin(w->omega * t);
    v[2] = -w2 * swing / 2;
}

static bool falls(const wave *w, double a, double b, double *t)
{
    smooth f = {wave_at, w};
    double va[SMOOTH_TERMS], vb[SMOOTH_TERMS];
    wave_at(w, a, va);
    wave_at(w, b, vb);
    bracket k = {a, b, va[0], va[1], vb[0], vb[1]};
    return falls_between(f, &k, t);
}

static void a_simple_root(void **state)
{
    (void)state;
    wave w = {1.37, 1.91, 0.25};
    double t;
    assert_true(falls(&w, 0.3, 1.2, &t));
    assert_close(t, acos(-0.25 / 1.37) / 1.91, 4e-16);
    assert_true(falls(&w, 0.3, 1.6, &t)); /* the far end is past the lowest point */
    assert_close(t, acos(-0.25 / 1.37) / 1.91, 4e-16);
}

static void none_where_it_stays_positive(void **state)
{
    (void)state;
    wave w = {1.37, 1.91, 0.25};
    double t;
    assert_false(falls(&w, 0.1, 0.8, &t));
}

/* Both ends positive, with a pair of roots between: the first is found, however close they are. */
static void the_first_of_a_pair(void **state)
{
    (void)state;
    double t;
    for (double gap = 1e-2; gap > 1e-13; gap /= 10) {
        wave w = {1, 1.3, 1 - gap};
        assert_true(falls(&w, 2.1, 2.8, &t));
        double v[SMOOTH_TERMS];
        wave_at(&w, t, v);
        assert_near(v[0], 0, 1, 2e-15);
        assert_true(t <= acos(-1) / 1.3);
        wave above = {1, 1.3, 1 + gap};
        assert_false(falls(&above, 2.1, 2.8, &t));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_simple_root),
        cmocka_unit_test(none_where_it_stays_positive),
        cmocka_unit_test(the_first_of_a_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
