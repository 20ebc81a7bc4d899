/* carom predict: recorded motions predicted by the simulator, with given coefficients or with ones fitted to motions.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "carom/prediction.h"
#include "cli.h"
#include "recording_input.h"

enum { THREADS_MOST = 64, WORD = 32 };

typedef struct session {
    settings settings;
    const char *body, *together, *fit;
    double sliding;
    long long threads, horizon, every, starts;
    bool json, gradients;
} session;

static const option_row options[] = {
    {"body", "FILE", "the description of the body, or the answer of `carom body`", .at = offsetof(session, body)},
    {"law", "ID", "the law of impacts", .at = offsetof(session, settings), take_law},
    SET_OPTION(session),
    {"sliding", "MU", "friction while a contact is closed (default: that of the body, or mu)",
     .at = offsetof(session, sliding), take_positive},
    {"together", "ID", "the law of several contacts (default moreau)", .at = offsetof(session, together)},
    {"fit", "KEY,KEY...",
     "first fit these coefficients (and sliding) to whole motions, from the given values: four at most",
     .at = offsetof(session, fit)},
    {"starts", "N", "a fit begins at N points: the given one, another, and random ones (default 2)",
     .at = offsetof(session, starts), take_whole, .least = 1, .most = CAROM_PREDICTION_STARTS},
    {"gradients", NULL, "say how many runs have a gradient over the horizon, and why others have none",
     .at = offsetof(session, gradients)},
    {"horizon", "N", "frames of a motion that a fit compares (default 40)", .at = offsetof(session, horizon),
     take_whole, .least = 1, .most = 100000},
    {"every", "N", "predict and fit only every N-th record", .at = offsetof(session, every), take_whole, .least = 1,
     .most = 100000},
    {"threads", "N", "at most so many (default: all processors)", .at = offsetof(session, threads), take_whole,
     .least = 1, .most = THREADS_MOST},
    JSON_OPTION(session, "everything as one JSON object"),
    {.name = NULL}};

const command_help help_predict = {
    .usage =
        "usage: carom predict --body BODY.json --law ID --set KEY=VALUE [options] RECORDS.csv\n\n"
        "Runs the simulator from the flight before the first impact of every record to its last frame and prints\n"
        "how far it is from what was recorded: the velocities after the first impact, the next five frames, the\n"
        "pose after 20 frames, the place and the face on which the body comes to rest; medians and root mean\n"
        "squares over the records. --fit finds coefficients from whole motions first (docs/guide/recordings.md).\n\n",
    options,
    "\nexample    carom predict --body cube.json --law routh-stronge --set e=0.27 --set mu=0.163 --sliding 0.22 "
    "tosses.csv\n"};

/* ---- the plan ---- */

static bool take_free(const char *list, carom_prediction_plan *plan)
{
    char word[WORD];
    carom_case_error error;
    for (const char *at = list; at && *at;) {
        size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < WORD ? length : WORD - 1), at);
        if (!carom_prediction_plan_free(plan, word, &error))
            return complain_error("predict", &error), false;
        at += length + (at[length] == ',');
    }
    return true;
}

static bool make_plan(const session *s, carom_prediction_plan *plan)
{
    carom_case_error error;
    *plan = carom_prediction_plan_default();
    if (!s->settings.law)
        return complain("predict: give --law ID"), false;
    plan->rule = s->settings.rule;
    plan->rule.law = s->settings.law;
    plan->sliding = s->sliding;
    plan->together = s->together ? carom_together_find(s->together) : plan->together;
    plan->horizon = s->horizon ? (int)s->horizon : plan->horizon;
    plan->every = s->every ? (int)s->every : 1;
    plan->starts = s->starts ? (int)s->starts : plan->starts;
    plan->gradients = s->gradients;
    if (!plan->together)
        return complain("--together: no law of several contacts \"%s\"", s->together), false;
    if (!take_free(s->fit, plan))
        return false;
    return carom_prediction_plan_check(plan, &error) || (complain_error("predict", &error), false);
}

