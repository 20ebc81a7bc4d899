/* The property suite: random impacts of every law from every distribution, held to what must be true of all of them.
 *
 *     property [--impacts N | --hours H] [--seed S] [--from N] [--jobs J] [--law ID] [--except ID] [--kind WORD]
 *              [--summary FILE]
 *
 * Impact number i of a seed is the same on every machine and for every number of jobs: a run that was stopped goes on
 * with --from. Needs the library alone. Exit status 1 when a property was violated that known.def does not list. */
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "checks.h"

enum { BLOCK = 32, REFUSED_BLOCK = 2, JOBS_MOST = 256 };
enum {
    FORCE_BLOCK = 4,
    FORCE_ROUNDS = 8
}; /* contact-force laws integrate in time: fewer impacts, in every so manyth round */

typedef struct campaign {
    uint64_t seed, from, impacts; /* impacts is the end of the count, 0 while only time bounds it */
    double hours;
    int jobs, law, kind; /* law and kind: -1 for all */
    int except;          /* a law to leave out, -1 for none */
    const char *summary;
} campaign;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Batches of laws that iterate cost as much as their singles, and are compared in one round of four. */
static bool wants_batch(const carom_law *law, uint64_t round)
{
    return law->traits & CAROM_TRAIT_CLOSED_FORM || round % 4 == 0;
}

/* How many impacts of a block are solved. Contact-force laws take milliseconds where K is stiff, and get tame ones.
 * Laws without torsion refuse all patches alike. */
static int impacts_in(const carom_law *law, kind k, uint64_t round)
{
    if (kind_has_patch(k) && !law->patch)
        return REFUSED_BLOCK;
    bool force = law->traits & CAROM_TRAIT_CONTACT_FORCE;
    return !force ? BLOCK : kind_is_tame(k) && round % FORCE_ROUNDS == 0 ? FORCE_BLOCK : 0;
}

static void run_trial(tally *t, trial *x)
{
    const carom_law *law = carom_law_at(x->law);
    if (kind_has_patch(x->kind)) {
        draw_patch(x->d, x->kind, law, &x->patch, &x->rule);
        trial_solve_patch(t, x, 0);
        check_patch(t, x);
        check_patch_relative(t, x);
    } else {
        draw_impact(x->d, x->kind, law, &x->pb, &x->rule);
        trial_solve(t, x, 0);
        check_answer(t, x);
        check_relative(t, x);
    }
}

/* Block b: up to BLOCK impacts of one law and one distribution, from dice of their own. */
static void run_block(tally *t, const campaign *c, uint64_t b)
{
    static trial rows[BLOCK];
    uint64_t laws = (uint64_t)carom_law_count();
    int law = c->law >= 0 ? c->law : (int)(b % laws);
    t->reached = b * BLOCK;
    t->law = law;
    if (law == c->except)
        return;
    kind k = c->kind >= 0 ? (kind)c->kind : (kind)(b / laws % KIND_COUNT);
    int count = impacts_in(carom_law_at(law), k, b / laws / KIND_COUNT);
    dice mix = {c->seed ^ (b * 0xd1342543de82ef95u)};
    dice d = {dice_bits(&mix)};
    for (int i = 0; i < count; i++) {
        trial *x = &rows[i];
        x->law = law;
        x->kind = k;
        x->d = &d;
        run_trial(t, x);
    }
    if (count > 0 && !kind_has_patch(k) && wants_batch(carom_law_at(law), b / laws / KIND_COUNT))
        check_batch(t, rows, count);
    t->problems[law] += (uint64_t)count;
}

static void run_job(tally *t, const campaign *c, int job, double end)
{
    uint64_t first = c->from / BLOCK, last = c->impacts / BLOCK;
    for (uint64_t b = first + (uint64_t)job; c->impacts == 0 || b < last; b += (uint64_t)c->jobs) {
        run_block(t, c, b);
        if (end > 0 && now() > end)
            return;
    }
}

static void *shared(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        perror("property");
        exit(2);
    }
    return memory;
}

/* Where a run that ends now can go on: before this number every job has done its part. */
static uint64_t reached(const tally *tallies, int jobs)
{
    uint64_t least = tallies[0].reached;
    for (int i = 1; i < jobs; i++)
        least = tallies[i].reached < least ? tallies[i].reached : least;
    return least;
}

static void progress(const tally *tallies, const campaign *c, double seconds)
{
    double problems = 0, solved = 0;
    for (int i = 0; i < c->jobs; i++) {
        problems += (double)tally_problems(&tallies[i]);
        solved += (double)tally_solved(&tallies[i]);
    }
    fprintf(stderr, "seed %llu: %.4g problems, %.4g impacts solved in %.0f s; go on with --from %llu\n",
            (unsigned long long)c->seed, problems, solved, seconds, (unsigned long long)reached(tallies, c->jobs));
}

