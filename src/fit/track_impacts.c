/* Records cut into flights and impacts. */
#include <math.h>
#include <string.h>

#include "core/num.h"
#include "core/rotate.h"
#include "fit/track_parts.h"

enum { LEAST_FRAMES = 4, MOST_FRAMES = 15, LONGEST = 4 };

#define FREE_KICK 0.5  /* of gravity: a second difference of the centre of mass this far from it is not free flight */
#define JITTERS   8.0  /* deviations of a coordinate; a second difference has sqrt(6) of them by chance */
#define NEAR      0.1  /* of the size of the body, and a step: as near to the floor as an impact */
#define WEAKEST   0.1  /* m/s: changes of velocity below this are no impact to fit */
#define REACH     2.0  /* frames around the cut in which the flights must meet */
#define ROUGH     0.01 /* of the size of the body, and rad: rms residual above which a stretch is no flight */

static const struct {
    const char *word, *meaning;
} left_out[] = {
#define CAROM_LEFT_OUT(name, word, meaning) {word, meaning},
#include "carom/left_out.def"
#undef CAROM_LEFT_OUT
};

const char *carom_left_out_word(carom_left_out why)
{
    return (unsigned)why < CAROM_LEFT_OUT_COUNT ? left_out[why].word : "";
}

const char *carom_left_out_meaning(carom_left_out why)
{
    return (unsigned)why < CAROM_LEFT_OUT_COUNT ? left_out[why].meaning : "";
}

carom_vec3 tracked_spin(const carom_tracked *body, carom_vec3 m)
{
    const carom_vec3 I = body->inertia;
    return body->dim == 3 ? carom_vec3_make(m.x / I.x, m.y / I.y, m.z / I.z) : carom_vec3_make(0, 0, m.z / I.z);
}

/* ---- where the motion is not free ---- */

/* How far the second difference of three places is from the one of free fall, m/s^2. */
static double kick(const carom_tracked *b, carom_vec3 back, carom_vec3 here, carom_vec3 ahead)
{
    carom_vec3 g = b->dim == 3 ? carom_vec3_make(0, 0, b->gravity) : carom_vec3_make(0, b->gravity, 0);
    carom_vec3 second = carom_vec3_sub(carom_vec3_add(ahead, back), carom_vec3_scale(2, here));
    return carom_vec3_length(carom_vec3_add(carom_vec3_scale(1 / square(b->dt), second), g));
}

/* Could some point have touched the floor between frames k - 1 and k + 1? */
static bool is_near_floor(const carom_tracked *b, const carom_pose *p)
{
    double step =
        max(carom_vec3_length(carom_vec3_sub(p[0].x, p[-1].x)), carom_vec3_length(carom_vec3_sub(p[1].x, p[0].x)));
    double near = NEAR * carom_vec3_length(b->corner[0]) + step;
    for (int k = -1; k <= 1; k++)
        for (int i = 0; i < b->point_count; i++)
            if (carom_tracked_gap(b, p[k], i) < near)
                return true;
    return false;
}

/* marks[k]: frame k is not in a flight, but near the floor. Neither the centre of mass nor the tracked centre falls
 * freely: the first sees rotations that a tracker has smoothed over an impact, the second its own circling in flight.
 */
static void mark(const carom_tracked *b, int count, const carom_pose *poses, unsigned char *marks)
{
    double least = max(FREE_KICK * b->gravity, JITTERS * b->jitter / square(b->dt));
    memset(marks, 0, (size_t)count);
    for (int k = 1; k + 1 < count; k++) {
        const carom_pose *p = poses + k;
        double mass = kick(b, carom_tracked_com(b, p[-1]), carom_tracked_com(b, p[0]), carom_tracked_com(b, p[1]));
        marks[k] = min(mass, kick(b, p[-1].x, p[0].x, p[1].x)) > least && is_near_floor(b, p);
    }
}

/* Missing frames beside a marked one are part of its impact. */
static void mark_missing(int count, const carom_pose *poses, unsigned char *marks)
{
    for (int k = 1; k < count; k++)
        marks[k] |= poses[k].missing && marks[k - 1];
    for (int k = count - 2; k >= 0; k--)
        marks[k] |= poses[k].missing && marks[k + 1];
}

/* The first marked frame from `from` on, and the last of its run. */
static bool next_run(const unsigned char *marks, int count, int from, int *first, int *last)
{
    while (from < count && !marks[from])
        from++;
    *first = *last = from;
    while (*last + 1 < count && marks[*last + 1])
        ++*last;
    return from < count;
}

/* ---- one impact ---- */

typedef struct cut {
    const carom_tracked *body;
    const carom_pose *poses;
    int begin, end; /* free frames around the impact: begin...first - 1, last + 1...end */
} cut;

/* Residuals far above any tracker's: markers were confused, or something else touched the body. */
static bool is_rough(const carom_tracked *b, const carom_free_flight *f)
{
    double size = carom_vec3_length(b->corner[0]);
    return f->rest_x > f->count_x * square(ROUGH * size) || f->rest_q > f->count_q * square(ROUGH);
}

