/* The field of the slip flow: rates, rays, and the state without slip. */
#include "core/dd.h"
#include "laws/coulomb/coulomb.h"

enum { RAY_STEPS = 12 };     /* Newton steps onto a ray; quadratic, 4 or 5 from the distance tails allow */
enum { POLISH_STEPS = 4 };   /* the same in double-double; one, rarely two */
enum { SECULAR_STEPS = 40 }; /* monotone Newton, 4 to 7 seen */

#define LINE_TURN (4 * EPS) /* a direction is known no better: the rates of the ray are taken if it is this close */
#define RAY_TURN  0.75      /* a Newton step onto a ray that turns further than this has lost it */

#define CLOCK_MOST 0x1p1000 /* C for a tiny mu without coupling: rates stay small, and finite */

/* C and S such that S |M| + C |b| is of order one. */
static friction in_clock_units(friction x, double m, double b)
{
    double size = power_of_two_near(x.S * m + x.C * b), unit = min(CLOCK_MOST, 1 / size);
    friction y = {x.C * unit, x.S * unit};
    return y;
}

slip_field carom_slip_field(const carom_csym *K, const carom_coeffs *coeffs)
{
    slip_field F = {.m11 = K->t11, .m12 = K->t12, .m22 = K->t22, .b1 = K->t1n, .b2 = K->t2n, .k = K->nn};
    const double b = sqrt(square(F.b1) + square(F.b2));
    const friction x = in_clock_units(friction_of(coeffs->mu), F.m11 + F.m22, b);
    F.kinetic = x;
    F.stat = friction_of(static_friction(coeffs));
    F.w11 = x.S * F.m11;
    F.w12 = x.S * F.m12;
    F.w22 = x.S * F.m22;
    F.d1 = x.C * F.b1;
    F.d2 = x.C * F.b2;
    F.v1 = x.S * F.b1;
    F.v2 = x.S * F.b2;
    F.lift = x.C * F.k;
    F.pull = x.C * b;
    F.skew = sqrt(square(0.5 * (F.w11 - F.w22)) + square(F.w12));
    F.dips = x.S * b > F.lift;
    return F;
}

slip_rates carom_slip_field_rates(const slip_field *F, tvec c)
{
    double w1 = F->w11 * c.t1 + F->w12 * c.t2, w2 = F->w12 * c.t1 + F->w22 * c.t2;   /* S M c */
    double x1 = -F->w11 * c.t2 + F->w12 * c.t1, x2 = -F->w12 * c.t2 + F->w22 * c.t1; /* S M s */
    slip_rates q;
    q.w_cs = c.t1 * x1 + c.t2 * x2;
    q.w_ss = c.t1 * x2 - c.t2 * x1;
    q.d_c = F->d1 * c.t1 + F->d2 * c.t2;
    q.d_s = F->d2 * c.t1 - F->d1 * c.t2;
    q.v_c = F->v1 * c.t1 + F->v2 * c.t2;
    q.v_s = F->v2 * c.t1 - F->v1 * c.t2;
    q.g = q.d_c - (c.t1 * w1 + c.t2 * w2);
    q.f = q.d_s - q.w_cs;
    q.h = F->lift - q.v_c;
    q.f1 = -q.g - q.w_ss;
    return q;
}

/* The rates in double-double at c, whose length is one only to rounding (c.c = 1 + d), and then on the exact ray, to
 * first order in the turn -f/f1 that leads there, if that is no more than limit. */
