/* Chatterjee's tables 7.1 and 7.2: the pendulum. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "literature.h"

#define THETA 0.31415926535897931 /* pi / 10 */
#define LARGE                                                                                                          \
    1e6 /* lambda from which limits are taken: their series in 1/sqrt(lambda) then has six digits per term             \
         */

static const place table_71 = {GROUP_PRINTED, DOCUMENT_THESIS, "section 7.5.2, Table 7.1"},
                   table_72 = {GROUP_PRINTED, DOCUMENT_THESIS, "section 7.5.2, Table 7.2"},
                   growing = {GROUP_DERIVED, DOCUMENT_THESIS, "section 7.5: growth with lambda"};

/* K = a a^T + b b^T / lambda with a along the free direction, u = -a; 1/lambda = 0 is the unbounded mass. */
static carom_problem pendulum(double inverse)
{
    double c = cos(THETA), s = sin(THETA);
    carom_problem pb = {{c * c + s * s * inverse, 0, 0, s * c * (1 - inverse), 0, s * s + c * c * inverse},
                        {-c, 0, -s}};
    return pb;
}

typedef struct answer {
    double p_n, p_t, u_n, u_t, energy;
    carom_status status;
} answer;

static const answer nothing = {NAN, NAN, NAN, NAN, NAN, CAROM_STATUS_NO_LAW};

static answer solve(const char *law, double e_t, double inverse)
{
    const carom_law *found = carom_law_find(law);
    carom_problem pb = pendulum(inverse);
    carom_outcome out;
    if (!found)
        return nothing;
    carom_rule rule = carom_rule_default(found);
    rule.coeffs.e = 0.8;
    rule.coeffs.e_t = e_t;
    rule.coeffs.mu = 0.5;
    answer refused = nothing;
    refused.status = carom_solve(&pb, &rule, NULL, &out);
    if (refused.status != CAROM_STATUS_OK)
        return refused;
    answer a = {out.p.n, out.p.t1, out.u_after.n, out.u_after.t1, out.energy.change, CAROM_STATUS_OK};
    return a;
}

bool thesis_pendulum(const char *law, double e_t, double inverse, double after[3])
{
    answer a = solve(law, e_t, inverse);
    after[0] = a.u_n;
    after[1] = a.u_t;
    after[2] = a.energy;
    return isfinite(a.energy);
}

/* The limit of f(lambda), a series in 1/sqrt(lambda): three values a factor 4 apart remove its first two terms. */
static double limit(double f1, double f4, double f16)
{
    double g1 = 2 * f4 - f1, g4 = 2 * f16 - f4; /* without lambda^-1/2 */
    return (4 * g4 - g1) / 3;                   /* without lambda^-1 */
}

/* Impulses over sqrt(lambda) and velocities times it, for large lambda. */
static answer solve_growth(const char *law, double e_t)
{
    answer a[3];
    for (int i = 0; i < 3; i++) {
        double lambda = 1e6 * (i == 0 ? 1 : i == 1 ? 4 : 16), root = sqrt(lambda);
        a[i] = solve(law, e_t, 1 / lambda);
        a[i].p_n /= root;
        a[i].p_t /= root;
        a[i].u_n *= root;
        a[i].u_t *= root;
    }
    answer out = {limit(a[0].p_n, a[1].p_n, a[2].p_n),          limit(a[0].p_t, a[1].p_t, a[2].p_t),
                  limit(a[0].u_n, a[1].u_n, a[2].u_n),          limit(a[0].u_t, a[1].u_t, a[2].u_t),
                  limit(a[0].energy, a[1].energy, a[2].energy), CAROM_STATUS_OK};
    return out;
}

static void lambda_text(char text[24], double lambda)
{
    if (isinf(lambda))
        snprintf(text, 24, "inf");
    else
        snprintf(text, 24, lambda < 1e4 ? "%.0f" : "%.0e", lambda);
}

typedef struct row_71 {
    const char *law;
    double lambda;
    const char *u_n, *u_t, *energy;
} row_71;

typedef struct row_72 {
    double e_t, lambda;
    const char *p_n, *p_t, *u_n, *u_t, *energy;
} row_72;

static bool prints_infinity(const char *text)
{
    return strstr(text, "∞") != NULL;
}

/* A law at lambda, 4 lambda and 16 lambda. */
typedef struct growth {
    answer at[3];
} growth;

static growth grow(const char *law, double e_t, double lambda)
{
    growth g;
    for (int i = 0; i < 3; i++)
        g.at[i] = solve(law, e_t, 1 / (lambda * (i == 0 ? 1 : i == 1 ? 4 : 16)));
    return g;
}

/* The limit of a member for lambda to infinity, of what has one. */
#define LIMIT_OF(g, member) limit((g).at[0].member, (g).at[1].member, (g).at[2].member)

/* What the law says of the singular K itself: infinity, with the sign that the impulse or the energy takes as lambda
 * grows, when it refuses K because nothing finite ends the impact; else NaN. */
static double unbounded(const char *law, double e_t, double grown)
{
    return solve(law, e_t, 0).status == CAROM_STATUS_UNBOUNDED ? copysign(INFINITY, grown) : NAN;
}

/* At lambda = infinity the laws take the singular K itself. Whittaker's energy then has no bound; the velocities that
 * the table prints beside it are limits. */
