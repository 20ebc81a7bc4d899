/* carom convert: parameters of contact forces and coefficients of restitution, each from the other. */
#include <getopt.h>
#include <stdio.h>

#include "carom/conversion.h"
#include "cli.h"
#include "options.h"

static void print(const carom_conversion *c, bool json)
{
    json_t *object = json_object();
    for (int i = 0; i < c->count; i++)
        if (json)
            json_object_set_new(object, c->names[i], json_real(c->values[i]));
        else
            printf("%-22s %.10g%s%s\n", c->names[i], c->values[i], c->units[i][0] ? " " : "", c->units[i]);
    if (json)
        json_print(stdout, object, false);
    json_decref(object);
    if (c->warning)
        fprintf(stderr, "warning: %s\n", c->warning);
}

/* ---- options ---- */

typedef struct session {
    bool json;
} session;

static const option_row options[] = {JSON_OPTION(session, "one object of numbers"), {.name = NULL}};

const command_help help_convert = {
    .usage = "usage: carom convert KIND KEY=VALUE... [--json]\n\n"
             "Turns parameters of a contact force into restitution, contact time and depth, and back. Exact for one\n"
             "contact in one dimension; mass is the reduced mass 1/K_nn, v the approach speed, SI units. KIND is\n"
             "  spring-dashpot   mass, k or time, c or e    -> k, c, zeta, e, time; with v: depth\n"
             "  hunt-crossley    a and v, or e and v        -> a, e, and Chatterjee's fit\n"
             "  walton           k, k_unload or e; mass     -> e, k_unload, times of both bilinear springs; or time\n"
             "                                                 in place of k\n"
             "  tangential       k_t/k as ratio, or e_t     -> e_t at small angles; e, inertia (7/2), mu: angle\n"
             "  hertz            E, nu, R (E2, nu2, R2), mass, v -> E_star, R, k, time, depth, force\n"
             "  plastic          E_star, R, mass, v, Y (yield stress) -> v_yield, e of a metal sphere\n"
             "  stiffness        nu, kappa or eta           -> the other two\n"
             "  disk             E, nu, radius, edge, thickness, force, mass, v -> compression of a disk, 2D + 3D\n"
             "  validity         v, c (wave speed), diameter, time -> is the contact quasi-static? Or, in place of c\n"
             "                   and time: E, density, nu, R, mass (Hertz)\n\n",
    options,
    "\nexample    carom convert spring-dashpot mass=0.1 k=1e6 e=0.6\n"};

int cmd_convert(int argc, char **argv)
{
    carom_conversion c = {0};
    carom_case_error error;
    session s = {0};
    if (!options_read("convert", &help_convert, argc, argv, &s))
        return BAD_INPUT;
    if (optind == argc)
        return complain("convert: expected what to convert; see `carom convert --help`");
    bool fine = true;
    for (int i = optind + 1; fine && i < argc; i++)
        fine = carom_conversion_set(&c, argv[i], &error);
    if (!fine || !carom_conversion_go(&c, argv[optind], &error))
        return complain("convert: %s%s%s", error.key, error.key[0] ? ": " : "", error.rule);
    print(&c, s.json);
    return FINE;
}
