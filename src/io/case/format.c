/* Objects of case and scene files against their manifests: known keys, numbers and their signs, flags, needed keys. */
#include "io/case/format.h"

#include <string.h>

typedef enum format_kind {
    NUMBER,
    POSITIVE,
    NOT_NEGATIVE,
    COUNT,
    FLAG,
    WORD,
    CHOICE,
    VECTOR,
    VECTOR3,
    QUATERNION,
    NUMBERS,
    MATRIX,
    TENSOR,
    INERTIA,
    SPIN,
    FREEDOMS,
    CURVATURE,
    SHAPE,
    LAW,
    TOGETHER,
    ANY_LAW,
    COEFFICIENTS,
    ANY,
    OBJECT,
    LIST,
    NAMED,
    RECORD,
    VECTORS,
    POINTS,
    WORDS,
    GROUPS
} format_kind;

typedef struct row {
    format_object object;
    const char *key;
    format_kind kind;
    const char *otherwise; /* the default, or "needed" */
} row;

static const row rows[] = {
#define CAROM_OBJECT(object, title)
#define CAROM_CHOICE(object, how, keys)
#define CAROM_KEY(object, key, kind, of, otherwise, meaning) {FORMAT_##object, #key, kind, otherwise},
#include "carom/case.def"
#include "carom/scene.def"
#undef CAROM_KEY
#undef CAROM_CHOICE
#undef CAROM_OBJECT
#define CAROM_OPTION(name, NAME, word, other, OTHER, meaning)                                                          \
    {FORMAT_case, #name, ANY, ""}, {FORMAT_scene, #name, ANY, ""},
#include "carom/options.def"
#undef CAROM_OPTION
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static const row *find(format_object object, const char *key)
{
    for (int i = 0; i < ROWS; i++)
        if (rows[i].object == object && strcmp(rows[i].key, key) == 0)
            return &rows[i];
    return NULL;
}

static bool unknown(const reader *r, const place *at, const json_t *value, format_object object)
{
    const char *known[ROWS + 1] = {NULL};
    int count = 0;
    for (int i = 0; i < ROWS; i++)
        if (rows[i].object == object)
            known[count++] = rows[i].key;
    return reader_keys(r, at, value, known);
}

static bool check_number(const reader *r, const place *at, const json_t *value, format_kind kind)
{
    double number;
    if (!reader_number(r, at, value, &number))
        return false;
    if (kind == POSITIVE && !(number > 0))
        return reader_fail_number(r, at, "must be > 0", number);
    return kind != NOT_NEGATIVE || number >= 0 || reader_fail_number(r, at, "must be >= 0", number);
}

static bool check_value(const reader *r, const place *at, const json_t *value, format_kind kind)
{
    bool flag;
    if (kind <= NOT_NEGATIVE)
        return check_number(r, at, value, kind);
    return kind != FLAG || reader_bool(r, at, value, &flag);
}

bool reader_object(const reader *r, const place *at, const json_t *value, format_object object)
{
    const char *key;
    json_t *member;
    if (!json_is_object(value))
        return unknown(r, at, value, object);
    json_object_foreach(value, key, member)
    {
        const row *known = find(object, key);
        const place here = {at, key};
        if (!known)
            return unknown(r, at, value, object);
        if (!check_value(r, &here, member, known->kind))
            return false;
    }
    for (int i = 0; i < ROWS; i++)
        if (rows[i].object == object && strcmp(rows[i].otherwise, "needed") == 0 &&
            !json_object_get(value, rows[i].key))
            return reader_missing(r, at, rows[i].key);
    return true;
}
