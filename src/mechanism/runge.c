#include "mechanism/runge.h"

#include <math.h>

#include "carom/elementary.h"
#include "core/num.h"

#define SAFETY 0.9  /* aim a little below the tolerance */
#define GROW   5.0  /* largest change of the step, either way */
#define FIRST  0.01 /* the first step moves the state by this part of its size */

/* Dormand and Prince (1980), table 2; row i makes the point of stage i + 1. The last row is the fifth-order answer. */
static const double A[RUNGE_STAGES - 1][RUNGE_STAGES - 1] = {
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};

/* Fifth minus fourth order. */
static const double E[RUNGE_STAGES] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                       -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

void carom_runge_init(runge *r, int n, double *work)
{
    double **vectors[] = {&r->y, &r->next, &r->stage, &r->spare};
    r->n = n;
    for (int i = 0; i < 4; i++, work += n)
        *vectors[i] = work;
    for (int i = 0; i < RUNGE_STAGES; i++, work += n)
        r->slope[i] = work;
}

carom_status carom_runge_start(runge *r)
{
    return r->rate(r->context, r->y, r->slope[0]);
}

static void stage_point(const runge *r, double h, int row, double *point)
{
    for (int i = 0; i < r->n; i++) {
        double sum = 0;
        for (int j = 0; j <= row; j++)
            sum += A[row][j] * r->slope[j][i];
        point[i] = r->y[i] + h * sum;
    }
}

/* Root mean square of the error estimate over tolerance (1 + |y|). */
static double error_of(const runge *r, double h)
{
    double sum = 0;
    for (int i = 0; i < r->n; i++) {
        double e = 0, scale = r->tolerance * (1 + fmax(fabs(r->y[i]), fabs(r->next[i])));
        for (int j = 0; j < RUNGE_STAGES; j++)
            e += E[j] * r->slope[j][i];
        sum += square(h * e / scale);
    }
    return sqrt(sum / r->n);
}

carom_status carom_runge_try(runge *r, double h, double *error)
{
    for (int row = 0; row < RUNGE_STAGES - 1; row++) {
        double *point = row == RUNGE_STAGES - 2 ? r->next : r->stage;
        stage_point(r, h, row, point);
        carom_status status = r->rate(r->context, point, r->slope[row + 1]);
        if (status)
            return status;
    }
    *error = error_of(r, h);
    return CAROM_STATUS_OK;
}

void carom_runge_accept(runge *r)
{
    double *y = r->y, *first = r->slope[0];
    r->y = r->next;
    r->next = y;
    r->slope[0] = r->slope[RUNGE_STAGES - 1];
    r->slope[RUNGE_STAGES - 1] = first;
}

double carom_runge_resize(double h, double error)
{
    double factor = error == 0 ? GROW : SAFETY * carom_pow(error, -0.2);
    return h * (factor > 1 / GROW ? (factor < GROW ? factor : GROW) : 1 / GROW); /* a NaN shrinks the step */
}

double carom_runge_first_step(const runge *r, double span)
{
    double state = 0, rate = 0;
    for (int i = 0; i < r->n; i++) {
        state = fmax(state, 1 + fabs(r->y[i]));
        rate = fmax(rate, fabs(r->slope[0][i]));
    }
    return rate > 0 ? fmin(span, FIRST * state / rate) : span;
}

void carom_runge_between(runge *r, double h, double s)
{
    double h00 = (1 + 2 * s) * square(1 - s), h10 = s * square(1 - s), h01 = s * s * (3 - 2 * s), h11 = s * s * (s - 1);
    const double *first = r->slope[0], *last = r->slope[RUNGE_STAGES - 1];
    for (int i = 0; i < r->n; i++)
        r->spare[i] = h00 * r->y[i] + h * h10 * first[i] + h01 * r->next[i] + h * h11 * last[i];
}
