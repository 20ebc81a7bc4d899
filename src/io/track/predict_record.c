/* One record predicted: a scene of the body and the floor, from the flight before the first impact on. */
#include <math.h>
#include <stdlib.h>

#include "carom/heap.h"
#include "carom/prediction.h"
#include "carom/solve.h"
#include "core/rotate.h"
#include "io/track/recording_parts.h"

enum { LEAST_FRAMES = 4, MOST_FRAMES = 15, FIVE = 5, TWENTY = 20, STILL_FRAMES = 5, BACK = 12, MISSING = 6 };

#define RESTING_TIME   1e-4 /* s: bounces that end sooner are over; shorter ones are below what a tracker sees */
#define RESTING_LENGTH 1e-7 /* m */
#define CLEAR          1e-6 /* m: the least gap to begin with */
#define STILL          2e-3 /* of the size of the body: how far a resting one moves in a few frames */
#define UNIT_SIZE      0.05 /* of the size of the body, and rad: the units of the loss */

carom_prediction_plan carom_prediction_plan_default(void)
{
    carom_prediction_plan p = {
        .together = carom_together_find("moreau"), .horizon = 40, .evaluations = 80, .starts = 2, .every = 1};
    p.rule = carom_scene_default().rule;
    return p;
}

/* A body and a floor. */
typedef struct stage {
    carom_scene scene;
    carom_scene_body bodies[2];
    carom_part parts[CAROM_TRACKED_POINTS];
    carom_fields fields;
} stage;

static void make_solid(const carom_tracked *b, stage *s)
{
    const carom_quat one = {1, 0, 0, 0};
    for (int i = 0; i < b->point_count; i++) {
        carom_vec3 centre = carom_vec3_sub(b->corner[i], carom_vec3_scale(b->radius, b->inward[i]));
        s->parts[i] = (carom_part){.position = centre, .orientation = one, .density = 1};
        s->parts[i].solid = carom_scene_sphere(1, b->radius).solid;
        if (!(b->radius > 0))
            s->parts[i].solid.kind = CAROM_SOLID_PARTICLE;
    }
    s->bodies[0].solid = (carom_solid){.kind = CAROM_SOLID_COMPOUND, .parts = s->parts, .part_count = b->point_count};
}

static void make_stage(const carom_tracked *b, const carom_prediction_plan *plan, const carom_free_flight_state *at,
                       stage *s)
{
    carom_vec3 up = carom_tracked_up(b), I = b->inertia;
    s->scene = carom_scene_default();
    s->scene.dim = b->dim;
    s->scene.gravity = b->dim == 3 ? carom_vec3_make(0, 0, -b->gravity) : carom_vec3_make(0, -b->gravity, 0);
    s->scene.rule = plan->rule;
    s->scene.together.law = plan->together;
    s->scene.sliding = plan->sliding > 0 ? plan->sliding : b->sliding;
    s->scene.resting_time = RESTING_TIME;
    s->scene.resting_length = RESTING_LENGTH;
    s->scene.bodies = s->bodies;
    s->scene.body_count = 2;
    s->fields = (carom_fields){.drag_linear = b->drag,
                               .drag_angular = b->spin_drag * (b->dim == 3 ? (I.x + I.y + I.z) / 3 : I.z)};
    s->scene.fields = b->drag > 0 || b->spin_drag > 0 ? &s->fields : NULL;
    s->bodies[0] = carom_scene_sphere(1, 1);
    s->bodies[0].def.inertia = (carom_sym3){I.x, 0, 0, I.y, 0, I.z};
    s->bodies[0].def.position = at->x;
    s->bodies[0].def.orientation = at->q;
    s->bodies[0].def.velocity = at->v;
    s->bodies[0].def.omega = at->omega;
    s->bodies[0].own_com = true;
    s->bodies[0].com = b->com;
    make_solid(b, s);
    s->bodies[1] = carom_scene_half_space(up, b->floor * (b->dim == 3 ? up.z : up.y) - b->depth);
}

/* ---- the simulator as a mover ---- */

