/* Every plot of every temper of contact: a picture or a sentence, never a crash and never a number that is not one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/plot.h"
#include "io/plot/picture.h"
#include "support/check.h"
#include "support/corpus.h"

static carom_plot_draw *const draws[] = {carom_plot_region, carom_plot_hodograph, carom_plot_impulse, carom_plot_energy,
                                         carom_plot_outcome};

static void check_finite(const carom_picture *p)
{
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < 6; k++)
            assert_true(p->ops[i].x[k] == p->ops[i].x[k]);
}

static void test_every_temper(void **state)
{
    (void)state;
    dice d = {131};
    int drawn = 0;
    for (int i = 0; i < 40 * CORPUS_KIND_COUNT; i++) {
        corpus_kind kind = (corpus_kind)(i % CORPUS_KIND_COUNT);
        carom_case c = {.dim = kind == CORPUS_PLANAR ? 2 : 3, .problem = corpus_problem(&d, kind)};
        c.rule = corpus_rule(&d, carom_law_at(dice_below(&d, carom_law_count())));
        carom_plot request = {.c = &c, .reach = i % 3 == 0};
        request.sweep = (carom_plot_sweep){.is_angle = i % 2, .coeff = CAROM_COEFF_mu, .to = 80, .count = 9};
        request.laws[0] = c.rule.law;
        request.law_count = request.reach || i % 2;
        char why[256] = "";
        carom_picture *p = draws[i % 5](&request, why, sizeof why);
        assert_true((p != NULL) != (why[0] != 0));
        if (p)
            check_finite(p);
        drawn += p != NULL;
        carom_picture_free(p);
    }
    print_message("%d pictures\n", drawn);
    assert_true(drawn > 20 * CORPUS_KIND_COUNT);
}

static void test_quantities_are_known(void **state)
{
    (void)state;
    carom_case c = {.dim = 3, .problem = {{3.5, 0, 3.5, 0, 0, 1}, {-3, 0, -5}}};
    c.rule = carom_rule_default(carom_law_find("smith"));
    for (const char *const *name = carom_plot_quantities(); *name; name++) {
        carom_plot request = {.c = &c, .shown = {*name}, .shown_count = 1};
        char why[256] = "";
        request.sweep = (carom_plot_sweep){.coeff = CAROM_COEFF_e, .to = 1, .count = 5};
        carom_picture *p = carom_plot_outcome(&request, why, sizeof why);
        assert_non_null(p);
        carom_picture_free(p);
    }
    carom_plot request = {.c = &c, .shown = {"speed"}, .shown_count = 1, .sweep = {false, CAROM_COEFF_e, 0, 1, 5}};
    char why[256] = "";
    assert_null(carom_plot_outcome(&request, why, sizeof why));
    assert_non_null(strstr(why, "speed"));
}

/* Random mechanisms with two to five speeds, singular ones too, planar and spatial. */
static void test_speeds(void **state)
{
    (void)state;
    enum { MOST = 5 };
    dice d = {17};
    int drawn = 0;
    for (int i = 0; i < 200; i++) {
        double M[MOST * MOST], J[3 * MOST], qdot[MOST], work[CAROM_GENERALIZED_WORK(MOST)];
        int n = 1 + dice_below(&d, MOST), dim = 2 + (i % 4 == 0);
        for (int k = 0; k < n * n; k++)
            M[k] = k % (n + 1) == 0 ? dice_between(&d, 1, 3) : 0;
        for (int k = 0; k < dim * n; k++)
            J[k] = i % 7 == 0 && k < n ? 0 : dice_gauss(&d);
        for (int k = 0; k < n; k++)
            qdot[k] = dice_gauss(&d);
        carom_case c = {
            .dim = dim, .count = 1, .source = CAROM_SOURCE_MECHANISM, .mechanism = {n, dim, M, J, qdot, work}};
        c.rule = corpus_rule(&d, carom_law_at(dice_below(&d, carom_law_count())));
        if (carom_generalized_reduce(&c.mechanism, &c.problem))
            continue;
        carom_plot request = {.c = &c, .speeds = {1 + dice_below(&d, n), 1 + dice_below(&d, n)}};
        char why[256] = "";
        carom_picture *p = carom_plot_speeds(&request, why, sizeof why);
        assert_true((p != NULL) != (why[0] != 0));
        if (p)
            check_finite(p);
        drawn += p != NULL;
        carom_picture_free(p);
    }
    assert_true(drawn > 20);
}

static void test_chart_of_nothing(void **state)
{
    (void)state;
    const double x[] = {0, 1}, y[] = {NAN, NAN};
    carom_curve curve = {"nothing", x, y, 2, false, 0};
    carom_chart chart = {.title = "empty", .x_label = "x", .panels = {{"y", &curve, 1}}, .count = 1};
    carom_picture *p = carom_chart_draw(&chart);
    assert_non_null(p);
    check_finite(p);
    carom_picture_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_temper),
        cmocka_unit_test(test_quantities_are_known),
        cmocka_unit_test(test_speeds),
        cmocka_unit_test(test_chart_of_nothing),
    };
    return cmocka_run_group_tests_name("plot", tests, NULL, NULL);
}
