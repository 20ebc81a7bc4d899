/* carom trace: the path inside an impact. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "input.h"
#include "options.h"
#include "output.h"
#include "samples.h"
#include "trace_several.h"

enum { DEFAULT_POINTS = 200, MOST_POINTS = 10000000 };

typedef struct session {
    bool json;
    const char *output;
    long long wanted; /* --points */
    settings settings;
    samples points;
    carom_result result;
    double *qdot; /* room for the speeds of a mechanism, or null */
} session;

static bool has_springs(const carom_case *c)
{
    return c->rule.law->traits & CAROM_TRAIT_SPRINGS;
}

static bool has_force(const carom_case *c)
{
    return c->rule.law->traits & CAROM_TRAIT_CONTACT_FORCE;
}

/* ---- CSV ---- */

static void put_number(FILE *out, double value)
{
    char text[CAROM_NUMBER_SIZE];
    carom_number_print(text, value);
    fprintf(out, "%s,", text);
}

static void put_tangents(FILE *out, const carom_case *c, carom_cvec v)
{
    put_number(out, v.t1);
    if (c->dim == 3)
        put_number(out, v.t2);
}

/* The generalized speeds at a point, for mechanisms. */
static const double *speeds_at(const carom_case *c, const session *all, const sample *s)
{
    carom_generalized_apply(&c->mechanism, s->at.p, all->qdot);
    return all->qdot;
}

static void put_point(FILE *out, const carom_case *c, const session *all, const sample *s)
{
    put_number(out, s->at.p.n);
    put_tangents(out, c, s->at.p);
    put_tangents(out, c, s->at.u);
    put_number(out, s->at.u.n);
    put_number(out, s->at.work_normal);
    put_number(out, s->at.work_friction);
    fprintf(out, "%s,", s->mode);
    if (has_force(c)) {
        put_number(out, s->at.time);
        put_number(out, s->at.compression);
        put_tangents(out, c, s->at.force);
        put_number(out, s->at.force.n);
    }
    if (has_springs(c)) {
        put_tangents(out, c, s->at.stretch);
        put_number(out, s->at.stretch.n);
        put_tangents(out, c, s->at.stored);
        put_number(out, s->at.stored.n);
    }
    const double *qdot = all->qdot ? speeds_at(c, all, s) : NULL;
    for (int i = 0; qdot && i < c->mechanism.n; i++)
        put_number(out, qdot[i]);
    fprintf(out, "%s\n", s->event);
}

static void write_csv(FILE *out, const carom_case *c, const session *s)
{
    bool spatial = c->dim == 3;
    fputs(spatial ? "p_n,p_t1,p_t2,u_t1,u_t2,u_n," : "p_n,p_t,u_t,u_n,", out);
    fputs("work_normal,work_friction,mode,", out);
    if (has_force(c))
        fputs(spatial ? "time,compression,force_t1,force_t2,force_n," : "time,compression,force_t,force_n,", out);
    if (has_springs(c))
        fputs(spatial ? "stretch_t1,stretch_t2,stretch_n,stored_t1,stored_t2,stored_n,"
                      : "stretch_t,stretch_n,stored_t,stored_n,",
              out);
    for (int i = 0; s->qdot && i < c->mechanism.n; i++)
        fprintf(out, "qdot_%d,", i + 1);
    fputs("event\n", out);
    for (int i = 0; i < s->points.count && !output_is_stopped(); i++)
        put_point(out, c, s, &s->points.list[i]);
}

/* ---- JSON ---- */

static json_t *point_json(const carom_case *c, const session *all, const sample *s)
{
    json_t *point = json_object();
    json_object_set_new(point, "p", json_vector(c, s->at.p));
    json_object_set_new(point, "u", json_vector(c, s->at.u));
    json_object_set_new(point, "work_normal", json_real(s->at.work_normal));
    json_object_set_new(point, "work_friction", json_real(s->at.work_friction));
    json_object_set_new(point, "mode", json_string(s->mode));
    if (has_force(c)) {
        json_object_set_new(point, "time", json_real(s->at.time));
        json_object_set_new(point, "compression", json_real(s->at.compression));
        json_object_set_new(point, "force", json_vector(c, s->at.force));
    }
    if (has_springs(c)) {
        json_object_set_new(point, "stretch", json_vector(c, s->at.stretch));
        json_object_set_new(point, "stored", json_vector(c, s->at.stored));
    }
    if (all->qdot) {
        const double *qdot = speeds_at(c, all, s);
        json_t *array = json_array();
        for (int i = 0; i < c->mechanism.n; i++)
            json_array_append_new(array, json_real(qdot[i]));
        json_object_set_new(point, "qdot", array);
    }
    if (s->event[0])
        json_object_set_new(point, "event", json_string(s->event));
    return point;
}

