/* Carom: parameters of contact forces and coefficients of restitution, each from the other.
 *
 * Granular codes ask for stiffness and damping, impact laws for restitution. For one contact in one dimension, of
 * reduced mass m = 1/K_nn and approach speed v, the two are the same thing, and these functions are exact:
 *
 *     double zeta = carom_zeta_from_e(0.6);                      damping ratio c / (2 sqrt(k m))
 *     double e = carom_e_from_zeta(zeta);
 *     double T = carom_spring_dashpot_phase(zeta) / omega;     duration; omega = sqrt(k/m)
 *
 * With friction and a K that couples, the outcome of an impact differs from these values: solve it. Arguments must lie
 * in the range that is stated; the result is NaN otherwise. */
#ifndef CAROM_CONVERT_H
#define CAROM_CONVERT_H

#include "carom/export.h"

CAROM_BEGIN

/* ---- spring-dashpot: F = k x + c x', zeta = c / (2 sqrt(k m)), omega = sqrt(k / m) ---- */

/* e = exp(-zeta omega T); zeta >= 0. */
CAROM_API double carom_e_from_zeta(double zeta);
/* The inverse; 0 < e <= 1. */
CAROM_API double carom_zeta_from_e(double e);
/* omega T = 2 arccos(zeta) / sqrt(1 - zeta^2), to the first F = 0. */
CAROM_API double carom_spring_dashpot_phase(double zeta);
/* The stiffness of a contact that lasts so long: mass (phase / time)^2. phase is omega T of any linear law here; > 0.
 */
CAROM_API double carom_stiffness_from_time(double phase, double mass, double time);
/* The approximation of Chatterjee (1997), section 8.3, 1/(1 + 2.5 zeta + 4 zeta^2): within 5.47 %. */
CAROM_API double carom_e_from_zeta_fit(double zeta);

/* ---- hunt-crossley: F = k x^m (1 + a x'), A = a v; the same for every exponent ---- */

/* -e - ln(1 - A e)/A = 1 - ln(1 + A)/A; A >= 0. */
CAROM_API double carom_e_from_hunt_crossley(double A);
/* The inverse; 0 < e <= 1. */
CAROM_API double carom_hunt_crossley_from_e(double e);
/* The approximation of Chatterjee (1997), section 8.2, 1/(exp(-0.4 A) + A): within 1.39 %. */
CAROM_API double carom_e_from_hunt_crossley_fit(double A);

/* ---- F = k x^m without damping: m >= 1 ---- */

/* Largest compression: ((m + 1) mass v^2 / (2 k))^(1/(m+1)). */
CAROM_API double carom_power_compression(double k, double exponent, double mass, double v);
/* T v / x_max = 2 sqrt(pi)/(m + 1) Gamma(1/(m+1)) / Gamma(1/(m+1) + 1/2): pi for m = 1, 2.9432... for Hertz. */
CAROM_API double carom_power_time_factor(double exponent);

/* ---- bilinear springs ---- */

/* Loading k_1, unloading k_2 >= k_1 (Walton): e = sqrt(k_1 / k_2); and the other way. */
CAROM_API double carom_e_from_slopes(double k_load, double k_unload);
CAROM_API double carom_unloading_from_e(double k_load, double e);
/* omega T of walton, (pi/2)(1 + e), and of chatterjee-spring, (pi/2)(1 + 1/e). */
CAROM_API double carom_walton_phase(double e);
CAROM_API double carom_chatterjee_spring_phase(double e);

/* ---- metals that yield: F is Hertz's up to the pressure p_y, then grows by pi p_y R ---- */

/* Pressures over the yield stress under a sphere (Johnson 1985, section 6.3): where yield begins, and fully plastic. */
#define CAROM_YIELD_PRESSURE 1.6
#define CAROM_HARDNESS       3.0

/* The speed of a mass at which the pressure reaches p_y: (pi/(2 E*))^2 sqrt(8 pi R^3/(15 m)) p_y^(5/2); all > 0. */
CAROM_API double carom_yield_speed(double E_star, double R, double mass, double p_y);
/* Restitution at speed v >= 0 where yield begins at v_y > 0: Thornton (1997); 1 up to v_y. */
CAROM_API double carom_e_from_yield(double v, double v_y);
/* Johnson's estimate far beyond yield, from the mean pressure p_d (about 3 times the yield stress):
 * e^2 = (6 pi/5) (pi/4)^(1/4) (p_d/E*) (p_d R^3/W)^(1/4), W = m v^2/2; capped at 1. */
