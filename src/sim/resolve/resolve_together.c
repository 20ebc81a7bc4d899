#include "sim/resolve/resolve_together.h"

#include "sim/resolve/contact_sweep.h"
#include "sim/resolve/gather.h"
#include "sim/resolve/sim_events.h"

/* Memory of one problem, cut from the scratch of the simulation. */
typedef struct problem_memory {
    int contacts, bodies;
    int *of;     /* contact k of the problem is touching of[k] */
    int *member; /* body k of the problem is involved member[k] */
    carom_pair *pairs;
    carom_body *body;
    carom_coeffs *coeffs;
    double *p, *u_after;
    carom_together_mode *modes;
    char *rest;
} problem_memory;

static size_t aligned(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

static int count_members(const carom_sim *sim, int group)
{
    int count = 0;
    for (int k = 0; k < (int)sim->touchings.count; k++)
        count += touching_at(sim, k)->group == group;
    return count;
}

static size_t frame_size(size_t m)
{
    return 2 * aligned(m * sizeof(int)) + aligned(2 * m * sizeof(int)) + aligned(m * sizeof(carom_pair)) +
           aligned(2 * m * sizeof(carom_body)) + aligned(m * sizeof(carom_coeffs)) +
           2 * aligned(3 * m * sizeof(double)) + aligned(m * sizeof(carom_together_mode));
}

static char *take(char **at, size_t bytes)
{
    char *here = *at;
    *at += aligned(bytes);
    return here;
}

static int number_of(problem_memory *x, const carom_sim *sim, int body)
{
    int slot = frame_of(sim, body)->slot;
    for (int k = 0; k < x->bodies; k++)
        if (x->member[k] == slot)
            return k;
    x->member[x->bodies] = slot;
    x->body[x->bodies] = involved_at(sim, slot)->now;
    return x->bodies++;
}

static void fill(problem_memory *x, const carom_sim *sim, int group, size_t m)
{
    char *at = sim->scratch.data;
    x->of = (int *)(void *)take(&at, m * sizeof(int));
    x->member = (int *)(void *)take(&at, 2 * m * sizeof(int));
    x->pairs = (carom_pair *)(void *)take(&at, m * sizeof(carom_pair));
    x->body = (carom_body *)(void *)take(&at, 2 * m * sizeof(carom_body));
    x->coeffs = (carom_coeffs *)(void *)take(&at, m * sizeof(carom_coeffs));
    x->p = (double *)(void *)take(&at, 3 * m * sizeof(double));
    x->u_after = (double *)(void *)take(&at, 3 * m * sizeof(double));
    x->modes = (carom_together_mode *)(void *)take(&at, m * sizeof(carom_together_mode));
    x->rest = at;
    x->contacts = x->bodies = 0;
    for (int k = 0; k < (int)sim->touchings.count; k++) {
        const touching *c = touching_at(sim, k);
        if (c->group != group)
            continue;
        x->of[x->contacts] = k;
        x->pairs[x->contacts] = (carom_pair){number_of(x, sim, c->a), number_of(x, sim, c->b), c->contact};
        x->coeffs[x->contacts] = c->rule->coeffs;
        x->coeffs[x->contacts].mu = carom_rule_friction(c->rule);
        x->contacts++;
    }
}

/* Reduce and solve; the scratch grows twice because the sizes of the later parts depend on the earlier ones. */
static carom_status solve(carom_sim *sim, int group, carom_together_rule *rule, problem_memory *x,
                          carom_together_outcome *out)
{
    size_t m = (size_t)count_members(sim, group), first = frame_size(m);
    if (!store_resize(&sim->scratch, &sim->memory, first))
        return CAROM_STATUS_NO_MEMORY;
    fill(x, sim, group, m);
    carom_bodies set = {x->bodies, x->body, x->contacts, x->pairs, sim->scene->dim};
    size_t reduced = aligned(carom_bodies_size(&set));
    if (!store_resize(&sim->scratch, &sim->memory, first + reduced))
        return CAROM_STATUS_NO_MEMORY;
    fill(x, sim, group, m);
    set = (carom_bodies){x->bodies, x->body, x->contacts, x->pairs, sim->scene->dim};
    carom_contacts problem;
    carom_status status = carom_bodies_contacts(&set, x->rest, &problem);
    rule->coeffs = x->coeffs;
    if (status)
        return status;
    size_t work = carom_together_work(&problem, rule);
    if (!store_resize(&sim->scratch, &sim->memory, first + reduced + work))
        return CAROM_STATUS_NO_MEMORY;
    fill(x, sim, group, m);
    set = (carom_bodies){x->bodies, x->body, x->contacts, x->pairs, sim->scene->dim};
    rule->coeffs = x->coeffs;
    status = carom_bodies_contacts(&set, x->rest, &problem);
    *out = (carom_together_outcome){.p = x->p, .u_after = x->u_after, .modes = x->modes};
    if (!status)
        status = carom_together_solve(&problem, rule, NULL, x->rest + reduced, out);
    if (!carom_status_is_error(status))
        carom_bodies_push(&set, x->p, x->body);
    return status;
}

static void write_back(carom_sim *sim, const problem_memory *x)
{
    int dim = sim->scene->dim;
    for (int k = 0; k < x->bodies; k++)
        involved_at(sim, x->member[k])->now = x->body[k];
    for (int k = 0; k < x->contacts; k++) {
        const double *p = x->p + dim * k;
        touching_at(sim, x->of[k])->p = carom_cvec_make(p[0], dim == 3 ? p[1] : 0, p[dim - 1]);
    }
}

static bool is_nothing(const problem_memory *x, int dim)
{
    for (int k = 0; k < x->contacts; k++)
        if (x->p[dim * k + dim - 1] > 0)
            return false;
    return true;
}

/* The work of the impulses: half the sum of p (u before + u after), by normal and tangential parts. */
static void relax_and_book(carom_sim *sim, int group)
{
    relax_group(sim, group);
    for (int k = 0; k < (int)sim->touchings.count; k++) {
        const touching *c = touching_at(sim, k);
        carom_problem after;
        if (c->group != group ||
            carom_bodies_reduce(&involved_at(sim, frame_of(sim, c->a)->slot)->now,
                                &involved_at(sim, frame_of(sim, c->b)->slot)->now, &c->contact, &after))
            continue;
        carom_cvec mean = carom_cvec_scale(0.5, carom_cvec_add(c->problem.u, after.u));
        sim->ledger.normal += c->p.n * mean.n;
        sim->ledger.friction += c->p.t1 * mean.t1 + c->p.t2 * mean.t2;
    }
}

carom_status solve_together(carom_sim *sim, int group, double t)
{
    problem_memory x;
    carom_together_outcome out;
    carom_together_rule rule = sim->scene->together;
    carom_status status = solve(sim, group, &rule, &x, &out);
    if (status == CAROM_STATUS_ITERATION_LIMIT) {
        relax_and_book(sim, group);
        sim->impacts++;
        sim->events++;
        observe_together(sim, group, t, NULL);
        return CAROM_STATUS_OK;
    }
    if (carom_status_is_error(status)) {
        const touching *c = touching_at(sim, x.of[0]);
        sim->error = (carom_sim_error){status, c->a, c->b, 0};
        return status;
    }
    write_back(sim, &x);
    if (is_nothing(&x, sim->scene->dim))
        return CAROM_STATUS_OK;
    sim->ledger.normal += out.energy.normal;
    sim->ledger.friction += out.energy.friction;
    sim->impacts++;
    sim->events++;
    observe_together(sim, group, t, &out);
    return CAROM_STATUS_OK;
}
