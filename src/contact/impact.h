/* The gate: from (K, u) to a contact that any law can work on, and from its impulse back.
 *
 * Checks, units, rank and kind are settled here, once. Most problems are ordinary: their numbers are of moderate size
 * and K has its rank, which a few comparisons show. The others take gate_enter_general, which changes units by powers
 * of two, turns a planar problem into the plane of t1, and finds the eigenvectors of a singular K. */
#ifndef CAROM_CONTACT_IMPACT_H
#define CAROM_CONTACT_IMPACT_H

#include "carom/law.h"
#include "contact/plane.h"
#include "core/psd.h"

/* Numbers between these bring neither an energy nor what the laws multiply out of the range of double. */
#define SAFE_MAX 1e20
#define SAFE_MIN 1e-20

/* A K whose smallest eigenvalue is above this share of the trace has full rank beyond doubt. Between this and RANK_TOL
 * the eigenvalues decide. */
#define RANK_SAFE (4 * RANK_TOL)

/* A larger coefficient of friction cannot be told from this one, and its products would overflow: infinite friction is
 * this one. */
#define MU_MAX 0x1p200

/* An approach slower than this share of the slip counts as grazing: laws square approaches, and multiply them by
 * MU_MAX. */
#define APPROACH_MIN 1e-100

/* A contact on its way to a law and back. */
typedef struct gate {
    carom_impact x;
    double unit_K, unit_u; /* x.K and x.u are in these units */
    bool turned;           /* and in tangents turned by: */
    carom_direction d;
    spectrum s; /* of a singular K: x.spectrum points here */
} gate;

/* Fill a contact: what follows from K, u and the minors of K. */
static inline void impact_set(carom_impact *x, const carom_problem *pb, const minors *m, carom_kind kind)
{
    double v_t = carom_cvec_slip(pb->u), inverse = v_t > 0 ? -1 / v_t : 0;
    x->kind = kind;
    x->K = pb->K;
    x->u = pb->u;
    x->v_n = -pb->u.n;
    x->v_t = v_t;
    x->tau.c = inverse * pb->u.t1;
    x->tau.s = inverse * pb->u.t2;
    x->n11 = m->n11;
    x->n12 = m->n12;
    x->n22 = m->n22;
    x->det = m->det;
    x->spectrum = NULL;
}

/* True for numbers of moderate size that approach. NaN fails every comparison. */
static inline bool is_moderate(const carom_problem *pb)
{
    const carom_csym *K = &pb->K;
    double speed = fabs(pb->u.t1) + fabs(pb->u.t2) - pb->u.n;
    return (csym_trace(K) <= SAFE_MAX) & (K->nn >= SAFE_MIN) & (speed <= SAFE_MAX) & (pb->u.n <= -SAFE_MIN);
}

static inline bool is_ordinary_spatial(const carom_problem *pb, const minors *m)
{
    return is_moderate(pb) & (pb->K.t11 > 0) & (pb->K.t22 > 0) & has_full_rank(&pb->K, m, RANK_SAFE);
}

static inline bool is_ordinary_planar(const carom_problem *pb, const minors *m)
{
    const carom_csym *K = &pb->K;
    bool absent = (K->t22 == 0) & (K->t12 == 0) & (K->t2n == 0) & (pb->u.t2 == 0);
    return is_moderate(pb) & (K->t11 > 0) & absent & has_planar_rank(K, m, RANK_SAFE);
}

/* Everything else. Tangents may turn where the law is frame-free. */
carom_status gate_enter_general(const carom_problem *problem, bool may_turn, gate *g);

/* The kind of a K with full rank. */
static inline carom_kind kind_of(const carom_problem *pb)
{
    bool flat = (pb->K.t12 == 0) & (pb->K.t2n == 0) & (pb->u.t2 == 0);
    return csym_is_sphere(&pb->K) ? CAROM_KIND_SPHERE : flat ? CAROM_KIND_FLAT : CAROM_KIND_SPATIAL;
}

/* CAROM_STATUS_OK: g->x is for the law. CAROM_STATUS_SEPARATING, a refusal: it is not. A contact that grazes enters. */
static inline carom_status gate_enter(const carom_problem *problem, bool may_turn, gate *g)
{
    const minors m = minors_of(&problem->K);
    bool spatial = is_ordinary_spatial(problem, &m);
    if (!spatial && !is_ordinary_planar(problem, &m))
        return gate_enter_general(problem, may_turn, g);
    g->unit_K = g->unit_u = 1;
    g->turned = false;
    impact_set(&g->x, problem, &m, spatial ? kind_of(problem) : CAROM_KIND_PLANAR);
    return CAROM_STATUS_OK;
}

/* A planar law needs the plane of a problem in space: turn x there, if it has one. */
bool gate_find_plane(gate *g);

/* A vector from the axes of the law to the axes of the problem. */
static inline carom_cvec gate_back(const gate *g, double unit, carom_cvec v)
{
    double t1 = g->turned ? g->d.c * v.t1 - g->d.s * v.t2 : v.t1, t2 = g->turned ? g->d.s * v.t1 + g->d.c * v.t2 : v.t2;
    return carom_cvec_make(unit * t1, unit * t2, unit * v.n);
}

/* ---- what laws compute from a contact ---- */

static inline minors impact_minors(const carom_impact *x)
{
    minors m = {x->n11, x->n12, x->n22, x->det};
    return m;
}

/* M v, M = K^-1; of a singular K the limit of regular ones. */
static inline carom_cvec impact_solve(const carom_impact *x, carom_cvec v)
{
    const minors m = impact_minors(x);
    return x->kind == CAROM_KIND_SINGULAR ? spectrum_solve((const spectrum *)x->spectrum, v)
                                          : minors_solve_K(&x->K, &m, v);
}

#endif
