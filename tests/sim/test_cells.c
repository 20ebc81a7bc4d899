/* The grid: every body is in the bucket of its cell, cells are left when their borders are crossed, and bodies that
 * touch are in neighbouring cells. */
#include "sim/detect/cells.h"

#include "sim/parts.h"

enum { BALLS = 120 };

typedef struct crowd {
    carom_scene_body bodies[BALLS];
    carom_scene scene;
    carom_sim *sim;
} crowd;

static void begin(crowd *c, uint64_t seed, carom_vec3 gravity, double period)
{
    dice d = {seed};
    for (int k = 0; k < BALLS; k++) {
        carom_vec3 x = carom_vec3_add(vec(k % 5, k / 5 % 5, k / 25), dice_vec(&d, 0.1));
        c->bodies[k] = ball(1, dice_between(&d, 0.1, 0.3), x, dice_vec(&d, 3));
    }
    c->scene = scene_of(c->bodies, BALLS, "newton", 1, 0);
    c->scene.gravity = gravity;
    c->scene.period = vec(period, period, period);
    c->sim = sim_of(&c->scene);
    assert_true(has_cells(c->sim));
}

/* Body i is in its bucket once, and in no other. */
static int times_listed(const carom_sim *sim, int i, bool everywhere)
{
    const cell *own = cell_of(sim, i);
    int found = 0;
    for (int z = 0; z < sim->cell_count[2]; z++)
        for (int y = 0; y < sim->cell_count[1]; y++)
            for (int x = 0; x < sim->cell_count[0]; x++) {
                const bucket *b = cells_bucket(sim, x, y, z);
                bool home = x == own->home[0] && y == own->home[1] && z == own->home[2];
                for (int k = 0; k < b->count && (home || everywhere); k++)
                    found += b->body[k] == i;
                for (int k = b->others && (home || everywhere) ? *cells_others(sim, b) : -1; k >= 0;
                     k = cell_of(sim, k)->next)
                    found += k == i;
            }
    return found;
}

static void place_in(const carom_sim *sim, carom_vec3 x, double at[3])
{
    at[0] = x.x / sim->cell_size.x, at[1] = x.y / sim->cell_size.y, at[2] = x.z / sim->cell_size.z;
}

/* From border to border: inside until then, on a border then, and in the next cell after. */
static void follow(carom_sim *sim, int i)
{
    double t = 0, at[3];
    for (int step = 0; step < 40; step++) {
        double leave = cells_leave(sim, i, t), nearest = INFINITY;
        assert_true(leave >= t && leave < INFINITY);
        for (int k = 1; k < 16; k++) {
            place_in(sim, mover_position(mover_of(sim, i), t + (leave - t) * k / 16), at);
            for (int axis = 0; axis < 3; axis++) {
                double inside = at[axis] - cell_of(sim, i)->at[axis];
                assert_true(inside > -1e-8 && inside < 1 + 1e-8);
            }
        }
        place_in(sim, mover_position(mover_of(sim, i), leave), at);
        for (int axis = 0; axis < 3; axis++)
            nearest = fmin(nearest, fabs(at[axis] - round(at[axis])));
        assert_true(nearest < 1e-9);
        cell before = *cell_of(sim, i);
        cell_block block = cells_move(sim, i, leave);
        int moved = 0, cells = 1;
        for (int axis = 0; axis < 3; axis++) {
            moved += abs(cell_of(sim, i)->at[axis] - before.at[axis]);
            cells *= block.high[axis] - block.low[axis] + 1;
        }
        assert_true(moved >= 1);
        assert_true(moved > 1 || cells == 9); /* one step: a layer of nine cells is new */
        assert_int_equal(times_listed(sim, i, true), 1);
        t = leave;
    }
}

static void test_borders(void **state)
{
    (void)state;
    crowd c;
    begin(&c, 101, vec(0.3, -0.2, -9.81), 0);
    for (int i = 0; i < BALLS; i += 7)
        follow(c.sim, i);
    carom_sim_free(c.sim);
    begin(&c, 102, vec(0, 0, 0), 0);
    for (int i = 0; i < BALLS; i += 7)
        follow(c.sim, i);
    carom_sim_free(c.sim);
}

