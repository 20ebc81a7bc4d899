/* Gauss-Seidel over the contacts, each solved exactly while the others are held; Anderson's acceleration mixes the
 * last sweeps, and falls back to a plain sweep where mixing does not help. */
#include "laws/together/together_sweep.h"

#include <string.h>

#include "laws/together/together_local.h"

#define GROWTH_MOST 4.0   /* times the least change so far: mixing went astray, start again */
#define GRAM_RIDGE  1e-12 /* of the diagonal: keeps nearly parallel sweeps apart */

#define RELAXATION 1.4 /* of plain sweeps, once mixing stalls */

enum { HISTORY = 10, CHECK_EVERY = 4, STALL_SWEEPS = 150 }; /* mixing stalls: the residual is not halved in so many */

size_t sweep_work(const carom_contacts *x)
{
    size_t n = (size_t)(x->count * x->dim);
    return block_doubles(n * (5 + 2 * HISTORY)) + (size_t)x->count * sizeof(local_contact);
}

typedef struct sweeper {
    const sweep_problem *pb;
    int n, dim, kept, next;
    double *g, *f, *f_last, *g_last; /* G(p), G(p) - p, and both of the sweep before */
    double *y;                       /* velocities of the residual */
    double *dF, *dG;                 /* HISTORY x n */
    double gram[HISTORY][HISTORY];   /* dF dF^T */
    local_contact *local;
    bool relaxed; /* mixing has stalled: sweeps go beyond the local solution */
} sweeper;

static sweeper sweeper_of(const sweep_problem *pb, void *work)
{
    block_memory block = {work};
    size_t n = (size_t)(pb->x->count * pb->x->dim);
    sweeper s = {.pb = pb, .n = (int)n, .dim = pb->x->dim};
    s.g = take_doubles(&block, n);
    s.f = take_doubles(&block, n);
    s.f_last = take_doubles(&block, n);
    s.g_last = take_doubles(&block, n);
    s.y = take_doubles(&block, n);
    s.dF = take_doubles(&block, n * HISTORY);
    s.dG = take_doubles(&block, n * HISTORY);
    s.local = (local_contact *)(void *)block.at;
    for (int i = 0; i < pb->x->count; i++) {
        local_init(s.dim, carom_contacts_block(pb->x, i, i), pb->shift, pb->coeffs[i].mu, &s.local[i]);
        s.local[i].convex = pb->convex;
    }
    return s;
}

/* r += K x of one block. */
static inline void add_block(int dim, const double *K, const double *x, double *r)
{
    if (dim == 3) {
        r[0] += K[0] * x[0] + K[1] * x[1] + K[2] * x[2];
        r[1] += K[3] * x[0] + K[4] * x[1] + K[5] * x[2];
        r[2] += K[6] * x[0] + K[7] * x[1] + K[8] * x[2];
    } else {
        r[0] += K[0] * x[0] + K[1] * x[1];
        r[1] += K[2] * x[0] + K[3] * x[1];
    }
}

/* One sweep in place. */
static void sweep_once(const sweeper *s, double *p)
{
    const carom_contacts *x = s->pb->x;
    int dim = s->dim;
    for (int i = 0; i < x->count; i++) {
        double r[3];
        for (int a = 0; a < dim; a++)
            r[a] = s->pb->q[i * dim + a] - (s->pb->around ? s->pb->shift * s->pb->around[i * dim + a] : 0);
        for (int k = x->row[i]; k < x->row[i + 1]; k++)
            if (x->column[k] != i)
                add_block(dim, x->K + k * dim * dim, p + x->column[k] * dim, r);
        double before[3] = {p[i * dim], p[i * dim + 1], p[i * dim + dim - 1]};
        local_solve(&s->local[i], r, p + i * dim);
        for (int a = 0; s->relaxed && a < dim; a++)
            r[a] = before[a] + RELAXATION * (p[i * dim + a] - before[a]);
        if (s->relaxed)
            local_project(dim, s->pb->coeffs[i].mu, r, p + i * dim);
    }
}

double sweep_residual(const sweep_problem *pb, const double *p, const double *y)
{
    int dim = pb->x->dim, n = dim - 1;
    double most = 0, size = largest_of((size_t)(pb->x->count * dim), p);
    for (int i = 0; i < pb->x->count; i++) {
        const double *K = carom_contacts_block(pb->x, i, i), *yi = y + i * dim;
        double trace = 0, z[3], projected[3], slip = n == 1 ? fabs(yi[0]) : length_of(yi[0], yi[1]);
        for (int a = 0; a < dim; a++)
            trace += K[a * (dim + 1)];
        for (int a = 0; a < dim; a++)
            z[a] = p[i * dim + a] - yi[a] / trace;
        z[n] -= pb->convex ? 0 : pb->coeffs[i].mu * slip / trace;
        local_project(dim, pb->coeffs[i].mu, z, projected);
        for (int a = 0; a < dim; a++)
            most = max(most, fabs(p[i * dim + a] - projected[a]));
    }
    return size > 0 ? most / size : most > 0 ? INFINITY : 0;
}

