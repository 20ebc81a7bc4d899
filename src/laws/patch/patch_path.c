/* The walk of a contact with a patch: pieces, lines, phases, events. */
#include "laws/patch/patch_path.h"

#include "laws/patch/patch_resolve.h"
#include "laws/patch/patch_series.h"

enum { PATCH_STEPS = 2000, SERIES_STEPS = 60, EVENT_STEPS = 60, LINE_STOPS = 8 };
#define VANISHED    1e-18       /* of the slips at the start: the path is at the origin */
#define STRAIGHT    (4 * EPS)   /* of the terms of its slope: the direction of U stays */
#define LAST_TURN   (EPS / 16)  /* of U, of p: what the turn that is left can still change */
#define EVENT_TOL   (0.5 * EPS) /* of a piece */
#define STEP_BEYOND 1.1         /* of the way to the next stop: slopes change on it */

/* ---- events ---- */

static carom_state state_of(const patch_walk *w, const patch_state *at)
{
    const double a = w->x->length;
    carom_state s = {.p = {at->P[0], at->P[1], at->p}, .u = {at->U[0], at->U[1], at->u_n}};
    s.work_normal = at->work;
    s.work_friction = at->friction;
    s.work_spin = at->spin;
    s.m.n = at->P[2] * a;
    s.w.n = at->U[2] / a;
    return s;
}

static void raise_event(const patch_walk *w, carom_event_kind kind)
{
    const carom_state s = state_of(w, &w->at);
    carom_coulomb_event(&w->sink, kind, &s);
}

/* ---- phases ---- */

static void finish(patch_walk *w)
{
    w->done = true;
    raise_event(w, CAROM_EVENT_END);
}

static void pass_up(patch_walk *w)
{
    if (w->phases == 1)
        w->sums.W_first = w->sums.W_c;
    w->compressing = false;
    const bool first = w->rule->options.phases == CAROM_OPTION_PHASES_FIRST;
    w->need = (first ? w->ending->need_of_first : w->ending->need)(w->rule->coeffs.e, &w->sums);
    raise_event(w, CAROM_EVENT_UP);
    if (!(w->need > 0))
        finish(w);
    else if (w->slides)
        raise_event(w, CAROM_EVENT_SLIDE);
}

static void pass_down(patch_walk *w)
{
    w->compressing = true;
    w->phases++;
    w->sink.out->flags |= CAROM_FLAG_JAM;
    raise_event(w, CAROM_EVENT_DOWN);
    if (w->slides)
        raise_event(w, CAROM_EVENT_SLIDE);
}

/* Move to a state, of which the sums of the phase learn. */
static void move(patch_walk *w, const patch_state *to)
{
    const double p = to->p - w->at.p, work = to->work - w->at.work;
    if (w->compressing) {
        w->sums.p_c += p;
        w->sums.W_c += work;
    } else {
        w->sums.p_r += p;
        w->sums.W_r += work;
        w->need -= w->ending->by == BY_IMPULSE ? p : w->ending->by == BY_WORK ? work : 0;
    }
    w->at = *to;
}

static void stop(patch_walk *w, slip_stop kind)
{
    if (kind == STOP_UP || kind == STOP_DOWN)
        w->at.u_n = 0;
    if (kind == STOP_UP)
        pass_up(w);
    if (kind == STOP_DOWN)
        pass_down(w);
    if (kind == STOP_DONE) {
        w->at.u_n = w->ending->by == BY_VELOCITY ? w->need : w->at.u_n;
        finish(w);
    }
    if (kind == STOP_NEVER) {
        w->endless = true;
        w->sink.out->flags |= CAROM_FLAG_JAM;
        finish(w);
    }
}

/* ---- lines ---- */

/* Constant slopes by p. */
typedef struct patch_line {
    patch_state start, slope;
    double length, end;
} patch_line;

