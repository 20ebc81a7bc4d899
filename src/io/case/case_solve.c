/* Solve a case: the law, its whole path, and the bodies or speeds afterwards. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/case.h"
#include "carom/json_short.h"
#include "carom/solve.h"
#include "io/case/reader.h"

/* Room for count elements, doubled when short; null and unchanged when memory ends. */
static void *grown(void *block, int *room, int count, size_t size)
{
    if (count <= *room)
        return block;
    int wanted = *room > 0 ? 2 * *room : 32;
    wanted = wanted < count ? count : wanted;
    void *larger = realloc(block, (size_t)wanted * size);
    if (larger)
        *room = wanted;
    return larger;
}

static void keep_event(void *context, const carom_event *event)
{
    carom_result *result = context;
    carom_event *events = grown(result->events, &result->event_room, result->event_count + 1, sizeof *result->events);
    result->lost |= !events;
    if (!events)
        return;
    result->events = events;
    result->events[result->event_count++] = *event;
}

/* A path may be given in more pieces than it has modes: keep a mode when it differs from the last. */
static void keep_mode(void *context, const carom_piece *piece)
{
    carom_result *result = context;
    int last = result->mode_count - 1;
    bool compressing = piece->compressing != 0;
    if (last >= 0 && result->compressing[last] == compressing && strcmp(result->modes[last], piece->mode) == 0)
        return;
    if (result->mode_count == CAROM_MODES_KEPT)
        return;
    result->modes[last + 1] = piece->mode;
    result->compressing[last + 1] = compressing;
    result->mode_count++;
}

/* The ledger keeps its sum: after is before + change, whose digits the velocities afterwards cannot improve. */
static void apply_bodies(const carom_case *c, carom_result *result)
{
    carom_energy *energy = &result->energy;
    result->a = c->a;
    result->b = c->b;
    energy->before = carom_body_energy(&c->a) + carom_body_energy(&c->b);
    if (patch_numbers(c) > 3)
        carom_patch_apply_bodies(&c->contact, result->outcome.p, result->outcome.turning.m, &result->a, &result->b);
    else
        carom_bodies_apply(&c->contact, result->outcome.p, &result->a, &result->b);
    energy->after = fmax(0, energy->before + energy->change);
}

static void apply_mechanism(const carom_case *c, carom_result *result)
{
    carom_energy *energy = &result->energy;
    double *qdot = grown(result->qdot_after, &result->qdot_room, c->mechanism.n, sizeof *qdot);
    result->lost |= !qdot;
    if (!qdot)
        return;
    result->qdot_after = qdot;
    const carom_generalized with_spin = patch_mechanism(c);
    if (c->patch.size > 0)
        carom_patch_apply_generalized(&with_spin, result->outcome.p, result->outcome.turning.m, qdot);
    else
        carom_generalized_apply(&c->mechanism, result->outcome.p, qdot);
    energy->before = carom_generalized_energy(&c->mechanism, c->mechanism.qdot);
    energy->after = fmax(0, energy->before + energy->change);
}

/* Memory for many modes or annuli; none where it is not needed or not to be had. */
static carom_workspace lend(const carom_rule *rule, carom_result *result)
{
    carom_workspace lent = {NULL, 0};
    bool annuli = rule->law && (rule->law->uses & CAROM_USES(annuli));
    size_t modes = rule->vibration ? carom_workspace_for_modes(rule->vibration->count) : 0;
    size_t wanted = annuli ? carom_workspace_for_annuli((int)rule->coeffs.annuli) : modes;
    if (wanted == 0)
        return lent;
    void *memory = grown(result->workspace, &result->workspace_room, (int)wanted, 1);
    if (memory)
        result->workspace = lent.memory = memory, lent.size = wanted;
    return lent;
}

carom_status solve_contact(const carom_case *c, const carom_rule *rule, const carom_tracer *tracer, carom_outcome *out)
{
    carom_patch_problem problem;
    if (patch_numbers(c) <= 3)
        return carom_solve(&c->problem, rule, tracer, out);
    const carom_status status = patch_problem(c, &problem);
    return status ? out->status = status : carom_patch_solve(&problem, rule, tracer, out);
}

/* By the file, or by a command. */
static bool gives_mu(const carom_case *c)
{
    return json_object_get(json_object_get(c->document, "coefficients"), "mu") ||
           c->rule.coeffs.mu != carom_coeff_at(CAROM_COEFF_mu)->value;
}

carom_status carom_case_solve(const carom_case *c, carom_result *result)
{
    if (c->several)
        return several_solve(c, result);
    const carom_law *law = c->rule.law;
    bool has_path = law && (law->traits & CAROM_TRAIT_HAS_PATH);
    carom_tracer tracer = {keep_event, law && law->traits & CAROM_TRAIT_SPRINGS ? keep_mode : NULL, result};
    result->event_count = result->mode_count = 0;
    result->lost = false;
    result->saltation_size = 0;
    carom_rule rule = c->rule;
    const carom_workspace lent = lend(&rule, result);
    rule.workspace = &lent;
    carom_status status = solve_contact(c, &rule, has_path ? &tracer : NULL, &result->outcome);
    if (law && !(law->uses & CAROM_USES(mu)) && !gives_mu(c))
        result->outcome.flags &= ~(unsigned)CAROM_FLAG_OUTSIDE_CONE; /* of a friction that nobody has given */
    result->energy = result->outcome.energy;
    if (c->source == CAROM_SOURCE_BODIES)
        apply_bodies(c, result);
    else if (c->source == CAROM_SOURCE_MECHANISM)
        apply_mechanism(c, result);
    if (c->saltation && carom_status_is_answer(status)) {
        carom_status jumped = saltation_solve(c, &rule, result);
        status = carom_status_is_answer(jumped) ? status : (result->outcome.status = jumped);
    }
    return status;
}

void carom_result_free(carom_result *result)
{
    several_result_free(&result->several);
    free(result->events);
    free(result->qdot_after);
    free(result->workspace);
    free(result->saltation);
    result->saltation = NULL;
    result->workspace = NULL;
    result->workspace_room = 0;
    result->events = NULL;
    result->qdot_after = NULL;
    result->event_room = result->qdot_room = 0;
}
