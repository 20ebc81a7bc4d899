/* Derivatives of many impacts: a loop over carom_derivative_solve on threads, and the matrices by rows. */
#include "carom/derivative.h"
#include "carom/parallel.h"
#include "carom/solve.h"

static double at(const double *array, size_t i)
{
    return array ? array[i] : 0;
}

static bool is_planar_batch(const carom_batch_in *in)
{
    return !in->K_t12 && !in->K_t22 && !in->K_t2n && !in->u_t2;
}

static bool has_arrays(const carom_batch_in *in)
{
    bool plane = in->K_t11 && in->K_t1n && in->K_nn && in->u_t1 && in->u_n;
    return plane && (is_planar_batch(in) || (in->K_t12 && in->K_t22 && in->K_t2n && in->u_t2));
}

static carom_problem problem_at(const carom_batch_in *in, size_t i)
{
    carom_problem pb = {
        {at(in->K_t11, i), at(in->K_t12, i), at(in->K_t22, i), at(in->K_t1n, i), at(in->K_t2n, i), at(in->K_nn, i)},
        {at(in->u_t1, i), at(in->u_t2, i), at(in->u_n, i)}};
    return pb;
}

static void set_coeffs(const carom_batch_coeffs *in, size_t i, carom_coeffs *c)
{
#define CAROM_COEFF(name, unit, min, max, value, range, meaning)                                                       \
    if (in->name)                                                                                                      \
        c->name = in->name[i];
#include "carom/coeffs.def"
#undef CAROM_COEFF
}

/* Columns of vectors as a matrix by rows; the plane has neither rows nor columns of t2. */
static void write_rows(const carom_cvec *column, const int *which, int columns, bool planar, double *to)
{
    for (int j = 0; j < columns; j++) {
        const carom_cvec v = column[which ? which[j] : j];
        const double all[3] = {v.t1, planar ? v.n : v.t2, v.n};
        for (int row = 0; row < (planar ? 2 : 3); row++)
            to[row * columns + j] = all[row];
    }
}

/* Where the matrices of one vector go. */
typedef struct rows_out {
    double *by_u, *by_K, *by_coeffs;
} rows_out;

static void write_jacobian(const carom_jacobian *J, const int *used, int count, bool planar, size_t i, rows_out out)
{
    static const int u_plane[] = {0, 2}, K_plane[] = {0, 3, 5};
    const size_t rows = planar ? 2 : 3, columns = planar ? 3 : 6;
    if (out.by_u)
        write_rows(J->u, planar ? u_plane : NULL, (int)rows, planar, out.by_u + i * rows * rows);
    if (out.by_K)
        write_rows(J->K, planar ? K_plane : NULL, (int)columns, planar, out.by_K + i * rows * columns);
    if (out.by_coeffs)
        write_rows(J->coeffs, used, count, planar, out.by_coeffs + i * rows * (size_t)count);
}

static void write_value(carom_cvec v, bool planar, size_t i, double *to)
{
    if (to)
        write_rows(&v, NULL, 1, planar, to + i * (planar ? 2 : 3));
}

/* ---- rows on threads ---- */

enum { PART_ROWS = 64 };    /* that a thread takes at least: they last longer than it takes to start one */
enum { PARTS_MOST = 4096 }; /* of a batch */

typedef struct batch_pass {
    const carom_batch_in *in;
    const carom_rule *rule;
    const carom_batch_derivatives *out;
    bool planar;
    int used[CAROM_COEFF_COUNT], used_count; /* coefficients of the law */
    size_t part;                             /* rows of a part */
} batch_pass;

static void differentiate_row(const batch_pass *b, size_t i)
{
    const carom_batch_derivatives *out = b->out;
    const carom_problem problem = problem_at(b->in, i);
    carom_rule own = *b->rule;
    carom_outcome outcome;
    carom_derivative d;
    set_coeffs(&b->in->coeffs, i, &own.coeffs);
    const carom_status status = carom_derivative_solve(&problem, &own, &outcome, &d);
    write_jacobian(&d.p, b->used, b->used_count, b->planar, i, (rows_out){out->p_u, out->p_K, out->p_coeffs});
    write_jacobian(&d.u_after, b->used, b->used_count, b->planar, i,
                   (rows_out){out->u_after_u, out->u_after_K, out->u_after_coeffs});
    write_value(outcome.p, b->planar, i, out->p);
    write_value(outcome.u_after, b->planar, i, out->u_after);
    if (out->status)
        out->status[i] = (unsigned char)status;
    if (out->nonsmooth)
        out->nonsmooth[i] = d.nonsmooth;
}

static void differentiate_part(void *context, int k)
{
    const batch_pass *b = context;
    const size_t first = (size_t)k * b->part, left = b->in->count - first;
    for (size_t i = 0; i < (left < b->part ? left : b->part); i++)
        differentiate_row(b, first + i);
}

carom_status carom_batch_differentiate(const carom_batch_in *in, const carom_rule *rule,
                                       const carom_batch_derivatives *out, const carom_batch_options *options)
{
    carom_status status = carom_rule_check(rule, NULL);
    if (status)
        return status;
    if (in->count != out->count)
        return CAROM_STATUS_BAD_SIZE;
    if (!has_arrays(in))
        return CAROM_STATUS_MISSING_ARRAY;
    const size_t part = (in->count + PARTS_MOST - 1) / PARTS_MOST;
    batch_pass b = {in, rule, out, is_planar_batch(in), {0}, 0, part > PART_ROWS ? part : PART_ROWS};
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (rule->law->uses >> i & 1)
            b.used[b.used_count++] = i;
    const int parts = (int)((in->count + b.part - 1) / b.part);
    carom_parallel(options && options->threads > 0 ? options->threads : 0, parts, differentiate_part, &b);
    return CAROM_STATUS_OK;
}
