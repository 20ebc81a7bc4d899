/* A run traced back from its end: least squares over the inputs of a scene. */
#include "carom/reconstruct.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/json_short.h"
#include "carom/scene_gradient.h"
#include "io/request/wishes.h"

#define DIFFERENCE 1e-3  /* of an input, or of 1 where it is smaller: half the distance of two runs */
#define MET        3.0   /* deviations: a wish that is missed by more is not met */
#define MET_SHARE  0.01  /* of the size of the wishes: the same where they have no deviations */
#define SETTLED    1e-9  /* of the inputs: a step that is shorter ends the search */
#define DAMPED     1e-3  /* of the diagonal, at first */
#define STIFFEST   1e8   /* of the diagonal: beyond, no step helps */
#define SCATTER    0.5   /* of an input, or of 1 where it is smaller: deviation of further starts */
#define LOST       1e-10 /* of the largest pivot: what the wish does not determine */

enum { STEPS = 60, STARTS = 6, N = CAROM_STUDY_VARIABLES, M = CAROM_INVERT_WISHES };

typedef struct square {
    double a[N][N];
} square;

/* ---- words ---- */

static const char expected[] = "KEY=NUMBERS of the end, as bodies.NAME.position=1.2,_,0.5, with _ for those unknown";

bool carom_reconstruction_want(carom_reconstruction *r, const char *text, carom_case_error *error)
{
    return carom_internal_wishes("want", expected, text, r->wishes, &r->wish_count, error);
}

bool carom_reconstruction_sigma(carom_reconstruction *r, const char *text, carom_case_error *error)
{
    return carom_internal_wishes("sigma", expected, text, r->sigmas, &r->sigma_count, error);
}

bool carom_reconstruction_vary(carom_reconstruction *r, const char *text, carom_case_error *error)
{
    const size_t used = strlen(r->names), room = sizeof r->names - used;
    return snprintf(r->names + used, room, "%s%s", used ? "," : "", text) < (int)room ||
           carom_request_fail(error, "vary", "the names are too long");
}

static bool add_variable(carom_reconstruction *r, const char *name, double start, carom_case_error *error)
{
    if (r->v.count == N)
        return carom_request_fail(error, "vary", "more than %d numbers", N);
    carom_variable *one = &r->v.list[r->v.count];
    snprintf(one->name, sizeof one->name, "%s", name);
    one->coeff = carom_coeff_find(name);
    r->start[r->v.count++] = start;
    return true;
}

/* A coefficient, a number of the scene, or all numbers of an array. */
static bool add_name(carom_reconstruction *r, const carom_scene_file *file, const char *name, carom_case_error *error)
{
    const json_t *value = carom_path_follow(file->given ? file->given : file->document, name);
    const carom_coeff i = carom_coeff_find(name);
    char one[CAROM_STUDY_NAME];
    if (i < CAROM_COEFF_COUNT)
        return add_variable(r, name, carom_coeffs_get(&file->scene.rule.coeffs, i), error);
    if (json_is_number(value))
        return add_variable(r, name, json_number_value(value), error);
    if (json_array_size(value) == 0 || strlen(name) + 13 > sizeof one)
        return carom_request_fail(error, "vary", "\"%s\" is neither a coefficient nor the path of numbers in the scene",
                                  name);
    for (size_t k = 0; k < json_array_size(value); k++) {
        snprintf(one, sizeof one, "%.*s.%d", (int)sizeof one - 13, name, (int)k);
        if (!add_variable(r, one, json_number_value(json_array_get(value, k)), error))
            return false;
    }
    return true;
}

static bool read_words(carom_reconstruction *r, const carom_scene_file *file, carom_case_error *error)
{
    char names[CAROM_INVERSION_NAMES], *rest = NULL;
    snprintf(names, sizeof names, "%s", r->names);
    for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
        if (!add_name(r, file, name, error))
            return false;
    for (int i = 0; i < r->wish_count; i++)
        if (!carom_records_read(&r->records, "want", r->wishes[i].name, file, error))
            return false;
    return carom_internal_deviations(r->wishes, r->wish_count, r->sigmas, r->sigma_count, error) &&
           carom_inputs_open_scene(&r->input, &r->v, file, "vary", error);
}

