/* Chatterjee's tables 7.1 and 7.2: the pendulum. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "literature.h"

#define THETA 0.31415926535897931 /* pi / 10 */

static const char table_71[] = "Chatterjee T7.1", table_72[] = "Chatterjee T7.2";

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
} answer;

static const answer nothing = {NAN, NAN, NAN, NAN, NAN};

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
    if (carom_solve(&pb, &rule, NULL, &out) != CAROM_STATUS_OK)
        return nothing;
    answer a = {out.p.n, out.p.t1, out.u_after.n, out.u_after.t1, out.energy.change};
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

#define FIRST 1e6 /* lambda of the first of the three */

/* With growth, impulses over sqrt(lambda) and velocities times it. */
static answer solve_limit(const char *law, double e_t, bool growth)
{
    answer a[3];
    for (int i = 0; i < 3; i++) {
        double lambda = FIRST * (i == 0 ? 1 : i == 1 ? 4 : 16), root = growth ? sqrt(lambda) : 1;
        a[i] = solve(law, e_t, 1 / lambda);
        a[i].p_n /= root;
        a[i].p_t /= root;
        a[i].u_n *= root;
        a[i].u_t *= root;
    }
    answer out = {limit(a[0].p_n, a[1].p_n, a[2].p_n), limit(a[0].p_t, a[1].p_t, a[2].p_t),
                  limit(a[0].u_n, a[1].u_n, a[2].u_n), limit(a[0].u_t, a[1].u_t, a[2].u_t),
                  limit(a[0].energy, a[1].energy, a[2].energy)};
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
    bool growth;
    const char *p_n, *p_t, *u_n, *u_t, *energy;
} row_72;

/* At lambda = infinity Routh's and Smith's laws take the singular K itself. Whittaker's impulse then has no bound: its
 * velocities are those of a large lambda, and its energy grows like lambda (e sin cos)^2 / 2. */
static void add_71(literature *l, const row_71 *r)
{
    char lambda[24];
    bool endless = isinf(r->lambda), grows = endless && strcmp(r->energy, "inf") == 0;
    answer a = solve(r->law, 0, grows ? 1e-6 : endless ? 0 : 1 / r->lambda);
    lambda_text(lambda, r->lambda);
    literature_add(l, table_71, r->u_n, a.u_n, "%s, lambda %s: V_fN", r->law, lambda);
    literature_add(l, table_71, r->u_t, a.u_t, "%s, lambda %s: V_fT", r->law, lambda);
    if (strcmp(r->law, "smith") == 0 && r->lambda == 100)
        literature_blame(l, ERRATUM_T1, NAN);
    if (!grows) {
        literature_add(l, table_71, r->energy, a.energy, "%s, lambda %s: dKE", r->law, lambda);
        return;
    }
    double rate = 0.5 * pow(0.8 * sin(THETA) * cos(THETA), 2), got = a.energy * 1e-6;
    literature_add_word(l, table_71, "infinite", got, rate * (1 - 1e-4), rate * (1 + 1e-4),
                        "whittaker, lambda inf: dKE/lambda");
}

static void add_72(literature *l, const row_72 *r)
{
    char lambda[24];
    const char *law = "chatterjee-rebound", *p_unit = r->growth ? "/sqrt(l)" : "",
               *u_unit = r->growth ? "*sqrt(l)" : "";
    answer a = isinf(r->lambda) ? solve_limit(law, r->e_t, r->growth) : solve(law, r->e_t, 1 / r->lambda);
    lambda_text(lambda, r->lambda);
    literature_add(l, table_72, r->p_n, a.p_n, "r_t %.1f, lambda %s: P_N%s", r->e_t, lambda, p_unit);
    literature_add(l, table_72, r->p_t, a.p_t, "r_t %.1f, lambda %s: P_T%s", r->e_t, lambda, p_unit);
    double g = (0.8 - r->e_t) * sin(THETA) * cos(THETA); /* gamma = g sqrt(lambda) for large lambda */
    literature_add(l, table_72, r->u_n, a.u_n, "r_t %.1f, lambda %s: V_fN%s", r->e_t, lambda, u_unit);
    if (r->growth)
        literature_blame(l, ERRATUM_T2, 0.8 * sin(THETA) / g);
    literature_add(l, table_72, r->u_t, a.u_t, "r_t %.1f, lambda %s: V_fT%s", r->e_t, lambda, u_unit);
    if (r->growth)
        literature_blame(l, ERRATUM_T2, r->e_t * cos(THETA) / g);
    literature_add(l, table_72, r->energy, a.energy, "r_t %.1f, lambda %s: dKE", r->e_t, lambda);
}

void literature_thesis(literature *l)
{
    static const row_71 rows_71[] = {
#define TABLE_71(law, lambda, u_n, u_t, energy) {law, lambda, u_n, u_t, energy},
#define TABLE_72(e_t, lambda, p_n, p_t, u_n, u_t, energy)
#define TABLE_72_GROWTH(e_t, p_n, p_t, u_n, u_t, energy)
#include "thesis_tables.def"
#undef TABLE_71
#undef TABLE_72
#undef TABLE_72_GROWTH
    };
    static const row_72 rows_72[] = {
#define TABLE_71(law, lambda, u_n, u_t, energy)
#define TABLE_72(e_t, lambda, p_n, p_t, u_n, u_t, energy) {e_t, lambda, false, p_n, p_t, u_n, u_t, energy},
#define TABLE_72_GROWTH(e_t, p_n, p_t, u_n, u_t, energy)  {e_t, INFINITY, true, p_n, p_t, u_n, u_t, energy},
#include "thesis_tables.def"
#undef TABLE_71
#undef TABLE_72
#undef TABLE_72_GROWTH
    };
    for (size_t i = 0; i < sizeof rows_71 / sizeof rows_71[0]; i++)
        add_71(l, &rows_71[i]);
    for (size_t i = 0; i < sizeof rows_72 / sizeof rows_72[0]; i++)
        add_72(l, &rows_72[i]);
}
