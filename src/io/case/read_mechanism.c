/* A mechanism: mass matrix M, contact Jacobian J, generalized speeds qdot; or its links, see read_links.c. */
#include "io/case/format.h"

static const place here = {NULL, "mechanism"};
static const place M_place = {&here, "M"}, J_place = {&here, "J"}, qdot_place = {&here, "qdot"};

bool mechanism_allocate(const reader *r, carom_case *c, int n, int dim)
{
    const size_t size = (size_t)n, rows = (size_t)(dim * c->count);
    if (!case_allocate(r, c, 0, size * size + rows * size + size + CAROM_GENERALIZED_WORK(n)))
        return false;
    double *J = c->numbers + size * size, *qdot = J + rows * size;
    c->mechanism = (carom_generalized){n, dim, c->numbers, J, qdot, qdot + size};
    c->dim = c->together && dim > 3 ? 3 : dim;
    return true;
}

static bool check_sizes(const reader *r, const json_t *qdot, const carom_case *c, size_t rows)
{
    if (!json_is_array(qdot) || json_array_size(qdot) == 0)
        return reader_fail(r, &qdot_place, "must be an array of n >= 1 numbers");
    if (json_array_size(qdot) > CAROM_CASE_SPEEDS)
        return reader_fail(r, &qdot_place, "has more than %d entries", CAROM_CASE_SPEEDS);
    if (c->together && carom_contacts_size(1, (int)rows) == 0)
        return reader_fail(r, &J_place,
                           "must be an array of Jacobians with 3 rows t1, t2, n (or 2 rows t, n; 4 or 6 with spins)");
    if (rows != 2 && rows != 3 && rows != 4 && rows != 6)
        return reader_fail(
            r, &J_place,
            "must have 3 rows t1, t2, n (2 rows t, n in a planar case; 4 with w_n, 6 with w_n, w_t1, w_t2)");
    return true;
}

static bool read_arrays(const reader *r, const json_t *object, carom_case *c)
{
    const json_t *rows = json_object_get(object, "J");
    int n = c->mechanism.n, dim = c->mechanism.dim;
    double *M = c->numbers, *J = M + (ptrdiff_t)n * n, *qdot = J + (ptrdiff_t)(dim * c->count) * n;
    if (!reader_symmetric(r, &M_place, json_object_get(object, "M"), n, M))
        return false;
    for (int i = 0; i < c->count; i++)
        if (!reader_matrix(r, &J_place, c->together ? json_array_get(rows, (size_t)i) : rows, dim, n,
                           J + (ptrdiff_t)(i * dim) * n))
            return false;
    return reader_vector(r, &qdot_place, json_object_get(object, "qdot"), n, qdot);
}

/* The mechanism keeps the rows of the point contact; patch_mechanism has the others. */
static carom_status reduce_with_spin(carom_case *c)
{
    const carom_status status = carom_patch_reduce_generalized(&c->mechanism, &c->patch);
    c->mechanism.dim = c->dim = 3;
    if (!status)
        c->problem = carom_patch_point(&c->patch);
    return status;
}

carom_generalized_contacts all_contacts(const carom_case *c)
{
    const carom_generalized *g = &c->mechanism;
    return (carom_generalized_contacts){g->n, c->count, g->dim, g->M, g->J, g->qdot};
}

bool reduce_mechanism(const reader *r, carom_case *c)
{
    const carom_generalized_contacts all = all_contacts(c);
    if (c->together && !case_reduced(r, c, carom_generalized_contacts_size(&all)))
        return false;
    const carom_status status = c->together  ? carom_generalized_contacts_reduce(&all, c->reduced, &c->contacts)
                                : c->dim > 3 ? reduce_with_spin(c)
                                             : carom_generalized_reduce(&c->mechanism, &c->problem);
    r->error->status = status;
    if (status == CAROM_STATUS_BAD_MASS_MATRIX)
        return reader_fail(r, &M_place, "must be positive definite");
    return status == CAROM_STATUS_OK ||
           reader_refuse(r, c->together || status == CAROM_STATUS_IMMOVABLE ? &J_place : &here, status);
}

bool read_mechanism(const reader *r, const json_t *document, carom_case *c)
{
    const json_t *object = json_object_get(document, "mechanism");
    if (json_object_get(object, "links"))
        return read_links(r, document, c);
    if (!reader_object(r, &here, object, FORMAT_mechanism))
        return false;
    const json_t *J = json_object_get(object, "J"), *qdot = json_object_get(object, "qdot");
    const json_t *first = json_array_get(J, 0);
    const size_t rows = !c->together                              ? json_array_size(J)
                        : json_is_array(json_array_get(first, 0)) ? json_array_size(first)
                                                                  : 0;
    if (c->together && !check_plain_contacts(r, document, c))
        return false;
    return check_sizes(r, qdot, c, rows) && mechanism_allocate(r, c, (int)json_array_size(qdot), (int)rows) &&
           read_arrays(r, object, c) && reduce_mechanism(r, c);
}
