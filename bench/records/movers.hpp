// Engines that move the body of a recording: each says what may be tuned and within which bounds, and is a carom_mover.
#ifndef CAROM_BENCH_MOVERS_HPP
#define CAROM_BENCH_MOVERS_HPP

#include <carom/prediction.h>

#include <cmath>
#include <vector>

enum { STEPS_PER_FRAME = 16 }; // of every engine: 0.42 ms for the cube, 0.25 ms for the square

// A number that the search tunes; the search is even in the logarithm.
struct parameter {
    const char *name;
    double least, most;
};

struct engine {
    const char *name;
    std::vector<parameter> parameters;
    // The plan for these values, one per parameter; they outlive it.
    void (*set)(carom_prediction_plan *plan, const double *values);
};

engine carom_engine(const char *law);
engine mujoco_engine();
engine bullet_engine();
engine ode_engine();

// The centre of a corner sphere, from the centre of mass, body axes.
inline carom_vec3 sphere_centre(const carom_tracked *b, int i)
{
    return carom_vec3_sub(carom_vec3_sub(b->corner[i], carom_vec3_scale(b->radius, b->inward[i])), b->com);
}

// Engines refuse spheres without a size.
inline double sphere_radius(const carom_tracked *b)
{
    return std::fmax(b->radius, 1e-4);
}

// Principal inertia over the mass. A plate has one about z; the engine holds the others still.
inline carom_vec3 principal(const carom_tracked *b)
{
    return b->dim == 3 ? b->inertia : carom_vec3_make(b->inertia.z, b->inertia.z, b->inertia.z);
}

inline carom_vec3 gravity_of(const carom_tracked *b)
{
    return b->dim == 3 ? carom_vec3_make(0, 0, -b->gravity) : carom_vec3_make(0, -b->gravity, 0);
}

// The height of the floor along its normal, lowered by so much: contacts give way.
inline double floor_height(const carom_tracked *b, double depth)
{
    carom_vec3 up = carom_tracked_up(b);
    return b->floor * (b->dim == 3 ? up.z : up.y) - depth;
}

// How many steps lie between the steps done and a time.
inline int steps_to(double time, double step, long *done)
{
    long want = std::lround(time / step);
    int left = static_cast<int>(want > *done ? want - *done : 0);
    *done += left;
    return left;
}

#endif
