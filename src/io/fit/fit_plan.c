/* The words of a fit, and the task they make for a law. */
#include "carom/fit_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/solve.h"
#include "io/request/words.h"

enum { NAME = 32 };

#define HUBER      1.345
#define STUDENT    4
#define MOST_SEED  9e15 /* whole numbers that every text format keeps */
#define MOST_FOLDS 1e6

carom_fit_plan carom_fit_plan_default(void)
{
    carom_fit_plan p = {.intervals = true, .impacts = true, .folds = CAROM_FIT_FOLDS};
    return p;
}

/* ---- words ---- */

/* The coefficient called name, q included. */
static bool find_coefficient(const char *option, const char *name, int *coeff, carom_case_error *error)
{
    *coeff = carom_fit_find(name);
    if (*coeff < CAROM_FIT_COUNT)
        return true;
    const char *hint = carom_nearest_coefficient(name);
    if (hint)
        return carom_request_fail(error, option, "unknown coefficient \"%s\"; did you mean \"%s\"?", name, hint);
    return carom_request_fail(error, option, "unknown coefficient \"%s\"; `carom laws show LAW` lists them", name);
}

static bool read_fix(carom_fit_plan *p, const char *text, carom_case_error *error)
{
    return carom_settings_set(&p->settings, text, error);
}

/* "KEY", or "KEY=MIN:MAX". */
static bool read_free(carom_fit_plan *p, const char *text, carom_case_error *error)
{
    const char *equals = strchr(text, '=');
    char name[NAME];
    double limits[2] = {-INFINITY, INFINITY};
    if (p->free_count == CAROM_FIT_NAMES)
        return carom_request_fail(error, "", "--free %d times at most", CAROM_FIT_NAMES);
    if (equals &&
        (equals - text >= NAME || carom_internal_numbers(equals + 1, ':', 2, limits) != 2 || !(limits[0] < limits[1])))
        return carom_request_fail(error, "free", "expected KEY=MIN:MAX with MIN < MAX, got \"%s\"", text);
    carom_fit_range *f = &p->free[p->free_count];
    snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - text) : NAME - 1, text);
    *f = (carom_fit_range){0, limits[0], limits[1]};
    return find_coefficient("free", name, &f->coeff, error) && ++p->free_count;
}

/* "KEY=impact" or "KEY=group". */
static bool read_per(carom_fit_plan *p, const char *text, carom_case_error *error)
{
    const char *equals = strchr(text, '=');
    const bool per_impact = equals && strcmp(equals, "=impact") == 0,
               per_group = equals && strcmp(equals, "=group") == 0;
    char name[NAME];
    if ((!per_impact && !per_group) || equals - text >= NAME)
        return carom_request_fail(error, "per", "expected KEY=impact or KEY=group, got \"%s\"", text);
    p->per_impact |= per_impact;
    p->per_group |= per_group;
    if (p->per_impact && p->per_group)
        return carom_request_fail(error, "per", "give values per impact or per group, not both");
    if (p->local_count == CAROM_FIT_LOCAL)
        return carom_request_fail(error, "per", "at most %d coefficients", CAROM_FIT_LOCAL);
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    return find_coefficient("per", name, &p->local[p->local_count], error) && ++p->local_count;
}

/* "word:number"; the number has a default when there is none. */
static bool word_and_number(const char *text, const char *word, double otherwise, double *number)
{
    size_t length = strlen(word);
    if (strncmp(text, word, length) != 0 || (text[length] != 0 && text[length] != ':'))
        return false;
    *number = otherwise;
    return text[length] == 0 || (carom_text_number(text + length + 1, number) && *number > 0);
}

