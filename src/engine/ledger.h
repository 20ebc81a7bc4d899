/* The ledger: everything about an outcome that follows from K, u and p, computed once for all laws and for batches. */
#ifndef CAROM_ENGINE_LEDGER_H
#define CAROM_ENGINE_LEDGER_H

#include "carom/law.h"
#include "carom/outcome.h"
#include "carom/problem.h"
#include "core/psd.h"

/* A margin is negative when it is below -FLAG_TOL times the terms it was formed from: more than rounding explains. */
#define FLAG_TOL (32 * EPS)

/* What the ledger is made from. */
typedef struct ledger_entry {
    carom_problem problem;
    carom_cvec p, u_after;
    double before; /* energy */
    double mu;
} ledger_entry;

typedef struct ledger {
    carom_energy energy;
    carom_restitution restitution;
    carom_margins margins;
    double friction_ratio;
    unsigned flags;
} ledger;

/* change = p . (u + u_after) / 2, never the difference of two energies. */
static inline carom_energy ledger_energy(const ledger_entry *x)
{
    carom_cvec half = carom_cvec_scale(0.5, x->p), both = carom_cvec_add(x->problem.u, x->u_after);
    double normal = half.n * both.n, friction = half.t1 * both.t1 + half.t2 * both.t2, change = normal + friction;
    carom_energy energy = {x->before, max(0, x->before + change), change, normal, friction};
    return energy;
}

/* Without a path: Poisson's and Stronge's are known for a purely normal impulse only. */
static inline carom_restitution ledger_restitution(const ledger_entry *x, double change)
{
    carom_cvec p = x->p;
    double u_n = x->problem.u.n, toward = carom_cvec_dot(p, x->problem.u);
    bool approaches = u_n < 0, is_normal = approaches && p.n > 0 && p.t1 == 0 && p.t2 == 0;
    bool opposes = toward < -DBL_MIN; /* a product that has underflowed has no sign */
    carom_restitution r;
    r.ivanov = opposes ? 1 - change / (0.5 * toward) : 0; /* = -p K p / p.u - 1 */
    r.newton = approaches ? -x->u_after.n / u_n : 0;
    r.poisson = is_normal ? r.newton : 0;
    r.stronge = r.poisson;
    r.defined = (approaches ? CAROM_HAS_NEWTON : 0u) | (opposes ? CAROM_HAS_IVANOV : 0u) |
                (is_normal ? CAROM_HAS_POISSON | CAROM_HAS_STRONGE : 0u);
    return r;
}

/* Called where a margin is negative. True if it is so by more than the rounding of its terms explains. */
static inline bool truly_penetrates(const ledger_entry *x)
{
    const carom_csym *K = &x->problem.K;
    double speed = fabs(x->problem.u.n) + fabs(K->t1n * x->p.t1) + fabs(K->t2n * x->p.t2) + K->nn * fabs(x->p.n);
    return x->u_after.n < -FLAG_TOL * speed;
}

/* The terms of p.u and p K p, whatever cancels among them: the sum of |p_i| (|u_i| + sum of |K_ij p_j|). FLAG_TOL, a
 * power of two, goes to p first, so that nothing overflows where the change itself does not. */
static inline bool truly_creates_energy(const ledger_entry *x, double change)
{
    const carom_csym *K = &x->problem.K;
    carom_cvec p = x->p, u = x->problem.u;
    double a = fabs(p.t1), b = fabs(p.t2), c = fabs(p.n);
    double t1 = fabs(u.t1) + K->t11 * a + fabs(K->t12) * b + fabs(K->t1n) * c;
    double t2 = fabs(u.t2) + fabs(K->t12) * a + K->t22 * b + fabs(K->t2n) * c;
    double n = fabs(u.n) + fabs(K->t1n) * a + fabs(K->t2n) * b + K->nn * c;
    return change > FLAG_TOL * a * t1 + FLAG_TOL * b * t2 + FLAG_TOL * c * n;
}

/* |p_t|, also where its square leaves the range of double: in a unit that is a power of two. */
static inline double ledger_friction(carom_cvec p)
{
    double most = max(fabs(p.t1), fabs(p.t2));
    double unit = most > 0x1p500 ? 0x1p-600 : most < 0x1p-500 ? 0x1p600 : 1;
    double back = most > 0x1p500 ? 0x1p600 : most < 0x1p-500 ? 0x1p-600 : 1;
    double a = p.t1 * unit, b = p.t2 * unit;
    return sqrt(a * a + b * b) * back;
}

static inline ledger ledger_of(const ledger_entry *x)
{
    ledger l;
    double p_n = x->p.n, friction = ledger_friction(x->p);
    l.energy = ledger_energy(x);
    l.restitution = ledger_restitution(x, l.energy.change);
    l.margins.normal = x->u_after.n;
    l.margins.energy = -l.energy.change;
    l.margins.cone = min(x->mu * p_n, DBL_MAX) - friction;
    l.friction_ratio = p_n > 0 ? friction / p_n : 0;
    l.flags = l.margins.normal < 0 && truly_penetrates(x) ? CAROM_FLAG_PENETRATES : 0u;
    l.flags |= l.margins.energy < 0 && truly_creates_energy(x, l.energy.change) ? CAROM_FLAG_CREATES_ENERGY : 0u;
    l.flags |= l.margins.cone < -FLAG_TOL * (x->mu * fabs(p_n) + friction) ? CAROM_FLAG_OUTSIDE_CONE : 0u;
    return l;
}

/* A law with a path gives works that p does not determine. */
static inline void ledger_fill_from_path(carom_outcome *out)
{
    const carom_phases *ph = &out->phases;
    carom_restitution *r = &out->restitution;
    out->energy.normal = ph->work_compression + ph->work_decompression;
    out->energy.friction = ph->work_friction;
    if (!(ph->p_compression > 0 && ph->work_compression < 0))
        return;
    r->defined |= CAROM_HAS_POISSON | CAROM_HAS_STRONGE;
    r->poisson = ph->p_restitution / ph->p_compression;
    r->stronge = sqrt(max(0, -ph->work_decompression / ph->work_compression));
}

/* Fill energy, restitution, margins, friction ratio and the admissibility flags from p, u_after and phases. before is
 * the energy that impulses at this contact can reach. */
static inline void ledger_fill(const carom_problem *problem, double before, double mu, carom_outcome *out)
{
    const ledger_entry entry = {*problem, out->p, out->u_after, before, mu};
    const ledger l = ledger_of(&entry);
    out->energy = l.energy;
    out->restitution = l.restitution;
    out->margins = l.margins;
    out->friction_ratio = l.friction_ratio;
    out->flags |= l.flags | (out->solutions > 1 ? CAROM_FLAG_NOT_UNIQUE : 0u);
    if (out->phases.phases > 0)
        ledger_fill_from_path(out);
}

#endif
