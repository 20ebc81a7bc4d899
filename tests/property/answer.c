/* What must hold of every answer, recomputed here from K, u and p in long double.
 *
 * Tolerances. The library states u_after = u + K p and its energies in double. A sum of n terms is exact to n eps times
 * the sum of their sizes, so each bound is a small multiple of eps times "terms", the absolute sum of what was added;
 * nothing else enters, neither the condition of K nor the law. One thing is added where K has an eigenvalue that may
 * count as zero (docs/numerics.md: below RANK_TOL of the largest, tangents and normal each in their unit): the answer
 * is then that of a K which differs by so much, and was found along eigenvectors that are rounded by FLAG_TOL. With k =
 * K_11 + K_22 and the size P = sqrt(k) |p_t| + sqrt(K_nn) |p_n| of p in these units, K p of the given K may differ by 2
 * (RANK_TOL + FLAG_TOL) P, and u is rounded by FLAG_TOL of its own size. */
#include <float.h>
#include <string.h>

#include "checks.h"

/* Memory that counts as unwritten where the compiler keeps account of it. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define MARK_UNWRITTEN(at, bytes) __msan_poison(at, bytes)
#endif
#endif
#ifndef MARK_UNWRITTEN
#define MARK_UNWRITTEN(at, bytes) ((void)(at))
#endif

#define EPS DBL_EPSILON

#define REBOUND_TOL   (16 * EPS) /* of the largest terms of u + K p: three products, three sums, and p rounded */
#define FLAG_TOL      (32 * EPS) /* docs/numerics.md: a margin counts as negative beyond this share of its terms */
#define SCOPE_TOL     (64 * EPS) /* of sqrt(K_tt K_nn): coupling that a law for diagonal K leaves out */
#define LEDGER_TOL    (32 * EPS) /* of the terms of the energies */
#define PATH_TOL      1e-13      /* advertised by the laws with a path, of their works and impulses */
#define UNDERFLOW     (64 * DBL_MIN * EPS) /* absolute: products below DBL_MIN lose their last bits */
#define NORMAL        (DBL_MIN / EPS)      /* terms below have lost bits themselves */
#define GRAZING_SHARE 1e-100     /* docs/numerics.md: an approach slower than this share of the slip is grazing */
#define SPRINGS_E     1e-3       /* docs/laws/jia.md: springs are followed to their end for e = 0 and from here on, */
#define SPRINGS_COND  1e5        /* up to this condition of K, */
#define SPRINGS_GRAZE 1e-6       /* and for approaches faster than this share of the slip */
#define RANK_TOL      (32 * EPS) /* docs/numerics.md: of the largest eigenvalue; a smaller one counts as zero */
#define RANK_DOUBT    4.0        /* times RANK_TOL: here an eigenvalue is bounded by the minors alone, to a third */
#define SINGULAR_TOL  1e-12      /* det K below this share of the product of its diagonal: K counts as singular here */

typedef struct sums {
    long double u[3], terms[3]; /* u + K p, and the sizes that were added */
    long double after[3];       /* the velocity the law stands for: its own where it gives one, else u + K p */
    long double change, work;   /* p.u + p K p / 2, and its sizes */
    long double friction;       /* |p_t| */
    long double most;           /* the trace of K times the largest component of p */
    long double left_out;       /* normal velocity that a law for diagonal K does not see */
    long double rank;           /* what an eigenvalue that counts as zero may change the normal velocity by */
    long double rank_energy;    /* and the energy */
    long double least;          /* what underflow of p and of products may change a velocity by */
    double mu;                  /* of the cone: the larger of mu and mu_s */
} sums;

static double share_of(long double part, long double whole)
{
    return whole > 0 ? (double)(part / whole) : 0;
}

/* det K over the sum of its principal minors lies between a third of the least eigenvalue and that one. Where rounding
 * hides det K, the answer is yes. */
static bool has_condition_above(const carom_csym *K, long double bound)
{
    const long double a = K->t11, b = K->t22, c = K->nn, d = K->t12, e = K->t1n, f = K->t2n, trace = a + b + c;
    long double det = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e);
    long double minors = (a * b - d * d) + (a * c - e * e) + (b * c - f * f);
    return !(bound * (det - 8 * LDBL_EPSILON * a * b * c) > trace * minors);
}

