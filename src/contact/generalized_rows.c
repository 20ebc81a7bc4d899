#include "carom/generalized_rows.h"

#include <string.h>

#include "carom/assert.h"

static carom_generalized row_of(const carom_generalized_rows *m, size_t i)
{
    return (carom_generalized){.n = m->n,
                               .dim = m->dim,
                               .M = m->M + i * m->M_step,
                               .J = m->J + i * m->J_step,
                               .qdot = m->qdot + i * m->qdot_step,
                               .work = m->work + i * CAROM_GENERALIZED_WORK(m->n)};
}

static void write_row(const carom_generalized_columns *c, int dim, size_t i, const carom_problem *x)
{
    c->K_t11[i] = x->K.t11, c->K_t1n[i] = x->K.t1n, c->K_nn[i] = x->K.nn;
    c->u_t1[i] = x->u.t1, c->u_n[i] = x->u.n;
    if (dim == 2)
        return;
    c->K_t12[i] = x->K.t12, c->K_t22[i] = x->K.t22, c->K_t2n[i] = x->K.t2n;
    c->u_t2[i] = x->u.t2;
}

void carom_generalized_reduce_rows(const carom_generalized_rows *m, const carom_generalized_columns *columns)
{
    CAROM_ASSERT(m && columns);
    for (size_t i = 0; i < m->count; i++) {
        static const carom_problem nothing = {{0, 0, 0, 0, 0, 0}, {0, 0, 0}};
        const carom_generalized row = row_of(m, i);
        carom_problem problem;
        carom_status status = carom_generalized_reduce(&row, &problem);
        write_row(columns, m->dim, i, status ? &nothing : &problem);
        columns->status[i] = (unsigned char)status;
    }
}

void carom_generalized_apply_rows(const carom_generalized_rows *m, const carom_generalized_impulses *p,
                                  double *qdot_after)
{
    CAROM_ASSERT(m && p && qdot_after);
    for (size_t i = 0; i < m->count; i++) {
        const carom_generalized row = row_of(m, i);
        double *after = qdot_after + i * (size_t)m->n;
        if (p->status[i])
            memmove(after, row.qdot, (size_t)m->n * sizeof *after);
        else
            carom_generalized_apply(&row, (carom_cvec){p->p_t1[i], m->dim == 3 ? p->p_t2[i] : 0, p->p_n[i]}, after);
    }
}
