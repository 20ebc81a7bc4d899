/* The derivatives of an impact as a table, one row per input, from "derivatives" of its answer. One contact shows p and
 * u after, contacts that are solved together p alone. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "report.h"
#include "table.h"

enum { CELL = 24 };

#define ROUNDING 0.01 /* columns of numbers about one that are smaller are rounding of zero from 1e-15 on */

static const char *const axes[2][3] = {{"t", "n", ""}, {"t1", "t2", "n"}};

/* "p_t", or "p_t 2" for contact 2 of several; spins and moments follow. */
static void name_component(const carom_case *c, const char *letter, int i, char text[CELL])
{
    static const char *const turning[] = {"n", "t1", "t2"};
    const char *axis = axes[c->dim == 3][i % c->dim];
    if (!c->together && i >= c->dim) {
        snprintf(text, CELL, "%s_%s", strcmp(letter, "p") == 0 ? "m" : "w", turning[i - c->dim]);
        return;
    }
    if (c->together)
        snprintf(text, CELL, "%s_%s %d", letter, axis, i / c->dim + 1);
    else
        snprintf(text, CELL, "%s_%s", letter, axis);
}

/* The entry of a matrix that is given by rows; a coefficient of one contact has a single column. */
static double number_at(const json_t *matrix, int row, int column)
{
    const json_t *entry = json_array_get(matrix, (size_t)row);
    return json_number_value(json_is_array(entry) ? json_array_get(entry, (size_t)column) : entry);
}

static int columns_of(const json_t *matrix)
{
    const json_t *entry = json_array_get(matrix, 0);
    return json_is_array(entry) ? (int)json_array_size(entry) : 1;
}

/* ---- rows ---- */

typedef struct columns {
    const carom_case *c;
    const json_t *p, *u_after; /* by one kind of input; u_after is null where it is not shown */
} columns;

static int add_cells(const json_t *matrix, int column, char text[][CELL])
{
    const int rows = (int)json_array_size(matrix);
    double most = ROUNDING;
    for (int i = 0; i < rows; i++)
        most = fmax(most, fabs(number_at(matrix, i, column)));
    for (int i = 0; i < rows; i++)
        report_number(text[i], CELL, number_at(matrix, i, column), most);
    return rows;
}

static void add_input(table *t, const char *input, const columns *x, int column)
{
    char text[TABLE_COLUMNS][CELL];
    const char *cells[TABLE_COLUMNS];
    int count = 1;
    snprintf(text[0], CELL, "  %.20s", input);
    count += add_cells(x->p, column, text + count);
    count += add_cells(x->u_after, column, text + count);
    for (int i = 0; i < count; i++)
        cells[i] = text[i];
    table_add(t, ROW_PLAIN, cells);
}

static columns find(const carom_case *c, const json_t *object, const char *by)
{
    char p[16], u[16];
    snprintf(p, sizeof p, "p_%s", by);
    snprintf(u, sizeof u, "u_after_%s", by);
    return (columns){c, json_object_get(object, p), c->together ? NULL : json_object_get(object, u)};
}

static void add_inputs(table *t, const carom_case *c, const json_t *object)
{
    static const char *const K[2][21] = {{"K_tt", "K_tn", "K_nn"},
                                         {"K_t11",    "K_t12",     "K_t22",     "K_t1n",    "K_t2n",    "K_nn",
                                          "K_t1_wn",  "K_t2_wn",   "K_n_wn",    "K_wn_wn",  "K_t1_wt1", "K_t2_wt1",
                                          "K_n_wt1",  "K_wn_wt1",  "K_wt1_wt1", "K_t1_wt2", "K_t2_wt2", "K_n_wt2",
                                          "K_wn_wt2", "K_wt1_wt2", "K_wt2_wt2"}};
    const columns by_u = find(c, object, "u"), by_K = find(c, object, "K"), by_coeffs = find(c, object, "coeffs");
    const char *name;
    json_t *matrix;
    char text[CELL];
    for (int i = 0; i < columns_of(by_u.p); i++) {
        name_component(c, "u", i, text);
        add_input(t, text, &by_u, i);
    }
    for (int i = 0; !c->together && i < columns_of(by_K.p); i++)
        add_input(t, K[c->dim == 3][i], &by_K, i);
    json_object_foreach(by_coeffs.p, name, matrix)
    {
        const columns own = {c, matrix, json_object_get(by_coeffs.u_after, name)};
        for (int i = 0; i < columns_of(matrix); i++) {
            snprintf(text, CELL, columns_of(matrix) > 1 ? "%.12s %d" : "%.12s", name, i + 1);
            add_input(t, text, &own, i);
        }
    }
}

/* ---- the table ---- */

static void print_table(const carom_case *c, const json_t *object, int rows)
{
    char text[TABLE_COLUMNS][CELL] = {"  derivative by"}, align[TABLE_COLUMNS + 1] = "l";
    const char *heads[TABLE_COLUMNS];
    const int count = 1 + rows * (c->together ? 1 : 2);
    for (int i = 1; i < count; i++) {
        name_component(c, i <= rows ? "p" : "u", (i - 1) % rows, text[i]);
        if (i > rows)
            strcat(text[i], " after");
    }
    for (int i = 0; i < count; i++)
        heads[i] = text[i];
    memset(align + 1, 'r', (size_t)count - 1);
    table t = table_start(align, heads);
    add_inputs(&t, c, object);
    table_end(&t);
}

static void print_border(const carom_case *c, const json_t *object)
{
    const char *border = json_string_value(json_object_get(object, "border"));
    char contact[CELL] = "";
    if (c->together)
        snprintf(contact, CELL, " of contact %d", (int)json_number_value(json_object_get(object, "contact")));
    if (json_is_true(json_object_get(object, "nonsmooth")))
        printf("  on the border %s%s: these are the derivatives of the branch taken, and those beside it differ\n",
               border, contact);
    else if (border)
        printf("  nearest border: %s%s, at a relative distance of %.3g\n", border, contact,
               json_number_value(json_object_get(object, "distance")));
}

void report_derivatives(const carom_case *c, const json_t *object)
{
    const int rows = (int)json_array_size(json_object_get(object, "p_u"));
    printf("\n");
    if ((c->together ? rows : 2 * rows) + 1 > TABLE_COLUMNS)
        printf("  derivatives: %d numbers per input, too many for a table; --json has them\n", rows);
    else
        print_table(c, object, rows);
    print_border(c, object);
}
