/* The energies of pieces of motion, by cause. */
#ifndef CAROM_SIM_PIECE_ENERGY_H
#define CAROM_SIM_PIECE_ENERGY_H

#include "sim/motion/sim_linkage.h"

/* Kinetic and potential energy of body i at time t. */
double energy_of(const carom_sim *sim, int i, double t);

/* Changes of the energy of body i since its piece of motion began, by cause. */
typedef struct piece_work {
    double fields, driven, sliding, spin;
} piece_work;

/* Closed contacts of its own, or of a body that joints connect it with, do work on it. */
static inline bool is_carried(const carom_sim *sim, int i)
{
    return mover_of(sim, i)->closed || (is_jointed(sim, i) && assembly_rests(sim, frame_of(sim, i)->assembly));
}

/* Is there anything to book of a piece of body i? Free flight keeps its energy. */
static inline bool has_works(const carom_sim *sim, int i)
{
    const frame_of_body *f = frame_of(sim, i);
    return f->forced || f->stepped || is_carried(sim, i);
}

piece_work work_since(const carom_sim *sim, int i, double t);

/* Book them: the piece ends at t. */
void book_piece(carom_sim *sim, int i, double t);

#endif
