/* The answer of a fit as JSON. */
#include <math.h>

#include "carom/fit_plan.h"
#include "carom/json_short.h"
#include "io/case/reader.h"

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *pair(double low, double high)
{
    json_t *array = json_array();
    json_array_append_new(array, number(low));
    json_array_append_new(array, number(high));
    return array;
}

static json_t *law_name(const carom_fit_task *task)
{
    char name[CAROM_FIT_LAW_NAME];
    carom_fit_law_name(carom_fit_law_of(task), name);
    return json_string(name);
}

/* A quantity of each parameter: shared ones as numbers, local ones as arrays over units. */
typedef json_t *of_parameter(const carom_fit_estimate *p);

static json_t *value_of(const carom_fit_estimate *p)
{
    return carom_fit_is_determined(p) ? number(p->value) : json_null();
}

static json_t *std_of(const carom_fit_estimate *p)
{
    return number(p->std);
}

static json_t *interval_of(const carom_fit_estimate *p)
{
    return pair(p->low, p->high);
}

static json_t *each(const carom_fit_result *r, of_parameter *what, bool determined)
{
    json_t *object = json_object();
    for (int i = 0; i < r->parameter_count; i++) {
        const carom_fit_estimate *p = &r->parameters[i];
        const char *name = carom_fit_name(p->coeff);
        if (i < r->shared_count) {
            if (!determined || isfinite(p->std))
                json_object_set_new(object, name, what(p));
            continue;
        }
        if (!json_object_get(object, name))
            json_object_set_new(object, name, json_array());
        json_array_append_new(json_object_get(object, name), what(p));
    }
    return object;
}

static json_t *names_in(const carom_fit_result *r, bool bound)
{
    json_t *array = json_array();
    for (int i = 0; i < r->shared_count; i++) {
        const carom_fit_estimate *p = &r->parameters[i];
        bool on = p->state == CAROM_FIT_AT_MIN || p->state == CAROM_FIT_AT_MAX;
        if (bound ? on : !carom_fit_is_determined(p))
            json_array_append_new(array, json_string(carom_fit_name(p->coeff)));
    }
    return array;
}

static json_t *covariance(const carom_fit_result *r)
{
    json_t *object = json_object(), *of = json_array(), *matrix = json_array();
    for (int a = 0; a < r->shared_count; a++) {
        if (!isfinite(r->parameters[a].std))
            continue;
        json_t *row = json_array();
        json_array_append_new(of, json_string(carom_fit_name(r->parameters[a].coeff)));
        for (int b = 0; b < r->shared_count; b++)
            if (isfinite(r->parameters[b].std))
                json_array_append_new(row, number(r->covariance[a * r->shared_count + b]));
        json_array_append_new(matrix, row);
    }
    json_object_set_new(object, "of", of);
    json_object_set_new(object, "matrix", matrix);
    return object;
}

static void add_criteria(json_t *object, const carom_fit_criteria *c)
{
    json_object_set_new(object, "minus_2_log_likelihood", number(c->minus_2_log_likelihood));
    json_object_set_new(object, "aic", number(c->aic));
    json_object_set_new(object, "aicc", number(c->aicc));
    json_object_set_new(object, "bic", number(c->bic));
    json_object_set_new(object, "k", json_integer(c->k));
    json_object_set_new(object, "n", json_integer(c->n));
}

static json_t *criteria(const carom_fit_criteria *c)
{
    json_t *object = json_object();
    add_criteria(object, c);
    return object;
}

/* {"e": "c (v/V)^-q"}. */
static json_t *functions(const carom_coeffs *c)
{
    json_t *object = json_object();
    const carom_of_speed *f[2] = {&c->e_of_speed, &c->mu_of_speed};
    for (int k = 0; k < 2; k++)
        if (f[k]->form)
            json_object_set_new(object, k ? "mu" : "e",
                                json_pack("{s:s, s:s, s:f}", "form", carom_speed_word((carom_speed_form)f[k]->form),
                                          "equation", carom_speed_equation((carom_speed_form)f[k]->form), "speed",
                                          f[k]->speed));
    return object;
}

