/* whittaker in space: every solution of its equations, which whittaker.c numbers. */
#include "core/roots.h"
#include "laws/whittaker.h"

#define LIFT_TOL 0x1p-23 /* of its terms: the roots of (5) are often double in a singular K, with half the digits */

/* Two Newton iterates this close, relative, are one step from the end: the last one was taken. */
#define POLISH_TOL 0x1p-26

enum { SOLE_STEPS = 10 };  /* Newton from the frictionless slip; it takes about four, or the polynomial decides */
enum { POLISH_STEPS = 2 }; /* Newton steps after the polynomial, which has half the digits near a jam */

/* What the solvers in space share. */
typedef struct plane {
    const carom_impact *x;
    final_state want;
    tvec a;           /* K_nn times the slip that a frictionless impact leaves */
    carom_cvec stick; /* (2) */
    bool sticks;
} plane;

static plane plane_of(const carom_impact *x, final_state want)
{
    plane pl = {.x = x, .want = want, .a = without_normal(&x->K, carom_cvec_make(x->u.t1, x->u.t2, -want.c))};
    pl.stick = impact_solve(x, carom_cvec_make(-x->u.t1, -x->u.t2, want.c));
    pl.sticks = !beyond(x, carom_cvec_slip(pl.stick), want.mu * pl.stick.n, "stick/slip");
    return pl;
}

static void add(endings *list, carom_cvec p, int branch)
{
    if (list->count == END_SOLUTIONS)
        return;
    int i = list->count++;
    for (; i > 0 && list->at[i - 1].p.n > p.n; i--)
        list->at[i] = list->at[i - 1];
    list->at[i] = impulse_make(p.t1, p.t2, p.n, branch);
}

/* (5): the terms of the trigonometric polynomial. */
static trig2 slip_equation(const carom_impact *x, final_state want)
{
    const carom_csym *K = &x->K;
    double mu = want.mu, c = want.c, u1 = x->u.t1, u2 = x->u.t2, k1 = K->t1n, k2 = K->t2n;
    trig2 f;
    f.a0 = -0.5 * mu * difference_of_products(k1, u2, k2, u1);
    f.a1 = difference_of_products(K->nn, u2, -k2, c);
    f.b1 = -difference_of_products(K->nn, u1, -k1, c);
    f.a2 = -0.5 * mu * (difference_of_products(k1, u2, -k2, u1) + 2 * c * K->t12);
    f.b2 = -0.5 * mu * (difference_of_products(k2, u2, k1, u1) + c * (K->t22 - K->t11));
    return f;
}

/* A slip solution: p_n along the direction d, and what the two equations for it are made of. */
typedef struct slider {
    double N;
    tvec d, push; /* k - mu K_TT d: what one unit of p_n does to the slip */
    double lift;  /* K_nn - mu k . d: what it does to the normal velocity */
} slider;

static void aim(const plane *pl, tvec d, slider *sl)
{
    const carom_csym *K = &pl->x->K;
    double mu = pl->want.mu;
    sl->d = d;
    sl->push.t1 = K->t1n - mu * (K->t11 * d.t1 + K->t12 * d.t2);
    sl->push.t2 = K->t2n - mu * (K->t12 * d.t1 + K->t22 * d.t2);
    sl->lift = K->nn - mu * tvec_dot(coupling(K), d);
}

static double cross(tvec a, tvec b)
{
    return difference_of_products(a.t1, b.t2, a.t2, b.t1);
}

/* p_n for a direction that solves (5): from the normal velocity, lift N = c, or near a jam, where lift has no digits,
 * from d_perp . u_t after = 0. */
static double normal_part(const plane *pl, const slider *sl)
{
    const carom_csym *K = &pl->x->K;
    tvec u = tangential(pl->x->u), k = coupling(K);
    double across = cross(sl->d, u), turn = cross(sl->d, sl->push), mu = pl->want.mu;
    double doubt_lift = (K->nn + mu * tvec_length(k)) / fabs(sl->lift);
    double doubt_turn = tvec_length(u) / fabs(across) + (tvec_length(k) + mu * (K->t11 + K->t22)) / fabs(turn);
    return doubt_turn < doubt_lift ? -across / turn : pl->want.c / sl->lift;
}

/* One Newton step on lift N = c and d_perp . (u_t + N push) = 0 together, well conditioned also near a jam. Returned
 * is how far it went, relative. */
