/* Numbers of a run by their paths: what a gradient is asked of, and by what. Each is a sum of entries of the inputs or
 * outputs of carom/gradient.h.
 *
 *     bodies.ball.position, .velocity, .omega, .orientation (planar: .angle)      all components, or one: .position.2
 *     bodies.ball.mass, .density; bodies.floor.shape.half-space.offset            inputs
 *     e; coefficients.e; pairs.0.coefficients.e; gravity; until.time              inputs
 *     time                                                                        of the end, an output */
#ifndef CAROM_CLI_TERMS_H
#define CAROM_CLI_TERMS_H

#include <stdbool.h>

#include "carom/gradient.h"
#include "carom/scene_file.h"

enum { TERM_NAME = 192 };

typedef struct term {
    char name[TERM_NAME];
    int count;
    size_t *index;
    double *weight;
    double value; /* NaN: it has none (a rotation in space) */
} term;

typedef struct terms {
    int count, room;
    term *list;
} terms;

/* Where the names come from. */
typedef struct term_source {
    const char *option;
    const carom_scene_file *file;
    const carom_gradient *gradient;
    const carom_sim *sim; /* outputs: at the end; null: inputs */
} term_source;

/* Add the names of a list with commas; complains and returns false for one that leads nowhere. */
bool terms_read(terms *t, const term_source *from, const char *list);
void terms_free(terms *t);

/* The sum over a vector of inputs or outputs, and the vector that has the weights. */
double term_of(const term *t, const double *vector);
void term_fill(const term *t, double *vector);

#endif
