/* carom reduce: tracks of a camera to data for carom fit. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/utf8.h"
#include "cli.h"
#include "options.h"
#include "recording_input.h"

enum { FRAMES = 4096, WORD = 64, LINE = 1024, COLUMNS = 6 };

typedef struct session {
    double mass, inertia, radius, arm[2], normal[2], pixel, pixel_angle;
    bool has_arm, two_frames, widen;
    const char *path, *body;
    bool all, several;
    long line;
    int column[COLUMNS]; /* where each is */
    int width;           /* columns of the header */
    char impact[WORD];   /* at hand */
    int count[2];        /* frames before and after */
    carom_track_frame frames[2][FRAMES];
    long first_line, impacts;
} session;

static const char *const columns[] = {"impact", "phase", "t", "x", "y", "angle", NULL};

/* ---- one impact ---- */

static bool reduce_side(session *s, int side, double u[2], double S[4], double *rms)
{
    static const char *const words[] = {"before", "after"};
    carom_track_errors errors = {s->pixel, s->pixel_angle, s->two_frames, side == 1};
    carom_track_state state;
    if (s->count[side] < 2) {
        complain("%s: impact \"%s\" has %d frame%s %s: at least two are needed", s->path, s->impact, s->count[side],
                 s->count[side] == 1 ? "" : "s", words[side]);
        return false;
    }
    carom_status status = carom_track_motion(s->count[side], s->frames[side], &errors, &state);
    if (status == CAROM_STATUS_OK)
        status = carom_track_contact(&state, s->normal, s->arm, u, S);
    *rms = state.rms;
    if (status == CAROM_STATUS_BAD_TIME)
        complain("%s: impact \"%s\": the times of the frames %s it do not increase", s->path, s->impact, words[side]);
    else if (status != CAROM_STATUS_OK)
        complain("%s: impact \"%s\": %s", s->path, s->impact, carom_status_message(status));
    return status == CAROM_STATUS_OK;
}

/* K of the body at its arm against a fixed one, in (t, n). */
static void inverse_mass(const session *s, double K[4])
{
    const double n[2] = {s->normal[0], s->normal[1]}, t[2] = {n[1], -n[0]};
    double a_t = -s->arm[1] * t[0] + s->arm[0] * t[1], a_n = -s->arm[1] * n[0] + s->arm[0] * n[1];
    K[0] = 1 / s->mass + a_t * a_t / s->inertia;
    K[1] = K[2] = a_t * a_n / s->inertia;
    K[3] = 1 / s->mass + a_n * a_n / s->inertia;
}

static json_t *pair(const double *x)
{
    return json_pack("[f, f]", x[0], x[1]);
}

static json_t *matrix(const double *S)
{
    return json_pack("[o, o]", pair(S), pair(S + 2));
}

static bool finish_impact(session *s)
{
    double u[2], after[2], S_u[4], S[4], K[4], rms[2];
    char name[WORD];
    if (!s->impact[0])
        return true;
    snprintf(name, sizeof name, "%s", s->impact);
    carom_utf8_clean(name);
    if (!reduce_side(s, 0, u, S_u, &rms[0]) || !reduce_side(s, 1, after, S, &rms[1]))
        return false;
    if (!(u[1] < 0))
        return complain("%s: impact \"%s\": u_n before is %.4g: the body does not approach; is the normal right?",
                        s->path, s->impact, u[1]),
               false;
    inverse_mass(s, K);
    for (int i = 0; i < 4 && s->widen; i++)
        S[i] += S_u[i];
    json_t *line =
        json_pack("{s:s, s:{s:o, s:o}, s:{s:o, s:o}, s:{s:o, s:s, s:[f, f]}}", "name", name, "reduced", "K", matrix(K),
                  "u", pair(u), "measured", "u_after", pair(after), "covariance", matrix(S), "notes", "u_covariance",
                  matrix(S_u), "recipe", s->two_frames ? "two-frames" : "least-squares", "rms", rms[0], rms[1]);
    json_print(stdout, line, true);
    json_decref(line);
    s->impacts++;
    return true;
}

/* ---- the table ---- */

static int split(char *line, char **cells)
{
    int count = 0;
    for (char *at = line; at && count < 2 * COLUMNS;) {
        char *comma = strchr(at, ',');
        if (comma)
            *comma = 0;
        at += strspn(at, " \t\"");
        size_t length = strlen(at);
        while (length > 0 && strchr(" \t\r\n\"", at[length - 1]))
            at[--length] = 0;
        cells[count++] = at;
        at = comma ? comma + 1 : NULL;
    }
    return count;
}

