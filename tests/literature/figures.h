/* The figures of the literature, drawn again. */
#ifndef CAROM_LITERATURE_FIGURES_H
#define CAROM_LITERATURE_FIGURES_H

#include "carom/plot.h"

typedef struct figure {
    const char *name;    /* of the file, without ending */
    const char *section; /* of the report */
    const char *caption;
    carom_picture *(*draw)(const struct figure *figure);
    carom_plot_draw *plot;   /* draw_case: which plot ... */
    const char *text, *laws; /* ... of which case, with which laws ("a b c", or null) */
    bool reach;
} figure;

int figure_count(void);
const figure *figure_at(int i);

/* The picture of one figure, or null. */
carom_picture *figure_draw(const figure *f);

#endif
