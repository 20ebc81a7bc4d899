/* Compliant slip in space: the tail, what is left of an impact when u_n > 0 and f is small.
 *
 * With x the impulse still to come, P at first, and theta the rotation of s from now on, the equation of (7) reads
 * mu y dtheta/dx = -u_t . s_perp, where y falls with x and u changes by v = K (-mu s, 1) per impulse: A = v.s, B =
 * v.s_perp, H = v_n. Integrated against powers of x and theta it gives the moments of theta without being solved:
 *
 *     psi_n     = mean of (x / P)^n theta:
 *     ((n + 1) c + q + A P) psi_n = w / (n + 1) + B P / (n + 1) (n + 2)
 *                                   + P (A - mu M_22 / (n + 1) + (n + 2) mu k H) psi_{n+1}
 *     (c + q) chi                 = w psi_1 + B P (psi_1 - psi_2)                      chi = mean of (x / P) theta^2
 *     (c / 2 + q + A P) S         = w psi_0 + B P (psi_0 - psi_1) + P (A + mu k H) chi - mu P M_22 psi_0^2 / 2
 *     (c / 3 + q) T               = w S + B P (S - chi)                                S, T = means of theta^2, theta^3
 *     (c + q) (phi - psi_0)       = (w + B P) delta + mu P (mu k b_2 + M_12 / 2) psi_0^2 + mu P M_12 chi / 2
 *                                   - (c / 3 + q / 2) T                                phi = mean of sin theta    (9)
 *
 * to third order in P and theta, where q = u_t.s, w = u_t.s_perp, c = 2 mu k u_e, u_e is u_n at the end, M and b are
 * K_TT and K_Tn along s and s_perp, and P (1 + delta) is the impulse left, delta = mu P (b_2 psi_1 - b_1 chi / 2) /
 * u_e. */
#include "laws/springs/compliant_slip.h"

enum { FROZEN_TERMS = 32 };
#define TAIL_TOL     (2 * EPS) /* of p_n: what fourth order terms of the tail may add */
#define FROZEN_MOST  0.9       /* tan psi, of the frozen tail: t = 0.39, and t^32 = 1e-13 */
#define FROZEN_SHARE 1e-3      /* of p_n that it may have */

/* The state at the beginning of the tail, along s and s_perp. */
typedef struct slope {
    double q, w, A, B, H;
    double M12, M22, b1, b2;
    double c, u_e, P;
} slope;

static slope slope_of(const compliant *c)
{
    const spot *a = &c->now;
    const carom_csym *K = &c->K;
    double s1 = a->s.t1, s2 = a->s.t2;
    tvec Ms = {K->t11 * s1 + K->t12 * s2, K->t12 * s1 + K->t22 * s2};
    slope g;
    g.q = s1 * a->u.t1 + s2 * a->u.t2;
    g.w = s1 * a->u.t2 - s2 * a->u.t1;
    g.M12 = s1 * Ms.t2 - s2 * Ms.t1;
    g.M22 = K->t11 * s2 * s2 - 2 * K->t12 * s1 * s2 + K->t22 * s1 * s1;
    g.b1 = s1 * K->t1n + s2 * K->t2n;
    g.b2 = s1 * K->t2n - s2 * K->t1n;
    g.A = g.b1 - c->mu * (s1 * Ms.t1 + s2 * Ms.t2);
    g.B = g.b2 - c->mu * g.M12;
    g.H = K->nn - c->mu * g.b1;
    return g;
}

/* Means over the tail: of 1 - cos theta, and of sin theta. */
typedef struct bent {
    double back, side;
} bent;

/* The frozen tail: with u_t fixed, the angle psi from s to u_t obeys x dpsi/dx = rho sin psi, rho = |u_t| / c, that is
 * t = tan(psi / 2) grows as x^rho, and the mean direction to come is known to all orders:
 *
 *     along u_t   1 - 2 t^2 / (1 + 2 rho) + 2 t^4 / (1 + 4 rho) - ...
 *     across it   -2 t / (1 + rho) + 2 t^3 / (1 + 3 rho) - ...                                                  (9a)
 *
 * What this adds to the third order. */
static bent frozen_rest(const slope *g)
{
    double c = g->c, q = g->q, w = g->w, U = sqrt(q * q + w * w), t = w / (U + q), rho = U / c, power = 2;
    tvec mean = {1, 0};
    for (int m = 1; m <= FROZEN_TERMS && fabs(power) > EPS; m += 2) {
        mean.t2 -= (power *= t) / (1 + m * rho);
        mean.t1 -= (power *= t) / (1 + (m + 1) * rho);
        power = -power;
    }
    double cosine = q / U, sine = w / U;
    double psi = w / (c + q), S = w * psi / (0.5 * c + q), T = w * S / (c / 3 + q); /* (9) without P */
    bent rest = {1 - 0.5 * S - (mean.t1 * cosine - mean.t2 * sine),
                 mean.t1 * sine + mean.t2 * cosine - (psi - (c / 3 + 0.5 * q) * T / (c + q))};
    return rest;
}

