/* An answer of a contact with a patch against the answer to a related problem, in the way of relatives.c: two answers
 * agree when they are CLOSE, or within SPREAD_SAFETY of what neighbours of both problems spread over. */
#include <float.h>
#include <string.h>

#include "checks.h"

enum { ROWS = CAROM_PATCH_SIZE, GROUPS = 4 };

#define EPS           DBL_EPSILON
#define TURN          6.283185307179586
#define CLOSE         1e-13 /* of the terms of its rows */
#define SPREAD_SAFETY 8.0
#define USELESS       1e-3

#define NUDGE     1e-5 /* as in relatives.c */
#define STEEPNESS 1e3
#define JUMP      1e-4
enum { HALVINGS = 30 };

#define LIMIT_FAR  -8.0 /* decades of a |w| over the approach: patches that nearly vanish */
#define LIMIT_NEAR -12.0
#define LIMIT_TOL  1e4 /* times that share, of p: what such a patch may change */

/* Rows that a turn does not mix: slip, normal, spin, rolling. */
static const int group_of[ROWS] = {0, 0, 1, 2, 3, 3};

/* Impulses and velocities by rows; moments over the length of the patch, so that all are impulses. */
typedef struct answer {
    carom_status status;
    double p[ROWS], u[ROWS];
    int phases;
    bool answered;
} answer;

static double length_of(const carom_rule *rule)
{
    return rule->coeffs.patch > 0 ? rule->coeffs.patch : rule->coeffs.rho > 0 ? rule->coeffs.rho : 1;
}

static answer answer_of(const carom_outcome *out, const carom_rule *rule)
{
    const carom_cspin m = out->turning.m, w = out->turning.w_after;
    const double a = length_of(rule);
    const answer got = {out->status,
                        {out->p.t1, out->p.t2, out->p.n, m.n / a, m.t1 / a, m.t2 / a},
                        {out->u_after.t1, out->u_after.t2, out->u_after.n, w.n, w.t1, w.t2},
                        out->phases.phases,
                        carom_status_is_answer(out->status)};
    return got;
}

static answer solve(tally *t, const carom_patch_problem *pb, const carom_rule *rule)
{
    carom_outcome out;
    const carom_status status = carom_patch_solve(pb, rule, NULL, &out);
    t->solved[t->law]++;
    out.status = status;
    return answer_of(&out, rule);
}

static double size_of(const double p[ROWS])
{
    double size = 0;
    for (int i = 0; i < ROWS; i++)
        size = fmax(size, fabs(p[i]));
    return size;
}

static double apart(const answer *a, const answer *b)
{
    double far = 0;
    for (int i = 0; i < ROWS; i++)
        far = fmax(far, fabs(a->p[i] - b->p[i]));
    return far;
}

static carom_patch_problem neighbour(const carom_patch_problem *pb, dice *d, double size)
{
    carom_patch_problem near = *pb;
    const int n = pb->size;
    for (int i = 0; i < n; i++) {
        near.u[i] *= 1 + dice_between(d, -size, size);
        for (int j = 0; j <= i; j++)
            near.K[i * n + j] = near.K[j * n + i] = pb->K[i * n + j] * (1 + dice_between(d, -size, size));
    }
    return near;
}

/* ---- relations ---- */

/* K times k, velocities times v, lengths times length, tangents turned or mirrored: a linear map of the rows. */
typedef struct relation {
    property property;
    double k, v, length;
    double c, s; /* of the turn */
    bool mirror; /* t1 to -t1: spins are axial vectors */
} relation;

/* Rows of velocities (with the factor of angular ones), forward or back. */
static void map_rows(const relation *r, double angular, bool back, double x[ROWS])
{
    static const double mirrored[ROWS] = {-1, 1, 1, -1, 1, -1};
    const double s = back ? -r->s : r->s;
    double y[ROWS];
    for (int i = 0; i < ROWS; i++)
        y[i] = x[i] * (i < 3 ? 1 : angular) * (r->mirror ? mirrored[i] : 1);
    x[0] = r->c * y[0] + s * y[1];
    x[1] = r->c * y[1] - s * y[0];
    x[2] = y[2];
    x[3] = y[3];
    x[4] = r->c * y[4] + s * y[5];
    x[5] = r->c * y[5] - s * y[4];
}

