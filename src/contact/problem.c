#include "carom/problem.h"

#include "contact/plane.h"
#include "contact/problem_check.h"
#include "core/dense.h"
#include "core/num.h"

/* Laws multiply four entries of K (det B K_nn^2), and the products must stay normal, down to a condition of 1e12. */
#define SIZE_MOST  1e75
#define SIZE_LEAST 1e-70

/* A sum keeps every NaN and infinity, and x - x is zero for finite x only. */
static bool all_finite(const carom_problem *pb)
{
    const carom_csym *K = &pb->K;
    double sum = K->t11 + K->t12 + K->t22 + K->t1n + K->t2n + K->nn + pb->u.t1 + pb->u.t2 + pb->u.n;
    return sum - sum == 0;
}

carom_status problem_check_closely(const carom_problem *problem, schur *s)
{
    const carom_csym *K = &problem->K;
    s->deficient = schur_loses_rank(K, s);
    if (!all_finite(problem))
        return CAROM_STATUS_NOT_FINITE;
    if (K->nn == 0)
        return CAROM_STATUS_IMMOVABLE;
    double size = fabs(K->t11) + fabs(K->t22) + fabs(K->nn);
    if (size > SIZE_MOST || size < SIZE_LEAST)
        return CAROM_STATUS_OUT_OF_RANGE;
    return K->nn > 0 && rows_fit(K) && schur_is_psd(K, s) ? CAROM_STATUS_OK : CAROM_STATUS_BAD_MATRIX;
}

carom_status carom_problem_check(const carom_problem *problem)
{
    schur s;
    return problem_check(problem, &s);
}

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

static carom_status load_checked(int dim, const double *K, const double *u, carom_problem *problem)
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
    carom_status status = load_checked(dim, K, u, problem);
    return status ? status : carom_problem_check(problem);
}

/* K = M^-1 column by column; M is a valid, positive definite csym. */
static carom_csym inverse_of(const carom_csym *M, const schur *s)
{
    carom_cvec first = psd_solve_with(M, s, carom_cvec_make(1, 0, 0));
    carom_cvec second = psd_solve_with(M, s, carom_cvec_make(0, M->t22 > 0, 0));
    carom_cvec last = psd_solve_with(M, s, carom_cvec_make(0, 0, 1));
    carom_csym K = {first.t1, second.t1, second.t2, last.t1, last.t2, last.n};
    return K;
}

carom_status carom_problem_from_M(int dim, const double *M, const double *u, carom_problem *problem)
{
    carom_status status = load_checked(dim, M, u, problem);
    schur s;
    if (status == CAROM_STATUS_OK)
        status = problem_check(problem, &s);
    if (status == CAROM_STATUS_BAD_MATRIX || status == CAROM_STATUS_IMMOVABLE)
        return CAROM_STATUS_BAD_MASS_MATRIX;
    if (status)
        return status;
    const carom_csym m = problem->K;
    if (s.deficient || m.t11 == 0 || (dim == 3 && m.t22 == 0))
        return CAROM_STATUS_BAD_MASS_MATRIX;
    problem->K = inverse_of(&m, &s);
    return CAROM_STATUS_OK;
}

carom_problem carom_problem_turned(const carom_problem *problem, carom_direction d)
{
    carom_problem turned;
    problem_turn(problem, d, &turned);
    return turned;
}

carom_status carom_problem_plane(const carom_problem *problem, carom_direction *plane)
{
    carom_problem turned;
    return problem_plane(problem, plane, &turned) ? CAROM_STATUS_OK : CAROM_STATUS_NOT_PLANAR;
}

double carom_problem_energy(const carom_problem *problem)
{
    schur s = schur_of(&problem->K);
    return 0.5 * psd_form(&problem->K, &s, problem->u);
}
