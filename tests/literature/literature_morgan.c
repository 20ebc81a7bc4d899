/* Morgan (2011): his formulas for the double pendulum, evaluated step by step beside `routh-stronge`. */
#include <math.h>
#include <stddef.h>

#include "literature.h"

static const place pauses = {GROUP_DERIVED, DOCUMENT_MORGAN, "(2.5), (2.12), (3.1)-(3.3): pauses"},
                   energies = {GROUP_DERIVED, DOCUMENT_MORGAN, "(2.21): energetic stopping criterion"};

/* Two bars of mass 1 and length 1 at q; rows t and n of J at the tip. */
typedef struct pendulum {
    double M[2][2], J[2][2], u[2]; /* u: generalized speeds before */
    double L[2][2];                /* columns L_t, L_n of M^-1 J^T */
    double mu, e;
} pendulum;

static pendulum example(void)
{
    const double q1 = -0.9, q2 = 0.8;
    const double v_t = -0.1, v_n = -1; /* of the tip, before */
    pendulum d = {.mu = 0.8, .e = 0.6};
    d.M[0][0] = cos(q2) + 5.0 / 3;
    d.M[0][1] = d.M[1][0] = 0.5 * cos(q2) + 1.0 / 3;
    d.M[1][1] = 1.0 / 3;
    d.J[0][0] = -sin(q1) - sin(q1 + q2);
    d.J[0][1] = -sin(q1 + q2);
    d.J[1][0] = cos(q1) + cos(q1 + q2);
    d.J[1][1] = cos(q1 + q2);
    double area = d.J[0][0] * d.J[1][1] - d.J[0][1] * d.J[1][0];
    d.u[0] = (d.J[1][1] * v_t - d.J[0][1] * v_n) / area;
    d.u[1] = (d.J[0][0] * v_n - d.J[1][0] * v_t) / area;
    double det = d.M[0][0] * d.M[1][1] - d.M[0][1] * d.M[1][0];
    for (int k = 0; k < 2; k++) {
        d.L[0][k] = (d.M[1][1] * d.J[k][0] - d.M[0][1] * d.J[k][1]) / det;
        d.L[1][k] = (d.M[0][0] * d.J[k][1] - d.M[1][0] * d.J[k][0]) / det;
    }
    return d;
}

typedef struct pause {
    double p_n, u[2], E_n;
} pause;

static double row(const pendulum *d, int k, const double v[2])
{
    return d->J[k][0] * v[0] + d->J[k][1] * v[1];
}

/* From one pause along L_n + friction L_t by an amount of normal impulse; E_n by (2.21), where u^T M L_n = J_n u. */
static pause along(const pendulum *d, pause from, double friction, double p_n)
{
    double line[2] = {d->L[0][1] + friction * d->L[0][0], d->L[1][1] + friction * d->L[1][0]};
    pause to = {from.p_n + p_n, {from.u[0] + p_n * line[0], from.u[1] + p_n * line[1]}, 0};
    to.E_n = from.E_n + row(d, 1, from.u) * p_n + 0.5 * row(d, 1, line) * p_n * p_n;
    return to;
}

/* (3.2) and (3.3): normal impulse to v_t = 0 (k = 0) or v_n = 0 (k = 1). */
static double to_pause(const pendulum *d, pause from, double friction, int k)
{
    double line[2] = {d->L[0][1] + friction * d->L[0][0], d->L[1][1] + friction * d->L[1][0]};
    return -row(d, k, from.u) / row(d, k, line);
}

/* The larger root of (2.21) = stop: the impulse that releases what is to be released. */
static double to_stop(const pendulum *d, pause from, double friction, double stop)
{
    double line[2] = {d->L[0][1] + friction * d->L[0][0], d->L[1][1] + friction * d->L[1][0]};
    double a = 0.5 * row(d, 1, line), b = row(d, 1, from.u), c = from.E_n - stop;
    return (-b + sqrt(b * b - 4 * a * c)) / (2 * a);
}

typedef struct seen {
    int count;
    carom_event events[16];
} seen;

static void see(void *context, const carom_event *event)
{
    seen *s = context;
    if (s->count < 16)
        s->events[s->count++] = *event;
}

static double at_event(const seen *s, carom_event_kind kind)
{
    for (int i = 0; i < s->count; i++)
        if (s->events[i].kind == kind)
            return s->events[i].at.p.n;
    return NAN;
}

/* Path a-b-e: slip stops first and sticks (m < mu), then compression ends, then E_n reaches (1 - e^2) of its extreme.
 */
static void add_path(literature *l, const pendulum *d, const carom_outcome *out, const seen *s)
{
    pause start = {0, {d->u[0], d->u[1]}, 0};
    double v_t = row(d, 0, d->u), slide = v_t < 0 ? d->mu : -d->mu;
    double L_t[2] = {d->L[0][0], d->L[1][0]}, L_n[2] = {d->L[0][1], d->L[1][1]};
    double m = -row(d, 0, L_n) / row(d, 0, L_t); /* (3.1) */
    pause tangential = along(d, start, slide, to_pause(d, start, slide, 0));
    double friction = fabs(m) <= d->mu ? m : -slide;
    pause normal = along(d, tangential, friction, to_pause(d, tangential, friction, 1));
    double stop = (1 - d->e * d->e) * normal.E_n;
    pause end = along(d, normal, friction, to_stop(d, normal, friction, stop));
    carom_event_kind turn = fabs(m) <= d->mu ? CAROM_EVENT_STICK
                            : slide > 0      ? CAROM_EVENT_SLIDE_PLUS
                                             : CAROM_EVENT_SLIDE_MINUS;
    literature_add_formula(l, &pauses, tangential.p_n, at_event(s, turn), "p_n at the tangential pause");
    literature_add_formula(l, &pauses, normal.p_n, at_event(s, CAROM_EVENT_UP), "p_n at the normal pause");
    literature_add_formula(l, &pauses, row(d, 0, end.u), out->u_after.t1, "v_t at the stop");
    literature_add_formula(l, &pauses, row(d, 1, end.u), out->u_after.n, "v_n at the stop");
    literature_add_formula(l, &energies, end.p_n, out->p.n, "p_n at the stop");
    literature_add_formula(l, &energies, normal.E_n, out->phases.work_compression, "E_n at the normal pause");
    literature_add_formula(l, &energies, end.E_n, out->energy.normal, "E_n at the stop");
}

void literature_morgan(literature *l)
{
    pendulum d = example();
    carom_problem pb = {{0, 0, 0, 0, 0, 0}, {row(&d, 0, d.u), 0, row(&d, 1, d.u)}};
    double L_t[2] = {d.L[0][0], d.L[1][0]}, L_n[2] = {d.L[0][1], d.L[1][1]};
    pb.K.t11 = row(&d, 0, L_t);
    pb.K.t1n = row(&d, 0, L_n);
    pb.K.nn = row(&d, 1, L_n);
    carom_rule rule = carom_rule_default(carom_law_find("routh-stronge"));
    rule.coeffs.e = d.e;
    rule.coeffs.mu = d.mu;
    seen s = {.count = 0};
    carom_tracer tracer = {see, NULL, &s};
    carom_outcome out;
    (void)!carom_solve(&pb, &rule, &tracer, &out);
    add_path(l, &d, &out, &s);
}
