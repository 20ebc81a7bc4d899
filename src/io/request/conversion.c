/* Parameters of contact forces and coefficients of restitution, each from the other. */
#include "carom/conversion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/convert.h"
#include "carom/elementary.h"
#include "carom/materials.h"
#include "carom/settings.h"

/* ---- in and out ---- */

/* The first refusal counts. */
static void fail(carom_conversion *x, const char *key, const char *rule)
{
    if (!x->failed)
        carom_request_fail(x->error, key, "%s", rule);
    x->failed = true;
}

static int place_of(const carom_conversion *x, const char *key)
{
    for (int i = 0; i < x->given; i++)
        if (strcmp(x->keys[i], key) == 0)
            return i;
    return -1;
}

static bool has(const carom_conversion *x, const char *key)
{
    return place_of(x, key) >= 0;
}

static double get_or(carom_conversion *x, const char *key, double otherwise)
{
    const int i = place_of(x, key);
    x->used |= i >= 0 ? 1u << i : 0;
    return i >= 0 ? x->inputs[i] : otherwise;
}

/* The value must be there. */
static double get(carom_conversion *x, const char *key)
{
    if (!has(x, key))
        fail(x, key, "is missing; see `carom convert --help`");
    return get_or(x, key, NAN);
}

static void put(carom_conversion *x, const char *name, double value, const char *unit)
{
    if (x->count == CAROM_CONVERSION_RESULTS)
        return;
    x->names[x->count] = name;
    x->units[x->count] = unit;
    x->values[x->count++] = value;
}

/* ---- kinds ---- */

/* k, or the stiffness that gives the time. */
static double stiffness_of(carom_conversion *x, double phase, double mass)
{
    return has(x, "k") || !has(x, "time") ? get(x, "k") : carom_stiffness_from_time(phase, mass, get(x, "time"));
}

static void convert_spring_dashpot(carom_conversion *x)
{
    const double mass = get(x, "mass"), v = get_or(x, "v", NAN);
    bool timed = has(x, "time") && !has(x, "k");
    double zeta =
        !has(x, "c") ? carom_zeta_from_e(get(x, "e"))
        : timed ? carom_zeta_from_e(carom_exp(-get(x, "c") * get(x, "time") / (2 * mass))) /* e = exp(-zeta omega T) */
                : get(x, "c") / (2 * sqrt(get(x, "k") * mass));
    double k = stiffness_of(x, carom_spring_dashpot_phase(zeta), mass), omega = sqrt(k / mass);
    double e = carom_e_from_zeta(zeta);
    put(x, "zeta", zeta, "");
    put(x, "k", k, "N/m");
    put(x, "c", 2 * zeta * sqrt(k * mass), "N s/m");
    put(x, "e", e, "");
    put(x, "e_fit", carom_e_from_zeta_fit(zeta), "");
    put(x, "time", carom_spring_dashpot_phase(zeta) / omega, "s");
    if (has(x, "v"))
        put(x, "depth", v / omega * sqrt(e), "m");
}

static void convert_hunt_crossley(carom_conversion *x)
{
    double v = get(x, "v"), A = has(x, "a") ? get(x, "a") * v : carom_hunt_crossley_from_e(get(x, "e"));
    put(x, "a", A / v, "s/m");
    put(x, "A", A, "");
    put(x, "e", carom_e_from_hunt_crossley(A), "");
    put(x, "e_fit", carom_e_from_hunt_crossley_fit(A), "");
}

static void convert_walton(carom_conversion *x)
{
    double e = has(x, "k_unload") ? carom_e_from_slopes(get(x, "k"), get(x, "k_unload")) : get(x, "e");
    if (has(x, "k_unload") && isnan(e))
        fail(x, "k_unload", "must be >= k: unloading is the steeper line");
    double k = stiffness_of(x, carom_walton_phase(e), get_or(x, "mass", NAN));
    put(x, "e", e, "");
    put(x, "k", k, "N/m");
    put(x, "k_unload", carom_unloading_from_e(k, e), "N/m");
    if (!has(x, "mass"))
        return;
    double omega = sqrt(k / get(x, "mass"));
    put(x, "time", carom_walton_phase(e) / omega, "s");
    put(x, "time_chatterjee_spring", carom_chatterjee_spring_phase(e) / omega, "s");
    if (has(x, "v"))
        put(x, "depth", get(x, "v") / omega, "m");
}

