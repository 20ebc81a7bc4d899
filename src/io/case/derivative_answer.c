/* The derivatives of a case, and its saltation matrix, as JSON. */
#include <math.h>
#include <stdlib.h>

#include "carom/patch_derivative.h"
#include "io/case/answer.h"
#include "io/case/reader.h"

/* Component i of a vector as the case counts. */
static double component(const carom_case *c, carom_cvec v, int i)
{
    return i == c->dim - 1 ? v.n : i == 0 ? v.t1 : v.t2;
}

/* Columns as a matrix by rows; the plane has no columns of t2. */
static json_t *matrix_of(const carom_case *c, const carom_cvec *column, const bool *of_t2, int count)
{
    json_t *rows = json_array();
    for (int i = 0; i < c->dim; i++) {
        double row[6];
        int columns = 0;
        for (int k = 0; k < count; k++)
            if (c->dim == 3 || !of_t2[k])
                row[columns++] = component(c, column[k], i);
        json_array_append_new(rows, numbers(row, columns));
    }
    return rows;
}

static json_t *coefficients_of(const carom_case *c, const carom_cvec *column)
{
    json_t *object = json_object();
    for (int i = 0; i < CAROM_COEFF_COUNT; i++) {
        if (!(c->rule.law->uses >> i & 1) || (c->dim == 2 && i == CAROM_COEFF_ratio_2))
            continue;
        double row[3];
        for (int k = 0; k < c->dim; k++)
            row[k] = component(c, column[i], k);
        json_object_set_new(object, carom_coeff_at((carom_coeff)i)->name, numbers(row, c->dim));
    }
    return object;
}

static void add(const carom_case *c, json_t *object, const carom_jacobian *J, const char *const keys[3])
{
    static const bool u_t2[] = {false, true, false}, K_t2[] = {false, true, true, false, true, false};
    json_object_set_new(object, keys[0], matrix_of(c, J->u, u_t2, 3));
    json_object_set_new(object, keys[1], matrix_of(c, J->K, K_t2, 6));
    json_object_set_new(object, keys[2], coefficients_of(c, J->coeffs));
}

/* ---- with a patch ---- */

static json_t *patch_matrix(const double (*column)[CAROM_PATCH_SIZE], int count, int size)
{
    json_t *rows = json_array();
    for (int i = 0; i < size; i++) {
        double row[CAROM_PATCH_ENTRIES];
        for (int k = 0; k < count; k++)
            row[k] = column[k][i];
        json_array_append_new(rows, numbers(row, count));
    }
    return rows;
}

static void add_patch(const carom_case *c, json_t *object, int size, const carom_patch_jacobian *J,
                      const char *const keys[3])
{
    json_t *coeffs = json_object();
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (c->rule.law->uses >> i & 1)
            json_object_set_new(coeffs, carom_coeff_at((carom_coeff)i)->name, numbers(J->coeffs[i], size));
    json_object_set_new(object, keys[0], patch_matrix(J->u, size, size));
    json_object_set_new(object, keys[1], patch_matrix(J->K, size * (size + 1) / 2, size));
    json_object_set_new(object, keys[2], coeffs);
}

/* ---- all of them ---- */

static const char *const p_keys[] = {"p_u", "p_K", "p_coeffs"};
static const char *const u_keys[] = {"u_after_u", "u_after_K", "u_after_coeffs"};

static carom_json *patch_derivatives(const carom_case *c, carom_status *status)
{
    carom_patch_problem problem;
    carom_patch_derivative d;
    *status = patch_problem(c, &problem);
    *status = *status ? *status : carom_patch_derivative_solve(&problem, &c->rule, NULL, &d);
    if (!carom_status_is_answer(*status))
        return NULL;
    json_t *object = json_object();
    json_object_set_new(object, "nonsmooth", json_boolean(d.nonsmooth));
    add_patch(c, object, d.size, &d.p, p_keys);
    add_patch(c, object, d.size, &d.u_after, u_keys);
    return object;
}

carom_json *carom_case_derivatives(const carom_case *c, carom_status *status)
{
    carom_derivative d;
    if (c->together && !c->of_speed)
        return together_derivatives(c, status);
    if (!c->of_speed && carom_patch_size(&c->rule.coeffs) > 3)
        return patch_derivatives(c, status);
    *status = c->of_speed ? /* coefficients must not depend on u */ CAROM_STATUS_NO_DERIVATIVE
                          : carom_derivative_solve(&c->problem, &c->rule, NULL, &d);
    if (!carom_status_is_answer(*status))
        return NULL;
    json_t *object = json_object();
    json_object_set_new(object, "nonsmooth", json_boolean(d.nonsmooth));
    if (d.distance < INFINITY) {
        json_object_set_new(object, "border", json_string(d.border));
        json_object_set_new(object, "distance", json_real(d.distance));
    }
    add(c, object, &d.p, p_keys);
    add(c, object, &d.u_after, u_keys);
    return object;
}

json_t *saltation_answer(const carom_result *result)
{
    json_t *rows = json_array();
    const int n = result->saltation_size;
    for (int i = 0; i < n; i++)
        json_array_append_new(rows, numbers(result->saltation + (size_t)i * (size_t)n, n));
    return rows;
}
