/* Carom: gradients of runs by the names of their inputs and outcomes. Library carom-io; not part of carom/carom.h.
 *
 *     bodies.ball.position, .velocity, .omega, .orientation (planar: .angle)      all components, or one: .position.2
 *     bodies.ball.mass, .density; bodies.floor.shape.half-space.offset            inputs
 *     e; coefficients.e; pairs.0.coefficients.e; gravity; until.time              inputs
 *     time                                                                        of the end, an outcome
 *
 *     const carom_gradient_task task = {.of = "time,bodies.ball.position", .by = "e", ...};
 *     if (carom_scene_gradient_go(&g, &file, &task, &error))
 *         g.matrix[i * g.by.count + k]                derivative of outcome i by input k
 *     carom_scene_gradient_free(&g);
 *
 * Each name is a sum of entries of the inputs or outputs of carom/gradient.h, which has the mathematics. */
#ifndef CAROM_SCENE_GRADIENT_H
#define CAROM_SCENE_GRADIENT_H

#include "carom/gradient.h"
#include "carom/scene_run.h"

CAROM_BEGIN

enum { CAROM_TERM_NAME = 192 };

typedef struct carom_term {
    char name[CAROM_TERM_NAME];
    int count;
    size_t *index;
    double *weight;
    double value; /* NaN: it has none (a rotation in space) */
} carom_term;

typedef struct carom_terms {
    int count, room;
    carom_term *list;
    bool lost; /* memory has ended */
    carom_term spare;
} carom_terms;

/* Where the names come from, and where errors go. */
typedef struct carom_term_source {
    const char *option;
    const carom_scene_file *file;
    const carom_gradient *gradient;
    const carom_sim *sim; /* outcomes: at the end; null: inputs */
    carom_case_error *error;
} carom_term_source;

/* Add the names of a list with commas; false for one that leads nowhere. */
CAROM_API CAROM_MUST_USE bool carom_terms_read(carom_terms *t, const carom_term_source *from, const char *list);
CAROM_API void carom_terms_free(carom_terms *t);

/* The sum over a vector of inputs or outputs, and the vector that has the weights. */
CAROM_API double carom_term_value(const carom_term *t, const double *vector);
CAROM_API void carom_term_fill(const carom_term *t, double *vector);

typedef enum carom_gradient_method {
    CAROM_GRADIENT_ANY,     /* the cheaper one */
    CAROM_GRADIENT_FORWARD, /* a product per input */
    CAROM_GRADIENT_ADJOINT  /* a product per outcome */
} carom_gradient_method;

CAROM_API CAROM_MUST_USE bool carom_gradient_method_read(const char *word, carom_gradient_method *method,
                                                         carom_case_error *error);

/* What is asked for. */
typedef struct carom_gradient_task {
    const char *by_option; /* for errors: "by", or what stands for it */
    const char *of, *by;
    carom_gradient_method method;
    bool one_sided; /* at a kink take the branch of the law */
    carom_watcher watcher;
} carom_gradient_task;

/* A run with its gradient: matrix of outcomes by inputs, by rows. */
typedef struct carom_scene_gradient {
    const carom_gradient_task *task;
    carom_scene_run run;
    carom_gradient *gradient;
    carom_terms of, by;
    double *matrix;
    carom_gradient_method method; /* that was taken */
} carom_scene_gradient;

/* Run the scene and differentiate it; false where there is no gradient. Free it either way. */
CAROM_API CAROM_MUST_USE bool carom_scene_gradient_go(carom_scene_gradient *g, const carom_scene_file *file,
                                                      const carom_gradient_task *task, carom_case_error *error);
CAROM_API void carom_scene_gradient_free(carom_scene_gradient *g);

/* {"of", "values", "by", "at", "matrix", "method", "kinks", ...} */
CAROM_API carom_json *carom_scene_gradient_json(const carom_scene_gradient *g);

CAROM_END

#endif
