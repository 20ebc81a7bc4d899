/* carom sweep: one case at many values of its inputs. */
#include <getopt.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "csv.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "progress.h"
#include "sweep_h5.h"
#include "vary.h"

const char help_sweep[] =
    "usage: carom sweep [options] CASE --vary NAME=VALUES... [-o FILE.csv|.jsonl|.h5]\n\n"
    "Solves one case at many values of its inputs. NAME is a coefficient (mu) or the path of a number in\n"
    "the case (bodies.a.velocity.0). VALUES are FROM:TO:COUNT, a list A,B,C, or random:LOW:HIGH. Several\n"
    "--vary make a grid, the first changing slowest. One row per point: the values, then the answer; the\n"
    "columns are those of `carom explain --quantities`. Rows are written as they come.\n\n"
    "      --vary NAME=VALUES   vary this input (up to 8)\n"
    "  -o, --output FILE        .csv (default on standard output), .jsonl or .h5 (HDF5: a dataset per column)\n"
    "      --json               JSON Lines on standard output; the one form for several contacts\n"
    "      --law ID             this law instead of the case's own\n"
    "      --set KEY=VALUE      this coefficient or option instead (may be repeated)\n"
    "      --draws N            how many draws of random variables (default 1000)\n"
    "      --seed N             of the draws (default 1): the same seed gives the same numbers\n"
    "      --threads N          at most so many (default: all processors)\n"
    "      --strict             warnings are errors\n\n"
    "example    carom sweep examples/cases/ball.json --law jia \\\n"
    "               --vary bodies.a.velocity.0=-15:15:121 --vary mu=0.2,0.4 -o ball.csv\n";

#define MOST_POINTS 1e9
enum { CHUNK = 512, MOST_THREADS = 256 };

typedef struct session {
    settings settings;
    variables v;
    const char *output;
    bool json;
    h5_table *h5; /* or null */
    int threads;
    long total, refused;
    char first_refusal[640];
    carom_case *c;
} session;

/* The rows of one stretch of points, made by one thread. */
typedef struct worker {
    const session *s;
    varied input;
    carom_result result;
    long from, to, refused;
    char first_refusal[640];
    char *text;
    size_t length;
    double *rows; /* of HDF5 */
    unsigned char status[CHUNK];
    pthread_t thread;
} worker;

static void put_values(FILE *out, const variables *v, const double *values)
{
    char text[CAROM_NUMBER_SIZE];
    for (int i = 0; i < v->count; i++) {
        carom_number_print(text, values[i]);
        fprintf(out, "%s%s", i ? "," : "", text);
    }
}

static void put_json(FILE *out, const worker *w, const double *values, json_t *answer)
{
    json_t *varied_values = json_object(), *row = json_object();
    for (int i = 0; i < w->s->v.count; i++)
        json_object_set_new(varied_values, w->s->v.list[i].name, json_real(values[i]));
    json_object_set_new(row, "vary", varied_values);
    json_object_update(row, answer);
    json_print(out, row, true);
    json_decref(row);
    json_decref(answer);
}

static bool solve(worker *w, const double *values, carom_case *c, carom_case_error *error)
{
    if (!varied_case(&w->input, values, c, error) || !settings_apply(&w->s->settings, c, error))
        return false;
    vary_coefficients(&w->s->v, values, c); /* --vary counts more than --set */
    if (!carom_case_check(c, error))
        return false;
    carom_status status = carom_case_solve(c, &w->result);
    return !carom_status_is_refusal(status) || carom_case_refuse(c, status, error);
}

static int column_count(const session *s)
{
    return s->v.count + csv_column_count();
}

/* Refused points have no numbers: NaN. */
static void keep_row(worker *w, long i, const double *values, const carom_result *result)
{
    double *row = w->rows + (size_t)(i - w->from) * (size_t)column_count(w->s);
    for (int k = 0; k < w->s->v.count; k++)
        row[k] = values[k];
    for (int k = 0; k < csv_column_count(); k++)
        row[w->s->v.count + k] = result ? csv_number(result, k) : (double)NAN;
    w->status[i - w->from] = (unsigned char)(result ? result->outcome.status : w->status[i - w->from]);
}

