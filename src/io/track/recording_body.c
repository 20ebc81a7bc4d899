/* The body of a recording from its own records: resting poses give sizes and the floor, flights gravity and drag, and
 * the closure of momentum the masses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/elementary.h"
#include "io/track/recording_parts.h"

enum { ROUNDS = 8, STILL_FRAMES = 5, LEAST_FLIGHT = 8 };

#define STILL      2e-3   /* of the size of the body: how far a resting one moves in a few frames */
#define FLAT       0.9995 /* cosine between a body axis and the vertical: lies on a face */
#define MAD        1.4826 /* median deviation to standard deviation of normal errors */
#define HALF_PI    1.57079632679489661923
#define STANDARD_G 9.81
#define SHIFT      1e-7 /* of the size of the body: the centre of mass has settled */

/* A number that was found, with its deviation. */
typedef struct finding {
    double value, std;
    int count;
} finding;

double tracked_size(const carom_tracked *b)
{
    double size = 0;
    for (int i = 0; i < b->point_count; i++)
        size = fmax(size, carom_vec3_length(b->corner[i]));
    return size;
}

/* Median and its deviation; the numbers are changed. */
static finding middle_of(double *numbers, int count)
{
    finding f = {median_of(numbers, count), 0, count};
    for (int i = 0; i < count; i++)
        numbers[i] = fabs(numbers[i] - f.value);
    f.std = count > 0 ? MAD * median_of(numbers, count) / sqrt(count) : 0;
    return f;
}

/* ---- resting poses ---- */

static double height(const carom_tracked *b, carom_vec3 x)
{
    return b->dim == 3 ? x.z - b->slope[1] * x.y : x.y;
}

/* The last pose of a record in which the body lies still; null when it still moves. */
static const carom_pose *resting(const carom_recording *rec, int i)
{
    const carom_record *record = &rec->records[i];
    const carom_pose *last = rec->poses + record->first + record->count - 1;
    if (record->fault || record->count < STILL_FRAMES)
        return NULL;
    const carom_pose *first = last - STILL_FRAMES + 1;
    return carom_vec3_length(carom_vec3_sub(last->x, first->x)) < STILL * tracked_size(&rec->body) ? last : NULL;
}

/* The vertical in body axes. */
static carom_vec3 vertical(const carom_tracked *b, const carom_pose *pose)
{
    carom_quat q = {pose->q.w, -pose->q.x, -pose->q.y, -pose->q.z};
    carom_vec3 up = b->dim == 3 ? carom_vec3_make(0, 0, 1) : carom_vec3_make(0, 1, 0), u = {q.x, q.y, q.z};
    carom_vec3 t = carom_vec3_scale(2, carom_vec3_cross(u, up));
    return carom_vec3_add(carom_vec3_add(up, carom_vec3_scale(q.w, t)), carom_vec3_cross(u, t));
}

/* The half width under which a box lies flat, or 0. */
static double standing_half(const carom_tracked *b, const carom_pose *pose)
{
    carom_vec3 v = vertical(b, pose);
    return fabs(v.x) > FLAT ? b->half.x : fabs(v.y) > FLAT ? b->half.y : fabs(v.z) > FLAT ? b->half.z : 0;
}

/* One box as large as its heights at rest. */
static finding find_half(carom_recording *rec, double *list)
{
    carom_tracked *b = &rec->body;
    int count = 0;
    for (int i = 0; i < rec->record_count; i++) {
        const carom_pose *p = resting(rec, i);
        double half = p ? standing_half(b, p) : 0;
        if (half > 0)
            list[count++] = (height(b, p->x) - b->floor - b->slope[0] * p->x.x) / half;
    }
    finding f = middle_of(list, count);
    if (count > 0) {
        f.std *= b->half.x;
        f.value *= b->half.x;
        carom_tracked_box(b, carom_vec3_scale(f.value / b->half.x, b->half));
    }
    return f;
}