CAROM_API double carom_e_from_hardness(double E_star, double R, double W, double p_d);
/* The largest pressure of a Hertz contact compressed by x: (2/pi) E_star sqrt(x/R). */
CAROM_API double carom_hertz_pressure(double E_star, double R, double x);

/* ---- tangential springs of spheres ---- */

/* Tangential restitution of the contact point at small angles, where it sticks throughout: -u_t after / u_t before for
 * a spring k_t during the time of walton's contact with restitution e: -cos(Omega T), Omega/omega = sqrt(ratio *
 * K_tt/K_nn). ratio = k_t/k > 0; inertia = K_tt/K_nn, 7/2 for solid spheres. */
CAROM_API double carom_e_t_from_ratio(double ratio, double inertia, double e);
/* The smallest ratio that gives this e_t, -1 <= e_t <= 1. */
CAROM_API double carom_ratio_from_e_t(double e_t, double inertia, double e);

/* kappa, the ratio of tangential to normal stiffness, of like materials with Poisson's ratio nu:
 * 2 (1 - nu)/(2 - nu); eta = 1/sqrt(kappa); -1 < nu <= 1/2. */
CAROM_API double carom_kappa_from_poisson(double nu);
CAROM_API double carom_poisson_from_kappa(double kappa);
CAROM_API double carom_eta_from_kappa(double kappa);
CAROM_API double carom_kappa_from_eta(double eta);

/* ---- Hertz from moduli and radii ---- */

typedef struct carom_hertz_contact {
    double E_star, R, k;                          /* effective modulus and radius, F = k x^(3/2) */
    double compression, time, peak_force, radius; /* x_max, T, F_max, largest contact radius */
} carom_hertz_contact;

/* Two spheres; an infinite radius or modulus is a plane or a rigid body. mass = 1/K_nn, speed v. */
typedef struct carom_sphere_pair {
    double E[2], nu[2], R[2], mass, v;
} carom_sphere_pair;

CAROM_API carom_hertz_contact carom_hertz_from_spheres(const carom_sphere_pair *pair);

/* ---- when is a contact quasi-static? Chatterjee (1997), section 11.3 ---- */

typedef struct carom_validity {
    double waves;       /* (V/c)^(1/5): waves cross the body many times if << 1 */
    double wave_energy; /* 0.3 (V/c)^(1/3): the share of energy in waves is small if << 1 */
    double transits;    /* how many diameters a wave runs during the contact */
} carom_validity;

/* V normal speed, c speed of a longitudinal wave, diameter and duration of the contact; all > 0. */
CAROM_API carom_validity carom_validity_of(double V, double c, double diameter, double duration);

/* The speed of a longitudinal wave in a slender body, sqrt(E / density). */
CAROM_API double carom_wave_speed(double E, double density);

/* What a body is made of and how large it is. E = 0: not known, and taken for rigid. */
typedef struct carom_elastic_body {
    double E, nu, density; /* Young's modulus, Poisson's ratio, mass by volume */
    double radius;         /* of curvature at the contact; infinite: flat */
    double size;           /* the way that waves cross, a diameter; infinite: no wave returns, and none is counted */
} carom_elastic_body;

/* The same for the Hertz contact of these two bodies, mass = 1/K_nn, speed v: of the body for which it holds less. At
 * least one body must be known; NaN otherwise. */
CAROM_API carom_validity carom_validity_of_bodies(const carom_elastic_body *bodies, double mass, double v);

/* Below these a rigid law with local contact forces is taken to be valid; Carom warns beyond. */
#define CAROM_VALID_WAVES       0.3
#define CAROM_VALID_WAVE_ENERGY 0.1
#define CAROM_VALID_TRANSITS    10

typedef enum carom_validity_grade {
    CAROM_VALIDITY_GOOD = 0, /* waves cross the bodies many times and die out during the contact */
    CAROM_VALIDITY_FAIR = 1, /* they do not, but they take little energy */
    CAROM_VALIDITY_POOR = 2  /* they take a good part of the energy */
} carom_validity_grade;

CAROM_API carom_validity_grade carom_validity_judge(const carom_validity *v);

/* A disk pressed along a diameter between rigid planes: compression of one contact against the centre under a force,
 * the line contact of a cylinder of this thickness, the point contact of its rounded edge, and their sum. */
typedef struct carom_disk {
    double E, nu;                   /* Young's modulus, Poisson's ratio */
    double radius, edge, thickness; /* of the disk, of its rounded edge, along its axis */
} carom_disk;

typedef struct carom_disk_compression {
    double plane, point, sum; /* 2D, 3D, and both */
} carom_disk_compression;

CAROM_API carom_disk_compression carom_disk_compressed(const carom_disk *disk, double force);

CAROM_END

#endif