/* psi_n of (9) from the next. */
static double moment(const compliant *c, const slope *g, int n, double next)
{
    double P = g->P, m = n + 1, per = 1 / m;
    double gain = P * (g->A - c->mu * g->M22 * per + (m + 1) * c->mu * c->k * g->H);
    return (per * (g->w + g->B * P / (m + 1)) + gain * next) / (m * g->c + g->q + g->A * P);
}

/* The impulse still to come. */
static carom_cvec tail_impulse(const compliant *c, const slope *g, bool all_orders)
{
    const double P = g->P, w = g->w, q = g->q, d = g->c, A = g->A * P, B = g->B * P, mu = c->mu;
    const double psi2 = moment(c, g, 2, 0), psi1 = moment(c, g, 1, psi2), psi0 = moment(c, g, 0, psi1);
    const double chi = (w * psi1 + B * (psi1 - psi2)) / (d + q), lean = mu * P * psi0 * psi0;
    const double work = w * psi0 + B * (psi0 - psi1) + (A + mu * c->k * g->H * P) * chi - 0.5 * g->M22 * lean;
    const double S = work / (0.5 * d + q + A), T = (w * S + B * (S - chi)) / (d / 3 + q);
    const double delta = mu * P * (g->b2 * psi1 - 0.5 * g->b1 * chi) / g->u_e;
    const double more = (w + B) * delta + (mu * c->k * g->b2 + 0.5 * g->M12) * lean + 0.5 * mu * P * g->M12 * chi;
    bent by = {0.5 * S, psi0 + (more - (d / 3 + 0.5 * q) * T) / (d + q)};
    if (all_orders) {
        bent rest = frozen_rest(g);
        by.back += rest.back;
        by.side += rest.side;
    }
    const tvec s = c->now.s;
    const double along = 1 + delta - by.back, slide = -mu * P;
    return carom_cvec_make(slide * (along * s.t1 - by.side * s.t2), slide * (along * s.t2 + by.side * s.t1),
                           P + P * delta);
}

/* Do the terms of fourth order, about the product of the tail's share of p_n and `fourth`, stay below TAIL_TOL? */
static bool is_ready(const compliant *c, const slope *g, double share, bool frozen)
{
    double stiff = g->q + g->c, turn = CARRIES_PARTIALS ? stiff : fabs(g->w) + fabs(g->B) * g->P;
    double swing = g->P * (fabs(g->A) + c->mu * (g->M22 + fabs(g->M12)));
    if (stiff <= 0 || share * turn * swing * square(swing) > TAIL_TOL * square(square(stiff))) /* at least */
        return false;
    double bend = g->P * (0.5 * fabs(g->H) + c->mu * fabs(g->b2)) / g->u_e + swing / stiff, angle = turn / stiff;
    double slack = (g->c + 4 * g->q) / g->c; /* the integral of theta^4 nearly diverges when this is small */
    double margin = min(slack, 1 - bend), both = angle + bend;
    double fourth = angle * (frozen ? bend * (2 * square(angle) + square(bend)) : 4 * both * square(both));
    return margin > 0 && share * fourth <= TAIL_TOL * margin;
}

tail slip_tail(const compliant *c)
{
    tail end = {{0, 0, 0}, 1, false};
    const spot *a = &c->now;
    if (!c->restitution || a->u.n <= 0)
        return end;
    slope g = slope_of(c);
    double E = 0.5 * a->y / c->k, root = square(a->u.n) + 2 * g.H * E;
    if (root <= 0)
        return end;
    g.u_e = sqrt(root);
    g.P = 2 * E / (a->u.n + g.u_e);
    g.c = 2 * c->mu * c->k * g.u_e;
    double share = g.P * (1 + c->mu) / a->p.n;
    bool frozen = g.q > 0 && fabs(g.w) <= FROZEN_MOST * g.q && share <= FROZEN_SHARE;
    end.weight = min(share, 1);
    if (share <= TAIL_TOL) {
        end.ready = true;
        end.p = carom_cvec_make(-c->mu * g.P * a->s.t1, -c->mu * g.P * a->s.t2, g.P);
    } else if (is_ready(c, &g, share, frozen)) {
        end.ready = true;
        end.p = tail_impulse(c, &g, frozen);
    }
    return end;
}
