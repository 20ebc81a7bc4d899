/* carom compare: every law on one case, in one table. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "input.h"
#include "report.h"
#include "table.h"
#include "term.h"

const char help_compare[] =
    "usage: carom compare [options] [CASE]\n\n"
    "Runs every law on one case and prints one table: impulse, velocity afterwards, measured restitution,\n"
    "energy. For a law that does not apply, the reason. Without CASE a built-in one is used: a rod at 45\n"
    "degrees whose end hits the floor, so that friction reverses the slip.\n\n"
    "      --json            all answers as one JSON object\n"
    "      --set KEY=VALUE   this coefficient or option instead (may be repeated);\n"
    "                        eta also as poisson:0.3 or frequencies:OMEGA_T:OMEGA_N\n"
    "      --show-case       print the built-in case and stop\n\n"
    "example    carom compare --set mu=0.1\n";

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

typedef struct session {
    bool json;
    settings settings;
    carom_case *c;
    int laws;              /* how many of the manifest are shown */
    bool planar;           /* the problem has a plane, and tangential numbers have a sign */
    carom_direction plane; /* its tangent */
} session;

enum { CELL = 24 };

#define HALF_DECIMAL  5e-5 /* of four decimals: shown as zero, not as -0.0000 */
#define FEW_DECIMALS  0.05 /* sizes between these two have enough digits in four decimals, and not too many */
#define MANY_DECIMALS 1e4

static double tangential(const session *s, carom_cvec v)
{
    double along = v.t1 * s->plane.c + v.t2 * s->plane.s;
    return s->planar ? along : carom_cvec_slip(v);
}

/* Four decimals, so that columns align and digits can be compared; digits where decimals would hide them. */
static void cell(char *text, double value, double scale)
{
    if (scale >= FEW_DECIMALS && scale < MANY_DECIMALS)
        snprintf(text, CELL, "%.4f", fabs(value) < HALF_DECIMAL ? 0.0 : value);
    else
        report_number(text, CELL, value, scale);
}

static void add_answer(const session *s, const carom_result *result, table *t)
{
    const carom_outcome *out = &result->outcome;
    double values[] = {tangential(s, out->p), out->p.n, tangential(s, out->u_after), out->u_after.n};
    char text[6][CELL], words[128], flags[80];
    carom_cvec u = s->c->problem.u;
    double speed = sqrt(carom_cvec_dot(u, u)), impulse = speed / s->c->problem.K.nn;
    for (int i = 0; i < 4; i++)
        cell(text[i], values[i], i < 2 ? impulse : speed);
    snprintf(text[4], CELL, out->restitution.defined & CAROM_HAS_NEWTON ? "%.3f" : "-", out->restitution.newton);
    double percent = 100 * result->energy.change / result->energy.before;
    snprintf(text[5], CELL, result->energy.before > 0 ? fabs(percent) < 0.05 ? "0.0 %%" : "%+.1f %%" : "-", percent);
    report_flags(flags, sizeof flags, out->flags, "");
    snprintf(words, sizeof words, "%s%s%s", flags, flags[0] ? "; " : "", out->mode ? out->mode : "");
    const char *row[] = {s->c->rule.law->id, text[0], text[1], text[2], text[3], text[4], text[5], words};
    table_add(t, out->flags & (CAROM_FLAG_CREATES_ENERGY | CAROM_FLAG_PENETRATES) ? ROW_BAD : ROW_PLAIN, row);
}

/* Solve with law i. */
static bool solve(session *s, int i, carom_result *result, carom_case_error *error)
{
    s->c->rule.law = carom_law_at(i);
    if (!carom_case_check(s->c, error))
        return false;
    carom_status status = carom_case_solve(s->c, result);
    return !carom_status_is_refusal(status) || carom_case_refuse(s->c, status, error);
}

