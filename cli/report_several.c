#include "report_several.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report.h"
#include "table.h"
#include "term.h"

enum { CELL = 24, TEXT = 256, NAME_WIDTH = 24, SHOWN = 40 };

static void add(char *text, size_t room, const char *format, const char *word, int number)
{
    size_t used = strlen(text);
    if (used + 1 < room)
        snprintf(text + used, room - used, format, word, number);
}

/* Coefficients that are the same at all contacts, in the head. */
static void print_head(const carom_case *c, const carom_together_outcome *out)
{
    const carom_several *s = c->several;
    if (c->name) {
        fputs(term_bold(), stdout);
        text_put(c->name);
        printf("%s\n", term_plain());
    }
    printf("  law      %s", s->rule.law->id);
    if (s->rule.law->traits & CAROM_TRAIT_ONE_BY_ONE)
        printf(", base %s, order %s", s->rule.base ? s->rule.base->id : "newton",
               s->rule.options.order ? "sweep" : "worst");
    if (s->rule.options.cone)
        printf(", convex cone");
    printf("\n  status   %s: %s\n", carom_status_id(out->status), carom_status_message(out->status));
    if (out->solutions > 1)
        printf("  chosen   one of %d admissible solutions; --all lists them\n", out->solutions);
}

void report_several_story(const carom_case *c, const carom_result *result, char *text, size_t room)
{
    const carom_several_result *r = &result->several;
    const carom_together_outcome *out = &r->outcome;
    const carom_together *law = c->several->rule.law;
    text[0] = 0;
    if (law->traits & CAROM_TRAIT_ONE_BY_ONE) {
        if (out->endless)
            snprintf(text, room, "endless sequence, its limit");
        else
            snprintf(text, room, "%d impact%s:", out->iterations, out->iterations == 1 ? "" : "s");
        for (int i = 0; i < r->event_count && i < SHOWN; i++)
            add(text, room, "%s%d", " ", r->events[i].contact + 1);
    } else if (law->traits & CAROM_TRAIT_REFLECTS) {
        snprintf(text, room, "%d reflection%s:", out->iterations, out->iterations == 1 ? "" : "s");
        for (int i = 0; i < r->event_count && i < SHOWN; i++)
            add(text, room, "%s%d", i > 0 && r->events[i].time == r->events[i - 1].time ? "+" : " ",
                r->events[i].contact + 1);
    } else if (law->traits & CAROM_TRAIT_HAS_PATH) {
        for (int i = 0; i < r->event_count && i < SHOWN; i++) {
            add(text, room, "%s", i ? " " : "", 0);
            add(text, room, "%s%d", carom_together_event_word(r->events[i].kind), r->events[i].contact + 1);
        }
    } else if (law->uses & CAROM_USES(nu))
        snprintf(text, room, "residual %.1e", out->residual);
    else
        for (int i = 0; i < c->several->problem.count && i < SHOWN; i++)
            add(text, room, i ? " %s" : "%s", carom_together_mode_word(out->modes[i]), 0);
}

static void cells(char text[3][CELL], int count, const double *x, double scale)
{
    for (int i = 0; i < count; i++)
        report_number(text[i], CELL, x[i], scale);
}

static double largest(int count, const double *x)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* One row per contact: who touches, coefficients, impulse, velocities. */
static void print_contacts(const carom_case *c, const carom_result *result)
{
    static const char *const planar[] = {"  contact", "e", "mu", "p_t", "p_n", "u_n", "u_t after", "u_n after"};
    static const char *const spatial[] = {"  contact", "e",   "mu",         "p_t1",       "p_t2",
                                          "p_n",       "u_n", "u_t1 after", "u_t2 after", "u_n after"};
    const carom_several *s = c->several;
    const carom_together_outcome *out = &result->several.outcome;
    int dim = c->dim, n = s->problem.count * dim;
    double impulse = largest(n, out->p), speed = fmax(largest(n, s->problem.u), largest(n, out->u_after));
    table t = dim == 3 ? table_start("lrrrrrrrrr", spatial) : table_start("lrrrrrrr", planar);
    for (int i = 0; i < s->problem.count; i++) {
        char label[96], p[3][CELL], after[3][CELL], before[CELL], e[CELL], mu[CELL];
        snprintf(label, sizeof label, "  %d", i + 1);
        if (s->pairs)
            snprintf(label, sizeof label, "  %d %.24s/%.24s", i + 1, s->names[s->pairs[i].a],
                     s->pairs[i].b < 0 ? "world" : s->names[s->pairs[i].b]);
        snprintf(e, sizeof e, "%.4g", s->coeffs[i].e);
        snprintf(mu, sizeof mu, "%.4g", s->coeffs[i].mu);
        cells(p, dim, out->p + i * dim, impulse);
        cells(after, dim, out->u_after + i * dim, speed);
        report_number(before, CELL, s->problem.u[(i + 1) * dim - 1], speed);
        const char *row3[] = {label, e, mu, p[0], p[1], p[2], before, after[0], after[1], after[2]};
        const char *row2[] = {label, e, mu, p[0], p[1], before, after[0], after[1]};
        table_add(&t, ROW_PLAIN, dim == 3 ? row3 : row2);
    }
    printf("\n");
    table_print(&t);
    table_free(&t);
}

