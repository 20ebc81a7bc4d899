/* A run kept in memory, for pages and pictures. */
#include "carom/run_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/json_short.h"

enum {
    MOST_STATES = 320000, /* of a body at a time: 36 MB, and a page of 22 MB */
    OF_EVENTS = 10,       /* a tenth of them may belong to events; the rest is for the whole run */
    MOST_EVENTS = 2000    /* with their case and answer, about 2 kB each */
};

/* ---- frames ---- */

/* Room for more frames of so many bodies. */
static bool grow(carom_run_record *r, size_t size)
{
    const size_t room = r->room ? 2 * r->room : 256;
    double *times = realloc(r->times, room * sizeof *times);
    r->times = times ? times : r->times;
    carom_sim_state *states = times ? realloc(r->states, (room * size + 1) * sizeof *states) : NULL;
    r->states = states ? states : r->states;
    r->room = states ? room : r->room;
    r->lost |= !states;
    return states;
}

static carom_sim_state *new_frame(carom_run_record *r, double time)
{
    size_t size = (size_t)r->body_count;
    if ((r->frames + 1) * size > MOST_STATES) {
        r->cut = true;
        return NULL;
    }
    if (r->frames == r->room && !grow(r, size))
        return NULL;
    r->times[r->frames] = time;
    return r->states + r->frames++ * size;
}

static void fill_frame(const carom_run_record *r, const carom_scene_run *run, carom_sim_state *states)
{
    for (int k = 0; states && k < r->body_count; k++)
        states[k] = carom_sim_body(run->sim, r->bodies[k]);
}

static bool sample(void *context, const carom_scene_run *run)
{
    carom_run_record *r = context;
    fill_frame(r, run, new_frame(r, carom_sim_time(run->sim)));
    return !r->lost;
}

static bool has_room_for_events(const carom_run_record *r)
{
    return r->event_frames * (size_t)r->body_count < MOST_STATES / OF_EVENTS;
}

/* How many frames, two at most, the record ends with at this time. */
static int frames_at(const carom_run_record *r, double time)
{
    int count = 0;
    while (count < 2 && r->frames > (size_t)count && r->times[r->frames - 1 - (size_t)count] == time)
        count++;
    return count;
}

static void put_event_frame(carom_run_record *r, const carom_scene_run *run, double time)
{
    r->event_frames++;
    fill_frame(r, run, new_frame(r, time));
}

/* An instant has two frames: before the first event and after the last one. */
static bool put_before(void *context, const carom_scene_run *run, const carom_sim_event *event)
{
    carom_run_record *r = context;
    if (has_room_for_events(r) && frames_at(r, event->time) == 0)
        put_event_frame(r, run, event->time);
    return true;
}

static void put_after(carom_run_record *r, const carom_scene_run *run, const carom_sim_event *event)
{
    if (frames_at(r, event->time) == 2)
        fill_frame(r, run, r->states + (r->frames - 1) * (size_t)r->body_count);
    else if (has_room_for_events(r))
        put_event_frame(r, run, event->time);
}

/* ---- events ---- */

static json_t *triple(carom_vec3 v)
{
    return json_pack("[f, f, f]", v.x, v.y, v.z);
}

/* One contact of an event. Those of a simultaneous impact share the answer, but for what each has of its own. */
static json_t *contact_event(const carom_scene_run *run, const carom_sim_event *event, int i)
{
    static const char *const own[] = {"p", "u_after", NULL};
    const carom_sim_contact *c = &event->contacts[i];
    json_t *e = json_copy(run->line), *answer = json_object_get(e, "answer");
    json_object_set_new(e, "a", json_string(run->file->names[c->a]));
    json_object_set_new(e, "b", json_string(run->file->names[c->b]));
    json_object_set_new(e, "point", triple(carom_vec3_add(c->def_a.position, c->arm_a)));
    if (event->kind != CAROM_SIM_EVENT_IMPACT)
        return e;
    carom_frame frame;
    carom_status status = run->file->scene.dim == 2 ? carom_frame_init_planar(c->normal.x, c->normal.y, &frame)
                                                    : carom_frame_init(c->normal, &frame);
    if (status == CAROM_STATUS_OK)
        json_object_set_new(e, "impulse", triple(carom_frame_to_world(frame, c->p)));
    if (event->count > 1) {
        answer = json_copy(answer);
        for (int k = 0; own[k]; k++)
            json_object_set(answer, own[k], json_array_get(json_object_get(answer, own[k]), (size_t)i));
        json_object_set(answer, "mode", json_array_get(json_object_get(answer, "modes"), (size_t)i));
        json_object_set_new(e, "answer", answer);
        if (i > 0)
            json_object_del(e, "case");
    }
    return e;
}

static void put_marks(carom_run_record *r, const carom_sim_event *event)
{
    for (int i = 0; event->kind == CAROM_SIM_EVENT_IMPACT && i < event->count; i++) {
        if (r->mark_count == r->mark_room) {
            int room = r->mark_room ? 2 * r->mark_room : 64;
            carom_vec3 *longer = realloc(r->marks, (size_t)room * sizeof *longer);
            r->lost |= !longer;
            if (!longer)
                return;
            r->marks = longer;
            r->mark_room = room;
        }
        r->marks[r->mark_count++] = carom_vec3_add(event->contacts[i].def_a.position, event->contacts[i].arm_a);
    }
}

static bool take_event(void *context, const carom_scene_run *run, const carom_sim_event *event)
{
    carom_run_record *r = context;
    bool room = json_array_size(r->events) < MOST_EVENTS;
    put_after(r, run, event);
    if (room)
        put_marks(r, event);
    for (int i = 0; room && i < event->count; i++)
        json_array_append_new(r->events, contact_event(run, event, i));
    r->events_left_out += !room;
    return !r->lost;
}

/* ---- open and close ---- */

static int moving_count(const carom_scene_file *file)
{
    int count = 0;
    for (int i = 0; i < file->scene.body_count; i++)
        count += carom_scene_moves(file, i);
    return count;
}

double carom_run_record_rate(const carom_scene_file *file, double rate)
{
    double bodies = (double)moving_count(file), time = file->until.time;
    double most = isinf(time) || bodies == 0 ? rate : 0.9 * MOST_STATES / bodies / time;
    return fmin(rate, most);
}

bool carom_run_record_open(carom_run_record *r, carom_scene_run *run)
{
    int count = run->file->scene.body_count;
    const carom_run_sink sink = {sample, put_before, take_event, r, true};
    r->bodies = calloc((size_t)count, sizeof *r->bodies);
    r->column = calloc((size_t)count, sizeof *r->column);
    r->events = json_array();
    if (!r->bodies || !r->column || !r->events)
        return false;
    for (int i = 0; i < count; i++) {
        r->column[i] = carom_scene_moves(run->file, i) ? r->body_count : -1;
        if (r->column[i] >= 0)
            r->bodies[r->body_count++] = i;
    }
    carom_scene_run_add(run, &sink);
    return true;
}

void carom_run_record_free(carom_run_record *r)
{
    free(r->bodies);
    free(r->column);
    free(r->times);
    free(r->states);
    free(r->marks);
    carom_json_free(r->events);
}
