#include "sim_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/heap.h"
#include "cli.h"
#include "output.h"

const carom_memory sim_memory = {carom_heap_resize, NULL};

bool sim_run_start(sim_run *run, const carom_scene_file *file)
{
    carom_sim_error blame = {CAROM_STATUS_OK, -1, -1, 0};
    carom_case_error error;
    run->file = file;
    carom_status status = carom_sim_create(&file->scene, &sim_memory, &run->sim, &blame);
    if (status != CAROM_STATUS_OK) {
        carom_scene_refuse(file, status, &blame, &error);
        fprintf(stderr, "%s\n", error.message);
        return false;
    }
    run->pairs = must_have(calloc(SIM_PAIRS, sizeof *run->pairs));
    return true;
}

void sim_run_add(sim_run *run, const sim_sink *sink)
{
    run->sinks[run->sink_count++] = *sink;
    run->wants_lines |= sink->wants_lines;
    run->wants_before |= sink->before != NULL;
}

/* ---- meetings of two bodies ---- */

static void count_pair(sim_run *run, int a, int b)
{
    unsigned long long key = (unsigned long long)a * 0x9E3779B97F4A7C15u + (unsigned long long)b * 0xC2B2AE3D27D4EB4Fu;
    unsigned long long at = key >> 40;
    for (int tries = 0; tries < SIM_PAIRS; tries++, at++) {
        sim_pair *p = &run->pairs[at % SIM_PAIRS];
        if (p->count == 0) {
            if (run->pair_count >= SIM_PAIRS / 2)
                break;
            *p = (sim_pair){a, b, 0};
            run->pair_count++;
        }
        if (p->a == a && p->b == b) {
            p->count++;
            return;
        }
    }
    run->unlisted++;
}

static void count_event(sim_run *run, const carom_sim_event *event)
{
    for (int i = 0; event->kind == CAROM_SIM_EVENT_IMPACT && i < event->count; i++) {
        int a = event->contacts[i].a, b = event->contacts[i].b;
        count_pair(run, a < b ? a : b, a < b ? b : a);
    }
}

/* ---- events ---- */

static void show_progress(sim_run *run)
{
    const carom_sim_until *until = &run->file->until;
    double time = carom_sim_time(run->sim), impacts = (double)carom_sim_impacts(run->sim);
    double by_time = isinf(until->time) ? 0 : time / until->time;
    double by_impacts = until->impacts > 0 ? impacts / (double)until->impacts : 0;
    if (!progress_is_due(&run->bar))
        return;
    char note[96];
    snprintf(note, sizeof note, "%.4g s, %.0f impacts, %.4g J", time, impacts, carom_sim_energy(run->sim).after);
    progress_note(&run->bar, fmin(fmax(by_time, by_impacts), 1), note);
}

static bool before_impact(void *context, carom_sim_event *event)
{
    sim_run *run = context;
    for (int i = 0; i < run->sink_count; i++)
        if (run->sinks[i].before && !run->sinks[i].before(run->sinks[i].context, run, event))
            run->failed = true;
    return true;
}

static bool hand_on(sim_run *run, const carom_sim_event *event)
{
    if (run->wants_lines) {
        bool repeats;
        double energy = carom_sim_energy(run->sim).after;
        run->line = must_have(carom_event_json(run->file, event, energy, &run->result, &repeats));
        run->unrepeated += !repeats;
    }
    for (int i = 0; i < run->sink_count; i++)
        if (run->sinks[i].event && !run->sinks[i].event(run->sinks[i].context, run, event))
            run->failed = true;
    json_decref(run->line);
    run->line = NULL;
    return !run->failed;
}

static bool after_event(void *context, const carom_sim_event *event)
{
    sim_run *run = context;
    count_event(run, event);
    bool fine = run->sink_count == 0 || hand_on(run, event);
    show_progress(run);
    return fine && !output_is_stopped();
}

/* ---- samples ---- */

static bool take_sample(sim_run *run)
{
    for (int i = 0; i < run->sink_count; i++)
        if (run->sinks[i].sample && !run->sinks[i].sample(run->sinks[i].context, run))
            run->failed = true;
    show_progress(run);
    return !run->failed && !output_is_stopped();
}

/* On to the next sample or the end. True when there is more to come. */
static bool advance(sim_run *run, long long next)
{
    carom_sim_until until = run->file->until;
    double end = until.time, at = run->rate > 0 ? (double)next / run->rate : end;
    until.time = fmin(end, at);
    run->status = carom_sim_advance(run->sim, &until, &run->stop);
    return run->status == CAROM_STATUS_OK && run->stop == CAROM_SIM_STOP_TIME && until.time < end;
}

void sim_run_go(sim_run *run)
{
    carom_sim_observer observer = {run->wants_before ? before_impact : NULL, after_event, run};
    run->bar = progress_start(false);
    carom_sim_observe(run->sim, &observer);
    bool more = take_sample(run);
    for (long long next = 1; more; next++) {
        more = advance(run, next) && take_sample(run);
        if (!more && run->status == CAROM_STATUS_OK && !run->failed && run->stop != CAROM_SIM_STOP_OBSERVER &&
            !output_is_stopped())
            take_sample(run); /* the end */
    }
    run->interrupted = output_is_stopped();
    progress_end(&run->bar);
}

void sim_run_free(sim_run *run)
{
    carom_sim_free(run->sim);
    carom_result_free(&run->result);
    free(run->pairs);
}
