/* An answer against the answer to a related problem: turned, mirrored, in other units, next to it.
 *
 * Turning or scaling a problem rounds its numbers, and a law may be sensitive to that. How much, is measured: the law
 * solves neighbours of the problem, whose numbers differ by a few units in the last place in the way the relation
 * rounds them. Two answers agree when they are CLOSE, or when their distance is at most SPREAD_SAFETY times what the
 * neighbours spread over. Where neighbours differ by more than USELESS of the answer (a jump of the law, a condition
 * of 1e13), rounding decides, and the comparison is counted as undecided. Nothing else is tolerated. */
#include <float.h>
#include <string.h>

#include "checks.h"

#define EPS           DBL_EPSILON
#define TURN          6.283185307179586
#define FLOOR         1e-290 /* below, turning a velocity loses bits, and impulses underflow */
#define CLOSE         1e-13  /* of the largest component: laws advertise 1e-13 to 1e-14 for given K */
#define SPREAD_SAFETY 8.0    /* neighbours sample the worst case; the relation may hit it */
#define USELESS       1e-3
#define MU_MAX        0x1p200 /* docs/numerics.md: friction from here on is infinite */

enum { EVENTS_MOST = 256 }; /* a path with more of them multiplies rounding beyond use, and takes too long to repeat */

#define NUDGE     1e-5 /* relative distance of the two problems between which continuity is examined */
#define STEEPNESS 1e3  /* a change of up to this times NUDGE is continuous enough to look no further */
#define JUMP      1e-4 /* of the answer: a change that is left when the distance has gone to NUDGE 2^-30 = 1e-14 */
enum { HALVINGS = 30 };

/* How a relation rounds: entry by entry, or with tangents mixed. */
typedef enum rounding { PLAIN, MIXED } rounding;

typedef struct answer {
    carom_status status;
    carom_cvec p, u_after;
    int phases;
    double p_compression;
    bool answered;
} answer;

static answer answer_of(const carom_outcome *out)
{
    answer a = {out->status,
                out->p,
                out->u_after,
                out->phases.phases,
                out->phases.p_compression,
                carom_status_is_answer(out->status)};
    return a;
}

static answer solve(tally *t, const carom_problem *pb, const carom_rule *rule)
{
    carom_outcome out;
    carom_status status = carom_solve(pb, rule, NULL, &out);
    t->solved[t->law]++;
    answer a = answer_of(&out);
    a.status = status;
    return a;
}

static double size_of(carom_cvec v)
{
    return fmax(fabs(v.t1), fmax(fabs(v.t2), fabs(v.n)));
}

static double apart(carom_cvec a, carom_cvec b)
{
    return size_of(carom_cvec_sub(a, b));
}

/* Zero, or far from where bits are lost. */
static bool is_safe(carom_cvec v, double least, double most)
{
    const double at[3] = {fabs(v.t1), fabs(v.t2), fabs(v.n)};
    bool safe = true;
    for (int i = 0; i < 3; i++)
        safe = safe && (at[i] == 0 || (at[i] > least && at[i] < most));
    return safe;
}

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static double noise(dice *d, double size)
{
    return 1 + dice_between(d, -size, size);
}

static carom_problem plain_neighbour(const carom_problem *pb, dice *d, double size)
{
    const carom_csym *K = &pb->K;
    carom_problem near = {{K->t11 * noise(d, size), K->t12 * noise(d, size), K->t22 * noise(d, size),
                           K->t1n * noise(d, size), K->t2n * noise(d, size), K->nn * noise(d, size)},
                          {pb->u.t1 * noise(d, size), pb->u.t2 * noise(d, size), pb->u.n * noise(d, size)}};
    return near;
}

/* Tangents to (1 + E) of themselves, where E is small: K stays of its rank, to rounding. */
static carom_problem stretched(const carom_problem *pb, dice *d, double size)
{
    const carom_csym *K = &pb->K;
    double a = noise(d, size), b = noise(d, size) - 1, c = noise(d, size) - 1, e = noise(d, size), n = noise(d, size);
    double k11 = a * K->t11 + b * K->t12, k12 = a * K->t12 + b * K->t22, k21 = c * K->t11 + e * K->t12,
           k22 = c * K->t12 + e * K->t22;
    carom_problem near = {{k11 * a + k12 * b, k11 * c + k12 * e, k21 * c + k22 * e, (a * K->t1n + b * K->t2n) * n,
                           (c * K->t1n + e * K->t2n) * n, K->nn * n * n},
                          {a * pb->u.t1 + b * pb->u.t2, c * pb->u.t1 + e * pb->u.t2, pb->u.n * n}};
    return near;
}

