/* A run of the simulator on paper: the bodies at some moments, the paths of their centres, the impacts.
 *
 * The view is that of the scene file; by default the plane of the motion when there is one, else from the front right,
 * a little above. Bodies are drawn from the back to the front. */
#include <math.h>
#include <stdlib.h>

#include "carom/plot_motion.h"
#include "core/rotate.h"
#include "io/plot/motion_note.h"
#include "io/plot/outline.h"
#include "io/plot/plot_common.h"
#include "io/plot/plot_surface.h"

#define PAGE_WIDTH  860.0
#define PAGE_HEIGHT 560.0
#define LEVEL       1e-6 /* of the size of the scene: what counts as out of the plane */

enum { GROUND_LINES = 12 };

typedef struct motion_page {
    const carom_motion_plot *request;
    frame f;
    view v;
    bool flat;   /* the motion keeps to the plane of the paper */
    bool *moves; /* of each body of the scene */
    carom_vec3 low, high;
    double size;
} motion_page;

/* One body at one moment, or a fixed one. */
typedef struct sight {
    int body;
    carom_vec3 position;
    carom_quat orientation;
    double depth, strength;
} sight;

static const carom_sim_state *state_at(const carom_motion_plot *m, int frame_number, int k)
{
    return &m->states[(size_t)frame_number * (size_t)m->body_count + (size_t)k];
}

static point on_paper(const motion_page *p, carom_vec3 at)
{
    return (point){carom_vec3_dot(p->v.right, at), carom_vec3_dot(p->v.up, at)};
}

/* ---- how large it is ---- */

static void hold(motion_page *p, carom_vec3 at, double reach)
{
    p->low = (carom_vec3){fmin(p->low.x, at.x - reach), fmin(p->low.y, at.y - reach), fmin(p->low.z, at.z - reach)};
    p->high = (carom_vec3){fmax(p->high.x, at.x + reach), fmax(p->high.y, at.y + reach), fmax(p->high.z, at.z + reach)};
}

