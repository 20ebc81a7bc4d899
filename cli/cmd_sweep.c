/* carom sweep: one case at many values of its inputs. */
#include <getopt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csv.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "progress.h"
#include "sweep.h"
#include "sweep_h5.h"

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
    "      --threads N          at most so many (default: all processors; one under mpirun)\n"
    "      --statistics NAMES   no rows: mean, deviation and percentiles of these columns (p_n,energy_change)\n"
    "      --resume             go on with a .h5 file whose run was stopped or killed\n"
    "      --strict             warnings are errors\n\n"
    "Under mpirun the ranks share the work, also on many machines, and the file is the same for any number\n"
    "of them; a build with -DCAROM_MPI=ON -DCAROM_HDF5=ON can do that.\n\n"
    "example    carom sweep examples/cases/ball.json --law jia \\\n"
    "               --vary bodies.a.velocity.0=-15:15:121 --vary mu=0.2,0.4 -o ball.csv\n";

#define MOST_POINTS 1e9
enum { CHUNK = 512, MOST_THREADS = 256 };

/* The rows of one stretch of points as text, made by one thread. */
typedef struct worker {
    solver solver;
    long from, to;
    char *text;
    size_t length;
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

static void put_json(FILE *out, const sweep *s, const double *values, json_t *answer)
{
    json_t *varied_values = json_object(), *row = json_object();
    for (int i = 0; i < s->v.count; i++)
        json_object_set_new(varied_values, s->v.list[i].name, json_real(values[i]));
    json_object_set_new(row, "vary", varied_values);
    json_object_update(row, answer);
    json_print(out, row, true);
    json_decref(row);
    json_decref(answer);
}

static void put_refused(FILE *out, const carom_case *c, const carom_case_error *error)
{
    fprintf(out, ",%s,%s,,", c->rule.law ? c->rule.law->id : "", carom_status_id(error->status));
    for (int k = 0; k < csv_column_count(); k++)
        fputc(',', out);
}

static void put_point(worker *w, long i, FILE *out)
{
    const sweep *s = w->solver.s;
    double values[VARY_MOST];
    carom_case c = {0};
    carom_case_error error = {.status = CAROM_STATUS_OK};
    const carom_result *result = &w->solver.result;
    bool fine = solver_point(&w->solver, i, values, &c, &error);
    if (s->json)
        put_json(out, s, values, fine ? json_answer(&c, result) : json_error_answer(&c, &error));
    else {
        put_values(out, &s->v, values);
        if (fine) {
            csv_words(out, &c, result);
            csv_numbers(out, result);
        } else
            put_refused(out, &c, &error);
        fputc('\n', out);
    }
    carom_case_free(&c);
}

static void *work(void *context)
{
    worker *w = context;
    w->text = NULL;
    FILE *out = open_memstream(&w->text, &w->length);
    for (long i = w->from; out && i < w->to; i++)
        put_point(w, i, out);
    if (out)
        fclose(out);
    return NULL;
}

/* Stretches of points side by side, from here on; where they end. */
static long work_side_by_side(const sweep *s, worker *workers, long next, int *used)
{
    for (*used = 0; *used < s->threads && next < s->total; ++*used) {
        worker *w = &workers[*used];
        w->from = next;
        next = next + CHUNK < s->total ? next + CHUNK : s->total;
        w->to = next;
        if (pthread_create(&w->thread, NULL, work, w) != 0) {
            work(w);
            w->thread = pthread_self();
        }
    }
    return next;
}

/* All points, written in their order. */
static bool run(sweep *s, FILE *out)
{
    worker *workers = must_have(calloc((size_t)s->threads, sizeof *workers));
    bool fine = true;
    for (int k = 0; k < s->threads; k++)
        fine = solver_open(&workers[k].solver, s) && fine;
    progress bar = progress_start(!s->output);
    for (long next = 0, done = 0; fine && next < s->total && !output_is_stopped(); done = next) {
        int used;
        next = work_side_by_side(s, workers, next, &used);
        for (int k = 0; k < used; k++) {
            if (!pthread_equal(workers[k].thread, pthread_self()))
                pthread_join(workers[k].thread, NULL);
            if (workers[k].text)
                fwrite(workers[k].text, 1, workers[k].length, out);
            free(workers[k].text);
        }
        if (out == stdout)
            output_commit();
        progress_steps(&bar, (double)next / (double)s->total, next - done);
    }
    progress_end(&bar);
    for (int k = 0; k < s->threads; k++) {
        sweep_count_refused(s, &workers[k].solver);
        solver_close(&workers[k].solver);
    }
    free(workers);
    return fine;
}

static void put_head(const sweep *s, FILE *out)
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

/* Write everything: in shares, or as text to standard output or a file. */
static bool write_all(sweep *s)
{
    if (sweep_has_shares(s))
        return sweep_shares(s);
    output_file f = {.file = stdout};
    if (s->output)
        f = output_open(s->output);
    if (!f.file)
        return false;
    put_head(s, f.file);
    bool fine = run(s, f.file);
    return s->output ? output_close(&f, fine) && fine : fine;
}

/* FNV-1a over all that decides the numbers. */
static void identify(sweep *s, const char *text)
{
    for (; *text; text++)
        s->identity = (s->identity ^ (unsigned char)*text) * 0x100000001b3;
    s->identity = (s->identity ^ '\n') * 0x100000001b3;
}

static void identify_case(sweep *s)
{
    char *text = must_have(json_dumps(json_document(s->c), JSON_COMPACT | JSON_REAL_PRECISION(17)));
    identify(s, text);
    free(text);
}

static int sweep_case(carom_case *c, void *context)
{
    sweep *s = context;
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
    identify_case(s);
    varied trial;
    bool leads = varied_open(&trial, &s->v, c, "--vary");
    varied_close(&trial);
    if (!leads)
        return BAD_INPUT;
    bool fine = write_all(s);
    const char *first = s->first_refusal;
    if (fine && s->refused)
        complain("sweep: %ld of %ld points were refused%s%s", s->refused, s->total, first[0] ? "; the first: " : "",
                 first);
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

static bool check_output(sweep *s)
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

/* Rows of text come in their order, from one process. */
static bool check_ranks(const sweep *s)
{
    if (s->ranks.count > 1 && !sweep_has_shares(s)) {
        complain("sweep: under mpirun rows go into one HDF5 file (-o FILE.h5), or nowhere with --statistics");
        return false;
    }
    if (s->resume && !(s->output && sweep_has_shares(s))) {
        complain("sweep: --resume goes on with a file: -o FILE.h5");
        return false;
    }
    return true;
}

static bool read_quantities(sweep *s, const char *list)
{
    char text[512], *rest = NULL;
    snprintf(text, sizeof text, "%s", list);
    for (char *word = strtok_r(text, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        int k = 0;
        while (k < csv_column_count() && strcmp(csv_column(k), word) != 0)
            k++;
        if (k == csv_column_count() || s->quantities == QUANTITIES_MOST) {
            complain(k == csv_column_count() ? "--statistics: \"%s\" is no column; see `carom explain --quantities`"
                                             : "--statistics: \"%s\" is one too many; the most is 8",
                     word);
            return false;
        }
        s->quantity[s->quantities++] = k;
    }
    return s->quantities > 0 || complain("--statistics: expected names of columns, as in p_n,energy_change") == FINE;
}

static bool check_total(sweep *s)
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

static bool read_option(int o, sweep *s)
{
    long n = 0;
    bool fine = true;
    if (optarg && strchr("vlsde", o))
        identify(s, optarg);
    if (o == 'q')
        return read_quantities(s, optarg);
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
    s->resume |= o == 'r';
    s->settings.strict |= o == 'w';
    return fine;
}

static int processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > MOST_THREADS ? MOST_THREADS : (int)count;
}

static int read_and_sweep(int argc, char **argv, sweep *s)
{
    static const struct option options[] = {
        {"vary", required_argument, NULL, 'v'},  {"output", required_argument, NULL, 'o'},
        {"law", required_argument, NULL, 'l'},   {"set", required_argument, NULL, 's'},
        {"draws", required_argument, NULL, 'd'}, {"seed", required_argument, NULL, 'e'},
        {"json", no_argument, NULL, 'j'},        {"threads", required_argument, NULL, 't'},
        {"strict", no_argument, NULL, 'w'},      {"statistics", required_argument, NULL, 'q'},
        {"resume", no_argument, NULL, 'r'},      {NULL, 0, NULL, 0}};
    for (int o; (o = getopt_long(argc, argv, ":jo:", options, NULL)) != -1;) {
        if (o == '?' || o == ':')
            return complain_option("sweep", o, argv);
        if (!read_option(o, s))
            return BAD_INPUT;
    }
    if (argc - optind != 1)
        return complain("sweep: expected one case; see `carom sweep --help`");
    if (!check_output(s) || !check_ranks(s) || !check_total(s))
        return BAD_INPUT;
    output_hold_signals();
    return input_one_case("sweep", argv[optind], sweep_case, s);
}

int cmd_sweep(int argc, char **argv)
{
    sweep s = {.v = {.draws = 1000, .seed = 1}, .identity = 0xcbf29ce484222325, .ranks = ranks_start()};
    s.threads = s.ranks.count > 1 ? 1 : processors();
    int status = read_and_sweep(argc, argv, &s);
    vary_free(&s.v);
    ranks_end();
    return status;
}
