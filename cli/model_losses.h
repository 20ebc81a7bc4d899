/* What import and export could not take, on standard error. */
#ifndef CAROM_CLI_MODEL_LOSSES_H
#define CAROM_CLI_MODEL_LOSSES_H

#include "carom/json.h"

void print_losses(const carom_json *losses);

#endif
