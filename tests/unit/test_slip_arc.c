/* laws/slip_arc.c: every instruction set takes the same strides, to the last bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "laws/family_incremental.h"

enum { WALKS = 3000 };

static double uniform(uint64_t *state, double low, double high)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* A walk at its start, or in restitution with something left to do. */
static slip_walk random_walk(uint64_t *state, const slip_ending *ending)
{
    double t11 = uniform(state, 0.1, 1), t22 = uniform(state, 0.1, 1), nn = uniform(state, 0.1, 1);
    carom_csym K = {t11, uniform(state, -0.1, 0.1), t22, uniform(state, -0.3, 0.3), uniform(state, -0.3, 0.3), nn};
    carom_coeffs coeffs = {.mu = uniform(state, 0.05, 2), .mu_s = CAROM_SAME_AS_MU};
    slip_walk w = {.field = slip_field_of(&K, &coeffs), .ending = ending};
    w.u_t = (tvec){uniform(state, -1, 1), uniform(state, -1, 1)};
    w.compressing = uniform(state, 0, 1) < 0.5;
    w.u_n = w.compressing ? uniform(state, -1, 0) : uniform(state, 0, 0.1);
    w.need = w.u_n + uniform(state, 0, 1);
    return w;
}

static void same_bits(void **state)
{
    (void)state;
    static const slip_measure measures[] = {BY_VELOCITY, BY_IMPULSE, BY_WORK};
    const slip_arc_steps *baseline = slip_arc_at(CAROM_ISA_BASELINE);
    uint64_t seed = 1;
    for (int i = 0; i < WALKS; i++) {
        const slip_ending ending = {.by = measures[i % 3]};
        slip_walk w = random_walk(&seed, &ending);
        double r = tvec_length(w.u_t);
        tvec c = {w.u_t.t1 / r, w.u_t.t2 / r};
        slip_rates q = slip_field_rates(&w.field, c);
        slip_arc arc;
        slip_stride expected, got;
        memset(&expected, 0, sizeof expected);
        assert_true(baseline->begin(&w, c, &q, 1, &arc));
        baseline->stride(&w, &arc, &expected);
        for (carom_isa isa = CAROM_ISA_BASELINE; isa <= carom_isa_best(); isa++) {
            if (!slip_arc_at(isa))
                continue;
            memset(&got, 0, sizeof got);
            assert_true(slip_arc_at(isa)->begin(&w, c, &q, 1, &arc));
            slip_arc_at(isa)->stride(&w, &arc, &got);
            assert_memory_equal(&expected, &got, sizeof got);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
