/* Derivatives of one impact: the value by carom_solve, then one pass over its branch with partial derivatives. */
#include "carom/derivative.h"

#include <string.h>

#include "carom/assert.h"
#include "carom/solve.h"
#include "contact/impact.h"
#include "derivative/pass.h"

/* A border nearer than this, relative to the inputs, cannot be told from one that is met. */
#define ON_BORDER (64 * EPS)

/* A grazing contact is taken as one that approaches by this share of its slip: derivatives have a limit there. */
#define GRAZING_APPROACH 0x1p-200

/* The values of a pass and of the solver are computed in different ways where a contact has short cuts: further
 * apart than this they are two branches. */
#define SAME_IMPULSE 1e-6

_Static_assert((int)PASS_COEFFS == (int)CAROM_COEFF_SLOTS && (int)PASS_OPTIONS == (int)CAROM_OPTION_SLOTS, "pass.h");

/* ---- which laws ---- */

/* What p is like at u_t = 0. */
typedef enum at_rest { CONE, SMOOTH, SMOOTH_STICK, SMOOTH_SPHERES } at_rest;

typedef struct law_pass {
    pass_function *one, *all, *all_avx2;
    at_rest rest;
} law_pass;

#ifdef CAROM_HAS_DERIVATIVES_AVX2
#define AVX2_OR_NOT(avx2, other) avx2
#else
#define AVX2_OR_NOT(avx2, other) other
#endif

#ifdef CAROM_HAS_DERIVATIVES
#define PASSES(numbers)                                                                                                \
    carom_##numbers##_one, carom_##numbers##_all, AVX2_OR_NOT(carom_##numbers##_all_avx2, carom_##numbers##_all)
#else
#define PASSES(numbers) NULL, NULL, NULL
#endif
#define PASSES_none    NULL, NULL, NULL
#define PASSES_closed  PASSES(closed)
#define PASSES_mix     PASSES(mix)
#define PASSES_coulomb PASSES(coulomb)
#define PASSES_springs PASSES(springs)

/* In the order of the registry. */
static const law_pass passes[] = {
#define CAROM_LAW(symbol, rows, stream, numbers, rest) {PASSES_##numbers, rest},
#include "laws/laws.def"
#undef CAROM_LAW
};

static const law_pass *pass_of(const carom_law *law)
{
    for (int i = 0; law && i < carom_law_count(); i++)
        if (carom_law_at(i) == law)
            return passes[i].one ? &passes[i] : NULL;
    return NULL;
}

bool carom_law_has_derivatives(const carom_law *law)
{
    return pass_of(law) != NULL;
}

static int take_all(const law_pass *pass, const pass_in *in, pass_out *out)
{
    return (carom_isa_best() >= CAROM_ISA_AVX2 ? pass->all_avx2 : pass->all)(in, out);
}

/* ---- before the pass ---- */

/* The problem in units of its own: powers of two. */
typedef struct scales {
    double K, u;
} scales;

static scales scales_of(const carom_problem *pb)
{
    carom_cvec u = pb->u;
    scales s = {power_of_two_near(csym_trace(&pb->K)), power_of_two_near(max(fabs(u.n), max(fabs(u.t1), fabs(u.t2))))};
    return s;
}

static bool lacks_t2(const carom_problem *pb)
{
    const carom_csym *K = &pb->K;
    return K->t22 == 0 && K->t12 == 0 && K->t2n == 0 && pb->u.t2 == 0;
}

static bool is_regular(const carom_problem *pb, bool planar)
{
    const minors m = minors_of(&pb->K);
    if (planar ? has_planar_rank(&pb->K, &m, RANK_SAFE) : has_full_rank(&pb->K, &m, RANK_SAFE))
        return true;
    int rank = spectrum_of(&pb->K).rank;
    return rank == 3 || (planar && rank == 2);
}

static void set_value(pass_input *in, double value)
{
    *in = (pass_input){value, 0, -1};
}

static void begin(pass_in *in, const carom_problem *pb, const carom_rule *rule, scales s)
{
    const carom_csym *K = &pb->K;
    const double k[6] = {K->t11, K->t12, K->t22, K->t1n, K->t2n, K->nn}, u[3] = {pb->u.t1, pb->u.t2, pb->u.n};
    const double slip = fabs(u[0]) + fabs(u[1]), least = -GRAZING_APPROACH * slip;
    in->law = rule->law->id;
    in->planar = lacks_t2(pb);
    in->uses = rule->law->uses;
    for (int i = 0; i < 6; i++)
        set_value(&in->K[i], k[i] / s.K);
    for (int i = 0; i < 3; i++)
        set_value(&in->u[i], (i == 2 ? min(u[2], least) : u[i]) / s.u);
    for (int i = 0; i < CAROM_COEFF_COUNT; i++) {
        if (!(in->uses >> i & 1))
            continue;
        const double value = ((const double *)&rule->coeffs)[i]; /* the first members, in the order of the manifest */
        set_value(&in->coeffs[i], i == CAROM_COEFF_mu || i == CAROM_COEFF_mu_s ? min(value, MU_MAX) : value);
    }
    for (int i = 0; i < CAROM_OPTION_COUNT; i++)
        in->options[i] = carom_options_get(&rule->options, (carom_option)i);
}

