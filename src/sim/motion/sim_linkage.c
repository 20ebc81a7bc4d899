#include "sim/motion/sim_linkage.h"

#include "sim/motion/air.h"
#include "sim/motion/driven_path.h"

static bool holds(const carom_no_contact *group, int body)
{
    for (int k = 0; k < group->count; k++)
        if (group->bodies[k] == body)
            return true;
    return false;
}

static bool are_kept_apart(const carom_sim *sim, int i, int j)
{
    for (int k = 0; k < sim->scene->no_contact_count; k++) {
        const carom_no_contact *group = &sim->scene->no_contacts[k];
        bool a = holds(group, owner_of(sim, i)), b = holds(group, owner_of(sim, j));
        if (group->count == 1 ? a || b : a && b)
            return true;
    }
    return false;
}

bool never_collide(const carom_sim *sim, int i, int j)
{
    if (are_kept_apart(sim, i, j))
        return true;
    if (!is_jointed(sim, i) && !is_jointed(sim, j))
        return false;
    const carom_joint_def *d = sim->scene->joints;
    for (int k = 0; k < sim->scene->joint_count; k++)
        if ((d[k].a == i && d[k].b == j) || (d[k].a == j && d[k].b == i))
            return true;
    return false;
}

/* ---- assemblies ---- */

static bool moves(const carom_sim *sim, int body)
{
    return body >= 0 && mover_of(sim, body)->is_movable;
}

static bool push_body(carom_sim *sim, int body, int number)
{
    int *at = store_push(&sim->jointed, &sim->memory);
    if (!at)
        return false;
    *at = body;
    frame_of(sim, body)->assembly = number;
    return true;
}

/* Everything that joints reach from the bodies of the last assembly, which is not complete yet. */
static bool grow(carom_sim *sim, int number)
{
    assembly *x = assembly_at(sim, number);
    const carom_joint_def *d = sim->scene->joints;
    for (int n = 0; n < x->count; n++) {
        int body = assembly_body(sim, number, n);
        for (int k = 0; k < sim->scene->joint_count; k++) {
            int other = d[k].a == body ? d[k].b : d[k].b == body ? d[k].a : CAROM_WORLD;
            if (!moves(sim, other) || is_jointed(sim, other))
                continue;
            if (!push_body(sim, other, number))
                return false;
            x->count++;
        }
    }
    return true;
}

static bool start_assembly(carom_sim *sim, int body)
{
    assembly *x = store_push(&sim->assemblies, &sim->memory);
    if (!x)
        return false;
    *x = (assembly){(int)sim->jointed.count, 1};
    int number = (int)sim->assemblies.count - 1;
    return push_body(sim, body, number) && grow(sim, number);
}

static carom_status blame_joint(carom_sim *sim, carom_status status, int joint)
{
    const carom_joint_def *d = &sim->scene->joints[joint];
    sim->error = (carom_sim_error){status, d->a, d->b, 0};
    return status;
}

static bool names_bodies(const carom_sim *sim, const carom_joint_def *d)
{
    return d->a >= CAROM_WORLD && d->a < sim->count && d->b >= CAROM_WORLD && d->b < sim->count && d->a != d->b &&
           (moves(sim, d->a) || moves(sim, d->b));
}

carom_status jointed_make(carom_sim *sim)
{
    for (int i = 0; i < sim->count; i++)
        frame_of(sim, i)->assembly = frame_of(sim, i)->member = -1;
    for (int k = 0; k < sim->scene->joint_count; k++) {
        const carom_joint_def *d = &sim->scene->joints[k];
        if (!names_bodies(sim, d))
            return blame_joint(sim, CAROM_STATUS_BAD_JOINT, k);
        if (driven_of(sim, d->a) || (d->b >= 0 && driven_of(sim, d->b))) /* its acceleration is not in the equations */
            return blame_joint(sim, CAROM_STATUS_UNSUPPORTED, k);
        int body = moves(sim, d->a) ? d->a : d->b;
        if (!is_jointed(sim, body) && !start_assembly(sim, body))
            return CAROM_STATUS_NO_MEMORY;
    }
    return CAROM_STATUS_OK;
}

/* ---- the linkage at work ---- */

void members_clear(carom_sim *sim)
{
    for (size_t k = 0; k < sim->member_bodies.count; k++)
        frame_of(sim, store_ints(&sim->member_bodies)[k])->member = -1;
    sim->member_bodies.count = 0;
}

static bool add_one(carom_sim *sim, int body)
{
    if (frame_of(sim, body)->member >= 0)
        return true;
    int *at = store_push(&sim->member_bodies, &sim->memory);
    if (!at)
        return false;
    *at = body;
    frame_of(sim, body)->member = (int)sim->member_bodies.count - 1;
    return true;
}

