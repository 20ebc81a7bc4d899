/* The loops over a tile that all laws share. Compiled once per instruction set. */
#include "engine/tile.h"

#include "core/coeffs_check.h"
#include "core/ledger.h"

static inline void ranges_row(lanes *x, const lanes_rows *in, int i)
{
    const carom_coeffs c = lanes_coeffs(in, i);
    x->barred[i] = coeffs_in_range(&c) & (x->signed_e | (c.e >= 0)) ? 0 : ROW_HARD;
}

LANES_LOOP(tile_ranges, ranges_row)

static inline void ledger_row(lanes *x, const lanes_rows *in, int i)
{
    const carom_problem pb = lanes_problem(in, i);
    const schur s = schur_minors(&pb.K);
    const carom_cvec p = {x->at[P1][i], x->at[P2][i], x->at[PN][i]}, v = {x->at[V1][i], x->at[V2][i], x->at[VN][i]};
    const ledger_entry entry = {pb, p, v, 0.5 * schur_form(&pb.K, &s, pb.u), in->c.mu[i]};
    const ledger l = ledger_of(&entry);
    bool apart = lanes_apart(pb.u); /* then only the energy before is worth saying */
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