/* Stretched in turned tangents: rounded as the relation rounds. */
static carom_problem mixed_neighbour(const carom_problem *pb, dice *d, double size)
{
    double angle = dice_between(d, 0, TURN);
    carom_direction there = {cos(angle), sin(angle)}, back = {there.c, -there.s};
    carom_problem turned = carom_problem_turned(pb, there), near = stretched(&turned, d, size);
    return carom_problem_turned(&near, back);
}

/* What neighbours of the problem are given, so far. */
typedef struct spread {
    double p, u;
    bool other_status;
} spread;

static void sample(tally *t, const trial *x, rounding how, double size, spread *s)
{
    carom_problem near = how == MIXED ? mixed_neighbour(&x->pb, x->d, size) : plain_neighbour(&x->pb, x->d, size);
    answer a = solve(t, &near, &x->rule);
    if (a.status != x->status)
        s->other_status = true;
    if (!a.answered)
        return;
    s->p = fmax(s->p, apart(a.p, x->out.p));
    s->u = fmax(s->u, apart(a.u_after, x->out.u_after));
}

/* A related problem as it was solved, before its answer is brought back. */
typedef struct related {
    carom_problem pb;
    carom_rule rule;
    answer got;
} related;

/* Its own entries are rounded, too, in other axes: tangents that differ much in mass lose digits there. */
static void sample_there(tally *t, const trial *x, const related *there, double size, spread *s)
{
    carom_problem near = plain_neighbour(&there->pb, x->d, size);
    answer a = solve(t, &near, &there->rule);
    if (a.status != there->got.status)
        s->other_status = true;
    if (!a.answered || !there->got.answered)
        return;
    s->p = fmax(s->p, apart(a.p, there->got.p));
    s->u = fmax(s->u, apart(a.u_after, there->got.u_after));
}

typedef struct distance {
    double p, u, scale_p, scale_u; /* of impulses and velocities, and what they are measured against */
    bool same_status, answered;
} distance;

static distance distance_of(const trial *x, const answer *got, const answer *want)
{
    const carom_csym *K = &x->pb.K; /* K p may cancel: its terms are what is rounded */
    double moved = (K->t11 + K->t22 + K->nn) * size_of(x->out.p);
    distance far = {
        apart(got->p, want->p),        apart(got->u_after, want->u_after), fmax(size_of(got->p), size_of(want->p)),
        fmax(size_of(x->pb.u), moved), got->status == want->status,        got->answered && want->answered};
    return far;
}

static bool within(const distance *far, const spread *s)
{
    if (!far->same_status && !s->other_status)
        return false;
    if (!far->answered)
        return true;
    bool p = far->p <= CLOSE * far->scale_p + SPREAD_SAFETY * s->p,
         u = far->u <= CLOSE * far->scale_u + SPREAD_SAFETY * s->u;
    return p && u;
}

static bool is_undecided(const distance *far, const spread *s)
{
    return s->p > USELESS * far->scale_p || s->u > USELESS * far->scale_u;
}

/* The answer to the related problem, brought back, against the answer at hand. More neighbours are asked for only while
 * the two disagree; where the relation mixes tangents, those of both problems. */
static void compare(tally *t, const trial *x, property which, const related *there, const answer *got)
{
    const rounding how = there ? MIXED : PLAIN;
    static const int rounds[] = {8, 64, 512, 2048};
    const answer want = answer_of(&x->out);
    distance far = distance_of(x, got, &want);
    spread s = {0, 0, false};
    bool partial = !got->answered && !carom_status_is_refusal(got->status); /* nothing is promised */
    bool holds = within(&far, &s), undecided = x->out.event_count > EVENTS_MOST || partial;
    for (int round = 0; round < 4 && !holds && !undecided; round++)
        for (int i = 0; i < rounds[round] && !holds && !undecided; i++) {
            sample(t, x, how, (4 << round) * EPS, &s);
            if (there)
                sample_there(t, x, there, EPS, &s);
            holds = within(&far, &s);
            undecided = is_undecided(&far, &s);
        }
    t->undecided += undecided && !holds;
    tally_check(t, x, which, holds || undecided, "%s, then %s; p differs by %.2g, u by %.2g; neighbours by %.2g, %.2g",
                carom_status_id(want.status), carom_status_id(got->status), share_of(far.p, far.scale_p),
                share_of(far.u, far.scale_u), share_of(s.p, far.scale_p), share_of(s.u, far.scale_u));
}

