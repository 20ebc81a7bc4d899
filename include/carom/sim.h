/* Carom: motion with impacts.
 *
 *     carom_scene_body bodies[] = {carom_scene_sphere(0.17, 0.03),
 *                                  carom_scene_half_space(carom_vec3_make(0, 0, 1), 0)};
 *     bodies[0].def.position.z = 1;
 *     carom_scene scene = carom_scene_default();                what does not change: shapes, laws, gravity,
 *     scene.gravity.z = -9.81;                                  all of it the caller's memory
 *     scene.bodies = bodies, scene.body_count = 2;
 *     const carom_memory heap = carom_heap();                   of carom/heap.h, or an allocator of the caller
 *     carom_sim *sim;                                           the state
 *     carom_sim_error error;
 *     if (carom_sim_create(&scene, &heap, &sim, &error))
 *         ...                                                   error names the bodies to blame
 *     carom_status status = carom_sim_to_time(sim, 5);          every impact at its time, by its pair's law
 *     carom_sim_state ball = carom_sim_body(sim, 0);
 *     carom_sim_free(sim);
 *
 * Bodies fly exactly between events; each impact is found at its time, reduced to (K, u) and given to carom_solve, so
 * that an answer here and the answer of `carom solve` have the same bits. Impacts at the same instant that share a body
 * are solved together. docs/theory/motion.md explains the method and its tolerances.
 *
 * A simulation is a function of its scene: the same bytes come out whatever the compiler, the steps in which it is
 * advanced, or who watches it. One simulation belongs to one thread at a time; different ones are independent. */
#ifndef CAROM_SIM_H
#define CAROM_SIM_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/body.h"
#include "carom/contacts.h"
#include "carom/export.h"
#include "carom/joint.h"
#include "carom/law.h"
#include "carom/shape.h"
#include "carom/status.h"
#include "carom/together.h"
#include "carom/vec.h"

CAROM_BEGIN

/* ---- the scene: const once it is given to carom_sim_create, and alive as long as the simulation ---- */

typedef enum carom_solid_kind {
    CAROM_SOLID_PARTICLE,   /* mass without extent: a sphere of radius zero */
    CAROM_SOLID_SHAPE,      /* one of carom/shape.h */
    CAROM_SOLID_HULL,       /* the convex hull of points; all in one plane z = const in a planar scene */
    CAROM_SOLID_COMPOUND,   /* several of the above, rigidly joined */
    CAROM_SOLID_HALF_SPACE, /* fixed bodies only: points x with normal.x < offset are solid */
    CAROM_SOLID_MESH,       /* fixed bodies at rest only: a surface of triangles, solid behind it */
    CAROM_SOLID_KIND_COUNT
} carom_solid_kind;

typedef struct carom_part carom_part;

/* What a body collides with. Shapes are centred at their centre of mass with their axis along z. The points of a hull
 * and the parts of a compound may be given from any origin: the solid is moved so that its centre of mass is where the
 * body is. The points of a mesh stay in the frame of the body; triangles without area are left out. */
typedef struct carom_solid {
    carom_solid_kind kind;
    carom_shape shape;
    const carom_vec3 *points; /* hull, mesh */
    int point_count;
    const carom_part *parts; /* compound */
    int part_count;
    carom_vec3 normal; /* half-space: unit, out of the solid */
    double offset;
    const int *triangles; /* mesh: three numbers of points each, counter-clockwise seen from outside */
    int triangle_count;
} carom_solid;

/* One piece of a compound: not a compound itself, not a half-space. */
struct carom_part {
    carom_solid solid;
    carom_vec3 position; /* of its centre of mass, in the frame of the compound */
    carom_quat orientation;
    double density; /* kg/m^3 (planar: kg/m^2); only ratios matter when the body's mass is given */
};

/* Inertia, and mass from a density (kg/m^3; in the plane kg/m^2), both exact. density zero: def->mass is the mass. The
 * parts of a compound have densities of their own; its density argument is a factor for them. centre (may be null) is
 * where the centre of mass lies in the frame that the solid is given in. CAROM_STATUS_BAD_MASS, CAROM_STATUS_BAD_SHAPE
 * (a size that is not positive, a hull without volume). */