static void line_at(const patch_line *line, double d, patch_state *to)
{
    const patch_state *a = &line->start, *s = &line->slope;
    *to = *a;
    for (int i = 0; i < PATCH_SLIPS; i++) {
        to->U[i] = a->U[i] + s->U[i] * d;
        to->P[i] = a->P[i] + s->P[i] * d;
    }
    const double mid[PATCH_SLIPS] = {a->U[0] + 0.5 * d * s->U[0], a->U[1] + 0.5 * d * s->U[1],
                                     a->U[2] + 0.5 * d * s->U[2]};
    to->u_n = a->u_n + s->u_n * d;
    to->p = a->p + d;
    to->work = a->work + d * (a->u_n + 0.5 * s->u_n * d);
    to->friction = a->friction + d * (s->P[0] * mid[0] + s->P[1] * mid[1]);
    to->spin = a->spin + d * s->P[2] * mid[2];
}

/* Where restitution ends on the line; infinite when it does not. */
static double line_end(const patch_walk *w, const patch_line *line)
{
    const double u_n = line->start.u_n, h = line->slope.u_n, need = w->need;
    if (w->ending->by == BY_IMPULSE)
        return need;
    if (w->ending->by == BY_VELOCITY)
        return u_n >= need ? 0 : h > 0 ? (need - u_n) / h : INFINITY;
    const double root = square(u_n) + 2 * h * need;
    return need <= 0 ? 0 : root >= 0 ? 2 * need / (u_n + sqrt(root)) : INFINITY;
}

typedef struct shown {
    const patch_walk *w;
    const patch_line *line;
    const patch_piece *piece;
    const patch_series *series;
    double from, to;
} shown;

static void shown_at(const carom_piece *piece, double s, carom_state *state)
{
    const shown *data = (const shown *)piece->data;
    patch_state at;
    const double share = data->from + s * (data->to - data->from);
    if (data->line)
        line_at(data->line, share, &at);
    else if (data->series)
        carom_patch_series_at(data->series, share, &at);
    else
        carom_patch_piece_at(data->piece, share, &at);
    *state = state_of(data->w, &at);
}

static void show_piece(const patch_walk *w, const char *mode, const shown *data, double p_end)
{
    const carom_tracer *tracer = w->sink.tracer;
    if (!tracer || !tracer->piece || !(p_end > w->at.p))
        return;
    const carom_piece piece = {mode, w->compressing, {w->at.p, p_end}, shown_at, data};
    tracer->piece(tracer->context, &piece);
}

/* Follow constant slopes to the end of the line, or of the impact. */
static void follow_line(patch_walk *w, patch_line *line, const char *mode)
{
    for (int i = 0; i < LINE_STOPS && !w->done; i++) {
        patch_state to;
        line->start = w->at;
        const double h = line->slope.u_n, u_n = line->start.u_n, change = h * line->length;
        const bool turns = w->compressing ? h > 0 && -u_n <= change : h < 0 && u_n < -change;
        const double d = turns ? -u_n / h : line->length, end = w->compressing ? INFINITY : line_end(w, line);
        const bool ends = end <= d && end < INFINITY, never = isinf(d) && !ends;
        const double reach = ends ? end : never ? 0 : d;
        line_at(line, reach, &to);
        const shown data = {w, line, NULL, NULL, 0, reach};
        show_piece(w, mode, &data, to.p);
        move(w, &to);
        line->length -= reach;
        stop(w, ends ? STOP_DONE : turns ? (w->compressing ? STOP_UP : STOP_DOWN) : never ? STOP_NEVER : STOP_ORIGIN);
        if (!ends && !turns)
            return;
    }
}

/* From U = 0: it sticks, or leaves along the one direction of the resolvent. */
static carom_status leave_origin(patch_walk *w)
{
    const carom_patch_contact *x = w->x;
    static const double start[SLIPS] = {0};
    patch_solution end = {{0}, {0}, 0};
    patch_line line = {.length = INFINITY};
    for (int i = 0; i < PATCH_SLIPS; i++)
        w->at.U[i] = 0;
    const carom_status status = carom_patch_resolve(x, start, 1, &end);
    if (status)
        return status;
    const double *V = end.V, *P = end.P;
    const bool sticks = V[0] == 0 && V[1] == 0 && V[2] == 0;
    line.slope.u_n = sticks ? square(x->L[PATCH_SLIPS][PATCH_SLIPS]) : x->K_nn;
    for (int i = 0; i < PATCH_SLIPS; i++) {
        line.slope.U[i] = V[i];
        line.slope.P[i] = P[i];
        line.slope.u_n += sticks ? 0 : x->k[i] * P[i];
    }
    w->sink.out->mode = carom_coulomb_mode(w->slipped, w->compressing, sticks);
    raise_event(w, sticks ? CAROM_EVENT_STICK : CAROM_EVENT_RAY);
    w->slides = false;
    follow_line(w, &line, sticks ? "stick" : "slip");
    return w->done ? CAROM_STATUS_OK : CAROM_STATUS_STEP_LIMIT;
}

