/* Bodies and checks for scenes of bodies that rest on each other. */
#ifndef CAROM_TESTS_SIM_ISLANDS_H
#define CAROM_TESTS_SIM_ISLANDS_H

#include "sim/scenes.h"

#define G 9.81

static inline carom_scene_body block(double mass, carom_vec3 size, carom_vec3 position)
{
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_BOX, {size.x, size.y, size.z}}}};
    b.def.mass = mass;
    assert_int_equal(carom_solid_body(&b.solid, 3, 0, &b.def, NULL), CAROM_STATUS_OK);
    b.def.orientation = (carom_quat){1, 0, 0, 0};
    b.def.position = position;
    return b;
}

/* In the plane of x and y, with gravity along -y. */
static inline carom_scene_body slab(double mass, double width, double height, carom_vec3 position)
{
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_BOX, {width, height, 1}}}};
    b.def.mass = mass;
    assert_int_equal(carom_solid_body(&b.solid, 2, 0, &b.def, NULL), CAROM_STATUS_OK);
    b.def.orientation = (carom_quat){1, 0, 0, 0};
    b.def.position = position;
    return b;
}

static inline carom_scene_body disk(double mass, double radius, carom_vec3 position)
{
    carom_scene_body b = {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_DISK, {radius, 0, 0}}}};
    b.def.mass = mass;
    assert_int_equal(carom_solid_body(&b.solid, 2, 0, &b.def, NULL), CAROM_STATUS_OK);
    b.def.orientation = (carom_quat){1, 0, 0, 0};
    b.def.position = position;
    return b;
}

static inline carom_scene planar(carom_scene_body *bodies, int count, double mu)
{
    carom_scene s = scene_of(bodies, count, "routh-stronge", 0, mu);
    s.dim = 2;
    s.gravity = vec(0, -G, 0);
    return s;
}

/* Friction of materials 0 and 1 in all pairs. */
typedef struct frictions {
    carom_scene_pair pairs[3];
} frictions;

static inline frictions friction_table(double mu_00, double mu_01, double mu_11)
{
    frictions f;
    const int a[3] = {0, 0, 1}, b[3] = {0, 1, 1};
    const double mu[3] = {mu_00, mu_01, mu_11};
    for (int k = 0; k < 3; k++) {
        f.pairs[k] =
            (carom_scene_pair){.a = a[k], .b = b[k], .rule = carom_rule_default(carom_law_find("routh-stronge"))};
        f.pairs[k].rule.coeffs.e = 0;
        f.pairs[k].rule.coeffs.mu = mu[k];
    }
    return f;
}

static inline void use(carom_scene *s, const frictions *f)
{
    s->pairs = f->pairs;
    s->pair_count = 3;
}

/* Energy that is gone is booked, and none has come. */
static inline void check_energy(const carom_sim *sim)
{
    carom_sim_ledger e = carom_sim_energy(sim);
    assert_near(e.residual, 0, 1e-12 * (fabs(e.before) + fabs(e.after) + 1));
    assert_true(e.sliding <= 1e-12 * (fabs(e.before) + 1));
}

#endif
