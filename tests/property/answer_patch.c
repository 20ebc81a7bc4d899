/* What must hold of every answer to a contact with a patch, recomputed in long double from K, u, p and m. Tolerances
 * are those of answer.c: shares of the terms that were added. */
#include <float.h>
#include <string.h>

#include "checks.h"
#include "norm.h"

enum { ROWS = CAROM_PATCH_SIZE, N = 2, SPIN = 3 };

#define EPS         DBL_EPSILON
#define REBOUND_TOL (32 * EPS) /* of the largest terms of u + K p: six products, six sums, and p rounded */
#define FLAG_TOL    (32 * EPS) /* docs/numerics.md: a margin counts as negative beyond this share of its terms */
#define LEDGER_TOL  (64 * EPS) /* of the terms of the energies: six rows */
#define PATH_TOL    1e-13      /* advertised by the laws with a path, of their works and impulses */
#define POWER_TOL   1e-13      /* of the terms of the power of friction: slips at the end are differences */

typedef struct sums {
    int size;
    long double p[ROWS], u[ROWS], terms[ROWS]; /* impulses; u + K p, and the sizes that were added */
    long double change, work;                  /* p.u + p K p / 2, and its sizes */
    long double force, moment;                 /* |p_t|, |m_n| / a */
    long double held;                          /* the dual norm of both */
} sums;

static long double share_of(long double part, long double whole)
{
    return whole > 0 ? part / whole : 0;
}

static bool has_path(const trial *x)
{
    return x->rule.law->traits & CAROM_TRAIT_HAS_PATH;
}

static sums sums_of(const trial *x)
{
    const carom_outcome *out = &x->out;
    const carom_cspin m = out->turning.m;
    const carom_patch_problem *pb = &x->patch;
    sums s = {.size = pb->size, .p = {out->p.t1, out->p.t2, out->p.n, m.n, m.t1, m.t2}};
    for (int i = 0; i < s.size; i++) {
        long double moved = 0, sizes = 0;
        for (int j = 0; j < s.size; j++) {
            moved += pb->K[i * s.size + j] * s.p[j];
            sizes += fabsl(pb->K[i * s.size + j] * s.p[j]);
        }
        s.u[i] = pb->u[i] + moved;
        s.terms[i] = fabsl(pb->u[i]) + sizes;
        s.change += s.p[i] * (pb->u[i] + moved / 2);
        s.work += fabsl(s.p[i]) * s.terms[i];
    }
    s.force = hypotl(s.p[0], s.p[1]);
    s.moment = x->rule.coeffs.patch > 0 ? fabsl(s.p[SPIN]) / x->rule.coeffs.patch : 0;
    s.held = norm_dual(x->rule.options.pressure, s.force, s.moment);
    return s;
}

void trial_solve_patch(tally *t, trial *x, int poison)
{
    memset(&x->out, poison, sizeof x->out);
    x->status = carom_patch_solve(&x->patch, &x->rule, NULL, &x->out);
    t->solved[t->law]++;
}

/* ---- status ---- */

static bool is_zero(const carom_outcome *out)
{
    const carom_cspin m = out->turning.m, w = out->turning.w_after;
    const double all[] = {
        out->p.t1, out->p.t2, out->p.n, out->u_after.t1,    out->u_after.t2,   out->u_after.n, m.n, m.t1, m.t2,
        w.n,       w.t1,      w.t2,     out->energy.before, out->energy.change};
    bool zero = out->flags == 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        zero = zero && all[i] == 0;
    return zero;
}

/* With a patch a law without torsion, and a K that is singular in the rows that friction acts on, are out of scope. */
static bool may_refuse(const trial *x)
{
    const bool refused = x->status == CAROM_STATUS_OUT_OF_SCOPE && is_zero(&x->out);
    return refused && (!x->rule.law->patch || x->kind == KIND_PATCH_SINGULAR || x->kind == KIND_PATCH_ILL ||
                       x->kind == KIND_PATCH_LARGE);
}

static bool status_fits(const trial *x)
{
    const double u_n = x->patch.u[N];
    if (x->status != x->out.status)
        return false;
    if (!carom_status_is_answer(x->status))
        return may_refuse(x);
    return x->rule.law->patch && x->status == (u_n > 0    ? CAROM_STATUS_SEPARATING
                                               : u_n == 0 ? CAROM_STATUS_GRAZING
                                                          : CAROM_STATUS_OK);
}

static bool all_finite(const trial *x)
{
    const carom_outcome *out = &x->out;
    const carom_energy *e = &out->energy;
    const carom_turning *t = &out->turning;
    const double all[] = {out->p.t1,
                          out->p.t2,
                          out->p.n,
                          out->u_after.t1,
                          out->u_after.t2,
                          out->u_after.n,
                          t->m.n,
                          t->m.t1,
                          t->m.t2,
                          t->w_after.n,
                          t->w_after.t1,
                          t->w_after.t2,
                          t->spin,
                          t->roll,
                          e->before,
                          e->after,
                          e->change,
                          e->normal,
                          e->friction,
                          out->friction_ratio,
                          out->margins.normal,
                          out->margins.energy,
                          out->margins.cone};
    double sum = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        sum += fabs(all[i]) > 0 ? all[i] / all[i] : 0;
    for (int i = 0; i < out->solutions && out->solutions > 1 && i < CAROM_SOLUTIONS_KEPT; i++)
        sum += 0 * (out->all[i].t1 + out->all[i].t2 + out->all[i].n + out->all_m[i].n + out->all_m[i].t1 +
                    out->all_m[i].t2);
    return isfinite(sum);
}

