/* The passes with partial derivatives: those of all instruction sets have the same bits. */
#include "support/check.h"
#include "support/contacts.h"

#include "derivative/pass.h"

typedef struct pair {
    pass_function *baseline, *avx2;
} pair;

static const pair pairs[] = {
#ifdef HAS_AVX2_PASSES
#define PAIR_none                                      NULL, NULL
#define PAIR_closed                                    carom_closed_all, carom_closed_all_avx2
#define PAIR_mix                                       carom_mix_all, carom_mix_all_avx2
#define PAIR_coulomb                                   carom_coulomb_all, carom_coulomb_all_avx2
#define PAIR_springs                                   carom_springs_all, carom_springs_all_avx2
#define CAROM_LAW(symbol, rows, stream, numbers, rest) {PAIR_##numbers},
#include "laws/laws.def"
#undef CAROM_LAW
#endif
    {NULL, NULL}};

static void set(pass_input *to, double value, int *columns)
{
    *to = (pass_input){value, 1, (*columns)++};
}

static void draw(contacts_random *r, const carom_law *law, pass_in *in)
{
    static const double low[6] = {1, 0, 1, -0.6, -0.6, 1}, high[6] = {3, 0, 3, 0.6, 0.6, 3};
    const bool principal = law->traits & (CAROM_TRAIT_PRINCIPAL_ONLY | CAROM_TRAIT_PLANAR_ONLY);
    int columns = 0;
    *in = (pass_in){.law = law->id, .uses = law->uses};
    for (int i = 0; i < 3; i++)
        set(&in->u[i], i < 2 ? contacts_within(r, -2, 2) : contacts_within(r, -2, -0.2), &columns);
    for (int i = 0; i < 6; i++)
        set(&in->K[i], contacts_within(r, low[i], high[i]), &columns);
    if (principal) {
        in->K[2].value = in->K[0].value;
        in->K[3].value = in->K[4].value = 0;
    }
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (law->uses >> i & 1 && i != CAROM_COEFF_mu_s)
            set(&in->coeffs[i], contacts_within(r, 0.2, 0.8), &columns);
    in->coeffs[CAROM_COEFF_mu_s] = (pass_input){CAROM_SAME_AS_MU, 0, -1};
    assert_true(columns <= PASS_PARTIALS);
}

static void instruction_sets_agree(void **state)
{
    (void)state;
    contacts_random r = {2385};
    for (int i = 0; i < (int)(sizeof pairs / sizeof pairs[0]) && carom_isa_best() >= CAROM_ISA_AVX2; i++) {
        const pair *x = &pairs[i];
        int passed = 0;
        if (!x->baseline)
            continue;
        for (int n = 0; n < 40; n++) {
            pass_in in;
            pass_out one, two;
            memset(&one, 0, sizeof one);
            memset(&two, 0, sizeof two);
            one.border = two.border = "";
            draw(&r, carom_law_at(i), &in);
            const int answers = x->baseline(&in, &one);
            assert_int_equal(x->avx2(&in, &two), answers);
            passed += answers;
            assert_memory_equal(one.p, two.p, sizeof one.p);
            assert_memory_equal(one.dp, two.dp, sizeof one.dp);
            assert_string_equal(one.border, two.border);
            assert_true(one.distance == two.distance);
        }
        assert_true(passed >= 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(instruction_sets_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
