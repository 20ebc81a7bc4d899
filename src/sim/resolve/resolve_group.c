#include "sim/resolve/resolve_group.h"

#include "carom/patch.h"
#include "sim/resolve/contact_sweep.h"
#include "sim/resolve/impact_patch.h"
#include "sim/resolve/resolve_linkage.h"
#include "sim/resolve/sim_events.h"
#include "sim/resolve/standing.h"

/* ---- the response: what impulses do to bodies that are free, or held together by joints ---- */

typedef struct response {
    int group, count; /* contacts that impulses can move: */
    const int *of;    /* contact k is touching of[k] */
    double rounding;  /* a contact that an impulse elsewhere leaves approaching no faster than this, against the speeds
                         of  the impact, is not loaded */
    bool jointed;
    bool rods; /* take part: as with joints, K and u repeat the impact, bodies and arms alone do not */
    jointed_problem linkage;
} response;

static bool is_group_jointed(const carom_sim *sim, int group)
{
    for (int k = 0; k < (int)sim->touchings.count && sim->assemblies.count; k++) {
        const touching *c = touching_at(sim, k);
        if (c->group == group && (is_jointed(sim, c->a) || is_jointed(sim, c->b)))
            return true;
    }
    return false;
}

/* A rod is not turned about its axis, and bodies of a case know no rods. */
static bool has_rod(const carom_sim *sim, const touching *c)
{
    return is_thin(sim, c->a) || is_thin(sim, c->b);
}

static bool list_contacts(carom_sim *sim, response *r)
{
    if (!store_resize(&sim->group_contacts, &sim->memory, sim->touchings.count))
        return false;
    int *of = store_ints(&sim->group_contacts);
    r->count = 0;
    for (int k = 0; k < (int)sim->touchings.count; k++)
        if (touching_at(sim, k)->group == r->group)
            of[r->count++] = k;
    r->of = of;
    for (int k = 0; k < r->count; k++)
        r->rods |= has_rod(sim, touching_at(sim, of[k]));
    for (int k = 0; k < r->count; k++)
        touching_at(sim, of[k])->rod = r->rods;
    return true;
}

/* The response of a group at time t. Contacts of bodies with joints get the K of their linkage. */
static carom_status response_make(carom_sim *sim, int group, double t, response *r)
{
    r->group = group;
    r->jointed = is_group_jointed(sim, group);
    r->rods = false;
    r->rounding = r->jointed ? SOLVED : ROUND_SPEED; /* factors of a linkage round more */
    if (!r->jointed)
        return list_contacts(sim, r) ? CAROM_STATUS_OK : CAROM_STATUS_NO_MEMORY;
    carom_status status = jointed_reduce(sim, group, t, &r->linkage);
    r->count = r->linkage.count;
    r->of = r->linkage.of;
    return status;
}

static bool is_none(carom_cvec p)
{
    return p.t1 == 0 && p.t2 == 0 && p.n == 0;
}

static void push_pair(const carom_sim *sim, const touching *c)
{
    carom_body *a = &involved_at(sim, frame_of(sim, c->a)->slot)->now,
               *b = &involved_at(sim, frame_of(sim, c->b)->slot)->now;
    if (impact_numbers(sim, c) > 3)
        carom_patch_apply_bodies(&c->contact, c->p, c->m, a, b);
    else
        carom_bodies_apply(&c->contact, c->p, a, b);
}

/* Velocities of everyone after the impulses of the touchings. */
static void response_apply(carom_sim *sim, response *r)
{
    if (r->jointed) {
        jointed_take_impulses(sim, &r->linkage);
        jointed_apply(sim, &r->linkage);
        return;
    }
    for (int k = 0; k < r->count; k++) {
        const touching *c = touching_at(sim, r->of[k]);
        involved *a = involved_at(sim, frame_of(sim, c->a)->slot), *b = involved_at(sim, frame_of(sim, c->b)->slot);
        a->now = a->before;
        b->now = b->before;
    }
    for (int k = 0; k < r->count; k++) {
        const touching *c = touching_at(sim, r->of[k]);
        if (!is_none(c->p))
            push_pair(sim, c);
    }
}

