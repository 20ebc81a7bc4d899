/* Ground made of triangles on paper: shaded triangles from the back to the front, or, where the paper is the plane of
 * the motion, their shadow and the line along which that plane cuts them. */
#include "io/plot/plot_surface.h"

#include <math.h>
#include <stdlib.h>

#include "core/rotate.h"
#include "io/plot/plot_common.h"

#define LIGHT 0xeceae4
#define DARK  0xb4b0a4

enum { SURFACE_MOST = 200000 }; /* triangles of a picture */

typedef struct facet {
    carom_vec3 corner[3];
    double depth, light;
} facet;

static carom_vec3 placed(const carom_scene_body *b, int i)
{
    return carom_vec3_add(b->def.position, quat_turn(b->def.orientation, b->solid.points[i]));
}

void surface_bounds(const carom_scene_body *b, carom_vec3 *low, carom_vec3 *high)
{
    *low = (carom_vec3){INFINITY, INFINITY, INFINITY};
    *high = (carom_vec3){-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 3 * b->solid.triangle_count; i++) {
        carom_vec3 x = placed(b, b->solid.triangles[i]);
        *low = (carom_vec3){fmin(low->x, x.x), fmin(low->y, x.y), fmin(low->z, x.z)};
        *high = (carom_vec3){fmax(high->x, x.x), fmax(high->y, x.y), fmax(high->z, x.z)};
    }
}

static int by_depth(const void *x, const void *y)
{
    const facet *a = x, *b = y;
    return a->depth < b->depth ? -1 : a->depth > b->depth;
}

/* How much of a facet is seen; negative: its back. Light comes from above, behind the reader's left shoulder. */
static double look(facet *f, const surface_view *s)
{
    carom_vec3 n =
        carom_vec3_cross(carom_vec3_sub(f->corner[1], f->corner[0]), carom_vec3_sub(f->corner[2], f->corner[0]));
    double area = carom_vec3_length(n);
    carom_vec3 sun = carom_vec3_add(carom_vec3_sub(s->v.toward, carom_vec3_scale(0.7, s->v.right)), s->v.up);
    if (!(area > 0))
        return -1;
    f->light = carom_vec3_dot(n, sun) / (area * carom_vec3_length(sun));
    f->depth = carom_vec3_dot(carom_vec3_add(f->corner[0], carom_vec3_add(f->corner[1], f->corner[2])), s->v.toward);
    return carom_vec3_dot(n, s->v.toward) / area;
}

static bool is_near(const facet *f, const surface_view *s)
{
    carom_vec3 low = f->corner[0], high = low;
    for (int k = 1; k < 3; k++) {
        carom_vec3 x = f->corner[k];
        low = (carom_vec3){fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z)};
        high = (carom_vec3){fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z)};
    }
    return low.x <= s->high.x && high.x >= s->low.x && low.y <= s->high.y && high.y >= s->low.y;
}

static void path_to(const surface_view *s, carom_vec3 at, bool first)
{
    (first ? draw_move : draw_line)(s->f->picture, frame_x(s->f, carom_vec3_dot(s->v.right, at)),
                                    frame_y(s->f, carom_vec3_dot(s->v.up, at)));
}

static unsigned shade(double light)
{
    unsigned out = 0;
    double share = 0.5 * (1 - light);
    for (int shift = 0; shift < 24; shift += 8) {
        double a = LIGHT >> shift & 255, b = DARK >> shift & 255;
        out |= (unsigned)lround(a + share * (b - a)) << shift;
    }
    return out;
}

static void draw_facet(const surface_view *s, const facet *f)
{
    for (int k = 0; k < 3; k++)
        path_to(s, f->corner[k], k == 0);
    draw_close(s->f->picture);
    if (s->flat) {
        draw_fill(s->f->picture, solid(PALE));
        return;
    }
    draw_fill_keep(s->f->picture, solid(shade(f->light)));
    draw_stroke(s->f->picture, solid(0xc2bfb5), 0.4);
}

/* Where the plane of the motion cuts a facet. */
static void draw_cut(const surface_view *s, const facet *f)
{
    carom_vec3 end[3];
    int count = 0;
    for (int k = 0; k < 3; k++) {
        carom_vec3 a = f->corner[k], b = f->corner[(k + 1) % 3];
        double da = carom_vec3_dot(a, s->v.toward) - s->plane, db = carom_vec3_dot(b, s->v.toward) - s->plane;
        if ((da < 0) != (db < 0))
            end[count++] = carom_vec3_add(a, carom_vec3_scale(da / (da - db), carom_vec3_sub(b, a)));
    }
    if (count != 2)
        return;
    path_to(s, end[0], true);
    path_to(s, end[1], false);
    draw_stroke(s->f->picture, solid(GREY), 1.2);
}

void draw_surface(const surface_view *s, const carom_scene_body *b)
{
    const int most = b->solid.triangle_count < SURFACE_MOST ? b->solid.triangle_count : SURFACE_MOST;
    facet *list = malloc(((size_t)most + 1) * sizeof *list);
    int count = 0;
    for (int k = 0; list && k < b->solid.triangle_count && count < most; k++) {
        facet f = {.depth = 0};
        for (int c = 0; c < 3; c++)
            f.corner[c] = placed(b, b->solid.triangles[3 * k + c]);
        if ((look(&f, s) > 0 || s->flat) && is_near(&f, s))
            list[count++] = f;
    }
    qsort(list, (size_t)count, sizeof *list, by_depth);
    for (int k = 0; k < count; k++)
        draw_facet(s, &list[k]);
    for (int k = 0; s->flat && k < count; k++)
        draw_cut(s, &list[k]);
    free(list);
}