static void rank_slack(const trial *x, sums *s)
{
    const carom_cvec p = x->out.p, u = x->pb.u;
    long double k = sqrtl((long double)x->pb.K.t11 + x->pb.K.t22), n = sqrtl(x->pb.K.nn);
    long double size = k * hypotl(p.t1, p.t2) + n * fabsl(p.n);
    long double speed = (k > 0 ? hypotl(u.t1, u.t2) / k : 0) + fabsl(u.n) / n;
    long double open = FLAG_TOL * speed + 2 * (RANK_TOL + FLAG_TOL) * size;
    s->rank = open * n;
    s->rank_energy = open * size;
}

/* The approach that counts. */
static double approach_of(const trial *x)
{
    return x->status == CAROM_STATUS_GRAZING ? 0 : x->pb.u.n;
}

static sums sums_of(const trial *x)
{
    const carom_csym *c = &x->pb.K;
    const long double K[3][3] = {{c->t11, c->t12, c->t1n}, {c->t12, c->t22, c->t2n}, {c->t1n, c->t2n, c->nn}};
    const long double p[3] = {x->out.p.t1, x->out.p.t2, x->out.p.n}, u[3] = {x->pb.u.t1, x->pb.u.t2, approach_of(x)};
    sums s = {.mu = 0};
    for (int i = 0; i < 3; i++) {
        long double moved = 0, sizes = 0;
        for (int j = 0; j < 3; j++) {
            moved += K[i][j] * p[j];
            sizes += fabsl(K[i][j] * p[j]);
        }
        s.u[i] = u[i] + moved;
        s.terms[i] = fabsl(u[i]) + sizes;
        s.change += p[i] * (u[i] + moved / 2);
        s.work += fabsl(p[i]) * (fabsl(u[i]) + sizes);
    }
    const double given[3] = {x->out.u_after.t1, x->out.u_after.t2, x->out.u_after.n};
    for (int i = 0; i < 3; i++)
        s.after[i] = x->rule.law->traits & CAROM_TRAIT_GIVES_REBOUND ? given[i] : s.u[i];
    s.most = (K[0][0] + K[1][1] + K[2][2]) * fmaxl(fabsl(p[0]), fmaxl(fabsl(p[1]), fabsl(p[2])));
    if (has_condition_above(c, 1 / (RANK_DOUBT * RANK_TOL)))
        rank_slack(x, &s);
    s.least = UNDERFLOW * (1 + K[0][0] + K[1][1] + K[2][2]);
    s.friction = sqrtl(p[0] * p[0] + p[1] * p[1]);
    if (x->rule.law->traits & CAROM_TRAIT_PRINCIPAL_ONLY)
        s.left_out = SCOPE_TOL * sqrtl((K[0][0] + K[1][1]) * K[2][2]) * s.friction;
    s.mu = fmax(x->rule.coeffs.mu, x->rule.law->uses & CAROM_USES(mu_s) ? x->rule.coeffs.mu_s : 0);
    return s;
}

void trial_solve(tally *t, trial *x, int poison)
{
    memset(&x->out, poison, sizeof x->out);
    MARK_UNWRITTEN(&x->out, sizeof x->out);
    x->status = carom_solve(&x->pb, &x->rule, NULL, &x->out);
    t->solved[t->law]++;
}

/* ---- status ---- */

static bool is_singular(const carom_csym *K)
{
    double det = K->t11 * (K->t22 * K->nn - K->t2n * K->t2n) - K->t12 * (K->t12 * K->nn - K->t2n * K->t1n) +
                 K->t1n * (K->t12 * K->t2n - K->t22 * K->t1n);
    double whole = (K->t11 + K->t22 + K->nn) / 3;
    return !(det > SINGULAR_TOL * whole * whole * whole);
}

/* K between springs: its eigenvalues are the squares of the frequencies of sticking. */
static carom_csym between_springs(const carom_csym *K, double eta)
{
    carom_csym S = {K->t11, K->t12, K->t22, eta * K->t1n, eta * K->t2n, eta * K->nn * eta};
    return S;
}

/* Springs may swing more often than their bound allows: where directions differ much in frequency, the fast ones swing
 * thousands of times. */
static bool may_swing_on(const trial *x)
{
    double e = x->rule.coeffs.e, slip = hypot(x->pb.u.t1, x->pb.u.t2);
    const carom_csym S = between_springs(&x->pb.K, x->rule.coeffs.eta);
    bool light = has_condition_above(&S, SPRINGS_COND), tiny = e > 0 && e < SPRINGS_E;
    return x->rule.law->uses & CAROM_USES(eta) && (light || tiny || -x->pb.u.n < SPRINGS_GRAZE * slip);
}