/* Moreau's conditions by sweeps, where the law found no answer within its bound: impulses and velocities. */
static carom_status response_sweep(carom_sim *sim, response *r)
{
    if (!r->jointed)
        return relax_group(sim, r->group) ? CAROM_STATUS_OK : CAROM_STATUS_NO_MEMORY;
    if (!jointed_relax(sim, &r->linkage))
        return CAROM_STATUS_NO_MEMORY;
    jointed_apply(sim, &r->linkage);
    jointed_put_impulses(sim, &r->linkage);
    return CAROM_STATUS_OK;
}

/* The number of a body among those of the problem. */
static int number_of(carom_sim *sim, carom_bodies *set, int slot)
{
    int *slots = store_ints(&sim->group_slots);
    for (int k = 0; k < set->body_count; k++)
        if (slots[k] == slot)
            return k;
    slots[set->body_count] = slot;
    ((carom_body *)sim->group_bodies.data)[set->body_count] = involved_at(sim, slot)->before;
    return set->body_count++;
}

/* Numbers of each contact: what the one with the most has. */
static int numbers_of(const carom_sim *sim, const response *r)
{
    int most = sim->scene->dim;
    for (int k = 0; k < r->count; k++) {
        int own = impact_numbers(sim, touching_at(sim, r->of[k]));
        most = own > most ? own : most;
    }
    return most;
}

static carom_status reduce_free(carom_sim *sim, const response *r, carom_contacts *out)
{
    size_t m = (size_t)r->count;
    if (!store_resize(&sim->group_slots, &sim->memory, 2 * m) ||
        !store_resize(&sim->group_bodies, &sim->memory, 2 * m) || !store_resize(&sim->group_pairs, &sim->memory, m))
        return CAROM_STATUS_NO_MEMORY;
    carom_pair *pairs = sim->group_pairs.data;
    carom_bodies set = {0, sim->group_bodies.data, r->count, pairs, numbers_of(sim, r)};
    for (int k = 0; k < r->count; k++) {
        const touching *c = touching_at(sim, r->of[k]);
        int a = number_of(sim, &set, frame_of(sim, c->a)->slot), b = number_of(sim, &set, frame_of(sim, c->b)->slot);
        pairs[k] = (carom_pair){a, b, c->contact};
    }
    if (!store_resize(&sim->reduced_memory, &sim->memory, carom_bodies_size(&set)))
        return CAROM_STATUS_NO_MEMORY;
    return carom_bodies_contacts(&set, sim->reduced_memory.data, out);
}

/* The same from K and u alone, as a case gives them: sums over bodies have other last digits. */
static carom_status reduce_rods(carom_sim *sim, const response *r, carom_contacts *out)
{
    carom_status status = reduce_free(sim, r, out);
    size_t n = (size_t)(out->count * out->dim);
    if (status || out->dim > 3)
        return status;
    if (!store_resize(&sim->scratch, &sim->memory, (n + 1) * n * sizeof(double)))
        return CAROM_STATUS_NO_MEMORY;
    double *K = (double *)(void *)sim->scratch.data, *u = K + n * n;
    for (size_t i = 0; i < n * n; i++) {
        int row = (int)(i / n), column = (int)(i % n), dim = out->dim;
        const double *block = carom_contacts_block(out, row / dim, column / dim);
        K[i] = block ? block[row % dim * dim + column % dim] : 0;
    }
    memcpy(u, out->u, n * sizeof *u);
    if (!store_resize(&sim->reduced_memory, &sim->memory, carom_contacts_size(out->count, out->dim)))
        return CAROM_STATUS_NO_MEMORY;
    return carom_contacts_from_K(out->count, out->dim, K, u, sim->reduced_memory.data, out);
}

