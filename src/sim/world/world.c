/* Making a simulation from a scene. */
#include "sim/world/world.h"

#include "carom/assert.h"
#include "carom/solve.h"
#include "core/rotate.h"
#include "sim/detect/cells.h"
#include "sim/detect/facets.h"
#include "sim/detect/impact_time.h"
#include "sim/detect/near.h"
#include "sim/motion/air.h"
#include "sim/motion/course.h"
#include "sim/motion/driven_path.h"
#include "sim/motion/piece_energy.h"
#include "sim/motion/sim_linkage.h"
#include "sim/resolve/gather.h"
#include "sim/resolve/impact_patch.h"
#include "sim/resolve/resolve.h"
#include "sim/rest/air_flight.h"
#include "sim/rest/settle.h"
#include "sim/schedule/forecast.h"
#include "sim/schedule/queue.h"
#include "sim/step/step_midpoint.h"
#include "sim/step/warm_start.h"
#include "sim/world/ground_mesh.h"
#include "sim/world/make_pieces.h"
#include "sim/world/masses.h"

typedef struct field {
    size_t offset, size;
} field;

/* Every array of a simulation; the first KEPT make up its state. */
#define STORE(name, type)                                                                                              \
    {                                                                                                                  \
        offsetof(struct carom_sim, name), sizeof(type)                                                                 \
    }
static const field fields[] = {
    STORE(movers, mover),
    STORE(frames, frame_of_body),
    STORE(outlooks, outlook),
    STORE(queue, queued),
    STORE(heap, int),
    STORE(days, int),
    STORE(cells, cell),
    STORE(buckets, bucket),
    STORE(closed, closed_contact),
    STORE(ghosts, ghost),
    STORE(series, double),
    STORE(tracks, track),
    STORE(warm, warm),
    STORE(warm_head, int),
    STORE(pieces, piece),
    STORE(points, carom_vec3),
    STORE(own_bodies, carom_scene_body),
    STORE(own_points, carom_vec3),
    STORE(owners, int),
    STORE(facets.nodes, facet_node),
    STORE(facets.items, int),
    STORE(facets.boxes, box3),
    STORE(hulls.faces, hull_face),
    STORE(hulls.corners, int),
    STORE(hulls.rest, carom_vec3),
    STORE(hulls.clip, carom_vec3),
    STORE(found, found_contact),
    STORE(fixed, int),
    STORE(movable, int),
    STORE(marked, int),
    STORE(cores, carom_body),
    STORE(rules, int),
    STORE(impact_rules, carom_rule),
    STORE(batch, pair_of_bodies),
    STORE(touchings, touching),
    STORE(involved, involved),
    STORE(scratch, char),
    STORE(reports, carom_sim_contact),
    STORE(own_rules, carom_rule),
    STORE(group_contacts, int),
    STORE(group_slots, int),
    STORE(group_bodies, carom_body),
    STORE(group_pairs, carom_pair),
    STORE(reduced_memory, char),
    STORE(law_memory, char),
    STORE(driven, driven),
    STORE(driven_ways, driven_cubic),
    STORE(step_rows, sweep_row),
    STORE(step_bodies, sweep_body),
    STORE(step_pairs, step_pair),
    STORE(assemblies, assembly),
    STORE(jointed, int),
    STORE(members, carom_member),
    STORE(member_bodies, int),
    STORE(joint_defs, carom_joint_def),
    STORE(joints, carom_joint),
    STORE(joint_rows, carom_joint_row),
    STORE(joint_work, double),
    STORE(joint_memory, double),
};
#undef STORE
enum { STORES = sizeof fields / sizeof fields[0], KEPT = 14 };

static store *store_at(const carom_sim *sim, int k)
{
    return (store *)(void *)((char *)(uintptr_t)sim + fields[k].offset);
}

/* ---- checks ---- */

static carom_status refuse(carom_sim_error *error, carom_status status, int body)
{
    error->status = status;
    error->body = body;
    return status;
}

static bool is_positive(double x)
{
    return x > 0 && x < INFINITY;
}

