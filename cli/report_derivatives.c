/* The derivatives of one impact, as a table: one row per input. */
#include <math.h>
#include <stdio.h>

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
