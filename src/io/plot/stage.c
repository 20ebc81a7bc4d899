#include "io/plot/stage.h"

#include <math.h>

#include "core/rotate.h"

#define ARROW_SHARE 0.9  /* the longest velocity, of the size of the largest body */
#define LEVEL       1e-9 /* of the size: what stands out of a plane */
#define TILE        0.9  /* half the side of a piece of the ground, of the size of the largest body */
#define PALE_BLUE   0xcfe6f5
#define ROUND       6.283185307179586

enum { TURN = 120, HATCHES = 24 };

void stage_add_arrow(stage *s, carom_vec3 from, carom_vec3 along, unsigned rgb)
{
    if (s->arrow_count < STAGE_ARROWS && carom_vec3_length(along) > 0)
        s->arrows[s->arrow_count++] = (stage_arrow){from, along, rgb};
}

carom_vec3 solid_support(const solid_body *b, carom_vec3 d)
{
    carom_vec3 arm = carom_sym3_apply(b->ellipsoid, d);
    double square = carom_vec3_dot(d, arm);
    if (!b->is_shape)
        return carom_vec3_scale(square > 0 ? 1 / sqrt(square) : 0, arm);
    (void)!carom_shape_touch(&b->shape, b->turn, d, &arm); /* the middle of an edge or a face will do */
    return arm;
}

/* ---- the view ---- */

static point on_paper(const stage *s, carom_vec3 v)
{
    return (point){carom_vec3_dot(s->right, v), carom_vec3_dot(s->up, v)};
}

static point on_page(const stage *s, carom_vec3 v)
{
    point at = on_paper(s, v);
    return (point){frame_x(&s->f, at.x), frame_y(&s->f, at.y)};
}

static double body_size(const solid_body *b)
{
    double size = 0;
    for (int i = 0; i < 3; i++) {
        carom_vec3 d = {i == 0, i == 1, i == 2};
        size = fmax(size, carom_vec3_dot(d, solid_support(b, d)));
    }
    return size;
}

/* The size of the largest body, or of the links together; 1 when only a contact is shown. */
static double stage_size(const stage *s)
{
    double size = 0;
    for (int i = 0; i < s->body_count; i++)
        size = fmax(size, body_size(&s->bodies[i]));
    for (int i = 0; i < s->bar_count; i++)
        size = fmax(size, carom_vec3_length(carom_vec3_sub(s->bars[i].to, s->bars[i].from)));
    return size > 0 ? size : 1;
}

/* Nothing moves or stands along this axis. */
static bool is_flat_along(const stage *s, carom_vec3 axis)
{
    for (int i = 0; i < s->arrow_count; i++) {
        const stage_arrow *a = &s->arrows[i];
        carom_vec3 from = carom_vec3_sub(a->from, s->contacts[0].at);
        if (fabs(carom_vec3_dot(axis, a->along)) > LEVEL * carom_vec3_length(a->along) ||
            fabs(carom_vec3_dot(axis, from)) > LEVEL * s->size)
            return false;
    }
    return true;
}

/* The world axis that is nearest to the normal of the ground is drawn upwards. */
static int vertical_axis(const stage *s)
{
    carom_vec3 n = s->contacts[0].axes.n;
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    if (!s->contacts[0].is_ground || (z >= x && z >= y))
        return 2;
    return y >= x ? 1 : 0;
}

static carom_vec3 world_axis(int i)
{
    return (carom_vec3){i % 3 == 0, i % 3 == 1, i % 3 == 2};
}

/* From the front right, a little above: turned by 30 degrees about the vertical and by 20 degrees down. */
static void choose_axonometric(stage *s)
{
    int vertical = vertical_axis(s);
    carom_vec3 x = world_axis(vertical + 1), y = world_axis(vertical + 2), z = world_axis(vertical);
    s->axonometric = true;
    s->right = carom_vec3_add(carom_vec3_scale(0.8660254037844387, x), carom_vec3_scale(0.5, y));
    s->up = carom_vec3_add(carom_vec3_scale(-0.17101007166283436, x), carom_vec3_scale(0.2961981327260238, y));
    s->up = carom_vec3_add(s->up, carom_vec3_scale(0.9396926207859084, z));
}

