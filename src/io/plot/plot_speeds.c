/* carom plot speeds: the path of an impact in the plane of two generalized speeds (Morgan 2011, figures 2.2 to 2.9).
 *
 *     qdot(p) = qdot + M^-1 J^T p,   u(p) = u + K p
 *
 * In a planar contact p has two components, so that a point of the plane belongs to one impulse, and the conditions
 * v_t = 0 and v_n = 0 are straight lines. With two speeds these are J_t qdot = 0 and J_n qdot = 0. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/solve.h"
#include "io/plot/plot_common.h"

enum { WIDTH = 800, HEIGHT = 600, ENTRIES = 48 };

#define PLOT_X   72.0
#define PLOT_Y   62.0
#define PLOT_W   480.0
#define PLOT_H   480.0
#define LEGEND_X 580.0
#define LEGEND_W 200.0
#define PAD      0.12  /* of the range of the speeds */
#define FLAT     1e-12 /* of the product of two columns: they are parallel, and the path is one line */
#define BESIDE   12.0  /* page units from a line to its name */

static const curve_style approach = {GREY, 0, 0, 0};

/* The affine map from (p_t, p_n) to the plane of two speeds, and back to the velocities. */
typedef struct plane {
    point start, along_t, along_n;     /* speeds: start + p_t along_t + p_n along_n */
    double u_t, u_n, K_tt, K_tn, K_nn; /* velocities: u + K p */
    carom_direction t;                 /* the tangent of the plane of contact */
    bool has_lines;
} plane;

typedef struct scene {
    const carom_case *c;
    int x, y; /* the speeds shown, from 0 */
    plane plane;
    frame frame;
    int law_count;
    const carom_law *laws[CAROM_PLOT_LAWS];
} scene;

/* The lines are grey where colours belong to laws. */
static curve_style n_line(const scene *s)
{
    curve_style style = {s->law_count == 1 ? RED : GREY, 1.6, 0, 0};
    return style;
}

static curve_style t_line(const scene *s)
{
    curve_style style = {s->law_count == 1 ? BLUE : GREY, 1.6, 7, 4};
    return style;
}

/* ---- the plane ---- */

/* The two speeds once p has acted. */
static bool speeds_at(const scene *s, carom_cvec p, point *at)
{
    double *qdot = malloc((size_t)s->c->mechanism.n * sizeof *qdot);
    if (!qdot)
        return false;
    carom_generalized_apply(&s->c->mechanism, p, qdot);
    at->x = qdot[s->x];
    at->y = qdot[s->y];
    free(qdot);
    return true;
}

static point difference(point a, point b)
{
    point d = {a.x - b.x, a.y - b.y};
    return d;
}

static double cross(point a, point b)
{
    return a.x * b.y - a.y * b.x;
}

/* An impulse of two components, in the axes of the case. */
static carom_cvec impulse(const plane *p, double along_t, double along_n)
{
    return carom_cvec_make(along_t * p->t.c, along_t * p->t.s, along_n);
}

/* False when memory ends. */
static bool find_plane(scene *s)
{
    plane *p = &s->plane;
    carom_problem turned = carom_problem_turned(&s->c->problem, p->t);
    point t, n;
    p->u_t = turned.u.t1;
    p->u_n = turned.u.n;
    p->K_tt = turned.K.t11;
    p->K_tn = turned.K.t1n;
    p->K_nn = turned.K.nn;
    if (!speeds_at(s, impulse(p, 0, 0), &p->start) || !speeds_at(s, impulse(p, 1, 0), &t) ||
        !speeds_at(s, impulse(p, 0, 1), &n))
        return false;
    p->along_t = difference(t, p->start);
    p->along_n = difference(n, p->start);
    double size = hypot(p->along_t.x, p->along_t.y) * hypot(p->along_n.x, p->along_n.y);
    p->has_lines = fabs(cross(p->along_t, p->along_n)) > FLAT * size;
    return true;
}

/* The point of the plane that an impulse leads to. */
static point lead(const plane *p, double along_t, double along_n)
{
    point at = {p->start.x + along_t * p->along_t.x + along_n * p->along_n.x,
                p->start.y + along_t * p->along_t.y + along_n * p->along_n.y};
    return at;
}