static bool has_word(const char *word)
{
    static const char *const words[] = {"unbounded", "inconsistent"};
    return strcmp(word, words[0]) == 0 || strcmp(word, words[1]) == 0;
}

static bool may_refuse(const trial *x)
{
    unsigned traits = x->rule.law->traits;
    switch (x->status) {
    case CAROM_STATUS_NOT_PLANAR:
        return traits & CAROM_TRAIT_PLANAR_ONLY;
    case CAROM_STATUS_OUT_OF_SCOPE:
        return traits & (CAROM_TRAIT_PRINCIPAL_ONLY | CAROM_TRAIT_CONTACT_FORCE);
    case CAROM_STATUS_INADMISSIBLE:
        return x->rule.law->uses & CAROM_USES(ratio_1);
    case CAROM_STATUS_BAD_MATRIX: /* sixteen decades: the least eigenvalue is rounding, of either sign */
        return x->kind == KIND_ILL_16;
    case CAROM_STATUS_IMMOVABLE:
        return x->kind == KIND_INTEGERS || x->kind == KIND_STILL || x->kind == KIND_ILL_16;
    case CAROM_STATUS_OUT_OF_RANGE:
        return x->kind == KIND_SCALES || x->kind == KIND_MU_EXTREME || x->kind == KIND_DENORMALS;
    case CAROM_STATUS_PAINLEVE:
    case CAROM_STATUS_LOST:
    case CAROM_STATUS_NOT_REGULAR:
        return traits & CAROM_TRAIT_CONTACT_FORCE;
    case CAROM_STATUS_EVENT_LIMIT:
    case CAROM_STATUS_STEP_LIMIT:
        return may_swing_on(x);
    case CAROM_STATUS_BAD_COEFFICIENT:
    case CAROM_STATUS_NOT_FINITE:
        return isinf(x->rule.coeffs.mu);
    default:
        return has_word(carom_status_id(x->status)) && is_singular(&x->pb.K);
    }
}

static bool is_zero(const carom_outcome *out)
{
    const carom_cvec v[2] = {out->p, out->u_after};
    bool zero = out->energy.before == 0 && out->energy.change == 0 && out->flags == 0;
    for (int i = 0; i < 2; i++)
        zero = zero && v[i].t1 == 0 && v[i].t2 == 0 && v[i].n == 0;
    return zero;
}

static bool status_fits(const trial *x)
{
    carom_cvec u = x->pb.u;
    bool still = u.n > 0 || (u.t1 == 0 && u.t2 == 0 && u.n == 0);
    if (x->status != x->out.status)
        return false;
    if (!carom_status_is_answer(x->status))
        return may_refuse(x) && (!carom_status_is_refusal(x->status) || is_zero(&x->out));
    double share = -u.n / hypot(u.t1, u.t2); /* infinite without slip */
    bool at_border = fabs(share / GRAZING_SHARE - 1) <= FLAG_TOL;
    bool grazes = at_border ? x->status == CAROM_STATUS_GRAZING : share < GRAZING_SHARE;
    return x->status == (still ? CAROM_STATUS_SEPARATING : grazes ? CAROM_STATUS_GRAZING : CAROM_STATUS_OK);
}

/* ---- numbers ---- */

static bool all_finite(const carom_outcome *out)
{
    const carom_energy *e = &out->energy;
    const double must[] = {out->p.t1,      out->p.t2,           out->p.n,           out->u_after.t1, out->u_after.t2,
                           out->u_after.n, e->before,           e->after,           e->change,       e->normal,
                           e->friction,    out->margins.normal, out->margins.energy};
    const carom_restitution *r = &out->restitution;
    const carom_phases *ph = &out->phases;
    const double may[] = {r->newton,         r->poisson,          r->stronge,           r->ivanov,
                          ph->p_compression, ph->p_restitution,   ph->work_compression, ph->work_decompression,
                          ph->work_friction, out->friction_ratio, out->margins.cone};
    bool fine = true;
    for (size_t i = 0; i < sizeof must / sizeof must[0]; i++)
        fine = fine && isfinite(must[i]);
    for (size_t i = 0; i < sizeof may / sizeof may[0]; i++) /* quotients of what may underflow: infinite, not NaN */
        fine = fine && !isnan(may[i]);
    int listed = out->solutions > 1 ? out->solutions : 0;
    for (int i = 0; i < listed && i < CAROM_SOLUTIONS_KEPT; i++)
        fine = fine && isfinite(out->all[i].t1 + out->all[i].t2 + out->all[i].n);
    return fine;
}