static void print_head(const session *s)
{
    const carom_case *c = s->c;
    if (c->name) {
        fputs(term_bold(), stdout);
        text_put(c->name);
        printf("%s\n", term_plain());
    }
    printf("u before");
    if (s->planar)
        printf("  u_t %.6g", tangential(s, c->problem.u));
    else
        printf("  u_t1 %.6g  u_t2 %.6g", c->problem.u.t1, c->problem.u.t2);
    printf("  u_n %.6g m/s;  e %.6g, e_t %.6g, mu %.6g\n\n", c->problem.u.n, c->rule.coeffs.e, c->rule.coeffs.e_t,
           c->rule.coeffs.mu);
}

static void print_table(session *s)
{
    static const char *const signed_heads[] = {"law", "p_t", "p_n", "u_t after", "u_n after", "e", "ΔE", "flags; mode"};
    static const char *const sizes_heads[] = {"law",       "|p_t|", "p_n", "|u_t| after",
                                              "u_n after", "e",     "ΔE",  "flags; mode"};
    carom_result result = {0};
    carom_case_error error;
    table t = table_start("lrrrrrrl", s->planar ? signed_heads : sizes_heads);
    for (int i = 0; i < s->laws; i++)
        if (solve(s, i, &result, &error))
            add_answer(s, &result, &t);
        else
            table_note(&t, ROW_DIM, s->c->rule.law->id, error.rule);
    print_head(s);
    table_print(&t);
    table_free(&t);
    carom_result_free(&result);
    printf("\nimpulses in N s, velocities in m/s; e is -u_n after / u_n before; ΔE is of the energy before\n");
}

static void print_json(session *s)
{
    carom_result result = {0};
    carom_case_error error;
    json_t *answers = json_array(), *all = json_object();
    for (int i = 0; i < s->laws; i++)
        json_array_append_new(answers, solve(s, i, &result, &error) ? json_answer(s->c, &result)
                                                                    : json_error_answer(s->c, &error));
    if (s->c->name)
        json_object_set_new(all, "name", json_string(s->c->name));
    json_object_set_new(all, "answers", answers);
    json_print(stdout, all, false);
    json_decref(all);
    carom_result_free(&result);
}

/* Contact-force laws, last in the manifest, need stiffnesses: shown when the case has such a law itself. */
static int shown_laws(const carom_law *own)
{
    int count = 0, all = carom_law_count();
    bool stiff = own && (own->traits & CAROM_TRAIT_CONTACT_FORCE);
    while (count < all && (stiff || !(carom_law_at(count)->traits & CAROM_TRAIT_CONTACT_FORCE)))
        count++;
    return count;
}

static int compare(carom_case *c, void *context)
{
    session *s = context;
    carom_case_error error;
    s->c = c;
    if (!settings_apply_to_all(&s->settings, c, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return BAD_INPUT;
    }
    s->laws = shown_laws(c->rule.law);
    s->planar = carom_problem_plane(&c->problem, &s->plane) == CAROM_STATUS_OK;
    if (c->dim == 2)
        s->plane = (carom_direction){1, 0};
    if (s->json)
        print_json(s);
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

static bool read_options(int argc, char **argv, session *s, bool *show)
{
    static const struct option options[] = {{"json", no_argument, NULL, 'j'},
                                            {"set", required_argument, NULL, 's'},
                                            {"show-case", no_argument, NULL, 'c'},
                                            {NULL, 0, NULL, 0}};
    for (int o; (o = getopt_long(argc, argv, ":j", options, NULL)) != -1;) {
        s->json |= o == 'j';
        *show |= o == 'c';
        if (o == 's' && !settings_set(&s->settings, optarg))
            return false;
        if (o == '?' || o == ':') {
            complain_option("compare", o, argv);
            return false;
        }
    }
    return true;
}

int cmd_compare(int argc, char **argv)
{
    session s = {0};
    bool show = false;
    if (!read_options(argc, argv, &s, &show))
        return BAD_INPUT;
    if (argc - optind > 1)
        return complain("compare: one case at a time; see `carom compare --help`");
    if (show) {
        fputs(built_in, stdout);
        return FINE;
    }
    return optind < argc ? input_one_case("compare", argv[optind], compare, &s) : compare_built_in(&s);
}