static bool read_head(session *s, char **cells, int count)
{
    for (int k = 0; k < COLUMNS; k++)
        s->column[k] = -1;
    for (int i = 0; i < count; i++) {
        int k = 0;
        while (k < COLUMNS && strcmp(columns[k], cells[i]) != 0)
            k++;
        const char *hint = carom_nearest(cells[i], columns);
        if (k == COLUMNS)
            return complain("%s:%ld: unknown column \"%s\"%s%s; the columns are impact,phase,t,x,y,angle", s->path,
                            s->line, cells[i], hint ? "; did you mean " : "", hint ? hint : ""),
                   false;
        s->column[k] = i;
    }
    s->width = count;
    for (int k = 0; k < COLUMNS; k++)
        if (s->column[k] < 0)
            return complain("%s:%ld: the column \"%s\" is missing", s->path, s->line, columns[k]), false;
    return true;
}

static bool read_frame(session *s, char **cells)
{
    const char *phase = cells[s->column[1]];
    int side = strcmp(phase, "after") == 0;
    double q[4];
    if (!side && strcmp(phase, "before") != 0)
        return complain("%s:%ld: phase: must be \"before\" or \"after\", got \"%s\"", s->path, s->line, phase), false;
    for (int k = 0; k < 4; k++)
        if (!carom_text_number(cells[s->column[k + 2]], &q[k]))
            return complain("%s:%ld: %s: \"%s\" is not a finite number", s->path, s->line, columns[k + 2],
                            cells[s->column[k + 2]]),
                   false;
    if (s->count[side] == FRAMES)
        return complain("%s:%ld: more than %d frames of one impact", s->path, s->line, FRAMES), false;
    carom_track_frame frame = {q[0], q[1], q[2], q[3]};
    s->frames[side][s->count[side]++] = frame;
    return true;
}

static bool read_row(session *s, char **cells, int count)
{
    if (count != s->width)
        return complain("%s:%ld: %d values, and the header has %d columns", s->path, s->line, count, s->width), false;
    const char *impact = cells[s->column[0]];
    if (impact[0] == 0)
        return complain("%s:%ld: impact: is empty", s->path, s->line), false;
    if (strlen(impact) >= WORD)
        return complain("%s:%ld: impact: has more than %d bytes", s->path, s->line, WORD - 1), false;
    if (strcmp(impact, s->impact) != 0) {
        if (!finish_impact(s))
            return false;
        snprintf(s->impact, sizeof s->impact, "%s", impact);
        s->count[0] = s->count[1] = 0;
    }
    return read_frame(s, cells);
}

/* The next line; false at the end of the file, or after a complaint. */
static bool next_line(session *s, FILE *file, char line[LINE], bool *fine)
{
    if (!fgets(line, LINE, file)) {
        if (ferror(file))
            *fine = (complain("%s: cannot be read", s->path), false);
        return false;
    }
    s->line++;
    if (strlen(line) == LINE - 1 && line[LINE - 2] != '\n')
        *fine = (complain("%s:%ld: the line has more than %d bytes", s->path, s->line, LINE - 2), false);
    return *fine;
}

static int reduce(session *s, FILE *file)
{
    char line[LINE], *cells[2 * COLUMNS];
    bool fine = true, head = false;
    while (fine && next_line(s, file, line, &fine)) {
        if (line[strspn(line, " \t\r\n")] == 0 || line[0] == '#')
            continue;
        int count = split(line, cells);
        fine = head ? read_row(s, cells, count) : read_head(s, cells, count);
        head = true;
    }
    fine = fine && finish_impact(s);
    if (fine && s->impacts == 0)
        return complain("%s: no impacts in it", s->path);
    return fine ? FINE : BAD_INPUT;
}

/* ---- options ---- */

static bool take_two(void *member, const char *text, const option_row *row)
{
    double *value = member;
    char tail;
    if (sscanf(text, "%lf,%lf%c", &value[0], &value[1], &tail) == 2 && isfinite(value[0]) && isfinite(value[1]))
        return true;
    complain("--%s: expected X,Y, got \"%s\"", row->name, text);
    return false;
}

static bool take_arm(void *member, const char *text, const option_row *row)
{
    session *s = member;
    s->has_arm = true;
    return take_two(s->arm, text, row);
}

static bool take_recipe(void *member, const char *word, const option_row *row)
{
    bool *two_frames = member;
    (void)row;
    *two_frames = strcmp(word, "two-frames") == 0;
    if (!*two_frames && strcmp(word, "least-squares") != 0)
        return complain("--recipe: must be \"least-squares\" or \"two-frames\", got \"%s\"", word), false;
    return true;
}

