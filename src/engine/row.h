/* One row of a batch by the kernel of a law: what the loops of a processor and the threads of a GPU compute alike. Free
 * of branches; the answer counts where the row is ordinary. */
#ifndef CAROM_ENGINE_ROW_H
#define CAROM_ENGINE_ROW_H

#include "contact/impact.h"
#include "engine/ledger.h"

/* A loop vectorises only if the whole row is inlined into it. */
#if defined(__GNUC__)
#define INLINE  static inline __attribute__((always_inline))
#define FLATTEN __attribute__((flatten))
#else
#define INLINE static inline
#define FLATTEN
#endif

/* What is left to do for a row: nothing, no impulse because it separates, all of it. */
enum { DONE, SEPARATES, LEFTOVER };

/* What a row is solved with; all of it is known when the loop is compiled. */
typedef struct row_law {
    carom_law_kernel *kernel;
    carom_kind kind;
    bool gives_rebound;
} row_law;

typedef struct row_answer {
    carom_cvec p, u_after;
    double left; /* DONE, or LEFTOVER; SEPARATES more where it separates */
    int branch;  /* of the law */
} row_answer;

INLINE double select(bool condition, double value, double otherwise)
{
    return (condition ? value : otherwise) + 0.0; /* -0 becomes 0, as in single calls */
}

INLINE carom_cvec select_cvec(bool condition, carom_cvec value, carom_cvec otherwise)
{
    return carom_cvec_make(select(condition, value.t1, otherwise.t1), select(condition, value.t2, otherwise.t2),
                           select(condition, value.n, otherwise.n));
}

INLINE row_answer row_solve(carom_problem pb, carom_coeffs c, row_law law)
{
    const minors m = minors_of(&pb.K);
    carom_impact impact;
    impact_set(&impact, &pb, &m, law.kind);
    c.mu = min(c.mu, MU_MAX);
    c.mu_s = min(c.mu_s, MU_MAX);
    const carom_impulse r = law.kernel(&impact, &c);
    const carom_cvec v = law.gives_rebound ? r.u_after : carom_cvec_add(pb.u, carom_csym_apply(pb.K, r.p));

    carom_problem approaching = pb; /* a separating row is as ordinary as its mirror image */
    approaching.u.n = -fabs(pb.u.n);
    bool ordinary =
        law.kind == CAROM_KIND_PLANAR ? is_ordinary_planar(&approaching, &m) : is_ordinary_spatial(&approaching, &m);
    bool covered = (law.kind != CAROM_KIND_SPHERE) | csym_is_sphere(&pb.K);
    bool approaches = pb.u.n < 0, answered = covered & (fabs(r.p.t1 + r.p.t2 + r.p.n) <= SAFE_MAX);
    const double left = ordinary & (answered | !approaches) ? DONE : LEFTOVER;
    row_answer answer = {select_cvec(approaches, r.p, carom_cvec_make(0, 0, 0)), select_cvec(approaches, v, pb.u),
                         left + (approaches ? 0 : SEPARATES), r.branch};
    return answer;
}

/* The ledger of an ordinary row; where it separates, only the energy before is worth saying. */
INLINE ledger row_ledger(const carom_problem *pb, double mu, carom_cvec p, carom_cvec v)
{
    const minors m = minors_of(&pb->K);
    const ledger_entry entry = {*pb, p, v, 0.5 * minors_form(&pb->K, &m, pb->u), min(mu, MU_MAX)};
    ledger l = ledger_of(&entry);
    bool separates = pb->u.n > 0;
    l.energy.after = separates ? l.energy.before : l.energy.after;
    l.energy.change = separates ? 0 : l.energy.change;
    l.energy.normal = separates ? 0 : l.energy.normal;
    l.energy.friction = separates ? 0 : l.energy.friction;
    l.margins.cone = separates ? 0 : l.margins.cone;
    return l;
}

#endif
