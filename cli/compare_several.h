/* carom compare on a case with several contacts. */
#ifndef CAROM_CLI_COMPARE_SEVERAL_H
#define CAROM_CLI_COMPARE_SEVERAL_H

#include "cli.h"

/* All laws in one table, per contact and per body. */
void compare_several(carom_case *c);

/* The law `sequential` over all orders, or many random ones: the spread of its outcomes. An exit status. */
int compare_orders(carom_case *c, bool json);

#endif
