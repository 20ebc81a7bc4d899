/* The scenes that come with the program. */
#ifndef CAROM_CLI_SCENES_H
#define CAROM_CLI_SCENES_H

#include <stdbool.h>

/* The text of a scene by its name, or null. */
const char *scenes_find(const char *name);

/* Each returns an exit status. */
int scenes_list(bool json);
int scenes_show(const char *name);
int scenes_complain(const char *command, const char *name); /* there is none of this name */

#endif
