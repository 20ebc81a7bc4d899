#include "sim/rest/standstill.h"

/* The largest velocity or, of rates, acceleration of the members; angular ones times the size. */
static double most_of(const ride *r, const double *y)
{
    double most = 0;
    for (int m = 0; m < r->members; m++, y += STATE) {
        double R = member_radius(r, m);
        for (int k = 0; k < 3; k++)
            most = max(most, max(fabs(y[7 + k]), R * fabs(y[10 + k])));
    }
    return most;
}

/* Forces of the size of g would stop it within the resting time. */
static bool is_slow(const ride *r, const double *y)
{
    return most_of(r, y) <= max(1000 * rest_speed(r), r->strength * r->sim->scene->resting_time);
}

/* What is slow is at rest when nothing accelerates it. */
static bool is_still(const ride *r, const double *y, const double *f)
{
    return is_slow(r, y) && most_of(r, f) <= SAME * r->strength;
}

/* Slip and spin of every member get slower, and one of them has both. */
static bool slip_and_spin_end(const ride *r, const double *y, const double *f)
{
    bool both = false;
    for (int m = 0; m < r->members; m++, y += STATE, f += STATE) {
        carom_vec3 v = vec_at(y + 7), w = vec_at(y + 10);
        if (carom_vec3_dot(v, vec_at(f + 7)) > 0 || carom_vec3_dot(w, vec_at(f + 10)) > 0)
            return false;
        /* a slower rotation is rounding */
        both |= member_radius(r, m) * carom_vec3_length(w) > VISIBLE * carom_vec3_length(v);
    }
    return both;
}

/* Slip and spin end together, in shorter and shorter pieces. Where friction is about to end them, and nothing would
 * move without them, they are over. Those of patches end at their own instant. */
static bool slide_is_over(carom_sim *sim, ride *r, const double *y, double *f)
{
    double still[RIDE_STATE];
    if (r->resists || !is_slow(r, y) || !slip_and_spin_end(r, y, f))
        return false;
    memcpy(still, y, (size_t)ride_states(r) * sizeof *still);
    double change = ride_stop_slip(r, still);
    ride_choose(r, still, f);
    if (!is_still(r, still, f)) {
        ride_choose(r, y, f);
        return false;
    }
    sim->ledger.rest += change;
    return true;
}

bool stands_still(carom_sim *sim, ride *r, const double *y, double *f)
{
    return is_still(r, y, f) || slide_is_over(sim, r, y, f);
}
