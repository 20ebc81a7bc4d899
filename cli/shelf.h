/* The cases and scenes of carom/shipped.h: lists and complaints. */
#ifndef CAROM_CLI_SHELF_H
#define CAROM_CLI_SHELF_H

#include "carom/shipped.h"

/* A table of names and titles. */
void shelf_print(carom_shelf shelf);

/* No file of the shelf has this name: a complaint with a hint. Returns BAD_INPUT. */
int shelf_complain(const char *command, carom_shelf shelf, const char *name);

#endif