static void check_rebound(tally *t, const trial *x, const sums *s)
{
    const double got[3] = {x->out.u_after.t1, x->out.u_after.t2, x->out.u_after.n};
    double worst = 0, tol = x->rule.law->traits & CAROM_TRAIT_GIVES_REBOUND ? PATH_TOL : REBOUND_TOL;
    long double terms = fmaxl(s->terms[0], fmaxl(s->terms[1], s->terms[2]));
    if (x->rule.law->traits & CAROM_TRAIT_GIVES_REBOUND)
        terms = fmaxl(terms, s->most); /* their p is right in proportion to its largest component */
    for (int i = 0; i < 3; i++)
        worst = fmax(worst, share_of(fabsl(got[i] - s->u[i]) - s->least, terms));
    tally_check(t, x, PROPERTY_REBOUND, worst <= tol, "u_after is off by %.2g of its terms", worst);
}

static void check_promises(tally *t, const trial *x, const sums *s)
{
    unsigned traits = x->rule.law->traits;
    double p_n = x->out.p.n, gain = share_of(s->change - s->least - s->rank_energy, s->work);
    long double rim = s->mu * (long double)p_n, beyond = s->friction - rim - UNDERFLOW * (1 + (long double)s->mu);
    double into = share_of(-s->after[2] - s->least - s->left_out - s->rank, s->terms[2]);
    tally_check(t, x, PROPERTY_IMPULSE, p_n >= 0 && x->out.solutions >= 1, "p_n %.3g, solutions %d", p_n,
                x->out.solutions);
    if (traits & CAROM_TRAIT_ENERGY_SAFE)
        tally_check(t, x, PROPERTY_ENERGY, gain <= FLAG_TOL, "gains %.2g of the terms of p.u and p K p", gain);
    if (traits & CAROM_TRAIT_CONE_SAFE)
        tally_check(t, x, PROPERTY_CONE, !(beyond > FLAG_TOL * rim), "|p_t| = mu p_n (1 + %.2g)",
                    share_of(beyond, rim));
    if (traits & CAROM_TRAIT_NO_PENETRATION)
        tally_check(t, x, PROPERTY_PENETRATION, into <= FLAG_TOL, "approaches by %.2g of the terms of u_n + (K p)_n",
                    into);
}

/* ---- the ledger ---- */

/* A flag must be up where the margin is negative beyond twice the tolerance (and what the rank of K leaves open), and
 * down within half of it. */
static bool flag_fits(bool up, double violation, double open)
{
    return up ? violation >= FLAG_TOL / 2 : violation <= 2 * FLAG_TOL + open;
}

static bool flags_fit(const trial *x, const sums *s)
{
    const carom_outcome *out = &x->out;
    double cone = x->rule.coeffs.mu * fabs(out->p.n), rim = cone + (double)s->friction;
    double into = s->terms[2] > NORMAL ? -out->u_after.n / (double)s->terms[2] : 0;
    double gain = s->work > NORMAL ? (double)(s->change / s->work) : 0;
    double beyond = rim > NORMAL && isfinite(rim) ? ((double)s->friction - x->rule.coeffs.mu * out->p.n) / rim : 0;
    double open_normal = share_of(s->rank, s->terms[2]), open_energy = share_of(s->rank_energy, s->work);
    bool energy = s->work <= NORMAL || flag_fits(out->flags & CAROM_FLAG_CREATES_ENERGY, gain, open_energy);
    bool normal = s->terms[2] <= NORMAL || flag_fits(out->flags & CAROM_FLAG_PENETRATES, into, open_normal);
    bool friction = !(rim > NORMAL) || flag_fits(out->flags & CAROM_FLAG_OUTSIDE_CONE, beyond, 0);
    return energy && normal && friction;
}

static void check_ledger(tally *t, const trial *x, const sums *s)
{
    const carom_energy *e = &x->out.energy;
    bool has_path = x->out.phases.phases > 0;
    long double terms = s->work + UNDERFLOW / EPS, ledger_tol = has_path ? PATH_TOL : LEDGER_TOL;
    double change = (double)((fabsl(e->change - s->change) - s->rank_energy) / terms);
    double split = (double)((fabsl((long double)e->normal + e->friction - s->change) - s->rank_energy) / terms);
    tally_check(t, x, PROPERTY_LEDGER, change <= ledger_tol, "energy change is off by %.2g of its terms", change);
    tally_check(t, x, PROPERTY_LEDGER, split <= ledger_tol, "normal + friction - change is %.2g of the terms", split);
    tally_check(t, x, PROPERTY_LEDGER, flags_fit(x, s), "flags %x", x->out.flags);
    tally_check(t, x, PROPERTY_LEDGER, e->after >= 0 && e->before >= 0, "energy before %.3g, after %.3g", e->before,
                e->after);
}

