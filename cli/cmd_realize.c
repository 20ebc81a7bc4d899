/* carom realize: any case with a positive definite K as two finite bodies. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "carom/geometry.h"
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

static json_t *numbers(const double *x, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(array, json_real(x[i]));
    return array;
}

static json_t *vector(carom_vec3 v, bool planar)
{
    double x[3] = {v.x, v.y, v.z};
    return numbers(x, planar ? 2 : 3);
}

static json_t *body(const carom_body_def *def, bool planar)
{
    json_t *out = json_object();
    const carom_sym3 *I = &def->inertia;
    const carom_quat *q = &def->orientation;
    double moments[3] = {I->xx, I->yy, I->zz}, axes[4] = {q->w, q->x, q->y, q->z};
    json_object_set_new(out, "mass", json_real(def->mass));
    json_object_set_new(out, "inertia", planar ? json_real(I->zz) : numbers(moments, 3));
    if (!planar)
        json_object_set_new(out, "orientation", numbers(axes, 4));
    json_object_set_new(out, "velocity", vector(def->velocity, planar));
    return out;
}

/* The document of the case with its source replaced. */
static json_t *realized(const carom_case *c, const carom_realization *r)
{
    static const char *const dropped[] = {"reduced", "mechanism", "links",      "bodies",
                                          "contact", "expect",    "error_bound"};
    json_t *out = json_copy(c->document), *contact = json_object(), *bodies = json_object();
    for (size_t i = 0; i < sizeof dropped / sizeof dropped[0]; i++)
        json_object_del(out, dropped[i]);
    json_object_set_new(bodies, "a", body(&r->a, r->planar));
    json_object_set_new(bodies, "b", body(&r->b, r->planar));
    json_object_set_new(contact, "arm_a", vector(r->arm_a, r->planar));
    json_object_set_new(contact, "arm_b", vector(r->arm_b, r->planar));
    json_object_set_new(contact, "normal", vector(r->normal, r->planar));
    if (!r->planar)
        json_object_set_new(contact, "t1", vector(r->t1, false));
    json_object_set_new(out, "bodies", bodies);
    json_object_set_new(out, "contact", contact);
    return out;
}

static int realize(carom_case *c, void *context)
{
    (void)context;
    carom_realization r;
    carom_status status = carom_realize(&c->problem, &r);
    if (status)
        return complain("%s: %s", c->text.file,
                        status == CAROM_STATUS_BAD_MATRIX ? "K is singular: no two finite bodies have it"
                                                          : carom_status_message(status));
    json_t *out = realized(c, &r);
    json_print(stdout, out, false);
    json_decref(out);
    return FINE;
}

int cmd_realize(int argc, char **argv)
{
    if (!options_read("realize", &help_realize, argc, argv, NULL))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("realize: expected one case; see `carom realize --help`");
    return input_one_case("realize", argv[optind], realize, NULL);
}
