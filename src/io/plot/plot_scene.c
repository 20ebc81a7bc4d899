/* carom plot scene: the bodies, their contact, and how they move before and after.
 *
 * A body is drawn as the ellipsoid that has its mass and inertia, which for a ball is the ball. Cases without bodies
 * show the contact alone, in its axes: the relative velocity before and after, and the impulse. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/solve.h"
#include "io/plot/plot_common.h"

#define PAGE_WIDTH  860.0
#define PAGE_HEIGHT 560.0
#define ARROW_SHARE 0.45 /* the longest arrow, of the size of the scene */
#define LEVEL       1e-9 /* of the size: what stands out of the plane of the paper */

enum { TURN = 72, ARROWS = 10 };

typedef struct arrow {
    carom_vec3 from, along; /* along: velocity or impulse, scaled later */
    unsigned rgb;
    double width;
} arrow;

typedef struct scene {
    const carom_plot *request;
    picture *p;
    frame f;
    carom_vec3 right, up; /* the axes of the paper in the world */
    double size;          /* of what is drawn, m */
    int count;
    arrow arrows[ARROWS];
    bool axonometric;
} scene;

static point on_paper(const scene *s, carom_vec3 v)
{
    point at = {carom_vec3_dot(s->right, v), carom_vec3_dot(s->up, v)};
    return at;
}

/* ---- what there is to see ---- */

/* The second moments of mass over the mass, five times: the matrix of the equivalent ellipsoid. */
static carom_sym3 moments(const carom_body *b)
{
    double half = 0.5 * (b->inertia.xx + b->inertia.yy + b->inertia.zz), k = 5 / b->mass;
    carom_sym3 m = {k * (half - b->inertia.xx), -k * b->inertia.xy, -k * b->inertia.xz,
                    k * (half - b->inertia.yy), -k * b->inertia.yz, k * (half - b->inertia.zz)};
    return m;
}

static double form(carom_sym3 m, carom_vec3 a, carom_vec3 b)
{
    return a.x * (m.xx * b.x + m.xy * b.y + m.xz * b.z) + a.y * (m.xy * b.x + m.yy * b.y + m.yz * b.z) +
           a.z * (m.xz * b.x + m.yz * b.y + m.zz * b.z);
}

/* A planar body is a disk: of the length of its arm when that is along the normal, else with I = m r^2 / 2. */
static carom_sym3 moments_of(const carom_case *c, const carom_body *b)
{
    if (c->dim == 3)
        return moments(b);
    carom_vec3 arm = b == &c->b ? c->contact.arm_b : c->contact.arm_a, n = c->contact.frame.n;
    double r2 = carom_vec3_dot(arm, arm), across = arm.x * n.y - arm.y * n.x;
    if (r2 == 0 || across * across > LEVEL * r2)
        r2 = 2 * b->inertia.zz / b->mass;
    carom_sym3 m = {r2, 0, 0, r2, 0, 0};
    return m;
}

static bool is_movable(const carom_body *b)
{
    return b->inv_mass > 0;
}

static double size_of(const carom_case *c)
{
    double size = 0;
    for (int i = 0; i < 2; i++) {
        const carom_body *b = i ? &c->b : &c->a;
        if (!is_movable(b))
            continue;
        carom_sym3 m = moments_of(c, b);
        size = fmax(size, sqrt(fmax(fmax(m.xx, m.yy), m.zz)));
        size = fmax(size, carom_vec3_length(i ? c->contact.arm_b : c->contact.arm_a));
    }
    return size;
}

static void add_arrow(scene *s, carom_vec3 from, carom_vec3 along, unsigned rgb, double width)
{
    if (s->count < ARROWS && carom_vec3_length(along) > 0)
        s->arrows[s->count++] = (arrow){from, along, rgb, width};
}

/* ---- the view ---- */

static bool lies_in_xz(const carom_case *c)
{
    const carom_vec3 all[] = {c->contact.arm_a, c->contact.arm_b, c->contact.frame.n, c->a.velocity, c->b.velocity};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (fabs(all[i].y) > LEVEL * carom_vec3_length(all[i]))
            return false;
    return true;
}

