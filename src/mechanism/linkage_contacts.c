/* Several contacts of jointed bodies: K_ij = V_i W^-1 V_j with the responses V of linkage_touch.c. */
#include "carom/assert.h"
#include "carom/touches.h"
#include "core/block_memory.h"
#include "mechanism/linkage.h"

static bool fits(const carom_linkage_contacts *s)
{
    return s->count >= 1 && s->count <= CAROM_CONTACTS_MOST && (s->dim == 2 || s->dim == 3);
}

static size_t rows_of(const carom_linkage_contacts *s)
{
    return (size_t)s->count * (size_t)s->dim;
}

static size_t response_numbers(const carom_linkage_contacts *s)
{
    return rows_of(s) * (size_t)s->linkage->body_count * TWIST;
}

size_t carom_linkage_contacts_size(const carom_linkage_contacts *s)
{
    size_t rows = rows_of(s);
    return fits(s) ? block_doubles(response_numbers(s) + rows * rows + rows) + carom_contacts_size(s->count, s->dim)
                   : 0;
}

/* The response to row r of the problem: one twist per body. */
static carom_twist *response(const carom_linkage_contacts *s, const void *memory, size_t r)
{
    return (carom_twist *)memory + r * (size_t)s->linkage->body_count;
}

static bool names_bodies(const carom_linkage_contacts *s, const carom_pair *pair)
{
    int count = s->linkage->body_count;
    return pair->a >= 0 && pair->a < count && pair->b >= CAROM_WORLD && pair->b < count && pair->a != pair->b;
}

static carom_status fill_rows(const carom_linkage_contacts *s, int i, void *memory, double *u)
{
    carom_linkage *l = s->linkage;
    const carom_pair *pair = &s->pairs[i];
    const int bodies[2] = {pair->a, pair->b};
    carom_problem one;
    carom_status status = carom_linkage_respond(l, bodies, &pair->contact, &one);
    const double own[3] = {one.K.t11, one.K.t22, one.K.nn}, speed[3] = {one.u.t1, one.u.t2, one.u.n};
    if (status)
        return status;
    if (s->dim == 2 && (own[1] > 0 || speed[1] != 0))
        return CAROM_STATUS_NOT_PLANAR;
    for (int a = 0; a < s->dim; a++) {
        int axis = a == s->dim - 1 ? 2 : a;
        const carom_twist *V = linkage_twists(l, axis);
        carom_twist *kept = response(s, memory, (size_t)(i * s->dim + a));
        for (int k = 0; k < l->body_count; k++)
            kept[k] = own[axis] > 0 ? V[k] : twist_zero();
        u[i * s->dim + a] = speed[axis];
    }
    return CAROM_STATUS_OK;
}

carom_status carom_linkage_contacts_reduce(const carom_linkage_contacts *s, void *memory, carom_contacts *problem)
{
    static const carom_contacts nothing;
    CAROM_ASSERT(s && s->linkage && s->linkage->work && s->pairs && memory && problem);
    *problem = nothing;
    if (!fits(s))
        return CAROM_STATUS_BAD_SIZE;
    for (int i = 0; i < s->count; i++)
        if (!names_bodies(s, &s->pairs[i]))
            return CAROM_STATUS_BAD_PAIR;
    size_t rows = rows_of(s);
    block_memory block = {memory};
    (void)take_doubles(&block, response_numbers(s));
    double *K = take_doubles(&block, rows * rows), *u = take_doubles(&block, rows);
    carom_status status = carom_linkage_factorise(s->linkage);
    for (int i = 0; i < s->count && !status; i++)
        status = fill_rows(s, i, memory, u);
    if (status)
        return status;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c <= r; c++)
            K[r * rows + c] = K[c * rows + r] =
                carom_linkage_inner(s->linkage, response(s, memory, r), response(s, memory, c));
    return carom_contacts_from_K(s->count, s->dim, K, u, block.at, problem);
}

void carom_linkage_contacts_apply(const carom_linkage_contacts *s, const void *memory, const double *p)
{
    CAROM_ASSERT(s && s->linkage && memory && p);
    for (size_t r = 0; r < rows_of(s); r++) {
        const carom_twist *V = response(s, memory, r);
        for (int k = 0; k < s->linkage->body_count; k++) {
            carom_body *b = &s->linkage->bodies[k].body;
            b->velocity = vec_plus(b->velocity, p[r], V[k].v);
            b->omega = vec_plus(b->omega, p[r], V[k].w);
        }
    }
}
