/* Impacts in which joints take part: K is that of the linkage, so that an impulse at one body moves all. */
#include "sim/resolve/resolve_linkage.h"
#include "sim/motion/course.h"
#include "sim/resolve/contact_sweep.h"

/* ---- the problem ---- */

static bool takes_part(const touching *c, int group)
{
    return group < 0 || c->group == group;
}

/* Everyone whom the contacts and the joints reach takes part in the impact. */
static carom_status gather_members(carom_sim *sim, int group, double t, int *count)
{
    *count = 0;
    members_clear(sim);
    for (int k = 0; k < (int)sim->touchings.count; k++) {
        const touching *c = touching_at(sim, k);
        if (!takes_part(c, group))
            continue;
        ++*count;
        if (!members_add(sim, c->a) || !members_add(sim, c->b))
            return CAROM_STATUS_NO_MEMORY;
    }
    for (size_t s = 0; group < 0 && s < sim->involved.count; s++)
        if (!members_add(sim, involved_at(sim, (int)s)->body))
            return CAROM_STATUS_NO_MEMORY;
    for (size_t n = 0; n < sim->member_bodies.count; n++)
        if (involve(sim, store_ints(&sim->member_bodies)[n], t) < 0)
            return CAROM_STATUS_NO_MEMORY;
    return CAROM_STATUS_OK;
}

static bool take_memory(carom_sim *sim, size_t contacts, jointed_problem *x)
{
    size_t rows = contacts * (size_t)x->dim, n = sim->member_bodies.count;
    if (!store_resize(&sim->joint_memory, &sim->memory, rows * rows + 2 * rows + rows * n * TWIST + contacts + 1))
        return false;
    x->K = sim->joint_memory.data;
    x->u = x->K + rows * rows;
    x->p = x->u + rows;
    x->V = (carom_twist *)(void *)(x->p + rows);
    x->of = (int *)(void *)(x->p + rows + rows * n * TWIST);
    memset(x->p, 0, rows * sizeof *x->p);
    return true;
}

static carom_twist *response(const jointed_problem *x, int row)
{
    return x->V + (size_t)row * (size_t)x->l.body_count;
}

/* In the plane nothing moves across it. */
static void flatten(carom_problem *p)
{
    p->K.t12 = p->K.t22 = p->K.t2n = 0;
    p->u.t2 = 0;
}

static carom_status add_contact(carom_sim *sim, int k, jointed_problem *x)
{
    touching *c = touching_at(sim, k);
    const int pair[2] = {frame_of(sim, c->a)->member, frame_of(sim, c->b)->member};
    carom_problem problem;
    carom_status status = carom_linkage_respond(&x->l, pair, &c->contact, &problem);
    if (status)
        return status;
    if (x->dim == 2)
        flatten(&problem);
    c->problem = problem;
    c->u_n = problem.u.n;
    c->jointed = true;
    const double own[3] = {problem.K.t11, problem.K.t22, problem.K.nn},
                 u[3] = {problem.u.t1, problem.u.t2, problem.u.n};
    for (int a = 0; a < x->dim; a++) {
        int axis = a == x->dim - 1 ? 2 : a, row = x->count * x->dim + a;
        const carom_twist *V = linkage_twists(&x->l, axis);
        for (int n = 0; n < x->l.body_count; n++)
            response(x, row)[n] = own[axis] > 0 ? V[n] : twist_zero();
        x->u[row] = u[axis];
    }
    x->of[x->count++] = k;
    return CAROM_STATUS_OK;
}

/* A contact that no impulse can move is left out, unless its bodies are driven into each other. */
static carom_status leave_out(carom_sim *sim, int k, double t)
{
    const touching *c = touching_at(sim, k);
    double speed = carom_vec3_length(mover_velocity(mover_of(sim, c->a), t)) +
                   carom_vec3_length(mover_velocity(mover_of(sim, c->b), t));
    if (-c->u_n <= SAME * speed) /* joints do not explain more by rounding */
        return CAROM_STATUS_OK;
    sim->error = (carom_sim_error){CAROM_STATUS_IMMOVABLE, c->a, c->b, 0};
    return CAROM_STATUS_IMMOVABLE;
}

carom_status jointed_reduce(carom_sim *sim, int group, double t, jointed_problem *x)
{
    int contacts;
    x->dim = sim->scene->dim;
    x->count = 0;
    carom_status status = gather_members(sim, group, t, &contacts);
    if (!status)
        status = members_link(sim, t, &x->l);
    if (!status && !take_memory(sim, (size_t)contacts, x))
        status = CAROM_STATUS_NO_MEMORY;
    if (!status && group < 0)
        status = carom_linkage_constrain(&x->l); /* gravity has pulled each body by itself */
    if (!status)
        status = carom_linkage_factorise(&x->l);
    for (int k = 0; k < (int)sim->touchings.count && !status; k++) {
        if (!takes_part(touching_at(sim, k), group))
            continue;
        status = add_contact(sim, k, x);
        if (status == CAROM_STATUS_IMMOVABLE) /* in a step gravity pulls bodies that joints hold into the ground */
            status = group < 0 ? CAROM_STATUS_OK : leave_out(sim, k, t);
    }
    int rows = x->count * x->dim;
    for (int r = 0; r < rows && !status; r++)
        for (int c = 0; c <= r; c++)
            x->K[r * rows + c] = x->K[c * rows + r] = carom_linkage_inner(&x->l, response(x, r), response(x, c));
    return status;
}