static void choose_view(scene *s)
{
    const carom_case *c = s->request->c;
    s->right = (carom_vec3){1, 0, 0};
    s->up = c->dim == 2 ? (carom_vec3){0, 1, 0} : (carom_vec3){0, 0, 1};
    if (c->dim == 2 || lies_in_xz(c))
        return;
    s->axonometric = true; /* from the front right, a little above */
    s->right = (carom_vec3){0.8660254037844387, 0.5, 0};
    s->up = (carom_vec3){-0.17101007166283436, 0.2961981327260238, 0.9396926207859084};
}

/* ---- drawing ---- */

static void hold(scene *s, carom_vec3 v)
{
    point at = on_paper(s, v);
    scale_hold(&s->f.sx, at.x);
    scale_hold(&s->f.sy, at.y);
}

/* The outline of the projected ellipsoid: Q^1/2 applied to a circle, by Cholesky. */
static void outline(const scene *s, const carom_case *c, const carom_body *b, carom_vec3 centre, point points[TURN + 1])
{
    carom_sym3 m = moments_of(c, b);
    double q11 = form(m, s->right, s->right), q12 = form(m, s->right, s->up), q22 = form(m, s->up, s->up);
    double l11 = sqrt(fmax(q11, 0)), l21 = l11 > 0 ? q12 / l11 : 0, l22 = sqrt(fmax(q22 - l21 * l21, 0));
    point at = on_paper(s, centre);
    for (int i = 0; i <= TURN; i++) {
        double a = 6.283185307179586 * i / TURN;
        points[i] = (point){at.x + l11 * cos(a), at.y + l21 * cos(a) + l22 * sin(a)};
    }
}

static void draw_body(const scene *s, const carom_body *b, carom_vec3 arm, const char *name)
{
    const frame *f = &s->f;
    point points[TURN + 1];
    carom_vec3 centre = carom_vec3_scale(-1, arm);
    outline(s, s->request->c, b, centre, points);
    for (int i = 0; i <= TURN; i++)
        (i ? draw_line : draw_move)(s->p, frame_x(f, points[i].x), frame_y(f, points[i].y));
    draw_close(s->p);
    draw_fill_keep(s->p, clear_paint(SKY, 0.25));
    draw_stroke(s->p, solid(GREY), 1.4);
    point at = on_paper(s, centre);
    draw_move(s->p, frame_x(f, at.x), frame_y(f, at.y));
    draw_line(s->p, frame_x(f, 0), frame_y(f, 0));
    draw_stroke_dashed(s->p, solid(GREY), 1.2, 4, 3);
    draw_circle(s->p, frame_x(f, at.x), frame_y(f, at.y), 3);
    draw_fill(s->p, solid(INK));
    draw_text(s->p, frame_x(f, at.x) - 8, frame_y(f, at.y) - 8, name, label_style(ANCHOR_RIGHT));
}

static void draw_arrow(const scene *s, const arrow *a, double unit)
{
    const frame *f = &s->f;
    point from = on_paper(s, a->from), along = on_paper(s, carom_vec3_scale(unit, a->along));
    point tip = {from.x + along.x, from.y + along.y};
    curve_style style = {a->rgb, a->width, 0, 0};
    point line[2] = {from, tip};
    if (hypot(along.x, along.y) <= LEVEL * s->size)
        return;
    frame_curve(f, line, 2, style);
    frame_arrow(f, tip, along, a->rgb);
}

