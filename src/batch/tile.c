/* The loops over a tile that all laws share. Compiled once per instruction set. */
#include "batch/tile.h"

#include "core/coeffs_check.h"
#include "core/ledger.h"
#include "core/problem_check.h"

/* Numbers between these never bring an energy out of the range of double, however singular K is within RANK_TOL; rows
 * beyond are left to the scalar code, which looks at every result. */
#define COMFORT_MOST  1e20
#define COMFORT_LEAST 1e-20

static inline bool is_comfortable(const carom_problem *pb)
{
    const carom_csym *K = &pb->K;
    bool most = (K->nn <= COMFORT_MOST) & (K->t11 <= COMFORT_MOST) & (K->t22 <= COMFORT_MOST);
    bool least = (K->nn >= COMFORT_LEAST) & ((K->t11 >= COMFORT_LEAST) | (K->t11 == 0)) &
                 ((K->t22 >= COMFORT_LEAST) | (K->t22 == 0));
    bool slow = (fabs(pb->u.t1) <= COMFORT_MOST) & (fabs(pb->u.t2) <= COMFORT_MOST) & (fabs(pb->u.n) <= COMFORT_MOST);
    return most & least & slow;
}

static inline void check_row(lanes *x, const lanes_rows *in, int i)
{
    const carom_problem pb = lanes_problem(in, i);
    const schur s = schur_of(&pb.K);
    const carom_cvec u = pb.u;
    bool valid = is_comfortable(&pb) & rows_fit(&pb.K) & schur_is_psd(&pb.K, &s) & !s.deficient;
    bool apart = (u.n > 0) | ((u.n == 0) & (u.t1 == 0) & (u.t2 == 0));
    x->n11[i] = s.n11;
    x->n12[i] = s.n12;
    x->n22[i] = s.n22;
    x->det[i] = s.det;
    x->apart[i] = apart ? 1 : 0;
    x->hard[i] = valid & ((u.n < 0) | apart) ? 0 : 1;
}

LANES_LOOP(tile_check, check_row)

static inline void ranges_row(lanes *x, const lanes_rows *in, int i)
{
    const carom_coeffs c = lanes_coeffs(in, i);
    x->hard[i] = coeffs_in_range(&c) & (x->signed_e | (c.e >= 0)) ? x->hard[i] : 1;
}

LANES_LOOP(tile_ranges, ranges_row)

static inline void rebound_row(lanes *x, const lanes_rows *in, int i)
{
    const carom_problem pb = lanes_problem(in, i);
    const carom_cvec p = {x->p1[i], x->p2[i], x->pn[i]};
    const carom_cvec v = carom_cvec_add(pb.u, carom_csym_apply(pb.K, p));
    x->v1[i] = v.t1;
    x->v2[i] = v.t2;
    x->vn[i] = v.n;
}

LANES_LOOP(tile_rebound, rebound_row)

static inline double unless(bool skip, double value, double otherwise)
{
    return skip ? otherwise : value + 0.0; /* -0 becomes 0 */
}

static inline void finish_row(lanes *x, const lanes_rows *in, int i)
{
    const carom_cvec p = {x->p1[i], x->p2[i], x->pn[i]}, v = {x->v1[i], x->v2[i], x->vn[i]};
    const carom_cvec u = {in->u1[i], in->u2[i], in->un[i]};
    const double hard = x->hard[i];
    bool apart = x->apart[i] != 0;
    bool small = (fabs(p.t1) <= COMFORT_MOST) & (fabs(p.t2) <= COMFORT_MOST) & (fabs(p.n) <= COMFORT_MOST);
    x->p1[i] = unless(apart, p.t1, 0);
    x->p2[i] = unless(apart, p.t2, 0);
    x->pn[i] = unless(apart, p.n, 0);
    x->v1[i] = unless(apart, v.t1, u.t1);
    x->v2[i] = unless(apart, v.t2, u.t2);
    x->vn[i] = unless(apart, v.n, u.n);
    x->hard[i] = apart | small ? hard : 1;
}

LANES_LOOP(tile_finish, finish_row)

static inline void ledger_row(lanes *x, const lanes_rows *in, int i)
{
    const carom_problem pb = lanes_problem(in, i);
    const schur s = lanes_schur(x, in, i);
    const carom_cvec p = {x->p1[i], x->p2[i], x->pn[i]}, v = {x->v1[i], x->v2[i], x->vn[i]};
    const ledger_entry entry = {pb, p, v, 0.5 * schur_form(&pb.K, &s, pb.u), in->c.mu[i]};
    const ledger l = ledger_of(&entry);
    bool apart = x->apart[i] != 0; /* then only the energy before is worth saying */
    x->before[i] = l.energy.before;
    x->after[i] = apart ? l.energy.before : l.energy.after;
    x->change[i] = apart ? 0 : l.energy.change;
    x->normal[i] = apart ? 0 : l.energy.normal;
    x->friction[i] = apart ? 0 : l.energy.friction;
    x->newton[i] = l.restitution.newton;
    x->poisson[i] = l.restitution.poisson;
    x->stronge[i] = l.restitution.stronge;
    x->ivanov[i] = l.restitution.ivanov;
    x->cone[i] = apart ? 0 : l.margins.cone;
    x->friction_ratio[i] = l.friction_ratio;
    x->flags[i] = (int)l.flags;
    x->defined[i] = (int)l.restitution.defined;
}

LANES_LOOP(tile_ledger, ledger_row)