static void map_problem(const relation *r, const carom_patch_problem *pb, carom_patch_problem *to)
{
    const int n = pb->size;
    double rows[ROWS][ROWS] = {{0}}, u[ROWS] = {0};
    for (int i = 0; i < n; i++) {
        u[i] = pb->u[i];
        for (int j = 0; j < n; j++)
            rows[i][j] = pb->K[i * n + j];
    }
    map_rows(r, 1 / r->length, false, u);
    for (int i = 0; i < n; i++)
        map_rows(r, 1 / r->length, false, rows[i]);
    *to = *pb;
    for (int j = 0; j < n; j++) {
        double column[ROWS] = {0};
        for (int i = 0; i < n; i++)
            column[i] = rows[i][j];
        map_rows(r, 1 / r->length, false, column);
        to->u[j] = r->v * u[j];
        for (int i = 0; i <= j; i++)
            to->K[i * n + j] = to->K[j * n + i] = r->k * column[i];
    }
}

static answer bring_back(const relation *r, answer got)
{
    map_rows(r, 1, true, got.p); /* over the length, which has grown with the moments */
    map_rows(r, r->length, true, got.u);
    for (int i = 0; i < ROWS; i++) {
        got.p[i] *= r->k / r->v;
        got.u[i] /= r->v;
    }
    return got;
}

/* ---- comparison ---- */

/* Distances of two answers by groups of rows. */
typedef struct distance {
    double p[GROUPS], u[GROUPS];
    bool other_status;
} distance;

static void widen(distance *far, const answer *a, const answer *b)
{
    if (a->status != b->status)
        far->other_status = true;
    if (!a->answered || !b->answered)
        return;
    for (int i = 0; i < ROWS; i++) {
        const int g = group_of[i];
        far->p[g] = fmax(far->p[g], fabs(a->p[i] - b->p[i]));
        far->u[g] = fmax(far->u[g], fabs(a->u[i] - b->u[i]));
    }
}

/* Sizes that p and the terms of u + K p have. */
static distance scales_of(const trial *x, const answer *want)
{
    distance s = {{0}, {0}, false};
    const int n = x->patch.size;
    const double a = length_of(&x->rule), most = size_of(want->p);
    for (int i = 0; i < n; i++) {
        double terms = fabs(x->patch.u[i]);
        for (int j = 0; j < n; j++)
            terms += fabs(x->patch.K[i * n + j]) * most * (j < 3 ? 1 : a);
        s.u[group_of[i]] = fmax(s.u[group_of[i]], terms);
    }
    for (int g = 0; g < GROUPS; g++)
        s.p[g] = most;
    return s;
}

static bool within(const distance *far, const distance *scale, const distance *spread)
{
    bool fine = !far->other_status || spread->other_status;
    for (int g = 0; g < GROUPS; g++)
        fine = fine && far->p[g] <= CLOSE * scale->p[g] + SPREAD_SAFETY * spread->p[g] &&
               far->u[g] <= CLOSE * scale->u[g] + SPREAD_SAFETY * spread->u[g];
    return fine;
}

static bool is_undecided(const distance *spread, const distance *scale)
{
    bool any = false;
    for (int g = 0; g < GROUPS; g++)
        any = any || spread->p[g] > USELESS * scale->p[g] || spread->u[g] > USELESS * scale->u[g];
    return any;
}

static double largest_share(const double part[GROUPS], const double whole[GROUPS])
{
    double share = 0;
    for (int g = 0; g < GROUPS; g++)
        share = fmax(share, whole[g] > 0 ? part[g] / whole[g] : 0);
    return share;
}

