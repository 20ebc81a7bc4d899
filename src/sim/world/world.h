/* The state of a simulation. The scene is const; everything here belongs to one carom_sim.
 *
 * A body moves on a smooth piece of motion that begins at its own time t0 and holds until an event touches the body:
 *
 *     x(t) = x + v s + a s^2 / 2,   s = t - t0,   rotation by spin.h
 *
 * Nothing else changes it: stepping, watching and predicting read it only. So a run does not depend on who looks. */
#ifndef CAROM_SIM_WORLD_H
#define CAROM_SIM_WORLD_H

#include <stdint.h>

#include "carom/sim.h"
#include "sim/motion/spin.h"
#include "sim/motion/track.h"
#include "sim/shape/facet_tree.h"
#include "sim/shape/hull_table.h"
#include "sim/shape/piece.h"
#include "sim/world/store.h"
#include "sim/world/tolerance.h"
#include "sim/world/workspace.h"

/* The part of a body that predictions read: what a gas needs of its neighbours fills the first line of the cache. */
typedef struct mover {
    _Alignas(CACHE_LINE) carom_vec3 x;
    carom_vec3 v;
    double t0;
    uint32_t version; /* counts pieces of motion */
    int closed;       /* closed contacts it takes part in */
    double radius;    /* of a sphere; of the ball that holds any other shape */
    carom_vec3 a;
    const track *track; /* with closed contacts, joints or fields: the motion, in place of x, v, a; or null */
    bool is_sphere, is_movable;
    bool touches; /* something may touch it now */
} mover;

enum { RECENT = 4 };

/* An estimate of what steps do to the place and to the velocity of a body: 6 on the page. a, change: its acceleration
 * in the last step, and how that differed from the one before. */
typedef struct step_error {
    double x, v;
    carom_vec3 a, change;
} step_error;

/* The rest of it; the first two lines of the cache hold what an impact of spheres changes. */
typedef struct frame_of_body {
    _Alignas(CACHE_LINE) int recent[RECENT]; /* bodies it touched at t0: gaps to them are zero there by definition */
    int recent_count;
    int again; /* impacts at this instant */
    int core;  /* number of its masses in the list of cores */
    int material;
    int slot;           /* in the impact being resolved, or -1 */
    int last_hit;       /* the last body it hit */
    bool isotropic;     /* orientation does not matter to impacts */
    bool ended, marked; /* at this instant: its piece of motion; for a look at what comes next */
    double window;      /* impacts are counted from here: */
    int hits, row;
    _Alignas(CACHE_LINE) spin turn; /* orientation and angular velocity at t0 */
    moments moments;
    double until; /* the piece of motion holds until then; infinite in free flight */
    int first_piece, piece_count;
    const carom_fields *fields; /* that act on it; or null */
    bool forced;                /* they are more than gravity: flight is no parabola */
    bool stepped, asleep, held; /* moved by steps; not at all for now; something carried it in the last step */
    bool pile;                  /* stepped, and its island was a pile in the last step */
    double since;               /* it is on its road */
    step_error error;           /* that steps have left in its motion */
    int calm, calm_near;        /* calm steps of it; the fewest of it and of those that press it */
    double calm_from;           /* its speed when they began */
    bool entered;               /* it is stepped since this instant */
    carom_vec3 step_force;      /* of the fields, constant over a step */
    double step_energy;
    double step_drive; /* what moving ground gives to the bodies of its step, on the account of one of them */
    bool due;          /* its next step is to be made at this instant */
    int first_pair;    /* of the pairs of its step, or -1 */
    int tiny;          /* pieces of motion in a row that were very short */
    bool fast;         /* it moved too far in the last step */
    int assembly;      /* of bodies held together by joints, or -1 */
    int member;        /* its number in the linkage at work, or -1 */
    int axis_with;     /* the body of its next impact, or of its last one; or -1 */
    carom_vec3 axis;   /* from that body to it, at the impact */
} frame_of_body;

typedef enum next_kind {
    NEXT_NOTHING,
    NEXT_IMPACT,
    NEXT_CELL,  /* it leaves its cell */
    NEXT_PIECE, /* its piece of motion ends */
    NEXT_CHECK  /* predict again: a search has not come further */
} next_kind;

/* An impact that is to come; void once the partner's motion has changed. */
typedef struct encounter {
    double time;
    int partner;
    uint32_t version; /* of the partner's motion */
} encounter;

/* What is known of the impacts of a movable body: all of them before bound, in their order. Of two bodies, the one
 * whose motion or neighbours were looked at last knows their impact; the other one need not. */
enum { MEETINGS = 7 };
typedef struct outlook {
    _Alignas(CACHE_LINE) double bound;
    unsigned char kind, change; /* next_kind: of the next event; of the next one that is no impact */
    int count;
    encounter meet[MEETINGS];
} outlook;