/* The plane of contact, hatched on the side of an immovable B. */
static void draw_ground(const scene *s, carom_vec3 t, carom_vec3 n, bool hatched)
{
    const frame *f = &s->f;
    double reach = 1.6 * s->size;
    point a = on_paper(s, carom_vec3_scale(-reach, t)), b = on_paper(s, carom_vec3_scale(reach, t));
    draw_move(s->p, frame_x(f, a.x), frame_y(f, a.y));
    draw_line(s->p, frame_x(f, b.x), frame_y(f, b.y));
    draw_stroke(s->p, solid(INK), 1.6);
    for (int i = 0; hatched && i <= 24; i++) {
        carom_vec3 foot = carom_vec3_scale(reach * (i - 12) / 12.0, t);
        carom_vec3 end = carom_vec3_sub(foot, carom_vec3_scale(0.07 * s->size, carom_vec3_add(n, t)));
        point from = on_paper(s, foot), to = on_paper(s, end);
        draw_move(s->p, frame_x(f, from.x), frame_y(f, from.y));
        draw_line(s->p, frame_x(f, to.x), frame_y(f, to.y));
        draw_stroke(s->p, clear_paint(GREY, 0.8), 0.9);
    }
}

static void draw_key(const scene *s, bool bodies)
{
    const curve_style before = {BLUE, 2.2, 0, 0}, after = {RED, 2.2, 0, 0}, n = {GREEN, 1.6, 0, 0},
                      p = {PURPLE, 2.2, 0, 0};
    legend_entry entries[6] = {
        {ENTRY_HEAD, s->axonometric ? "seen from the front right" : "seen from the side", false, before, 0},
        {ENTRY_CURVE, bodies ? "velocity before" : "relative velocity before", false, before, 0},
        {ENTRY_CURVE, bodies ? "velocity after" : "relative velocity after", false, after, 0},
        {ENTRY_CURVE, "impulse on A", false, p, 0},
        {ENTRY_CURVE, "normal  *n*, from B to A", false, n, 0}};
    draw_legend(s->p, PAGE_WIDTH - 230, 90, 210, entries, 5);
    if (bodies)
        draw_text(s->p, PAGE_WIDTH - 230, 210, "Bodies are drawn as the", small_style(ANCHOR_LEFT));
    if (bodies)
        draw_text(s->p, PAGE_WIDTH - 230, 225, "ellipsoids of their inertia.", small_style(ANCHOR_LEFT));
}

/* ---- the two kinds of scene ---- */

static double longest(const scene *s, unsigned a, unsigned b)
{
    double most = 0;
    for (int i = 0; i < s->count; i++)
        if (s->arrows[i].rgb == a || s->arrows[i].rgb == b)
            most = fmax(most, carom_vec3_length(s->arrows[i].along));
    return most;
}

/* Velocities share one unit of length, impulses another; the normal has a length of its own. */
static double unit_of(const scene *s, const arrow *a)
{
    if (a->rgb == GREEN)
        return 0.35 * s->size;
    double most = a->rgb == PURPLE ? longest(s, PURPLE, PURPLE) : longest(s, BLUE, RED);
    return (a->rgb == PURPLE ? 0.8 : 1) * 2 * ARROW_SHARE * s->size / most;
}

static void add_bodies(scene *s, const carom_result *r)
{
    const carom_case *c = s->request->c;
    for (int i = 0; i < 2; i++) {
        const carom_body *b = i ? &c->b : &c->a, *after = i ? &r->b : &r->a;
        carom_vec3 centre = carom_vec3_scale(-1, i ? c->contact.arm_b : c->contact.arm_a);
        if (!is_movable(b))
            continue;
        add_arrow(s, centre, b->velocity, BLUE, 2.2);
        add_arrow(s, centre, after->velocity, RED, 2.2);
    }
    add_arrow(s, (carom_vec3){0, 0, 0}, carom_frame_to_world(c->contact.frame, r->outcome.p), PURPLE, 2.2);
    add_arrow(s, (carom_vec3){0, 0, 0}, c->contact.frame.n, GREEN, 1.6);
}

/* Contact axes: t1 to the right, n up. */
static void add_contact(scene *s, const carom_result *r)
{
    const carom_cvec u = s->request->c->problem.u, v = r->outcome.u_after, p = r->outcome.p;
    carom_vec3 here = {0, 0, 0};
    add_arrow(s, here, (carom_vec3){u.t1, u.t2, u.n}, BLUE, 2.2);
    add_arrow(s, here, (carom_vec3){v.t1, v.t2, v.n}, RED, 2.2);
    add_arrow(s, here, (carom_vec3){p.t1, p.t2, p.n}, PURPLE, 2.2);
    add_arrow(s, here, (carom_vec3){0, 0, 1}, GREEN, 1.6);
}

