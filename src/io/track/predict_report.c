/* Predictions of all records in one table, and coefficients fitted to whole motions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/parallel.h"
#include "carom/prediction.h"
#include "carom/solve.h"
#include "core/simplex.h"
#include "io/track/recording_parts.h"

enum { STARTS = 2 };

#define LOSS_REFUSED 10.0 /* of a record that the simulator refuses: e^10 units of the distance */
#define FIRST_STEP   0.3  /* of the value, for the simplex */
#define SPREAD       1.6  /* factor between starts */
#define CONVERGED    1e-4 /* of the loss, over the simplex */
#define SAME         0.05 /* of a value: starts that end no further apart agree */

/* ---- the plan ---- */

bool carom_prediction_plan_free(carom_prediction_plan *plan, const char *name, carom_case_error *error)
{
    bool sliding = strcmp(name, "sliding") == 0;
    int coeff = sliding ? CAROM_PREDICTION_SLIDING : (int)carom_coeff_find(name);
    if (coeff == CAROM_COEFF_COUNT && !sliding)
        return carom_request_fail(error, "fit", "unknown coefficient \"%s\"", name);
    if (plan->free_count == CAROM_PREDICTION_FREE)
        return carom_request_fail(error, "fit", "at most %d coefficients", CAROM_PREDICTION_FREE);
    plan->free[plan->free_count++] = coeff;
    return true;
}

bool carom_prediction_plan_check(carom_prediction_plan *plan, carom_case_error *error)
{
    carom_coeff culprit;
    if (carom_rule_check(&plan->rule, &culprit) != CAROM_STATUS_OK)
        return carom_request_fail(error, "set", "%s is outside its range", carom_coeff_at(culprit)->name);
    for (int k = 0; k < plan->free_count; k++)
        if (plan->free[k] == CAROM_PREDICTION_SLIDING && !(plan->sliding > 0))
            plan->sliding = plan->rule.coeffs.mu;
    return true;
}

/* ---- all records ---- */

typedef struct job {
    const carom_recording *r;
    const carom_prediction_plan *plan;
    carom_prediction *results;
    int threads;
    int left; /* evaluations of a fit */
} job;

static void predict_one(void *context, int i)
{
    const job *j = context;
    static const carom_prediction skipped = {.state = CAROM_PREDICTION_NO_FLIGHT};
    j->results[i] = i % j->plan->every ? skipped : carom_recording_predict(j->r, j->plan, i);
}

/* ---- the table ---- */

/* Median and root mean square of a number of the predictions, those that are finite. */
static json_t *summary(const job *j, size_t offset, double *list, double factor)
{
    double squares = 0;
    int count = 0;
    for (int i = 0; i < j->r->record_count; i++) {
        double x = *(const double *)((const char *)&j->results[i] + offset);
        if (j->results[i].state == CAROM_PREDICTION_MADE && isfinite(x)) {
            list[count++] = factor * x;
            squares += factor * factor * x * x;
        }
    }
    if (count == 0)
        return json_null();
    return json_pack("{s:f, s:f, s:i}", "median", median_of(list, count), "rms", sqrt(squares / count), "records",
                     count);
}

static void mark_rest(const job *j, int *rests, int *right)
{
    for (int i = 0; i < j->r->record_count; i++) {
        carom_prediction *p = &j->results[i];
        if (p->state != CAROM_PREDICTION_MADE || !p->rests)
            p->rest_x = NAN;
        else
            ++*rests, *right += p->face;
    }
}

static json_t *counts(const job *j)
{
    int made = 0, fault = 0, flight = 0, refused = 0;
    for (int i = 0; i < j->r->record_count; i++) {
        made += j->results[i].state == CAROM_PREDICTION_MADE;
        fault += j->results[i].state == CAROM_PREDICTION_FAULT;
        flight += j->results[i].state == CAROM_PREDICTION_NO_FLIGHT;
        refused += j->results[i].state == CAROM_PREDICTION_REFUSED;
    }
    return json_pack("{s:i, s:i, s:i, s:i, s:i}", "all", j->r->record_count, "predicted", made, "faults", fault,
                     "no flight before the first impact", flight, "refused by the simulator", refused);
}

#define DEGREES 57.29577951308232

static json_t *table(const job *j, double *list)
{
    int rests = 0, right = 0;
    mark_rest(j, &rests, &right);
    json_t *t = json_object();
    json_object_set_new(t, "records", counts(j));
    json_object_set_new(t, "next_velocity_m_s", summary(j, offsetof(carom_prediction, next_v), list, 1));
    json_object_set_new(t, "next_spin_rad_s", summary(j, offsetof(carom_prediction, next_omega), list, 1));
    json_object_set_new(t, "five_frames_mm", summary(j, offsetof(carom_prediction, five_x), list, 1e3));
    json_object_set_new(t, "five_frames_deg", summary(j, offsetof(carom_prediction, five_q), list, DEGREES));
    json_object_set_new(t, "twenty_frames_mm", summary(j, offsetof(carom_prediction, twenty_x), list, 1e3));
    json_object_set_new(t, "twenty_frames_deg", summary(j, offsetof(carom_prediction, twenty_q), list, DEGREES));
    json_object_set_new(t, "rest_place_mm", summary(j, offsetof(carom_prediction, rest_x), list, 1e3));
    json_object_set_new(t, "rest_face", json_pack("{s:i, s:i}", "right", right, "records", rests));
    json_object_set_new(t, "loss", summary(j, offsetof(carom_prediction, loss), list, 1));
    return t;
}

