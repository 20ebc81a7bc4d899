/* The arrays of carom_fit_data. */
#include "io/fit/fit_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/elementary.h"

static char *copy_of(const char *word)
{
    char *copy = malloc(strlen(word) + 1);
    return copy ? strcpy(copy, word) : NULL;
}

/* The number of a group, new or known; -1 without memory. */
static int group_of(carom_fit_data *data, const char *word)
{
    const char *sought = word ? word : "";
    for (int i = 0; i < data->group_count; i++)
        if (strcmp(data->groups[i], sought) == 0)
            return i;
    if (data->group_count == data->group_room) {
        int room = 2 * data->group_room + 8;
        char **larger = realloc(data->groups, (size_t)room * sizeof *larger);
        if (!larger)
            return -1;
        data->groups = larger;
        data->group_room = room;
    }
    char *copy = copy_of(sought);
    if (!copy)
        return -1;
    data->groups[data->group_count] = copy;
    return data->group_count++;
}

static bool make_room(carom_fit_data *data)
{
    if (data->count < data->room)
        return true;
    int room = 2 * data->room + 64;
    carom_fit_impact *impacts = realloc(data->impacts, (size_t)room * sizeof *impacts);
    data->impacts = impacts ? impacts : data->impacts;
    carom_fit_row *rows = impacts ? realloc(data->rows, (size_t)room * sizeof *rows) : NULL;
    data->rows = rows ? rows : data->rows;
    data->room = rows ? room : data->room;
    return rows != NULL;
}

void rows_place(measurement *m, const char *label, double before, const double *A)
{
    snprintf(m->label[m->count], CAROM_FIT_LABEL, "%s", label);
    m->before[m->count] = before;
    memcpy(m->A[m->count++], A, (size_t)m->width * sizeof *A);
}

void rows_contact(measurement *m, const carom_problem *p, int dim)
{
    const double rows[3][3] = {
        {p->K.t11, p->K.t12, p->K.t1n}, {p->K.t12, p->K.t22, p->K.t2n}, {p->K.t1n, p->K.t2n, p->K.nn}};
    m->is_contact = true;
    m->width = 3;
    rows_place(m, dim == 3 ? "u_t1" : "u_t", p->u.t1, rows[0]);
    if (dim == 3)
        rows_place(m, "u_t2", p->u.t2, rows[1]);
    rows_place(m, "u_n", p->u.n, rows[2]);
}

/* The places that were measured move up; returns how many. */
static int compact(measurement *m)
{
    int n = 0, at[SLOTS];
    for (int i = 0; i < m->count; i++)
        if (m->known[i])
            at[n++] = i;
    for (int i = 0; i < n; i++) {
        m->slot[i] = at[i];
        m->value[i] = m->value[at[i]];
        m->before[i] = m->before[at[i]];
        memmove(m->A[i], m->A[at[i]], sizeof m->A[0]);
        memmove(m->label[i], m->label[at[i]], sizeof m->label[0]);
        for (int j = 0; j < n; j++)
            m->covariance[i * n + j] = m->covariance[at[i] * m->count + at[j]];
    }
    return n;
}

static void describe(carom_fit_row *row, const carom_problem *problem, int dim, const measurement *m)
{
    double u_t = carom_hypot(problem->u.t1, problem->u.t2);
    row->dim = dim;
    row->angle = carom_atan2(u_t, -problem->u.n);
    row->speed = carom_hypot(u_t, problem->u.n);
    for (int i = 0; m->is_contact && i < dim; i++) {
        int axis = dim == 2 && i == 1 ? 2 : i;
        row->u_known |= (unsigned)m->known[i] << axis;
        row->u_after[axis] = m->known[i] ? m->value[i] : 0;
        row->u_sigma[axis] = m->known[i] ? sqrt(m->covariance[i * m->count + i]) : 0;
    }
}

/* A copy of the contacts in the block at `at`. */
static size_t contacts_doubles(const carom_contacts *x)
{
    if (!x)
        return 0;
    size_t blocks = (size_t)x->row[x->count], dim = (size_t)x->dim,
           m = (size_t)x->count; /* ints have the room of doubles */
    return (sizeof *x + sizeof(double) - 1) / sizeof(double) + m + 1 + blocks + blocks * dim * dim + dim * m;
}