static bool is_length(double a, double b)
{
    return a >= 0 && a < INFINITY && b >= 0 && b < INFINITY;
}

static carom_status check_group(const carom_no_contact *group, int bodies)
{
    bool fine = group->count > 0 && group->bodies;
    for (int k = 0; fine && k < group->count; k++)
        fine = group->bodies[k] >= 0 && group->bodies[k] < bodies;
    return fine ? CAROM_STATUS_OK : CAROM_STATUS_BAD_PAIR;
}

static carom_status check_scene(const carom_scene *s, carom_sim_error *error)
{
    carom_coeff culprit;
    if ((s->dim != 2 && s->dim != 3) || s->body_count < 0)
        return refuse(error, CAROM_STATUS_BAD_SIZE, -1);
    if (!vec_is_finite(s->gravity) || !vec_is_finite(s->period))
        return refuse(error, CAROM_STATUS_NOT_FINITE, -1);
    if (!is_positive(s->resting_time) || !is_positive(s->resting_length) || !is_positive(s->step))
        return refuse(error, CAROM_STATUS_OUT_OF_RANGE, -1);
    if (!s->together.law)
        return refuse(error, CAROM_STATUS_NO_LAW, -1);
    if (s->fields && fields_check(s->fields))
        return refuse(error, fields_check(s->fields), -1);
    carom_status status = carom_rule_check(&s->rule, &culprit);
    status =
        status || (is_length(s->rolling, s->patch) && is_length(s->sliding, 0)) ? status : CAROM_STATUS_OUT_OF_RANGE;
    for (int k = 0; k < s->pair_count && !status; k++)
        status = is_length(s->pairs[k].rolling, s->pairs[k].patch) && is_length(s->pairs[k].sliding, 0)
                     ? CAROM_STATUS_OK
                     : CAROM_STATUS_OUT_OF_RANGE;
    for (int k = 0; k < s->pair_count && !status; k++)
        status = s->pairs[k].a < 0 || s->pairs[k].b < 0 ? CAROM_STATUS_BAD_PAIR
                                                        : carom_rule_check(&s->pairs[k].rule, &culprit);
    for (int k = 0; k < s->no_contact_count && !status; k++)
        status = check_group(&s->no_contacts[k], s->body_count);
    return status ? refuse(error, status, -1) : CAROM_STATUS_OK;
}

/* ---- bodies ---- */

static carom_status check_shape(carom_sim *sim, const carom_scene_body *body)
{
    carom_vec3 centre;
    if (body->solid.kind == CAROM_SOLID_HALF_SPACE || body->solid.kind == CAROM_SOLID_MESH)
        return CAROM_STATUS_OK;
    return weigh_solid(sim, &body->solid, &centre);
}

/* Series live in one array that never moves once the bodies are made. */
static bool reserve_series(carom_sim *sim)
{
    size_t count = 0;
    for (int i = 0; i < sim->count; i++) {
        const carom_body_def *def = &sim->scene->bodies[i].def;
        count += !def->fixed && sim->scene->dim == 3 && moments_of(def->inertia).kind == SPIN_SERIES;
    }
    return store_reserve(&sim->series, &sim->memory, count * SPIN_ROWS * SPIN_TERMS + 1);
}

static double (*take_series(carom_sim *sim))[SPIN_ROWS]
{
    double *at = (double *)sim->series.data + sim->series.count;
    sim->series.count += SPIN_ROWS * SPIN_TERMS;
    return (double(*)[SPIN_ROWS])(void *)at;
}

