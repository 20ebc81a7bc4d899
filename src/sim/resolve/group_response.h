/* What impulses at the contacts of a group do to its bodies, which are free or held together by joints. The road from
 * contacts to velocities (resolve_group.c) is the same for both. */
#ifndef CAROM_SIM_GROUP_RESPONSE_H
#define CAROM_SIM_GROUP_RESPONSE_H

#include "sim/resolve/resolve_linkage.h"

typedef struct response {
    int group, count; /* contacts that impulses can move: */
    const int *of;    /* contact k is touching of[k] */
    double rounding;  /* a contact that an impulse elsewhere leaves approaching no faster than this, against the speeds
                         of  the impact, is not loaded */
    bool jointed;
    jointed_problem linkage;
} response;

/* The response of a group at time t. Contacts of bodies with joints get the K of their linkage. */
carom_status response_make(carom_sim *sim, int group, double t, response *r);

/* Velocities of everyone after the impulses of the touchings. */
void response_apply(carom_sim *sim, response *r);

/* The reduced problem of all contacts; it holds until the next one is made. */
carom_status response_reduce(carom_sim *sim, const response *r, carom_contacts *out);

/* Moreau's conditions by sweeps, where the law found no answer within its bound: impulses and velocities. */
carom_status response_sweep(carom_sim *sim, response *r);

#endif
