#include "carom/problem.h"

#include "contact/plane.h"
#include "core/dense.h"
#include "core/num.h"
#include "core/psd.h"

static double mean(double a, double b)
{
    return a == b ? a : 0.5 * a + 0.5 * b;
}

static void load(int dim, const double *K, const double *u, carom_problem *problem)
{
    carom_problem pb = {{0, 0, 0, 0, 0, 0}, {0, 0, 0}};
    int n = dim - 1;
    pb.K.t11 = K[0];
    pb.K.nn = K[n * dim + n];
    pb.K.t1n = mean(K[n], K[n * dim]);
    pb.u = carom_cvec_make(u[0], 0, u[n]);
    if (dim == 3) {
        pb.K.t12 = mean(K[1], K[3]);
        pb.K.t22 = K[4];
        pb.K.t2n = mean(K[5], K[7]);
        pb.u.t2 = u[1];
    }
    *problem = pb;
}

carom_status carom_problem_load(int dim, const double *K, const double *u, carom_problem *problem)
{
    static const carom_problem nothing = {{0, 0, 0, 0, 0, 0}, {0, 0, 0}};
    *problem = nothing;
    if (dim != 2 && dim != 3)
        return CAROM_STATUS_BAD_SIZE;
    if (!dense_finite(K, (size_t)(dim * dim)) || !dense_finite(u, (size_t)dim))
        return CAROM_STATUS_NOT_FINITE;
    if (!dense_symmetric(dim, K))
        return CAROM_STATUS_BAD_MATRIX;
    load(dim, K, u, problem);
    return CAROM_STATUS_OK;
}

carom_status carom_problem_from_K(int dim, const double *K, const double *u, carom_problem *problem)
{
    carom_status status = carom_problem_load(dim, K, u, problem);
    return status ? status : carom_problem_check(problem);
}

/* K = M^-1 column by column; M is valid and positive definite. */
static carom_csym inverse_of(const carom_csym *M)
{
    carom_cvec first = psd_solve(M, carom_cvec_make(1, 0, 0)), last = psd_solve(M, carom_cvec_make(0, 0, 1));
    carom_cvec second = psd_solve(M, carom_cvec_make(0, M->t22 > 0, 0));
    carom_csym K = {first.t1, second.t1, second.t2, last.t1, last.t2, last.n};
    return K;
}

carom_status carom_problem_from_M(int dim, const double *M, const double *u, carom_problem *problem)
{
    carom_status status = carom_problem_load(dim, M, u, problem);
    if (status == CAROM_STATUS_OK)
        status = carom_problem_check(problem);
    if (status == CAROM_STATUS_BAD_MATRIX || status == CAROM_STATUS_IMMOVABLE)
        return CAROM_STATUS_BAD_MASS_MATRIX;
    if (status)
        return status;
    const carom_csym m = problem->K;
    if (psd_is_deficient(&m) || m.t11 == 0 || (dim == 3 && m.t22 == 0))
        return CAROM_STATUS_BAD_MASS_MATRIX;
    problem->K = inverse_of(&m);
    return CAROM_STATUS_OK;
}

carom_problem carom_problem_turned(const carom_problem *problem, carom_direction d)
{
    carom_problem turned;
    problem_turn(problem, d, &turned);
    return turned;
}

#define AXIS_TOL 1e-12 /* a plane this close to t2 counts along it */

carom_status carom_problem_plane(const carom_problem *problem, carom_direction *plane)
{
    carom_problem turned;
    bool found = problem_plane(problem, plane, &turned);
    if (plane->c < -AXIS_TOL || (plane->c < AXIS_TOL && plane->s < 0)) { /* along t1, or else along t2 */
        plane->c = -plane->c;
        plane->s = -plane->s;
    }
    return found ? CAROM_STATUS_OK : CAROM_STATUS_NOT_PLANAR;
}

double carom_problem_energy(const carom_problem *problem)
{
    return 0.5 * psd_form(&problem->K, problem->u);
}
