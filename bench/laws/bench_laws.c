/* The speed of every law, with its accuracy beside it. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_clock.h"
#include "bench_contacts.h"
#include "bench_probe.h"
#include "check.h"
#include "cli.h"
#include "input.h"
#include "output.h"
#include "progress.h"
#include "table.h"
#include "term.h"

static const char help[] =
    "usage: bench_laws [options] [FILE...]\n\n"
    "Times every law on random contacts and counts the digits it gets right. Prints a line per law and mode:\n\n"
    "  ns          nanoseconds per impact: the median of short rounds, then the fastest and the slowest\n"
    "  instr.      instructions per impact, where the machine counts them\n"
    "  digits      the median number of right digits on the cases of FILE, and how many of them are right;\n"
    "              without FILE, on straight impacts, whose answer is a formula\n"
    "  limit       the share of the fastest time that moving the numbers takes with streaming stores\n"
    "  plain       the same with ordinary stores; laws that use streaming stores can exceed 100 %\n"
    "  gain        speed on all processors over speed on one\n\n"
    "The modes are\n\n"
    "  single   carom_solve, one contact after the other: checks, law, ledger\n"
    "  cached   carom_batch_solve, 1024 contacts again and again, one thread\n"
    "  memory   the same on contacts that do not fit the caches\n"
    "  threads  a long batch on all processors\n\n"
    "A law without cases is not timed.\n\n"
    "      --law ID     only this law; may be repeated\n"
    "      --quick      shorter rounds and fewer of them\n"
    "      --json       one JSON object per line of the table, after one with the limits of the machine\n"
    "  -h, --help       this text\n\n"
    "example    bench_laws --quick --law routh-stronge\n";

enum { LAWS_MOST = 64, CACHED = 1024, MEMORY = 1 << 20, THREADED = 1 << 16, SAMPLE = 16 };

#define LEAST_TOLERANCE 1e-12 /* as in carom verify */
#define SLOW_SECONDS    0.25  /* a pass over many contacts may not last longer */

/* How right a law is on the cases it was given. */
typedef struct score {
    int cases, right, room;
    double *digits;
} score;

typedef struct session {
    bool quick, json, help;
    bool wanted[LAWS_MOST], picky;
    score scores[LAWS_MOST];
    carom_result result;
    contacts cached[CONTACT_KINDS], many[CONTACT_KINDS], memory;
    bench_clock clock;
    bench_limits limits;
    table table;
    bool bad;
} session;

/* ---- accuracy ---- */

static int law_index(const carom_law *law)
{
    for (int i = 0; i < carom_law_count(); i++)
        if (carom_law_at(i) == law)
            return i;
    return 0;
}

static void add_digits(score *s, const check *k)
{
    if (s->cases == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->digits = must_have(realloc(s->digits, (size_t)s->room * sizeof *s->digits));
    }
    s->digits[s->cases++] = check_digits(k->error);
    s->right += k->failures == 0;
}

/* True when a batch of this one case has the bits that carom_solve has. */
static bool batch_agrees(const carom_case *c, const carom_outcome *want)
{
    const carom_csym *K = &c->problem.K;
    const carom_cvec *u = &c->problem.u;
    carom_cvec p, v;
    carom_batch_in in = {1, &K->t11, &K->t12, &K->t22, &K->t1n, &K->t2n, &K->nn, &u->t1, &u->t2, &u->n, {0}};
    carom_batch_out out = {1, &p.t1, &p.t2, &p.n, &v.t1, &v.t2, &v.n, NULL, {0}};
    if (carom_batch_solve(&in, &c->rule, &out, NULL))
        return false;
    return memcmp(&p, &want->p, sizeof p) == 0 && memcmp(&v, &want->u_after, sizeof v) == 0;
}

static void judge_case(session *s, carom_case *c)
{
    carom_case_error error;
    if (!json_is_object(json_object_get(c->document, "expect")) || !carom_case_check(c, &error))
        return;
    (void)carom_case_solve(c, &s->result);
    json_t *answer = carom_case_answer(c, &s->result);
    check k = check_answer(c, &s->result, answer, LEAST_TOLERANCE);
    json_decref(answer);
    k.failures += !batch_agrees(c, &s->result.outcome);
    add_digits(&s->scores[law_index(c->rule.law)], &k);
}

static void judge_text(session *s, const carom_text *text)
{
    carom_case c;
    carom_case_error error;
    if (carom_case_read(text, &c, &error))
        judge_case(s, &c);
    else if (error.status != CAROM_STATUS_NO_LAW) {
        fprintf(stderr, "%s\n", error.message);
        s->bad = true;
    }
    carom_case_free(&c);
}

