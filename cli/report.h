/* An answer for people: what came out, what moves, where the energy went, what happened inside. */
#ifndef CAROM_CLI_REPORT_H
#define CAROM_CLI_REPORT_H

#include "carom/case.h"
#include "carom/derivative.h"
#include "json.h"

/* One case, a screen. all adds every admissible solution. */
void report_case(const carom_case *c, const carom_result *result, bool all);

/* One case, one line of a stream: name, law, status, impulse, energy. */
void report_line_head(void);
void report_line(const carom_case *c, const carom_result *result);

/* A number in a table: six digits; zero when it is only rounding of its neighbours, the largest of which is scale. */
void report_number(char *text, size_t room, double value, double scale);

/* A coefficient: six digits, or "infinite". */
void report_coefficient(char *text, size_t room, double value);

/* The words of the raised flags, "a, b", or "none". */
void report_flags(char *text, size_t room, unsigned flags, const char *none);

enum { REPORT_CELL = 24 };

/* The change of energy in percent of the contact energy and of the whole kinetic energy, "-" where there is none. */
void report_percents(const carom_result *result, char contact[REPORT_CELL], char kinetic[REPORT_CELL]);

/* The derivatives of an impact, below its report. */
void report_derivatives(const carom_case *c, const carom_derivative *d);

/* Those of several contacts, which are "derivatives" of the answer: p by u and the coefficients. */
void report_several_derivatives(const carom_case *c, const json_t *columns);

#endif
