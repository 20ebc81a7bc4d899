/* The contact that laws see: the rows that friction and rolling act on, in units of one length. */
#include "laws/patch/patch_contact.h"

#include "contact/impact.h"

/* Rows of the problem that friction and rolling act on; the row of the normal comes last. */
static int rows_of(const carom_coeffs *c, int rows[SLIPS + 1])
{
    int count = 0;
    rows[count++] = 0;
    rows[count++] = 1;
    if (c->patch > 0)
        rows[count++] = 3;
    if (c->rho > 0) {
        rows[count++] = 4;
        rows[count++] = 5;
    }
    rows[count] = 2;
    return count;
}

/* L L^T = K, the normal last; false when a pivot is rounding. */
static bool factor(carom_patch_contact *x)
{
    const int n = x->count;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= i; j++) {
            const double entry = i < n ? x->K[i][j] : j < n ? x->k[j] : x->K_nn;
            double sum = entry;
            for (int k = 0; k < j; k++)
                sum -= x->L[i][k] * x->L[j][k];
            if (i == j && !(sum > RANK_TOL * entry))
                return false;
            x->L[i][j] = i == j ? sqrt(sum) : sum / x->L[j][j];
        }
    return true;
}

void carom_patch_contact_set(const carom_patch_problem *pb, const carom_coeffs *c, carom_patch_contact *x)
{
    int rows[SLIPS + 1];
    rows_of(c, rows);
    x->u_n = pb->u[2];
    for (int i = 0; i < x->count; i++)
        x->U[i] = (rows[i] < 3 ? 1 : x->length) * pb->u[rows[i]];
}

bool carom_patch_contact_make(const carom_patch_problem *pb, const carom_coeffs *c, int pressure,
                              carom_patch_contact *x)
{
    int rows[SLIPS + 1];
    *x = (carom_patch_contact){.length = c->patch > 0 ? c->patch : c->rho > 0 ? c->rho : 1, .mu = min(c->mu, MU_MAX)};
    x->count = rows_of(c, rows);
    x->frictional = c->patch > 0 ? 3 : 2;
    x->rho = c->rho / x->length;
    x->pressure = pressure;
    x->K_nn = pb->K[2 * pb->size + 2];
    for (int i = 0; i < x->count; i++) {
        const double unit = rows[i] < 3 ? 1 : x->length;
        x->k[i] = unit * pb->K[rows[i] * pb->size + 2];
        for (int j = 0; j < x->count; j++)
            x->K[i][j] = unit * (rows[j] < 3 ? 1 : x->length) * pb->K[rows[i] * pb->size + rows[j]];
    }
    carom_patch_contact_set(pb, c, x);
    return factor(x);
}
