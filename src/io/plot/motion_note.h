/* What a picture of a run says in words: when it was, and how long a metre is. */
#ifndef CAROM_IO_MOTION_NOTE_H
#define CAROM_IO_MOTION_NOTE_H

#include "carom/plot_motion.h"
#include "io/plot/chart.h"

/* The times of the moments at the top left, a bar of a round length at the bottom left. */
void motion_note(const frame *f, const carom_motion_plot *m);

#endif
