/* Runs of the simulator as functions of their inputs: matrices by carom/gradient.h, and by differences of the simulator
 * itself, extrapolated to sixth order. */
#ifndef CAROM_TESTS_SIM_GRADIENTS_H
#define CAROM_TESTS_SIM_GRADIENTS_H

#include "sim/scenes.h"

enum { STATE = CAROM_GRADIENT_STATE, MOST_BODIES = 4, MOST_INPUTS = 400, MOST_OUTPUTS = STATE * MOST_BODIES + 1 };

#define STEP     2e-3
#define FLOW_TOL 2e-9  /* of the largest entry of a column: differences with STEP */
#define BOTH_TOL 1e-12 /* of the largest entry: forward against adjoint */

typedef struct run {
    carom_scene scene;
    carom_scene_body body[MOST_BODIES];
    carom_scene_pair pair;
    double time;
    long long impacts; /* negative: until time */
} run;

typedef struct matrix {
    size_t inputs, outputs;
    double entry[MOST_OUTPUTS][MOST_INPUTS];
    carom_gradient_reason reason;
    carom_gradient_about about;
    carom_sim_state end[MOST_BODIES];
} matrix;

static inline run run_of(int bodies, const char *law, double e, double mu)
{
    run r = {.impacts = -1};
    r.scene = scene_of(NULL, bodies, law, e, mu);
    return r;
}

static inline void attach(run *r)
{
    r->scene.bodies = r->body;
    r->scene.pairs = &r->pair;
}

static inline carom_status go(carom_sim *sim, const run *r, carom_sim_stop *stop)
{
    carom_sim_until until = carom_sim_until_default();
    until.time = r->time > 0 ? r->time : INFINITY;
    until.impacts = r->impacts;
    return carom_sim_advance(sim, &until, stop);
}

static inline void fill_forward(const carom_gradient *g, matrix *m)
{
    static double in[MOST_INPUTS], out[MOST_OUTPUTS];
    for (size_t k = 0; k < m->inputs; k++) {
        memset(in, 0, sizeof in);
        in[k] = 1;
        carom_gradient_forward(g, in, out);
        for (size_t i = 0; i < m->outputs; i++)
            m->entry[i][k] = out[i];
    }
}

static inline void compare_adjoint(const carom_gradient *g, const matrix *m)
{
    static double weights[MOST_OUTPUTS], row[MOST_INPUTS];
    for (size_t i = 0; i < m->outputs; i++) {
        double most = 1;
        memset(weights, 0, sizeof weights);
        weights[i] = 1;
        carom_gradient_adjoint(g, weights, row);
        for (size_t k = 0; k < m->inputs; k++)
            most = fmax(most, fabs(row[k]));
        for (size_t k = 0; k < m->inputs; k++)
            assert_near(row[k], m->entry[i][k], BOTH_TOL * most);
    }
}

/* The matrix of a run, by both products; the status of carom_gradient_end. */
static inline carom_status differentiate(run *r, bool branches, matrix *m)
{
    carom_gradient *g;
    carom_sim_stop stop;
    attach(r);
    carom_sim *sim = sim_of(&r->scene);
    assert_int_equal(carom_gradient_create(sim, &heap_memory, &g), CAROM_STATUS_OK);
    carom_sim_observer watch = {.after = carom_gradient_event, .context = g};
    carom_sim_observe(sim, &watch);
    if (branches)
        carom_gradient_take_branches(g);
    assert_int_equal(go(sim, r, &stop), CAROM_STATUS_OK);
    carom_status status = carom_gradient_end(g, stop == CAROM_SIM_STOP_IMPACTS);
    m->reason = carom_gradient_refused(g);
    m->about = carom_gradient_describe(g);
    m->inputs = carom_gradient_inputs(g);
    m->outputs = carom_gradient_outputs(g);
    assert_true(m->inputs <= MOST_INPUTS && m->outputs <= MOST_OUTPUTS);
    for (int i = 0; i < r->scene.body_count; i++)
        m->end[i] = carom_sim_body(sim, i);
    if (status == CAROM_STATUS_OK) {
        fill_forward(g, m);
        compare_adjoint(g, m);
    }
    carom_gradient_free(g);
    carom_sim_free(sim);
    return status;
}

/* ---- differences of the simulator ---- */

