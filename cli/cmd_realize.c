/* carom realize: any case with a positive definite K as two finite bodies. */
#include <getopt.h>
#include <stdio.h>

#include "cli.h"
#include "input.h"
#include "options.h"

const command_help help_realize = {
    .usage = "usage: carom realize CASE\n\n"
             "Reads a case with a positive definite K and prints a case with two finite bodies that has the same K\n"
             "and u, and so the same impact. Law, coefficients, name and options are kept. Use it to turn a bare K\n"
             "into bodies that another program can simulate.\n\n",
    NULL,
    "example    carom realize examples/cases/reduced.json | carom solve -\n"};

static int realize(carom_case *c, void *context)
{
    (void)context;
    carom_case_error error;
    json_t *out = carom_case_realize(c, &error);
    if (out)
        json_print_free(stdout, out);
    else
        fprintf(stderr, "%s\n", error.message);
    return out ? FINE : BAD_INPUT;
}

int cmd_realize(int argc, char **argv)
{
    if (!options_read("realize", &help_realize, argc, argv, NULL))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("realize: expected one case; see `carom realize --help`");
    return input_one_case("realize", argv[optind], realize, NULL);
}
