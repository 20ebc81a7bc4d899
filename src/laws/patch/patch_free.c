#include "laws/patch/patch_free.h"

enum { NEWTON_STEPS = 100, CUTS = 40 };
#define NOISE     (64 * EPS)   /* of the terms: the rounding of a residual, and of a slope */
#define STILL     (4 * EPS)    /* of a slip: a step of Newton no longer counts */
#define NEAR      0.05         /* of the terms: a start that needs no better one */
#define SETTLED   (2 * EPS)    /* of the terms, after a step from ... */
#define QUADRATIC 1e-8         /* ... here, which leaves rounding */
#define EXACT     (0.25 * EPS) /* of the terms: a residual that no step improves */

/* ---- what is left when slips are held ---- */

static inline bool eliminate(const int n, double A[SLIPS][SLIPS], double *b)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        if (!(fabs(A[best][k]) > 0))
            return false;
        for (int j = k; j < n && best != k; j++) {
            const double t = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = t;
        }
        const double t = b[k], over = 1 / A[k][k];
        b[k] = b[best];
        b[best] = t;
        for (int i = k + 1; i < n; i++) {
            const double share = A[i][k] * over;
            for (int j = k + 1; j < n; j++)
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

static void sort_slips(int groups, patch_free *f)
{
    for (int i = 0; i < f->x->count; i++)
        if (groups & (i < f->x->frictional ? FREE_FRICTION : FREE_ROLLING))
            f->at[f->count++] = i;
        else
            f->held[f->held_count++] = i;
}

/* y = K_hh^-1 y */
static bool solve_held(const patch_free *f, double *y)
{
    double A[SLIPS][SLIPS];
    for (int r = 0; r < f->held_count; r++)
        for (int s = 0; s < f->held_count; s++)
            A[r][s] = f->x->K[f->held[r]][f->held[s]];
    return eliminate(f->held_count, A, y);
}

static bool find_held(const double *U, patch_free *f)
{
    const carom_patch_contact *x = f->x;
    bool regular = true;
    for (int r = 0; r < f->held_count; r++) {
        f->Y_n[r] = x->k[f->held[r]];
        f->Y_U[r] = U[f->held[r]];
    }
    regular = solve_held(f, f->Y_n) && solve_held(f, f->Y_U);
    for (int a = 0; a < f->count && regular; a++) {
        for (int r = 0; r < f->held_count; r++)
            f->Y[a][r] = x->K[f->held[r]][f->at[a]];
        regular = solve_held(f, f->Y[a]);
    }
    return regular;
}

static double held_dot(const patch_free *f, const double *row, const double *Y)
{
    double sum = 0;
    for (int r = 0; r < f->held_count; r++)
        sum += row[f->held[r]] * Y[r];
    return sum;
}

bool carom_patch_free_make(const carom_patch_contact *x, int groups, const double *U, double c, patch_free *f)
{
    memset(f, 0, sizeof *f);
    f->x = x;
    sort_slips(groups, f);
    if (f->held_count > 0 && !find_held(U, f))
        return false;
    f->K_nn = x->K_nn - held_dot(f, x->k, f->Y_n); /* (3) */
    f->c = c + held_dot(f, x->k, f->Y_U);
    for (int a = 0; a < f->count; a++) { /* (2) */
        const int i = f->at[a];
        f->k[a] = x->k[i] - held_dot(f, x->K[i], f->Y_n);
        f->U[a] = U[i] - held_dot(f, x->K[i], f->Y_U);
        for (int b = 0; b < f->count; b++)
            f->S[a][b] = x->K[i][f->at[b]] - held_dot(f, x->K[i], f->Y[b]);
    }
    return true;
}

/* ---- Newton ---- */

/* A point of the search: (4) leaves r, of which the largest share of the terms of its row counts; these may be far
 * apart, as W = a w. */
typedef struct free_point {
    double V[SLIPS], p, pull[SLIPS]; /* pull = k' - S g */
    double r[SLIPS], terms[SLIPS], left;
    patch_friction friction;
} free_point;

static inline void look(const patch_free *f, const int n, bool ends, free_point *at)
{
    const double *g = at->friction.g;
    double lift = f->K_nn;
    carom_patch_friction(f->x, at->V, &at->friction);
    for (int a = 0; a < n; a++)
        lift -= f->k[a] * g[f->at[a]];
    at->p = ends ? f->c / lift : at->p; /* (5) */
    at->left = 0;
    for (int a = 0; a < n; a++) {
        double terms = fabs(f->k[a]), pull = f->k[a];
        for (int b = 0; b < n; b++) {
            pull -= f->S[a][b] * g[f->at[b]];
            terms += fabs(f->S[a][b]) * (f->at[b] < f->x->frictional ? f->x->mu : f->x->rho);
        }
        at->pull[a] = pull;
        at->r[a] = at->V[f->at[a]] - f->U[a] - at->p * pull;
        at->terms[a] = fabs(f->U[a]) + fabs(at->p) * terms;
        at->left = at->r[a] != 0 ? max(at->left, fabs(at->r[a]) / at->terms[a]) : at->left;
    }
}

/* dr = (1 + p S H) dV - pull dp,   dp = (p^2 / c') k'.H dV */
static inline bool newton_step(const patch_free *f, const int n, bool ends, const free_point *at, double *step)
{
    double A[SLIPS][SLIPS], HV[SLIPS][SLIPS];
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            HV[a][b] = at->p * at->friction.H[f->at[a]][f->at[b]];
    for (int b = 0; b < n; b++) {
        double dp = 0;
        for (int m = 0; m < n && ends; m++)
            dp += f->k[m] * HV[m][b];
        dp *= ends ? at->p / f->c : 0;
        for (int a = 0; a < n; a++) {
            A[a][b] = (a == b) - at->pull[a] * dp;
            for (int m = 0; m < n; m++)
                A[a][b] += f->S[a][m] * HV[m][b];
        }
    }
    for (int a = 0; a < n; a++)
        step[a] = -at->r[a];
    return eliminate(n, A, step);
}

/* Does no slip move by more than its rounding? */
static inline bool is_still(const patch_free *f, const int n, const double *V, const double *step)
{
    bool still = true;
    for (int a = 0; a < n; a++)
        still = still && fabs(step[a]) <= STILL * fabs(V[f->at[a]]);
    return still;
}

/* As if friction were viscous with the weights it has here: V = (1 + p S weight)^-1 (U' + p k'). With p given this
 * lowers the function that V minimises, (V - V_0) S^-1 (V - V_0) / 2 + p Psi(V), as Psi is concave in the squares of
 * its groups of slips: it lies below the square that touches it here. */
static inline bool viscous_step(const patch_free *f, const int n, bool ends, const free_point *from, free_point *to)
{
    double A[SLIPS][SLIPS], V[SLIPS];
    for (int a = 0; a < n; a++) {
        V[a] = f->U[a] + from->p * f->k[a];
        for (int b = 0; b < n; b++)
            A[a][b] = (a == b) + from->p * f->S[a][b] * from->friction.weight[f->at[b]];
    }
    const bool regular = eliminate(n, A, V);
    memset(to->V, 0, sizeof to->V);
    for (int a = 0; a < n; a++)
        to->V[f->at[a]] = V[a];
    to->p = from->p;
    look(f, n, ends, to);
    return regular;
}

/* A patch that spins hardly resists a slow slip: slips that friction nearly stops are found from no slip at all. */
static inline bool start_from_spin(const patch_free *f, const int n, bool ends, const free_point *given,
                                   free_point *start)
{
    free_point still = *given;
    if (f->x->frictional < 3 || given->V[2] == 0)
        return false;
    still.V[0] = still.V[1] = 0;
    look(f, n, ends, &still);
    return viscous_step(f, n, ends, &still, start) && start->left < given->left;
}

static inline void try_share(const patch_free *f, const int n, bool ends, const free_point *from, const double *step,
                             double share, free_point *to)
{
    memcpy(to->V, from->V, sizeof to->V);
    for (int a = 0; a < n; a++)
        to->V[f->at[a]] += share * step[a];
    to->p = from->p;
    look(f, n, ends, to);
}

/* With p given, V minimises (V - V_0) S^-1 (V - V_0) / 2 + p Psi(V): the share of the step at which the slope of that
 * has not risen beyond half of what it fell with. A slope that is all rounding says nothing against the whole step. */
static inline bool search_along(const patch_free *f, const int n, const free_point *from, const double *step,
                                free_point *to)
{
    double A[SLIPS][SLIPS], y[SLIPS], share = 1, low = 0, high = 1, first = 0, noise = 0;
    memcpy(A, f->S, sizeof A);
    memcpy(y, step, sizeof y);
    if (!eliminate(n, A, y))
        return false;
    for (int a = 0; a < n; a++) {
        first += y[a] * from->r[a];
        noise += NOISE * fabs(y[a]) * from->terms[a];
    }
    for (int cut = 0; cut < CUTS; cut++) {
        double slope = 0;
        for (int a = 0; a < n; a++)
            slope += y[a] * to->r[a];
        if (slope <= max(0.5 * fabs(first), noise) && (share == 1 || slope >= -0.5 * fabs(first)))
            return true;
        *(slope > 0 ? &high : &low) = share;
        share = 0.5 * (low + high);
        try_share(f, n, false, from, step, share, to);
    }
    return true;
}

/* Impulses: -p g of the free slips, (1) of the held ones. */
static inline void write_solution(const patch_free *f, const int n, const free_point *at, patch_solution *s)
{
    memcpy(s->V, at->V, sizeof s->V);
    s->p = at->p;
    for (int a = 0; a < n; a++)
        s->P[f->at[a]] = -at->p * at->friction.g[f->at[a]];
    for (int r = 0; r < f->held_count; r++) {
        double P = -f->Y_U[r] - f->Y_n[r] * at->p;
        for (int a = 0; a < n; a++)
            P -= f->Y[a][r] * s->P[f->at[a]];
        s->P[f->held[r]] = P;
        s->V[f->held[r]] = 0;
    }
}

/* Steps of Newton, and viscous ones where these do not halve what is left. */
static inline bool newton(const patch_free *f, const int n, bool ends, patch_solution *s)
{
    free_point points[2], *at = &points[0], *next = &points[1];
    double step[SLIPS], last = INFINITY;
    memcpy(at->V, s->V, sizeof at->V);
    at->p = s->p;
    look(f, n, ends, at);
    if (!(at->left < NEAR) && start_from_spin(f, n, ends, at, next))
        *at = *next;
    for (int i = 0; i < NEWTON_STEPS; i++) {
        if (at->left <= EXACT || (at->left <= SETTLED && last <= QUADRATIC) ||
            (at->left <= NOISE && at->left >= 0.5 * last)) {
            write_solution(f, n, at, s);
            return true;
        }
        if (!newton_step(f, n, ends, at, step))
            return false;
        const bool still = is_still(f, n, at->V, step);
        try_share(f, n, ends, at, step, 1, next);
        if (!still && !(next->left <= max(0.5 * at->left, NOISE)) &&
            !(ends ? viscous_step(f, n, ends, at, next) : search_along(f, n, at, step, next)))
            return false;
        last = still ? 0 : at->left;
        free_point *was = at;
        at = next, next = was;
    }
    return false;
}

bool carom_patch_free_resolve(const patch_free *f, patch_solution *s)
{
    if (f->count > 0)
        return f->count == 3 ? newton(f, 3, false, s) : newton(f, f->count, false, s);
    const free_point rest = {.p = s->p};
    write_solution(f, 0, &rest, s);
    return true;
}

bool carom_patch_free_end(const patch_free *f, patch_solution *s)
{
    if (f->count > 0)
        return (f->count == 3 ? newton(f, 3, true, s) : newton(f, f->count, true, s)) && s->p > 0;
    const free_point rest = {.p = f->c / f->K_nn};
    write_solution(f, 0, &rest, s);
    return s->p > 0;
}
