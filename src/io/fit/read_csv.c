/* A table of comma-separated values: K, u and u_after of planar or spatial impacts, one per row. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/fit_data.h"
#include "io/fit/fit_rows.h"

enum { COLUMNS = 64, CELL = 256, PLANAR = 9, SPATIAL = 15 };

/* K, u, measured, deviation: in the order of the arrays below. */
static const char *const planar[] = {"K_tt", "K_tn", "K_nn", "u_t", "u_n", "m_t", "m_n", "s_t", "s_n", NULL};
static const char *const spatial[] = {"K_t11", "K_t12", "K_t22", "K_t1n", "K_t2n", "K_nn", "u_t1", "u_t2",
                                      "u_n",   "m_t1",  "m_t2",  "m_n",   "s_t1",  "s_t2", "s_n",  NULL};
static const char *const words[] = {"name", "group", "weight", NULL};

typedef struct csv_table {
    int dim, count;
    int column[SPATIAL]; /* where each number is */
    bool no_errors;      /* there are no columns of deviations */
    int word[3];         /* where name, group and weight are, or -1 */
    const char *names[COLUMNS];
} csv_table;

/* Cells of one line, in place: commas end them, blanks around them and quotes are taken off. Returns how many. */
static int split(char *line, char **cells)
{
    int count = 0;
    for (char *at = line; at && count < COLUMNS;) {
        char *comma = strchr(at, ',');
        if (comma)
            *comma = 0;
        at += strspn(at, " \t\"");
        size_t length = strlen(at);
        while (length > 0 && strchr(" \t\r\"", at[length - 1]))
            at[--length] = 0;
        cells[count++] = at;
        at = comma ? comma + 1 : NULL;
    }
    return count;
}

static int index_of(const char *const *list, const char *word)
{
    for (int i = 0; list[i]; i++)
        if (strcmp(list[i], word) == 0)
            return i;
    return -1;
}

/* A finite number, the same in every locale. */
static bool to_number(const char *cell, double *number)
{
    char text[CELL];
    const char *body = cell + (cell[0] == '+');
    bool minus = body[0] == '-', bare = body[minus] == '.';
    int length = snprintf(text, sizeof text, "%s%s%s", minus ? "-" : "", bare ? "0" : "", body + minus);
    json_t *value = length < CELL ? json_parse(text, (size_t)length, NULL) : NULL;
    bool fine = json_is_number(value) && isfinite(json_number_value(value));
    *number = json_number_value(value);
    json_decref(value);
    return fine;
}

/* A column that is not known: the hint is one that the header lacks. */
static bool unknown_column(const reader *r, char **cells, int count, const char *cell, const char *const *known)
{
    const char *lacking[SPATIAL + 1] = {NULL};
    int lacks = 0;
    for (int i = 0; known[i]; i++) {
        bool there = false;
        for (int c = 0; c < count; c++)
            there |= strcmp(cells[c], known[i]) == 0;
        if (!there)
            lacking[lacks++] = known[i];
    }
    const char *hint = carom_nearest(cell, lacking);
    hint = hint ? hint : carom_nearest(cell, words);
    if (hint)
        return reader_fail(r, NULL, "unknown column \"%.40s\"; did you mean \"%s\"?", cell, hint);
    return reader_fail(r, NULL, "unknown column \"%.40s\"; the columns are %s", cell,
                       known == planar ? "K_tt,K_tn,K_nn,u_t,u_n,m_t,m_n,s_t,s_n and name, group, weight"
                                       : "K_t11,K_t12,K_t22,K_t1n,K_t2n,K_nn,u_t1,u_t2,u_n,m_t1,m_t2,m_n,s_t1,s_t2,s_n "
                                         "and name, group, weight");
}

/* A table is spatial when most of its telling columns are spatial. */
static bool is_spatial(char **cells, int count)
{
    int votes = 0;
    for (int i = 0; i < count; i++)
        votes += (index_of(spatial, cells[i]) >= 0) - (index_of(planar, cells[i]) >= 0);
    return votes > 0;
}

static bool read_head(const reader *r, char **cells, int count, csv_table *t)
{
    const char *const *known = is_spatial(cells, count) ? spatial : planar;
    int numbers = known == spatial ? SPATIAL : PLANAR;
    t->dim = known == spatial ? 3 : 2;
    t->count = count;
    for (int i = 0; i < SPATIAL; i++)
        t->column[i] = -1;
    t->word[0] = t->word[1] = t->word[2] = -1;
    for (int i = 0; i < count; i++) {
        int number = index_of(known, cells[i]), word = index_of(words, cells[i]);
        int *position = number >= 0 ? &t->column[number] : word >= 0 ? &t->word[word] : NULL;
        if (!position)
            return unknown_column(r, cells, count, cells[i], known);
        if (*position >= 0)
            return reader_fail(r, NULL, "the column \"%s\" is there twice", cells[i]);
        *position = i;
    }
    int given = 0; /* deviations: all of them, or none */
    for (int i = numbers - t->dim; i < numbers; i++)
        given += t->column[i] >= 0;
    t->no_errors = given == 0;
    for (int i = 0; i < numbers - (given == 0 ? t->dim : 0); i++)
        if (t->column[i] < 0)
            return reader_fail(r, NULL, "the column \"%s\" is missing", known[i]);
    return true;
}

