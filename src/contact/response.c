#include "carom/response.h"

#include <math.h>
#include <string.h>

#include "carom/assert.h"
#include "core/dense.h"
#include "core/num.h"
#include "core/psd.h"

#define ROUNDING (8 * EPS) /* of the numbers in a difference of two answers */

typedef struct inquiry {
    const carom_response *box;
    carom_response_report *report;
    double push, tolerance;
    double largest; /* |entry of K| */
    double error;   /* of an entry of K, as far as the answers show it */
} inquiry;

static double size_of(int n, const double *x)
{
    double size = 0;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(x[i]));
    return size;
}

static carom_status ask(const inquiry *q, const double *push, double *answer)
{
    memset(answer, 0, 3 * sizeof *answer);
    q->report->calls++;
    if (!q->box->respond(q->box->context, push, answer))
        return CAROM_STATUS_NO_RESPONSE;
    return dense_finite(answer, (size_t)q->box->dim) ? CAROM_STATUS_OK : CAROM_STATUS_NOT_FINITE;
}

/* K e_j = (y(s e_j) - y_0)/s */
static carom_status ask_columns(inquiry *q)
{
    const int dim = q->box->dim;
    double *offset = q->report->offset, *K = q->report->K;
    const double nothing[3] = {0, 0, 0};
    carom_status status = ask(q, nothing, offset);
    for (int j = 0; j < dim && !status; j++) {
        double push[3] = {0, 0, 0}, answer[3];
        push[j] = q->push;
        status = ask(q, push, answer);
        q->error = fmax(q->error, ROUNDING * (size_of(dim, answer) + size_of(dim, offset)) / q->push);
        for (int i = 0; i < dim && !status; i++)
            K[i * dim + j] = (answer[i] - offset[i]) / q->push;
    }
    q->largest = size_of(dim * dim, K);
    if (!status && !isfinite(q->largest))
        return CAROM_STATUS_OUT_OF_RANGE;
    return status;
}

/* The answer to a push along no axis, and to another against it and three times as large. */
static carom_status ask_linear(inquiry *q)
{
    static const double factors[2] = {1, -3};
    const int dim = q->box->dim;
    carom_response_report *report = q->report;
    for (int k = 0; k < 2; k++) {
        double push[3], answer[3], moved = 0, astray = 0;
        for (int i = 0; i < dim; i++)
            push[i] = factors[k] * q->push * (1 - 0.25 * i);
        carom_status status = ask(q, push, answer);
        if (status)
            return status;
        for (int i = 0; i < dim; i++) {
            double expected = 0;
            for (int j = 0; j < dim; j++)
                expected += report->K[i * dim + j] * push[j];
            moved = fmax(moved, fabs(expected));
            astray = fmax(astray, fabs(answer[i] - report->offset[i] - expected));
        }
        double rounding = q->error * fabs(factors[k]) * q->push, scale = fmax(moved, q->largest * q->push);
        report->nonlinearity = fmax(report->nonlinearity, scale > 0 ? astray / scale : astray > 0);
        if (astray > fmax(q->tolerance * scale, rounding))
            return CAROM_STATUS_NOT_LINEAR;
        q->error = fmax(q->error, astray / (fabs(factors[k]) * q->push));
    }
    return CAROM_STATUS_OK;
}

static carom_status check_symmetry(inquiry *q)
{
    const int dim = q->box->dim;
    carom_response_report *report = q->report;
    double worst = 0;
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < i; j++) {
            double skew = fabs(report->K[i * dim + j] - report->K[j * dim + i]);
            if (skew <= worst)
                continue;
            worst = skew;
            report->row = i;
            report->column = j;
        }
    report->asymmetry = q->largest > 0 ? worst / q->largest : 0;
    if (worst > fmax(q->tolerance * q->largest, q->error))
        return CAROM_STATUS_NOT_SYMMETRIC;
    q->error = fmax(q->error, 0.5 * worst); /* of the mean */
    return CAROM_STATUS_OK;
}

