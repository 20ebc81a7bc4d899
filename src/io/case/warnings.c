/* What is legal in a case but may not be meant. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/case.h"
#include "carom/convert.h"
#include "carom/joint.h"
#include "carom/json_short.h"

#define FULL_TURN 6.283185307179586

typedef struct line {
    const char *word, *meaning;
} line;

static const line lines[] = {
#define CAROM_WARNING(name, bit, word, meaning) [bit] = {word, meaning},
#include "carom/warnings.def"
#undef CAROM_WARNING
};

const char *carom_warning_word(carom_warning i)
{
    return (unsigned)i < CAROM_WARNING_COUNT ? lines[i].word : "";
}

const char *carom_warning_meaning(carom_warning i)
{
    return (unsigned)i < CAROM_WARNING_COUNT ? lines[i].meaning : "";
}

/* ---- coefficients and options ---- */

/* Coefficients and options are judged for the law that the case names: another law may be tried on the same file. */
static bool has_own_law(const carom_case *c)
{
    const char *id = json_string_value(json_object_get(c->document, "law"));
    return id && strcmp(id, carom_case_law(c)) == 0;
}

/* The law of one contact that a law of several contacts calls, or null. */
static const carom_law *base_of(const carom_case *c)
{
    bool has_base = c->together && c->together_rule.law && c->together_rule.law->traits & CAROM_TRAIT_ONE_BY_ONE;
    return !has_base ? NULL : c->together_rule.base ? c->together_rule.base : carom_law_find("newton");
}

/* The base law was not chosen: newton, which has no friction. */
static bool has_silent_base(const carom_case *c)
{
    return base_of(c) && !c->together_rule.base;
}

bool carom_case_uses(const carom_case *c, carom_coeff i)
{
    const carom_law *law = c->together ? base_of(c) : c->rule.law;
    uint64_t uses = law ? law->uses : c->together && c->together_rule.law ? c->together_rule.law->uses : ~UINT64_C(0);
    return (i == CAROM_COEFF_mu && !has_silent_base(c)) || uses >> i & 1;
}

/* The meaning of an option begins with the law it belongs to ("whittaker: ..."), unless it is for all laws. Writes the
 * id of that law. */
static bool belongs_to_law(carom_option i, char *id, size_t room)
{
    const char *meaning = carom_option_at(i)->meaning, *colon = strchr(meaning, ':');
    if (!colon || colon - meaning >= (long)room)
        return false;
    snprintf(id, room, "%.*s", (int)(colon - meaning), meaning);
    return carom_law_find(id) || carom_together_find(id);
}

bool carom_option_is_for(carom_option i, const carom_law *law)
{
    char id[32];
    return !belongs_to_law(i, id, sizeof id) || strcmp(id, law->id) == 0;
}

bool carom_case_has_option(const carom_case *c, carom_option i)
{
    char id[32];
    const carom_law *base = base_of(c);
    if (!c->together)
        return !c->rule.law || carom_option_is_for(i, c->rule.law);
    return !c->together_rule.law || !belongs_to_law(i, id, sizeof id) || strcmp(id, c->together_rule.law->id) == 0 ||
           (base && strcmp(id, base->id) == 0);
}

/* The first coefficient in the object that the law does not use, or CAROM_COEFF_COUNT. */
static carom_coeff unused_in(const carom_case *c, const json_t *given)
{
    for (int i = 0; i < CAROM_COEFF_COUNT && has_own_law(c); i++)
        if (json_object_get(given, carom_coeff_at((carom_coeff)i)->name) && !carom_case_uses(c, (carom_coeff)i))
            return (carom_coeff)i;
    return CAROM_COEFF_COUNT;
}

/* Searches the case, then every contact; *contact says where it was found, 0 for the case. */
static carom_coeff first_unused(const carom_case *c, int *contact)
{
    const json_t *document = c->document, *contacts = json_object_get(document, "contacts");
    carom_coeff found = unused_in(c, json_object_get(document, "coefficients"));
    *contact = 0;
    for (size_t i = 0; found == CAROM_COEFF_COUNT && c->together && i < json_array_size(contacts); i++) {
        *contact = (int)i + 1;
        found = unused_in(c, json_object_get(json_array_get(contacts, i), "coefficients"));
    }
    return found;
}

/* The key of the first option that the law does not have, or null. `base` belongs to sequential. */
static const char *first_idle_option(const carom_case *c)
{
    const json_t *document = c->document;
    if (!has_own_law(c))
        return NULL;
    for (int i = 0; i < CAROM_OPTION_COUNT; i++)
        if (json_object_get(document, carom_option_at((carom_option)i)->name) &&
            !carom_case_has_option(c, (carom_option)i))
            return carom_option_at((carom_option)i)->name;
    return c->together && json_object_get(document, "base") && !base_of(c) ? "base" : NULL;
}

/* ---- angles ---- */