static void judge_file(session *s, const char *path)
{
    input in;
    carom_text text;
    if (!input_open(&in, path))
        s->bad = true;
    else
        while (input_next(&in, &text))
            judge_text(s, &text);
    s->bad |= !input_close(&in);
}

/* A straight impact on a contact without coupling: every law with e gives p_n = (1 + e) v / K_nn and nothing else. */
static void judge_straight(session *s, const carom_law *law, int i)
{
    double e = i / 16.0, v = 1 + 0.37 * i, k = 0.5 + 0.11 * i;
    bool planar = law->traits & CAROM_TRAIT_PLANAR_ONLY;
    char bytes[512];
    snprintf(bytes, sizeof bytes,
             planar ? "{\"law\": \"%s\", \"coefficients\": {\"e\": %.17g}, \"reduced\": {\"K\": [[2, 0], [0, %.17g]], "
                      "\"u\": [0, %.17g]}, \"expect\": {\"p\": [0, %.17g], \"u_after\": [0, %.17g]}}"
                    : "{\"law\": \"%s\", \"coefficients\": {\"e\": %.17g}, \"reduced\": {\"K\": [[2, 0, 0], [0, 2, 0], "
                      "[0, 0, %.17g]], \"u\": [0, 0, %.17g]}, \"expect\": {\"p\": [0, 0, %.17g], \"u_after\": [0, 0, "
                      "%.17g]}}",
             law->id, e, k, -v, (1 + e) * v / k, e * v);
    carom_text text = {"straight impact", i, bytes, strlen(bytes)};
    judge_text(s, &text);
}

static void judge_sample(session *s)
{
    for (int i = 0; i < carom_law_count(); i++)
        for (int k = 1; k <= SAMPLE && carom_law_at(i)->uses >> CAROM_COEFF_e & 1; k++)
            judge_straight(s, carom_law_at(i), k);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- the work that is timed ---- */

typedef struct work {
    contacts *c;
    carom_rule rule;
    carom_batch_options options;
    double sum;
} work;

static void run_single(void *context)
{
    work *w = context;
    for (int i = 0; i < CONTACT_PROBLEMS; i++) {
        carom_outcome out;
        if (carom_status_is_answer(carom_solve(&w->c->problems[i], &w->rule, NULL, &out)))
            w->sum += out.p.n;
    }
}

static void run_batch(void *context)
{
    work *w = context;
    if (carom_batch_solve(&w->c->in, &w->rule, &w->c->out, &w->options))
        abort();
}

/* ---- one line of the table ---- */

typedef struct line {
    const carom_law *law;
    const char *mode;
    contact_kind kind;
    bench_timing time;
    bench_moves limit; /* nanoseconds, or 0: none */
    double gain;       /* times as fast as one thread, or 0: not measured */
} line;

/* What share of its time a limit is. */
static double share_of(const line *l, double limit)
{
    return limit / l->time.least;
}

static void show_json(const session *s, const line *l, const score *g)
{
    (void)s;
    json_t *o = json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:i, s:i, s:f, s:f}", "law", l->law->id, "contacts",
                          contact_word(l->kind), "mode", l->mode, "ns", l->time.median, "fastest", l->time.least,
                          "slowest", l->time.most, "cases", g->cases, "right", g->right, "digits",
                          g->digits[g->cases / 2], "fewest_digits", g->digits[0]);
    if (l->time.instructions > 0)
        json_object_set_new(o, "instructions", json_real(l->time.instructions));
    if (l->limit.fastest > 0)
        json_object_set_new(o, "share_of_limit", json_real(share_of(l, l->limit.fastest)));
    if (l->limit.ordinary > 0)
        json_object_set_new(o, "share_of_ordinary", json_real(share_of(l, l->limit.ordinary)));
    if (l->gain > 0)
        json_object_set_new(o, "times_one_thread", json_real(l->gain));
    json_print(stdout, o, true);
    fflush(stdout);
    json_decref(o);
}