/* All numbers of a row. Only what was measured, and its deviation, may be empty. */
static bool read_cells(const reader *r, char **cells, const csv_table *t, double *numbers, bool *empty)
{
    const char *const *known = t->dim == 3 ? spatial : planar;
    int count = t->dim == 3 ? SPATIAL : PLANAR, optional = count - 2 * t->dim;
    for (int i = 0; i < count; i++) {
        const char *cell = t->column[i] >= 0 ? cells[t->column[i]] : "1";
        place at = {NULL, known[i]};
        empty[i] = cell[0] == 0;
        if (empty[i] && i < optional)
            return reader_fail(r, &at, "is empty");
        if (!empty[i] && !to_number(cell, &numbers[i]))
            return reader_fail(r, &at, "\"%.40s\" is not a finite number", cell);
    }
    return true;
}

static bool read_problem(const reader *r, const csv_table *t, const double *x, carom_problem *problem)
{
    double K2[4] = {x[0], x[1], x[1], x[2]};
    double K3[9] = {x[0], x[1], x[3], x[1], x[2], x[4], x[3], x[4], x[5]};
    bool flat = t->dim == 2;
    const double *u = x + (flat ? 3 : 6);
    place at = {NULL, "u_n"}, matrix = {NULL, flat ? "K_tt" : "K_t11"};
    carom_status status = carom_problem_from_K(t->dim, flat ? K2 : K3, u, problem);
    if (status != CAROM_STATUS_OK)
        return reader_refuse(r, &matrix, status);
    return u[t->dim - 1] < 0 || reader_fail_number(r, &at, "must be < 0: the contact does not approach", u[t->dim - 1]);
}

static bool read_measured(const reader *r, const csv_table *t, const double *x, const bool *empty, measurement *m)
{
    int first = t->dim == 2 ? 5 : 9;
    const char *const *known = t->dim == 3 ? spatial : planar;
    for (int i = 0; i < t->dim; i++) {
        double sigma = x[first + t->dim + i];
        place at = {NULL, known[first + t->dim + i]};
        m->known[i] = !empty[first + i];
        if (!m->known[i])
            continue;
        if (empty[first + t->dim + i])
            return reader_fail(r, &at, "is empty, and %s is not", known[first + i]);
        if (!(sigma > 0))
            return reader_fail_number(r, &at, "a standard deviation must be > 0", sigma);
        m->value[i] = x[first + i];
        m->covariance[i * t->dim + i] = sigma * sigma;
    }
    return true;
}

static bool read_row(const reader *r, char **cells, const csv_table *t, carom_fit_data *data, measurement *m)
{
    double x[SPATIAL];
    bool empty[SPATIAL];
    carom_problem problem;
    static const place weight = {NULL, "weight"};
    if (!read_cells(r, cells, t, x, empty) || !read_problem(r, t, x, &problem) || !read_measured(r, t, x, empty, m))
        return false;
    rows_contact(m, &problem, t->dim);
    m->no_errors = t->no_errors;
    m->name = t->word[0] >= 0 ? cells[t->word[0]] : NULL;
    m->group = t->word[1] >= 0 ? cells[t->word[1]] : NULL;
    m->weight = 1;
    if (t->word[2] >= 0 && cells[t->word[2]][0] && (!to_number(cells[t->word[2]], &m->weight) || !(m->weight >= 0)))
        return reader_fail(r, &weight, "must be a number >= 0");
    return rows_add(data, &problem, t->dim, r->text->line, m) == ADD_FINE || reader_fail(r, NULL, "out of memory");
}

/* One line, the first of which is the header. */
static bool read_line(carom_fit_data *data, const carom_text *text, csv_table *t, char *line, carom_case_error *error)
{
    char *cells[COLUMNS];
    reader r = {text, error};
    int count = split(line, cells);
    if (t->count == 0)
        return read_head(&r, cells, count, t);
    if (count != t->count)
        return reader_fail(&r, NULL, "%d values, and the header has %d columns", count, t->count);
    measurement *m = calloc(1, sizeof *m);
    bool fine = m ? read_row(&r, cells, t, data, m) : reader_fail(&r, NULL, "out of memory");
    free(m);
    return fine;
}

bool carom_fit_data_add_csv(carom_fit_data *data, const carom_text *text, carom_case_error *error)
{
    static const carom_case_error nothing;
    csv_table t = {0};
    char *copy = malloc(text->length + 1), *next = copy;
    carom_text here = {text->file, text->line - 1, NULL, 0};
    reader r = {&here, error};
    *error = nothing;
    if (!copy)
        return reader_fail(&r, NULL, "out of memory");
    size_t mark = text->length >= 3 && memcmp(text->bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* of the byte order */
    memcpy(copy, text->bytes + mark, text->length - mark);
    copy[text->length - mark] = 0;
    bool fine = strlen(copy) == text->length - mark || reader_fail(&r, NULL, "there is a NUL byte in it");
    while (fine && next) {
        char *line = next, *end = strchr(line, '\n');
        here.line++;
        if (end)
            *end = 0;
        next = end ? end + 1 : NULL;
        if (line[strspn(line, " \t\r")] && line[0] != '#')
            fine = read_line(data, &here, &t, line, error);
    }
    free(copy);
    return fine && (t.count > 0 || reader_fail(&r, NULL, "empty: no header in it"));
}
