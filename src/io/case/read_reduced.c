/* K and u given directly, or M = K^-1; of contacts that are solved together, u is an array of arrays. */
#include <stdlib.h>

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

static bool read_many(const reader *r, const json_t *K, const json_t *u, carom_case *c)
{
    const place matrix = {&here, "K"}, velocity = {&here, "u"};
    const int m = c->count;
    const int own = (int)json_array_size(json_array_get(u, 0)); /* rows of a contact */
    c->dim = own == 2 ? 2 : 3;
    if (carom_contacts_size(1, own) == 0)
        return reader_fail(r, &velocity,
                           "must be an array of arrays [t1, t2, n], with spins [t1, t2, n, w_n] or [..., w_t1, w_t2] "
                           "(or [t, n] in a planar case)");
    const size_t rows = (size_t)(m * own);
    double *entries = malloc((rows * rows + rows) * sizeof *entries), *speeds = entries + rows * rows;
    if (!entries)
        return reader_fail(r, &here, "out of memory");
    bool fine = case_allocate(r, c, 0, 0) && case_reduced(r, c, carom_contacts_size(m, own)) &&
                reader_matrix(r, &velocity, u, m, own, speeds) && reader_symmetric(r, &matrix, K, (int)rows, entries);
    if (fine) {
        r->error->status = carom_contacts_from_K(m, own, entries, speeds, c->reduced, &c->contacts);
        fine = r->error->status == CAROM_STATUS_OK || reader_refuse(r, &matrix, r->error->status);
    }
    free(entries);
    return fine;
}

static bool read_one(const reader *r, const json_t *K, const json_t *M, const json_t *u, carom_case *c)
{
    const place matrix = {&here, K ? "K" : "M"}, velocity = {&here, "u"};
    const size_t size = json_array_size(u);
    if (size != 2 && size != 3 && size != 4 && size != 6)
        return reader_fail(r, &velocity,
                           "must be an array of 3 numbers (2 in a planar case; 4 with spin, 6 with spin and rolling)");
    if (!case_allocate(r, c, 0, 0))
        return false;
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

bool read_reduced(const reader *r, const json_t *document, carom_case *c)
{
    const json_t *object = json_object_get(document, "reduced");
    if (!reader_object(r, &here, object, FORMAT_reduced))
        return false;
    const json_t *K = json_object_get(object, "K"), *M = json_object_get(object, "M"),
                 *u = json_object_get(object, "u");
    const place inverse = {&here, "M"};
    if (K && M)
        return reader_fail(r, &here, "give either \"K\" or \"M\", not both");
    if (M && c->together)
        return reader_fail(r, &inverse, "several contacts take \"K\"");
    if (!K && !M)
        return reader_missing(r, &here, "K");
    if (!u)
        return reader_missing(r, &here, "u");
    return c->together ? check_plain_contacts(r, document, c) && read_many(r, K, u, c) : read_one(r, K, M, u, c);
}
