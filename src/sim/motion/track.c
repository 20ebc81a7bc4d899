/* One step of Gauss collocation with seven nodes: order 14 at its end, a polynomial of degree seven inside. */
#include "sim/motion/track.h"

#include <string.h>

#include "sim/world/tolerance.h"

void track_weights(double h, double x, double weight[GAUSS_NODES])
{
    for (int j = 0; j < GAUSS_NODES; j++) {
        weight[j] = gauss_integral[j][GAUSS_NODES - 1];
        for (int k = GAUSS_NODES - 2; k >= 0; k--)
            weight[j] = weight[j] * x + gauss_integral[j][k];
        weight[j] *= h * x;
    }
}

void nodes_state(const node_search *x, double share, node_rates f, double *out)
{
    double weight[GAUSS_NODES];
    track_weights(x->h, share, weight);
    for (int i = 0; i < x->size; i++) {
        out[i] = x->y[i];
        for (int j = 0; j < GAUSS_NODES; j++)
            out[i] += weight[j] * f[j][i];
    }
}

/* The rates at all nodes from those of the last round; the largest change, or infinite. */
static double one_round(node_search *x, node_rates f)
{
    double change = 0;
    for (int j = 0; j < GAUSS_NODES; j++) {
        nodes_state(x, gauss_node[j], f, x->here);
        if (!x->rate(x->context, gauss_node[j] * x->h, x->here, x->next[j]))
            return INFINITY;
        for (int i = 0; i < x->size; i++)
            change = max(change, x->h * fabs(x->next[j][i] - f[j][i]) / x->scale[i]);
    }
    for (int j = 0; j < GAUSS_NODES; j++)
        memcpy(f[j], x->next[j], (size_t)x->size * sizeof **f);
    return change;
}

bool nodes_settle(node_search *x, node_rates f)
{
    double last = INFINITY;
    for (int n = 0; n < ITERATIONS; n++) {
        double change = one_round(x, f);
        if (change <= x->settled || (n > x->patience && change <= x->rounding && change >= last))
            return true;
        if (!(change < DIVERGES))
            return false;
        last = change;
    }
    return false;
}

void track_integrate(double h, const double f[GAUSS_NODES], double c[GAUSS_NODES + 1])
{
    c[0] = 0;
    for (int k = 0; k < GAUSS_NODES; k++) {
        double sum = 0;
        for (int j = 0; j < GAUSS_NODES; j++)
            sum += gauss_integral[j][k] * f[j];
        c[k + 1] = h * sum;
    }
}

void track_make(const double y[STATE], double t, double h, double f[GAUSS_NODES][STATE], track *out)
{
    out->t0 = t;
    out->h = h;
    out->accel = out->turn = 0;
    memset(out->work, 0, sizeof out->work);
    out->driven = NULL;
    for (int i = 0; i < STATE; i++) {
        double own[GAUSS_NODES];
        for (int j = 0; j < GAUSS_NODES; j++)
            own[j] = f[j][i];
        track_integrate(h, own, out->c[i]);
        out->c[i][0] = y[i];
    }
    double W = 0, rate = 0;
    for (int k = 0; k <= GAUSS_NODES; k++) {
        double v = 0, w = 0;
        for (int i = 0; i < 3; i++) {
            v += fabs(out->c[7 + i][k]);
            w += fabs(out->c[10 + i][k]);
        }
        out->accel += k * v / h;
        rate += k * w / h;
        W += w;
    }
    out->turn = W * W + rate;
}