/* "e=power:1": how e or mu depends on the speed, with its reference speed. */
static bool read_of_speed(carom_fit_plan *p, const char *text, carom_case_error *error)
{
    static const struct {
        const char *word;
        carom_of_speed f;
        bool of_mu, q_known;
    } forms[] = {{"constant", {CAROM_SPEED_CONSTANT, 0, 1, 0, 0}, true, false},
                 {"linear", {CAROM_SPEED_LINEAR, 0, 1, 0, 0}, true, false},
                 {"power", {CAROM_SPEED_POWER, 0, 1, 0, 0}, true, false},
                 {"plastic", {CAROM_SPEED_POWER, 0.25, 1, 0, 0}, false, true},
                 {"viscoelastic", {CAROM_SPEED_VISCOELASTIC, 0.2, 1, 0, 0}, false, true}};
    const bool of_e = strncmp(text, "e=", 2) == 0, of_mu = strncmp(text, "mu=", 3) == 0;
    for (size_t i = 0; (of_e || of_mu) && i < sizeof forms / sizeof forms[0]; i++) {
        carom_of_speed f = forms[i].f;
        if (!word_and_number(strchr(text, '=') + 1, forms[i].word, 1, &f.speed) || (of_mu && !forms[i].of_mu))
            continue;
        *(of_e ? &p->e_of_speed : &p->mu_of_speed) = f;
        p->q_known = of_e ? forms[i].q_known : p->q_known;
        return true;
    }
    return carom_request_fail(
        error, "of_speed",
        "expected e=FORM:V or mu=FORM:V with V > 0 in m/s, where FORM is constant, linear or power "
        "(of e also plastic or viscoelastic); got \"%s\"",
        text);
}

static bool read_loss(carom_fit_plan *p, const char *text, carom_case_error *error)
{
    if (strcmp(text, "squares") == 0)
        p->loss = CAROM_FIT_SQUARES;
    else if (word_and_number(text, "huber", HUBER, &p->loss_parameter))
        p->loss = CAROM_FIT_HUBER;
    else if (word_and_number(text, "student", STUDENT, &p->loss_parameter))
        p->loss = CAROM_FIT_STUDENT;
    else
        return carom_request_fail(error, "loss", "expected squares, huber:K or student:NU, got \"%s\"", text);
    return true;
}

static bool read_noise(carom_fit_plan *p, const char *text, carom_case_error *error)
{
    p->group_scale = strcmp(text, "scale-per-group") == 0;
    p->scale = strcmp(text, "scale") == 0;
    return p->scale || p->group_scale || strcmp(text, "known") == 0 ||
           carom_request_fail(error, "noise", "must be \"known\", \"scale\" or \"scale-per-group\", got \"%s\"", text);
}

void carom_fit_law_name(carom_fit_choice choice, char text[CAROM_FIT_LAW_NAME])
{
    const bool repeats = choice.together && choice.together->uses & CAROM_USES(ratio_1);
    snprintf(text, CAROM_FIT_LAW_NAME, "%s%s%s", choice.together ? choice.together->id : choice.law->id,
             repeats ? ":" : "", repeats ? choice.law->id : "");
}

/* "routh-stronge", "moreau" or "sequential:routh-stronge". */
static bool read_choice(char *name, carom_fit_choice *choice, carom_case_error *error)
{
    char *colon = strchr(name, ':');
    carom_settings found = {0}, base = {0};
    if (colon)
        *colon++ = 0;
    if (!carom_settings_law(&found, name, error) || (colon && !carom_settings_law(&base, colon, error)))
        return false;
    const bool repeats = found.together && found.together->uses & CAROM_USES(ratio_1);
    if (colon && (!repeats || !base.law))
        return carom_request_fail(error, "law", "only sequential repeats a law of one contact, got \"%s:%s\"", name,
                                  colon);
    *choice = (carom_fit_choice){found.law  ? found.law
                                 : base.law ? base.law
                                            : carom_law_find("newton"),
                                 found.law ? NULL : found.together};
    return true;
}

