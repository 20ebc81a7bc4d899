/* Linear pieces of the walk. */
#include "laws/coulomb/family_incremental.h"

void slip_line_point(const void *piece, double s, slip_stride *x)
{
    const slip_line *line = piece;
    slip_line_at(line, s * line->end, x);
}

/* u_n = 0 is met on the line, from below or from above. */
static bool turns_on(const slip_line *line, bool compressing)
{
    double h = line->h, change = h * line->length;
    return compressing ? h > 0 && -line->u_n <= change : h < 0 && line->u_n < -change;
}

void slip_line_stride(const slip_walk *w, slip_line *line, slip_stride *stride)
{
    bool turns = turns_on(line, w->compressing);
    double d = turns ? -line->u_n / line->h : line->length;
    double end = w->compressing ? INFINITY : slip_to_end(w->ending->by, w->need, line->u_n, line->h);
    bool ends = end <= d && !w->compressing, never = isinf(d) && !ends;
    line->end = ends ? end : never ? 0 : d;
    slip_line_at(line, line->end, stride);
    stride->stop = never ? STOP_NEVER : STOP_ORIGIN;
    if (ends) {
        stride->stop = STOP_DONE;
    } else if (turns) {
        stride->stop = w->compressing ? STOP_UP : STOP_DOWN;
        stride->u_n = 0;
    } else if (!never) {
        stride->u_t.t1 = stride->u_t.t2 = 0;
    }
}
