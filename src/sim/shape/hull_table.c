#include "sim/shape/hull_table.h"

#include <math.h>
#include <string.h>

#include "sim/shape/feature.h"
#include "sim/shape/hull.h"

typedef struct adding {
    hull_table *table;
    const carom_memory *memory;
    bool fails;
} adding;

static void add_corner(adding *x, int corner)
{
    int *at = store_push(&x->table->corners, x->memory);
    if (at)
        *at = corner;
    else
        x->fails = true;
}

/* The corner furthest from the first one, or from the line through it along e. */
static int furthest(const hull_points *h, const int *corner, int count, carom_vec3 e)
{
    int best = corner[0];
    double most = -1;
    for (int k = 0; k < count; k++) {
        carom_vec3 r = carom_vec3_sub(h->at[corner[k]], h->at[corner[0]]);
        double away = carom_vec3_length(vec_across(r, e));
        if (away > most)
            most = away, best = corner[k];
    }
    return best;
}

static void span_face(const hull_points *h, const int *corner, hull_face *f)
{
    const carom_vec3 none = {0, 0, 0};
    f->far[0] = furthest(h, corner, f->count, none);
    carom_vec3 e = carom_vec3_sub(h->at[f->far[0]], h->at[corner[0]]);
    f->far[1] = furthest(h, corner, f->count, carom_vec3_scale(1 / carom_vec3_length(e), e));
}

static void add_face(void *context, const hull_points *h, int first, carom_vec3 normal)
{
    adding *x = context;
    hull_face *f = store_push(&x->table->faces, x->memory);
    if (!f) {
        x->fails = true;
        return;
    }
    f->normal = normal;
    f->first = (int)x->table->corners.count;
    for (int c = first; c >= 0 && f->count < h->count && !x->fails && !(f->count && c == first); f->count++) {
        add_corner(x, c);
        c = hull_next(h, c, normal);
    }
    if (!x->fails)
        span_face(h, store_ints(&x->table->corners) + f->first, f);
    x->table->most_corners = f->count > x->table->most_corners ? f->count : x->table->most_corners;
}

static void add_edge(adding *x, const hull_points *h, int from, int to)
{
    carom_vec3 e = carom_vec3_sub(h->at[to], h->at[from]);
    hull_face *f = store_push(&x->table->faces, x->memory);
    if (!f) {
        x->fails = true;
        return;
    }
    *f = (hull_face){.normal = carom_vec3_scale(1 / carom_vec3_length(e), carom_vec3_make(e.y, -e.x, 0))};
    f->first = (int)x->table->corners.count;
    f->count = 2;
    f->far[0] = f->far[1] = from < to ? to : from;
    add_corner(x, from < to ? from : to);
    add_corner(x, from < to ? to : from);
}

static void add_edges(adding *x, const hull_points *h)
{
    const carom_vec3 up = {0, 0, 1};
    int first = 0, from, to;
    for (int i = 1; i < h->count; i++)
        first =
            h->at[i].x < h->at[first].x || (h->at[i].x == h->at[first].x && h->at[i].y < h->at[first].y) ? i : first;
    from = first;
    for (int k = 0; k < h->count; k++, from = to) {
        to = hull_next(h, from, up);
        if (to < 0)
            return;
        add_edge(x, h, from, to);
        if (to == first)
            return;
    }
}

bool hull_is_same(const carom_solid *a, const carom_solid *b)
{
    return a->kind == CAROM_SOLID_HULL && b->kind == CAROM_SOLID_HULL && a->point_count == b->point_count &&
           a->point_count > 0 && a->points && b->points &&
           (a->points == b->points || memcmp(a->points, b->points, (size_t)a->point_count * sizeof *a->points) == 0);
}

bool hull_table_add(hull_table *t, const carom_memory *memory, int dim, const carom_vec3 *points, piece *p)
{
    adding x = {t, memory, false};
    hull_points h = hull_of(points, p->point_count);
    size_t first = t->faces.count;
    if (dim == 2)
        add_edges(&x, &h);
    else
        hull_faces(&h, add_face, &x);
    p->first_face = (int)first;
    p->face_count = (int)(t->faces.count - first);
    t->most_points = p->point_count > t->most_points ? p->point_count : t->most_points;
    return !x.fails;
}

bool hull_table_link(hull_table *t, const carom_memory *memory, piece *pieces, size_t count)
{
    hull_face *faces = t->faces.data;
    for (size_t k = 0; k < t->faces.count; k++)
        faces[k].corner = store_ints(&t->corners) + faces[k].first;
    for (size_t k = 0; k < count; k++)
        pieces[k].faces = pieces[k].face_count ? faces + pieces[k].first_face : NULL;
    t->weighed = (carom_solid){.kind = CAROM_SOLID_PARTICLE};
    return store_resize(&t->clip, memory, 4 * (size_t)(t->most_corners + FEATURE_POINTS)) &&
           store_resize(&t->rest, memory, (size_t)(t->most_points + BOX_POINTS));
}
