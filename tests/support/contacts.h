/* Random problems with several contacts, for the suites of the laws that take them. */
#ifndef CAROM_TESTS_CONTACTS_H
#define CAROM_TESTS_CONTACTS_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"

enum { CONTACTS_MOST = 8, CONTACTS_ROWS = 3 * CONTACTS_MOST };

typedef struct contacts_random {
    uint64_t state;
} contacts_random;

/* Uniform in 0...1. */
static inline double contacts_unit(contacts_random *r)
{
    r->state = r->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(r->state >> 11) * 0x1p-53;
}

static inline double contacts_within(contacts_random *r, double low, double high)
{
    return low + (high - low) * contacts_unit(r);
}

/* A problem, its coefficients, and memory for everything. */
typedef struct contacts_case {
    int m, dim, n;
    double K[CONTACTS_ROWS * CONTACTS_ROWS], u[CONTACTS_ROWS];
    carom_coeffs coeffs[CONTACTS_MOST];
    carom_contacts problem;
    void *memory;
    double p[CONTACTS_ROWS], u_after[CONTACTS_ROWS];
    carom_together_outcome out;
    carom_status status;
} contacts_case;

/* K = G G^T with as many freedoms as rows and a few more, u in its range; every contact closes or grazes. */
static inline void contacts_fill(contacts_random *r, contacts_case *c, int m, int dim)
{
    double G[CONTACTS_ROWS][CONTACTS_ROWS + 4];
    memset(c, 0, sizeof *c);
    c->m = m;
    c->dim = dim;
    c->n = m * dim;
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < c->n + 4; k++)
            G[i][k] = contacts_within(r, -1, 1);
    for (int i = 0; i < c->n; i++)
        for (int j = 0; j < c->n; j++)
            for (int k = 0; k < c->n + 4; k++)
                c->K[i * c->n + j] += G[i][k] * G[j][k];
    for (int i = 0; i < c->n; i++)
        c->u[i] = contacts_within(r, -2, 2);
    for (int i = 0; i < m; i++) {
        c->u[(i + 1) * dim - 1] = contacts_unit(r) < 0.2 ? 0 : contacts_within(r, -2, -0.1);
        c->coeffs[i] = carom_coeffs_default();
        c->coeffs[i].e = contacts_within(r, 0.2, 1);
        c->coeffs[i].mu = contacts_within(r, 0, 1);
        c->coeffs[i].stiffness = exp(contacts_within(r, -2, 2));
    }
}

static inline bool contacts_make(contacts_case *c)
{
    free(c->memory);
    c->memory = malloc(carom_contacts_size(c->m, c->dim));
    return c->memory && carom_contacts_from_K(c->m, c->dim, c->K, c->u, c->memory, &c->problem) == CAROM_STATUS_OK;
}

static inline carom_status contacts_solve(contacts_case *c, const carom_together_rule *given)
{
    carom_together_rule rule = *given;
    rule.coeffs = c->coeffs;
    void *work = malloc(carom_together_work(&c->problem, &rule));
    c->out = (carom_together_outcome){.p = c->p, .u_after = c->u_after};
    c->status = carom_together_solve(&c->problem, &rule, NULL, work, &c->out);
    free(work);
    return c->status;
}

static inline double contacts_largest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* The same problem with contacts in another order (to[i] is the new place of contact i), and with t mirrored. */
static inline void contacts_rearrange(const contacts_case *from, const int *to, bool mirror, contacts_case *c)
{
    *c = *from;
    c->memory = NULL;
    for (int i = 0; i < from->m; i++) {
        c->coeffs[to[i]] = from->coeffs[i];
        for (int a = 0; a < from->dim; a++) {
            double sa = mirror && a == 0 ? -1 : 1;
            c->u[to[i] * from->dim + a] = sa * from->u[i * from->dim + a];
            for (int j = 0; j < from->m; j++)
                for (int b = 0; b < from->dim; b++) {
                    double sb = mirror && b == 0 ? -1 : 1;
                    c->K[(to[i] * from->dim + a) * c->n + to[j] * from->dim + b] =
                        sa * sb * from->K[(i * from->dim + a) * c->n + j * from->dim + b];
                }
        }
    }
}

#endif
