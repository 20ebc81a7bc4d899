/* Problems with several contacts that the benchmarks share: Carom's own, and the one beside Siconos. */
#ifndef BENCH_SEVERAL_PROBLEMS_H
#define BENCH_SEVERAL_PROBLEMS_H

#include "carom/carom.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct several_problem {
    const char *name;
    carom_contacts contacts;
    carom_coeffs *coeffs;
    int bodies;
    void *memory; /* of contacts */
} several_problem;

/* m contacts with a random K of full rank and random velocities that approach; e = 0.5, friction in 0.1 ... 0.9. */
several_problem several_random(int m, int dim, unsigned seed);

/* A pile of spheres in a box, each laid on three others, walls or floor. It falls at 1 m/s with a spread of 0.3 m/s
 * (e = 0.5, mu = 0.3); or rests = true: the accelerations that gravity gives it, e = 0. */
several_problem several_pile(int spheres, bool rests, unsigned seed);

/* Three equal balls in a row, the first at 1 m/s; e = 1, no friction. */
several_problem several_cradle(void);

void several_free_problem(several_problem *problem);

#ifdef __cplusplus
}
#endif

#endif