/* A body in the queue: its place in the heap, or the day it waits for and its neighbours there; -1 for none. */
typedef struct queued {
    double time;   /* of its next event */
    double change; /* of the next one that is no impact */
    int place, day, before, after;
} queued;

/* The days that events wait for: day k begins at from + k / rate. Bodies whose day has come are in the heap. */
typedef struct calendar {
    double from, rate;
    int today;
    int waiting; /* bodies that are not in the heap and have an event */
    size_t sets; /* since the days were laid out */
} calendar;

/* A pair that an observer lets pass through each other until it has separated; or a pair that has just slid apart over
 * a border, which is ignored until the gap exceeds rounding. */
typedef struct ghost {
    int a, b;
    double until; /* of the second kind; zero of the first */
} ghost;

typedef struct pair_of_bodies {
    int a, b;
} pair_of_bodies;

/* What a closed contact stands on. A ball may roll over the edge or the corner of a body, and over a round one, which
 * is a line or a point with a radius. */
typedef enum ground_kind { GROUND_FLAT, GROUND_LINE, GROUND_POINT } ground_kind;

typedef struct ground {
    ground_kind kind;
    carom_vec3 at, axis; /* the middle of the line; its direction, zero where there is none */
    double half, radius; /* half its length; of what is round */
    bool sharp;          /* an edge or a corner, with faces beside it */
} ground;

/* A closed contact of a movable body a with the ground that body b is for it. foot is the part of a that touches: a
 * point (a corner, or the centre of a ball), a rim, or an ellipsoid, with its margin. Where b is movable, its ground
 * moves and turns with it: own_normal and under are then in the axes of b; else under is in those of the world. */
typedef struct closed_contact {
    int a, b;
    carom_vec3 normal; /* world, from b to a, at the last event */
    carom_vec3 own_normal;
    piece foot;
    int piece;    /* of body a */
    double level; /* of the plane, along the normal, from where body b is */
    ground under;
    bool slips;
    bool onset;  /* it slips since short, and slowly */
    bool spins;  /* its patch brakes a spin */
    bool is_new; /* it has just closed */
} closed_contact;

/* A body that takes part in the impact or the step that is being resolved. */
typedef struct involved {
    int body;
    carom_body now;    /* world axes */
    carom_body before; /* the impact */
    double energy;     /* at a step */
    carom_quat from;   /* its orientation when the last step began */
    bool settled;      /* its closed contacts have been looked at */
    bool crowded;      /* more bodies would rest on each other than an island has room for */
} involved;

/* Movable bodies that joints hold together: a stretch of the list of jointed bodies. */
typedef struct assembly {
    int first, count;
} assembly;

/* The cell of a body; two of these fill a line of the cache. */
typedef struct cell {
    _Alignas(CACHE_LINE / 2) int at[3];
    int home[3]; /* the same, wrapped */
    int next;    /* another body in the same bucket, or -1 */
} cell;

/* The bodies of a cell: the first in it, and, where a full bucket has others, a list of them that begins with the next
 * of the last one here. */
enum { BUCKET_FIRST = 3 };
typedef struct bucket {
    int body[BUCKET_FIRST];
    unsigned char count;
    bool others;
} bucket;

typedef struct sums {
    double normal, friction, rest, sliding, spin, fields, driven;
} sums;

struct carom_sim {
    const carom_scene *scene; /* the caller's; where it has meshes, own_scene */
    carom_scene own_scene;
    int given; /* bodies of the caller's scene; the facets of meshes follow them */
    store own_bodies, own_points, owners;
    facet_tree facets;
    carom_memory memory;
    arena *arena; /* of work within a call */
    carom_sim_observer observer;
    carom_sim_error error;
    double time, energy_before;
    long long impacts, events;
    sums ledger;
    bool stop_asked;
    bool in_callback;  /* a function of the observer runs */
    bool tells_impact; /* it is told of an impact: bodies are shown as the impacts of this instant have left them so far
                        */
    double instant;    /* the last one, and how many events it has had */
    int instant_events;

