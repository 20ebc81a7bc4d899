#include "sim/motion/course.h"

#include "sim/motion/piece_energy.h"

snap snap_of(const double y[STATE])
{
    snap s = {{y[0], y[1], y[2]}, {y[7], y[8], y[9]}, {y[3], y[4], y[5], y[6]}, {y[10], y[11], y[12]}};
    return s;
}

course course_free(const carom_sim *sim, int i, snap at)
{
    course c = {.at = at, .a = gravity_of(sim, i), .until = INFINITY, .turn = COURSE_TURNS_FREELY};
    return c;
}

course course_driven(snap at, carom_vec3 a, carom_vec3 alpha, double until)
{
    course c = {.at = at, .a = a, .until = until, .turn = COURSE_TURNS_BY, .alpha = alpha};
    return c;
}

course course_on_track(const carom_sim *sim, int i, const double y[STATE], const track *k)
{
    course c = {snap_of(y), .a = gravity_of(sim, i), .track = k, .until = k->end, .turn = COURSE_TURNS_ON_TRACK};
    return c;
}

/* The list has room for all movable bodies. */
void motion_mark(carom_sim *sim, int i)
{
    frame_of_body *f = frame_of(sim, i);
    if (f->marked || !mover_of(sim, i)->is_movable)
        return;
    f->marked = true;
    store_ints(&sim->marked)[sim->marked.count++] = i;
}

void motion_end(carom_sim *sim, int i, double t)
{
    mover *m = mover_of(sim, i);
    frame_of_body *f = frame_of(sim, i);
    if (has_works(sim, i) && (f->stepped || (!f->ended && m->t0 < t)))
        book_piece(sim, i, t);
    if (f->ended)
        return;
    f->ended = true;
    m->version++;
    f->recent_count = 0;
    motion_mark(sim, i);
}

void motion_set(carom_sim *sim, int i, double t, const course *c)
{
    mover *m = mover_of(sim, i);
    frame_of_body *f = frame_of(sim, i);
    m->x = c->at.x;
    m->v = c->at.v;
    m->a = c->a;
    m->t0 = t;
    m->track = c->track;
    f->until = c->until;
    if (c->turn == COURSE_TURNS_FREELY)
        spin_start(&f->turn, &f->moments, t, c->at.q, c->at.w);
    else if (c->turn == COURSE_TURNS_ON_TRACK)
        spin_follow(&f->turn, c->track);
    else if (c->turn != COURSE_KEEPS_TURNING)
        spin_drive(&f->turn, t, c->at.q, c->at.w, c->alpha);
    if (c->turn == COURSE_TURNS_IN_STEP)
        spin_step(&f->turn, c->beta);
}

void motion_begin(carom_sim *sim, int i, double t, const course *c)
{
    motion_end(sim, i, t);
    motion_set(sim, i, t, c);
    if (frame_of(sim, i)->stepped)
        frame_of(sim, i)->step_energy = energy_of(sim, i, t);
}

void motion_rebound(carom_sim *sim, int i, double t, const carom_body *now)
{
    mover *m = mover_of(sim, i);
    frame_of_body *f = frame_of(sim, i);
    carom_quat q = spin_steadily(&f->turn, t);
    f->turn.q = quat_scale(1 / quat_norm(q), q);
    f->turn.w = now->omega;
    m->x = now->position;
    m->v = now->velocity;
    m->t0 = f->turn.t0 = t;
    m->version++;
    f->recent_count = f->again = 0;
    f->ended = true;
    motion_mark(sim, i);
}

static void forget_one(carom_sim *sim, int i, int j)
{
    frame_of_body *f = frame_of(sim, i);
    int kept = 0;
    for (int k = 0; k < f->recent_count; k++)
        if (f->recent[k] != j)
            f->recent[kept++] = f->recent[k];
    f->recent_count = kept;
}

void forget_touch(carom_sim *sim, int i, int j)
{
    forget_one(sim, i, j);
    forget_one(sim, j, i);
}

void remember(carom_sim *sim, int i, int j)
{
    frame_of_body *f = frame_of(sim, i);
    if (f->recent_count < RECENT && !touched_at_start(f, j))
        f->recent[f->recent_count++] = j;
}
