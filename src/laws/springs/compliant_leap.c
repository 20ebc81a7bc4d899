/* Compliant sticking over many fast swings at once.
 *
 * Sticking is linear: with A = D^1/2 K D^1/2 = sum of omega_i^2 v_i v_i^T,
 *
 *     xi_i = v_i . D^-1/2 F,   eta_i = v_i . D^1/2 u,   xi' = -eta,   eta' = omega^2 xi                       (11)
 *
 * Where one frequency is far above another (small eta, ill-conditioned K) the fast modes only add a ripple of known
 * size to the slow ones. As long as the slow part keeps further from every border than the ripple, nothing can happen,
 * and (11) is evaluated at the far end of that time. How long it keeps away follows from bounds on the slow speeds. */
#include "laws/springs/family_compliant.h"

enum { LEAPS_MOST = 64 };   /* in a row; each but the last keeps a fixed share of the distance to the border */
enum { WEDGED_AFTER = 64 }; /* series of sticking in restitution: with a singular K it never ends */
#define LEAP_SHARE   0.9    /* of the time that the bounds allow */
#define LEAP_FOREVER 1e15   /* rad of the fastest mode: beyond it no phase is known, and the contact is wedged */
#define LEAP_WORTH   4.0    /* series that a leap must replace */

static void modes_of(const carom_csym *K, double k, modes *m)
{
    double d = sqrt(k), value[3];
    carom_csym A = {K->t11, K->t12, K->t22, d * K->t1n, d * K->t2n, k * K->nn};
    csym_eigen(&A, value, m->v);
    for (int i = 0; i < 3; i++)
        m->omega[i] = sqrt(value[i] > 0 ? value[i] : 0);
    m->d = d;
}

/* Modal coordinates of a spot. */
static void project(const modes *m, const spot *a, double xi[3], double eta[3])
{
    for (int i = 0; i < 3; i++) {
        carom_cvec v = m->v[i];
        xi[i] = v.t1 * a->F.t1 + v.t2 * a->F.t2 + v.n * a->F.n / m->d;
        eta[i] = v.t1 * a->u.t1 + v.t2 * a->u.t2 + v.n * a->u.n * m->d;
    }
}

static carom_cvec sum_of(const modes *m, const double x[3], double scale)
{
    carom_cvec sum = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        sum = carom_cvec_add(sum, carom_cvec_scale(x[i], m->v[i]));
    sum.n *= scale;
    return sum;
}

/* (11) over the time t: exact, whatever the frequencies. */
static spot swing(const modes *m, const spot *a, double t)
{
    double xi[3], eta[3], force[3], speed[3], push[3];
    project(m, a, xi, eta);
    for (int i = 0; i < 3; i++) {
        double w = m->omega[i], half = 0.5 * w * t, s = sin(half), c = cos(half);
        double S = w > 0 ? 2 * s * c / w : t, Q = w > 0 ? 2 * square(s / w) : 0.5 * t * t;
        double cosine = 1 - 2 * s * s;
        force[i] = xi[i] * cosine - eta[i] * S;
        speed[i] = eta[i] * cosine + w * w * S * xi[i];
        push[i] = xi[i] * S - eta[i] * Q;
    }
    spot b = *a;
    b.F = sum_of(m, force, m->d);
    b.u = sum_of(m, speed, 1 / m->d);
    b.p = carom_cvec_add(a->p, sum_of(m, push, m->d));
    return b;
}

/* The time for which modes `first` and above are but a ripple on those below, and no border is met. */
static double quiet(const compliant *c, const modes *m, const double xi[3], const double eta[3], int first)
{
    carom_cvec F = {0, 0, 0};
    double u_n = 0, ripple = 0, ripple_n = 0, pace = 0, pace_n = 0;
    for (int i = 0; i < 3; i++) {
        carom_cvec v = m->v[i];
        double w = m->omega[i], size = w > 0 ? hypot(xi[i], eta[i] / w) : fabs(xi[i]);
        double border = c->mu * m->d * fabs(v.n) + hypot(v.t1, v.t2), normal = fabs(v.n) / m->d;
        if (i >= first) {
            ripple += border * size;
            ripple_n += normal * w * size;
        } else {
            F = carom_cvec_add(F, carom_cvec_scale(xi[i], v));
            u_n += v.n * eta[i] / m->d;
            pace += border * w * size;
            pace_n += normal * w * w * size;
        }
    }
    double far = (c->mu * m->d * F.n - hypot(F.t1, F.t2) - ripple) / pace;
    double far_n = c->restitution ? INFINITY : (-u_n - ripple_n) / pace_n;
    return LEAP_SHARE * (far < far_n ? far : far_n); /* NaN, from 0 / 0, is no leap */
}

typedef enum leap_result { LEAP_NONE, LEAP_DONE, LEAP_NEVER_LANDS } leap_result;

typedef struct flight {
    const compliant *c;
    const modes *m;
    double time;
} flight;

static void flight_at(const carom_piece *piece, double s, carom_state *state)
{
    const flight *f = piece->data;
    spot a = swing(f->m, &f->c->now, s * f->time);
    *state = compliant_state(f->c, &a);
}

/* One leap, if it replaces several series of length h. */
static leap_result leap(compliant *c, const modes *m, double h)
{
    double xi[3], eta[3];
    project(m, &c->now, xi, eta);
    double two = quiet(c, m, xi, eta, 2), one = quiet(c, m, xi, eta, 1), t = one > two ? one : two;
    if (!(t > LEAP_WORTH * h))
        return LEAP_NONE;
    if (!(t * m->omega[2] < LEAP_FOREVER))
        return LEAP_NEVER_LANDS;
    spot landing = swing(m, &c->now, t);
    flight f = {c, m, t};
    compliant_show_piece(c, landing.p.n, flight_at, &f);
    c->now = landing;
    return LEAP_DONE;
}

bool compliant_singular(const carom_csym *K)
{
    double value[3];
    carom_cvec axis[3];
    csym_eigen(K, value, axis);
    return value[K->t22 > 0 ? 0 : 1] <= SINGULAR_TOL * value[2];
}

ending leaps(compliant *c, int series_done, double h, modes *m)
{
    if (series_done == LEAP_AFTER)
        modes_of(&c->K, c->k, m);
    leap_result how = LEAP_DONE;
    for (int i = 0; i < LEAPS_MOST && how == LEAP_DONE; i++)
        how = leap(c, m, h);
    bool held = c->restitution && series_done == WEDGED_AFTER && compliant_singular(&c->K);
    return how == LEAP_NEVER_LANDS || held ? ENDS_WEDGED : ENDS_NOT;
}
