/* What is legal in a case but may not be meant. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/case.h"
#include "carom/joint.h"
#include "io/case/json_tree.h"

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
    const char *id = json_string_value(json_object_get(jansson_of(c->document), "law"));
    return c->rule.law && id && strcmp(id, c->rule.law->id) == 0;
}

/* Is this coefficient given in the case and not used? mu counts as used: the ledger's cone margin needs it. */
static bool is_unused(const carom_case *c, carom_coeff i)
{
    const json_t *given = json_object_get(jansson_of(c->document), "coefficients");
    return has_own_law(c) && i != CAROM_COEFF_mu && !(c->rule.law->uses >> i & 1) &&
           json_object_get(given, carom_coeff_at(i)->name);
}

static carom_coeff first_unused(const carom_case *c)
{
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (is_unused(c, (carom_coeff)i))
            return (carom_coeff)i;
    return CAROM_COEFF_COUNT;
}

/* The meaning of an option begins with the law it belongs to ("whittaker: ..."), unless it is for all laws. */
bool carom_option_is_for(carom_option i, const carom_law *law)
{
    char id[32];
    const char *meaning = carom_option_at(i)->meaning, *colon = strchr(meaning, ':');
    if (!colon || colon - meaning >= (long)sizeof id)
        return true;
    snprintf(id, sizeof id, "%.*s", (int)(colon - meaning), meaning);
    return !carom_law_find(id) || strcmp(id, law->id) == 0;
}

static carom_option first_idle_option(const carom_case *c)
{
    for (int i = 0; i < CAROM_OPTION_COUNT && has_own_law(c); i++)
        if (json_object_get(jansson_of(c->document), carom_option_at((carom_option)i)->name) &&
            !carom_option_is_for((carom_option)i, c->rule.law))
            return (carom_option)i;
    return CAROM_OPTION_COUNT;
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
    const json_t *mechanism = json_object_get(jansson_of(c->document), "mechanism"),
                 *q = json_object_get(mechanism, "q"), *link;
    size_t i, at = 0;
    json_array_foreach((json_t *)json_object_get(mechanism, "links"), i, link)
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
    carom_vec3 n = c->contact.frame.n;
    if (!(c->problem.u.n > 0) || carom_vec3_dot(n, n) == 0)
        return false;
    if (c->source == CAROM_SOURCE_MECHANISM)
        return true;
    double a = c->a.inv_mass > 0 ? carom_vec3_dot(c->contact.arm_a, n) : 0;
    double b = c->b.inv_mass > 0 ? carom_vec3_dot(c->contact.arm_b, n) : 0;
    return a >= b;
}

static bool is_unphysical(const carom_case *c, const carom_body *body)
{
    return c->source == CAROM_SOURCE_BODIES && c->dim == 3 && body->inv_mass > 0 &&
           !carom_inertia_is_physical(body->inertia);
}

/* What waves do in the bodies of a case whose materials are known. Vibrating bodies have their waves in the law. */
static bool has_waves(const carom_case *c, carom_validity *v)
{
    const bool judged = c->source == CAROM_SOURCE_BODIES && !c->several && !c->rule.vibration &&
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

/* ---- all of them ---- */

unsigned carom_case_warnings(const carom_case *c)
{
    double angle;
    unsigned found = c->warnings;
    carom_validity waves;
    found |= has_waves(c, &waves) ? CAROM_WARNS_WAVES : 0u;
    found |= normal_looks_reversed(c) ? CAROM_WARNS_NORMAL : 0u;
    found |= first_unused(c) < CAROM_COEFF_COUNT ? CAROM_WARNS_COEFFICIENT : 0u;
    found |= first_idle_option(c) < CAROM_OPTION_COUNT ? CAROM_WARNS_OPTION : 0u;
    found |= large_angle(c, &angle) >= 0 ? CAROM_WARNS_ANGLE : 0u;
    found |= is_unphysical(c, &c->a) || is_unphysical(c, &c->b) ? CAROM_WARNS_INERTIA : 0u;
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
        const char *name = carom_coeff_at(first_unused(c))->name;
        snprintf(key, sizeof key, "coefficients.%s", name);
        snprintf(rule, sizeof rule, "%s does not use %s", c->rule.law->id, name);
    }
    if (i == CAROM_WARNING_OPTION) {
        snprintf(key, sizeof key, "%s", carom_option_at(first_idle_option(c))->name);
        snprintf(rule, sizeof rule, "%s does not have this option", c->rule.law->id);
    }
    if (i == CAROM_WARNING_ANGLE) {
        char number[CAROM_NUMBER_SIZE];
        snprintf(key, sizeof key, "mechanism.q[%d]", large_angle(c, &angle));
        carom_number_print(number, angle);
        snprintf(rule, sizeof rule, "%s is more than a full turn: angles are in radians", number);
    }
    if (i == CAROM_WARNING_INERTIA)
        snprintf(key, sizeof key, "bodies.%c.inertia", is_unphysical(c, &c->a) ? 'a' : 'b');
    carom_validity waves;
    if (i == CAROM_WARNING_WAVES && has_waves(c, &waves)) {
        snprintf(key, sizeof key, "bodies.%c.material", c->elastic[0].E > 0 ? 'a' : 'b');
        say_waves(&waves, rule, sizeof rule);
    }
    return carom_case_blame(c, key, rule, error);
}