/* The sides of a planar box against its axes, from the angles at rest. */
static finding find_turn(carom_recording *rec, double *list)
{
    int count = 0;
    for (int i = 0; i < rec->record_count; i++) {
        const carom_pose *p = resting(rec, i);
        double angle = p ? 2 * carom_atan2(p->q.z, p->q.w) : 0;
        if (p)
            list[count++] = angle - HALF_PI * floor(angle / HALF_PI + 0.5);
    }
    finding f = middle_of(list, count);
    double by = -f.value;
    for (int i = 0; i < rec->frame_count; i++) {
        carom_quat q = rec->poses[i].q;
        double c = carom_cos(by / 2), s = carom_sin(by / 2);
        rec->poses[i].q.w = c * q.w - s * q.z;
        rec->poses[i].q.z = c * q.z + s * q.w;
    }
    rec->turn += by;
    f.value = rec->turn;
    return f;
}

/* Height and slope along x of the floor under boxes that lie flat, by least squares. */
static finding find_floor(carom_recording *rec, double *list)
{
    carom_tracked *b = &rec->body;
    double n = 0, x = 0, z = 0, xx = 0, xz = 0;
    int count = 0;
    for (int i = 0; i < rec->record_count; i++) {
        const carom_pose *p = resting(rec, i);
        double half = p ? standing_half(b, p) : 0;
        if (!(half > 0))
            continue;
        double at = p->x.x, over = height(b, p->x) - half;
        n++, x += at, z += over, xx += at * at, xz += at * over;
    }
    double det = n * xx - x * x;
    finding f = {b->floor, 0, (int)n};
    if (!(det > 0))
        return f;
    b->slope[0] = (n * xz - x * z) / det;
    b->floor = f.value = (z - b->slope[0] * x) / n;
    for (int i = 0; i < rec->record_count; i++) {
        const carom_pose *p = resting(rec, i);
        double half = p ? standing_half(b, p) : 0;
        if (half > 0)
            list[count++] = height(b, p->x) - half - b->floor - b->slope[0] * p->x.x;
    }
    f.std = middle_of(list, count).std;
    return f;
}

/* ---- flights ---- */

/* Sums over flights: accelerations with their weights. */
typedef struct flight_sums {
    double weight, up, up_up, drag_num, drag_den, spin_num, spin_den;
    int count;
} flight_sums;

void parabola(const double *z, int n, double dt, double *rate, double *acceleration, double *weight)
{
    double mean = dt * dt * ((double)n * n - 1) / 12, s2 = 0, p2 = 0, sz = 0, pz = 0;
    for (int k = 0; k < n; k++) {
        double s = (k - (n - 1) / 2.0) * dt, p = s * s - mean;
        s2 += s * s, p2 += p * p, sz += s * z[k], pz += p * z[k];
    }
    *rate = sz / s2;
    *acceleration = 2 * pz / p2;
    *weight = p2;
}

static void add_flight(const carom_recording *rec, const carom_pose *poses, int first, int last, flight_sums *s)
{
    enum { MOST = 512 };
    const carom_tracked *b = &rec->body;
    double coordinate[4][MOST], angle = 0, rate, acceleration, weight;
    int n = last - first + 1 < MOST ? last - first + 1 : MOST;
    for (int k = 0; k < n; k++) {
        carom_vec3 x = carom_tracked_com(b, poses[first + k]);
        const carom_quat q = poses[first + k].q, p = poses[first + k - (k > 0)].q;
        double half = carom_atan2(q.z * p.w - q.w * p.z, q.w * p.w + q.z * p.z);
        angle += 2 * (half - 2 * HALF_PI * floor(half / (2 * HALF_PI) + 0.5));
        coordinate[0][k] = x.x, coordinate[1][k] = x.y, coordinate[2][k] = x.z, coordinate[3][k] = angle;
    }
    int up = b->dim - 1;
    for (int i = 0; i < up; i++) {
        parabola(coordinate[i], n, b->dt, &rate, &acceleration, &weight);
        s->drag_num -= weight * acceleration * rate;
        s->drag_den += weight * rate * rate;
    }
    parabola(coordinate[3], n, b->dt, &rate, &acceleration, &weight);
    s->spin_num -= weight * acceleration * rate;
    s->spin_den += weight * rate * rate;
    parabola(coordinate[up], n, b->dt, &rate, &acceleration, &weight);
    double g = -acceleration - b->drag * rate;
    s->weight += weight, s->up += weight * g, s->up_up += weight * g * g;
    s->count++;
}