/* ---- pieces ---- */

static double length3(const double *a)
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* How U grows and turns: slope by p = rate U + across. Rows are judged by their own terms, as W = a w and its slope can
 * be far below the others: rate is the one with the least squares of across / terms. */
typedef struct patch_turn {
    double across[PATCH_SLIPS], terms[PATCH_SLIPS], rate;
    patch_state slope;
} patch_turn;

static void bound_terms(const carom_patch_contact *x, patch_turn *t)
{
    for (int i = 0; i < PATCH_SLIPS; i++) {
        t->terms[i] = fabs(x->k[i]);
        for (int j = 0; j < PATCH_SLIPS; j++)
            t->terms[i] += fabs(x->K[i][j] * t->slope.P[j]);
    }
}

static patch_turn turn_of(const patch_walk *w)
{
    patch_turn t;
    const double *U = w->at.U;
    double up = 0, down = 0;
    carom_patch_slopes(w->x, U, true, &t.slope);
    bound_terms(w->x, &t);
    for (int i = 0; i < PATCH_SLIPS; i++) {
        const double size = t.terms[i] > 0 ? U[i] / t.terms[i] : 0;
        up += size > 0 || size < 0 ? size * (t.slope.U[i] / t.terms[i]) : 0;
        down += size * size;
    }
    t.rate = down > 0 ? up / down : 0;
    for (int i = 0; i < PATCH_SLIPS; i++)
        t.across[i] = fabs(t.slope.U[i] - t.rate * U[i]);
    return t;
}

/* The direction stays to rounding, or what is left of the turn changes nothing: a straight line. */
static bool goes_straight(const patch_walk *w, const patch_turn *t)
{
    const double left = -1 / t->rate; /* of p, to the origin */
    bool stays = true, ends = t->rate < 0;
    for (int i = 0; i < PATCH_SLIPS; i++) {
        const double turn = t->across[i] * left;
        stays = stays && t->across[i] <= STRAIGHT * t->terms[i];
        ends = ends && turn <= LAST_TURN * w->scale[i] && turn <= LAST_TURN * w->at.p * t->terms[i];
    }
    return w->x->mu == 0 || stays || ends;
}

static void follow_straight(patch_walk *w, const patch_turn *t)
{
    patch_line line = {.slope = t->slope, .length = INFINITY};
    if (w->x->mu > 0) {
        for (int i = 0; i < PATCH_SLIPS; i++)
            line.slope.U[i] = t->rate * w->at.U[i];
        line.length = t->rate < 0 ? -1 / t->rate : INFINITY;
    }
    follow_line(w, &line, "slip");
}

/* What ends the phase, as a function that rises through zero, at a share of the piece. */
static double measure(const patch_walk *w, const patch_state *at)
{
    if (w->compressing)
        return at->u_n;
    switch (w->ending->by) {
    case BY_VELOCITY:
        return at->u_n - w->need;
    case BY_IMPULSE:
        return at->p - w->at.p - w->need;
    default:
        return at->work - w->at.work - w->need;
    }
}