/* u + k_t p_t + k_n p_n = 0: a line of impulses, and so a line of speeds. */
static void line_of(const plane *p, double u, double k_t, double k_n, point *through, point *direction)
{
    double square = k_t * k_t + k_n * k_n;
    *through = lead(p, -u * k_t / square, -u * k_n / square);
    *direction = (point){-k_n * p->along_t.x + k_t * p->along_n.x, -k_n * p->along_t.y + k_t * p->along_n.y};
}

/* ---- drawing ---- */

/* The name of a line where it leaves the frame on the upper side. */
static void name_line(const frame *f, point through, point direction, const char *name, unsigned rgb)
{
    double x = frame_x(f, through.x), y = frame_y(f, through.y);
    double dx = frame_x(f, through.x + direction.x) - x, dy = frame_y(f, through.y + direction.y) - y;
    double best = -INFINITY, margin = 34, size = hypot(dx, dy);
    const double reach[4] = {(f->x + margin - x) / dx, (f->x + f->width - margin - x) / dx, (f->y + margin - y) / dy,
                             (f->y + f->height - margin - y) / dy};
    for (int i = 0; i < 4; i++) { /* the highest of the points where it crosses a margin inside the frame */
        double at_x = x + reach[i] * dx, at_y = y + reach[i] * dy;
        bool inside = at_x >= f->x + margin - 1 && at_x <= f->x + f->width - margin + 1 && at_y >= f->y + margin - 1 &&
                      at_y <= f->y + f->height - margin + 1;
        if (inside && (best == -INFINITY || at_y < y + best * dy))
            best = reach[i];
    }
    if (best == -INFINITY)
        return;
    text_style style = label_style(ANCHOR_MIDDLE);
    style.paint = solid(rgb);
    double side = dx * dy > 0 ? 1 : -1; /* to the right of the line, away from it */
    draw_text(f->picture, x + best * dx + BESIDE * 1.6 * fabs(dy) / size + 8,
              y + best * dy - side * BESIDE * fabs(dx) / size + 4, name, style);
}

/* The side of the line v_n = 0 on which the contact approaches. */
static void shade_approach(const scene *s, point through, point direction)
{
    const frame *f = &s->frame;
    const plane *p = &s->plane;
    double far = 4 * (hypot(f->sx.high - f->sx.low, f->sy.high - f->sy.low) + hypot(through.x, through.y));
    double size = hypot(direction.x, direction.y);
    point d = {far * direction.x / size, far * direction.y / size}, side = {-d.y, d.x};
    point towards = difference(p->start, through);
    double sign = (cross(direction, towards) > 0) == (p->u_n < 0) ? 1 : -1;
    const point corners[4] = {{through.x - d.x, through.y - d.y},
                              {through.x + d.x, through.y + d.y},
                              {through.x + d.x + sign * side.x, through.y + d.y + sign * side.y},
                              {through.x - d.x + sign * side.x, through.y - d.y + sign * side.y}};
    draw_move(f->picture, frame_x(f, corners[0].x), frame_y(f, corners[0].y));
    for (int i = 1; i < 4; i++)
        draw_line(f->picture, frame_x(f, corners[i].x), frame_y(f, corners[i].y));
    draw_close(f->picture);
    draw_fill(f->picture, clear_paint(GREY, 0.1));
}

static void draw_lines(const scene *s)
{
    const plane *p = &s->plane;
    const frame *f = &s->frame;
    point through, direction;
    if (!p->has_lines)
        return;
    line_of(p, p->u_n, p->K_tn, p->K_nn, &through, &direction);
    shade_approach(s, through, direction);
    frame_straight(f, through, direction, n_line(s));
    name_line(f, through, direction, "*v*_n = 0", n_line(s).rgb);
    if (!(p->K_tt > 0))
        return;
    line_of(p, p->u_t, p->K_tt, p->K_tn, &through, &direction);
    frame_straight(f, through, direction, t_line(s));
    name_line(f, through, direction, "*v*_t = 0", t_line(s).rgb);
}

