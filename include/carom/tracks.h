/* Carom: from the tracks of a camera to the velocities of an impact in the plane.
 *
 *     carom_track_motion(count, frames, &errors, &before);          positions and angles to velocity and omega
 *     carom_track_contact(&before, n_x, n_y, arm_x, arm_y, &u, S);  to u at the contact, with its covariance
 *
 * Two recipes. Least squares: straight lines through all frames. Two frames: differences of the two frames next to the
 * impact with the error bound of Chatterjee's thesis (section 11.1), |df| <= h sum |df/dq|, where every coordinate is
 * off by h, two pixels; half of the bound is taken as the standard deviation. docs/guide/fit.md shows both. */
#ifndef CAROM_TRACKS_H
#define CAROM_TRACKS_H

#include <stdbool.h>

#include "carom/export.h"
#include "carom/status.h"

CAROM_BEGIN

typedef struct carom_track_frame {
    double t, x, y, angle; /* s, m, rad */
} carom_track_frame;

/* Standard deviations of one coordinate and one angle. */
typedef struct carom_track_errors {
    double position, angle;
    bool two_frames; /* the recipe of the thesis; position and angle are then one pixel, h is twice as much */
    bool first;      /* two frames: the first two, of a track after the impact; else the last two */
} carom_track_errors;

/* Velocity and omega, their covariance (vx, vy, omega by rows) and bounds of the error (two frames; else zero). */
typedef struct carom_track_state {
    double vx, vy, omega;
    double covariance[9];
    double bound[3];
    double rms; /* of the residuals of the lines in standard deviations; zero for two frames */
} carom_track_state;

/* CAROM_STATUS_BAD_SIZE for fewer than two frames, CAROM_STATUS_BAD_TIME when times do not increase,
 * CAROM_STATUS_NOT_FINITE, CAROM_STATUS_OUT_OF_RANGE when a speed overflows or a variance vanishes. */
CAROM_API CAROM_MUST_USE carom_status carom_track_motion(int count, const carom_track_frame *frames,
                                                         const carom_track_errors *errors, carom_track_state *state);

/* Velocity (t, n) of the contact point at arm from the centre of mass, t = (n_y, -n_x), and its covariance (2 x 2 by
 * rows). CAROM_STATUS_BAD_NORMAL when the normal has not length 1. */
CAROM_API CAROM_MUST_USE carom_status carom_track_contact(const carom_track_state *state, const double normal[2],
                                                          const double arm[2], double u[2], double covariance[4]);

CAROM_END

#endif