/* One law to fit, or several to compare, separated by commas. */
static bool read_law(carom_fit_plan *p, const char *text, carom_case_error *error)
{
    const bool many = strchr(text, ',') != NULL;
    char name[CAROM_FIT_LAW_NAME];
    for (const char *at = text; *at || at == text;) {
        const size_t length = strcspn(at, ",");
        carom_fit_choice found;
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
        if (!read_choice(name, &found, error))
            return false;
        if (many && p->law_count == CAROM_FIT_LAWS)
            return carom_request_fail(error, "law", "more than %d laws", CAROM_FIT_LAWS);
        if (many)
            p->laws[p->law_count++] = found;
        else {
            p->law = found.law;
            p->together = found.together;
        }
        at += length + (at[length] == ',');
    }
    return true;
}

static bool read_count(const char *option, const char *text, double most, double *count, carom_case_error *error)
{
    if (carom_text_number(text, count) && *count >= 0 && *count <= most && *count == floor(*count))
        return true;
    return carom_request_fail(error, option, "must be a whole number from 0 to %.0f, got \"%s\"", most, text);
}

/* "N", or "N:group". */
static bool read_folds(carom_fit_plan *p, const char *text, carom_case_error *error)
{
    const char *colon = strchr(text, ':');
    char number[NAME];
    double count;
    snprintf(number, sizeof number, "%.*s", colon ? (int)(colon - text) : NAME - 1, text);
    p->by_group = colon && strcmp(colon, ":group") == 0;
    if (colon && !p->by_group && strcmp(colon, ":impact") != 0)
        return carom_request_fail(error, "folds", "expected N, N:impact or N:group, got \"%s\"", text);
    return read_count("folds", number, MOST_FOLDS, &count, error) && (p->folds = (int)count, true);
}

static bool read_seed(carom_fit_plan *p, const char *text, carom_case_error *error)
{
    double count;
    return read_count("seed", text, MOST_SEED, &count, error) && (p->seed = (uint64_t)count, true);
}

static bool read_flag(const char *option, const char *text, bool *flag, carom_case_error *error)
{
    *flag = strcmp(text, "true") == 0;
    return *flag || strcmp(text, "false") == 0 ||
           carom_request_fail(error, option, "must be true or false, got \"%s\"", text);
}

static bool read_intervals(carom_fit_plan *p, const char *text, carom_case_error *error)
{
    return read_flag("intervals", text, &p->intervals, error);
}

static bool read_impacts(carom_fit_plan *p, const char *text, carom_case_error *error)
{
    return read_flag("impacts", text, &p->impacts, error);
}

bool carom_fit_plan_set(carom_fit_plan *p, const char *option, const char *text, carom_case_error *error)
{
    static const struct {
        const char *word;
        bool (*read)(carom_fit_plan *p, const char *text, carom_case_error *error);
    } words[] = {{"law", read_law},
                 {"fix", read_fix},
                 {"set", read_fix},
                 {"free", read_free},
                 {"per", read_per},
                 {"of_speed", read_of_speed},
                 {"loss", read_loss},
                 {"noise", read_noise},
                 {"folds", read_folds},
                 {"seed", read_seed},
                 {"intervals", read_intervals},
                 {"impacts", read_impacts}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].word, option) == 0)
            return words[i].read(p, text, error);
    return carom_request_fail(error, option, "a fit has no such option");
}

/* ---- the task ---- */

static carom_fit_free *find_free(carom_fit_task *task, int coeff)
{
    for (int i = 0; i < task->free_count; i++)
        if (task->free[i].coeff == coeff)
            return &task->free[i];
    return NULL;
}

static void fix(const carom_fit_plan *p, carom_fit_task *task)
{
    int kept = 0;
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (p->settings.coefficients >> i & 1)
            carom_coeffs_set(&task->rule.coeffs, (carom_coeff)i,
                             carom_coeffs_get(&p->settings.rule.coeffs, (carom_coeff)i));
    for (int i = 0; i < CAROM_OPTION_COUNT; i++)
        if (p->settings.options >> i & 1)
            carom_options_set(&task->rule.options, (carom_option)i,
                              carom_options_get(&p->settings.rule.options, (carom_option)i));
    for (int i = 0; i < task->free_count; i++) {
        int coeff = task->free[i].coeff;
        bool fixed = coeff < CAROM_COEFF_COUNT && p->settings.coefficients >> coeff & 1;
        if (!fixed)
            task->free[kept++] = task->free[i];
    }
    task->free_count = kept;
}