/* ---- promises ---- */

static void check_rebound(tally *t, const trial *x, const sums *s)
{
    const carom_outcome *out = &x->out;
    const carom_cspin w = out->turning.w_after;
    const double got[ROWS] = {out->u_after.t1, out->u_after.t2, out->u_after.n, w.n, w.t1, w.t2};
    const double tol = has_path(x) ? PATH_TOL : REBOUND_TOL;
    double linear = 0, angular = 0;
    for (int i = 0; i < s->size; i++) {
        const double off = (double)share_of(fabsl(got[i] - s->u[i]), s->terms[i]);
        linear = i < SPIN ? fmax(linear, off) : linear;
        angular = i < SPIN ? angular : fmax(angular, off);
    }
    tally_check(t, x, PROPERTY_REBOUND, linear <= tol && angular <= tol,
                "u_after is off by %.2g of its terms, w_after by %.2g", linear, angular);
}

/* Energy never rises under Poisson's and Stronge's endings, nor under Whittaker's law with e = 0. */
static bool never_gains(const trial *x)
{
    const char *id = x->rule.law->id;
    return strcmp(id, "routh-poisson") == 0 || strcmp(id, "routh-stronge") == 0 ||
           (strcmp(id, "whittaker") == 0 && x->rule.coeffs.e == 0);
}

static void check_promises(tally *t, const trial *x, const sums *s)
{
    const carom_coeffs *c = &x->rule.coeffs;
    const long double p_n = s->p[N], rim = c->mu * p_n, arm = c->rho * p_n, roll = hypotl(s->p[4], s->p[5]);
    const double gain = (double)share_of(s->change, s->work), into = (double)share_of(-s->u[N], s->terms[N]);
    tally_check(t, x, PROPERTY_IMPULSE, p_n >= 0 && x->out.solutions >= 1, "p_n %.3g, solutions %d", (double)p_n,
                x->out.solutions);
    if (never_gains(x))
        tally_check(t, x, PROPERTY_ENERGY, gain <= FLAG_TOL, "gains %.2g of the terms of p.u and p K p", gain);
    tally_check(t, x, PROPERTY_CONE, s->held <= rim * (1 + FLAG_TOL), "dual norm of friction is mu p_n (1 + %.2g)",
                (double)share_of(s->held - rim, rim));
    tally_check(t, x, PROPERTY_CONE, roll <= arm * (1 + FLAG_TOL), "|m_t| is rho p_n (1 + %.2g)",
                (double)share_of(roll - arm, arm));
    tally_check(t, x, PROPERTY_PENETRATION, into <= FLAG_TOL, "approaches by %.2g of the terms of u_n + (K p)_n", into);
}

/* Whittaker's friction belongs to the slips at the end: its power there is the largest that mu p_n allows, -mu p_n Phi,
 * to the rounding of these slips; and so for rolling. */
static void check_dissipation(tally *t, const trial *x, const sums *s)
{
    const carom_coeffs *c = &x->rule.coeffs;
    const long double a = c->patch, p_n = s->p[N], *u = s->u, *p = s->p;
    const long double phi = norm_of_slip(x->rule.options.pressure, hypotl(u[0], u[1]), a * fabsl(u[SPIN]));
    const long double most = c->mu * p_n * phi, got = -(p[0] * u[0] + p[1] * u[1] + p[SPIN] * u[SPIN]);
    const long double terms = c->mu * p_n * (s->terms[0] + s->terms[1] + a * s->terms[SPIN]);
    const long double rolls = c->rho * p_n * hypotl(u[4], u[5]), brakes = -(p[4] * u[4] + p[5] * u[5]);
    const double slip = (double)share_of(fabsl(most - got), terms);
    const double roll = (double)share_of(fabsl(rolls - brakes), c->rho * p_n * (s->terms[4] + s->terms[5]));
    tally_check(t, x, PROPERTY_DISSIPATION, slip <= POWER_TOL && roll <= POWER_TOL,
                "power of friction misses its largest by %.2g of its terms, that of rolling by %.2g", slip, roll);
}

/* ---- the ledger ---- */

/* A flag is up where the violation is beyond twice the tolerance, and down within half of it. */
static bool flag_fits(bool up, long double violation)
{
    return up ? violation >= FLAG_TOL / 2 : violation <= 2 * FLAG_TOL;
}