static double root_on(const patch_walk *w, const patch_piece *piece, double low, double high, bool falls)
{
    patch_state at;
    double f_low = 0, f_high = 0;
    carom_patch_piece_at(piece, low, &at);
    f_low = falls ? -at.u_n : measure(w, &at);
    carom_patch_piece_at(piece, high, &at);
    f_high = falls ? -at.u_n : measure(w, &at);
    f_low = f_low > 0 ? -DBL_MIN : f_low;
    for (int i = 0; i < EVENT_STEPS && high - low > EVENT_TOL; i++) {
        double x = i % 3 == 2 ? 0.5 * (low + high) : low - f_low * (high - low) / (f_high - f_low);
        x = x > low && x < high ? x : 0.5 * (low + high);
        carom_patch_piece_at(piece, x, &at);
        const double f = falls ? -at.u_n : measure(w, &at);
        if (f == 0)
            return x;
        if (f < 0) {
            low = x, f_low = f, f_high *= 0.5;
        } else {
            high = x, f_high = f, f_low *= 0.5;
        }
    }
    return high;
}

/* The first stop after a share of the piece; its share, and STOP_PIECE at the end. */
static slip_stop first_stop(const patch_walk *w, const patch_piece *piece, double from, double *share)
{
    double last = from;
    for (int i = 0; i < POINTS; i++) {
        patch_state at;
        if (!(radau_x[i] > from))
            continue;
        carom_patch_piece_point(piece, i, &at);
        const bool rises = measure(w, &at) >= 0, falls = !w->compressing && at.u_n < 0;
        if (rises || falls) {
            *share = root_on(w, piece, last, radau_x[i], !rises);
            return !rises ? STOP_DOWN : w->compressing ? STOP_UP : STOP_DONE;
        }
        last = radau_x[i];
    }
    *share = 1;
    return STOP_PIECE;
}

/* From stop to stop along a piece. A stop at u_n = 0 sets it to zero, on the piece as well. */
static bool follow_piece(patch_walk *w, patch_piece *piece)
{
    double from = 0;
    for (int i = 0; i < LINE_STOPS; i++) {
        double share;
        patch_state to;
        const slip_stop kind = first_stop(w, piece, from, &share);
        carom_patch_piece_at(piece, share, &to);
        const shown data = {w, NULL, piece, NULL, from, share};
        show_piece(w, "slip", &data, to.p);
        move(w, &to);
        if (kind == STOP_UP || kind == STOP_DOWN)
            piece->start.u_n -= to.u_n;
        stop(w, kind);
        if (w->done || kind == STOP_PIECE)
            return true;
        from = share;
    }
    return false;
}

/* From stop to stop along a step by series. */
static bool follow_series(patch_walk *w, const patch_series *series)
{
    double from = 0;
    for (int i = 0; i < LINE_STOPS; i++) {
        double t;
        patch_state to;
        const slip_stop kind = carom_patch_series_stop(w, series, from, &t);
        carom_patch_series_at(series, t, &to);
        const shown data = {w, NULL, NULL, series, from, t};
        show_piece(w, "slip", &data, to.p);
        move(w, &to);
        stop(w, kind);
        if (w->done || kind == STOP_PIECE)
            return true;
        from = t;
    }
    return false;
}

/* The clock to the next stop, by the slopes here; infinite where they do not lead to one. */
static double stop_ahead(const patch_walk *w, const patch_turn *t)
{
    const double h = t->slope.u_n, u_n = w->at.u_n;
    if (w->compressing)
        return h > 0 ? -u_n / h : INFINITY;
    if (w->ending->by == BY_IMPULSE)
        return w->need;
    if (w->ending->by == BY_VELOCITY)
        return h > 0 ? (w->need - u_n) / h : INFINITY;
    return 2 * w->need / (u_n + sqrt(max(0, square(u_n) + 2 * h * w->need)));
}

/* A step need not reach further than the next stops. Where U grows, so does Phi: with
 * y = 1 + rate * ahead the clock gets there after log y / (y - 1) of the time that a constant Phi would take. */
static void limit_step(patch_walk *w, const patch_turn *t)
{
    patch_state slope;
    carom_patch_slopes(w->x, w->at.U, false, &slope);
    const double ahead = stop_ahead(w, t) * (w->compressing ? 1 + w->rule->coeffs.e : 1);
    const double y = 1 + t->rate * ahead;
    w->most = STEP_BEYOND * ahead / slope.p * (y > 1 && y < INFINITY ? carom_log(y) / (y - 1) : 1);
}

