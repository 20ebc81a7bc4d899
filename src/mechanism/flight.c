/* Smooth motion of a mechanism under gravity, up to a time or an event.
 *
 * State y = (q, qdot). An event is a gap that falls from above zero to zero: looked for inside every step on a cubic,
 * then located by repeating the step with shorter and shorter lengths, so that the state there has the accuracy of a
 * step and not of the cubic. */
#include "carom/assert.h"
#include "core/num.h"
#include "core/rotate.h"
#include "mechanism/place.h"
#include "mechanism/runge.h"

enum { LOOKS = 4 };        /* places inside a step where the gap is looked at */
enum { ROOT_LIMIT = 100 }; /* Illinois steps to locate an event; about eight are needed */
#define STEP_TOL (4 * EPS) /* of the time or the step: shorter steps are rounding */
#define NUDGE    1e-4      /* of a first step: far enough to see a gap open, too near for it to close again */

carom_flight carom_flight_default(void)
{
    carom_flight f = {.tolerance = CAROM_FLIGHT_TOLERANCE, .step_limit = CAROM_FLIGHT_STEPS};
    return f;
}

/* The rate of q: qdot, but half q omega for a quaternion. */
static void coordinate_rate(const carom_link *link, const double *q, const double *qdot, double *rate)
{
    int slides = link->def.joint == CAROM_JOINT_FREE ? 3 : 0;
    bool turns = link->def.joint == CAROM_JOINT_SPHERICAL || link->def.joint == CAROM_JOINT_FREE;
    for (int k = 0; k < (turns ? slides : link->nv); k++)
        rate[k] = qdot[k];
    if (!turns)
        return;
    const double *w = q + slides, *omega = qdot + slides;
    carom_quat turn = {w[0], w[1], w[2], w[3]}, spin = {0, omega[0], omega[1], omega[2]};
    carom_quat half = quat_scale(0.5, quat_multiply(turn, spin));
    rate[slides] = half.w;
    rate[slides + 1] = half.x;
    rate[slides + 2] = half.y;
    rate[slides + 3] = half.z;
}

static void load_state(carom_motion *motion, const double *y)
{
    int nq = motion->mechanism->nq, nv = motion->mechanism->nv;
    for (int i = 0; i < nq; i++)
        motion->q[i] = y[i];
    for (int i = 0; i < nv; i++)
        motion->qdot[i] = y[nq + i];
}

/* The raw quaternion is integrated; the pose uses the unit quaternion. */
static carom_status rate(void *context, const double *y, double *dy)
{
    carom_motion *motion = context;
    const carom_mechanism *m = motion->mechanism;
    load_state(motion, y);
    carom_motion_normalise(m, motion->q);
    carom_status status = carom_motion_compute(motion);
    if (status)
        return status;
    for (int i = 0; i < m->count; i++) {
        const carom_link *link = &m->links[i];
        coordinate_rate(link, y + link->q_at, motion->qdot + link->v_at, dy + link->q_at);
    }
    carom_motion_accelerate(motion, NULL, dy + m->nq);
    return CAROM_STATUS_OK;
}

/* The gap along a flight. */
typedef struct watch {
    const carom_flight *flight;
    carom_motion *motion;
    double level;        /* the gap counts as closed at or below this: zero, or where a closed one began */
    double before;       /* at the beginning of the step */
    double after;        /* at its end */
    double open, closed; /* fractions of the step that bracket the closing; closed is zero when it does not */
} watch;

static double gap_at(const watch *w, const double *y)
{
    load_state(w->motion, y);
    carom_motion_normalise(w->motion->mechanism, w->motion->q);
    carom_status status = carom_motion_compute(w->motion);
    return status ? w->before : w->flight->gap(w->flight->context, w->motion);
}

/* Look at the gap along the trial step h. True when it was open anywhere. */
static bool look(watch *w, runge *r, double h)
{
    bool open = w->before > w->level;
    w->open = w->closed = 0;
    for (int i = 1; i <= LOOKS && w->closed == 0; i++) {
        double s = (double)i / LOOKS;
        if (i < LOOKS)
            carom_runge_between(r, h, s);
        w->after = gap_at(w, i < LOOKS ? r->spare : r->next);
        if (w->after > w->level) {
            open = true;
            w->open = s;
        } else if (open) {
            w->closed = s;
        }
    }
    return open;
}

/* Does a gap that begins closed open? Judged a small way along the motion. */
static bool is_leaving(const watch *w, runge *r)
{
    double step = NUDGE * carom_runge_first_step(r, 1);
    for (int i = 0; i < r->n; i++)
        r->spare[i] = r->y[i] + step * r->slope[0][i];
    return gap_at(w, r->spare) > w->before;
}

/* A step of this length and the gap after it, above (> 0) or at or below the level. */
static carom_status shorten(const watch *w, runge *r, double length, double *gap)
{
    double error;
    carom_status status = carom_runge_try(r, length, &error);
    *gap = status ? 0 : gap_at(w, r->next) - w->level;
    return status;
}