static void solve_point(worker *w, long i, FILE *out)
{
    double values[VARY_MOST];
    carom_case c = {0};
    carom_case_error error = {.status = CAROM_STATUS_OK};
    vary_values(&w->s->v, i, values);
    bool fine = solve(w, values, &c, &error);
    w->status[i - w->from] = (unsigned char)error.status;
    if (!fine && !w->refused++)
        snprintf(w->first_refusal, sizeof w->first_refusal, "%s", error.message);
    if (w->s->h5)
        keep_row(w, i, values, fine ? &w->result : NULL);
    else if (w->s->json)
        put_json(out, w, values, fine ? json_answer(&c, &w->result) : json_error_answer(&c, &error));
    else {
        put_values(out, &w->s->v, values);
        if (fine) {
            csv_words(out, &c, &w->result);
            csv_numbers(out, &w->result);
        } else {
            fprintf(out, ",%s,%s,,", c.rule.law ? c.rule.law->id : "", carom_status_id(error.status));
            for (int k = 0; k < csv_column_count(); k++)
                fputc(',', out);
        }
        fputc('\n', out);
    }
    carom_case_free(&c);
}

static void *work(void *context)
{
    worker *w = context;
    w->refused = 0;
    w->text = NULL;
    FILE *out = open_memstream(&w->text, &w->length);
    for (long i = w->from; out && i < w->to; i++)
        solve_point(w, i, out);
    if (out)
        fclose(out);
    return NULL;
}

/* Stretches of points side by side, written in their order. */
static bool run(session *s, FILE *out)
{
    worker *workers = must_have(calloc((size_t)s->threads, sizeof *workers));
    bool fine = true;
    for (int k = 0; k < s->threads && fine; k++) {
        workers[k].s = s;
        if (s->h5)
            workers[k].rows = must_have(calloc((size_t)CHUNK * (size_t)column_count(s), sizeof(double)));
        fine = varied_open(&workers[k].input, &s->v, s->c, "--vary");
    }
    progress bar = progress_start(!s->output);
    for (long next = 0, done = 0; fine && next < s->total && !output_is_stopped();) {
        int used = 0;
        for (; used < s->threads && next < s->total; used++) {
            workers[used].from = next;
            next = next + CHUNK < s->total ? next + CHUNK : s->total;
            workers[used].to = next;
            if (pthread_create(&workers[used].thread, NULL, work, &workers[used]) != 0) {
                work(&workers[used]);
                workers[used].thread = pthread_self();
            }
        }
        for (int k = 0; k < used; k++) {
            if (!pthread_equal(workers[k].thread, pthread_self()))
                pthread_join(workers[k].thread, NULL);
            if (workers[k].refused && !s->refused)
                snprintf(s->first_refusal, sizeof s->first_refusal, "%s", workers[k].first_refusal);
            s->refused += workers[k].refused;
            if (s->h5)
                fine = fine &&
                       h5_append(s->h5, workers[k].rows, workers[k].status, (int)(workers[k].to - workers[k].from));
            else if (workers[k].text)
                fwrite(workers[k].text, 1, workers[k].length, out);
            free(workers[k].text);
        }
        if (out == stdout)
            output_commit();
        progress_steps(&bar, (double)next / (double)s->total, next - done);
        done = next;
    }
    progress_end(&bar);
    for (int k = 0; k < s->threads; k++) {
        if (workers[k].s)
            varied_close(&workers[k].input);
        carom_result_free(&workers[k].result);
        free(workers[k].rows);
    }
    free(workers);
    return fine;
}

static void put_head(const session *s, FILE *out)
{
    for (int i = 0; i < s->v.count && !s->json; i++) {
        fputs(i ? "," : "", out);
        csv_text(out, s->v.list[i].name);
    }
    if (!s->json) {
        csv_head(out);
        fputc('\n', out);
    }
}

static bool open_h5(session *s)
{
    const char *names[VARY_MOST + 64];
    for (int i = 0; i < s->v.count; i++)
        names[i] = s->v.list[i].name;
    for (int k = 0; k < csv_column_count(); k++)
        names[s->v.count + k] = csv_column(k);
    s->h5 = h5_open(s->output, names, column_count(s));
    return s->h5 != NULL;
}

/* Write everything: to standard output, a text file, or HDF5. */
static bool write_all(session *s)
{
    const char *dot = s->output ? strrchr(s->output, '.') : NULL;
    if (dot && strcmp(dot, ".h5") == 0)
        return open_h5(s) && h5_close(s->h5, run(s, stdout));
    output_file f = {.file = stdout};
    if (s->output)
        f = output_open(s->output);
    if (!f.file)
        return false;
    put_head(s, f.file);
    bool fine = run(s, f.file);
    return s->output ? output_close(&f, fine) && fine : fine;
}