/* Wait for the children; a line every ten seconds. False when one did not end well. */
static bool wait_for(const pid_t *children, const tally *tallies, const campaign *c)
{
    double begin = now(), said = begin;
    bool fine = true;
    for (int i = 0; i < c->jobs; i++) {
        int status = 0;
        while (waitpid(children[i], &status, WNOHANG) == 0) {
            nanosleep(&(struct timespec){0, 50000000}, NULL);
            if (now() - said < 10)
                continue;
            said = now();
            progress(tallies, c, said - begin);
        }
        fine = fine && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    return fine;
}

static bool run_jobs(const campaign *c, tally *tallies)
{
    pid_t children[JOBS_MOST];
    double end = c->hours > 0 ? now() + 3600 * c->hours : 0;
    for (int i = 0; i < c->jobs; i++) {
        children[i] = fork();
        if (children[i] < 0)
            return false;
        if (children[i] == 0) {
            run_job(&tallies[i], c, i, end);
            _exit(0);
        }
    }
    return wait_for(children, tallies, c);
}

static int find_law(const char *id)
{
    for (int i = 0; i < carom_law_count(); i++)
        if (strcmp(carom_law_at(i)->id, id) == 0)
            return i;
    return -1;
}

static int find_kind(const char *word)
{
    for (int i = 0; i < KIND_COUNT; i++)
        if (strcmp(kind_word((kind)i), word) == 0)
            return i;
    return -1;
}

static int usage(const char *why)
{
    fprintf(stderr,
            "property: %s\nusage: property [--impacts N | --hours H] [--seed S] [--from N] [--jobs J] [--law ID] "
            "[--except ID] [--kind WORD] [--summary FILE]\n",
            why);
    return 2;
}

/* One option and its value; false when it is none. */
static bool read_option(campaign *c, const char *name, const char *value)
{
    if (strcmp(name, "--impacts") == 0)
        c->impacts = (uint64_t)strtod(value, NULL);
    else if (strcmp(name, "--hours") == 0)
        c->hours = strtod(value, NULL);
    else if (strcmp(name, "--seed") == 0)
        c->seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--from") == 0)
        c->from = (uint64_t)strtod(value, NULL);
    else if (strcmp(name, "--jobs") == 0)
        c->jobs = atoi(value);
    else if (strcmp(name, "--law") == 0)
        return (c->law = find_law(value)) >= 0;
    else if (strcmp(name, "--except") == 0)
        return (c->except = find_law(value)) >= 0;
    else if (strcmp(name, "--kind") == 0)
        return (c->kind = find_kind(value)) >= 0;
    else if (strcmp(name, "--summary") == 0)
        c->summary = value;
    else
        return false;
    return true;
}

static int report(const campaign *c, const tally *sum, bool complete, double seconds)
{
    FILE *file = c->summary ? fopen(c->summary, "w") : stdout;
    if (!file)
        return usage("cannot write the summary");
    fprintf(file, "seed %llu, from %llu, to %llu, %d jobs, %.1f s, %.3g problems per second\n",
            (unsigned long long)c->seed, (unsigned long long)c->from, (unsigned long long)sum->reached, c->jobs,
            seconds, (double)tally_problems(sum) / seconds);
    tally_print(sum, file);
    if (!complete)
        fprintf(file, "a job did not end: the numbers are incomplete\n");
    if (file != stdout && fclose(file) != 0)
        return usage("cannot write the summary");
    return complete && tally_unknown(sum) == 0 ? 0 : 1;
}

int main(int count, char **words)
{
    campaign c = {.seed = 20261116, .jobs = 1, .law = -1, .kind = -1, .except = -1};
    for (int i = 1; i < count; i += 2)
        if (i + 1 == count || !read_option(&c, words[i], words[i + 1]))
            return usage(words[i]);
    if (c.jobs < 1 || c.jobs > JOBS_MOST || carom_law_count() > LAWS_MOST)
        return usage("--jobs goes from 1 to 256");
    if (c.impacts == 0 && c.hours <= 0)
        c.impacts = 100000;
    if (c.impacts > 0)
        c.impacts += c.from;
    tally *tallies = shared((size_t)c.jobs * sizeof *tallies), *sum = shared(sizeof *sum);
    double begin = now();
    bool complete = run_jobs(&c, tallies);
    for (int i = 0; i < c.jobs; i++)
        tally_add(sum, &tallies[i]);
    sum->reached = reached(tallies, c.jobs);
    return report(&c, sum, complete, now() - begin);
}