static void choose_view(stage *s)
{
    carom_vec3 x = world_axis(0), y = world_axis(1), z = world_axis(2);
    s->right = x;
    s->up = z;
    if (s->is_planar || (!is_flat_along(s, y) && is_flat_along(s, z)))
        s->up = y;
    else if (!is_flat_along(s, y) && is_flat_along(s, x))
        s->right = y;
    else if (!is_flat_along(s, y))
        choose_axonometric(s);
    s->out = carom_vec3_cross(s->right, s->up);
}

/* ---- lengths of arrows ---- */

static double longest(const stage *s, unsigned a, unsigned b)
{
    double most = 0;
    for (int i = 0; i < s->arrow_count; i++)
        if (s->arrows[i].rgb == a || s->arrows[i].rgb == b)
            most = fmax(most, carom_vec3_length(s->arrows[i].along));
    return most;
}

/* Velocities share one unit of length, impulses another; normals have a length of their own. */
static carom_vec3 arrow_tip(const stage *s, const stage_arrow *a)
{
    double most =
        a->rgb == IMPULSE_COLOUR ? longest(s, IMPULSE_COLOUR, IMPULSE_COLOUR) : longest(s, BEFORE_COLOUR, AFTER_COLOUR);
    double share = a->rgb == NORMAL_COLOUR    ? 0.35
                   : a->rgb == IMPULSE_COLOUR ? 0.8 * ARROW_SHARE / most
                                              : ARROW_SHARE / most;
    return carom_vec3_add(a->from, carom_vec3_scale(share * s->size, a->along));
}

/* ---- outlines ---- */

/* The silhouette of a convex body: its farthest points in every direction of the paper. */
static void outline(const stage *s, const solid_body *b, point points[TURN])
{
    for (int i = 0; i < TURN; i++) {
        double a = ROUND * i / TURN;
        carom_vec3 d = carom_vec3_add(carom_vec3_scale(cos(a), s->right), carom_vec3_scale(sin(a), s->up));
        points[i] = on_paper(s, carom_vec3_add(b->centre, solid_support(b, d)));
    }
}

static void hold(stage *s, carom_vec3 v)
{
    point at = on_paper(s, v);
    scale_hold(&s->f.sx, at.x);
    scale_hold(&s->f.sy, at.y);
}

/* The point of the plane of contact below the middle of what is drawn. */
static carom_vec3 ground_middle(const stage *s, const stage_contact *c)
{
    carom_vec3 middle = {0, 0, 0};
    for (int i = 0; i < s->contact_count; i++)
        middle = carom_vec3_add(middle, carom_vec3_scale(1.0 / s->contact_count, s->contacts[i].at));
    double off = carom_vec3_dot(c->axes.n, carom_vec3_sub(middle, c->at));
    return carom_vec3_sub(middle, carom_vec3_scale(off, c->axes.n));
}

/* Half the length of the ground that is drawn; seen from the side it crosses the page. */
static double ground_reach(const stage *s, const stage_contact *c)
{
    double span = fmax(s->f.sx.high - s->f.sx.low, s->f.sy.high - s->f.sy.low);
    return !c->is_ground ? 0.5 * s->size : s->axonometric ? TILE * s->size : span;
}

/* A corner of a tile of the plane of contact. */
static carom_vec3 tile_corner(const stage *s, const stage_contact *c, int i)
{
    static const double corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    double reach = ground_reach(s, c);
    carom_vec3 off = carom_vec3_add(carom_vec3_scale(reach * corners[i][0], c->axes.t1),
                                    carom_vec3_scale(reach * corners[i][1], c->axes.t2));
    return carom_vec3_add(c->is_ground ? ground_middle(s, c) : c->at, off);
}