static void add_71(literature *l, const row_71 *r)
{
    char lambda[24];
    bool endless = prints_infinity(r->energy);
    growth g = grow(r->law, 0, LARGE);
    answer a = solve(r->law, 0, 1 / r->lambda);
    lambda_text(lambda, r->lambda);
    if (endless)
        a = (answer){NAN, NAN, LIMIT_OF(g, u_n), LIMIT_OF(g, u_t), unbounded(r->law, 0, g.at[2].energy), a.status};
    const char *kind = endless ? ", limit" : "";
    literature_add(l, &table_71, r->u_n, a.u_n, "%s, lambda %s: V_fN%s", r->law, lambda, kind);
    literature_add(l, &table_71, r->u_t, a.u_t, "%s, lambda %s: V_fT%s", r->law, lambda, kind);
    if (strcmp(r->law, "smith") == 0 && r->lambda == 100)
        literature_blame(l, ERRATUM_T1, NAN);
    literature_add(l, &table_71, r->energy, a.energy, "%s, lambda %s: dKE%s", r->law, lambda,
                   endless ? ", unbounded" : "");
}

/* r_t < r_n: impulses grow like the root of lambda, and velocities fall like one over it: zero in the limit. */
static void add_72_endless(literature *l, const row_72 *r)
{
    growth g = grow("chatterjee-rebound", r->e_t, LARGE);
    const double p_n = unbounded("chatterjee-rebound", r->e_t, g.at[2].p_n),
                 p_t = unbounded("chatterjee-rebound", r->e_t, g.at[2].p_t);
    literature_add(l, &table_72, r->p_n, p_n, "r_t 0.6, lambda inf: P_N, unbounded");
    literature_add(l, &table_72, r->p_t, p_t, "r_t 0.6, lambda inf: P_T, unbounded");
    literature_add(l, &table_72, r->u_n, LIMIT_OF(g, u_n), "r_t 0.6, lambda inf: V_fN, limit");
    literature_add(l, &table_72, r->u_t, LIMIT_OF(g, u_t), "r_t 0.6, lambda inf: V_fT, limit");
    literature_add(l, &table_72, r->energy, LIMIT_OF(g, energy), "r_t 0.6, lambda inf: dKE, limit");
}

static void add_72(literature *l, const row_72 *r)
{
    char lambda[24];
    const char *law = "chatterjee-rebound";
    if (prints_infinity(r->p_n)) {
        add_72_endless(l, r);
        return;
    }
    answer a = solve(law, r->e_t, isinf(r->lambda) ? 0 : 1 / r->lambda);
    lambda_text(lambda, r->lambda);
    literature_add(l, &table_72, r->p_n, a.p_n, "r_t %.1f, lambda %s: P_N", r->e_t, lambda);
    literature_add(l, &table_72, r->p_t, a.p_t, "r_t %.1f, lambda %s: P_T", r->e_t, lambda);
    literature_add(l, &table_72, r->u_n, a.u_n, "r_t %.1f, lambda %s: V_fN", r->e_t, lambda);
    literature_add(l, &table_72, r->u_t, a.u_t, "r_t %.1f, lambda %s: V_fT", r->e_t, lambda);
    literature_add(l, &table_72, r->energy, a.energy, "r_t %.1f, lambda %s: dKE", r->e_t, lambda);
}

/* The text: "grows roughly as lambda^1/2", "976/3008 = tan(pi/10)", "an amount proportional to lambda". */
static void add_growth(literature *l)
{
    double c = cos(THETA), s = sin(THETA), g = (0.8 - 0.6) * s * c; /* gamma = g sqrt(lambda) for large lambda */
    answer a = solve_growth("chatterjee-rebound", 0.6);
    literature_add(l, &growing, "0.951057", a.p_n, "law III, r_t 0.6: P_N/sqrt(lambda) -> cos theta");
    literature_add(l, &growing, "-0.309017", a.p_t, "law III, r_t 0.6: P_T/sqrt(lambda) -> -sin theta");
    char text[24];
    snprintf(text, sizeof text, "%.5f", 0.8 * s / g);
    literature_add(l, &growing, text, a.u_n, "law III, r_t 0.6: V_fN*sqrt(lambda) -> e sin/g");
    snprintf(text, sizeof text, "%.5f", 0.6 * c / g);
    literature_add(l, &growing, text, a.u_t, "law III, r_t 0.6: V_fT*sqrt(lambda) -> r_t cos/g");
    snprintf(text, sizeof text, "%.6f", 0.5 * pow(0.8 * s * c, 2));
    literature_add(l, &growing, text, solve("whittaker", 0, 1e-8).energy * 1e-8, "Kane-Levinson: dKE/lambda");
}

void literature_thesis(literature *l)
{
    static const row_71 rows_71[] = {
#define TABLE_71(law, lambda, u_n, u_t, energy) {law, lambda, u_n, u_t, energy},
#define TABLE_72(e_t, lambda, p_n, p_t, u_n, u_t, energy)
#include "thesis_tables.def"
#undef TABLE_71
#undef TABLE_72
    };
    static const row_72 rows_72[] = {
#define TABLE_71(law, lambda, u_n, u_t, energy)
#define TABLE_72(e_t, lambda, p_n, p_t, u_n, u_t, energy) {e_t, lambda, p_n, p_t, u_n, u_t, energy},
#include "thesis_tables.def"
#undef TABLE_71
#undef TABLE_72
    };
    for (size_t i = 0; i < sizeof rows_71 / sizeof rows_71[0]; i++)
        add_71(l, &rows_71[i]);
    for (size_t i = 0; i < sizeof rows_72 / sizeof rows_72[0]; i++)
        add_72(l, &rows_72[i]);
    add_growth(l);
}
