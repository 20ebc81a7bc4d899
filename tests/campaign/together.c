/* Laws of several contacts on random problems: no claimed trait may be refuted, and the order of the contacts and a
 * mirror may not matter. Prints one line per law and kind, and every problem that fails by its number.
 *
 * usage: together PROBLEMS [FIRST [LAW]]   problems per law and kind, the number of the first, one law only */
#include <stdio.h>

#include "support/contacts.h"

#define SLACK  1e-11 /* of the terms: rounding in energies and margins */
#define SAME   1e-13 /* of the largest velocity, times the condition of K: order and mirror */
#define NUDGE  2e-16 /* relative change of u: what a neighbour differs by */
#define SAFETY 8     /* neighbours sample the worst case; another order may hit it */

enum { SHOWN = 8, NEIGHBOURS = 16 };

typedef struct tally {
    const carom_together *law;
    bool frictionless;
    long problems, answered, partial, refused, compared;
    long refuted, moved; /* traits, order and mirror */
    long undecided;      /* rounding of u changes the answer as much as another order does */
    long shown;
    double worst; /* difference of order and mirror, over its bound */
} tally;

static void complain(tally *t, long k, const contacts_case *c, const char *what, double size)
{
    if (t->shown++ < SHOWN)
        printf("  %s %s problem %ld (m %d, dim %d): %s %.3g\n", t->law->id,
               t->frictionless ? "frictionless" : "friction", k, c->m, c->dim, what, size);
}

static void draw(long k, const tally *t, contacts_case *c)
{
    contacts_random r = {(uint64_t)k * UINT64_C(0x9E3779B97F4A7C15) + (t->frictionless ? 1 : 2)};
    for (int i = 0; i < 4; i++)
        (void)contacts_unit(&r);
    int m = 2 + (int)(contacts_unit(&r) * 7), dim = contacts_unit(&r) < 0.5 ? 2 : 3;
    bool planar = !t->frictionless && t->law->traits & CAROM_TRAIT_PLANAR_ONLY;
    contacts_fill(&r, c, m, planar ? 2 : dim);
    bool linear = t->law->uses & CAROM_USES(eta); /* springs along the tangents are linear */
    double exponent = contacts_unit(&r) < 0.5 || linear ? 1 : 1.5;
    for (int i = 0; i < c->m; i++) {
        double kind = contacts_unit(&r);
        c->coeffs[i].exponent = exponent;
        c->coeffs[i].mu = t->frictionless ? 0 : c->coeffs[i].mu;
        double small = kind < 0.15 ? 0 : contacts_within(&r, 0, 0.2);
        c->coeffs[i].e = kind < 0.1 ? 1 : kind < 0.3 ? small : c->coeffs[i].e;
        c->coeffs[i].e_t = contacts_within(&r, t->law->uses & CAROM_USES(nu) ? 0 : -1, 1);
        c->coeffs[i].nu = contacts_unit(&r);
        if (!(t->law->uses & CAROM_USES(mu)))
            c->coeffs[i].e = c->coeffs[0].e;
    }
}

static void hold_to_traits(tally *t, long k, const contacts_case *c)
{
    unsigned traits = t->law->traits | (t->frictionless ? t->law->frictionless : 0);
    double speed = fmax(contacts_largest(c->n, c->u), contacts_largest(c->n, c->u_after)), work = 0;
    double impulse = contacts_largest(c->n, c->p), penetration = 0, outside = 0;
    for (int i = 0; i < c->n; i++)
        work += fabs(c->p[i]) * (fabs(c->u[i]) + fabs(c->u_after[i]));
    for (int i = 0; i < c->m; i++) {
        const double *p = c->p + i * c->dim;
        double slip = c->dim == 2 ? fabs(p[0]) : hypot(p[0], p[1]);
        penetration = fmax(penetration, -c->u_after[(i + 1) * c->dim - 1]);
        outside = fmax(outside, slip - c->coeffs[i].mu * p[c->dim - 1]);
    }
    const char *what = traits & CAROM_TRAIT_ENERGY_SAFE && c->out.energy.change > SLACK * work ? "creates energy"
                       : traits & CAROM_TRAIT_NO_PENETRATION && penetration > SLACK * speed    ? "penetrates"
                       : traits & CAROM_TRAIT_CONE_SAFE && outside > SLACK * impulse           ? "leaves the cone"
                                                                                               : NULL;
    if (!what)
        return;
    t->refuted++;
    complain(t, k, c, what, fmax(c->out.energy.change / work, fmax(penetration / speed, outside / impulse)));
}

/* The condition of K, as the product of the largest entries of K and of its inverse. */
static double condition_of(const contacts_case *c)
{
    double A[CONTACTS_ROWS][2 * CONTACTS_ROWS], most = 0, inverse = 0;
    int n = c->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2 * n; j++) {
            A[i][j] = j < n ? c->K[i * n + j] : j - n == i;
            most = fmax(most, j < n ? fabs(A[i][j]) : 0);
        }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            double factor = A[i][k] / A[k][k];
            for (int j = k; j < 2 * n && i != k; j++)
                A[i][j] -= factor * A[k][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = n; j < 2 * n; j++)
            inverse = fmax(inverse, fabs(A[i][j] / A[i][i]));
    return fmax(1, most * inverse);
}

