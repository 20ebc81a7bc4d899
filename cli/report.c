#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/words.h"
#include "report_several.h"
#include "table.h"
#include "term.h"

enum { CELL = 24, NAME_WIDTH = 24 };

#define NOISE 1e-13 /* of the largest number beside it: rounding, not worth the eye */

void report_number(char *text, size_t room, double value, double scale)
{
    snprintf(text, room, "%.6g", fabs(value) <= NOISE * scale ? 0.0 : value);
}

void report_coefficient(char *text, size_t room, double value)
{
    snprintf(text, room, isinf(value) ? "infinite" : "%.6g", value);
}

void report_flags(char *text, size_t room, unsigned flags, const char *none)
{
    size_t used = 0;
    snprintf(text, room, "%s", none);
    for (int i = 0; i < CAROM_FLAG_COUNT; i++)
        if (flags >> i & 1)
            used +=
                (size_t)snprintf(text + used, room - used, "%s%s", used ? ", " : "", carom_flag_word((carom_flag)i));
}

/* ---- head ---- */

static void print_head(const carom_case *c, const carom_outcome *out)
{
    const carom_law *law = c->rule.law;
    if (c->name) {
        fputs(term_bold(), stdout);
        text_put(c->name);
        printf("%s\n", term_plain());
    }
    printf("  law      %s (", law->id);
    const char *separator = "";
    for (int i = 0; i < CAROM_COEFF_COUNT; i++) {
        double value = carom_coeffs_get(&c->rule.coeffs, (carom_coeff)i);
        if (!(law->uses >> i & 1) || carom_coeff_is_silent((carom_coeff)i, value))
            continue;
        char text[CELL];
        report_coefficient(text, sizeof text, value);
        printf("%s%s %s", separator, carom_coeff_at((carom_coeff)i)->name, text);
        separator = ", ";
    }
    printf(")\n  status   %s: %s\n", carom_status_id(out->status), carom_status_message(out->status));
    printf("  mode     %s\n", out->mode ? out->mode : "");
    if (out->solutions > 1)
        printf("  chosen   one of %d admissible solutions; --all lists them\n", out->solutions);
}

/* ---- vectors ---- */

static void add_row(table *t, const char *label, const double *x, int count, const char *unit)
{
    char text[6][CELL];
    const char *row[8] = {label};
    double scale = 0;
    for (int i = 0; i < count; i++)
        scale = fmax(scale, fabs(x[i]));
    for (int i = 0; i < count; i++) {
        report_number(text[i], CELL, x[i], scale);
        row[i + 1] = text[i];
    }
    row[count + 1] = unit;
    table_add(t, ROW_PLAIN, row);
}

static void add_contact(table *t, const carom_case *c, const char *label, carom_cvec v, const char *unit)
{
    double spatial[] = {v.t1, v.t2, v.n}, planar[] = {v.t1, v.n};
    add_row(t, label, c->dim == 3 ? spatial : planar, c->dim, unit);
}

static void heads_and_row(const char *align, const char *const *heads, const char *const *row)
{
    table t = table_start(align, heads);
    table_add(&t, ROW_PLAIN, row);
    printf("\n");
    table_print(&t);
    table_free(&t);
}

static void print_contact(const carom_case *c, const carom_outcome *out)
{
    static const char *const spatial[] = {"  contact axes", "t1", "t2", "n", ""};
    static const char *const planar[] = {"  contact axes", "t", "n", ""};
    table t = c->dim == 3 ? table_start("lrrrl", spatial) : table_start("lrrl", planar);
    add_contact(&t, c, "  impulse p", out->p, "N s");
    add_contact(&t, c, "  u before", c->problem.u, "m/s");
    add_contact(&t, c, "  u after", out->u_after, "m/s");
    printf("\n");
    table_print(&t);
    table_free(&t);
}

static void add_body(table *t, const carom_case *c, const char *label, const carom_body *body)
{
    carom_vec3 v = body->velocity, w = body->omega;
    double spatial[] = {v.x, v.y, v.z, w.x, w.y, w.z}, planar[] = {v.x, v.y, w.z};
    add_row(t, label, c->dim == 3 ? spatial : planar, c->dim == 3 ? 6 : 3, "");
}

