/* Carom: pictures of an impact. Library carom-io, needs cairo; not part of carom/carom.h.
 *
 *     carom_plot request = {.c = &c};                            a case that has been read and checked
 *     carom_picture *picture = carom_plot_region(&request, why, sizeof why);
 *     if (!picture || !carom_picture_write(picture, "region.svg", why, sizeof why))
 *         puts(why);
 *     carom_picture_free(picture);
 *
 * A picture is a list of outlines; letters are outlines too, so that it looks the same in SVG, PNG and PDF and on every
 * machine. The bytes of an SVG depend on the case alone. */
#ifndef CAROM_PLOT_H
#define CAROM_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "carom/case.h"
#include "carom/export.h"
#include "carom/law.h"

CAROM_BEGIN

typedef struct carom_picture carom_picture;

enum { CAROM_PLOT_LAWS = 32, CAROM_PLOT_SHOWN = 6 };

/* What an outcome plot runs through: a coefficient, the angle of approach (degrees from the normal; the speed stays),
 * or anything else of the case, which the caller then makes. */
typedef struct carom_plot_sweep {
    bool is_angle;
    carom_coeff coeff;
    double from, to;
    int count;
    bool (*at)(void *context, double value, carom_case *c); /* or null; a case of its own, freed after use */
    void *context;
    const char *label; /* of the axis, when at is given */
} carom_plot_sweep;

typedef struct carom_plot {
    const carom_case *c;
    const carom_law *laws[CAROM_PLOT_LAWS]; /* which to draw; none: every law (region) or the case's own */
    int law_count;
    carom_plot_sweep sweep;              /* outcome only */
    const char *shown[CAROM_PLOT_SHOWN]; /* outcome only: names of carom_plot_quantities; none: u_t, u_n, loss */
    int shown_count;
    int speeds[2];     /* speeds only: which two, from 1; zero: the first two */
    bool reach;        /* region only: outline what each law reaches when its coefficients sweep their ranges */
    const char *title; /* null: the name of the case */
} carom_plot;

/* Each returns a new picture, or null with one sentence in why. */
typedef carom_picture *carom_plot_draw(const carom_plot *request, char *why, size_t room);

CAROM_API carom_plot_draw carom_plot_scene;     /* the bodies, their contact, velocities before and after */
CAROM_API carom_plot_draw carom_plot_region;    /* impulse space of a planar case: shapes, paths, every law's outcome */
CAROM_API carom_plot_draw carom_plot_hodograph; /* slip plane: flow, invariant rays, basin, this case's path */
CAROM_API carom_plot_draw carom_plot_patch;     /* limit surface of a patch, and this case's path in it */
CAROM_API carom_plot_draw carom_plot_impulse;   /* p_t and u against p_n, with events */
CAROM_API carom_plot_draw carom_plot_energy;    /* works and stored energy against p_n */
CAROM_API carom_plot_draw carom_plot_force;     /* contact-force laws: forces and compression against time */
CAROM_API carom_plot_draw carom_plot_force_displacement; /* the same forces against compression */
CAROM_API carom_plot_draw carom_plot_outcome; /* rebound quantities against a coefficient or the angle of approach */

CAROM_API carom_plot_draw carom_plot_speeds; /* plane of two generalized speeds: path, lines v_t = 0 and v_n = 0 */

/* The names that an outcome plot can show, ended by null: "u_t", "u_n", "loss" ... */
CAROM_API const char *const *carom_plot_quantities(void);

/* Write by the ending of the name: .svg, .png (two pixels per unit) or .pdf. The file appears complete or not at all.
 */
CAROM_API CAROM_MUST_USE bool carom_picture_write(const carom_picture *picture, const char *path, char *why,
                                                  size_t room);

/* The endings, ended by null. */
CAROM_API const char *const *carom_picture_endings(void);

/* Print it as SVG; false when memory or the disk ends. */
CAROM_API bool carom_picture_print(const carom_picture *picture, FILE *out);

CAROM_API void carom_picture_free(carom_picture *picture);

/* ---- curves of your own ---- */

/* A chart of curves against a common x, in the style of the plots above; used for the figures of the literature suite.
 * Text may have *italics*, subscripts p_t or p_{t1}, and superscripts u^+. */
typedef struct carom_curve {
    const char *label;
    const double *x, *y;
    int count;
    bool dots; /* marks at the points, no line */
    int style; /* which of the line styles, from 1; 0: by position */
} carom_curve;

enum { CAROM_CHART_PANELS = 3 };

typedef struct carom_chart_panel {
    const char *y_label;
    const carom_curve *curves;
    int count;
} carom_chart_panel;

typedef struct carom_chart {
    const char *title, *subtitle, *x_label;
    carom_chart_panel panels[CAROM_CHART_PANELS];
    int count;
} carom_chart;

CAROM_API carom_picture *carom_chart_draw(const carom_chart *chart);

CAROM_END

#endif