/* A coefficient with a column of its own: mu_s moves borders only, and an infinite mu cannot move. */
static bool varies(const carom_rule *rule, int i)
{
    return rule->law->uses >> i & 1 && i != CAROM_COEFF_mu_s && !(i == CAROM_COEFF_mu && !(rule->coeffs.mu <= MU_MAX));
}

/* ---- after the pass ---- */

static bool is_finite_pass(const pass_out *out, int columns)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < columns; j++)
            sum += out->dp[i][j];
    return sum - sum == 0;
}

static bool is_same_impulse(const pass_out *out, carom_cvec p, double unit)
{
    carom_cvec q = carom_cvec_scale(unit, carom_cvec_make(out->p[0], out->p[1], out->p[2])), off = carom_cvec_sub(q, p);
    double size = fabs(p.t1) + fabs(p.t2) + fabs(p.n), most = fabs(off.t1) + fabs(off.t2) + fabs(off.n);
    return size == 0 || most <= SAME_IMPULSE * size;
}

static carom_cvec column_of(const pass_out *out, int i, double unit)
{
    return carom_cvec_scale(unit, carom_cvec_make(out->dp[0][i], out->dp[1][i], out->dp[2][i]));
}

/* du_after = du + K dp + dK p. */
static carom_cvec change_of(const carom_problem *pb, carom_cvec p, const carom_problem *by, carom_cvec dp)
{
    return carom_cvec_add(carom_cvec_add(by->u, carom_csym_apply(by->K, p)), carom_csym_apply(pb->K, dp));
}

/* Input i of the nine, as a problem that is one there and zero elsewhere. */
static carom_problem unit_input(int i)
{
    carom_problem x = {{0, 0, 0, 0, 0, 0}, {0, 0, 0}};
    double *const at[9] = {&x.u.t1, &x.u.t2, &x.u.n, &x.K.t11, &x.K.t12, &x.K.t22, &x.K.t1n, &x.K.t2n, &x.K.nn};
    *at[i] = 1;
    return x;
}

static const carom_derivative no_derivative = {.border = "", .distance = INFINITY};

static void fill(const carom_problem *pb, carom_cvec p, const pass_in *in, const pass_out *out, scales s,
                 carom_derivative *d)
{
    const double unit_p = s.u / s.K;
    for (int i = 0; i < 9; i++) {
        const pass_input *from = i < 3 ? &in->u[i] : &in->K[i - 3];
        if (from->column < 0)
            continue;
        const carom_problem by = unit_input(i);
        carom_cvec dp = column_of(out, from->column, i < 3 ? unit_p / s.u : unit_p / s.K);
        *(i < 3 ? &d->p.u[i] : &d->p.K[i - 3]) = dp;
        *(i < 3 ? &d->u_after.u[i] : &d->u_after.K[i - 3]) = change_of(pb, p, &by, dp);
    }
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (in->uses >> i & 1 && in->coeffs[i].column >= 0) {
            d->p.coeffs[i] = column_of(out, in->coeffs[i].column, unit_p);
            d->u_after.coeffs[i] = carom_csym_apply(pb->K, d->p.coeffs[i]);
        }
    d->border = out->border;
    d->distance = out->distance;
    d->nonsmooth = out->kink < ON_BORDER;
}

/* Without slip there is no direction of slip: the outcome has a cone there, or none. */
static bool is_rough(const carom_problem *pb, at_rest rest, const carom_outcome *out)
{
    if (pb->u.t1 != 0 || pb->u.t2 != 0 || rest == SMOOTH)
        return false;
    bool sticks = rest == SMOOTH_STICK && out->mode && strcmp(out->mode, "sticking") == 0;
    bool sphere = rest == SMOOTH_SPHERES && pb->K.t12 == 0 && (pb->K.t11 == pb->K.t22 || lacks_t2(pb));
    return !sticks && !sphere;
}

#define NO_SLIP "u_t = 0"
#define GRAZES  "u_n = 0"

static void mark(const carom_problem *pb, at_rest rest, const carom_outcome *out, carom_derivative *d)
{
    const bool rough = is_rough(pb, rest, out), grazes = out->status == CAROM_STATUS_GRAZING;
    if (!rough && !grazes)
        return;
    d->nonsmooth = true;
    d->border = grazes ? GRAZES : NO_SLIP;
    d->distance = 0;
}

/* ---- one impact ---- */

/* Every input has a column of its own; inputs along t2 do not exist in a plane. */
static int give_columns(const carom_rule *rule, pass_in *in)
{
    static const bool of_t2[9] = {0, 1, 0, 0, 1, 1, 0, 1, 0};
    int columns = 0;
    for (int i = 0; i < 9; i++) {
        pass_input *to = i < 3 ? &in->u[i] : &in->K[i - 3];
        to->weight = 1;
        to->column = in->planar && of_t2[i] ? -1 : columns++;
    }
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (varies(rule, i)) {
            in->coeffs[i].weight = 1;
            in->coeffs[i].column = columns++;
        }
    return columns;
}

