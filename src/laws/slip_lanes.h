/* Impacts in a plane without a branch: the strides of the walk, for vector loops.
 *
 * With a regular K an approach takes at most three strides: one of u_n = 0, u_t = 0 comes first, then the other or the
 * end, then the end. (From u_t = 0 on du_n/dp > 0; a slip with du_n/dp < 0 is left to the walk, as is everything else
 * that raises a flag. So u_n = 0 is met from below only, where -u_n <= h length.) Each stride is the one of
 * slip_line.h, so results are those of the walk, bit for bit. */
#ifndef CAROM_LAWS_SLIP_LANES_H
#define CAROM_LAWS_SLIP_LANES_H

#include "laws/slip_line.h"

typedef double slip_need(double e, const slip_sums *sums);

typedef struct slip_run {
    slip_line line, second; /* here, and from u_t = 0 on */
    slip_sums sums;
    tvec u_t, p_t;
    double u_n, p_n, need;
    bool compressing, done;
} slip_run;

/* What it takes to know the plane beforehand. */
LANES_INLINE slip_plane slip_plane_of(const carom_problem *pb, const carom_coeffs *c)
{
    const carom_csym *K = &pb->K;
    double r = carom_cvec_slip(pb->u), c1 = pb->u.t1 / r, c2 = pb->u.t2 / r;
    bool turned = !slip_is_planar(pb) & (r > 0);
    slip_plane P = {{turned ? c1 : 1, turned ? c2 : 0}, K->t11, slip_is_planar(pb) ? K->t1n : 0, K->nn, c->mu, 0};
    P.mu_s = c->mu_s == CAROM_SAME_AS_MU ? c->mu : c->mu_s;
    return P;
}

LANES_INLINE void slip_run_line(slip_run *r, bool change)
{
    const slip_line *a = &r->line, *b = &r->second;
    slip_line x = {.u_n = 0};
    x.du.t1 = change ? b->du.t1 : a->du.t1;
    x.du.t2 = change ? b->du.t2 : a->du.t2;
    x.dp.t1 = change ? b->dp.t1 : a->dp.t1;
    x.dp.t2 = change ? b->dp.t2 : a->dp.t2;
    x.h = change ? b->h : a->h;
    x.length = change ? b->length : a->length;
    r->line = x;
}

LANES_INLINE void slip_run_stride(slip_run *r, slip_measure by, slip_need *need_of, double e)
{
    r->line.u_t = r->u_t;
    r->line.u_n = r->u_n;
    bool was = r->compressing, go = !r->done, rises = -r->u_n <= r->line.h * r->line.length, up = was & rises;
    double zero = -r->u_n / r->line.h, end = slip_line_to_end(&r->line, by, r->need), length = r->line.length;
    bool ends = !was & (end <= length), origin = !up & !ends;
    double reach = ends ? end : up ? zero : length, d = go ? reach : 0, need = r->need;
    slip_stride s;
    slip_line_at(&r->line, d, &s);
    double last = by == BY_VELOCITY ? need : s.u_n, u_n = up ? 0 : ends ? last : s.u_n;
    r->u_t.t1 = go ? (origin ? 0 : s.u_t.t1) : r->u_t.t1;
    r->u_t.t2 = go ? (origin ? 0 : s.u_t.t2) : r->u_t.t2;
    r->u_n = go ? u_n : r->u_n;
    r->p_t.t1 += s.p_t.t1;
    r->p_t.t2 += s.p_t.t2;
    r->p_n += d;
    r->sums.p_c += was ? d : 0;
    r->sums.W_c += was ? s.work : 0;
    r->sums.p_r += was ? 0 : d;
    r->sums.W_r += was ? 0 : s.work;
    double spent = by == BY_IMPULSE ? d : by == BY_WORK ? s.work : 0, asked = need_of(e, &r->sums);
    r->need = up ? asked : was ? need : need - spent;
    r->compressing = was & !rises;
    r->done |= ends | (up & !(asked > 0));
    r->line.length -= d;
    slip_run_line(r, go & origin);
}

typedef struct slip_arrival {
    carom_cvec p, u;
    bool ended;
} slip_arrival;

LANES_INLINE slip_arrival slip_arrive(const carom_problem *pb, const carom_coeffs *c, slip_measure by,
                                      slip_need *need_of)
{
    const slip_plane P = slip_plane_of(pb, c);
    double slip = tvec_dot(tangential(pb->u), P.e), sign = slip > 0 ? 1 : -1;
    const slip_origin o = slip_plane_origin(&P);
    slip_run r = {.u_t = tangential(pb->u), .u_n = pb->u.n, .compressing = true, .sums = {.approach = -pb->u.n}};
    r.line = slip_plane_line(&P, r.u_t, sign);
    r.second = slip_origin_line(&o);
    bool jams = (slip != 0) & (r.line.h < 0), fixed = !(o.h > RANK_TOL * P.k);
    slip_run_line(&r, slip == 0);
    slip_run_stride(&r, by, need_of, c->e);
    slip_run_stride(&r, by, need_of, c->e);
    slip_run_stride(&r, by, need_of, c->e);
    bool known = slip_is_planar(pb) | slip_is_sphere(&pb->K);
    slip_arrival x = {{r.p_t.t1, r.p_t.t2, r.p_n}, {r.u_t.t1, r.u_t.t2, r.u_n}, known & r.done & !jams & !fixed};
    return x;
}

#define SLIP_KERNEL(name, by, need_of)                                                                                 \
    static inline void name##_row(lanes *x, const lanes_rows *in, int i)                                               \
    {                                                                                                                  \
        const carom_problem pb = lanes_problem(in, i);                                                                 \
        const carom_coeffs c = lanes_coeffs(in, i);                                                                    \
        const schur s = schur_minors(&pb.K);                                                                           \
        const slip_arrival a = slip_arrive(&pb, &c, by, need_of);                                                      \
        bool solved = (pb.u.n < 0) & a.ended & lanes_comfortable(a.p);                                                 \
        bool fine = problem_is_regular(&pb, &s) & (solved | lanes_apart(pb.u));                                        \
        lanes_write(x, i, &pb, a.p, a.u, fine);                                                                        \
    }                                                                                                                  \
    LANES_LOOP(name, name##_row)

#endif
