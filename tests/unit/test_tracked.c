/* Recorded poses to impacts: exact flights with an exact impulse between them, and the body back from them. */
#include "support/check.h"

#include "carom/tracked.h"

enum { FRAMES = 41, RECORDS = 60 };

#define DT 0.0068

/* A body whose three moments are equal turns about a fixed axis. */
static carom_tracked make_body(void)
{
    carom_tracked b = carom_tracked_default(3, DT);
    b.radius = 0.0031;
    carom_tracked_box(&b, carom_vec3_make(0.0512, 0.0512, 0.0512));
    b.com = carom_vec3_make(0.0004, -0.0007, 0.0059);
    b.inertia = carom_vec3_make(0.00263, 0.00263, 0.00263);
    return b;
}

static double draw(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed / 4294967296.0 - 0.5;
}

static carom_quat turn(carom_vec3 r)
{
    double a = carom_vec3_length(r), s = a > 0 ? sin(a / 2) / a : 0;
    carom_quat q = {cos(a / 2), s * r.x, s * r.y, s * r.z};
    return q;
}

static carom_quat times(carom_quat a, carom_quat b)
{
    carom_quat q = {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                    a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
    return q;
}

static carom_vec3 turned(carom_quat q, carom_vec3 v)
{
    carom_quat p = {0, v.x, v.y, v.z}, back = {q.w, -q.x, -q.y, -q.z};
    p = times(times(q, p), back);
    return carom_vec3_make(p.x, p.y, p.z);
}

/* The motion around an impact at time t0, in which the body stands on its lowest point. */
typedef struct motion {
    carom_vec3 x, v[2], w[2], arm;
    carom_quat q;
    double t0;
} motion;

static motion make_motion(const carom_tracked *b, unsigned seed)
{
    motion m = {.t0 = (19.4 + draw(&seed)) * DT};
    carom_vec3 spin = {9 * draw(&seed), 9 * draw(&seed), 9 * draw(&seed)};
    m.q = turn(carom_vec3_make(3 * draw(&seed), 3 * draw(&seed), 3 * draw(&seed)));
    double low = 1;
    for (int i = 0; i < 8; i++) {
        carom_vec3 centre = carom_vec3_sub(b->corner[i], carom_vec3_scale(b->radius, b->inward[i]));
        carom_vec3 at = turned(m.q, carom_vec3_sub(centre, b->com));
        if (at.z - b->radius < low) {
            low = at.z - b->radius;
            m.arm = carom_vec3_make(at.x, at.y, low);
        }
    }
    m.x = carom_vec3_make(0.3, -0.2, -low);
    carom_vec3 p = {0.4 * draw(&seed), 0.4 * draw(&seed), 1.1};
    m.v[0] = carom_vec3_make(draw(&seed), draw(&seed), -1.385);
    m.v[1] = carom_vec3_add(m.v[0], p);
    m.w[0] = spin;
    m.w[1] = carom_vec3_add(spin, carom_vec3_scale(1 / b->inertia.x, carom_vec3_cross(m.arm, p)));
    return m;
}

static void record(const carom_tracked *b, const motion *m, carom_pose *poses)
{
    for (int k = 0; k < FRAMES; k++) {
        double t = k * DT - m->t0;
        int side = t > 0;
        carom_vec3 x = carom_vec3_add(m->x, carom_vec3_scale(t, m->v[side]));
        x.z -= b->gravity * t * t / 2;
        poses[k].q = times(turn(carom_vec3_scale(t, m->w[side])), m->q);
        poses[k].x = carom_vec3_sub(x, turned(poses[k].q, b->com));
        poses[k].missing = false;
    }
}

static void assert_vec(carom_vec3 got, carom_vec3 want, double scale)
{
    assert_near(got.x, want.x, scale, 1);
    assert_near(got.y, want.y, scale, 1);
    assert_near(got.z, want.z, scale, 1);
}

static void test_impact(void **state)
{
    (void)state;
    carom_tracked b = make_body();
    carom_pose poses[FRAMES];
    carom_track_impact found[8];
    unsigned char marks[FRAMES];
    motion m = make_motion(&b, 17);
    record(&b, &m, poses);
    assert_int_equal(carom_track_impacts(&b, FRAMES, poses, marks, 8, found), 1);
    assert_int_equal(found[0].why, CAROM_LEFT_OUT_NOTHING);
    assert_close(found[0].time, m.t0, 1e-9);
    for (int side = 0; side < 2; side++) {
        assert_vec(found[0].v[side], m.v[side], 1e-8);
        assert_vec(found[0].omega[side], m.w[side], 1e-7);
    }
    assert_vec(found[0].arm, m.arm, 1e-8);
    assert_near(carom_vec3_length(found[0].closure), 0, 1, 1e-6);
    assert_near(found[0].depth, 0, 1, 1e-9);
}

/* Known noise comes out as the deviation of a frame, and the deviation of v is sigma over the spread of the times. */
static void test_errors(void **state)
{
    (void)state;
    carom_tracked b = make_body();
    carom_pose poses[FRAMES];
    carom_track_impact found[RECORDS];
    unsigned char marks[FRAMES];
    unsigned seed = 5;
    double squares = 0, sigma = 1e-5;
    for (int i = 0; i < RECORDS; i++) {
        motion m = make_motion(&b, 7919u * (unsigned)i + 17);
        record(&b, &m, poses);
        for (int k = 0; k < FRAMES; k++)
            poses[k].x.x += sigma * sqrt(12) * draw(&seed), poses[k].x.y += sigma * sqrt(12) * draw(&seed),
                poses[k].x.z += sigma * sqrt(12) * draw(&seed);
        assert_true(carom_track_impacts(&b, FRAMES, poses, marks, 1, &found[i]) >= 1);
        squares += (found[i].v[1].x - m.v[1].x) * (found[i].v[1].x - m.v[1].x) * found[i].flight[1].spread_x;
    }
    carom_tracked_weigh(&b, RECORDS, found);
    assert_close(b.sigma_x, sigma, 0.05);
    assert_close(sqrt(squares / RECORDS), sigma, 0.25);
    assert_close(found[3].covariance[1][0], b.sigma_x * b.sigma_x / found[3].flight[1].spread_x, 0.01);
}

static void test_body(void **state)
{
    (void)state;
    carom_tracked truth = make_body(), b = truth;
    static carom_pose poses[RECORDS][FRAMES];
    static carom_track_impact found[RECORDS];
    unsigned char marks[FRAMES];
    carom_closure c;
    const carom_closure_wants all = {true, true, true};
    for (int i = 0; i < RECORDS; i++) {
        motion m = make_motion(&truth, 104729u * (unsigned)i + 3);
        record(&truth, &m, poses[i]);
    }
    b.com = carom_vec3_make(0, 0, 0);
    b.inertia = carom_vec3_make(0.0018, 0.0018, 0.0018);
    b.radius = 0;
    for (int round = 0; round < 12; round++) {
        for (int i = 0; i < RECORDS; i++)
            assert_true(carom_track_impacts(&b, FRAMES, poses[i], marks, 1, &found[i]) >= 1);
        assert_int_equal(carom_tracked_close(&b, all, RECORDS, found, &c), CAROM_STATUS_OK);
    }
    assert_vec(b.com, truth.com, 1e-6);
    assert_close(b.inertia.x, truth.inertia.x, 1e-4);
    assert_close(b.inertia.z, truth.inertia.z, 1e-4);
    assert_near(b.radius, truth.radius, 1, 2e-6);
    assert_true(c.rms < 1e-3 && c.rms_change > 5);
}

/* Frames that are taken out of exact records, two in the flight and none or some after the impact, are found and put
 * back in their places; the impact is then the one of the whole record. */
static void test_missing(void **state)
{
    (void)state;
    enum { ROOM = FRAMES + 8, GAP = 8 };
    carom_tracked b = make_body();
    carom_pose whole[FRAMES], poses[ROOM];
    carom_track_impact found[8];
    unsigned char marks[ROOM];
    const carom_track_room room = {ROOM, 8, marks, found};
    for (int i = 0; i < RECORDS; i++) {
        motion m = make_motion(&b, 7919u * (unsigned)i + 17);
        int after = (int)(m.t0 / DT), missing = i % 4, count = 0;
        record(&b, &m, whole);
        for (int k = 0; k < FRAMES; k++)
            if (k != GAP && k != GAP + 1 && !(k > after && k <= after + missing))
                poses[count++] = whole[k];
        assert_int_equal(count, FRAMES - 2 - missing);
        assert_int_equal(carom_track_fill(&b, count, poses, &room), FRAMES);
        for (int k = 0; k < FRAMES; k++)
            assert_int_equal(poses[k].missing, k == GAP || k == GAP + 1 || (k > after && k <= after + missing));
        assert_true(carom_track_impacts(&b, FRAMES, poses, marks, 8, found) >= 1);
        assert_int_equal(found[0].missing, 0);
        assert_close(found[0].time, m.t0, 1e-6);
        assert_int_equal(carom_track_fill(&b, FRAMES, whole, &room), FRAMES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_impact), cmocka_unit_test(test_errors),
                                       cmocka_unit_test(test_body), cmocka_unit_test(test_missing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