void stage_look(stage *s)
{
    point points[TURN];
    s->size = stage_size(s);
    choose_view(s);
    for (int k = 0; k < s->body_count; k++) {
        outline(s, &s->bodies[k], points);
        for (int i = 0; i < TURN; i++) {
            scale_hold(&s->f.sx, points[i].x);
            scale_hold(&s->f.sy, points[i].y);
        }
    }
    for (int i = 0; i < s->bar_count; i++) {
        hold(s, s->bars[i].from);
        hold(s, s->bars[i].to);
    }
    for (int i = 0; i < s->contact_count; i++) {
        hold(s, s->contacts[i].at);
        for (int k = 0; s->axonometric && k < 4; k++)
            hold(s, tile_corner(s, &s->contacts[i], k));
    }
    for (int i = 0; i < s->arrow_count; i++) {
        hold(s, s->arrows[i].from);
        hold(s, arrow_tip(s, &s->arrows[i]));
    }
    scale_pad(&s->f.sx, 0.12);
    scale_pad(&s->f.sy, 0.12);
    frame_equal(&s->f);
}

/* ---- the ground ---- */

static void draw_segment(const stage *s, carom_vec3 from, carom_vec3 to)
{
    point a = on_page(s, from), b = on_page(s, to);
    draw_move(s->p, a.x, a.y);
    draw_line(s->p, b.x, b.y);
}

/* Seen from the side: a line, hatched below when nothing can move there. */
static void draw_ground_line(const stage *s, const stage_contact *c)
{
    carom_vec3 t = fabs(carom_vec3_dot(c->axes.t1, s->out)) > 0.5 ? c->axes.t2 : c->axes.t1, n = c->axes.n;
    carom_vec3 side = carom_vec3_scale(ground_reach(s, c), t), middle = c->is_ground ? ground_middle(s, c) : c->at;
    draw_segment(s, carom_vec3_sub(middle, side), carom_vec3_add(middle, side));
    draw_stroke(s->p, solid(c->is_ground ? INK : GREY), c->is_ground ? 1.6 : 1);
    for (int i = 0; c->is_ground && i <= HATCHES; i++) {
        carom_vec3 foot = carom_vec3_add(middle, carom_vec3_scale(2.0 * i / HATCHES - 1, side));
        carom_vec3 back = carom_vec3_scale(0.07 * s->size, carom_vec3_add(n, t));
        draw_segment(s, foot, carom_vec3_sub(foot, back));
        draw_stroke(s->p, clear_paint(GREY, 0.8), 0.9);
    }
}

/* Seen from above: a tile of the plane. */
static void draw_ground_tile(const stage *s, const stage_contact *c)
{
    for (int i = 0; i < 4; i++) {
        point at = on_page(s, tile_corner(s, c, i));
        (i ? draw_line : draw_move)(s->p, at.x, at.y);
    }
    draw_close(s->p);
    draw_fill_keep(s->p, clear_paint(GREY, c->is_ground ? 0.14 : 0.07));
    draw_stroke(s->p, clear_paint(GREY, 0.6), 0.9);
}

/* Two contacts with the same plane share their ground. */
static bool is_drawn_before(const stage *s, int k)
{
    const stage_contact *c = &s->contacts[k];
    for (int i = 0; i < k; i++) {
        const stage_contact *o = &s->contacts[i];
        double off = carom_vec3_dot(c->axes.n, carom_vec3_sub(o->at, c->at));
        if (o->is_ground && carom_vec3_length(carom_vec3_sub(o->axes.n, c->axes.n)) < LEVEL &&
            fabs(off) < LEVEL * s->size)
            return true;
    }
    return false;
}

static void draw_ground(const stage *s, int k)
{
    const stage_contact *c = &s->contacts[k];
    if (!c->is_ground || !is_drawn_before(s, k))
        (s->axonometric ? draw_ground_tile : draw_ground_line)(s, c);
}

/* ---- bodies ---- */