static carom_status make_body(carom_sim *sim, int i)
{
    const carom_scene_body *body = &sim->scene->bodies[i];
    frame_of_body *f = frame_of(sim, i);
    mover *m = mover_of(sim, i);
    bool planar = sim->scene->dim == 2;
    carom_status status = check_shape(sim, body);
    carom_body core;
    if (!status)
        status = planar ? carom_body_init_planar(&body->def, &core) : carom_body_init(&body->def, &core);
    if (status)
        return status;
    double norm = quat_norm(body->def.orientation);
    if (!(fabs(norm - 1) <= VISIBLE))
        return CAROM_STATUS_BAD_ORIENTATION;
    status = make_pieces(sim, i);
    if (status)
        return status;
    const piece *p = (const piece *)sim->pieces.data + f->first_piece;
    double reach = 0;
    for (int k = 0; k < f->piece_count; k++)
        reach = max(reach, p[k].reach);
    bool sphere = p->kind == CORE_POINT && f->piece_count == 1 && p->is_plain;
    if (body->material < 0)
        return CAROM_STATUS_BAD_SIZE;
    *m = (mover){
        .x = core.position, .v = core.velocity, .radius = reach, .is_sphere = sphere, .is_movable = !body->def.fixed};
    status = fields_take(sim, i);
    if (status)
        return status;
    if (m->is_movable)
        m->a = gravity_of(sim, i);
    f->material = body->material;
    f->slot = f->axis_with = -1;
    f->until = INFINITY;
    f->moments = moments_of(body->def.fixed || planar ? (carom_sym3){1, 0, 0, 1, 0, 1} : body->def.inertia);
    f->isotropic = planar || body->def.fixed || f->moments.kind == SPIN_STEADY;
    if (!planar && !body->def.fixed) { /* as carom_body_init prepares it without orientation */
        carom_body_def upright = body->def;
        upright.orientation = (carom_quat){1, 0, 0, 0};
        status = carom_body_init(&upright, &core);
    }
    f->turn.series = f->moments.kind == SPIN_SERIES ? take_series(sim) : NULL;
    spin_start(&f->turn, &f->moments, 0, body->def.orientation, core.omega);
    f->core = masses_number(sim, core);
    return status || f->core >= 0 ? status : CAROM_STATUS_NO_MEMORY;
}

static carom_status make_impact_rules(carom_sim *sim)
{
    const carom_scene *s = sim->scene;
    if (!store_resize(&sim->impact_rules, &sim->memory, (size_t)s->pair_count + 1))
        return CAROM_STATUS_NO_MEMORY;
    carom_rule *rules = sim->impact_rules.data;
    rules[0] = impact_rule(s, &s->rule, s->patch, s->rolling);
    for (int k = 0; k < s->pair_count; k++)
        rules[k + 1] = impact_rule(s, &s->pairs[k].rule, s->pairs[k].patch, s->pairs[k].rolling);
    return CAROM_STATUS_OK;
}

static carom_status make_rules(carom_sim *sim)
{
    const carom_scene *s = sim->scene;
    for (int i = 0; i < s->body_count; i++)
        sim->materials = s->bodies[i].material >= sim->materials ? s->bodies[i].material + 1 : sim->materials;
    for (int k = 0; k < s->pair_count; k++) {
        sim->materials = s->pairs[k].a >= sim->materials ? s->pairs[k].a + 1 : sim->materials;
        sim->materials = s->pairs[k].b >= sim->materials ? s->pairs[k].b + 1 : sim->materials;
    }
    size_t n = (size_t)sim->materials;
    if (!store_resize(&sim->rules, &sim->memory, n * n))
        return CAROM_STATUS_NO_MEMORY;
    int *table = store_ints(&sim->rules);
    for (size_t k = 0; k < n * n; k++)
        table[k] = -1;
    for (int k = s->pair_count - 1; k >= 0; k--) { /* the first of several counts */
        table[s->pairs[k].a * sim->materials + s->pairs[k].b] = k;
        table[s->pairs[k].b * sim->materials + s->pairs[k].a] = k;
    }
    return make_impact_rules(sim);
}

/* A sphere that gravity alone moves, as every other. */
static bool is_round(const carom_sim *sim, int i)
{
    const frame_of_body *f = frame_of(sim, i);
    return mover_of(sim, i)->is_sphere && mover_of(sim, i)->radius > 0 && f->isotropic && !f->fields;
}

