/* Numbers of a run at its end, by their paths. */
#include "carom/records.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/settings.h"

typedef enum quantity {
    TIME,
    IMPACTS,
    EVENTS,
    ENERGY_BEFORE,
    ENERGY_AFTER,
    ENERGY_NORMAL,
    ENERGY_FRICTION,
    ENERGY_REST,
    ENERGY_SLIDING,
    ENERGY_SPIN,
    ENERGY_RESIDUAL,
    LINEAR,
    ANGULAR,
    RUN_QUANTITIES,
    POSITION = RUN_QUANTITIES,
    ORIENTATION,
    ANGLE,
    VELOCITY,
    OMEGA,
    RESTING,
    SIDE,
    QUANTITIES
} quantity;

/* Components in space and in the plane; 0: a number without an index, -1: it has none. */
static const struct {
    const char *word;
    int space, plane;
} words[QUANTITIES] = {
    [TIME] = {"time", 0, 0},
    [IMPACTS] = {"impacts", 0, 0},
    [EVENTS] = {"events", 0, 0},
    [ENERGY_BEFORE] = {"energy.before", 0, 0},
    [ENERGY_AFTER] = {"energy.after", 0, 0},
    [ENERGY_NORMAL] = {"energy.normal", 0, 0},
    [ENERGY_FRICTION] = {"energy.friction", 0, 0},
    [ENERGY_REST] = {"energy.rest", 0, 0},
    [ENERGY_SLIDING] = {"energy.sliding", 0, 0},
    [ENERGY_SPIN] = {"energy.spin", 0, 0},
    [ENERGY_RESIDUAL] = {"energy.residual", 0, 0},
    [LINEAR] = {"momentum.linear", 3, 2},
    [ANGULAR] = {"momentum.angular", 3, 0},
    [POSITION] = {"position", 3, 2},
    [ORIENTATION] = {"orientation", 4, -1},
    [ANGLE] = {"angle", -1, 0},
    [VELOCITY] = {"velocity", 3, 2},
    [OMEGA] = {"omega", 3, 0},
    [RESTING] = {"resting", 0, 0},
    [SIDE] = {"side", 0, 0},
};

/* ---- reading ---- */

static bool push(carom_records *r, const char *option, const carom_end_number *one, carom_case_error *error)
{
    if (carom_records_find(r, one->name) >= 0)
        return true;
    if (r->count == CAROM_RECORDS)
        return carom_request_fail(error, option, "at most %d numbers of a run", CAROM_RECORDS);
    r->list[r->count++] = *one;
    return true;
}

int carom_records_find(const carom_records *r, const char *name)
{
    for (int i = 0; i < r->count; i++)
        if (strcmp(r->list[i].name, name) == 0)
            return i;
    return -1;
}

/* The part of a path after a quantity: nothing, or the index of one component. -2: neither. */
static int index_of(const char *rest, int parts)
{
    if (!rest[0])
        return -1;
    if (rest[0] == '.' && rest[1] >= '0' && rest[1] < '0' + parts && !rest[2])
        return rest[1] - '0';
    return -2;
}

/* Add a quantity and all or one of its parts: 1 done, 0 not this one, -1 with an error. */
static int add_quantity(carom_records *r, const char *option, const char *path, const char *rest, carom_end_number *one,
                        carom_case_error *error)
{
    int only = index_of(rest, one->part);
    if (only == -2)
        return 0;
    if (one->part == 0 || only >= 0) {
        snprintf(one->name, sizeof one->name, "%s", path);
        one->part = only >= 0 ? only : 0;
        return push(r, option, one, error) ? 1 : -1;
    }
    for (int parts = one->part, k = 0; k < parts; k++) {
        const char index[] = {'.', (char)('0' + k), 0};
        snprintf(one->name, sizeof one->name, "%s%s", path, index);
        one->part = k;
        if (!push(r, option, one, error))
            return -1;
    }
    return 1;
}

int carom_scene_body_of_path(const carom_scene_file *file, const char *path, const char **rest)
{
    int best = -1;
    size_t most = 0;
    for (int i = 0; i < file->scene.body_count; i++) {
        size_t length = strlen(file->names[i]);
        if (length >= most && strncmp(path, file->names[i], length) == 0 && path[length] == '.')
            best = i, most = length;
    }
    *rest = path + most + 1;
    return best;
}

