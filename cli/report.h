/* An answer for people: what came out, what moves, where the energy went, what happened inside. */
#ifndef CAROM_CLI_REPORT_H
#define CAROM_CLI_REPORT_H

#include "carom/case.h"
#include "json.h"
#include "table.h"

/* One case, a screen. all adds every admissible solution. */
void report_case(const carom_case *c, const carom_result *result, bool all);

/* One case, one line of a stream: name, law, status, impulse, energy. */
void report_line_head(void);
void report_line(const carom_case *c, const carom_result *result);

/* The name of the case, where it has one, as a heading. */
void report_name(const carom_case *c);

/* What the law did at contacts that are solved together, in a few words: "3 impacts: 1 2 1". */
void report_story(const carom_case *c, const carom_result *result, char *text, size_t room);

/* Parts of a report, printed where they apply: contact forces; phases and events; a stroke; every solution. */
void report_force(const carom_case *c, const carom_result *result);
void report_path(const carom_case *c, const carom_result *result);
void report_stroke(const carom_case *c, const carom_result *result);
void report_solutions(const carom_case *c, const carom_result *result);

enum { REPORT_NUMBERS = 8 }; /* of a row */

/* A row of numbers, each next to the largest of them; a table of one row. */
void report_row(table *t, const char *label, const double *x, int count, const char *unit);
void report_single(const char *align, const char *const *heads, const char *const *row);

/* The numbers of a contact vector, or of the motion of a body, as the case counts; returns how many. */
int report_vector(const carom_case *c, carom_cvec v, double x[3]);
int report_motion(const carom_case *c, const carom_body *body, double x[6]);

/* How many numbers of a contact turn: with a patch one, with resistance to rolling three. */
int report_spins(const carom_case *c);

/* A number in a table: six digits; zero when it is only rounding of its neighbours, the largest of which is scale. */
void report_number(char *text, size_t room, double value, double scale);

/* A coefficient: six digits, or "infinite". */
void report_coefficient(char *text, size_t room, double value);

/* The words of the raised flags, "a, b", or "none". */
void report_flags(char *text, size_t room, unsigned flags, const char *none);

enum { REPORT_CELL = 24 };

/* The change of energy in percent of the contact energy and of the whole kinetic energy, "-" where there is none. */
void report_percents(const carom_result *result, char contact[REPORT_CELL], char kinetic[REPORT_CELL]);

/* The derivatives of an impact, below its report: "derivatives" of its answer. */
void report_derivatives(const carom_case *c, const json_t *columns);

#endif
