/* A run of a scene and those who write it down. */
#include "carom/scene_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/heap.h"
#include "carom/json_short.h"

bool carom_scene_run_start(carom_scene_run *run, const carom_scene_file *file, carom_case_error *error)
{
    static const carom_memory memory = {carom_heap_resize, NULL};
    carom_sim_error blame = {CAROM_STATUS_OK, -1, -1, 0};
    run->file = file;
    carom_status status = carom_sim_create(&file->scene, &memory, &run->sim, &blame);
    if (status != CAROM_STATUS_OK)
        return carom_scene_refuse(file, status, &blame, error);
    run->pairs = calloc(CAROM_RUN_PAIRS, sizeof *run->pairs);
    return run->pairs || carom_request_fail(error, "", "out of memory");
}

void carom_scene_run_add(carom_scene_run *run, const carom_run_sink *sink)
{
    run->sinks[run->sink_count++] = *sink;
    run->wants_lines |= sink->wants_lines;
    run->wants_before |= sink->before != NULL;
}

bool carom_scene_run_check(const carom_scene_run *run, carom_case_error *error)
{
    if (run->status == CAROM_STATUS_OK)
        return true;
    const carom_sim_error blame = carom_sim_blame(run->sim);
    return carom_scene_refuse(run->file, run->status, &blame, error);
}

bool carom_scene_moves(const carom_scene_file *file, int i)
{
    const carom_body_def *def = &file->bodies[i].def;
    return !def->fixed || file->bodies[i].drive || carom_vec3_length(def->velocity) > 0 ||
           carom_vec3_length(def->omega) > 0;
}

/* ---- meetings of two bodies ---- */

static void count_pair(carom_scene_run *run, int a, int b)
{
    unsigned long long key = (unsigned long long)a * 0x9E3779B97F4A7C15u + (unsigned long long)b * 0xC2B2AE3D27D4EB4Fu;
    unsigned long long at = key >> 40;
    for (int tries = 0; tries < CAROM_RUN_PAIRS; tries++, at++) {
        carom_run_pair *p = &run->pairs[at % CAROM_RUN_PAIRS];
        if (p->count == 0) {
            if (run->pair_count >= CAROM_RUN_PAIRS / 2)
                break;
            *p = (carom_run_pair){a, b, 0};
            run->pair_count++;
        }
        if (p->a == a && p->b == b) {
            p->count++;
            return;
        }
    }
    run->unlisted++;
}

static void count_event(carom_scene_run *run, const carom_sim_event *event)
{
    for (int i = 0; event->kind == CAROM_SIM_EVENT_IMPACT && i < event->count; i++) {
        int a = event->contacts[i].a, b = event->contacts[i].b;
        count_pair(run, a < b ? a : b, a < b ? b : a);
    }
}

/* ---- events ---- */

/* False when the watcher wants the run to end. */
static bool goes_on(carom_scene_run *run)
{
    const carom_sim_until *until = &run->file->until;
    if (!run->watcher.watch || run->interrupted)
        return !run->interrupted;
    double by_time = isinf(until->time) ? 0 : carom_sim_time(run->sim) / until->time;
    double by_impacts = until->impacts > 0 ? (double)carom_sim_impacts(run->sim) / (double)until->impacts : 0;
    run->interrupted = !run->watcher.watch(run->watcher.context, fmin(fmax(by_time, by_impacts), 1));
    return !run->interrupted;
}

static bool before_impact(void *context, carom_sim_event *event)
{
    carom_scene_run *run = context;
    for (int i = 0; i < run->sink_count; i++)
        if (run->sinks[i].before && !run->sinks[i].before(run->sinks[i].context, run, event))
            run->failed = true;
    return true;
}

static bool hand_on(carom_scene_run *run, const carom_sim_event *event)
{
    if (run->wants_lines) {
        bool repeats = true;
        double energy = carom_sim_energy(run->sim).after;
        run->line = carom_event_json(run->file, event, energy, &run->result, &repeats);
        run->failed |= !run->line;
        run->unrepeated += !repeats;
    }
    for (int i = 0; i < run->sink_count && !run->failed; i++)
        if (run->sinks[i].event && !run->sinks[i].event(run->sinks[i].context, run, event))
            run->failed = true;
    carom_json_free(run->line);
    run->line = NULL;
    return !run->failed;
}

static bool after_event(void *context, const carom_sim_event *event)
{
    carom_scene_run *run = context;
    count_event(run, event);
    return run->sink_count == 0 || hand_on(run, event);
}

/* ---- samples ---- */

static bool take_sample(void *context)
{
    carom_scene_run *run = context;
    for (int i = 0; i < run->sink_count; i++)
        if (run->sinks[i].sample && !run->sinks[i].sample(run->sinks[i].context, run))
            run->failed = true;
    return !run->failed;
}

/* ---- one impact as a case ---- */

/* A linkage keeps its coordinates, which are known before the impact. */
static bool keep_linkage(void *context, const carom_scene_run *run, const carom_sim_event *event)
{
    carom_run_impact *w = context;
    if (w->seen + 1 == w->number)
        w->tree = carom_event_linkage(run->file, run->sim, event);
    return true;
}

static bool keep_wanted(void *context, const carom_scene_run *run, const carom_sim_event *event)
{
    carom_run_impact *w = context;
    if (event->kind == CAROM_SIM_EVENT_IMPACT && ++w->seen == w->number && !w->tree)
        w->tree = carom_event_case(run->file, event);
    return true;
}

void carom_scene_run_want(carom_scene_run *run, carom_run_impact *impact)
{
    const carom_run_sink sink = {.before = keep_linkage, .event = keep_wanted, .context = impact};
    carom_scene_run_add(run, &sink);
}

/* ---- from start to end ---- */

enum { AT_ONCE = 4 }; /* instants between two looks of the watcher */

void carom_scene_run_go(carom_scene_run *run)
{
    const carom_sim_observer observer = {run->wants_before ? before_impact : NULL, after_event, run};
    carom_run at = {run->sim, run->file->until, run->rate, take_sample, run, .next = 0};
    carom_sim_observe(run->sim, &observer);
    carom_run_start(&at);
    while (carom_run_on(&at, AT_ONCE) && goes_on(run))
        ;
    run->stop = at.stop;
    run->status = at.status;
}

void carom_scene_run_free(carom_scene_run *run)
{
    carom_sim_free(run->sim);
    carom_result_free(&run->result);
    free(run->pairs);
    memset(run, 0, sizeof *run);
}
