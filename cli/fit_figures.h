/* Pictures of a fit: data with fitted laws, residuals, profiles. */
#ifndef CAROM_CLI_FIT_FIGURES_H
#define CAROM_CLI_FIT_FIGURES_H

#include "carom/plot.h"
#include "cli.h"

typedef struct fit_figure {
    const char *data, *output;
    const carom_plot *plot;   /* laws, shown, title */
    const settings *settings; /* coefficients that are fixed */
    bool speed;               /* against the speed, not the angle */
    bool profile;             /* of the coefficient plot->shown[0] */
} fit_figure;

/* Fit, draw, write. Returns the exit status. */
int fit_figure_draw(const fit_figure *f);

#endif