/* ---- runs ---- */

static bool goes_on(carom_reconstruction *r)
{
    if (r->watcher.watch && !r->watcher.watch(r->watcher.context, 0))
        r->stopped = true;
    return !r->stopped;
}

/* The wanted numbers of the run at these values. */
static bool run_at(carom_reconstruction *r, const double *values, double *end, carom_case_error *error)
{
    carom_scene_file file;
    carom_scene_run run = {0};
    bool fine = goes_on(r) && carom_inputs_scene(&r->input, values, &r->change, &file, error);
    if (fine && (fine = carom_scene_run_start(&run, &file, error))) {
        carom_scene_run_go(&run);
        fine = carom_scene_run_check(&run, error);
    }
    for (int i = 0; i < r->wish_count && fine; i++)
        end[i] = carom_end_number_value(&r->records.list[i], &file, run.sim);
    carom_scene_run_free(&run);
    carom_scene_free(&file);
    r->runs++;
    return fine;
}

static double weight(const carom_reconstruction *r, int i)
{
    return r->wishes[i].deviation > 0 ? 1 / r->wishes[i].deviation : 1;
}

static double residual(const carom_reconstruction *r, const double *end, int i)
{
    return (end[i] - r->wishes[i].value) * weight(r, i);
}

static double sum_of_squares(const carom_reconstruction *r, const double *end)
{
    double sum = 0;
    for (int i = 0; i < r->wish_count; i++)
        sum += residual(r, end, i) * residual(r, end, i);
    return sum;
}

/* ---- derivatives ---- */

static void list_of(char *list, size_t room, const carom_reconstruction *r, bool inputs)
{
    size_t used = 0;
    list[0] = 0;
    for (int i = 0; i < (inputs ? r->v.count : r->wish_count) && used < room; i++)
        used += (size_t)snprintf(list + used, room - used, "%s%s", i ? "," : "",
                                 inputs ? r->v.list[i].name : r->wishes[i].name);
}

/* Exact, where the run has a gradient. */
static bool by_gradient(carom_reconstruction *r, const double *values, double J[M][N])
{
    char of[M * CAROM_STUDY_NAME], by[N * CAROM_STUDY_NAME];
    carom_scene_file file;
    carom_scene_gradient g;
    carom_case_error error;
    list_of(of, sizeof of, r, false);
    list_of(by, sizeof by, r, true);
    const carom_gradient_task task = {.by_option = "vary", .of = of, .by = by};
    bool fine = carom_inputs_scene(&r->input, values, &r->change, &file, &error);
    if (fine) {
        fine = carom_scene_gradient_go(&g, &file, &task, &error);
        for (int i = 0; i < r->wish_count && fine; i++)
            for (int k = 0; k < r->v.count; k++)
                J[i][k] = g.matrix[i * r->v.count + k] * weight(r, i);
        carom_scene_gradient_free(&g);
    }
    carom_scene_free(&file);
    r->runs++;
    return fine;
}

static bool by_differences(carom_reconstruction *r, const double *values, double J[M][N], carom_case_error *error)
{
    for (int k = 0; k < r->v.count; k++) {
        double x[N], above[M], below[M];
        const double h = DIFFERENCE * fmax(1, fabs(values[k]));
        memcpy(x, values, sizeof x);
        x[k] = values[k] + h;
        if (!run_at(r, x, above, error))
            return false;
        x[k] = values[k] - h;
        if (!run_at(r, x, below, error))
            return false;
        for (int i = 0; i < r->wish_count; i++)
            J[i][k] = (above[i] - below[i]) / (2 * h) * weight(r, i);
    }
    return true;
}

static bool derivatives(carom_reconstruction *r, const double *values, double J[M][N], carom_case_error *error)
{
    if (!r->by_differences && by_gradient(r, values, J))
        return true;
    r->by_differences = true;
    return by_differences(r, values, J, error);
}

