/* Several contacts of several bodies. Contacts i and j feel each other through the bodies X that both touch:
 *
 *     K_ij = sum over X of s_iX s_jX (f_i^T f_j / m_X + (r_iX x f_i)^T I_X^-1 (r_jX x f_j)),   s = 1 for A, -1 for B */
#include "carom/assert.h"
#include "carom/contacts.h"
#include "core/block_memory.h"

static bool is_movable(const carom_bodies *s, int body)
{
    return body >= 0 && s->bodies[body].inv_mass > 0;
}

/* The movable body on side k of contact i, or -1. */
static int side_of(const carom_bodies *s, int i, int k)
{
    int body = k == 0 ? s->pairs[i].a : s->pairs[i].b;
    return is_movable(s, body) ? body : -1;
}

static bool names_bodies(const carom_bodies *s, const carom_pair *pair)
{
    return pair->a >= 0 && pair->a < s->body_count && pair->b >= CAROM_WORLD && pair->b < s->body_count &&
           pair->a != pair->b;
}

/* The contacts of every movable body: contact lists[start[body]] ... lists[start[body + 1] - 1], ascending. */
typedef struct contact_lists {
    int *start, *list;
} contact_lists;

static contact_lists lists_of(const carom_bodies *s, block_memory *memory)
{
    contact_lists l = {take_ints(memory, (size_t)s->body_count + 2), take_ints(memory, 2 * (size_t)s->count)};
    for (int b = 0; b < s->body_count + 2; b++)
        l.start[b] = 0;
    for (int i = 0; i < s->count; i++)
        for (int k = 0; k < 2; k++)
            if (side_of(s, i, k) >= 0)
                l.start[side_of(s, i, k) + 2]++;
    for (int b = 0; b < s->body_count; b++)
        l.start[b + 2] += l.start[b + 1];
    for (int i = 0; i < s->count; i++)
        for (int k = 0; k < 2; k++)
            if (side_of(s, i, k) >= 0)
                l.list[l.start[side_of(s, i, k) + 1]++] = i;
    return l;
}

static bool has_body(const carom_pair *pair, int body)
{
    return body >= 0 && (pair->a == body || pair->b == body);
}

size_t carom_bodies_size(const carom_bodies *s)
{
    size_t m = (size_t)s->count, blocks = m, rows = m * (size_t)s->dim;
    for (int i = 0; i < s->count; i++)
        for (int j = 0; j < i; j++)
            if (has_body(&s->pairs[i], s->pairs[j].a) || has_body(&s->pairs[i], s->pairs[j].b))
                blocks += 2;
    return block_doubles(rows + blocks * (size_t)(s->dim * s->dim)) + block_ints(m + 1) + block_ints(blocks) +
           block_ints((size_t)s->body_count + 2) + block_ints(2 * m);
}

/* Row a of contact i acts along this axis: t1, t2, n, or t, n; as a spin about n, t1, t2. */
static carom_vec3 axis_of(const carom_bodies *s, int i, int a)
{
    const carom_frame *f = &s->pairs[i].contact.frame;
    const carom_vec3 axes[] = {f->t1, f->t2, f->n, f->n, f->t1, f->t2};
    return axes[s->dim == 2 && a == 1 ? 2 : a];
}

static bool is_spin(int a)
{
    return a > 2;
}

static carom_vec3 arm_of(const carom_pair *pair, int body)
{
    return pair->a == body ? pair->contact.arm_a : pair->contact.arm_b;
}

/* The angular part of row a of contact i. */
static carom_vec3 turn_of(const carom_bodies *s, int body, int i, int a)
{
    const carom_vec3 axis = axis_of(s, i, a);
    return is_spin(a) ? axis : carom_vec3_cross(arm_of(&s->pairs[i], body), axis);
}

/* Add the share of one body to the block of contacts i and j. */
static void add_share(const carom_bodies *s, int body, int i, int j, double *block)
{
    const carom_body *X = &s->bodies[body];
    const carom_pair *pi = &s->pairs[i], *pj = &s->pairs[j];
    double sign = (pi->a == body) == (pj->a == body) ? 1 : -1;
    for (int b = 0; b < s->dim; b++) {
        carom_vec3 fj = axis_of(s, j, b);
        carom_vec3 spin = carom_sym3_apply(X->inv_inertia, turn_of(s, body, j, b));
        for (int a = 0; a < s->dim; a++) {
            carom_vec3 fi = axis_of(s, i, a);
            double turn = carom_vec3_dot(turn_of(s, body, i, a), spin);
            double push = is_spin(a) || is_spin(b) ? 0 : X->inv_mass * carom_vec3_dot(fi, fj);
            block[a * s->dim + b] += sign * (push + turn);
        }
    }
}

/* Both lists of contact i merged: the columns of its row, ascending. They are only counted when column is null. */
static int merge_row(const carom_bodies *s, const contact_lists *l, int i, int *column)
{
    int at[2], end[2], count = 0;
    for (int k = 0; k < 2; k++) {
        int body = side_of(s, i, k);
        at[k] = body < 0 ? 0 : l->start[body];
        end[k] = body < 0 ? 0 : l->start[body + 1];
    }
    while (at[0] < end[0] || at[1] < end[1]) {
        int first = at[0] < end[0] ? l->list[at[0]] : s->count, second = at[1] < end[1] ? l->list[at[1]] : s->count;
        int next = first < second ? first : second;
        at[0] += first == next;
        at[1] += second == next;
        if (column)
            column[count] = next;
        count++;
    }
    return count;
}

