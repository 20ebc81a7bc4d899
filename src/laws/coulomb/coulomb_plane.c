/* What an impact in a plane reports: events, words and sums. And the events of all paths of the family. */
#include "laws/coulomb/coulomb.h"

/* ---- events ---- */

void carom_coulomb_event(const coulomb_sink *sink, carom_event_kind kind, const carom_state *at)
{
    sink->out->event_count++;
    if (sink->tracer && sink->tracer->event) {
        const carom_event event = {kind, *at};
        sink->tracer->event(sink->tracer->context, &event);
    }
}

const char *const carom_coulomb_modes[COULOMB_MODES] = {"no_impact",  "sliding",    "slip_from_rest", "sticking",
                                                        "R-reversal", "R-sticking", "C-reversal",     "C-sticking"};

const char *carom_coulomb_mode(bool slipped, bool compressing, bool sticks)
{
    return carom_coulomb_modes[COULOMB_STOPPED + 2 * (slipped ? 1 + compressing : 0) + sticks];
}

double carom_coulomb_rest(tvec a, tvec p_t, double p_n)
{
    return max((tvec_dot(a, p_t) - p_n) / (1 + tvec_dot(a, a)), 0);
}

/* ---- an impact in a plane ---- */

/* At rest compression and restitution by impulse go on and move nothing: carom_coulomb_rest. By work and by velocity
 * there is no such limit, and the impact ends where it comes to rest. The clock of sticking is p_n. */
static void restore_at_rest(plane_path *w, const coulomb_ending *ending, double e)
{
    const carom_cvec at = plane_impulse(w, &w->origin);
    const double p_t = at.t1 * w->P.e.t1 + at.t2 * w->P.e.t2;
    w->compression_end = w->origin;
    w->compression_end.y = carom_coulomb_rest((tvec){-w->second.a, 0}, (tvec){p_t, 0}, at.n);
    w->p_c += w->compression_end.y;
    const coulomb_sums sums = {-w->P.u_n, w->p_c, w->p_r, w->W_c, w->W_r, w->W_c};
    w->p_r += max(ending->need(e, &sums), 0);
    w->end.y = w->compression_end.y + w->p_r;
}

/* Sticking leaves u_n no freedom when its slope is zero, to rounding of K. A consistent u has then u_n = a.u_t = 0 and
 * stays there; no impulse ends another approach. */
void carom_coulomb_plane_block(plane_path *w, const coulomb_ending *ending, double e)
{
    const double speed = fabs(w->P.v) + fabs(w->P.u_n), u_n = w->origin.u_n;
    const bool rests = fabs(u_n) <= REST_TOL * speed * (1 + fabs(w->second.a)), reaches = w->length < INFINITY;
    const bool stops = (!w->end.slides) | (rests & (w->end.x >= w->length * (1 - REST_TOL)));
    w->blocked = stops & reaches & w->sticks & !(w->second.h > RANK_TOL * w->P.k);
    w->endless |= w->blocked & !rests & (u_n < 0);
    if (!w->blocked)
        return;
    w->compression_first &= !rests;
    w->origin.u_n = rests ? 0 : u_n;
    w->end = w->origin;
    w->p_c = w->compression_first ? w->p_c : w->first.n * w->length;
    w->W_c = w->compression_first ? w->W_c : w->origin.work;
    w->p_r = w->first.n * w->length - w->p_c;
    w->W_r = w->origin.work - w->W_c;
    if (rests & (ending->by == BY_IMPULSE))
        restore_at_rest(w, ending, e);
}

static carom_state state_at(const plane_path *w, const plane_stop *at)
{
    carom_state x = {.p = plane_impulse(w, at), .u = plane_velocity(w, at)};
    x.work_normal = at->work;
    x.work_friction = plane_friction_work(w, at);
    return x;
}

/* Between two stops p and u are linear. */
typedef struct plane_piece {
    carom_state from, to;
} plane_piece;

