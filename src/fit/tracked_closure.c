/* The body from its own records: I d omega = arm x m d v at one contact gives centre of mass, inertia and radius. */
#include <math.h>
#include <string.h>

#include "core/cholesky.h"
#include "core/num.h"
#include "core/rotate.h"
#include "fit/track_parts.h"

enum { ROUNDS = 300, SETTLED = 12, MOST = CAROM_CLOSURE_PARAMETERS };

#define STEP      1e-6 /* of the size of the body, or one over its square: for differences */
#define SPREAD    2.0  /* medians of the closure: there an impact counts half */
#define SINGULAR  1e-12
#define CONVERGED 1e-8 /* of the size of the body */

/* A body and the parameters of it that are free. */
typedef struct closing {
    const carom_tracked *start;
    carom_tracked body;
    carom_vec3 inverse; /* of the inertia: the closure is linear in it */
    int count;
    double *at[MOST]; /* in body */
    double size[MOST];
    double limit; /* closures beyond it count less */
} closing;

static void free_parameters(closing *c, carom_closure_wants wants)
{
    carom_tracked *b = &c->body;
    double length = 0;
    for (int i = 0; i < b->point_count; i++)
        length = max(length, carom_vec3_length(b->corner[i]));
    double *com[] = {&b->com.x, &b->com.y, &b->com.z}, *J[] = {&c->inverse.x, &c->inverse.y, &c->inverse.z};
    for (int i = 0; i < b->dim && wants.com; i++)
        c->size[c->count] = length, c->at[c->count++] = com[i];
    for (int i = b->dim == 3 ? 0 : 2; i < 3 && wants.inertia; i++)
        c->size[c->count] = 1 / (length * length), c->at[c->count++] = J[i];
    if (wants.radius)
        c->size[c->count] = length, c->at[c->count++] = &b->radius;
}

/* The closure of an impact for another body than it was reduced with: the centre of mass moves by shift, so that its
 * velocity changes by omega x shift. */
static carom_vec3 closure_of(const closing *c, const carom_track_impact *m)
{
    const carom_tracked *b = &c->body;
    carom_quat back = quat_conjugate(m->pose.q);
    carom_vec3 shift = carom_vec3_sub(b->com, c->start->com);
    carom_vec3 dw = quat_turn(back, carom_vec3_sub(m->omega[1], m->omega[0]));
    carom_vec3 dv = carom_vec3_add(quat_turn(back, carom_vec3_sub(m->v[1], m->v[0])), carom_vec3_cross(dw, shift));
    carom_vec3 up = quat_turn(back, carom_tracked_up(b));
    carom_vec3 arm =
        carom_vec3_sub(tracked_centre(b, m->contacts[0]), carom_vec3_add(b->com, carom_vec3_scale(b->radius, up)));
    carom_vec3 L = carom_vec3_cross(arm, dv), J = c->inverse;
    carom_vec3 spin = carom_vec3_make(b->dim == 3 ? J.x * L.x : 0, b->dim == 3 ? J.y * L.y : 0, J.z * L.z);
    return carom_vec3_sub(dw, spin);
}

