#include "laws/together/together_local.h"

#include <math.h>

#include "core/num.h"

#define REGULAR_TOL 1e-12 /* of the product of the diagonal: a determinant below it counts as zero */
#define TURN_TOL    1e-15 /* of the slip speed: Newton on its direction ends */
#define TURN_MOST   0.7   /* radians in one Newton step */

enum { TURNS = 12 };

static bool invert2(const double *K, double *inv)
{
    double det = difference_of_products(K[0], K[3], K[1], K[2]);
    if (!(det > REGULAR_TOL * K[0] * K[3]))
        return false;
    inv[0] = K[3] / det;
    inv[1] = inv[2] = -K[1] / det;
    inv[3] = K[0] / det;
    return true;
}

static bool invert3(const double *K, double *inv)
{
    double c00 = K[4] * K[8] - K[5] * K[7], c01 = K[5] * K[6] - K[3] * K[8], c02 = K[3] * K[7] - K[4] * K[6];
    double det = K[0] * c00 + K[1] * c01 + K[2] * c02;
    if (!(det > REGULAR_TOL * K[0] * K[4] * K[8]))
        return false;
    inv[0] = c00 / det;
    inv[1] = inv[3] = c01 / det;
    inv[2] = inv[6] = c02 / det;
    inv[4] = (K[0] * K[8] - K[2] * K[6]) / det;
    inv[5] = inv[7] = (K[2] * K[3] - K[0] * K[5]) / det;
    inv[8] = (K[0] * K[4] - K[1] * K[3]) / det;
    return true;
}

void local_init(int dim, const double *block, double shift, double mu, local_contact *l)
{
    double trace = 0;
    l->dim = dim;
    l->mu = mu;
    for (int i = 0; i < dim * dim; i++)
        l->K[i] = block[i];
    for (int i = 0; i < dim; i++)
        trace += l->K[i * (dim + 1)] += shift;
    l->rho = 1 / trace;
    l->regular = dim == 2 ? invert2(l->K, l->inverse) : invert3(l->K, l->inverse);
}

static double slip_size(int dim, const double *v)
{
    return dim == 2 ? fabs(v[0]) : length_of(v[0], v[1]);
}

void local_project(int dim, double mu, const double *z, double *p)
{
    int n = dim - 1;
    double slip = slip_size(dim, z), along = (mu * slip + z[n]) / (1 + mu * mu);
    bool inside = slip <= mu * z[n], polar = mu * slip <= -z[n];
    double factor = inside ? 1 : polar || !(slip > 0) ? 0 : mu * along / slip;
    for (int i = 0; i < n; i++)
        p[i] = factor * z[i];
    p[n] = inside ? z[n] : polar ? 0 : along;
}

void local_project_slope(int dim, double mu, const double *z, double *slope)
{
    int n = dim - 1;
    double slip = slip_size(dim, z), along = (mu * slip + z[n]) / (1 + mu * mu), g[3], d[3] = {0, 0, 0};
    bool inside = slip <= mu * z[n] && slip > 0 ? true : slip == 0 && mu > 0 && z[n] > 0;
    bool polar = mu * slip <= -z[n];
    for (int i = 0; i < dim * dim; i++)
        slope[i] = inside && i % (dim + 1) == 0 ? 1 : 0;
    if (inside || polar)
        return;
    for (int i = 0; i < n; i++)
        d[i] = slip > 0 ? z[i] / slip : 0;
    for (int i = 0; i < dim; i++)
        g[i] = i < n ? mu * d[i] : 1;
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
            double turn = i < n && j < n && slip > 0 ? mu * along / slip * ((i == j) - d[i] * d[j]) : 0;
            slope[i * dim + j] = g[i] * g[j] / (1 + mu * mu) + turn;
        }
}

static void velocity(const local_contact *l, const double *r, const double *p, double *y)
{
    int dim = l->dim == 2 ? 2 : 3;
    for (int i = 0; i < dim; i++) {
        y[i] = r[i];
        for (int j = 0; j < dim; j++)
            y[i] += l->K[i * dim + j] * p[j];
    }
}

/* One step of the projection of the page: what is left where no closed form applies. */
static void step_projection(const local_contact *l, const double *r, double *p)
{
    double y[3], z[3];
    velocity(l, r, p, y);
    for (int i = 0; i < l->dim; i++)
        z[i] = p[i] - l->rho * y[i];
    z[l->dim - 1] -= l->convex ? 0 : l->rho * l->mu * slip_size(l->dim, y);
    local_project(l->dim, l->mu, z, p);
}

