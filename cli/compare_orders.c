/* carom compare --orders: the spread of outcomes over all orders of the contacts. */
#include <math.h>
#include <stdio.h>

#include "carom/compare.h"
#include "cli.h"
#include "compare_orders.h"
#include "table.h"

enum { CELL = 24 };

static void print_spread(const carom_case *c, const carom_orders *s)
{
    static const char *const heads[] = {"contact", "", "least", "most", "spread"};
    static const char *const axes2[] = {"t", "n"}, *const axes3[] = {"t1", "t2", "n"};
    int dim = c->dim;
    table t = table_start("llrrr", heads);
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < 2; k++) {
            int at = k * s->n + i;
            char label[CELL], what[CELL], text[3][CELL];
            double values[3] = {s->low[at], s->high[at], s->high[at] - s->low[at]};
            snprintf(label, CELL, i % dim == 0 && k == 0 ? "%d" : "", i / dim + 1);
            snprintf(what, CELL, k ? "u_%s after" : "p_%s", dim == 3 ? axes3[i % dim] : axes2[i % dim]);
            for (int v = 0; v < 3; v++)
                snprintf(text[v], CELL, "%.6g", fabs(values[v]) < 1e-13 ? 0.0 : values[v]);
            const char *row[] = {label, what, text[0], text[1], text[2]};
            table_add(&t, ROW_PLAIN, row);
        }
    table_end(&t);
    printf("\nenergy change from %.6g to %.6g J; %d orders", s->low[2 * s->n] + 0.0, s->high[2 * s->n] + 0.0, s->count);
    printf(s->unsolved ? ", %d of them without an end\n" : "\n", s->unsolved);
}

int compare_orders(carom_case *c, bool json)
{
    carom_case_error error;
    carom_orders orders;
    int status = FINE;
    if (!carom_case_orders(c, &orders, &error)) {
        complain_error("compare", &error);
        status = orders.count > 0 ? FAILED : BAD_INPUT;
    } else if (json)
        json_print_free(stdout, carom_orders_json(c, &orders));
    else
        print_spread(c, &orders);
    carom_orders_free(&orders);
    return status;
}