static void print_bodies(const carom_case *c, const carom_result *result)
{
    static const char *const spatial[] = {"  bodies, m/s and rad/s", "v_x", "v_y", "v_z", "w_x", "w_y", "w_z", ""};
    static const char *const planar[] = {"  bodies, m/s and rad/s", "v_x", "v_y", "w", ""};
    table t = c->dim == 3 ? table_start("lrrrrrrl", spatial) : table_start("lrrrl", planar);
    add_body(&t, c, "  A before", &c->a);
    add_body(&t, c, "  A after", &result->a);
    if (c->b.inv_mass > 0) {
        add_body(&t, c, "  B before", &c->b);
        add_body(&t, c, "  B after", &result->b);
    }
    printf("\n");
    table_print(&t);
    table_free(&t);
}

static void print_speeds(const carom_case *c, const carom_result *result)
{
    static const char *const heads[] = {"  speed", "before", "after"};
    table t = table_start("lrr", heads);
    for (int i = 0; i < c->mechanism.n; i++) {
        char label[CELL], before[CELL], after[CELL];
        snprintf(label, sizeof label, "  qdot %d", i + 1);
        report_number(before, CELL, c->mechanism.qdot[i], 0);
        report_number(after, CELL, result->qdot_after[i], 0);
        const char *row[] = {label, before, after};
        table_add(&t, ROW_PLAIN, row);
    }
    printf("\n");
    table_print(&t);
    table_free(&t);
}

/* ---- ledger ---- */

static void percent_cell(char *text, double change, double of)
{
    double percent = 100 * change / of;
    snprintf(text, CELL, of > 0 ? fabs(percent) < 0.05 ? "0.0 %%" : "%+.1f %%" : "-", percent);
}

void report_percents(const carom_result *result, char contact[REPORT_CELL], char kinetic[REPORT_CELL])
{
    percent_cell(contact, result->outcome.energy.change, result->outcome.energy.before);
    percent_cell(kinetic, result->energy.change, result->energy.before);
}

/* Percentages are of the contact energy, the part that impulses at this contact can reach; those of the whole kinetic
 * energy stand beside them. */
static void print_energy(const carom_result *result)
{
    static const char *const heads[] = {"  energy, J", "before", "normal",     "friction",
                                        "change",      "after",  "of contact", "of kinetic"};
    const carom_energy *e = &result->energy;
    char text[5][CELL], contact[REPORT_CELL], kinetic[REPORT_CELL];
    double values[] = {e->before, e->normal, e->friction, e->change, e->after};
    for (int i = 0; i < 5; i++)
        report_number(text[i], CELL, values[i], e->before);
    report_percents(result, contact, kinetic);
    const char *row[] = {"", text[0], text[1], text[2], text[3], text[4], contact, kinetic};
    heads_and_row("lrrrrrrr", heads, row);
}

static void restitution_cell(char *text, bool defined, double value)
{
    if (defined)
        report_number(text, CELL, value, 1);
    else
        snprintf(text, CELL, "-");
}

static void print_restitution(const carom_outcome *out)
{
    static const char *const heads[] = {"  restitution", "Newton", "Poisson", "Stronge", "Ivanov", "|p_t|/p_n"};
    const carom_restitution *r = &out->restitution;
    char text[5][CELL];
    restitution_cell(text[0], r->defined & CAROM_HAS_NEWTON, r->newton);
    restitution_cell(text[1], r->defined & CAROM_HAS_POISSON, r->poisson);
    restitution_cell(text[2], r->defined & CAROM_HAS_STRONGE, r->stronge);
    restitution_cell(text[3], r->defined & CAROM_HAS_IVANOV, r->ivanov);
    restitution_cell(text[4], out->p.n > 0, out->friction_ratio);
    const char *row[] = {"  measured", text[0], text[1], text[2], text[3], text[4]};
    heads_and_row("lrrrrr", heads, row);
}

static void print_flags(unsigned flags)
{
    for (int i = 0; i < CAROM_FLAG_COUNT; i++)
        if (flags >> i & 1)
            printf("%s  flag     %s: %s%s\n", term_red(), carom_flag_word((carom_flag)i),
                   carom_flag_meaning((carom_flag)i), term_plain());
    if (!flags)
        printf("  flags    none\n");
}

/* ---- path and other solutions ---- */