/* The normal impulse when p lies along g = (mu d, 1), and its derivative as g turns by dg. */
static double along_edge(const local_contact *l, const double *r, const double g[3], const double dg[3], double *slope)
{
    int dim = l->dim, n = dim - 1;
    double top = 0, below = 0, dtop = 0, dbelow = 0;
    for (int i = l->convex ? 0 : n; i < dim; i++) {
        double gi = l->convex ? g[i] : 1, dgi = l->convex ? dg[i] : 0;
        top -= gi * r[i];
        dtop -= dgi * r[i];
        for (int j = 0; j < dim; j++) {
            below += gi * l->K[i * dim + j] * g[j];
            dbelow += l->K[i * dim + j] * (gi * dg[j] + dgi * g[j]);
        }
    }
    *slope = below > 0 ? (dtop * below - top * dbelow) / (below * below) : 0;
    return below > 0 ? top / below : -1;
}

static bool slip_planar(const local_contact *l, const double *r, double *p)
{
    double first = r[0] > 0 ? -1 : 1, unused;
    for (int k = 0; k < 2; k++) {
        double sign = k ? -first : first, g[3] = {sign * l->mu, 1, 0}, still[3] = {0, 0, 0}, y[3];
        double p_n = along_edge(l, r, g, still, &unused), trial[3] = {g[0] * p_n, p_n, 0};
        velocity(l, r, trial, y);
        if (p_n >= 0 && sign * y[0] <= 0) {
            p[0] = trial[0];
            p[1] = trial[1];
            return true;
        }
    }
    return false;
}

/* Newton on the direction d of the friction: d and y_t are opposed when their cross product vanishes. */
static bool slip_spatial(const local_contact *l, const double *r, double *p)
{
    double size = length_of(p[0], p[1]), d[2] = {p[0], p[1]}, mu = l->mu, y[3] = {0, 0, 0}, trial[3] = {0, 0, 0};
    if (!(size > 0)) {
        size = length_of(r[0], r[1]);
        d[0] = -r[0];
        d[1] = -r[1];
    }
    if (!(size > 0))
        return false;
    d[0] /= size;
    d[1] /= size;
    for (int k = 0; k < TURNS; k++) {
        double g[3] = {mu * d[0], mu * d[1], 1}, dg[3] = {-mu * d[1], mu * d[0], 0}, dp, dy[2];
        double p_n = along_edge(l, r, g, dg, &dp);
        if (!(p_n >= 0))
            return false;
        for (int i = 0; i < 3; i++)
            trial[i] = p_n * g[i];
        velocity(l, r, trial, y);
        double cross = d[0] * y[1] - d[1] * y[0], dot = d[0] * y[0] + d[1] * y[1];
        for (int i = 0; i < 2; i++)
            dy[i] = l->K[3 * i] * (dp * g[0] + p_n * dg[0]) + l->K[3 * i + 1] * (dp * g[1] + p_n * dg[1]) +
                    l->K[3 * i + 2] * dp;
        double slope = -dot + d[0] * dy[1] - d[1] * dy[0], turn = slope != 0 ? -cross / slope : 0;
        if (fabs(cross) <= TURN_TOL * (fabs(dot) + fabs(cross)) || k == TURNS - 1) {
            bool opposed = dot <= 0;
            for (int i = 0; i < 3 && opposed; i++)
                p[i] = trial[i];
            return opposed;
        }
        turn = clamp(dot > 0 || slope <= 0 ? (cross > 0 ? TURN_MOST : -TURN_MOST) : turn, -TURN_MOST, TURN_MOST);
        double c = d[0] - turn * d[1], s = d[1] + turn * d[0], length = length_of(c, s);
        d[0] = c / length;
        d[1] = s / length;
    }
    return false;
}

static bool sticks(const local_contact *l, const double *r, double *p)
{
    double trial[3] = {0, 0, 0};
    int n = l->dim - 1;
    if (!l->regular)
        return false;
    for (int i = 0; i < l->dim; i++) {
        for (int j = 0; j < l->dim; j++)
            trial[i] -= l->inverse[i * l->dim + j] * r[j];
    }
    if (!(trial[n] >= 0 && slip_size(l->dim, trial) <= l->mu * trial[n]))
        return false;
    for (int i = 0; i < l->dim; i++)
        p[i] = trial[i];
    return true;
}

void local_solve(const local_contact *l, const double *r, double *p)
{
    int n = l->dim - 1;
    double lift = l->convex ? l->mu * slip_size(l->dim, r) : 0;
    if (r[n] >= lift || l->mu == 0) {
        for (int i = 0; i < n; i++)
            p[i] = 0;
        p[n] = r[n] >= lift ? 0 : -r[n] / l->K[l->dim * l->dim - 1];
        return;
    }
    if (sticks(l, r, p) || (l->dim == 2 ? slip_planar(l, r, p) : slip_spatial(l, r, p)))
        return;
    step_projection(l, r, p);
}
