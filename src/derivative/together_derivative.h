/* Derivatives of an impact at several contacts: what the laws share. */
#ifndef CAROM_DERIVATIVE_TOGETHER_DERIVATIVE_H
#define CAROM_DERIVATIVE_TOGETHER_DERIVATIVE_H

#include "carom/derivative.h"

/* An answered impact, whose changes are wanted. */
typedef struct together_point {
    const carom_contacts *x;
    const carom_together_rule *rule;
    const carom_together_variation *directions;
    int count;
    const double *p;
    const carom_together_mode *modes;
    void *work;
} together_point;

/* dp of every direction into changes->p, and the nearest border. */
typedef carom_status together_changes_of(const together_point *at, carom_together_changes *changes);
typedef size_t together_changes_work(const carom_contacts *x);

together_changes_of moreau_changes, lzb_changes;
together_changes_work moreau_changes_work, lzb_changes_work;

/* phi, relative to size, is where the nearest border may be. */
static inline void note_border(carom_together_changes *c, int contact, double phi, double size, const char *word)
{
    double distance = size > 0 ? (phi < 0 ? -phi : phi) / size : 0;
    if (!(distance < c->distance))
        return;
    c->distance = distance;
    c->border = word;
    c->contact = contact;
}

/* dK p, of blocks in the order of the problem. */
static inline void add_blocks(const carom_contacts *x, const double *blocks, const double *p, double *sum)
{
    for (int i = 0; i < x->count; i++)
        for (int k = x->row[i]; k < x->row[i + 1]; k++)
            for (int a = 0; a < x->dim; a++)
                for (int b = 0; b < x->dim; b++)
                    sum[i * x->dim + a] += blocks[(k * x->dim + a) * x->dim + b] * p[x->column[k] * x->dim + b];
}

#endif
