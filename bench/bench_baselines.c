/* The stepped schemes of the literature beside Carom's exact laws:
 *
 *     bench_baselines
 *
 *     Baber   Euler steps in the normal impulse along Coulomb's law, ended by Stronge's restitution, with the step
 * halved until six digits of the impulse are right; Jia     Euler steps in the normal impulse through the springs, with
 * the published step 5e-5 (slip projected onto the friction cone: without it the scheme does not converge).
 *
 * Both are written from the published equations, as tight as the scheme allows, and share nothing with the library. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "carom/carom.h"

enum { HALVINGS = 30, ROUNDS = 9 };

#define SIX_DIGITS 1e-6
#define JIA_STEP   5e-5

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static carom_cvec velocity(const carom_problem *pb, carom_cvec p)
{
    return carom_cvec_add(pb->u, carom_csym_apply(pb->K, p));
}

/* Slip below what one step changes counts as none; the contact then sticks if the cone allows it. */
static carom_cvec baber(const carom_problem *pb, double mu, double e, double h)
{
    carom_cvec p = {0, 0, 0}, u = pb->u;
    double work_c = 0, work_r = 0;
    const carom_csym *K = &pb->K;
    double det = K->t11 * K->t22 - K->t12 * K->t12;
    double a1 = (K->t22 * K->t1n - K->t12 * K->t2n) / det, a2 = (K->t11 * K->t2n - K->t12 * K->t1n) / det;
    double rate = h * (mu * (K->t11 + K->t22) + fabs(K->t1n) + fabs(K->t2n));
    bool can_stick = a1 * a1 + a2 * a2 <= mu * mu;
    while (u.n < 0 || work_r < -e * e * work_c) {
        double slip = carom_cvec_slip(u), d1 = -mu * u.t1 / slip, d2 = -mu * u.t2 / slip;
        if (slip <= rate && can_stick) {
            d1 = -a1;
            d2 = -a2;
        }
        *(u.n < 0 ? &work_c : &work_r) += u.n * h;
        p = carom_cvec_add(p, carom_cvec_make(d1 * h, d2 * h, h));
        u = velocity(pb, p);
    }
    return p;
}

/* Springs in units where k_t = 1; k = eta^2, then eta^2 / e^2. */
static carom_cvec jia(const carom_problem *pb, const carom_coeffs *c, double h)
{
    double k = c->eta * c->eta, slip = carom_cvec_slip(pb->u);
    carom_cvec p = {0, 0, 0}, u = pb->u;
    double energy = -u.n * h, s1 = u.t1 / slip, s2 = u.t2 / slip, x1 = 0, x2 = 0;
    bool slips = slip >= c->mu * k * fabs(u.n), back = false;
    while (energy > 0) {
        double f = sqrt(2 * k * energy), dt = h / f;
        if (slips) {
            double turn = (u.t2 * s1 - u.t1 * s2) / (c->mu * f) * dt, r1 = s1 - turn * s2, r2 = s2 + turn * s1;
            double size = sqrt(r1 * r1 + r2 * r2);
            s1 = r1 / size;
            s2 = r2 / size;
            x1 = c->mu * f * s1;
            x2 = c->mu * f * s2;
            slips = u.t1 * s1 + u.t2 * s2 + c->mu * k * u.n > 0;
        } else {
            x1 += u.t1 * dt;
            x2 += u.t2 * dt;
            double size = sqrt(x1 * x1 + x2 * x2);
            slips = size > c->mu * f;
            s1 = slips ? x1 / size : s1;
            s2 = slips ? x2 / size : s2;
        }
        p = carom_cvec_add(p, carom_cvec_make(-x1 * dt, -x2 * dt, h));
        u = velocity(pb, p);
        energy -= u.n * h;
        if (!back && u.n >= 0) {
            back = true;
            energy *= c->e * c->e;
            k /= c->e * c->e;
        }
    }
    return p;
}

static double error(carom_cvec got, carom_cvec want)
{
    carom_cvec d = carom_cvec_sub(got, want);
    return sqrt(carom_cvec_dot(d, d) / carom_cvec_dot(want, want));
}

