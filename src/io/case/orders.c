/* The law `sequential` over orders of the contacts. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "carom/compare.h"
#include "carom/json_short.h"
#include "carom/settings.h"

enum { ALL_MOST = 7, RANDOM_ORDERS = 10000 }; /* 7! = 5040 orders are all run */

typedef struct walk {
    carom_case *c;
    carom_result result;
    int *order;
    carom_orders *spread;
} walk;

static double number_at(const walk *w, int i)
{
    const carom_together_outcome *out = &w->result.together;
    const int n = w->spread->n;
    return i < n ? out->p[i] : i < 2 * n ? out->u_after[i - n] : out->energy.change;
}

static void run(walk *w)
{
    carom_orders *o = w->spread;
    w->c->together_rule.sequence = w->order;
    carom_status status = carom_case_solve(w->c, &w->result);
    o->count++;
    if (!carom_status_is_answer(status)) {
        o->unsolved++;
        return;
    }
    for (int i = 0; i < 2 * o->n + 1; i++) {
        o->low[i] = fmin(o->low[i], number_at(w, i));
        o->high[i] = fmax(o->high[i], number_at(w, i));
    }
}

static void swap(int *a, int *b)
{
    int x = *a;
    *a = *b;
    *b = x;
}

/* Every permutation of the first k places. */
static void permute(walk *w, int k)
{
    if (k <= 1) {
        run(w);
        return;
    }
    for (int i = 0; i < k; i++) {
        swap(&w->order[i], &w->order[k - 1]);
        permute(w, k - 1);
        swap(&w->order[i], &w->order[k - 1]);
    }
}

static void shuffle_many(walk *w, int m)
{
    uint64_t state = 20;
    for (int k = 0; k < RANDOM_ORDERS; k++) {
        for (int i = m - 1; i > 0; i--) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            swap(&w->order[i], &w->order[(int)((state >> 33) % (uint64_t)(i + 1))]);
        }
        run(w);
    }
}

static void walk_orders(walk *w, int m)
{
    for (int i = 0; i < m; i++)
        w->order[i] = i;
    for (int i = 0; i < 2 * w->spread->n + 1; i++) {
        w->spread->low[i] = INFINITY;
        w->spread->high[i] = -INFINITY;
    }
    if (m <= ALL_MOST)
        permute(w, m);
    else
        shuffle_many(w, m);
    w->c->together_rule.sequence = NULL;
}

bool carom_case_orders(carom_case *c, carom_orders *orders, carom_case_error *error)
{
    *orders = (carom_orders){0};
    if (!c->together)
        return carom_request_fail(error, "orders", "needs a case with several contacts");
    const int m = c->count;
    c->together_rule.law = carom_together_find("sequential");
    if (!carom_case_check(c, error))
        return false;
    walk w = {.c = c, .order = malloc((size_t)m * sizeof *w.order), .spread = orders};
    orders->n = m * c->dim;
    orders->low = malloc((size_t)(4 * orders->n + 2) * sizeof *orders->low);
    orders->high = orders->low ? orders->low + 2 * orders->n + 1 : NULL;
    const bool room = w.order && orders->low;
    if (room)
        walk_orders(&w, m);
    free(w.order);
    carom_result_free(&w.result);
    if (!room)
        return carom_case_blame(c, "", "out of memory", error);
    return orders->unsolved < orders->count || carom_case_blame(c, "", "no order of the contacts ends", error);
}

void carom_orders_free(carom_orders *orders)
{
    free(orders->low);
    *orders = (carom_orders){0};
}

/* ---- JSON ---- */

static json_t *by_contact(const carom_case *c, const double *x)
{
    json_t *array = json_array();
    for (int i = 0; i < c->count; i++) {
        json_t *row = json_array();
        for (int a = 0; a < c->dim; a++)
            json_array_append_new(row, json_real(x[i * c->dim + a] + 0.0));
        json_array_append_new(array, row);
    }
    return array;
}

static json_t *bound(const carom_case *c, const carom_orders *o, const double *x)
{
    json_t *object = json_object();
    json_object_set_new(object, "p", by_contact(c, x));
    json_object_set_new(object, "u_after", by_contact(c, x + o->n));
    json_object_set_new(object, "energy_change", json_real(x[2 * o->n] + 0.0));
    return object;
}

carom_json *carom_orders_json(const carom_case *c, const carom_orders *o)
{
    json_t *all = json_object();
    if (c->name)
        json_object_set_new(all, "name", json_string(c->name));
    json_object_set_new(all, "law", json_string("sequential"));
    json_object_set_new(all, "orders", json_integer(o->count));
    json_object_set_new(all, "unsolved", json_integer(o->unsolved));
    json_object_set_new(all, "least", bound(c, o, o->low));
    json_object_set_new(all, "most", bound(c, o, o->high));
    return all;
}