/* The free frames before, between and after the impacts of every record. */
static flight_sums all_flights(const carom_recording *rec)
{
    flight_sums s = {0};
    for (int i = 0; i < rec->impact_count; i++) {
        bool begins = i == 0 || rec->impact_record[i - 1] != rec->impact_record[i];
        int from = begins ? 0 : rec->impacts[i - 1].last + rec->body.margin_after;
        int to = rec->impacts[i].first - rec->body.margin_before;
        if (to - from + 1 >= LEAST_FLIGHT)
            add_flight(rec, rec->poses + rec->records[rec->impact_record[i]].first, from, to, &s);
    }
    return s;
}

static finding find_gravity(carom_recording *rec)
{
    flight_sums s = all_flights(rec);
    finding f = {s.up / s.weight, 0, s.count};
    f.std = s.count > 1 ? sqrt(fmax(s.up_up / s.weight - f.value * f.value, 0) / (s.count - 1)) : 0;
    rec->body.gravity = s.count > 0 ? f.value : rec->body.gravity;
    return f;
}

static void find_drag(carom_recording *rec)
{
    flight_sums s = all_flights(rec);
    rec->body.drag = s.drag_den > 0 ? s.drag_num / s.drag_den : 0;
    rec->body.spin_drag = rec->body.dim == 2 && s.spin_den > 0 ? s.spin_num / s.spin_den : 0;
}

/* How deep the lowest point is where the flights around an impact at one contact meet. */
static finding find_depth(carom_recording *rec, double *list)
{
    int count = 0;
    for (int i = 0; i < rec->impact_count; i++)
        if (!rec->impacts[i].why)
            list[count++] = rec->impacts[i].depth;
    finding f = middle_of(list, count);
    rec->body.depth = fmax(f.value, 0);
    return f;
}

/* ---- all together ---- */

typedef struct found {
    finding half, turn, floor, gravity, depth, sliding;
    carom_closure closure, before;
    carom_closure_wants wants;
} found;

static void find_rest(carom_recording *rec, double *list, found *f)
{
    bool box = rec->body.half.x > 0;
    if (rec->fit & CAROM_FIND_TURN && rec->body.dim == 2)
        f->turn = find_turn(rec, list);
    if (rec->fit & CAROM_FIND_FLOOR && box)
        f->floor = find_floor(rec, list);
    if (rec->fit & CAROM_FIND_HALF && box)
        f->half = find_half(rec, list);
}

/* Reduce, close, reduce again with the better body, until its centre of mass has settled. */
static bool find_masses(carom_recording *rec, found *f, carom_case_error *error)
{
    static const carom_closure_wants nothing;
    f->wants =
        (carom_closure_wants){rec->fit & CAROM_FIND_COM, rec->fit & CAROM_FIND_INERTIA, rec->fit & CAROM_FIND_RADIUS};
    for (int round = 0; round < ROUNDS; round++) {
        carom_vec3 com = rec->body.com;
        if (!carom_recording_reduce(rec, error))
            return false;
        if (round == 0 && carom_tracked_close(&rec->body, nothing, rec->impact_count, rec->impacts, &f->before))
            return false;
        carom_status status = carom_tracked_close(&rec->body, f->wants, rec->impact_count, rec->impacts, &f->closure);
        if (status == CAROM_STATUS_BAD_SIZE)
            return carom_request_fail(error, "fit", "%d impacts at one corner are too few for what \"fit\" asks for",
                                      f->closure.count);
        if (status != CAROM_STATUS_OK)
            return carom_request_fail(error, "fit", "%d impacts at one corner do not determine the body: %s",
                                      f->closure.count, carom_status_message(status));
        if (rec->fit & CAROM_FIND_DRAG)
            find_drag(rec);
        if (rec->fit & CAROM_FIND_GRAVITY)
            f->gravity = find_gravity(rec);
        if (carom_vec3_length(carom_vec3_sub(com, rec->body.com)) < SHIFT * tracked_size(&rec->body))
            break;
    }
    return carom_recording_reduce(rec, error);
}

/* ---- the answer ---- */

