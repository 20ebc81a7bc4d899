/* A coefficient that depends on the speed of approach: {"power": {"value": 0.8, "q": 0.12, "from": 0.1}}. */
#include <math.h>
#include <string.h>

#include "io/case/format.h"

static bool find_form(const reader *r, const place *at, const json_t *object, double *form)
{
    int found = 0;
    for (int i = CAROM_SPEED_LINEAR; i < CAROM_SPEED_COUNT; i++)
        if (json_object_get(object, carom_speed_word((carom_speed_form)i)))
            *form = i, found++;
    return found == 1 || reader_fail(r, at, "must be a number, or one of \"linear\", \"power\" and \"viscoelastic\"");
}

static bool check_value(const reader *r, const place *at, carom_coeff i, double value)
{
    const place here = {at, "value"};
    const bool fits = value >= 0 && (i == CAROM_COEFF_mu || value <= 1);
    return fits || reader_fail_number(r, &here, i == CAROM_COEFF_mu ? "must be >= 0" : "must be in 0...1", value);
}

/* Towards v = 0 the function stays finite, or ends before. */
static bool check_ends(const reader *r, const place *at, const carom_of_speed *f)
{
    const place from = {at, "from"}, to = {at, "to"};
    bool grows = f->form == CAROM_SPEED_POWER ? f->q > 0 : f->form == CAROM_SPEED_VISCOELASTIC && f->q < 0;
    if (grows && !(f->from > 0))
        return reader_fail(r, &from, "must be > 0: without it the function has no end towards low speeds");
    return f->to > f->from || reader_fail_number(r, &to, "must be above from", f->to);
}

bool reader_of_speed(const reader *r, const place *at, const json_t *object, carom_coeff i, carom_coeffs *coeffs)
{
    carom_of_speed f = {.speed = 1, .to = INFINITY};
    double value = 0;
    if (i != CAROM_COEFF_e && i != CAROM_COEFF_mu)
        return reader_fail(r, at, "must be a number: only e and mu can depend on the speed");
    if (!reader_object(r, at, object, FORMAT_of_speed) || !find_form(r, at, object, &f.form))
        return false;
    place here = {at, carom_speed_word((carom_speed_form)f.form)};
    const json_t *numbers = json_object_get(object, here.key);
    if (i == CAROM_COEFF_mu && f.form == CAROM_SPEED_VISCOELASTIC)
        return reader_fail(r, &here, "is a form of e");
    if (!reader_object(r, &here, numbers, FORMAT_speed_function))
        return false;
    reader_take(numbers, "value", &value);
    reader_take(numbers, "q", &f.q);
    reader_take(numbers, "speed", &f.speed);
    reader_take(numbers, "from", &f.from);
    reader_take(numbers, "to", &f.to);
    carom_coeffs_set(coeffs, i, value);
    *(i == CAROM_COEFF_e ? &coeffs->e_of_speed : &coeffs->mu_of_speed) = f;
    return check_value(r, &here, i, value) && check_ends(r, &here, &f);
}

json_t *of_speed_json(const carom_of_speed *f, double value)
{
    json_t *numbers = json_pack("{s:f, s:f, s:f, s:f}", "value", value, "q", f->q, "speed", f->speed, "from", f->from);
    if (isfinite(f->to))
        json_object_set_new(numbers, "to", json_real(f->to));
    return json_pack("{s:o}", carom_speed_word((carom_speed_form)f->form), numbers);
}

/* The coefficients of every contact at its speed of approach. */
void case_take_speeds(carom_case *c)
{
    c->of_speed |= carom_coeffs_vary(&c->rule.coeffs);
    for (int i = 0; c->together && i < c->count; i++) {
        c->of_speed |= carom_coeffs_vary(&c->coeffs[i]);
        c->coeffs[i] = carom_coeffs_at_speed(&c->coeffs[i], fmax(-carom_case_u(c, i).n, 0));
    }
    double v = c->together ? 0 : fmax(-c->problem.u.n, 0);
    c->rule.coeffs = carom_coeffs_at_speed(&c->rule.coeffs, v);
}
