/* carom/inputs.h with complaints on standard error. */
#ifndef CAROM_CLI_VARY_H
#define CAROM_CLI_VARY_H

#include "carom/inputs.h"

enum { VARY_MOST = CAROM_STUDY_VARIABLES, VARY_NAME = CAROM_STUDY_NAME };

typedef carom_variable variable;
typedef carom_variables variables;
typedef carom_inputs varied;

/* Each complains in the name of the option ("--vary") and returns false. */
bool vary_add(variables *v, const char *option, const char *assignment);
bool vary_add_random(variables *v, const char *option, const char *assignment);
bool varied_open(varied *t, const variables *v, const carom_case *c, const char *option);
bool varied_open_scene(varied *t, const variables *v, const carom_scene_file *file, const char *option);

#endif
