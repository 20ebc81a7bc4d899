/* Solve a case: the law, its whole path, and the bodies or speeds afterwards. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/case.h"
#include "carom/json_short.h"
#include "carom/solve.h"
#include "io/case/reader.h"

enum { ENERGY_MOST = 256 }; /* contacts of K and u whose energy is computed: it needs a factor of all of K */

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

/* A block of at least so many bytes, whatever was in it. */
static bool reserve(void **block, size_t *room, size_t bytes)
{
    if (bytes <= *room && *block)
        return true;
    free(*block);
    *block = malloc(bytes > 0 ? bytes : 1);
    *room = *block ? bytes : 0;
    return *block;
}

/* Another element at the end of a list; null, and lost, when memory ends. */
static void *appended(carom_result *result, void **list, int *count, int *room, size_t size)
{
    void *grew = grown(*list, room, *count + 1, size);
    result->lost |= !grew;
    if (!grew)
        return NULL;
    *list = grew;
    return (char *)grew + (size_t)(*count)++ * size;
}

static void keep_event(void *context, const carom_event *event)
{
    carom_result *result = context;
    void *list = result->events;
    carom_event *kept = appended(result, &list, &result->event_count, &result->event_room, sizeof *kept);
    result->events = list;
    if (kept)
        *kept = *event;
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

/* ---- what moves ---- */

/* Room for bodies, speeds and the arrays of contacts that are solved together, in one block of zeros. */
static bool allocate(const carom_case *c, carom_result *result)
{
    const size_t m = c->together ? (size_t)c->count : 0, n = m * (size_t)c->contacts.dim;
    const size_t bodies = (size_t)(c->body_count > 2 ? c->body_count : 2) * sizeof(carom_body);
    const size_t speeds = (size_t)c->mechanism.n * sizeof(double);
    const size_t bytes = bodies + speeds + (3 * n + 2 * m) * sizeof(double) + m * sizeof(carom_together_mode);
    if (!reserve(&result->memory, &result->memory_room, bytes))
        return false;
    char *at = memset(result->memory, 0, bytes);
    carom_together_outcome *out = &result->together;
    result->bodies = (carom_body *)(void *)at;
    result->qdot_after = (double *)(void *)(at + bodies);
    out->p = (double *)(void *)(at + bodies + speeds);
    out->u_after = out->p + n;
    out->p_compression = out->p + 2 * n;
    out->losses = out->p + 3 * n;
    out->modes = (carom_together_mode *)(void *)(out->losses + 2 * m);
    return true;
}

static void push_bodies(const carom_case *c, carom_result *result)
{
    carom_body *bodies = result->bodies;
    const carom_bodies set = {c->body_count, c->bodies, c->count, c->pairs, c->contacts.dim};
    if (c->together) {
        carom_bodies_push(&set, result->together.p, bodies);
        return;
    }
    bodies[0] = c->bodies[0];
    bodies[1] = c->bodies[1];
    if (patch_numbers(c) > 3)
        carom_patch_apply_bodies(&c->pairs->contact, result->outcome.p, result->outcome.turning.m, &bodies[0],
                                 &bodies[1]);
    else
        carom_bodies_apply(&c->pairs->contact, result->outcome.p, &bodies[0], &bodies[1]);
}

static void push_mechanism(const carom_case *c, carom_result *result)
{
    const carom_generalized_contacts all = all_contacts(c);
    if (c->together)
        carom_generalized_contacts_apply(&all, c->reduced, result->together.p, result->qdot_after);
    else
        patch_speeds(c, result->outcome.p, result->outcome.turning.m, result->qdot_after);
}

static double body_energy(const carom_case *c)
{
    double sum = 0;
    for (int i = 0; i < c->body_count; i++)
        sum += carom_body_energy(&c->bodies[i]);
    return sum;
}

/* Apply the impulses. The ledger keeps its sum: after is before + change, whose digits the velocities afterwards cannot
 * improve. */
static void apply(const carom_case *c, carom_result *result)
{
    carom_energy *energy = &result->energy;
    *energy = result->outcome.energy;
    if (c->source == CAROM_SOURCE_BODIES) {
        push_bodies(c, result);
        energy->before = body_energy(c);
    } else if (c->source == CAROM_SOURCE_MECHANISM) {
        push_mechanism(c, result);
        energy->before = carom_generalized_energy(&c->mechanism, c->mechanism.qdot);
    } else if (!c->together)
        return;
    else if (c->count <= ENERGY_MOST)
        energy->before = carom_together_energy(&c->contacts, result->workspace);
    energy->after = fmax(0, energy->before + energy->change);
}

/* ---- one contact ---- */

/* Memory for many modes or annuli; none where it is not needed or not to be had. */
static carom_workspace lend(const carom_rule *rule, carom_result *result)
{
    carom_workspace lent = {NULL, 0};
    bool annuli = rule->law && (rule->law->uses & CAROM_USES(annuli));
    size_t modes = rule->vibration ? carom_workspace_for_modes(rule->vibration->count) : 0;
    size_t wanted = annuli ? carom_workspace_for_annuli((int)rule->coeffs.annuli) : modes;
    if (wanted == 0)
        return lent;
    if (reserve(&result->workspace, &result->workspace_room, wanted))
        lent = (carom_workspace){result->workspace, wanted};
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

/* What follows from the outcome of the contact. */
static void conclude(const carom_case *c, carom_result *result)
{
    const carom_law *law = c->rule.law;
    if (law && !(law->uses & CAROM_USES(mu)) && !gives_mu(c))
        result->outcome.flags &= ~(unsigned)CAROM_FLAG_OUTSIDE_CONE; /* of a friction that nobody has given */
    apply(c, result);
}

static carom_status solve_one(const carom_case *c, carom_result *result)
{
    const unsigned traits = carom_case_traits(c);
    const carom_tracer tracer = {keep_event, traits & CAROM_TRAIT_SPRINGS ? keep_mode : NULL, result};
    carom_rule rule = c->rule;
    const carom_workspace lent = lend(&rule, result);
    rule.workspace = &lent;
    carom_status status = solve_contact(c, &rule, traits & CAROM_TRAIT_HAS_PATH ? &tracer : NULL, &result->outcome);
    conclude(c, result);
    if (c->saltation && carom_status_is_answer(status)) {
        carom_status jumped = saltation_solve(c, &rule, result);
        status = carom_status_is_answer(jumped) ? status : (result->outcome.status = jumped);
    }
    return status;
}

/* ---- contacts together ---- */

typedef struct keeper {
    carom_result *result;
    int n;
} keeper;

static void keep_contact_event(void *context, const carom_together_event *event)
{
    carom_result *result = ((keeper *)context)->result;
    void *list = result->contact_events;
    carom_contact_event *kept =
        appended(result, &list, &result->contact_event_count, &result->contact_event_room, sizeof *kept);
    result->contact_events = list;
    if (kept)
        *kept = (carom_contact_event){event->kind, event->contact, event->at.time};
}

static void keep_solution(void *context, const double *p, const double *u_after)
{
    const keeper *k = context;
    const size_t size = (size_t)k->n * sizeof *p;
    void *list = k->result->solutions;
    double *kept = appended(k->result, &list, &k->result->solution_count, &k->result->solution_room, 2 * size);
    k->result->solutions = list;
    if (!kept)
        return;
    memcpy(kept, p, size);
    memcpy(kept + k->n, u_after, size);
}

static carom_status solve_together(const carom_case *c, carom_result *result)
{
    keeper k = {result, c->count * c->contacts.dim};
    const carom_together_tracer tracer = {keep_contact_event, NULL, keep_solution, &k};
    const size_t energy = c->count <= ENERGY_MOST ? carom_together_energy_work(&c->contacts) : 0;
    const size_t work = carom_together_work(&c->contacts, &c->together_rule);
    result->solution_room = 0; /* counted in solutions, whose size differs from case to case */
    free(result->solutions);
    result->solutions = NULL;
    if (!reserve(&result->workspace, &result->workspace_room, work > energy ? work : energy))
        return result->outcome.status = CAROM_STATUS_BAD_SIZE;
    const carom_together_outcome *out = &result->together;
    result->outcome.status =
        carom_together_solve(&c->contacts, &c->together_rule, &tracer, result->workspace, &result->together);
    result->outcome.flags = out->flags;
    result->outcome.solutions = out->solutions;
    result->outcome.energy = out->energy;
    apply(c, result);
    return result->outcome.status;
}

/* False when memory ends. */
static bool begin(const carom_case *c, carom_result *result)
{
    static const carom_outcome nothing;
    result->outcome = nothing;
    result->event_count = result->mode_count = result->contact_event_count = result->solution_count = 0;
    result->saltation_size = 0;
    result->lost = !allocate(c, result);
    result->outcome.status = result->lost ? CAROM_STATUS_NO_MEMORY : CAROM_STATUS_OK;
    return !result->lost;
}

carom_status carom_case_solve(const carom_case *c, carom_result *result)
{
    if (!begin(c, result))
        return result->outcome.status;
    return c->together ? solve_together(c, result) : solve_one(c, result);
}

bool carom_case_is_plain(const carom_case *c)
{
    return !c->together && c->rule.law && patch_numbers(c) <= 3 && !c->saltation && !c->rule.vibration &&
           !carom_coeffs_vary(&c->rule.coeffs);
}

carom_status carom_case_finish(const carom_case *c, const carom_outcome *outcome, carom_result *result)
{
    if (!begin(c, result))
        return result->outcome.status;
    result->outcome = *outcome;
    conclude(c, result);
    return outcome->status;
}

void carom_result_free(carom_result *result)
{
    static const carom_result nothing;
    free(result->memory);
    free(result->workspace);
    free(result->events);
    free(result->contact_events);
    free(result->solutions);
    free(result->saltation);
    *result = nothing;
}
