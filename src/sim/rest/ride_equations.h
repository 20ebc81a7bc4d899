/* The equations of an island: dynamics of its bodies, and a row for each force that a contact may have. */
#ifndef CAROM_SIM_RIDE_ROWS_H
#define CAROM_SIM_RIDE_ROWS_H

#include "sim/rest/least_norm.h"
#include "sim/rest/ride.h"

/* One unknown force: contact, direction of the force on the body, and of the acceleration that it keeps at zero. */
typedef struct row {
    int contact, axis; /* 0, 1: tangents; 2: normal; 3, 4, 5: moments about these */
    carom_vec3 force, keep;
    carom_vec3 moment, keep_turn; /* of contacts that resist rolling, or have a patch */
} row;

typedef struct member_dynamics {
    carom_sym3 inv, I; /* world */
    carom_vec3 v_rate, w_rate, gyro;
} member_dynamics;

typedef struct dynamics {
    member_dynamics m[ISLAND_BODIES];
    carom_vec3 *arm, *arm_b; /* of the contacts: from the bodies with the feet; from members below */
    carom_vec3 *u;           /* their velocities against the ground */
    carom_vec3 *b;           /* accelerations of the contacts without forces */
    carom_vec3 *c;           /* the part of b that is neither v' nor w' */
    carom_vec3 *w;           /* rotations against the ground */
    double *W;               /* accelerations of all members by forces and moments on them, where joints hold them */
} dynamics;

/* The dynamics at the state y, without contact forces; arrays in the arena. */
void start_dynamics(const ride *r, const double *y, dynamics *d);

typedef struct row_list {
    int count;
    row *at;
} row_list;

/* What row x keeps of the rotation against the ground, with these rates of the members: it turns with the normal. */
double kept_turn(const ride *r, const dynamics *d, const row *x, const carom_vec3 *w_rate);

/* Rows of all contacts that are not open, in the arena. */
row_list make_rows(const ride *r, const dynamics *d, const double *y);

enum { CONTACT_ROWS = 6 }; /* the most rows of a contact */

/* Bytes of the arena for the work with a ride of so many members and contacts, all functions together. */
size_t ride_room(int members, int contacts);

/* Adds a force of row x, times weight, to those on the freedoms of all members. */
void add_force(const ride *r, const dynamics *d, const row *x, double weight, double *out);

/* Accelerations of the members, by forces and moments on all of them. */
void respond_all(const ride *r, const dynamics *d, const double *force, carom_vec3 *v, carom_vec3 *w);

/* What row x keeps, by a unit of its force. */
double own_response(const ride *r, const dynamics *d, const row *x);

/* The equations of all rows: each keeps an acceleration at zero. Contacts that repeat each other leave the forces open,
 * and the smallest are taken: with a weight for each, one over the root of what it counts. Rows are as many as forces,
 * but no more of them differ than the members have freedoms; beyond that many the forces are sums of that many columns.
 */
typedef struct row_system {
    matrix A;       /* accelerations by coefficients */
    matrix columns; /* forces of a unit of each coefficient; empty: coefficients are forces */
    double *weight;
    row_basis basis;
} row_system;

void solve_system(const ride *r, const dynamics *d, row_list rows, const double *right, row_system *s, double *x);

/* The same for another right side. */
void solve_system_again(const ride *r, const row_system *s, const double *right, double *x);

/* A length for a row of a moment, one for a row of a force: all rows of a system then have one unit. A power of two
 * near the size, which rounds nothing. */
double row_unit(const ride *r, const row *x);

/* Weights that are these units alone. */
void weigh_alike(const ride *r, row_list rows, row_system *s);

/* A sum that keeps the sign of a zero where nothing is added. */
static inline carom_vec3 turning(const ride *r, carom_vec3 a, carom_vec3 b)
{
    return r->resists ? sum_of(a, b) : a;
}

#endif