/* However slow a body is, it is not on its border before it has gone there. */
static void test_hardly_moving(void **state)
{
    (void)state;
    crowd c;
    begin(&c, 104, vec(0, 0, 0), 0);
    for (int power = -323; power < 0; power += 10)
        for (int i = 0; i < BALLS; i += 7) {
            double sign = i % 2 ? -1 : 1, v = pow(10, power), size = c.sim->cell_size.x, at[3];
            mover *m = mover_of(c.sim, i);
            m->v = vec(sign * v, 0, 0);
            place_in(c.sim, m->x, at);
            double inside = at[0] - cell_of(c.sim, i)->at[0], way = size * (sign > 0 ? 1 - inside : inside);
            double expected = way / v;
            assert_true(expected > 1e300 ? cells_leave(c.sim, i, 0) > 1e290
                                         : fabs(cells_leave(c.sim, i, 0) - expected) <= 1e-9 * expected);
        }
    carom_sim_free(c.sim);
}

/* At any time of a run: whoever could touch is among the neighbours, and lists are whole. */
static void test_neighbours(void **state)
{
    (void)state;
    for (int periodic = 0; periodic < 2; periodic++) {
        crowd c;
        begin(&c, 103, vec(0, 0, 0), periodic ? 6 : 0);
        for (int n = 0; n < 40; n++) {
            run_until(c.sim, 0.05 * (n + 1), -1);
            for (int i = 0; i < BALLS; i++) {
                assert_int_equal(times_listed(c.sim, i, false), 1);
                for (int j = 0; j < i && !periodic; j++) {
                    carom_vec3 d = carom_vec3_sub(carom_sim_body(c.sim, i).position, carom_sim_body(c.sim, j).position);
                    double reach = mover_of(c.sim, i)->radius + mover_of(c.sim, j)->radius;
                    if (carom_vec3_length(d) <= reach * (1 + 1e-9))
                        assert_true(cells_are_near(c.sim, cell_of(c.sim, i), cell_of(c.sim, j)));
                }
            }
        }
        carom_sim_free(c.sim);
    }
}

/* A chain falls in a plane that is a border of cells: nobody looks for its cell again before it can have gone 2 % of
 * one, and nobody is further beyond its cell than that. */
static void test_chain_along_a_border(void **state)
{
    (void)state;
    enum { LINKS = 60 };
    carom_scene_body b[LINKS];
    carom_joint_def joints[LINKS];
    for (int k = 0; k < LINKS; k++) {
        b[k] = ball(1, 0.2, vec(0.5 * k, 0, 0), vec(0, 0, 0));
        joints[k] = carom_joint_def_default();
        joints[k].a = k, joints[k].b = k ? k - 1 : CAROM_WORLD;
        joints[k].point_a = vec(-0.25, 0, 0), joints[k].point_b = vec(k ? 0.25 : -0.25, 0, 0);
    }
    carom_scene scene = scene_of(b, LINKS, "newton", 1, 0);
    scene.gravity.z = -9.81;
    scene.joints = joints, scene.joint_count = LINKS;
    carom_sim *sim = sim_of(&scene);
    assert_true(has_cells(sim));
    for (int n = 0; n < 8; n++) {
        double t = 0.02 * n, at[3], slack = 0.02;
        run_until(sim, t, -1);
        for (int i = 0; i < LINKS; i++) {
            const mover *m = mover_of(sim, i);
            carom_vec3 v = mover_velocity(m, t);
            double way = slack * sim->cell_size.x, leave = cells_leave(sim, i, t) - t;
            assert_true(carom_vec3_length(v) > 0.1 || 0.5 * m->track->accel * leave * leave > 0.9 * way);
            place_in(sim, mover_position(m, t), at);
            for (int axis = 0; axis < 3; axis++) {
                double inside = at[axis] - cell_of(sim, i)->at[axis];
                assert_true(inside > -slack - 1e-8 && inside < 1 + slack + 1e-8);
            }
            assert_int_equal(times_listed(sim, i, true), 1);
        }
    }
    carom_sim_free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_borders),
        cmocka_unit_test(test_chain_along_a_border),
        cmocka_unit_test(test_hardly_moving),
        cmocka_unit_test(test_neighbours),
    };
    return cmocka_run_group_tests_name("cells", tests, NULL, NULL);
}
