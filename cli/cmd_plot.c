/* carom plot: pictures of an impact. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/inputs.h"
#include "carom/plot.h"
#include "cli.h"
#include "fit_figures.h"
#include "input.h"
#include "options.h"
#include "output.h"
#include "plot_path_together.h"

typedef struct kind {
    const char *name;
    carom_plot_draw *draw;
    bool has_path; /* shows the path of one law */
} kind;

static const kind kinds[] = {{"scene", carom_plot_scene, false},
                             {"region", carom_plot_region, false},
                             {"hodograph", carom_plot_hodograph, false},
                             {"patch", carom_plot_patch, false},
                             {"impulse", carom_plot_impulse, true},
                             {"energy", carom_plot_energy, true},
                             {"force", carom_plot_force, false},
                             {"force-displacement", carom_plot_force_displacement, false},
                             {"outcome", carom_plot_outcome, false},
                             {"speeds", carom_plot_speeds, false},
                             {"fit", NULL, false},
                             {"profile", NULL, false}};

enum { KINDS = sizeof kinds / sizeof kinds[0], WORDS = 512 };

typedef struct session {
    const kind *kind;
    const char *output;
    settings settings;
    carom_plot plot;
    char shown[WORDS];
    carom_variables v; /* a sweep along a path of the file */
    carom_inputs input;
    bool speed; /* --against speed */
} session;

/* ---- options ---- */

static bool take_laws(void *session_, const char *list, const option_row *row)
{
    session *s = session_;
    (void)row;
    char words[WORDS], *place = NULL;
    snprintf(words, sizeof words, "%s", list);
    for (char *word = strtok_r(words, ",", &place); word; word = strtok_r(NULL, ",", &place)) {
        settings one = {0};
        if (s->plot.law_count == CAROM_PLOT_LAWS || !settings_law(&one, word))
            return false;
        if (one.together)
            s->settings.together = one.together;
        else
            s->plot.laws[s->plot.law_count++] = one.law;
    }
    return true;
}

static bool take_shown(void *session_, const char *list, const option_row *row)
{
    session *s = session_;
    (void)row;
    char *place = NULL;
    snprintf(s->shown, sizeof s->shown, "%s", list);
    for (char *word = strtok_r(s->shown, ",", &place); word; word = strtok_r(NULL, ",", &place)) {
        if (s->plot.shown_count == CAROM_PLOT_SHOWN) {
            complain("--show: at most %d quantities", CAROM_CHART_PANELS);
            return false;
        }
        s->plot.shown[s->plot.shown_count++] = word;
    }
    return true;
}

static bool complain_sweep(const char *text)
{
    complain("--sweep: expected NAME=FROM:TO:POINTS, for example mu=0:1:101, got \"%s\"", text);
    return false;
}

/* FROM:TO:POINTS */
static bool read_range(carom_plot_sweep *sweep, const char *range)
{
    char words[3][48] = {"", "", ""}, tail;
    double count;
    if (sscanf(range, "%47[^:]:%47[^:]:%47[^:]%c", words[0], words[1], words[2], &tail) != 3)
        return false;
    bool fine = carom_text_number(words[0], &sweep->from) && carom_text_number(words[1], &sweep->to) &&
                carom_text_number(words[2], &count);
    if (!fine || !(count >= 2 && count <= 100000) || count != floor(count))
        return false;
    sweep->count = (int)count;
    return true;
}

/* Both ends of a coefficient must be in its range; the laws check the rest. */
static bool check_range(const carom_plot_sweep *sweep)
{
    const carom_coeff_info *info = sweep->is_angle ? NULL : carom_coeff_at(sweep->coeff);
    double low = sweep->is_angle ? -90 : sweep->coeff == CAROM_COEFF_e ? -1 : info->min;
    double high = sweep->is_angle ? 90 : info->max;
    const char *range = sweep->is_angle ? "-90...90 degrees" : info->range;
    if (fmin(sweep->from, sweep->to) >= low && fmax(sweep->from, sweep->to) <= high)
        return true;
    complain("--sweep: %s must stay in %s", sweep->is_angle ? "angle" : info->name, range);
    return false;
}

/* The case with the swept number of its file at this value. */
static bool at_path(void *context, double value, carom_case *c)
{
    carom_case_error error;
    return carom_inputs_case(context, &value, c, &error);
}

static bool take_sweep(void *session_, const char *text, const option_row *row)
{
    session *s = session_;
    carom_plot_sweep *sweep = &s->plot.sweep;
    const char *equals = strchr(text, '=');
    char name[64];
    if (!equals || equals - text >= (long)sizeof name || !read_range(sweep, equals + 1))
        return complain_sweep(text);
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    if (!(sweep->from < sweep->to)) {
        complain("--sweep %s: FROM must be below TO (%g is not below %g)", name, sweep->from, sweep->to);
        return false;
    }
    sweep->is_angle = strcmp(name, "angle") == 0;
    sweep->coeff = carom_coeff_find(name);
    if (sweep->is_angle || sweep->coeff < CAROM_COEFF_COUNT)
        return check_range(sweep);
    carom_vary_free(&s->v);
    sweep->at = at_path;
    sweep->context = &s->input;
    carom_case_error error;
    return carom_vary_add(&s->v, row->name, text, &error) || (complain_error(NULL, &error), false);
}

