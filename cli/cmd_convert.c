/* carom convert: parameters of contact forces and coefficients of restitution, each from the other. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/convert.h"
#include "carom/elementary.h"
#include "cli.h"
#include "options.h"

enum { PAIRS_MOST = 16, RESULTS_MOST = 24 };

typedef struct pairs {
    const char *key[PAIRS_MOST];
    double value[PAIRS_MOST];
    bool used[PAIRS_MOST];
    int count;
    bool failed;
} pairs;

typedef struct results {
    const char *name[RESULTS_MOST], *unit[RESULTS_MOST];
    double value[RESULTS_MOST];
    int count;
    char warning[200];
} results;

/* ---- in and out ---- */

static bool has(pairs *p, const char *key)
{
    for (int i = 0; i < p->count; i++)
        if (strcmp(p->key[i], key) == 0)
            return true;
    return false;
}

static double get_or(pairs *p, const char *key, double otherwise)
{
    for (int i = 0; i < p->count; i++)
        if (strcmp(p->key[i], key) == 0) {
            p->used[i] = true;
            return p->value[i];
        }
    return otherwise;
}

/* The value must be there. */
static double get(pairs *p, const char *key)
{
    if (!has(p, key) && !p->failed) {
        complain("convert: %s is missing; see `carom convert --help`", key);
        p->failed = true;
    }
    return get_or(p, key, NAN);
}

static void put(results *r, const char *name, double value, const char *unit)
{
    if (r->count == RESULTS_MOST)
        return;
    r->name[r->count] = name;
    r->unit[r->count] = unit;
    r->value[r->count++] = value;
}

/* ---- kinds ---- */

/* k, or the stiffness that gives the time. */
static double stiffness_of(pairs *p, double phase, double mass)
{
    return has(p, "k") || !has(p, "time") ? get(p, "k") : carom_stiffness_from_time(phase, mass, get(p, "time"));
}

static void convert_spring_dashpot(pairs *p, results *r)
{
    const double mass = get(p, "mass"), v = get_or(p, "v", NAN);
    bool timed = has(p, "time") && !has(p, "k");
    double zeta =
        !has(p, "c") ? carom_zeta_from_e(get(p, "e"))
        : timed ? carom_zeta_from_e(carom_exp(-get(p, "c") * get(p, "time") / (2 * mass))) /* e = exp(-zeta omega T) */
                : get(p, "c") / (2 * sqrt(get(p, "k") * mass));
    double k = stiffness_of(p, carom_spring_dashpot_phase(zeta), mass), omega = sqrt(k / mass);
    double e = carom_e_from_zeta(zeta);
    put(r, "zeta", zeta, "");
    put(r, "k", k, "N/m");
    put(r, "c", 2 * zeta * sqrt(k * mass), "N s/m");
    put(r, "e", e, "");
    put(r, "e_fit", carom_e_from_zeta_fit(zeta), "");
    put(r, "time", carom_spring_dashpot_phase(zeta) / omega, "s");
    if (has(p, "v"))
        put(r, "depth", v / omega * sqrt(e), "m");
}

static void convert_hunt_crossley(pairs *p, results *r)
{
    double v = get(p, "v"), A = has(p, "a") ? get(p, "a") * v : carom_hunt_crossley_from_e(get(p, "e"));
    put(r, "a", A / v, "s/m");
    put(r, "A", A, "");
    put(r, "e", carom_e_from_hunt_crossley(A), "");
    put(r, "e_fit", carom_e_from_hunt_crossley_fit(A), "");
}

static void convert_walton(pairs *p, results *r)
{
    double e = has(p, "k_unload") ? carom_e_from_slopes(get(p, "k"), get(p, "k_unload")) : get(p, "e");
    if (has(p, "k_unload") && isnan(e) && !p->failed)
        p->failed = complain("convert: k_unload must be >= k: unloading is the steeper line");
    double k = stiffness_of(p, carom_walton_phase(e), get_or(p, "mass", NAN));
    put(r, "e", e, "");
    put(r, "k", k, "N/m");
    put(r, "k_unload", carom_unloading_from_e(k, e), "N/m");
    if (!has(p, "mass"))
        return;
    double omega = sqrt(k / get(p, "mass"));
    put(r, "time", carom_walton_phase(e) / omega, "s");
    put(r, "time_chatterjee_spring", carom_chatterjee_spring_phase(e) / omega, "s");
    if (has(p, "v"))
        put(r, "depth", get(p, "v") / omega, "m");
}

static void convert_tangential(pairs *p, results *r)
{
    double e = get_or(p, "e", 1), inertia = get_or(p, "inertia", CAROM_SPHERE_INERTIA_RATIO);
    double ratio = has(p, "ratio") ? get(p, "ratio") : carom_ratio_from_e_t(get(p, "e_t"), inertia, e);
    put(r, "ratio", ratio, "");
    put(r, "e_t", carom_e_t_from_ratio(ratio, inertia, e), "");
    if (has(p, "mu"))
        put(r, "angle", carom_atan(get(p, "mu") / ratio) * 180 / carom_acos(-1),
            "degrees from the normal: sticks at first below");
}

