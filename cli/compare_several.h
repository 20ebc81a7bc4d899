/* carom compare on a case with several contacts. */
#ifndef CAROM_CLI_COMPARE_SEVERAL_H
#define CAROM_CLI_COMPARE_SEVERAL_H

#include "cli.h"

/* All laws in one table, per contact and per body; or as JSON. */
int compare_several(carom_case *c, bool json);

/* The law `sequential` over all orders, or many random ones: the spread of its outcomes. */
int compare_orders(carom_case *c, bool json);

#endif
