#include "core/ledger.h"

/* Where the law has a path, it knows more than p says. */
static void fill_from_path(carom_outcome *out)
{
    const carom_phases *ph = &out->phases;
    carom_restitution *r = &out->restitution;
    out->energy.normal = ph->work_compression + ph->work_restitution;
    out->energy.friction = ph->work_friction;
    if (!(ph->p_compression > 0 && ph->work_compression < 0))
        return;
    r->defined |= CAROM_HAS_POISSON | CAROM_HAS_STRONGE;
    r->poisson = ph->p_restitution / ph->p_compression;
    r->stronge = sqrt(larger(0, -ph->work_restitution / ph->work_compression));
}

void ledger_fill(const carom_problem *problem, const schur *s, double mu, carom_outcome *out)
{
    const carom_csym *K = &problem->K;
    double form = s->deficient ? psd_form(K, s, problem->u) : schur_form(K, s, problem->u);
    const ledger_entry entry = {*problem, out->p, out->u_after, 0.5 * form, mu};
    const ledger l = ledger_of(&entry);
    out->energy = l.energy;
    out->restitution = l.restitution;
    out->margins = l.margins;
    out->friction_ratio = l.friction_ratio;
    out->flags |= l.flags | (out->solutions > 1 ? CAROM_NOT_UNIQUE : 0u);
    if (out->phases.phases > 0)
        fill_from_path(out);
}