static bool take_speeds(void *session_, const char *text, const option_row *row)
{
    session *s = session_;
    (void)row;
    int *at = s->plot.speeds;
    char tail;
    if (sscanf(text, "%5d,%5d%c", &at[0], &at[1], &tail) == 2 && at[0] > 0 && at[1] > 0 && at[0] != at[1])
        return true;
    complain("--speeds: expected two different numbers from 1, for example 1,3, got \"%s\"", text);
    return false;
}

static bool take_against(void *session_, const char *word, const option_row *row)
{
    session *s = session_;
    (void)row;
    s->speed = strcmp(word, "speed") == 0;
    if (!s->speed && strcmp(word, "angle") != 0)
        complain("--against: must be \"angle\" or \"speed\", got \"%s\"", word);
    return s->speed || strcmp(word, "angle") == 0;
}

static const option_row options[] = {
    {"output", "FILE", "the ending is the format; the file appears complete or not at all",
     .at = offsetof(session, output), NULL, 'o'},
    {"law", "ID[,ID...]", "these laws (region: all; others: the case's own)", .take = take_laws},
    SET_OPTION(session),
    {"sweep", "NAME=FROM:TO:POINTS",
     "outcome: NAME is a coefficient, angle (degrees from the normal), or the path of a number in the case "
     "(bodies.a.velocity.0)",
     .take = take_sweep},
    {"show", "NAME[,NAME...]",
     "outcome: up to three of u_t, u_t1, u_t2, u_n, p_t, p_n, ratio, loss, restitution, v_x ... w_z of body A "
     "(default u_t,u_n,loss); profile: the coefficient",
     .take = take_shown},
    {"against", "WHAT", "fit: angle (default) or speed", .take = take_against},
    {"reach", NULL, "region: outline what each law reaches when its coefficients sweep",
     .at = offsetof(session, plot.reach)},
    {"speeds", "I,J", "speeds: which two, counted from 1 (default 1,2)", .take = take_speeds},
    STRICT_OPTION(session),
    {"title", "TEXT", "instead of the name of the case", .at = offsetof(session, plot.title)},
    {.name = NULL}};

const command_help help_plot = {
    .usage = "usage: carom plot KIND [options] CASE -o FILE.svg|.png|.pdf\n\n"
             "Draws one picture of a case. KIND is\n"
             "  scene       the bodies and their contact, velocities before and after, the impulse\n"
             "  region      the plane of impulses: energy ellipse, friction cone, accessible region, all outcomes\n"
             "  hodograph   the plane of slip: flow, invariant rays, the starts that come to rest, this case's path\n"
             "  patch       contacts with a patch: what force and moment friction can have, this case's path in it\n"
             "  impulse     tangential impulse and relative velocity against the normal impulse, with events\n"
             "  energy      works and stored energy against the normal impulse\n"
             "  force       contact-force laws: normal and tangential force and compression against time;\n"
             "              several contacts: forces, tangential springs and modes inside the impact\n"
             "  force-displacement   the same forces against compression\n"
             "  outcome     quantities afterwards, against a coefficient or the angle of approach, for several laws\n"
             "  fit         recorded impacts (data of `carom fit`) and fitted laws: over the angle, or predicted\n"
             "              over measured\n"
             "  profile     how chi2 rises with one coefficient (--show) of a fitted law\n"
             "  speeds      the plane of two generalized speeds of a mechanism: path, lines v_t = 0 and v_n = 0\n\n",
    options,
    "\nexample    carom plot outcome examples/cases/rod.json --sweep mu=0:1:101 \\\n"
    "               --law routh-stronge,smith,chatterjee-momentum -o rod.svg\n"};

static bool find_kind(session *s, const char *word)
{
    const char *names[KINDS + 1] = {NULL};
    char known[256] = "";
    for (int i = 0; i < KINDS; i++) {
        names[i] = kinds[i].name;
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", names[i]);
        if (strcmp(word, names[i]) == 0)
            s->kind = &kinds[i];
    }
    if (s->kind)
        return true;
    const char *hint = carom_nearest(word, names);
    if (hint)
        complain("plot: unknown kind \"%s\"; did you mean \"%s\"?", word, hint);
    else
        complain("plot: unknown kind \"%s\"; known are %s", word, known);
    return false;
}

