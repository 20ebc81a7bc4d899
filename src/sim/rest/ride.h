/* Bodies on closed contacts with each other and with fixed bodies, or one body on none: the acceleration problem and
 * its integration. An island is a set of movable bodies that closed contacts connect; most have one body.
 *
 * Each contact is open, sticks, or slips. With these modes fixed the contact forces solve linear equations (normal
 * accelerations vanish; tangential ones too where it sticks; a slipping contact carries -mu lambda_n u_t / |u_t|), and
 * the motion is smooth: one step of Gauss collocation makes a piece. Where a mode breaks, the piece ends. */
#ifndef CAROM_SIM_RIDE_H
#define CAROM_SIM_RIDE_H

#include "core/rotate.h"
#include "sim/contact/crossing.h"
#include "sim/contact/island.h"
#include "sim/motion/motion.h"
#include "sim/motion/sim_linkage.h"

enum { RIDE_STATE = ISLAND_BODIES * STATE };

typedef enum ride_mode { RIDE_OPEN, RIDE_STICK, RIDE_SLIP, RIDE_ONSET } ride_mode;

/* A body rolls about an axis in the ground, and meets a moment of up to a length times the normal force, as slip meets
 * friction. */
typedef enum turn_mode { TURN_FREE, TURN_HELD, TURN_GOES, TURN_ONSET } turn_mode;

typedef struct ride_turn {
    turn_mode mode; /* free: nothing resists it */
    double length;
    carom_vec3 axis; /* unit: of the rotation; where it begins, the one chosen */
    double rate;     /* that rates are compared with */
} ride_turn;

/* The patch of a contact: slip and spin are braked together (contensou.c). Where several feet stand in one plane, they
 * share one patch at their centre. */
typedef struct ride_patch {
    double radius;     /* zero: the contact is a point */
    int pressure;      /* a word of the option */
    bool shared;       /* by the feet of a face */
    carom_vec3 centre; /* of a shared one, body axes */
    carom_vec3 force;  /* friction per mu N at the start of a piece, or where slip and spin begin, against slip: */
    double moment;     /* the gradient of the norm; of the moment over the radius */
    double slow, spin; /* velocities below the first are rest; W at the start of a piece */
    bool holds;        /* it pivots, and has the friction that it needs by a slip that is rest */
} ride_patch;

typedef struct ride_contact {
    int closed; /* index into sim->closed, or -1 for a contact on trial */
    int ground; /* the body that it stands on */
    int a, b;   /* members: the one with the foot; the ground, or -1 where that is no member */
    carom_vec3 n, t1, t2;
    carom_vec3 base; /* velocity of the ground, where it is constant, */
    bool turns;      /* and whether it turns, about the normal, without being a member */
    piece foot;
    ground under;
    carom_vec3 own_normal, own_at, own_axis; /* normal and ground in the axes of member b */
    carom_vec3 n_rate;                       /* the normal turns where the ground is not flat, or turns */
    carom_vec3 cross_arm, cross_rate;        /* of edges that cross: the touching point of the core, and its rate */
    double mu, mu_s;
    ride_mode mode;
    bool onset;      /* it has begun to slip, and is still slow */
    bool jams;       /* it slips, and friction takes more of its normal force than there is (Painleve) */
    carom_vec3 slip; /* unit: of a slip that begins; of the last piece */
    ride_turn roll;
    ride_patch patch;
    bool pivots;     /* its patch, which it does not share, spins without slip and needs no friction along the ground */
    double force[6]; /* t1, t2, n; moments about these */
    double u_n;
    double slack; /* of the weight: by how much friction may exceed its bound */
    double share; /* of loads that are not unique: 1, or less where the least forces would make it pull */
    double pull;  /* of the weight: by how much it may pull then */
} ride_contact;

/* A member of the island. */
typedef struct ride_body {
    int body;
    double mass;
    carom_sym3 inertia, inv_inertia; /* body axes */
    bool isotropic, thin;
    carom_vec3 gravity;
    const carom_fields *fields; /* forces besides gravity; or null */
    bool steady;                /* it flies without a change of spin: its orientation is known elsewhere */
    double drive;               /* power of moving ground on it */
} ride_body;

/* States y are those of the members one after the other. */
typedef struct ride {
    const carom_sim *sim;
    arena *arena;       /* of all that its functions need */
    int members, count; /* bodies, contacts */
    int most;           /* contacts that it has room for */
    ride_body m[ISLAND_BODIES];
    ride_contact *c;
    carom_linkage *joints; /* that hold members; null: none */
    int *held;             /* of its bodies: the member, or -1 of what is fixed */
    double mass;           /* of all */
    bool planar;
    bool resists;     /* some contact resists rolling, or has a patch */
    bool closing;     /* slips that end within the resting time have ended */
    bool frozen;      /* slips keep the directions in c[].slip, whatever the velocities */
    bool straight;    /* so they do in the piece that was solved last, beyond their end too */
    double time;      /* for ground that follows a path */
    bool is_driven;   /* some of its ground moves, and is no member */
    double by_ground; /* work of moving ground on impulses */
    double strength;  /* the size of accelerations: gravity, fields, and what the rotation requires */
} ride;

static inline double member_radius(const ride *r, int m)
{
    return mover_of(r->sim, r->m[m].body)->radius;
}

/* The size of a member; a particle has none, and counts as 1 m. */
static inline double member_size(const ride *r, int m)
{
    double R = member_radius(r, m);
    return R > 0 ? R : 1;
}

/* The size of the smallest member. */
static inline double ride_size(const ride *r)
{
    double R = member_size(r, 0);
    for (int m = 1; m < r->members; m++)
        R = min(R, member_size(r, m));
    return R;
}

