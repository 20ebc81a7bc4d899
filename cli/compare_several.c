/* The laws of several contacts side by side. */
#include "compare_several.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/compare.h"
#include "carom/elementary.h"
#include "report.h"
#include "report_several.h"
#include "table.h"
#include "term.h"

enum { CELL = 24 };

/* ---- per contact ---- */

static void add_contacts(void *context, const carom_case *c, const carom_result *result, const carom_case_error *error)
{
    table *t = context;
    if (!result) {
        table_note(t, ROW_DIM, carom_case_law(c), error->rule);
        return;
    }
    const carom_together_outcome *out = &result->several.outcome;
    char story[64], flags[96], words[192], percent[CELL];
    report_several_story(c, result, story, sizeof story);
    report_flags(flags, sizeof flags, out->flags, "");
    snprintf(words, sizeof words, "%s%s%s", flags, flags[0] ? "; " : "", story);
    double share = 100 * result->energy.change / result->energy.before;
    snprintf(percent, CELL, result->energy.before > 0 ? fabs(share) < 0.05 ? "0.0 %%" : "%+.1f %%" : "-", share);
    for (int i = 0; i < c->several->problem.count; i++) {
        const double *p = out->p + i * c->dim, *v = out->u_after + i * c->dim;
        double tangent[2] = {c->dim == 3 ? carom_hypot(p[0], p[1]) : p[0],
                             c->dim == 3 ? carom_hypot(v[0], v[1]) : v[0]};
        char text[5][CELL];
        snprintf(text[0], CELL, "%d", i + 1);
        snprintf(text[1], CELL, "%.4f", tangent[0] + 0.0);
        snprintf(text[2], CELL, "%.4f", p[c->dim - 1] + 0.0);
        snprintf(text[3], CELL, "%.4f", fabs(tangent[1]) < 5e-5 ? 0.0 : tangent[1]);
        snprintf(text[4], CELL, "%.4f", fabs(v[c->dim - 1]) < 5e-5 ? 0.0 : v[c->dim - 1]);
        const char *row[] = {i ? "" : c->several->rule.law->id,
                             text[0],
                             text[1],
                             text[2],
                             text[3],
                             text[4],
                             i ? "" : percent,
                             i ? "" : words};
        bool bad = out->flags & (CAROM_FLAG_CREATES_ENERGY | CAROM_FLAG_PENETRATES);
        table_add(t, bad ? ROW_BAD : ROW_PLAIN, row);
    }
}

static void print_contacts(carom_case *c)
{
    static const char *const planar[] = {"law",       "contact",   "p_t", "p_n",
                                         "u_t after", "u_n after", "ΔE",  "flags; inside"};
    static const char *const spatial[] = {"law",         "contact",   "|p_t|", "p_n",
                                          "|u_t| after", "u_n after", "ΔE",    "flags; inside"};
    table t = table_start("lrrrrrrl", c->dim == 3 ? spatial : planar);
    carom_case_each_law(c, add_contacts, &t);
    table_print(&t);
    table_free(&t);
}

/* ---- per body ---- */

typedef struct body_table {
    table table;
    int body;
} body_table;

static void add_body(void *context, const carom_case *c, const carom_result *result, const carom_case_error *error)
{
    body_table *bt = context;
    (void)error;
    if (!result)
        return;
    const carom_body *b = &result->several.bodies[bt->body];
    double in_space[] = {b->velocity.x, b->velocity.y, b->velocity.z, b->omega.x, b->omega.y, b->omega.z};
    double in_plane[] = {b->velocity.x, b->velocity.y, b->omega.z};
    const double *x = c->dim == 3 ? in_space : in_plane;
    int count = c->dim == 3 ? 6 : 3;
    char text[6][CELL];
    const char *row[7] = {c->several->rule.law->id};
    for (int k = 0; k < count; k++) {
        snprintf(text[k], CELL, "%.4f", fabs(x[k]) < 5e-5 ? 0.0 : x[k]);
        row[k + 1] = text[k];
    }
    table_add(&bt->table, ROW_PLAIN, row);
}

static void print_body(carom_case *c, int i)
{
    char head[80];
    const char *planar[] = {head, "v_x", "v_y", "w"};
    const char *spatial[] = {head, "v_x", "v_y", "v_z", "w_x", "w_y", "w_z"};
    snprintf(head, sizeof head, "%.60s", c->several->names[i]);
    body_table bt = {c->dim == 3 ? table_start("lrrrrrr", spatial) : table_start("lrrr", planar), i};
    carom_case_each_law(c, add_body, &bt);
    printf("\n");
    table_print(&bt.table);
    table_free(&bt.table);
}

void compare_several(carom_case *c)
{
    if (c->name) {
        fputs(term_bold(), stdout);
        text_put(c->name);
        printf("%s\n", term_plain());
    }
    print_contacts(c);
    for (int i = 0; i < c->several->body_count; i++)
        if (c->several->bodies[i].inv_mass > 0)
            print_body(c, i);
    printf("\nimpulses in N s, velocities in m/s and rad/s; ΔE is of the energy before\n");
}
