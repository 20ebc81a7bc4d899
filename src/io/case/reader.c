#include "io/case/reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "carom/utf8.h"
#include "io/case/locate.h"
#include "io/json/number.h"

#define SYMMETRY_TOL 1e-10 /* of the largest entry: more than any text format rounds; as in core/dense.h */

static void path_of(const place *at, char *path, size_t room)
{
    path[0] = 0;
    if (!at)
        return;
    path_of(at->up, path, room);
    size_t used = strlen(path);
    snprintf(path + used, room - used, "%s%s", used ? "." : "", at->key);
}

/* "file:line: key: rule", with the line of the key when the text has several. Texts that are not kept have none. */
static void make_message(const reader *r)
{
    carom_case_error *e = r->error;
    long line = r->text->bytes ? locate_line(r->text->bytes, r->text->length, e->key) : 0;
    line = r->text->line + (line > 0 ? line : 0);
    e->line = line;
    e->column = 0;
    carom_utf8_clean(e->key);
    carom_utf8_clean(e->rule);
    snprintf(e->message, sizeof e->message, "%s:%ld: %s%s%s", r->text->file, line, e->key, e->key[0] ? ": " : "",
             e->rule);
    carom_utf8_clean(e->message);
}

bool reader_fail(const reader *r, const place *at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->error->rule, sizeof r->error->rule, format, arguments);
    va_end(arguments);
    path_of(at, r->error->key, sizeof r->error->key);
    make_message(r);
    return false;
}

bool reader_fail_number(const reader *r, const place *at, const char *rule, double number)
{
    char text[CAROM_NUMBER_SIZE];
    return reader_fail(r, at, "%s (is %s)", rule, carom_internal_number_rounded(text, number, 6));
}

bool reader_refuse(const reader *r, const place *at, carom_status status)
{
    r->error->status = status;
    return reader_fail(r, at, "%s", carom_status_message(status));
}

static bool is_one_of(const char *key, const char *const *known)
{
    for (; *known; known++)
        if (strcmp(key, *known) == 0)
            return true;
    return false;
}

static const char *kind_of(const json_t *value)
{
    static const char *const kinds[] = {"an object",     "an array",      "a string", "a number",
                                        "true or false", "true or false", "null"};
    return kinds[carom_json_kind_of(value)];
}

bool reader_keys(const reader *r, const place *at, const json_t *value, const char *const *known)
{
    if (!json_is_object(value))
        return reader_fail(r, at, "must be an object (is %s)", kind_of(value));
    const char *key;
    json_t *member;
    json_object_foreach(value, key, member)
    {
        if (is_one_of(key, known))
            continue;
        place here = {at, key};
        const char *hint = carom_nearest(key, known);
        if (!hint && at && !at->up && strcmp(at->key, "coefficients") == 0)
            hint = carom_nearest_coefficient(key);
        if (hint)
            return reader_fail(r, &here, "unknown key; did you mean \"%s\"?", hint);
        return reader_fail(r, &here, "unknown key");
    }
    return true;
}

bool reader_missing(const reader *r, const place *at, const char *key)
{
    place here = {at, key};
    return reader_fail(r, &here, "missing key");
}

bool reader_number(const reader *r, const place *at, const json_t *value, double *number)
{
    if (!json_is_number(value))
        return reader_fail(r, at, "must be a number (is %s)", kind_of(value));
    *number = json_number_value(value);
    return isfinite(*number) || reader_fail(r, at, "must be a finite number");
}

bool reader_bool(const reader *r, const place *at, const json_t *value, bool *flag)
{
    if (!json_is_boolean(value))
        return reader_fail(r, at, "must be true or false (is %s)", kind_of(value));
    *flag = json_is_true(value);
    return true;
}

static bool check_length(const reader *r, const place *at, const json_t *value, int count, const char *what)
{
    if (!json_is_array(value))
        return reader_fail(r, at, "must be an array of %d %s (is %s)", count, what, kind_of(value));
    if (json_array_size(value) != (size_t)count)
        return reader_fail(r, at, "must be an array of %d %s (has %zu)", count, what, json_array_size(value));
    return true;
}

bool reader_vector(const reader *r, const place *at, const json_t *value, int count, double *numbers)
{
    if (!check_length(r, at, value, count, "numbers"))
        return false;
    for (int i = 0; i < count; i++) {
        const json_t *entry = json_array_get(value, (size_t)i);
        if (!json_is_number(entry))
            return reader_fail(r, at, "must be an array of numbers (entry %d is %s)", i + 1, kind_of(entry));
        numbers[i] = json_number_value(entry);
        if (!isfinite(numbers[i]))
            return reader_fail(r, at, "must be an array of finite numbers (entry %d is not)", i + 1);
    }
    return true;
}

bool reader_matrix(const reader *r, const place *at, const json_t *value, int rows, int columns, double *numbers)
{
    char what[48];
    snprintf(what, sizeof what, "rows of %d numbers", columns);
    if (!check_length(r, at, value, rows, what))
        return false;
    for (int i = 0; i < rows; i++) {
        const json_t *row = json_array_get(value, (size_t)i);
        if (!json_is_array(row) || json_array_size(row) != (size_t)columns)
            return reader_fail(r, at, "must be %d x %d (row %d is not %d numbers)", rows, columns, i + 1, columns);
        if (!reader_vector(r, at, row, columns, numbers + (ptrdiff_t)i * columns))
            return false;
    }
    return true;
}

static bool asymmetric(const reader *r, const place *at, int n, const double *A, const int entry[2])
{
    int i = entry[0], j = entry[1];
    char upper[CAROM_NUMBER_SIZE], lower[CAROM_NUMBER_SIZE];
    return reader_fail(r, at, "must be symmetric (row %d column %d is %s, row %d column %d is %s)", j + 1, i + 1,
                       carom_internal_number_rounded(upper, A[j * n + i], 6), i + 1, j + 1,
                       carom_internal_number_rounded(lower, A[i * n + j], 6));
}

bool reader_symmetric(const reader *r, const place *at, const json_t *value, int n, double *A)
{
    if (!reader_matrix(r, at, value, n, n, A))
        return false;
    double largest = 0;
    for (int i = 0; i < n * n; i++)
        largest = fmax(largest, fabs(A[i]));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (fabs(A[i * n + j] - A[j * n + i]) > SYMMETRY_TOL * largest)
                return asymmetric(r, at, n, A, (int[2]){i, j});
    return true;
}