static void fill_block(const carom_bodies *s, int i, int j, double *block)
{
    const carom_pair *other = &s->pairs[j];
    for (int k = 0; k < s->dim * s->dim; k++)
        block[k] = 0;
    for (int k = 0; k < 2; k++) {
        int body = side_of(s, i, k);
        if (has_body(other, body))
            add_share(s, body, i, j, block);
    }
}

static carom_vec3 point_velocity(const carom_bodies *s, int body, carom_vec3 arm)
{
    static const carom_vec3 still = {0, 0, 0};
    if (body < 0)
        return still;
    return carom_vec3_add(s->bodies[body].velocity, carom_vec3_cross(s->bodies[body].omega, arm));
}

static carom_vec3 spin_of(const carom_bodies *s, int body)
{
    static const carom_vec3 still = {0, 0, 0};
    return body < 0 ? still : s->bodies[body].omega;
}

static void fill_speeds(const carom_bodies *s, double *u)
{
    for (int i = 0; i < s->count; i++) {
        const carom_pair *pair = &s->pairs[i];
        carom_vec3 v = carom_vec3_sub(point_velocity(s, pair->a, pair->contact.arm_a),
                                      point_velocity(s, pair->b, pair->contact.arm_b));
        carom_vec3 w = carom_vec3_sub(spin_of(s, pair->a), spin_of(s, pair->b));
        for (int a = 0; a < s->dim; a++)
            u[i * s->dim + a] = carom_vec3_dot(axis_of(s, i, a), is_spin(a) ? w : v);
    }
}

static carom_status judge_pairs(const carom_bodies *s)
{
    if (s->count < 1 || s->count > CAROM_CONTACTS_MOST || carom_contacts_size(1, s->dim) == 0)
        return CAROM_STATUS_BAD_SIZE;
    for (int i = 0; i < s->count; i++)
        if (!names_bodies(s, &s->pairs[i]))
            return CAROM_STATUS_BAD_PAIR;
    for (int i = 0; i < s->count; i++)
        if (side_of(s, i, 0) < 0 && side_of(s, i, 1) < 0)
            return CAROM_STATUS_IMMOVABLE;
    return CAROM_STATUS_OK;
}

carom_status carom_bodies_contacts(const carom_bodies *s, void *memory, carom_contacts *problem)
{
    static const carom_contacts nothing;
    CAROM_ASSERT(s && memory && problem);
    *problem = nothing;
    carom_status status = judge_pairs(s);
    if (status)
        return status;
    block_memory block = {memory};
    contact_lists lists = lists_of(s, &block);
    int *row = take_ints(&block, (size_t)s->count + 1), count = 0, dim = s->dim;
    double *u = take_doubles(&block, (size_t)(s->count * dim));
    row[0] = 0;
    fill_speeds(s, u);
    size_t blocks = 0;
    for (int i = 0; i < s->count; i++)
        blocks += (size_t)merge_row(s, &lists, i, NULL);
    int *column = take_ints(&block, blocks);
    double *K = take_doubles(&block, blocks * (size_t)(dim * dim));
    for (int i = 0; i < s->count; i++) {
        int width = merge_row(s, &lists, i, column + count);
        for (int k = count; k < count + width; k++)
            fill_block(s, i, column[k], K + k * dim * dim);
        row[i + 1] = count += width;
    }
    const carom_contacts made = {s->count, dim, row, column, K, u};
    *problem = made;
    return CAROM_STATUS_OK;
}

static void push(carom_body *body, carom_vec3 arm, carom_vec3 impulse, carom_vec3 moment)
{
    carom_vec3 spin = carom_sym3_apply(body->inv_inertia, carom_vec3_add(carom_vec3_cross(arm, impulse), moment));
    body->velocity = carom_vec3_add(body->velocity, carom_vec3_scale(body->inv_mass, impulse));
    body->omega = carom_vec3_add(body->omega, spin);
}

void carom_bodies_push(const carom_bodies *s, const double *p, carom_body *after)
{
    for (int b = 0; b < s->body_count; b++)
        after[b] = s->bodies[b];
    for (int i = 0; i < s->count; i++) {
        const carom_pair *pair = &s->pairs[i];
        carom_vec3 impulse = {0, 0, 0}, moment = {0, 0, 0};
        for (int a = 0; a < s->dim; a++) {
            carom_vec3 *sum = is_spin(a) ? &moment : &impulse;
            *sum = carom_vec3_add(*sum, carom_vec3_scale(p[i * s->dim + a], axis_of(s, i, a)));
        }
        push(&after[pair->a], pair->contact.arm_a, impulse, moment);
        if (pair->b >= 0)
            push(&after[pair->b], pair->contact.arm_b, carom_vec3_scale(-1, impulse), carom_vec3_scale(-1, moment));
    }
}
