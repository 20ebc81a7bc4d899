/* Inside carom-io: ground made of triangles on paper. */
#ifndef CAROM_IO_PLOT_SURFACE_H
#define CAROM_IO_PLOT_SURFACE_H

#include "io/plot/outline.h"

typedef struct surface_view {
    const frame *f;
    view v;
    bool flat;            /* the motion keeps to the plane of the paper ... */
    double plane;         /* ... which is this far towards the reader */
    carom_vec3 low, high; /* triangles beside this box are left out */
} surface_view;

/* The box around the triangles of a body; empty (low above high) when it has none. */
void surface_bounds(const carom_scene_body *b, carom_vec3 *low, carom_vec3 *high);

void draw_surface(const surface_view *s, const carom_scene_body *b);

#endif