/* Frames that the recording has. */
static int recorded(const carom_pose *poses, int first, int last)
{
    int count = 0;
    for (int k = first; k <= last; k++)
        count += !poses[k].missing;
    return count;
}

static carom_left_out fit_flights(const cut *c, carom_track_impact *m)
{
    const carom_tracked *b = c->body;
    int from = m->first - MOST_FRAMES > c->begin ? m->first - MOST_FRAMES : c->begin;
    int to = m->last + MOST_FRAMES < c->end ? m->last + MOST_FRAMES : c->end;
    carom_frames before = {from, m->first - 1, from, m->first - 1 - b->margin_before};
    carom_frames after = {m->last + 1, to, m->last + 1 + b->margin_after, to - b->margin_before};
    if (recorded(c->poses, m->first, m->last) > LONGEST)
        return CAROM_LEFT_OUT_LASTS;
    if (before.last_q - before.first_q + 1 < LEAST_FRAMES)
        return CAROM_LEFT_OUT_NO_FLIGHT_BEFORE;
    if (after.last_q - after.first_q + 1 < LEAST_FRAMES)
        return CAROM_LEFT_OUT_NO_FLIGHT_AFTER;
    m->flight[0] = carom_free_flight_fit(b, c->poses, before);
    m->flight[1] = carom_free_flight_fit(b, c->poses, after);
    if (is_rough(b, &m->flight[0]) || is_rough(b, &m->flight[1]))
        return CAROM_LEFT_OUT_ROUGH;
    return CAROM_LEFT_OUT_NOTHING;
}

/* The instant at which both flights have the same height over the floor: the difference is about linear in time. */
static carom_left_out meet(const carom_tracked *b, carom_track_impact *m)
{
    carom_vec3 up = carom_tracked_up(b);
    double early = (m->first - REACH) * b->dt, late = (m->last + REACH) * b->dt;
    double t = (early + late) / 2;
    for (int round = 0; round < 4; round++) {
        carom_free_flight_state before = carom_free_flight_at(b, &m->flight[0], t),
                                after = carom_free_flight_at(b, &m->flight[1], t);
        double rate = carom_vec3_dot(up, carom_vec3_sub(after.v, before.v));
        if (!(rate > WEAKEST))
            return CAROM_LEFT_OUT_WEAK;
        t -= carom_vec3_dot(up, carom_vec3_sub(after.x, before.x)) / rate;
    }
    m->time = t;
    return t >= early && t <= late ? CAROM_LEFT_OUT_NOTHING : CAROM_LEFT_OUT_NO_CROSSING;
}

/* Velocities at the instant, and the pose half way between the two flights. */
static void meet_states(const carom_tracked *b, carom_track_impact *m)
{
    carom_free_flight_state s[2];
    for (int side = 0; side < 2; side++) {
        s[side] = carom_free_flight_at(b, &m->flight[side], m->time);
        m->v[side] = s[side].v;
        m->omega[side] = s[side].omega;
    }
    carom_vec3 turn = rotation_vector(quat_multiply(s[1].q, quat_conjugate(s[0].q)));
    m->pose.x = carom_vec3_scale(0.5, carom_vec3_add(s[0].x, s[1].x));
    m->pose.q = quat_multiply(rotation_by(carom_vec3_scale(0.5, turn)), s[0].q);
}

/* The pose of the tracked centre. */
static carom_pose shape_pose(const carom_tracked *b, const carom_track_impact *m)
{
    carom_pose pose = {carom_vec3_sub(m->pose.x, quat_turn(m->pose.q, b->com)), m->pose.q, false};
    return pose;
}

/* Neighbours on a round side count as one contact: points must lie apart by half the size of the body. */
static bool is_new_contact(const carom_tracked *b, const carom_track_impact *m, int i)
{
    double size = carom_vec3_length(b->corner[m->contacts[0]]);
    for (int k = 0; k < m->contact_count; k++)
        if (carom_vec3_length(carom_vec3_sub(b->corner[i], b->corner[m->contacts[k]])) < size / 2)
            return false;
    return true;
}

/* Is point i within reach of the floor where the flights meet, or in a frame of the impact? */
static bool touches(const cut *c, const carom_track_impact *m, int i)
{
    const carom_tracked *b = c->body;
    bool near = carom_tracked_gap(b, shape_pose(b, m), i) < b->touch - m->depth;
    for (int k = m->first; k <= m->last + 1 && k <= c->end; k++)
        near |= carom_tracked_gap(b, c->poses[k], i) < b->touch;
    return near;
}