static double dot(int n, const double *a, const double *b)
{
    double even = 0, odd = 0; /* the sums of alternate terms */
    for (int i = 0; i + 1 < n; i += 2) {
        even += a[i] * b[i];
        odd += a[i + 1] * b[i + 1];
    }
    return n % 2 ? even + odd + a[n - 1] * b[n - 1] : even + odd;
}

/* The weights gamma that make f - dF gamma least, by the normal equations. */
static bool mix_weights(const sweeper *s, double *gamma)
{
    double G[HISTORY][HISTORY];
    int k = s->kept;
    for (int i = 0; i < k; i++) {
        gamma[i] = dot(s->n, s->dF + i * s->n, s->f);
        for (int j = 0; j <= i; j++)
            G[i][j] = s->gram[i][j];
    }
    for (int i = 0; i < k; i++) { /* G = L L^T, then both triangles */
        for (int j = 0; j <= i; j++) {
            double sum = G[i][j] * (i == j ? 1 + GRAM_RIDGE : 1);
            for (int c = 0; c < j; c++)
                sum -= G[i][c] * G[j][c];
            if (i == j && !(sum > 0))
                return false;
            G[i][j] = i == j ? sqrt(sum) : sum / G[j][j];
        }
        for (int c = 0; c < i; c++)
            gamma[i] -= G[i][c] * gamma[c];
        gamma[i] /= G[i][i];
    }
    for (int i = k - 1; i >= 0; i--) {
        gamma[i] /= G[i][i];
        for (int c = 0; c < i; c++)
            gamma[c] -= G[i][c] * gamma[i];
    }
    return true;
}

/* p = g - dG gamma, back in the cones. */
static void mix(const sweeper *s, double *p)
{
    double gamma[HISTORY];
    memcpy(p, s->g, (size_t)s->n * sizeof *p);
    if (s->kept == 0 || !mix_weights(s, gamma))
        return;
    for (int i = 0; i < s->kept; i++)
        for (int a = 0; a < s->n; a++)
            p[a] -= gamma[i] * s->dG[i * s->n + a];
    for (int i = 0; i < s->pb->x->count; i++) {
        double z[3];
        for (int a = 0; a < s->dim; a++)
            z[a] = p[i * s->dim + a];
        local_project(s->dim, s->pb->coeffs[i].mu, z, p + i * s->dim);
    }
}

static void remember(sweeper *s)
{
    double *dF = s->dF + s->next * s->n, *dG = s->dG + s->next * s->n;
    for (int a = 0; a < s->n; a++) {
        dF[a] = s->f[a] - s->f_last[a];
        dG[a] = s->g[a] - s->g_last[a];
    }
    s->kept = s->kept < HISTORY ? s->kept + 1 : HISTORY;
    for (int j = 0; j < s->kept; j++)
        s->gram[s->next][j] = s->gram[j][s->next] = dot(s->n, dF, s->dF + j * s->n);
    s->next = (s->next + 1) % HISTORY;
}

/* Sweep from p: g = G(p), f = g - p. Returns the length of f. */
static double advance(const sweeper *s, const double *p)
{
    double sum = 0;
    memcpy(s->g, p, (size_t)s->n * sizeof *p);
    sweep_once(s, s->g);
    for (int a = 0; a < s->n; a++) {
        s->f[a] = s->g[a] - p[a];
        sum += s->f[a] * s->f[a];
    }
    return sqrt(sum);
}

static double true_residual(const sweeper *s, const double *p)
{
    together_velocity(s->pb->x, s->pb->q, p, s->y);
    for (int a = 0; s->pb->shift > 0 && a < s->n; a++)
        s->y[a] += s->pb->shift * (p[a] - (s->pb->around ? s->pb->around[a] : 0));
    return sweep_residual(s->pb, p, s->y);
}

/* The next p: a mix of the last sweeps, or the plain sweep where mixing went astray or has stalled. */
static void choose_next(sweeper *s, double change, double *least, double *p)
{
    bool astray = change > GROWTH_MOST * *least;
    if (astray)
        s->kept = s->next = 0;
    else if (isfinite(*least) && !s->relaxed)
        remember(s);
    *least = astray ? INFINITY : min(*least, change);
    memcpy(s->f_last, s->f, (size_t)s->n * sizeof *s->f);
    memcpy(s->g_last, s->g, (size_t)s->n * sizeof *s->g);
    if (s->relaxed)
        s->kept = 0;
    mix(s, p);
}

sweep_end sweep_solve(const sweep_problem *pb, double *p, void *work)
{
    sweeper s = sweeper_of(pb, work);
    sweep_end end = {INFINITY, 0};
    double least = INFINITY, halved = INFINITY;
    int since = 0;
    while (end.sweeps < pb->iterations) {
        double change = advance(&s, p);
        end.sweeps++;
        if (end.sweeps == pb->iterations || end.sweeps % CHECK_EVERY == 0) {
            end.residual = true_residual(&s, s.g);
            if (end.residual <= pb->tolerance)
                break;
            bool progress = end.residual <= 0.5 * halved;
            halved = progress ? end.residual : halved;
            since = progress ? end.sweeps : since;
            s.relaxed |= end.sweeps - since > STALL_SWEEPS;
        }
        choose_next(&s, change, &least, p);
    }
    memcpy(p, s.g, (size_t)s.n * sizeof *p);
    return end;
}
