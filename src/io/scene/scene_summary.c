/* How a run of a scene ended. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/json_short.h"
#include "carom/scene_run.h"

enum { NAME = 160 };

const char *carom_scene_run_word(const carom_scene_run *run)
{
    if (run->status != CAROM_STATUS_OK)
        return carom_status_id(run->status);
    return run->failed ? "not-written" : run->interrupted ? "interrupted" : carom_sim_stop_word(run->stop);
}

const char *carom_scene_run_message(const carom_scene_run *run)
{
    if (run->status != CAROM_STATUS_OK)
        return carom_status_message(run->status);
    return run->failed        ? "a file could not be written; the run ended there"
           : run->interrupted ? "the run was interrupted; what is given is its beginning"
                              : carom_sim_stop_meaning(run->stop);
}

/* ---- meetings ---- */

static int by_count(const void *x, const void *y)
{
    const carom_run_pair *a = x, *b = y;
    if (a->count != b->count)
        return a->count < b->count ? 1 : -1;
    return a->a != b->a ? a->a - b->a : a->b - b->b;
}

carom_run_pair *carom_scene_run_meetings(const carom_scene_run *run)
{
    carom_run_pair *list = calloc((size_t)run->pair_count + 1, sizeof *list);
    int count = 0;
    for (int i = 0; i < CAROM_RUN_PAIRS && list; i++)
        if (run->pairs[i].count > 0)
            list[count++] = run->pairs[i];
    if (list)
        qsort(list, (size_t)count, sizeof *list, by_count);
    return list;
}

static void pair_name(const carom_scene_run *run, const carom_run_pair *p, char name[NAME])
{
    snprintf(name, NAME, "%.70s - %.70s", run->file->names[p->a], run->file->names[p->b]);
}

static json_t *bounces_of(const carom_scene_run *run)
{
    json_t *object = json_object();
    carom_run_pair *list = carom_scene_run_meetings(run);
    for (int i = 0; i < run->pair_count && list; i++) {
        char name[NAME];
        pair_name(run, &list[i], name);
        json_object_set_new(object, name, json_integer(list[i].count));
    }
    free(list);
    if (run->unlisted)
        json_object_set_new(object, "others", json_integer(run->unlisted));
    return object;
}

/* ---- JSON ---- */

static json_t *world(const carom_scene_run *run, carom_vec3 v)
{
    return run->file->scene.dim == 2 ? json_pack("[f, f]", v.x, v.y) : json_pack("[f, f, f]", v.x, v.y, v.z);
}

static json_t *energy_of(const carom_sim_ledger *l)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "before", l->before, "after", l->after,
                     "normal", l->normal, "friction", l->friction, "rest", l->rest, "sliding", l->sliding, "spin",
                     l->spin, "fields", l->fields, "driven", l->driven, "residual", l->residual);
}

static json_t *bodies_of(const carom_scene_run *run)
{
    json_t *object = json_object();
    for (int i = 0; i < run->file->scene.body_count; i++) {
        carom_sim_state state = carom_sim_body(run->sim, i);
        if (!run->file->bodies[i].def.fixed)
            json_object_set_new(object, run->file->names[i], carom_state_json(run->file, &state));
    }
    return object;
}

carom_run_roads carom_scene_run_roads(const carom_scene_run *run)
{
    carom_run_roads r = {.exact_until = carom_sim_exact_until(run->sim)};
    for (int i = 0; i < run->file->scene.body_count; i++) {
        if (run->file->bodies[i].def.fixed)
            continue;
        carom_sim_state state = carom_sim_body(run->sim, i);
        r.bodies[state.road]++;
        r.error = fmax(r.error, state.error);
    }
    return r;
}

static json_t *roads_of(const carom_scene_run *run)
{
    carom_run_roads r = carom_scene_run_roads(run);
    json_t *object = json_object();
    json_object_set_new(object, "exact_until", isinf(r.exact_until) ? json_null() : json_real(r.exact_until));
    for (int k = 0; k < CAROM_SIM_ROAD_COUNT; k++)
        json_object_set_new(object, carom_sim_road_word((carom_sim_road)k), json_integer(r.bodies[k]));
    json_object_set_new(object, "error", json_real(r.error));
    return object;
}

carom_json *carom_scene_run_json(const carom_scene_run *run, bool bodies)
{
    carom_sim_ledger ledger = carom_sim_energy(run->sim);
    double time = carom_sim_time(run->sim);
    json_t *object = json_object(), *momentum = json_object();
    if (run->file->name)
        json_object_set_new(object, "name", json_string(run->file->name));
    json_object_set_new(object, "law", json_string(run->file->scene.rule.law->id));
    json_object_set_new(object, "together", json_string(run->file->scene.together.law->id));
    json_object_set_new(object, "status", json_string(carom_scene_run_word(run)));
    json_object_set_new(object, "message", json_string(carom_scene_run_message(run)));
    json_object_set_new(object, "time", json_real(time));
    json_object_set_new(object, "impacts", json_integer(carom_sim_impacts(run->sim)));
    json_object_set_new(object, "events", json_integer(carom_sim_events(run->sim)));
    json_object_set_new(object, "bounces", bounces_of(run));
    json_object_set_new(object, "rest_time", run->stop == CAROM_SIM_STOP_REST ? json_real(time) : json_null());
    json_object_set_new(object, "roads", roads_of(run));
    json_object_set_new(object, "energy", energy_of(&ledger));
    if (bodies)
        json_object_set_new(object, "bodies", bodies_of(run));
    json_object_set_new(momentum, "linear", world(run, ledger.momentum));
    json_object_set_new(momentum, "angular",
                        run->file->scene.dim == 2 ? json_real(ledger.angular.z) : world(run, ledger.angular));
    json_object_set_new(object, "momentum", momentum);
    return object;
}

carom_json *carom_scene_run_sample(const carom_scene_run *run)
{
    json_t *line = json_object(), *bodies = json_object();
    for (int i = 0; i < run->file->scene.body_count; i++) {
        carom_sim_state state = carom_sim_body(run->sim, i);
        if (carom_scene_moves(run->file, i))
            json_object_set_new(bodies, run->file->names[i], carom_state_json(run->file, &state));
    }
    json_object_set_new(line, "t", json_real(carom_sim_time(run->sim)));
    json_object_set_new(line, "energy", json_real(carom_sim_energy(run->sim).after));
    json_object_set_new(line, "bodies", bodies);
    return line;
}