/* ---- the answer ---- */

static void print_line(const char *what, const char *unit, const json_t *numbers)
{
    if (json_is_null(numbers) || !numbers)
        return;
    printf("%-28s %9.3g %9.3g  %-6s %5.0f\n", what, json_number_value(json_object_get(numbers, "median")),
           json_number_value(json_object_get(numbers, "rms")), unit,
           json_number_value(json_object_get(numbers, "records")));
}

static void print_table(const json_t *t)
{
    const json_t *records = json_object_get(t, "records"), *value, *face = json_object_get(t, "rest_face");
    const char *key, *between = "records";
    json_object_foreach(records, key, value)
    {
        printf("%s %s: %.0f", between, key, json_number_value(value));
        between = ",";
    }
    between = "\ngradients over the horizon";
    json_object_foreach(json_object_get(t, "gradients"), key, value)
    {
        printf("%s %s: %.0f", between, key, json_number_value(value));
        between = ",";
    }
    printf("\n\n%-28s %9s %9s  %-6s %5s\n", "error of the prediction", "median", "rms", "unit", "records");
    print_line("velocity after first impact", "m/s", json_object_get(t, "next_velocity_m_s"));
    print_line("spin after first impact", "rad/s", json_object_get(t, "next_spin_rad_s"));
    print_line("place, next five frames", "mm", json_object_get(t, "five_frames_mm"));
    print_line("rotation, next five frames", "deg", json_object_get(t, "five_frames_deg"));
    print_line("place after 20 frames", "mm", json_object_get(t, "twenty_frames_mm"));
    print_line("rotation after 20 frames", "deg", json_object_get(t, "twenty_frames_deg"));
    print_line("resting place", "mm", json_object_get(t, "rest_place_mm"));
    printf("resting face right           %.0f of %.0f\n", json_number_value(json_object_get(face, "right")),
           json_number_value(json_object_get(face, "records")));
}

static void print_answer(const session *s, json_t *fit, json_t *table)
{
    if (s->json) {
        json_t *all =
            json_pack("{s:o, s:o}", "prediction", json_incref(table), "fit", fit ? json_incref(fit) : json_null());
        json_print(stdout, all, false);
        json_decref(all);
        return;
    }
    if (fit) {
        printf("fitted to whole motions: ");
        json_print(stdout, json_object_get(fit, "estimate"), true);
        printf("from all starts: ");
        json_print(stdout, json_object_get(fit, "starts"), true);
        if (!json_is_true(json_object_get(fit, "agree")))
            printf("the starts end apart: give other first values, more records or a shorter horizon\n");
        printf("\n");
    }
    print_table(table);
}

static bool predict(const session *s, carom_recording *rec, const char *path)
{
    carom_prediction_plan plan;
    carom_case_error error;
    json_t *fit = NULL, *table = NULL;
    bool fine = make_plan(s, &plan);
    if (fine && !carom_recording_reduce(rec, &error))
        fine = (complain_error("predict", &error), false);
    if (fine && plan.free_count > 0 && !carom_prediction_fit(rec, &plan, (int)s->threads, &fit, &error))
        fine = (complain_error("predict", &error), false);
    table = fine ? carom_prediction_report(rec, &plan, (int)s->threads, &error) : NULL;
    if (fine && !table)
        fine = (complain_error("predict", &error), false);
    if (fine) {
        recording_tell(rec, path);
        print_answer(s, fit, table);
    }
    json_decref(fit);
    json_decref(table);
    return fine;
}

int cmd_predict(int argc, char **argv)
{
    static session s;
    carom_recording rec = {0};
    memset(&s, 0, sizeof s);
    s.settings.rule = carom_scene_default().rule;
    if (!options_read("predict", &help_predict, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind != 1 || !s.body)
        return complain("predict: needs --body FILE and one file of records; see `carom predict --help`");
    bool fine = recording_input(s.body, argv[optind], &rec) && predict(&s, &rec, argv[optind]);
    carom_recording_free(&rec);
    return fine ? FINE : BAD_INPUT;
}
