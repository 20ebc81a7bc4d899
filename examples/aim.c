/* Aim a ball so that it hits a target after two bounces: Newton's method with the gradient of the whole run.
 *
 * A spinning ball is thrown onto a floor with friction. Where it is after 1.2 s depends on the throw through two
 * impacts whose times and points of contact move with it. The adjoint product gives one row of the Jacobian per
 * coordinate; three rows and three unknowns make a step. Each step doubles the digits, which shows that the gradient is
 * exact.
 *
 * Checked: the miss falls quadratically. */
#include <carom/carom.h>
#include <carom/heap.h>
#include <math.h>
#include <stdio.h>

static const double end = 1.2;

enum { BODIES = 2, INPUTS_MOST = 256, OUTPUTS_MOST = BODIES * CAROM_GRADIENT_STATE + 1 };

/* Where the ball ends, and the rows of its coordinates: how they change with the velocity of the throw. */
static int run(const carom_scene *scene, double x[3], double J[3][3])
{
    carom_sim *sim;
    carom_gradient *g;
    const carom_memory heap = carom_heap();
    if (carom_sim_create(scene, &heap, &sim, NULL) || carom_gradient_create(sim, &heap, &g))
        return 1;
    const carom_sim_observer watch = {.after = carom_gradient_event, .context = g};
    carom_sim_observe(sim, &watch);
    if (carom_sim_to_time(sim, end) || carom_gradient_end(g, false)) {
        printf("%s\n", carom_gradient_refusal_sentence(carom_gradient_refused(g).refusal));
        return 1;
    }
    const carom_vec3 at = carom_sim_body(sim, 0).position;
    x[0] = at.x, x[1] = at.y, x[2] = at.z;
    for (int i = 0; i < 3; i++) {
        double weights[OUTPUTS_MOST] = {0}, row[INPUTS_MOST];
        weights[i] = 1;
        carom_gradient_adjoint(g, weights, row);
        for (int k = 0; k < 3; k++)
            J[i][k] = row[6 + k]; /* the velocity comes after position and rotation */
    }
    carom_gradient_free(g);
    carom_sim_free(sim);
    return 0;
}

static double det(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Cramer's rule on columns. */
static carom_vec3 solve(double J[3][3], const double r[3])
{
    const double a[3] = {J[0][0], J[1][0], J[2][0]}, b[3] = {J[0][1], J[1][1], J[2][1]},
                 c[3] = {J[0][2], J[1][2], J[2][2]}, D = det(a, b, c);
    return carom_vec3_make(det(r, b, c) / D, det(a, r, c) / D, det(a, b, r) / D);
}

int main(void)
{
    const double target[3] = {2, 0.5, 0.3};
    carom_scene_body body[BODIES] = {
        {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_SPHERE, {0.1, 0, 0}}}},
        {.solid = {.kind = CAROM_SOLID_HALF_SPACE, .normal = {0, 0, 1}}},
    };
    body[0].def = carom_shape_sphere(0.2, 0.1);
    body[0].def.position.z = 1;
    body[0].def.velocity = carom_vec3_make(1.5, 0.3, 0);
    body[0].def.omega = carom_vec3_make(0, -20, 5);
    body[1].def = carom_body_def_default();
    body[1].def.fixed = true;
    carom_scene scene = carom_scene_default();
    scene.bodies = body;
    scene.body_count = BODIES;
    scene.gravity.z = -9.81;
    scene.rule = carom_rule_default(carom_law_find("routh-stronge"));
    scene.rule.coeffs.e = 0.8;
    scene.rule.coeffs.mu = 0.25;
    for (int step = 0; step < 6; step++) {
        double x[3], J[3][3], miss[3];
        if (run(&scene, x, J))
            return 1;
        for (int i = 0; i < 3; i++)
            miss[i] = target[i] - x[i];
        carom_vec3 *v = &body[0].def.velocity;
        double size = sqrt(miss[0] * miss[0] + miss[1] * miss[1] + miss[2] * miss[2]);
        printf("throw (%.6f, %.6f, %.6f)   misses by %s%.1e m\n", v->x, v->y, v->z, size < 1e-13 ? "less than " : "",
               size < 1e-13 ? 1e-13 : size);
        if (size < 1e-13)
            return 0;
        *v = carom_vec3_add(*v, solve(J, miss));
    }
    return 1;
}
