/* carom compare --orders. */
#ifndef CAROM_CLI_COMPARE_ORDERS_H
#define CAROM_CLI_COMPARE_ORDERS_H

#include "cli.h"

/* The law `sequential` over all orders, or many random ones: the spread of its outcomes. An exit status. */
int compare_orders(carom_case *c, bool json);

#endif
