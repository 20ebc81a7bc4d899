/* The walk in a plane: one line to u_t = 0, one from there; see slip_line.h. */
#include "laws/family_incremental.h"

static carom_event_kind planar_slide(const slip_walk *w, double sign)
{
    if (!w->planar)
        return w->u_t.t1 == 0 && w->u_t.t2 == 0 ? CAROM_EVENT_RAY : CAROM_EVENT_SLIDE;
    return sign > 0 ? CAROM_EVENT_SLIDE_PLUS : CAROM_EVENT_SLIDE_MINUS;
}

void slip_walk_plane(slip_walk *w, const slip_plane *P)
{
    double slip = tvec_dot(w->u_t, P->e);
    if (w->planar)
        w->out->phases.path = "a-c-e";
    if (slip != 0) {
        double sign = slip > 0 ? 1 : -1;
        slip_line line = slip_plane_line(P, w->u_t, sign);
        w->resliding = !w->planar && w->field.mu > 0;
        w->out->mode = "sliding";
        w->out->flags |= line.h < 0 ? CAROM_JAM : 0;
        slip_walk_event(w, planar_slide(w, sign));
        slip_walk_line(w, &line, "slip");
        if (w->done)
            return;
        if (w->planar)
            w->out->phases.path = w->compressing ? "a-b-e" : "a-c-d-e";
    }
    double sign = P->b > 0 ? 1 : -1;
    slip_origin o = slip_plane_origin(P);
    slip_walk_from_origin(w, &o, slip != 0, planar_slide(w, sign));
}
