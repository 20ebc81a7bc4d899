/* The friction of a contact with a patch, and its resolvent (docs/theory/patch.md). */
#include "laws/patch/patch_contact.h"

void carom_patch_write(const carom_patch_contact *x, const patch_impulse *p, carom_cvec *linear, carom_cspin *m)
{
    const int f = x->frictional;
    *linear = carom_cvec_make(p->P[0], p->P[1], p->p_n);
    *m = (carom_cspin){f == 3 ? p->P[2] * x->length : 0, x->count > f ? p->P[f] * x->length : 0,
                       x->count > f ? p->P[f + 1] * x->length : 0};
}

/* ---- the norm ---- */

static double spin_of(const carom_patch_contact *x, const double *V)
{
    return x->frictional == 3 ? V[2] : 0;
}

static patch_slope slope_of(const carom_patch_contact *x, const double *V)
{
    const double vv = V[0] * V[0] + V[1] * V[1], W = spin_of(x, V);
    const patch_slope point = {1, 0, 0, sqrt(vv)};
    return x->frictional == 3 ? patch_slope_at(x->pressure, vv, W * W) : point;
}

double carom_patch_gradient(const carom_patch_contact *x, const double *V, double *g)
{
    const int f = x->frictional;
    const double W = spin_of(x, V);
    double psi = 0;
    for (int i = 0; i < x->count; i++)
        g[i] = 0;
    if (V[0] != 0 || V[1] != 0 || W != 0) {
        const patch_slope s = slope_of(x, V);
        g[0] = x->mu * s.alpha * (V[0] / s.L);
        g[1] = x->mu * s.alpha * (V[1] / s.L);
        if (f == 3)
            g[2] = x->mu * s.beta * (W / s.L);
        psi = g[0] * V[0] + g[1] * V[1] + (f == 3 ? g[2] * W : 0);
    }
    if (x->count > f && (V[f] != 0 || V[f + 1] != 0)) {
        const double r = length_of(V[f], V[f + 1]);
        g[f] = x->rho * (V[f] / r);
        g[f + 1] = x->rho * (V[f + 1] / r);
        psi += x->rho * r;
    }
    return psi;
}

static void add_across(double weight, double a, double b, int at, double H[SLIPS][SLIPS])
{
    const double rr = a * a + b * b;
    H[at][at] += weight * b * b / rr;
    H[at][at + 1] -= weight * a * b / rr;
    H[at + 1][at] -= weight * a * b / rr;
    H[at + 1][at + 1] += weight * a * a / rr;
}

void carom_patch_hessian(const carom_patch_contact *x, const double *V, double H[SLIPS][SLIPS])
{
    const int f = x->frictional;
    const double W = spin_of(x, V), r = sqrt(V[0] * V[0] + V[1] * V[1]);
    memset(H, 0, SLIPS * sizeof *H);
    if (r > 0 || W != 0) {
        const patch_slope s = slope_of(x, V);
        const double across = x->mu * s.alpha / s.L, along = x->mu * s.eta / s.L;
        if (r > 0)
            add_across(across, V[0], V[1], 0, H);
        else
            H[0][0] = H[1][1] = across;
        const double z[3] = {r > 0 ? W / s.L * (V[0] / r) : 0, r > 0 ? W / s.L * (V[1] / r) : 0, -r / s.L};
        for (int i = 0; i < f; i++)
            for (int j = 0; j < f; j++)
                H[i][j] += along * z[i] * z[j];
    }
    if (x->count > f && (V[f] != 0 || V[f + 1] != 0))
        add_across(x->rho / length_of(V[f], V[f + 1]), V[f], V[f + 1], f, H);
}

static double share_of(double load, double held)
{
    return load == 0 ? 0 : held > 0 ? load / held : INFINITY;
}

double carom_patch_carried(const carom_patch_contact *x, const double *P)
{
    const double friction = length_of(P[0], P[1]);
    return x->frictional == 3 ? patch_dual(x->pressure, friction, fabs(P[2])) : friction;
}

double carom_patch_friction_share(const carom_patch_contact *x, const double *P, double p_n)
{
    return share_of(carom_patch_carried(x, P), x->mu * p_n);
}

double carom_patch_rolling_share(const carom_patch_contact *x, const double *P, double p_n)
{
    const int f = x->frictional;
    return x->count > f ? share_of(length_of(P[f], P[f + 1]), x->rho * p_n) : 0;
}

/* ---- linear algebra of at most five ---- */