CAROM_API CAROM_MUST_USE carom_status carom_solid_body(const carom_solid *solid, int dim, double density,
                                                       carom_body_def *def, carom_vec3 *centre);

/* Forces on a movable body besides contacts and joints. With u = v - wind, the velocity against the air:
 *
 *     F = m gravity - (drag_linear + drag_quadratic |u|) u + magnus omega x u,     torque = -drag_angular omega
 *
 * A body with none of the coefficients flies on an exact parabola; with one, its flight is integrated to 1e-13 of the
 * distances and speeds of each piece. docs/theory/motion.md, 2. */
typedef struct carom_fields {
    bool own_gravity;      /* gravity takes the place of the scene's */
    carom_vec3 gravity;    /* m/s^2 */
    carom_vec3 wind;       /* m/s */
    double drag_linear;    /* c_1 >= 0, N s/m */
    double drag_quadratic; /* c_2 >= 0, N s^2/m^2: density area coefficient / 2 */
    double drag_angular;   /* c_3 >= 0, N m s */
    double magnus;         /* S, kg */
    double room[8];        /* zero */
} carom_fields;

/* The motion of a fixed body: a swing about where its def places it, or a way through points.
 *
 *     swing   x = position + amplitude s, turned by angle s about axis, s = sin(2 pi frequency t + phase)
 *     points  cubics in time between the points, with the place, velocity, angle and rate of each there; after the
 *             last it moves on as it did there, or begins again
 *
 * Places are centres of mass; of a half-space they are displacements. The orientation is the one of the def,
 * turned by the angle about the axis. Half-spaces do not turn. */
typedef struct carom_waypoint {
    double time;
    carom_vec3 position, velocity;
    double angle, rate; /* rad, rad/s */
} carom_waypoint;

typedef struct carom_drive {
    int point_count; /* 0: a swing; else 2 or more, at times that grow from 0 */
    const carom_waypoint *points;
    bool repeats;         /* the last point is the first again, up to whole turns */
    carom_vec3 amplitude; /* m */
    double frequency;     /* Hz */
    double phase;         /* rad */
    double angle;         /* rad */
    carom_vec3 axis;      /* unit, where it turns; z in the plane */
    double room[8];       /* zero */
} carom_drive;

typedef struct carom_scene_body {
    carom_solid solid;
    carom_body_def def; /* position, orientation, velocity, omega; mass and inertia from carom_solid_body or given.
                           fixed bodies keep a constant velocity and omega */
    int material;       /* from 0 */
    const carom_fields *fields; /* in place of the scene's; null: the scene's */
    const carom_drive *drive;   /* of a fixed body, in place of a constant velocity and omega; or null */
    bool own_com; /* mass and inertia are given, and the centre of mass lies at com, in the frame of the solid */
    carom_vec3 com;
} carom_scene_body;

/* The rule between two materials, in either order. */
typedef struct carom_scene_pair {
    int a, b;
    carom_rule rule;
    double rolling, patch; /* as in carom_scene */
    double sliding;
} carom_scene_pair;

/* Bodies of which no two collide; a single one collides with nothing. */
typedef struct carom_no_contact {
    int count;
    const int *bodies;
} carom_no_contact;

#define CAROM_RESTING_TIME   1e-9  /* s */
#define CAROM_RESTING_LENGTH 1e-12 /* m */
#define CAROM_STEP           1e-3  /* s */

typedef struct carom_scene {
    int dim; /* 3; or 2: motion in the plane of x and y, rotation about z */
    carom_vec3 gravity;
    carom_rule rule; /* for pairs that are not listed */
    int pair_count;
    const carom_scene_pair *pairs;
    carom_together_rule together; /* for impacts at the same instant; coeffs are filled in by the simulation */
    int body_count;
    const carom_scene_body *bodies;
    double resting_time, resting_length; /* bounces that end sooner and stay lower than this are over */
    carom_vec3 period;                   /* spheres only: the scene repeats with these lengths; zero: it does not */
    double step; /* s: of bodies that rest on each other, which are moved by steps (docs/theory/motion.md, 6) */
    int joint_count;
    const carom_joint_def *joints; /* between bodies of the scene (or CAROM_WORLD), closed at the start; bodies that
                                      share one do not collide with each other */
    const carom_fields *fields;    /* on every movable body; null: gravity alone */
    /* Resistance of contacts, m, >= 0, for pairs that are not listed: the moment against rolling is at most rolling
     * times the normal force; friction acts on a patch of this radius, whose pressure is an option of the rule, and
     * brakes slip and spin about the normal together. Closed contacts have both. Impacts have them as the coefficients
     * rho and patch of the rule where its law uses these, mu is finite and mu_s is mu, in space and without joints. */
    double rolling, patch;
    double sliding; /* friction coefficient of closed contacts; 0: the one of the rule, as in impacts */
    int no_contact_count;
    const carom_no_contact *no_contacts;
    double room[23]; /* zero */
} carom_scene;