/* Neighbours of both problems are solved while the answers disagree. */
static void compare(tally *t, const trial *x, const relation *r)
{
    static const int rounds[] = {8, 64, 512};
    carom_rule rule = x->rule;
    carom_patch_problem there;
    rule.coeffs.patch *= r->length;
    rule.coeffs.rho *= r->length;
    map_problem(r, &x->patch, &there);
    const answer want = answer_of(&x->out, &x->rule), got = bring_back(r, solve(t, &there, &rule));
    const distance scale = scales_of(x, &want);
    distance far = {{0}, {0}, false}, spread = far;
    widen(&far, &got, &want);
    bool holds = within(&far, &scale, &spread), undecided = false;
    for (int round = 0; round < 3 && !holds && !undecided; round++)
        for (int i = 0; i < rounds[round] && !holds && !undecided; i++) {
            const carom_patch_problem here = neighbour(&x->patch, x->d, (4 << round) * EPS),
                                      near = neighbour(&there, x->d, (4 << round) * EPS);
            const answer a = solve(t, &here, &x->rule), b = bring_back(r, solve(t, &near, &rule));
            widen(&spread, &a, &want);
            widen(&spread, &b, &got);
            holds = within(&far, &scale, &spread);
            undecided = is_undecided(&spread, &scale);
        }
    t->undecided += undecided && !holds;
    tally_check(t, x, r->property, holds || undecided,
                "%s, then %s; p differs by %.2g, u by %.2g; neighbours by %.2g, %.2g", carom_status_id(want.status),
                carom_status_id(got.status), largest_share(far.p, scale.p), largest_share(far.u, scale.u),
                largest_share(spread.p, scale.p), largest_share(spread.u, scale.u));
}

static void check_turned(tally *t, const trial *x)
{
    const double angle = dice_between(x->d, 0, TURN);
    const relation r = {PROPERTY_TURNED, 1, 1, 1, cos(angle), sin(angle), false};
    compare(t, x, &r);
}

static void check_mirror(tally *t, const trial *x)
{
    const relation r = {PROPERTY_MIRROR, 1, 1, 1, 1, 0, true};
    compare(t, x, &r);
}

static void check_scaled(tally *t, const trial *x)
{
    const relation r = {
        PROPERTY_SCALED, dice_decades(x->d, -6, 6), dice_decades(x->d, -6, 6), dice_decades(x->d, -3, 3), 1, 0, false};
    compare(t, x, &r);
}

/* Powers of two, of four for K, whose roots are taken. Steps of paths are lengths with roots of their own: they differ
 * by rounding, which `scaled` holds them to. */
static void check_units(tally *t, const trial *x)
{
    if (x->rule.law->traits & CAROM_TRAIT_HAS_PATH) {
        check_scaled(t, x);
        return;
    }
    const relation r = {PROPERTY_UNITS,
                        ldexp(1, 2 * (dice_below(x->d, 21) - 10)),
                        ldexp(1, dice_below(x->d, 41) - 20),
                        ldexp(1, dice_below(x->d, 21) - 10),
                        1,
                        0,
                        false};
    carom_rule rule = x->rule;
    carom_patch_problem there;
    rule.coeffs.patch *= r.length;
    rule.coeffs.rho *= r.length;
    map_problem(&r, &x->patch, &there);
    const answer want = answer_of(&x->out, &x->rule), got = bring_back(&r, solve(t, &there, &rule));
    bool same = got.status == want.status;
    for (int i = 0; i < ROWS; i++)
        same = same && got.p[i] == want.p[i] && got.u[i] == want.u[i];
    tally_check(t, x, PROPERTY_UNITS, same, "K times %g, u times %g, lengths times %g: %s, p_n %.17g", r.k, r.v,
                r.length, carom_status_id(got.status), got.p[2]);
}

/* ---- continuity ---- */

static carom_patch_problem on_the_way(const carom_patch_problem *a, const carom_patch_problem *b, double s)
{
    carom_patch_problem pb = *a;
    for (int i = 0; i < ROWS; i++)
        pb.u[i] += s * (b->u[i] - a->u[i]);
    for (int i = 0; i < ROWS * ROWS; i++)
        pb.K[i] += s * (b->K[i] - a->K[i]);
    return pb;
}

/* Follow the larger change; what is left of it in the end, and none where a further compression begins. */
static double remaining_jump(tally *t, const trial *x, const carom_patch_problem *far, answer last)
{
    double low = 0, high = 1;
    answer first = answer_of(&x->out, &x->rule);
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = low + (high - low) / 2;
        const carom_patch_problem pb = on_the_way(&x->patch, far, middle);
        const answer a = solve(t, &pb, &x->rule);
        const bool left = apart(&first, &a) > apart(&a, &last);
        if (!a.answered)
            return 0;
        last = left ? a : last;
        first = left ? first : a;
        high = left ? middle : high;
        low = left ? low : middle;
    }
    return first.phases == last.phases ? apart(&first, &last) / fmax(size_of(first.p), size_of(last.p)) : 0;
}

