/* The arithmetic of straight pieces: slopes are constant, so every stop is the root of a linear or quadratic equation.
 * One source for the walk, which raises events on the way, and for vector loops, which do not.
 *
 * An impact keeps to a plane when K does (planar problems) and when nothing couples (spheres). With s = sign u_t, and
 * m, b, k the entries of K there,
 *
 *     du_t/dp = b - mu s m     du_n/dp = k - mu s b     until u_t = 0, then                                  (1)
 *     sticking if |b| <= mu_s m:  dp_t/dp = -b/m,  du_n/dp = (m k - b^2)/m                                  (2)
 *     reversed slip otherwise:    s = sign b in (1)                                                         (3)   */
#ifndef CAROM_LAWS_SLIP_LINE_H
#define CAROM_LAWS_SLIP_LINE_H

#include <stdbool.h>

#include "contact/lanes.h"
#include "contact/plane.h"
#include "core/num.h"
#include "core/psd.h"

typedef enum slip_measure { BY_VELOCITY, BY_IMPULSE, BY_WORK } slip_measure;

/* Sums over the phases so far: impulses and works of compression and restitution. */
typedef struct slip_sums {
    double approach; /* -u_n at the start */
    double p_c, p_r; /* normal impulse */
    double W_c, W_r; /* normal work, W_c <= 0 */
    double W_first;  /* work of the first compression */
} slip_sums;

typedef enum slip_stop { STOP_PIECE, STOP_ORIGIN, STOP_UP, STOP_DOWN, STOP_DONE, STOP_NEVER } slip_stop;

/* From one stop to the next: impulses and works of the stride, velocities at its end. */
typedef struct slip_stride {
    slip_stop stop;
    double p_n, work, friction;
    tvec p_t, u_t;
    double u_n;
} slip_stride;

/* Constant slopes, by p. */
typedef struct slip_line {
    tvec u_t, du; /* slip at the start and its slope */
    tvec dp;      /* slope of the tangential impulse */
    double u_n, h;
    double length; /* to u_t = 0, or infinite */
    double end;    /* of the stride found */
} slip_line;

/* The state u_t = 0: it stays, or slip leaves it along the one diverging ray. */
typedef struct slip_origin {
    bool sticks;
    tvec c, a;    /* ray, or tangential impulse per normal impulse with reversed sign */
    double g, h;  /* slopes of r and u_n afterwards */
    double terms; /* sticking: size of the terms of h, whose rounding in K hides a smaller h */
} slip_origin;

/* An impact in the plane of a unit vector e and n, with m = e.Me, b = b.e and k = K_nn. */
typedef struct slip_plane {
    tvec e;
    double m, b, k, mu, mu_s;
} slip_plane;

/* ---- where a line stops ---- */

/* The impulse at which restitution ends on a line that starts at u_n and rises by h, infinite when it never gets there.
 * Energetic end: the positive root of u_n d + h d^2 / 2 = need, written without cancellation. */
LANES_INLINE double slip_to_end(slip_measure by, double need, double u_n, double h)
{
    if (by == BY_IMPULSE)
        return need;
    if (by == BY_VELOCITY) {
        double left = (need - u_n) / h; /* < 0 when h is */
        return u_n >= need ? 0 : left >= 0 ? left : INFINITY;
    }
    double square_u = square(u_n) + 2 * h * need, root = 2 * need / (u_n + sqrt(square_u));
    return square_u >= 0 ? root : INFINITY;
}

LANES_INLINE void slip_line_at(const slip_line *line, double d, slip_stride *x)
{
    x->p_n = d;
    x->p_t.t1 = line->dp.t1 * d;
    x->p_t.t2 = line->dp.t2 * d;
    x->u_t.t1 = line->u_t.t1 + line->du.t1 * d;
    x->u_t.t2 = line->u_t.t2 + line->du.t2 * d;
    x->u_n = line->u_n + line->h * d;
    x->work = d * (line->u_n + 0.5 * line->h * d);
    tvec mid = {line->u_t.t1 + 0.5 * (line->du.t1 * d), line->u_t.t2 + 0.5 * (line->du.t2 * d)};
    x->friction = tvec_dot(mid, x->p_t); /* du . dp has mu^2 in it, which may overflow */
}

/* ---- the lines of a plane ---- */

/* Slopes by p along e: of the tangential impulse, of slip and of u_n. */
typedef struct slip_slopes {
    double a, g, h;
} slip_slopes;

/* c + a b to 3 units in the last place: the plain sum, or an FMA where it cancels; see diff_of_products. */
LANES_INLINE double slip_fused(double c, double a, double b)
{
    double plain = c + a * b;
#ifdef __FMA__
    double exact = fma(a, b, c);
    return fabs(plain) >= 0.5 * fabs(c) ? plain : exact;
#else
    return fabs(plain) >= 0.5 * fabs(c) ? plain : fma(a, b, c);
#endif
}

/* (1), slip along +e or -e, as the sign of `way` says. */
LANES_INLINE slip_slopes slip_plane_slide(const slip_plane *P, double way)
{
    double a = 0 - P->mu * (way > 0 ? 1 : -1); /* no -0 */
    slip_slopes x = {a, slip_fused(P->b, a, P->m), slip_fused(P->k, a, P->b)};
    return x;
}

/* True where (2) holds, (3) otherwise. */
LANES_INLINE bool slip_plane_sticks(const slip_plane *P)
{
    return fabs(P->b) <= P->mu_s * P->m;
}

/* From u_t = 0 on. */
LANES_INLINE slip_slopes slip_plane_leave(const slip_plane *P)
{
    slip_slopes x = {0, 0, P->k};
    if (!slip_plane_sticks(P)) {
        x = slip_plane_slide(P, P->b); /* (3) */
    } else if (P->m > 0) {
        x.a = 0 - P->b / P->m; /* (2) */
        x.h = diff_of_products(P->m, P->k, P->b, P->b) / P->m;
    }
    return x;
}

/* The impulse to u_t = 0. */
LANES_INLINE double slip_plane_length(double slip, double g)
{
    double length = -slip / g;
    return (slip > 0 ? 1 : -1) * g < 0 ? length : INFINITY;
}

/* ---- the same in the tangent plane, for the walk ---- */

LANES_INLINE slip_line slip_plane_line(const slip_plane *P, const slip_slopes *x)
{
    slip_line line = {.du = {x->g * P->e.t1, x->g * P->e.t2}, .dp = {x->a * P->e.t1, x->a * P->e.t2}};
    line.h = x->h;
    line.length = INFINITY;
    return line;
}

LANES_INLINE slip_origin slip_plane_origin(const slip_plane *P)
{
    const slip_slopes x = slip_plane_leave(P);
    slip_origin o = {.sticks = slip_plane_sticks(P), .c = P->e, .g = x.g, .h = x.h, .terms = P->k};
    o.a.t1 = -x.a * P->e.t1;
    o.a.t2 = -x.a * P->e.t2;
    return o;
}

LANES_INLINE slip_line slip_origin_line(const slip_origin *o)
{
    slip_line line = {.h = o->h, .length = INFINITY};
    line.du.t1 = o->g * o->c.t1;
    line.du.t2 = o->g * o->c.t2;
    line.dp.t1 = -o->a.t1;
    line.dp.t2 = -o->a.t2;
    return line;
}

#endif