/* How far answers to neighbours of the problem are apart: the law itself multiplies rounding, where e is small. */
static double spread_of(const contacts_case *c, const carom_together_rule *rule)
{
    contacts_random r = {17};
    double most = 0;
    for (int k = 0; k < NEIGHBOURS; k++) {
        contacts_case d = *c;
        d.memory = NULL;
        for (int i = 0; i < d.n; i++)
            d.u[i] *= 1 + contacts_within(&r, -NUDGE, NUDGE);
        carom_status status = contacts_make(&d) ? contacts_solve(&d, rule) : CAROM_STATUS_NO_MEMORY;
        for (int i = 0; i < d.n && status == c->status; i++)
            most = fmax(most, fabs(d.u_after[i] - c->u_after[i]));
        free(d.memory);
    }
    return most;
}

static void compare_rearranged(tally *t, long k, const contacts_case *c, const carom_together_rule *rule)
{
    contacts_case d;
    int to[CONTACTS_MOST];
    bool mirror = k % 2;
    for (int i = 0; i < c->m; i++)
        to[i] = (int)((i + 1 + k) % c->m);
    contacts_rearrange(c, to, mirror, &d);
    carom_status status = contacts_make(&d) ? contacts_solve(&d, rule) : CAROM_STATUS_NO_MEMORY;
    if (!carom_status_is_answer(status) && !carom_status_is_refusal(status)) {
        t->partial++; /* at its bound nothing is promised */
    } else if (status != c->status) {
        t->moved++;
        complain(t, k, c, "rearranged, it has another status", 0);
    } else if (c->status == CAROM_STATUS_OK && c->out.solutions == 1 && c->out.examined && d.out.examined) {
        double speed = fmax(contacts_largest(c->n, c->u), contacts_largest(c->n, c->u_after)), gap = 0;
        for (int i = 0; i < c->n; i++) {
            double sign = mirror && i % c->dim == 0 ? -1 : 1;
            gap = fmax(gap, fabs(c->u_after[i] - sign * d.u_after[to[i / c->dim] * c->dim + i % c->dim]));
        }
        double share = gap / (speed * condition_of(c));
        bool open = share > SAME && gap <= SAFETY * spread_of(c, rule);
        t->compared += !open;
        t->undecided += open;
        gap = share;
        t->worst = open ? t->worst : fmax(t->worst, gap);
        if (gap > SAME && !open) {
            t->moved++;
            complain(t, k, c, "rearranged, it differs by", gap);
        }
    }
    free(d.memory);
}

/* docs/theory/several-contacts.md: an order may matter to sequential, and to a path where a contact gives nothing back.
 */
static bool is_free_of_order(const tally *t, const contacts_case *c)
{
    bool is_free = strcmp(t->law->id, "sequential") != 0;
    for (int i = 0; i < c->m; i++)
        is_free = is_free && !(t->law->traits & CAROM_TRAIT_HAS_PATH && c->coeffs[i].e == 0);
    return is_free;
}

static void take(tally *t, long k)
{
    contacts_case c;
    carom_together_rule rule = carom_together_rule_default(t->law, NULL);
    draw(k, t, &c);
    if (!contacts_make(&c))
        abort();
    carom_status status = contacts_solve(&c, &rule);
    t->problems++;
    t->answered += carom_status_is_answer(status);
    t->refused += carom_status_is_refusal(status);
    bool partial = !carom_status_is_answer(status) && !carom_status_is_refusal(status);
    t->partial += partial;
    if (!carom_status_is_answer(status))
        complain(t, k, &c, carom_status_id(status), c.out.residual);
    else {
        hold_to_traits(t, k, &c);
        if (is_free_of_order(t, &c))
            compare_rearranged(t, k, &c, &rule);
    }
    free(c.memory);
}

int main(int count, char **words)
{
    long problems = count > 1 ? atol(words[1]) : 1000, first = count > 2 ? atol(words[2]) : 0, bad = 0;
    printf("%-12s %-13s %9s %9s %8s %8s %8s %9s %9s %8s %9s\n", "law", "", "problems", "answered", "partial", "refused",
           "refuted", "compared", "undecided", "moved", "worst");
    for (int i = 0; i < 2 * carom_together_count(); i++) {
        tally t = {.law = carom_together_at(i / 2), .frictionless = i % 2 == 0};
        bool wanted = count <= 3 || strcmp(words[3], t.law->id) == 0;
        if (!wanted || (!t.frictionless && !(t.law->uses & CAROM_USES(mu))))
            continue;
        for (long k = first; k < first + problems; k++)
            take(&t, k);
        printf("%-12s %-13s %9ld %9ld %8ld %8ld %8ld %9ld %9ld %8ld %9.1e\n", t.law->id,
               t.frictionless ? "frictionless" : "friction", t.problems, t.answered, t.partial, t.refused, t.refuted,
               t.compared, t.undecided, t.moved, t.worst);
        fflush(stdout);
        bad += t.refuted + t.moved + t.refused;
    }
    return bad ? 1 : 0;
}
