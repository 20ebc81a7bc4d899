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
    memcpy(m->A[m->count++], A, sizeof m->A[0]);
}

void rows_contact(measurement *m, const carom_problem *p, int dim)
{
    const double rows[3][3] = {
        {p->K.t11, p->K.t12, p->K.t1n}, {p->K.t12, p->K.t22, p->K.t2n}, {p->K.t1n, p->K.t2n, p->K.nn}};
    m->is_contact = true;
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

add_trouble rows_add(carom_fit_data *data, const carom_problem *problem, int dim, long line, measurement *m)
{
    carom_fit_row row = {.line = line};
    carom_fit_impact impact = {.problem = *problem, .weight = m->weight};
    describe(&row, problem, dim, m);
    int n = row.count = impact.count = compact(m);
    int all = m->has_before ? m->count : 0;
    size_t doubles = (size_t)(10 * n + 1 + n * n + all * all + 3 * all + n); /* ints take the room of doubles */
    double *block = malloc(doubles * sizeof *block + (size_t)n * sizeof m->label[0]);
    row.group = make_room(data) ? group_of(data, m->group) : -1;
    row.name = m->name ? copy_of(m->name) : NULL;
    if (!block || row.group < 0 || (m->name && !row.name)) {
        free(block);
        free(row.name);
        return ADD_NO_MEMORY;
    }
    double *A = block, *offset = block + 3 * n;
    row.measured = block + 4 * n;
    row.sigma = block + 5 * n;
    row.before = block + 6 * n;
    row.A = block + 7 * n;
    row.S = block + 10 * n;
    row.before_count = all;
    row.before_S = row.S + n * n;
    row.before_G = row.before_S + all * all;
    row.slot = (int *)(row.before_G + 3 * all);
    row.label = (void *)(block + doubles);
    memcpy(row.S, m->covariance, (size_t)(n * n) * sizeof *row.S);
    memcpy(row.before_S, m->before_S, (size_t)(all * all) * sizeof *row.before_S);
    memcpy(row.before_G, m->before_G, 3 * (size_t)all * sizeof *row.before_G);
    memcpy(row.slot, m->slot, (size_t)n * sizeof *row.slot);
    memcpy(row.label, m->label, (size_t)n * sizeof m->label[0]);
    for (int i = 0; i < n; i++) {
        memcpy(A + 3 * i, m->A[i], sizeof m->A[0]);
        memcpy(row.A + 3 * i, m->A[i], sizeof m->A[0]);
        row.before[i] = m->before[i];
        offset[i] = m->before[i] - m->value[i];
        row.measured[i] = m->value[i];
        row.sigma[i] = sqrt(fmax(m->covariance[i * n + i], 0));
    }
    impact.A = A;
    impact.offset = offset;
    if (carom_fit_whiten(n, m->covariance, A, offset, &impact.log_det) != CAROM_STATUS_OK) {
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
