/* Linear pieces: constant slopes, so that every stop is the root of a linear or quadratic equation. */
#include "laws/family_incremental.h"

/* The impulse at which restitution ends, infinite when this line never gets there. Energetic end: the positive root of
 * u_n d + h d^2 / 2 = need, written without cancellation. */
static double to_end(const slip_walk *w, const slip_line *line)
{
    double h = line->h, need = w->need;
    switch (w->ending->by) {
    case BY_IMPULSE:
        return need;
    case BY_VELOCITY:
        return line->u_n >= need ? 0 : h > 0 ? (need - line->u_n) / h : INFINITY;
    default: {
        double square_u = square(line->u_n) + 2 * h * need;
        return square_u >= 0 ? 2 * need / (line->u_n + sqrt(square_u)) : INFINITY;
    }
    }
}

static void at(const slip_line *line, double d, slip_stride *x)
{
    x->p_n = d;
    x->p_t.t1 = line->dp.t1 * d;
    x->p_t.t2 = line->dp.t2 * d;
    x->u_t.t1 = line->u_t.t1 + line->du.t1 * d;
    x->u_t.t2 = line->u_t.t2 + line->du.t2 * d;
    x->u_n = line->u_n + line->h * d;
    x->work = d * (line->u_n + 0.5 * line->h * d);
    x->friction = d * (tvec_dot(line->u_t, line->dp) + 0.5 * d * tvec_dot(line->du, line->dp));
}

void slip_line_point(const void *piece, double s, slip_stride *x)
{
    const slip_line *line = piece;
    at(line, s * line->end, x);
}

void slip_line_stride(const slip_walk *w, slip_line *line, slip_stride *stride)
{
    double d = line->length, h = line->h;
    stride->stop = isinf(d) ? STOP_NEVER : STOP_ORIGIN;
    if (w->compressing) {
        if (h > 0 && -line->u_n <= h * d) {
            d = -line->u_n / h;
            stride->stop = STOP_UP;
        }
    } else {
        if (h < 0 && line->u_n < -h * d) {
            d = -line->u_n / h;
            stride->stop = STOP_DOWN;
        }
        double end = to_end(w, line);
        if (end <= d) {
            d = end;
            stride->stop = STOP_DONE;
        }
    }
    if (isinf(d))
        d = 0;
    line->end = d;
    at(line, d, stride);
    if (stride->stop == STOP_ORIGIN)
        stride->u_t.t1 = stride->u_t.t2 = 0;
    if (stride->stop == STOP_UP || stride->stop == STOP_DOWN)
        stride->u_n = 0;
}