void jointed_apply(carom_sim *sim, const jointed_problem *x)
{
    for (int n = 0; n < x->l.body_count; n++) {
        carom_body b = x->l.bodies[n].body, *now;
        for (int r = 0; r < x->count * x->dim; r++) {
            b.velocity = vec_plus(b.velocity, x->p[r], response(x, r)[n].v);
            b.omega = vec_plus(b.omega, x->p[r], response(x, r)[n].w);
        }
        now = &involved_at(sim, frame_of(sim, store_ints(&sim->member_bodies)[n])->slot)->now;
        now->velocity = b.velocity;
        now->omega = b.omega;
    }
}

/* u + K p of row r. */
static double jointed_speed(const jointed_problem *x, int r)
{
    int rows = x->count * x->dim;
    double sum = x->u[r];
    for (int c = 0; c < rows; c++)
        sum += x->K[r * rows + c] * x->p[c];
    return sum;
}

/* ---- sweeps ---- */

static double relax(const jointed_problem *x, int k, double mu, double aim)
{
    int rows = x->count * x->dim, first = k * x->dim, n = first + x->dim - 1;
    double old[3], most = 0, size = 0, K_n = x->K[n * rows + n], K_t = 0;
    for (int a = 0; a < x->dim; a++)
        old[a] = x->p[first + a];
    if (!(K_n > 0))
        return 0;
    x->p[n] = max(0, x->p[n] - (jointed_speed(x, n) - aim) / K_n);
    for (int r = first; r < n; r++)
        K_t = max(K_t, x->K[r * rows + r]);
    for (int r = first; r < n && K_t > 0; r++)
        x->p[r] -= jointed_speed(x, r) / K_t;
    for (int r = first; r < n; r++)
        size += x->p[r] * x->p[r];
    size = sqrt(size);
    for (int r = first; r < n; r++)
        x->p[r] *= size > mu * x->p[n] ? mu * x->p[n] / size : 1;
    for (int a = 0; a < x->dim; a++)
        most = max(most, fabs(x->p[first + a] - old[a]) * max(K_n, K_t));
    return most;
}

void jointed_sweep(const carom_sim *sim, const jointed_problem *x, const double *aim, bool smooth, int sweeps)
{
    /* two digits below their rounding: sweeps gain slowly */
    double still = 0.01 * ROUND_SPEED * carom_vec3_length(sim->scene->gravity) * sim->scene->step, change = INFINITY;
    for (int n = 0; n < sweeps && change > still; n++) {
        change = 0;
        for (int k = 0; k < x->count; k++) {
            double mu = smooth ? 0 : min(touching_friction(touching_at(sim, x->of[k])), NEVER_SLIPS);
            change = max(change, relax(x, k, mu, aim[k]));
        }
    }
}

/* ---- an impact ---- */

void jointed_put_impulses(carom_sim *sim, const jointed_problem *x)
{
    for (int k = 0; k < x->count; k++) {
        const double *p = x->p + k * x->dim;
        touching_at(sim, x->of[k])->p = carom_cvec_make(p[0], x->dim == 3 ? p[1] : 0, p[x->dim - 1]);
    }
}

void jointed_take_impulses(const carom_sim *sim, jointed_problem *x)
{
    for (int k = 0; k < x->count; k++) {
        double *p = x->p + k * x->dim;
        carom_cvec c = touching_at(sim, x->of[k])->p;
        p[0] = c.t1;
        if (x->dim == 3)
            p[1] = c.t2;
        p[x->dim - 1] = c.n;
    }
}

bool jointed_relax(carom_sim *sim, const jointed_problem *x)
{
    if (!store_resize(&sim->scratch, &sim->memory, (size_t)x->count * sizeof(double)))
        return false;
    double *aim = (double *)(void *)sim->scratch.data;
    for (int k = 0; k < x->count; k++) {
        const touching *c = touching_at(sim, x->of[k]);
        aim[k] = c->u_n < 0 ? -sweep_restitution(c) * c->u_n : 0;
    }
    jointed_sweep(sim, x, aim, false, SWEEPS);
    return true;
}

/* ---- steps ---- */

carom_twist jointed_change(const jointed_problem *x, int n)
{
    carom_twist sum = twist_zero();
    for (int r = 0; r < x->count * x->dim; r++)
        sum = twist_plus(sum, x->p[r], response(x, r)[n]);
    return sum;
}

carom_status jointed_correct(carom_sim *sim, int number, double t)
{
    carom_linkage l;
    members_clear(sim);
    if (!members_add(sim, assembly_body(sim, number, 0)))
        return CAROM_STATUS_NO_MEMORY;
    carom_status status = members_link(sim, t, &l);
    if (!status)
        status = carom_linkage_correct(&l);
    for (int n = 0; n < l.body_count && !status; n++) {
        int body = store_ints(&sim->member_bodies)[n];
        const mover *m = mover_of(sim, body);
        const carom_member *x = &l.bodies[n];
        if (!m->is_movable)
            continue;
        snap at = {x->body.position, mover_velocity(m, t), x->orientation, x->body.omega};
        course c = course_driven(at, m->a, carom_vec3_make(0, 0, 0), frame_of(sim, body)->until);
        motion_set(sim, body, t, &c);
    }
    members_clear(sim);
    return status;
}