static carom_left_out find_contacts(const cut *c, carom_track_impact *m)
{
    const carom_tracked *b = c->body;
    carom_pose pose = shape_pose(b, m);
    int lowest = 0;
    for (int i = 1; i < b->point_count; i++)
        if (carom_tracked_gap(b, pose, i) < carom_tracked_gap(b, pose, lowest))
            lowest = i;
    double low = carom_tracked_gap(b, pose, lowest);
    m->contacts[0] = lowest;
    m->contact_count = 1;
    m->depth = -low;
    for (int i = 0; i < b->point_count && m->contact_count < CAROM_TRACKED_CONTACTS; i++)
        if (i != lowest && is_new_contact(b, m, i) && touches(c, m, i))
            m->contacts[m->contact_count++] = i;
    carom_vec3 centre = carom_vec3_sub(tracked_centre(b, lowest), b->com);
    m->arm = carom_vec3_sub(quat_turn(m->pose.q, centre), carom_vec3_scale(b->radius, carom_tracked_up(b)));
    if (low > b->touch)
        return CAROM_LEFT_OUT_NO_FLOOR;
    carom_vec3 u = carom_vec3_add(m->v[0], carom_vec3_cross(m->omega[0], m->arm));
    if (!(carom_vec3_dot(u, carom_tracked_up(b)) < 0))
        return CAROM_LEFT_OUT_NO_APPROACH;
    return m->contact_count > 1 ? CAROM_LEFT_OUT_SEVERAL : CAROM_LEFT_OUT_NOTHING;
}

static void close_impact(const carom_tracked *b, carom_track_impact *m)
{
    carom_quat back = quat_conjugate(m->pose.q);
    carom_vec3 dv = quat_turn(back, carom_vec3_sub(m->v[1], m->v[0]));
    carom_vec3 dw = quat_turn(back, carom_vec3_sub(m->omega[1], m->omega[0]));
    carom_vec3 moment = carom_vec3_cross(quat_turn(back, m->arm), dv);
    m->closure = carom_vec3_sub(dw, tracked_spin(b, moment));
}

static carom_track_impact reduce(const cut *c, int first, int last)
{
    carom_track_impact m = {.first = first, .last = last};
    m.why = fit_flights(c, &m);
    m.missing = m.why ? 0 : missing_between(c->body, &m);
    m.why = m.why ? m.why : meet(c->body, &m);
    if (m.why)
        return m;
    meet_states(c->body, &m);
    m.why = find_contacts(c, &m);
    close_impact(c->body, &m);
    return m;
}

int carom_track_impacts(const carom_tracked *body, int count, const carom_pose *poses, unsigned char *marks, int room,
                        carom_track_impact *impacts)
{
    int found = 0, first, last, next, next_last, begin = 0;
    mark(body, count, poses, marks);
    mark_missing(count, poses, marks);
    bool any = next_run(marks, count, 0, &first, &last);
    while (any && found < room) {
        any = next_run(marks, count, last + 1, &next, &next_last);
        cut c = {body, poses, begin, any ? next - 1 : count - 1};
        impacts[found++] = reduce(&c, first, last);
        begin = last + 1;
        first = next;
        last = next_last;
    }
    return found;
}

/* ---- errors ---- */

/* The covariance of v and omega of one flight: v is that of the tracked centre plus omega x R com, so that it shares
 * the errors of omega. */
static void covariance(const carom_tracked *b, const carom_track_impact *m, int side, double *S)
{
    double var_v = square(b->sigma_x) / m->flight[side].spread_x, var_w = square(b->sigma_q) / m->flight[side].spread_q;
    carom_vec3 c = quat_turn(m->pose.q, b->com);
    const double C[3][3] = {{0, c.z, -c.y}, {-c.z, 0, c.x}, {c.y, -c.x, 0}}; /* omega x c = C omega */
    memset(S, 0, 36 * sizeof *S);
    for (int i = 0; i < b->dim; i++)
        for (int j = 0; j < b->dim; j++)
            for (int k = b->dim == 3 ? 0 : 2; k < 3; k++)
                S[6 * i + j] += var_w * C[i][k] * C[j][k];
    for (int i = 0; i < b->dim; i++)
        S[7 * i] += var_v;
    for (int k = b->dim == 3 ? 0 : 2; k < 3; k++) {
        S[7 * (3 + k)] = var_w;
        for (int i = 0; i < b->dim; i++)
            S[6 * i + 3 + k] = S[6 * (3 + k) + i] = var_w * C[i][k];
    }
}

void carom_tracked_weigh(carom_tracked *body, int count, carom_track_impact *impacts)
{
    double sums[2] = {0, 0}, degrees[2] = {0, 0};
    for (int i = 0; i < 2 * count; i++) {
        const carom_free_flight *f = &impacts[i / 2].flight[i % 2];
        if (f->count_x == 0 || impacts[i / 2].why == CAROM_LEFT_OUT_ROUGH)
            continue;
        sums[0] += f->rest_x;
        sums[1] += f->rest_q;
        degrees[0] += body->dim * (f->count_x - 2);
        degrees[1] += (body->dim == 3 ? 3 : 1) * (f->count_q - 2);
    }
    body->sigma_x = degrees[0] > 0 ? sqrt(sums[0] / degrees[0]) : 0;
    body->sigma_q = degrees[1] > 0 ? sqrt(sums[1] / degrees[1]) : 0;
    for (int i = 0; i < 2 * count; i++)
        if (impacts[i / 2].flight[i % 2].count_x > 0)
            covariance(body, &impacts[i / 2], i % 2, impacts[i / 2].covariance[i % 2]);
}
