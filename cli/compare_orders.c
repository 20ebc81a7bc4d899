/* carom compare --orders: the law `sequential` over all orders of its contacts. The rigid model does not know the
 * order; the spread of the outcomes is its honest error bar. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare_several.h"
#include "json.h"
#include "table.h"
#include "term.h"

enum { ALL_MOST = 7, RANDOM_ORDERS = 10000, CELL = 24 }; /* 7! = 5040 orders are all run */

typedef struct spread {
    carom_case *c;
    carom_result result;
    int n, orders, unsolved, distinct_room;
    int *order;
    double *low, *high; /* of p, u_after, and of the change of energy: 2 n + 1 */
} spread;

static double number_at(const spread *s, int i)
{
    const carom_together_outcome *out = &s->result.several.outcome;
    return i < s->n ? out->p[i] : i < 2 * s->n ? out->u_after[i - s->n] : out->energy.change;
}

static void run(spread *s)
{
    s->c->several->rule.sequence = s->order;
    carom_status status = carom_case_solve(s->c, &s->result);
    s->orders++;
    if (!carom_status_is_answer(status)) {
        s->unsolved++;
        return;
    }
    for (int i = 0; i < 2 * s->n + 1; i++) {
        s->low[i] = fmin(s->low[i], number_at(s, i));
        s->high[i] = fmax(s->high[i], number_at(s, i));
    }
}

static void swap(int *a, int *b)
{
    int x = *a;
    *a = *b;
    *b = x;
}

/* Every permutation of the first k places. */
static void permute(spread *s, int k)
{
    if (k <= 1) {
        run(s);
        return;
    }
    for (int i = 0; i < k; i++) {
        swap(&s->order[i], &s->order[k - 1]);
        permute(s, k - 1);
        swap(&s->order[i], &s->order[k - 1]);
    }
}

/* The same orders in every run. */
static void shuffle_many(spread *s, int m)
{
    uint64_t state = 20;
    for (int k = 0; k < RANDOM_ORDERS; k++) {
        for (int i = m - 1; i > 0; i--) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            swap(&s->order[i], &s->order[(int)((state >> 33) % (uint64_t)(i + 1))]);
        }
        run(s);
    }
}

static void print_spread(const spread *s)
{
    static const char *const heads[] = {"contact", "", "least", "most", "spread"};
    static const char *const axes2[] = {"t", "n"}, *const axes3[] = {"t1", "t2", "n"};
    int dim = s->c->dim;
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
    table_print(&t);
    table_free(&t);
    printf("\nenergy change from %.6g to %.6g J; %d orders", s->low[2 * s->n] + 0.0, s->high[2 * s->n] + 0.0,
           s->orders);
    printf(s->unsolved ? ", %d of them without an end\n" : "\n", s->unsolved);
}

static json_t *array_of(const spread *s, const double *x)
{
    json_t *array = json_array();
    for (int i = 0; i < s->c->several->problem.count; i++) {
        json_t *row = json_array();
        for (int a = 0; a < s->c->dim; a++)
            json_array_append_new(row, json_real(x[i * s->c->dim + a] + 0.0));
        json_array_append_new(array, row);
    }
    return array;
}

static void print_json(const spread *s)
{
    static const char *const keys[] = {"least", "most"};
    json_t *all = json_object();
    if (s->c->name)
        json_object_set_new(all, "name", json_string(s->c->name));
    json_object_set_new(all, "law", json_string("sequential"));
    json_object_set_new(all, "orders", json_integer(s->orders));
    json_object_set_new(all, "unsolved", json_integer(s->unsolved));
    for (int k = 0; k < 2; k++) {
        const double *x = k ? s->high : s->low;
        json_t *object = json_object();
        json_object_set_new(object, "p", array_of(s, x));
        json_object_set_new(object, "u_after", array_of(s, x + s->n));
        json_object_set_new(object, "energy_change", json_real(x[2 * s->n] + 0.0));
        json_object_set_new(all, keys[k], object);
    }
    json_print(stdout, all, false);
    json_decref(all);
}

int compare_orders(carom_case *c, bool json)
{
    carom_case_error error;
    int m = c->several->problem.count;
    spread s = {.c = c, .n = m * c->dim};
    c->several->rule.law = carom_together_find("sequential");
    if (!carom_case_check(c, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return BAD_INPUT;
    }
    s.order = must_have(malloc((size_t)m * sizeof *s.order));
    s.low = must_have(malloc((size_t)(4 * s.n + 2) * sizeof *s.low));
    s.high = s.low + 2 * s.n + 1;
    for (int i = 0; i < m; i++)
        s.order[i] = i;
    for (int i = 0; i < 2 * s.n + 1; i++) {
        s.low[i] = INFINITY;
        s.high[i] = -INFINITY;
    }
    if (m <= ALL_MOST)
        permute(&s, m);
    else
        shuffle_many(&s, m);
    bool some = s.unsolved < s.orders;
    if (!some)
        complain("compare --orders: no order ends");
    else if (json)
        print_json(&s);
    else
        print_spread(&s);
    c->several->rule.sequence = NULL;
    free(s.order);
    free(s.low);
    carom_result_free(&s.result);
    return some ? FINE : FAILED;
}
