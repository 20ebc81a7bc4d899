#include "core/ledger.h"

void ledger_fill_from_path(carom_outcome *out)
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
