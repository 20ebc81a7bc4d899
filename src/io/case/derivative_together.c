/* The derivatives of contacts that are solved together, as JSON. Rows are the numbers of p, contact after contact;
 * columns the numbers of u, the entries of K above and on its diagonal, row by row, and for every coefficient the
 * contacts.
 */
#include <math.h>
#include <stdlib.h>

#include "carom/derivative.h"
#include "io/case/answer.h"

enum { K_MOST = 8 }; /* contacts up to which the columns of K are given */

/* Everything that is wanted, as directions: first of u, then of K, then of the coefficients. */
typedef struct columns {
    int m, dim, n, count;
    carom_contacts full; /* the problem with all of its blocks */
    int *places;         /* row and column of full */
    double *numbers;     /* blocks, and whatever the directions need */
    carom_coeffs *coeffs;
    carom_together_variation *directions;
    double *p, *u_after, *impact; /* changes; p and u_after of the impact itself */
    void *work;
    carom_together_changes changes;
} columns;

/* One column of a coefficient per contact; the exponent is common to all. */
static int columns_of(const columns *x, int coeff)
{
    return coeff == CAROM_COEFF_exponent ? 1 : x->m;
}

static int K_columns(const columns *x)
{
    return x->m <= K_MOST ? x->n * (x->n + 1) / 2 : 0;
}

static int count_columns(const columns *x, uint64_t uses)
{
    int count = x->n + K_columns(x);
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        count += uses >> i & 1 ? columns_of(x, i) : 0;
    return count;
}

static void fill_full(columns *x, const carom_contacts *from)
{
    for (int i = 0; i < x->m; i++)
        for (int j = 0; j < x->m; j++) {
            const double *block = carom_contacts_block(from, i, j);
            for (int k = 0; block && k < x->dim * x->dim; k++)
                x->numbers[(i * x->m + j) * x->dim * x->dim + k] = block[k];
        }
}

static bool allocate(columns *x, const carom_case *c)
{
    const size_t n = (size_t)x->n, m = (size_t)x->m, count = (size_t)x->count;
    x->places = calloc(m + 1 + m * m, sizeof *x->places);
    x->numbers = calloc(n * n + n * n + (size_t)K_columns(x) * n * n, sizeof *x->numbers);
    x->coeffs = calloc(count * m, sizeof *x->coeffs);
    x->directions = calloc(count, sizeof *x->directions);
    x->p = calloc(2 * count * n + 2 * n, sizeof *x->p);
    x->full = (carom_contacts){x->m, x->dim, x->places, x->places + m + 1, x->numbers, c->contacts.u};
    if (!x->places || !x->numbers || !x->coeffs || !x->directions || !x->p)
        return false;
    x->u_after = x->p + count * n;
    x->impact = x->u_after + count * n;
    for (int i = 0; i < x->m; i++) {
        x->places[i + 1] = (i + 1) * x->m;
        for (int j = 0; j < x->m; j++)
            x->places[x->m + 1 + i * x->m + j] = j;
    }
    fill_full(x, &c->contacts); /* the workspace depends on K: planar problems in space need less */
    x->work = malloc(carom_together_derivative_work(&x->full, &c->together_rule));
    return x->work != NULL;
}

static void release(columns *x)
{
    free(x->places);
    free(x->numbers);
    free(x->coeffs);
    free(x->directions);
    free(x->p);
    free(x->work);
}

/* The place of entry (row, column) of K among blocks. */
static size_t entry(const columns *x, int row, int column)
{
    const int block = row / x->dim * x->m + column / x->dim;
    return (size_t)((block * x->dim + row % x->dim) * x->dim + column % x->dim);
}

static void fill_directions(columns *x, uint64_t uses)
{
    const size_t n = (size_t)x->n;
    double *at = x->numbers + n * n;
    int k = 0;
    for (int i = 0; i < x->n; i++, at += n) {
        at[i] = 1;
        x->directions[k++].u = at;
    }
    for (int i = 0; i < x->n && K_columns(x) > 0; i++)
        for (int j = i; j < x->n; j++, at += n * n) {
            at[entry(x, i, j)] = at[entry(x, j, i)] = 1;
            x->directions[k++].K = at;
        }
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        for (int j = 0; uses >> i & 1 && j < columns_of(x, i); j++, k++) {
            carom_coeffs *c = x->coeffs + (size_t)k * (size_t)x->m;
            for (int a = 0; a < x->m; a++)
                carom_coeffs_set(&c[a], (carom_coeff)i, i == CAROM_COEFF_exponent || a == j);
            x->directions[k].coeffs = c;
        }
}

/* Columns first ... first + count - 1 as a matrix by rows. */
static json_t *matrix(const columns *x, const double *changes, int first, int count)
{
    json_t *rows = json_array();
    for (int i = 0; i < x->n; i++) {
        json_t *row = json_array();
        for (int k = first; k < first + count; k++)
            json_array_append_new(row, number(changes[k * x->n + i]));
        json_array_append_new(rows, row);
    }
    return rows;
}

static void add(const columns *x, uint64_t uses, const double *changes, const char *const keys[3], json_t *object)
{
    int at = x->n + K_columns(x);
    json_t *coeffs = json_object();
    json_object_set_new(object, keys[0], matrix(x, changes, 0, x->n));
    if (K_columns(x) > 0)
        json_object_set_new(object, keys[1], matrix(x, changes, x->n, K_columns(x)));
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (uses >> i & 1) {
            json_object_set_new(coeffs, carom_coeff_at((carom_coeff)i)->name, matrix(x, changes, at, columns_of(x, i)));
            at += columns_of(x, i);
        }
    json_object_set_new(object, keys[2], coeffs);
}

static json_t *answer_of(const columns *x, uint64_t uses)
{
    static const char *const p_keys[] = {"p_u", "p_K", "p_coeffs"};
    static const char *const u_keys[] = {"u_after_u", "u_after_K", "u_after_coeffs"};
    json_t *object = json_object();
    json_object_set_new(object, "nonsmooth", json_boolean(x->changes.nonsmooth));
    if (x->changes.distance < INFINITY) {
        json_object_set_new(object, "border", json_string(x->changes.border));
        json_object_set_new(object, "contact", json_integer(x->changes.contact + 1));
        json_object_set_new(object, "distance", json_real(x->changes.distance));
    }
    add(x, uses, x->p, p_keys, object);
    add(x, uses, x->u_after, u_keys, object);
    return object;
}

json_t *together_derivatives(const carom_case *c, carom_status *status)
{
    const carom_together_rule *rule = &c->together_rule;
    const uint64_t uses = rule->law->uses & ~(CAROM_USES(patch) | CAROM_USES(rho)); /* of point contacts alone */
    columns x = {.m = c->count, .dim = c->dim, .n = c->count * c->dim};
    json_t *object = NULL;
    *status = CAROM_STATUS_NO_DERIVATIVE;
    if (!carom_together_has_derivatives(rule->law) || x.m > CAROM_TOGETHER_DERIVATIVE_MOST || c->contacts.dim > 3)
        return NULL;
    x.count = count_columns(&x, uses);
    if (allocate(&x, c)) {
        carom_together_outcome out = {.p = x.impact, .u_after = x.impact + x.n};
        x.changes = (carom_together_changes){.p = x.p, .u_after = x.u_after};
        fill_directions(&x, uses);
        *status = carom_together_differentiate(&x.full, rule, x.directions, x.count, x.work, &out, &x.changes);
        object = carom_status_is_answer(*status) ? answer_of(&x, uses) : NULL;
    }
    release(&x);
    return object;
}
