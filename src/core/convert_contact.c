/* Conversions that need bodies: slopes, tangential springs, moduli and radii, validity, disks. */
#include <math.h>
#include <stdbool.h>

#include "carom/convert.h"
#include "carom/elementary.h"

static const double pi = 3.14159265358979323846;

/* ---- bilinear springs ---- */

double carom_e_from_slopes(double k_load, double k_unload)
{
    return k_load > 0 && k_unload >= k_load ? sqrt(k_load / k_unload) : NAN;
}

double carom_unloading_from_e(double k_load, double e)
{
    return k_load > 0 && e > 0 && e <= 1 ? k_load / (e * e) : NAN;
}

double carom_walton_phase(double e)
{
    return e >= 0 && e <= 1 ? pi / 2 * (1 + e) : NAN;
}

double carom_chatterjee_spring_phase(double e)
{
    return e > 0 && e <= 1 ? pi / 2 * (1 + 1 / e) : NAN;
}

/* ---- metals that yield ---- */

static double square_of(double x)
{
    return x * x;
}

double carom_yield_speed(double E_star, double R, double mass, double p_y)
{
    if (!(E_star > 0 && R > 0 && mass > 0 && p_y > 0))
        return NAN;
    const double strain = p_y / E_star; /* keeps moduli in Pa from overflowing */
    return square_of(pi / 2 * strain) * sqrt(8 * pi / 15 * p_y * (R * R / mass) * R);
}

double carom_e_from_yield(double v, double v_y)
{
    if (!(v >= 0 && v_y > 0))
        return NAN;
    if (v <= v_y)
        return 1;
    const double g = v_y / v, g2 = g * g;
    return sqrt(6 * sqrt(3.0) / 5 * (1 - g2 / 6) * sqrt(g / (g + 2 * sqrt(6.0 / 5 - g2 / 5))));
}

double carom_e_from_hardness(double E_star, double R, double W, double p_d)
{
    if (!(E_star > 0 && R > 0 && W > 0 && p_d > 0))
        return NAN;
    const double e2 = 6 * pi / 5 * (p_d / E_star) * sqrt(sqrt(pi / 4 * (p_d * R / W) * R * R));
    return fmin(1, sqrt(e2));
}

double carom_hertz_pressure(double E_star, double R, double x)
{
    return E_star > 0 && R > 0 && x >= 0 ? 2 / pi * E_star * sqrt(x / R) : NAN;
}

/* ---- tangential springs ---- */

double carom_e_t_from_ratio(double ratio, double inertia, double e)
{
    return ratio > 0 && inertia > 0 ? -carom_cos(sqrt(ratio * inertia) * carom_walton_phase(e)) : NAN;
}

double carom_ratio_from_e_t(double e_t, double inertia, double e)
{
    if (!(e_t >= -1 && e_t <= 1 && inertia > 0))
        return NAN;
    double swing = carom_acos(-e_t) / carom_walton_phase(e);
    return swing * swing / inertia;
}

double carom_kappa_from_poisson(double nu)
{
    return nu > -1 && nu <= 0.5 ? 2 * (1 - nu) / (2 - nu) : NAN;
}

double carom_poisson_from_kappa(double kappa)
{
    const double rounding = 4 * 2.220446049250313e-16; /* kappa of nu = 1/2 is 2/3, rounded */
    double nu = 2 * (1 - kappa) / (2 - kappa);
    return nu > -1 && nu <= 0.5 + rounding ? fmin(nu, 0.5) : NAN;
}

double carom_eta_from_kappa(double kappa)
{
    return kappa > 0 ? 1 / sqrt(kappa) : NAN;
}

double carom_kappa_from_eta(double eta)
{
    return eta > 0 ? 1 / (eta * eta) : NAN;
}

double carom_stiffness_from_time(double phase, double mass, double time)
{
    return phase > 0 && mass > 0 && time > 0 ? mass * (phase / time) * (phase / time) : NAN;
}

/* ---- Hertz ---- */

static double effective_modulus(const double E[2], const double nu[2])
{
    return 1 / ((1 - nu[0] * nu[0]) / E[0] + (1 - nu[1] * nu[1]) / E[1]);
}

carom_hertz_contact carom_hertz_from_spheres(const carom_sphere_pair *pair)
{
    carom_hertz_contact h;
    h.E_star = effective_modulus(pair->E, pair->nu);
    h.R = 1 / (1 / pair->R[0] + 1 / pair->R[1]);
    h.k = 4.0 / 3 * h.E_star * sqrt(h.R);
    h.compression = carom_power_compression(h.k, 1.5, pair->mass, pair->v);
    h.time = pair->v > 0 ? carom_power_time_factor(1.5) * h.compression / pair->v : NAN;
    h.peak_force = h.k * h.compression * sqrt(h.compression);
    h.radius = sqrt(h.R * h.compression);
    return h;
}

/* ---- validity ---- */