static void convert_hertz(pairs *p, results *r)
{
    carom_sphere_pair pair = {{get(p, "E"), get_or(p, "E2", INFINITY)},
                              {get(p, "nu"), get_or(p, "nu2", 0)},
                              {get(p, "R"), get_or(p, "R2", INFINITY)},
                              get(p, "mass"),
                              get(p, "v")};
    carom_hertz_contact h = carom_hertz_from_spheres(&pair);
    put(r, "E_star", h.E_star, "Pa");
    put(r, "R", h.R, "m");
    put(r, "k", h.k, "N/m^1.5");
    put(r, "time", h.time, "s");
    put(r, "depth", h.compression, "m");
    put(r, "peak_force", h.peak_force, "N");
    put(r, "contact_radius", h.radius, "m");
}

static void convert_stiffness(pairs *p, results *r)
{
    double kappa = has(p, "nu")    ? carom_kappa_from_poisson(get(p, "nu"))
                   : has(p, "eta") ? carom_kappa_from_eta(get(p, "eta"))
                                   : get(p, "kappa"),
           nu = carom_poisson_from_kappa(kappa);
    put(r, "kappa", kappa, "");
    put(r, "eta", carom_eta_from_kappa(kappa), "");
    if (!isnan(nu))
        put(r, "nu", nu, "");
    else if (kappa > 0)
        snprintf(r->warning, sizeof r->warning, "warning: no Poisson's ratio in -1 ... 0.5 gives this stiffness ratio");
}

static void convert_disk(pairs *p, results *r)
{
    carom_disk disk = {get(p, "E"), get(p, "nu"), get(p, "radius"), get(p, "edge"), get(p, "thickness")};
    double force = get(p, "force"), step = 1e-3 * force;
    carom_disk_compression d = carom_disk_compressed(&disk, force), more = carom_disk_compressed(&disk, force + step);
    double k = step / (more.sum - d.sum);
    put(r, "plane", d.plane, "m, cylinder (2D)");
    put(r, "point", d.point, "m, rounded edge (3D)");
    put(r, "sum", d.sum, "m");
    put(r, "k", k, "N/m, slope at this force");
    if (!has(p, "mass"))
        return;
    double mass = get(p, "mass");
    k = get_or(p, "k", k);
    put(r, "time", carom_acos(-1) * sqrt(mass / k), "s, as a linear spring k");
    if (has(p, "v")) {
        put(r, "peak_force", get(p, "v") * sqrt(k * mass), "N");
        put(r, "depth", get(p, "v") * sqrt(mass / k), "m");
    }
}

/* The duration, or the duration of a Hertz contact against a rigid plane. */
static double duration_of(pairs *p, double v)
{
    if (has(p, "time") || !has(p, "mass"))
        return get(p, "time");
    carom_sphere_pair pair = {
        {get(p, "E"), INFINITY}, {get_or(p, "nu", 0.3), 0}, {get(p, "R"), INFINITY}, get(p, "mass"), v};
    return carom_hertz_from_spheres(&pair).time;
}

static void convert_validity(pairs *p, results *r)
{
    static const char *const words[] = {
        [CAROM_VALIDITY_GOOD] = "",
        [CAROM_VALIDITY_FAIR] = "warning: the contact is too short for waves to die out; rigid laws are fair, since "
                                "waves take little energy",
        [CAROM_VALIDITY_POOR] = "warning: rigid laws do not hold here: waves take a good part of the energy"};
    double speed = get(p, "v"), time = duration_of(p, speed);
    double c = has(p, "c") || !has(p, "E") ? get(p, "c") : carom_wave_speed(get(p, "E"), get(p, "density"));
    carom_validity v = carom_validity_of(speed, c, get(p, "diameter"), time);
    put(r, "c", c, "m/s, longitudinal waves");
    put(r, "time", time, "s");
    put(r, "waves", v.waves, "(V/c)^(1/5), should be << 1");
    put(r, "wave_energy", v.wave_energy, "0.3 (V/c)^(1/3), should be << 1");
    put(r, "transits", v.transits, "diameters a wave runs during the contact, should be many");
    snprintf(r->warning, sizeof r->warning, "%s", words[carom_validity_judge(&v)]);
}

