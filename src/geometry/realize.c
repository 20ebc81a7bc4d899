/* Any positive definite K as the impact of two finite bodies (thesis 10.4).
 *
 * A body of mass m that is touched at the end of an arm of length l along the axis v1, and whose principal axes are v1,
 * v2, v3, contributes 1/m along v1, 1/m + l^2/I_3 along v2 and 1/m + l^2/I_2 along v3: never the same in all
 * directions, so one body is not enough. Two bodies with different arms are. In the axes of K, k_1 <= k_2 <= k_3,
 *
 *     A, arm along v1:  k_1/4,             k_1/4 + (k_2 - k_1/2),   k_1/4 + (k_3 - k_1/2)/2 (1) B, arm along v2:  k_1/4
 * + k_1/2,     k_1/4,                   k_1/4 + (k_3 - k_1/2)/2                          (2)
 *
 * add up to K, and every difference is positive: all masses and moments are finite. The moment about its own arm does
 * not matter; the larger of the other two obeys the triangle inequality. In the plane the same works with two axes. */
#include "carom/geometry.h"
#include "core/psd.h"

static const carom_vec3 nowhere = {0, 0, 0};

/* The unit quaternion of the rotation with columns x, y, z; Shepperd's choice of the largest part. */
static carom_quat quat_of(carom_cvec x, carom_cvec y, carom_cvec z)
{
    double R[3][3] = {{x.t1, y.t1, z.t1}, {x.t2, y.t2, z.t2}, {x.n, y.n, z.n}};
    double trace = R[0][0] + R[1][1] + R[2][2], q[4];
    int i = R[1][1] > R[0][0];
    i = R[2][2] > R[i][i] ? 2 : i;
    if (trace >= R[i][i]) {
        q[0] = 1 + trace;
        for (int a = 0; a < 3; a++)
            q[a + 1] = R[(a + 2) % 3][(a + 1) % 3] - R[(a + 1) % 3][(a + 2) % 3];
    } else {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        q[0] = R[k][j] - R[j][k];
        q[i + 1] = 1 + 2 * R[i][i] - trace;
        q[j + 1] = R[i][j] + R[j][i];
        q[k + 1] = R[i][k] + R[k][i];
    }
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    carom_quat unit = {q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm};
    return unit;
}

static carom_vec3 world(carom_cvec v)
{
    return carom_vec3_make(v.t1, v.t2, v.n);
}

static carom_cvec cross(carom_cvec a, carom_cvec b)
{
    return carom_cvec_make(a.t2 * b.n - a.n * b.t2, a.n * b.t1 - a.t1 * b.n, a.t1 * b.t2 - a.t2 * b.t1);
}

/* A body at rest with this mass, these principal moments and body axes; its centre is at -arm. */
static carom_body_def body_at(double mass, const double moment[3], carom_quat axes, carom_vec3 arm)
{
    carom_body_def def = carom_body_def_default();
    carom_sym3 inertia = {moment[0], 0, 0, moment[1], 0, moment[2]};
    def.mass = mass;
    def.inertia = inertia;
    def.orientation = axes;
    def.position = carom_vec3_sub(nowhere, arm);
    return def;
}

/* Arms have unit length; A is above the contact, B below, where the axes leave a choice. */
static carom_cvec pointing(carom_cvec v, double n_sign)
{
    return v.n * n_sign < 0 ? carom_cvec_scale(-1, v) : v;
}

static void realize_spatial(const carom_problem *pb, carom_realization *r)
{
    double k[3];
    carom_cvec v[3];
    csym_eigen(&pb->K, k, v);
    v[2] = cross(v[0], v[1]);
    double base = k[0] / 2, mass = 4 / k[0];
    double to2 = 1 / (k[1] - base), to3 = 2 / (k[2] - base), to1 = 1 / (k[0] - base); /* moments for unit arms */
    double moment_a[3] = {max(to3, to2), to3, to2}, moment_b[3] = {to3, max(to3, to1), to1};
    carom_quat axes = quat_of(v[0], v[1], v[2]);
    r->arm_a = world(pointing(v[0], -1));
    r->arm_b = world(pointing(v[1], 1));
    r->a = body_at(mass, moment_a, axes, r->arm_a);
    r->b = body_at(mass, moment_b, axes, r->arm_b);
    r->a.velocity = world(pb->u);
    r->normal = carom_vec3_make(0, 0, 1);
    r->t1 = carom_vec3_make(1, 0, 0);
}

/* In the plane the arm along v2 adds 1/I along v1, and the other way round. t is x, n is y. */
static void realize_planar(const carom_problem *pb, carom_realization *r)
{
    static const carom_quat upright = {1, 0, 0, 0};
    double k[3];
    carom_cvec v[3];
    csym_eigen(&pb->K, k, v); /* k[0] = 0 belongs to t2 */
    double base = k[1] / 2, mass = 4 / k[1], moment_a[3] = {1, 1, 1 / (k[1] - base)}, moment_b[3] = {1, 1, 0};
    moment_b[2] = 1 / (k[2] - base);
    carom_cvec a = pointing(v[2], -1), b = pointing(v[1], 1);
    r->arm_a = carom_vec3_make(a.t1, a.n, 0);
    r->arm_b = carom_vec3_make(b.t1, b.n, 0);
    r->a = body_at(mass, moment_a, upright, r->arm_a);
    r->b = body_at(mass, moment_b, upright, r->arm_b);
    r->a.velocity = carom_vec3_make(pb->u.t1, pb->u.n, 0);
    r->normal = carom_vec3_make(0, 1, 0);
    r->t1 = carom_vec3_make(1, 0, 0);
    r->planar = true;
}

carom_status carom_realize(const carom_problem *problem, carom_realization *bodies)
{
    static const carom_realization nothing;
    *bodies = nothing;
    carom_status status = carom_problem_check(problem);
    if (status)
        return status;
    const carom_csym *K = &problem->K;
    bool planar = K->t22 == 0 && problem->u.t2 == 0;
    if (psd_is_deficient(K) || !(K->t11 > 0) || (!planar && !(K->t22 > 0)))
        return CAROM_STATUS_BAD_MATRIX;
    if (planar)
        realize_planar(problem, bodies);
    else
        realize_spatial(problem, bodies);
    return CAROM_STATUS_OK;
}