carom_validity carom_validity_of(double V, double c, double diameter, double duration)
{
    carom_validity v = {NAN, NAN, NAN};
    if (!(V > 0 && c > 0 && diameter > 0 && duration > 0))
        return v;
    v.waves = carom_pow(V / c, 0.2);
    v.wave_energy = 0.3 * carom_cbrt(V / c);
    v.transits = c * duration / diameter;
    return v;
}

double carom_wave_speed(double E, double density)
{
    return E > 0 && density > 0 ? sqrt(E / density) : NAN;
}

static bool is_known(const carom_elastic_body *b)
{
    return b->E > 0 && isfinite(b->E);
}

carom_validity carom_validity_of_bodies(const carom_elastic_body *bodies, double mass, double v)
{
    carom_validity worst = {NAN, NAN, NAN};
    carom_sphere_pair pair = {{INFINITY, INFINITY}, {0, 0}, {INFINITY, INFINITY}, mass, v};
    for (int i = 0; i < 2; i++)
        if (is_known(&bodies[i])) {
            pair.E[i] = bodies[i].E;
            pair.nu[i] = bodies[i].nu;
            pair.R[i] = bodies[i].radius;
        }
    const double time = carom_hertz_from_spheres(&pair).time;
    for (int i = 0; i < 2; i++) {
        if (!is_known(&bodies[i]) || !isfinite(bodies[i].size))
            continue;
        carom_validity one =
            carom_validity_of(v, carom_wave_speed(bodies[i].E, bodies[i].density), bodies[i].size, time);
        worst.waves = fmax(worst.waves, one.waves); /* fmax and fmin leave NaN out */
        worst.wave_energy = fmax(worst.wave_energy, one.wave_energy);
        worst.transits = fmin(worst.transits, one.transits);
    }
    return worst;
}

carom_validity_grade carom_validity_judge(const carom_validity *v)
{
    if (v->waves < CAROM_VALID_WAVES && v->transits > CAROM_VALID_TRANSITS)
        return CAROM_VALIDITY_GOOD;
    return v->wave_energy < CAROM_VALID_WAVE_ENERGY ? CAROM_VALIDITY_FAIR : CAROM_VALIDITY_POOR;
}

/* ---- disks ---- */

enum { MEANS = 40, HALVINGS = 200 };

/* Complete elliptic integrals of the modulus k, by arithmetic-geometric means. */
static void elliptic(double k, double *K, double *E)
{
    double a = 1, g = sqrt((1 - k) * (1 + k)), c = k, sum = 0.5 * c * c, power = 0.5;
    for (int i = 0; i < MEANS && fabs(c) > 1e-17 * a; i++) {
        double mean = 0.5 * (a + g);
        c = 0.5 * (a - g);
        g = sqrt(a * g);
        a = mean;
        power *= 2;
        sum += power * c * c;
    }
    *K = pi / (2 * a);
    *E = *K * (1 - sum);
}

/* R'/R'' of an elliptic contact of eccentricity k: increases from 1. */
static double curvature_ratio(double k)
{
    double K, E, square = (1 - k) * (1 + k);
    elliptic(k, &K, &E);
    return (E / square - K) / (K - E);
}

/* Johnson (1985), (4.24) to (4.28): the approach of bodies with principal relative radii long >= edge. */
static double point_compression(double E_star, double longer, double shorter, double force)
{
    double low = 1e-6, high = 1 - 1e-12, K, E;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (low + high);
        if (curvature_ratio(middle) < longer / shorter)
            low = middle;
        else
            high = middle;
    }
    const double k = 0.5 * (low + high), b_a = sqrt((1 - k) * (1 + k)), mean = sqrt(longer * shorter);
    elliptic(k, &K, &E);
    double F1 = carom_cbrt(4 / (pi * k * k) * carom_pow(b_a, 1.5) * sqrt((E / (b_a * b_a) - K) * (K - E)));
    double F2 = 2 / pi * sqrt(b_a) / F1 * K;
    bool round = longer / shorter < 1 + 1e-9;
    return carom_cbrt(9 * force * force / (16 * E_star * E_star * mean)) * (round ? 1 : F2);
}

/* Johnson (1985), (5.57): half a cylinder between its centre and a plane. */
static double line_compression(double E_star, double radius, double load)
{
    double a = sqrt(4 * load * radius / (pi * E_star));
    return load / (pi * E_star) * (2 * carom_log(4 * radius / a) - 1);
}

carom_disk_compression carom_disk_compressed(const carom_disk *disk, double force)
{
    carom_disk_compression d = {NAN, NAN, NAN};
    if (!(disk->E > 0 && disk->radius > 0 && disk->edge > 0 && disk->thickness > 0 && force > 0))
        return d;
    const double E_star = disk->E / (1 - disk->nu * disk->nu);
    d.plane = line_compression(E_star, disk->radius, force / disk->thickness);
    d.point = point_compression(E_star, fmax(disk->radius, disk->edge), fmin(disk->radius, disk->edge), force);
    d.sum = d.plane + d.point;
    return d;
}
