/* carom compare: every law on one case, in one table. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/compare.h"
#include "cli.h"
#include "compare_orders.h"
#include "input.h"
#include "options.h"
#include "report.h"
#include "table.h"

/* Length 2, mass 1; along its own axis a slender rod has hardly any inertia, and this impact does not turn it there. */
static const char built_in[] =
    "{ \"name\": \"a rod at 45 degrees hits the floor, and its slip reverses\",\n"
    "  \"law\": \"chatterjee-momentum\", \"coefficients\": {\"e\": 0.9, \"mu\": 0.5},\n"
    "  \"bodies\": {\n"
    "    \"a\": { \"mass\": 1, \"inertia\": [0.3333333333333333, 0.3333333333333333, 0.0001],\n"
    "           \"orientation\": [0.9238795325112867, 0, 0.3826834323650898, 0],\n"
    "           \"velocity\": [2, 0, -5], \"omega\": [0, 0, 0] },\n"
    "    \"b\": { \"fixed\": true } },\n"
    "  \"contact\": { \"arm_a\": [-0.7071067811865476, 0, -0.7071067811865476], \"normal\": [0, 0, 1] } }\n";

enum { CELL = 24, COLUMNS = 12 };

typedef struct session {
    bool json, kinetic, orders, show;
    settings settings;
    carom_case *c;
    table table;
    bool tangents[2]; /* which contact axes have a column: t1, t2 */
    const char *heads[COLUMNS];
    char align[COLUMNS + 1];
} session;

#define HALF_DECIMAL  5e-5 /* of four decimals: shown as zero, not as -0.0000 */
#define FEW_DECIMALS  0.05 /* sizes between these two have enough digits in four decimals, and not too many */
#define MANY_DECIMALS 1e4
#define ON_AXIS       1e-12 /* sine: a plane this close to a contact axis is along it */

/* A planar problem whose plane holds a contact axis has one tangential column, any other has both. */
static void choose_tangents(session *s)
{
    carom_direction plane;
    bool planar = s->c->dim == 2 || carom_problem_plane(&s->c->problem, &plane) == CAROM_STATUS_OK;
    if (s->c->dim == 2)
        plane = (carom_direction){1, 0};
    s->tangents[0] = !planar || fabs(plane.c) > ON_AXIS;
    s->tangents[1] = !planar || fabs(plane.s) > ON_AXIS;
}

/* Four decimals, so that columns align and digits can be compared; digits where decimals would hide them. */
static void cell(char *text, double value, double scale)
{
    if (scale >= FEW_DECIMALS && scale < MANY_DECIMALS)
        snprintf(text, CELL, "%.4f", fabs(value) < HALF_DECIMAL ? 0.0 : value);
    else
        report_number(text, CELL, value, scale);
}

/* ---- the contacts ---- */

/* The cells of a vector in the axes that have a column; of contacts that are solved together tangent and normal. */
static int vector_cells(const session *s, carom_cvec v, double scale, char text[3][CELL])
{
    int count = 0;
    if (s->c->together)
        cell(text[count++], s->c->dim == 3 ? carom_cvec_slip(v) : v.t1, 1);
    if (!s->c->together && s->tangents[0])
        cell(text[count++], v.t1, scale);
    if (!s->c->together && s->tangents[1])
        cell(text[count++], v.t2, scale);
    cell(text[count++], v.n, s->c->together ? 1 : scale);
    return count;
}

/* What the law did: flags, and the mode or the order of the contacts. */
static void words_of(const carom_case *c, const carom_result *result, char *words, size_t room)
{
    char flags[96], story[64];
    report_flags(flags, sizeof flags, result->outcome.flags, "");
    report_story(c, result, story, sizeof story);
    const char *mode = c->together ? story : result->outcome.mode ? result->outcome.mode : "";
    snprintf(words, room, "%s%s%s", flags, flags[0] ? "; " : "", mode);
}