static void put_finding(json_t *to, const char *key, finding f)
{
    if (f.count > 0)
        json_object_set_new(to, key, json_pack("{s:f, s:f, s:i}", "value", f.value, "std", f.std, "from", f.count));
}

static json_t *found_json(const carom_recording *rec, const found *f)
{
    json_t *to = json_object(), *std = json_object();
    const carom_closure *c = &f->closure;
    int at = 0, dim = rec->body.dim;
    put_finding(to, "half", f->half);
    put_finding(to, "turn", f->turn);
    put_finding(to, "floor", f->floor);
    put_finding(to, "gravity", f->gravity);
    put_finding(to, "depth", f->depth);
    put_finding(to, "sliding", f->sliding);
    if (f->gravity.count > 0)
        json_object_set_new(to, "lengths",
                            json_pack("{s:f, s:f}", "scale", STANDARD_G / f->gravity.value, "std",
                                      STANDARD_G * f->gravity.std / (f->gravity.value * f->gravity.value)));
    if (f->wants.com)
        json_object_set_new(std, "com", json_numbers(c->std, dim)), at = dim;
    if (f->wants.inertia)
        json_object_set_new(std, "inertia", json_numbers(c->std + at, dim == 3 ? 3 : 1)), at += dim == 3 ? 3 : 1;
    if (f->wants.radius)
        json_object_set_new(std, "radius", json_real(c->std[at]));
    json_object_set_new(to, "std", std);
    json_object_set_new(
        to, "closure_given",
        json_pack("{s:i, s:f, s:f}", "impacts", f->before.count, "rms", f->before.rms, "change", f->before.rms_change));
    json_object_set_new(to, "report", carom_recording_report(rec));
    return to;
}

static void put_vector(json_t *to, const char *key, carom_vec3 v, int dim)
{
    const double x[3] = {v.x, v.y, v.z};
    json_object_set_new(to, key, json_numbers(x, dim));
}

static json_t *answer_json(const carom_recording *rec, const found *f)
{
    json_t *d = json_copy(rec->document);
    const carom_tracked *b = &rec->body;
    if (b->half.x > 0)
        put_vector(d, "box", b->half, b->dim);
    json_object_set_new(d, "radius", json_real(b->radius));
    put_vector(d, "com", b->com, b->dim);
    if (b->dim == 3)
        put_vector(d, "inertia", b->inertia, 3);
    else
        json_object_set_new(d, "inertia", json_real(b->inertia.z));
    json_object_set_new(d, "gravity", json_real(b->gravity));
    json_object_set_new(d, "floor", json_real(b->floor));
    json_object_set_new(d, "slope", json_numbers(b->slope, b->dim - 1));
    if (b->dim == 2)
        json_object_set_new(d, "turn", json_real(rec->turn));
    json_object_set_new(d, "drag", json_real(b->drag));
    json_object_set_new(d, "spin_drag", json_real(b->spin_drag));
    json_object_set_new(d, "depth", json_real(b->depth));
    json_object_set_new(d, "sliding", json_real(b->sliding));
    json_object_set_new(d, "found", found_json(rec, f));
    return d;
}

/* What the impacts and slides of the body show, now that it is known. */
static bool find_contact(carom_recording *rec, found *f)
{
    double *list = malloc((size_t)(rec->impact_count + rec->record_count + 1) * sizeof *list);
    if (list && rec->fit & CAROM_FIND_DEPTH)
        f->depth = find_depth(rec, list);
    if (list && rec->fit & CAROM_FIND_SLIDING) {
        f->sliding = middle_of(list, recording_slides(rec, list));
        rec->body.sliding = fmax(f->sliding.value, 0);
    }
    free(list);
    return list != NULL;
}

bool carom_recording_body(carom_recording *rec, json_t **answer, carom_case_error *error)
{
    found f = {0};
    double *list = malloc((size_t)(rec->record_count + 1) * sizeof *list);
    *answer = NULL;
    if (!list)
        return carom_request_fail(error, "", "out of memory");
    find_rest(rec, list, &f);
    free(list);
    if (!find_masses(rec, &f, error))
        return false;
    if (!find_contact(rec, &f))
        return carom_request_fail(error, "", "out of memory");
    *answer = answer_json(rec, &f);
    return true;
}