static double reach_of_simple(const carom_solid *solid, int dim)
{
    double reach = 0;
    for (int k = 0; k < 26; k++) {
        int code = k < 13 ? k : k + 1; /* without the middle, which has no direction */
        carom_vec3 d = {code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
        reach = fmax(reach, carom_vec3_length(outline_support(solid, dim, d)));
    }
    return reach;
}

static double reach_of(const carom_motion_plot *m, int body)
{
    const carom_solid *solid = &m->file->bodies[body].solid;
    if (solid->kind != CAROM_SOLID_COMPOUND)
        return solid->kind == CAROM_SOLID_HALF_SPACE
                   ? 0
                   : reach_of_simple(solid, m->file->scene.dim) +
                         (m->file->bodies[body].own_com ? carom_vec3_length(m->file->centres[body]) : 0);
    double reach = 0;
    for (int i = 0; i < solid->part_count; i++) {
        carom_vec3 from = carom_vec3_sub(solid->parts[i].position, m->file->centres[body]);
        reach = fmax(reach, carom_vec3_length(from) + reach_of_simple(&solid->parts[i].solid, m->file->scene.dim));
    }
    return reach;
}

/* Drawn once, where it stands: no half-space, no surface, and not among those whose states are given. */
static bool is_still(const motion_page *p, int body)
{
    carom_solid_kind kind = p->request->file->bodies[body].solid.kind;
    return kind != CAROM_SOLID_HALF_SPACE && kind != CAROM_SOLID_MESH && !p->moves[body];
}

/* Where a joint is at the start. */
static void hold_joint(motion_page *p, const carom_joint_def *joint)
{
    const carom_body_def *def = &p->request->file->bodies[joint->a].def;
    if (joint->linear == 0)
        hold(p, carom_vec3_add(def->position, quat_turn(def->orientation, joint->point_a)), 0);
}

#define AROUND 0.4 /* of the size of the motion: so much of ground made of triangles is shown around it */

/* The part of a surface that is near the motion, if any is. */
static void hold_surface(motion_page *p, const carom_scene_body *b)
{
    carom_vec3 low, high, far = {AROUND * p->size, AROUND * p->size, AROUND * p->size};
    carom_vec3 from = carom_vec3_sub(p->low, far), to = carom_vec3_add(p->high, far);
    surface_bounds(b, &low, &high);
    low = (carom_vec3){fmax(low.x, from.x), fmax(low.y, from.y), fmax(low.z, from.z)};
    high = (carom_vec3){fmin(high.x, to.x), fmin(high.y, to.y), fmin(high.z, to.z)};
    if (!(low.x <= high.x && low.y <= high.y && low.z <= high.z))
        return;
    hold(p, low, 0);
    hold(p, high, 0);
}

static void measure(motion_page *p)
{
    const carom_motion_plot *m = p->request;
    p->low = (carom_vec3){INFINITY, INFINITY, INFINITY};
    p->high = (carom_vec3){-INFINITY, -INFINITY, -INFINITY};
    for (int k = 0; k < m->body_count; k++) {
        double reach = reach_of(m, m->bodies[k]);
        for (int i = 0; i < m->frames && !m->file->bodies[m->bodies[k]].def.fixed; i++)
            hold(p, state_at(m, i, k)->position, reach);
    }
    for (int i = 0; i < m->file->scene.body_count; i++)
        if (is_still(p, i))
            hold(p, m->file->bodies[i].def.position, reach_of(m, i));
    for (int i = 0; i < m->file->scene.joint_count; i++)
        hold_joint(p, &m->file->scene.joints[i]);
    if (!(p->low.x <= p->high.x))
        hold(p, (carom_vec3){0, 0, 0}, 1);
    p->size = carom_vec3_length(carom_vec3_sub(p->high, p->low));
    for (int i = 0; i < m->file->scene.body_count; i++)
        if (m->file->bodies[i].solid.kind == CAROM_SOLID_MESH)
            hold_surface(p, &m->file->bodies[i]);
}

/* ---- the view ---- */

/* Do all centres stay at one y, with gravity across it? */
static bool keeps_to_xz(const motion_page *p)
{
    const carom_motion_plot *m = p->request;
    double y = m->frames > 0 && m->body_count > 0 ? state_at(m, 0, 0)->position.y : 0;
    for (int i = 0; i < m->frames; i++)
        for (int k = 0; k < m->body_count; k++)
            if (fabs(state_at(m, i, k)->position.y - y) > LEVEL * p->size)
                return false;
    return true;
}

static void choose_view(motion_page *p)
{
    const carom_motion_plot *m = p->request;
    const carom_scene_view asked = m->file->view;
    p->flat = asked != CAROM_SCENE_VIEW_ABOVE;
    if (m->file->scene.dim == 2 || asked == CAROM_SCENE_VIEW_ABOVE)
        p->v = (view){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    else if (asked == CAROM_SCENE_VIEW_SIDE)
        p->v = (view){{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
    else if (asked == CAROM_SCENE_VIEW_FRONT || keeps_to_xz(p))
        p->v = (view){{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
    else {
        p->flat = false;
        p->v =
            (view){{0.9063077870366499, 0.42261826174069944, 0}, {-0.1628, 0.3491, 0.9228}, {0.3900, -0.8363, 0.3853}};
        p->v.toward = carom_vec3_cross(p->v.right, p->v.up);
        p->v.toward = carom_vec3_scale(1 / carom_vec3_length(p->v.toward), p->v.toward);
        p->v.up = carom_vec3_cross(p->v.toward, p->v.right);
    }
}

static void hold_box(motion_page *p)
{
    for (int k = 0; k < 8; k++) {
        carom_vec3 at = {k & 1 ? p->high.x : p->low.x, k & 2 ? p->high.y : p->low.y, k & 4 ? p->high.z : p->low.z};
        point q = on_paper(p, at);
        scale_hold(&p->f.sx, q.x);
        scale_hold(&p->f.sy, q.y);
    }
    scale_pad(&p->f.sx, 0.05);
    scale_pad(&p->f.sy, 0.05);
    frame_equal(&p->f);
}

/* ---- ground ---- */

static void path_to(const motion_page *p, point at, bool first)
{
    (first ? draw_move : draw_line)(p->f.picture, frame_x(&p->f, at.x), frame_y(&p->f, at.y));
}

/* A half-space whose face stands on the paper is a line with its solid side shaded. */
static void draw_edge(const motion_page *p, const carom_solid *s)
{
    point n = {carom_vec3_dot(s->normal, p->v.right), carom_vec3_dot(s->normal, p->v.up)};
    double length = hypot(n.x, n.y), far = 10 * p->size;
    if (length < 0.99)
        return; /* it faces the reader */
    point at = {n.x * s->offset, n.y * s->offset}, t = {n.y, -n.x};
    point middle = {0.5 * (p->f.sx.low + p->f.sx.high), 0.5 * (p->f.sy.low + p->f.sy.high)};
    double along = (middle.x - at.x) * t.x + (middle.y - at.y) * t.y;
    at = (point){at.x + along * t.x, at.y + along * t.y};
    path_to(p, (point){at.x - far * t.x, at.y - far * t.y}, true);
    path_to(p, (point){at.x + far * t.x, at.y + far * t.y}, false);
    path_to(p, (point){at.x + far * (t.x - n.x), at.y + far * (t.y - n.y)}, false);
    path_to(p, (point){at.x - far * (t.x + n.x), at.y - far * (t.y + n.y)}, false);
    draw_close(p->f.picture);
    draw_fill(p->f.picture, solid(PALE));
    frame_straight(&p->f, at, t, (curve_style){GREY, 1.2, 0, 0});
}

/* Seen from above, a grid on its face around the scene; walls and ceilings would hide it. */
static void draw_grid(const motion_page *p, const carom_solid *s)
{
    carom_frame axes;
    if (s->normal.z < 0.5 || carom_frame_init(s->normal, &axes) != CAROM_STATUS_OK)
        return;
    carom_vec3 middle = carom_vec3_scale(0.5, carom_vec3_add(p->low, p->high));
    middle = carom_vec3_add(middle, carom_vec3_scale(s->offset - carom_vec3_dot(s->normal, middle), s->normal));
    double half = 0.6 * p->size;
    for (int k = 0; k <= 2 * GROUND_LINES + 1; k++) {
        double at = half * (2.0 * (k / 2) / GROUND_LINES - 1);
        carom_vec3 a = carom_vec3_scale(at, k % 2 ? axes.t1 : axes.t2), b = k % 2 ? axes.t2 : axes.t1;
        carom_vec3 from = carom_vec3_add(middle, carom_vec3_add(a, carom_vec3_scale(-half, b)));
        carom_vec3 to = carom_vec3_add(middle, carom_vec3_add(a, carom_vec3_scale(half, b)));
        path_to(p, on_paper(p, from), true);
        path_to(p, on_paper(p, to), false);
        draw_stroke(p->f.picture, solid(0xd5d9dd), 0.7);
    }
}

static void draw_ground(const motion_page *p)
{
    const carom_scene_file *file = p->request->file;
    surface_view s = {.f = &p->f, .v = p->v, .flat = p->flat};
    carom_vec3 far = carom_vec3_scale(0.25, carom_vec3_sub(p->high, p->low));
    s.low = carom_vec3_sub(p->low, far);
    s.high = carom_vec3_add(p->high, far);
    s.plane = p->request->frames > 0 && p->request->body_count > 0
                  ? carom_vec3_dot(state_at(p->request, 0, 0)->position, p->v.toward)
                  : 0;
    for (int i = 0; i < file->scene.body_count; i++)
        if (file->bodies[i].solid.kind == CAROM_SOLID_MESH)
            draw_surface(&s, &file->bodies[i]);
    for (int i = 0; i < file->scene.body_count; i++)
        if (file->bodies[i].solid.kind == CAROM_SOLID_HALF_SPACE)
            (p->flat ? draw_edge : draw_grid)(p, &file->bodies[i].solid);
}

/* ---- bodies ---- */

static unsigned mix(unsigned rgb, unsigned other, double share)
{
    unsigned out = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        double a = rgb >> shift & 255, b = other >> shift & 255;
        out |= (unsigned)lround(a + share * (b - a)) << shift;
    }
    return out;
}

static void draw_outline(const motion_page *p, const outline *o, unsigned rgb, double strength)
{
    double per_metre = frame_x(&p->f, 1) - frame_x(&p->f, 0);
    for (int i = 0; i < o->count; i++)
        path_to(p, o->points[i], i == 0);
    if (o->count > 0)
        draw_close(p->f.picture);
    else
        draw_circle(p->f.picture, frame_x(&p->f, o->points[0].x), frame_y(&p->f, o->points[0].y),
                    per_metre * o->radius);
    unsigned fill = mix(mix(rgb, WHITE, 0.55), INK, 0.25 * o->shade);
    draw_fill_keep(p->f.picture, clear_paint(mix(fill, WHITE, 1 - strength), 0.9));
    draw_stroke(p->f.picture, solid(mix(rgb, WHITE, 0.85 * (1 - strength))), 0.9);
}

/* What has no width of its own. */
static bool draw_thin(const motion_page *p, const carom_solid *s, const outline_place *at, unsigned rgb)
{
    point middle = on_paper(p, at->position);
    if (s->kind == CAROM_SOLID_PARTICLE) {
        draw_circle(p->f.picture, frame_x(&p->f, middle.x), frame_y(&p->f, middle.y), 3.2);
        draw_fill(p->f.picture, solid(rgb));
        return true;
    }
    if (s->kind != CAROM_SOLID_SHAPE || s->shape.kind != CAROM_SHAPE_ROD)
        return false;
    carom_vec3 half =
        at->dim == 2 ? (carom_vec3){0.5 * s->shape.size[0], 0, 0} : (carom_vec3){0, 0, 0.5 * s->shape.size[0]};
    half = quat_turn(at->orientation, half);
    path_to(p, on_paper(p, carom_vec3_sub(at->position, half)), true);
    path_to(p, on_paper(p, carom_vec3_add(at->position, half)), false);
    draw_stroke(p->f.picture, solid(rgb), 2.6);
    return true;
}

static void draw_simple(const motion_page *p, const carom_solid *s, const outline_place *at, const sight *what)
{
    unsigned rgb = p->request->file->bodies[what->body].def.fixed ? GREY : curve_style_of(what->body).rgb;
    outline faces[OUTLINE_FACES];
    if (draw_thin(p, s, at, mix(rgb, WHITE, 0.85 * (1 - what->strength))))
        return;
    int count = outlines_of(s, at, &p->v, faces);
    for (int i = 0; i < count; i++)
        draw_outline(p, &faces[i], rgb, what->strength);
}

static void draw_body(const motion_page *p, const sight *what)
{
    const carom_scene_file *file = p->request->file;
    const carom_solid *s = &file->bodies[what->body].solid;
    carom_vec3 centre = file->centres[what->body];
    outline_place at = {what->position, what->orientation, file->scene.dim};
    if (s->kind == CAROM_SOLID_HULL || file->bodies[what->body].own_com)
        at.position = carom_vec3_sub(at.position, quat_turn(at.orientation, centre));
    if (s->kind != CAROM_SOLID_COMPOUND) {
        draw_simple(p, s, &at, what);
        return;
    }
    for (int i = 0; i < s->part_count; i++) {
        carom_quat q = what->orientation, t = s->parts[i].orientation;
        carom_vec3 from = carom_vec3_sub(s->parts[i].position, centre);
        at.position = carom_vec3_add(what->position, quat_turn(q, from));
        at.orientation =
            (carom_quat){q.w * t.w - q.x * t.x - q.y * t.y - q.z * t.z, q.w * t.x + q.x * t.w + q.y * t.z - q.z * t.y,
                         q.w * t.y - q.x * t.z + q.y * t.w + q.z * t.x, q.w * t.z + q.x * t.y - q.y * t.x + q.z * t.w};
        draw_simple(p, &s->parts[i].solid, &at, what);
    }
}

/* Strings to the joints that lie outside a body. */
#define STRING_SHARE 0.9 /* of the distance of a joint: a body that reaches further needs no string */

static void draw_string(const motion_page *p, const sight *what, carom_vec3 at)
{
    if (reach_of(p->request, what->body) > STRING_SHARE * carom_vec3_length(at))
        return;
    path_to(p, on_paper(p, what->position), true);
    path_to(p, on_paper(p, carom_vec3_add(what->position, quat_turn(what->orientation, at))), false);
    draw_stroke(p->f.picture, solid(mix(GREY, WHITE, 0.85 * (1 - what->strength))), 0.9);
}

static void draw_strings(const motion_page *p, const sight *what)
{
    const carom_scene *scene = &p->request->file->scene;
    for (int i = 0; i < scene->joint_count; i++) {
        const carom_joint_def *joint = &scene->joints[i];
        if (joint->linear == 0 && joint->a == what->body)
            draw_string(p, what, joint->point_a);
        if (joint->linear == 0 && joint->b == what->body)
            draw_string(p, what, joint->point_b);
    }
}

static int by_depth(const void *x, const void *y)
{
    const sight *a = x, *b = y;
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    return a->strength != b->strength ? (a->strength < b->strength ? -1 : 1) : a->body - b->body;
}

/* In the plane of the paper later moments lie above earlier ones. */
static int collect(const motion_page *p, sight *list)
{
    const carom_motion_plot *m = p->request;
    int count = 0;
    for (int i = 0; i < m->file->scene.body_count; i++)
        if (is_still(p, i)) {
            const carom_body_def *def = &m->file->bodies[i].def;
            list[count++] = (sight){i, def->position, def->orientation, carom_vec3_dot(def->position, p->v.toward), 1};
        }
    for (int j = 0; j < m->shown_count; j++)
        for (int k = 0; k < m->body_count; k++) {
            const carom_sim_state *s = state_at(m, m->shown[j], k);
            double depth = p->flat ? p->size * (1 + j) : carom_vec3_dot(s->position, p->v.toward);
            double strength = m->shown_count > 1 ? 0.35 + 0.65 * j / (m->shown_count - 1) : 1;
            list[count++] = (sight){m->bodies[k], s->position, s->orientation, depth, strength};
        }
    qsort(list, (size_t)count, sizeof *list, by_depth);
    return count;
}

/* ---- paths and impacts ---- */

/* Points closer than this on the page to the one before are left out. */
#define TRAIL_STEP 2.0

static void draw_trail(const motion_page *p, int k)
{
    const carom_motion_plot *m = p->request;
    int last = m->shown_count ? m->shown[m->shown_count - 1] : m->frames - 1;
    point before = {0, 0};
    if (m->file->bodies[m->bodies[k]].def.fixed || last < 1)
        return;
    for (int i = 0; i <= last; i++) {
        point at = on_paper(p, state_at(m, i, k)->position);
        point page = {frame_x(&p->f, at.x), frame_y(&p->f, at.y)};
        if (i > 0 && i < last && hypot(page.x - before.x, page.y - before.y) < TRAIL_STEP)
            continue;
        path_to(p, at, i == 0);
        before = page;
    }
    draw_stroke(p->f.picture, clear_paint(mix(curve_style_of(m->bodies[k]).rgb, WHITE, 0.2), 0.8), 0.9);
}

static void draw_impacts(const motion_page *p)
{
    const carom_motion_plot *m = p->request;
    for (int i = 0; i < m->mark_count; i++) {
        point at = on_paper(p, m->marks[i]);
        draw_circle(p->f.picture, frame_x(&p->f, at.x), frame_y(&p->f, at.y), 2.2);
        draw_fill(p->f.picture, solid(RED));
    }
}

carom_picture *carom_plot_motion(const carom_motion_plot *request, char *why, size_t room)
{
    motion_page p = {.request = request};
    size_t most = (size_t)request->file->scene.body_count + (size_t)request->shown_count * (size_t)request->body_count;
    sight *list = calloc(most + 1, sizeof *list);
    p.moves = calloc((size_t)request->file->scene.body_count + 1, sizeof *p.moves);
    picture *page = list && p.moves ? picture_new(PAGE_WIDTH, PAGE_HEIGHT) : NULL;
    if (!page) {
        free(list);
        free(p.moves);
        return plot_refuse(why, room, "out of memory");
    }
    snprintf(page->title, sizeof page->title, "%s", request->title ? request->title : "");
    draw_rectangle(page, 0, 0, PAGE_WIDTH, PAGE_HEIGHT);
    draw_fill(page, solid(WHITE));
    p.f = frame_at(page, 0, 0, PAGE_WIDTH, PAGE_HEIGHT);
    for (int k = 0; k < request->body_count; k++)
        p.moves[request->bodies[k]] = true;
    measure(&p);
    choose_view(&p);
    hold_box(&p);
    frame_begin(&p.f);
    draw_ground(&p);
    for (int k = 0; request->trails && k < request->body_count; k++)
        draw_trail(&p, k);
    int count = collect(&p, list);
    for (int i = 0; i < count; i++) {
        draw_strings(&p, &list[i]);
        draw_body(&p, &list[i]);
    }
    draw_impacts(&p);
    frame_end(&p.f);
    motion_note(&p.f, request);
    free(list);
    free(p.moves);
    return page;
}