void carom_patch_solve_slips(const carom_patch_contact *x, const double *right, double *y)
{
    for (int i = 0; i < x->count; i++) {
        double sum = right[i];
        for (int j = 0; j < i; j++)
            sum -= x->L[i][j] * y[j];
        y[i] = sum / x->L[i][i];
    }
    for (int i = x->count - 1; i >= 0; i--) {
        double sum = y[i];
        for (int j = i + 1; j < x->count; j++)
            sum -= x->L[j][i] * y[j];
        y[i] = sum / x->L[i][i];
    }
}

/* A x = b by elimination with pivots; b becomes x. False when A is singular. */
static bool eliminate(int n, double A[SLIPS][SLIPS], double *b)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        if (!(fabs(A[best][k]) > 0))
            return false;
        for (int j = 0; j < n; j++) {
            const double t = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = t;
        }
        const double t = b[k];
        b[k] = b[best];
        b[best] = t;
        for (int i = k + 1; i < n; i++) {
            const double share = A[i][k] / A[k][k];
            for (int j = k; j < n; j++)
                A[i][j] -= share * A[k][j];
            b[i] -= share * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= A[i][j] * b[j];
        b[i] /= A[i][i];
    }
    return true;
}

/* ---- the resolvent ---- */

enum { RESOLVE_STEPS = 100, RESOLVE_CUTS = 40, RESOLVE_MODES = 4 };
#define HOLD_TOL      (16 * EPS) /* of the border: the rounding of the dual norm */
#define RESOLVE_NOISE (64 * EPS) /* of the terms: the rounding of a residual, and of a slope */
#define RESOLVE_TOL   (4 * EPS)  /* of a slip: a step of Newton no longer counts */

/* The problem with some slips held at zero: the list of free ones. */
typedef struct free_slips {
    int count, at[SLIPS];
} free_slips;

static free_slips free_of(const carom_patch_contact *x, bool friction, bool rolling)
{
    free_slips free = {0, {0}};
    for (int i = 0; i < x->count; i++)
        if (i < x->frictional ? friction : rolling)
            free.at[free.count++] = i;
    return free;
}

/* The free slips solve V_a = right_a - (S g)_a, S the Schur complement of the held ones in c K. */
typedef struct free_problem {
    const carom_patch_contact *x;
    free_slips free;
    double S[SLIPS][SLIPS], right[SLIPS]; /* indexed as the free slips */
    double terms[SLIPS];                  /* the largest terms of each row, which may be far apart: W = a w */
} free_problem;

/* Hold the other slips at zero: their P = K_hh^-1 (-V0_h - K_ha P_a). */
static bool hold_others(const carom_patch_contact *x, const double *V0, free_problem *f)
{
    bool is_free[SLIPS] = {false};
    int held[SLIPS], h = 0;
    for (int i = 0; i < f->free.count; i++)
        is_free[f->free.at[i]] = true;
    for (int i = 0; i < x->count; i++)
        if (!is_free[i])
            held[h++] = i;
    for (int a = 0; a < f->free.count; a++) {
        double A[SLIPS][SLIPS], y[SLIPS];
        const int i = f->free.at[a];
        for (int r = 0; r < h; r++) {
            y[r] = x->K[held[r]][i];
            for (int s = 0; s < h; s++)
                A[r][s] = x->K[held[r]][held[s]];
        }
        if (!eliminate(h, A, y))
            return false;
        f->right[a] = V0[i];
        for (int b = 0; b < f->free.count; b++)
            f->S[a][b] = x->K[i][f->free.at[b]];
        for (int r = 0; r < h; r++) {
            f->right[a] -= y[r] * V0[held[r]];
            for (int b = 0; b < f->free.count; b++)
                f->S[a][b] -= y[r] * x->K[held[r]][f->free.at[b]];
        }
    }
    return true;
}

static void bound_terms(free_problem *f, double c)
{
    for (int a = 0; a < f->free.count; a++) {
        f->terms[a] = fabs(f->right[a]);
        for (int b = 0; b < f->free.count; b++)
            f->terms[a] += c * fabs(f->S[a][b]) * (f->free.at[b] < f->x->frictional ? f->x->mu : f->x->rho);
    }
}

/* The largest residual, as a share of the terms of its row. */
static double residual_of(const free_problem *f, double c, const double *V, double *g, double *r)
{
    double most = 0;
    carom_patch_gradient(f->x, V, g);
    for (int a = 0; a < f->free.count; a++) {
        r[a] = V[f->free.at[a]] - f->right[a];
        for (int b = 0; b < f->free.count; b++)
            r[a] += c * f->S[a][b] * g[f->free.at[b]];
        most = r[a] != 0 ? max(most, fabs(r[a]) / f->terms[a]) : most;
    }
    return most;
}

