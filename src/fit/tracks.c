/* Tracks to velocities: straight lines through the frames by least squares, or differences of two frames. */
#include "carom/tracks.h"

#include <math.h>

#include "carom/elementary.h"
#include "core/num.h"

#define PIXELS      2    /* h of the thesis, in pixels */
#define TYPICAL     0.5  /* of the bound: the standard deviation */
#define UNIT_NORMAL 1e-6 /* as of other normals */

static double value_of(const carom_track_frame *f, int which)
{
    return which == 0 ? f->x : which == 1 ? f->y : f->angle;
}

static carom_status check(int count, const carom_track_frame *frames)
{
    if (count < 2)
        return CAROM_STATUS_BAD_SIZE;
    for (int i = 0; i < count; i++) {
        if (!isfinite(frames[i].t) || !isfinite(frames[i].x + frames[i].y + frames[i].angle))
            return CAROM_STATUS_NOT_FINITE;
        if (i > 0 && !(frames[i].t > frames[i - 1].t))
            return CAROM_STATUS_BAD_TIME;
    }
    return CAROM_STATUS_OK;
}

/* The slope of one coordinate over time, its variance, and the residuals of the line. */
static double slope(int count, const carom_track_frame *frames, int which, double sigma, double *variance, double *rest)
{
    double t = 0, q = 0, tt = 0, tq = 0;
    for (int i = 0; i < count; i++) {
        t += frames[i].t / count;
        q += value_of(&frames[i], which) / count;
    }
    for (int i = 0; i < count; i++) {
        tt += square(frames[i].t - t);
        tq += (frames[i].t - t) * (value_of(&frames[i], which) - q);
    }
    *variance = square(sigma) / tt;
    for (int i = 0; i < count; i++)
        *rest += square((value_of(&frames[i], which) - q - tq / tt * (frames[i].t - t)) / sigma);
    return tq / tt;
}

static void by_lines(int count, const carom_track_frame *frames, const carom_track_errors *errors, carom_track_state *s)
{
    double *speeds[3] = {&s->vx, &s->vy, &s->omega}, rest = 0;
    for (int k = 0; k < 3; k++)
        *speeds[k] = slope(count, frames, k, k < 2 ? errors->position : errors->angle, &s->covariance[4 * k], &rest);
    s->rms = count > 2 ? sqrt(rest / (3 * (count - 2))) : 0;
}

/* |df| <= h sum |df/dq|: each of the two coordinates of a difference counts. */
static void by_two(int count, const carom_track_frame *frames, const carom_track_errors *errors, carom_track_state *s)
{
    const carom_track_frame *a = errors->first ? frames : frames + count - 2, *b = a + 1;
    double *speeds[3] = {&s->vx, &s->vy, &s->omega}, dt = b->t - a->t;
    for (int k = 0; k < 3; k++) {
        double h = PIXELS * (k < 2 ? errors->position : errors->angle);
        *speeds[k] = (value_of(b, k) - value_of(a, k)) / dt;
        s->bound[k] = 2 * h / dt;
        s->covariance[4 * k] = square(TYPICAL * s->bound[k]);
    }
}

/* Speeds and spreads of frames that lie very far apart, or very close together, overflow or vanish. */
static bool is_in_range(int count, const double *values, const double *covariance, int size)
{
    bool fine = true;
    for (int i = 0; i < count; i++)
        fine = fine && isfinite(values[i]);
    for (int i = 0; i < size * size; i++)
        fine = fine && isfinite(covariance[i]) && (i % (size + 1) != 0 || covariance[i] > 0);
    return fine;
}

carom_status carom_track_motion(int count, const carom_track_frame *frames, const carom_track_errors *errors,
                                carom_track_state *state)
{
    static const carom_track_state nothing;
    carom_status status = check(count, frames);
    *state = nothing;
    if (status != CAROM_STATUS_OK)
        return status;
    if (errors->two_frames)
        by_two(count, frames, errors, state);
    else
        by_lines(count, frames, errors, state);
    const double values[] = {state->vx, state->vy, state->omega, state->rms};
    return is_in_range(4, values, state->covariance, 3) ? CAROM_STATUS_OK : CAROM_STATUS_OUT_OF_RANGE;
}

carom_status carom_track_contact(const carom_track_state *state, const double normal[2], const double arm[2],
                                 double u[2], double covariance[4])
{
    if (!(fabs(carom_hypot(normal[0], normal[1]) - 1) <= UNIT_NORMAL))
        return CAROM_STATUS_BAD_NORMAL;
    /* u = G (vx, vy, omega): axes t = (n_y, -n_x) and n of v + omega x arm. */
    const double axes[2][2] = {{normal[1], -normal[0]}, {normal[0], normal[1]}};
    double G[2][3];
    for (int i = 0; i < 2; i++) {
        G[i][0] = axes[i][0];
        G[i][1] = axes[i][1];
        G[i][2] = -arm[1] * axes[i][0] + arm[0] * axes[i][1];
        u[i] = G[i][0] * state->vx + G[i][1] * state->vy + G[i][2] * state->omega;
    }
    for (int i = 0; i < 4; i++) {
        covariance[i] = 0;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                covariance[i] += G[i / 2][a] * state->covariance[3 * a + b] * G[i % 2][b];
    }
    return is_in_range(2, u, covariance, 2) ? CAROM_STATUS_OK : CAROM_STATUS_OUT_OF_RANGE;
}
