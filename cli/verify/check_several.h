/* verify's judgement of cases with several contacts. */
#ifndef CAROM_CLI_CHECK_SEVERAL_H
#define CAROM_CLI_CHECK_SEVERAL_H

#include "check.h"
#include "json.h"

/* Compare every key of "expect" with the answer; the case must have been solved into result. */
check check_contacts(const carom_case *c, const carom_result *result, const json_t *answer, double least);

#endif
