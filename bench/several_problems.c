#include "several_problems.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- random numbers, the same in every run ---- */

static uint64_t state;

static double within(double low, double high)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}

static void *must(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static carom_coeffs *make_coeffs(int m, double e, double mu)
{
    carom_coeffs *c = must(malloc((size_t)m * sizeof *c));
    for (int i = 0; i < m; i++) {
        c[i] = carom_coeffs_default();
        c[i].e = e;
        c[i].mu = mu;
    }
    return c;
}

several_problem several_random(int m, int dim, unsigned seed)
{
    int n = m * dim, freedoms = n + 4;
    double *G = must(malloc((size_t)(n * freedoms) * sizeof *G)), *K = must(calloc((size_t)(n * n), sizeof *K)), u[96];
    several_problem s = {"", {0}, make_coeffs(m, 0.5, 0.3), 0, must(malloc(carom_contacts_size(m, dim)))};
    state = seed;
    for (int i = 0; i < n * freedoms; i++)
        G[i] = within(-1, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < freedoms; k++)
                K[i * n + j] += G[i * freedoms + k] * G[j * freedoms + k];
    for (int i = 0; i < n; i++)
        u[i] = i % dim == dim - 1 ? within(-2, -0.1) : within(-2, 2);
    for (int i = 0; i < m; i++)
        s.coeffs[i].mu = within(0.1, 0.9);
    if (carom_contacts_from_K(m, dim, K, u, s.memory, &s.contacts))
        abort();
    free(G);
    free(K);
    return s;
}

/* ---- a pile ---- */

enum { WALLS = 5, NEAR_MOST = 64 };
#define SIDE   10.0 /* of the box */
#define WINDOW 1.2  /* how far from a random place a sphere may be laid */
#define CLOSED 1e-3 /* a gap below it is closed */

/* Walls and the floor as planes: point . normal >= offset is free. */
static const double normals[WALLS][3] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
static const double offsets[WALLS] = {0, 0, -SIDE, 0, -SIDE};

typedef struct pile {
    int count;
    double (*at)[3], *radius;
} pile;

/* Gap between a sphere at x and obstacle k: first the walls, then the spheres. */
static double gap_to(const pile *s, int k, const double *x, double r)
{
    if (k < WALLS)
        return normals[k][0] * x[0] + normals[k][1] * x[1] + normals[k][2] * x[2] - offsets[k] - r;
    const double *c = s->at[k - WALLS], d[3] = {x[0] - c[0], x[1] - c[1], x[2] - c[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - r - s->radius[k - WALLS];
}

static void gap_slope(const pile *s, int k, const double *x, double *g)
{
    double length = 0;
    for (int i = 0; i < 3; i++)
        g[i] = k < WALLS ? normals[k][i] : x[i] - s->at[k - WALLS][i];
    length = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    for (int i = 0; i < 3; i++)
        g[i] /= length > 0 ? length : 1;
}

/* x such that three gaps vanish, by Newton from x. */
static bool touch_three(const pile *s, const int *k, double r, double *x)
{
    for (int turn = 0; turn < 12; turn++) {
        double A[3][3], f[3];
        for (int i = 0; i < 3; i++) {
            f[i] = gap_to(s, k[i], x, r);
            gap_slope(s, k[i], x, A[i]);
        }
        if (fabs(f[0]) + fabs(f[1]) + fabs(f[2]) < 1e-12)
            return true;
        double c0[3], det;
        for (int i = 0; i < 3; i++)
            c0[i] = A[1][(i + 1) % 3] * A[2][(i + 2) % 3] - A[1][(i + 2) % 3] * A[2][(i + 1) % 3];
        det = A[0][0] * c0[0] + A[0][1] * c0[1] + A[0][2] * c0[2];
        if (!(fabs(det) > 1e-3))
            return false;
        for (int i = 0; i < 3; i++) {
            double c1 = A[2][(i + 1) % 3] * A[0][(i + 2) % 3] - A[2][(i + 2) % 3] * A[0][(i + 1) % 3];
            double c2 = A[0][(i + 1) % 3] * A[1][(i + 2) % 3] - A[0][(i + 2) % 3] * A[1][(i + 1) % 3];
            x[i] -= (c0[i] * f[0] + c1 * f[1] + c2 * f[2]) / det;
        }
    }
    return false;
}

static bool is_free(const pile *s, const double *x, double r)
{
    for (int k = 0; k < WALLS + s->count; k++)
        if (gap_to(s, k, x, r) < -1e-9)
            return false;
    return true;
}

/* Obstacles around (x, y). */
static int list_near(const pile *s, double x, double y, int *near)
{
    int count = 0;
    double top = 0;
    for (int k = 0; k < s->count; k++)
        if (hypot(s->at[k][0] - x, s->at[k][1] - y) < WINDOW && s->at[k][2] > top)
            top = s->at[k][2];
    for (int k = 0; k < WALLS; k++)
        near[count++] = k;
    for (int k = 0; k < s->count && count < NEAR_MOST; k++)
        if (hypot(s->at[k][0] - x, s->at[k][1] - y) < WINDOW && s->at[k][2] > top - 1.5)
            near[count++] = WALLS + k;
    return count;
}

/* Can a sphere of radius r touch both? */
static bool are_close(const pile *s, int j, int k, double r)
{
    return j < WALLS || k < WALLS || gap_to(s, k, s->at[j - WALLS], s->radius[j - WALLS]) < 2 * r;
}

/* Lay one sphere on the lowest free place near a random one. */
static void lay_sphere(pile *s, double r)
{
    int near[NEAR_MOST] = {0}, k[3];
    double best[3] = {0, 0, INFINITY};
    for (int attempt = 0; attempt < 50 && !isfinite(best[2]); attempt++) {
        double px = within(r, SIDE - r), py = within(r, SIDE - r), top = 0;
        int count = list_near(s, px, py, near);
        for (int i = WALLS; i < count; i++)
            top = fmax(top, s->at[near[i] - WALLS][2]);
        for (k[0] = 0; k[0] < count; k[0]++)
            for (k[1] = k[0] + 1; k[1] < count; k[1]++)
                for (k[2] = k[1] + 1; k[2] < count && are_close(s, near[k[0]], near[k[1]], r); k[2]++) {
                    int three[3] = {near[k[0]], near[k[1]], near[k[2]]};
                    double x[3] = {px, py, top + r};
                    if (are_close(s, three[0], three[2], r) && are_close(s, three[1], three[2], r) &&
                        touch_three(s, three, r, x) && x[2] < best[2] && is_free(s, x, r))
                        memcpy(best, x, sizeof x);
                }
    }
    memcpy(s->at[s->count], best, sizeof best);
    s->radius[s->count++] = r;
}

static pile make_pile(int count)
{
    pile s = {0, must(calloc((size_t)count, sizeof *s.at)), must(calloc((size_t)count, sizeof *s.radius))};
    while (s.count < count)
        lay_sphere(&s, within(0.45, 0.55));
    return s;
}

static void add_pair(const pile *s, int i, int k, carom_pair *pairs, int *count)
{
    double g[3];
    gap_slope(s, k, s->at[i], g);
    carom_vec3 n = {g[0], g[1], g[2]};
    carom_pair *pair = &pairs[(*count)++];
    pair->a = i;
    pair->b = k < WALLS ? CAROM_WORLD : k - WALLS;
    carom_vec3 arm_b = k < WALLS ? carom_vec3_make(0, 0, 0) : carom_vec3_scale(s->radius[k - WALLS], n);
    if (carom_contact_init(carom_vec3_scale(-s->radius[i], n), arm_b, n, &pair->contact))
        abort();
}

several_problem several_pile(int spheres, bool rests, unsigned seed)
{
    state = seed;
    pile s = make_pile(spheres);
    carom_body *bodies = must(malloc((size_t)spheres * sizeof *bodies));
    carom_pair *pairs = must(malloc((size_t)spheres * 16 * sizeof *pairs));
    int count = 0;
    for (int i = 0; i < spheres; i++) {
        carom_body_def def = carom_body_def_default();
        double r = s.radius[i], spread = rests ? 0 : 0.3;
        def.mass = 8 * r * r * r;
        def.inertia = (carom_sym3){0.4 * def.mass * r * r, 0, 0, 0.4 * def.mass * r * r, 0, 0.4 * def.mass * r * r};
        def.velocity = carom_vec3_make(within(-spread, spread), within(-spread, spread),
                                       (rests ? -9.81 : -1) + within(-spread, spread));
        if (carom_body_init(&def, &bodies[i]))
            abort();
        for (int k = 0; k < WALLS + i; k++)
            if (gap_to(&s, k, s.at[i], r) < CLOSED && count < 16 * spheres)
                add_pair(&s, i, k, pairs, &count);
    }
    carom_bodies set = {spheres, bodies, count, pairs, 3};
    several_problem made = {
        "", {0}, make_coeffs(count, rests ? 0 : 0.5, 0.3), spheres, must(malloc(carom_bodies_size(&set)))};
    if (carom_bodies_contacts(&set, made.memory, &made.contacts))
        abort();
    free(bodies);
    free(pairs);
    free(s.at);
    free(s.radius);
    return made;
}

several_problem several_cradle(void)
{
    double K[16] = {2, 0, 0, 0, 0, 2, 0, -1, 0, 0, 2, 0, 0, -1, 0, 2}, u[4] = {0, -1, 0, 0};
    several_problem s = {"", {0}, make_coeffs(2, 1, 0), 3, must(malloc(carom_contacts_size(2, 2)))};
    if (carom_contacts_from_K(2, 2, K, u, s.memory, &s.contacts))
        abort();
    return s;
}

void several_free_problem(several_problem *problem)
{
    free(problem->coeffs);
    free(problem->memory);
}
