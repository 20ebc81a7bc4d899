/* Carom: recorded poses of one body that falls on a floor, to the impacts between its flights.
 *
 *     carom_tracked body = carom_tracked_default(3, 1.0 / 148);       shape, mass and world of the body
 *     carom_tracked_box(&body, half);
 *     int found = carom_track_impacts(&body, count, poses, marks, room, impacts);
 *     carom_tracked_weigh(&body, found, impacts);                     errors from the scatter of the flights
 *     impacts[0].v[0], .omega[0]                                      just before, [1]: just after
 *
 * A flight is a parabola of the centre of mass and a free rotation. Both are fitted to the frames on each side of an
 * impact, whose instant is where the two flights have the same height; docs/guide/recordings.md explains the method.
 * Spatial bodies have z up. Planar ones move in x and y, with y up, and turn about z. */
#ifndef CAROM_TRACKED_H
#define CAROM_TRACKED_H

#include <stdbool.h>

#include "carom/export.h"
#include "carom/status.h"
#include "carom/vec.h"

CAROM_BEGIN

/* Where the shape is, of the centre that was tracked, and how it is turned. */
typedef struct carom_pose {
    carom_vec3 x;
    carom_quat q;
    bool missing; /* the recording has no such frame: between its neighbours, and no fit uses it */
} carom_pose;

enum { CAROM_TRACKED_POINTS = 192, CAROM_TRACKED_CONTACTS = 4 };

/* The body, the floor and the recording. The shape is the hull of spheres of one radius, whose centres are
 * corner - radius inward, in body axes from the tracked centre. */
typedef struct carom_tracked {
    int dim;   /* 3; or 2 */
    double dt; /* s between frames */
    int point_count;
    carom_vec3 corner[CAROM_TRACKED_POINTS], inward[CAROM_TRACKED_POINTS];
    carom_vec3 half;        /* of a box; zero for other shapes */
    double radius;          /* of the corners, m */
    carom_vec3 com;         /* centre of mass, body axes, m */
    carom_vec3 inertia;     /* principal, along the body axes, over the mass, m^2; planar: z */
    double gravity;         /* m/s^2, > 0 */
    double drag, spin_drag; /* decay of velocity and spin in flight, 1/s */
    double floor, slope[2]; /* height of the floor at the origin, its slopes along x and, in space, y */
    int margin_before;      /* frames next to an impact whose rotation is smoothed over it */
    int margin_after;
    double jitter;           /* m: deviation of a coordinate, as far as it limits what counts as a kick; 0: unknown */
    double touch;            /* m: points this much above the lowest one take part in an impact */
    double sigma_x, sigma_q; /* of a coordinate and an angle of one frame; set by carom_tracked_weigh */
    double depth;            /* m: of the lowest point below the floor where flights meet, for contacts give way */
    double sliding;          /* friction of a face on the floor; 0: not known */
    double room[14];         /* zero */
} carom_tracked;

/* Sharp, homogeneous in nothing: set the shape, com and inertia. */
CAROM_API carom_tracked carom_tracked_default(int dim, double dt);

/* The corners of a box with these half widths (z is ignored in the plane). */
CAROM_API void carom_tracked_box(carom_tracked *body, carom_vec3 half);

/* Straight up, out of the floor. */
CAROM_API carom_vec3 carom_tracked_up(const carom_tracked *body);

/* The height of point i over the floor. */
CAROM_API double carom_tracked_gap(const carom_tracked *body, carom_pose pose, int i);

/* The pose of the tracked centre, from the place of the centre of mass. */
CAROM_API carom_vec3 carom_tracked_com(const carom_tracked *body, carom_pose pose);

/* ---- flights ---- */

/* Places and rotations at their mean times, where place and rate are uncorrelated. */
typedef struct carom_free_flight {
    double t_x, t_q;           /* s */
    carom_vec3 x, v;           /* of the centre of mass at t_x */
    carom_quat q;              /* at t_q */
    carom_vec3 omega;          /* world axes, at t_q */
    double spread_x, spread_q; /* sum of (t - mean)^2: variance of a rate: variance of a frame over this sum */
    int count_x, count_q;      /* frames */
    double rest_x, rest_q;     /* sums of squared residuals, m^2 and rad^2, of dim and 3 (planar: 1) components */
} carom_free_flight;

