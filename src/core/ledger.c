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
static void fill_energy(const carom_problem *pb, carom_outcome *out)
{
    carom_energy *energy = &out->energy;
    carom_cvec p = out->p, mid = carom_cvec_scale(0.5, carom_cvec_add(pb->u, out->u_after));
    double normal = p.n * mid.n, friction = p.t1 * mid.t1 + p.t2 * mid.t2;
    energy->change = normal + friction;
    energy->before = carom_problem_energy(pb);
    energy->after = fmax(0, energy->before + energy->change);
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
        r->ivanov = -carom_cvec_dot(p, carom_csym_apply(pb->K, p)) / toward - 1;
    }
    if (ph->phases > 0 && ph->p_compression > 0 && ph->work_compression < 0) {
        r->defined |= CAROM_HAS_POISSON | CAROM_HAS_STRONGE;
        r->poisson = ph->p_restitution / ph->p_compression;
        r->stronge = sqrt(fmax(0, -ph->work_restitution / ph->work_compression));
    } else if (p.n > 0 && p.t1 == 0 && p.t2 == 0 && pb->u.n < 0) {
        r->defined |= CAROM_HAS_POISSON | CAROM_HAS_STRONGE;
        r->poisson = r->stronge = r->newton;
    }
}

static void fill_margins(const carom_problem *pb, double mu, carom_outcome *out)
{
    carom_margins *m = &out->margins;
    carom_cvec p = out->p;
    double friction = carom_cvec_slip(p);
    m->normal = out->u_after.n;
    m->energy = -out->energy.change;
    m->cone = mu * p.n - friction;
    out->friction_ratio = p.n > 0 ? friction / p.n : 0;

    const carom_csym *K = &pb->K;
    double speed = fabs(pb->u.n) + fabs(K->t1n * p.t1) + fabs(K->t2n * p.t2) + K->nn * fabs(p.n);
    double work = fabs(p.t1 * pb->u.t1) + fabs(p.t2 * pb->u.t2) + fabs(p.n * pb->u.n) + absolute_form(K, p);
    out->flags |= m->normal < -FLAG_TOL * speed ? CAROM_PENETRATES : 0;
    out->flags |= m->energy < -FLAG_TOL * work ? CAROM_CREATES_ENERGY : 0;
    out->flags |= m->cone < -FLAG_TOL * (mu * fabs(p.n) + friction) ? CAROM_OUTSIDE_CONE : 0;
    out->flags |= out->solutions > 1 ? CAROM_NOT_UNIQUE : 0;
}

void ledger_fill(const carom_problem *problem, const carom_rule *rule, carom_outcome *outcome)
{
    fill_energy(problem, outcome);
    fill_restitution(problem, outcome);
    fill_margins(problem, rule->coeffs.mu, outcome);
}