static slip_rates polished(const slip_field *F, tvec c, double limit, double *turn)
{
    const double C = F->kinetic.C, S = F->kinetic.S;
    double d = dd_value(dd_sub(dd_dot(c.t1, c.t1, c.t2, c.t2), dd_of(1)));
    dd m1 = dd_dot(F->m11, c.t1, F->m12, c.t2), m2 = dd_dot(F->m12, c.t1, F->m22, c.t2);
    dd cc = dd_mul(dd_add(dd_mul(m1, c.t1), dd_mul(m2, c.t2)), S);
    dd cs = dd_mul(dd_sub(dd_mul(m2, c.t1), dd_mul(m1, c.t2)), S);
    dd bc = dd_dot(F->b1, c.t1, F->b2, c.t2), bs = dd_dot(F->b2, c.t1, -F->b1, c.t2);
    cc = dd_sub(cc, dd_of(cc.hi * d));
    cs = dd_sub(cs, dd_of(cs.hi * d));
    bc = dd_sub(bc, dd_of(0.5 * d * bc.hi));
    bs = dd_sub(bs, dd_of(0.5 * d * bs.hi));
    dd ss = dd_sub(dd_mul(two_sum(F->m11, F->m22), S), cc), dc = dd_mul(bc, C), ds = dd_mul(bs, C);
    double f = dd_value(dd_sub(ds, cs)), g = dd_value(dd_sub(dc, cc)), w_ss = dd_value(ss), w_cs = dd_value(cs);
    double f1 = -(g + w_ss), x = f1 != 0 && fabs(f) <= limit * fabs(f1) ? -f / f1 : 0;
    slip_rates q = {.f = f};
    q.g = g + (f - w_cs) * x;
    q.h = dd_value(dd_add(dd_sub(dd_of(F->lift), dd_mul(bc, S)), dd_of(-S * bs.hi * x)));
    q.w_ss = w_ss - 2 * w_cs * x;
    q.w_cs = w_cs + (w_ss - cc.hi) * x;
    q.d_c = dc.hi + ds.hi * x;
    q.d_s = ds.hi - dc.hi * x;
    q.v_c = S * (bc.hi + bs.hi * x);
    q.v_s = S * (bs.hi - bc.hi * x);
    q.f1 = -(q.g + q.w_ss);
    *turn = x;
    return q;
}

static tvec turned_by(tvec c, double x)
{
    tvec v = {c.t1 - x * c.t2, c.t2 + x * c.t1};
    double scale = 1 / sqrt(1 + x * x);
    v.t1 *= scale;
    v.t2 *= scale;
    return v;
}

bool carom_slip_field_ray(const slip_field *F, tvec *c, slip_rates *rates)
{
    double noise = RAY_TOL * (F->w11 + F->w22 + F->pull), turn = 0;
    for (int i = 0; i < RAY_STEPS; i++) {
        slip_rates q = carom_slip_field_rates(F, *c);
        if (fabs(q.f) <= noise)
            break;
        double x = q.f1 != 0 ? -q.f / q.f1 : RAY_TURN + 1;
        if (!(fabs(x) <= RAY_TURN))
            return false;
        *c = turned_by(*c, x);
    }
    *rates = polished(F, *c, INFINITY, &turn);
    for (int i = 0; i < POLISH_STEPS && fabs(turn) > EPS; i++) { /* the double iteration stopped in its own noise */
        if (fabs(turn) > RAY_TURN)
            return false;
        *c = turned_by(*c, turn);
        *rates = polished(F, *c, INFINITY, &turn);
    }
    if (CARRIES_PARTIALS)
        *c = turned_by(*c, turn);
    if (F->pull < F->w11 + F->w22) /* on a ray C b.s = S c.Ms: take the one with the smaller terms */
        rates->w_cs = rates->d_s;
    return true;
}

slip_rates carom_slip_field_line(const slip_field *F, tvec c)
{
    double turn;
    return polished(F, c, CARRIES_PARTIALS ? -1 : LINE_TURN, &turn); /* partial derivatives are those at c itself */
}

/* ---- the origin ---- */

/* M^-1 v by Cramer's rule. */
static tvec tangents_solve(const slip_field *F, double det, tvec v)
{
    return tvec_make(difference_of_products(F->m22, v.t1, F->m12, v.t2) / det,
                     difference_of_products(F->m11, v.t2, F->m12, v.t1) / det);
}

/* a = M^-1 b. What Cramer's rule leaves of b is solved for again: M a is then b to rounding, however M is conditioned.
 * A singular M (rank one: b lies along its image) gives the shortest a. */