static void convert_tangential(carom_conversion *x)
{
    double e = get_or(x, "e", 1), inertia = get_or(x, "inertia", CAROM_SPHERE_INERTIA_RATIO);
    double ratio = has(x, "ratio") ? get(x, "ratio") : carom_ratio_from_e_t(get(x, "e_t"), inertia, e);
    put(x, "ratio", ratio, "");
    put(x, "e_t", carom_e_t_from_ratio(ratio, inertia, e), "");
    if (has(x, "mu"))
        put(x, "angle", carom_atan(get(x, "mu") / ratio) * 180 / carom_acos(-1),
            "degrees from the normal: sticks at first below");
}

static void convert_hertz(carom_conversion *x)
{
    carom_sphere_pair pair = {{get(x, "E"), get_or(x, "E2", INFINITY)},
                              {get(x, "nu"), get_or(x, "nu2", 0)},
                              {get(x, "R"), get_or(x, "R2", INFINITY)},
                              get(x, "mass"),
                              get(x, "v")};
    carom_hertz_contact h = carom_hertz_from_spheres(&pair);
    put(x, "E_star", h.E_star, "Pa");
    put(x, "R", h.R, "m");
    put(x, "k", h.k, "N/m^1.5");
    put(x, "time", h.time, "s");
    put(x, "depth", h.compression, "m");
    put(x, "peak_force", h.peak_force, "N");
    put(x, "contact_radius", h.radius, "m");
}

/* e of a metal sphere: Thornton's and, where it is below 1, Johnson's of a contact that is all plastic. */
static void convert_plastic(carom_conversion *x)
{
    const double E = get(x, "E_star"), R = get(x, "R"), mass = get(x, "mass"), v = get(x, "v"), Y = get(x, "Y");
    const double v_y = carom_yield_speed(E, R, mass, CAROM_YIELD_PRESSURE * Y);
    put(x, "v_yield", v_y, "m/s, the contact yields beyond");
    put(x, "e", carom_e_from_yield(v, v_y), "Thornton");
    const double e = v > v_y ? carom_e_from_hardness(E, R, 0.5 * mass * v * v, CAROM_HARDNESS * Y) : 1;
    if (e < 1)
        put(x, "e_johnson", e, "fully plastic");
}

static void convert_stiffness(carom_conversion *x)
{
    double kappa = has(x, "nu")    ? carom_kappa_from_poisson(get(x, "nu"))
                   : has(x, "eta") ? carom_kappa_from_eta(get(x, "eta"))
                                   : get(x, "kappa"),
           nu = carom_poisson_from_kappa(kappa);
    put(x, "kappa", kappa, "");
    put(x, "eta", carom_eta_from_kappa(kappa), "");
    if (!isnan(nu))
        put(x, "nu", nu, "");
    else if (kappa > 0)
        x->warning = "no Poisson's ratio in -1 ... 0.5 gives this stiffness ratio";
}

static void convert_disk(carom_conversion *x)
{
    carom_disk disk = {get(x, "E"), get(x, "nu"), get(x, "radius"), get(x, "edge"), get(x, "thickness")};
    double force = get(x, "force"), step = 1e-3 * force;
    carom_disk_compression d = carom_disk_compressed(&disk, force), more = carom_disk_compressed(&disk, force + step);
    double k = step / (more.sum - d.sum);
    put(x, "plane", d.plane, "m, cylinder (2D)");
    put(x, "point", d.point, "m, rounded edge (3D)");
    put(x, "sum", d.sum, "m");
    put(x, "k", k, "N/m, slope at this force");
    if (!has(x, "mass"))
        return;
    double mass = get(x, "mass");
    k = get_or(x, "k", k);
    put(x, "time", carom_acos(-1) * sqrt(mass / k), "s, as a linear spring k");
    if (has(x, "v")) {
        put(x, "peak_force", get(x, "v") * sqrt(k * mass), "N");
        put(x, "depth", get(x, "v") * sqrt(mass / k), "m");
    }
}

/* The duration, or the duration of a Hertz contact against a rigid plane. */
static double duration_of(carom_conversion *x, double v)
{
    if (has(x, "time") || !has(x, "mass"))
        return get(x, "time");
    carom_sphere_pair pair = {
        {get(x, "E"), INFINITY}, {get_or(x, "nu", 0.3), 0}, {get(x, "R"), INFINITY}, get(x, "mass"), v};
    return carom_hertz_from_spheres(&pair).time;
}

