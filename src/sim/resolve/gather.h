/* Contacts of an impact, and the bodies that take part in it. */
#ifndef CAROM_SIM_GATHER_H
#define CAROM_SIM_GATHER_H

#include "sim/motion/motion.h"

/* A contact at the instant of an impact. */
typedef struct touching {
    int a, b;
    carom_vec3 normal; /* from b to a, as a case file would give it */
    carom_contact contact;
    int piece;              /* of a */
    const carom_rule *rule; /* of the pair, or the observer's in reports */
    carom_problem problem;
    carom_cvec p;
    carom_cspin m; /* moment of a patch on a */
    double gap;    /* at a step */
    double u_n;    /* before the impact */
    int own_rule;  /* 1 + index of a rule that the observer gave, or 0 */
    int group;     /* contacts with the same number are solved together */
    bool hits;     /* it approaches; others only touch */
    bool closed;   /* it was closed before */
    bool jointed;  /* problem is that of a linkage */
    bool rod;      /* a rod takes part, here or elsewhere in the group */
    bool locks;    /* with others of its group: it does not bounce */
    bool bounces;  /* it leaves the impact, and bounces on for long */
} touching;

static inline touching *touching_at(const carom_sim *sim, int k)
{
    return (touching *)sim->touchings.data + k;
}

/* The slot of a body in this impact, new if need be; -1 when memory ends. */
int involve(carom_sim *sim, int body, double t);

/* The same of a body that takes no part yet and whose state is known. */
int involve_as(carom_sim *sim, int body, const carom_body *now);

/* Add the contacts of bodies i and j at time t (one; more where faces meet); returns how many. */
int add_touchings(carom_sim *sim, int i, int j, double t);

/* Put the contacts of one pair, from the first on, in an order that a mirror keeps: that of corners is another in
 * mirrored scenes, and laws of several contacts round in the order of the list. */
void sort_touchings(const carom_sim *sim, size_t first);

/* The rule of a pair in impacts; and as the scene gives it, without patch and resistance to rolling. */
const carom_rule *rule_of(const carom_sim *sim, int i, int j);
const carom_rule *bare_rule_of(const carom_sim *sim, int i, int j);

/* The rule of a pair whose contact is closed: e and mu at no speed of approach. */
carom_rule rule_at_rest(const carom_sim *sim, int i, int j);

/* The coefficients of a contact at its speed of approach; among them the friction, 0 where the law knows none. */
carom_coeffs touching_coeffs(const touching *c);
double touching_friction(const touching *c);

/* What holds a pair back while its contact is closed: the length of its resistance to rolling, the radius of its patch,
 * and its friction (0: as in impacts). */
typedef struct resistance {
    double rolling, patch, sliding;
} resistance;

resistance resistance_of(const carom_sim *sim, int i, int j);

#endif