    int count; /* bodies */
    store movers, frames, pieces, points, outlooks;
    hull_table hulls;
    store found;             /* contacts of the pair that was looked at last */
    store queue, heap, days; /* queued; those in the heap; the first body that waits for each day, or -1 */
    calendar calendar;
    store fixed; /* immovable bodies */
    store movable;
    store marked;         /* bodies to be looked at when this instant is over */
    store cells, buckets; /* grid of the movable bodies, or empty */
    carom_vec3 cell_size;
    carom_vec3 per;       /* one over the period, or zero */
    int cell_count[3];    /* cells after which the grid repeats */
    bool cell_repeats[3]; /* so does the scene */
    bool is_narrow;       /* a period has fewer than CELLS_WIDE cells */
    bool alike;           /* all movable bodies have one radius */
    bool
        all_spheres; /* so are the movable bodies, with a radius, three equal moments, and gravity alone; all collide */
    store closed;    /* closed_contact */
    store ghosts;
    store warm, warm_head; /* impulses of the last steps; the first of each body, or -1 */
    int warm_free;         /* the first place that may be used again, or -1 */
    bool repeats;          /* the scene is periodic */
    bool forced;           /* fields move some body off a parabola */
    store cores;           /* carom_body: masses, and inertias in body axes */
    store rules;           /* materials x materials: index of the rule, or -1 for the scene's */
    store impact_rules;    /* the scene's, then those of the pairs, with their patches */
    int materials;
    store tracks;                                                  /* one per body, once the first contact has closed */
    store series;                                                  /* of bodies with three different moments */
    store batch, touchings, involved, scratch, reports, own_rules; /* of the impact being resolved: nothing to keep */
    store group_contacts, group_slots, group_bodies, group_pairs, reduced_memory, law_memory; /* of a group of it */
    store driven, driven_ways; /* fixed bodies that follow a path */
    store assemblies, jointed; /* movable bodies that joints hold together, and their lists */
    store members, member_bodies, joint_defs, joints, joint_rows, joint_work, joint_memory; /* the linkage at work */
    const carom_contacts *reduced; /* of the impact that is being told */
    int stepped;
    double exact_until; /* the first body was stepped then */
    bool step_due;      /* steps are to be made at this instant */
    store step_rows, step_bodies, step_pairs;
    struct near_look *loose; /* contacts are looked for at a step; or null */
    bool out_of_memory;
};

static inline mover *mover_of(const carom_sim *sim, int i)
{
    return (mover *)sim->movers.data + i;
}

static inline frame_of_body *frame_of(const carom_sim *sim, int i)
{
    return (frame_of_body *)sim->frames.data + i;
}

static inline const carom_body *core_of(const carom_sim *sim, int i)
{
    return (const carom_body *)sim->cores.data + frame_of(sim, i)->core;
}

static inline queued *queued_of(const carom_sim *sim, int i)
{
    return (queued *)sim->queue.data + i;
}

static inline outlook *outlook_of(const carom_sim *sim, int i)
{
    return (outlook *)sim->outlooks.data + i;
}

static inline involved *involved_at(const carom_sim *sim, int k)
{
    return (involved *)sim->involved.data + k;
}

static inline carom_vec3 mover_position(const mover *m, double t)
{
    double s = t - m->t0;
    if (m->track)
        return track_position(m->track, t);
    return carom_vec3_make(m->x.x + s * (m->v.x + 0.5 * s * m->a.x), m->x.y + s * (m->v.y + 0.5 * s * m->a.y),
                           m->x.z + s * (m->v.z + 0.5 * s * m->a.z));
}

static inline carom_vec3 mover_velocity(const mover *m, double t)
{
    if (m->track)
        return track_velocity(m->track, t);
    return vec_plus(m->v, t - m->t0, m->a);
}

static inline bool is_plane(const carom_sim *sim, int i)
{
    return sim->scene->bodies[i].solid.kind == CAROM_SOLID_HALF_SPACE;
}

/* The body of the caller's scene that body i is, or is a facet of. */
static inline int owner_of(const carom_sim *sim, int i)
{
    return i < sim->given ? i : store_ints(&sim->owners)[i - sim->given];
}

static inline carom_vec3 gravity_of(const carom_sim *sim, int i)
{
    const carom_fields *f = frame_of(sim, i)->fields;
    return f && f->own_gravity ? f->gravity : sim->scene->gravity;
}

/* Piece k of body i. */
static inline const piece *piece_at(const carom_sim *sim, int i, int k)
{
    return (const piece *)sim->pieces.data + frame_of(sim, i)->first_piece + k;
}

/* A half-space has a normal, and an offset from where its body is. */
static inline carom_vec3 plane_normal(const carom_sim *sim, int i)
{
    return piece_at(sim, i, 0)->offset;
}

static inline double plane_offset(const carom_sim *sim, int i)
{
    return piece_at(sim, i, 0)->size[0];
}

/* When the piece of motion of body i has to be renewed. */
static inline double motion_until(const carom_sim *sim, int i)
{
    const frame_of_body *f = frame_of(sim, i);
    return min(f->until, f->turn.until);
}

static inline bool is_jointed(const carom_sim *sim, int i)
{
    return frame_of(sim, i)->assembly >= 0;
}

/* Do two bodies share a joint, or does the scene keep them from colliding? */
bool never_collide(const carom_sim *sim, int i, int j);

static inline bool touched_at_start(const frame_of_body *f, int other)
{
    for (int i = 0; i < f->recent_count; i++)
        if (f->recent[i] == other)
            return true;
    return false;
}

#endif