/* The bounds of a coefficient: the given ones, else the default. */
static bool bounds_of(const carom_fit_plan *p, const carom_law *law, int coeff, carom_fit_free *f)
{
    f->coeff = coeff;
    f->local = false;
    bool fine = carom_fit_bounds(law, coeff, &f->min, &f->max);
    for (int i = 0; i < p->free_count; i++)
        if (p->free[i].coeff == coeff && isfinite(p->free[i].min)) {
            f->min = fmax(p->free[i].min, fine ? f->min : -INFINITY);
            f->max = fmin(p->free[i].max, fine ? f->max : INFINITY);
            fine = true;
        }
    return fine;
}

/* Is this coefficient, or q of a function, one of the law? */
static bool is_used(const carom_fit_plan *p, const carom_fit_task *task, int coeff)
{
    const uint64_t uses = carom_fit_uses(task);
    if (coeff < CAROM_COEFF_COUNT)
        return uses >> coeff & 1;
    const bool of_e = coeff == CAROM_FIT_Q;
    return (of_e ? p->e_of_speed : p->mu_of_speed).form && !(of_e && p->q_known) &&
           uses & (of_e ? CAROM_USES(e) : CAROM_USES(mu));
}

/* The functions of the speed, between the speeds of the data. */
static bool set_functions(const carom_fit_plan *p, bool quiet, const carom_fit_data *data, carom_fit_task *task,
                          carom_case_error *error)
{
    const uint64_t used = carom_fit_uses(task);
    char law[CAROM_FIT_LAW_NAME];
    carom_of_speed *f[2] = {&task->rule.coeffs.e_of_speed, &task->rule.coeffs.mu_of_speed};
    const uint64_t uses[2] = {CAROM_USES(e), CAROM_USES(mu)};
    double from = INFINITY, to = 0;
    carom_fit_law_name(carom_fit_law_of(task), law);
    for (int i = 0; i < data->count; i++) {
        from = fmin(from, -data->impacts[i].problem.u.n);
        to = fmax(to, -data->impacts[i].problem.u.n);
    }
    for (int k = 0; k < 2; k++) {
        const carom_of_speed given = k ? p->mu_of_speed : p->e_of_speed;
        if (!given.form || (quiet && !(used & uses[k])))
            continue;
        if (!(used & uses[k]))
            return carom_request_fail(error, k ? "of_speed.mu" : "of_speed.e", "%s does not use it", law);
        if (!(to > from))
            return carom_request_fail(error, "of_speed", "all impacts have the same speed of approach");
        *f[k] = given;
        f[k]->from = from;
        f[k]->to = to;
    }
    return true;
}

static bool set_free(const carom_fit_plan *p, bool quiet, carom_fit_task *task, carom_case_error *error)
{
    const carom_law *law = task->rule.law;
    char name[CAROM_FIT_LAW_NAME];
    carom_fit_law_name(carom_fit_law_of(task), name);
    for (int i = 0; i < task->free_count; i++)
        bounds_of(p, law, task->free[i].coeff, &task->free[i]);
    for (int i = 0; i < p->free_count; i++) {
        int coeff = p->free[i].coeff;
        carom_fit_free f;
        bool used = is_used(p, task, coeff);
        if (find_free(task, coeff) || (quiet && !used))
            continue;
        char key[NAME + 8];
        snprintf(key, sizeof key, "free.%s", carom_fit_name(coeff));
        if (!used)
            return carom_request_fail(error, key, "%s does not use it", name);
        if (!bounds_of(p, law, coeff, &f))
            return carom_request_fail(error, key, "needs bounds: --free %s=MIN:MAX", carom_fit_name(coeff));
        if (task->free_count == CAROM_FIT_SHARED)
            return carom_request_fail(error, "", "more than %d free coefficients", CAROM_FIT_SHARED);
        task->free[task->free_count++] = f;
    }
    for (int q = CAROM_FIT_Q; q < CAROM_FIT_COUNT; q++) {
        if (!is_used(p, task, q) || find_free(task, q))
            continue;
        if (task->free_count == CAROM_FIT_SHARED)
            return carom_request_fail(error, "", "more than %d free coefficients", CAROM_FIT_SHARED);
        bounds_of(p, law, q, &task->free[task->free_count++]);
    }
    return true;
}