/* The reduced problem of all contacts; it holds until the next one is made. */
static carom_status response_reduce(carom_sim *sim, const response *r, carom_contacts *out)
{
    const jointed_problem *x = &r->linkage;
    if (!r->jointed)
        return (r->rods ? reduce_rods : reduce_free)(sim, r, out);
    if (!store_resize(&sim->reduced_memory, &sim->memory, carom_contacts_size(x->count, x->dim)))
        return CAROM_STATUS_NO_MEMORY;
    return carom_contacts_from_K(x->count, x->dim, x->K, x->u, sim->reduced_memory.data, out);
}

/* ---- the road ---- */

static carom_status blame(carom_sim *sim, carom_status status, const touching *c)
{
    sim->error = (carom_sim_error){status, c->a, c->b, 0};
    return status;
}

/* An impact has happened: its energy is booked. */
static void book(carom_sim *sim, const carom_energy *e, double by_spin, double by_roll)
{
    sim->ledger.normal += e->normal;
    sim->ledger.friction += e->friction + by_roll;
    sim->ledger.spin += by_spin;
    sim->impacts++;
    sim->events++;
}

/* ---- one contact ---- */

/* The only contact that hits, or -1. */
static int only_hit(const carom_sim *sim, const response *r)
{
    int hit = -1, hits = 0;
    for (int k = 0; k < r->count; k++)
        if (touching_at(sim, r->of[k])->hits)
            hit = r->of[k], hits++;
    return hits == 1 ? hit : -1;
}

/* The velocities at contact k now; zero where they cannot be told. */
static carom_cvec velocity_now(const carom_sim *sim, int k)
{
    const touching *c = touching_at(sim, k);
    carom_problem now;
    if (carom_bodies_reduce(&involved_at(sim, frame_of(sim, c->a)->slot)->now,
                            &involved_at(sim, frame_of(sim, c->b)->slot)->now, &c->contact, &now))
        return carom_cvec_make(0, 0, 0);
    return now.u;
}

/* Does the impulse at contact hit press another contact of its group? */
static bool loads_others(const carom_sim *sim, const response *r, int hit)
{
    double speed = fabs(touching_at(sim, hit)->problem.u.n);
    for (int k = 0; k < r->count; k++)
        if (r->of[k] != hit && velocity_now(sim, r->of[k]).n < -r->rounding * speed)
            return true;
    return false;
}

/* No contact of the group has had an impulse. */
static void take_back(carom_sim *sim, response *r)
{
    for (int k = 0; k < r->count; k++) {
        touching_at(sim, r->of[k])->p = carom_cvec_make(0, 0, 0);
        touching_at(sim, r->of[k])->m = (carom_cspin){0, 0, 0};
    }
    response_apply(sim, r);
}

static bool stands(carom_sim *sim, int k, double t)
{
    closed_contact made;
    return standing(sim, touching_at(sim, k), t, &made);
}

/* True when contact hit is all of the impact, or an error ends it. */
static bool solve_alone(carom_sim *sim, response *r, int hit, double t, carom_status *status)
{
    touching *c = touching_at(sim, hit);
    carom_outcome outcome;
    *status = solve_pair_contact(sim, c, &outcome);
    if (carom_status_is_error(*status)) {
        blame(sim, *status, c);
        return true;
    }
    *status = CAROM_STATUS_OK;
    c->p = outcome.p;
    c->m = outcome.turning.m;
    response_apply(sim, r);
    bool grazes = outcome.status == CAROM_STATUS_GRAZING && outcome.p.n > 0;
    if (grazes && stands(sim, hit, t)) { /* it closes, and jams if it is pressed */
        take_back(sim, r);
        return true;
    }
    if (loads_others(sim, r, hit)) {
        take_back(sim, r);
        return false;
    }
    if (outcome.status == CAROM_STATUS_OK || outcome.p.n > 0) {
        book(sim, &outcome.energy, outcome.turning.spin, outcome.turning.roll);
        observe_alone(sim, hit, t, &outcome);
    }
    return true;
}

/* ---- several contacts ---- */