/* ---- small algebra ---- */

static square normal_matrix(const carom_reconstruction *r, double J[M][N])
{
    square A = {{{0}}};
    for (int j = 0; j < r->v.count; j++)
        for (int k = 0; k < r->v.count; k++)
            for (int i = 0; i < r->wish_count; i++)
                A.a[j][k] += J[i][j] * J[i][k];
    return A;
}

/* Cholesky's factor in place; how many pivots are positive: the rest is zero. */
static int factor(square *A, int n)
{
    int rank = 0;
    double most = 0;
    for (int j = 0; j < n; j++)
        most = fmax(most, A->a[j][j]);
    for (int j = 0; j < n; j++) {
        double pivot = A->a[j][j];
        for (int k = 0; k < j; k++)
            pivot -= A->a[j][k] * A->a[j][k];
        const bool lost = !(pivot > LOST * most);
        A->a[j][j] = lost ? 0 : sqrt(pivot);
        rank += !lost;
        for (int i = j + 1; i < n; i++) {
            double x = A->a[i][j];
            for (int k = 0; k < j; k++)
                x -= A->a[i][k] * A->a[j][k];
            A->a[i][j] = lost ? 0 : x / A->a[j][j];
        }
    }
    return rank;
}

static double over(double x, double pivot)
{
    return pivot > 0 ? x / pivot : 0;
}

/* L L^T x = b in place. */
static void solve(const square *L, int n, double *b)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= L->a[i][k] * b[k];
        b[i] = over(b[i], L->a[i][i]);
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            b[i] -= L->a[k][i] * b[k];
        b[i] = over(b[i], L->a[i][i]);
    }
}

/* ---- one search ---- */

/* A step with this damping; its length, of the inputs. */
static double take_step(const carom_reconstruction *r, double J[M][N], const carom_reconstructed *at, double damping,
                        double *next)
{
    const int n = r->v.count;
    square A = normal_matrix(r, J);
    double b[N] = {0}, length = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < r->wish_count; i++)
            b[j] -= J[i][j] * residual(r, at->end, i);
        A.a[j][j] += damping * fmax(A.a[j][j], DBL_MIN);
    }
    (void)factor(&A, n);
    solve(&A, n, b);
    for (int j = 0; j < n; j++) {
        next[j] = at->values[j] + b[j];
        length = fmax(length, fabs(b[j]) / fmax(1, fabs(at->values[j])));
    }
    return length;
}

/* Shorter and shorter steps until one helps; false when none does or the search has settled. */
static bool improve(carom_reconstruction *r, double J[M][N], carom_reconstructed *at, double *damping)
{
    for (; *damping < STIFFEST && !r->stopped; *damping *= 8) {
        carom_reconstructed next = *at;
        carom_case_error error;
        if (take_step(r, J, at, *damping, next.values) < SETTLED)
            return false;
        if (!run_at(r, next.values, next.end, &error))
            continue;
        next.chi2 = sum_of_squares(r, next.end);
        if (next.chi2 < at->chi2) {
            *at = next;
            *damping *= 0.1;
            return true;
        }
    }
    return false;
}

static void fill_covariance(const carom_reconstruction *r, double J[M][N], carom_reconstructed *at)
{
    const int n = r->v.count;
    square A = normal_matrix(r, J);
    at->rank = factor(&A, n);
    for (int k = 0; k < n && r->sigma_count > 0; k++) {
        double unit[N] = {0};
        unit[k] = 1;
        solve(&A, n, unit);
        for (int j = 0; j < n; j++)
            at->covariance[j][k] = unit[j];
    }
}

static bool search_from(carom_reconstruction *r, carom_reconstructed *at, carom_case_error *error)
{
    double J[M][N], damping = DAMPED;
    if (!run_at(r, at->values, at->end, error) || !derivatives(r, at->values, J, error))
        return false;
    at->chi2 = sum_of_squares(r, at->end);
    for (int step = 0; step < STEPS && at->chi2 > 0 && improve(r, J, at, &damping); step++)
        if (!derivatives(r, at->values, J, error))
            return false;
    fill_covariance(r, J, at);
    return !r->stopped;
}