static carom_status make_bodies(carom_sim *sim)
{
    size_t n = (size_t)sim->count;
    if (!store_resize(&sim->movers, &sim->memory, n) || !store_resize(&sim->frames, &sim->memory, n) ||
        !store_resize(&sim->outlooks, &sim->memory, n) || !store_resize(&sim->queue, &sim->memory, n) ||
        !reserve_series(sim))
        return CAROM_STATUS_NO_MEMORY;
    sim->all_spheres = sim->scene->no_contact_count == 0;
    for (int i = 0; i < sim->count; i++) {
        carom_status status = make_body(sim, i);
        if (status)
            return refuse(&sim->error, status, i);
        bool movable = mover_of(sim, i)->is_movable;
        if (i >= sim->given || sim->scene->bodies[i].solid.kind == CAROM_SOLID_MESH)
            continue; /* facets are found by their tree */
        int *listed = store_push(movable ? &sim->movable : &sim->fixed, &sim->memory);
        if (!listed)
            return CAROM_STATUS_NO_MEMORY;
        *listed = i;
        sim->all_spheres &= !movable || is_round(sim, i);
    }
    bool linked = hull_table_link(&sim->hulls, &sim->memory, sim->pieces.data, sim->pieces.count);
    return linked && queue_make(sim) && store_reserve(&sim->marked, &sim->memory, n) ? CAROM_STATUS_OK
                                                                                     : CAROM_STATUS_NO_MEMORY;
}

/* ---- the start ---- */

static void check_overlap(carom_sim *sim, int i, int j, void *context)
{
    if (never_collide(sim, i, j))
        return;
    double *deepest = context, gap = gap_at(sim, i, j, 0);
    double size = mover_of(sim, i)->radius + (is_plane(sim, j) ? fabs(plane_offset(sim, j)) : mover_of(sim, j)->radius);
    if (gap < -100 * ROUND_PLACE * size && gap < *deepest) { /* less is contact: numbers in files are rounded */
        *deepest = gap;
        sim->error = (carom_sim_error){CAROM_STATUS_OVERLAP, i < j ? i : j, i < j ? j : i, -gap};
    }
    if (fabs(gap) <= ROUND_PLACE * size) /* zero */
        remember(sim, i, j);
}

/* Joints are closed at the start, to what numbers in files leave open; velocities become what the joints allow. */
static carom_status start_assemblies(carom_sim *sim)
{
    for (size_t k = 0; k < sim->assemblies.count; k++) {
        carom_linkage l;
        int body = assembly_body(sim, (int)k, 0);
        members_clear(sim);
        carom_status status = members_add(sim, body) ? members_link(sim, 0, &l) : CAROM_STATUS_NO_MEMORY;
        if (!status)
            status = carom_linkage_check(&l);
        if (!status)
            status = jointed_fly(sim, (int)k, 0);
        if (status) {
            sim->error = (carom_sim_error){status, body, -1, 0};
            return status;
        }
    }
    return CAROM_STATUS_OK;
}

static carom_status start_flights(carom_sim *sim)
{
    carom_status status = CAROM_STATUS_OK;
    for (size_t k = 0; k < sim->movable.count && !status; k++)
        status = fly(sim, store_ints(&sim->movable)[k], 0);
    return status;
}

static carom_status start(carom_sim *sim)
{
    double deepest = 0;
    const int *movable = store_ints(&sim->movable);
    if (!cells_build(sim))
        return CAROM_STATUS_NO_MEMORY;
    for (size_t k = 0; k < sim->movable.count; k++) {
        visit_near(sim, movable[k], check_overlap, &deepest);
        visit_facets(sim, movable[k], 0, check_overlap, &deepest);
    }
    if (deepest < 0)
        return CAROM_STATUS_OVERLAP;
    carom_status status = start_assemblies(sim);
    status = status ? status : start_flights(sim);
    if (status)
        return status;
    for (size_t k = 0; k < sim->movable.count; k++) {
        sim->energy_before += energy_of(sim, movable[k], 0);
        motion_mark(sim, movable[k]);
    }
    forecast(sim, 0);
    queue_lay_out(sim);
    return CAROM_STATUS_OK;
}

