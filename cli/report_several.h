/* An answer with several contacts for people. */
#ifndef CAROM_CLI_REPORT_SEVERAL_H
#define CAROM_CLI_REPORT_SEVERAL_H

#include "carom/case.h"

/* One case, a screen. all adds every admissible solution. */
void report_several(const carom_case *c, const carom_result *result, bool all);

/* One case, one line of a stream. */
void report_several_line(const carom_case *c, const carom_result *result);

/* What the law did in a few words: "3 impacts: 1 2 1". */
void report_several_story(const carom_case *c, const carom_result *result, char *text, size_t room);

#endif