static curve_style path_style(const scene *s, int i)
{
    static const curve_style only = {INK, 2.6, 0, 0};
    curve_style style = s->law_count == 1 ? only : curve_style_of(i);
    if (!(s->laws[i]->traits & CAROM_TRAIT_HAS_PATH)) { /* it jumps */
        style.dash = 2;
        style.gap = 4;
    }
    style.width = fmax(style.width, 2.2);
    return style;
}

/* Both components of an impulse in the plane of contact. */
static point place(const scene *s, carom_cvec p)
{
    return lead(&s->plane, p.t1 * s->plane.t.c + p.t2 * s->plane.t.s, p.n);
}

/* What a law makes of the case: its path, or for a law without one its two ends. False when it refuses. */
static bool take_law(const scene *s, int i, track *t)
{
    carom_rule rule = rule_with(s->c, s->laws[i]);
    static const track nothing;
    *t = nothing;
    if (rule.law->traits & CAROM_TRAIT_HAS_PATH)
        return track_take(t, s->c, &rule);
    carom_outcome out;
    if (!carom_status_is_answer(carom_solve(&s->c->problem, &rule, NULL, &out)))
        return false;
    t->list = calloc(2, sizeof *t->list);
    if (!t->list)
        return false;
    t->list[1].p = out.p;
    t->count = 2;
    return true;
}

static void hold_all(scene *s)
{
    scale_hold(&s->frame.sx, 0);
    scale_hold(&s->frame.sy, 0);
    for (int i = 0; i < s->law_count; i++) {
        track t;
        bool has = take_law(s, i, &t);
        for (int k = 0; has && k < t.count; k++) {
            point at = place(s, t.list[k].p);
            scale_hold(&s->frame.sx, at.x);
            scale_hold(&s->frame.sy, at.y);
        }
        track_free(&t);
    }
    scale_pad(&s->frame.sx, PAD);
    scale_pad(&s->frame.sy, PAD);
}

static void draw_pauses(const scene *s, const track *t)
{
    int number = 0;
    for (int i = 0; i < t->event_count; i++) {
        point at = place(s, t->events[i].at.p);
        if (is_shown_event(t, i))
            draw_number(s->frame.picture, frame_x(&s->frame, at.x), frame_y(&s->frame, at.y), ++number);
    }
}

static void draw_path(const scene *s, int i, const track *t)
{
    point *points = malloc((size_t)t->count * sizeof *points);
    curve_style style = path_style(s, i);
    s->frame.picture->lost |= !points;
    for (int k = 0; points && k < t->count; k++)
        points[k] = place(s, t->list[k].p);
    if (points) {
        frame_curve(&s->frame, points, t->count, style);
        int middle = t->count > 8 ? t->count / 8 : t->count - 1;
        if (s->laws[i]->traits & CAROM_TRAIT_HAS_PATH)
            frame_arrow(&s->frame, points[middle], difference(points[middle], points[middle - 1]), style.rgb);
        point last = points[t->count - 1];
        draw_mark(s->frame.picture, frame_x(&s->frame, last.x), frame_y(&s->frame, last.y), 1, style.rgb);
    }
    free(points);
}

/* ---- the legend ---- */

static int add_events(const track *t, legend_entry *e, int n)
{
    int number = 0;
    for (int i = 0; i < t->event_count && n < ENTRIES - 4; i++)
        if (is_shown_event(t, i))
            e[n++] = (legend_entry){ENTRY_NUMBER, event_text(t->events[i].kind), false, approach, ++number};
    return n;
}