static const struct {
    const char *name;
    void (*convert)(pairs *p, results *r);
} kinds[] = {{"spring-dashpot", convert_spring_dashpot},
             {"hunt-crossley", convert_hunt_crossley},
             {"walton", convert_walton},
             {"tangential", convert_tangential},
             {"hertz", convert_hertz},
             {"stiffness", convert_stiffness},
             {"disk", convert_disk},
             {"validity", convert_validity}};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

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
    {" mass k k_unload time v ratio inertia E E2 R R2 kappa eta radius edge thickness force diameter density ",
     is_positive, "> 0"},
    {" mu a c ", is_not_negative, ">= 0"},
    {" e ", is_restitution, "> 0 and <= 1"},
    {" e_t ", is_signed_restitution, "-1 ... 1"},
    {" nu nu2 ", is_poisson, "> -1 and <= 0.5"},
};

static bool is_in_range(const char *key, double value)
{
    char word[32];
    snprintf(word, sizeof word, " %.24s ", key);
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (strstr(ranges[i].keys, word) && !ranges[i].holds(value)) {
            complain("convert: %s must be %s (is %g)", key, ranges[i].rule, value);
            return false;
        }
    return true;
}

/* ---- the command ---- */

static bool read_pair(pairs *p, char *word)
{
    char *equals = strchr(word, '=');
    double value;
    if (!equals || p->count == PAIRS_MOST) {
        complain("convert: expected KEY=VALUE, not \"%s\"", word);
        return false;
    }
    *equals = 0;
    if (!carom_text_number(equals + 1, &value)) {
        complain("convert: %s: \"%s\" is not a number", word, equals + 1);
        return false;
    }
    p->key[p->count] = word;
    p->value[p->count++] = value;
    return is_in_range(word, value);
}

/* Every key was used and every result is a number. */
static bool is_sound(const pairs *p, const results *r)
{
    if (p->failed)
        return false;
    for (int i = 0; i < p->count; i++)
        if (!p->used[i]) {
            complain("convert: %s is not used here; see `carom convert --help`", p->key[i]);
            return false;
        }
    for (int i = 0; i < r->count; i++)
        if (isnan(r->value[i])) {
            complain("convert: %s is not defined: an argument is outside its range", r->name[i]);
            return false;
        }
    return true;
}

static void print(const results *r, bool json)
{
    json_t *object = json_object();
    for (int i = 0; i < r->count; i++)
        if (json)
            json_object_set_new(object, r->name[i], json_real(r->value[i]));
        else
            printf("%-22s %.10g%s%s\n", r->name[i], r->value[i], r->unit[i][0] ? " " : "", r->unit[i]);
    if (json)
        json_print(stdout, object, false);
    json_decref(object);
    if (r->warning[0])
        fprintf(stderr, "%s\n", r->warning);
}

/* ---- options ---- */

typedef struct session {
    bool json;
} session;

static const option_row options[] = {JSON_OPTION(session, "one object of numbers"), {.name = NULL}};

const command_help help_convert = {
    .usage = "usage: carom convert KIND KEY=VALUE... [--json]\n\n"
             "Turns parameters of a contact force into restitution, contact time and depth, and back. Exact for one\n"
             "contact in one dimension; mass is the reduced mass 1/K_nn, v the approach speed, SI units. KIND is\n"
             "  spring-dashpot   mass, k or time, c or e    -> k, c, zeta, e, time; with v: depth\n"
             "  hunt-crossley    a and v, or e and v        -> a, e, and Chatterjee's fit\n"
             "  walton           k, k_unload or e; mass     -> e, k_unload, times of both bilinear springs; or time\n"
             "                                                 in place of k\n"
             "  tangential       k_t/k as ratio, or e_t     -> e_t at small angles; e, inertia (7/2), mu: angle\n"
             "  hertz            E, nu, R (E2, nu2, R2), mass, v -> E_star, R, k, time, depth, force\n"
             "  stiffness        nu, kappa or eta           -> the other two\n"
             "  disk             E, nu, radius, edge, thickness, force, mass, v -> compression of a disk, 2D + 3D\n"
             "  validity         v, c (wave speed), diameter, time -> is the contact quasi-static? Or, in place of c\n"
             "                   and time: E, density, nu, R, mass (Hertz)\n\n",
    options,
    "\nexample    carom convert spring-dashpot mass=0.1 k=1e6 e=0.6\n"};

int cmd_convert(int argc, char **argv)
{
    pairs p = {.count = 0};
    results r = {.count = 0};
    session s = {0};
    if (!options_read("convert", &help_convert, argc, argv, &s))
        return BAD_INPUT;
    if (optind == argc)
        return complain("convert: expected what to convert; see `carom convert --help`");
    const char *kind = argv[optind];
    for (int i = optind + 1; i < argc; i++)
        if (!read_pair(&p, argv[i]))
            return BAD_INPUT;
    for (int k = 0; k < KINDS; k++)
        if (strcmp(kind, kinds[k].name) == 0) {
            kinds[k].convert(&p, &r);
            if (!is_sound(&p, &r))
                return BAD_INPUT;
            print(&r, s.json);
            return FINE;
        }
    return complain("convert: unknown kind \"%s\"; see `carom convert --help`", kind);
}
