/* Rows of a batch against single impacts. */
#include <string.h>

#include "checks.h"

enum { ROWS = 64 };

/* The arrays of one batch; coefficients by position. */
typedef struct arrays {
    double K[6][ROWS], u[3][ROWS], coeffs[CAROM_COEFF_COUNT][ROWS];
    double p[3][ROWS], u_after[3][ROWS];
    unsigned char status[ROWS], flags[ROWS], defined[ROWS], mode[ROWS];
#define CAROM_LEDGER(name, member, meaning) double name[ROWS];
#include "carom/ledger.def"
#undef CAROM_LEDGER
} arrays;

static void load(const trial *rows, int count, arrays *a)
{
    for (int i = 0; i < count; i++) {
        const carom_csym *K = &rows[i].pb.K;
        const double entries[6] = {K->t11, K->t12, K->t22, K->t1n, K->t2n, K->nn};
        const double u[3] = {rows[i].pb.u.t1, rows[i].pb.u.t2, rows[i].pb.u.n};
        for (int k = 0; k < 6; k++)
            a->K[k][i] = entries[k];
        for (int k = 0; k < 3; k++)
            a->u[k][i] = u[k];
        for (int k = 0; k < CAROM_COEFF_COUNT; k++)
            a->coeffs[k][i] = carom_coeffs_get(&rows[i].rule.coeffs, (carom_coeff)k);
    }
}

static carom_batch_in input(const arrays *a, int count)
{
    carom_batch_in in = {.count = (size_t)count,
                         .K_t11 = a->K[0],
                         .K_t12 = a->K[1],
                         .K_t22 = a->K[2],
                         .K_t1n = a->K[3],
                         .K_t2n = a->K[4],
                         .K_nn = a->K[5],
                         .u_t1 = a->u[0],
                         .u_t2 = a->u[1],
                         .u_n = a->u[2]};
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) in.coeffs.name = a->coeffs[CAROM_COEFF_##name];
#include "carom/coeffs.def"
#undef CAROM_COEFF
    return in;
}

/* Modes take every row to the road of a single call: half of the batches go without. */
static carom_batch_out output(arrays *a, int count, bool with_mode)
{
    carom_batch_out out = {.count = (size_t)count,
                           .p_t1 = a->p[0],
                           .p_t2 = a->p[1],
                           .p_n = a->p[2],
                           .u_t1 = a->u_after[0],
                           .u_t2 = a->u_after[1],
                           .u_n = a->u_after[2],
                           .status = a->status};
    out.ledger.flags = a->flags;
    out.ledger.defined = a->defined;
    out.ledger.mode = with_mode ? a->mode : NULL;
#define CAROM_LEDGER(name, member, meaning) out.ledger.name = a->name;
#include "carom/ledger.def"
#undef CAROM_LEDGER
    return out;
}

/* Equal bits, but -0 is 0. */
static bool equal(double a, double b)
{
    return a == b || (a != a && b != b);
}

static const char *first_difference(const trial *x, const arrays *a, const carom_batch_out *out, int i)
{
    const carom_outcome *o = &x->out;
    if (a->status[i] != (unsigned char)o->status)
        return "status";
    if (!equal(a->p[0][i], o->p.t1) || !equal(a->p[1][i], o->p.t2) || !equal(a->p[2][i], o->p.n))
        return "p";
    if (!equal(a->u_after[0][i], o->u_after.t1) || !equal(a->u_after[1][i], o->u_after.t2) ||
        !equal(a->u_after[2][i], o->u_after.n))
        return "u_after";
    if (a->flags[i] != (unsigned char)o->flags)
        return "flags";
    if (a->defined[i] != (unsigned char)o->restitution.defined)
        return "defined";
    if (out->ledger.mode && strcmp(carom_batch_mode(x->rule.law, a->mode[i]), o->mode) != 0)
        return "mode";
#define CAROM_LEDGER(name, member, meaning)                                                                            \
    if (!equal(a->name[i], o->member))                                                                                 \
        return #name;
#include "carom/ledger.def"
#undef CAROM_LEDGER
    return NULL;
}

void check_batch(tally *t, const trial *rows, int count)
{
    static const carom_isa sets[] = {CAROM_ISA_BEST, CAROM_ISA_BASELINE, CAROM_ISA_AVX2};
    arrays a;
    memset(&a, 0x41, sizeof a);
    load(rows, count, &a);
    carom_batch_in in = input(&a, count);
    carom_batch_out out = output(&a, count, dice_below(rows[0].d, 2));
    carom_batch_options options = {.threads = 1, .at_most = sets[dice_below(rows[0].d, 3)]};
    carom_rule rule = carom_rule_default(rows[0].rule.law);
    carom_status status = carom_batch_solve(&in, &rule, &out, &options);
    t->solved[t->law] += (uint64_t)count;
    for (int i = 0; i < count; i++) {
        const char *what = status ? carom_status_id(status) : first_difference(&rows[i], &a, &out, i);
        tally_check(t, &rows[i], PROPERTY_BATCH, !what, "%s differs", what ? what : "nothing");
    }
}
