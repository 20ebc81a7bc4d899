#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/patch.h"
#include "carom/words.h"
#include "table.h"
#include "term.h"

enum { CELL = REPORT_CELL, NAME_WIDTH = 24, STORY = 256 };

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

void report_name(const carom_case *c)
{
    if (!c->name)
        return;
    fputs(term_bold(), stdout);
    text_put(c->name);
    printf("%s\n", term_plain());
}

/* "(e 0.5, mu 0.3)" */
static void print_coefficients(const carom_case *c)
{
    const char *separator = " (";
    for (int i = 0; i < CAROM_COEFF_COUNT; i++) {
        double value = carom_coeffs_get(&c->rule.coeffs, (carom_coeff)i);
        if (!(c->rule.law->uses >> i & 1) || carom_coeff_is_silent((carom_coeff)i, value))
            continue;
        char text[CELL];
        report_coefficient(text, sizeof text, value);
        printf("%s%s %s", separator, carom_coeff_at((carom_coeff)i)->name, text);
        separator = ", ";
    }
    printf(separator[0] == ' ' ? " ()" : ")");
}

/* Contacts that are solved together have their coefficients in their rows. */
static void print_options(const carom_together_rule *rule)
{
    if (rule->law->traits & CAROM_TRAIT_ONE_BY_ONE)
        printf(", base %s, order %s", rule->base ? rule->base->id : "newton", rule->options.order ? "sweep" : "worst");
    if (rule->options.cone)
        printf(", convex cone");
}

static void print_head(const carom_case *c, const carom_result *result)
{
    const carom_outcome *out = &result->outcome;
    char story[STORY];
    report_name(c);
    printf("  law      %s", carom_case_law(c));
    if (c->together)
        print_options(&c->together_rule);
    else
        print_coefficients(c);
    printf("\n  status   %s: %s\n", carom_status_id(out->status), carom_status_message(out->status));
    if (!c->together)
        printf("  mode     %s\n", out->mode ? out->mode : "");
    if (out->solutions > 1)
        printf("  chosen   one of %d admissible solutions; --all lists them\n", out->solutions);
    report_story(c, result, story, sizeof story);
    if (c->together)
        printf("  inside   %s\n", story);
}

/* ---- vectors ---- */

int report_vector(const carom_case *c, carom_cvec v, double x[3])
{
    const double spatial[3] = {v.t1, v.t2, v.n}, planar[3] = {v.t1, v.n, 0};
    memcpy(x, c->dim == 3 ? spatial : planar, sizeof spatial);
    return c->dim;
}

int report_motion(const carom_case *c, const carom_body *b, double x[6])
{
    const carom_vec3 v = b->velocity, w = b->omega;
    const double spatial[6] = {v.x, v.y, v.z, w.x, w.y, w.z}, planar[6] = {v.x, v.y, w.z};
    memcpy(x, c->dim == 3 ? spatial : planar, sizeof spatial);
    return c->dim == 3 ? 6 : 3;
}

static double largest(int count, const double *x)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

void report_row(table *t, const char *label, const double *x, int count, const char *unit)
{
    char text[REPORT_NUMBERS][CELL];
    const char *row[REPORT_NUMBERS + 2] = {label};
    for (int i = 0; i < count; i++) {
        report_number(text[i], CELL, x[i], largest(count, x));
        row[i + 1] = text[i];
    }
    row[count + 1] = unit;
    table_add(t, ROW_PLAIN, row);
}

static void add_contact(table *t, const carom_case *c, const char *label, carom_cvec v, const char *unit)
{
    double x[3];
    const int count = report_vector(c, v, x);
    report_row(t, label, x, count, unit);
}

void report_single(const char *align, const char *const *heads, const char *const *row)
{
    table t = table_start(align, heads);
    table_add(&t, ROW_PLAIN, row);
    printf("\n");
    table_end(&t);
}

/* One contact: impulse and velocities, axis by axis. */
static void print_contact(const carom_case *c, const carom_result *result)
{
    static const char *const spatial[] = {"  contact axes", "t1", "t2", "n", ""};
    static const char *const planar[] = {"  contact axes", "t", "n", ""};
    table t = c->dim == 3 ? table_start("lrrrl", spatial) : table_start("lrrl", planar);
    add_contact(&t, c, "  impulse p", carom_result_p(c, result, 0), "N s");
    add_contact(&t, c, "  u before", carom_case_u(c, 0), "m/s");
    add_contact(&t, c, "  u after", carom_result_u_after(c, result, 0), "m/s");
    printf("\n");
    table_end(&t);
}

typedef struct contact_scales {
    double impulse, speed;
} contact_scales;