static size_t aligned(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* Room for the answer of all contacts, behind one another in the scratch of the simulation. */
static carom_status make_room(carom_sim *sim, const response *r, carom_coeffs **coeffs, carom_together_outcome *out)
{
    size_t m = (size_t)r->count, rows = m * (size_t)numbers_of(sim, r), numbers = 2 * rows * sizeof(double);
    size_t first = aligned(m * sizeof **coeffs), second = aligned(m * sizeof *out->modes);
    if (!store_resize(&sim->scratch, &sim->memory, first + second + numbers))
        return CAROM_STATUS_NO_MEMORY;
    char *at = sim->scratch.data;
    double *p = (double *)(void *)(at + first + second);
    *coeffs = (carom_coeffs *)(void *)at;
    *out = (carom_together_outcome){.p = p, .u_after = p + rows};
    out->modes = (carom_together_mode *)(void *)(at + first);
    return CAROM_STATUS_OK;
}

/* Several contacts have one pressure: that of the first patch. */
static int pressure_of(const carom_sim *sim, const response *r)
{
    for (int k = 0; k < r->count; k++)
        if (touching_at(sim, r->of[k])->rule->coeffs.patch > 0)
            return touching_at(sim, r->of[k])->rule->options.pressure;
    return sim->scene->together.options.pressure;
}

/* Reduce and solve: impulses into out. */
static carom_status solve_several(carom_sim *sim, const response *r, carom_contacts *problem,
                                  carom_together_outcome *out)
{
    carom_together_rule rule = sim->scene->together;
    carom_coeffs *coeffs;
    carom_status status = make_room(sim, r, &coeffs, out);
    if (!status)
        status = response_reduce(sim, r, problem);
    if (status)
        return status;
    for (int k = 0; k < r->count; k++) {
        const carom_rule *own = touching_at(sim, r->of[k])->rule;
        coeffs[k] = touching_coeffs(touching_at(sim, r->of[k]));
        if (!(own->law->uses & CAROM_USES(mu)))
            coeffs[k].mu = 0;
    }
    rule.options.pressure = pressure_of(sim, r);
    rule.coeffs = coeffs;
    if (!store_resize(&sim->law_memory, &sim->memory, carom_together_work(problem, &rule)))
        return CAROM_STATUS_NO_MEMORY;
    return carom_together_solve(problem, &rule, NULL, sim->law_memory.data, out);
}

static void put_impulses(carom_sim *sim, const response *r, int dim, const double *p)
{
    for (int k = 0; k < r->count; k++, p += dim) {
        touching *c = touching_at(sim, r->of[k]);
        c->p = carom_cvec_make(p[0], dim > 2 ? p[1] : 0, p[dim > 2 ? 2 : 1]);
        c->m = (carom_cspin){dim > 3 ? p[3] : 0, dim > 4 ? p[4] : 0, dim > 4 ? p[5] : 0};
    }
}

static bool is_nothing(const carom_sim *sim, const response *r)
{
    for (int k = 0; k < r->count; k++)
        if (touching_at(sim, r->of[k])->p.n > 0)
            return false;
    return true;
}

/* The work of the impulses: half the sum of p (u before + u after), by normal and tangential parts. */
static carom_energy work_of(const carom_sim *sim, const response *r)
{
    carom_energy e = {0, 0, 0, 0, 0};
    for (int k = 0; k < r->count; k++) {
        const touching *c = touching_at(sim, r->of[k]);
        carom_cvec mean = carom_cvec_scale(0.5, carom_cvec_add(c->problem.u, velocity_now(sim, r->of[k])));
        e.normal += c->p.n * mean.n;
        e.friction += c->p.t1 * mean.t1 + c->p.t2 * mean.t2;
    }
    return e;
}

/* Impulses that answer to nothing grow without bound where friction wedges a body between others, and a contact is to
 * bounce that the others do not let go. Then none of them bounces. True when that is so, and was not known before. */
static bool locks(carom_sim *sim, response *r)
{
    double mass = 0, speed = 0, most = 0;
    bool bounced = false;
    for (int k = 0; k < r->count; k++) {
        const touching *c = touching_at(sim, r->of[k]);
        const double own[2] = {core_of(sim, c->a)->mass, core_of(sim, c->b)->mass};
        for (int side = 0; side < 2; side++)
            mass = mover_of(sim, side ? c->b : c->a)->is_movable ? max(mass, own[side]) : mass;
        speed = max(speed, sqrt(carom_cvec_dot(c->problem.u, c->problem.u)));
        most = max(most, c->p.n);
        bounced |= sweep_restitution(c) > 0;
    }
    /* without doubt more than levers make of the momentum */
    if (!bounced || !(VISIBLE * most > mass * speed))
        return false;
    for (int k = 0; k < r->count; k++)
        touching_at(sim, r->of[k])->locks = true;
    take_back(sim, r);
    return true;
}

/* Does nothing drive the ground of contact k along its normal? */
static bool ground_rests(const carom_sim *sim, int k)
{
    const touching *c = touching_at(sim, k);
    const carom_body *b = &involved_at(sim, frame_of(sim, c->b)->slot)->now;
    carom_vec3 v = carom_vec3_add(b->velocity, carom_vec3_cross(b->omega, c->contact.arm_b));
    return mover_of(sim, c->b)->is_movable || carom_vec3_dot(c->contact.frame.n, v) == 0;
}

/* A law that finds no end, or none where all could come to rest: a body that slides fast and falls slowly has corners
 * whose approaches differ by rounding, which no impulse changes. */
static bool has_no_end(const carom_sim *sim, const response *r, carom_status status)
{
    bool rests = status == CAROM_STATUS_INADMISSIBLE;
    for (int k = 0; k < r->count && rests; k++)
        rests = ground_rests(sim, r->of[k]);
    return rests || status == CAROM_STATUS_ITERATION_LIMIT;
}

/* Impulses, velocities and the energy that they change; swept: not by the law. */
static carom_status push_together(carom_sim *sim, response *r, carom_contacts *problem, carom_together_outcome *out,
                                  bool *swept)
{
    carom_status status = solve_several(sim, r, problem, out);
    if (status == CAROM_STATUS_OUT_OF_SCOPE && numbers_of(sim, r) > 3) { /* a body without spin */
        for (int k = 0; k < r->count; k++)
            drop_patch(sim, touching_at(sim, r->of[k]));
        status = solve_several(sim, r, problem, out);
    }
    *swept = has_no_end(sim, r, status);
    if (carom_status_is_error(status) && !*swept)
        return blame(sim, status, touching_at(sim, r->of[0]));
    if (*swept) {
        status = response_sweep(sim, r);
        if (status)
            return status;
        out->energy = work_of(sim, r);
        out->spin = out->roll = 0;
        return CAROM_STATUS_OK;
    }
    put_impulses(sim, r, problem->dim, out->p);
    response_apply(sim, r);
    return CAROM_STATUS_OK;
}

static carom_status solve_together(carom_sim *sim, response *r, double t)
{
    carom_contacts problem;
    carom_together_outcome out;
    bool swept;
    drop_patches(sim, r->of, r->count);
    carom_status status = push_together(sim, r, &problem, &out, &swept);
    if (!status && locks(sim, r))
        status = push_together(sim, r, &problem, &out, &swept);
    if (status || (!swept && is_nothing(sim, r)))
        return status;
    book(sim, &out.energy, out.spin, out.roll);
    sim->reduced = swept || !(r->jointed || r->rods) ? NULL : &problem;
    observe_together(sim, r->group, t, swept ? NULL : &out);
    sim->reduced = NULL;
    return CAROM_STATUS_OK;
}

carom_status resolve_group(carom_sim *sim, int group, double t)
{
    response r;
    carom_status status = response_make(sim, group, t, &r);
    if (status || !r.count)
        return status;
    if (!observe_before(sim, group, t))
        return sim->error.status; /* vetoed: no impact */
    int hit = only_hit(sim, &r);
    if (hit >= 0 && solve_alone(sim, &r, hit, t, &status))
        return status;
    return solve_together(sim, &r, t);
}