static carom_cvec turn(carom_cvec v, double c, double s)
{
    return carom_cvec_make(c * v.t1 + s * v.t2, -s * v.t1 + c * v.t2, v.n);
}

static void check_turned(tally *t, const trial *x)
{
    const carom_cvec size_p = {size_of(x->out.p), 0, 0};
    if (!is_safe(x->pb.u, FLOOR, 1 / FLOOR) || !is_safe(size_p, FLOOR, 1 / FLOOR) || x->out.energy.before > 1 / FLOOR)
        return;
    double angle = dice_between(x->d, 0, TURN);
    carom_direction to = {cos(angle), sin(angle)};
    carom_problem pb = carom_problem_turned(&x->pb, to);
    carom_rule rule = x->rule;
    rule.coeffs.ratio_1 = to.c * x->rule.coeffs.ratio_1 + to.s * x->rule.coeffs.ratio_2;
    rule.coeffs.ratio_2 = -to.s * x->rule.coeffs.ratio_1 + to.c * x->rule.coeffs.ratio_2;
    const related there = {pb, rule, solve(t, &pb, &rule)};
    answer got = there.got;
    got.p = turn(got.p, to.c, -to.s);
    got.u_after = turn(got.u_after, to.c, -to.s);
    compare(t, x, PROPERTY_TURNED, &there, &got);
}

static void check_mirror(tally *t, const trial *x)
{
    carom_problem pb = x->pb;
    carom_rule rule = x->rule;
    pb.u.t1 *= -1;
    pb.K.t12 *= -1;
    pb.K.t1n *= -1;
    rule.coeffs.ratio_1 *= -1;
    rule.coeffs.turn *= -1;
    answer got = solve(t, &pb, &rule);
    got.p.t1 *= -1;
    got.u_after.t1 *= -1;
    compare(t, x, PROPERTY_MIRROR, NULL, &got);
}

/* Scaling by 2^40 keeps every number of the problem, and mu times it, in the range of double. */
static carom_problem in_units(const carom_problem *pb, double k, double v)
{
    const carom_csym *K = &pb->K;
    carom_problem scaled = {{K->t11 * k, K->t12 * k, K->t22 * k, K->t1n * k, K->t2n * k, K->nn * k},
                            carom_cvec_scale(v, pb->u)};
    return scaled;
}

static bool same_bits(carom_cvec a, carom_cvec b)
{
    return a.t1 == b.t1 && a.t2 == b.t2 && a.n == b.n;
}

static bool units_apply(const trial *x)
{
    const carom_csym *K = &x->pb.K;
    bool safe = is_safe(x->pb.u, 1e-100, 1e100) && is_safe(x->out.p, 1e-250, 1e250) &&
                is_safe(carom_cvec_make(K->t11, K->t22, K->nn), 1e-25, 1e25);
    double mu = x->rule.coeffs.mu, e = fabs(x->rule.coeffs.e);
    safe = safe && (e == 0 || e > 1e-100) && (mu == 0 || isinf(mu) || (mu > 1e-100 && mu < 1e100));
    return safe && is_safe(carom_cvec_make(K->t12, K->t1n, K->t2n), 1e-100, 1e100);
}

static void check_units(tally *t, const trial *x)
{
    if (!units_apply(x))
        return;
    const carom_law *law = x->rule.law; /* springs swing with the root of K, searches end at the root of an energy */
    int roots = law->uses & CAROM_USES(eta) || !(law->traits & CAROM_TRAIT_UNIQUE) ? 2 : 1;
    double k = ldexp(1, roots * (dice_below(x->d, 21) - 10)), v = ldexp(1, dice_below(x->d, 81) - 40);
    carom_problem pb = in_units(&x->pb, k, v);
    answer got = solve(t, &pb, &x->rule);
    bool same = got.status == x->status && same_bits(carom_cvec_scale(k / v, got.p), x->out.p) &&
                same_bits(carom_cvec_scale(1 / v, got.u_after), x->out.u_after);
    tally_check(t, x, PROPERTY_UNITS, same, "K times %g, u times %g: %s, p_n %.17g", k, v, carom_status_id(got.status),
                got.p.n * (k / v));
}