/* No gravity, newton with its default coefficients, moreau for simultaneous impacts, three dimensions. */
CAROM_API carom_scene carom_scene_default(void);

/* Bodies to begin with, in space: at the origin, at rest, of material 0; everything else is in def. A mass or size that
 * is not positive and finite gives a body that carom_sim_create refuses. */
CAROM_API carom_scene_body carom_scene_shape(carom_shape shape, double mass);
CAROM_API carom_scene_body carom_scene_sphere(double mass, double radius);
CAROM_API carom_scene_body carom_scene_box(double mass, carom_vec3 size);
CAROM_API carom_scene_body carom_scene_half_space(carom_vec3 normal, double offset); /* fixed */

/* ---- memory and errors ---- */

/* An allocator: resize(context, null, n) gives n bytes, resize(context, block, n) makes a block larger and keeps its
 * contents, resize(context, block, 0) frees it. Null when memory ends. Blocks are aligned for any type. */
typedef struct carom_memory {
    void *(*resize)(void *context, void *block, size_t bytes);
    void *context;
} carom_memory;

/* The bodies that caused the error. */
typedef struct carom_sim_error {
    carom_status status;
    int body, other; /* indices, or -1 */
    double amount;   /* CAROM_STATUS_OVERLAP: the depth, m */
} carom_sim_error;

/* ---- what observers see ---- */

typedef enum carom_sim_event_kind {
#define CAROM_SIM_EVENT(name, word, meaning) CAROM_SIM_EVENT_##name,
#include "carom/sim_events.def"
#undef CAROM_SIM_EVENT
    CAROM_SIM_EVENT_COUNT
} carom_sim_event_kind;

CAROM_API const char *carom_sim_event_word(carom_sim_event_kind kind);
CAROM_API const char *carom_sim_event_meaning(carom_sim_event_kind kind);

/* A contact as a case file describes it: with these bodies, arms and normal, carom_body_init, carom_contact_init (in
 * the plane: carom_frame_init_planar), carom_bodies_reduce and carom_solve repeat what the simulation did, bit for bit;
 * where the rule has a patch or rho, carom_patch_reduce_bodies and carom_patch_solve do.
 * The orientation of a sphere, whose inertia does not depend on it, is given as the identity. */
typedef struct carom_sim_contact {
    int a, b;             /* bodies of the scene; b may be fixed, a is not */
    carom_body_def def_a; /* mass, inertia, place and velocities before the event */
    carom_body_def def_b;
    carom_vec3 arm_a, arm_b; /* from each centre of mass to the contact point */
    carom_vec3 normal;       /* from B to A */
    carom_rule rule;
    carom_problem problem; /* (K, u) before */
    carom_cvec p;          /* impulse on A, contact axes */
    carom_cspin m;         /* moment of its patch on A (carom/patch.h), else zero */
    carom_body after_a, after_b;
    bool jointed; /* joints take part in the impact, or a rod, which nothing turns about its axis: problem repeats it,
                     bodies and arms alone do not */
} carom_sim_contact;

typedef struct carom_sim_event {
    carom_sim_event_kind kind;
    double time;
    int count;                        /* contacts that take part; an event that is no impact has one */
    carom_sim_contact *contacts;      /* valid during the call */
    carom_outcome *outcome;           /* an impact at one contact, else null */
    carom_together_outcome *outcomes; /* an impact at several, arrays in the order of the contacts; null as
                                         well where a law found no answer within its bound and moreau's conditions
                                         were met by sweeps */
    double energy_rest;               /* rest: what was left, booked now; J */
    const carom_contacts *reduced;    /* an impact at several contacts in which joints or rods take part, else null */
} carom_sim_event;

