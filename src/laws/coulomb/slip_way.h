/* The way of an impact in a plane, in closed form: one source for single calls and for vector loops.
 *
 * Slip keeps to one line until u_t = 0 (if it gets there), then to another: see slip_line.h. Along each u_n is linear,
 * so an approach has three stops, in one of three orders:
 *
 *     up, end                the contact slips all the time
 *     up, u_t = 0, end       slip stops in restitution
 *     u_t = 0, up, end       slip stops in compression
 *
 * The order is read off the slopes; each stop then costs one division. A mark is a stop: x and y are the normal impulse
 * spent on the first line and on the second. Whatever raises a flag (a slip with du_n/dp <= 0, a K that leaves u_n no
 * freedom once u_t = 0) is left to the walk. */
#ifndef CAROM_LAWS_SLIP_WAY_H
#define CAROM_LAWS_SLIP_WAY_H

#include "laws/coulomb/slip_line.h"

#define SLIP_TINY 1e-140 /* speeds whose squares lose digits */

typedef double slip_need(double e, const slip_sums *sums);

typedef struct slip_mark {
    double x, y;
    double u_n, work; /* work of the normal impulse */
    bool slides;      /* still on the first line */
} slip_mark;

typedef struct slip_way {
    carom_cvec u;
    slip_plane P;
    slip_slopes first, second;
    double slip, length; /* u_t = slip e at the start; impulse to u_t = 0 */
    slip_mark up, origin, end;
    slip_sums sums;
    bool planar, flat; /* problem_is_planar, problem_lies_flat: for words, and for numbers */
    bool sticks;
    bool up_first, rests; /* compression ends before slip does; nothing is restored */
    bool ended;           /* all of this holds: no case for the walk */
} slip_way;

/* The two lines; flat is problem_lies_flat(pb), otherwise it is csym_is_sphere(K). */
LANES_INLINE void slip_way_begin(slip_way *w, const carom_problem *pb, const carom_coeffs *c, bool flat)
{
    const carom_csym *K = &pb->K;
    bool still = (pb->u.t1 == 0) & (flat | (pb->u.t2 == 0));
    double r = carom_cvec_slip(pb->u), slip = flat ? pb->u.t1 : r;
    w->u = pb->u;
    w->planar = problem_is_planar(pb);
    w->flat = flat;
    w->slip = slip;
    w->P.e.t1 = flat ? 1 : pb->u.t1 / (r > 0 ? r : 1);
    w->P.e.t2 = flat ? 0 : pb->u.t2 / (r > 0 ? r : 1);
    w->P.m = K->t11;
    w->P.b = flat ? K->t1n : 0;
    w->P.k = K->nn;
    w->P.mu = c->mu;
    w->P.mu_s = c->mu_s == CAROM_SAME_AS_MU ? c->mu : c->mu_s;
    const slip_slopes slide = slip_plane_slide(&w->P, slip), leave = slip_plane_leave(&w->P);
    double push = 0 - c->mu; /* a sphere: nothing couples */
    w->first.a = flat ? slide.a : push;
    w->first.g = flat ? slide.g : push * K->t11;
    w->first.h = flat ? slide.h : K->nn;
    w->second.a = flat ? leave.a : 0;
    w->second.g = flat ? leave.g : 0;
    w->second.h = flat ? leave.h : K->nn;
    w->sticks = !flat | slip_plane_sticks(&w->P);
    double length = slip_plane_length(slip, w->first.g);
    w->length = still ? 0 : length;
    bool rubs = w->planar | !flat | (c->mu > 0); /* in space, slip without friction has no u_t = 0 worth saying */
    w->ended = rubs & (pb->u.n < 0) & (still | ((w->first.h > 0) & (flat | (r > SLIP_TINY)))) &
               (w->second.h > RANK_TOL * K->nn);
}

/* To u_n = 0, the end of compression. */
LANES_INLINE void slip_way_compress(slip_way *w)
{
    double L = w->length, u_n = w->u.n, rise = w->first.h * L;
    w->up_first = w->up.slides = -u_n <= rise;
    w->up.u_n = 0;
    w->origin.u_n = u_n + rise;
    w->origin.work = L * (u_n + 0.5 * rise);
    if (w->up_first) {
        w->up.x = -u_n / w->first.h;
        w->up.y = 0;
        w->up.work = 0.5 * w->up.x * u_n;
    } else {
        w->up.x = L;
        w->up.y = -w->origin.u_n / w->second.h;
        w->up.work = w->origin.work + 0.5 * w->up.y * w->origin.u_n;
    }
    w->sums.approach = -u_n;
    w->sums.p_c = w->up.x + w->up.y;
    w->sums.W_c = w->sums.W_first = w->up.work;
    w->sums.p_r = w->sums.W_r = 0;
}