static void show(session *s, const line *l)
{
    const score *g = &s->scores[law_index(l->law)];
    char cells[8][40];
    if (s->json) {
        show_json(s, l, g);
        return;
    }
    int places = l->time.median < 100 ? 1 : 0;
    snprintf(cells[0], sizeof cells[0], "%.*f", places, l->time.median);
    snprintf(cells[1], sizeof cells[1], "%.*f ... %.*f", places, l->time.least, places, l->time.most);
    snprintf(cells[2], sizeof cells[2], "%.0f", l->time.instructions);
    snprintf(cells[3], sizeof cells[3], "%.1f", g->digits[g->cases / 2]);
    snprintf(cells[4], sizeof cells[4], "%d/%d", g->right, g->cases);
    snprintf(cells[5], sizeof cells[5], "%.0f %%", 100 * share_of(l, l->limit.fastest));
    snprintf(cells[6], sizeof cells[6], "%.0f %%", 100 * share_of(l, l->limit.ordinary));
    snprintf(cells[7], sizeof cells[7], "%.2f", l->gain);
    const char *row[] = {l->law->id,
                         contact_word(l->kind),
                         l->mode,
                         cells[0],
                         cells[1],
                         l->time.instructions > 0 ? cells[2] : "-",
                         cells[3],
                         cells[4],
                         l->limit.fastest > 0 ? cells[5] : "-",
                         l->limit.ordinary > 0 ? cells[6] : "-",
                         l->gain > 0 ? cells[7] : "-"};
    table_add(&s->table, g->right < g->cases ? ROW_BAD : ROW_PLAIN, row);
}

/* ---- laws ---- */

/* The contacts that tell most about a law. */
static bool is_telling(const carom_law *law, contact_kind kind)
{
    if (law->traits & CAROM_TRAIT_PLANAR_ONLY)
        return kind == CONTACT_PLANAR;
    if (law->traits & CAROM_TRAIT_PRINCIPAL_ONLY)
        return kind == CONTACT_SPHERE;
    return kind == CONTACT_GENERAL || !(law->traits & CAROM_TRAIT_CLOSED_FORM);
}

static carom_rule usual_rule(const carom_law *law)
{
    carom_rule rule = carom_rule_default(law);
    rule.coeffs.e_t = 0.3;
    rule.coeffs.ratio_1 = -0.1;
    return rule;
}

/* All threads, in turns with one. */
static line time_threads(const session *s, const carom_law *law, contact_kind kind, double single)
{
    contacts some = s->cached[kind];
    if (single * MEMORY * 1e-9 < SLOW_SECONDS && kind == CONTACT_GENERAL)
        some = s->memory;
    else if (single * THREADED * 1e-9 < SLOW_SECONDS)
        some = s->many[kind];
    work one = {&some, usual_rule(law), {1, CAROM_ISA_BEST}, 0}, all = {&some, one.rule, {0, CAROM_ISA_BEST}, 0};
    const bench_work works[] = {{run_batch, &one, (double)some.count}, {run_batch, &all, (double)some.count}};
    bench_timing times[2];
    bench_time_in_turns(&s->clock, works, 2, times);
    line l = {law, "threads", kind, times[1], {0, 0}, times[0].least / times[1].least};
    return l;
}

static void time_batches(session *s, const carom_law *law, contact_kind kind, double single)
{
    work w = {&s->cached[kind], usual_rule(law), {1, CAROM_ISA_BEST}, 0};
    line l = {law, "cached", kind, bench_time(&s->clock, (bench_work){run_batch, &w, CACHED}), {s->limits.cache, 0}, 0};
    show(s, &l);
    if (law->traits & CAROM_TRAIT_CLOSED_FORM && kind == CONTACT_GENERAL) {
        w.c = &s->memory;
        l = (line){.law = law, .mode = "memory", .kind = kind};
        l.time = bench_beside_memory(&s->clock, &s->memory, (bench_work){run_batch, &w, MEMORY}, &l.limit);
        show(s, &l);
    }
    if (carom_batch_threads() < 2)
        return;
    l = time_threads(s, law, kind, single);
    show(s, &l);
}

static void time_law(session *s, const carom_law *law)
{
    const score *g = &s->scores[law_index(law)];
    if (g->cases == 0)
        return;
    qsort(g->digits, (size_t)g->cases, sizeof *g->digits, by_value);
    for (contact_kind kind = 0; kind < CONTACT_KINDS; kind++) {
        if (!is_telling(law, kind))
            continue;
        work w = {&s->cached[kind], usual_rule(law), {1, CAROM_ISA_BEST}, 0};
        line l = {law,    "single", kind, bench_time(&s->clock, (bench_work){run_single, &w, CONTACT_PROBLEMS}),
                  {0, 0}, 0};
        show(s, &l);
        time_batches(s, law, kind, l.time.median);
    }
}

/* ---- the command ---- */