static void draw_key(const scene *s, const bool *answers, const track *first)
{
    legend_entry e[ENTRIES];
    int n = 0;
    static const curve_style ink = {INK, 0, 0, 0};
    if (s->plane.has_lines) {
        e[n++] = (legend_entry){ENTRY_HEAD, "contact", false, ink, 0};
        e[n++] = (legend_entry){ENTRY_CURVE, "normal pause, *v*_n = 0", false, n_line(s), 0};
        if (s->plane.K_tt > 0)
            e[n++] = (legend_entry){ENTRY_CURVE, "tangential pause, *v*_t = 0", false, t_line(s), 0};
        e[n++] = (legend_entry){ENTRY_AREA, "approaching", false, approach, 0};
    }
    e[n++] = (legend_entry){ENTRY_HEAD, "path of the speeds", false, ink, 0};
    for (int i = 0; i < s->law_count && n < ENTRIES - 8; i++)
        if (answers[i])
            e[n++] = (legend_entry){ENTRY_CURVE, s->laws[i]->id, true, path_style(s, i), 0};
    e[n++] = (legend_entry){ENTRY_MARK, "before", false, ink, 0};
    e[n++] = (legend_entry){ENTRY_MARK, "after", false, ink, 1};
    if (s->law_count == 1)
        n = add_events(first, e, n);
    draw_legend(s->frame.picture, LEGEND_X, PLOT_Y + 10, LEGEND_W, e, n);
}

static void draw_all(scene *s)
{
    bool answers[CAROM_PLOT_LAWS] = {false};
    track first = {0};
    frame_begin(&s->frame);
    draw_lines(s);
    for (int i = 0; i < s->law_count; i++) {
        track t;
        answers[i] = take_law(s, i, &t);
        if (answers[i])
            draw_path(s, i, &t);
        if (answers[i] && s->law_count == 1)
            draw_pauses(s, &t);
        if (i == 0)
            first = t;
        else
            track_free(&t);
    }
    draw_mark(s->frame.picture, frame_x(&s->frame, s->plane.start.x), frame_y(&s->frame, s->plane.start.y), 0, INK);
    frame_end(&s->frame);
    draw_key(s, answers, &first);
    track_free(&first);
}

/* ---- the picture ---- */

/* Choose the two speeds, or explain in one sentence why there is no such plane. */
static bool choose(const carom_plot *request, scene *s, char *why, size_t room)
{
    const carom_case *c = request->c;
    int n = c->source == CAROM_SOURCE_MECHANISM ? c->mechanism.n : 0;
    s->c = c;
    s->x = request->speeds[0] ? request->speeds[0] - 1 : 0;
    s->y = request->speeds[1] ? request->speeds[1] - 1 : 1;
    if (n < 2)
        return plot_refuse(why, room, "speeds: the case must be a mechanism with at least two generalized speeds");
    if (s->x < 0 || s->y < 0 || s->x >= n || s->y >= n || s->x == s->y)
        return plot_refuse(why, room, "speeds: two different speeds from 1 to %d are needed", n);
    s->plane.t = (carom_direction){1, 0};
    if (c->dim == 3 && carom_problem_plane(&c->problem, &s->plane.t))
        return plot_refuse(why, room, "speeds: the contact is not planar, so that *v*_t = 0 is no line");
    return true;
}

static void write_axes(const scene *s)
{
    char x[64], y[64];
    snprintf(x, sizeof x, "generalized speed  *dq*_%d / *dt*", s->x + 1);
    snprintf(y, sizeof y, "generalized speed  *dq*_%d / *dt*", s->y + 1);
    frame_axes(&s->frame, (axis_text){x, y, false, 0});
}

carom_picture *carom_plot_speeds(const carom_plot *request, char *why, size_t room)
{
    scene s = {0};
    if (!choose(request, &s, why, room))
        return NULL;
    s.law_count = plot_laws(request, false, s.laws);
    track t;
    bool any = false;
    for (int i = 0; i < s.law_count && !any; i++, track_free(&t))
        any = take_law(&s, i, &t);
    if (!any)
        return plot_refuse(why, room, "speeds: %s gives no impulse here", s.laws[0]->id);
    picture *p = plot_page(request, WIDTH, HEIGHT, "Generalized speeds");
    if (!p || !find_plane(&s))
        return plot_refuse(why, room, "out of memory");
    s.frame = frame_at(p, PLOT_X, PLOT_Y, PLOT_W, PLOT_H);
    hold_all(&s);
    char text[200];
    carom_rule rule = rule_with(s.c, s.laws[0]);
    coefficient_text(text, sizeof text, &rule, CAROM_COEFF_COUNT);
    plot_subtitle(p, text);
    write_axes(&s);
    draw_all(&s);
    return p;
}
