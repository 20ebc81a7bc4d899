#include "sim/rest/ride_joints.h"

bool ride_link(carom_sim *sim, const island *bodies, carom_linkage *l, bool *held)
{
    *held = false;
    for (int m = 0; m < bodies->count; m++)
        *held |= is_jointed(sim, bodies->body[m]);
    if (!*held)
        return true;
    members_clear(sim);
    for (int m = 0; m < bodies->count; m++)
        if (!members_add(sim, bodies->body[m]))
            return false;
    return members_link(sim, sim->time, l) == CAROM_STATUS_OK;
}

/* The states of all bodies of the linkage: of members, and of the fixed bodies that hold them. */
static double *linkage_state(const ride *r, const double *y)
{
    const carom_linkage *l = r->joints;
    double *all = TAKE(r->arena, double, STATE * l->body_count);
    for (int k = 0; k < l->body_count; k++) {
        if (r->held[k] >= 0)
            memcpy(all + STATE * k, y + STATE * r->held[k], STATE * sizeof *all);
        else
            state_of(r->sim, store_ints(&r->sim->member_bodies)[k], r->time, all + STATE * k);
    }
    return all;
}

/* The column of the response to a unit of a force, or of a moment, on body k of the linkage. */
static void put_answer(const ride *r, int k, int freedom, double *W)
{
    carom_linkage *l = r->joints;
    const carom_body *b = &l->bodies[k].body;
    carom_twist *V = linkage_twists(l, 0);
    double unit[FREEDOMS] = {0};
    int n = FREEDOMS * r->members, column = FREEDOMS * r->held[k] + freedom;
    unit[freedom] = 1;
    for (int i = 0; i < l->body_count; i++)
        V[i] = twist_zero();
    V[k].v = carom_vec3_scale(b->inv_mass, vec_at(unit));
    V[k].w = carom_sym3_apply(b->inv_inertia, vec_at(unit + 3));
    carom_linkage_hold(l, V);
    for (int i = 0; i < l->body_count; i++) {
        if (r->held[i] < 0)
            continue;
        double answer[FREEDOMS];
        put(answer, V[i].v);
        put(answer + 3, V[i].w);
        for (int f = 0; f < FREEDOMS; f++)
            W[(FREEDOMS * r->held[i] + f) * n + column] = answer[f];
    }
}

void hold_members(const ride *r, const double *y, dynamics *d)
{
    carom_linkage *l = r->joints;
    int n = FREEDOMS * r->members;
    d->W = TAKE(r->arena, double, n *n);
    arena_mark mark = arena_now(r->arena);
    double *rate = TAKE(r->arena, double, STATE * l->body_count);
    if (carom_linkage_rate(l, linkage_state(r, y), rate)) /* joints that hold nothing here end the run in flight */
        memset(rate, 0, (size_t)(STATE * l->body_count) * sizeof *rate);
    for (int k = 0; k < l->body_count; k++) {
        if (r->held[k] < 0)
            continue;
        d->m[r->held[k]].v_rate = vec_at(rate + STATE * k + 7);
        d->m[r->held[k]].w_rate = vec_at(rate + STATE * k + 10);
        for (int f = 0; f < FREEDOMS; f++)
            put_answer(r, k, f, d->W);
    }
    arena_back(r->arena, mark);
}

void respond_held(const ride *r, const dynamics *d, const double *force, carom_vec3 *v, carom_vec3 *w)
{
    int n = FREEDOMS * r->members;
    for (int m = 0; m < r->members; m++) {
        double a[FREEDOMS] = {0};
        for (int f = 0; f < FREEDOMS; f++)
            for (int j = 0; j < n; j++)
                a[f] += d->W[(FREEDOMS * m + f) * n + j] * force[j];
        v[m] = vec_at(a);
        w[m] = vec_at(a + 3);
    }
}

void ride_close_joints(const ride *r, double *y)
{
    carom_linkage *l = r->joints;
    arena_mark mark = arena_now(r->arena);
    const double *all = linkage_state(r, y);
    for (int k = 0; k < l->body_count; k++)
        carom_member_load(&l->bodies[k], all + STATE * k);
    bool closed = carom_linkage_correct(l) == CAROM_STATUS_OK && carom_linkage_constrain(l) == CAROM_STATUS_OK;
    for (int k = 0; closed && k < l->body_count; k++)
        if (r->held[k] >= 0)
            carom_member_save(&l->bodies[k], y + STATE * r->held[k]);
    arena_back(r->arena, mark);
}

double *held_answers(const ride *r, const dynamics *d, int k, const carom_vec3 axis[3])
{
    double *answer = TAKE(r->arena, double, 3 * FREEDOMS * r->members);
    carom_vec3 v[ISLAND_BODIES], w[ISLAND_BODIES];
    for (int i = 0; i < 3; i++) {
        row x = {.contact = k, .force = axis[i]};
        double force[FREEDOMS * ISLAND_BODIES] = {0};
        add_force(r, d, &x, 1, force);
        respond_all(r, d, force, v, w);
        for (int m = 0; m < r->members; m++) {
            put(answer + FREEDOMS * (r->members * i + m), v[m]);
            put(answer + FREEDOMS * (r->members * i + m) + 3, w[m]);
        }
    }
    return answer;
}

bool feet_meet(const ride *r, const double *y)
{
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < i; k++) {
            const ride_contact *a = &r->c[i], *b = &r->c[k];
            if (a->a == b->a || !never_collide(r->sim, r->m[a->a].body, r->m[b->a].body))
                continue;
            double apart = carom_vec3_length(carom_vec3_sub(contact_place(r, i, y), contact_place(r, k, y)));
            if (apart < 10 * SMALL_SHARE * ride_size(r)) /* places that a load may go over between */
                return true;
        }
    return false;
}