/* ---- all of it ---- */

/* The root mean square of the wanted numbers, or the distance at the start. */
static double size_of(const carom_reconstruction *r, double first)
{
    double sum = 0;
    for (int i = 0; i < r->wish_count; i++)
        sum += r->wishes[i].value * r->wishes[i].value / r->wish_count;
    return fmax(sqrt(sum), first);
}

static bool is_met(const carom_reconstruction *r, const carom_reconstructed *at, double first)
{
    const double most = r->sigma_count > 0 ? MET : MET_SHARE * size_of(r, first);
    bool met = true;
    for (int i = 0; i < r->wish_count; i++)
        met &= fabs(residual(r, at->end, i)) <= most;
    return met;
}

/* The start of a further search: the inputs of the scene, scattered. */
static void scatter(const carom_reconstruction *r, int number, double *values)
{
    carom_variables v = r->v;
    v.draws = STARTS;
    v.seed = 1;
    for (int k = 0; k < v.count; k++) {
        v.list[k].random = v.list[k].normal = true;
        v.list[k].count = 1;
        v.list[k].from = r->start[k];
        v.list[k].to = SCATTER * fmax(1, fabs(r->start[k]));
    }
    carom_study_values(&v, number, values);
}

static bool search(carom_reconstruction *r, carom_case_error *error)
{
    carom_reconstructed at = {.chi2 = INFINITY};
    double end[M];
    memcpy(at.values, r->start, sizeof at.values);
    if (!run_at(r, r->start, end, error))
        return false;
    const double first = sqrt(sum_of_squares(r, end));
    r->best.chi2 = INFINITY;
    for (int k = 0; k < STARTS && !r->met && !r->stopped; k++) {
        carom_case_error refused;
        if (k > 0)
            scatter(r, k, at.values);
        if (search_from(r, &at, &refused) && at.chi2 < r->best.chi2)
            r->best = at;
        r->met = isfinite(r->best.chi2) && is_met(r, &r->best, first);
    }
    if (r->stopped)
        return carom_request_fail(error, "", "interrupted");
    return isfinite(r->best.chi2) ||
           carom_request_fail(error, "", "no run near the scene can be compared with its neighbours");
}

bool carom_reconstruct(carom_reconstruction *r, const carom_scene_file *file, const carom_scene_change *change,
                       carom_case_error *error)
{
    r->change = *change;
    return read_words(r, file, error) && search(r, error);
}

void carom_reconstruction_free(carom_reconstruction *r)
{
    carom_inputs_close(&r->input);
}

/* ---- the answer ---- */

static json_t *row_of(const double *x, int count)
{
    json_t *row = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(row, json_real(x[i]));
    return row;
}

carom_json *carom_reconstruction_json(const carom_reconstruction *r)
{
    const carom_reconstructed *x = &r->best;
    json_t *object = json_object(), *inputs = json_object(), *end = json_object(), *rows = json_array();
    for (int j = 0; j < r->v.count; j++) {
        json_object_set_new(inputs, r->v.list[j].name, json_real(x->values[j]));
        json_array_append_new(rows, row_of(x->covariance[j], r->v.count));
    }
    for (int i = 0; i < r->wish_count; i++)
        json_object_set_new(end, r->wishes[i].name,
                            json_pack("{s:f, s:f}", "wanted", r->wishes[i].value, "found", x->end[i]));
    json_object_set_new(object, "met", r->met ? json_true() : json_false());
    json_object_set_new(object, "inputs", inputs);
    json_object_set_new(object, "end", end);
    json_object_set_new(object, "chi2", json_real(x->chi2));
    json_object_set_new(object, "determined", json_integer(x->rank));
    if (r->sigma_count > 0)
        json_object_set_new(object, "covariance", rows);
    else
        json_decref(rows);
    json_object_set_new(object, "derivatives", json_string(r->by_differences ? "differences" : "exact"));
    json_object_set_new(object, "runs", json_integer(r->runs));
    return object;
}
