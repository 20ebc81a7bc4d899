/* A run of the simulator that the package advances as it likes: states as numbers, events as numbers and, where they
 * are wanted, as the lines of `carom sim --events`. */
#include <stdlib.h>
#include <string.h>

#include "carom/json_short.h"
#include "carom/scene_run.h"
#include "js.h"

enum { STATE = 14, CONTACT = 13 }; /* numbers of a body, and of a contact in an event */

typedef struct simulation {
    carom_scene_file file;
    carom_scene_run run;
    double *states;   /* STATE numbers per body */
    double *contacts; /* CONTACT numbers per contact of the events of the last advance */
    size_t contact_count, contact_room;
    json_t *lines; /* of the events of the last advance */
    char *text;    /* of the scene, which the file refers to */
    char *snapshot;
} simulation;

/* ---- events ---- */

static void put_vector(double *to, carom_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static carom_vec3 impulse_of(const carom_scene_run *run, const carom_sim_contact *c)
{
    carom_frame frame;
    carom_status status = run->file->scene.dim == 2 ? carom_frame_init_planar(c->normal.x, c->normal.y, &frame)
                                                    : carom_frame_init(c->normal, &frame);
    return status == CAROM_STATUS_OK ? carom_frame_to_world(frame, c->p) : carom_vec3_make(0, 0, 0);
}

static double *new_contact(simulation *s)
{
    if (s->contact_count == s->contact_room) {
        size_t room = s->contact_room ? 2 * s->contact_room : 64;
        double *larger = realloc(s->contacts, room * CONTACT * sizeof *larger);
        if (!larger)
            return NULL;
        s->contacts = larger;
        s->contact_room = room;
    }
    return s->contacts + CONTACT * s->contact_count++;
}

/* kind, time, a, b, point, normal, impulse on a; all in the world. */
static bool take_event(void *context, const carom_scene_run *run, const carom_sim_event *event)
{
    simulation *s = context;
    for (int i = 0; i < event->count; i++) {
        const carom_sim_contact *c = &event->contacts[i];
        double *to = new_contact(s);
        if (!to)
            return false;
        to[0] = (double)event->kind;
        to[1] = event->time;
        to[2] = c->a;
        to[3] = c->b;
        put_vector(to + 4, carom_vec3_add(c->def_a.position, c->arm_a));
        put_vector(to + 7, c->normal);
        put_vector(to + 10, event->kind == CAROM_SIM_EVENT_IMPACT ? impulse_of(run, c) : carom_vec3_make(0, 0, 0));
    }
    return !run->line || json_array_append_new(s->lines, json_incref(run->line)) == 0;
}

/* ---- begin and end ---- */

EXPORT(carom_js_sim_free) void carom_js_sim_free(simulation *s)
{
    carom_scene_run_free(&s->run);
    carom_scene_free(&s->file);
    free(s->states);
    free(s->contacts);
    json_decref(s->lines);
    free(s->text);
    free(s->snapshot);
    free(s);
}

/* Null after a refusal (carom_js_text). The text is copied. lines: every event also becomes a line of JSON. */
EXPORT(carom_js_sim_new) simulation *carom_js_sim_new(const char *bytes, size_t length, int lines)
{
    simulation *s = calloc(1, sizeof *s);
    carom_case_error error;
    s->text = malloc(length + 1);
    memcpy(s->text, bytes, length);
    carom_text text = {"scene", 1, s->text, length};
    if (!carom_scene_read(&text, &s->file, &error) || !carom_scene_run_start(&s->run, &s->file, &error)) {
        js_refuse(&error);
        carom_js_sim_free(s);
        return NULL;
    }
    carom_run_sink sink = {.event = take_event, .context = s, .wants_lines = lines != 0};
    carom_scene_run_add(&s->run, &sink);
    s->states = calloc((size_t)s->file.scene.body_count * STATE + 1, sizeof *s->states);
    return s;
}

/* ---- go on ---- */

/* Advance to the time, or until so many events are over; negative: no limit. A carom_sim_stop, and carom_js_text has
 * the lines; or -1, and it has the refusal. */
EXPORT(carom_js_sim_advance) int carom_js_sim_advance(simulation *s, double time, double events, double impacts)
{
    carom_sim_until *until = &s->file.until;
    carom_case_error error;
    s->contact_count = 0;
    s->lines = json_array();
    until->time = time;
    until->events = (long long)events;
    until->impacts = (long long)impacts;
    carom_scene_run_go(&s->run);
    bool fine = carom_scene_run_check(&s->run, &error);
    if (fine)
        js_answer(s->lines);
    else {
        js_refuse(&error);
        json_decref(s->lines);
    }
    s->lines = NULL;
    return fine ? (int)s->run.stop : -1;
}

/* ---- look ---- */

/* The limits of the scene file: time (infinite: none), impacts (negative: none), rate. */
EXPORT(carom_js_sim_limits) void carom_js_sim_limits(const simulation *s, double limits[3])
{
    limits[0] = s->file.until.time;
    limits[1] = (double)s->file.until.impacts;
    limits[2] = s->file.rate;
}

EXPORT(carom_js_sim_bodies) int carom_js_sim_bodies(const simulation *s)
{
    return s->file.scene.body_count;
}

EXPORT(carom_js_sim_dim) int carom_js_sim_dim(const simulation *s)
{
    return s->file.scene.dim;
}

EXPORT(carom_js_sim_name) const char *carom_js_sim_name(const simulation *s, int i)
{
    return s->file.names[i];
}

/* The ends of joints that hold a point, for pictures: x gets the number of the body and the point in its axes, from its
 * centre of mass. False behind the last; a body of -1 is the world. */
EXPORT(carom_js_sim_string) int carom_js_sim_string(const simulation *s, int i, double x[4])
{
    const carom_scene *scene = &s->file.scene;
    if (i / 2 >= scene->joint_count)
        return 0;
    const carom_joint_def *joint = &scene->joints[i / 2];
    x[0] = joint->linear != 0 ? CAROM_WORLD : i % 2 ? joint->b : joint->a;
    put_vector(x + 1, i % 2 ? joint->point_b : joint->point_a);
    return 1;
}

/* Per body: position, orientation (w x y z), velocity, omega, 1 if it rests. */
EXPORT(carom_js_sim_states) const double *carom_js_sim_states(simulation *s)
{
    for (int i = 0; i < s->file.scene.body_count; i++) {
        carom_sim_state b = carom_sim_body(s->run.sim, i);
        double *to = s->states + (size_t)i * STATE;
        put_vector(to, b.position);
        to[3] = b.orientation.w;
        to[4] = b.orientation.x;
        to[5] = b.orientation.y;
        to[6] = b.orientation.z;
        put_vector(to + 7, b.velocity);
        put_vector(to + 10, b.omega);
        to[13] = b.resting;
    }
    return s->states;
}

EXPORT(carom_js_sim_contacts) const double *carom_js_sim_contacts(const simulation *s)
{
    return s->contacts;
}

EXPORT(carom_js_sim_contact_count) size_t carom_js_sim_contact_count(const simulation *s)
{
    return s->contact_count;
}

/* time, next event (infinite: none), impacts, events; energy before, after, normal, friction, rest, sliding, residual;
 * momentum, angular momentum; energy of fields, by driven bodies, and of spin. */
EXPORT(carom_js_sim_numbers) void carom_js_sim_numbers(const simulation *s, double x[20])
{
    const carom_sim *sim = s->run.sim;
    carom_sim_ledger l = carom_sim_energy(sim);
    double numbers[11] = {carom_sim_time(sim),
                          carom_sim_next(sim),
                          (double)carom_sim_impacts(sim),
                          (double)carom_sim_events(sim),
                          l.before,
                          l.after,
                          l.normal,
                          l.friction,
                          l.rest,
                          l.sliding,
                          l.residual};
    memcpy(x, numbers, sizeof numbers);
    put_vector(x + 11, l.momentum);
    put_vector(x + 14, l.angular);
    x[17] = l.fields;
    x[18] = l.driven;
    x[19] = l.spin;
}

/* ---- go back ---- */

/* A snapshot in memory of the package, to be freed by it; its size is that of carom_js_sim_snapshot_size. */
EXPORT(carom_js_sim_snapshot_size) size_t carom_js_sim_snapshot_size(const simulation *s)
{
    return carom_sim_snapshot_size(s->run.sim);
}

EXPORT(carom_js_sim_save) void carom_js_sim_save(const simulation *s, void *snapshot)
{
    carom_sim_save(s->run.sim, snapshot);
}

EXPORT(carom_js_sim_restore) int carom_js_sim_restore(simulation *s, const void *snapshot)
{
    return (int)carom_sim_restore(s->run.sim, snapshot);
}
