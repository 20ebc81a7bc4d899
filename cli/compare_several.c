/* The laws of several contacts side by side. */
#include "compare_several.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/elementary.h"
#include "json.h"
#include "report.h"
#include "report_several.h"
#include "table.h"
#include "term.h"

enum { CELL = 24 };

static bool solve(carom_case *c, int i, carom_result *result, carom_case_error *error)
{
    c->several->rule.law = carom_together_at(i);
    if (!carom_case_check(c, error))
        return false;
    carom_status status = carom_case_solve(c, result);
    return !carom_status_is_refusal(status) || carom_case_refuse(c, status, error);
}

/* ---- per contact ---- */

static void add_contacts(const carom_case *c, const carom_result *result, table *t)
{
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
    carom_result result = {0};
    carom_case_error error;
    table t = table_start("lrrrrrrl", c->dim == 3 ? spatial : planar);
    for (int i = 0; i < carom_together_count(); i++)
        if (solve(c, i, &result, &error))
            add_contacts(c, &result, &t);
        else
            table_note(&t, ROW_DIM, c->several->rule.law->id, error.rule);
    table_print(&t);
    table_free(&t);
    carom_result_free(&result);
}

/* ---- per body ---- */

static void add_body(const carom_case *c, const carom_result *result, int i, table *t)
{
    const carom_body *b = &result->several.bodies[i];
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
    table_add(t, ROW_PLAIN, row);
}

static void print_body(carom_case *c, int i)
{
    char head[80];
    const char *planar[] = {head, "v_x", "v_y", "w"};
    const char *spatial[] = {head, "v_x", "v_y", "v_z", "w_x", "w_y", "w_z"};
    carom_result result = {0};
    carom_case_error error;
    snprintf(head, sizeof head, "%.60s", c->several->names[i]);
    table t = c->dim == 3 ? table_start("lrrrrrr", spatial) : table_start("lrrr", planar);
    for (int k = 0; k < carom_together_count(); k++)
        if (solve(c, k, &result, &error))
            add_body(c, &result, i, &t);
    printf("\n");
    table_print(&t);
    table_free(&t);
    carom_result_free(&result);
}

static void print_json(carom_case *c)
{
    carom_result result = {0};
    carom_case_error error;
    json_t *answers = json_array(), *all = json_object();
    for (int i = 0; i < carom_together_count(); i++)
        json_array_append_new(answers, solve(c, i, &result, &error) ? carom_case_answer(c, &result)
                                                                    : carom_case_error_answer(c, &error));
    if (c->name)
        json_object_set_new(all, "name", json_string(c->name));
    json_object_set_new(all, "answers", answers);
    json_print(stdout, all, false);
    json_decref(all);
    carom_result_free(&result);
}

int compare_several(carom_case *c, bool json)
{
    if (json) {
        print_json(c);
        return FINE;
    }
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
    return FINE;
}
