/* Flight of an assembly: the equations of its linkage, by collocation for all bodies at once. */
#include "sim/motion/air.h"
#include "sim/motion/course.h"
#include "sim/motion/piece_energy.h"
#include "sim/motion/sim_linkage.h"

/* A piece of motion of all members: their linkage, and the rates of their states at the nodes. */
typedef struct flight {
    carom_linkage *l;
    double *y, *scale;
    node_rates f;
    node_search nodes;
} flight;

static bool rate_of(void *context, double s, const double *y, double *f)
{
    (void)s;
    return carom_linkage_rate(context, y, f) == CAROM_STATUS_OK;
}

static bool take_memory(carom_sim *sim, carom_linkage *l, flight *x)
{
    size_t size = (size_t)l->body_count * STATE;
    if (!store_resize(&sim->joint_memory, &sim->memory, (3 + 2 * GAUSS_NODES) * size))
        return false;
    double *at = sim->joint_memory.data;
    /* rounding of the joints may keep it from the last bits */
    *x = (flight){.l = l, .y = at, .scale = at + size};
    x->nodes = (node_search){.rate = rate_of, .context = l, .size = (int)size, .y = x->y, .scale = x->scale};
    x->nodes.settled = 8 * EPS, x->nodes.rounding = ROUND_PLACE, x->nodes.patience = -1;
    x->nodes.here = at += 2 * size;
    for (int j = 0; j < GAUSS_NODES; j++) {
        x->f[j] = at += size;
        x->nodes.next[j] = at + GAUSS_NODES * size;
    }
    return true;
}

/* How far member k reaches: its own radius, that of its inertia, which counts for a point held at its centre, or to its
 * joints. */
static double reach_of(const carom_sim *sim, const carom_linkage *l, int k)
{
    const carom_member *m = &l->bodies[k];
    double R = mover_of(sim, store_ints(&sim->member_bodies)[k])->radius;
    R = max(R < INFINITY ? R : 0, sqrt(0.5 * (m->inertia.xx + m->inertia.yy + m->inertia.zz) * m->body.inv_mass));
    for (int j = 0; j < l->joint_count; j++) {
        const carom_joint_def *d = &l->joints[j].def;
        if (d->a == k)
            R = max(R, carom_vec3_length(d->point_a));
        if (d->b == k)
            R = max(R, carom_vec3_length(d->point_b));
    }
    return R > 0 ? R : 1;
}

/* Sizes of the numbers of a state, and the time in which they change. */
static double measure(const carom_sim *sim, flight *x)
{
    double fastest = 0, g = carom_vec3_length(sim->scene->gravity);
    for (int k = 0; k < x->l->body_count; k++) {
        const carom_body *b = &x->l->bodies[k].body;
        double R = reach_of(sim, x->l, k), w = carom_vec3_length(b->omega);
        double speed = carom_vec3_length(b->velocity) + R * w + SMALL_SHARE * sqrt(g * R) + DBL_MIN;
        fastest = b->inv_mass > 0 ? max(fastest, w + sqrt(g / R) + carom_vec3_length(b->velocity) / R) : fastest;
        for (int i = 0; i < STATE; i++)
            x->scale[(size_t)k * STATE + (size_t)i] = i < 3 ? R : i < 7 ? 1 : i < 10 ? speed : speed / R;
    }
    return 1 / (fastest + 1 / PIECE_LONGEST);
}

static bool collocate(flight *x)
{
    if (!rate_of(x->l, 0, x->y, x->f[0]))
        return false;
    for (int j = 1; j < GAUSS_NODES; j++)
        memcpy(x->f[j], x->f[0], (size_t)x->nodes.size * sizeof *x->y);
    return nodes_settle(&x->nodes, x->f);
}

/* The last coefficients of the polynomials are rounding. */
static bool is_resolved(const flight *x)
{
    for (int i = 0; i < x->nodes.size; i++) {
        double last = 0;
        for (int j = 0; j < GAUSS_NODES; j++)
            last += gauss_integral[j][GAUSS_NODES - 1] * x->f[j][i];
        if (x->nodes.h * fabs(last) > ROUND_PLACE * x->scale[i])
            return false;
    }
    return true;
}