/* The value, and the law's pass when there is something to differentiate. */
static const law_pass *solve_value(const carom_problem *problem, const carom_rule *rule, carom_outcome *out,
                                   carom_status *status)
{
    *status = carom_solve(problem, rule, NULL, out);
    if (!carom_status_is_answer(*status))
        return NULL;
    const law_pass *pass = carom_coeffs_vary(&rule->coeffs) ? NULL : pass_of(rule->law);
    if (!pass || !is_regular(problem, lacks_t2(problem))) {
        *status = CAROM_STATUS_NO_DERIVATIVE;
        return NULL;
    }
    return *status != CAROM_STATUS_SEPARATING ? pass : NULL;
}

static carom_status take_pass(const law_pass *pass, const carom_problem *pb, const carom_rule *rule, carom_cvec p,
                              carom_derivative *d)
{
    const scales s = scales_of(pb);
    pass_in in;
    pass_out out = {.border = "", .distance = INFINITY, .kink = INFINITY};
    begin(&in, pb, rule, s);
    int columns = give_columns(rule, &in);
    bool passed = take_all(pass, &in, &out);
    if (!passed || !is_finite_pass(&out, columns) || !is_same_impulse(&out, p, s.u / s.K))
        return CAROM_STATUS_NO_DERIVATIVE;
    fill(pb, p, &in, &out, s, d);
    return CAROM_STATUS_OK;
}

static void set_identity(carom_derivative *d)
{
    for (int i = 0; i < 3; i++)
        d->u_after.u[i] = unit_input(i).u;
}

carom_status carom_derivative_solve(const carom_problem *problem, const carom_rule *rule, carom_outcome *outcome,
                                    carom_derivative *derivative)
{
    CAROM_ASSERT(problem && rule && derivative);
    carom_outcome own, *out = outcome ? outcome : &own;
    carom_status status;
    *derivative = no_derivative;
    const law_pass *pass = solve_value(problem, rule, out, &status);
    if (pass) {
        carom_status passed = take_pass(pass, problem, rule, out->p, derivative);
        status = passed ? passed : status;
        if (!passed)
            mark(problem, pass->rest, out, derivative);
    } else if (status == CAROM_STATUS_SEPARATING) {
        set_identity(derivative);
    }
    return derivative->status = status;
}

/* ---- one direction ---- */

static void set_direction(const carom_variation *v, const carom_rule *rule, scales s, pass_in *in)
{
    const double k[6] = {v->K.t11, v->K.t12, v->K.t22, v->K.t1n, v->K.t2n, v->K.nn}, u[3] = {v->u.t1, v->u.t2, v->u.n};
    for (int i = 0; i < 6; i++)
        in->K[i] = (pass_input){in->K[i].value, k[i] / s.K, 0};
    for (int i = 0; i < 3; i++)
        in->u[i] = (pass_input){in->u[i].value, u[i] / s.u, 0};
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (varies(rule, i))
            in->coeffs[i] = (pass_input){in->coeffs[i].value, carom_coeffs_get(&v->coeffs, (carom_coeff)i), 0};
}

static carom_status take_direction(const law_pass *pass, const carom_problem *pb, const carom_rule *rule,
                                   const carom_variation *direction, carom_cvec p, carom_change *change)
{
    const scales s = scales_of(pb);
    carom_variation v = *direction;
    pass_in in;
    pass_out out;
    begin(&in, pb, rule, s);
    if (in.planar)
        v.K.t12 = v.K.t22 = v.K.t2n = v.u.t2 = 0;
    set_direction(&v, rule, s, &in);
    out.border = "";
    out.distance = out.kink = INFINITY;
    bool passed = pass->one(&in, &out);
    if (!passed || !is_finite_pass(&out, 1) || !is_same_impulse(&out, p, s.u / s.K))
        return CAROM_STATUS_NO_DERIVATIVE;
    change->p = column_of(&out, 0, s.u / s.K);
    change->u_after = change_of(pb, p, &(carom_problem){v.K, v.u}, change->p);
    change->nonsmooth = out.kink < ON_BORDER;
    return CAROM_STATUS_OK;
}

carom_status carom_derivative_along(const carom_problem *problem, const carom_rule *rule,
                                    const carom_variation *direction, carom_outcome *outcome, carom_change *change)
{
    CAROM_ASSERT(problem && rule && direction && change);
    carom_outcome own, *out = outcome ? outcome : &own;
    carom_status status;
    *change = (carom_change){.status = CAROM_STATUS_OK};
    const law_pass *pass = solve_value(problem, rule, out, &status);
    if (pass) {
        carom_status passed = take_direction(pass, problem, rule, direction, out->p, change);
        status = passed ? passed : status;
        change->nonsmooth |= !passed && (is_rough(problem, pass->rest, out) || status == CAROM_STATUS_GRAZING);
    } else if (status == CAROM_STATUS_SEPARATING) {
        change->u_after = direction->u;
    }
    return change->status = status;
}
