/* Linear pieces of the walk. */
#include "laws/family_incremental.h"

void slip_line_point(const void *piece, double s, slip_stride *x)
{
    const slip_line *line = piece;
    slip_line_at(line, s * line->end, x);
}

void slip_line_stride(const slip_walk *w, slip_line *line, slip_stride *stride)
{
    const slip_reach x = slip_line_reach(line, w->compressing, w->ending->by, w->need);
    bool never = isinf(x.d);
    line->end = never ? 0 : x.d;
    slip_line_at(line, line->end, stride);
    stride->stop = never ? STOP_NEVER : STOP_ORIGIN;
    if (x.ends) {
        stride->stop = STOP_DONE;
    } else if (x.turns) {
        stride->stop = w->compressing ? STOP_UP : STOP_DOWN;
        stride->u_n = 0;
    } else if (!never) {
        stride->u_t.t1 = stride->u_t.t2 = 0;
    }
}