static void add_listed(table *t, const carom_case *c, const carom_result *result, int i, contact_scales s)
{
    char label[96], text[9][CELL];
    const char *row[10] = {label};
    double p[3], after[3];
    int k = 0;
    snprintf(label, sizeof label, "  %d", i + 1);
    if (c->source == CAROM_SOURCE_BODIES)
        snprintf(label, sizeof label, "  %d %.24s/%.24s", i + 1, c->names[c->pairs[i].a],
                 c->pairs[i].b < 0 ? "world" : c->names[c->pairs[i].b]);
    report_vector(c, carom_result_p(c, result, i), p);
    report_vector(c, carom_result_u_after(c, result, i), after);
    snprintf(text[k++], CELL, "%.4g", c->coeffs[i].e);
    snprintf(text[k++], CELL, "%.4g", c->coeffs[i].mu);
    for (int a = 0; a < c->dim; a++)
        report_number(text[k++], CELL, p[a], s.impulse);
    report_number(text[k++], CELL, carom_case_u(c, i).n, s.speed);
    for (int a = 0; a < c->dim; a++)
        report_number(text[k++], CELL, after[a], s.speed);
    for (int a = 0; a < k; a++)
        row[a + 1] = text[a];
    table_add(t, ROW_PLAIN, row);
}

/* Contacts that are solved together, a row each: who touches, coefficients, impulse, velocities. */
static void print_contacts(const carom_case *c, const carom_result *result)
{
    static const char *const planar[] = {"  contact", "e", "mu", "p_t", "p_n", "u_n", "u_t after", "u_n after"};
    static const char *const spatial[] = {"  contact", "e",   "mu",         "p_t1",       "p_t2",
                                          "p_n",       "u_n", "u_t1 after", "u_t2 after", "u_n after"};
    const int n = c->count * c->contacts.dim;
    const contact_scales scales = {largest(n, result->together.p),
                                   fmax(largest(n, c->contacts.u), largest(n, result->together.u_after))};
    table t = c->dim == 3 ? table_start("lrrrrrrrrr", spatial) : table_start("lrrrrrrr", planar);
    for (int i = 0; i < c->count; i++)
        add_listed(&t, c, result, i, scales);
    printf("\n");
    table_end(&t);
}

int report_spins(const carom_case *c)
{
    return (c->together ? c->contacts.dim : c->dim == 3 ? carom_patch_size(carom_case_coeffs(c, 0)) : 3) - 3;
}

/* Moments of contacts with a patch, and the spins that they leave. */
static void print_spins(const carom_case *c, const carom_result *result)
{
    static const char *const patch[] = {"  moments, N m s and rad/s", "m_n", "w_n after", ""};
    static const char *const rolling[] = {
        "  moments, N m s and rad/s", "m_n", "m_t1", "m_t2", "w_n after", "w_t1 after", "w_t2 after", ""};
    const int spins = report_spins(c);
    if (spins < 1)
        return;
    table t = spins == 1 ? table_start("lrrl", patch) : table_start("lrrrrrrl", rolling);
    for (int i = 0; i < c->count; i++) {
        const carom_cspin m = carom_result_m(c, result, i), w = carom_result_w_after(c, result, i);
        const double x[2][3] = {{m.n, m.t1, m.t2}, {w.n, w.t1, w.t2}};
        char label[32], text[6][CELL];
        const char *row[8] = {label};
        snprintf(label, sizeof label, c->together ? "  %d" : "", i + 1);
        for (int k = 0; k < 2 * spins; k++) {
            report_number(text[k], CELL, x[k / spins][k % spins], largest(3, x[k / spins]));
            row[k + 1] = text[k];
        }
        row[2 * spins + 1] = "";
        table_add(&t, ROW_PLAIN, row);
    }
    printf("\n");
    table_end(&t);
}

static void add_motion(table *t, const carom_case *c, const char *label, const carom_body *body)
{
    double x[6];
    const int count = report_motion(c, body, x);
    report_row(t, label, x, count, "");
}

/* Movable bodies: of one contact before and after, of several after. Body A is always shown. */
static void print_bodies(const carom_case *c, const carom_result *result)
{
    const char *head = c->together ? "  body after, m/s and rad/s" : "  bodies, m/s and rad/s";
    const char *const spatial[] = {head, "v_x", "v_y", "v_z", "w_x", "w_y", "w_z", ""};
    const char *const planar[] = {head, "v_x", "v_y", "w", ""};
    table t = c->dim == 3 ? table_start("lrrrrrrl", spatial) : table_start("lrrrl", planar);
    for (int i = 0; i < c->body_count; i++) {
        char label[64];
        if (c->bodies[i].inv_mass == 0 && (c->together || i == 1))
            continue;
        snprintf(label, sizeof label, "  %c before", "AB"[i == 1]);
        if (!c->together)
            add_motion(&t, c, label, &c->bodies[i]);
        snprintf(label, sizeof label, "  %c after", "AB"[i == 1]);
        if (c->together)
            snprintf(label, sizeof label, "  %.48s", c->names[i]);
        add_motion(&t, c, label, &result->bodies[i]);
    }
    printf("\n");
    table_end(&t);
}