static void print_events(const carom_case *c, const carom_result *result)
{
    static const char *const spatial[] = {"  event", "p_t1", "p_t2", "p_n", "u_t1", "u_t2", "u_n"};
    static const char *const planar[] = {"  event", "p_t", "p_n", "u_t", "u_n"};
    table t = c->dim == 3 ? table_start("lrrrrrr", spatial) : table_start("lrrrr", planar);
    for (int i = 0; i < result->event_count; i++) {
        const carom_event *e = &result->events[i];
        carom_cvec p = e->at.p, u = e->at.u;
        double in_space[] = {p.t1, p.t2, p.n, u.t1, u.t2, u.n}, in_plane[] = {p.t1, p.n, u.t1, u.n};
        char label[CELL + 4];
        snprintf(label, sizeof label, "  %s", carom_event_word(e->kind));
        add_row(&t, label, c->dim == 3 ? in_space : in_plane, 2 * c->dim, NULL);
    }
    printf("\n");
    table_print(&t);
    table_free(&t);
}

/* Time, depth and force of a contact that is followed in time; the modes' energy where bodies vibrate. */
static void print_force(const carom_case *c, const carom_contact_force *f)
{
    static const char *const heads[] = {"  contact", "time, s", "depth, m", "peak force, N", "vibration, J"};
    const double values[] = {f->duration, f->max_compression, f->peak_force, f->vibration_energy};
    char text[4][CELL];
    const char *row[5] = {""};
    for (int i = 0; i < 4; i++) {
        report_number(text[i], CELL, values[i], 0);
        row[i + 1] = text[i];
    }
    heads_and_row(c->rule.vibration ? "lrrrr" : "lrrr", heads, row);
}

static void print_path(const carom_case *c, const carom_result *result)
{
    const carom_phases *ph = &result->outcome.phases;
    printf("  phases   %d; work of compression %.6g J, of restitution %.6g J", ph->phases, ph->work_compression,
           ph->work_decompression);
    printf(ph->path ? "; path %s\n" : "\n", ph->path);
    if (result->event_count)
        print_events(c, result);
}

static void print_solutions(const carom_case *c, const carom_outcome *out)
{
    static const char *const spatial[] = {"  solutions", "p_t1", "p_t2", "p_n", ""};
    static const char *const planar[] = {"  solutions", "p_t", "p_n", ""};
    table t = c->dim == 3 ? table_start("lrrrl", spatial) : table_start("lrrl", planar);
    int count = out->solutions < CAROM_SOLUTIONS_KEPT ? out->solutions : CAROM_SOLUTIONS_KEPT;
    for (int i = 0; i < count; i++) {
        char label[CELL];
        snprintf(label, sizeof label, "  %d of %d", i + 1, out->solutions);
        add_contact(&t, c, label, out->solutions > 1 ? out->all[i] : out->p, "");
    }
    printf("\n");
    table_print(&t);
    table_free(&t);
}

void report_case(const carom_case *c, const carom_result *result, bool all)
{
    const carom_outcome *out = &result->outcome;
    if (c->several) {
        report_several(c, result, all);
        return;
    }
    print_head(c, out);
    print_contact(c, out);
    if (c->source == CAROM_SOURCE_BODIES)
        print_bodies(c, result);
    if (c->source == CAROM_SOURCE_MECHANISM && result->qdot_after)
        print_speeds(c, result);
    print_energy(result);
    print_restitution(out);
    if (c->rule.law->traits & CAROM_TRAIT_CONTACT_FORCE)
        print_force(c, &out->force);
    printf("\n");
    print_flags(out->flags);
    if (out->phases.phases > 0)
        print_path(c, result);
    if (all)
        print_solutions(c, out);
}

void report_line_head(void)
{
    printf("%s%-*s %-19s %-10s %10s %10s %10s  %s%s\n", term_bold(), NAME_WIDTH, "name", "law", "status", "p_t1",
           "p_t2", "p_n", "flags", term_plain());
}

void report_line(const carom_case *c, const carom_result *result)
{
    const carom_outcome *out = &result->outcome;
    char p[3 * CELL], flags[64];
    if (c->several) {
        report_several_line(c, result);
        return;
    }
    if (c->dim == 3)
        snprintf(p, sizeof p, "%10.4g %10.4g %10.4g", out->p.t1 + 0.0, out->p.t2 + 0.0, out->p.n);
    else
        snprintf(p, sizeof p, "%10.4g %21.4g", out->p.t1 + 0.0, out->p.n);
    report_flags(flags, sizeof flags, out->flags, "");
    text_print(c->name ? c->name : "", NAME_WIDTH);
    printf(" %-19s %-10s %s%s%s\n", c->rule.law->id, carom_status_id(out->status), p, flags[0] ? "  " : "", flags);
}
