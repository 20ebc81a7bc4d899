/* Products with a recorded chain of flights and impacts, forward and backward. */
#include <string.h>

#include "carom/assert.h"
#include "gradient/run_gradient.h"

/* Where the inputs lie. */
static size_t bodies_of(const carom_gradient *g)
{
    return (size_t)g->sim->count;
}

static size_t states_of(const carom_gradient *g)
{
    return bodies_of(g) * EACH_STATE;
}

size_t carom_gradient_gravity(const carom_gradient *g, int axis)
{
    return states_of(g) + (size_t)axis;
}

size_t carom_gradient_end_time(const carom_gradient *g)
{
    return states_of(g) + 3;
}

size_t carom_gradient_coeff(const carom_gradient *g, int rule, carom_coeff coeff)
{
    return states_of(g) + 4 + (size_t)rule * CAROM_COEFF_COUNT + (size_t)coeff;
}

size_t carom_gradient_mass(const carom_gradient *g, int body)
{
    return carom_gradient_coeff(g, g->sim->scene->pair_count + 1, (carom_coeff)0) + 2 * (size_t)body;
}

size_t carom_gradient_inertia(const carom_gradient *g, int body)
{
    return carom_gradient_mass(g, body) + 1;
}

size_t carom_gradient_inputs(const carom_gradient *g)
{
    return carom_gradient_mass(g, g->sim->count);
}

size_t carom_gradient_time(const carom_gradient *g)
{
    return states_of(g);
}

size_t carom_gradient_outputs(const carom_gradient *g)
{
    return states_of(g) + 1;
}

/* ---- flights ---- */

static void fly(const flight_change *f, const double *gravity, double *x)
{
    double *v = x + HALF_STATE, turned[TURN] = {0};
    const double s = f->s, g = f->falls ? 1 : 0;
    for (int k = 0; k < 3; k++) {
        x[k] += s * v[k] + g * (0.5 * s * s * gravity[k]);
        v[k] += g * s * gravity[k];
    }
    for (int i = 0; i < TURN; i++)
        for (int k = 0; k < TURN; k++)
            turned[i] += f->turn[i * TURN + k] * (k < 3 ? x[3 + k] : v[k]);
    memcpy(x + 3, turned, 3 * sizeof *x);
    memcpy(v + 3, turned + 3, 3 * sizeof *v);
}

static void fly_back(const flight_change *f, double *gravity, double *x)
{
    double *v = x + HALF_STATE, turned[TURN] = {0};
    const double s = f->s, g = f->falls ? 1 : 0;
    for (int k = 0; k < 3; k++) {
        gravity[k] += g * (0.5 * s * s * x[k] + s * v[k]);
        v[k] += s * x[k];
    }
    for (int i = 0; i < TURN; i++)
        for (int k = 0; k < TURN; k++)
            turned[k] += f->turn[i * TURN + k] * (i < 3 ? x[3 + i] : v[i]);
    memcpy(x + 3, turned, 3 * sizeof *x);
    memcpy(v + 3, turned + 3, 3 * sizeof *v);
}

/* ---- impacts: states of two bodies as the saltation matrix counts them ---- */

static void gather(const impact_change *m, const double *states, double z[PAIR_STATE])
{
    for (int s = 0; s < 2; s++) {
        const double *x = states + (size_t)m->body[s] * EACH_STATE;
        memcpy(z + s * HALF_STATE, x, HALF_STATE * sizeof *z);
        memcpy(z + (2 + s) * HALF_STATE, x + HALF_STATE, HALF_STATE * sizeof *z);
    }
}