/* The symmetric part; a row whose diagonal entry is no more than the error is zero. */
static carom_csym symmetric_part(const inquiry *q)
{
    const int dim = q->box->dim, n = dim - 1;
    double K[9] = {0};
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
            const double *given = q->report->K;
            bool moves = fabs(given[i * dim + i]) > q->error && fabs(given[j * dim + j]) > q->error;
            K[i * dim + j] = moves ? 0.5 * given[i * dim + j] + 0.5 * given[j * dim + i] : 0;
        }
    carom_csym S = {K[0], 0, 0, K[n], 0, K[n * dim + n]};
    if (dim == 3) {
        S.t12 = K[1];
        S.t22 = K[4];
        S.t2n = K[5];
    }
    return S;
}

/* Eigenvalues up to the error count as zero; only then is K put together anew from the others. */
static carom_status check_definite(inquiry *q, carom_csym *K)
{
    double value[3];
    carom_cvec axis[3];
    carom_csym S = {0, 0, 0, 0, 0, 0};
    bool lost = false;
    csym_eigen(K, value, axis);
    q->report->smallest = value[2] > 0 ? value[q->box->dim == 2 && value[0] >= 0 ? 1 : 0] / value[2] : 0;
    q->report->rank = 0;
    if (value[0] < -fmax(q->tolerance * q->largest, q->error))
        return CAROM_STATUS_NOT_DEFINITE;
    for (int i = 0; i < 3; i++) {
        bool moves = value[i] > q->error;
        const carom_cvec w = axis[i];
        lost |= !moves && value[i] != 0;
        q->report->rank += moves;
        double v = moves ? value[i] : 0;
        S.t11 += v * w.t1 * w.t1;
        S.t12 += v * w.t1 * w.t2;
        S.t22 += v * w.t2 * w.t2;
        S.t1n += v * w.t1 * w.n;
        S.t2n += v * w.t2 * w.n;
        S.nn += v * w.n * w.n;
    }
    *K = lost ? S : *K;
    return CAROM_STATUS_OK;
}

static carom_status read_arguments(const carom_response *box, const double *u, inquiry *q)
{
    const double settings[2] = {box->push, box->tolerance};
    if (box->dim != 2 && box->dim != 3)
        return CAROM_STATUS_BAD_SIZE;
    if (!dense_finite(settings, 2) || (u && !dense_finite(u, (size_t)box->dim)))
        return CAROM_STATUS_NOT_FINITE;
    if (box->push < 0 || box->tolerance < 0)
        return CAROM_STATUS_BAD_COEFFICIENT;
    q->push = box->push > 0 ? box->push : 1;
    q->tolerance = box->tolerance > 0 ? box->tolerance : CAROM_RESPONSE_TOL;
    return CAROM_STATUS_OK;
}

static carom_status inquire(inquiry *q, const double *u, carom_problem *problem)
{
    carom_status status = read_arguments(q->box, u, q);
    status = status ? status : ask_columns(q);
    status = status ? status : ask_linear(q);
    status = status ? status : check_symmetry(q);
    if (status)
        return status;
    problem->K = symmetric_part(q);
    const double *v = u ? u : q->report->offset;
    const int n = q->box->dim - 1;
    problem->u = carom_cvec_make(v[0], n == 2 ? v[1] : 0, v[n]);
    status = check_definite(q, &problem->K);
    return status ? status : carom_problem_check(problem);
}

carom_status carom_response_reduce(const carom_response *box, const double *u, carom_problem *problem,
                                   carom_response_report *report)
{
    static const carom_problem nothing = {{0, 0, 0, 0, 0, 0}, {0, 0, 0}};
    static const carom_response_report blank;
    CAROM_ASSERT(box && box->respond && problem);
    carom_response_report own;
    inquiry q = {box, report ? report : &own, 0, 0, 0, 0};
    *q.report = blank;
    *problem = nothing;
    carom_status status = inquire(&q, u, problem);
    if (status)
        *problem = nothing;
    return status;
}
