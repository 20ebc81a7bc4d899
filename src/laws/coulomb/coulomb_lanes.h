/* Single calls and vector loops of the incremental Coulomb laws: one function for flat contacts and spheres, one for
 * everything else. */
#ifndef CAROM_LAWS_COULOMB_LANES_H
#define CAROM_LAWS_COULOMB_LANES_H

#include "contact/alone.h"
#include "laws/coulomb/coulomb.h"

LANES_INLINE void coulomb_row(lanes *x, const lanes_rows *in, int row, int k, bool whole, lanes_line *line,
                              const coulomb_ending *ending)
{
    const carom_problem pb = lanes_problem(in, row + k);
    const carom_coeffs c = lanes_coeffs(in, row + k);
    schur s = schur_minors(&pb.K);
    s.whole = whole;
    const coulomb_answer a = coulomb_plane_kernel(&pb, &c, ending);
    const lanes_found found = {pb.u, a.p, a.u_after, problem_is_regular(&pb, &s),
                               (a.covered & lanes_comfortable(a.p)) | lanes_apart(pb.u)};
    lanes_write(x, line, row, k, &found);
}

#ifdef LANES_BASELINE
#define COULOMB_BATCH(law)                                                                                             \
    static const carom_law_batch batch = {LANES_VARIANTS(law##_lanes), LANES_VARIANTS(law##_alone)};
#else
#define COULOMB_BATCH(law)
#endif

#define COULOMB_LAW(law)                                                                                               \
    LANES_INLINE void law##_row(lanes *x, const lanes_rows *in, int row, int k, bool whole, lanes_line *line)          \
    {                                                                                                                  \
        coulomb_row(x, in, row, k, whole, line, &ending);                                                              \
    }                                                                                                                  \
    LANES_LAW_LOOP(law##_lanes, law##_row, law##_row, MEDIUM)                                                          \
    LANES_INLINE carom_status solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,  \
                                    carom_outcome *out)                                                                \
    {                                                                                                                  \
        return carom_coulomb_solve(problem, rule, tracer, out, &ending);                                               \
    }                                                                                                                  \
    LANES_ALONE_SOLVE(law##_alone, solve, true)                                                                        \
    COULOMB_BATCH(law)

#endif