static void scatter(const impact_change *m, const double z[PAIR_STATE], double *states)
{
    for (int s = 0; s < 2; s++) {
        double *x = states + (size_t)m->body[s] * EACH_STATE;
        memcpy(x, z + s * HALF_STATE, HALF_STATE * sizeof *z);
        memcpy(x + HALF_STATE, z + (2 + s) * HALF_STATE, HALF_STATE * sizeof *z);
    }
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void add(double s, const double *a, int n, double *sum)
{
    for (int i = 0; i < n; i++)
        sum[i] += s * a[i];
}

enum { Q = CAROM_BODIES_COORDINATES };

static void jump_forward(const carom_gradient *g, const impact_change *m, const double *in, double *states)
{
    const pair_change *x = &m->change;
    double z[PAIR_STATE], after[PAIR_STATE];
    gather(m, states, z);
    for (int i = 0; i < PAIR_STATE; i++)
        after[i] = dot(x->Xi + i * PAIR_STATE, z, PAIR_STATE);
    for (int c = 0; c < CAROM_COEFF_COUNT; c++)
        add(in[carom_gradient_coeff(g, m->rule, (carom_coeff)c)], x->coeffs[c], Q, after + Q);
    for (int s = 0; s < 2; s++) {
        add(in[carom_gradient_mass(g, m->body[s])], x->masses[s], Q, after + Q);
        add(in[carom_gradient_inertia(g, m->body[s])], x->inertias[s], Q, after + Q);
    }
    scatter(m, after, states);
}

static void jump_back(const carom_gradient *g, const impact_change *m, double *out, double *states)
{
    const pair_change *x = &m->change;
    double z[PAIR_STATE], before[PAIR_STATE] = {0};
    gather(m, states, z);
    for (int i = 0; i < PAIR_STATE; i++)
        add(z[i], x->Xi + i * PAIR_STATE, PAIR_STATE, before);
    for (int c = 0; c < CAROM_COEFF_COUNT; c++)
        out[carom_gradient_coeff(g, m->rule, (carom_coeff)c)] += dot(x->coeffs[c], z + Q, Q);
    for (int s = 0; s < 2; s++) {
        out[carom_gradient_mass(g, m->body[s])] += dot(x->masses[s], z + Q, Q);
        out[carom_gradient_inertia(g, m->body[s])] += dot(x->inertias[s], z + Q, Q);
    }
    scatter(m, before, states);
}

/* The time of impact k moves by this; states are those just before it. */
static double time_change(const impact_change *m, const double *states)
{
    double z[PAIR_STATE];
    gather(m, states, z);
    return dot(m->change.time, z, Q);
}

static void add_time_change(const impact_change *m, double weight, double *states)
{
    double z[PAIR_STATE];
    gather(m, states, z);
    add(weight, m->change.time, Q, z);
    scatter(m, z, states);
}

/* ---- the whole chain ---- */

void carom_gradient_forward(const carom_gradient *g, const double *in, double *out)
{
    CAROM_ASSERT(g && g->ended && in && out);
    const double *gravity = in + carom_gradient_gravity(g, 0), *rates = g->rates.data;
    const flight_change *flights = g->flights.data;
    double late = g->at_impact ? 0 : in[carom_gradient_end_time(g)];
    memcpy(out, in, states_of(g) * sizeof *out);
    for (size_t k = 0; k < g->impacts.count; k++) {
        const impact_change *m = impact_at(g, k);
        for (int s = 0; s < 2; s++)
            fly(&m->flight[s], gravity, out + (size_t)m->body[s] * EACH_STATE);
        if (g->at_impact && k + 1 == g->impacts.count)
            late = time_change(m, out);
        jump_forward(g, m, in, out);
    }
    for (size_t i = 0; i < bodies_of(g); i++)
        fly(&flights[i], gravity, out + i * EACH_STATE);
    for (size_t i = 0; i < states_of(g); i++)
        out[i] += late * rates[i];
    out[carom_gradient_time(g)] = late;
}

void carom_gradient_adjoint(const carom_gradient *g, const double *weights, double *out)
{
    CAROM_ASSERT(g && g->ended && weights && out);
    double *gravity = out + carom_gradient_gravity(g, 0), late = weights[carom_gradient_time(g)];
    const double *rates = g->rates.data;
    const flight_change *flights = g->flights.data;
    memset(out, 0, carom_gradient_inputs(g) * sizeof *out);
    memcpy(out, weights, states_of(g) * sizeof *out);
    for (size_t i = 0; i < states_of(g); i++)
        late += weights[i] * rates[i];
    for (size_t i = 0; i < bodies_of(g); i++)
        fly_back(&flights[i], gravity, out + i * EACH_STATE);
    for (size_t k = g->impacts.count; k-- > 0;) {
        const impact_change *m = impact_at(g, k);
        jump_back(g, m, out, out);
        if (g->at_impact && k + 1 == g->impacts.count)
            add_time_change(m, late, out);
        for (int s = 0; s < 2; s++)
            fly_back(&m->flight[s], gravity, out + (size_t)m->body[s] * EACH_STATE);
    }
    if (!g->at_impact)
        out[carom_gradient_end_time(g)] = late;
}