/* Functions of the caller; each may be null. They may look at the simulation: carom_sim_body and carom_sim_energy show
 * the state before the impact in before, and that after it in after. They cannot advance or restore it. What is
 * foreseen (carom_sim_next) and which contacts are closed is known when the events of the instant are over. */
typedef struct carom_sim_observer {
    /* Before an impact is resolved: the rules of the contacts may be changed, and nothing else; false: the bodies pass
     * through each other until they have separated. */
    bool (*before)(void *context, carom_sim_event *event);
    /* After each event; false: carom_sim_advance returns when the events of this instant are over. */
    bool (*after)(void *context, const carom_sim_event *event);
    void *context;
} carom_sim_observer;

/* ---- the simulation ---- */

typedef struct carom_sim carom_sim;

/* A call needs less than 40 kB of stack, whatever the scene; everything that grows with it is in memory of the caller's
 * allocator. */

/* Check the scene and prepare it. *sim is null on every status but CAROM_STATUS_OK. CAROM_STATUS_OVERLAP,
 * CAROM_STATUS_BAD_SHAPE, CAROM_STATUS_NO_MEMORY, what carom_body_init and carom_rule_check refuse; error (may be null)
 * names the bodies. */
CAROM_API CAROM_MUST_USE carom_status carom_sim_create(const carom_scene *scene, const carom_memory *memory,
                                                       carom_sim **sim, carom_sim_error *error);
CAROM_API void carom_sim_free(carom_sim *sim); /* null is allowed */

CAROM_API void carom_sim_observe(carom_sim *sim, const carom_sim_observer *observer); /* null: nobody */

typedef enum carom_sim_stop {
#define CAROM_SIM_STOP(name, word, meaning) CAROM_SIM_STOP_##name,
#include "carom/sim_stops.def"
#undef CAROM_SIM_STOP
    CAROM_SIM_STOP_COUNT
} carom_sim_stop;

CAROM_API const char *carom_sim_stop_word(carom_sim_stop stop);
CAROM_API const char *carom_sim_stop_meaning(carom_sim_stop stop);

/* When to return: whatever comes first. */
typedef struct carom_sim_until {
    double time;        /* absolute; infinite: no limit */
    long long impacts;  /* in all, since the beginning; negative: no limit */
    long long events;   /* from this call on; 1 steps from event to event; negative: no limit */
    bool rest;          /* return when nothing moves any more */
    bool exact;         /* return where the motion of a body is no longer exact */
    long long instants; /* from this call on, with events or without; each takes bounded work; negative: no limit */
} carom_sim_until;

/* No limit at all. */
CAROM_API carom_sim_until carom_sim_until_default(void);

/* Go on; stop may be null. On return the time is the limit or the last event. CAROM_STATUS_OK, or what a law
 * refused with: then the state is the one before the impact, error of carom_sim_blame names the bodies, and going on
 * begins with the same impact. CAROM_STATUS_BAD_TIME when until->time lies before now; CAROM_STATUS_NOT_FINITE if a
 * callback wrote a NaN or an infinity; CAROM_STATUS_BUSY inside a callback. */
CAROM_API CAROM_MUST_USE carom_status carom_sim_advance(carom_sim *sim, const carom_sim_until *until,
                                                        carom_sim_stop *stop);
CAROM_API carom_sim_error carom_sim_blame(const carom_sim *sim);

/* The same with one limit: to the end of the next event; to a time; until there have been so many impacts in all; until
 * nothing moves any more, but not beyond a time. They return earlier, with CAROM_STATUS_OK, when nothing will happen
 * any more or an observer asks for it. */
CAROM_API CAROM_MUST_USE carom_status carom_sim_to_event(carom_sim *sim);
CAROM_API CAROM_MUST_USE carom_status carom_sim_to_time(carom_sim *sim, double time);
CAROM_API CAROM_MUST_USE carom_status carom_sim_to_impacts(carom_sim *sim, long long impacts);
CAROM_API CAROM_MUST_USE carom_status carom_sim_to_rest(carom_sim *sim, double time);

/* ---- queries: they change nothing ---- */