typedef struct sim_motion {
    stage stage; /* the simulation reads it as long as it runs */
    carom_sim *sim;
    carom_gradient *gradient; /* or null */
    carom_sim_observer observer;
} sim_motion;

static void sim_end(void *motion)
{
    sim_motion *m = motion;
    carom_gradient_free(m->gradient);
    carom_sim_free(m->sim);
    free(m);
}

static carom_status sim_begin(const carom_prediction_plan *plan, const carom_tracked *body,
                              const carom_free_flight_state *at, void **motion)
{
    const carom_memory heap = carom_heap();
    carom_sim_error error;
    sim_motion *m = *motion = calloc(1, sizeof *m);
    if (!m)
        return CAROM_STATUS_NO_MEMORY;
    make_stage(body, plan, at, &m->stage);
    carom_status status = carom_sim_create(&m->stage.scene, &heap, &m->sim, &error);
    if (status == CAROM_STATUS_OK && plan->gradients) {
        status = carom_gradient_create(m->sim, &heap, &m->gradient);
        m->observer = (carom_sim_observer){.after = carom_gradient_event, .context = m->gradient};
        carom_sim_observe(m->sim, &m->observer);
    }
    if (status != CAROM_STATUS_OK) {
        sim_end(m);
        *motion = NULL;
    }
    return status;
}

/* Has the run a gradient up to here? It is watched no further. */
static carom_gradient_refusal judge_gradient(sim_motion *m)
{
    carom_status status = carom_gradient_end(m->gradient, false);
    carom_gradient_refusal refusal = carom_gradient_refused(m->gradient).refusal;
    carom_sim_observe(m->sim, NULL);
    carom_gradient_free(m->gradient);
    m->gradient = NULL;
    return status == CAROM_STATUS_OK ? CAROM_GRADIENT_NONE : refusal;
}

static carom_status sim_move(void *motion, double time, carom_vec3 *com, carom_quat *q)
{
    sim_motion *m = motion;
    carom_status status = carom_sim_to_time(m->sim, time);
    carom_sim_state s = carom_sim_body(m->sim, 0);
    *com = s.position;
    *q = s.orientation;
    return status;
}

static const carom_mover simulator = {sim_begin, sim_move, sim_end};

/* ---- where a record begins ---- */

/* Does some point come near the floor in the frames of an impact or beside them? If not, the tracker has jumped. */
static bool is_at_floor(const carom_recording *r, const carom_record *record, const carom_track_impact *m)
{
    for (int k = m->first - 1; k <= m->last + 1 && k < record->count; k++)
        for (int i = 0; i < r->body.point_count; i++)
            if (carom_tracked_gap(&r->body, r->poses[record->first + k], i) < r->body.touch)
                return true;
    return false;
}

/* The first impact of a record, or null. */
static const carom_track_impact *first_impact(const carom_recording *r, int record)
{
    for (int i = 0; i < r->impact_count; i++)
        if (r->impact_record[i] == record && is_at_floor(r, &r->records[record], &r->impacts[i]))
            return &r->impacts[i];
    return NULL;
}

static double least_gap(const carom_tracked *b, const carom_free_flight_state *s)
{
    carom_pose pose = {carom_vec3_sub(s->x, quat_turn(s->q, b->com)), s->q, false};
    double gap = INFINITY;
    for (int i = 0; i < b->point_count; i++)
        gap = fmin(gap, carom_tracked_gap(b, pose, i));
    return gap;
}

/* The flight before the first impact, at the last frame that is clear of the floor; its time. False: there is none. */
static bool begin(const carom_recording *r, int record, const carom_track_impact *m, carom_free_flight_state *at,
                  double *time)
{
    const carom_tracked *b = &r->body;
    int last = m->first - 1, first = last - MOST_FRAMES + 1 > 0 ? last - MOST_FRAMES + 1 : 0;
    carom_frames frames = {first, last, first, last - b->margin_before};
    if (frames.last_q - frames.first_q + 1 < LEAST_FRAMES)
        return false;
    carom_free_flight flight = carom_free_flight_fit(b, r->poses + r->records[record].first, frames);
    for (int back = 0; back < BACK && last - back >= 0; back++) {
        *time = (last - back) * b->dt;
        *at = carom_free_flight_at(b, &flight, *time);
        if (least_gap(b, at) > CLEAR)
            return true;
    }
    return false;
}

