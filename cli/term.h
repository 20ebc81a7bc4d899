/* Colour, only on a terminal that wants it: standard output is one, NO_COLOR is not set, TERM is not "dumb". */
#ifndef CAROM_CLI_TERM_H
#define CAROM_CLI_TERM_H

void term_start(void);

/* Escape sequences, or empty strings where there is no colour. */
const char *term_bold(void);
const char *term_dim(void);
const char *term_red(void);
const char *term_green(void);
const char *term_plain(void); /* ends any of them */

#endif
