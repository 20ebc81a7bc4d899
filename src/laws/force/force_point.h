/* The massless contact point C with a normal element and an isotropic tangential one.
 *
 *     F_n    linear  k x + c x'   power  k x^m (1 + a x')   bilinear  slope (x - dent)   series  k (x - dent)   (1)
 *            series: dent' = F_n / c;   beyond yield: slope (x - dent), then gain (x - dent)^(3/2), see force_yield.c
 *     stick  s' = v_t,  F_t = -k_t s - c_t v_t                                                                  (2)
 *     slip, c_t = 0   F_t = -mu F_n d,  s = mu F_n d / k_t,  theta' = k_t (v_t . d_perp) / (mu F_n)             (3)
 *                     lambda = v_t . d - mu F_n' / k_t, the speed of C                                          (4)
 *     slip, c_t > 0   F_st = -k_t s - c_t v_t,  F_t = mu F_n F_st/|F_st|,  s' = -(F_t + k_t s)/c_t              (5)
 *                     |w| = (|F_st| - mu F_n) / c_t                                                             (6)
 *     stick ends when |F_t| reaches mu F_n, slip ends when lambda or |w| falls to zero                          (7)
 *     the contact ends when F_n (linear, bilinear) or x (power) falls to zero                                   (8)
 *     a body that vibrates has v = u + sum phi z'                                                               (9)
 *     where (3) is stiff, theta = phi - (mu F_n/(k_t |v_t|)) theta', phi the angle of v_t, solved by sweeps     (10)
 *     (5) in the plane relaxes at the rate k_t/c_t; after that  s = -(F_t + c_t s')/k_t  without it             (11)
 *
 * docs/theory/contact-point.md derives these. */
#ifndef CAROM_LAWS_FORCE_POINT_H
#define CAROM_LAWS_FORCE_POINT_H

#include "core/pole_map.h"
#include "laws/force/force.h"

typedef enum force_clock { FORCE_CLOCK_TIME, FORCE_CLOCK_FORCE, FORCE_CLOCK_ROOT } force_clock;

/* The equations that govern the tangential force at present. */
typedef enum force_branch {
    BRANCH_STICK,
    BRANCH_FREE,   /* slip without friction */
    BRANCH_DRY,    /* (3) */
    BRANCH_LED,    /* (3) where d follows v_t at once: (10) */
    BRANCH_DAMPED, /* (5) */
    BRANCH_EASED,  /* (5) in the plane, after its fast motion: (11) */
    BRANCH_GAP
} force_branch;

typedef struct force_point {
    force_core core;
    force_report report;
    force_normal normal;
    force_tangent tangent;
    force_vibration vibration;
    force_branch branch;
    force_clock clock;
    double slope;              /* of the linear element, as it is now */
    double gain;               /* of the power, as it is now: F_n = gain (x - dent)^m */
    bool yielding;             /* a power that gives way: F_n = slope (x - dent) */
    double top;                /* largest x so far (bilinear) */
    bool unloading;            /* on the second slope */
    int sweeps;                /* of (10) */
    bool singular;             /* slip starts from F_n = 0: (3) is expanded about its singular point */
    int end_zeros, turn_zeros; /* first coefficients that vanish in the functions of (8), of x' */
    int test_zeros;            /* and of (7) */
    double side;               /* planar slip: sign of d or of F_st */
    double speed;              /* scale of tangential velocities */
    double loss_vibration;     /* to the damping of the modes */
    double peak;               /* largest F_n so far */
    double time_most;          /* CAROM_STATUS_ENDLESS beyond */
    int events;
    force_series dent;          /* what the element does not give back: F_n = slope (x - dent), or its power */
    pole_map map;               /* FORCE_CLOCK_FORCE: tau is the image of the variable of the series */
    force_series pace, turning; /* F_n and psi times dtau/dz */
    force_series y, power, damp, share, inverse;  /* sqrt(x - dent), y^(2m-1), 1 + a x', F_n / y, its reciprocal */
    force_series s[2], d[2], psi, theta;          /* psi = v_t . d_perp, theta = d theta / d tau */
    force_series stuck[2], square, size, unit[2]; /* F_st, |F_st|^2, |F_st|, F_st/|F_st| */
    force_series lag;                             /* theta - phi of (10) */
    force_series along, test;                     /* v_t . d; the function of (7) times a positive factor */
} force_point;

/* Is F_n a power of x - dent at present? */
static inline bool force_on_power(const force_point *P)
{
    return P->normal.kind == FORCE_POWER && !P->yielding;
}

/* The normal impulse still to come, one at most: a wrong direction turns no more than that. */
static inline double force_impulse_left(const force_point *P, double f, double v_n)
{
    const double left = P->clock == FORCE_CLOCK_ROOT ? f * square(P->y[0]) : f * f / P->slope;
    return v_n > 0 && left < v_n && P->vibration.count == 0 ? fmax(left, 0) / v_n : 1;
}

/* Coefficients of every unknown from its value. */
void force_point_expand(force_point *P);
/* The same of slip that turns, (3); and parts of both. */
void force_point_expand_turning(force_point *P);
void force_point_forces(force_point *P, int k);
void force_point_push_states(force_point *P, int k);
/* Slip that turns follows (10) where that is exact to rounding, and (3) elsewhere; expands again when it changes. */
void force_point_choose_slip(force_point *P);
/* Slip with a light dashpot in the plane goes over to (11) when its fast motion has died out. */
void force_point_ease_slip(force_point *P);
/* s, the test (7) and the losses of (11), from the series of F_n and v. */
void force_point_eased_test(force_point *P);
/* A step of (10) of length h, or shorter so that it stays exact. */
double force_point_led_reach(const force_point *P, double h);
/* Values at h. */
void force_point_move(force_point *P, double h);
/* The next step may be so long. */
double force_point_reach(const force_point *P);

/* First touch, at x = 0: the branch, and for m > 1 the first stretch in closed form. */
void force_point_start(force_point *P);
/* The last stretch of slip that turns, whose rate is infinite at its end; false when it is not yet near. */
bool force_point_tail(force_point *P);

/* A power reaches its yield; it turns there, and comes back; what it would give back at x. */
void force_yield_begin(force_point *P);
void force_yield_unload(force_point *P);
double force_yield_stored(const force_point *P, double x);

/* Slip or stick begins, from the forces as they are. */
void force_point_enter_slip(force_point *P);
void force_point_enter_stick(force_point *P);

/* sum_j C_ij r_j, or 2 zeta omega r_i, with r_j the coefficient at[j][k]. */
static inline double force_point_drag(const force_point *P, int i, force_series *at, int k)
{
    const force_vibration *v = &P->vibration;
    double sum = 0;
    if (!v->damping)
        return 2 * v->modes[i].zeta * v->modes[i].omega * at[i][k];
    for (int j = 0; j < v->count; j++)
        sum += v->damping[i * v->count + j] * at[j][k];
    return v->damping_unit * sum;
}

/* v at the present point, from p and the modes. */
void force_point_velocity(force_point *P);

carom_status force_point_walk(force_point *P);

/* The dimensionless point at first touch; u_n < 0. */
void force_point_begin(force_point *P, const carom_problem *problem, const force_normal *normal,
                       const force_tangent *tangent);

#endif