static const carom_contacts *contacts_copy(const carom_contacts *x, double *at)
{
    if (!x)
        return NULL;
    size_t blocks = (size_t)x->row[x->count], dim = (size_t)x->dim, m = (size_t)x->count;
    carom_contacts *copy = (void *)at;
    double *K = at + (sizeof *x + sizeof(double) - 1) / sizeof(double), *u = K + blocks * dim * dim;
    int *row = (int *)(u + dim * m), *column = row + m + 1;
    memcpy(K, x->K, blocks * dim * dim * sizeof *K);
    memcpy(u, x->u, dim * m * sizeof *u);
    memcpy(row, x->row, (m + 1) * sizeof *row);
    memcpy(column, x->column, blocks * sizeof *column);
    *copy = (carom_contacts){x->count, x->dim, row, column, K, u};
    return copy;
}

add_trouble rows_add(carom_fit_data *data, const carom_problem *problem, int dim, long line, measurement *m)
{
    carom_fit_row row = {.line = line};
    carom_fit_impact impact = {.problem = *problem, .weight = m->weight};
    describe(&row, problem, dim, m);
    int n = row.count = impact.count = compact(m);
    int all = m->has_before ? m->count : 0, width = m->width;
    size_t own = (size_t)((2 * width + 5) * n + n * n + all * all + width * all); /* ints take the room of doubles */
    size_t doubles = own + contacts_doubles(m->contacts);
    double *block = malloc(doubles * sizeof *block + (size_t)n * sizeof m->label[0]);
    row.group = make_room(data) ? group_of(data, m->group) : -1;
    row.name = m->name ? copy_of(m->name) : NULL;
    if (!block || row.group < 0 || (m->name && !row.name)) {
        free(block);
        free(row.name);
        return ADD_NO_MEMORY;
    }
    double *A = block, *offset = block + width * n;
    row.measured = offset + n;
    row.sigma = row.measured + n;
    row.before = row.sigma + n;
    row.A = row.before + n;
    row.S = row.A + width * n;
    row.before_count = all;
    row.before_S = row.S + n * n;
    row.before_G = row.before_S + all * all;
    row.slot = (int *)(row.before_G + width * all);
    row.label = (void *)(block + doubles);
    impact.contacts = contacts_copy(m->contacts, block + own);
    memcpy(row.S, m->covariance, (size_t)(n * n) * sizeof *row.S);
    memcpy(row.before_S, m->before_S, (size_t)(all * all) * sizeof *row.before_S);
    for (int i = 0; i < all; i++)
        memcpy(row.before_G + width * i, m->before_G[i], (size_t)width * sizeof *row.before_G);
    memcpy(row.slot, m->slot, (size_t)n * sizeof *row.slot);
    memcpy(row.label, m->label, (size_t)n * sizeof m->label[0]);
    for (int i = 0; i < n; i++) {
        memcpy(A + width * i, m->A[i], (size_t)width * sizeof *A);
        memcpy(row.A + width * i, m->A[i], (size_t)width * sizeof *A);
        row.before[i] = m->before[i];
        offset[i] = m->before[i] - m->value[i];
        row.measured[i] = m->value[i];
        row.sigma[i] = sqrt(fmax(m->covariance[i * n + i], 0));
    }
    impact.A = A;
    impact.offset = offset;
    if (carom_fit_whiten(n, width, m->covariance, A, offset, &impact.log_det) != CAROM_STATUS_OK) {
        free(block);
        free(row.name);
        return ADD_SINGULAR;
    }
    data->no_errors = m->no_errors && data->no_errors == 0 ? line : data->no_errors;
    data->impacts[data->count] = impact;
    data->rows[data->count++] = row;
    return ADD_FINE;
}

void carom_fit_data_free(carom_fit_data *data)
{
    static const carom_fit_data nothing;
    for (int i = 0; i < data->count; i++) {
        free((void *)data->impacts[i].A);
        free(data->rows[i].name);
    }
    for (int i = 0; i < data->group_count; i++)
        free(data->groups[i]);
    free(data->impacts);
    free(data->rows);
    free(data->groups);
    *data = nothing;
}
