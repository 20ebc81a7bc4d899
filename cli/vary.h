/* Any input of a case as a variable: a coefficient by its name, or a number in the file by its path.
 *
 *     mu=0:1:5                          five values from 0 to 1
 *     bodies.a.velocity.0=-10,0,15      these values
 *     e=random:0.4:0.9                  drawn from this range, with all other random ones
 *     e=uniform:0.4:0.9, normal:0.6:0.1 likewise, by --random: mean and deviation of the latter
 *
 * Arrays are numbered from 0. */
#ifndef CAROM_CLI_VARY_H
#define CAROM_CLI_VARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/case.h"
#include "carom/scene_file.h"

enum { VARY_MOST = 8, VARY_NAME = 96 };

typedef struct variable {
    char name[VARY_NAME];
    carom_coeff coeff; /* CAROM_COEFF_COUNT: a path */
    bool random, normal;
    double from, to; /* of a normal distribution: mean and deviation */
    double *list;    /* or null: a grid */
    long count;
} variable;

typedef struct variables {
    int count;
    variable list[VARY_MOST];
    long draws; /* of the random ones */
    uint64_t seed;
} variables;

/* Add "NAME=VALUES"; complains in the name of the option and returns false. */
bool vary_add(variables *v, const char *option, const char *assignment);

/* Add "NAME=uniform:LOW:HIGH" or "NAME=normal:MEAN:DEVIATION". */
bool vary_add_random(variables *v, const char *option, const char *assignment);
void vary_free(variables *v);

/* How many points there are. */
double vary_total(const variables *v);

/* The values of point number i, 0 <= i < total. The first variable changes slowest. */
void vary_values(const variables *v, long i, double values[VARY_MOST]);

/* A case whose inputs change: the text of the file is kept as a tree. */
typedef struct varied {
    const variables *v;
    const char *file, *what; /* its name; a case or a scene */
    void *tree;              /* json_t */
    char *text;              /* of the point at hand */
} varied;

/* False, after a complaint, when a path leads to no number. */
bool varied_open(varied *t, const variables *v, const carom_case *c, const char *option);
bool varied_open_scene(varied *t, const variables *v, const carom_scene_file *file, const char *option);
void varied_close(varied *t);

/* Put the values of coefficients into the rule of a case. */
void vary_coefficients(const variables *v, const double *values, carom_case *c);

/* The case with the numbers of its paths at these values; coefficients come after. The caller frees it, whatever is
 * returned, before the next call. */
bool varied_case(varied *t, const double *values, carom_case *c, carom_case_error *error);

/* The text of the file with these values; valid until the next call. */
carom_text varied_text(varied *t, const double *values);

#endif
