/* Friction problems of several contacts as Siconos and FCLIB write them, as cases: see import_cone.c. */
#ifndef CAROM_IO_IMPORT_CONE_H
#define CAROM_IO_IMPORT_CONE_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/json.h"

/* Does the text begin with a number? */
bool cone_is_problem(const char *text, size_t length);

/* The case, or null and one line that says what is wrong. */
carom_json *cone_case(const char *path, const char *text, size_t length, char *why);

#endif
