/* Coulomb friction along an impact that keeps to a plane: planar contacts, spheres, and tangential blocks of rank one.
 *
 * The plane holds n and a unit tangent vector e; u_t = v e, m = e.Me, b = b.e, k = K_nn. With s = sign u_t,
 *
 *     dp_n = C dq   dp_t = -S s dq   du_t = (C b - S s m) dq   du_n = (C k - S s b) dq   until u_t = 0          (1)
 *     sticking if |b| <= mu_s m:  dp_n = dq   dp_t = -(b/m) dq   du_n = (m k - b^2)/m dq                       (2)
 *     reversed slip otherwise:    s = sign b in (1)                                                            (3)
 *
 * where mu = S/C. The clock q is p_n, except that C is small for a very large mu, and zero for an infinite one: then
 * slip stops before p_n has grown. Along each line u_n is linear in q, so an impact has three stops, in one of three
 * orders:
 *
 *     compression ends, end               the contact slips all the time
 *     compression ends, u_t = 0, end      slip stops in restitution
 *     u_t = 0, compression ends, end      slip stops in compression                                                  */
#ifndef CAROM_LAWS_COULOMB_PLANE_H
#define CAROM_LAWS_COULOMB_PLANE_H

#include <stdbool.h>

#include "contact/plane.h"
#include "laws/law.h"

/* ---- the endings of the family ---- */

typedef enum coulomb_measure { BY_VELOCITY, BY_IMPULSE, BY_WORK } coulomb_measure;

/* Sums over the phases so far, in units of the clock: impulses and works of compression and restitution. */
typedef struct coulomb_sums {
    double approach; /* -u_n at the start */
    double p_c, p_r; /* normal impulse */
    double W_c, W_r; /* normal work, W_c <= 0 */
    double W_first;  /* work of the first compression */
} coulomb_sums;

/* How much of its measure restitution still needs (by velocity: the u_n to reach). */
typedef double coulomb_need(double e, const coulomb_sums *sums);

/* What makes a law of the family. */
typedef struct coulomb_ending {
    coulomb_measure by;
    coulomb_need *need, *need_of_first; /* option phases: "all", "first" */
} coulomb_ending;

/* .modes of every law of the family. From the third on: slip_from_rest where there was none, R-, C- where slip stopped
 * in restitution or compression; of each kind slip goes on, or the contact sticks. */
enum { COULOMB_SLIDING = 1, COULOMB_STOPPED, COULOMB_MODES = 8 };
extern const char *const carom_coulomb_modes[COULOMB_MODES];

/* ---- friction ---- */

#define MU_LARGE       0x1p64   /* C = 1 up to here: products of mu and K stay in range */
#define MU_LARGE_CLOCK 0x1p-500 /* C beyond it */

/* mu = S/C, exactly; C = 0 when mu is infinite. */
typedef struct friction {
    double C, S;
} friction;

static inline friction friction_of(double mu)
{
    double C = mu > DBL_MAX ? 0 : mu > MU_LARGE ? MU_LARGE_CLOCK : 1;
    friction x = {C, mu > DBL_MAX ? 1 : mu * C};
    return x;
}

static inline double static_friction(const carom_coeffs *c)
{
    return c->mu_s == CAROM_SAME_AS_MU ? c->mu : c->mu_s;
}

/* ---- the plane ---- */

typedef struct coulomb_plane {
    tvec e, u_t;
    double v, u_n; /* u_t = v e and u_n before */
    double m, b, k;
    friction kinetic, stat;
    bool planar; /* there is no other tangent: changes words, not numbers */
    bool passes; /* without friction nothing happens at u_t = 0 */
} coulomb_plane;

#define SLIP_LEAST 1e-140 /* slip of a sphere below this counts as none: its square loses digits */

/* The plane of t1 for a flat contact, the plane of its slip for a sphere. */
static inline coulomb_plane coulomb_plane_of(const carom_problem *pb, const carom_coeffs *c, bool flat)
{
    const carom_csym *K = &pb->K;
    double r = carom_cvec_slip(pb->u), scale = 1 / (r > SLIP_LEAST ? r : 1);
    coulomb_plane P = {.u_t = {pb->u.t1, pb->u.t2}, .u_n = pb->u.n, .m = K->t11, .k = K->nn};
    P.e.t1 = (flat | !(r > SLIP_LEAST)) ? 1 : pb->u.t1 * scale;
    P.e.t2 = flat ? 0 : pb->u.t2 * scale;
    P.v = flat ? pb->u.t1 : r > SLIP_LEAST ? r : 0;
    P.b = flat ? K->t1n : 0;
    P.kinetic = friction_of(c->mu);
    P.stat = friction_of(static_friction(c));
    P.planar = problem_is_planar(pb);
    P.passes = !P.planar & (c->mu == 0);
    return P;
}