/* A circle of the body around its own z axis, at this height. */
static void draw_ring(const stage *s, const solid_body *b, double radius, double height)
{
    for (int i = 0; i < TURN; i++) {
        double a = ROUND * i / TURN;
        carom_vec3 v = quat_turn(b->turn, (carom_vec3){radius * cos(a), radius * sin(a), height});
        point at = on_page(s, carom_vec3_add(b->centre, v));
        (i ? draw_line : draw_move)(s->p, at.x, at.y);
    }
    draw_close(s->p);
    draw_stroke(s->p, solid(GREY), 1);
}

/* The edges that meet in the corner nearest to the reader. */
static void draw_box_edges(const stage *s, const solid_body *b)
{
    double along[3], half[3];
    carom_vec3 axes[3], corner = b->centre;
    for (int i = 0; i < 3; i++) {
        axes[i] = quat_turn(b->turn, world_axis(i));
        along[i] = carom_vec3_dot(axes[i], s->out);
        half[i] = (along[i] < 0 ? -0.5 : 0.5) * b->shape.size[i];
        corner = carom_vec3_add(corner, carom_vec3_scale(half[i], axes[i]));
    }
    for (int i = 0; i < 3; i++)
        if (fabs(along[(i + 1) % 3]) > LEVEL && fabs(along[(i + 2) % 3]) > LEVEL) {
            draw_segment(s, corner, carom_vec3_sub(corner, carom_vec3_scale(2 * half[i], axes[i])));
            draw_stroke(s->p, solid(GREY), 1);
        }
}

/* Edges inside the silhouette, on the side of the reader. */
static void draw_edges(const stage *s, const solid_body *b)
{
    const double *size = b->shape.size;
    double tilt = carom_vec3_dot(quat_turn(b->turn, world_axis(2)), s->out);
    if (!b->is_shape)
        return;
    if (b->shape.kind == CAROM_SHAPE_BOX)
        draw_box_edges(s, b);
    if (b->shape.kind == CAROM_SHAPE_CYLINDER && fabs(tilt) > LEVEL)
        draw_ring(s, b, size[0], (tilt > 0 ? 0.5 : -0.5) * size[1]);
    if (b->shape.kind == CAROM_SHAPE_CONE && tilt < -LEVEL)
        draw_ring(s, b, size[0], -0.25 * size[1]);
}

static void draw_solid(const stage *s, const solid_body *b)
{
    bool thin = b->is_shape && (b->shape.kind == CAROM_SHAPE_ROD || b->shape.kind == CAROM_SHAPE_DISK);
    point points[TURN], centre = on_page(s, b->centre);
    outline(s, b, points);
    for (int i = 0; i < TURN; i++)
        (i ? draw_line : draw_move)(s->p, frame_x(&s->f, points[i].x), frame_y(&s->f, points[i].y));
    draw_close(s->p);
    draw_fill_keep(s->p, b->is_fixed ? clear_paint(GREY, 0.14) : clear_paint(SKY, 0.25));
    draw_stroke(s->p, solid(GREY), thin ? 3 : 1.4);
    draw_edges(s, b);
    if (b->is_fixed)
        return;
    draw_circle(s->p, centre.x, centre.y, 3);
    draw_fill(s->p, solid(INK));
}

static void draw_name(const stage *s, const solid_body *b)
{
    text_style style = label_style(ANCHOR_RIGHT);
    point centre = on_page(s, b->centre);
    style.plain = true;
    draw_text(s->p, centre.x - 8, centre.y - 8, b->name, style);
}

static void draw_arm(const stage *s, int body, carom_vec3 contact)
{
    if (body < 0 || s->bodies[body].is_fixed)
        return;
    draw_segment(s, s->bodies[body].centre, contact);
    draw_stroke_dashed(s->p, solid(GREY), 1.2, 4, 3);
}

/* ---- links ---- */

