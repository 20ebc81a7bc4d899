#include "sim/resolve/sim_events.h"

#include "carom/solve.h"
#include "sim/resolve/gather.h"

static carom_sim_contact *report_at(const carom_sim *sim, int k)
{
    return (carom_sim_contact *)sim->reports.data + k;
}

/* A body before the impact. Of a sphere the bodies of the impact say all, and nothing else is read into the cache. */
static void put_def(const carom_sim *sim, const involved *x, double t, carom_body_def *out)
{
    const carom_body *b = &x->before;
    if (!mover_of(sim, x->body)->is_sphere || !frame_of(sim, x->body)->isotropic || !(b->inv_mass > 0) ||
        sim->scene->dim == 2) {
        *out = def_at(sim, x->body, t);
        return;
    }
    out->mass = b->mass;
    out->inertia = b->inertia;
    out->orientation = (carom_quat){1, 0, 0, 0};
    out->position = b->position;
    out->velocity = b->velocity;
    out->omega = b->omega;
}

static void report(const carom_sim *sim, const touching *c, double t, carom_sim_contact *out)
{
    const involved *a = involved_at(sim, frame_of(sim, c->a)->slot), *b = involved_at(sim, frame_of(sim, c->b)->slot);
    out->a = owner_of(sim, c->a);
    out->b = owner_of(sim, c->b);
    put_def(sim, a, t, &out->def_a);
    put_def(sim, b, t, &out->def_b);
    out->arm_a = c->contact.arm_a;
    out->arm_b = c->contact.arm_b;
    out->normal = c->normal;
    out->rule = *c->rule;
    if (carom_coeffs_vary(&c->rule->coeffs) || c->locks)
        out->rule.coeffs = touching_coeffs(c);
    out->problem = c->problem;
    out->p = c->p;
    out->m = c->m;
    out->after_a = a->now;
    out->after_b = b->now;
    out->jointed = c->jointed || c->rod;
}

static bool is_in(const touching *c, int group, int only)
{
    return c->group == group && only < 0;
}

/* Reports of a group, or of one contact; returns how many, or -1 when memory ends. */
static int report_all(carom_sim *sim, int group, int only, double t)
{
    sim->reports.count = 0;
    for (int k = 0; k < (int)sim->touchings.count; k++) {
        const touching *c = touching_at(sim, k);
        if (k != only && !is_in(c, group, only))
            continue;
        carom_sim_contact *out = store_push(&sim->reports, &sim->memory);
        if (!out) {
            sim->out_of_memory = true;
            return -1;
        }
        report(sim, c, t, out);
    }
    return (int)sim->reports.count;
}

static carom_sim_event impact_event(const carom_sim *sim, double t)
{
    carom_sim_event e = {
        CAROM_SIM_EVENT_IMPACT, t, (int)sim->reports.count, sim->reports.data, NULL, NULL, 0, sim->reduced};
    return e;
}

static void tell(carom_sim *sim, const carom_sim_event *event)
{
    if (!sim->observer.after)
        return;
    sim->in_callback = true;
    sim->tells_impact = event->kind == CAROM_SIM_EVENT_IMPACT;
    if (!sim->observer.after(sim->observer.context, event))
        sim->stop_asked = true;
    sim->in_callback = sim->tells_impact = false;
}

static bool ask(carom_sim *sim, carom_sim_event *event)
{
    sim->in_callback = sim->tells_impact = true;
    bool collide = sim->observer.before(sim->observer.context, event);
    sim->in_callback = sim->tells_impact = false;
    return collide;
}

/* The observer's rules, kept until the impact is over: they replace those of the scene. */
static bool take_rules(carom_sim *sim, int group)
{
    int at = 0;
    for (int k = 0; k < (int)sim->touchings.count; k++) {
        touching *c = touching_at(sim, k);
        if (c->group != group)
            continue;
        const carom_rule *rule = &report_at(sim, at++)->rule;
        if (memcmp(rule, c->rule, sizeof *rule) == 0)
            continue;
        carom_coeff culprit;
        carom_status status = carom_rule_check(rule, &culprit);
        if (status) {
            sim->error = (carom_sim_error){status, c->a, c->b, 0};
            return false;
        }
        carom_rule *kept = store_push(&sim->own_rules, &sim->memory);
        if (!kept) {
            sim->error = (carom_sim_error){CAROM_STATUS_NO_MEMORY, c->a, c->b, 0};
            return false;
        }
        *kept = *rule;
        c->own_rule = (int)sim->own_rules.count;
    }
    for (int k = 0; k < (int)sim->touchings.count; k++) {
        touching *c = touching_at(sim, k);
        if (c->own_rule)
            c->rule = (const carom_rule *)sim->own_rules.data + (c->own_rule - 1);
    }
    return true;
}

static void let_pass(carom_sim *sim, int group)
{
    for (int k = 0; k < (int)sim->touchings.count; k++) {
        const touching *c = touching_at(sim, k);
        if (c->group != group || !c->hits)
            continue;
        ghost *g = store_push(&sim->ghosts, &sim->memory);
        if (g)
            *g = (ghost){c->a, c->b, 0};
        else
            sim->out_of_memory = true;
    }
}

bool observe_before(carom_sim *sim, int group, double t)
{
    sim->error = (carom_sim_error){CAROM_STATUS_OK, -1, -1, 0};
    if (!sim->observer.before)
        return true;
    if (report_all(sim, group, -1, t) < 0)
        return true;
    carom_sim_event event = impact_event(sim, t);
    if (!ask(sim, &event)) {
        let_pass(sim, group);
        return false;
    }
    return take_rules(sim, group);
}

void observe_alone(carom_sim *sim, int contact, double t, carom_outcome *outcome)
{
    if (!sim->observer.after || report_all(sim, touching_at(sim, contact)->group, contact, t) < 0)
        return;
    carom_sim_event event = impact_event(sim, t);
    event.outcome = outcome;
    tell(sim, &event);
}

void observe_together(carom_sim *sim, int group, double t, carom_together_outcome *outcome)
{
    if (!sim->observer.after || report_all(sim, group, -1, t) < 0)
        return;
    carom_sim_event event = impact_event(sim, t);
    event.outcomes = outcome;
    tell(sim, &event);
}

void observe_change(carom_sim *sim, const carom_sim_event *event)
{
    sim->events++;
    tell(sim, event);
}