/* A piece of motion that holds, as long as possible up to h. */
static carom_status find_piece(flight *x)
{
    for (int n = 0; n < PIECE_HALVINGS; n++, x->nodes.h *= 0.5)
        if (collocate(x) && is_resolved(x))
            return CAROM_STATUS_OK;
    return CAROM_STATUS_STEP_LIMIT;
}

static void follow(carom_sim *sim, const flight *x, int k, double t)
{
    int body = store_ints(&sim->member_bodies)[k];
    track *to = track_of(sim, body);
    double f[GAUSS_NODES][STATE];
    const double *y = x->y + (size_t)k * STATE;
    if (!to || !mover_of(sim, body)->is_movable)
        return;
    for (int j = 0; j < GAUSS_NODES; j++)
        memcpy(f[j], x->f[j] + (size_t)k * STATE, sizeof f[j]);
    track_make(y, t, x->nodes.h, f, to);
    to->end = t + x->nodes.h;
    if (frame_of(sim, body)->forced)
        field_work(frame_of(sim, body)->fields, to);
    course c = course_on_track(sim, body, y, to);
    motion_begin(sim, body, t, &c);
}

static double energy_of_all(const carom_sim *sim, int number, double t)
{
    double sum = 0;
    for (int n = 0; n < assembly_at(sim, number)->count; n++)
        sum += energy_of(sim, assembly_body(sim, number, n), t);
    return sum;
}

carom_status jointed_fly(carom_sim *sim, int number, double t)
{
    carom_linkage l;
    flight x;
    double before = energy_of_all(sim, number, t);
    int first = assembly_body(sim, number, 0);
    const track *last = mover_of(sim, first)->track;
    members_clear(sim);
    if (!members_add(sim, first))
        return CAROM_STATUS_NO_MEMORY;
    carom_status status = members_link(sim, t, &l);
    if (!status)
        status = carom_linkage_correct(&l);
    if (!status)
        status = carom_linkage_constrain(&l);
    if (!status && !take_memory(sim, &l, &x))
        status = CAROM_STATUS_NO_MEMORY;
    if (status)
        return status;
    double scale = measure(sim, &x);
    x.nodes.h = min(last ? 2 * last->h : PIECE_FIRST * scale, scale);
    for (int k = 0; k < l.body_count; k++)
        carom_member_save(&l.bodies[k], x.y + (size_t)k * STATE);
    status = find_piece(&x);
    for (int k = 0; k < l.body_count && !status; k++)
        follow(sim, &x, k, t);
    members_clear(sim);
    if (!status && t > 0) /* what closing the joints has cost */
        sim->ledger.sliding += energy_of_all(sim, number, t) - before;
    return sim->out_of_memory ? CAROM_STATUS_NO_MEMORY : status;
}

bool assembly_rests(const carom_sim *sim, int number)
{
    for (int n = 0; n < assembly_at(sim, number)->count; n++)
        if (mover_of(sim, assembly_body(sim, number, n))->closed)
            return true;
    return false;
}

carom_status jointed_fly_all(carom_sim *sim, double t)
{
    carom_status status = CAROM_STATUS_OK;
    for (size_t k = 0; k < sim->assemblies.count && !status; k++) {
        int first = assembly_body(sim, (int)k, 0);
        const frame_of_body *f = frame_of(sim, first);
        bool flies = mover_of(sim, first)->track && mover_of(sim, first)->t0 == t;
        if (assembly_rests(sim, (int)k))
            continue;
        if (f->ended && !f->stepped && !flies)
            status = jointed_fly(sim, (int)k, t);
    }
    return status;
}

carom_status jointed_renew(carom_sim *sim, int i, double t)
{
    int number = frame_of(sim, i)->assembly, count = assembly_at(sim, number)->count;
    for (int n = 0; n < count; n++)
        motion_end(sim, assembly_body(sim, number, n), t);
    return jointed_fly(sim, number, t);
}