static void check_ledger(tally *t, const trial *x, const sums *s)
{
    const carom_outcome *out = &x->out;
    const carom_energy *e = &out->energy;
    const carom_turning *turn = &out->turning;
    const long double tol = has_path(x) ? PATH_TOL : LEDGER_TOL, rim = x->rule.coeffs.mu * s->p[N];
    const long double parts = (long double)e->normal + e->friction + turn->spin + turn->roll;
    const double change = (double)share_of(fabsl(e->change - s->change), s->work);
    const double split = (double)share_of(fabsl(parts - s->change), s->work);
    const double cone = (double)share_of(fabsl(out->margins.cone - (rim - s->held)), rim + s->held);
    tally_check(t, x, PROPERTY_LEDGER, change <= tol, "energy change is off by %.2g of its terms", change);
    tally_check(t, x, PROPERTY_LEDGER, split <= tol, "normal + friction + spin + roll - change is %.2g of the terms",
                split);
    tally_check(t, x, PROPERTY_LEDGER, cone <= LEDGER_TOL, "margin of the cone is off by %.2g of its terms", cone);
    tally_check(t, x, PROPERTY_LEDGER,
                flag_fits(out->flags & CAROM_FLAG_CREATES_ENERGY, share_of(s->change, s->work)) &&
                    flag_fits(out->flags & CAROM_FLAG_OUTSIDE_CONE, share_of(s->held - rim, s->held + rim)) &&
                    flag_fits(out->flags & CAROM_FLAG_PENETRATES, share_of(-s->u[N], s->terms[N])),
                "flags %x", out->flags);
    tally_check(t, x, PROPERTY_LEDGER, e->after >= 0 && e->before >= 0, "energy before %.3g, after %.3g", e->before,
                e->after);
    if (has_path(x))
        tally_check(t, x, PROPERTY_LEDGER, e->friction <= 0 && turn->spin <= 0, "friction %.3g, spin %.3g", e->friction,
                    turn->spin);
}

/* The restitution of the law, measured on the outcome. */
static void check_coefficient(tally *t, const trial *x, const sums *s)
{
    const carom_phases *ph = &x->out.phases;
    const double e = x->rule.coeffs.e;
    const char *id = x->rule.law->id;
    if (x->status != CAROM_STATUS_OK)
        return;
    if (strcmp(id, "whittaker") == 0 || strcmp(id, "routh-newton") == 0) {
        const double off = (double)share_of(fabsl(s->u[N] + (long double)e * x->patch.u[N]), s->terms[N]);
        tally_check(t, x, PROPERTY_COEFFICIENT, off <= PATH_TOL, "u_n after = -e u_n is off by %.2g of its terms", off);
    } else if (strcmp(id, "routh-poisson") == 0) {
        const double off = (double)share_of(fabs(ph->p_restitution - e * ph->p_compression), ph->p_compression);
        tally_check(t, x, PROPERTY_COEFFICIENT, off <= PATH_TOL, "p_r = e p_c is off by %.2g p_c", off);
    } else {
        const double W_c = -ph->work_compression,
                     off = (double)share_of(fabs(ph->work_decompression - e * e * W_c), W_c);
        tally_check(t, x, PROPERTY_COEFFICIENT, off <= PATH_TOL, "W_r = -e^2 W_c is off by %.2g W_c", off);
    }
}

/* ---- without a patch ---- */

/* The first three numbers as carom_solve has them, and spins that are carried along. */
static void check_point(tally *t, const trial *x)
{
    const carom_problem point = carom_patch_point(&x->patch);
    carom_outcome out;
    const carom_status status = carom_solve(&point, &x->rule, NULL, &out);
    const carom_cspin m = x->out.turning.m;
    const bool same = memcmp(&out.p, &x->out.p, sizeof out.p) == 0 &&
                      memcmp(&out.u_after, &x->out.u_after, sizeof out.u_after) == 0 &&
                      memcmp(&out.energy, &x->out.energy, sizeof out.energy) == 0 && out.flags == x->out.flags;
    t->solved[t->law]++;
    tally_check(t, x, PROPERTY_POINT, status == x->status && same && m.n == 0 && m.t1 == 0 && m.t2 == 0,
                "%s, without a patch %s", carom_status_id(x->status), carom_status_id(status));
    if (carom_status_is_answer(status) && same) {
        const sums s = sums_of(x);
        check_rebound(t, x, &s);
    }
}

void check_patch(tally *t, const trial *x)
{
    const bool answered = carom_status_is_answer(x->status);
    if (x->kind == KIND_PATCH_NONE) {
        check_point(t, x);
        return;
    }
    t->partial[x->law] += !answered && !carom_status_is_refusal(x->status);
    if (!x->rule.law->patch) {
        tally_check(t, x, PROPERTY_POINT, may_refuse(x), "status %s", carom_status_id(x->status));
        return;
    }
    const bool finite = all_finite(x);
    tally_check(t, x, PROPERTY_STATUS, status_fits(x), "status %s", carom_status_id(x->status));
    tally_check(t, x, PROPERTY_FINITE, finite, "status %s", carom_status_id(x->status));
    if (!answered || !finite)
        return;
    const sums s = sums_of(x);
    check_rebound(t, x, &s);
    check_promises(t, x, &s);
    check_ledger(t, x, &s);
    check_coefficient(t, x, &s);
    if (!has_path(x))
        check_dissipation(t, x, &s);
}
