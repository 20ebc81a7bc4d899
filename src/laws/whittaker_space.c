/* whittaker in space: every solution of its equations, which whittaker.c numbers. Compiled once per instruction set. */
#include "core/roots.h"
#include "laws/family_plane.h"

#define LIFT_TOL 1e-10 /* of its terms: in a singular K a direction that solves (5) has no better digits */

/* Two Newton iterates this close, relative, are one step from the end: the last one was taken. */
#define POLISH_TOL 0x1p-26

enum { SOLE_STEPS = 10 };  /* Newton from the frictionless slip; it takes about four, or the polynomial decides */
enum { POLISH_STEPS = 2 }; /* Newton steps after the polynomial, which has half the digits near a jam */

/* What the solvers in space share. */
typedef struct plane {
    carom_problem problem;
    ending want;
    schur s;
    tvec a;           /* times K_nn */
    carom_cvec stick; /* (2); of a singular K the impulse that leaves the least slip */
    bool sticks;
} plane;

/* K does not move every slip: an impulse that should stop it may leave some. */
static bool loses_direction(const schur *s)
{
    return s->deficient || s->n11 == 0 || s->n22 == 0;
}

static plane plane_of(const carom_problem *problem, const schur *s, ending want)
{
    const carom_csym *K = &problem->K;
    plane pl = {.problem = *problem, .want = want, .s = *s, .a = plane_slip(problem, want.c)};
    tvec q = tvec_scale(-1, schur_pseudo_solve_scaled(K, &pl.s, pl.a));
    pl.stick = impulse((want.c - tvec_dot(coupling(K), q)) / K->nn, q);
    pl.sticks = tvec_length(q) <= want.mu * pl.stick.n;
    if (loses_direction(&pl.s)) {
        tvec change = schur_apply_scaled(&pl.s, q), left = {pl.a.t1 + change.t1, pl.a.t2 + change.t2};
        pl.sticks &= tvec_length(left) <= STICK_TOL * (K->nn * carom_cvec_slip(problem->u) + tvec_length(pl.a));
    }
    return pl;
}

static void add(endings *list, carom_cvec p, int branch)
{
    if (list->count == END_SOLUTIONS)
        return;
    int i = list->count++;
    for (; i > 0 && list->at[i - 1].p.n > p.n; i--)
        list->at[i] = list->at[i - 1];
    list->at[i].p = p;
    list->at[i].branch = branch;
}

/* (5): the terms of the trigonometric polynomial. */
static trig2 slip_equation(const carom_problem *problem, ending want)
{
    const carom_csym *K = &problem->K;
    double mu = want.mu, c = want.c, u1 = problem->u.t1, u2 = problem->u.t2, k1 = K->t1n, k2 = K->t2n;
    trig2 f;
    f.a0 = -0.5 * mu * diff_of_products(k1, u2, k2, u1);
    f.a1 = diff_of_products(K->nn, u2, -k2, c);
    f.b1 = -diff_of_products(K->nn, u1, -k1, c);
    f.a2 = -0.5 * mu * (diff_of_products(k1, u2, -k2, u1) + 2 * c * K->t12);
    f.b2 = -0.5 * mu * (diff_of_products(k2, u2, k1, u1) + c * (K->t22 - K->t11));
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
    const carom_csym *K = &pl->problem.K;
    double mu = pl->want.mu;
    sl->d = d;
    sl->push.t1 = K->t1n - mu * (K->t11 * d.t1 + K->t12 * d.t2);
    sl->push.t2 = K->t2n - mu * (K->t12 * d.t1 + K->t22 * d.t2);
    sl->lift = K->nn - mu * tvec_dot(coupling(K), d);
}

static double cross(tvec a, tvec b)
{
    return diff_of_products(a.t1, b.t2, a.t2, b.t1);
}

/* p_n for a direction that solves (5): from the normal velocity, lift N = c, or near a jam, where lift has no digits,
 * from d_perp . u_t after = 0. */
static double normal_part(const plane *pl, const slider *sl)
{
    const carom_csym *K = &pl->problem.K;
    tvec u = tangential(pl->problem.u), k = coupling(K);
    double across = cross(sl->d, u), turn = cross(sl->d, sl->push), mu = pl->want.mu;
    double doubt_lift = (K->nn + mu * tvec_length(k)) / fabs(sl->lift);
    double doubt_turn = tvec_length(u) / fabs(across) + (tvec_length(k) + mu * (K->t11 + K->t22)) / fabs(turn);
    return doubt_turn < doubt_lift ? -across / turn : pl->want.c / sl->lift;
}

/* One Newton step on lift N = c and d_perp . (u_t + N push) = 0 together, well conditioned also near a jam. Returned
 * is how far it went, relative. */