static tvec stick_direction(const slip_field *F)
{
    double m = F->m11 + F->m22, det = difference_of_products(F->m11, F->m22, F->m12, F->m12);
    const tvec b = {F->b1, F->b2};
    if (!(det > RANK_TOL * square(m)))
        return tvec_scale(m > 0 ? 1 / m : 0, b);
    const tvec a = tangents_solve(F, det, b);
    dd r1 = dd_sub(dd_of(b.t1), dd_dot(F->m11, a.t1, F->m12, a.t2));
    dd r2 = dd_sub(dd_of(b.t2), dd_dot(F->m12, a.t1, F->m22, a.t2));
    const tvec rest = tangents_solve(F, det, tvec_make(dd_value(r1), dd_value(r2)));
    return tvec_make(a.t1 + rest.t1, a.t2 + rest.t2);
}

/* kappa = k - b.a, stationary in a and so correct to rounding of its own size. kappa is K along (-a, 1): terms is what
 * the whole of K may contribute to that, in whatever tangents. */
static double stick_slope(const slip_field *F, tvec *a, double *terms)
{
    double m11 = F->m11, m12 = F->m12, m22 = F->m22, b1 = F->b1, b2 = F->b2, m = m11 + m22;
    *a = stick_direction(F);
    *terms = 2 * (F->k + m * tvec_dot(*a, *a));
    dd m1 = dd_dot(m11, a->t1, m12, a->t2), m2 = dd_dot(m12, a->t1, m22, a->t2);
    dd first = dd_sub(m1, dd_of(2 * b1)), second = dd_sub(m2, dd_of(2 * b2)); /* M a - 2 b */
    return dd_value(dd_add(dd_of(F->k), dd_add(dd_mul(first, a->t1), dd_mul(second, a->t2))));
}

/* The direction of the diverging ray: |(lambda + S M)^-1 C b| = 1 with lambda = g > 0, in eigenvectors of M. */
static tvec diverging_ray(const slip_field *F)
{
    double d = 0.5 * (F->w11 - F->w22), e = sqrt(d * d + F->w12 * F->w12);
    tvec v = {1, 0};
    if (e > 0) {
        v.t1 = d >= 0 ? d + e : F->w12;
        v.t2 = d >= 0 ? F->w12 : e - d;
        double length = tvec_length(v);
        v.t1 /= length;
        v.t2 /= length;
    }
    double large = 0.5 * (F->w11 + F->w22) + e;
    double small = large > 0 ? fmax(0, difference_of_products(F->w11, F->w22, F->w12, F->w12) / large) : 0;
    double b1 = v.t1 * F->d1 + v.t2 * F->d2, b2 = v.t1 * F->d2 - v.t2 * F->d1;
    double lambda = fmax(F->pull - large, EPS * EPS * F->pull), x1 = 0, x2 = 0;
    for (int i = 0; i < SECULAR_STEPS; i++) {
        x1 = b1 / (lambda + large);
        x2 = b2 / (lambda + small);
        double phi = sqrt(x1 * x1 + x2 * x2), bend = x1 * x1 / (lambda + large) + x2 * x2 / (lambda + small);
        double step = (phi - 1) * phi * phi / bend; /* Newton on 1/phi - 1: nearly a straight line */
        if (!(step > EPS * lambda))
            break;
        lambda += step;
    }
    tvec c = {v.t1 * x1 - v.t2 * x2, v.t2 * x1 + v.t1 * x2};
    double length = tvec_length(c);
    c.t1 /= length;
    c.t2 /= length;
    return c;
}

slip_origin carom_slip_field_origin(const slip_field *F)
{
    slip_origin o = {0};
    o.h = stick_slope(F, &o.a, &o.terms);
    o.grip = tvec_length(o.a);
    o.sticks = F->stat.C * o.grip <= F->stat.S;
    if (o.sticks)
        return o;
    slip_rates q;
    o.c = diverging_ray(F);
    if (!carom_slip_field_ray(F, &o.c, &q))
        q = carom_slip_field_rates(F, o.c);
    o.g = fmax(0, q.g);
    o.h = q.h;
    o.a.t1 = F->kinetic.S * o.c.t1;
    o.a.t2 = F->kinetic.S * o.c.t2;
    return o;
}
