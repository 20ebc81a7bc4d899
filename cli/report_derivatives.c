/* The derivatives of one impact, as a table: one row per input. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "report.h"
#include "table.h"

enum { CELL = 24, CELLS = 7 };

#define ROUNDING 0.01 /* columns of numbers about one that are smaller are rounding of zero from 1e-15 on */

/* The sizes beside which a number is rounding. */
static double largest_of(carom_cvec v)
{
    return fmax(fabs(v.t1), fmax(fabs(v.t2), fabs(v.n)));
}

static void add_row(table *t, const carom_case *c, const char *input, carom_cvec p, carom_cvec u)
{
    const double most[2] = {fmax(largest_of(p), ROUNDING), fmax(largest_of(u), ROUNDING)};
    char text[CELLS][CELL];
    const char *cells[CELLS];
    const carom_cvec vectors[2] = {p, u};
    int count = 0;
    snprintf(text[count++], CELL, "  %s", input);
    for (int i = 0; i < 2; i++) {
        const double all[3] = {vectors[i].t1, vectors[i].t2, vectors[i].n};
        for (int k = 0; k < 3; k++)
            if (c->dim == 3 || k != 1)
                report_number(text[count++], CELL, all[k], most[i]);
    }
    for (int i = 0; i < count; i++)
        cells[i] = text[i];
    table_add(t, ROW_PLAIN, cells);
}

static void add_rows(table *t, const carom_case *c, const carom_derivative *d)
{
    static const char *const u[2][3] = {{"u_t", "", "u_n"}, {"u_t1", "u_t2", "u_n"}};
    static const char *const K[2][6] = {{"K_tt", "", "", "K_tn", "", "K_nn"},
                                        {"K_t11", "K_t12", "K_t22", "K_t1n", "K_t2n", "K_nn"}};
    for (int i = 0; i < 3; i++)
        if (u[c->dim == 3][i][0] != 0)
            add_row(t, c, u[c->dim == 3][i], d->p.u[i], d->u_after.u[i]);
    for (int i = 0; i < 6; i++)
        if (K[c->dim == 3][i][0] != 0)
            add_row(t, c, K[c->dim == 3][i], d->p.K[i], d->u_after.K[i]);
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (c->rule.law->uses >> i & 1 && !(c->dim == 2 && i == CAROM_COEFF_ratio_2))
            add_row(t, c, carom_coeff_at((carom_coeff)i)->name, d->p.coeffs[i], d->u_after.coeffs[i]);
}

void report_derivatives(const carom_case *c, const carom_derivative *d)
{
    static const char *const spatial[] = {"  derivative by", "p_t1",       "p_t2",     "p_n",
                                          "u_t1 after",      "u_t2 after", "u_n after"};
    static const char *const planar[] = {"  derivative by", "p_t", "p_n", "u_t after", "u_n after"};
    table t = c->dim == 3 ? table_start("lrrrrrr", spatial) : table_start("lrrrr", planar);
    add_rows(&t, c, d);
    printf("\n");
    table_print(&t);
    table_free(&t);
    if (d->nonsmooth)
        printf("  on the border %s: these are the derivatives of the branch taken, and those beside it differ\n",
               d->border);
    else if (d->distance < INFINITY)
        printf("  nearest border: %s, at a relative distance of %.3g\n", d->border, d->distance);
}

/* ---- several contacts ---- */

/* "p_t 2": a component of contact 2. */
static void name_component(const carom_case *c, const char *letter, int i, char text[CELL])
{
    static const char *const words[2][3] = {{"t", "n", ""}, {"t1", "t2", "n"}};
    snprintf(text, CELL, "%s_%s %d", letter, words[c->dim == 3][i % c->dim], i / c->dim + 1);
}

static double number_at(const json_t *matrix, int row, int column)
{
    return json_number_value(json_array_get(json_array_get(matrix, (size_t)row), (size_t)column));
}

static void add_column(table *t, const char *input, const json_t *matrix, int column)
{
    char text[TABLE_COLUMNS][CELL];
    const char *cells[TABLE_COLUMNS];
    const int rows = (int)json_array_size(matrix);
    double most = ROUNDING;
    for (int i = 0; i < rows; i++)
        most = fmax(most, fabs(number_at(matrix, i, column)));
    snprintf(text[0], CELL, "  %s", input);
    for (int i = 0; i < rows; i++)
        report_number(text[i + 1], CELL, number_at(matrix, i, column), most);
    for (int i = 0; i <= rows; i++)
        cells[i] = text[i];
    table_add(t, ROW_PLAIN, cells);
}

static void add_inputs(table *t, const carom_case *c, const json_t *columns)
{
    const json_t *by_u = json_object_get(columns, "p_u");
    const char *name;
    json_t *matrix;
    char text[CELL];
    for (int i = 0; i < (int)json_array_size(by_u); i++) {
        name_component(c, "u", i, text);
        add_column(t, text, by_u, i);
    }
    json_object_foreach(json_object_get(columns, "p_coeffs"), name, matrix)
    {
        const int count = (int)json_array_size(json_array_get(matrix, 0));
        for (int i = 0; i < count; i++) {
            snprintf(text, CELL, count > 1 ? "%.12s %d" : "%.12s", name, i + 1);
            add_column(t, text, matrix, i);
        }
    }
}

void report_several_derivatives(const carom_case *c, const json_t *columns)
{
    char text[TABLE_COLUMNS][CELL] = {"  derivative by"};
    const char *heads[TABLE_COLUMNS] = {text[0]};
    const int rows = (int)json_array_size(json_object_get(columns, "p_u"));
    printf("\n");
    if (rows + 1 > TABLE_COLUMNS) {
        printf("  derivatives: %d numbers per input, too many for a table; --json has them\n", rows);
    } else {
        for (int i = 0; i < rows; i++) {
            name_component(c, "p", i, text[i + 1]);
            heads[i + 1] = text[i + 1];
        }
        char align[TABLE_COLUMNS + 1] = "l";
        memset(align + 1, 'r', (size_t)rows);
        table t = table_start(align, heads);
        add_inputs(&t, c, columns);
        table_print(&t);
        table_free(&t);
    }
    const char *border = json_string_value(json_object_get(columns, "border"));
    const int contact = (int)json_number_value(json_object_get(columns, "contact"));
    if (json_is_true(json_object_get(columns, "nonsmooth")))
        printf("  on the border %s of contact %d: these are the derivatives of the branch taken, and those beside it "
               "differ\n",
               border, contact);
    else if (border)
        printf("  nearest border: %s of contact %d, at a relative distance of %.3g\n", border, contact,
               json_number_value(json_object_get(columns, "distance")));
}