/* Illinois: shrink the bracket of step lengths until the gap is zero or the bracket is rounding. next is the state
 * after *length. */
static carom_status locate(const watch *w, runge *r, double h, double *length)
{
    double low = w->open * h, high = w->closed * h, g_low, g_high, g = 0;
    carom_status status = shorten(w, r, high, &g_high);
    if (!status)
        status = shorten(w, r, low, &g_low);
    *length = low;
    if (status || g_low <= 0) /* the cubic was wrong by rounding: the gap closes here */
        return status;
    for (int i = 0, side = 0; i < ROOT_LIMIT && high - low > STEP_TOL * high; i++) {
        double middle = low + (high - low) * g_low / (g_low - g_high);
        *length = middle > low && middle < high ? middle : 0.5 * (low + high);
        status = shorten(w, r, *length, &g);
        if (status || g == 0)
            return status;
        if (g > 0) {
            low = *length;
            g_low = g;
            g_high *= side > 0 ? 0.5 : 1;
        } else {
            high = *length;
            g_high = g;
            g_low *= side < 0 ? 0.5 : 1;
        }
        side = g > 0 ? 1 : -1;
    }
    return CAROM_STATUS_OK;
}

/* Take over next as the state after h. */
static carom_status keep(carom_flight *f, carom_motion *motion, runge *r, double h)
{
    carom_runge_accept(r);
    f->time = f->time + h >= f->until ? f->until : f->time + h;
    return carom_motion_normalise(motion->mechanism, r->y) ? carom_runge_start(r) : CAROM_STATUS_OK;
}

/* Try a shorter step next time; why is the status when there is none. */
static carom_status retry(carom_flight *f, double h, carom_status why)
{
    f->step = h;
    return h > STEP_TOL * fabs(f->time) && h > DBL_MIN ? CAROM_STATUS_OK : why;
}

/* One trial step: accepted, or the next one made shorter. */
static carom_status step(carom_flight *f, watch *w, runge *r)
{
    double left = f->until - f->time, h = f->step < left ? f->step : left, error;
    carom_status status = carom_runge_try(r, h, &error);
    if (status)
        return retry(f, h / 4, status);
    if (!(error <= 1))
        return retry(f, carom_runge_resize(h, error), CAROM_STATUS_STEP_LIMIT);
    if (f->gap && !look(w, r, h)) { /* it opens and closes again before the first look, or rounding hides the bounce */
        f->hit = retry(f, h / 4, CAROM_STATUS_STEP_LIMIT) != CAROM_STATUS_OK;
        return CAROM_STATUS_OK;
    }
    if (f->gap && w->closed > 0) {
        f->hit = true;
        status = locate(w, r, h, &h);
        return status ? status : keep(f, w->motion, r, h);
    }
    double wanted = carom_runge_resize(h, error);
    f->step = h < f->step && wanted < f->step ? f->step : wanted; /* until cut it short: keep the longer one */
    w->before = w->after;
    w->level = w->after > 0 ? 0 : w->level;
    return keep(f, w->motion, r, h);
}

static carom_status begin(carom_flight *f, watch *w, runge *r)
{
    const carom_mechanism *m = w->motion->mechanism;
    for (int i = 0; i < m->nq; i++)
        r->y[i] = w->motion->q[i];
    for (int i = 0; i < m->nv; i++)
        r->y[m->nq + i] = w->motion->qdot[i];
    carom_status status = carom_runge_start(r);
    if (status)
        return status;
    if (!(f->step > 0))
        f->step = carom_runge_first_step(r, f->until - f->time);
    if (!f->gap)
        return CAROM_STATUS_OK;
    w->before = gap_at(w, r->y);
    w->level = w->before < 0 ? w->before : 0;
    f->hit = w->before <= 0 && !is_leaving(w, r);
    return CAROM_STATUS_OK;
}

carom_status carom_motion_advance(carom_motion *motion, carom_flight *f)
{
    CAROM_ASSERT(motion && f && f->work);
    f->hit = false;
    f->steps = 0;
    carom_status status = f->until >= f->time ? carom_motion_place(motion) : CAROM_STATUS_BAD_TIME, final;
    if (status)
        return status;
    runge r = {.rate = rate, .context = motion, .tolerance = f->tolerance};
    carom_runge_init(&r, motion->mechanism->nq + motion->mechanism->nv, f->work);
    watch w = {.flight = f, .motion = motion};
    status = begin(f, &w, &r);
    while (!status && !f->hit && f->time < f->until)
        status = f->steps++ < f->step_limit ? step(f, &w, &r) : CAROM_STATUS_STEP_LIMIT;
    load_state(motion, r.y);
    final = carom_motion_place(motion);
    return status ? status : final;
}
