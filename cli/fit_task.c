#include "fit_task.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 32 };

#define HUBER   1.345
#define STUDENT 4

fit_plan fit_plan_start(void)
{
    fit_plan p = {.intervals = true, .folds = FIT_FOLDS, .v_ref = 1};
    return p;
}

/* ---- words ---- */

/* The coefficient called name, q included; complains in the name of the option. */
static bool find_coefficient(const char *option, const char *name, int *coeff)
{
    *coeff = strcmp(name, "q") == 0 ? CAROM_FIT_Q : (int)carom_coeff_find(name);
    if (*coeff == CAROM_FIT_Q && strcmp(name, "q") != 0) {
        const char *hint = carom_nearest_coefficient(name);
        if (hint)
            complain("%s: unknown coefficient \"%s\"; did you mean \"%s\"?", option, name, hint);
        else
            complain("%s: unknown coefficient \"%s\"; `carom laws show LAW` lists them", option, name);
        return false;
    }
    return true;
}

bool fit_plan_fix(fit_plan *p, const char *text)
{
    return settings_set(&p->settings, text);
}

bool fit_plan_free(fit_plan *p, const char *text)
{
    if (p->freed_count == FIT_NAMES)
        return complain("fit: --free %d times at most", FIT_NAMES), false;
    return find_coefficient("--free", text, &p->freed[p->freed_count]) && ++p->freed_count;
}

bool fit_plan_bounds(fit_plan *p, const char *text)
{
    char name[NAME], tail;
    fit_bounds b;
    if (p->bounds_count == FIT_NAMES)
        return complain("fit: --bounds %d times at most", FIT_NAMES), false;
    if (sscanf(text, "%31[A-Za-z0-9_]=%lf:%lf%c", name, &b.min, &b.max, &tail) != 3 || !(b.min < b.max) ||
        !isfinite(b.min) || !isfinite(b.max))
        return complain("--bounds: expected KEY=MIN:MAX with MIN < MAX, got \"%s\"", text), false;
    if (!find_coefficient("--bounds", name, &b.coeff))
        return false;
    p->bounds[p->bounds_count++] = b;
    return true;
}

bool fit_plan_local(fit_plan *p, const char *text, bool per_impact)
{
    const char *option = per_impact ? "--per-impact" : "--per-group";
    p->per_impact |= per_impact;
    p->per_group |= !per_impact;
    if (p->per_impact && p->per_group)
        return complain("fit: give --per-impact or --per-group, not both"), false;
    if (p->local_count == CAROM_FIT_LOCAL)
        return complain("fit: %s for at most %d coefficients", option, CAROM_FIT_LOCAL), false;
    return find_coefficient(option, text, &p->local[p->local_count]) && ++p->local_count;
}

/* "word:number"; the number has a default when there is none. */
static bool word_and_number(const char *text, const char *word, double otherwise, double *number)
{
    size_t length = strlen(word);
    if (strncmp(text, word, length) != 0 || (text[length] != 0 && text[length] != ':'))
        return false;
    *number = otherwise;
    return text[length] == 0 || (settings_number(text + length + 1, number) && *number > 0);
}

bool fit_plan_speed(fit_plan *p, const char *text)
{
    static const char *const forms[] = {"power", "plastic", "viscoelastic"};
    static const carom_fit_speed speeds[] = {CAROM_FIT_POWER, CAROM_FIT_PLASTIC, CAROM_FIT_VISCOELASTIC};
    for (int i = 0; i < 3; i++)
        if (word_and_number(text, forms[i], 1, &p->v_ref)) {
            p->speed = speeds[i];
            return true;
        }
    return complain("--e-of-v: expected power:V, plastic:V or viscoelastic:V with V > 0 in m/s, got \"%s\"", text),
           false;
}

bool fit_plan_loss(fit_plan *p, const char *text)
{
    if (strcmp(text, "squares") == 0)
        p->loss = CAROM_FIT_SQUARES;
    else if (word_and_number(text, "huber", HUBER, &p->loss_parameter))
        p->loss = CAROM_FIT_HUBER;
    else if (word_and_number(text, "student", STUDENT, &p->loss_parameter))
        p->loss = CAROM_FIT_STUDENT;
    else
        return complain("--loss: expected squares, huber:K or student:NU, got \"%s\"", text), false;
    return true;
}

bool fit_plan_noise(fit_plan *p, const char *text)
{
    p->scale = strcmp(text, "scale") == 0;
    if (!p->scale && strcmp(text, "known") != 0)
        return complain("--noise: must be \"known\" or \"scale\", got \"%s\"", text), false;
    return true;
}

bool fit_plan_laws(fit_plan *p, const char *text)
{
    char name[64];
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, ",");
        settings s = {0};
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
        if (!settings_law(&s, name))
            return false;
        if (!s.law || p->law_count == FIT_LAWS)
            return complain("--laws: %s is for several contacts, or too many laws", name), false;
        p->laws[p->law_count++] = s.law;
        at += length + (at[length] == ',');
    }
    return true;
}