static int sweep_case(carom_case *c, void *context)
{
    session *s = context;
    carom_case_error error;
    if (!settings_apply(&s->settings, c, &error) || !settings_warn(&s->settings, c, &error)) {
        fprintf(stderr, "%s%s", error.message, error.message[0] ? "\n" : "");
        return BAD_INPUT;
    }
    if (c->several && !s->json)
        return complain(
            "sweep: a table has one contact per row, and this case has several; use --json or -o FILE.jsonl");
    uint64_t uses = c->several ? c->several->rule.law->uses : c->rule.law->uses;
    for (int i = 0; i < s->v.count; i++)
        if (s->v.list[i].coeff < CAROM_COEFF_COUNT && !(uses >> s->v.list[i].coeff & 1) &&
            !settings_raise(&s->settings, c, CAROM_WARNING_SWEEP, "%s does not use %s", carom_case_law(c),
                            s->v.list[i].name))
            return BAD_INPUT;
    s->c = c;
    varied trial;
    bool leads = varied_open(&trial, &s->v, c, "--vary");
    varied_close(&trial);
    if (!leads)
        return BAD_INPUT;
    bool fine = write_all(s);
    if (fine && s->refused)
        complain("sweep: %ld of %ld points were refused; the first: %s", s->refused, s->total, s->first_refusal);
    return !fine || s->refused == s->total ? BAD_INPUT : FINE;
}

/* ---- options ---- */

static bool read_count(const char *option, const char *text, double most, long *value)
{
    double count;
    if (settings_number(text, &count) && count >= 1 && count <= most && count == (double)(long)count) {
        *value = (long)count;
        return true;
    }
    complain("%s: \"%s\" is not a whole number from 1 to %g", option, text, most);
    return false;
}

static bool check_output(session *s)
{
    const char *dot = s->output ? strrchr(s->output, '.') : NULL;
    if (!s->output)
        return true;
    if (dot && strcmp(dot, ".jsonl") == 0)
        s->json = true;
    if (dot && (strcmp(dot, ".csv") == 0 || strcmp(dot, ".jsonl") == 0 || strcmp(dot, ".h5") == 0))
        return true;
    complain("%s: unknown ending; known are .csv, .jsonl and .h5", s->output);
    return false;
}

static bool check_total(session *s)
{
    double total = vary_total(&s->v);
    if (s->v.count == 0) {
        complain("sweep: nothing to vary; say --vary NAME=FROM:TO:COUNT");
        return false;
    }
    if (!(total <= MOST_POINTS)) {
        complain("sweep: %.6g points are too many; the most is %g", total, MOST_POINTS);
        return false;
    }
    s->total = (long)total;
    return true;
}

static bool read_option(int o, session *s)
{
    long n = 0;
    bool fine = true;
    if (o == 'v')
        return vary_add(&s->v, "--vary", optarg);
    if (o == 'l')
        return settings_law(&s->settings, optarg);
    if (o == 's')
        return settings_set(&s->settings, optarg);
    if (o == 'd')
        return read_count("--draws", optarg, MOST_POINTS, &s->v.draws);
    if (o == 'e' && (fine = read_count("--seed", optarg, 1e15, &n)))
        s->v.seed = (uint64_t)n;
    if (o == 't' && (fine = read_count("--threads", optarg, MOST_THREADS, &n)))
        s->threads = (int)n;
    s->output = o == 'o' ? optarg : s->output;
    s->json |= o == 'j';
    s->settings.strict |= o == 'w';
    return fine;
}

int cmd_sweep(int argc, char **argv)
{
    static const struct option options[] = {
        {"vary", required_argument, NULL, 'v'},  {"output", required_argument, NULL, 'o'},
        {"law", required_argument, NULL, 'l'},   {"set", required_argument, NULL, 's'},
        {"draws", required_argument, NULL, 'd'}, {"seed", required_argument, NULL, 'e'},
        {"json", no_argument, NULL, 'j'},        {"threads", required_argument, NULL, 't'},
        {"strict", no_argument, NULL, 'w'},      {NULL, 0, NULL, 0}};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    session s = {.v = {.draws = 1000, .seed = 1},
                 .threads = processors < 1              ? 1
                            : processors > MOST_THREADS ? MOST_THREADS
                                                        : (int)processors};
    int status = BAD_INPUT;
    for (int o; (o = getopt_long(argc, argv, ":jo:", options, NULL)) != -1;) {
        if (o == '?' || o == ':')
            return complain_option("sweep", o, argv);
        if (!read_option(o, &s))
            return BAD_INPUT;
    }
    if (argc - optind != 1)
        status = complain("sweep: expected one case; see `carom sweep --help`");
    else if (check_output(&s) && check_total(&s)) {
        output_hold_signals();
        status = input_one_case("sweep", argv[optind], sweep_case, &s);
    }
    vary_free(&s.v);
    return status;
}