json_t *carom_prediction_report(const carom_recording *r, const carom_prediction_plan *plan, int threads,
                                carom_case_error *error)
{
    size_t count = (size_t)r->record_count;
    job j = {r, plan, malloc((count + 1) * sizeof *j.results), threads, 0};
    double *list = malloc((count + 1) * sizeof *list);
    json_t *answer = NULL;
    if (j.results && list) {
        carom_parallel(threads, r->record_count, predict_one, &j);
        answer = table(&j, list);
    } else
        carom_request_fail(error, "", "out of memory");
    free(j.results);
    free(list);
    return answer;
}

/* ---- fits ---- */

static double get(const carom_prediction_plan *p, int k)
{
    return p->free[k] == CAROM_PREDICTION_SLIDING ? p->sliding
                                                  : carom_coeffs_get(&p->rule.coeffs, (carom_coeff)p->free[k]);
}

static void set(carom_prediction_plan *p, int k, double value)
{
    if (p->free[k] == CAROM_PREDICTION_SLIDING)
        p->sliding = value;
    else
        carom_coeffs_set(&p->rule.coeffs, (carom_coeff)p->free[k], value);
}

/* The mean loss of the records that can be predicted at all; infinite where a coefficient leaves its range. */
static double loss_at(void *context, double *x)
{
    job *start = context;
    carom_prediction_plan plan = *start->plan;
    start->left--;
    plan.short_runs = true;
    carom_coeff culprit;
    double sum = 0;
    int count = 0;
    for (int k = 0; k < plan.free_count; k++) {
        set(&plan, k, x[k]);
        if (!(x[k] > 0))
            return INFINITY;
    }
    if (carom_rule_check(&plan.rule, &culprit) != CAROM_STATUS_OK)
        return INFINITY;
    job j = {start->r, &plan, start->results, start->threads, 0};
    carom_parallel(j.threads, j.r->record_count, predict_one, &j);
    for (int i = 0; i < j.r->record_count; i++) {
        if (j.results[i].state != CAROM_PREDICTION_MADE && j.results[i].state != CAROM_PREDICTION_REFUSED)
            continue;
        sum += j.results[i].state == CAROM_PREDICTION_MADE ? j.results[i].loss : LOSS_REFUSED;
        count++;
    }
    return count > 0 ? sum / count : INFINITY;
}

static void descend(simplex *s)
{
    const job *j = s->context;
    while (j->left > 0 && s->value[s->n] - s->value[0] > CONVERGED * s->value[0])
        simplex_step(s);
}

/* A simplex around the values of the plan, times a factor. */
static void begin_simplex(simplex *s, double factor)
{
    job *j = s->context;
    const carom_prediction_plan *p = j->plan;
    s->n = p->free_count;
    j->left = p->evaluations;
    for (int i = 0; i <= s->n; i++)
        for (int k = 0; k < s->n; k++)
            s->point[i][k] = get(p, k) * (k % 2 ? 1 / factor : factor) * (i == k + 1 ? 1 + FIRST_STEP : 1);
    simplex_start(s);
}

static const char *name_of(int coeff)
{
    return coeff == CAROM_PREDICTION_SLIDING ? "sliding" : carom_coeff_at((carom_coeff)coeff)->name;
}

static json_t *values_json(const simplex *s)
{
    const job *j = s->context;
    json_t *values = json_object();
    for (int k = 0; k < s->n; k++)
        json_object_set_new(values, name_of(j->plan->free[k]), json_real(s->point[0][k]));
    json_object_set_new(values, "loss", json_real(s->value[0]));
    return values;
}

/* Does another start end at the same coefficients? */
static bool ends_alike(const simplex *a, const simplex *b)
{
    for (int k = 0; k < a->n; k++)
        if (fabs(a->point[0][k] - b->point[0][k]) > SAME * fabs(b->point[0][k]))
            return false;
    return true;
}

bool carom_prediction_fit(const carom_recording *r, carom_prediction_plan *plan, int threads, json_t **answer,
                          carom_case_error *error)
{
    static const double factors[STARTS] = {1, SPREAD};
    job j = {r, plan, malloc(((size_t)r->record_count + 1) * sizeof *j.results), threads, 0};
    simplex ends[STARTS], best = {.value = {INFINITY}, .context = &j};
    json_t *starts = json_array();
    *answer = NULL;
    for (int i = 0; i < STARTS && j.results; i++) {
        ends[i] = (simplex){.at = loss_at, .context = &j};
        begin_simplex(&ends[i], factors[i]);
        descend(&ends[i]);
        json_array_append_new(starts, values_json(&ends[i]));
        best = ends[i].value[0] < best.value[0] ? ends[i] : best;
    }
    bool fine = j.results && isfinite(best.value[0]);
    free(j.results);
    if (!fine) {
        json_decref(starts);
        return carom_request_fail(error, "", "no record can be predicted");
    }
    bool agree = true;
    for (int i = 0; i < STARTS; i++)
        agree &= ends_alike(&ends[i], &best);
    *answer = json_pack("{s:o, s:o, s:b, s:i}", "estimate", values_json(&best), "starts", starts, "agree", agree,
                        "horizon", plan->horizon);
    for (int k = 0; k < plan->free_count; k++)
        set(plan, k, best.point[0][k]);
    return true;
}