/* The size of the largest one. */
static inline double ride_radius(const ride *r)
{
    double R = member_size(r, 0);
    for (int m = 1; m < r->members; m++)
        R = max(R, member_size(r, m));
    return R;
}

static inline int ride_states(const ride *r)
{
    return STATE * r->members;
}

/* A foot that rolls: the touching point moves over the body. */
static inline bool is_round(const piece *foot)
{
    return (foot->kind != CORE_POINT && !is_crossing(foot)) || foot->margin > 0;
}

/* ---- parts of a state ---- */

static inline carom_vec3 vec_at(const double *y)
{
    return carom_vec3_make(y[0], y[1], y[2]);
}

static inline carom_quat quat_at(const double *y)
{
    carom_quat q = {y[0], y[1], y[2], y[3]};
    return quat_scale(1 / quat_norm(q), q);
}

static inline void put(double *y, carom_vec3 v)
{
    y[0] = v.x, y[1] = v.y, y[2] = v.z;
}

static inline carom_vec3 sum_of(carom_vec3 a, carom_vec3 b)
{
    return carom_vec3_add(a, b);
}

/* The members, with room for so many contacts in the arena of the simulation, until that goes back; false: memory ends.
 */
bool ride_begin(carom_sim *sim, const island *bodies, int contacts, ride *r);
bool ride_add(ride *r, const closed_contact *c, int index);

/* The same with their closed contacts as they are now. */
bool ride_make(carom_sim *sim, const island *bodies, ride *r);

/* Normals and tangents at the state y, where grounds are not flat or turn. */
void ride_aim(ride *r, const double *y);

/* Where the bodies of contact k are, for edges that cross. */
crossing_bodies crossing_bodies_at(const ride *r, int k, const double *y);

/* Velocity of the point of the ground that contact k touches. */
carom_vec3 ground_velocity(const ride *r, int k, const double *y);

/* Where the body of the ground of contact k is, and how it moves. */
snap ground_snap(const ride *r, int k, const double *y);

/* Velocity of the material point of contact k against that of its ground. */
carom_vec3 contact_velocity(const ride *r, int k, const double *y);
carom_vec3 slip_velocity(const ride *r, int k, const double *y); /* its part along the ground */
/* How the touching point moves over the ground: that of a foot that rolls is not the velocity of the material. */
carom_vec3 place_velocity(const ride *r, int k, const double *y);
carom_vec3 contact_arm(const ride *r, int k, const double *y); /* from the middle of the body with the foot */
carom_vec3 contact_place(const ride *r, int k, const double *y);

/* How the arm changes: the core turns with the body, and the touching point moves over a smooth core, or with the
 * normal. */
carom_vec3 arm_rate(const ride_contact *c, carom_quat q, carom_vec3 w);

/* The arm of a closed contact at time t, and its normal. */
carom_vec3 closed_arm(const carom_sim *sim, const closed_contact *c, double t, carom_vec3 *normal);

/* Rates of the state with the modes as they are; forces are filled in. a: accelerations at the contacts, may be null.
 */
void ride_rates(ride *r, const double *y, double *f, carom_vec3 *a);

/* The part of the rotation that rolls: across the normal. */
carom_vec3 turn_part(const ride_contact *c, carom_vec3 w);

/* The rotation of the body of contact k against its ground, in the state y; of rates f its rate. */
carom_vec3 turn_against(const ride *r, int k, const double *y);

/* The axis of rolling in state y, as long as it goes. */
carom_vec3 turn_axis(const ride *r, int k, const double *y);

/* Held or going, from the velocities: slower than speed (of the surface) is held. */
void turn_first(ride *r, int k, const double *y, double speed);

/* Turns that their moments cannot hold begin, axes of turns that begin follow the rates f: true when something has
 * changed. weight is a moment. */
bool turn_choose(ride *r, const double *f, double weight);

/* How far a turn is from the end of its mode. */
double turn_margin(const ride *r, int k, const double *y, double weight);

/* Slip or not, from the velocities. */
void first_modes(ride *r, const double *y);

/* Choose the modes at the state y: open, stick, slip or begin to slip. A jammed slip opens if its normal
 * acceleration is not negative; otherwise no finite force stops it, and its mode is stick. */
void ride_choose(ride *r, const double *y, double *f);

/* Why a piece ends. */
typedef enum ride_end { RIDE_GOES_ON, RIDE_LIFTS, RIDE_STICKS, RIDE_SLIPS, RIDE_LEAVES, RIDE_FAILS } ride_end;

/* One piece from the state y at time t, not beyond the time last: the tracks of the members, and how it ends.
 * RIDE_FAILS: no piece of a length worth its work was found, and the tracks say nothing. */
ride_end ride_piece(ride *r, double t, const double *y, double last, track *const *out);

/* Normal impulses that stop the contacts, velocities in y; returns the change of kinetic energy against the ground. */
double ride_stop_normal(ride *r, double *y);

/* When the acceleration of the ground jumps next, after time t. */
double ride_next(const ride *r, double t);

/* Where edges cross, what the bounces have left of gaps; returns the change of energy. */
double ride_close_gaps(ride *r, double *y);

/* Slips that friction would end within the resting time end; returns the change of kinetic energy. */
double ride_stop_slip(ride *r, double *y);

/* Take out what integration has left of gaps and of velocities that the modes keep at zero. */
void ride_project(ride *r, double *y);

/* Slips that begin, below this, go where forces accelerate them to: their direction settles at once. */
double onset_speed(const ride *r);

/* Speeds below this are rest: rounding against what gravity gives the body over its own size. */
double rest_speed(const ride *r);

#endif
