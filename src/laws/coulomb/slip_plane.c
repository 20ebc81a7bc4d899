/* Impacts in a plane: what the closed form of slip_way.h says, and the walk for what it leaves out. */
#include "laws/coulomb/family_incremental.h"

/* ---- the tracer of the closed form ---- */

/* Between two events p and u are linear. */
static void between(const carom_piece *piece, double s, carom_state *x)
{
    const carom_state *a = &((const carom_event *)piece->data)->at, *b = &((const carom_event *)piece->data + 1)->at;
    carom_cvec dp = carom_cvec_sub(b->p, a->p), du = carom_cvec_sub(b->u, a->u);
    carom_cvec mid = carom_cvec_add(a->u, carom_cvec_scale(0.5 * s, du));
    x->p = carom_cvec_add(a->p, carom_cvec_scale(s, dp));
    x->u = carom_cvec_add(a->u, carom_cvec_scale(s, du));
    x->work_normal = a->work_normal + s * dp.n * mid.n;
    x->work_friction = a->work_friction + s * (dp.t1 * mid.t1 + dp.t2 * mid.t2);
    x->stretch = x->stored = carom_cvec_make(0, 0, 0);
}

void slip_report_show(const carom_tracer *tracer, const carom_outcome *out)
{
    bool compressing = true, sticks = false;
    for (int i = 0; i < out->event_count; i++) {
        const carom_event *event = &out->events[i];
        compressing &= event->kind != CAROM_EVENT_UP;
        sticks |= event->kind == CAROM_EVENT_STICK;
        if (tracer->event)
            tracer->event(tracer->context, event);
        if (!tracer->piece || i + 1 == out->event_count || event[1].at.p.n == event->at.p.n)
            continue;
        carom_piece piece = {sticks ? "stick" : "slip", compressing, {event->at.p.n, event[1].at.p.n}, between, event};
        tracer->piece(tracer->context, &piece);
    }
}

/* ---- the walk: one line to u_t = 0, one from there ---- */

static carom_event_kind ray_of(const slip_walk *w, bool plus)
{
    bool from_rest = w->u_t.t1 == 0 && w->u_t.t2 == 0;
    return !w->planar && from_rest ? CAROM_EVENT_RAY : slip_slide_kind(w->planar, plus);
}

void slip_walk_plane(slip_walk *w, const slip_plane *P)
{
    double slip = tvec_dot(w->u_t, P->e);
    if (w->planar)
        w->out->phases.path = "a-c-e";
    if (slip != 0) {
        slip_slopes slopes = slip_plane_slide(P, slip);
        slip_line line = slip_plane_line(P, &slopes);
        line.length = slip_plane_length(slip, slopes.g);
        w->resliding = !w->planar && w->field.mu > 0;
        w->out->mode = "sliding";
        w->out->flags |= line.h < 0 ? CAROM_FLAG_JAM : 0;
        slip_walk_event(w, ray_of(w, slip > 0));
        slip_walk_line(w, &line, "slip");
        if (w->done)
            return;
        if (w->planar)
            w->out->phases.path = w->compressing ? "a-b-e" : "a-c-d-e";
    }
    slip_origin o = slip_plane_origin(P);
    slip_walk_from_origin(w, &o, slip != 0, ray_of(w, P->b > 0));
}