static void piece_at(const carom_piece *piece, double s, carom_state *x)
{
    const plane_piece *data = (const plane_piece *)piece->data;
    const carom_state *a = &data->from, *b = &data->to;
    const carom_cvec dp = carom_cvec_scale(s, carom_cvec_sub(b->p, a->p));
    const carom_cvec du = carom_cvec_scale(s, carom_cvec_sub(b->u, a->u));
    const carom_cvec middle = carom_cvec_add(a->u, carom_cvec_scale(0.5, du));
    *x = (carom_state){.p = carom_cvec_add(a->p, dp), .u = carom_cvec_add(a->u, du)};
    x->work_normal = a->work_normal + dp.n * middle.n;
    x->work_friction = a->work_friction + dp.t1 * middle.t1 + dp.t2 * middle.t2;
}

/* The report so far: what was passed, and the state there. */
typedef struct plane_walk {
    const plane_path *path;
    const coulomb_sink *sink;
    carom_state here;
    bool compressing, sticks;
} plane_walk;

static void show_piece(const plane_walk *w, const plane_stop *stop)
{
    const plane_piece data = {w->here, state_at(w->path, stop)};
    const double from = data.from.p.n, to = data.to.p.n;
    const carom_piece piece = {w->sticks ? "stick" : "slip", w->compressing, {from, to}, piece_at, &data};
    if (from != to)
        w->sink->tracer->piece(w->sink->tracer->context, &piece);
}

/* Walk to a stop, showing the piece on the way, and raise the event there. */
static void walk_to(plane_walk *w, const plane_stop *stop, carom_event_kind kind)
{
    const carom_tracer *tracer = w->sink->tracer;
    if (tracer && tracer->piece)
        show_piece(w, stop);
    if (tracer)
        w->here = state_at(w->path, stop);
    w->compressing &= kind != CAROM_EVENT_UP;
    w->sticks |= kind == CAROM_EVENT_STICK;
    carom_coulomb_event(w->sink, kind, &w->here);
}

static carom_event_kind slide_kind(const plane_path *w, double v)
{
    return !w->P.planar ? CAROM_EVENT_SLIDE : v > 0 ? CAROM_EVENT_SLIDE_PLUS : CAROM_EVENT_SLIDE_MINUS;
}

static void raise_events(const plane_path *w, const coulomb_sink *sink)
{
    plane_walk x = {w, sink, {.u = {w->P.u_t.t1, w->P.u_t.t2, w->P.u_n}}, true, false};
    const bool stops = !w->end.slides, first = w->compression_first, reslides = !w->P.planar & (w->P.kinetic.S > 0);
    const carom_event_kind leaves = w->P.planar ? slide_kind(w, w->P.b) : CAROM_EVENT_RAY;
    const carom_event_kind origin = w->sticks ? CAROM_EVENT_STICK : leaves;
    if (w->P.v != 0)
        carom_coulomb_event(sink, slide_kind(w, w->P.v), &x.here);
    if (stops && !first)
        walk_to(&x, &w->origin, origin);
    if (first || !w->blocked || w->p_r > 0)
        walk_to(&x, &w->compression_end, CAROM_EVENT_UP);
    if (first && !w->plastic && reslides)
        carom_coulomb_event(sink, CAROM_EVENT_SLIDE, &x.here);
    if (stops && first)
        walk_to(&x, &w->origin, origin);
    walk_to(&x, &w->end, CAROM_EVENT_END);
}

void carom_coulomb_plane_report(const plane_path *w, const coulomb_sink *sink)
{
    carom_outcome *out = sink->out;
    carom_phases *ph = &out->phases;
    const bool slips = w->P.v != 0;
    raise_events(w, sink);
    out->mode = w->end.slides ? carom_coulomb_modes[COULOMB_SLIDING]
                              : carom_coulomb_mode(slips, !w->compression_first, w->sticks);
    out->flags |= (slips & (w->first.h < 0)) | w->blocked ? CAROM_FLAG_JAM : 0u;
    out->p = plane_impulse(w, &w->end);
    out->u_after = plane_velocity(w, &w->end);
    ph->phases = 1;
    ph->p_compression = w->p_c;
    ph->p_restitution = w->p_r;
    ph->work_compression = w->W_c;
    ph->work_decompression = w->W_r;
    ph->work_friction = plane_friction_work(w, &w->end);
    if (w->P.planar)
        ph->path = !slips || w->end.slides ? "a-c-e" : w->compression_first ? "a-c-d-e" : "a-b-e";
}
