/* What verify compares, and the scale of each kind of number. */
#ifndef CAROM_VERIFY_JUDGE_H
#define CAROM_VERIFY_JUDGE_H

#include "check.h"

typedef struct judge {
    const carom_case *c;
    const carom_result *result;
    const json_t *expect, *answer;
    check *out;
    int *searches; /* left for this case */
} judge;

/* Angular numbers count as velocities and impulses at this length: the radius of the patch. */
double patch_length(const judge *j);
double largest_impulse(const judge *j); /* of the answer */
double impulse_scale(const judge *j);
double velocity_scale(const judge *j);
double energy_scale(const judge *j);
double work_scale(const judge *j);
double friction_scale(const judge *j);
double change_scale(const judge *j);
double moment_scale(const judge *j);
double ledger_scale(const judge *j);
double unit_scale(const judge *j);
double duration_scale(const judge *j);
double compression_scale(const judge *j);
double peak_scale(const judge *j);
double margin_scale(const judge *j);
double qdot_scale(const judge *j);

#endif
