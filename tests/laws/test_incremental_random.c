/* routh-newton, routh-poisson, routh-stronge: invariances, the path seen by a tracer, and a random corpus. */
#include <stdlib.h>

#include "core/psd.h"
#include "support/corpus.h"
#include "support/incremental.h"

static const carom_problem baber_start = {{20, -23, 31, 4, -7, 4}, {630, -780, -0.22}};

/* ---- invariances ---- */

static uint64_t seed;

static double uniform(double a, double b)
{
    seed += 0x9E3779B97F4A7C15u;
    uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return a + (b - a) * ((double)(z >> 11) * 0x1p-53);
}

static double sign(void)
{
    return uniform(0, 1) < 0.5 ? -1 : 1;
}

static double log_uniform(double a, double b)
{
    return pow(10, uniform(a, b));
}

/* K = sum of l v v^T over three random directions, with l down to 10^-span: cond K up to about 10^span. */
static carom_csym random_K(double span)
{
    carom_csym K = {0};
    for (int i = 0; i < 3; i++) {
        double a = uniform(-1, 1), b = uniform(-1, 1), c = uniform(-1, 1), l = i ? log_uniform(-span, 0) : 1;
        K.t11 += l * a * a;
        K.t12 += l * a * b;
        K.t22 += l * b * b;
        K.t1n += l * a * c;
        K.t2n += l * b * c;
        K.nn += l * c * c;
    }
    return K;
}

/* The same plus a mass: cond K of bodies, at most about 15, so that rounding of turned axes stays rounding. */
static carom_csym sturdy_K(void)
{
    carom_csym K = random_K(1);
    K.t11 += 0.25;
    K.t22 += 0.25;
    K.nn += 0.25;
    return K;
}

/* mu at which u_t = 0 is on the border between sticking and leaving: |M^-1 b|. */
static double stick_threshold(const carom_csym *K)
{
    double det = K->t11 * K->t22 - K->t12 * K->t12;
    return hypot(K->t22 * K->t1n - K->t12 * K->t2n, K->t11 * K->t2n - K->t12 * K->t1n) / det;
}

static void frame_independence(void **state)
{
    (void)state;
    seed = 41;
    for (int i = 0; i < 300; i++) {
        carom_problem pb = {sturdy_K(), {uniform(-3, 3), uniform(-3, 3), -log_uniform(-2, 1)}};
        carom_rule rule = rule_of(i % 3, uniform(0, 1), uniform(0.05, 2));
        double x = uniform(0, 6.25);
        carom_direction d = {cos(x), sin(x)};
        carom_problem turned = carom_problem_turned(&pb, d);
        carom_outcome a = solved(&pb, &rule), b = solved(&turned, &rule);
        double speed = 3 + fabs(pb.u.n) + fabs(a.u_after.n), size = fabs(a.p.n) * (1 + rule.coeffs.mu);
        cvec_close(a.p, d.c * b.p.t1 - d.s * b.p.t2, d.s * b.p.t1 + d.c * b.p.t2, b.p.n, 1e-13 * size);
        cvec_close(a.u_after, d.c * b.u_after.t1 - d.s * b.u_after.t2, d.s * b.u_after.t1 + d.c * b.u_after.t2,
                   b.u_after.n, 1e-13 * speed);
    }
}