/* Nanoseconds of one carom_solve: the fastest round. */
static double exact_time(const carom_problem *pb, const carom_rule *rule, carom_cvec *p)
{
    double best = INFINITY;
    for (int i = 0; i < ROUNDS; i++) {
        enum { CALLS = 2000 };
        carom_outcome out;
        double start = seconds();
        for (int j = 0; j < CALLS; j++) {
            if (carom_solve(pb, rule, NULL, &out))
                return NAN;
            *p = out.p;
        }
        best = fmin(best, 1e9 * (seconds() - start) / CALLS);
    }
    return best;
}

static void report(const char *what, double stepped, double digits, double exact)
{
    printf("%-44s %12.0f ns, %4.1f digits   Carom %7.0f ns   %8.0f x\n", what, stepped, digits, exact, stepped / exact);
}

static void time_baber(const char *name, const carom_problem *pb, const carom_rule *rule)
{
    carom_cvec want, p = {0, 0, 0};
    double exact = exact_time(pb, rule, &want), h = 1e-3 * want.n, took = 0;
    for (int i = 0; i < HALVINGS && error(p, want) > SIX_DIGITS; i++, h /= 2) {
        double start = seconds();
        p = baber(pb, rule->coeffs.mu, rule->coeffs.e, h);
        took = 1e9 * (seconds() - start);
    }
    report(name, took, -log10(error(p, want)), exact);
}

static void time_jia(const char *name, const carom_problem *pb, const carom_rule *rule)
{
    carom_cvec want, p = {0, 0, 0};
    double exact = exact_time(pb, rule, &want), best = INFINITY;
    for (int i = 0; i < ROUNDS; i++) {
        double start = seconds();
        p = jia(pb, &rule->coeffs, JIA_STEP);
        best = fmin(best, 1e9 * (seconds() - start));
    }
    report(name, best, -log10(error(p, want)), exact);
}

int main(void)
{
    const double baber_K[9] = {20, 0, 1, 0, 4, 6, 1, 6, 10},
                 baber_u[3] = {-0.7071067811865477, -0.7071067811865475, -3};
    const double ball_K[9] = {3.5, 0, 0, 0, 3.5, 0, 0, 0, 1}, ball_u[3] = {-3, 0, -5};
    const double pencil_K[9] = {4.0412656227553523,  0, -1.7558755259749568, 0, 5.0550208303404673, 0,
                                -1.7558755259749568, 0, 2.0137552075851168},
                 pencil_u[3] = {-3.5011355962206423, -1.9144736842105263, -2.978618421052631}; /* examples/pencil.c */
    const double box_K[9] = {2.6, -0.4, 0.7, -0.4, 3.1, -0.5, 0.7, -0.5, 1.9}, box_u[3] = {-1.2, 0.8, -3};
    carom_problem baber_pb, ball, pencil, box;
    if (carom_problem_from_K(3, baber_K, baber_u, &baber_pb) || carom_problem_from_K(3, ball_K, ball_u, &ball) ||
        carom_problem_from_K(3, pencil_K, pencil_u, &pencil) || carom_problem_from_K(3, box_K, box_u, &box))
        return 1;
    carom_rule stronge = carom_rule_default(carom_law_find("routh-stronge"));
    carom_rule springs = carom_rule_default(carom_law_find("jia"));
    stronge.coeffs.mu = 0.7;
    time_baber("Baber's Euler loop, his figure 4", &baber_pb, &stronge);
    stronge.coeffs.mu = 0.3;
    time_baber("Baber's Euler loop, a general contact", &box, &stronge);
    springs.coeffs.mu = 0.4;
    time_jia("Jia's Euler scheme, his ball", &ball, &springs);
    springs.coeffs.mu = 0.8;
    time_jia("Jia's Euler scheme, his pencil", &pencil, &springs);
    springs.coeffs.mu = 0.4;
    time_jia("Jia's Euler scheme, a general contact", &box, &springs);
    return 0;
}