static void check_scaled(tally *t, const trial *x)
{
    if (!units_apply(x))
        return;
    double k = dice_decades(x->d, -6, 6), v = dice_decades(x->d, -6, 6);
    carom_problem pb = in_units(&x->pb, k, v);
    answer got = solve(t, &pb, &x->rule);
    got.p = carom_cvec_scale(k / v, got.p);
    got.u_after = carom_cvec_scale(1 / v, got.u_after);
    compare(t, x, PROPERTY_SCALED, NULL, &got);
}

/* ---- other units for the tangents ---- */

static bool may_be_deficient(kind k)
{
    return k == KIND_ZERO_ROW || k == KIND_RANK_ONE || k == KIND_RANK_ONE_OUT || k == KIND_RANK_TWO ||
           k == KIND_RANK_TWO_OUT || k == KIND_INTEGERS || k == KIND_STILL || k == KIND_ILL_16 || k == KIND_NEAR_PLANAR;
}

/* Stiffnesses of the tangents would have to stretch, too, and so would the shortest impulse of a K that has lost rank,
 * and the share of the slip below which an approach is none. */
static bool stretch_applies(const trial *x)
{
    uint64_t stiff = CAROM_USES(eta) | CAROM_USES(k_t);
    return units_apply(x) && !may_be_deficient(x->kind) && !(x->rule.law->uses & stiff) && x->kind != KIND_VANISHING;
}

/* With tangential velocities s times as large and friction 1/s of what it was, tangential impulses are 1/s. */
static void check_stretched(tally *t, const trial *x)
{
    if (!stretch_applies(x))
        return;
    double s = ldexp(1, dice_below(x->d, 61) - 30), mu = x->rule.coeffs.mu;
    const carom_csym *K = &x->pb.K;
    if ((mu < MU_MAX) != (mu / s < MU_MAX)) /* infinite friction is another problem */
        return;
    carom_problem pb = {{s * K->t11 * s, s * K->t12 * s, s * K->t22 * s, s * K->t1n, s * K->t2n, K->nn},
                        {s * x->pb.u.t1, s * x->pb.u.t2, x->pb.u.n}};
    carom_rule rule = x->rule;
    rule.coeffs.mu /= s;
    rule.coeffs.mu_s = rule.coeffs.mu_s == CAROM_SAME_AS_MU ? CAROM_SAME_AS_MU : rule.coeffs.mu_s / s;
    rule.coeffs.ratio_1 /= s;
    rule.coeffs.ratio_2 /= s;
    answer got = solve(t, &pb, &rule);
    got.p = carom_cvec_make(s * got.p.t1, s * got.p.t2, got.p.n);
    got.u_after = carom_cvec_make(got.u_after.t1 / s, got.u_after.t2 / s, got.u_after.n);
    compare(t, x, PROPERTY_STRETCHED, NULL, &got);
}

/* ---- continuity ---- */

static double between(double a, double b, double share)
{
    return a + share * (b - a);
}

static carom_problem on_the_way(const carom_problem *a, const carom_problem *b, double s)
{
    const carom_csym *K = &a->K, *L = &b->K;
    carom_problem pb = {{between(K->t11, L->t11, s), between(K->t12, L->t12, s), between(K->t22, L->t22, s),
                         between(K->t1n, L->t1n, s), between(K->t2n, L->t2n, s), between(K->nn, L->nn, s)},
                        {between(a->u.t1, b->u.t1, s), between(a->u.t2, b->u.t2, s), between(a->u.n, b->u.n, s)}};
    return pb;
}

/* A second compression begins on one side only; with springs, u_n touches zero during compression, which ends there on
 * one side only: docs/reliability.md. */
static bool compress_alike(const trial *x, const answer *a, const answer *b)
{
    double apart = fabs(a->p_compression - b->p_compression);
    bool springs = x->rule.law->uses & CAROM_USES(eta);
    return a->phases == b->phases && !(springs && apart > JUMP * fmax(a->p_compression, b->p_compression));
}

