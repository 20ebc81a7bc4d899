/* The scale of each kind of number: impulses the largest expected impulse, velocities the larger of before and after,
 * energies the sum of the terms they were formed from, works the larger work. */
#include <math.h>
#include <string.h>

#include "judge.h"

/* Angular numbers count as velocities and impulses at this length: the radius of the patch. */
double patch_length(const judge *j)
{
    const double patch = j->c->rule.coeffs.patch;
    return patch > 0 ? patch : 1;
}

/* The largest entry of a vector of contact numbers, angular ones (from the fourth on) times a length; of arrays of such
 * vectors the largest entry. */
static double largest_scaled(const json_t *value, double length)
{
    double most = 0;
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *entry = json_array_get(value, i);
        most = fmax(most, json_is_array(entry) ? check_largest(entry)
                                               : fabs(json_number_value(entry)) * (i < 3 ? 1 : length));
    }
    return most;
}

static double largest3(carom_cvec v)
{
    return fmax(fmax(fabs(v.t1), fabs(v.t2)), fabs(v.n));
}

double check_largest(const json_t *value)
{
    double most = fabs(json_number_value(value));
    size_t i;
    json_t *entry;
    json_array_foreach((json_t *)value, i, entry)
    {
        most = fmax(most, check_largest(entry));
    }
    return most;
}

static double largest_velocity(const judge *j, bool after)
{
    double most = 0;
    for (int i = 0; i < j->c->count; i++)
        most = fmax(most, largest3(after ? carom_result_u_after(j->c, j->result, i) : carom_case_u(j->c, i)));
    return most;
}

double largest_impulse(const judge *j)
{
    double most = 0;
    for (int i = 0; i < j->c->count; i++)
        most = fmax(most, largest3(carom_result_p(j->c, j->result, i)));
    return most;
}

double impulse_scale(const judge *j)
{
    const json_t *p = json_object_get(j->expect, "p");
    double scale = p ? largest_scaled(p, 1 / patch_length(j)) : check_largest(json_object_get(j->expect, "impulse"));
    double least = j->c->together ? 0 : largest3(j->c->problem.u) / j->c->problem.K.nn;
    return scale > 0 ? scale : fmax(largest_impulse(j), least);
}

double velocity_scale(const judge *j)
{
    const json_t *given = json_object_get(json_object_get(j->c->document, "reduced"), "u");
    double before = fmax(largest_velocity(j, false), largest_scaled(given, patch_length(j)));
    double after = largest_scaled(json_object_get(j->expect, "u_after"), patch_length(j));
    return fmax(fmax(before, after), j->c->together ? 0 : largest_velocity(j, true));
}

/* change = p . (u + u_after) / 2: the size of its terms. */
double energy_scale(const judge *j)
{
    const carom_turning *t = &j->result->outcome.turning;
    double sum = fabs(t->m.n * t->w_after.n) + fabs(t->m.t1 * t->w_after.t1) + fabs(t->m.t2 * t->w_after.t2);
    for (int i = 0; i < j->c->count; i++) {
        const carom_cvec p = carom_result_p(j->c, j->result, i), u = carom_case_u(j->c, i);
        const carom_cvec v = carom_result_u_after(j->c, j->result, i);
        sum += 0.5 * (fabs(p.t1) * (fabs(u.t1) + fabs(v.t1)) + fabs(p.t2) * (fabs(u.t2) + fabs(v.t2)) +
                      fabs(p.n) * (fabs(u.n) + fabs(v.n)));
    }
    return sum;
}

double work_scale(const judge *j)
{
    double compression = check_largest(json_object_get(j->expect, "work_compression"));
    double decompression = check_largest(json_object_get(j->expect, "work_decompression"));
    double scale = fmax(compression, decompression);
    return scale > 0 ? scale : energy_scale(j);
}

double friction_scale(const judge *j)
{
    double spin = check_largest(json_object_get(j->expect, "work_spin"));
    return fmax(fmax(work_scale(j), spin), check_largest(json_object_get(j->expect, "work_friction")));
}

/* The terms of the change; of a path with spin, its largest work. */
double change_scale(const judge *j)
{
    return json_object_get(j->expect, "work_spin") ? fmax(energy_scale(j), friction_scale(j)) : energy_scale(j);
}

double moment_scale(const judge *j)
{
    return impulse_scale(j) * patch_length(j);
}

/* The ledger adds its entries to the energy before. */
double ledger_scale(const judge *j)
{
    return energy_scale(j) + j->result->energy.before;
}

/* Restitutions and ratios are numbers about one. */
double unit_scale(const judge *j)
{
    (void)j;
    return 1;
}

/* Numbers of one kind only: each is its own scale. */
double duration_scale(const judge *j)
{
    return check_largest(json_object_get(j->expect, "duration"));
}

double compression_scale(const judge *j)
{
    return check_largest(json_object_get(j->expect, "max_compression"));
}

double peak_scale(const judge *j)
{
    return check_largest(json_object_get(j->expect, "peak_force"));
}

double margin_scale(const judge *j)
{
    return fmax(fmax(impulse_scale(j), velocity_scale(j)), energy_scale(j));
}

double qdot_scale(const judge *j)
{
    double scale = check_largest(json_object_get(j->expect, "qdot_after"));
    for (int i = 0; j->c->source == CAROM_SOURCE_MECHANISM && i < j->c->mechanism.n; i++)
        scale = fmax(scale, fabs(j->c->mechanism.qdot[i]));
    return scale;
}