/* Paths are unique. Whittaker's law is where nothing couples with the normal. */
static bool is_continuous(const trial *x)
{
    const bool path = x->rule.law->traits & CAROM_TRAIT_HAS_PATH;
    return kind_is_tame(x->kind) && x->status == CAROM_STATUS_OK && (path || x->kind == KIND_PATCH_BALLS) &&
           x->out.phases.phases <= 1 && !(x->out.flags & CAROM_FLAG_JAM);
}

static void check_continuity(tally *t, const trial *x)
{
    if (!is_continuous(x))
        return;
    const carom_patch_problem far = neighbour(&x->patch, x->d, NUDGE);
    const answer a = solve(t, &far, &x->rule), here = answer_of(&x->out, &x->rule);
    if (!a.answered)
        return;
    const double change = apart(&a, &here) / fmax(size_of(a.p), size_of(here.p));
    const double jump = change <= STEEPNESS * NUDGE ? 0 : remaining_jump(t, x, &far, a);
    tally_check(t, x, PROPERTY_CONTINUITY, jump <= JUMP, "jumps by %.2g of p", jump);
}

/* A patch whose a |w| is far below the approach, against the point contact. */
static void check_limit(tally *t, const trial *x)
{
    const carom_patch_problem *pb = &x->patch;
    const double spin = fabs(pb->u[3]) + (pb->size == 6 ? hypot(pb->u[4], pb->u[5]) : 0);
    const carom_problem point = carom_patch_point(pb);
    carom_rule rule = x->rule;
    carom_outcome out;
    if (!is_continuous(x))
        return;
    const double share = dice_decades(x->d, LIMIT_NEAR, LIMIT_FAR), least = 1 + spin / -pb->u[2];
    rule.coeffs.patch = share / least;
    rule.coeffs.rho *= rule.coeffs.patch / length_of(&x->rule);
    const answer a = solve(t, pb, &rule);
    rule.coeffs.patch = rule.coeffs.rho = 0;
    const carom_status status = carom_solve(&point, &rule, NULL, &out);
    t->solved[t->law]++;
    const double size = fmax(fabs(out.p.n), hypot(out.p.t1, out.p.t2));
    const double far = fmax(fabs(a.p[2] - out.p.n), hypot(a.p[0] - out.p.t1, a.p[1] - out.p.t2));
    if (status != CAROM_STATUS_OK || out.phases.phases != a.phases || out.flags & CAROM_FLAG_JAM)
        return;
    tally_check(t, x, PROPERTY_LIMIT, a.answered && far <= LIMIT_TOL * share * size,
                "%s; a patch of %.2g changes p by %.2g", carom_status_id(a.status), share / least, far / size);
}

/* ---- memory ---- */

static void check_written(tally *t, const trial *x)
{
    trial again = *x;
    trial_solve_patch(t, &again, 0x41);
    const carom_outcome *a = &again.out, *b = &x->out;
    bool same = a->status == b->status && a->flags == b->flags && a->mode == b->mode && a->solutions == b->solutions &&
                a->turning.rolling == b->turning.rolling;
    same = same && memcmp(&a->p, &b->p, sizeof a->p) == 0 && memcmp(&a->u_after, &b->u_after, sizeof a->u_after) == 0;
    same = same && memcmp(&a->energy, &b->energy, sizeof a->energy) == 0;
    same = same && memcmp(&a->margins, &b->margins, sizeof a->margins) == 0;
    same = same && memcmp(&a->turning.m, &b->turning.m, sizeof a->turning.m) == 0 &&
           memcmp(&a->turning.w_after, &b->turning.w_after, sizeof a->turning.w_after) == 0 &&
           a->turning.spin == b->turning.spin && a->turning.roll == b->turning.roll;
    tally_check(t, x, PROPERTY_WRITTEN, same, "the outcome depends on what was there before");
}

void check_patch_relative(tally *t, const trial *x)
{
    static void (*const checks[])(tally *, const trial *) = {check_turned,     check_mirror, check_scaled, check_units,
                                                             check_continuity, check_limit,  check_written};
    const bool known = carom_status_is_answer(x->status) || carom_status_is_refusal(x->status);
    if (known && x->rule.law->patch && x->kind != KIND_PATCH_NONE)
        checks[dice_below(x->d, 7)](t, x);
}
