/* Figures of the sources that show a path: forces of two springs, spring rates, bounces from above, an impulse in
 * space. */
#ifndef CAROM_LITERATURE_FIGURES_PATHS_H
#define CAROM_LITERATURE_FIGURES_PATHS_H

#include "figures.h"

carom_picture *draw_bilinear(const figure *f);      /* Chatterjee 1997, figure 8.4 */
carom_picture *draw_spring(const figure *f);        /* Jia 2013, figures 12(b) and 12(c) */
carom_picture *draw_plan(const figure *f);          /* Jia 2013, figure 13 */
carom_picture *draw_projections(const figure *f);   /* Jia 2013, figures 17(b) to (d) */
carom_picture *draw_space_curve(const figure *f);   /* Jia 2013, figure 17(a) */
carom_picture *draw_ivanov_region(const figure *f); /* Chatterjee 1997, figure 10.4 */

#endif