/* ---- errors ---- */

/* A prediction at work. */
typedef struct watch {
    const carom_recording *r;
    const carom_pose *poses; /* of the record */
    const carom_mover *mover;
    void *motion;
    double start;
} watch;

/* Contacts give way for some milliseconds of an impact. Where one lasts, the lowest point is on the floor. */
static carom_vec3 lifted(const carom_tracked *b, carom_pose pose)
{
    double gap = INFINITY;
    for (int i = 0; i < b->point_count; i++)
        gap = fmin(gap, carom_tracked_gap(b, pose, i));
    return carom_vec3_add(pose.x, carom_vec3_scale(fmax(-gap, 0), carom_tracked_up(b)));
}

/* The pose of the tracked centre at a frame; false when the simulator refuses. */
static bool pose_at(watch *w, int frame, carom_pose *pose, carom_status *status)
{
    carom_vec3 com;
    *status = w->mover->move(w->motion, frame * w->r->body.dt - w->start, &com, &pose->q);
    pose->x = carom_vec3_sub(com, quat_turn(pose->q, w->r->body.com));
    pose->missing = false;
    pose->x = lifted(&w->r->body, *pose);
    return *status == CAROM_STATUS_OK;
}

static double angle_between(carom_quat a, carom_quat b)
{
    carom_quat d = quat_multiply(a, quat_conjugate(b));
    return 2 * carom_atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

/* The face below: the body axis nearest to the vertical, with its sign. */
static int face_of(const carom_tracked *b, carom_quat q)
{
    carom_vec3 up = b->dim == 3 ? carom_vec3_make(0, 0, 1) : carom_vec3_make(0, 1, 0);
    carom_vec3 v = quat_turn(quat_conjugate(q), up);
    const double x[3] = {v.x, v.y, b->dim == 3 ? v.z : 0};
    int axis = fabs(x[1]) > fabs(x[0]);
    axis = fabs(x[2]) > fabs(x[axis]) ? 2 : axis;
    return x[axis] > 0 ? axis + 1 : -axis - 1;
}

static void compare_rest(const watch *w, const carom_record *record, carom_pose end, carom_prediction *p)
{
    const carom_tracked *b = &w->r->body;
    const carom_pose *last = w->poses + record->count - 1;
    p->rests = carom_vec3_length(carom_vec3_sub(last->x, last[1 - STILL_FRAMES].x)) < STILL * tracked_size(b);
    carom_vec3 d = carom_vec3_sub(end.x, last->x);
    *(b->dim == 3 ? &d.z : &d.y) = 0;
    p->rest_x = carom_vec3_length(d);
    p->face = face_of(b, end.q) == face_of(b, last->q);
}

/* Sums over the frames after the beginning of an impact. */
typedef struct errors {
    double five_x, five_q;
    int five, count;
} errors;

/* Frame n after the beginning is off by x and q. */
static void add_error(errors *e, int n, double x, double q, carom_prediction *p)
{
    if (n <= FIVE) {
        e->five++;
        e->five_x += x * x;
        e->five_q += q * q;
        p->five_x = sqrt(e->five_x / e->five);
        p->five_q = sqrt(e->five_q / e->five);
    }
    if (n >= TWENTY && isnan(p->twenty_x))
        p->twenty_x = x, p->twenty_q = q;
}

/* Every frame after the beginning of the impact that the record has; those of the horizon count for the loss. */
static void compare_frames(watch *w, const carom_record *record, const carom_track_impact *m,
                           const carom_prediction_plan *plan, carom_prediction *p)
{
    int horizon = plan->horizon, least = plan->short_runs ? 0 : TWENTY + MISSING;
    double unit = UNIT_SIZE * tracked_size(&w->r->body);
    carom_pose pose = w->poses[m->first];
    errors e = {0};
    for (int k = m->first; k < record->count; k++) {
        int n = k - m->first + 1;
        bool last = k == record->count - 1 && !plan->short_runs;
        if (w->poses[k].missing || (n > least && n > horizon && !last))
            continue;
        if (!pose_at(w, k, &pose, &p->status)) {
            p->state = CAROM_PREDICTION_REFUSED;
            return;
        }
        double x = carom_vec3_length(carom_vec3_sub(pose.x, w->poses[k].x)), q = angle_between(pose.q, w->poses[k].q);
        add_error(&e, n, x, q, p);
        if (n >= horizon && plan->gradients && ((sim_motion *)w->motion)->gradient)
            p->gradient = judge_gradient(w->motion);
        p->loss += n <= horizon ? log1p(x * x / (unit * unit) + q * q / (UNIT_SIZE * UNIT_SIZE)) : 0;
        e.count += n <= horizon;
    }
    p->loss /= e.count > 0 ? e.count : 1;
    if (!plan->short_runs)
        compare_rest(w, record, pose, p);
}

/* The law on the first impact alone, with the velocities that were measured before it. */
static void compare_next(const carom_recording *r, const carom_prediction_plan *plan, const carom_track_impact *m,
                         carom_prediction *p)
{
    carom_body a, floor;
    carom_body_def def = carom_body_def_default(), fixed = def;
    const carom_vec3 I = r->body.inertia;
    carom_contact contact;
    carom_problem problem;
    carom_outcome outcome;
    fixed.fixed = true;
    def.inertia = (carom_sym3){I.x, 0, 0, I.y, 0, I.z};
    def.orientation = m->pose.q;
    def.velocity = m->v[0];
    def.omega = m->omega[0];
    bool planar = r->body.dim == 2;
    carom_vec3 up = carom_tracked_up(&r->body), zero = {0, 0, 0};
    bool fine = (planar ? carom_body_init_planar : carom_body_init)(&def, &a) == CAROM_STATUS_OK &&
                carom_body_init(&fixed, &floor) == CAROM_STATUS_OK &&
                carom_contact_init(m->arm, zero, up, &contact) == CAROM_STATUS_OK;
    if (planar && fine) {
        contact.planar = true;
        fine = carom_frame_init_planar(up.x, up.y, &contact.frame) == CAROM_STATUS_OK;
    }
    fine = fine && carom_bodies_reduce(&a, &floor, &contact, &problem) == CAROM_STATUS_OK &&
           !carom_status_is_refusal(carom_solve(&problem, &plan->rule, NULL, &outcome));
    if (!fine)
        return;
    carom_bodies_apply(&contact, outcome.p, &a, &floor);
    p->has_next = true;
    p->next_v = carom_vec3_length(carom_vec3_sub(a.velocity, m->v[1]));
    p->next_omega = carom_vec3_length(carom_vec3_sub(a.omega, m->omega[1]));
}

carom_prediction carom_recording_predict(const carom_recording *r, const carom_prediction_plan *plan, int i)
{
    carom_prediction p = {.next_v = NAN,
                          .next_omega = NAN,
                          .five_x = NAN,
                          .five_q = NAN,
                          .twenty_x = NAN,
                          .twenty_q = NAN,
                          .rest_x = NAN};
    const carom_record *record = &r->records[i];
    const carom_track_impact *m = record->fault ? NULL : first_impact(r, i);
    carom_free_flight_state at;
    watch w = {.r = r, .poses = r->poses + record->first, .mover = plan->mover ? plan->mover : &simulator};
    if (!m || !begin(r, i, m, &at, &w.start)) {
        p.state = record->fault ? CAROM_PREDICTION_FAULT : CAROM_PREDICTION_NO_FLIGHT;
        return p;
    }
    if (!m->why && !plan->mover)
        compare_next(r, plan, m, &p);
    p.status = w.mover->begin(plan, &r->body, &at, &w.motion);
    if (p.status != CAROM_STATUS_OK) {
        p.state = CAROM_PREDICTION_REFUSED;
        return p;
    }
    compare_frames(&w, record, m, plan, &p);
    w.mover->end(w.motion);
    return p;
}