static void hold_all(scene *s, bool bodies)
{
    const carom_case *c = s->request->c;
    point points[TURN + 1];
    for (int k = 0; bodies && k < 2; k++) {
        const carom_body *b = k ? &c->b : &c->a;
        if (!is_movable(b))
            continue;
        outline(s, c, b, carom_vec3_scale(-1, k ? c->contact.arm_b : c->contact.arm_a), points);
        for (int i = 0; i < TURN; i++) {
            scale_hold(&s->f.sx, points[i].x);
            scale_hold(&s->f.sy, points[i].y);
        }
    }
    for (int i = 0; i < s->count; i++) {
        hold(s, s->arrows[i].from);
        hold(s, carom_vec3_add(s->arrows[i].from, carom_vec3_scale(unit_of(s, &s->arrows[i]), s->arrows[i].along)));
    }
    scale_pad(&s->f.sx, 0.12);
    scale_pad(&s->f.sy, 0.12);
    frame_equal(&s->f);
}

static void draw_all(scene *s, bool bodies)
{
    const carom_case *c = s->request->c;
    const carom_frame *axes = &c->contact.frame;
    carom_vec3 t = bodies ? axes->t1 : (carom_vec3){1, 0, 0}, n = bodies ? axes->n : (carom_vec3){0, 0, 1};
    frame_begin(&s->f);
    draw_ground(s, t, n, !bodies || !is_movable(&c->b));
    if (bodies && is_movable(&c->a))
        draw_body(s, &c->a, c->contact.arm_a, "A");
    if (bodies && is_movable(&c->b))
        draw_body(s, &c->b, c->contact.arm_b, "B");
    for (int i = 0; i < s->count; i++)
        draw_arrow(s, &s->arrows[i], unit_of(s, &s->arrows[i]));
    draw_circle(s->p, frame_x(&s->f, 0), frame_y(&s->f, 0), 3.5);
    draw_fill(s->p, solid(INK));
    frame_end(&s->f);
    draw_key(s, bodies);
}

carom_picture *carom_plot_scene(const carom_plot *request, char *why, size_t room)
{
    const carom_case *c = request->c;
    bool bodies = c->source == CAROM_SOURCE_BODIES;
    scene s = {.request = request};
    carom_result result = {0};
    carom_status status = carom_case_solve(c, &result);
    if (carom_status_is_error(status)) {
        carom_result_free(&result);
        return plot_refuse(why, room, "scene: %s", carom_status_message(status));
    }
    s.p = plot_page(request, PAGE_WIDTH, PAGE_HEIGHT, "Scene");
    if (!s.p)
        return plot_refuse(why, room, "out of memory");
    char text[300], line[360];
    coefficient_text(text, sizeof text, &c->rule, CAROM_COEFF_COUNT);
    snprintf(line, sizeof line, "%s:  %s", c->rule.law->id, text);
    plot_subtitle(s.p, line);
    s.f = frame_at(s.p, 40, 70, PAGE_WIDTH - 300, PAGE_HEIGHT - 100);
    s.size = bodies ? size_of(c) : 1;
    choose_view(&s);
    if (!bodies) {
        s.up = (carom_vec3){0, 0, 1};
        s.right = (carom_vec3){1, 0, 0};
        s.axonometric = c->dim == 3 && (c->problem.u.t2 != 0 || result.outcome.p.t2 != 0);
        if (s.axonometric) {
            s.right = (carom_vec3){0.8660254037844387, 0.5, 0};
            s.up = (carom_vec3){-0.17101007166283436, 0.2961981327260238, 0.9396926207859084};
        }
    }
    if (bodies)
        add_bodies(&s, &result);
    else
        add_contact(&s, &result);
    hold_all(&s, bodies);
    draw_all(&s, bodies);
    carom_result_free(&result);
    return s.p;
}