/* Frames first...last for places, first_q...last_q for rotations, two at least of each. */
typedef struct carom_frames {
    int first, last, first_q, last_q;
} carom_frames;

CAROM_API carom_free_flight carom_free_flight_fit(const carom_tracked *body, const carom_pose *poses,
                                                  carom_frames frames);

/* The centre of mass, rotation and velocities of a flight at a time. */
typedef struct carom_free_flight_state {
    carom_vec3 x, v, omega;
    carom_quat q;
} carom_free_flight_state;

CAROM_API carom_free_flight_state carom_free_flight_at(const carom_tracked *body, const carom_free_flight *flight,
                                                       double t);

/* ---- impacts ---- */

typedef enum carom_left_out {
#define CAROM_LEFT_OUT(name, word, meaning) CAROM_LEFT_OUT_##name,
#include "carom/left_out.def"
#undef CAROM_LEFT_OUT
    CAROM_LEFT_OUT_COUNT
} carom_left_out;

CAROM_API const char *carom_left_out_word(carom_left_out why);
CAROM_API const char *carom_left_out_meaning(carom_left_out why);

typedef struct carom_track_impact {
    int first, last;    /* frames in which the motion is not free */
    int missing;        /* frames that the recording lacks there: the flights meet when the second is so much later */
    carom_left_out why; /* CAROM_LEFT_OUT_NOTHING: used */
    double time;        /* s, from frame 0 */
    int contact_count;  /* points of the shape that touch, lowest first */
    int contacts[CAROM_TRACKED_CONTACTS];
    double depth;    /* of the lowest point below the floor, where the flights meet, m */
    carom_pose pose; /* x is the centre of mass */
    carom_vec3 arm;  /* from the centre of mass to the lowest contact, world axes */
    carom_free_flight flight[2];
    carom_vec3 v[2], omega[2]; /* world axes; before, after */
    double covariance[2][36];  /* of v and omega, by rows; in the plane z of v and x, y of omega are zero */
    carom_vec3 closure; /* d omega - I^-1 (arm x d v), body axes, rad/s: zero for the right body at one contact */
} carom_track_impact;

/* The impacts of one record; returns how many, also those left out, at most room of them. marks has count entries. */
CAROM_API int carom_track_impacts(const carom_tracked *body, int count, const carom_pose *poses, unsigned char *marks,
                                  int room, carom_track_impact *impacts);

/* Memory of carom_track_fill: room for frames with marks, and for impacts. */
typedef struct carom_track_room {
    int frames, impacts;
    unsigned char *mark;
    carom_track_impact *impact;
} carom_track_room;

/* Frames that a camera has left out of a record without a word are put in, as missing ones: in flights, where a step is
 * a multiple of its neighbours, and in impacts. Returns the new number of frames. */
CAROM_API int carom_track_fill(const carom_tracked *body, int count, carom_pose *poses, const carom_track_room *room);

/* The deviation of a frame from the residuals of all flights, into body, and the covariances of the impacts. */
CAROM_API void carom_tracked_weigh(carom_tracked *body, int count, carom_track_impact *impacts);

/* ---- the body from its own records ---- */

enum { CAROM_CLOSURE_PARAMETERS = 7 };

/* How well a body closes: rms of the closure and of d omega over the impacts used, rad/s. */
typedef struct carom_closure {
    int count;
    double rms, rms_change, median;
    int parameter_count; /* that were fitted: com, inertia, radius, in this order */
    double value[CAROM_CLOSURE_PARAMETERS], std[CAROM_CLOSURE_PARAMETERS];
} carom_closure;

typedef struct carom_closure_wants {
    bool com, inertia, radius;
} carom_closure_wants;

/* Centre of mass, inertia and radius from impacts at one contact, into body: the change of angular momentum is the
 * moment of the change of momentum. Wants nothing: judge the body as it is. Impacts were reduced with this body. */
CAROM_API CAROM_MUST_USE carom_status carom_tracked_close(carom_tracked *body, carom_closure_wants wants, int count,
                                                          const carom_track_impact *impacts, carom_closure *closure);

CAROM_END

#endif