/* Slopes by q. */
typedef struct plane_rates {
    double n, a, g, h; /* of p_n, p_t, u_t, u_n */
} plane_rates;

/* c + a b to 3 units in the last place: the plain sum, or an FMA where it cancels. */
static inline double plane_sum(double c, double a, double b)
{
    double plain = c + a * b;
    return fabs(plain) >= 0.5 * fabs(c) ? plain : fma(a, b, c);
}

/* (1), slip along +e or -e, by the sign of v. */
static inline plane_rates plane_slide(const coulomb_plane *P, double v)
{
    double C = P->kinetic.C, a = 0 - P->kinetic.S * (v > 0 ? 1 : -1);
    plane_rates x = {C, a, plane_sum(C * P->b, a, P->m), plane_sum(C * P->k, a, P->b)};
    return x;
}

/* True where (2) holds, (3) otherwise. */
static inline bool plane_sticks(const coulomb_plane *P)
{
    return P->stat.C * fabs(P->b) <= P->stat.S * P->m;
}

/* (2) or (3). */
static inline plane_rates plane_leave(const coulomb_plane *P)
{
    bool sticks = plane_sticks(P);
    double m = P->m > 0 ? P->m : 1; /* m = 0 implies b = 0 */
    plane_rates stick = {1, 0 - P->b / m, 0, difference_of_products(m, P->k, P->b, P->b) / m};
    plane_rates slide = plane_slide(P, P->b);
    plane_rates x = {sticks ? stick.n : slide.n, sticks ? stick.a : slide.a, sticks ? stick.g : slide.g,
                     sticks ? stick.h : slide.h};
    return x;
}

/* ---- the path ---- */

/* A stop: the clock spent on the first line and on the second. */
typedef struct plane_stop {
    double x, y;
    double u_n, work; /* work of the normal impulse */
    bool slides;      /* still on the first line */
} plane_stop;

typedef struct plane_path {
    coulomb_plane P;
    plane_rates first, second;
    double length; /* q to u_t = 0 */
    plane_stop compression_end, origin, end;
    double p_c, p_r, W_c, W_r;
    bool sticks;            /* (2) holds */
    bool compression_first; /* compression ends before slip does */
    bool plastic;           /* nothing is restored */
    bool blocked;           /* K is singular: once u_t = 0 sticking leaves u_n no freedom (carom_coulomb_plane_block) */
    bool endless;           /* no impulse ends the approach */
} plane_path;

/* To u_n = 0 and to u_t = 0. */
static inline void plane_compress(plane_path *w)
{
    const double L = w->length, u_n = w->P.u_n, rise = w->first.h * L, at_origin = u_n + rise;
    const double W_origin = w->first.n * (L * (u_n + 0.5 * rise));
    const bool first = w->compression_first = -u_n <= rise;
    const double x = first ? -u_n / w->first.h : L, y = first ? 0 : -at_origin / w->second.h;
    const double work = first ? w->first.n * (0.5 * x * u_n) : W_origin + w->second.n * (0.5 * y * at_origin);
    w->compression_end = (plane_stop){x, y, 0, work, first};
    w->origin = (plane_stop){L, 0, at_origin, W_origin, false};
    w->p_c = w->first.n * x + w->second.n * y;
    w->W_c = work;
}

/* The rest of restitution on the second line, which begins at u >= 0 and needs `need` of its measure, per unit of
 * its clock. Energetic end: the root of u d + h d^2 / 2 = need, written without cancellation. */
static inline double plane_restore(coulomb_measure by, double need, double u, double h)
{
    if (by == BY_VELOCITY)
        return (need - u) / h;
    if (by == BY_IMPULSE)
        return need;
    double root = sqrt(square(u) + 2 * h * need);
    return need > 0 ? 2 * need / (u + root) : 0;
}

/* From there to the end. On one line the three laws agree: u_n rises to e times the approach, in e times the clock that
 * compression took. If slip stops before, the laws differ in what is left to restore. */
