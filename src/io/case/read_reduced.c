/* K and u given directly, or M = K^-1. */
#include "io/case/format.h"

static const place here = {NULL, "reduced"};

static bool blame(const reader *r, const place *matrix, carom_status status)
{
    r->error->status = status;
    if (status == CAROM_STATUS_BAD_MATRIX)
        return reader_fail(r, matrix, "must be positive semi-definite");
    if (status == CAROM_STATUS_BAD_MASS_MATRIX)
        return reader_fail(r, matrix, "must be positive definite");
    return reader_refuse(r, matrix, status);
}

bool read_reduced(const reader *r, const json_t *document, carom_case *c)
{
    const json_t *object = json_object_get(document, "reduced");
    if (!reader_object(r, &here, object, FORMAT_reduced))
        return false;
    const json_t *K = json_object_get(object, "K"), *M = json_object_get(object, "M"),
                 *u = json_object_get(object, "u");
    if (K && M)
        return reader_fail(r, &here, "give either \"K\" or \"M\", not both");
    if (!K && !M)
        return reader_missing(r, &here, "K");
    if (!u)
        return reader_missing(r, &here, "u");
    place matrix = {&here, K ? "K" : "M"}, velocity = {&here, "u"};
    size_t size = json_array_size(u);
    if (size != 2 && size != 3)
        return reader_fail(r, &velocity, "must be an array of 3 numbers (or 2 in a planar case)");
    c->dim = (int)size;
    double entries[9], speeds[3];
    if (!reader_vector(r, &velocity, u, c->dim, speeds) || !reader_symmetric(r, &matrix, K ? K : M, c->dim, entries))
        return false;
    carom_status status = K ? carom_problem_from_K(c->dim, entries, speeds, &c->problem)
                            : carom_problem_from_M(c->dim, entries, speeds, &c->problem);
    return status == CAROM_STATUS_OK || blame(r, &matrix, status);
}
