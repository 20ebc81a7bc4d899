/* "saltation": how a mechanism changes with its coordinates, or the curvatures of two bodies; the case is then answered
 * with its saltation matrix. */
#include <stdlib.h>

#include "carom/saltation.h"
#include "io/case/format.h"

static const place here = {NULL, "saltation"};

/* One block: the struct, then M_q, J_q and both accelerations. */
static carom_case_saltation *allocate(int n, int dim)
{
    const size_t size = (size_t)n, count = size * size * size + size * size * (size_t)dim + 2 * size;
    carom_case_saltation *s = malloc(sizeof *s + count * sizeof(double));
    if (!s)
        return NULL;
    double *numbers = (double *)(s + 1);
    *s = (carom_case_saltation){.M_q = numbers, .J_q = numbers + size * size * size};
    s->qddot_before = s->J_q + size * size * (size_t)dim;
    s->qddot_after = s->qddot_before + size;
    return s;
}

/* n matrices, one per coordinate. */
static bool read_matrices(const reader *r, const json_t *object, const char *key, int n, int rows, double *to)
{
    const place at = {&here, key};
    const json_t *list = json_object_get(object, key);
    if (!json_is_array(list) || json_array_size(list) != (size_t)n)
        return reader_fail(r, &at, "must be an array of %d matrices, one per coordinate", n);
    for (int k = 0; k < n; k++)
        if (!reader_matrix(r, &at, json_array_get(list, (size_t)k), rows, n, to + (size_t)k * (size_t)(rows * n)))
            return false;
    return true;
}

static bool read_accelerations(const reader *r, const json_t *object, const char *key, int n, double *to)
{
    const place at = {&here, key};
    const json_t *list = json_object_get(object, key);
    return reader_vector(r, &at, list, n, to);
}

static bool read_mechanism_variation(const reader *r, const json_t *object, carom_case *c)
{
    const int n = c->mechanism.n, dim = c->dim;
    if (!reader_object(r, &here, object, FORMAT_saltation))
        return false;
    if (n > CAROM_SALTATION_COORDINATES)
        return reader_fail(r, &here, "a saltation matrix is computed for at most %d coordinates",
                           CAROM_SALTATION_COORDINATES);
    c->saltation = allocate(n, dim);
    if (!c->saltation)
        return reader_fail(r, &here, "out of memory");
    return read_matrices(r, object, "M_q", n, n, c->saltation->M_q) &&
           read_matrices(r, object, "J_q", n, dim, c->saltation->J_q) &&
           read_accelerations(r, object, "qddot_before", n, c->saltation->qddot_before) &&
           read_accelerations(r, object, "qddot_after", n, c->saltation->qddot_after);
}

/* A number, the same in all directions, or a symmetric 2 x 2 matrix along t1 and t2. */
static bool read_curvature(const reader *r, const place *above, const json_t *object, const char *key,
                           carom_curvature *S)
{
    const place at = {above, key};
    const json_t *value = json_object_get(object, key);
    double m[4];
    if (json_is_number(value)) {
        S->t12 = 0;
        bool read = reader_number(r, &at, value, &S->t11);
        S->t22 = S->t11;
        return read;
    }
    if (!reader_symmetric(r, &at, value, 2, m))
        return false;
    *S = (carom_curvature){m[0], m[1], m[3]};
    return true;
}

static bool read_surfaces(const reader *r, const json_t *object, carom_case *c)
{
    static const place curvature = {&here, "curvature"}, gravity = {&here, "gravity"};
    const json_t *S = json_object_get(object, "curvature"), *g = json_object_get(object, "gravity");
    double down[3] = {0, 0, 0};
    if (!reader_object(r, &here, object, FORMAT_surfaces))
        return false;
    if (c->dim != 3)
        return reader_fail(r, &here, "two bodies have one in space; give a planar pair as a mechanism");
    if (!reader_object(r, &curvature, S, FORMAT_curvature))
        return false;
    c->saltation = allocate(0, 3);
    if (!c->saltation)
        return reader_fail(r, &here, "out of memory");
    if (g && !reader_vector(r, &gravity, g, 3, down))
        return false;
    c->saltation->gravity = carom_vec3_make(down[0], down[1], down[2]);
    return read_curvature(r, &curvature, S, "a", &c->saltation->curvature[0]) &&
           read_curvature(r, &curvature, S, "b", &c->saltation->curvature[1]);
}

bool read_saltation(const reader *r, const json_t *document, carom_case *c)
{
    const json_t *object = json_object_get(document, "saltation");
    if (!object)
        return true;
    if (c->source == CAROM_SOURCE_MECHANISM)
        return read_mechanism_variation(r, object, c);
    if (c->source == CAROM_SOURCE_BODIES)
        return read_surfaces(r, object, c);
    return reader_fail(r, &here, "belongs to a mechanism M, J or to two bodies; K and u have no trajectory");
}

/* The matrix of a case that asks for one; the status says why there is none. */
carom_status saltation_solve(const carom_case *c, const carom_rule *rule, carom_result *result)
{
    const int n = c->source == CAROM_SOURCE_BODIES ? CAROM_BODIES_COORDINATES : c->mechanism.n;
    if (c->of_speed || carom_patch_size(&rule->coeffs) > 3) /* as in carom_case_derivatives */
        return CAROM_STATUS_NO_DERIVATIVE;
    const size_t size = (size_t)n;
    double *matrix = realloc(result->saltation, (4 * size * size + CAROM_SALTATION_WORK(n)) * sizeof *matrix);
    carom_saltation about;
    if (!matrix) {
        result->lost = true;
        return CAROM_STATUS_NO_MEMORY;
    }
    result->saltation = matrix;
    result->saltation_size = 2 * n;
    const carom_case_saltation *s = c->saltation;
    const carom_mechanism_variation by = {s->M_q, s->J_q, s->qddot_before, s->qddot_after};
    return c->source == CAROM_SOURCE_BODIES
               ? carom_saltation_bodies(&c->pairs->contact, &c->bodies[0], &c->bodies[1], s->curvature, s->gravity,
                                        rule, matrix, &about)
               : carom_saltation_mechanism(&c->mechanism, &by, rule, matrix + 4 * size * size, matrix, &about);
}