carom_status carom_sim_create(const carom_scene *scene, const carom_memory *memory, carom_sim **out,
                              carom_sim_error *error)
{
    CAROM_ASSERT(scene && memory && out);
    carom_sim_error none = {CAROM_STATUS_OK, -1, -1, 0}, ignored;
    error = error ? error : &ignored;
    *error = none;
    *out = NULL;
    carom_status status = check_scene(scene, error);
    if (status)
        return status;
    carom_sim *sim = memory->resize(memory->context, NULL, sizeof *sim);
    if (!sim)
        return refuse(error, CAROM_STATUS_NO_MEMORY, -1);
    memset(sim, 0, sizeof *sim);
    sim->memory = *memory;
    sim->arena = memory->resize(memory->context, NULL, sizeof *sim->arena);
    if (!sim->arena) {
        memory->resize(memory->context, sim, 0);
        return refuse(error, CAROM_STATUS_NO_MEMORY, -1);
    }
    *sim->arena = (arena){.memory = *memory};
    store_init(&sim->arena->blocks, sizeof(arena_block));
    sim->error = none;
    sim->exact_until = INFINITY;
    sim->repeats = scene->period.x > 0 || scene->period.y > 0 || scene->period.z > 0;
    for (int k = 0; k < STORES; k++)
        store_init(store_at(sim, k), fields[k].size);
    status = ground_mesh_make(sim, scene);
    if (!status)
        status = make_rules(sim);
    if (!status)
        status = make_bodies(sim);
    if (!status)
        status = driven_make(sim);
    if (!status)
        status = jointed_make(sim);
    if (!status)
        status = start(sim);
    if (status) {
        *error = carom_sim_blame(sim);
        error->status = status;
        carom_sim_free(sim);
        return status;
    }
    *out = sim;
    return CAROM_STATUS_OK;
}

void carom_sim_free(carom_sim *sim)
{
    if (!sim)
        return;
    CAROM_ASSERT(!sim->in_callback);
    carom_memory memory = sim->memory;
    for (int k = 0; k < STORES; k++)
        store_free(store_at(sim, k), &memory);
    arena_free(sim->arena);
    memory.resize(memory.context, sim->arena, 0);
    memory.resize(memory.context, sim, 0);
}

/* ---- snapshots: the simulation itself, then the arrays of its state ---- */

size_t carom_sim_snapshot_size(const carom_sim *sim)
{
    size_t size = sizeof *sim;
    for (int k = 0; k < KEPT; k++)
        size += store_at(sim, k)->count * fields[k].size;
    return size;
}

void carom_sim_save(const carom_sim *sim, void *snapshot)
{
    char *at = snapshot;
    memcpy(at, sim, sizeof *sim);
    at += sizeof *sim;
    for (int k = 0; k < KEPT; k++) {
        const store *s = store_at(sim, k);
        if (s->count)
            memcpy(at, s->data, s->count * s->size);
        at += s->count * s->size;
    }
}

carom_status carom_sim_restore(carom_sim *sim, const void *snapshot)
{
    const char *at = (const char *)snapshot + sizeof *sim;
    carom_sim saved;
    memcpy(&saved, snapshot, sizeof saved);
    if (sim->in_callback || saved.in_callback)
        return CAROM_STATUS_BUSY;
    for (int k = 0; k < KEPT; k++)
        if (!store_reserve(store_at(sim, k), &sim->memory, store_at(&saved, k)->count))
            return CAROM_STATUS_NO_MEMORY;
    for (int k = 0; k < STORES; k++) {
        store *s = store_at(sim, k), *old = store_at(&saved, k);
        size_t count = k < KEPT ? old->count : s->count;
        *old = *s;
        old->count = count;
        if (k < KEPT && count)
            memcpy(s->data, at, count * s->size);
        at += k < KEPT ? count * s->size : 0;
    }
    saved.observer = sim->observer;
    saved.arena = sim->arena;
    *sim = saved;
    return CAROM_STATUS_OK;
}
