/* A case with two finite bodies that has the K and u of another. */
#include "carom/case.h"
#include "carom/geometry.h"
#include "carom/json_short.h"

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

carom_json *carom_case_realize(const carom_case *c, carom_case_error *error)
{
    carom_realization r;
    carom_status status = carom_realize(&c->problem, &r);
    if (!status)
        return realized(c, &r);
    carom_case_blame(c, "",
                     status == CAROM_STATUS_BAD_MATRIX ? "K is singular: no two finite bodies have it"
                                                       : carom_status_message(status),
                     error);
    return NULL;
}
