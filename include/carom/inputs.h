/* Carom: inputs of a case or a scene by their names, for sweeps, ensembles and inverse impacts. Library carom-io; not
 * part of carom/carom.h.
 *
 *     mu=0:1:5                          five values from 0 to 1
 *     bodies.a.velocity.0=-10,0,15      these values
 *     e=uniform:0.4:0.9                 drawn from this range, with all other random ones
 *     e=normal:0.6:0.1                  drawn with this mean and deviation
 *     bodies.die.orientation=uniform    drawn from all orientations: four variables
 *
 * A name is a coefficient, or the path of a number in the file; arrays are numbered from 0. */
#ifndef CAROM_INPUTS_H
#define CAROM_INPUTS_H

#include "carom/settings.h"
#include "carom/study.h"

CAROM_BEGIN

/* Add "NAME=VALUES"; errors have the key "OPTION" or "OPTION.NAME". */
CAROM_API CAROM_MUST_USE bool carom_vary_add(carom_variables *v, const char *option, const char *assignment,
                                             carom_case_error *error);

/* Add "NAME=uniform:LOW:HIGH", "NAME=normal:MEAN:DEVIATION", or for an orientation "NAME=uniform". */
CAROM_API CAROM_MUST_USE bool carom_vary_add_random(carom_variables *v, const char *option, const char *assignment,
                                                    carom_case_error *error);
CAROM_API void carom_vary_free(carom_variables *v);

/* A case or scene whose inputs change: its text is kept as a tree. */
typedef struct carom_inputs {
    const carom_variables *v;
    const char *file, *what; /* its name; a case or a scene */
    carom_json *tree;
    char *text; /* of the point at hand */
} carom_inputs;

/* False when a name is neither a coefficient nor leads to a number. Close it either way. */
CAROM_API CAROM_MUST_USE bool carom_inputs_open(carom_inputs *t, const carom_variables *v, const carom_case *c,
                                                const char *option, carom_case_error *error);
CAROM_API CAROM_MUST_USE bool carom_inputs_open_scene(carom_inputs *t, const carom_variables *v,
                                                      const carom_scene_file *file, const char *option,
                                                      carom_case_error *error);
CAROM_API void carom_inputs_close(carom_inputs *t);

/* Put the values of coefficients into the rule of a case. */
CAROM_API void carom_inputs_coefficients(const carom_variables *v, const double *values, carom_case *c);

/* The case with the numbers of its paths at these values; coefficients come after. The caller frees it, whatever is
 * returned, before the next call. */
CAROM_API CAROM_MUST_USE bool carom_inputs_case(carom_inputs *t, const double *values, carom_case *c,
                                                carom_case_error *error);

/* Would paths lead to other numbers at these values? */
CAROM_API bool carom_inputs_differ(const carom_inputs *t, const double *values, const double *others);

/* The text of the file with these values; valid until the next call. Its bytes are null when memory ends. */
CAROM_API carom_text carom_inputs_text(carom_inputs *t, const double *values);

/* What a request changes in each scene before it is run; function may be null. */
typedef struct carom_scene_change {
    bool (*change)(const void *context, carom_scene_file *file, carom_case_error *error);
    const void *context;
} carom_scene_change;

/* The scene at these values, with the change; values of coefficients count more. Free it, whatever is returned, before
 * the next call. */
CAROM_API CAROM_MUST_USE bool carom_inputs_scene(carom_inputs *t, const double *values,
                                                 const carom_scene_change *change, carom_scene_file *file,
                                                 carom_case_error *error);

/* What a path leads to in a tree, or null. */
CAROM_API const carom_json *carom_path_follow(const carom_json *tree, const char *path);

CAROM_END

#endif
