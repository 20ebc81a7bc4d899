/* whittaker: Coulomb's law between the impulse and the slip at the end of the impact.
 *
 * Hypothesis   Newton's restitution along the normal; friction opposes the final slip, or is whatever stops it. The
 *              law of Whittaker, taken up by Kane and Levinson. It can create energy.
 * Equations    p_n = (c - k . p_t) / K_nn,  u_t after = a + B p_t,  a = u_t + k c / K_nn,  c = (1 + e) v_n   (1)
 *              stick:  p_t = -B^-1 a   if |p_t| <= mu p_n                                                    (2)
 *              slip:   p_t = -mu p_n d,  p_n = c / (K_nn - mu k . d),  d = u_t after / |u_t after|           (3)
 *              planar: d = sgn a, one solution for every K                                                   (4)
 *              space:  d solves (K_nn - mu k . d)(d_perp . u_t) + c d_perp . (k - mu K_TT d) = 0,            (5)
 *                      a trigonometric polynomial of degree 2; kept are K_nn > mu k . d and d . u_t after > 0
 *              unique if mu |k| / K_nn < 2 sqrt(det B) / tr B                                                (6)
 *              u_n = 0: p = 0 if mu k . u_t <= K_nn |u_t|; else stick, or slip with mu k . d = K_nn          (7)
 * Choice       stick if it solves, else the smallest p_n; with "select": "first" always the smallest p_n
 * Page         docs/laws/whittaker.md
 * Reference    Whittaker (1904), section 95; Kane and Levinson (1985); Chatterjee (1997), sections 5.1.2 and 6.3 */
#include "core/roots.h"
#include "laws/family_plane.h"

/* Slip left by the best stick of a singular K, against its terms, that rounding of K explains. */
#define STICK_TOL 1e-10

static const char *const modes[END_COUNT] = {"no_impact", "slip", "stick", "slip_jam", "stick_jam", "singular"};

verdict whittaker_planar(const carom_problem *problem, ending want)
{
    const carom_csym *K = &problem->K;
    double u = problem->u.t1, k = K->t1n, c = want.c, mu = want.mu;
    double slip = diff_of_products(K->nn, u, -k, c), load = diff_of_products(K->t11, c, -k, u); /* -+ det K times (2) */
    double det = diff_of_products(K->nn, K->t11, k, k);
    bool singular = !(det > RANK_TOL * K->nn * K->t11);
    verdict stick = {{-slip / det, 0, load / det}, c > 0 ? END_STICK : END_STICK_JAM};
    verdict none = {{0, 0, c / K->nn}, slip != 0 ? END_SINGULAR : END_STICK};
    if (fabs(slip) <= mu * load)
        return singular ? none : stick; /* (2) */
    none.branch = NO_IMPACT;
    if (c == 0)
        return none; /* (7) */
    double d = slip < 0 ? -1 : 1, p_n = c / fma(-mu * d, k, K->nn);
    verdict result = {{-mu * d * p_n, 0, p_n}, END_SLIP}; /* (3), (4) */
    return result;
}

/* B^+ r: of a singular complement, too, which then has rank one or none. */
static tvec complement_solve(const carom_csym *K, const schur *s, tvec r)
{
    if (!s->deficient)
        return schur_solve(s, r);
    double trace = (s->n11 + s->n22) / s->nn;
    if (!(trace > RANK_TOL * (K->t11 + K->t22)))
        return tvec_make(0, 0);
    return tvec_scale(1 / square(trace), schur_apply(s, r));
}

/* What the solvers in space share. */
typedef struct plane {
    carom_problem problem;
    ending want;
    schur s;
    tvec a;
    carom_cvec stick; /* (2); of a singular K the impulse that leaves the least slip */
    bool sticks;
} plane;

