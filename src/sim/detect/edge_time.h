/* A body that stands with some feet on a face may overhang its edges, and come down onto them between its feet: the
 * search without the feet cannot see this. */
#ifndef CAROM_SIM_EDGE_TIME_H
#define CAROM_SIM_EDGE_TIME_H

#include "sim/detect/impact_time.h"
#include "sim/detect/meeting.h"

/* When the two pieces touch. */
double pieces_time(const pieces_pair *p, search *range);

/* When the whole piece a of body i touches an edge of the face of j that its feet stand on; infinite: not at all. */
double edges_time(const pieces_pair *full, search *range);

#endif