static double polish(const plane *pl, slider *sl)
{
    const carom_csym *K = &pl->x->K;
    tvec d = sl->d, perp = {-d.t2, d.t1}, u = tangential(pl->x->u);
    double mu = pl->want.mu, N = sl->N;
    double stiff = K->t11 * square(perp.t1) + 2 * K->t12 * perp.t1 * perp.t2 + K->t22 * square(perp.t2);
    double f = N * sl->lift - pl->want.c, g = cross(d, u) + N * cross(d, sl->push);
    double f_t = -N * mu * tvec_dot(coupling(K), perp), g_N = cross(d, sl->push);
    double g_t = -tvec_dot(d, u) - N * tvec_dot(d, sl->push) - mu * N * stiff;
    double det = difference_of_products(sl->lift, g_t, f_t, g_N);
    double dN = -difference_of_products(f, g_t, f_t, g) / det, dt = -difference_of_products(sl->lift, g, g_N, f) / det;
    if (!(fabs(dN) <= 0.5 * N && fabs(dt) <= 0.5))
        return 1; /* a double root: it has no better digits */
    double norm = 1 / sqrt(1 + dt * dt);
    aim(pl, tvec_make((d.t1 + dt * perp.t1) * norm, (d.t2 + dt * perp.t2) * norm), sl);
    sl->N = N + dN;
    return fmax(fabs(dN) / N, fabs(dt));
}

static bool is_admissible(const plane *pl, const slider *sl)
{
    return tvec_dot(sl->d, tangential(pl->x->u)) + sl->N * tvec_dot(sl->d, sl->push) > 0;
}

static void add_slip(const plane *pl, const slider *sl, endings *list)
{
    carom_cvec p = carom_cvec_make(-pl->want.mu * sl->N * sl->d.t1, -pl->want.mu * sl->N * sl->d.t2, sl->N); /* (3) */
    p.n = normal_without_approach(pl->x, pl->want.c, p);
    add(list, p, pl->want.c > 0 ? END_SLIP : END_SLIP_JAM);
}

/* Where (6) holds, lift > 0 for every direction, and a solution that Newton's iteration happens on is the one. */
static bool add_sole_slip(const plane *pl, endings *list)
{
    double length = tvec_length(pl->a);
    slider sl;
    if (!(length > 0))
        return false;
    aim(pl, tvec_scale(1 / length, pl->a), &sl);
    sl.N = pl->want.c / sl.lift;
    for (int step = 0; step < SOLE_STEPS; step++)
        if (polish(pl, &sl) <= POLISH_TOL) {
            if (CARRIES_PARTIALS)
                polish(pl, &sl);
            bool found = is_admissible(pl, &sl);
            if (found)
                add_slip(pl, &sl, list);
            return found;
        }
    return false;
}

/* Where K is singular, a lift below this counts as zero: its solution would be unbounded. */
static bool runs_away(const plane *pl, const slider *sl)
{
    const carom_csym *K = &pl->x->K;
    return pl->x->kind == CAROM_KIND_SINGULAR &&
           sl->lift <= LIFT_TOL * (K->nn + pl->want.mu * tvec_length(coupling(K)));
}

static void add_slips(const plane *pl, endings *list)
{
    heading root[TRIG2_ROOTS];
    trig2 f = slip_equation(pl->x, pl->want);
    int count = trig2_roots(&f, root);
    for (int i = 0; i < count; i++) {
        slider sl;
        aim(pl, tvec_make(root[i].cos, root[i].sin), &sl);
        sl.N = normal_part(pl, &sl);
        if (!(sl.N > 0) || runs_away(pl, &sl))
            continue;
        for (int step = 0; step < POLISH_STEPS + CARRIES_PARTIALS; step++)
            polish(pl, &sl);
        if (is_admissible(pl, &sl) && !runs_away(pl, &sl))
            add_slip(pl, &sl, list);
    }
}

/* Rounding at the edge of sticking may leave no solution: the stick, shortened to the cone. A singular K may leave
 * none, either. */
static void add_nearest(const plane *pl, endings *list)
{
    double a = pl->want.c / pl->x->K.nn;
    if (pl->x->kind == CAROM_KIND_SINGULAR)
        add(list, carom_cvec_make(0, 0, a), END_UNBOUNDED);
    else
        add(list, cut_back(pl->x, pl->want.mu, a, pl->stick, END_STICK).p, END_STICK);
}

endings whittaker_spatial(const carom_impact *x, final_state want)
{
    endings list = {.count = 0};
    bool grazes = want.c == 0, singular = x->kind == CAROM_KIND_SINGULAR;
    if (grazes && want.mu * tvec_dot(coupling(&x->K), tangential(x->u)) <= x->K.nn * x->v_t) {
        add(&list, carom_cvec_make(0, 0, 0), NO_IMPACT); /* (7) */
        return list;
    }
    const plane pl = plane_of(x, want);
    if (pl.sticks)
        add(&list, pl.stick, grazes ? END_STICK_JAM : END_STICK); /* (2) */
    bool sole = has_one_end(x, want.mu);                          /* (6) */
    if (pl.sticks && (singular || sole))
        return list; /* also where the slip that K moves lies in a plane: (4) */
    if (sole && !grazes && add_sole_slip(&pl, &list))
        return list;
    add_slips(&pl, &list);
    if (list.count == 0)
        add_nearest(&pl, &list);
    return list;
}
