/* Inverse impacts: damped Newton steps with the pseudo-inverse of a Jacobian by differences. Differences limit the
 * speed of convergence, not the digits of the solution, which has the digits of the outcome. */
#include "carom/invert.h"

#include <math.h>
#include <string.h>

#include "carom/elementary.h"
#include "carom/solve.h"
#include "core/num.h"

enum { N = CAROM_INVERT_CONTROLS, M = CAROM_INVERT_WISHES, ITERATIONS = 80, HALVINGS = 30, SWEEPS = 40, PULLS = 40 };
enum { BRANCHES = 12, SCATTERED = 400, RESCUE = 600, PER_BRANCH = 3, AROUND = 4 };

#define MET        1e-12 /* of the size of the outcome */
#define STEP_PART  1e-6  /* of a scale: the step of differences */
#define RANK       1e-7  /* a singular value below this part of the largest counts as zero */
#define SAME       1e-6  /* in scales: two solutions are one */
#define WIDTH      4     /* of the search, in scales */
#define WEAK_RANK  1e-11 /* the same once progress is slow */
#define STALLED    0.9   /* a step that leaves more than this part of the distance, several times: no further */
#define STALLS     30
#define ORTHOGONAL 1e-15

/* Where the search from the start fails: near it, and further and further out. In scales. */
static const double rescue_widths[] = {0.3, 1, WIDTH, 0.05, 16};

typedef struct point {
    double s[N], F[M], distance;
    const char *mode;
    bool fine;
} point;

/* ---- outcomes ---- */

static void project(const carom_invert_task *t, double *s)
{
    for (int j = 0; j < t->control_count; j++)
        s[j] = min(max(s[j], t->min[j]), t->max[j]);
}

/* How much a wish counts, against the first. */
static double weight_of(const carom_invert_task *t, int i)
{
    return t->deviation[i] > 0 ? t->deviation[0] / t->deviation[i] : 1;
}

static point at(const carom_invert_task *t, const double *s)
{
    point p = {.distance = INFINITY};
    memcpy(p.s, s, (size_t)t->control_count * sizeof *s);
    project(t, p.s);
    p.fine = !carom_status_is_refusal(t->outcome(t->context, p.s, p.F, &p.mode));
    double sum = 0;
    for (int i = 0; i < t->wish_count; i++) {
        p.F[i] = weight_of(t, i) * (p.F[i] - t->wish[i]);
        sum += square(p.F[i]);
    }
    p.fine &= isfinite(sum);
    p.distance = p.fine ? sqrt(sum) : INFINITY;
    return p;
}

static bool is_met(const carom_invert_task *t, const point *p)
{
    return p->distance <= MET * t->wish_scale;
}

/* ---- the Jacobian and its singular values ---- */

/* J = U S V^T by one-sided Jacobi: J becomes U S, column by column. */
typedef struct svd {
    int m, n;
    double J[M][N], V[N][N], S[N];
} svd;

/* Columns in scales, by differences to both sides, or to one on a bound. */
static void differences(const carom_invert_task *t, const point *p, svd *d)
{
    d->m = t->wish_count;
    d->n = t->control_count;
    for (int j = 0; j < d->n; j++) {
        double high[N], low[N], h = STEP_PART * t->scale[j];
        memcpy(high, p->s, sizeof high);
        memcpy(low, p->s, sizeof low);
        high[j] += h;
        low[j] -= h;
        point a = at(t, high), b = at(t, low);
        if (a.mode != p->mode || !a.fine)
            a = *p;
        if (b.mode != p->mode || !b.fine)
            b = *p;
        double width = a.s[j] - b.s[j];
        for (int i = 0; i < d->m; i++)
            d->J[i][j] = width > 0 ? t->scale[j] * (a.F[i] - b.F[i]) / width : 0;
    }
}