static bool prepare(session *s)
{
    bool made = contacts_make(&s->memory, CONTACT_GENERAL, MEMORY);
    for (contact_kind kind = 0; kind < CONTACT_KINDS; kind++)
        made &= contacts_make(&s->cached[kind], kind, CACHED) && contacts_make(&s->many[kind], kind, THREADED);
    if (!made)
        complain("bench: not enough memory");
    return made;
}

static void show_limits(const session *s)
{
    const bench_limits *l = &s->limits;
    const char *isa = carom_isa_word(carom_isa_best());
    if (s->json) {
        json_t *o = json_pack("{s:s, s:i, s:f, s:f, s:f, s:f, s:f}", "isa", isa, "threads", carom_batch_threads(),
                              "bytes_per_impact", l->bytes, "cache_ns", l->cache, "memory_ns", l->memory.fastest,
                              "memory_ordinary_ns", l->memory.ordinary, "divide_ns", l->divide);
        json_print(stdout, o, true);
        json_decref(o);
        return;
    }
    printf("%s, %d thread%s. Moving the %.0f bytes of an impact: %.2f ns from cache (%.0f GB/s), %.2f ns from memory\n"
           "(%.0f GB/s), %.2f with ordinary stores. A division: %.2f ns.\n\n",
           isa, carom_batch_threads(), carom_batch_threads() > 1 ? "s" : "", l->bytes, l->cache, l->bytes / l->cache,
           l->memory.fastest, l->bytes / l->memory.fastest, l->memory.ordinary, l->divide);
}

static bool read_options(int argc, char **argv, session *s)
{
    static const struct option options[] = {{"law", required_argument, NULL, 'l'},
                                            {"quick", no_argument, NULL, 'q'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    settings law = {0};
    for (int o; (o = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        s->quick |= o == 'q';
        s->json |= o == 'j';
        s->help |= o == 'h';
        if (o == 'l') {
            if (!settings_law(&law, optarg))
                return false;
            s->picky = s->wanted[law_index(law.law)] = true;
        }
        if (o == '?' || o == ':') {
            complain("bench: %s: %s; see --help", argv[optind - 1], o == ':' ? "needs a value" : "unknown option");
            return false;
        }
    }
    return true;
}

/* Some law is wanted and has cases. */
static bool has_work(const session *s)
{
    for (int i = 0; i < carom_law_count(); i++)
        if ((!s->picky || s->wanted[i]) && s->scores[i].cases > 0)
            return true;
    return false;
}

static void run(session *s)
{
    static const char *const heads[] = {"law",   "contacts", "mode",  "ns",  "fastest ... slowest", "instr.", "digits",
                                        "right", "limit",    "plain", "gain"};
    s->clock = bench_clock_start(s->quick);
    s->limits = bench_probe(&s->clock, &s->cached[CONTACT_GENERAL], &s->memory);
    show_limits(s);
    s->table = table_start("lllrrrrrrrr", heads);
    progress bar = progress_start(s->json);
    for (int i = 0; i < carom_law_count(); i++) {
        if (s->picky && !s->wanted[i])
            continue;
        progress_say(&bar, (double)i / carom_law_count(), carom_law_at(i)->id);
        time_law(s, carom_law_at(i));
    }
    progress_end(&bar);
    if (!s->json)
        table_end(&s->table);
    bench_clock_end(&s->clock);
}

static void release(session *s)
{
    for (int i = 0; i < LAWS_MOST; i++)
        free(s->scores[i].digits);
    for (contact_kind kind = 0; kind < CONTACT_KINDS; kind++)
        contacts_free(&s->cached[kind]), contacts_free(&s->many[kind]);
    contacts_free(&s->memory);
    carom_result_free(&s->result);
}

static int bench(session *s, char **files)
{
    if (!*files)
        judge_sample(s);
    for (; *files; files++)
        judge_file(s, *files);
    if (!s->bad && !has_work(s)) {
        complain("bench: no case of these laws has \"expect\"; a law without such cases is not timed");
        s->bad = true;
    }
    int status = s->bad ? BAD_INPUT : FINE;
    if (!s->bad && prepare(s))
        run(s);
    for (int i = 0; i < LAWS_MOST; i++)
        if (s->scores[i].right < s->scores[i].cases && status == FINE)
            status = FAILED;
    release(s);
    return status;
}

int main(int argc, char **argv)
{
    static session s;
    output_start();
    term_start();
    opterr = 0;
    if (carom_law_count() > LAWS_MOST || !read_options(argc, argv, &s))
        return BAD_INPUT;
    if (s.help)
        fputs(help, stdout);
    return output_finish(s.help ? FINE : bench(&s, argv + optind));
}