/* ---- the law's own coefficient ---- */

static bool is_law(const trial *x, const char *id)
{
    return strcmp(x->rule.law->id, id) == 0;
}

/* docs/laws/jia.md: u_n is rounded with the slip. A spot that sticks from the start, on an approach next to nothing, is
 * opened by its tangential springs before the normal one has worked: W_c then has the digits that u_n has left. */
static double opening_slack(const trial *x)
{
    const carom_coeffs *c = &x->rule.coeffs;
    double slip = hypot(x->pb.u.t1, x->pb.u.t2), v_n = -x->pb.u.n;
    bool opens = is_law(x, "jia") && v_n < SPRINGS_GRAZE * slip && c->mu * c->eta * c->eta * v_n > 0.5 * slip;
    return opens ? 64 * EPS * slip / v_n : 0;
}

static void check_path_coefficient(tally *t, const trial *x)
{
    const carom_phases *ph = &x->out.phases;
    double e = x->rule.coeffs.e;
    if (is_law(x, "routh-poisson")) {
        double error = fabs(ph->p_restitution - e * ph->p_compression) / (ph->p_compression + UNDERFLOW / EPS);
        tally_check(t, x, PROPERTY_COEFFICIENT, error <= PATH_TOL, "p_r = e p_c is off by %.2g p_c", error);
    }
    if (is_law(x, "routh-stronge") || is_law(x, "jia")) {
        double error =
            fabs(ph->work_decompression + e * e * ph->work_compression) / (UNDERFLOW / EPS - ph->work_compression);
        tally_check(t, x, PROPERTY_COEFFICIENT, error <= PATH_TOL + opening_slack(x),
                    "W_r = -e^2 W_c is off by %.2g W_c", error);
    }
}

static void check_coefficient(tally *t, const trial *x, const sums *s)
{
    double e = x->rule.coeffs.e;
    bool jammed = x->out.flags & CAROM_FLAG_JAM && is_singular(&x->pb.K);
    if (x->status != CAROM_STATUS_OK || jammed)
        return;
    if (x->rule.law->traits & CAROM_TRAIT_NEWTON_E || is_law(x, "routh-newton")) {
        long double missed = fabsl(s->after[2] + (long double)e * x->pb.u.n) - s->left_out - s->rank;
        const carom_csym *K = &x->pb.K; /* friction is rounded in proportion to its length, in whatever tangents */
        long double terms = fmaxl(s->terms[2], hypotl(K->t1n, K->t2n) * s->friction);
        double error = (double)(missed / (terms + UNDERFLOW / EPS));
        double tol =
            x->rule.law->traits & CAROM_TRAIT_CLOSED_FORM ? REBOUND_TOL : FLAG_TOL; /* an iteration rounds, too */
        tally_check(t, x, PROPERTY_COEFFICIENT, error <= tol, "u_n after = -e u_n is off by %.2g of its terms", error);
    }
    if (is_law(x, "ivanov")) { /* p K p = -(1 + e) p.u */
        const carom_cvec p = x->out.p, u = x->pb.u;
        long double toward = (long double)p.t1 * u.t1 + (long double)p.t2 * u.t2 + (long double)p.n * u.n;
        double error =
            (double)(fabsl(2 * (s->change - toward) + (1 + (long double)e) * toward) / (s->work + UNDERFLOW / EPS));
        tally_check(t, x, PROPERTY_COEFFICIENT, error <= REBOUND_TOL, "p K p = -(1 + e) p.u is off by %.2g", error);
    }
    check_path_coefficient(t, x);
}

void check_answer(tally *t, const trial *x)
{
    bool answered = carom_status_is_answer(x->status), finite = all_finite(&x->out);
    t->partial[x->law] += !answered && !carom_status_is_refusal(x->status);
    tally_check(t, x, PROPERTY_STATUS, status_fits(x), "status %s", carom_status_id(x->status));
    tally_check(t, x, PROPERTY_FINITE, finite, "status %s", carom_status_id(x->status));
    if (!answered || !finite)
        return;
    const sums s = sums_of(x);
    check_rebound(t, x, &s);
    check_promises(t, x, &s);
    check_ledger(t, x, &s);
    check_coefficient(t, x, &s);
}
