/* A trajectory as HDF5: t[n], position[n][bodies][3], orientation[n][bodies][4], velocity and omega[n][bodies][3] in
 * world axes, and the names of the bodies. */
#ifndef CAROM_CLI_SIM_H5_H
#define CAROM_CLI_SIM_H5_H

#include "sim_run.h"

typedef struct sim_h5 sim_h5;

/* Null after a complaint, also in builds without HDF5. */
sim_h5 *sim_h5_open(const char *path, const sim_run *run);
bool sim_h5_append(sim_h5 *h, const sim_run *run);
bool sim_h5_close(sim_h5 *h);

#endif
