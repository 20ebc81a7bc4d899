/* Several contacts of trees. Contacts i and j feel each other through the mechanisms that both touch:
 *
 *     K_ij = sum over these of g_i g_j^T,   g of touch.c */
#include "carom/touches.h"

#include "carom/assert.h"
#include "carom/body.h"
#include "core/block_memory.h"
#include "mechanism/touch.h"

/* The mechanism on side k of a touch, each once. */
static carom_motion *side_of(const carom_touch *t, int k)
{
    return k == 0 ? t->a : t->b != t->a ? t->b : NULL;
}

static size_t width_of(const carom_touch *t, int k)
{
    const carom_motion *motion = side_of(t, k);
    return motion ? (size_t)motion->mechanism->nv : 0;
}

static size_t row_numbers(const carom_touches *s)
{
    size_t sum = 0;
    for (int i = 0; i < s->count; i++)
        sum += 3 * (width_of(&s->touches[i], 0) + width_of(&s->touches[i], 1));
    return sum;
}

static bool fits(const carom_touches *s)
{
    return s->count >= 1 && s->count <= CAROM_CONTACTS_MOST && (s->dim == 2 || s->dim == 3);
}

size_t carom_touches_size(const carom_touches *s)
{
    size_t rows = (size_t)s->count * (size_t)s->dim;
    if (!fits(s))
        return 0;
    return block_doubles(row_numbers(s) + rows * rows + rows) + 2 * (size_t)s->count * sizeof(double *) +
           carom_contacts_size(s->count, s->dim);
}

static bool has_link(const carom_motion *motion, int link)
{
    return motion && link >= 0 && link < motion->mechanism->count;
}

static carom_status judge(const carom_touches *s)
{
    if (!fits(s))
        return CAROM_STATUS_BAD_SIZE;
    for (int i = 0; i < s->count; i++) {
        const carom_touch *t = &s->touches[i];
        if (!has_link(t->a, t->link_a) || (t->b ? !has_link(t->b, t->link_b) : t->link_b != CAROM_WORLD))
            return CAROM_STATUS_BAD_LINK;
        if (t->a == t->b && t->link_a == t->link_b)
            return CAROM_STATUS_BAD_PAIR;
    }
    return CAROM_STATUS_OK;
}

typedef struct layout {
    double *K, *u, **g; /* (dim m)^2, dim m; g: rows of contact i on side k at 2 i + k */
    void *rest;
} layout;

static layout layout_of(const carom_touches *s, void *memory)
{
    block_memory block = {memory};
    size_t rows = (size_t)(s->count * s->dim), size = row_numbers(s);
    double *g = take_doubles(&block, size);
    layout l = {take_doubles(&block, rows * rows), take_doubles(&block, rows), (double **)(void *)block.at, NULL};
    l.rest = block.at + 2 * (size_t)s->count * sizeof *l.g;
    for (size_t i = 0; i < size; i++)
        g[i] = 0;
    for (int i = 0; i < 2 * s->count; i++) {
        l.g[i] = g;
        g += 3 * width_of(&s->touches[i / 2], i % 2);
    }
    return l;
}

/* Row a of the contact frame that row i of a problem stands for. */
static int axis_of(const carom_touches *s, int i)
{
    return i % s->dim == s->dim - 1 ? 2 : i % s->dim;
}

/* The rows of contact i; those without motion become zero. */
static carom_status fill_rows(const carom_touches *s, int i, const layout *l)
{
    const carom_touch *t = &s->touches[i];
    carom_problem one;
    carom_status status = carom_touch_rows(t, l->g[2 * i], l->g[2 * i + 1], &one);
    const double own[3] = {one.K.t11, one.K.t22, one.K.nn}, u[3] = {one.u.t1, one.u.t2, one.u.n};
    for (int k = 0; k < 2; k++) {
        size_t n = width_of(t, k);
        for (size_t a = 0; a < 3 * n; a++)
            l->g[2 * i + k][a] *= own[a / n] > 0 ? 1 : 0;
    }
    for (int a = 0; a < s->dim; a++)
        l->u[i * s->dim + a] = u[axis_of(s, a)];
    bool leaves = s->dim == 2 && (own[1] > 0 || u[1] != 0);
    return status ? status : leaves ? CAROM_STATUS_NOT_PLANAR : CAROM_STATUS_OK;
}

/* Entry (r, c) of K. */
static double entry(const carom_touches *s, const layout *l, int r, int c)
{
    int i = r / s->dim, j = c / s->dim;
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        const carom_touch *ti = &s->touches[i], *tj = &s->touches[j];
        const carom_motion *motion = side_of(ti, k / 2);
        if (!motion || motion != side_of(tj, k % 2))
            continue;
        int n = motion->mechanism->nv;
        const double *x = l->g[2 * i + k / 2] + axis_of(s, r) * n, *y = l->g[2 * j + k % 2] + axis_of(s, c) * n;
        for (int v = 0; v < n; v++)
            sum += x[v] * y[v];
    }
    return sum;
}

carom_status carom_touches_reduce(const carom_touches *s, void *memory, carom_contacts *problem)
{
    static const carom_contacts nothing;
    CAROM_ASSERT(s && s->touches && memory && problem);
    *problem = nothing;
    carom_status status = judge(s);
    if (status)
        return status;
    layout l = layout_of(s, memory);
    int rows = s->count * s->dim;
    for (int i = 0; i < s->count; i++) {
        status = fill_rows(s, i, &l);
        if (status)
            return status;
    }
    for (int r = 0; r < rows; r++)
        for (int c = 0; c <= r; c++)
            l.K[r * rows + c] = l.K[c * rows + r] = entry(s, &l, r, c);
    return carom_contacts_from_K(s->count, s->dim, l.K, l.u, l.rest, problem);
}

/* Does no touch before this side have the mechanism? */
static bool is_first(const carom_touches *s, int i, int k, const carom_motion *motion)
{
    for (int j = 0; j < 2 * i + k; j++)
        if (side_of(&s->touches[j / 2], j % 2) == motion)
            return false;
    return true;
}

void carom_touches_apply(const carom_touches *s, const double *p)
{
    CAROM_ASSERT(s && s->touches && p);
    for (int i = 0; i < 2 * s->count; i++) {
        carom_motion *motion = side_of(&s->touches[i / 2], i % 2);
        if (!motion || !is_first(s, i / 2, i % 2, motion))
            continue;
        carom_touch_clear(motion);
        for (int j = 0; j < s->count; j++) {
            const double *own = p + j * s->dim;
            carom_cvec impulse = {own[0], s->dim == 3 ? own[1] : 0, own[s->dim - 1]};
            carom_touch_load(&s->touches[j], impulse, motion);
        }
        carom_touch_move(motion);
    }
}
