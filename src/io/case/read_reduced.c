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

/* With spin: K of 4 or 6 rows. */
static bool read_patch(const reader *r, const place *matrix, int size, const double *K, const double *u, carom_case *c)
{
    if (matrix->key[0] == 'M')
        return reader_fail(r, matrix, "with spin give K");
    const carom_status status = carom_patch_load(size, K, u, &c->patch);
    if (status)
        return blame(r, matrix, status);
    c->problem = carom_patch_point(&c->patch);
    return true;
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
    if (size != 2 && size != 3 && size != 4 && size != 6)
        return reader_fail(r, &velocity,
                           "must be an array of 3 numbers (2 in a planar case; 4 with spin, 6 with spin and rolling)");
    c->dim = size > 3 ? 3 : (int)size;
    double entries[CAROM_PATCH_SIZE * CAROM_PATCH_SIZE], speeds[CAROM_PATCH_SIZE];
    if (!reader_vector(r, &velocity, u, (int)size, speeds) ||
        !reader_symmetric(r, &matrix, K ? K : M, (int)size, entries))
        return false;
    if (size > 3)
        return read_patch(r, &matrix, (int)size, entries, speeds, c);
    carom_status status = K ? carom_problem_from_K(c->dim, entries, speeds, &c->problem)
                            : carom_problem_from_M(c->dim, entries, speeds, &c->problem);
    return status == CAROM_STATUS_OK || blame(r, &matrix, status);
}