static const option_row options[] = {
    {"mass", "KG", "of the body", .at = offsetof(session, mass), take_positive},
    {"inertia", "KG_M2", "of the body, about its centre of mass", .at = offsetof(session, inertia), take_positive},
    {"radius", "M", "of a disk: the contact lies at -radius n", .at = offsetof(session, radius), take_positive},
    {"arm", "X,Y", "instead: from the centre of mass to the contact at the impact", .take = take_arm},
    {"normal", "X,Y", "of the plate, towards the body (default 0,1)", .at = offsetof(session, normal), take_two},
    {"pixel", "M", "standard deviation of a coordinate: the size of a pixel on the table",
     .at = offsetof(session, pixel), take_positive},
    {"pixel-angle", "RAD", "of an angle (default: sqrt(2) pixels over the radius)",
     .at = offsetof(session, pixel_angle), take_positive},
    {"recipe", "NAME",
     "least-squares (default): lines through all frames; two-frames: differences next to the impact, with half of the "
     "error bound h sum |df/dq|, h = 2 pixels, as deviation (Chatterjee's thesis, 11.1)",
     .at = offsetof(session, two_frames), take_recipe},
    {"body", "FILE", "RECORDS are poses at a rate: the description of the body, or the answer of `carom body`",
     .at = offsetof(session, body)},
    {"all", NULL, "with --body: also impacts at several contacts, as cases with \"contacts\"",
     .at = offsetof(session, all)},
    {"several", NULL, "with --body: only those", .at = offsetof(session, several)},
    {"widen", NULL, "add the covariance of u to the one of u_after, for fits that take u as exact",
     .at = offsetof(session, widen)},
    {.name = NULL}};

const command_help help_reduce = {
    .usage = "usage: carom reduce --body BODY.json RECORDS.csv\n"
             "       carom reduce [options] TRACKS.csv\n\n"
             "Turns recorded poses into one line of JSON per impact for `carom fit`: the velocities of the body just\n"
             "before and after, both with covariances, its inertia and the contact point. Flights are fitted on both\n"
             "sides of an impact; counts of what was left out, and why, are on stderr (docs/guide/recordings.md).\n\n"
             "Turns strobe or video tracks of a body in the plane into one line of JSON per impact for `carom fit`:\n"
             "u before, u_after and its covariance, and K of the body against a fixed one. The columns of TRACKS are\n"
             "impact,phase,t,x,y,angle: a word for the impact, before or after, seconds, metres, radians; one row per\n"
             "frame, at least two frames on each side.\n\n",
    options,
    "\nexample    carom reduce --mass 0.067 --inertia 8.2e-5 --radius 0.049 --pixel 0.00023 tracks.csv\n"};

static bool check_body(session *s)
{
    if (!(s->mass > 0) || !(s->inertia > 0) || !(s->pixel > 0))
        return complain("reduce: give --mass, --inertia and --pixel"), false;
    if (!s->has_arm && !(s->radius > 0))
        return complain("reduce: give --radius of a disk, or --arm X,Y"), false;
    if (!(fabs(hypot(s->normal[0], s->normal[1]) - 1) <= 1e-6))
        return complain("--normal: must have length 1"), false;
    for (int i = 0; i < 2 && !s->has_arm; i++)
        s->arm[i] = -s->radius * s->normal[i];
    double size = s->radius > 0 ? s->radius : hypot(s->arm[0], s->arm[1]);
    if (!(s->pixel_angle > 0) && !(size > 0))
        return complain("reduce: give --pixel-angle"), false;
    if (!(s->pixel_angle > 0))
        s->pixel_angle = sqrt(2) * s->pixel / size;
    return true;
}

/* Poses at a rate. */
static int reduce_recording(const session *s)
{
    carom_recording rec = {0};
    carom_case_error error;
    bool fine = recording_input(s->body, s->path, &rec);
    if (fine && !carom_recording_reduce(&rec, &error))
        fine = (complain_error("reduce", &error), false);
    for (int i = 0; i < rec.impact_count && fine; i++) {
        carom_left_out why = rec.impacts[i].why;
        bool used = !why && !s->several, several = why == CAROM_LEFT_OUT_SEVERAL && (s->all || s->several);
        if (!used && !several)
            continue;
        json_t *line = carom_recording_impact_json(&rec, i);
        json_print(stdout, line, true);
        json_decref(line);
    }
    if (fine)
        recording_tell(&rec, s->path);
    carom_recording_free(&rec);
    return fine ? FINE : BAD_INPUT;
}

int cmd_reduce(int argc, char **argv)
{
    static session s;
    memset(&s, 0, sizeof s);
    s.normal[1] = 1;
    if (!options_read("reduce", &help_reduce, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("reduce: needs one file of tracks; see `carom reduce --help`");
    s.path = argv[optind];
    if (s.body)
        return reduce_recording(&s);
    if (!check_body(&s))
        return BAD_INPUT;
    FILE *file = strcmp(s.path, "-") == 0 ? stdin : fopen(s.path, "r");
    if (!file)
        return complain("%s: cannot be read", s.path);
    int status = reduce(&s, file);
    if (file != stdin)
        fclose(file);
    return status;
}