/* Follow the larger change; what is left of it in the end. */
static double remaining_jump(tally *t, const trial *x, const carom_problem *far, answer last)
{
    double low = 0, high = 1, jump = 0;
    answer first = answer_of(&x->out);
    for (int i = 0; i < HALVINGS; i++) {
        double middle = low + (high - low) / 2;
        carom_problem pb = on_the_way(&x->pb, far, middle);
        answer a = solve(t, &pb, &x->rule);
        if (!a.answered)
            return 0;
        double below = apart(a.p, first.p), above = apart(last.p, a.p);
        jump = fmax(below, above);
        if (below > above) {
            high = middle;
            last = a;
        } else {
            low = middle;
            first = a;
        }
    }
    return compress_alike(x, &first, &last) ? share_of(jump, fmax(size_of(first.p), size_of(last.p))) : 0;
}

/* docs/laws: several solutions, and several compressions, make laws jump. */
static bool is_continuous(const trial *x)
{
    const carom_outcome *out = &x->out;
    bool path = x->rule.law->traits & CAROM_TRAIT_HAS_PATH;
    return kind_is_tame(x->kind) && x->rule.law->traits & CAROM_TRAIT_UNIQUE && x->status == CAROM_STATUS_OK &&
           !(path && (out->phases.phases > 1 || out->flags & CAROM_FLAG_JAM));
}

static void check_continuity(tally *t, const trial *x)
{
    if (!is_continuous(x))
        return;
    carom_problem far = plain_neighbour(&x->pb, x->d, NUDGE);
    answer a = solve(t, &far, &x->rule);
    if (!a.answered)
        return;
    double change = share_of(apart(a.p, x->out.p), fmax(size_of(a.p), size_of(x->out.p)));
    double jump = change <= STEEPNESS * NUDGE ? 0 : remaining_jump(t, x, &far, a);
    tally_check(t, x, PROPERTY_CONTINUITY, jump <= JUMP, "jumps by %.2g of p", jump);
}

/* ---- memory ---- */

static bool same_outcome(const carom_outcome *a, const carom_outcome *b)
{
    bool same = a->status == b->status && a->flags == b->flags && a->mode == b->mode && a->solutions == b->solutions &&
                a->event_count == b->event_count && a->friction_ratio == b->friction_ratio;
    same = same && same_bits(a->p, b->p) && same_bits(a->u_after, b->u_after);
    same = same && memcmp(&a->energy, &b->energy, sizeof a->energy) == 0;
    same = same && memcmp(&a->margins, &b->margins, sizeof a->margins) == 0;
    const carom_restitution *r = &a->restitution, *q = &b->restitution;
    same = same && r->defined == q->defined && r->newton == q->newton && r->poisson == q->poisson &&
           r->stronge == q->stronge && r->ivanov == q->ivanov;
    const carom_phases *f = &a->phases, *g = &b->phases;
    same = same && f->phases == g->phases && f->p_compression == g->p_compression &&
           f->p_restitution == g->p_restitution && f->work_compression == g->work_compression &&
           f->work_decompression == g->work_decompression && f->work_friction == g->work_friction &&
           f->path == g->path && f->first == g->first;
    for (int i = 0; same && a->solutions > 1 && i < a->solutions && i < CAROM_SOLUTIONS_KEPT; i++)
        same = same_bits(a->all[i], b->all[i]);
    return same;
}

static void check_written(tally *t, const trial *x)
{
    trial again = *x;
    trial_solve(t, &again, 0x41);
    tally_check(t, x, PROPERTY_WRITTEN, same_outcome(&again.out, &x->out),
                "the outcome depends on what was there before");
}

void check_relative(tally *t, const trial *x)
{
    if (!carom_status_is_answer(x->status) && !carom_status_is_refusal(x->status))
        return;                                            /* partial: nothing is promised */
    if (x->rule.law->traits & CAROM_TRAIT_CONTACT_FORCE) { /* their coefficients have units */
        if (dice_below(x->d, 2))
            check_mirror(t, x);
        else
            check_written(t, x);
        return;
    }
    switch (dice_below(x->d, 7)) {
    case 0:
        if (x->rule.law->traits & CAROM_TRAIT_FRAME_FREE || x->rule.law->uses & CAROM_USES(ratio_1))
            check_turned(t, x);
        break;
    case 1:
        check_mirror(t, x);
        break;
    case 2:
        check_units(t, x);
        break;
    case 3:
        check_scaled(t, x);
        break;
    case 4:
        check_continuity(t, x);
        break;
    case 5:
        check_stretched(t, x);
        break;
    default:
        check_written(t, x);
    }
}
