/* The laws of several contacts in `carom laws`. */
#ifndef CAROM_CLI_LAWS_TOGETHER_H
#define CAROM_CLI_LAWS_TOGETHER_H

#include <stdint.h>

#include "cli.h"
#include "json.h"

/* The coefficients of a law, of one contact or several: default with its unit, range, meaning. */
void coefficients_show(uint64_t uses);

/* A second table, below the laws of one contact. */
void together_table(void);
void together_markdown(void);

/* Name, coefficients and promises of one law. */
void together_show(const carom_together *law);

#endif