/* Before any work: a name that cannot become a picture. */
static bool check_output(const session *s)
{
    const char *dot = s->output ? strrchr(s->output, '.') : NULL;
    if (!s->output) {
        complain("plot: no output file; give -o FILE.svg, FILE.png or FILE.pdf");
        return false;
    }
    for (const char *const *e = carom_picture_endings(); *e; e++)
        if (dot && strcmp(dot, *e) == 0)
            return true;
    complain("%s: unknown ending; known are .svg, .png and .pdf", s->output);
    return false;
}

/* ---- the command ---- */

/* Does this law use what is swept? */
static bool uses_sweep(const session *s, const carom_law *law)
{
    const carom_plot_sweep *w = &s->plot.sweep;
    return w->is_angle || w->at || !w->count || law->uses >> w->coeff & 1 ||
           (w->coeff == CAROM_COEFF_mu_s && law->uses >> CAROM_COEFF_mu & 1);
}

/* A law that refuses the case has no curve and no point; one that ignores the sweep has a flat curve. */
static bool warn_of_laws(session *s, carom_case *c)
{
    int idle = 0, count = s->plot.law_count ? s->plot.law_count : 1;
    for (int i = 0; i < count; i++) {
        const carom_law *law = s->plot.law_count ? s->plot.laws[i] : c->rule.law;
        carom_rule rule = c->rule;
        carom_outcome out;
        rule.law = law;
        carom_status status = carom_solve(&c->problem, &rule, NULL, &out);
        if (s->plot.law_count && carom_status_is_refusal(status) &&
            !settings_raise(&s->settings, c, CAROM_WARNING_LAW, "%s is left out: %s", law->id,
                            carom_status_message(status)))
            return false;
        if (uses_sweep(s, law))
            continue;
        idle++;
        if (!settings_raise(&s->settings, c, CAROM_WARNING_SWEEP, "%s does not use %s", law->id,
                            carom_coeff_at(s->plot.sweep.coeff)->name))
            return false;
    }
    if (s->plot.sweep.count && idle == count) {
        complain("--sweep: no law of this picture uses %s", carom_coeff_at(s->plot.sweep.coeff)->name);
        return false;
    }
    return true;
}

/* The law that is drawn, where it is one, and the warnings. */
static bool choose_law(session *s, carom_case *c)
{
    carom_case_error error;
    bool has_path = s->kind->has_path || (c->together && s->kind->draw == carom_plot_force);
    bool by_one = has_path || s->kind->draw == carom_plot_scene || c->together;
    if (!c->together && !c->rule.law) /* pictures of many laws do not need one of their own */
        c->rule.law = s->plot.law_count ? s->plot.laws[0] : carom_law_find("routh-stronge");
    if (c->together && !c->together_rule.law && !has_path)
        c->together_rule.law = carom_together_find("moreau");
    if (by_one && s->plot.law_count)
        s->settings.law = s->plot.laws[0];
    if (has_path && !settings_path_law(&s->settings, c))
        return false;
    error.message[0] = 0;
    if (settings_apply(&s->settings, c, &error) && settings_warn(&s->settings, c, &error))
        return c->together || warn_of_laws(s, c);
    fprintf(stderr, "%s%s", error.message, error.message[0] ? "\n" : "");
    return false;
}

static int plot_case(carom_case *c, void *context)
{
    session *s = context;
    char why[512];
    bool forces = s->kind->draw == carom_plot_force;
    bool path_together = c->together && (forces || s->kind->draw == carom_plot_impulse);
    carom_case_error error;
    if (c->together && !path_together && s->kind->draw != carom_plot_scene)
        return complain("plot %s: takes one contact, and this case has several; `plot scene`, `plot impulse` "
                        "and `plot force` show them",
                        s->kind->name);
    if (!choose_law(s, c))
        return BAD_INPUT;
    if (path_together)
        return plot_path_together(c, forces, s->output);
    s->plot.c = c;
    if (s->plot.sweep.at && !carom_inputs_open(&s->input, &s->v, c, "sweep", &error))
        return complain_error(NULL, &error);
    s->plot.sweep.label = s->v.list[0].name;
    carom_picture *picture = s->kind->draw(&s->plot, why, sizeof why);
    output_hold_signals(); /* while writing */
    bool fine = picture && carom_picture_write(picture, s->output, why, sizeof why);
    carom_picture_free(picture);
    return fine ? FINE : complain("%s", why);
}

int cmd_plot(int argc, char **argv)
{
    session s = {0};
    if (!options_read("plot", &help_plot, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind != 2)
        return complain("plot: expected a kind and one case; see `carom plot --help`");
    if (!find_kind(&s, argv[optind]) || !check_output(&s))
        return BAD_INPUT;
    if (!s.kind->draw) {
        fit_figure f = {argv[optind + 1], s.output, &s.plot,
                        &s.settings,      s.speed,  strcmp(s.kind->name, "profile") == 0};
        return fit_figure_draw(&f);
    }
    int status = input_one_case("plot", argv[optind + 1], plot_case, &s);
    if (s.input.v)
        carom_inputs_close(&s.input);
    carom_vary_free(&s.v);
    return status;
}
