/* Requests about a scene in motion. */
#include <math.h>
#include <stdlib.h>

#include "carom/propagate.h"
#include "io/request/request.h"

#define MOST_IMPACTS 1e15 /* whole numbers that a double holds */
#define MOST_SEED    9e15
#define LEAST_TIME   1e-300 /* positive */

bool request_change_scene(const void *context, carom_scene_file *file, carom_case_error *error)
{
    const request_limits *l = context;
    file->until.time = l->time > 0 ? l->time : file->until.time;
    file->until.impacts = l->impacts >= 0 ? (long long)l->impacts : file->until.impacts;
    file->rate = l->rate > 0 ? l->rate : file->rate;
    return carom_settings_apply_to_scene(l->settings, file, error);
}

bool request_read_scene(request *r, request_limits *l, carom_scene_file *file)
{
    *l = (request_limits){0, -1, 0, &r->settings};
    return request_number(r, "time", (request_range){LEAST_TIME, INFINITY, false}, &l->time) &&
           request_number(r, "impacts", (request_range){0, MOST_IMPACTS, true}, &l->impacts) &&
           request_number(r, "rate", (request_range){LEAST_TIME, INFINITY, false}, &l->rate) &&
           request_scene(r, file) && request_change_scene(l, file, &r->reply->error);
}

static carom_watcher watcher_of(const request *r)
{
    return r->watcher ? *r->watcher : (carom_watcher){NULL, NULL};
}

/* ---- runs ---- */

static bool add_sample(void *context, const carom_scene_run *run)
{
    json_t *sample = carom_scene_run_sample(run);
    return sample && json_array_append_new(context, sample) == 0;
}

static bool add_event(void *context, const carom_scene_run *run, const carom_sim_event *event)
{
    (void)event;
    return json_array_append_new(context, json_incref(run->line)) == 0;
}

/* Run the scene; samples and events go to arrays, where they are wanted. */
static bool simulate(request *r, const carom_scene_file *file, json_t *samples, json_t *events)
{
    carom_scene_run run = {.rate = samples ? file->rate : 0, .watcher = watcher_of(r)};
    const carom_run_sink sampled = {.sample = add_sample, .context = samples},
                         listed = {.event = add_event, .context = events, .wants_lines = true};
    bool fine = carom_scene_run_start(&run, file, &r->reply->error);
    if (fine && samples)
        carom_scene_run_add(&run, &sampled);
    if (fine && events)
        carom_scene_run_add(&run, &listed);
    if (fine)
        carom_scene_run_go(&run);
    fine =
        fine && carom_scene_run_check(&run, &r->reply->error) && (!run.failed || request_fail(r, "", "out of memory"));
    json_t *answer = fine ? json_object() : NULL;
    if (fine)
        json_object_set_new(answer, "summary", carom_scene_run_json(&run, true));
    if (fine && samples)
        json_object_set(answer, "trajectory", samples);
    if (fine && events)
        json_object_set(answer, "events", events);
    r->reply->answer = answer;
    carom_scene_run_free(&run);
    return fine;
}

bool carom_internal_request_simulate(request *r)
{
    static const char *const options[] = {"time", "impacts", "rate", "trajectory", "events", NULL};
    bool trajectory = false, listed = false;
    request_limits l;
    carom_scene_file file = {0};
    bool fine = request_options(r, true, options) && request_flag(r, "trajectory", &trajectory) &&
                request_flag(r, "events", &listed) && request_read_scene(r, &l, &file);
    json_t *samples = trajectory ? json_array() : NULL, *events = listed ? json_array() : NULL;
    fine = fine && simulate(r, &file, samples, events);
    json_decref(samples);
    json_decref(events);
    carom_scene_free(&file);
    return fine;
}

/* ---- gradients ---- */

static bool has_names(request *r, const char *list, const char *option)
{
    return list || r->reply->error.message[0] ? list != NULL : request_fail(r, option, "which numbers?");
}

bool carom_internal_request_gradient(request *r)
{
    static const char *const options[] = {"of", "by", "time", "impacts", "rate", "method", "one_sided", NULL};
    carom_gradient_task task = {.by_option = "by", .watcher = watcher_of(r)};
    const char *method = NULL;
    carom_scene_file file = {0};
    carom_scene_gradient g = {0};
    request_limits l;
    bool fine = request_options(r, true, options) && request_word(r, "method", &method) &&
                request_flag(r, "one_sided", &task.one_sided) &&
                (!method || carom_gradient_method_read(method, &task.method, &r->reply->error));
    char *of = fine ? request_list(r, "of") : NULL, *by = of ? request_list(r, "by") : NULL;
    task.of = of;
    task.by = by;
    fine = fine && has_names(r, of, "of") && has_names(r, by, "by") && request_read_scene(r, &l, &file) &&
           carom_scene_gradient_go(&g, &file, &task, &r->reply->error);
    if (fine) {
        json_t *summary = carom_scene_run_json(&g.run, true);
        json_object_set_new(summary, "gradient", carom_scene_gradient_json(&g));
        r->reply->answer = summary;
    }
    carom_scene_gradient_free(&g);
    carom_scene_free(&file);
    free(of);
    free(by);
    return fine;
}

/* ---- propagation ---- */

static bool use_random(void *context, const char *text, carom_case_error *error)
{
    return carom_vary_add_random(context, "random", text, error);
}

static bool propagate(request *r, const carom_scene_file *file, const carom_propagation_task *task)
{
    carom_propagation *p = calloc(1, sizeof *p);
    bool fine = p ? carom_propagate(p, file, task, &r->reply->error) : request_fail(r, "", "out of memory");
    if (fine) {
        json_t *summary = carom_scene_run_json(&p->g.run, true);
        json_object_set_new(summary, "propagation", carom_propagation_json(p));
        r->reply->answer = summary;
    }
    if (p)
        carom_propagation_free(p);
    free(p);
    return fine;
}

bool carom_internal_request_propagate(request *r)
{
    static const char *const options[] = {"of",    "random", "time",      "impacts", "rate",
                                          "count", "seed",   "one_sided", NULL};
    bool one_sided = false;
    double draws = CAROM_PROPAGATION_DRAWS, seed = 1;
    carom_variables v = {0};
    carom_scene_file file = {0};
    request_limits l;
    bool fine = request_options(r, true, options) && request_each(r, "random", ':', use_random, &v) &&
                request_number(r, "count", (request_range){1, MOST_IMPACTS, true}, &draws) &&
                request_number(r, "seed", (request_range){0, MOST_SEED, true}, &seed) &&
                request_flag(r, "one_sided", &one_sided);
    char *of = fine ? request_list(r, "of") : NULL;
    v.draws = (long)draws;
    v.seed = (uint64_t)seed;
    const carom_propagation_task task = {of, &v, {request_change_scene, &l}, watcher_of(r), one_sided};
    fine = fine && has_names(r, of, "of") && request_read_scene(r, &l, &file) && propagate(r, &file, &task);
    carom_scene_free(&file);
    carom_vary_free(&v);
    free(of);
    return fine;
}