/* From there to the end; what is left of the first line counts when slip outlasts compression. What the ending is
 * measured by is known beforehand: u_n, p_r or W_r. Energetic end: the root of u d + h d^2 / 2 = rest, from u = 0 on
 * root / h, else written without cancellation. */
LANES_INLINE void slip_way_restore(slip_way *w, slip_measure by, slip_need *need_of, double e)
{
    double need = need_of(e, &w->sums), left = w->length - w->up.x, u_left = w->first.h * left;
    double W_left = 0.5 * left * u_left, most = by == BY_VELOCITY ? u_left : by == BY_IMPULSE ? left : W_left;
    double rest = need, u = 0, h = w->second.h, before = 0, W_before = 0;
    bool stops = false;
    w->rests = need == 0;
    w->end.slides = w->up_first & (w->rests | (need <= most));
    if (w->end.slides) {
        h = w->first.h;
    } else if (w->up_first) {
        stops = true;
        rest = by == BY_VELOCITY ? need : need - most;
        before = left;
        u = w->origin.u_n = u_left;
        W_before = W_left;
        w->origin.work = w->up.work + W_left;
    }
    double root = sqrt(square(u) + 2 * h * rest), at_once = root * (1 / h), later = 2 * rest / (u + root);
    double d = by == BY_VELOCITY ? (need - u) / h : by == BY_IMPULSE ? rest : stops ? later : at_once;
    w->sums.p_r = by == BY_IMPULSE ? need : before + d;
    w->sums.W_r = by == BY_WORK ? need : W_before + d * (u + 0.5 * h * d);
    w->origin.x = w->length;
    w->origin.y = 0;
    w->origin.slides = false;
    w->end.x = w->end.slides ? w->up.x + d : w->length;
    w->end.y = w->end.slides ? 0 : w->up.y + d;
    w->end.u_n = by == BY_VELOCITY ? need : by == BY_WORK ? root : u + h * d;
    w->end.work = w->up.work + w->sums.W_r;
}

LANES_INLINE void slip_way_end(slip_way *w, slip_measure by, slip_need *need_of, double e)
{
    slip_way_compress(w);
    slip_way_restore(w, by, need_of, e);
}

/* Impulse and velocity at a mark. (A sphere that slips has u_t = u_t0 + m p_t, and does not slip from rest.) */
LANES_INLINE carom_cvec slip_way_impulse(const slip_way *w, const slip_mark *at)
{
    double q = w->first.a * at->x + w->second.a * at->y;
    carom_cvec p = {q * w->P.e.t1, w->flat ? 0 : q * w->P.e.t2, at->x + at->y};
    return p;
}

LANES_INLINE carom_cvec slip_way_velocity(const slip_way *w, const slip_mark *at, carom_cvec p)
{
    double along = w->flat ? w->first.g * at->x : w->P.m * p.t1, across = w->flat ? 0 : w->P.m * p.t2;
    double away = w->flat ? w->second.g * at->y : 0;
    carom_cvec u = {at->slides ? w->u.t1 + along : away, at->slides ? w->u.t2 + across : 0, at->u_n};
    return u;
}

LANES_INLINE double slip_way_friction(const slip_way *w, const slip_mark *at)
{
    double x = at->x, y = at->y;
    return w->first.a * x * (w->slip + 0.5 * w->first.g * x) + 0.5 * w->second.a * w->second.g * y * y;
}

/* With a larger mu products may overflow: such rows are left to slip_solve, which sees it. */
#define SLIP_MU_MOST 1e100

/* The vector loop of a law. */
#define SLIP_KERNEL(name, by, need_of)                                                                                 \
    LANES_INLINE void name##_row(lanes *x, const lanes_rows *in, int row, int k, bool whole, lanes_line *line)         \
    {                                                                                                                  \
        const carom_problem pb = lanes_problem(in, row + k);                                                           \
        const carom_coeffs c = lanes_coeffs(in, row + k);                                                              \
        schur s = schur_minors(&pb.K);                                                                                 \
        s.whole = whole;                                                                                               \
        slip_way w;                                                                                                    \
        slip_way_begin(&w, &pb, &c, problem_lies_flat(&pb));                                                           \
        slip_way_end(&w, by, need_of, c.e);                                                                            \
        const carom_cvec p = slip_way_impulse(&w, &w.end);                                                             \
        bool solved = (w.flat | csym_is_sphere(&pb.K)) & w.ended & lanes_comfortable(p) & (c.mu <= SLIP_MU_MOST);      \
        const lanes_found found = {pb.u, p, slip_way_velocity(&w, &w.end, p), problem_is_regular(&pb, &s),             \
                                   solved | lanes_apart(pb.u)};                                                        \
        lanes_write(x, line, row, k, &found);                                                                          \
    }                                                                                                                  \
    LANES_LAW_LOOP(name, name##_row, name##_row, MEDIUM)

#endif