static bool step_of(const free_problem *f, double c, const double *V, const double *r, double *step)
{
    double H[SLIPS][SLIPS], A[SLIPS][SLIPS];
    carom_patch_hessian(f->x, V, H);
    for (int a = 0; a < f->free.count; a++) {
        step[a] = -r[a];
        for (int b = 0; b < f->free.count; b++) {
            A[a][b] = a == b;
            for (int m = 0; m < f->free.count; m++)
                A[a][b] += c * f->S[a][m] * H[f->free.at[m]][f->free.at[b]];
        }
    }
    return eliminate(f->free.count, A, step);
}

/* Does no slip move by more than its rounding? */
static bool is_still(const free_problem *f, const double *V, const double *step)
{
    bool still = true;
    for (int a = 0; a < f->free.count; a++)
        still = still && fabs(step[a]) <= RESOLVE_TOL * fabs(V[f->free.at[a]]);
    return still;
}

/* A step from V, and y = S^-1 step. */
typedef struct free_step {
    const double *V;
    double step[SLIPS], y[SLIPS];
} free_step;

/* The trial V + share step, and the slope there, along the step, of the convex function that V minimises,
 * (V - right) S^-1 (V - right) / 2 + c Psi(V); its rounding. */
static double slope_along(const free_problem *f, double c, const free_step *way, double share, double *trial)
{
    double g[SLIPS], r[SLIPS], slope = 0;
    for (int k = 0; k < f->x->count; k++)
        trial[k] = way->V[k];
    for (int a = 0; a < f->free.count; a++)
        trial[f->free.at[a]] += share * way->step[a];
    residual_of(f, c, trial, g, r);
    for (int a = 0; a < f->free.count; a++)
        slope += way->y[a] * r[a];
    return slope;
}

static double rounding_of_slope(const free_problem *f, const free_step *way)
{
    double terms = 0;
    for (int a = 0; a < f->free.count; a++)
        terms += fabs(way->y[a]) * f->terms[a];
    return RESOLVE_NOISE * terms;
}

/* The share of Newton's step at which the slope has not risen beyond half of what it fell with. A slope that is all
 * rounding says nothing against the whole step. */
static bool search_along(const free_problem *f, double c, free_step *way, double *trial)
{
    double A[SLIPS][SLIPS], share = 1, low = 0, high = 1;
    for (int a = 0; a < f->free.count; a++) {
        way->y[a] = way->step[a];
        for (int b = 0; b < f->free.count; b++)
            A[a][b] = f->S[a][b];
    }
    if (!eliminate(f->free.count, A, way->y))
        return false;
    const double first = fabs(slope_along(f, c, way, 0, trial)), noise = rounding_of_slope(f, way);
    for (int cut = 0; cut < RESOLVE_CUTS; cut++) {
        const double slope = slope_along(f, c, way, share, trial);
        if (slope <= max(0.5 * first, noise) && (share == 1 || slope >= -0.5 * first))
            return true;
        *(slope > 0 ? &high : &low) = share;
        share = 0.5 * (low + high);
    }
    return true;
}

/* Newton for the free slips, from V, with a search along its steps. False where it does not settle. */
static bool newton(free_problem *f, double c, double *V)
{
    double g[SLIPS], r[SLIPS], trial[SLIPS], last = INFINITY;
    free_step way = {V, {0}, {0}};
    bound_terms(f, c);
    for (int i = 0; i < RESOLVE_STEPS; i++) {
        const double now = residual_of(f, c, V, g, r);
        if (now <= 0.25 * EPS || (now <= RESOLVE_NOISE && now >= 0.5 * last))
            return true;
        if (!step_of(f, c, V, r, way.step) || !search_along(f, c, &way, trial))
            return false;
        if (is_still(f, V, way.step))
            return true;
        for (int k = 0; k < f->x->count; k++)
            V[k] = trial[k];
        last = now;
    }
    return residual_of(f, c, V, g, r) <= RESOLVE_NOISE;
}

