/* The friction of a contact with a patch: the norm Psi, its gradient and Hessian, its dual (docs/theory/patch.md). */
#include "laws/patch/patch_contact.h"

void carom_patch_write(const carom_patch_contact *x, const patch_solution *s, carom_cvec *linear, carom_cspin *m)
{
    const int f = x->frictional;
    *linear = carom_cvec_make(s->P[0], s->P[1], s->p);
    *m = (carom_cspin){f == 3 ? s->P[2] * x->length : 0, x->count > f ? s->P[f] * x->length : 0,
                       x->count > f ? s->P[f + 1] * x->length : 0};
}

void carom_patch_forward(const carom_patch_contact *x, const double *right, double *y)
{
    for (int i = 0; i <= x->count; i++) {
        double sum = right[i];
        for (int j = 0; j < i; j++)
            sum -= x->L[i][j] * y[j];
        y[i] = sum / x->L[i][i];
    }
}

/* ---- the norm ---- */

bool carom_patch_sticks(const carom_patch_contact *x, const double *V)
{
    return V[0] == 0 && V[1] == 0 && (x->frictional < 3 || V[2] == 0);
}

bool carom_patch_rests(const carom_patch_contact *x, const double *V)
{
    const int f = x->frictional;
    return x->count == f || (V[f] == 0 && V[f + 1] == 0);
}

/* weight (1 - v^ v^T), of the direction v^ = (c1, c2). */
static void add_across(double weight, double c1, double c2, int at, double H[SLIPS][SLIPS])
{
    H[at][at] += weight * c2 * c2;
    H[at][at + 1] = H[at + 1][at] = H[at][at + 1] - weight * c1 * c2;
    H[at + 1][at + 1] += weight * c1 * c1;
}

/* (2) and (4) of core/patch.h, times mu. */
static void add_sliding(const carom_patch_contact *x, const double *V, patch_friction *f)
{
    const bool spins = x->frictional == 3;
    const double vv = V[0] * V[0] + V[1] * V[1], W = spins ? V[2] : 0, r = sqrt(vv);
    const patch_slope point = {1, 0, 0, r}, s = spins ? patch_slope_at(x->pressure, vv, W * W) : point;
    const double force = x->mu * s.alpha, across = force / s.L;
    f->weight[0] = f->weight[1] = across;
    f->g[0] = force * (V[0] / s.L);
    f->g[1] = force * (V[1] / s.L);
    if (!(r > 0)) {
        f->H[0][0] = f->H[1][1] = across;
    } else {
        const double c1 = V[0] / r, c2 = V[1] / r, along = x->mu * s.eta / s.L,
                     z[3] = {W / s.L * c1, W / s.L * c2, -r / s.L};
        for (int i = 0; i < x->frictional; i++)
            for (int j = 0; j < x->frictional; j++)
                f->H[i][j] = along * z[i] * z[j];
        add_across(across, c1, c2, 0, f->H);
    }
    if (spins) {
        f->weight[2] = x->mu * s.beta / s.L;
        f->g[2] = x->mu * s.beta * (W / s.L);
    }
}

static void add_rolling(const carom_patch_contact *x, const double *V, patch_friction *f)
{
    const int at = x->frictional;
    const double r = length_of(V[at], V[at + 1]), c1 = V[at] / r, c2 = V[at + 1] / r;
    f->weight[at] = f->weight[at + 1] = x->rho / r;
    f->g[at] = x->rho * c1;
    f->g[at + 1] = x->rho * c2;
    add_across(x->rho / r, c1, c2, at, f->H);
}

void carom_patch_friction(const carom_patch_contact *x, const double *V, patch_friction *f)
{
    memset(f, 0, sizeof *f);
    if (!carom_patch_sticks(x, V))
        add_sliding(x, V, f);
    if (!carom_patch_rests(x, V))
        add_rolling(x, V, f);
}

/* ---- its dual ---- */

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
