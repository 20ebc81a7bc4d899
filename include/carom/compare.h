/* Carom: one case under many laws, or under all orders of its contacts. Library carom-io; not part of carom/carom.h. */
#ifndef CAROM_COMPARE_H
#define CAROM_COMPARE_H

#include "carom/case.h"

CAROM_BEGIN

/* Called for each law; c has it. The result is null where the law refuses the case: the error then has its reason. */
typedef void carom_law_visit(void *context, const carom_case *c, const carom_result *result,
                             const carom_case_error *error);

/* Solve the case with every law for as many contacts as it has. Contact-force laws need stiffnesses: they take part
 * when the case itself names one. */
CAROM_API void carom_case_each_law(carom_case *c, carom_law_visit *visit, void *context);

/* The same as {name, answers}; answers of laws that refuse are {status, message}. */
CAROM_API carom_json *carom_case_compare(carom_case *c);

/* The law `sequential` over orders of the contacts: all of them up to seven contacts, 10,000 random ones beyond, the
 * same in every call. The rigid model does not know the order; the spread of the outcomes is its error bar. */
typedef struct carom_orders {
    int count, unsolved; /* orders tried, and those of them that did not end */
    int n;               /* impulses: contacts times dimensions */
    double *low, *high;  /* of p (n numbers), u_after (n) and the change of energy */
} carom_orders;

/* False when the case has one contact, no order ends, or memory does; the caller frees it either way. */
CAROM_API CAROM_MUST_USE bool carom_case_orders(carom_case *c, carom_orders *orders, carom_case_error *error);
CAROM_API carom_json *carom_orders_json(const carom_case *c, const carom_orders *orders);
CAROM_API void carom_orders_free(carom_orders *orders);

CAROM_END

#endif