static void print_bodies(const carom_case *c, const carom_result *result)
{
    static const char *const planar[] = {"  body after, m/s and rad/s", "v_x", "v_y", "w"};
    static const char *const spatial[] = {"  body after, m/s and rad/s", "v_x", "v_y", "v_z", "w_x", "w_y", "w_z"};
    table t = c->dim == 3 ? table_start("lrrrrrr", spatial) : table_start("lrrr", planar);
    for (int i = 0; i < c->several->body_count; i++) {
        const carom_body *b = &result->several.bodies[i];
        double in_space[] = {b->velocity.x, b->velocity.y, b->velocity.z, b->omega.x, b->omega.y, b->omega.z};
        double in_plane[] = {b->velocity.x, b->velocity.y, b->omega.z};
        const double *x = c->dim == 3 ? in_space : in_plane;
        int count = c->dim == 3 ? 6 : 3;
        char text[6][CELL], label[64];
        const char *row[7] = {label};
        if (b->inv_mass == 0)
            continue;
        snprintf(label, sizeof label, "  %.48s", c->several->names[i]);
        for (int k = 0; k < count; k++) {
            report_number(text[k], CELL, x[k], largest(count, x));
            row[k + 1] = text[k];
        }
        table_add(&t, ROW_PLAIN, row);
    }
    printf("\n");
    table_print(&t);
    table_free(&t);
}

static void print_solutions(const carom_case *c, const carom_result *result)
{
    const carom_several_result *r = &result->several;
    int n = c->several->problem.count * c->dim;
    printf("\n  solutions, p of every contact\n");
    for (int k = 0; k < r->solution_count; k++) {
        printf("  %d of %d ", k + 1, r->solution_count);
        for (int i = 0; i < n; i++)
            printf("%s%.6g", i % c->dim == 0 ? "  " : " ", r->solutions[2 * k * n + i] + 0.0);
        printf("\n");
    }
}

static void print_ledger(const carom_result *result)
{
    const carom_energy *e = &result->energy;
    printf("\n  energy   before %.6g J, change %.6g J", e->before, e->change + 0.0);
    if (e->before > 0)
        printf(" (%+.1f %%)", 100 * e->change / e->before + 0.0);
    printf(", after %.6g J\n", e->after);
    for (int i = 0; i < CAROM_FLAG_COUNT; i++)
        if (result->outcome.flags >> i & 1)
            printf("%s  flag     %s: %s%s\n", term_red(), carom_flag_word((carom_flag)i),
                   carom_flag_meaning((carom_flag)i), term_plain());
    if (!result->outcome.flags)
        printf("  flags    none\n");
}

static void print_stroke(const carom_stroke_result *s)
{
    const carom_slide *slide = &s->slide;
    printf("\n  stroke   squirt %.4g deg%s\n", 180 / acos(-1) * s->squirt + 0.0,
           s->miscue ? ", miscue: the tip slips from the start" : "");
    printf("  path     slides %.4g s, rolls from (%.5g, %.5g) m with (%.5g, %.5g) m/s\n", slide->time, slide->x + 0.0,
           slide->y + 0.0, slide->v_x + 0.0, slide->v_y + 0.0);
}

void report_several(const carom_case *c, const carom_result *result, bool all)
{
    const carom_together_outcome *out = &result->several.outcome;
    char story[TEXT];
    print_head(c, out);
    report_several_story(c, result, story, sizeof story);
    printf("  inside   %s\n", story);
    print_contacts(c, result);
    if (c->source == CAROM_SOURCE_BODIES)
        print_bodies(c, result);
    for (int i = 0; c->source == CAROM_SOURCE_MECHANISM && i < c->several->mechanism.n; i++)
        printf("%s  qdot %d   %.6g -> %.6g\n", i ? "" : "\n", i + 1, c->several->mechanism.qdot[i] + 0.0,
               result->several.qdot_after[i] + 0.0);
    carom_stroke_result stroke;
    if (carom_case_stroke(c, result, &stroke))
        print_stroke(&stroke);
    print_ledger(result);
    if (!out->examined && !(c->several->rule.law->traits & CAROM_TRAIT_ONE_BY_ONE))
        printf("  unique   not examined\n");
    if (all && result->several.solution_count > 1)
        print_solutions(c, result);
}

void report_several_line(const carom_case *c, const carom_result *result)
{
    char flags[96], story[64];
    report_flags(flags, sizeof flags, result->outcome.flags, "");
    report_several_story(c, result, story, sizeof story);
    text_print(c->name ? c->name : "", NAME_WIDTH);
    printf(" %-19s %-10s %-32s%s%s\n", carom_case_law(c), carom_status_id(result->outcome.status), story,
           flags[0] ? "  " : "", flags);
}