/* ---- the task ---- */

static carom_fit_free *find_free(carom_fit_task *task, int coeff)
{
    for (int i = 0; i < task->free_count; i++)
        if (task->free[i].coeff == coeff)
            return &task->free[i];
    return NULL;
}

static void fix(const fit_plan *p, carom_fit_task *task)
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

/* The bounds of a coefficient: those of --bounds, else the default ones. */
static bool bounds_of(const fit_plan *p, const carom_law *law, int coeff, carom_fit_free *f)
{
    f->coeff = coeff;
    f->local = false;
    bool fine = carom_fit_bounds(law, coeff, &f->min, &f->max);
    for (int i = 0; i < p->bounds_count; i++)
        if (p->bounds[i].coeff == coeff) {
            f->min = fmax(p->bounds[i].min, fine ? f->min : -INFINITY);
            f->max = fmin(p->bounds[i].max, fine ? f->max : INFINITY);
            fine = true;
        }
    return fine;
}

static bool set_free(const fit_plan *p, bool quiet, carom_fit_task *task)
{
    const carom_law *law = task->rule.law;
    for (int i = 0; i < task->free_count; i++)
        bounds_of(p, law, task->free[i].coeff, &task->free[i]);
    for (int i = 0; i < p->freed_count; i++) {
        int coeff = p->freed[i];
        carom_fit_free f;
        bool used = coeff == CAROM_FIT_Q ? p->speed == CAROM_FIT_POWER : law->uses >> coeff & 1;
        if (find_free(task, coeff) || (quiet && !used))
            continue;
        if (!used)
            return complain("--free %s: %s does not use it", carom_fit_name(coeff), law->id), false;
        if (!bounds_of(p, law, coeff, &f))
            return complain("--free %s: needs bounds: --bounds %s=MIN:MAX", carom_fit_name(coeff),
                            carom_fit_name(coeff)),
                   false;
        if (task->free_count == CAROM_FIT_SHARED)
            return complain("fit: more than %d free coefficients", CAROM_FIT_SHARED), false;
        task->free[task->free_count++] = f;
    }
    if (p->speed == CAROM_FIT_POWER && !find_free(task, CAROM_FIT_Q) && task->free_count < CAROM_FIT_SHARED)
        bounds_of(p, law, CAROM_FIT_Q, &task->free[task->free_count++]);
    return true;
}

static bool set_local(const fit_plan *p, bool quiet, carom_fit_data *data, carom_fit_task *task)
{
    bool any = false;
    for (int i = 0; i < p->local_count; i++) {
        carom_fit_free *f = find_free(task, p->local[i]);
        if (!f && !quiet)
            return complain("%s %s: it is not a free coefficient of %s", p->per_impact ? "--per-impact" : "--per-group",
                            carom_fit_name(p->local[i]), task->rule.law->id),
                   false;
        if (f)
            f->local = any = true;
    }
    for (int i = 0; i < data->count; i++)
        data->impacts[i].unit = !any ? 0 : p->per_impact ? i : data->rows[i].group;
    task->unit_count = !any ? 1 : p->per_impact ? data->count : data->group_count;
    return true;
}

/* There must be more numbers than parameters. */
static bool has_enough(const carom_fit_data *data, bool quiet, const carom_fit_task *task)
{
    long numbers = 0, parameters = 0;
    for (int i = 0; i < data->count; i++)
        numbers += data->impacts[i].count;
    for (int i = 0; i < task->free_count; i++)
        parameters += task->free[i].local ? task->unit_count : 1;
    if (numbers >= parameters && parameters > 0)
        return true;
    if (!quiet && parameters == 0)
        complain("fit: no coefficient of %s is free", task->rule.law->id);
    else if (!quiet)
        complain("fit: %ld measured numbers cannot determine %ld coefficients; fix some with --fix KEY=VALUE", numbers,
                 parameters);
    return false;
}

bool fit_plan_task(const fit_plan *p, const carom_law *law, carom_fit_data *data, bool quiet, carom_fit_task *task)
{
    *task = carom_fit_task_default(law, data->count, data->impacts);
    task->loss = p->loss;
    task->loss_parameter = p->loss_parameter;
    task->speed = p->speed;
    task->v_ref = p->v_ref;
    task->scale = p->scale;
    task->intervals = p->intervals;
    task->seed = p->seed ? p->seed : task->seed;
    fix(p, task);
    if (!set_free(p, quiet, task) || !set_local(p, quiet, data, task))
        return false;
    carom_rule rule = task->rule;
    carom_coeff culprit;
    if (carom_rule_check(&rule, &culprit) != CAROM_STATUS_OK) {
        if (!quiet)
            complain("--fix %s: %g is outside its range %s", carom_coeff_at(culprit)->name,
                     carom_coeffs_get(&rule.coeffs, culprit), carom_coeff_at(culprit)->range);
        return false;
    }
    return has_enough(data, quiet, task);
}
