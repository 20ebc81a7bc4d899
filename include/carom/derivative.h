/* Carom: derivatives of an impact.
 *
 * How the impulse and the velocity after an impact change with u, K and the coefficients of the law, to first order:
 *
 *     carom_derivative d;
 *     carom_status status = carom_derivative_solve(&problem, &rule, &outcome, &d);
 *     d.p.u[2].t1     dp_t1 / du_n
 *
 * The branch that the law takes is followed a second time with numbers that carry their partial derivatives: no steps,
 * no differences of two answers. On a border between two branches (stick and slip) the outcome has a kink: the answer
 * is then the derivative of the branch that the law takes, and `nonsmooth` is set.
 *
 * Laws with derivatives are those for which carom_law_has_derivatives is true. K must have full rank, or rank two in
 * the plane of t1; a planar problem is differentiated inside its plane, and its columns of t2 are zero. */
#ifndef CAROM_DERIVATIVE_H
#define CAROM_DERIVATIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/batch.h"
#include "carom/coeffs.h"
#include "carom/export.h"
#include "carom/law.h"
#include "carom/outcome.h"
#include "carom/problem.h"
#include "carom/together.h"

CAROM_BEGIN

/* The derivatives of a vector, column by column. */
typedef struct carom_jacobian {
    carom_cvec u[3];                      /* by u.t1, u.t2, u.n */
    carom_cvec K[6];                      /* by K.t11, t12, t22, t1n, t2n, nn; t12, t1n, t2n move both entries of K */
    carom_cvec coeffs[CAROM_COEFF_SLOTS]; /* by the coefficients, in the order of carom_coeff; zero where not used */
} carom_jacobian;

typedef struct carom_derivative {
    carom_status status;
    bool nonsmooth;     /* the point lies on the border between two branches, and the other side differs */
    const char *border; /* the border nearest to it, a static string ("" when the branch has none) */
    double distance;    /* to that border, relative to the inputs; at most one is near. INFINITY when there is none */
    carom_jacobian p, u_after;
    double room[16];
} carom_derivative;

/* True for laws that the functions below accept. */
CAROM_API bool carom_law_has_derivatives(const carom_law *law);

/* Solve an impact and differentiate it. outcome (may be null) and status are as of carom_solve;
 * CAROM_STATUS_NO_DERIVATIVE when the law, or a K of lower rank, has none. The derivative is zero when the status is a
 * refusal, and the identity for u_after by u when the contact separates. At u_n = 0 it is the limit from u_n < 0.
 * mu_s moves a border and nothing else: its column is zero. Thread-safe, allocates nothing. */
CAROM_API CAROM_MUST_USE carom_status carom_derivative_solve(const carom_problem *problem, const carom_rule *rule,
                                                             carom_outcome *outcome, carom_derivative *derivative);

/* A direction in which everything changes at once, and what comes of it. */
typedef struct carom_variation {
    carom_csym K;
    carom_cvec u;
    carom_coeffs coeffs; /* members that the law does not use are not read */
} carom_variation;

typedef struct carom_change {
    carom_status status;
    bool nonsmooth;
    carom_cvec p, u_after;
} carom_change;

/* The derivative along one direction: one column for the price of one. */
CAROM_API CAROM_MUST_USE carom_status carom_derivative_along(const carom_problem *problem, const carom_rule *rule,
                                                             const carom_variation *direction, carom_outcome *outcome,
                                                             carom_change *change);

/* Derivatives of a batch, matrices by rows, one after the other; a null array is not written. In a planar batch (no
 * arrays of t2) the matrices are planar: rows (t, n), columns of u (t, n), columns of K (tt, tn, nn). */
typedef struct carom_batch_derivatives {
    size_t count;
    double *p_u, *u_after_u;           /* 9 numbers an impact; planar 4 */
    double *p_K, *u_after_K;           /* 18; planar 6 */
    double *p_coeffs, *u_after_coeffs; /* 3 (planar 2) times the coefficients that the law uses, in their order */
    double *p, *u_after;               /* 3; planar 2 */
    unsigned char *status, *nonsmooth;
} carom_batch_derivatives;

/* The same for many impacts. The answer is about the batch, as in carom_batch_solve; each row has its own status. Rows
 * are shared among threads, at most as many as the options say (null: all processors), with the same bits for any
 * number of them. */
CAROM_API CAROM_MUST_USE carom_status carom_batch_differentiate(const carom_batch_in *in, const carom_rule *rule,
                                                                const carom_batch_derivatives *out,
                                                                const carom_batch_options *options);

/* ---- several contacts ---- */

/* True for the laws of several contacts that have derivatives: moreau and lzb. */
CAROM_API bool carom_together_has_derivatives(const carom_together *law);

enum { CAROM_TOGETHER_DERIVATIVE_MOST = 64 }; /* contacts */

/* A direction; a null member does not change. */
typedef struct carom_together_variation {
    const double *u;            /* dim m */
    const double *K;            /* the blocks of the problem, in its order; symmetric as K is */
    const carom_coeffs *coeffs; /* m; members that the law does not use are not read */
} carom_together_variation;

typedef struct carom_together_changes {
    double *p, *u_after; /* dim m numbers per direction, one after the other; the caller's, or null */
    bool nonsmooth;      /* some contact lies on the border between two modes, and the other side differs */
    const char *border;  /* the nearest border and the contact it belongs to; "" and -1 when there is none */
    int contact;
    double distance; /* to that border, relative to the largest impulse or velocity; INFINITY */
} carom_together_changes;

/* Bytes of workspace for the function below, including carom_together_work. */
CAROM_API size_t carom_together_derivative_work(const carom_contacts *problem, const carom_together_rule *rule);

/* Solve an impact of several contacts, and differentiate it along some directions. moreau: the modes of all contacts
 * stay, and what they ask of p is differentiated (the implicit function theorem). lzb: its path is followed with
 * partial derivatives. outcome and status are as of carom_together_solve; CAROM_STATUS_NO_DERIVATIVE when
 * the law has none, when contacts are redundant, so that p is one of many, or beyond CAROM_TOGETHER_DERIVATIVE_MOST
 * contacts. Changes are zero on a refusal. */
CAROM_API CAROM_MUST_USE carom_status carom_together_differentiate(
    const carom_contacts *problem, const carom_together_rule *rule, const carom_together_variation *directions,
    int count, void *work, carom_together_outcome *outcome, carom_together_changes *changes);

CAROM_END

#endif