/* The coefficients of the law as cases, scenes and --set take them; without those that have a value per impact. */
static json_t *coefficients(const carom_fit_answer *answer)
{
    const uint64_t uses = carom_fit_uses(&answer->task);
    carom_coeffs c = answer->task.rule.coeffs;
    uint64_t local = 0;
    json_t *object = json_object();
    for (int i = 0; i < answer->result.parameter_count; i++) {
        const carom_fit_estimate *p = &answer->result.parameters[i];
        if (p->coeff == CAROM_FIT_Q)
            c.e_of_speed.q = p->value;
        else if (p->coeff == CAROM_FIT_Q_MU)
            c.mu_of_speed.q = p->value;
        else {
            carom_coeffs_set(&c, (carom_coeff)p->coeff, p->value);
            local |= p->unit >= 0 ? UINT64_C(1) << p->coeff : 0;
        }
    }
    c.e_of_speed.form = answer->task.rule.coeffs.e_of_speed.form;
    c.mu_of_speed.form = answer->task.rule.coeffs.mu_of_speed.form;
    for (int i = 0; i < CAROM_COEFF_COUNT; i++) {
        const carom_of_speed *f = i == CAROM_COEFF_e ? &c.e_of_speed : i == CAROM_COEFF_mu ? &c.mu_of_speed : NULL;
        double value = carom_coeffs_get(&c, (carom_coeff)i);
        if (!(uses >> i & 1) || local >> i & 1 || value == carom_coeff_at((carom_coeff)i)->value)
            continue;
        json_object_set_new(object, carom_coeff_at((carom_coeff)i)->name,
                            f && f->form ? of_speed_json(f, value) : number(value));
    }
    return object;
}

static json_t *task(const carom_fit_answer *answer, const carom_fit_plan *plan)
{
    static const char *const losses[] = {"squares", "huber", "student"};
    const carom_fit_task *t = &answer->task;
    json_t *object = json_object(), *free = json_array(), *local = json_array(), *bounds = json_object();
    json_object_set_new(object, "law", law_name(&answer->task));
    for (int i = 0; i < t->free_count; i++) {
        const char *name = carom_fit_name(t->free[i].coeff);
        json_array_append_new(t->free[i].local ? local : free, json_string(name));
        json_object_set_new(bounds, name, pair(t->free[i].min, t->free[i].max));
    }
    json_object_set_new(object, "free", free);
    if (json_array_size(local) > 0)
        json_object_set(object, plan->per_impact ? "per_impact" : "per_group", local);
    json_decref(local);
    json_object_set_new(object, "bounds", bounds);
    if (t->loss != CAROM_FIT_SQUARES)
        json_object_set_new(object, "loss",
                            json_pack("{s:s, s:f}", "kind", losses[t->loss], "parameter", t->loss_parameter));
    if (carom_coeffs_vary(&t->rule.coeffs))
        json_object_set_new(object, "of_speed", functions(&t->rule.coeffs));
    json_object_set_new(object, "noise", json_string(t->scale ? "scale" : "known"));
    return object;
}

static json_t *impact(const carom_fit_row *row, const carom_fit_case *d)
{
    json_t *object = json_object(), *residuals = json_object(), *standard = json_object();
    if (row->name)
        json_object_set_new(object, "name", json_string(row->name));
    json_object_set_new(object, "line", json_integer(row->line));
    json_object_set_new(object, "mode", json_string(d->mode ? d->mode : ""));
    for (int k = 0; k < d->count; k++) {
        json_object_set_new(residuals, row->label[k], number(d->residual[k]));
        json_object_set_new(standard, row->label[k], number(d->standard[k]));
    }
    json_object_set_new(object, "residuals", residuals);
    json_object_set_new(object, "standardised", standard);
    json_object_set_new(object, "leverage", number(d->leverage));
    json_object_set_new(object, "cook", number(d->cook));
    return object;
}

/* Impacts, counts of their modes, and those that a robust loss weighs down. */
static void add_impacts(json_t *object, const carom_fit_answer *answer, const carom_fit_plan *plan,
                        const carom_fit_data *data)
{
    json_t *impacts = json_array(), *modes = json_object(), *down = json_array();
    carom_fit_case d;
    for (int i = 0; i < data->count; i++) {
        if (carom_fit_diagnose(&answer->task, &answer->result, i, &d) != CAROM_STATUS_OK)
            continue;
        const char *mode = d.mode ? d.mode : "";
        if (plan->impacts)
            json_array_append_new(impacts, impact(&data->rows[i], &d));
        json_object_set_new(modes, mode, json_integer(1 + json_number_value(json_object_get(modes, mode))));
        if (d.downweighted)
            json_array_append_new(down, json_integer(i));
    }
    if (answer->task.loss != CAROM_FIT_SQUARES)
        json_object_set(object, "downweighted", down);
    json_decref(down);
    json_object_set_new(object, "modes", modes);
    if (plan->impacts)
        json_object_set(object, "impacts", impacts);
    json_decref(impacts);
}

static void add_tests(json_t *object, const carom_fit_answer *answer)
{
    json_t *runs = json_array(), *notes = json_array();
    for (int i = 0; i < answer->trend_count; i++) {
        const carom_fit_trend *t = &answer->trends[i];
        json_array_append_new(runs, json_pack("{s:s, s:s, s:i, s:i, s:f}", "component", t->label, "along",
                                              t->along_angle ? "angle" : "speed", "count", t->count, "runs", t->runs,
                                              "p", t->p));
    }
    for (int i = 0; i < answer->note_count; i++) {
        char text[CAROM_FIT_NOTE_SIZE];
        carom_fit_note_text(answer, &answer->notes[i], text);
        json_array_append_new(notes, json_string(text));
    }
    json_object_set_new(object, "runs", runs);
    json_object_set_new(object, "notes", notes);
}