static inline void plane_end(plane_path *w, const coulomb_ending *ending, double e)
{
    const double x = w->compression_end.x, goal = e * x, left = w->length - x, h = w->first.h;
    const bool first = w->compression_first, slides = first & (goal <= left), stops = first & !slides;
    const double v_n = -w->P.u_n, ratio = w->first.n / w->second.n, u = stops ? h * left : 0;
    const coulomb_sums sums = {v_n, w->p_c, 0, w->W_c, 0, w->W_c};
    const double need = ending->need(e, &sums), need_by_clock = ending->by == BY_VELOCITY ? need : need / w->second.n;
    const double more = ending->by == BY_VELOCITY  ? e * v_n
                        : ending->by == BY_IMPULSE ? ratio * (goal - left)
                                                   : ratio * (0.5 * h * (goal - left) * (goal + left));
    double d = plane_restore(ending->by, stops ? more : need_by_clock, u, w->second.h);
    if (CARRIES_PARTIALS && e == 0 && ending->by == BY_WORK) /* the work goes with e^2, the impulse with e */
        d = e * sqrt(-2 * w->W_c / (w->second.n * w->second.h));
    const double d1 = slides ? goal : stops ? left : 0, d2 = slides ? 0 : d;
    w->plastic = e == 0;
    w->origin.u_n = stops ? u : w->origin.u_n;
    w->origin.work = stops ? w->W_c + w->first.n * (0.5 * left * u) : w->origin.work;
    w->p_r = w->first.n * d1 + w->second.n * d2;
    w->W_r = w->first.n * (0.5 * h * square(d1)) + w->second.n * (d2 * (u + 0.5 * w->second.h * d2));
    w->end = (plane_stop){slides ? x + d1 : w->length, w->compression_end.y + d2, 0, w->W_c + w->W_r, slides};
    w->end.u_n = slides | (ending->by == BY_VELOCITY) ? e * v_n : u + w->second.h * d2;
}

/* The path in the plane w->P. */
static inline void plane_follow(plane_path *w, const coulomb_ending *ending, double e)
{
    const double v = w->P.v;
    w->first = plane_slide(&w->P, v);
    w->second = plane_leave(&w->P);
    w->sticks = plane_sticks(&w->P);
    const bool slows = ((v > 0) & (w->first.g < 0)) | ((v < 0) & (w->first.g > 0));
    w->length = v == 0 ? 0 : slows & !w->P.passes ? -v / w->first.g : INFINITY;
    plane_compress(w);
    plane_end(w, ending, e);
    w->blocked = false;
    w->endless = !w->compression_first & !(w->length < INFINITY);
}

/* ---- states on the path ---- */

static inline carom_cvec plane_impulse(const plane_path *w, const plane_stop *at)
{
    double p_t = w->first.a * at->x + w->second.a * at->y;
    carom_cvec p = {p_t * w->P.e.t1 + 0.0, p_t * w->P.e.t2 + 0.0, w->first.n * at->x + w->second.n * at->y};
    return p;
}

static inline carom_cvec plane_velocity(const plane_path *w, const plane_stop *at)
{
    double change = at->slides ? w->first.g * at->x : w->second.g * at->y;
    carom_cvec u = {(at->slides ? w->P.u_t.t1 : 0) + change * w->P.e.t1,
                    (at->slides ? w->P.u_t.t2 : 0) + change * w->P.e.t2, at->u_n};
    return u;
}

static inline double plane_friction_work(const plane_path *w, const plane_stop *at)
{
    double slip = w->P.v + 0.5 * (w->first.g * at->x), p_t = w->second.a * at->y;
    return w->first.a * at->x * slip + 0.5 * p_t * (w->second.g * at->y);
}

/* ---- borders, for derivatives ---- */

#define STOPS_AT_END  "slip stops at the end"
#define STOPS_AT_MAX  "slip stops at maximum compression"
#define STICKS_OR_NOT "stick/ray"

/* A kink where slip stops exactly at the end, where a contact that stops no longer sticks, and with Poisson's end where
 * it stops at maximum compression. */
static inline void plane_borders(const carom_impact *x, const plane_path *w, const coulomb_ending *ending, double e)
{
    if (!CARRIES_PARTIALS || !(w->length < INFINITY))
        return;
    if (w->compression_first)
        beyond(x, w->length - w->compression_end.x, e * w->compression_end.x, STOPS_AT_END);
    if (!w->end.slides)
        beyond(x, w->P.stat.C * fabs(w->P.b), w->P.stat.S * w->P.m, STICKS_OR_NOT);
    if (ending->by == BY_IMPULSE && w->P.b != 0)
        beyond(x, w->first.h * w->length, -w->P.u_n, STOPS_AT_MAX);
}

/* ---- one impact of a contact in the plane of t1 or of a sphere ---- */

/* Without an answer where K is next to singular, and where no impulse ends the approach: carom_coulomb_solve takes it.
 */
static inline carom_impulse coulomb_kernel(const carom_impact *x, const carom_coeffs *c, const coulomb_ending *ending)
{
    const carom_problem pb = {x->K, x->u};
    plane_path w;
    const bool flat = (x->kind != CAROM_KIND_SPHERE) | problem_lies_flat(&pb); /* as carom_coulomb_solve has it */
    w.P = coulomb_plane_of(&pb, c, flat);
    plane_follow(&w, ending, c->e);
    plane_borders(x, &w, ending, c->e);
    carom_impulse r = {plane_impulse(&w, &w.end), 0, plane_velocity(&w, &w.end)};
    r.p.n = (w.second.h > RANK_TOL * pb.K.nn) & !w.endless ? r.p.n : NAN;
    return r;
}

#endif
