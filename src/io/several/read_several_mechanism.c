/* A mechanism with several contacts: M, qdot and an array of Jacobians; or links and an array of contacts, each of
 * which is read as the contact of a mechanism with one. */
#include <stdlib.h>
#include <string.h>

#include "io/case/format.h"
#include "io/several/several.h"

static const place here = {NULL, "mechanism"};
static const place J_place = {&here, "J"}, M_place = {&here, "M"}, qdot_place = {&here, "qdot"};

/* M, J, qdot in one block after the coefficients. */
static bool allocate(const reader *r, carom_case *c, int n, int m)
{
    size_t size = (size_t)n, rows = (size_t)(m * c->dim), coeffs = (size_t)m * sizeof(carom_coeffs);
    char *block = several_take(r, coeffs + (size * size + rows * size + size) * sizeof(double));
    if (!block)
        return false;
    carom_several *s = c->several;
    double *M = (double *)(void *)(block + coeffs);
    s->memory = block;
    s->coeffs = (carom_coeffs *)(void *)block;
    carom_generalized_contacts made = {n, m, c->dim, M, M + size * size, M + size * size + rows * size};
    s->mechanism = made;
    return true;
}

static bool reduce(const reader *r, carom_case *c)
{
    carom_several *s = c->several;
    s->reduced = several_take(r, carom_generalized_contacts_size(&s->mechanism));
    if (!s->reduced)
        return false;
    carom_status status = carom_generalized_contacts_reduce(&s->mechanism, s->reduced, &s->problem);
    r->error->status = status;
    if (status == CAROM_STATUS_BAD_MASS_MATRIX)
        return reader_fail(r, &M_place, "must be positive definite");
    return status == CAROM_STATUS_OK || reader_refuse(r, &J_place, status);
}

static bool read_matrices(const reader *r, const json_t *object, carom_case *c)
{
    if (!reader_object(r, &here, object, FORMAT_mechanism))
        return false;
    const json_t *J = json_object_get(object, "J"), *qdot = json_object_get(object, "qdot");
    int n = (int)json_array_size(qdot), m = (int)json_array_size(J);
    c->dim = (int)json_array_size(json_array_get(J, 0));
    if (n < 1 || n > 4096)
        return reader_fail(r, &qdot_place, "must be an array of 1 to 4096 numbers");
    if ((c->dim != 2 && c->dim != 3) || m < 1 || m > CAROM_CONTACTS_MOST)
        return reader_fail(r, &J_place, "must be an array of Jacobians with 3 rows t1, t2, n (or 2 rows t, n)");
    if (!allocate(r, c, n, m))
        return false;
    double *M = (double *)(void *)((char *)c->several->memory + (size_t)m * sizeof(carom_coeffs));
    double *rows = M + (ptrdiff_t)n * n, *speeds = rows + (ptrdiff_t)(m * c->dim) * n;
    for (int i = 0; i < m; i++)
        if (!reader_matrix(r, &J_place, json_array_get(J, (size_t)i), c->dim, n, rows + (ptrdiff_t)(i * c->dim) * n))
            return false;
    return reader_symmetric(r, &M_place, json_object_get(object, "M"), n, M) &&
           reader_vector(r, &qdot_place, qdot, n, speeds) && reduce(r, c);
}

static bool read_link_contacts(const reader *r, const json_t *document, carom_case *c)
{
    int m = (int)json_array_size(json_object_get(document, "contacts"));
    for (int i = 0; i < m; i++) {
        carom_case one = {.text = c->text};
        json_t *alone = links_document(document, i);
        bool fine = read_links(r, alone, &one);
        int n = one.mechanism.n;
        c->dim = 3;
        fine = fine && (i > 0 || allocate(r, c, n, m));
        if (fine) {
            double *M = (double *)(void *)((char *)c->several->memory + (size_t)m * sizeof(carom_coeffs));
            double *J = M + (ptrdiff_t)n * n;
            memcpy(J + (ptrdiff_t)(3 * i) * n, one.mechanism.J, (size_t)(3 * n) * sizeof *J);
            memcpy(M, one.mechanism.M, (size_t)(n * n) * sizeof *M);
            memcpy(J + (ptrdiff_t)(3 * m) * n, one.mechanism.qdot, (size_t)n * sizeof *J);
        }
        free(one.storage);
        json_decref(alone);
        if (!fine)
            return false;
    }
    return reduce(r, c);
}

bool read_mechanism_contacts(const reader *r, const json_t *document, carom_case *c)
{
    static const place contacts_place = {NULL, "contacts"};
    static const char *const plain[] = {"coefficients", NULL};
    const json_t *object = json_object_get(document, "mechanism"), *contacts = json_object_get(document, "contacts");
    c->source = CAROM_SOURCE_MECHANISM;
    if (json_object_get(object, "links"))
        return read_link_contacts(r, document, c);
    if (contacts && json_array_size(contacts) != json_array_size(json_object_get(object, "J")))
        return reader_fail(r, &contacts_place, "must hold one object per Jacobian");
    for (size_t i = 0; i < json_array_size(contacts); i++) {
        several_name name = several_contact_name((int)i);
        place at = {NULL, name.text};
        if (!reader_keys(r, &at, json_array_get(contacts, i), plain))
            return false;
    }
    return read_matrices(r, object, c);
}
