/* A friction problem as text (Siconos, FCLIB):
 *
 *     dimension   2 (n, t), 3 (n, t1, t2) or 5 (n, t1, t2, w_t1, w_t2)
 *     contacts    m
 *     matrix      0 (full), rows, columns, again rows and columns, entries by rows
 *     q           dimension m numbers: velocities without impulses
 *     mu          m numbers;   mu_r: m numbers more in dimension 5
 *
 * The normal comes first there and third here, spin about it is not part of it. q already has what restitution adds, so
 * that e = 0; mu_r is rho. */
#include "io/import/import_cone.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/contacts.h"
#include "carom/import.h"
#include "carom/json_short.h"
#include "io/json/number.h"

typedef struct cone_text {
    const char *path, *at, *end;
    long line;
    char *why;
} cone_text;

bool cone_is_problem(const char *text, size_t length)
{
    size_t i = 0;
    while (i < length && isspace((unsigned char)text[i]))
        i++;
    return i < length && isdigit((unsigned char)text[i]);
}

static bool fail(cone_text *t, const char *what)
{
    snprintf(t->why, CAROM_IMPORT_MESSAGE, "%.90s:%ld: %s", t->path, t->line, what);
    return false;
}

static bool take(cone_text *t, const char *what, double *value)
{
    while (t->at < t->end && isspace((unsigned char)*t->at))
        t->line += *t->at++ == '\n';
    const char *from = t->at;
    while (t->at < t->end && !isspace((unsigned char)*t->at))
        t->at++;
    char text[64];
    const bool fits = t->at > from && t->at - from < (long)sizeof text;
    snprintf(text, sizeof text, "%.*s", fits ? (int)(t->at - from) : 0, from);
    char *rest;
    *value = strtod(text, &rest);
    if (!fits || *rest || !isfinite(*value)) {
        char message[160];
        snprintf(message, sizeof message, "expected %s, found \"%.40s\"", what, text);
        return fail(t, message);
    }
    *value = carom_internal_number_read(text + (text[0] == '+'), (size_t)(t->at - from) - (text[0] == '+'));
    return true;
}

static bool take_count(cone_text *t, const char *what, int most, int *count)
{
    double value;
    if (!take(t, what, &value))
        return false;
    *count = (int)value;
    return (value >= 0 && value <= most && value == *count) || fail(t, what);
}

/* Where row a of a contact stands in a case. */
static int place_of(int dimension, int a)
{
    static const int planar[] = {1, 0}, spatial[] = {2, 0, 1, 4, 5};
    return dimension == 2 ? planar[a] : spatial[a];
}

typedef struct cone_numbers {
    int dimension, count, rows; /* rows per contact in the case */
    double *K, *u, *mu, *rho;
} cone_numbers;

static bool take_matrix(cone_text *t, cone_numbers *x)
{
    static const char shape[] = "a full matrix: 0, then its rows and columns twice";
    const int n = x->dimension * x->count, d = x->dimension;
    int head[5];
    for (int i = 0; i < 5; i++)
        if (!take_count(t, shape, 1 << 20, &head[i]))
            return false;
    if (head[0] != 0 || head[1] != n || head[2] != n || head[3] != n || head[4] != n)
        return fail(t, head[0] != 0 ? "only a full matrix (storage 0) is read"
                                    : "the matrix must have dimension times contacts rows and columns");
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const int row = i / d * x->rows + place_of(d, i % d), column = j / d * x->rows + place_of(d, j % d);
            if (!take(t, "an entry of the matrix", &x->K[row * x->rows * x->count + column]))
                return false;
        }
    return true;
}

static bool take_numbers(cone_text *t, cone_numbers *x)
{
    const int d = x->dimension;
    bool fine = take_matrix(t, x);
    for (int i = 0; fine && i < d * x->count; i++)
        fine = take(t, "a number of q", &x->u[i / d * x->rows + place_of(d, i % d)]);
    for (int i = 0; fine && i < x->count; i++)
        fine = take(t, "mu of a contact", &x->mu[i]);
    for (int i = 0; fine && d == 5 && i < x->count; i++)
        fine = take(t, "mu_r of a contact", &x->rho[i]);
    return fine;
}

static json_t *row_of(int count, const double *x)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(array, json_real(x[i]));
    return array;
}

static json_t *case_of(const cone_numbers *x)
{
    const int n = x->rows * x->count;
    json_t *K = json_array(), *u = json_array(), *contacts = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(K, row_of(n, x->K + (ptrdiff_t)i * n));
    for (int i = 0; i < x->count; i++) {
        json_t *own = json_object(), *coefficients = json_object();
        json_object_set_new(coefficients, "mu", json_real(x->mu[i]));
        if (x->dimension == 5)
            json_object_set_new(coefficients, "rho", json_real(x->rho[i]));
        json_object_set_new(own, "coefficients", coefficients);
        json_array_append_new(contacts, own);
        json_array_append_new(u, row_of(x->rows, x->u + (ptrdiff_t)i * x->rows));
    }
    json_t *document = json_object(), *reduced = json_object(), *coefficients = json_object();
    json_object_set_new(reduced, "K", K);
    json_object_set_new(reduced, "u", u);
    json_object_set_new(coefficients, "e", json_real(0));
    json_object_set_new(document, "law", json_string("moreau"));
    json_object_set_new(document, "coefficients", coefficients);
    json_object_set_new(document, "reduced", reduced);
    json_object_set_new(document, "contacts", contacts);
    return document;
}

carom_json *cone_case(const char *path, const char *text, size_t length, char *why)
{
    cone_text t = {path, text, text + length, 1, why};
    cone_numbers x = {0};
    if (!take_count(&t, "the dimension: 2, 3 or 5", 5, &x.dimension) ||
        !take_count(&t, "a number of contacts", 1024, &x.count))
        return NULL;
    if ((x.dimension != 2 && x.dimension != 3 && x.dimension != 5) || x.count < 1) {
        fail(&t, "expected a dimension of 2, 3 or 5, and one contact at least");
        return NULL;
    }
    x.rows = x.dimension == 5 ? 6 : x.dimension;
    const size_t n = (size_t)(x.rows * x.count);
    x.K = calloc(n * n + n + 2 * (size_t)x.count, sizeof *x.K);
    if (!x.K) {
        fail(&t, "not enough memory");
        return NULL;
    }
    x.u = x.K + n * n;
    x.mu = x.u + n;
    x.rho = x.mu + x.count;
    json_t *document = take_numbers(&t, &x) ? case_of(&x) : NULL;
    free(x.K);
    return document;
}