static bool rotate(svd *d, int a, int b)
{
    double aa = 0, bb = 0, ab = 0;
    for (int i = 0; i < d->m; i++) {
        aa += square(d->J[i][a]);
        bb += square(d->J[i][b]);
        ab += d->J[i][a] * d->J[i][b];
    }
    if (fabs(ab) <= ORTHOGONAL * sqrt(aa * bb) || ab == 0)
        return true;
    double zeta = (bb - aa) / (2 * ab), tangent = (zeta >= 0 ? 1 : -1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
    double c = 1 / sqrt(1 + tangent * tangent), s = c * tangent;
    for (int i = 0; i < d->m + d->n; i++) {
        double *row = i < d->m ? d->J[i] : d->V[i - d->m], x = row[a], y = row[b];
        row[a] = c * x - s * y;
        row[b] = s * x + c * y;
    }
    return false;
}

static void decompose(svd *d)
{
    bool done = false;
    for (int i = 0; i < d->n; i++)
        for (int j = 0; j < d->n; j++)
            d->V[i][j] = i == j;
    for (int sweep = 0; sweep < SWEEPS && !done; sweep++) {
        done = true;
        for (int a = 0; a < d->n; a++)
            for (int b = a + 1; b < d->n; b++)
                done &= rotate(d, a, b);
    }
    for (int j = 0; j < d->n; j++) {
        double sum = 0;
        for (int i = 0; i < d->m; i++)
            sum += square(d->J[i][j]);
        d->S[j] = sqrt(sum);
    }
}

static double largest(const svd *d)
{
    double most = 0;
    for (int j = 0; j < d->n; j++)
        most = max(most, d->S[j]);
    return most;
}

static bool is_zero(const svd *d, int j)
{
    return !(d->S[j] > RANK * largest(d));
}

/* The least change that a linear outcome needs, in scales. */
static void newton_step(const svd *d, const double *F, double rank, double damping, double *step)
{
    memset(step, 0, N * sizeof *step);
    for (int j = 0; j < d->n; j++) {
        double along = 0;
        if (!(d->S[j] > rank * largest(d)))
            continue;
        for (int i = 0; i < d->m; i++)
            along += d->J[i][j] * F[i];
        for (int k = 0; k < d->n; k++)
            step[k] -= d->V[k][j] * along / (square(d->S[j]) + damping);
    }
}

/* ---- descents ---- */

static point moved(const carom_invert_task *t, const point *p, const double *step, double part)
{
    double s[N];
    for (int j = 0; j < t->control_count; j++)
        s[j] = p->s[j] + part * t->scale[j] * step[j];
    return at(t, s);
}

/* One step that brings the outcome nearer: shorter and shorter, then damped. Singular values below rank count as zero.
 */
static bool nearer(const carom_invert_task *t, point *p, const svd *d, double rank)
{
    double step[N], part = 1, damping = 0, most = square(largest(d));
    for (int i = 0; i < HALVINGS; i++) {
        newton_step(d, p->F, rank, damping, step);
        point next = moved(t, p, step, part);
        if (next.distance < p->distance) {
            *p = next;
            return true;
        }
        part = i < HALVINGS / 2 ? part / 2 : 1;
        damping = i < HALVINGS / 2 ? 0 : max(damping * 8, 1e-6 * most);
    }
    return false;
}

/* Slow progress brings in directions that hardly matter: they are all that is left. */
static void descend(const carom_invert_task *t, point *p)
{
    svd d;
    int stalls = 0;
    for (int i = 0; i < ITERATIONS && p->fine && !is_met(t, p) && stalls < STALLS; i++) {
        double before = p->distance;
        differences(t, p, &d);
        decompose(&d);
        if (!nearer(t, p, &d, stalls ? WEAK_RANK : RANK) && !nearer(t, p, &d, WEAK_RANK))
            return;
        stalls = p->distance > STALLED * before ? stalls + 1 : 0;
    }
}

/* Where the wish leaves freedom: towards the start along it, and back to the wish. */
static void least_change(const carom_invert_task *t, point *p)
{
    for (int i = 0; i < PULLS; i++) {
        svd d;
        double step[N] = {0}, length = 0;
        differences(t, p, &d);
        decompose(&d);
        for (int j = 0; j < d.n; j++) {
            double along = 0;
            for (int k = 0; is_zero(&d, j) && k < d.n; k++)
                along += d.V[k][j] * (t->start[k] - p->s[k]) / t->scale[k];
            for (int k = 0; k < d.n; k++)
                step[k] += d.V[k][j] * along;
            length = carom_hypot(length, along);
        }
        if (length < SAME * SAME)
            return;
        bool better = false;
        for (double part = 1; part > 1e-3 && !better; part /= 2) {
            point next = moved(t, p, step, part);
            if (next.fine)
                descend(t, &next);
            better = next.fine && is_met(t, &next);
            if (better)
                *p = next;
        }
        if (!better)
            return;
    }
}

/* ---- solutions ---- */

static double change_of(const carom_invert_task *t, const double *s)
{
    double sum = 0;
    for (int j = 0; j < t->control_count; j++)
        sum += square((s[j] - t->start[j]) / t->scale[j]);
    return sqrt(sum);
}

/* The covariance of the controls: sigma_0^2 V S^-2 V^T in scales, over the directions that the wishes determine. */
static void spread(const carom_invert_task *t, const svd *d, carom_invert_solution *s)
{
    const double variance = square(t->deviation[0]);
    for (int j = 0; j < d->n; j++)
        for (int a = 0; a < d->n && !is_zero(d, j); a++)
            for (int b = 0; b < d->n; b++)
                s->covariance[a][b] += variance / square(d->S[j]) * d->V[a][j] * d->V[b][j] * t->scale[a] * t->scale[b];
}

static carom_invert_solution solution_of(const carom_invert_task *t, const point *p)
{
    carom_invert_solution s = {.distance = p->distance, .mode = p->mode, .met = is_met(t, p)};
    svd d;
    differences(t, p, &d);
    for (int j = 0; j < d.n; j++) {
        double norm = 0;
        for (int i = 0; i < d.m; i++)
            norm = max(norm, fabs(d.J[i][j]));
        s.undetermined |= (unsigned)!(norm > RANK * t->wish_scale) << j;
    }
    decompose(&d);
    for (int j = 0; j < d.n; j++)
        s.rank += !is_zero(&d, j);
    memcpy(s.controls, p->s, sizeof s.controls);
    for (int i = 0; i < d.m; i++)
        s.outcome[i] = p->F[i] / weight_of(t, i) + t->wish[i];
    s.change = change_of(t, p->s);
    spread(t, &d, &s);
    return s;
}

static bool is_known(const carom_invert_task *t, const carom_invert_result *r, const point *p)
{
    for (int i = 0; i < r->count; i++) {
        double apart = 0;
        for (int j = 0; j < t->control_count; j++)
            apart = max(apart, fabs(r->solutions[i].controls[j] - p->s[j]) / t->scale[j]);
        if (apart < SAME || (r->solutions[i].mode == p->mode && r->solutions[i].rank < t->control_count))
            return true;
    }
    return false;
}

/* Descend and keep what meets the wish, or what comes nearest while nothing does. */
static void attempt(const carom_invert_task *t, point p, carom_invert_result *r)
{
    descend(t, &p);
    if (!p.fine)
        return;
    bool met = is_met(t, &p);
    if (met)
        least_change(t, &p);
    if (met && !r->reachable)
        r->count = 0;
    if (met ? (r->count < CAROM_INVERT_SOLUTIONS && !is_known(t, r, &p))
            : !r->reachable && (r->count == 0 || p.distance < r->solutions[0].distance))
        r->solutions[met ? r->count : 0] = solution_of(t, &p), r->count = met ? r->count + 1 : 1;
    r->reachable |= met;
}

/* ---- starts ---- */

static double draw(uint64_t *state) /* splitmix64 */
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

typedef struct branch {
    const char *mode;
    int count;
    point best[PER_BRANCH];
} branch;

static void keep(branch *list, int *count, const point *p)
{
    int i = 0;
    while (i < *count && list[i].mode != p->mode)
        i++;
    if (i == BRANCHES)
        return;
    branch *b = &list[i];
    if (i == *count) {
        b->mode = p->mode;
        b->count = 0;
        (*count)++;
    }
    int k = b->count < PER_BRANCH ? b->count++ : PER_BRANCH;
    if (k == PER_BRANCH && b->best[--k].distance <= p->distance)
        return;
    for (; k > 0 && b->best[k - 1].distance > p->distance; k--)
        b->best[k] = b->best[k - 1];
    b->best[k] = *p;
}

/* Points about the start, some near and some far; the nearest outcomes of each branch are starts. */
static void search(const carom_invert_task *t, int points, double width, carom_invert_result *r)
{
    branch list[BRANCHES];
    uint64_t state = t->seed + (uint64_t)(1000 * width);
    int count = 0;
    for (int i = 0; i < points; i++) {
        double s[N], reach = width * square(draw(&state));
        for (int j = 0; j < t->control_count; j++) {
            bool box = isfinite(t->min[j]) && isfinite(t->max[j]) && i % 2;
            double part = draw(&state);
            s[j] =
                box ? t->min[j] + part * (t->max[j] - t->min[j]) : t->start[j] + reach * t->scale[j] * (2 * part - 1);
        }
        point p = at(t, s);
        if (p.fine)
            keep(list, &count, &p);
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < list[i].count; k++)
            attempt(t, list[i].best[k], r);
}

/* The search again about the nearest outcome so far, closer each time. */
static void search_around(const carom_invert_task *t, int time, carom_invert_result *r)
{
    carom_invert_task near = *t;
    memcpy(near.start, r->solutions[0].controls, sizeof near.start);
    near.seed += (uint64_t)(time + 1);
    search(&near, RESCUE, 0.3 / (1 << (2 * time)), r);
    for (int i = 0; i < r->count; i++)
        r->solutions[i].change = change_of(t, r->solutions[i].controls);
}

/* The wish moves from the outcome of the start to its place in steps, each solved from the one before. */
static void follow(const carom_invert_task *t, int steps, carom_invert_result *r)
{
    carom_invert_task part = *t;
    point first = at(t, t->start), p = first;
    for (int k = 1; k <= steps && p.fine; k++) {
        for (int i = 0; i < t->wish_count; i++)
            part.wish[i] = t->wish[i] + (1 - (double)k / steps) * first.F[i];
        p = at(&part, p.s);
        descend(&part, &p);
    }
    if (p.fine)
        attempt(t, at(t, p.s), r);
}

/* By branch in the order found, then by change. */
static void sort(carom_invert_result *r)
{
    for (int i = 1; i < r->count; i++)
        for (int k = i; k > 1 && r->solutions[k].mode != r->solutions[k - 1].mode; k--) {
            bool earlier = false;
            for (int q = 0; q < k - 1; q++)
                earlier |= r->solutions[q].mode == r->solutions[k].mode;
            if (!earlier)
                break;
            carom_invert_solution other = r->solutions[k];
            r->solutions[k] = r->solutions[k - 1];
            r->solutions[k - 1] = other;
        }
}

carom_invert_task carom_invert_task_default(void)
{
    carom_invert_task t = {.wish_scale = 1, .scattered = SCATTERED, .seed = 1};
    for (int j = 0; j < N; j++) {
        t.scale[j] = 1;
        t.min[j] = -INFINITY;
        t.max[j] = INFINITY;
    }
    return t;
}

carom_status carom_invert(const carom_invert_task *t, carom_invert_result *r)
{
    static const carom_invert_result nothing;
    *r = nothing;
    if (t->control_count < 1 || t->control_count > N || t->wish_count < 1 || t->wish_count > M)
        return r->status = CAROM_STATUS_BAD_SIZE;
    attempt(t, at(t, t->start), r);
    if (t->scattered > 0)
        search(t, t->scattered, WIDTH, r);
    for (size_t i = 0; i < sizeof rescue_widths / sizeof rescue_widths[0] && !r->reachable; i++)
        search(t, RESCUE, rescue_widths[i], r);
    for (int i = 0; i < AROUND && !r->reachable && r->count > 0; i++)
        search_around(t, i, r);
    for (int steps = 8; steps <= 512 && !r->reachable; steps *= 8)
        follow(t, steps, r);
    sort(r);
    if (r->count == 0) {
        double outcome[M];
        const char *mode;
        return r->status = t->outcome(t->context, t->start, outcome, &mode);
    }
    return r->status = CAROM_STATUS_OK;
}

/* ---- the approach ---- */

typedef struct approach {
    const carom_problem *problem;
    const carom_rule *rule;
    bool planar;
} approach;

static carom_status approach_outcome(void *context, const double *s, double *outcome, const char **mode)
{
    const approach *a = context;
    carom_problem problem = *a->problem;
    carom_outcome out;
    problem.u = a->planar ? carom_cvec_make(s[0], 0, s[1]) : carom_cvec_make(s[0], s[1], s[2]);
    carom_status status = carom_solve(&problem, a->rule, NULL, &out);
    *mode = out.mode;
    outcome[0] = out.u_after.t1;
    outcome[1] = a->planar ? out.u_after.n : out.u_after.t2;
    outcome[2] = out.u_after.n;
    return status;
}

carom_status carom_invert_approach(const carom_problem *problem, const carom_rule *rule, carom_cvec wish,
                                   carom_invert_result *result)
{
    static const carom_invert_result nothing;
    bool planar = problem->K.t22 == 0 && problem->u.t2 == 0;
    approach a = {problem, rule, planar};
    carom_invert_task t = carom_invert_task_default();
    *result = nothing;
    if (wish.n < 0)
        return result->status = CAROM_STATUS_INADMISSIBLE;
    const double u[3] = {problem->u.t1, planar ? problem->u.n : problem->u.t2, problem->u.n};
    const double w[3] = {wish.t1, planar ? wish.n : wish.t2, wish.n};
    double speed = carom_hypot(carom_hypot(problem->u.t1, problem->u.t2), problem->u.n);
    t.control_count = t.wish_count = planar ? 2 : 3;
    for (int j = 0; j < t.control_count; j++) {
        t.start[j] = u[j];
        t.scale[j] = speed;
        t.wish[j] = w[j];
    }
    t.max[t.control_count - 1] = -DBL_MIN;
    t.wish_scale = max(speed, carom_hypot(carom_hypot(wish.t1, wish.t2), wish.n));
    t.outcome = approach_outcome;
    t.context = &a;
    t.scattered = 0;
    return carom_invert(&t, result);
}
