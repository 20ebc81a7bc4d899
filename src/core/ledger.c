#include "core/ledger.h"

#include "core/num.h"

/* A margin is negative when it is below -FLAG_TOL times the terms it was formed from: more than rounding explains. */
#define FLAG_TOL (32 * EPS)

/* |p|^T |K| |p|: the size of the terms in p K p, whatever cancels among them. */
static double absolute_form(const carom_csym *K, carom_cvec p)
{
    double a = fabs(p.t1), b = fabs(p.t2), c = fabs(p.n);
    return a * (K->t11 * a + 2 * fabs(K->t12) * b + 2 * fabs(K->t1n) * c) + b * (K->t22 * b + 2 * fabs(K->t2n) * c) +
           K->nn * c * c;
}

/* change = p . (u + u_after) / 2, never the difference of two energies. */
static void fill_energy(const carom_problem *pb, const schur *s, carom_outcome *out)
{
    carom_energy *energy = &out->energy;
    carom_cvec p = out->p, mid = carom_cvec_scale(0.5, carom_cvec_add(pb->u, out->u_after));
    double normal = p.n * mid.n, friction = p.t1 * mid.t1 + p.t2 * mid.t2;
    energy->change = normal + friction;
    energy->before = 0.5 * psd_form(&pb->K, s, pb->u);
    energy->after = larger(0, energy->before + energy->change);
    if (out->phases.phases > 0) {
        normal = out->phases.work_compression + out->phases.work_restitution;
        friction = out->phases.work_friction;
    }
    energy->normal = normal;
    energy->friction = friction;
}

static void fill_restitution(const carom_problem *pb, carom_outcome *out)
{
    carom_restitution *r = &out->restitution;
    const carom_phases *ph = &out->phases;
    carom_cvec p = out->p;
    if (pb->u.n < 0) {
        r->defined |= CAROM_HAS_NEWTON;
        r->newton = -out->u_after.n / pb->u.n;
    }
    double toward = carom_cvec_dot(p, pb->u);
    if (toward < 0) {
        r->defined |= CAROM_HAS_IVANOV;
        r->ivanov = 1 - 2 * out->energy.change / toward; /* = -p K p / p.u - 1 */
    }
    if (ph->phases > 0 && ph->p_compression > 0 && ph->work_compression < 0) {
        r->defined |= CAROM_HAS_POISSON | CAROM_HAS_STRONGE;
        r->poisson = ph->p_restitution / ph->p_compression;
        r->stronge = sqrt(larger(0, -ph->work_restitution / ph->work_compression));
    } else if (p.n > 0 && p.t1 == 0 && p.t2 == 0 && pb->u.n < 0) {
        r->defined |= CAROM_HAS_POISSON | CAROM_HAS_STRONGE;
        r->poisson = r->stronge = r->newton;
    }
}

/* Each asks only when its margin is negative: is it so by more than rounding of the terms explains? */
static bool truly_penetrates(const carom_problem *pb, const carom_outcome *out)
{
    const carom_csym *K = &pb->K;
    carom_cvec p = out->p;
    double speed = fabs(pb->u.n) + fabs(K->t1n * p.t1) + fabs(K->t2n * p.t2) + K->nn * fabs(p.n);
    return out->margins.normal < -FLAG_TOL * speed;
}

static bool truly_creates_energy(const carom_problem *pb, const carom_outcome *out)
{
    carom_cvec p = out->p, u = pb->u;
    double work = fabs(p.t1 * u.t1) + fabs(p.t2 * u.t2) + fabs(p.n * u.n) + absolute_form(&pb->K, p);
    return out->margins.energy < -FLAG_TOL * work;
}

static void fill_margins(const carom_problem *pb, double mu, carom_outcome *out)
{
    carom_margins *m = &out->margins;
    double p_n = out->p.n, friction = carom_cvec_slip(out->p);
    m->normal = out->u_after.n;
    m->energy = -out->energy.change;
    m->cone = mu * p_n - friction;
    out->friction_ratio = p_n > 0 ? friction / p_n : 0;
    if (m->normal < 0 && truly_penetrates(pb, out))
        out->flags |= CAROM_PENETRATES;
    if (m->energy < 0 && truly_creates_energy(pb, out))
        out->flags |= CAROM_CREATES_ENERGY;
    if (m->cone < -FLAG_TOL * (mu * fabs(p_n) + friction))
        out->flags |= CAROM_OUTSIDE_CONE;
    if (out->solutions > 1)
        out->flags |= CAROM_NOT_UNIQUE;
}

void ledger_fill(const carom_problem *problem, const schur *s, double mu, carom_outcome *outcome)
{
    fill_energy(problem, s, outcome);
    fill_restitution(problem, outcome);
    fill_margins(problem, mu, outcome);
}