/* Coordinates of a joint type, and which of them is an angle (-1: none). */
static int coordinates(const char *type, int *angle)
{
    static const struct {
        const char *word;
        int count;
    } types[] = {
#define CAROM_JOINT_TYPE(name, word, nq, nv, meaning) {word, nq},
#include "carom/joint_types.def"
#undef CAROM_JOINT_TYPE
    };
    *angle = strcmp(type, "revolute") == 0 ? 0 : strcmp(type, "planar") == 0 ? 2 : -1;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(type, types[i].word) == 0)
            return types[i].count;
    return 0;
}

/* The first angle of "q" that exceeds a turn: its place, or -1. */
static int large_angle(const carom_case *c, double *value)
{
    const json_t *mechanism = json_object_get(c->document, "mechanism"), *q = json_object_get(mechanism, "q"), *link;
    size_t i, at = 0;
    json_array_foreach(json_object_get(mechanism, "links"), i, link)
    {
        int angle;
        const char *type = json_string_value(json_object_get(json_object_get(link, "joint"), "type"));
        int count = coordinates(type ? type : "", &angle);
        *value = angle >= 0 ? json_number_value(json_array_get(q, at + (size_t)angle)) : 0;
        if (fabs(*value) > FULL_TURN)
            return (int)at + angle;
        at += (size_t)count;
    }
    return -1;
}

/* ---- bodies ---- */

/* The contact leaves along this normal, and the arms lie as if it were the other one. Arms that do not tell, and links,
 * leave it open. */
static bool normal_looks_reversed(const carom_case *c)
{
    const carom_contact *at = &c->pairs->contact;
    carom_vec3 n = c->pairs ? at->frame.n : (carom_vec3){0, 0, 0};
    if (c->together || !(c->problem.u.n > 0) || carom_vec3_dot(n, n) == 0)
        return false;
    if (c->source == CAROM_SOURCE_MECHANISM)
        return true;
    double a = c->bodies[0].inv_mass > 0 ? carom_vec3_dot(at->arm_a, n) : 0;
    double b = c->bodies[1].inv_mass > 0 ? carom_vec3_dot(at->arm_b, n) : 0;
    return a >= b;
}

/* The name of the first body that no mass could have, or null. */
static const char *unphysical_body(const carom_case *c)
{
    for (int i = 0; i < c->body_count; i++)
        if (c->dim == 3 && c->bodies[i].inv_mass > 0 && !carom_inertia_is_physical(c->bodies[i].inertia))
            return c->names[i];
    return NULL;
}

/* What waves do in the bodies of a case whose materials are known. Vibrating bodies have their waves in the law. */
static bool has_waves(const carom_case *c, carom_validity *v)
{
    const bool judged = c->source == CAROM_SOURCE_BODIES && !c->together && !c->rule.vibration &&
                        (c->elastic[0].E > 0 || c->elastic[1].E > 0);
    if (!judged || !(c->problem.u.n < 0) || !(c->problem.K.nn > 0))
        return false;
    *v = carom_validity_of_bodies(c->elastic, 1 / c->problem.K.nn, -c->problem.u.n);
    return isfinite(v->waves) && carom_validity_judge(v) != CAROM_VALIDITY_GOOD;
}

static void say_waves(const carom_validity *v, char *rule, size_t room)
{
    snprintf(rule, room,
             "a wave crosses the body %.2g times during the contact (wanted: more than %d) and (V/c)^(1/5) = %.2g "
             "(wanted: below %g): %s",
             v->transits, CAROM_VALID_TRANSITS, v->waves, CAROM_VALID_WAVES,
             carom_validity_judge(v) == CAROM_VALIDITY_FAIR ? "rigid laws are fair, since waves take little energy"
                                                            : "rigid laws do not hold, waves take much of the energy");
}

#define STRENGTH 0.1 /* of the modulus: ideal crystals break there, and surfaces of Hertz are no longer shallow */

/* The modulus is the caller's: by its key, by --set, or from materials. The default stands for no material. */
static bool has_own_modulus(const carom_case *c)
{
    return json_object_get(json_object_get(c->document, "coefficients"), "E_star") || c->elastic[0].E > 0 ||
           c->elastic[1].E > 0 || c->rule.coeffs.E_star != carom_coeff_at(CAROM_COEFF_E_star)->value;
}

/* The largest pressure that Hertz gives without friction, where a law of elastic bodies is asked for more than any
 * bears. */
static bool is_crushed(const carom_case *c, double *pressure)
{
    const carom_coeffs *k = &c->rule.coeffs;
    const carom_law *law = c->rule.law;
    const bool hertz = law && law->uses & CAROM_USES(E_star) && !(law->uses & CAROM_USES(Y)) &&
                       law->traits & CAROM_TRAIT_CONTACT_FORCE; /* a contact that yields has no such pressure */
    if (!hertz || c->together || !has_own_modulus(c) || !(c->problem.u.n < 0) || !(c->problem.K.nn > 0))
        return false;
    const double stiffness = 4.0 / 3 * k->E_star * sqrt(k->R);
    const double x = carom_power_compression(stiffness, 1.5, 1 / c->problem.K.nn, -c->problem.u.n);
    *pressure = carom_hertz_pressure(k->E_star, k->R, x);
    return *pressure > STRENGTH * k->E_star;
}

/* ---- patches ---- */