static bool set_local(const carom_fit_plan *p, bool quiet, carom_fit_data *data, carom_fit_task *task,
                      carom_case_error *error)
{
    bool any = false;
    for (int i = 0; i < p->local_count; i++) {
        carom_fit_free *f = find_free(task, p->local[i]);
        char key[NAME + 16];
        snprintf(key, sizeof key, "per.%s", carom_fit_name(p->local[i]));
        char name[CAROM_FIT_LAW_NAME];
        carom_fit_law_name(carom_fit_law_of(task), name);
        if (!f && !quiet)
            return carom_request_fail(error, key, "it is not a free coefficient of %s", name);
        if (f)
            f->local = any = true;
    }
    for (int i = 0; i < data->count; i++)
        data->impacts[i].record = p->by_group ? data->rows[i].group + 1 : 0;
    for (int i = 0; i < data->count; i++)
        data->impacts[i].unit = !any ? 0 : p->per_impact ? i : data->rows[i].group;
    task->unit_count = !any ? 1 : p->per_impact ? data->count : data->group_count;
    return true;
}

/* There must be at least as many numbers as parameters. */
static bool has_enough(const carom_fit_data *data, const carom_fit_task *task, carom_case_error *error)
{
    long numbers = 0, parameters = 0;
    for (int i = 0; i < data->count; i++)
        numbers += data->impacts[i].count;
    for (int i = 0; i < task->free_count; i++)
        parameters += task->free[i].local ? task->unit_count : 1;
    char name[CAROM_FIT_LAW_NAME];
    carom_fit_law_name(carom_fit_law_of(task), name);
    if (parameters == 0)
        return carom_request_fail(error, "", "no coefficient of %s is free", name);
    return numbers >= parameters ||
           carom_request_fail(error, "",
                              "%ld measured numbers cannot determine %ld coefficients; fix some with --fix KEY=VALUE",
                              numbers, parameters);
}

/* A law of one contact is for impacts at one. */
static bool suits(carom_fit_choice choice, const carom_fit_data *data, carom_case_error *error)
{
    for (int i = 0; i < data->count && !choice.together; i++)
        if (data->impacts[i].contacts)
            return carom_request_fail(error, "data", "line %ld has several contacts, and %s is a law of one",
                                      data->rows[i].line, choice.law->id);
    return true;
}

bool carom_fit_plan_task(const carom_fit_plan *p, carom_fit_choice choice, carom_fit_data *data, bool quiet,
                         carom_fit_task *task, carom_case_error *error)
{
    if (!suits(choice, data, error))
        return false;
    *task = choice.together ? carom_fit_task_together(choice.together, choice.law, data->count, data->impacts)
                            : carom_fit_task_default(choice.law, data->count, data->impacts);
    task->loss = p->loss;
    task->loss_parameter = p->loss_parameter;
    task->scale = p->scale;
    task->intervals = p->intervals;
    task->seed = p->seed ? p->seed : task->seed;
    fix(p, task);
    if (!set_functions(p, quiet, data, task, error) || !set_free(p, quiet, task, error) ||
        !set_local(p, quiet, data, task, error))
        return false;
    carom_rule rule = task->rule;
    carom_coeff culprit;
    if (carom_rule_check(&rule, &culprit) != CAROM_STATUS_OK) {
        char key[NAME + 8];
        snprintf(key, sizeof key, "fix.%s", carom_coeff_at(culprit)->name);
        return carom_request_fail(error, key, "%g is outside its range %s", carom_coeffs_get(&rule.coeffs, culprit),
                                  carom_coeff_at(culprit)->range);
    }
    return has_enough(data, task, error);
}
