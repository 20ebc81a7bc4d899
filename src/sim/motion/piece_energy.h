/* The energies of pieces of motion, by cause. */
#ifndef CAROM_SIM_PIECE_ENERGY_H
#define CAROM_SIM_PIECE_ENERGY_H

#include "sim/world/world.h"

/* Kinetic and potential energy of body i at time t. */
double energy_of(const carom_sim *sim, int i, double t);

/* Changes of the energy of body i since its piece of motion began, by cause. */
typedef struct piece_work {
    double fields, driven, sliding, spin;
} piece_work;

/* Is there anything to book of a piece of body i? Free flight keeps its energy. */
static inline bool has_works(const carom_sim *sim, int i)
{
    const frame_of_body *f = frame_of(sim, i);
    return f->forced || f->stepped || mover_of(sim, i)->closed;
}

piece_work work_since(const carom_sim *sim, int i, double t);

/* Book them: the piece ends at t. */
void book_piece(carom_sim *sim, int i, double t);

#endif