static plane plane_of(const carom_problem *problem, ending want)
{
    const carom_csym *K = &problem->K;
    plane pl = {.problem = *problem, .want = want, .s = schur_of(K), .a = plane_slip(problem, want.c)};
    tvec q = tvec_scale(-1, complement_solve(K, &pl.s, pl.a));
    pl.stick = impulse((want.c - tvec_dot(coupling(K), q)) / K->nn, q);
    pl.sticks = tvec_length(q) <= want.mu * pl.stick.n;
    if (pl.s.deficient) {
        tvec change = schur_apply(&pl.s, q), left = {pl.a.t1 + change.t1, pl.a.t2 + change.t2};
        pl.sticks &= tvec_length(left) <= STICK_TOL * (carom_cvec_slip(problem->u) + tvec_length(pl.a));
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

/* d . u_t after times K_nn - mu k . d, for the slip p_t = -mu p_n d. */
static double final_slip(const carom_problem *problem, ending want, tvec d, double lift)
{
    const carom_csym *K = &problem->K;
    double stiff = K->t11 * square(d.t1) + 2 * K->t12 * d.t1 * d.t2 + K->t22 * square(d.t2);
    return lift * (d.t1 * problem->u.t1 + d.t2 * problem->u.t2) + want.c * (tvec_dot(coupling(K), d) - want.mu * stiff);
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

static void add_slips(const plane *pl, endings *list)
{
    const carom_problem *pb = &pl->problem;
    angle root[TRIG2_ROOTS];
    trig2 f = slip_equation(pb, pl->want);
    int count = trig2_roots(&f, root);
    for (int i = 0; i < count; i++) {
        tvec d = {root[i].cos, root[i].sin};
        double lift = pb->K.nn - pl->want.mu * tvec_dot(coupling(&pb->K), d);
        if (!(lift > 0) || !(final_slip(pb, pl->want, d, lift) > 0))
            continue;
        double p_n = pl->want.c / lift;
        add(list, impulse(p_n, tvec_scale(-pl->want.mu * p_n, d)), END_SLIP); /* (3) */
    }
}

/* (7): c = 0, slip with mu k . d = K_nn; d_perp . u_t after = 0 gives the size. */
static void add_slip_jams(const plane *pl, endings *list)
{
    const carom_problem *pb = &pl->problem;
    const carom_csym *K = &pb->K;
    double mu = pl->want.mu, pull = tvec_length(coupling(K)), along = K->nn / (mu * pull);
    double across = sqrt((1 - along) * (1 + along));
    tvec e = {K->t1n / pull, K->t2n / pull};
    for (int side = -1; side <= 1; side += 2) {
        tvec d = {along * e.t1 - side * across * e.t2, along * e.t2 + side * across * e.t1};
        tvec push = {K->t1n - mu * (K->t11 * d.t1 + K->t12 * d.t2), K->t2n - mu * (K->t12 * d.t1 + K->t22 * d.t2)};
        double p_n = -(d.t1 * pb->u.t2 - d.t2 * pb->u.t1) / (d.t1 * push.t2 - d.t2 * push.t1);
        double final = d.t1 * (pb->u.t1 + p_n * push.t1) + d.t2 * (pb->u.t2 + p_n * push.t2);
        if (p_n > 0 && final > 0)
            add(list, impulse(p_n, tvec_scale(-mu * p_n, d)), END_SLIP_JAM);
    }
}

/* Only a singular K, or rounding at the edge of sticking, leaves no solution: the stick, shortened to the cone. */
static void add_nearest(const plane *pl, endings *list)
{
    const carom_csym *K = &pl->problem.K;
    double a = pl->want.c / K->nn, lift = pl->stick.n - a;
    tvec q = tangential(pl->stick);
    bool outside = is_outside_cone(pl->want.mu, a, q, lift);
    carom_cvec p = outside ? cut_to_cone(pl->want.mu, a, q, lift) : pl->stick;
    add(list, p, END_SINGULAR);
}

endings whittaker_spatial(const carom_problem *problem, ending want)
{
    const carom_csym *K = &problem->K;
    endings list = {.count = 0};
    bool grazes = want.c == 0;
    if (grazes && want.mu * tvec_dot(coupling(K), tangential(problem->u)) <= K->nn * carom_cvec_slip(problem->u)) {
        add(&list, carom_cvec_make(0, 0, 0), NO_IMPACT); /* (7) */
        return list;
    }
    plane pl = plane_of(problem, want);
    if (pl.sticks)
        add(&list, pl.stick, grazes ? END_STICK_JAM : END_STICK); /* (2) */
    if (pl.sticks && is_sole_ending(K, &pl.s, want.mu))           /* (6) */
        return list;
    if (grazes)
        add_slip_jams(&pl, &list);
    else
        add_slips(&pl, &list);
    if (list.count == 0)
        add_nearest(&pl, &list);
    return list;
}

static int choice_of(const endings *list, const carom_rule *rule)
{
    for (int i = 0; i < list->count && rule->options.select != CAROM_SELECT_FIRST; i++)
        if (list->at[i].branch == END_STICK || list->at[i].branch == END_STICK_JAM)
            return i;
    return 0;
}

static carom_status solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                          carom_outcome *out)
{
    (void)tracer;
    ending want = {rebound(problem, rule->coeffs.e), rule->coeffs.mu};
    endings list = {.count = 1};
    if (is_flat(problem))
        list.at[0] = whittaker_planar(problem, want);
    else
        list = whittaker_spatial(problem, want);
    verdict result = list.at[choice_of(&list, rule)];
    out->p = result.p;
    out->mode = modes[result.branch];
    out->flags |= result.branch == END_SLIP_JAM || result.branch == END_STICK_JAM ? CAROM_JAM : 0;
    out->solutions = list.count;
    for (int i = 0; list.count > 1 && i < list.count && i < CAROM_SOLUTIONS_KEPT; i++)
        out->all[i] = list.at[i].p;
    return CAROM_OK;
}

const carom_law carom_law_whittaker = {
    .id = "whittaker",
    .name = "Whittaker / Kane-Levinson",
    .family = "algebraic",
    .summary = "Coulomb's law between the impulse and the slip at the end of the impact; can create energy.",
    .reference = "whittaker1904",
    .uses = CAROM_USES(e) | CAROM_USES(mu),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_NEWTON_E | CAROM_TRAIT_FRAME_FREE,
    .solve = solve,
};
