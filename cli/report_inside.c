/* What happened inside the impact, for people: path, events, forces, the order of contacts, all solutions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report.h"
#include "table.h"

enum { SHOWN = 40 }; /* events of a story */

/* ---- the path of one contact ---- */

static void print_events(const carom_case *c, const carom_result *result)
{
    static const char *const spatial[] = {"  event", "p_t1", "p_t2", "p_n", "u_t1", "u_t2", "u_n"};
    static const char *const spinning[] = {"  event", "p_t1", "p_t2", "p_n", "m_n", "u_t1", "u_t2", "u_n", "w_n"};
    static const char *const planar[] = {"  event", "p_t", "p_n", "u_t", "u_n"};
    const bool spins = report_spins(c) > 0;
    table t = spins         ? table_start("lrrrrrrrr", spinning)
              : c->dim == 3 ? table_start("lrrrrrr", spatial)
                            : table_start("lrrrr", planar);
    for (int i = 0; i < result->event_count; i++) {
        const carom_event *e = &result->events[i];
        double x[REPORT_NUMBERS];
        char label[REPORT_CELL + 4];
        int n = report_vector(c, e->at.p, x);
        if (spins)
            x[n++] = e->at.m.n;
        report_vector(c, e->at.u, x + n);
        x[7] = e->at.w.n;
        snprintf(label, sizeof label, "  %s", carom_event_word(e->kind));
        report_row(&t, label, x, 2 * n, NULL);
    }
    printf("\n");
    table_end(&t);
}

/* Time, depth and force of a contact that is followed in time; the modes' energy where bodies vibrate. */
void report_force(const carom_case *c, const carom_result *result)
{
    const carom_contact_force *f = &result->outcome.force;
    static const char *const heads[] = {"  contact", "time, s", "depth, m", "peak force, N", "vibration, J"};
    const double values[] = {f->duration, f->max_compression, f->peak_force, f->vibration_energy};
    char text[4][REPORT_CELL];
    const char *row[5] = {""};
    if (!(carom_case_traits(c) & CAROM_TRAIT_CONTACT_FORCE) || c->together)
        return;
    for (int i = 0; i < 4; i++) {
        report_number(text[i], REPORT_CELL, values[i], 0);
        row[i + 1] = text[i];
    }
    report_single(c->rule.vibration ? "lrrrr" : "lrrr", heads, row);
}

void report_path(const carom_case *c, const carom_result *result)
{
    const carom_phases *ph = &result->outcome.phases;
    if (c->together && !result->together.examined && !(carom_case_traits(c) & CAROM_TRAIT_ONE_BY_ONE))
        printf("  unique   not examined\n");
    if (ph->phases == 0)
        return;
    printf("  phases   %d; work of compression %.6g J, of restitution %.6g J", ph->phases, ph->work_compression,
           ph->work_decompression);
    printf(ph->path ? "; path %s\n" : "\n", ph->path);
    if (result->event_count)
        print_events(c, result);
}

/* ---- contacts together ---- */

static void add(char *text, size_t room, const char *format, const char *word, int number)
{
    size_t used = strlen(text);
    if (used + 1 < room)
        snprintf(text + used, room - used, format, word, number);
}

void report_story(const carom_case *c, const carom_result *result, char *text, size_t room)
{
    const carom_together_outcome *out = &result->together;
    const carom_together *law = c->together_rule.law;
    const carom_contact_event *events = result->contact_events;
    const int shown = result->contact_event_count < SHOWN ? result->contact_event_count : SHOWN;
    text[0] = 0;
    if (!c->together)
        return;
    if (law->traits & CAROM_TRAIT_ONE_BY_ONE) {
        if (out->endless)
            snprintf(text, room, "endless sequence, its limit");
        else
            snprintf(text, room, "%d impact%s:", out->iterations, out->iterations == 1 ? "" : "s");
        for (int i = 0; i < shown; i++)
            add(text, room, "%s%d", " ", events[i].contact + 1);
    } else if (law->traits & CAROM_TRAIT_REFLECTS) {
        snprintf(text, room, "%d reflection%s:", out->iterations, out->iterations == 1 ? "" : "s");
        for (int i = 0; i < shown; i++)
            add(text, room, "%s%d", i > 0 && events[i].time == events[i - 1].time ? "+" : " ", events[i].contact + 1);
    } else if (law->traits & CAROM_TRAIT_HAS_PATH) {
        for (int i = 0; i < shown; i++) {
            add(text, room, "%s", i ? " " : "", 0);
            add(text, room, "%s%d", carom_together_event_word(events[i].kind), events[i].contact + 1);
        }
    } else if (law->uses & CAROM_USES(nu))
        snprintf(text, room, "residual %.1e", out->residual);
    else
        for (int i = 0; i < c->count && i < SHOWN; i++)
            add(text, room, i ? " %s" : "%s", carom_together_mode_word(out->modes[i]), 0);
}

void report_stroke(const carom_case *c, const carom_result *result)
{
    carom_stroke_result stroke;
    if (!carom_case_stroke(c, result, &stroke))
        return;
    const carom_slide *slide = &stroke.slide;
    printf("\n  stroke   squirt %.4g deg%s\n", 180 / acos(-1) * stroke.squirt + 0.0,
           stroke.miscue ? ", miscue: the tip slips from the start" : "");
    printf("  path     slides %.4g s, rolls from (%.5g, %.5g) m with (%.5g, %.5g) m/s\n", slide->time, slide->x + 0.0,
           slide->y + 0.0, slide->v_x + 0.0, slide->v_y + 0.0);
}

/* ---- all solutions ---- */

/* A table of one contact; a line per solution for contacts that are solved together. */
static void print_solutions(const carom_case *c, const carom_outcome *out)
{
    static const char *const spatial[] = {"  solutions", "p_t1", "p_t2", "p_n", ""};
    static const char *const planar[] = {"  solutions", "p_t", "p_n", ""};
    table t = c->dim == 3 ? table_start("lrrrl", spatial) : table_start("lrrl", planar);
    int count = out->solutions < CAROM_SOLUTIONS_KEPT ? out->solutions : CAROM_SOLUTIONS_KEPT;
    for (int i = 0; i < count; i++) {
        char label[REPORT_CELL];
        double x[3];
        const int n = report_vector(c, out->solutions > 1 ? out->all[i] : out->p, x);
        snprintf(label, sizeof label, "  %d of %d", i + 1, out->solutions);
        report_row(&t, label, x, n, "");
    }
    printf("\n");
    table_end(&t);
}

void report_solutions(const carom_case *c, const carom_result *result)
{
    const int dim = c->together ? c->contacts.dim : c->dim, n = c->count * dim;
    if (!c->together)
        print_solutions(c, &result->outcome);
    if (result->solution_count > 1)
        printf("\n  solutions, p of every contact\n");
    for (int k = 0; result->solution_count > 1 && k < result->solution_count; k++) {
        printf("  %d of %d ", k + 1, result->solution_count);
        for (int i = 0; i < n; i++)
            printf("%s%.6g", i % dim == 0 ? "  " : " ", result->solutions[2 * k * n + i] + 0.0);
        printf("\n");
    }
}
