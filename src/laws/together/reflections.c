/* reflections: generalized reflections, for chains and for symmetric impacts alike; without friction.
 *
 * Hypothesis   elastic: while contacts approach, all of them are reflected at once, and a wave may travel on. Plastic:
 *              one projection. A restitution between is the mix of both impulses.
 * Equations    while V = {j: u_n < 0} is not empty: least lambda N_VV lambda / 2 + lambda . u_V over lambda >= 0,
 *              p_V <- p_V + 2 lambda                                                                          (1)
 *              p_0: the same over all contacts, once, p_0 = lambda                                            (2)
 *              p = (1 - e) p_0 + e p_1                                                                        (3)
 * Note         opposed contacts are in every V; they then act as a two-sided constraint.
 * Page         docs/laws/reflections.md
 * Reference    Smith, Kaufman, Vouga, Tamstorf and Grinspun (2012) */
#include "laws/together/together_call.h"
#include "laws/together/together_lcp.h"

#define VIOLATED_TOL 1e-13 /* of the fastest approach before: slower ones do not count */

enum { REFLECTIONS_MOST = 1000 };

typedef struct reflector {
    const carom_together_call *call;
    int m, count; /* contacts, contacts in V */
    double *N, *sub, *u, *q, *lambda, *p;
    int *list;
    void *lcp;
} reflector;

static size_t work(const carom_contacts *x, const carom_together_rule *rule)
{
    (void)rule;
    size_t m = (size_t)x->count;
    return block_doubles(2 * m * m + 5 * m) + block_ints(m) + lcp_work(m);
}

static reflector reflector_of(const carom_together_call *call)
{
    block_memory block = {call->work};
    size_t m = (size_t)call->x->count;
    reflector s = {.call = call, .m = call->x->count};
    s.N = take_doubles(&block, m * m);
    s.sub = take_doubles(&block, m * m);
    s.u = take_doubles(&block, m);
    s.q = take_doubles(&block, m);
    s.lambda = take_doubles(&block, m);
    s.p = take_doubles(&block, m);
    (void)take_doubles(&block, m);
    s.list = take_ints(&block, m);
    s.lcp = block.at;
    together_normals(call->x, s.N);
    for (int i = 0; i < s.m; i++) {
        s.u[i] = together_normal(call->x, call->x->u, i);
        s.p[i] = 0;
    }
    return s;
}

/* V, in s->list; true when some contact is violated. */
static bool list_violated(reflector *s, double tol)
{
    bool some = false;
    s->count = 0;
    for (int i = 0; i < s->m; i++) {
        bool violated = s->u[i] < -tol;
        some |= violated;
        if (violated || (s->call->opposed && s->call->opposed[i]))
            s->list[s->count++] = i;
    }
    return some;
}

static void report(const reflector *s, int step)
{
    const carom_together_tracer *t = s->call->tracer;
    for (int k = 0; t && t->event && k < s->count; k++) {
        carom_together_event event = {CAROM_TOGETHER_EVENT_REFLECT, s->list[k], {step, NULL, NULL, NULL, NULL, NULL}};
        t->event(t->context, &event);
    }
}

/* The least of (1) over the contacts in s->list. */
static carom_status minimise(reflector *s, bool *redundant)
{
    int k = s->count;
    for (int a = 0; a < k; a++) {
        s->q[a] = s->u[s->list[a]];
        for (int b = 0; b < k; b++)
            s->sub[a * k + b] = s->N[s->list[a] * s->m + s->list[b]];
    }
    return lcp_solve(k, s->sub, s->q, s->lambda, redundant, s->lcp);
}

static void push(reflector *s, double factor)
{
    for (int a = 0; a < s->count; a++) {
        s->p[s->list[a]] += factor * s->lambda[a];
        for (int i = 0; i < s->m; i++)
            s->u[i] += factor * s->N[i * s->m + s->list[a]] * s->lambda[a];
    }
}

static carom_status reflect(reflector *s, carom_together_outcome *out) /* (1) */
{
    double tol = VIOLATED_TOL * largest_of((size_t)s->m, s->u);
    bool redundant = false;
    for (out->iterations = 0; list_violated(s, tol); out->iterations++) {
        if (out->iterations == REFLECTIONS_MOST)
            return CAROM_STATUS_ITERATION_LIMIT;
        report(s, out->iterations);
        carom_status status = minimise(s, &redundant);
        if (status)
            return status;
        out->flags |= redundant ? CAROM_FLAG_REDUNDANT : 0u;
        push(s, 2);
    }
    return CAROM_STATUS_OK;
}

static carom_status solve(const carom_together_call *call, carom_together_outcome *out)
{
    reflector s = reflector_of(call);
    int dim = call->x->dim;
    double e = call->rule->coeffs[0].e;
    bool redundant = false;
    for (int i = 0; i < s.m; i++)
        s.list[i] = i;
    s.count = s.m;
    carom_status status = minimise(&s, &redundant); /* (2) */
    for (int i = 0; i < s.m; i++)
        out->p[(i + 1) * dim - 1] = (1 - e) * s.lambda[i];
    if (status)
        return status;
    out->flags |= redundant ? CAROM_FLAG_REDUNDANT : 0u;
    status = reflect(&s, out);
    for (int i = 0; i < s.m; i++)
        out->p[(i + 1) * dim - 1] += e * s.p[i]; /* (3) */
    out->solutions = 1;
    out->examined = true;
    return status;
}

const carom_together carom_together_reflections = {
    .id = "reflections",
    .name = "Generalized reflections",
    .summary = "Contacts that approach are reflected together, again and again; one e for all, no friction.",
    .reference = "smith2012",
    .uses = CAROM_USES(e),
    .traits = CAROM_TRAIT_NO_PENETRATION | CAROM_TRAIT_ENERGY_SAFE | CAROM_TRAIT_CONE_SAFE | CAROM_TRAIT_UNIQUE |
              CAROM_TRAIT_REFLECTS,
    .frictionless = 0,
    .most = TOGETHER_LCP_MOST,
    .work = work,
    .solve = solve,
};
