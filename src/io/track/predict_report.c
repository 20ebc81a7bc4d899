/* Predictions of all records in one table, and coefficients fitted to whole motions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/parallel.h"
#include "carom/prediction.h"
#include "carom/solve.h"
#include "core/simplex.h"
#include "io/track/recording_parts.h"

#define RANDOM 2.0 /* greatest factor of a random start */
#define INSIDE 0.9 /* of the range of a coefficient: the furthest that a start lies */
#define SEED   20010101

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

/* A number, or null where the record does not reach so far. */
static json_t *number_or_null(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

/* The errors of every record that was predicted. */
static json_t *each_json(const job *j)
{
    json_t *each = json_array();
    for (int i = 0; i < j->r->record_count; i++) {
        const carom_prediction *p = &j->results[i];
        if (p->state != CAROM_PREDICTION_MADE)
            continue;
        json_t *one = json_pack("{s:s}", "record", j->r->records[i].name);
        json_object_set_new(one, "next_velocity_m_s", number_or_null(p->next_v));
        json_object_set_new(one, "next_spin_rad_s", number_or_null(p->next_omega));
        json_object_set_new(one, "five_frames_mm", number_or_null(1e3 * p->five_x));
        json_object_set_new(one, "five_frames_deg", number_or_null(DEGREES * p->five_q));
        json_object_set_new(one, "twenty_frames_mm", number_or_null(1e3 * p->twenty_x));
        json_object_set_new(one, "twenty_frames_deg", number_or_null(DEGREES * p->twenty_q));
        json_object_set_new(one, "rest_place_mm", number_or_null(1e3 * p->rest_x));
        json_object_set_new(one, "rest_face", p->rests ? json_boolean(p->face) : json_null());
        json_array_append_new(each, one);
    }
    return each;
}

/* How many runs have a gradient over the horizon, and why others have none. */
static json_t *gradients_json(const job *j)
{
    json_t *counts = json_object();
    for (int k = 0; k < CAROM_GRADIENT_REFUSAL_COUNT; k++) {
        int count = 0;
        for (int i = 0; i < j->r->record_count; i++)
            count +=
                j->results[i].state == CAROM_PREDICTION_MADE && j->results[i].gradient == (carom_gradient_refusal)k;
        if (count > 0 || k == CAROM_GRADIENT_NONE)
            json_object_set_new(counts, k ? carom_gradient_refusal_word((carom_gradient_refusal)k) : "gradient",
                                json_integer(count));
    }
    return counts;
}

static json_t *table(const job *j, double *list)
{
    int rests = 0, right = 0;
    mark_rest(j, &rests, &right);
    json_t *t = json_object();
    json_object_set_new(t, "records", counts(j));
    if (j->plan->gradients && !j->plan->mover)
        json_object_set_new(t, "gradients", gradients_json(j));
    json_object_set_new(t, "next_velocity_m_s", summary(j, offsetof(carom_prediction, next_v), list, 1));
    json_object_set_new(t, "next_spin_rad_s", summary(j, offsetof(carom_prediction, next_omega), list, 1));
    json_object_set_new(t, "five_frames_mm", summary(j, offsetof(carom_prediction, five_x), list, 1e3));
    json_object_set_new(t, "five_frames_deg", summary(j, offsetof(carom_prediction, five_q), list, DEGREES));
    json_object_set_new(t, "twenty_frames_mm", summary(j, offsetof(carom_prediction, twenty_x), list, 1e3));
    json_object_set_new(t, "twenty_frames_deg", summary(j, offsetof(carom_prediction, twenty_q), list, DEGREES));
    json_object_set_new(t, "rest_place_mm", summary(j, offsetof(carom_prediction, rest_x), list, 1e3));
    json_object_set_new(t, "rest_face", json_pack("{s:i, s:i}", "right", right, "records", rests));
    json_object_set_new(t, "loss", summary(j, offsetof(carom_prediction, loss), list, 1));
    json_object_set_new(t, "each", each_json(j));
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
    plan.gradients = false;
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

/* A number in 0...1 that depends on the start and the coefficient alone (splitmix64, 53 bits). */
static double drawn(int start, int k)
{
    uint64_t z = SEED + UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(start * CAROM_PREDICTION_FREE + k + 1);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Coefficient k where a start begins: the given value times 1, a fixed factor, or a random one. */
static double first_value(const carom_prediction_plan *p, int start, int k)
{
    double most = p->free[k] == CAROM_PREDICTION_SLIDING ? INFINITY : carom_coeff_at((carom_coeff)p->free[k])->max;
    double factor = start == 0 ? 1 : start == 1 ? k % 2 ? 1 / SPREAD : SPREAD : pow(RANDOM, 2 * drawn(start, k) - 1);
    double value = get(p, k) * factor;
    return start > 1 && value * (1 + FIRST_STEP) > most ? INSIDE * most / (1 + FIRST_STEP) : value;
}

static void begin_simplex(simplex *s, int start)
{
    job *j = s->context;
    const carom_prediction_plan *p = j->plan;
    s->n = p->free_count;
    j->left = p->evaluations;
    for (int i = 0; i <= s->n; i++)
        for (int k = 0; k < s->n; k++)
            s->point[i][k] = first_value(p, start, k) * (i == k + 1 ? 1 + FIRST_STEP : 1);
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
    const int count = plan->starts < CAROM_PREDICTION_STARTS ? plan->starts : CAROM_PREDICTION_STARTS;
    job j = {r, plan, malloc(((size_t)r->record_count + 1) * sizeof *j.results), threads, 0};
    simplex ends[CAROM_PREDICTION_STARTS], best = {.value = {INFINITY}, .context = &j};
    json_t *starts = json_array();
    *answer = NULL;
    for (int i = 0; i < count && j.results; i++) {
        ends[i] = (simplex){.at = loss_at, .context = &j};
        begin_simplex(&ends[i], i);
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
    for (int i = 0; i < count; i++)
        agree &= ends_alike(&ends[i], &best);
    *answer = json_pack("{s:o, s:o, s:b, s:i}", "estimate", values_json(&best), "starts", starts, "agree", agree,
                        "horizon", plan->horizon);
    for (int k = 0; k < plan->free_count; k++)
        set(plan, k, best.point[0][k]);
    return true;
}