static void draw_bar(const stage *s, const link_bar *b)
{
    point a = on_page(s, b->from), e = on_page(s, b->to);
    draw_segment(s, b->from, b->to);
    draw_stroke(s->p, solid(GREY), 11);
    draw_circle(s->p, e.x, e.y, 5.5);
    draw_fill(s->p, solid(GREY));
    draw_circle(s->p, a.x, a.y, 5.5);
    draw_fill(s->p, solid(GREY));
    draw_segment(s, b->from, b->to);
    draw_stroke(s->p, solid(PALE_BLUE), 8.2);
    draw_circle(s->p, e.x, e.y, 4.1);
    draw_fill(s->p, solid(PALE_BLUE));
}

/* A bracket that holds a joint to the world, on the side away from the link. */
static void draw_bracket(const stage *s, const link_bar *b)
{
    point a = on_page(s, b->from), e = on_page(s, b->to);
    double down = e.y > a.y ? -1 : 1;
    draw_move(s->p, a.x, a.y);
    draw_line(s->p, a.x - 10, a.y + 18 * down);
    draw_line(s->p, a.x + 10, a.y + 18 * down);
    draw_close(s->p);
    draw_fill_keep(s->p, solid(PALE));
    draw_stroke(s->p, solid(GREY), 1.2);
    draw_move(s->p, a.x - 16, a.y + 18 * down);
    draw_line(s->p, a.x + 16, a.y + 18 * down);
    draw_stroke(s->p, solid(INK), 1.6);
}

static void draw_joint(const stage *s, const link_bar *b)
{
    point a = on_page(s, b->from);
    if (b->joint == CAROM_JOINT_PRISMATIC)
        draw_rectangle(s->p, a.x - 5, a.y - 5, 10, 10);
    else
        draw_circle(s->p, a.x, a.y, b->joint == CAROM_JOINT_FIXED ? 2.5 : 5);
    draw_fill_keep(s->p, solid(b->joint == CAROM_JOINT_FIXED ? INK : WHITE));
    draw_stroke(s->p, solid(INK), 1.6);
}

static void draw_links(const stage *s)
{
    for (int i = 0; i < s->bar_count; i++)
        if (s->bars[i].has_joint && s->bars[i].on_world)
            draw_bracket(s, &s->bars[i]);
    for (int i = 0; i < s->bar_count; i++)
        draw_bar(s, &s->bars[i]);
    for (int i = 0; i < s->bar_count; i++)
        if (s->bars[i].has_joint)
            draw_joint(s, &s->bars[i]);
}

/* ---- everything ---- */

static void draw_arrow(const stage *s, const stage_arrow *a)
{
    point from = on_paper(s, a->from), tip = on_paper(s, arrow_tip(s, a));
    point along = {tip.x - from.x, tip.y - from.y}, line[2] = {from, tip};
    curve_style style = {a->rgb, a->rgb == NORMAL_COLOUR ? 1.6 : 2.2, 0, 0};
    if (hypot(along.x, along.y) <= LEVEL * s->size)
        return;
    frame_curve(&s->f, line, 2, style);
    frame_arrow(&s->f, tip, along, a->rgb);
}

void stage_draw(const stage *s)
{
    frame_begin(&s->f);
    for (int i = 0; i < s->contact_count; i++)
        draw_ground(s, i);
    for (int i = 0; i < s->body_count; i++)
        draw_solid(s, &s->bodies[i]);
    for (int i = 0; i < s->contact_count; i++) {
        draw_arm(s, s->contacts[i].a, s->contacts[i].at);
        draw_arm(s, s->contacts[i].b, s->contacts[i].at);
    }
    draw_links(s);
    for (int i = 0; i < s->arrow_count; i++)
        draw_arrow(s, &s->arrows[i]);
    for (int i = 0; i < s->contact_count; i++) {
        const stage_contact *c = &s->contacts[i];
        point at = on_page(s, c->at);
        draw_circle(s->p, at.x, at.y, 3.5);
        draw_fill(s->p, solid(INK));
        if (s->contact_count > 1)
            draw_number(s->p, at.x + 11, at.y + 13, i + 1);
    }
    for (int i = 0; i < s->body_count; i++)
        draw_name(s, &s->bodies[i]);
    frame_end(&s->f);
}
