/* carom invert: which inputs of a case give a wanted outcome. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/inversion.h"
#include "cli.h"
#include "input.h"
#include "options.h"
#include "term.h"

typedef struct session {
    settings settings;
    bool json;
    carom_inversion inversion;
} session;

/* ---- the answer ---- */

static void print_freedom(const carom_inversion *s, const carom_invert_solution *x)
{
    if (x->rank < s->v.count)
        printf("  the wish determines %d of %d numbers here: this is the least change from the case\n", x->rank,
               s->v.count);
    for (int j = 0; j < s->v.count; j++)
        if (x->undetermined >> j & 1)
            printf("  %s is not determined here: it does not change the outcome\n", s->v.list[j].name);
}

static void print_solution(const carom_inversion *s, const carom_invert_solution *x)
{
    printf("%s%s%s\n", term_bold(), x->mode ? x->mode : "-", term_plain());
    for (int j = 0; j < s->v.count; j++) {
        printf("  %-22s %.10g", s->v.list[j].name, x->controls[j]);
        if (s->sigma_count > 0)
            printf(" ± %.3g", sqrt(x->covariance[j][j]));
        printf("  (was %.6g)\n", s->task.start[j]);
    }
    for (int i = 0; i < s->wish_count && !x->met; i++)
        printf("  %-22s %.10g, wanted %.10g\n", s->wishes[i].name, x->outcome[i], s->wishes[i].value);
    print_freedom(s, x);
}

static void print_result(const carom_inversion *s, const carom_case *c, const carom_invert_result *r)
{
    if (r->reachable)
        printf("%s: %d solution%s, by branch\n\n", carom_case_law(c), r->count, r->count > 1 ? "s" : "");
    else
        printf("%s: no solution was found; the nearest outcome is %.6g away\n\n", carom_case_law(c),
               r->solutions[0].distance);
    for (int i = 0; i < r->count; i++)
        print_solution(s, &r->solutions[i]);
}

static int invert(carom_case *c, void *context)
{
    session *s = context;
    carom_case_error error;
    error.message[0] = 0;
    if (!settings_apply(&s->settings, c, &error) || !settings_warn(&s->settings, c, &error)) {
        fprintf(stderr, "%s%s", error.message, error.message[0] ? "\n" : "");
        return BAD_INPUT;
    }
    bool fine = carom_inversion_solve(&s->inversion, c, &error);
    if (!fine)
        complain_error("invert", &error);
    else if (s->json) {
        carom_json *answer = carom_inversion_json(&s->inversion, c);
        carom_json_print(stdout, answer, false);
        carom_json_free(answer);
    } else
        print_result(&s->inversion, c, &s->inversion.found);
    carom_inversion_free(&s->inversion);
    return fine ? FINE : BAD_INPUT;
}

/* ---- options ---- */

static bool take_vary(void *member, const char *text, const option_row *row)
{
    session *s = member;
    carom_case_error error;
    (void)row;
    return carom_inversion_vary(&s->inversion, text, &error) || (complain_error("invert", &error), false);
}

static bool take_sigma(void *member, const char *text, const option_row *row)
{
    session *s = member;
    carom_case_error error;
    (void)row;
    return carom_inversion_sigma(&s->inversion, text, &error) || (complain_error("invert", &error), false);
}

static bool take_want(void *member, const char *text, const option_row *row)
{
    session *s = member;
    carom_case_error error;
    (void)row;
    return carom_inversion_want(&s->inversion, text, &error) || (complain_error("invert", &error), false);
}

static const option_row options[] = {
    {"want", "KEY=VALUES",
     "u_after=0.3,0.5 in the contact axes, bodies.a.velocity=1,0,2, bodies.a.omega=..., bodies.b..., "
     "qdot_after=..., or of a stroke stroke.end=X,Y, stroke.velocity=..., stroke.squirt=...; _ for a number that does "
     "not matter; may be repeated",
     .take = take_want},
    {"sigma", "KEY=VALUES",
     "standard deviations of the wanted numbers, in the same words: they weigh the distance and give the answer its "
     "deviations and, with --json, its covariance",
     .take = take_sigma},
    {"vary", "NAME,...",
     "coefficients (e,mu), paths of numbers or of arrays of numbers in the case (bodies.a.velocity, contact.arm_a.1), "
     "or u for reduced.u; may be repeated",
     .take = take_vary},
    LAW_OPTION(session),
    SET_OPTION(session),
    STRICT_OPTION(session),
    JSON_OPTION(session, "the answer as one JSON object"),
    {.name = NULL}};

const command_help help_invert = {
    .usage = "usage: carom invert CASE --want KEY=VALUES --vary NAME[,NAME...] [options]\n\n"
             "Finds the inputs of a case for which the impact has a wanted outcome: the approach, a stroke (speed,\n"
             "direction, hit point) or coefficients. Prints every solution that is found, by branch of the law; where\n"
             "the wish does not determine the inputs, the one with the least change; where it cannot be met, the\n"
             "nearest outcome and its distance.\n\n",
    options,
    "\nexample    carom invert ball.json --want u_after=0.2,_,0.8 --vary bodies.a.velocity\n"};

int cmd_invert(int argc, char **argv)
{
    static session s;
    memset(&s, 0, sizeof s);
    if (!options_read("invert", &help_invert, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("invert: expected one case; see `carom invert --help`");
    if (s.inversion.wish_count == 0 || !s.inversion.names[0])
        return complain("invert: give --want KEY=VALUES and --vary NAME; see `carom invert --help`");
    return input_one_case("invert", argv[optind], invert, &s);
}
