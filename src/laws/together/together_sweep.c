/* Gauss-Seidel over the contacts, each solved exactly while the others are held; Anderson's acceleration mixes the
 * last sweeps, and falls back to a plain sweep where mixing does not help. */
#include "laws/together/together_sweep.h"

#include <string.h>

#include "laws/together/together_local.h"

#define GROWTH_MOST 4.0   /* times the least change so far: mixing went astray, start again */
#define GRAM_RIDGE  1e-12 /* of the trace: keeps nearly parallel sweeps apart */

enum { HISTORY = 10, CHECK_EVERY = 4 };

size_t sweep_work(const carom_contacts *x)
{
    size_t n = (size_t)(x->count * x->dim);
    return block_doubles(n * (4 + 2 * HISTORY)) + (size_t)x->count * sizeof(local_contact);
}

typedef struct sweeper {
    const sweep_problem *pb;
    int n, dim, kept, next;
    double *g, *f, *f_last, *g_last; /* G(p), G(p) - p, and those of the sweep before */
    double *dF, *dG;                 /* HISTORY x n */
    local_contact *local;
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
    s.dF = take_doubles(&block, n * HISTORY);
    s.dG = take_doubles(&block, n * HISTORY);
    s.local = (local_contact *)(void *)block.at;
    for (int i = 0; i < pb->x->count; i++) {
        local_init(s.dim, carom_contacts_block(pb->x, i, i), pb->shift, pb->coeffs[i].mu, &s.local[i]);
        s.local[i].convex = pb->convex;
    }
    return s;
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
        for (int k = x->row[i]; k < x->row[i + 1]; k++) {
            const double *K = x->K + k * dim * dim, *other = p + x->column[k] * dim;
            if (x->column[k] == i)
                continue;
            for (int a = 0; a < dim; a++)
                for (int b = 0; b < dim; b++)
                    r[a] += K[a * dim + b] * other[b];
        }
        local_solve(&s->local[i], r, p + i * dim);
    }
}

double sweep_residual(const sweep_problem *pb, const double *p, const double *y)
{
    int dim = pb->x->dim, n = dim - 1;
    double most = 0, size = largest_of((size_t)(pb->x->count * dim), p);
    for (int i = 0; i < pb->x->count; i++) {
        const double *K = carom_contacts_block(pb->x, i, i), *yi = y + i * dim;
        double trace = 0, z[3], projected[3], slip = n == 1 ? fabs(yi[0]) : hypot(yi[0], yi[1]);
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

/* The weights gamma that make f - dF gamma least, by the normal equations. */
static bool mix_weights(const sweeper *s, double *gamma)
{
    double G[HISTORY][HISTORY], trace = 0;
    int k = s->kept;
    for (int i = 0; i < k; i++) {
        gamma[i] = 0;
        for (int a = 0; a < s->n; a++)
            gamma[i] += s->dF[i * s->n + a] * s->f[a];
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int a = 0; a < s->n; a++)
                sum += s->dF[i * s->n + a] * s->dF[j * s->n + a];
            G[i][j] = sum;
        }
        trace += G[i][i];
    }
    for (int i = 0; i < k; i++) { /* G = L L^T, then both triangles */
        for (int j = 0; j <= i; j++) {
            double sum = G[i][j] + (i == j ? GRAM_RIDGE * trace : 0);
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
    s->next = (s->next + 1) % HISTORY;
    s->kept = s->kept < HISTORY ? s->kept + 1 : HISTORY;
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
    together_velocity(s->pb->x, s->pb->q, p, s->f_last);
    for (int a = 0; s->pb->shift > 0 && a < s->n; a++)
        s->f_last[a] += s->pb->shift * (p[a] - (s->pb->around ? s->pb->around[a] : 0));
    return sweep_residual(s->pb, p, s->f_last);
}

sweep_end sweep_solve(const sweep_problem *pb, double *p, void *work)
{
    sweeper s = sweeper_of(pb, work);
    sweep_end end = {INFINITY, 0};
    double least = INFINITY;
    bool has_last = false;
    while (end.sweeps < pb->iterations) {
        double change = advance(&s, p);
        end.sweeps++;
        double size = largest_of((size_t)s.n, s.g);
        bool check = end.sweeps == pb->iterations || change <= 4 * pb->tolerance * size * sqrt((double)s.n);
        if (check && (end.residual = true_residual(&s, s.g)) <= pb->tolerance)
            break;
        if (change > GROWTH_MOST * least) { /* start again from the plain sweep */
            s.kept = s.next = 0;
            least = INFINITY;
            has_last = false;
        } else if (has_last && !check)
            remember(&s);
        least = change < least ? change : least;
        memcpy(s.f_last, s.f, (size_t)s.n * sizeof *s.f);
        memcpy(s.g_last, s.g, (size_t)s.n * sizeof *s.g);
        has_last = true;
        mix(&s, p);
    }
    memcpy(p, s.g, (size_t)s.n * sizeof *p);
    return end;
}
