/* The answer of a fit for people. */
#ifndef CAROM_CLI_FIT_PRINT_H
#define CAROM_CLI_FIT_PRINT_H

#include "carom/fit_plan.h"

void fit_answer_print(const carom_fit_answer *answer, const carom_fit_data *data, const char *file);
void fit_answer_print_impacts(const carom_fit_answer *answer, const carom_fit_data *data);
void fit_answers_print(const carom_fit_answers *all, const carom_fit_data *data, const char *file);

#endif