static carom_vec3 random_vec3(void)
{
    return carom_vec3_make(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
}

/* The impact of two bodies; arms and normal in arms. */
static carom_outcome seen_from(const carom_body_def *a, const carom_body_def *b, const carom_vec3 *arms,
                               const carom_rule *rule)
{
    carom_body A, B;
    carom_contact contact;
    carom_problem pb;
    assert_int_equal(carom_body_init(a, &A), CAROM_STATUS_OK);
    assert_int_equal(carom_body_init(b, &B), CAROM_STATUS_OK);
    assert_int_equal(carom_contact_init(arms[0], arms[1], arms[2], &contact), CAROM_STATUS_OK);
    assert_int_equal(carom_bodies_reduce(&A, &B, &contact, &pb), CAROM_STATUS_OK);
    return solved(&pb, rule);
}

static carom_vec3 turned_vec3(const carom_vec3 *axis, carom_vec3 v)
{
    return carom_vec3_make(carom_vec3_dot(axis[0], v), carom_vec3_dot(axis[1], v), carom_vec3_dot(axis[2], v));
}

static void turn_body(const carom_vec3 *axis, carom_body_def *d)
{
    const carom_sym3 I = d->inertia;
    carom_vec3 x = turned_vec3(axis, carom_sym3_apply(I, axis[0])), y = turned_vec3(axis, carom_sym3_apply(I, axis[1]));
    carom_vec3 z = turned_vec3(axis, carom_sym3_apply(I, axis[2]));
    d->inertia = (carom_sym3){x.x, x.y, x.z, y.y, y.z, z.z};
    d->velocity = turned_vec3(axis, d->velocity);
    d->omega = turned_vec3(axis, d->omega);
}

static carom_body_def random_body(void)
{
    carom_body_def d = carom_body_def_default();
    d.mass = uniform(0.5, 2);
    d.inertia = (carom_sym3){uniform(0.3, 0.5), 0.05, -0.02, uniform(0.3, 0.5), 0.03, uniform(0.3, 0.5)};
    d.velocity = random_vec3();
    d.omega = random_vec3();
    return d;
}

static void world_axes(void **state)
{
    (void)state;
    seed = 61;
    for (int i = 0; i < 200; i++) {
        carom_frame old, frame;
        carom_vec3 normal = random_vec3(), turn = random_vec3();
        normal = carom_vec3_scale(1 / carom_vec3_length(normal), normal);
        assert_int_equal(carom_frame_init(carom_vec3_scale(1 / carom_vec3_length(turn), turn), &frame),
                         CAROM_STATUS_OK);
        assert_int_equal(carom_frame_init(normal, &old), CAROM_STATUS_OK);
        const carom_vec3 axis[] = {frame.t1, frame.t2, frame.n}, arms[] = {random_vec3(), random_vec3(), normal};
        carom_body_def a = random_body(), b = random_body();
        a.velocity = carom_vec3_sub(a.velocity, carom_vec3_scale(4, normal));
        carom_rule rule = rule_of(i % 3, uniform(0, 1), uniform(0.05, 1.5));
        carom_outcome here = seen_from(&a, &b, arms, &rule);
        carom_vec3 far[3], p = turned_vec3(axis, carom_frame_to_world(old, here.p));
        for (int k = 0; k < 3; k++)
            far[k] = turned_vec3(axis, arms[k]);
        turn_body(axis, &a);
        turn_body(axis, &b);
        carom_outcome there = seen_from(&a, &b, far, &rule);
        assert_int_equal(carom_frame_init(far[2], &frame), CAROM_STATUS_OK);
        carom_vec3 q = carom_frame_to_world(frame, there.p);
        close_to(carom_vec3_length(carom_vec3_sub(p, q)), 0, 1e-13 * carom_vec3_length(p));
        close_to(here.energy.change, there.energy.change, 1e-13 * (1 + fabs(here.energy.change)));
    }
}

/* The closed form of an isotropic block, and the general flow of one that is off by 1e-11, agree to as much. */
static void isotropic_block_is_a_limit(void **state)
{
    (void)state;
    seed = 43;
    for (int i = 0; i < 300; i++) {
        double m = log_uniform(-1, 1), k = log_uniform(-1, 1), b = sqrt(m * k) * uniform(0, 0.9), x = uniform(0, 6.25);
        carom_problem pb = {{m, 0, m, b * cos(x), b * sin(x), k},
                            {uniform(-2, 2), uniform(-2, 2), -log_uniform(-1, 1)}};
        carom_rule rule = rule_of(i % 3, uniform(0, 1), uniform(0.05, 1.5));
        carom_outcome round = solved(&pb, &rule);
        pb.K.t22 *= 1 + 1e-11;
        carom_outcome flow = solved(&pb, &rule);
        if (round.phases.phases != flow.phases.phases)
            continue; /* at a jump of the model */
        double size = round.p.n * (1 + rule.coeffs.mu);
        cvec_close(round.p, flow.p.t1, flow.p.t2, flow.p.n, 1e-9 * size);
        close_to(round.phases.work_friction, flow.phases.work_friction, 1e-9 * size * (2 + fabs(pb.u.n)));
    }
}

static void continuous_at_the_stick_threshold(void **state)
{
    (void)state;
    const double steps[] = {1e-14, 1e-11, 1e-8, 1e-5};
    seed = 47;
    for (int i = 0; i < 200; i++) {
        carom_problem pb = {sturdy_K(), {0, 0, -log_uniform(-1, 1)}};
        double mu = stick_threshold(&pb.K), slip = i % 2 ? log_uniform(-6, -1) : 0, x = uniform(0, 6.25);
        if (!(mu < 3))
            continue;
        pb.u.t1 = slip * cos(x);
        pb.u.t2 = slip * sin(x);
        carom_rule rule = rule_of(i % 3, 0.7, mu);
        carom_outcome at = solved(&pb, &rule);
        for (int k = 0; k < 8; k++) {
            double step = steps[k / 2];
            rule.coeffs.mu = mu * (1 + (k % 2 ? step : -step));
            carom_outcome near = solved(&pb, &rule);
            double loose = 300 * step + 1e-12;
            cvec_close(near.p, at.p.t1, at.p.t2, at.p.n, loose * (1 + mu) * at.p.n);
        }
    }
}

/* ---- the path ---- */

typedef struct watch {
    carom_problem pb;
    carom_state last, reached[64];
    carom_event_kind kind[64];
    int pieces, events;
    double mu;
} watch;

static void states_agree(const carom_state *a, const carom_state *b, const watch *w)
{
    double speed = fabs(w->pb.u.t1) + fabs(w->pb.u.t2) + fabs(w->pb.u.n), size = fabs(a->p.n) * (1 + w->mu);
    speed += size * (w->pb.K.t11 + w->pb.K.t22 + w->pb.K.nn);
    cvec_close(a->p, b->p.t1, b->p.t2, b->p.n, 1e-13 * size);
    cvec_close(a->u, b->u.t1, b->u.t2, b->u.n, 1e-13 * speed);
    close_to(a->work_normal, b->work_normal, 1e-13 * size * speed);
    close_to(a->work_friction, b->work_friction, 1e-13 * size * speed);
}

static void see_event(void *context, const carom_event *event)
{
    watch *w = context;
    states_agree(&event->at, &w->last, w); /* events lie at the ends of pieces */
    w->kind[w->events] = event->kind;
    w->reached[w->events++] = event->at;
}

static void see_piece(void *context, const carom_piece *piece)
{
    watch *w = context;
    carom_state s, before;
    piece->at(piece, 0, &s);
    states_agree(&s, &w->last, w);
    close_to(piece->p_n[0], s.p.n, 1e-14 * s.p.n);
    for (int i = 1; i <= 8; i++) {
        before = s;
        piece->at(piece, i / 8.0, &s);
        carom_cvec u = carom_cvec_add(w->pb.u, carom_csym_apply(w->pb.K, s.p)); /* u = u_0 + K p all the way */
        carom_state same = s;
        same.u = u;
        states_agree(&s, &same, w);
        assert_true(s.p.n >= before.p.n && s.work_friction <= before.work_friction);
        double mid = 0.5 * (s.u.n + before.u.n) * (s.p.n - before.p.n);
        if (strcmp(piece->mode, "stick") == 0) /* there u_n is linear in p_n */
            close_to(s.work_normal - before.work_normal, mid, 1e-12 * fabs(s.work_normal) + 1e-300);
    }
    close_to(piece->p_n[1], s.p.n, 1e-14 * s.p.n);
    w->last = s;
    w->pieces++;
}

static void tracer_sees_the_whole_path(void **state)
{
    (void)state;
    seed = 53;
    for (int i = 0; i < 400; i++) {
        watch w = {.mu = uniform(0.05, 2)};
        double u_n = -log_uniform(-2, 1);
        w.pb.K = random_K(2);
        w.pb.u = carom_cvec_make(uniform(-1, 1), uniform(-1, 1), u_n);
        if (i == 0)
            w.pb = baber_start;
        if (i % 7 == 6)
            w.pb.K.t12 = w.pb.K.t22 = w.pb.K.t2n = w.pb.u.t2 = 0;
        w.last.u = w.pb.u;
        carom_rule rule = rule_of(i % 3, uniform(0, 1), w.mu);
        carom_tracer tracer = {see_event, see_piece, &w};
        carom_outcome out;
        assert_int_equal(carom_solve(&w.pb, &rule, &tracer, &out), CAROM_STATUS_OK);
        assert_int_equal(w.events, out.event_count);
        assert_int_equal(w.kind[w.events - 1], CAROM_EVENT_END);
        assert_memory_equal(&w.reached[w.events - 1].p, &out.p, sizeof out.p);
        assert_memory_equal(&w.reached[w.events - 1].u, &out.u_after, sizeof out.u_after);
    }
}

/* ---- the corpus ---- */

static void count_piece(void *context, const carom_piece *piece)
{
    (void)piece;
    ++*(int *)context;
}

/* The direction of a ray of K near the direction x, by Newton. */
static double ray_near(const carom_csym *K, double mu, double x)
{
    for (int i = 0; i < 40; i++) {
        double c = cos(x), s = sin(x), m1 = K->t11 * c + K->t12 * s, m2 = K->t12 * c + K->t22 * s;
        double cc = c * m1 + s * m2, cs = c * m2 - s * m1, ss = K->t11 + K->t22 - cc;
        double f = K->t2n * c - K->t1n * s - mu * cs, f1 = -(K->t1n * c + K->t2n * s - mu * cc) - mu * ss;
        double step = f / f1;
        x -= fabs(step) < 0.3 ? step : copysign(0.3, step);
    }
    return x;
}

/* Give K the coupling b that makes the direction x a nearly double ray. */
static void make_double_ray(carom_csym *K, double mu, double x)
{
    double c = cos(x), s = sin(x), m1 = K->t11 * c + K->t12 * s, m2 = K->t12 * c + K->t22 * s;
    double cc = c * m1 + s * m2, cs = c * m2 - s * m1, ss = K->t11 + K->t22 - cc;
    double b_c = mu * (cc - ss * (1 + sign() * log_uniform(-14, -1))),
           b_s = mu * cs * (1 + sign() * log_uniform(-15, -1));
    K->t1n = b_c * c - b_s * s;
    K->t2n = b_c * s + b_s * c;
    double det = K->t11 * K->t22 - K->t12 * K->t12;
    double bound = (K->t22 * K->t1n * K->t1n - 2 * K->t12 * K->t1n * K->t2n + K->t11 * K->t2n * K->t2n) / det;
    K->nn = bound * (1 + log_uniform(-3, 1)) + 1e-6;
}

/* One of seven families: plain, ill-conditioned, grazing, tiny slip, near a ray, near the threshold, near-double ray.
 */
static carom_problem random_problem(int family, carom_coeffs *c)
{
    carom_problem pb = {random_K(family == 1 ? 8 : 2), {0, 0, -log_uniform(-1, 1)}};
    double r = log_uniform(-1.5, 1.5), x = uniform(0, 6.25);
    c->e = uniform(0, 1);
    c->mu = uniform(0, 1) < 0.6 ? uniform(0, 1.5) : uniform(0, 10);
    if (family == 2)
        pb.u.n = -r * log_uniform(-8, -2);
    if (family == 3)
        r *= log_uniform(-12, -2);
    if (family == 4)
        x = ray_near(&pb.K, c->mu, x) + sign() * log_uniform(-15, -1);
    if (family == 5)
        c->mu = fmin(50, stick_threshold(&pb.K) * (1 + sign() * log_uniform(-15, -2)));
    if (family == 6) {
        make_double_ray(&pb.K, c->mu, x);
        x += sign() * log_uniform(-6, 0.5);
    }
    pb.u.t1 = r * cos(x);
    pb.u.t2 = r * sin(x);
    return pb;
}

static double ending_error(int law, const carom_outcome *out, double e, double u_n)
{
    const carom_phases *ph = &out->phases;
    if (law == NEWTON)
        return fabs(out->u_after.n + e * u_n) / -u_n;
    if (law == POISSON)
        return fabs(ph->p_restitution - e * ph->p_compression) / ph->p_compression;
    return fabs(ph->work_decompression + e * e * ph->work_compression) / -ph->work_compression;
}

static void random_corpus(void **state)
{
    (void)state;
    enum { IMPACTS = 21000, STEPS = 64 };
    seed = 59;
    for (int i = 0; i < IMPACTS; i++) {
        int law = i % 3, pieces = 0;
        carom_rule rule = rule_of(law, 0, 0);
        carom_problem pb = random_problem(i / 3 % 7, &rule.coeffs);
        if (carom_problem_check(&pb) != CAROM_STATUS_OK)
            continue; /* ill-conditioned beyond rounding */
        carom_tracer tracer = {NULL, count_piece, &pieces};
        carom_outcome out;
        carom_status status = carom_solve(&pb, &rule, &tracer, &out);
        if (status == CAROM_STATUS_UNBOUNDED && spectrum_of(&pb.K).rank < 3)
            continue;
        assert_int_equal(status, CAROM_STATUS_OK);
        assert_in_range(pieces, 1, STEPS);
        assert_in_range(out.phases.phases, 1, 2);
        assert_false(out.flags & (CAROM_FLAG_PENETRATES | CAROM_FLAG_OUTSIDE_CONE));
        assert_false(law != NEWTON && (out.flags & CAROM_FLAG_CREATES_ENERGY));
        if (!(out.flags & CAROM_FLAG_JAM))
            close_to(ending_error(law, &out, rule.coeffs.e, pb.u.n), 0, 1e-13);
        double size = out.p.n * (1 + rule.coeffs.mu), speed = fabs(pb.u.t1) + fabs(pb.u.t2) + fabs(pb.u.n);
        carom_cvec u = carom_cvec_add(pb.u, carom_csym_apply(pb.K, out.p));
        double all = speed + size * (pb.K.t11 + pb.K.t22 + pb.K.nn);
        cvec_close(out.u_after, u.t1, u.t2, u.n, 1e-14 * all);
        close_to(out.energy.change, out.energy.normal + out.energy.friction, 1e-12 * size * all);
    }
}

/* K with a zero row in integers, as people type them, and u along it: every law gives back its own coefficient. */
static void zero_rows_return_the_coefficient(void **state)
{
    (void)state;
    enum { IMPACTS = 200000 };
    dice d = {61};
    for (int i = 0; i < IMPACTS; i++) {
        const int law = i % 3, a = 1 + dice_below(&d, 8), k = dice_below(&d, 13) - 6, nn = 1 + dice_below(&d, 6);
        const double mu = dice_below(&d, 2) ? 0.5 * (1 + dice_below(&d, 8)) : 100 * (1 + dice_below(&d, 30));
        const carom_rule rule = rule_of(law, 0.25 * (1 + dice_below(&d, 4)), mu);
        const carom_cvec u = {dice_below(&d, 9) - 4, 1 + dice_below(&d, 3), -1 - dice_below(&d, 4)};
        const carom_problem first = {{a, 0, 0, k, 0, nn}, u}, second = {{0, 0, a, 0, k, nn}, {u.t2, u.t1, u.n}};
        if (a * nn <= k * k)
            continue;
        const carom_outcome out = solved(&first, &rule), swapped = solved(&second, &rule);
        close_to(ending_error(law, &out, rule.coeffs.e, u.n), 0, 1e-13);
        const carom_cvec after = carom_cvec_add(u, carom_csym_apply(first.K, out.p));
        const double all = fabs(u.t1) + 3 + fabs(u.n) + (a + abs(k)) * (fabs(out.p.t1) + out.p.n) + nn * out.p.n;
        cvec_close(out.u_after, after.t1, after.t2, after.n, 4e-15 * all); /* p_t2 is large, and changes nothing */
        cvec_close(out.p, swapped.p.t2, swapped.p.t1, swapped.p.n, 1e-13 * out.p.n * (1 + rule.coeffs.mu));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frame_independence),
        cmocka_unit_test(world_axes),
        cmocka_unit_test(isotropic_block_is_a_limit),
        cmocka_unit_test(continuous_at_the_stick_threshold),
        cmocka_unit_test(tracer_sees_the_whole_path),
        cmocka_unit_test(random_corpus),
        cmocka_unit_test(zero_rows_return_the_coefficient),
    };
    return cmocka_run_group_tests_name("incremental-random", tests, NULL, NULL);
}
