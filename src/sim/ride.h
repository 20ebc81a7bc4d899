/* One body on closed contacts with fixed bodies, or on none: the acceleration problem and its integration.
 *
 * Each contact is open, sticks, or slips. With these modes fixed the contact forces solve linear equations (normal
 * accelerations vanish; tangential ones too where it sticks; a slipping contact carries -mu lambda_n u_t / |u_t|), and
 * the motion is smooth: one step of Gauss collocation makes a piece. Where a mode breaks, the piece ends. */
#ifndef CAROM_SIM_RIDE_H
#define CAROM_SIM_RIDE_H

#include "core/rotate.h"
#include "sim/motion.h"

enum { RIDE_CONTACTS = 8 };
#define NEVER_SLIPS 1e9 /* friction beyond this: a contact that cannot hold opens */

typedef enum ride_mode { RIDE_OPEN, RIDE_STICK, RIDE_SLIP, RIDE_ONSET } ride_mode;

/* A ball rolls about an axis in the ground, or spins about its normal. Both meet a moment of up to a length
 * times the normal force, as slip meets friction. */
typedef enum turn_mode { TURN_FREE, TURN_HELD, TURN_GOES, TURN_ONSET } turn_mode;

typedef struct ride_turn {
    turn_mode mode; /* free: nothing resists it */
    double length;
    carom_vec3 axis; /* unit: of the rotation; where it begins, the one chosen */
    double rate;     /* that rates are compared with */
} ride_turn;

typedef struct ride_contact {
    int closed; /* index into sim->closed, or -1 for a contact on trial */
    int ground; /* the body that it stands on */
    carom_vec3 n, t1, t2;
    carom_vec3 base; /* velocity of the ground, where it is constant */
    piece foot;
    ground under;
    carom_vec3 n_rate; /* the normal turns where the ground is not flat */
    double mu, mu_s;
    ride_mode mode;
    bool onset;            /* it has begun to slip, and is still slow */
    bool jams;             /* it slips, and friction takes more of its normal force than there is (Painleve) */
    carom_vec3 slip;       /* unit: of a slip that begins; of the last piece */
    ride_turn roll, whirl; /* about an axis in the ground; about its normal */
    double force[6];       /* t1, t2, n; moments about these */
    double u_n;
    double slack; /* of the weight: by how much friction may exceed its bound */
} ride_contact;

typedef struct ride {
    const carom_sim *sim;
    int body, count;
    ride_contact c[RIDE_CONTACTS];
    double mass;
    carom_sym3 inertia, inv_inertia; /* body axes */
    bool planar, isotropic, thin;
    bool resists;   /* some contact resists rolling or spinning */
    bool closing;   /* slips that end within the resting time have ended */
    bool frozen;    /* slips keep the directions in c[].slip, whatever the velocities */
    double time;    /* for ground that follows a path */
    bool is_driven; /* some of its ground moves */
    double drive;   /* power of the ground */
    carom_vec3 gravity;
    const carom_fields *fields; /* forces besides gravity; or null */
    bool steady;                /* it flies without a change of spin: its orientation is known elsewhere */
    double strength;            /* the size of accelerations: gravity, fields, and what the rotation requires */
} ride;

/* The size of the body; a particle has none, and counts as 1 m. */
static inline double ride_size(const ride *r)
{
    double R = mover_of(r->sim, r->body)->radius;
    return R > 0 ? R : 1;
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

/* The closed contacts of body i as they are at time t; false: more than RIDE_CONTACTS. */
bool ride_make(const carom_sim *sim, int i, ride *r);
bool ride_add(ride *r, const closed_contact *c, int index);

/* Normals and tangents at the state y, where grounds are not flat. */
void ride_aim(ride *r, const double y[STATE]);

/* Velocity of the ground of contact k now. */
carom_vec3 base_velocity(const ride *r, int k);

/* Velocity of the material point of contact k against the half-space. */
carom_vec3 contact_velocity(const ride *r, int k, const double y[STATE]);
carom_vec3 slip_velocity(const ride *r, int k, const double y[STATE]); /* its part along the ground */
carom_vec3 contact_arm(const ride *r, int k, const double y[STATE]);

/* How the arm changes: the core turns with the body, and the touching point moves over a smooth core, or with the
 * normal. */
carom_vec3 arm_rate(const ride_contact *c, carom_quat q, carom_vec3 w);

/* Rates of the state with the modes as they are; forces are filled in. a: accelerations at the contacts, may be null.
 */
void ride_rates(ride *r, const double y[STATE], double f[STATE], carom_vec3 *a);

/* The part of the rotation that a turn is about: across the normal, or along it. */
carom_vec3 turn_part(const ride_contact *c, const ride_turn *t, carom_vec3 w);

/* The axis of a turn in state y, as long as it goes. */
carom_vec3 turn_axis(const ride_contact *c, const ride_turn *t, const double y[STATE]);

/* Held or going, from the velocities: slower than speed (of the surface) is held. */
void turn_first(ride_contact *c, const double y[STATE], double R, double speed);

/* Turns that their moments cannot hold begin, axes of turns that begin follow the angular acceleration w_rate: true
 * when something has changed. weight is a moment. */
bool turn_choose(ride *r, carom_vec3 w_rate, double weight);

/* How far a turn is from the end of its mode. */
double turn_margin(const ride_contact *c, const ride_turn *t, const double y[STATE], double weight);

/* Slip or not, from the velocities. */
void first_modes(ride *r, const double y[STATE]);

/* Choose the modes at the state y: open, stick, slip or begin to slip. A slip that jams opens where nothing presses it;
 * where something does there is no force that stops it, and it is said to stick. */
void ride_choose(ride *r, const double y[STATE], double f[STATE]);

/* Why a piece ends. */
typedef enum ride_end { RIDE_GOES_ON, RIDE_LIFTS, RIDE_STICKS, RIDE_SLIPS, RIDE_LEAVES, RIDE_FAILS } ride_end;

/* One piece from the state y at time t, not beyond the time last: the track, how it ends and at which contact.
 * RIDE_FAILS: no piece of a length worth its work was found, and the track says nothing. */
ride_end ride_piece(ride *r, double t, const double y[STATE], double last, track *out);

/* Normal impulses that stop the contacts, velocities in y; returns the change of kinetic energy against the ground. The
 * work of ground that moves is added to by_ground. */
double ride_stop_normal(ride *r, double y[STATE], double *by_ground);

/* When the acceleration of the ground jumps next, after time t. */
double ride_next(const ride *r, double t);

/* Slips that friction would end within the resting time end; returns the change of kinetic energy. */
double ride_stop_slip(ride *r, double y[STATE], double *by_ground);

/* Take out what integration has left of gaps and of velocities that the modes keep at zero. */
void ride_project(ride *r, double y[STATE]);

/* Slips that begin, below this, go where forces accelerate them to: their direction settles at once. */
double onset_speed(const ride *r);

/* Speeds below this are rest: rounding against what gravity gives the body over its own size. */
double rest_speed(const ride *r);

#endif
