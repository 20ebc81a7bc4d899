/* Carom: K from a black box, which says how the contact answers to a push.
 *
 * A program that can compute the acceleration of the contact points under a force, or the velocities after an impulse,
 * already holds K. Its answer is
 *
 *     y = y_0 + K x        x a force on A at the contact (and -x on B), y the acceleration of A relative to B;
 *                          or x an impulse, y the relative velocity after it
 *
 * in contact axes, and K is found from a few questions:
 *
 *     static bool accelerate(void *robot, const double *force, double *acceleration);
 *
 *     carom_response box = {accelerate, &robot, 3, 0, 0};
 *     carom_status status = carom_response_reduce(&box, u, &problem, &report);
 *
 * Carom asks without a push, with one along each axis, and twice more to see whether the answer is linear. Then it
 * checks what must be true of every K: it is symmetric, and no push is answered against itself. (Chatterjee 1997,
 * section 6.7.1, with these checks added and without the inverse: K may be singular.) */
#ifndef CAROM_RESPONSE_H
#define CAROM_RESPONSE_H

#include <stdbool.h>

#include "carom/export.h"
#include "carom/problem.h"
#include "carom/status.h"

CAROM_BEGIN

/* The answer to a push: dim numbers in, dim numbers out, ordered [t1, t2, n] or [t, n]. False when there is none. It
 * must not depend on earlier calls. */
typedef bool carom_respond(void *context, const double *push, double *answer);

/* How far a response may be from linear and symmetric, and below zero, against the largest entry of K. */
#define CAROM_RESPONSE_TOL 1e-9

typedef struct carom_response {
    carom_respond *respond;
    void *context;
    int dim;          /* 3, or 2 in the plane */
    double push;      /* size of the questions, a force or an impulse; 0: 1 */
    double tolerance; /* 0: CAROM_RESPONSE_TOL; larger where the answers come from an iteration or a time step */
} carom_response;

/* What was found, whatever the status: zero where it was not reached. */
typedef struct carom_response_report {
    double offset[3]; /* y_0 */
    double K[9];      /* as answered, dim x dim by rows, neither symmetric nor checked */
    double asymmetry; /* largest |K_ij - K_ji| over the largest |K_ij|, and where: i and j from 0 */
    int row, column;
    double nonlinearity; /* largest departure from y_0 + K x of the two last questions, over |K x| */
    double smallest;     /* smallest over largest eigenvalue of the symmetric part of K */
    int rank;            /* of the K that is handed over: 1 to dim */
    int calls;
} carom_response_report;

/* The black box becomes (K, u). u has dim entries; null: the answers are velocities, and the one without a push is u.
 * K is the symmetric part; an eigenvalue that is less than the error that the questions have shown counts as zero.
 *
 *     CAROM_STATUS_NO_RESPONSE       respond returned false
 *     CAROM_STATUS_NOT_FINITE        an answer, u, push or tolerance is NaN or infinite
 *     CAROM_STATUS_NOT_LINEAR        more push does not give more answer in proportion
 *     CAROM_STATUS_NOT_SYMMETRIC     K_ij and K_ji differ: answers in other axes than pushes, or of another point?
 *     CAROM_STATUS_NOT_DEFINITE      a push is answered against itself: the sign of the answers, or -x on B?
 *     CAROM_STATUS_IMMOVABLE         nothing moves along the normal
 *     CAROM_STATUS_BAD_SIZE, CAROM_STATUS_BAD_COEFFICIENT    dim; push or tolerance < 0
 *
 * The problem is zero then. report may be null. */
CAROM_API CAROM_MUST_USE carom_status carom_response_reduce(const carom_response *box, const double *u,
                                                            carom_problem *problem, carom_response_report *report);

CAROM_END

#endif
