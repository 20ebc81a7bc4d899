#include "contact/impact.h"

/* Laws multiply four entries of K (det B K_nn^2), and impulses have the size u / K. */
#define SIZE_MAX_K 1e75
#define SIZE_MIN_K 1e-70

/* A sum keeps every NaN and infinity, and x - x is zero for finite x only. */
static bool all_finite(const carom_problem *pb)
{
    const carom_csym *K = &pb->K;
    double sum = K->t11 + K->t12 + K->t22 + K->t1n + K->t2n + K->nn + pb->u.t1 + pb->u.t2 + pb->u.n;
    return sum - sum == 0;
}

/* Rounding is judged against the whole of K, as its rank is, so that the tangents do not matter. */
static bool is_psd(const carom_csym *K)
{
    const spectrum even = spectrum_of(K);
    double k_t = K->t11 + K->t22;
    bool has_units = k_t > 0 || (k_t == 0 && K->t12 == 0 && K->t1n == 0 && K->t2n == 0);
    return has_units && even.value[0] >= -PSD_TOL * even.value[2];
}

/* K is next to a positive semi-definite one in its own units, but not in those of the rank: its tangents, or its
 * normal, are rounding. */
static bool has_rounding(const carom_csym *K)
{
    double value[3];
    carom_cvec axis[3];
    csym_eigen(K, value, axis);
    return value[0] >= -RANK_TOL * value[2];
}

static carom_status check_psd(const carom_csym *K)
{
    if (K->nn > 0 && is_psd(K))
        return CAROM_STATUS_OK;
    if (!(K->nn > 0) || !has_rounding(K))
        return CAROM_STATUS_BAD_MATRIX;
    return K->t11 + K->t22 < K->nn ? CAROM_STATUS_OK : CAROM_STATUS_IMMOVABLE;
}

carom_status carom_problem_check(const carom_problem *problem)
{
    const carom_csym *K = &problem->K;
    if (!all_finite(problem))
        return CAROM_STATUS_NOT_FINITE;
    if (K->nn == 0)
        return CAROM_STATUS_IMMOVABLE;
    double size = fabs(K->t11) + fabs(K->t22) + fabs(K->nn);
    if (size > SIZE_MAX_K || size < SIZE_MIN_K)
        return CAROM_STATUS_OUT_OF_RANGE;
    return check_psd(K);
}

/* The problem in units of its own. */
static carom_problem scaled(const carom_problem *problem, gate *g)
{
    carom_problem pb;
    carom_cvec u = problem->u;
    g->unit_K = power_of_two(exponent_of(csym_trace(&problem->K)) & ~1); /* its root is one, too */
    g->unit_u = power_of_two_near(max(fabs(u.n), max(fabs(u.t1), fabs(u.t2))));
    pb.K = csym_scale(1 / g->unit_K, &problem->K);
    pb.u = carom_cvec_make(u.t1 / g->unit_u, u.t2 / g->unit_u, u.n / g->unit_u);
    if (-pb.u.n < APPROACH_MIN * carom_cvec_slip(pb.u))
        pb.u.n = 0;
    return pb;
}

/* The direction of the image of K_TT, which has rank one; of the slip where it has none. */
static carom_direction image_of(const carom_problem *pb)
{
    const carom_csym *K = &pb->K;
    bool first = K->t11 >= K->t22, none = K->t11 == 0 && K->t22 == 0;
    double c = none ? pb->u.t1 : first ? K->t11 : K->t12, s = none ? pb->u.t2 : first ? K->t12 : K->t22;
    double length = sqrt(c * c + s * s);
    carom_direction d = {length > 0 ? c / length : 1, length > 0 ? s / length : 0};
    return d;
}

/* A K of rank two or less belongs to a planar problem when a tangent does not move and has no slip, each in the units
 * of the rank. */
static bool is_planar(const carom_problem *pb, carom_direction *d, carom_problem *turned)
{
    const carom_csym *K = &pb->K;
    if (minor_of(K->t11, K->t22, K->t12) > RANK_TOL * square(K->t11 + K->t22))
        return false;
    double k_t = K->t11 + K->t22, tangent = RANK_TOL * k_t, normal = RANK_TOL * sqrt(k_t * K->nn);
    *d = image_of(pb);
    problem_turn(pb, *d, turned);
    bool still = turned->K.t22 <= tangent && fabs(turned->K.t12) <= tangent && fabs(turned->K.t2n) <= normal;
    return still && fabs(turned->u.t2) <= RANGE_TOL * carom_cvec_slip(pb->u);
}

/* In the plane of t1, with exact zeros for what does not move. */
static carom_kind enter_plane(carom_problem *pb)
{
    pb->K.t12 = pb->K.t22 = pb->K.t2n = pb->u.t2 = 0;
    const minors m = minors_of(&pb->K);
    return m.n11 > RANK_TOL * pb->K.t11 * pb->K.nn ? CAROM_KIND_PLANAR : CAROM_KIND_SINGULAR;
}

carom_status gate_enter_general(const carom_problem *problem, bool may_turn, gate *g)
{
    carom_status status = carom_problem_check(problem);
    if (status)
        return status;
    carom_cvec u = problem->u;
    if (u.n > 0 || (u.n == 0 && u.t1 == 0 && u.t2 == 0))
        return CAROM_STATUS_SEPARATING;
    carom_problem pb = scaled(problem, g), turned;
    carom_kind kind;
    if (!is_psd(&pb.K)) /* the tangents are rounding */
        pb.K.t11 = pb.K.t12 = pb.K.t22 = pb.K.t1n = pb.K.t2n = 0;
    g->turned = false;
    g->d = (carom_direction){1, 0};
    g->s = spectrum_of(&pb.K);
    if (g->s.rank == 3) {
        kind = kind_of(&pb);
    } else if (is_planar(&pb, &g->d, &turned) && (may_turn || g->d.s == 0)) {
        g->turned = g->d.s != 0;
        pb = g->turned ? turned : pb;
        kind = enter_plane(&pb);
        g->s = spectrum_of(&pb.K);
    } else {
        kind = CAROM_KIND_SINGULAR;
    }
    const minors m = minors_of(&pb.K);
    impact_set(&g->x, &pb, &m, kind);
    g->x.spectrum = &g->s;
    return CAROM_STATUS_OK;
}

bool gate_find_plane(gate *g)
{
    const bool ordinary = g->x.spectrum == NULL;
    const carom_problem pb = {g->x.K, g->x.u};
    carom_problem turned;
    if (!problem_plane(&pb, &g->d, &turned))
        return false;
    turned.K.t12 = turned.K.t2n = turned.u.t2 = 0;
    const minors m = minors_of(&turned.K);
    impact_set(&g->x, &turned, &m, g->x.kind == CAROM_KIND_SINGULAR ? CAROM_KIND_SINGULAR : CAROM_KIND_FLAT);
    g->turned = true;
    if (!ordinary) {
        g->s = spectrum_of(&turned.K);
        g->x.spectrum = &g->s;
    }
    return true;
}