static carom_status slip_on(patch_walk *w)
{
    patch_piece piece;
    patch_series series;
    w->series = SERIES_STEPS;
    for (int i = 0; i < PATCH_STEPS && !w->done; i++) {
        const double r = length3(w->at.U);
        for (int k = 0; k < PATCH_SLIPS; k++)
            w->scale[k] = max(w->scale[k], fabs(w->at.U[k]));
        if (!(r > VANISHED * length3(w->scale)))
            return CAROM_STATUS_OK;
        const patch_turn t = turn_of(w);
        if (i == 0)
            w->sink.out->flags |= t.slope.u_n < 0 ? CAROM_FLAG_JAM : 0;
        if (goes_straight(w, &t)) {
            follow_straight(w, &t);
            return CAROM_STATUS_OK;
        }
        if (w->series-- > 0 && carom_patch_series_begin(w, &series)) {
            if (!follow_series(w, &series))
                return CAROM_STATUS_STEP_LIMIT;
            continue;
        }
        limit_step(w, &t);
        if (!carom_patch_piece_begin(w, &piece) || !follow_piece(w, &piece))
            return CAROM_STATUS_STEP_LIMIT;
    }
    return w->done ? CAROM_STATUS_OK : CAROM_STATUS_STEP_LIMIT;
}

static carom_status walk(patch_walk *w)
{
    w->slipped = length3(w->at.U) > SLIP_LEAST;
    if (w->slipped) {
        w->sink.out->mode = carom_coulomb_modes[COULOMB_SLIDING];
        w->slides = w->x->mu > 0;
        if (w->slides)
            raise_event(w, CAROM_EVENT_SLIDE);
        const carom_status status = slip_on(w);
        if (status || w->done)
            return status;
    }
    return leave_origin(w);
}

static void report(const patch_walk *w)
{
    carom_outcome *out = w->sink.out;
    carom_phases *ph = &out->phases;
    const patch_solution p = {{0}, {w->at.P[0], w->at.P[1], w->at.P[2]}, w->at.p};
    carom_patch_write(w->x, &p, &out->p, &out->turning.m);
    out->u_after = carom_cvec_make(w->at.U[0], w->at.U[1], w->at.u_n);
    out->turning.w_after.n = w->at.U[2] / w->x->length;
    out->turning.spin = w->at.spin;
    ph->phases = w->phases;
    ph->p_compression = w->sums.p_c;
    ph->p_restitution = w->sums.p_r;
    ph->work_compression = w->sums.W_c;
    ph->work_decompression = w->sums.W_r;
    ph->work_friction = w->at.friction;
}

/* A grazing contact: nothing happens unless friction pulls it in. */
static bool stays_out(const carom_patch_contact *x)
{
    patch_state slope;
    if (length3(x->U) == 0)
        return true;
    carom_patch_slopes(x, x->U, true, &slope);
    return slope.u_n >= 0;
}

carom_status carom_patch_path(const carom_patch_contact *x, const carom_rule *rule, const carom_tracer *tracer,
                              carom_outcome *out, const coulomb_ending *ending)
{
    patch_walk w = {.x = x, .rule = rule, .ending = ending, .sink = {out, tracer}, .compressing = true, .phases = 1};
    out->u_after = carom_cvec_make(x->U[0], x->U[1], x->u_n);
    out->turning.w_after.n = x->frictional == 3 ? x->U[2] / x->length : 0;
    if (x->count != PATCH_SLIPS || x->frictional != PATCH_SLIPS)
        return CAROM_STATUS_OUT_OF_SCOPE; /* rolling resistance */
    if (x->u_n == 0 && stays_out(x))
        return CAROM_STATUS_OK;
    for (int i = 0; i < PATCH_SLIPS; i++)
        w.at.U[i] = x->U[i];
    w.at.u_n = x->u_n;
    w.sums.approach = -x->u_n;
    const carom_status status = walk(&w);
    report(&w);
    return w.endless ? CAROM_STATUS_UNBOUNDED : status;
}