static void add_row(const session *s, const carom_result *result, int i, table *t)
{
    const carom_case *c = s->c;
    const carom_restitution *r = &result->outcome.restitution;
    const carom_cvec u = carom_case_u(c, i);
    const double speed = sqrt(carom_cvec_dot(u, u)), impulse = speed / c->problem.K.nn;
    char number[CELL], p[3][CELL], v[3][CELL], e[CELL], contact[REPORT_CELL], kinetic[REPORT_CELL], words[192];
    const char *row[COLUMNS] = {i ? "" : carom_case_law(c)};
    const int count = vector_cells(s, carom_result_p(c, result, i), impulse, p);
    vector_cells(s, carom_result_u_after(c, result, i), speed, v);
    snprintf(number, CELL, "%d", i + 1);
    snprintf(e, CELL, r->defined & CAROM_HAS_NEWTON ? "%.3f" : "-", r->newton);
    report_percents(result, contact, kinetic);
    words_of(c, result, words, sizeof words);
    int n = 1;
    if (c->together)
        row[n++] = number;
    for (int k = 0; k < 2 * count; k++)
        row[n++] = k < count ? p[k] : v[k - count];
    if (!c->together) {
        row[n++] = e;
        row[n++] = contact;
    }
    if (s->kinetic || c->together)
        row[n++] = i ? "" : kinetic;
    row[n++] = i ? "" : words;
    table_add(t, result->outcome.flags & (CAROM_FLAG_CREATES_ENERGY | CAROM_FLAG_PENETRATES) ? ROW_BAD : ROW_PLAIN,
              row);
}

static void add_answer(void *context, const carom_case *c, const carom_result *result, const carom_case_error *error)
{
    session *s = context;
    if (!result)
        table_note(&s->table, ROW_DIM, carom_case_law(c), error->rule);
    for (int i = 0; result && i < c->count; i++)
        add_row(s, result, i, &s->table);
}

/* The heads of impulse and velocity; returns the number of heads so far. */
static int vector_heads(const session *s, const char **heads, int n)
{
    static const char *const together[2][4] = {{"p_t", "p_n", "u_t after", "u_n after"},
                                               {"|p_t|", "p_n", "|u_t| after", "u_n after"}};
    const bool planar = s->c->dim == 2;
    for (int k = 0; k < 4 && s->c->together; k++)
        heads[n++] = together[!planar][k];
    for (int after = 0; after < 2 && !s->c->together; after++) {
        if (s->tangents[0])
            heads[n++] = planar ? (after ? "u_t⁺" : "p_t") : after ? "u_t1⁺" : "p_t1";
        if (s->tangents[1])
            heads[n++] = after ? "u_t2⁺" : "p_t2";
        heads[n++] = after ? "u_n⁺" : "p_n";
    }
    return n;
}

static table start_table(session *s)
{
    const bool together = s->c->together;
    const char **heads = s->heads;
    int n = 0;
    heads[n++] = "law";
    if (together)
        heads[n++] = "contact";
    n = vector_heads(s, heads, n);
    if (!together) {
        heads[n++] = "e";
        heads[n++] = "ΔE/E_c";
    }
    if (s->kinetic || together)
        heads[n++] = together ? "ΔE" : "ΔE/E";
    heads[n++] = together ? "flags; inside" : "flags; mode";
    for (int i = 0; i < n; i++)
        s->align[i] = i == 0 || i == n - 1 ? 'l' : 'r';
    s->align[n] = 0;
    return table_start(s->align, heads);
}

/* ---- the bodies ---- */

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
    char text[6][CELL];
    const char *row[7] = {carom_case_law(c)};
    double x[6];
    const int count = report_motion(c, &result->bodies[bt->body], x);
    for (int k = 0; k < count; k++) {
        cell(text[k], x[k], 1);
        row[k + 1] = text[k];
    }
    table_add(&bt->table, ROW_PLAIN, row);
}

static void print_body(carom_case *c, int i)
{
    char head[80];
    const char *planar[] = {head, "v_x", "v_y", "w"};
    const char *spatial[] = {head, "v_x", "v_y", "v_z", "w_x", "w_y", "w_z"};
    snprintf(head, sizeof head, "%.60s", c->names[i]);
    body_table bt = {c->dim == 3 ? table_start("lrrrrrr", spatial) : table_start("lrrr", planar), i};
    carom_case_each_law(c, add_body, &bt);
    printf("\n");
    table_end(&bt.table);
}