CAROM_API double carom_sim_time(const carom_sim *sim);
CAROM_API long long carom_sim_impacts(const carom_sim *sim);
CAROM_API long long carom_sim_events(const carom_sim *sim); /* impacts and all others */

/* The road that a body is on. */
typedef enum carom_sim_road {
#define CAROM_SIM_ROAD(name, word, meaning) CAROM_SIM_ROAD_##name,
#include "carom/sim_roads.def"
#undef CAROM_SIM_ROAD
    CAROM_SIM_ROAD_COUNT
} carom_sim_road;

CAROM_API const char *carom_sim_road_word(carom_sim_road road);
CAROM_API const char *carom_sim_road_meaning(carom_sim_road road);

typedef struct carom_sim_state {
    carom_vec3 position;
    carom_quat orientation;
    carom_vec3 velocity, omega; /* world axes */
    bool resting;               /* it does not move and will not until something hits it */
    carom_sim_road road;        /* how it is moved, */
    double since;               /* since when, */
    double error; /* and what its own steps have done to its place, m, estimated: docs/theory/motion.md, 6. Zero of a
                     body that has always been exact */
} carom_sim_state;

/* Body i now. A fixed body moves with its prescribed velocity. */
CAROM_API carom_sim_state carom_sim_body(const carom_sim *sim, int i);

/* No point of body i is further from its centre of mass, m. A half-space has no such distance: infinite. */
CAROM_API double carom_sim_reach(const carom_sim *sim, int i);

/* When the first body left the exact road; infinite: all have always been on it. */
CAROM_API double carom_sim_exact_until(const carom_sim *sim);

/* Energy by cause, J, since the beginning. */
typedef struct carom_sim_ledger {
    double before;                /* kinetic and potential, at the beginning */
    double after;                 /* now */
    double normal, friction;      /* changes in impacts, by the work of normal and tangential impulses; rolling
                                     resistance in impacts counts as friction */
    double rest;                  /* change by closing contacts */
    double sliding;               /* change by friction and resistance of closed contacts */
    double spin;                  /* change by friction of patches against spin about the normal */
    double fields;                /* work of drag and Magnus forces */
    double driven;                /* work of fixed bodies that move */
    double residual;              /* after - before - all changes; gravity and rounding explain it */
    carom_vec3 momentum, angular; /* now, of movable bodies, about the origin */
} carom_sim_ledger;

CAROM_API carom_sim_ledger carom_sim_energy(const carom_sim *sim);

/* A lower bound of the time of the next event. Infinite: nothing will
 * happen any more. */
CAROM_API double carom_sim_next(const carom_sim *sim);

/* The next impact: its time, infinite when there is none until the time end, and two bodies that meet. */
typedef struct carom_sim_meeting {
    double time;
    int a, b;
} carom_sim_meeting;

/* Computed by advancing a snapshot: exact, and as expensive as advancing.
 * Give a finite end where a motion may have events for ever without an impact. Statuses as carom_sim_advance. */
CAROM_API CAROM_MUST_USE carom_status carom_sim_next_impact(carom_sim *sim, double end, carom_sim_meeting *next);

/* The gap between two different bodies now, m; negative: overlap. */
CAROM_API double carom_sim_distance(const carom_sim *sim, int i, int j);

/* Contacts that are closed: bodies a and b, the point in the world and whether it slips. */
typedef struct carom_sim_touch {
    int a, b;
    carom_vec3 point, normal;
    bool slips;
} carom_sim_touch;

CAROM_API int carom_sim_touch_count(const carom_sim *sim);
CAROM_API carom_sim_touch carom_sim_touch_at(const carom_sim *sim, int i);

/* ---- snapshots ---- */

/* Bytes of a snapshot now; write it into memory of that size; go back to it. A simulation that goes on from a snapshot
 * repeats itself bit for bit. A snapshot belongs to the simulation that wrote it. One that was written inside a
 * callback, in the midst of an event, is refused, and so is going back there (CAROM_STATUS_BUSY). */
CAROM_API size_t carom_sim_snapshot_size(const carom_sim *sim);
CAROM_API void carom_sim_save(const carom_sim *sim, void *snapshot);
CAROM_API CAROM_MUST_USE carom_status carom_sim_restore(carom_sim *sim, const void *snapshot);

CAROM_END

#endif
