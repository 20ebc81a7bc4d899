/* One impact of a contact with a patch: checks, units, law, ledger. */
#include "carom/patch.h"

#include "carom/assert.h"
#include "carom/solve.h"
#include "contact/impact.h"
#include "engine/ledger.h"
#include "laws/patch/patch_contact.h"

static const carom_outcome nothing = {.mode = "no_impact", .solutions = 1};

static carom_status refuse(carom_status status, carom_outcome *out)
{
    *out = nothing;
    out->solutions = 0;
    return out->status = status;
}

static double *twist_at(carom_cspin *w, int i)
{
    return i == 0 ? &w->n : i == 1 ? &w->t1 : &w->t2;
}

/* Spins from row `first` on: u + K p. */
static void spins_from(const carom_patch_problem *pb, int first, carom_cvec linear, carom_cspin m, carom_cspin *spins)
{
    const double p[CAROM_PATCH_SIZE] = {linear.t1, linear.t2, linear.n, m.n, m.t1, m.t2};
    for (int i = first; i < pb->size; i++) {
        double w = pb->u[i];
        for (int j = 0; j < pb->size; j++)
            w += pb->K[i * pb->size + j] * p[j];
        *twist_at(spins, i - 3) = w + 0.0;
    }
}

static void carry_spins(const carom_patch_problem *pb, carom_outcome *out)
{
    spins_from(pb, 3, out->p, out->turning.m, &out->turning.w_after);
}

/* ---- the path ---- */

/* A tracer that adds to every state the spins that its law does not follow. */
typedef struct carrier {
    const carom_patch_problem *pb;
    int first; /* row of these spins */
    const carom_tracer *to;
    const carom_piece *piece;
} carrier;

static void carried_at(const carom_piece *piece, double s, carom_state *state)
{
    const carrier *c = piece->data;
    c->piece->at(c->piece, s, state);
    spins_from(c->pb, c->first, state->p, state->m, &state->w);
}

static void carry_piece(void *context, const carom_piece *piece)
{
    carrier own = *(const carrier *)context;
    carom_piece with_spins = *piece;
    own.piece = piece;
    with_spins.at = carried_at;
    with_spins.data = &own;
    own.to->piece(own.to->context, &with_spins);
}

static void carry_event(void *context, const carom_event *event)
{
    const carrier *c = context;
    carom_event with_spins = *event;
    spins_from(c->pb, c->first, event->at.p, event->at.m, &with_spins.at.w);
    c->to->event(c->to->context, &with_spins);
}

static carom_tracer carrying(carrier *c)
{
    return (carom_tracer){c->to->event ? carry_event : NULL, c->to->piece ? carry_piece : NULL, c};
}

/* ---- the ledger ---- */

/* Half of u K^-1 u over the rows of the contact, by its factor; spins that nothing brakes keep theirs. */
static double energy_of(const carom_patch_contact *x)
{
    const int n = x->count;
    double y[SLIPS + 1], form = 0;
    for (int i = 0; i <= n; i++) {
        y[i] = i < n ? x->U[i] : x->u_n;
        for (int j = 0; j < i; j++)
            y[i] -= x->L[i][j] * y[j];
        y[i] /= x->L[i][i];
        form += y[i] * y[i];
    }
    return 0.5 * form;
}

static void fill_ledger(const carom_patch_problem *pb, const carom_patch_contact *x, carom_outcome *out)
{
    const carom_problem point = carom_patch_point(pb);
    carom_turning *t = &out->turning;
    const carom_cspin m = t->m, w = t->w_after;
    const bool path = out->phases.phases > 0;
    t->spin = path ? t->spin : 0.5 * m.n * (pb->u[3] + w.n);
    t->roll = pb->size == 6 ? 0.5 * (m.t1 * (pb->u[4] + w.t1) + m.t2 * (pb->u[5] + w.t2)) : 0;
    ledger_fill(&point, energy_of(x), x->mu, out);
    const double P[3] = {out->p.t1, out->p.t2, x->frictional == 3 ? m.n / x->length : 0},
                 load = carom_patch_carried(x, P);
    const double spins = 0.5 * m.n * (pb->u[3] + w.n) + t->roll; /* of the whole impact, whatever the path does */
    out->margins.cone = x->mu * out->p.n - load;
    out->energy.change += spins;
    out->energy.after = max(0, out->energy.before + out->energy.change);
    out->margins.energy = -out->energy.change;
    out->flags &= ~(unsigned)(CAROM_FLAG_CREATES_ENERGY | CAROM_FLAG_OUTSIDE_CONE);
    double terms = 0;
    const double p[CAROM_PATCH_SIZE] = {out->p.t1, out->p.t2, out->p.n, m.n, m.t1, m.t2};
    for (int i = 0; i < pb->size; i++) {
        terms += fabs(p[i]) * fabs(pb->u[i]);
        for (int j = 0; j < pb->size; j++)
            terms += fabs(p[i] * p[j] * pb->K[i * pb->size + j]);
    }
    out->flags |= out->energy.change > FLAG_TOL * terms ? CAROM_FLAG_CREATES_ENERGY : 0;
    out->flags |= out->margins.cone < -FLAG_TOL * (x->mu * fabs(out->p.n) + load) ? CAROM_FLAG_OUTSIDE_CONE : 0;
    out->restitution.defined &= ~(unsigned)CAROM_HAS_IVANOV;
    out->restitution.ivanov = 0;
}