static double polish(const plane *pl, slider *sl)
{
    const carom_csym *K = &pl->problem.K;
    tvec d = sl->d, perp = {-d.t2, d.t1}, u = tangential(pl->problem.u);
    double mu = pl->want.mu, N = sl->N;
    double stiff = K->t11 * square(perp.t1) + 2 * K->t12 * perp.t1 * perp.t2 + K->t22 * square(perp.t2);
    double f = N * sl->lift - pl->want.c, g = cross(d, u) + N * cross(d, sl->push);
    double f_t = -N * mu * tvec_dot(coupling(K), perp), g_N = cross(d, sl->push);
    double g_t = -tvec_dot(d, u) - N * tvec_dot(d, sl->push) - mu * N * stiff;
    double det = diff_of_products(sl->lift, g_t, f_t, g_N);
    double dN = -diff_of_products(f, g_t, f_t, g) / det, dt = -diff_of_products(sl->lift, g, g_N, f) / det;
    if (!(fabs(dN) <= 0.5 * N && fabs(dt) <= 0.5))
        return 1; /* a double root: it has no better digits */
    double norm = 1 / sqrt(1 + dt * dt);
    aim(pl, tvec_make((d.t1 + dt * perp.t1) * norm, (d.t2 + dt * perp.t2) * norm), sl);
    sl->N = N + dN;
    return fmax(fabs(dN) / N, fabs(dt));
}

static bool is_admissible(const plane *pl, const slider *sl)
{
    return tvec_dot(sl->d, tangential(pl->problem.u)) + sl->N * tvec_dot(sl->d, sl->push) > 0;
}

static void add_slip(const plane *pl, const slider *sl, endings *list)
{
    carom_cvec p = impulse(sl->N, tvec_scale(-pl->want.mu * sl->N, sl->d)); /* (3) */
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
            bool found = is_admissible(pl, &sl);
            if (found)
                add_slip(pl, &sl, list);
            return found;
        }
    return false;
}

/* Of a singular K a lift this small is none: its solution would be unbounded. */
static bool runs_away(const plane *pl, const slider *sl)
{
    const carom_csym *K = &pl->problem.K;
    return pl->s.deficient && sl->lift <= LIFT_TOL * (K->nn + pl->want.mu * tvec_length(coupling(K)));
}

static void add_slips(const plane *pl, endings *list)
{
    heading root[TRIG2_ROOTS];
    trig2 f = slip_equation(&pl->problem, pl->want);
    int count = trig2_roots(&f, root);
    for (int i = 0; i < count; i++) {
        slider sl;
        aim(pl, tvec_make(root[i].cos, root[i].sin), &sl);
        sl.N = normal_part(pl, &sl);
        if (!(sl.N > 0) || runs_away(pl, &sl))
            continue;
        for (int step = 0; step < POLISH_STEPS; step++)
            polish(pl, &sl);
        if (is_admissible(pl, &sl) && !runs_away(pl, &sl))
            add_slip(pl, &sl, list);
    }
}

/* Only a singular K, or rounding at the edge of sticking, leaves no solution: the stick, shortened to the cone. */
static void add_nearest(const plane *pl, endings *list)
{
    const carom_csym *K = &pl->problem.K;
    double a = pl->want.c / K->nn;
    const segment to_stick = {a, 1, {tangential(pl->stick), 1}, a - pl->stick.n};
    const cone_cut cut = cut_to_cone(pl->want.mu, &to_stick);
    add(list, cut.outside ? impulse(cut.p_n, tvec_scale(cut.share, to_stick.q.top)) : pl->stick, END_SINGULAR);
}

endings LANES_VARIANT(whittaker_spatial)(const carom_problem *problem, const schur *s, ending want)
{
    const carom_csym *K = &problem->K;
    endings list = {.count = 0};
    bool grazes = want.c == 0;
    if (grazes && want.mu * tvec_dot(coupling(K), tangential(problem->u)) <= K->nn * carom_cvec_slip(problem->u)) {
        add(&list, carom_cvec_make(0, 0, 0), NO_IMPACT); /* (7) */
        return list;
    }
    plane pl = plane_of(problem, s, want);
    if (pl.sticks)
        add(&list, pl.stick, grazes ? END_STICK_JAM : END_STICK); /* (2) */
    bool sole = is_sole_ending(K, &pl.s, want.mu);                /* (6) */
    if (pl.sticks && (loses_direction(&pl.s) || sole))
        return list; /* also where the slip that K moves lies in a plane: (4) */
    if (sole && !grazes && add_sole_slip(&pl, &list))
        return list;
    add_slips(&pl, &list);
    if (list.count == 0)
        add_nearest(&pl, &list);
    return list;
}
