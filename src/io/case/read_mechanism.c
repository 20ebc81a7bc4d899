/* A mechanism: mass matrix M, contact Jacobian J, generalized speeds qdot; or its links, see read_links.c. */
#include <stdlib.h>

#include "io/case/format.h"

static const place here = {NULL, "mechanism"};
static const place M_place = {&here, "M"}, J_place = {&here, "J"}, qdot_place = {&here, "qdot"};

/* One block for M, J, qdot and the workspace of the reduction. */
bool mechanism_allocate(const reader *r, carom_case *c, int n, int dim)
{
    size_t size = (size_t)n;
    size_t count = size * size + (size_t)dim * size + size + CAROM_GENERALIZED_WORK(n);
    c->storage = malloc(count * sizeof *c->storage);
    if (!c->storage)
        return reader_fail(r, &here, "out of memory");
    double *J = c->storage + size * size, *qdot = J + (size_t)dim * size;
    carom_generalized mechanism = {n, dim, c->storage, J, qdot, qdot + size};
    c->mechanism = mechanism;
    c->dim = dim;
    return true;
}

static bool check_sizes(const reader *r, const json_t *J, const json_t *qdot)
{
    if (!json_is_array(qdot) || json_array_size(qdot) == 0)
        return reader_fail(r, &qdot_place, "must be an array of n >= 1 numbers");
    if (json_array_size(qdot) > CAROM_CASE_SPEEDS)
        return reader_fail(r, &qdot_place, "has more than %d entries", CAROM_CASE_SPEEDS);
    const size_t rows = json_array_size(J);
    if (rows != 2 && rows != 3 && rows != 4 && rows != 6)
        return reader_fail(
            r, &J_place,
            "must have 3 rows t1, t2, n (2 rows t, n in a planar case; 4 with w_n, 6 with w_n, w_t1, w_t2)");
    return true;
}

static bool read_arrays(const reader *r, const json_t *object, carom_case *c)
{
    int n = c->mechanism.n, dim = c->dim;
    double *M = c->storage, *J = M + (ptrdiff_t)n * n, *qdot = J + (ptrdiff_t)dim * n;
    return reader_symmetric(r, &M_place, json_object_get(object, "M"), n, M) &&
           reader_matrix(r, &J_place, json_object_get(object, "J"), dim, n, J) &&
           reader_vector(r, &qdot_place, json_object_get(object, "qdot"), n, qdot);
}

/* The mechanism keeps the rows of the point contact; the others are those of patch_mechanism. */
static carom_status reduce_with_spin(carom_case *c)
{
    const carom_status status = carom_patch_reduce_generalized(&c->mechanism, &c->patch);
    c->mechanism.dim = c->dim = 3;
    if (!status)
        c->problem = carom_patch_point(&c->patch);
    return status;
}

bool read_mechanism(const reader *r, const json_t *document, carom_case *c)
{
    const json_t *object = json_object_get(document, "mechanism");
    if (json_object_get(object, "links"))
        return read_links(r, document, c);
    if (!reader_object(r, &here, object, FORMAT_mechanism))
        return false;
    const json_t *J = json_object_get(object, "J"), *qdot = json_object_get(object, "qdot");
    if (!check_sizes(r, J, qdot) || !mechanism_allocate(r, c, (int)json_array_size(qdot), (int)json_array_size(J)) ||
        !read_arrays(r, object, c))
        return false;
    carom_status status = c->dim > 3 ? reduce_with_spin(c) : carom_generalized_reduce(&c->mechanism, &c->problem);
    r->error->status = status;
    if (status == CAROM_STATUS_BAD_MASS_MATRIX)
        return reader_fail(r, &M_place, "must be positive definite");
    if (status == CAROM_STATUS_IMMOVABLE)
        return reader_refuse(r, &J_place, status);
    return status == CAROM_STATUS_OK || reader_refuse(r, &here, status);
}
