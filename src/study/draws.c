/* The points of a study: grids, lists and random draws. */
#include <math.h>

#include "carom/elementary.h"
#include "carom/study.h"

#define TURN 6.28318530717958647692

static bool has_random(const carom_variables *v)
{
    bool found = false;
    for (int i = 0; i < v->count; i++)
        found |= v->list[i].random;
    return found;
}

double carom_study_total(const carom_variables *v)
{
    double total = has_random(v) ? (double)v->draws : 1;
    for (int i = 0; i < v->count; i++)
        total *= (double)v->list[i].count;
    return total;
}

enum { SECOND_DRAW = 512 }; /* beyond all variables */

/* Splitmix64 of the seed, the draw and the variable: the same on every machine, in any order. */
static double uniform(uint64_t seed, uint64_t draw, uint64_t which)
{
    uint64_t z = seed + 0x9E3779B97F4A7C15u * (draw * 1021 + which + 1);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* A component of a quaternion that is uniform over all orientations (Shoemake 1992); first is the number of its w. */
static double rotation_part(int part, uint64_t seed, uint64_t draw, uint64_t first)
{
    double u = uniform(seed, draw, first), a = TURN * uniform(seed, draw, first + 1),
           b = TURN * uniform(seed, draw, first + 2);
    switch (part) {
    case 1:
        return sqrt(u) * carom_cos(b);
    case 2:
        return sqrt(1 - u) * carom_sin(a);
    case 3:
        return sqrt(1 - u) * carom_cos(a);
    default:
        return sqrt(u) * carom_sin(b);
    }
}

/* Two uniform numbers make a normal one (Box and Muller). */
static double drawn(const carom_variable *one, uint64_t seed, uint64_t draw, uint64_t which)
{
    if (one->part)
        return rotation_part(one->part, seed, draw, which - (uint64_t)(one->part - 1));
    double u = uniform(seed, draw, which);
    if (!one->normal)
        return one->from + (one->to - one->from) * u;
    double turn = TURN * uniform(seed, draw, which + SECOND_DRAW);
    return one->from + one->to * sqrt(-2 * carom_log(1 - u)) * carom_cos(turn);
}

static double grid_value(const carom_variable *one, long k)
{
    if (one->list)
        return one->list[k];
    if (one->count == 1)
        return one->from;
    return k + 1 == one->count ? one->to : one->from + (one->to - one->from) * (double)k / (double)(one->count - 1);
}

void carom_study_values(const carom_variables *v, long i, double values[CAROM_STUDY_VARIABLES])
{
    long draw = has_random(v) ? i % v->draws : 0;
    i = has_random(v) ? i / v->draws : i;
    for (int k = v->count - 1; k >= 0; k--) {
        const carom_variable *one = &v->list[k];
        if (one->random) {
            values[k] = drawn(one, v->seed, (uint64_t)draw, (uint64_t)k);
            continue;
        }
        values[k] = grid_value(one, i % one->count);
        i /= one->count;
    }
}
