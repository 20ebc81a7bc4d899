/* Friction at the end of the impact: what holds in the mode of the outcome, differentiated.
 *
 * With gamma and Gamma the gradient and the Hessian of the norm of a group of slips (mu = 1), S = dU + dK P + dk p and
 * dV = S + K dP + k dp,
 *
 *     K_nn dp + k.dP = -(1 + e) du_n - u_n de - dk.P - dK_nn p                  the normal                        (1)
 *     dP + mu gamma dp + mu p Gamma dV = -p gamma dmu                           a group that slips; rolling: rho  (2)
 *     dV = 0                                                                    a group that is held              (3)
 */
#include <string.h>

#include "derivative/patch_variation.h"

typedef struct end_point {
    const carom_patch_contact *x;
    double V[SLIPS], P[SLIPS], p;
    bool slips, rolls;
    patch_friction unit; /* with mu = rho = 1 */
} end_point;

void carom_patch_drive(const patch_variations *v, int column, const double *P, double p, double *S)
{
    const patch_variation *d = &v->at[column];
    for (int i = 0; i < v->x->count; i++) {
        S[i] = d->U[i] + d->k[i] * p;
        for (int j = 0; j < v->x->count; j++)
            S[i] += d->K[i][j] * P[j];
    }
}

void carom_patch_unit_friction(const carom_patch_contact *x, const double *V, patch_friction *f)
{
    carom_patch_contact unit = *x;
    unit.mu = unit.rho = 1;
    carom_patch_friction(&unit, V, f);
}

/* Exchange row k with the one that has the largest pivot. */
static bool pivot(int n, int k, double *A, int count, double *B)
{
    int best = k;
    for (int i = k + 1; i < n; i++)
        best = fabs(A[i * n + k]) > fabs(A[best * n + k]) ? i : best;
    for (int j = 0; j < n && best != k; j++) {
        const double t = A[k * n + j];
        A[k * n + j] = A[best * n + j];
        A[best * n + j] = t;
    }
    for (int c = 0; c < count && best != k; c++) {
        const double t = B[c * n + k];
        B[c * n + k] = B[c * n + best];
        B[c * n + best] = t;
    }
    return fabs(A[k * n + k]) > 0;
}

bool carom_patch_solve_rows(int n, double *A, int count, double *B)
{
    for (int k = 0; k < n; k++) {
        if (!pivot(n, k, A, count, B))
            return false;
        for (int i = k + 1; i < n; i++) {
            const double share = A[i * n + k] / A[k * n + k];
            for (int j = k + 1; j < n && share != 0; j++)
                A[i * n + j] -= share * A[k * n + j];
            for (int c = 0; c < count && share != 0; c++)
                B[c * n + i] -= share * B[c * n + k];
        }
    }
    for (int c = 0; c < count; c++)
        for (int i = n - 1; i >= 0; i--) {
            double sum = B[c * n + i];
            for (int j = i + 1; j < n; j++)
                sum -= A[i * n + j] * B[c * n + j];
            B[c * n + i] = sum / A[i * n + i];
        }
    return true;
}

static bool is_free(const end_point *at, int i)
{
    return i < at->x->frictional ? at->slips : at->rolls;
}

static double limit_of(const carom_patch_contact *x, int i)
{
    return i < x->frictional ? x->mu : x->rho;
}

/* The slips at the end, and the mode. A contact that grazes slips as it did. */
static void look_at_end(const carom_patch_contact *x, const carom_outcome *out, end_point *at)
{
    const int f = x->frictional;
    const double m[3] = {out->turning.m.n, out->turning.m.t1, out->turning.m.t2};
    *at = (end_point){.x = x, .P = {out->p.t1, out->p.t2}, .p = out->p.n};
    for (int i = 2; i < x->count; i++)
        at->P[i] = (f == 3 ? (i == 2 ? m[0] : m[i - 2]) : m[i - 1]) / x->length;
    for (int i = 0; i < x->count; i++) {
        at->V[i] = x->U[i] + x->k[i] * at->p;
        for (int j = 0; j < x->count; j++)
            at->V[i] += x->K[i][j] * at->P[j];
    }
    const bool touches = at->p > 0;
    at->slips = touches ? strncmp(out->mode, "slip", 4) == 0 : !carom_patch_sticks(x, x->U);
    at->rolls =
        touches ? out->turning.rolling && strcmp(out->turning.rolling, "slip") == 0 : !carom_patch_rests(x, x->U);
    for (int i = 0; i < x->count; i++)
        at->V[i] = is_free(at, i) ? at->V[i] : 0;
    carom_patch_unit_friction(x, at->V, &at->unit);
}

/* The rows of (1) to (3), the normal last. */
static void fill_rows(const end_point *at, double *A)
{
    const carom_patch_contact *x = at->x;
    const int n = x->count + 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double K_ij = i < n - 1 ? (j < n - 1 ? x->K[i][j] : x->k[i]) : j < n - 1 ? x->k[j] : x->K_nn;
            A[i * n + j] = K_ij;
            if (i == n - 1 || !is_free(at, i))
                continue;
            A[i * n + j] = i == j ? 1 : j == n - 1 ? limit_of(x, i) * at->unit.g[i] : 0;
            for (int l = 0; l < n - 1; l++)
                A[i * n + j] += limit_of(x, i) * at->p * at->unit.H[i][l] * (j < n - 1 ? x->K[l][j] : x->k[l]);
        }
}

static void fill_right(const end_point *at, const patch_variations *v, int column, double e, double *right)
{
    const carom_patch_contact *x = at->x;
    const patch_variation *d = &v->at[column];
    const int n = x->count;
    double S[SLIPS];
    carom_patch_drive(v, column, at->P, at->p, S);
    right[n] = -(1 + e) * d->u_n - x->u_n * d->e - d->K_nn * at->p;
    for (int i = 0; i < n; i++) {
        right[n] -= d->k[i] * at->P[i];
        right[i] = -S[i];
        if (!is_free(at, i))
            continue;
        right[i] = -at->p * at->unit.g[i] * (i < x->frictional ? d->mu : d->rho);
        for (int l = 0; l < n; l++)
            right[i] -= limit_of(x, i) * at->p * at->unit.H[i][l] * S[l];
    }
}

bool carom_patch_end_changes(const patch_variations *v, const carom_rule *rule, const carom_outcome *out,
                             patch_change *changes)
{
    end_point at;
    const int n = v->x->count + 1;
    double A[(SLIPS + 1) * (SLIPS + 1)], B[PATCH_COLUMNS * (SLIPS + 1)];
    look_at_end(v->x, out, &at);
    fill_rows(&at, A);
    for (int c = 0; c < v->count; c++)
        fill_right(&at, v, c, rule->coeffs.e, B + c * n);
    if (!carom_patch_solve_rows(n, A, v->count, B))
        return false;
    for (int c = 0; c < v->count; c++) {
        memcpy(changes[c].P, B + c * n, (size_t)(n - 1) * sizeof *B);
        changes[c].p = B[c * n + n - 1];
    }
    return true;
}