/* ---- the road ---- */

static carom_status solve_point(const carom_patch_problem *pb, const carom_rule *rule, const carom_tracer *tracer,
                                carom_outcome *out)
{
    const carom_problem point = carom_patch_point(pb);
    carrier all = {pb, 3, tracer, NULL};
    const carom_tracer with_spins = tracer ? carrying(&all) : (carom_tracer){NULL, NULL, NULL};
    const carom_status status = carom_solve(&point, rule, tracer ? &with_spins : NULL, out);
    if (carom_status_is_answer(status))
        carry_spins(pb, out);
    return status;
}

static bool is_in_scope(const carom_rule *rule, int size)
{
    const carom_coeffs *c = &rule->coeffs;
    const bool one_friction = c->mu_s == CAROM_SAME_AS_MU || c->mu_s == c->mu;
    return rule->law->patch && size >= carom_patch_size(c) && isfinite(c->mu) && (c->patch == 0 || one_friction);
}

static carom_status no_impulse(const carom_patch_problem *pb, carom_status status, carom_outcome *out)
{
    *out = nothing;
    out->u_after = carom_cvec_make(pb->u[0] + 0.0, pb->u[1] + 0.0, pb->u[2] + 0.0);
    out->margins.normal = pb->u[2];
    carry_spins(pb, out);
    return out->status = status;
}

static carom_status solve_patch(const carom_patch_problem *pb, const carom_rule *rule, const carom_tracer *tracer,
                                carom_outcome *out)
{
    carom_patch_contact x;
    if (!is_in_scope(rule, pb->size) || !carom_patch_contact_make(pb, &rule->coeffs, rule->options.pressure, &x))
        return refuse(CAROM_STATUS_OUT_OF_SCOPE, out);
    const bool grazes = x.u_n == 0;
    if (x.u_n > 0 || (grazes && rule->options.grazing == CAROM_OPTION_GRAZING_IGNORE))
        return no_impulse(pb, grazes ? CAROM_STATUS_GRAZING : CAROM_STATUS_SEPARATING, out);
    *out = nothing;
    carrier rolling = {pb, 4, tracer, NULL};
    const bool adds = tracer && pb->size > 4;
    const carom_tracer with_spins = adds ? carrying(&rolling) : (carom_tracer){NULL, NULL, NULL};
    const carom_status status = rule->law->patch(&x, rule, adds ? &with_spins : tracer, out);
    if (status && carom_status_is_refusal(status))
        return refuse(status, out);
    const bool path = rule->law->traits & CAROM_TRAIT_GIVES_REBOUND;
    const carom_cspin w = out->turning.w_after;
    carry_spins(pb, out);
    if (path) {
        out->turning.w_after.n = w.n + 0.0;
    } else {
        const carom_problem point = carom_patch_point(pb);
        carom_cvec v = carom_cvec_add(point.u, carom_csym_apply(point.K, out->p));
        const carom_cspin m = out->turning.m;
        const double moments[3] = {m.n, m.t1, m.t2};
        for (int j = 3; j < pb->size; j++) {
            v.t1 += pb->K[j] * moments[j - 3];
            v.t2 += pb->K[pb->size + j] * moments[j - 3];
            v.n += pb->K[2 * pb->size + j] * moments[j - 3];
        }
        out->u_after = v;
    }
    fill_ledger(pb, &x, out);
    const double sum = out->energy.after + out->energy.change + out->energy.friction + out->turning.spin;
    if (!(sum - sum == 0))
        return refuse(CAROM_STATUS_OUT_OF_RANGE, out);
    return out->status = grazes && status == CAROM_STATUS_OK ? CAROM_STATUS_GRAZING : status;
}

carom_status carom_patch_solve(const carom_patch_problem *pb, const carom_rule *rule, const carom_tracer *tracer,
                               carom_outcome *out)
{
    CAROM_ASSERT(pb && rule && out && (pb->size == 4 || pb->size == 6));
    const carom_status status = carom_rule_check(rule, NULL);
    if (status || carom_coeffs_vary(&rule->coeffs))
        return refuse(status ? status : CAROM_STATUS_OUT_OF_SCOPE, out);
    return rule->coeffs.patch > 0 || rule->coeffs.rho > 0 ? solve_patch(pb, rule, tracer, out)
                                                          : solve_point(pb, rule, tracer, out);
}
