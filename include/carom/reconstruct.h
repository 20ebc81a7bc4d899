/* Carom: a run traced back from its end: the inputs of a scene for which bodies come to lie where they were found.
 * Library carom-io; not part of carom/carom.h.
 *
 *     carom_reconstruction r = {0};
 *     carom_reconstruction_want(&r, "bodies.car.position=16.4,0", &error);
 *     carom_reconstruction_sigma(&r, "bodies.car.position=0.1,0.1", &error);
 *     carom_reconstruction_vary(&r, "bodies.car.velocity.0", &error);
 *     if (carom_reconstruct(&r, &file, &change, &error))
 *         r.best.values[0], sqrt(r.best.covariance[0][0]) ...
 *     carom_reconstruction_free(&r);
 *
 * Least squares: the sum of ((end - want) / sigma)^2 over the wanted numbers is made small by damped Gauss-Newton steps
 * from the values of the scene, then from draws around them while the wish is not met. Derivatives are exact where the
 * run has a gradient (flights and single impacts), else central differences of runs. */
#ifndef CAROM_RECONSTRUCT_H
#define CAROM_RECONSTRUCT_H

#include "carom/inversion.h"
#include "carom/records.h"

CAROM_BEGIN

/* What a search has found from one start. */
typedef struct carom_reconstructed {
    double values[CAROM_STUDY_VARIABLES];
    double end[CAROM_INVERT_WISHES];
    double chi2;                                                     /* the sum of squares */
    double covariance[CAROM_STUDY_VARIABLES][CAROM_STUDY_VARIABLES]; /* zero without deviations of the wishes */
    int rank;                                                        /* how many inputs the wish determines */
} carom_reconstructed;

typedef struct carom_reconstruction {
    char names[CAROM_INVERSION_NAMES]; /* of what varies, with commas */
    int wish_count, sigma_count;
    carom_wish wishes[CAROM_INVERT_WISHES], sigmas[CAROM_INVERT_WISHES];
    carom_variables v;
    double start[CAROM_STUDY_VARIABLES];
    carom_records records;
    carom_inputs input;
    carom_scene_change change;
    carom_watcher watcher; /* or zero */
    long runs;
    bool by_differences, stopped;
    bool met; /* the best end is within 3 deviations of every wish, or within a hundredth of their size */
    carom_reconstructed best;
} carom_reconstruction;

CAROM_API CAROM_MUST_USE bool carom_reconstruction_want(carom_reconstruction *r, const char *text,
                                                        carom_case_error *error);
CAROM_API CAROM_MUST_USE bool carom_reconstruction_sigma(carom_reconstruction *r, const char *text,
                                                         carom_case_error *error);
CAROM_API CAROM_MUST_USE bool carom_reconstruction_vary(carom_reconstruction *r, const char *text,
                                                        carom_case_error *error);

/* Search; the change is made in every scene before it is run. Free r either way. */
CAROM_API CAROM_MUST_USE bool carom_reconstruct(carom_reconstruction *r, const carom_scene_file *file,
                                                const carom_scene_change *change, carom_case_error *error);
CAROM_API void carom_reconstruction_free(carom_reconstruction *r);

CAROM_API carom_json *carom_reconstruction_json(const carom_reconstruction *r);

CAROM_END

#endif