static void print_speeds(const carom_case *c, const carom_result *result)
{
    static const char *const heads[] = {"  speed", "before", "after"};
    table t = table_start("lrr", heads);
    for (int i = 0; i < c->mechanism.n; i++) {
        char label[CELL];
        snprintf(label, sizeof label, "  qdot %d", i + 1);
        const double x[2] = {c->mechanism.qdot[i], result->qdot_after[i]};
        char before[CELL], after[CELL];
        report_number(before, CELL, x[0], 0);
        report_number(after, CELL, x[1], 0);
        const char *row[] = {label, before, after};
        table_add(&t, ROW_PLAIN, row);
    }
    printf("\n");
    table_end(&t);
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

/* The works of one contact add up to the change. Percentages are of the contact energy, the part that impulses at this
 * contact can reach; percentages of the whole kinetic energy stand beside them. */
static void print_energy(const carom_case *c, const carom_result *result)
{
    const carom_energy *e = &result->energy;
    const carom_turning *turning = &result->outcome.turning;
    const int spins = report_spins(c);
    const struct {
        const char *head;
        double value;
        bool is_there;
    } works[] = {{"before", e->before, true},        {"normal", e->normal, true},
                 {"friction", e->friction, true},    {"spin", turning->spin, spins > 0},
                 {"roll", turning->roll, spins > 1}, {"change", e->change, true},
                 {"after", e->after, true}};
    enum { WORKS = sizeof works / sizeof works[0] };
    char text[WORKS][CELL], contact[REPORT_CELL], kinetic[REPORT_CELL], align[WORKS + 4] = "l";
    const char *heads[WORKS + 4] = {"  energy, J"}, *row[WORKS + 4] = {""};
    int k = 1;
    if (c->together) {
        printf("\n  energy   before %.6g J, change %.6g J", e->before, e->change + 0.0);
        if (e->before > 0)
            printf(" (%+.1f %%)", 100 * e->change / e->before + 0.0);
        printf(", after %.6g J\n", e->after);
        return;
    }
    for (int i = 0; i < WORKS; i++)
        if (works[i].is_there) {
            report_number(text[i], CELL, works[i].value, e->before);
            heads[k] = works[i].head;
            row[k++] = text[i];
        }
    report_percents(result, contact, kinetic);
    heads[k] = "of contact", row[k++] = contact;
    heads[k] = "of kinetic", row[k++] = kinetic;
    memset(align + 1, 'r', (size_t)k - 1);
    report_single(align, heads, row);
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
    report_single("lrrrrr", heads, row);
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

void report_case(const carom_case *c, const carom_result *result, bool all)
{
    print_head(c, result);
    if (c->together)
        print_contacts(c, result);
    else
        print_contact(c, result);
    print_spins(c, result);
    if (c->source == CAROM_SOURCE_BODIES)
        print_bodies(c, result);
    if (c->source == CAROM_SOURCE_MECHANISM)
        print_speeds(c, result);
    report_stroke(c, result);
    print_energy(c, result);
    if (!c->together)
        print_restitution(&result->outcome);
    report_force(c, result);
    if (!c->together)
        printf("\n");
    print_flags(result->outcome.flags);
    report_path(c, result);
    if (all)
        report_solutions(c, result);
}

void report_line_head(void)
{
    printf("%s%-*s %-19s %-10s %10s %10s %10s  %s%s\n", term_bold(), NAME_WIDTH, "name", "law", "status", "p_t1",
           "p_t2", "p_n", "flags", term_plain());
}

void report_line(const carom_case *c, const carom_result *result)
{
    const carom_cvec p = result->outcome.p;
    char text[3 * CELL], flags[96];
    if (c->together)
        report_story(c, result, text, 64);
    else if (c->dim == 3)
        snprintf(text, sizeof text, "%10.4g %10.4g %10.4g", p.t1 + 0.0, p.t2 + 0.0, p.n);
    else
        snprintf(text, sizeof text, "%10.4g %21.4g", p.t1 + 0.0, p.n);
    report_flags(flags, sizeof flags, result->outcome.flags, "");
    text_print(c->name ? c->name : "", NAME_WIDTH);
    printf(" %-19s %-10s %-32s%s%s\n", carom_case_law(c), carom_status_id(result->outcome.status), text,
           flags[0] ? "  " : "", flags);
}
