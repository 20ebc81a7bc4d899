/* The equations of an island: dynamics of its bodies, and a row for each force that a contact may have. */
#ifndef CAROM_SIM_RIDE_ROWS_H
#define CAROM_SIM_RIDE_ROWS_H

#include "sim/rest/least_norm.h"
#include "sim/rest/ride.h"

enum { ROWS = RIDE_ROWS };

/* One unknown force: contact, direction of the force on the body, and of the acceleration that it keeps at zero. */
typedef struct row {
    int contact, axis; /* 0, 1: tangents; 2: normal; 3, 4, 5: moments about these */
    carom_vec3 force, keep;
    carom_vec3 moment, keep_turn; /* of contacts that resist rolling or spinning */
} row;

typedef struct member_dynamics {
    carom_sym3 inv, I; /* world */
    carom_vec3 v_rate, w_rate, gyro;
} member_dynamics;

typedef struct dynamics {
    member_dynamics m[RIDE_BODIES];
    carom_vec3 arm[RIDE_CONTACTS], arm_b[RIDE_CONTACTS]; /* from the bodies with the feet; from members below */
    carom_vec3 b[RIDE_CONTACTS];                         /* accelerations of the contacts without forces */
    carom_vec3 c[RIDE_CONTACTS];                         /* the part of b that is neither v' nor w' */
} dynamics;

/* The dynamics at the state y, without contact forces. */
void start_dynamics(const ride *r, const double *y, dynamics *d);

/* Rows of all contacts that are not open; returns how many. */
int make_rows(const ride *r, const double *y, row *rows);

/* What a force at a contact does to the two bodies: accelerations of their middles and of their rotations. */
typedef struct thrust {
    int contact;
    carom_vec3 v[2], w[2];
} thrust;

thrust thrust_of(const ride *r, const dynamics *d, int k, carom_vec3 F);

/* Acceleration at contact k that a force at another makes, which acts on both bodies there. */
carom_vec3 response(const ride *r, const dynamics *d, int k, const thrust *x);

/* What each row keeps, by a unit of each other. */
void fill_responses(const ride *r, const dynamics *d, const row *rows, int n, double A[ROWS][ROWS]);

/* A sum that keeps the sign of a zero where nothing is added. */
static inline carom_vec3 turning(const ride *r, carom_vec3 a, carom_vec3 b)
{
    return r->resists ? sum_of(a, b) : a;
}

#endif
