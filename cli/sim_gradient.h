/* carom gradient: how the end of a run changes with its inputs. */
#ifndef CAROM_CLI_SIM_GRADIENT_H
#define CAROM_CLI_SIM_GRADIENT_H

#include "sim_run.h"
#include "terms.h"

typedef enum gradient_method { METHOD_ANY, METHOD_FORWARD, METHOD_ADJOINT } gradient_method;

/* What is asked for. */
typedef struct gradient_task {
    const char *command, *by_option; /* for complaints: who asks, and which option names the inputs */
    const char *of, *by;
    gradient_method method;
    bool one_sided; /* at a kink take the branch of the law */
    bool json;
} gradient_task;

bool gradient_method_read(const char *word, gradient_method *method);

/* A run with its gradient: matrix of outputs by inputs, by rows. */
typedef struct gradient_run {
    const gradient_task *task;
    sim_run run;
    carom_gradient *gradient;
    terms of, by;
    double *matrix;
    gradient_method method; /* that was taken */
} gradient_run;

/* Run the scene and differentiate it; complains and returns false where there is no gradient. Free it either way. */
bool gradient_run_go(gradient_run *g, const carom_scene_file *file, const gradient_task *task);
void gradient_run_free(gradient_run *g);

/* All of it: run, and print the matrix. An exit status. */
int gradient_print(const carom_scene_file *file, const gradient_task *task);

#endif