/* ---- the page ---- */

static void print_head(const carom_case *c)
{
    const carom_cvec u = c->problem.u;
    char mu[CELL];
    report_name(c);
    if (c->together)
        return;
    printf("u before");
    if (c->dim == 2)
        printf("  u_t %.6g", u.t1);
    else
        printf("  u_t1 %.6g  u_t2 %.6g", u.t1 + 0.0, u.t2 + 0.0);
    report_coefficient(mu, sizeof mu, c->rule.coeffs.mu);
    printf("  u_n %.6g m/s;  e %.6g, e_t %.6g, mu %s\n\n", u.n, c->rule.coeffs.e, c->rule.coeffs.e_t, mu);
}

static void print_table(session *s)
{
    carom_case *c = s->c;
    if (!c->together)
        choose_tangents(s);
    s->table = start_table(s);
    carom_case_each_law(c, add_answer, s);
    print_head(c);
    table_end(&s->table);
    for (int i = 0; c->together && i < c->body_count; i++)
        if (c->bodies[i].inv_mass > 0)
            print_body(c, i);
    if (c->together)
        printf("\nimpulses in N s, velocities in m/s and rad/s; ΔE is of the energy before\n");
    else
        printf("\nimpulses in N s, velocities after (⁺) in m/s, in the contact axes of `carom solve`; e is -u_n⁺/u_n;\n"
               "E_c is the contact energy before: what an impulse at this contact can take%s\n",
               s->kinetic ? "; E is all kinetic energy before" : "");
}

static int refuse(const carom_case_error *error)
{
    fprintf(stderr, "%s%s", error->message, error->message[0] ? "\n" : "");
    return BAD_INPUT;
}

static int compare(carom_case *c, void *context)
{
    session *s = context;
    carom_case_error error;
    s->c = c;
    if (!settings_apply_to_all(&s->settings, c, &error) || !settings_warn_of_all(&s->settings, c, &error))
        return refuse(&error);
    if (s->orders)
        return compare_orders(c, s->json);
    if (s->json)
        json_print_free(stdout, carom_case_compare(c));
    else
        print_table(s);
    return FINE;
}

static int compare_built_in(session *s)
{
    carom_text text = {"built-in case", 1, built_in, sizeof built_in - 1};
    carom_case c = {0};
    carom_case_error error;
    int status = carom_case_read(&text, &c, &error) ? compare(&c, s) : complain("%s", error.message);
    carom_case_free(&c);
    return status;
}

/* ---- options ---- */

static const option_row options[] = {
    JSON_OPTION(session, "all answers as one JSON object"),
    SET_OPTION(session),
    STRICT_OPTION(session),
    {"kinetic", NULL, "also the change in percent of all kinetic energy", .at = offsetof(session, kinetic)},
    {"orders", NULL, "several contacts: `sequential` over all orders, the spread of its outcomes",
     .at = offsetof(session, orders)},
    {"show-case", NULL, "print the built-in case and stop", .at = offsetof(session, show)},
    {.name = NULL}};

const command_help help_compare = {
    .usage = "usage: carom compare [options] [CASE]\n\n"
             "Runs every law on one case and prints one table: impulse, velocity afterwards, measured restitution,\n"
             "energy. A law that does not apply shows why. Without CASE a built-in one is used: a rod at 45\n"
             "degrees whose end hits the floor, so that friction reverses the slip.\n\n",
    options,
    "\nexample    carom compare --set mu=0.1\n"};

int cmd_compare(int argc, char **argv)
{
    session s = {0};
    if (!options_read("compare", &help_compare, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind > 1)
        return complain("compare: one case at a time; see `carom compare --help`");
    if (s.show) {
        fputs(built_in, stdout);
        return FINE;
    }
    return optind < argc ? input_one_case("compare", argv[optind], compare, &s) : compare_built_in(&s);
}