static inline carom_quat times(carom_quat a, carom_quat b)
{
    carom_quat q = {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                    a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
    return q;
}

static inline double *number_of(carom_vec3 *v, size_t k)
{
    return k == 0 ? &v->x : k == 1 ? &v->y : &v->z;
}

static inline void turn_body(carom_body_def *def, size_t axis, double angle)
{
    carom_quat q = {cos(angle / 2), axis == 0 ? sin(angle / 2) : 0, axis == 1 ? sin(angle / 2) : 0,
                    axis == 2 ? sin(angle / 2) : 0};
    def->orientation = times(q, def->orientation);
}

static inline void scale_inertia(carom_sym3 *I, double by)
{
    double *x[6] = {&I->xx, &I->xy, &I->xz, &I->yy, &I->yz, &I->zz};
    for (int i = 0; i < 6; i++)
        *x[i] *= by;
}

/* The run with input k moved by h. The layout is that of carom/gradient.h, counted here again. */
static inline void move_input(run *r, size_t k, double h)
{
    const size_t states = STATE * (size_t)r->scene.body_count, rules = (size_t)r->scene.pair_count + 1;
    if (k < states) {
        carom_body_def *def = &r->body[k / STATE].def;
        size_t part = k % STATE / 3, axis = k % 3;
        if (part == 1)
            turn_body(def, axis, h);
        else
            *number_of(part == 0 ? &def->position : part == 2 ? &def->velocity : &def->omega, axis) += h;
        return;
    }
    k -= states;
    if (k < 3)
        *number_of(&r->scene.gravity, k) += h;
    else if (k == 3)
        r->time += r->time > 0 ? h : 0;
    else if (k - 4 < rules * CAROM_COEFF_COUNT) {
        size_t rule = (k - 4) / CAROM_COEFF_COUNT;
        carom_coeffs *c = rule ? &r->pair.rule.coeffs : &r->scene.rule.coeffs;
        carom_coeff which = (carom_coeff)((k - 4) % CAROM_COEFF_COUNT);
        carom_coeffs_set(c, which, carom_coeffs_get(c, which) + h);
    } else {
        k -= 4 + rules * CAROM_COEFF_COUNT;
        carom_body_def *def = &r->body[k / 2].def;
        if (k % 2)
            scale_inertia(&def->inertia, exp(h));
        else
            def->mass *= exp(h);
    }
}

static inline void outputs_of(run r, const matrix *about, double *out)
{
    carom_sim_stop stop;
    attach(&r);
    carom_sim *sim = sim_of(&r.scene);
    assert_int_equal(go(sim, &r, &stop), CAROM_STATUS_OK);
    for (int i = 0; i < r.scene.body_count; i++) {
        carom_sim_state s = carom_sim_body(sim, i);
        carom_quat o = about->end[i].orientation, back = {o.w, -o.x, -o.y, -o.z}, q = times(s.orientation, back);
        double size = sqrt(q.x * q.x + q.y * q.y + q.z * q.z), sign = q.w < 0 ? -1 : 1;
        double angle = size > 0 ? 2 * asin(fmin(size, 1)) / size * sign : 0;
        double x[STATE] = {s.position.x, s.position.y, s.position.z, angle * q.x, angle * q.y, angle * q.z,
                           s.velocity.x, s.velocity.y, s.velocity.z, s.omega.x,   s.omega.y,   s.omega.z};
        memcpy(out + i * STATE, x, sizeof x);
    }
    out[r.scene.body_count * STATE] = carom_sim_time(sim);
    carom_sim_free(sim);
}

static inline void difference(const run *r, const matrix *m, size_t k, double h, double *d)
{
    double plus[MOST_OUTPUTS], minus[MOST_OUTPUTS];
    run a = *r, b = *r;
    move_input(&a, k, h);
    move_input(&b, k, -h);
    outputs_of(a, m, plus);
    outputs_of(b, m, minus);
    for (size_t i = 0; i < m->outputs; i++)
        d[i] = (plus[i] - minus[i]) / (2 * h);
}

/* Two extrapolations: sixth order. */
static inline void extrapolate(const run *r, const matrix *m, size_t k, double h, double *d)
{
    double a[MOST_OUTPUTS], b[MOST_OUTPUTS], c[MOST_OUTPUTS];
    difference(r, m, k, h, a);
    difference(r, m, k, h / 2, b);
    difference(r, m, k, h / 4, c);
    for (size_t i = 0; i < m->outputs; i++) {
        double ab = (4 * b[i] - a[i]) / 3, bc = (4 * c[i] - b[i]) / 3;
        d[i] = (16 * bc - ab) / 15;
    }
}

/* Can the input move at all? Coefficients that the law does not use cannot, nor motion out of the plane. */
static inline bool is_moved(const run *r, size_t k)
{
    const size_t states = STATE * (size_t)r->scene.body_count, rules = (size_t)r->scene.pair_count + 1;
    if (k < states) {
        const carom_scene_body *body = &r->body[k / STATE];
        bool turns = k % STATE >= 3 && (k % STATE < 6 || k % STATE >= 9);
        bool in_plane = turns ? k % 3 == 2 : k % 3 < 2;
        if (body->solid.kind == CAROM_SOLID_HALF_SPACE && turns)
            return false;
        return r->scene.dim == 3 || in_plane;
    }
    k -= states;
    if (k < 3)
        return r->scene.dim == 3 || k < 2;
    if (k == 3)
        return r->impacts < 0;
    k -= 4;
    if (k < rules * CAROM_COEFF_COUNT) {
        const carom_rule *rule = k < CAROM_COEFF_COUNT ? &r->scene.rule : &r->pair.rule;
        carom_coeff which = (carom_coeff)(k % CAROM_COEFF_COUNT);
        double value = carom_coeffs_get(&rule->coeffs, which);
        return (rule->law->uses >> which & 1) && value > 0.01 && value < 0.99;
    }
    return !r->body[(k - rules * CAROM_COEFF_COUNT) / 2].def.fixed;
}

/* Every column that can be moved, against differences. */
static inline void compare_differences(run *r, const matrix *m, double step)
{
    int compared = 0;
    attach(r);
    for (size_t k = 0; k < m->inputs; k++) {
        double d[MOST_OUTPUTS], most = 1;
        if (!is_moved(r, k))
            continue;
        extrapolate(r, m, k, step, d);
        for (size_t i = 0; i < m->outputs; i++)
            most = fmax(most, fabs(d[i]));
        for (size_t i = 0; i < m->outputs; i++)
            if (!(fabs(m->entry[i][k] - d[i]) <= FLOW_TOL * most)) {
                print_error("output %zu by input %zu: ", i, k);
                assert_near(m->entry[i][k], d[i], FLOW_TOL * most);
            }
        compared++;
    }
    assert_true(compared > 10);
}

static inline void check_run(run *r, long long impacts, double step)
{
    static matrix m;
    carom_status status = differentiate(r, false, &m);
    if (status)
        print_error("refused at t = %g: %s\n", m.reason.time, carom_gradient_refusal_sentence(m.reason.refusal));
    assert_int_equal(status, CAROM_STATUS_OK);
    if (m.about.impacts != impacts)
        print_error("%lld impacts\n", m.about.impacts);
    assert_int_equal(m.about.impacts, impacts);
    compare_differences(r, &m, step);
}

static inline carom_scene_body solid(carom_shape_kind kind, carom_vec3 size, double mass, int dim)
{
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = {kind, {size.x, size.y, size.z}}}};
    b.def = carom_body_def_default();
    b.def.mass = mass;
    assert_int_equal(carom_solid_body(&b.solid, dim, 0, &b.def, NULL), CAROM_STATUS_OK);
    return b;
}

static inline void throw(carom_scene_body * b, carom_vec3 x, carom_vec3 v, carom_vec3 w, carom_vec3 turn)
{
    double angle = carom_vec3_length(turn), s = angle > 0 ? sin(angle / 2) / angle : 0;
    b->def.position = x;
    b->def.velocity = v;
    b->def.omega = w;
    b->def.orientation = (carom_quat){cos(angle / 2), s * turn.x, s * turn.y, s * turn.z};
}

/* A body thrown over a floor. */
static inline void floor_run(run *r, carom_scene_body thrown, double time)
{
    r->body[0] = thrown;
    r->body[1] = half_space(vec(0, 0, 1), 0);
    r->scene.gravity = vec(0.3, 0, -9.81);
    r->time = time;
}

#endif
