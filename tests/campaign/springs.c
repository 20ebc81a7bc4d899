/* The law of springs at every contact on random problems of two and three contacts: it ends, creates no energy, stays
 * in its cones, does not penetrate, and what its contacts lose is what is lost. Prints one line per class, and the
 * first problems that fail by their numbers.
 *
 * usage: springs PROBLEMS [FIRST [CLASS]]   problems per class, the number of the first, one class only */
#include <stdio.h>
#include <time.h>

#include "support/contacts.h"

#define SLACK  1e-11 /* of the terms: rounding in energies and margins */
#define CLOSES 1e-12 /* of the work: the ledger */
#define SMALL  1e-4  /* least e under `all` */
#define STIFF  0.01  /* least e under `first` and `peak`: a contact that is pressed swings with a period of order e */

enum { SHOWN = 8 };

typedef enum restitution { E_ORDINARY, E_SMALL, E_PLASTIC } restitution;

typedef struct class_of_problems {
    const char *name;
    restitution e;
} class_of_problems;

static const class_of_problems classes[] = {
    {"ordinary", E_ORDINARY},
    {"small-e", E_SMALL},
    {"plastic", E_PLASTIC},
};

typedef struct tally {
    const class_of_problems *kind;
    long problems, answered, failed, shown;
    double ledger, seconds; /* worst */
    int steps;
} tally;

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static double log_within(contacts_random *r, double low, double high)
{
    return exp(contacts_within(r, log(low), log(high)));
}

static double draw_e(contacts_random *r, restitution kind, double least)
{
    double ordinary = contacts_within(r, 0.2, 1), small = log_within(r, least, 0.2), which = contacts_unit(r);
    return kind == E_ORDINARY || which < 0.4 ? ordinary : kind == E_SMALL || which < 0.7 ? small : 0;
}

static int draw(long k, const class_of_problems *kind, contacts_case *c)
{
    contacts_random r = {(uint64_t)k * UINT64_C(0x9E3779B97F4A7C15) + 3};
    for (int i = 0; i < 4; i++)
        (void)contacts_unit(&r);
    int m = contacts_unit(&r) < 0.5 ? 2 : 3, dim = contacts_unit(&r) < 0.5 ? 2 : 3;
    int phases = (int)(contacts_unit(&r) * 3);
    contacts_fill(&r, c, m, dim);
    for (int i = 0; i < c->m; i++) {
        c->coeffs[i].e = draw_e(&r, kind->e, phases ? STIFF : SMALL);
        c->coeffs[i].mu = log_within(&r, 0.0025, 2.7);
        c->coeffs[i].eta = log_within(&r, 0.2, 2);
    }
    return phases;
}

static void complain(tally *t, long k, const contacts_case *c, const char *what, double size)
{
    t->failed++;
    if (t->shown++ < SHOWN)
        printf("  %s problem %ld (m %d, dim %d): %s %.3g\n", t->kind->name, k, c->m, c->dim, what, size);
}

static double work_of(const contacts_case *c)
{
    double work = 0;
    for (int i = 0; i < c->n; i++)
        work += fabs(c->p[i]) * (fabs(c->u[i]) + fabs(c->u_after[i]));
    return work;
}

static void hold_ledger(tally *t, long k, const contacts_case *c, const double *losses)
{
    double work = work_of(c), sum = c->out.energy.change, least = 0;
    for (int i = 0; i < 2 * c->m; i++) {
        sum += losses[i];
        least = fmin(least, losses[i]);
    }
    t->ledger = fmax(t->ledger, fabs(sum) / work);
    if (fabs(sum) > CLOSES * work)
        complain(t, k, c, "the ledger is open by", sum / work);
    if (least < -CLOSES * work)
        complain(t, k, c, "a loss is negative", least / work);
}

static void hold_to_traits(tally *t, long k, const contacts_case *c)
{
    double speed = fmax(contacts_largest(c->n, c->u), contacts_largest(c->n, c->u_after)), work = work_of(c);
    double impulse = contacts_largest(c->n, c->p);
    if (c->out.energy.change > SLACK * work)
        complain(t, k, c, "creates energy", c->out.energy.change / work);
    for (int i = 0; i < c->m; i++) {
        const double *p = c->p + i * c->dim, u_n = c->u_after[(i + 1) * c->dim - 1];
        double slip = c->dim == 2 ? fabs(p[0]) : hypot(p[0], p[1]);
        if (u_n < -SLACK * speed)
            complain(t, k, c, "penetrates", u_n / speed);
        if (slip - c->coeffs[i].mu * p[c->dim - 1] > SLACK * impulse)
            complain(t, k, c, "leaves the cone", slip / impulse);
    }
}

static void take(tally *t, long k)
{
    contacts_case c;
    double losses[2 * CONTACTS_MOST], start = seconds();
    carom_together_rule rule = carom_together_rule_default(carom_together_find("compliant"), c.coeffs);
    rule.options.phases = draw(k, t->kind, &c);
    if (!contacts_make(&c))
        abort();
    void *memory = malloc(carom_together_work(&c.problem, &rule));
    c.out = (carom_together_outcome){.p = c.p, .u_after = c.u_after, .losses = losses};
    carom_status status = carom_together_solve(&c.problem, &rule, NULL, memory, &c.out);
    free(memory);
    free(c.memory);
    t->problems++;
    t->seconds = fmax(t->seconds, seconds() - start);
    t->steps = c.out.iterations > t->steps ? c.out.iterations : t->steps;
    if (status != CAROM_STATUS_OK && status != CAROM_STATUS_SEPARATING) {
        complain(t, k, &c, carom_status_id(status), c.out.iterations);
        return;
    }
    t->answered++;
    if (status == CAROM_STATUS_OK) {
        hold_to_traits(t, k, &c);
        hold_ledger(t, k, &c, losses);
    }
}

int main(int count, char **words)
{
    long problems = count > 1 ? atol(words[1]) : 1000, first = count > 2 ? atol(words[2]) : 0, bad = 0;
    printf("%-12s %9s %9s %8s %8s %9s %9s\n", "class", "problems", "answered", "failed", "steps", "ms", "ledger");
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        tally t = {.kind = &classes[i]};
        if (count > 3 && strcmp(words[3], t.kind->name) != 0)
            continue;
        for (long k = first; k < first + problems; k++)
            take(&t, k);
        printf("%-12s %9ld %9ld %8ld %8d %9.1f %9.1e\n", t.kind->name, t.problems, t.answered, t.failed, t.steps,
               1e3 * t.seconds, t.ledger);
        fflush(stdout);
        bad += t.failed;
    }
    return bad ? 1 : 0;
}