/* The distance of a body's points from its centre that mass, inertia and arm speak for: at least that of the contact,
 * and the radius of a solid disk with these moments, sqrt(tr I / m). Infinite of a body that is held. */
static double reach_of(const carom_body *body, carom_vec3 arm)
{
    const carom_sym3 I = body->inertia;
    return body->inv_mass > 0 ? fmax(sqrt(carom_vec3_dot(arm, arm)), sqrt((I.xx + I.yy + I.zz) * body->inv_mass))
                              : INFINITY;
}

#define PATCH_DOUBTFUL 1.01 /* of that distance: a disk may lie on all of its face */

/* The body whose patch is larger than itself: 0, 1, or -1. */
static int small_body(const carom_case *c, double *reach)
{
    const bool judged = c->source == CAROM_SOURCE_BODIES && !c->together && c->pairs && c->dim == 3;
    for (int i = 0; i < 2 && judged; i++) {
        const carom_contact *at = &c->pairs->contact;
        *reach = reach_of(&c->bodies[i], i == 0 ? at->arm_a : at->arm_b);
        if (c->rule.coeffs.patch > PATCH_DOUBTFUL * *reach)
            return i;
    }
    return -1;
}

/* ---- all of them ---- */

unsigned carom_case_warnings(const carom_case *c)
{
    double angle;
    int contact;
    unsigned found = c->warnings;
    carom_validity waves;
    double pressure, reach;
    found |= has_waves(c, &waves) ? CAROM_WARNS_WAVES : 0u;
    found |= is_crushed(c, &pressure) ? CAROM_WARNS_PRESSURE : 0u;
    found |= normal_looks_reversed(c) ? CAROM_WARNS_NORMAL : 0u;
    found |= first_unused(c, &contact) < CAROM_COEFF_COUNT ? CAROM_WARNS_COEFFICIENT : 0u;
    found |= first_idle_option(c) ? CAROM_WARNS_OPTION : 0u;
    found |= large_angle(c, &angle) >= 0 ? CAROM_WARNS_ANGLE : 0u;
    found |= unphysical_body(c) ? CAROM_WARNS_INERTIA : 0u;
    found |= small_body(c, &reach) >= 0 ? CAROM_WARNS_PATCH : 0u;
    return found;
}

bool carom_case_warn(const carom_case *c, carom_warning i, carom_case_error *error)
{
    char key[64] = "", rule[sizeof error->rule];
    double angle = 0;
    snprintf(rule, sizeof rule, "%s", carom_warning_meaning(i));
    if (i == CAROM_WARNING_NORMAL)
        snprintf(key, sizeof key, "contact.normal");
    if (i == CAROM_WARNING_COEFFICIENT) {
        int contact;
        const char *name = carom_coeff_at(first_unused(c, &contact))->name;
        if (contact)
            snprintf(key, sizeof key, "contacts[%d].coefficients.%s", contact, name);
        else
            snprintf(key, sizeof key, "coefficients.%s", name);
        snprintf(rule, sizeof rule, "%s%s does not use %s%s", carom_case_law(c),
                 has_silent_base(c) ? " without \"base\"" : "", name,
                 has_silent_base(c) ? "; a base such as routh-stronge has friction" : "");
    }
    if (i == CAROM_WARNING_OPTION) {
        snprintf(key, sizeof key, "%s", first_idle_option(c));
        snprintf(rule, sizeof rule, "%s does not have this option", carom_case_law(c));
    }
    if (i == CAROM_WARNING_ANGLE) {
        char number[CAROM_NUMBER_SIZE];
        snprintf(key, sizeof key, "mechanism.q[%d]", large_angle(c, &angle));
        carom_number_print(number, angle);
        snprintf(rule, sizeof rule, "%s is more than a full turn: angles are in radians", number);
    }
    if (i == CAROM_WARNING_INERTIA)
        snprintf(key, sizeof key, "bodies.%.40s.inertia", unphysical_body(c));
    double pressure;
    if (i == CAROM_WARNING_PRESSURE && is_crushed(c, &pressure)) {
        snprintf(key, sizeof key, "coefficients.E_star");
        snprintf(rule, sizeof rule,
                 "the contact reaches a pressure of %.2g Pa, %.2g of E_star: no material stays elastic beyond a tenth",
                 pressure, pressure / c->rule.coeffs.E_star);
    }
    double reach;
    const int small = i == CAROM_WARNING_PATCH ? small_body(c, &reach) : -1;
    if (small >= 0) {
        snprintf(key, sizeof key, "coefficients.patch");
        snprintf(rule, sizeof rule,
                 "%.6g m is larger than \"%.40s\", whose mass and inertia are those of a disk of %.3g m",
                 c->rule.coeffs.patch, c->names[small], reach);
    }
    carom_validity waves;
    if (i == CAROM_WARNING_WAVES && has_waves(c, &waves)) {
        snprintf(key, sizeof key, "bodies.%c.material", c->elastic[0].E > 0 ? 'a' : 'b');
        say_waves(&waves, rule, sizeof rule);
    }
    return carom_case_blame(c, key, rule, error);
}