static void convert_validity(carom_conversion *x)
{
    static const char *const words[] = {
        [CAROM_VALIDITY_GOOD] = NULL,
        [CAROM_VALIDITY_FAIR] = "the contact is too short for waves to die out; rigid laws are fair, since "
                                "waves take little energy",
        [CAROM_VALIDITY_POOR] = "rigid laws do not hold here: waves take a good part of the energy"};
    double speed = get(x, "v"), time = duration_of(x, speed);
    double c = has(x, "c") || !has(x, "E") ? get(x, "c") : carom_wave_speed(get(x, "E"), get(x, "density"));
    carom_validity v = carom_validity_of(speed, c, get(x, "diameter"), time);
    put(x, "c", c, "m/s, longitudinal waves");
    put(x, "time", time, "s");
    put(x, "waves", v.waves, "(V/c)^(1/5), should be << 1");
    put(x, "wave_energy", v.wave_energy, "0.3 (V/c)^(1/3), should be << 1");
    put(x, "transits", v.transits, "diameters a wave runs during the contact, should be many");
    x->warning = words[carom_validity_judge(&v)];
}

#define KINDS(KIND)                                                                                                    \
    KIND("spring-dashpot", convert_spring_dashpot)                                                                     \
    KIND("hunt-crossley", convert_hunt_crossley)                                                                       \
    KIND("walton", convert_walton)                                                                                     \
    KIND("tangential", convert_tangential)                                                                             \
    KIND("hertz", convert_hertz)                                                                                       \
    KIND("plastic", convert_plastic)                                                                                   \
    KIND("stiffness", convert_stiffness)                                                                               \
    KIND("disk", convert_disk)                                                                                         \
    KIND("validity", convert_validity)

#define NAME(name, function)     name,
#define FUNCTION(name, function) function,

const char *const *carom_conversion_kinds(void)
{
    static const char *const names[] = {KINDS(NAME) NULL};
    return names;
}

static void (*const functions[])(carom_conversion *x) = {KINDS(FUNCTION)};

/* ---- ranges ---- */

static bool is_positive(double x)
{
    return x > 0;
}

static bool is_not_negative(double x)
{
    return x >= 0;
}

static bool is_restitution(double x)
{
    return x > 0 && x <= 1;
}

static bool is_signed_restitution(double x)
{
    return x >= -1 && x <= 1;
}

static bool is_poisson(double x)
{
    return x > -1 && x <= 0.5;
}

/* Every key of every kind, and what it must be. */
static const struct {
    const char *keys; /* between spaces */
    bool (*holds)(double x);
    const char *rule;
} ranges[] = {
    {" mass k k_unload time v ratio inertia E E2 E_star Y R R2 kappa eta radius edge thickness force diameter density ",
     is_positive, "> 0"},
    {" mu a c ", is_not_negative, ">= 0"},
    {" e ", is_restitution, "> 0 and <= 1"},
    {" e_t ", is_signed_restitution, "-1 ... 1"},
    {" nu nu2 ", is_poisson, "> -1 and <= 0.5"},
};

static bool is_in_range(const char *key, double value, carom_case_error *error)
{
    char word[CAROM_CONVERSION_KEY + 2];
    snprintf(word, sizeof word, " %s ", key);
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (strstr(ranges[i].keys, word) && !ranges[i].holds(value))
            return carom_request_fail(error, key, "must be %s (is %g)", ranges[i].rule, value);
    return true;
}

/* ---- the request ---- */

bool carom_conversion_set(carom_conversion *x, const char *assignment, carom_case_error *error)
{
    const char *equals = strchr(assignment, '=');
    if (!equals || equals - assignment >= CAROM_CONVERSION_KEY || x->given == CAROM_CONVERSION_GIVEN)
        return carom_request_fail(error, "", "expected KEY=VALUE, not \"%s\"", assignment);
    char *key = x->keys[x->given];
    snprintf(key, CAROM_CONVERSION_KEY, "%.*s", (int)(equals - assignment), assignment);
    if (!carom_text_number(equals + 1, &x->inputs[x->given]))
        return carom_request_fail(error, key, "\"%s\" is not a number", equals + 1);
    return is_in_range(key, x->inputs[x->given++], error);
}

/* Every key was used and every result is a number. */
static bool is_sound(carom_conversion *x)
{
    for (int i = 0; i < x->given; i++)
        if (!(x->used >> i & 1))
            fail(x, x->keys[i], "is not used here; see `carom convert --help`");
    for (int i = 0; i < x->count; i++)
        if (isnan(x->values[i]))
            fail(x, x->names[i], "is not defined: an argument is outside its range");
    return !x->failed;
}

bool carom_conversion_go(carom_conversion *x, const char *kind, carom_case_error *error)
{
    const char *const *names = carom_conversion_kinds();
    x->error = error;
    for (int k = 0; names[k]; k++)
        if (strcmp(kind, names[k]) == 0) {
            functions[k](x);
            return is_sound(x);
        }
    return carom_request_fail(error, "", "unknown kind \"%s\"; see `carom convert --help`", kind);
}