/* The median of the lengths of the closure, by bisection: no memory is needed. */
static double median(const closing *c, int count, const carom_track_impact *impacts)
{
    double low = 0, high = 0;
    int used = 0;
    for (int i = 0; i < count; i++)
        if (!impacts[i].why) {
            high = max(high, carom_vec3_length(closure_of(c, &impacts[i])));
            used++;
        }
    for (int round = 0; round < 60; round++) {
        double middle = (low + high) / 2;
        int below = 0;
        for (int i = 0; i < count; i++)
            below += !impacts[i].why && carom_vec3_length(closure_of(c, &impacts[i])) <= middle;
        if (2 * below < used)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Normal equations at the body, with derivatives by differences. */
static double equations(closing *c, int count, const carom_track_impact *impacts, double *N, double *right)
{
    double limit = c->limit, sum = 0;
    memset(N, 0, MOST * MOST * sizeof *N);
    memset(right, 0, MOST * sizeof *right);
    for (int i = 0; i < count; i++) {
        carom_vec3 J[MOST], r;
        if (impacts[i].why)
            continue;
        r = closure_of(c, &impacts[i]);
        double weight = 1 / (1 + carom_vec3_dot(r, r) / square(limit)); /* Cauchy's */
        for (int a = 0; a < c->count; a++) {
            double value = *c->at[a], h = STEP * c->size[a];
            *c->at[a] = value + h;
            J[a] = carom_vec3_scale(1 / h, carom_vec3_sub(closure_of(c, &impacts[i]), r));
            *c->at[a] = value;
        }
        sum += weight * carom_vec3_dot(r, r);
        for (int a = 0; a < c->count; a++) {
            right[a] -= weight * carom_vec3_dot(J[a], r);
            for (int b = 0; b < c->count; b++)
                N[a * c->count + b] += weight * carom_vec3_dot(J[a], J[b]);
        }
    }
    return sum;
}

/* Gauss-Newton with weights that fall for large closures. */
static carom_status close_body(closing *c, int count, const carom_track_impact *impacts)
{
    double N[MOST * MOST], x[MOST];
    for (int round = 0; round < ROUNDS; round++) {
        double change = 0;
        c->limit = round < SETTLED ? SPREAD * median(c, count, impacts) : c->limit;
        equations(c, count, impacts, N, x);
        if (!cholesky_factor(c->count, N, SINGULAR, N))
            return CAROM_STATUS_BAD_MATRIX;
        cholesky_forward(c->count, N, x, x);
        cholesky_backward(c->count, N, x);
        for (int a = 0; a < c->count; a++) {
            double before = *c->at[a];
            *c->at[a] = c->at[a] == &c->body.radius ? max(before + x[a], 0) : before + x[a];
            change = max(change, fabs(*c->at[a] - before) / c->size[a]);
        }
        if (round >= SETTLED && change < CONVERGED)
            return CAROM_STATUS_OK;
    }
    return CAROM_STATUS_ITERATION_LIMIT;
}

static void judge(closing *c, int count, const carom_track_impact *impacts, carom_closure *out)
{
    double squares = 0, changes = 0;
    for (int i = 0; i < count; i++) {
        if (impacts[i].why)
            continue;
        carom_vec3 r = closure_of(c, &impacts[i]), dw = carom_vec3_sub(impacts[i].omega[1], impacts[i].omega[0]);
        out->count++;
        squares += carom_vec3_dot(r, r);
        changes += carom_vec3_dot(dw, dw);
    }
    out->rms = out->count > 0 ? sqrt(squares / out->count) : 0;
    out->rms_change = out->count > 0 ? sqrt(changes / out->count) : 0;
    out->median = median(c, count, impacts);
}

/* Deviations from the scatter of the closure itself. */
static void deviations(closing *c, int count, const carom_track_impact *impacts, carom_closure *out)
{
    double N[MOST * MOST], right[MOST], unit[MOST];
    int numbers = out->count * (c->body.dim == 3 ? 3 : 1);
    double variance = equations(c, count, impacts, N, right) / (numbers > c->count ? numbers - c->count : 1);
    if (!cholesky_factor(c->count, N, SINGULAR, N))
        return;
    for (int a = 0; a < c->count; a++) {
        memset(unit, 0, sizeof unit);
        unit[a] = 1;
        cholesky_forward(c->count, N, unit, unit);
        double std = sqrt(variance * cholesky_dot(c->count, unit, unit)), value = *c->at[a];
        bool inverse = c->at[a] >= &c->inverse.x && c->at[a] <= &c->inverse.z;
        out->value[a] = inverse ? 1 / value : value;
        out->std[a] = inverse ? std / square(value) : std;
    }
    out->parameter_count = c->count;
}

carom_status carom_tracked_close(carom_tracked *body, carom_closure_wants wants, int count,
                                 const carom_track_impact *impacts, carom_closure *closure)
{
    static const carom_closure nothing;
    const carom_vec3 I = body->inertia;
    closing c = {.start = body, .body = *body, .inverse = {1 / I.x, 1 / I.y, 1 / I.z}};
    carom_status status = CAROM_STATUS_OK;
    *closure = nothing;
    free_parameters(&c, wants);
    judge(&c, count, impacts, closure);
    if (closure->count < 2 * c.count || c.count == 0)
        return c.count == 0 ? CAROM_STATUS_OK : CAROM_STATUS_BAD_SIZE;
    status = close_body(&c, count, impacts);
    if (status != CAROM_STATUS_OK)
        return status;
    *closure = nothing;
    judge(&c, count, impacts, closure);
    deviations(&c, count, impacts, closure);
    c.body.inertia = carom_vec3_make(1 / c.inverse.x, 1 / c.inverse.y, 1 / c.inverse.z);
    *body = c.body;
    return status;
}
