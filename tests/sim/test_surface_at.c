/* Curvatures where bodies are touched, against how their support points move when the normal turns. */
#include "gradient/surface_at.h"

#include "sim/parts.h"

enum { TRIES = 400 };

/* P m = Q s for a turn m of the outward normal and the way s of the contact, both along the tangents. */
static void assert_moves(const surface *s, const carom_frame *f, carom_vec3 m, carom_vec3 way, double tol)
{
    double a[2] = {carom_vec3_dot(f->t1, m), carom_vec3_dot(f->t2, m)};
    double b[2] = {carom_vec3_dot(f->t1, way), carom_vec3_dot(f->t2, way)};
    assert_near(s->P[0] * a[0] + s->P[1] * a[1], s->Q[0] * b[0] + s->Q[1] * b[1], tol);
    assert_near(s->P[1] * a[0] + s->P[2] * a[1], s->Q[1] * b[0] + s->Q[2] * b[1], tol);
}

static carom_sim *alone(carom_scene_body *body, const carom_solid *solid, carom_vec3 x, carom_quat q)
{
    *body = (carom_scene_body){.solid = *solid, .def = carom_body_def_default()};
    assert_int_equal(carom_solid_body(solid, 3, 0, &body->def, NULL), CAROM_STATUS_OK);
    body->def.position = x;
    body->def.orientation = q;
    static carom_scene scene; /* outlives the simulation */
    scene = scene_of(body, 1, "newton", 1, 0);
    return sim_of(&scene);
}

static carom_vec3 surface_point(const carom_sim *sim, const snap *at, carom_vec3 n)
{
    const piece *p = (const piece *)sim->pieces.data + frame_of(sim, 0)->first_piece;
    placed here = place_piece(sim, p, at);
    return carom_vec3_add(support(&here, n), carom_vec3_scale(p->margin, n));
}

/* Where the normal decides the point: ellipsoids, rims, balls, ends of capsules, corners. */
static void test_turned_normals(void **state)
{
    (void)state;
    const double h = 1e-6;
    dice d = {91};
    for (int n = 0; n < TRIES; n++) {
        carom_vec3 points[PART_POINTS];
        carom_scene_body body;
        carom_solid solid = dice_solid(&d, n % PART_KINDS, points);
        carom_sim *sim = alone(&body, &solid, dice_vec(&d, 2), dice_turn(&d));
        snap at = snap_at(sim, 0, 0);
        carom_vec3 normal = dice_unit(&d);
        carom_frame frame;
        assert_int_equal(carom_frame_init(normal, &frame), CAROM_STATUS_OK);
        surface_place place = {0, at, surface_point(sim, &at, normal), normal, &frame};
        surface s;
        assert_true(surface_at(sim, &place, &s));
        for (int k = 0; k < 2; k++) {
            carom_vec3 m = k ? frame.t1 : frame.t2;
            carom_vec3 ahead = surface_point(sim, &at, carom_vec3_add(normal, carom_vec3_scale(h, m)));
            carom_vec3 behind = surface_point(sim, &at, carom_vec3_sub(normal, carom_vec3_scale(h, m)));
            carom_vec3 way = carom_vec3_scale(0.5 / h, carom_vec3_sub(ahead, behind));
            if (carom_vec3_length(way) < 20) /* it does not jump from feature to feature just here */
                assert_moves(&s, &frame, m, way, 1e-5);
        }
        carom_sim_free(sim);
    }
}

/* Where it does not: faces are flat, sides of cylinders curved across, edges of boxes have a free normal. */
static void test_flat_features(void **state)
{
    (void)state;
    dice d = {92};
    const carom_vec3 along = {0, 0, 1}, none = {0, 0, 0};
    for (int n = 0; n < TRIES; n++) {
        double angle = dice_between(&d, 0.1, 1.4), radius = dice_between(&d, 0.1, 1);
        carom_vec3 normal = vec(cos(angle), sin(angle), 0), across = vec(-sin(angle), cos(angle), 0);
        const carom_solid solids[3] = {
            {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_CYLINDER, {radius, 1.1}}},
            {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_BOX, {0.7, 0.8, 0.9}}},
            {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_CAPSULE, {radius, 0.6}}},
        };
        carom_frame frame;
        assert_int_equal(carom_frame_init(normal, &frame), CAROM_STATUS_OK);
        for (int k = 0; k < 3; k++) {
            carom_scene_body body;
            carom_sim *sim = alone(&body, &solids[k], none, (carom_quat){1, 0, 0, 0});
            snap at = snap_at(sim, 0, 0);
            surface_place place = {0, at, surface_point(sim, &at, normal), normal, &frame};
            surface s;
            assert_true(surface_at(sim, &place, &s));
            assert_moves(&s, &frame, none, along, 1e-14); /* along the line, without a turn */
            assert_moves(&s, &frame, across, carom_vec3_scale(k == 1 ? 0 : radius, across), 1e-14);
            carom_sim_free(sim);
        }
    }
}

/* Of a compound, the part that is touched decides: a ball beside a box. */
static void test_compound(void **state)
{
    (void)state;
    const carom_part parts[2] = {
        {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_BOX, {1, 1, 1}}},
         .orientation = {1, 0, 0, 0},
         .density = 1},
        {.solid = {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_SPHERE, {0.5}}},
         .position = {0.8, 0, 0},
         .orientation = {1, 0, 0, 0},
         .density = 1},
    };
    carom_solid solid = {.kind = CAROM_SOLID_COMPOUND, .parts = parts, .part_count = 2};
    carom_scene_body body = {.solid = solid, .def = carom_body_def_default()};
    carom_vec3 centre, up = {0, 0, 1}, side = {1, 0, 0};
    carom_frame frame;
    surface s;
    assert_int_equal(carom_solid_body(&solid, 3, 0, &body.def, &centre), CAROM_STATUS_OK);
    carom_scene scene = scene_of(&body, 1, "newton", 1, 0);
    carom_sim *sim = sim_of(&scene);
    assert_int_equal(carom_frame_init(up, &frame), CAROM_STATUS_OK);
    surface_place place = {0, snap_at(sim, 0, 0), carom_vec3_sub(vec(0.8, 0, 0.5), centre), up, &frame};
    assert_true(surface_at(sim, &place, &s)); /* the plane z = 0.5 holds both: the ball is nearer */
    assert_moves(&s, &frame, side, vec(0.5, 0, 0), 1e-14);
    place.point = carom_vec3_sub(vec(-0.2, 0.1, 0.5), centre);
    assert_true(surface_at(sim, &place, &s));
    assert_moves(&s, &frame, vec(0, 0, 0), vec(0, 0, 0), 1e-14);
    assert_near(s.Q[0], 0, 0); /* the face of the box: no way turns its normal */
    place.point = carom_vec3_sub(vec(0, 0, 0.7), centre);
    assert_false(surface_at(sim, &place, &s)); /* nothing of it is there */
    carom_sim_free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turned_normals),
        cmocka_unit_test(test_flat_features),
        cmocka_unit_test(test_compound),
    };
    return cmocka_run_group_tests_name("surface_at", tests, NULL, NULL);
}
