/* Carom: gradients through a simulation.
 *
 *     carom_gradient *g;
 *     carom_status status = carom_gradient_create(sim, &memory, &g);
 *     carom_sim_observer watch = {.after = carom_gradient_event, .context = g};
 *     carom_sim_observe(sim, &watch);
 *     carom_sim_advance(sim, &until, &stop);
 *     status = carom_gradient_end(g, stop == CAROM_SIM_STOP_IMPACTS);
 *     carom_gradient_forward(g, inputs, outputs)       outputs = dF inputs, one direction of the inputs
 *     carom_gradient_adjoint(g, weights, gradient)     gradient = dF^T weights, one function of the outputs
 *
 * F leads from the state of all bodies at the creation, and from the parameters of the scene, to the state at the end.
 * Flight and impacts are recorded while the run goes on: each impact as its saltation matrix (carom/saltation.h), so
 * that times of impact and points of contact move as they should. Nothing is differenced and there is no step size.
 *
 * Bodies must be free, in constant gravity, and meet in single impacts. Whatever else happens in a run makes
 * carom_gradient_end refuse, and carom_gradient_refused says what it was, and when. */
#ifndef CAROM_GRADIENT_H
#define CAROM_GRADIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/coeffs.h"
#include "carom/export.h"
#include "carom/sim.h"
#include "carom/status.h"

CAROM_BEGIN

typedef struct carom_gradient carom_gradient;

/* Record from now on. *gradient is null on every status but CAROM_STATUS_OK; CAROM_STATUS_NO_MEMORY. */
CAROM_API CAROM_MUST_USE carom_status carom_gradient_create(carom_sim *sim, const carom_memory *memory,
                                                            carom_gradient **gradient);
CAROM_API void carom_gradient_free(carom_gradient *gradient); /* null is allowed */

/* At a kink of a law take the derivative of the branch that the law takes, instead of refusing. */
CAROM_API void carom_gradient_take_branches(carom_gradient *gradient);

/* Record an event, as `after` of an observer; an observer of your own calls it with the gradient. Always true. */
CAROM_API bool carom_gradient_event(void *gradient, const carom_sim_event *event);

/* The run is over, at the time of the simulation. at_impact: it ended with its last impact, whose time changes with the
 * inputs; the outputs are the state just after it. CAROM_STATUS_NO_DERIVATIVE where something in the run has none. */
CAROM_API CAROM_MUST_USE carom_status carom_gradient_end(carom_gradient *gradient, bool at_impact);

typedef enum carom_gradient_refusal {
#define CAROM_GRADIENT_REFUSAL(name, word, sentence) CAROM_GRADIENT_##name,
#include "carom/gradient_refusals.def"
#undef CAROM_GRADIENT_REFUSAL
    CAROM_GRADIENT_REFUSAL_COUNT
} carom_gradient_refusal;

/* The first thing without a derivative. */
typedef struct carom_gradient_reason {
    carom_gradient_refusal refusal;
    double time;
    int body, other; /* or -1 */
    carom_sim_event_kind event;
    const char *border; /* of the law, at a kink */
} carom_gradient_reason;

CAROM_API carom_gradient_reason carom_gradient_refused(const carom_gradient *gradient);
CAROM_API const char *carom_gradient_refusal_word(carom_gradient_refusal refusal);
CAROM_API const char *carom_gradient_refusal_sentence(carom_gradient_refusal refusal);

/* What is said about a gradient besides its entries. */
typedef struct carom_gradient_about {
    long long impacts;
    long long kinks, grazing; /* impacts on a border; impacts whose matrix has entries that grow like 1/u_n */
    const char *border;       /* of the impact nearest to one, and how near, relative to its inputs */
    double distance, distance_time;
} carom_gradient_about;

CAROM_API carom_gradient_about carom_gradient_describe(const carom_gradient *gradient);

/* ---- inputs and outputs ----
 *
 * A state is twelve numbers for each body, fixed ones too, in the order of the scene: position, small rotation,
 * velocity, angular velocity, all in world axes. It comes first among the inputs and among the outputs. */
enum { CAROM_GRADIENT_STATE = 12 };

CAROM_API size_t carom_gradient_inputs(const carom_gradient *gradient);
CAROM_API size_t carom_gradient_outputs(const carom_gradient *gradient);

/* Further inputs: gravity; the time of the end (where it is given); the coefficients of rule 0 (of the scene), and
 * of its pairs, from 1 on; the logarithms of mass and inertia of a body, the inertia as a whole. */
CAROM_API size_t carom_gradient_gravity(const carom_gradient *gradient, int axis);
CAROM_API size_t carom_gradient_end_time(const carom_gradient *gradient);
CAROM_API size_t carom_gradient_coeff(const carom_gradient *gradient, int rule, carom_coeff coeff);
CAROM_API size_t carom_gradient_mass(const carom_gradient *gradient, int body);
CAROM_API size_t carom_gradient_inertia(const carom_gradient *gradient, int body);

/* The last output: the time of the end. */
CAROM_API size_t carom_gradient_time(const carom_gradient *gradient);

/* Forward and adjoint products with the recorded chain; both cost about as much as recording it. Only after
 * carom_gradient_end has returned CAROM_STATUS_OK. */
CAROM_API void carom_gradient_forward(const carom_gradient *gradient, const double *inputs, double *outputs);
CAROM_API void carom_gradient_adjoint(const carom_gradient *gradient, const double *weights, double *result);

CAROM_END

#endif