static void add_flat(json_t *object, const carom_fit_result *r)
{
    json_t *flat = json_object();
    for (int i = 0; i < r->shared_count; i++)
        if (r->parameters[i].state == CAROM_FIT_FLAT && isfinite(r->parameters[i].flat_low))
            json_object_set_new(flat, carom_fit_name(r->parameters[i].coeff),
                                pair(r->parameters[i].flat_low, r->parameters[i].flat_high));
    if (json_object_size(flat) > 0)
        json_object_set(object, "flat", flat);
    json_decref(flat);
}

static json_t *answer_json(const carom_fit_answer *answer, const carom_fit_plan *plan, const carom_fit_data *data,
                           const char *file)
{
    const carom_fit_result *r = &answer->result;
    json_t *object = json_object();
    json_object_set_new(object, "data", json_string(file));
    json_object_set_new(object, "task", task(answer, plan));
    json_object_set_new(object, "estimate", each(r, value_of, false));
    json_object_set_new(object, "coefficients", coefficients(answer));
    json_object_set_new(object, "objective", number(r->objective));
    json_object_set_new(object, "chi2", number(r->chi2));
    json_object_set_new(object, "at_bound", names_in(r, true));
    json_object_set_new(object, "not_identifiable", names_in(r, false));
    json_object_set_new(object, "gradient_norm_scaled", number(r->gradient));
    json_object_set_new(object, "std", each(r, std_of, true));
    json_object_set_new(object, "covariance", covariance(r));
    if (answer->task.intervals)
        json_object_set_new(object, "intervals95", each(r, interval_of, false));
    add_flat(object, r);
    if (answer->task.loss == CAROM_FIT_SQUARES) {
        json_object_set_new(object, "p_value", number(r->p_value));
        json_object_set_new(object, "criteria", criteria(&r->criteria));
        json_object_set_new(object, "criteria_scale_estimated", criteria(&r->criteria_scale));
        json_object_set_new(object, "scale", number(r->scale));
        json_object_set_new(object, "scale_unbiased", number(r->scale_unbiased));
    }
    if (answer->has_score)
        json_object_set_new(object, "cross_validation",
                            json_pack("{s:i, s:s, s:f}", "folds", plan->folds, "assignment", "index mod folds",
                                      "mean_square", answer->score));
    add_tests(object, answer);
    add_impacts(object, answer, plan, data);
    return object;
}

/* A law among others. */
static json_t *row_json(const carom_fit_answer *answer)
{
    const carom_fit_result *r = &answer->result;
    json_t *object = json_object();
    json_object_set_new(object, "law", law_name(&answer->task));
    json_object_set_new(object, "estimate", each(r, value_of, false));
    json_object_set_new(object, "objective", number(r->objective));
    json_object_set_new(object, "chi2", number(r->chi2));
    if (answer->task.loss == CAROM_FIT_SQUARES)
        add_criteria(object, answer->task.scale ? &r->criteria_scale : &r->criteria);
    json_object_set_new(object, "not_identifiable", names_in(r, false));
    json_object_set_new(object, "at_bound", names_in(r, true));
    if (answer->has_score)
        json_object_set_new(object, "cross_validation", number(answer->score));
    json_object_set_new(object, answer->task.loss == CAROM_FIT_SQUARES ? "delta_aicc" : "delta", number(answer->delta));
    if (answer->task.loss == CAROM_FIT_SQUARES)
        json_object_set_new(object, "weight", number(answer->weight));
    if (answer->tie)
        json_object_set_new(object, "tie", json_true());
    return object;
}

static json_t *left_out_json(const carom_fit_answers *answers)
{
    json_t *list = json_array();
    for (int i = 0; i < answers->left_out_count; i++) {
        char name[CAROM_FIT_LAW_NAME];
        carom_fit_law_name(answers->left_out[i].law, name);
        json_array_append_new(list, json_pack("{s:s, s:s}", "law", name, "why", answers->left_out[i].why));
    }
    return list;
}

carom_json *carom_fit_json(const carom_fit_answers *answers, const carom_fit_plan *plan, const carom_fit_data *data,
                           const char *file)
{
    json_t *object = answer_json(&answers->list[0], plan, data, file), *rows = plan->law ? NULL : json_array();
    for (int i = 0; i < answers->count && rows; i++)
        json_array_append_new(rows, row_json(&answers->list[i]));
    if (rows) {
        json_object_set_new(object, "compare", rows);
        json_object_set_new(object, "left_out", left_out_json(answers));
    }
    return object;
}