/* P = K^-1 (V - V0): -c g where a group slips, what holds it where it rests. */
static void impulses_of(const carom_patch_contact *x, double c, const double *V0, const double *V, double *P)
{
    double g[SLIPS];
    bool rests[SLIPS];
    const int f = x->frictional;
    const bool friction = V[0] == 0 && V[1] == 0 && spin_of(x, V) == 0,
               rolling = x->count > f && V[f] == 0 && V[f + 1] == 0;
    carom_patch_gradient(x, V, g);
    int held[SLIPS], h = 0;
    for (int i = 0; i < x->count; i++) {
        rests[i] = i < f ? friction : rolling;
        P[i] = -c * g[i];
        if (rests[i])
            held[h++] = i;
    }
    double A[SLIPS][SLIPS], y[SLIPS];
    for (int r = 0; r < h; r++) {
        y[r] = -V0[held[r]];
        for (int s = 0; s < h; s++)
            A[r][s] = x->K[held[r]][held[s]];
        for (int j = 0; j < x->count; j++)
            if (!rests[j])
                y[r] -= x->K[held[r]][j] * P[j];
    }
    eliminate(h, A, y);
    for (int r = 0; r < h; r++)
        P[held[r]] = y[r];
}

/* Where a group begins to slip that carries too much: along the slip d whose friction is what it carries, as far as
 * that lowers the function that V minimises, (d.P + c Psi(d)) / (d K^-1 d). */
static void push_off(const carom_patch_contact *x, int from, int to, double c, const double *P, double *V)
{
    double d[SLIPS] = {0}, g[SLIPS], held = 0, dd = 0, form = 0;
    const double f = length_of(P[from], P[from + 1]);
    double v = 1, W = 0;
    if (to - from == 3)
        patch_dual_slip(x->pressure, f, fabs(P[2]), &v, &W);
    d[from] = f > 0 ? -v * P[from] / f : 0;
    d[from + 1] = f > 0 ? -v * P[from + 1] / f : 0;
    if (to - from == 3)
        d[2] = P[2] > 0 ? -W : W;
    const double psi = carom_patch_gradient(x, d, g);
    for (int i = from; i < to; i++) {
        held += d[i] * P[i];
        dd += d[i] * d[i];
        for (int j = from; j < to; j++)
            form += d[i] * x->K[i][j] * d[j];
    }
    for (int i = from; i < to; i++)
        V[i] = max(-held - c * psi, 0) * form / square(dd) * d[i];
}

/* Finds the groups that slip: each candidate is the minimiser with the others held at zero, and is the one where these
 * are held by what they carry; where not, they slip in the next. `rolling_first` decides where both carry too much. */
static carom_status resolve_in_order(const carom_patch_contact *x, double c, const double *V0, bool rolling_first,
                                     patch_resolved *out)
{
    double *V = out->V, *P = out->P;
    bool friction = false, rolling = false;
    for (int i = 0; i < x->count; i++)
        V[i] = 0;
    for (int mode = 0; mode < RESOLVE_MODES; mode++) {
        free_problem f = {x, free_of(x, friction, rolling), {{0}}, {0}, {0}};
        if (!hold_others(x, V0, &f))
            return CAROM_STATUS_OUT_OF_SCOPE;
        if (f.free.count > 0 && !newton(&f, c, V))
            return CAROM_STATUS_ITERATION_LIMIT;
        impulses_of(x, c, V0, V, P);
        const bool slips = !friction && carom_patch_friction_share(x, P, c) > 1 + HOLD_TOL;
        const bool rolls = !rolling && carom_patch_rolling_share(x, P, c) > 1 + HOLD_TOL;
        if (!slips && !rolls)
            return CAROM_STATUS_OK;
        if (slips && !(rolls && rolling_first))
            push_off(x, 0, x->frictional, c, P, V), friction = true;
        else
            push_off(x, x->frictional, x->count, c, P, V), rolling = true;
    }
    return CAROM_STATUS_ITERATION_LIMIT;
}

/* Both groups slip, from where they would slip without friction. */
static carom_status resolve_slipping(const carom_patch_contact *x, double c, const double *V0, patch_resolved *out)
{
    free_problem f = {x, free_of(x, true, true), {{0}}, {0}, {0}};
    if (!hold_others(x, V0, &f))
        return CAROM_STATUS_OUT_OF_SCOPE;
    for (int i = 0; i < x->count; i++)
        out->V[i] = V0[i];
    if (!newton(&f, c, out->V))
        return CAROM_STATUS_ITERATION_LIMIT;
    impulses_of(x, c, V0, out->V, out->P);
    return CAROM_STATUS_OK;
}

carom_status carom_patch_resolve(const carom_patch_contact *x, double c, const double *V0, patch_resolved *out)
{
    carom_status status = resolve_in_order(x, c, V0, false, out);
    if (status == CAROM_STATUS_ITERATION_LIMIT)
        status = resolve_in_order(x, c, V0, true, out);
    return status == CAROM_STATUS_ITERATION_LIMIT ? resolve_slipping(x, c, V0, out) : status;
}