static int add_path(carom_records *r, const char *option, const char *path, const carom_scene_file *file,
                    carom_case_error *error)
{
    const char *rest = path;
    int body = strncmp(path, "bodies.", 7) == 0 ? carom_scene_body_of_path(file, path + 7, &rest) : -1;
    int from = body >= 0 ? RUN_QUANTITIES : 0, to = body >= 0 ? QUANTITIES : RUN_QUANTITIES;
    for (int q = from; q < to; q++) {
        size_t length = strlen(words[q].word);
        int parts = file->scene.dim == 2 ? words[q].plane : words[q].space;
        if (parts < 0 || strncmp(rest, words[q].word, length) != 0)
            continue;
        carom_end_number one = {.quantity = q, .body = body, .part = parts};
        int done = add_quantity(r, option, path, rest + length, &one, error);
        if (done)
            return done;
    }
    return 0;
}

bool carom_records_read(carom_records *r, const char *option, const char *list, const carom_scene_file *file,
                        carom_case_error *error)
{
    for (const char *at = list;; at++) {
        char path[CAROM_END_NUMBER_NAME - 8];
        size_t length = strcspn(at, ",");
        snprintf(path, sizeof path, "%.*s", (int)(length < sizeof path ? length : sizeof path - 1), at);
        int done = add_path(r, option, path, file, error);
        if (done == 0)
            carom_request_fail(error, option,
                               "\"%s\" is no number of a run; expected time, impacts, events, energy.after, "
                               "bodies.NAME.position, .orientation (planar: .angle), .velocity, .omega, .resting or "
                               ".side",
                               path);
        if (done <= 0)
            return false;
        at += length;
        if (!*at)
            return true;
    }
}

/* ---- values ---- */

static double component(carom_vec3 v, int k)
{
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

/* Up is against gravity; without gravity it is z, in the plane y. */
static carom_vec3 up_of(const carom_scene *scene)
{
    double size = carom_vec3_length(scene->gravity);
    if (size > 0)
        return carom_vec3_scale(-1 / size, scene->gravity);
    return scene->dim == 2 ? carom_vec3_make(0, 1, 0) : carom_vec3_make(0, 0, 1);
}

/* R^T v */
static carom_vec3 in_body(carom_quat q, carom_vec3 v)
{
    carom_vec3 u = {-q.x, -q.y, -q.z}, t = carom_vec3_scale(2, carom_vec3_cross(u, v));
    return carom_vec3_add(carom_vec3_add(v, carom_vec3_scale(q.w, t)), carom_vec3_cross(u, t));
}

static double side_of(const carom_scene *scene, const carom_sim_state *s)
{
    carom_vec3 up = in_body(s->orientation, up_of(scene));
    int best = 0;
    for (int k = 1; k < scene->dim; k++)
        best = fabs(component(up, k)) > fabs(component(up, best)) ? k : best;
    return component(up, best) < 0 ? -best - 1 : best + 1;
}

static double body_number(const carom_end_number *r, const carom_scene_file *file, const carom_sim_state *s)
{
    const bool planar = file->scene.dim == 2;
    const double turn[4] = {s->orientation.w, s->orientation.x, s->orientation.y, s->orientation.z};
    switch (r->quantity) {
    case POSITION:
        return component(s->position, r->part);
    case ORIENTATION:
        return turn[r->part];
    case ANGLE:
        return carom_state_angle(s);
    case VELOCITY:
        return component(s->velocity, r->part);
    case OMEGA:
        return planar ? s->omega.z : component(s->omega, r->part);
    case RESTING:
        return s->resting;
    default:
        return side_of(&file->scene, s);
    }
}

static double run_number(const carom_end_number *r, const carom_scene_file *file, const carom_sim *sim)
{
    const carom_sim_ledger l = carom_sim_energy(sim);
    const double energy[] = {l.before, l.after, l.normal, l.friction, l.rest, l.sliding, l.spin, l.residual};
    switch (r->quantity) {
    case TIME:
        return carom_sim_time(sim);
    case IMPACTS:
        return (double)carom_sim_impacts(sim);
    case EVENTS:
        return (double)carom_sim_events(sim);
    case LINEAR:
        return component(l.momentum, r->part);
    case ANGULAR:
        return file->scene.dim == 2 ? l.angular.z : component(l.angular, r->part);
    default:
        return energy[r->quantity - ENERGY_BEFORE];
    }
}

double carom_end_number_value(const carom_end_number *r, const carom_scene_file *file, const carom_sim *sim)
{
    if (r->body < 0)
        return run_number(r, file, sim);
    const carom_sim_state s = carom_sim_body(sim, r->body);
    return body_number(r, file, &s);
}