bool members_add(carom_sim *sim, int i)
{
    bool done = add_one(sim, i);
    if (!is_jointed(sim, i))
        return done;
    int number = frame_of(sim, i)->assembly;
    for (int n = 0; n < assembly_at(sim, number)->count; n++)
        done &= add_one(sim, assembly_body(sim, number, n));
    for (int k = 0; k < sim->scene->joint_count; k++) {
        const int side[2] = {sim->scene->joints[k].a, sim->scene->joints[k].b};
        for (int s = 0; s < 2; s++)
            if (moves(sim, side[s]) && frame_of(sim, side[s])->assembly == number && side[1 - s] >= 0)
                done &= add_one(sim, side[1 - s]);
    }
    return done;
}

static carom_status member_at(const carom_sim *sim, int i, double t, carom_member *m)
{
    carom_body_def def = sim->scene->bodies[i].def;
    pose p = spin_at(&frame_of(sim, i)->turn, t);
    int slot = frame_of(sim, i)->slot;
    def.position = mover_position(mover_of(sim, i), t);
    def.velocity = slot >= 0 ? involved_at(sim, slot)->now.velocity : mover_velocity(mover_of(sim, i), t);
    def.omega = slot >= 0 ? involved_at(sim, slot)->now.omega : p.w;
    def.orientation = p.q;
    def.unphysical = true;
    if (sim->scene->dim == 2) /* only the moment about z acts */
        def.inertia = (carom_sym3){def.inertia.zz, 0, 0, def.inertia.zz, 0, def.inertia.zz};
    return carom_member_init(&def, m);
}

/* The joints between members, with the numbers of these. */
static bool collect_joints(carom_sim *sim)
{
    sim->joint_defs.count = 0;
    for (int k = 0; k < sim->scene->joint_count; k++) {
        carom_joint_def d = sim->scene->joints[k];
        int body = moves(sim, d.a) ? d.a : d.b;
        if (frame_of(sim, body)->member < 0)
            continue;
        carom_joint_def *own = store_push(&sim->joint_defs, &sim->memory);
        if (!own)
            return false;
        *own = d;
        own->a = d.a >= 0 ? frame_of(sim, d.a)->member : CAROM_WORLD;
        own->b = d.b >= 0 ? frame_of(sim, d.b)->member : CAROM_WORLD;
    }
    return true;
}

/* Fields, and the difference of its own gravity to that of the scene. */
static void load_member(void *context, int n, const carom_member *m, carom_vec3 *force, carom_vec3 *moment)
{
    const carom_sim *sim = context;
    int i = store_ints(&sim->member_bodies)[n];
    const frame_of_body *f = frame_of(sim, i);
    if (!f->fields)
        return;
    wrench a = field_wrench(f->fields, m->body.velocity, m->body.omega);
    carom_vec3 extra = carom_vec3_sub(gravity_of(sim, i), sim->scene->gravity);
    *force = vec_plus(a.F, m->body.mass, extra);
    *moment = a.M;
}

static bool has_fields(const carom_sim *sim)
{
    for (size_t n = 0; n < sim->member_bodies.count; n++)
        if (frame_of(sim, store_ints(&sim->member_bodies)[n])->fields)
            return true;
    return false;
}

carom_status members_link(carom_sim *sim, double t, carom_linkage *l)
{
    size_t n = sim->member_bodies.count;
    if (!store_resize(&sim->members, &sim->memory, n) || !collect_joints(sim) ||
        !store_resize(&sim->joints, &sim->memory, sim->joint_defs.count + 1))
        return CAROM_STATUS_NO_MEMORY;
    carom_member *members = sim->members.data;
    carom_status status = CAROM_STATUS_OK;
    for (size_t k = 0; k < n && !status; k++)
        status = member_at(sim, store_ints(&sim->member_bodies)[k], t, &members[k]);
    *l = carom_linkage_default();
    l->body_count = (int)n;
    l->bodies = members;
    l->joint_count = (int)sim->joint_defs.count;
    l->joints = sim->joints.data;
    l->gravity = sim->scene->gravity;
    l->load = has_fields(sim) ? load_member : NULL;
    l->load_context = sim;
    if (!status)
        status = carom_linkage_init(l, sim->joint_defs.data);
    if (status)
        return status;
    if (!store_resize(&sim->joint_rows, &sim->memory, (size_t)l->row_count + 1) ||
        !store_resize(&sim->joint_work, &sim->memory, l->work_size + 1))
        return CAROM_STATUS_NO_MEMORY;
    l->rows = sim->joint_rows.data;
    l->work = sim->joint_work.data;
    return CAROM_STATUS_OK;
}
