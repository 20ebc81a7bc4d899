/* Jia's ball and pencil: one impact by the law `jia`, and as erratum J1 reads the paper. */
#ifndef CAROM_LITERATURE_JIA_MODEL_H
#define CAROM_LITERATURE_JIA_MODEL_H

#include "literature.h"

typedef struct motion {
    carom_vec3 v, w;
} motion;

enum { JIA_EVENTS = 64 };

/* One impact: the motion before and after, by the equations and as erratum J1 reads them. */
typedef struct impact {
    carom_status status;
    carom_outcome out;
    int event_count;
    carom_event events[JIA_EVENTS];
    carom_cvec u; /* before */
    motion after, variant;
    carom_cvec p_variant;
    double energy[2]; /* before and after */
} impact;

extern const motion jia_thrown, jia_spun; /* V_0 = (-1, 0, -5) with w_0 = (0, 2, 0) and (6, 6, 0) */

/* mu = 0.4, e = 0.5, eta_0 = sqrt(17/14): equation (83). */
carom_coeffs jia_usual(void);

impact jia_strike(const carom_body_def *def, carom_vec3 arm, const carom_coeffs *coeffs);

/* A solid ball of unit mass and radius on the table. */
impact jia_bounce(motion m, const carom_coeffs *coeffs);

/* The first event of a kind; numbers are NaN when there is none. */
const carom_event *jia_event(const impact *i, carom_event_kind kind);

/* The paper's kinetic energy, m V^2 / 2 + 0.1 w^2 (erratum J2). */
double jia_energy(motion m);

#endif