static void write_json(FILE *out, const carom_case *c, const session *s)
{
    json_t *all = json_object(), *points = json_array();
    json_t *answer = carom_case_answer(c, &s->result);
    static const char *const kept[] = {"name", "law", "status", "phases", "path", "modes"};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        json_object_set(all, kept[i], json_object_get(answer, kept[i]));
    for (int i = 0; i < s->points.count; i++)
        json_array_append_new(points, point_json(c, s, &s->points.list[i]));
    json_object_set_new(all, "points", points);
    json_object_set(all, "events", json_object_get(answer, "events"));
    json_print(out, all, false);
    json_decref(answer);
    json_decref(all);
}

/* ---- the command ---- */

static void write_points(FILE *out, const carom_case *c, const session *s)
{
    if (s->json)
        write_json(out, c, s);
    else
        write_csv(out, c, s);
}

static int write_trace(const carom_case *c, session *s)
{
    if (!s->output) {
        write_points(stdout, c, s);
        return FINE;
    }
    output_file f = output_open(s->output);
    if (!f.file)
        return BAD_INPUT;
    write_points(f.file, c, s);
    return output_close(&f, true) ? FINE : BAD_INPUT;
}

static int refuse(const carom_case_error *error)
{
    if (error->message[0])
        fprintf(stderr, "%s\n", error->message);
    return BAD_INPUT;
}

static int trace_case(carom_case *c, void *context)
{
    session *s = context;
    carom_case_error error;
    if (!settings_path_law(&s->settings, c))
        return BAD_INPUT;
    if (!settings_apply(&s->settings, c, &error) || !settings_warn(&s->settings, c, &error))
        return refuse(&error);
    if (c->several)
        return trace_several(c, s->json, s->output);
    carom_status status = carom_case_solve(c, &s->result);
    if (carom_status_is_refusal(status)) {
        carom_case_refuse(c, status, &error);
        return refuse(&error);
    }
    bool moves = c->source == CAROM_SOURCE_MECHANISM;
    s->qdot = moves ? malloc((size_t)c->mechanism.n * sizeof *s->qdot) : NULL;
    if ((moves && !s->qdot) || !samples_take(&s->points, c, &s->result))
        return complain("trace: out of memory");
    output_hold_signals(); /* while writing */
    int written = write_trace(c, s);
    return written ? written : carom_status_is_answer(status) ? FINE : FAILED;
}

/* ---- options ---- */

static const option_row options[] = {
    {"points", "N", "about how many points (default 200)", .at = offsetof(session, wanted), take_whole, 0, 2,
     MOST_POINTS},
    JSON_OPTION(session, "{points, events} instead of CSV"),
    {"output", "FILE", "write there instead of standard output", .at = offsetof(session, output), NULL, 'o'},
    LAW_OPTION(session),
    SET_OPTION(session),
    STRICT_OPTION(session),
    {.name = NULL}};

const command_help help_trace = {
    .usage = "usage: carom trace [options] CASE\n\n"
             "Follows one case through the impact with a law that has a path (column \"path\" of `carom laws`), and\n"
             "prints points along it: impulse, relative velocity, works, mode and events; for mechanisms also the\n"
             "generalized speeds. Each point is computed to full accuracy, however many there are.\n\n",
    options,
    "\nA case whose law has no path is traced with routh-stronge (several contacts: lzb), with a warning.\n\n"
    "example    carom trace examples/cases/rod.json --law routh-stronge -o rod.csv\n"};

int cmd_trace(int argc, char **argv)
{
    session s = {.wanted = DEFAULT_POINTS};
    if (!options_read("trace", &help_trace, argc, argv, &s))
        return BAD_INPUT;
    s.points.wanted = (int)s.wanted;
    if (argc - optind != 1)
        return complain("trace: expected one case; see `carom trace --help`");
    int status = input_one_case("trace", argv[optind], trace_case, &s);
    samples_free(&s.points);
    carom_result_free(&s.result);
    free(s.qdot);
    return status;
}
