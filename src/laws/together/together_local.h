/* One contact of many: the others are held, and its own impulse solves its own law. */
#ifndef CAROM_LAWS_TOGETHER_LOCAL_H
#define CAROM_LAWS_TOGETHER_LOCAL_H

#include <stdbool.h>

typedef struct local_contact {
    double K[9], inverse[9]; /* dim x dim; the inverse when it exists */
    double rho;              /* 1 / tr K */
    double mu;
    int dim;
    bool regular, convex;
} local_contact;

/* Take the block of a contact, with shift added to its diagonal. */
void local_init(int dim, const double *block, double shift, double mu, local_contact *l);

/* The impulse p for which y = r + K p obeys the law of the cone; p holds the last one on entry. */
void local_solve(const local_contact *l, const double *r, double *p);

/* Projection of z (t..., n) onto the cone of mu; and its derivative (dim x dim by rows) there. */
void local_project(int dim, double mu, const double *z, double *p);
void local_project_slope(int dim, double mu, const double *z, double *slope);

#endif
