/* Numbers in texts, for the readers of options. */
#ifndef CAROM_IO_WORDS_H
#define CAROM_IO_WORDS_H

/* Finite numbers with this character between them: how many, at most as many as there is room for; else -1. */
int carom_internal_numbers(const char *text, char between, int most, double *numbers);

#endif
