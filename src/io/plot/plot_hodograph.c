/* carom plot hodograph: the plane of slip, its flow and invariant rays, and the path of this case. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/geometry.h"
#include "io/json/number.h"
#include "io/plot/plot_common.h"

enum { WIDTH = 800, HEIGHT = 600, STARTS = 16, STEPS = 6000, KEPT = 400, SECTOR = 90 };

#define PLOT_X   72.0
#define PLOT_Y   62.0
#define PLOT_W   480.0
#define PLOT_H   480.0
#define LEGEND_X 580.0
#define LEGEND_W 200.0
#define STRIDE   0.02  /* of the fastest rate: length of a step of the flow */
#define REST     0.002 /* of the start: the flow has come to rest */
#define OPEN     1.28  /* of the start: half width of the view */
#define WIDEST   3.0   /* of the start: the view grows with the path up to here */
#define FULL     6.283185307179586

static const curve_style to_rest = {BLUE, 1.3, 0, 0}, to_infinity = {ORANGE, 1.3, 0, 0}, path_line = {INK, 2.6, 0, 0};

typedef struct scene {
    const carom_csym *K;
    double mu, radius, view;
    carom_hodograph rays;
    frame frame;
    track track;
    bool has_track;
    carom_rule rule;
} scene;

/* d u_t / d tau with dp_n = r d tau: smooth everywhere, rest is at infinity. */
static point flow(const scene *s, point u)
{
    const carom_csym *K = s->K;
    double r = hypot(u.x, u.y);
    point v = {K->t1n * r - s->mu * (K->t11 * u.x + K->t12 * u.y), K->t2n * r - s->mu * (K->t12 * u.x + K->t22 * u.y)};
    return v;
}

static point step(const scene *s, point u, double h)
{
    point a = flow(s, u), m1 = {u.x + 0.5 * h * a.x, u.y + 0.5 * h * a.y};
    point b = flow(s, m1), m2 = {u.x + 0.5 * h * b.x, u.y + 0.5 * h * b.y};
    point c = flow(s, m2), e = {u.x + h * c.x, u.y + h * c.y}, d = flow(s, e);
    point out = {u.x + h * (a.x + 2 * b.x + 2 * c.x + d.x) / 6, u.y + h * (a.y + 2 * b.y + 2 * c.y + d.y) / 6};
    return out;
}

/* One line of the flow; every few steps are drawn, so that about KEPT points remain at most. */
static void draw_flow(const scene *s, double angle)
{
    double rate = s->mu * (s->K->t11 + s->K->t22) + hypot(s->K->t1n, s->K->t2n), h = STRIDE / rate;
    carom_direction d = {cos(angle), sin(angle)};
    curve_style style = carom_hodograph_reaches(&s->rays, d) ? to_rest : to_infinity;
    point u = {s->radius * d.c, s->radius * d.s}, points[KEPT], last = u;
    int count = 0, arrow = -1;
    double drawn = 0, gap = s->view / 150;
    points[count++] = u;
    for (int i = 0; i < STEPS && count < KEPT; i++) {
        u = step(s, u, h);
        double r = hypot(u.x, u.y);
        bool stop = r < REST * s->radius || fabs(u.x) > 2 * s->view || fabs(u.y) > 2 * s->view;
        if (hypot(u.x - last.x, u.y - last.y) < gap && !stop)
            continue;
        drawn += hypot(u.x - last.x, u.y - last.y);
        arrow = arrow < 0 && drawn > 0.28 * s->radius ? count : arrow;
        points[count++] = last = u;
        if (stop)
            break;
    }
    frame_curve(&s->frame, points, count, style);
    if (arrow > 0)
        frame_arrow(&s->frame, points[arrow],
                    (point){points[arrow].x - points[arrow - 1].x, points[arrow].y - points[arrow - 1].y}, style.rgb);
}

static void draw_basin(const scene *s)
{
    carom_arc arcs[CAROM_RAYS];
    const frame *f = &s->frame;
    int count = carom_hodograph_basin(&s->rays, arcs);
    double far = 3 * s->view;
    for (int i = 0; i < count; i++) {
        draw_move(f->picture, frame_x(f, 0), frame_y(f, 0));
        for (int k = 0; k <= SECTOR; k++) {
            double a = arcs[i].from + (arcs[i].to - arcs[i].from) * k / SECTOR;
            draw_line(f->picture, frame_x(f, far * cos(a)), frame_y(f, far * sin(a)));
        }
        draw_close(f->picture);
        draw_fill(f->picture, clear_paint(SKY, 0.16));
    }
}

static curve_style ray_style(const carom_ray *ray)
{
    curve_style s = {ray->kind == CAROM_RAY_DIVERGING    ? RED
                     : ray->kind == CAROM_RAY_CONVERGING ? GREEN
                                                         : PURPLE,
                     2, 0, 0};
    if (!ray->attracting) {
        s.dash = 7;
        s.gap = 4;
    }
    return s;
}

static void draw_rays(const scene *s)
{
    for (int i = 0; i < s->rays.count; i++) {
        const carom_ray *ray = &s->rays.rays[i];
        point ends[2] = {{0, 0}, {2 * s->view * ray->direction.c, 2 * s->view * ray->direction.s}};
        frame_curve(&s->frame, ends, 2, ray_style(ray));
    }
}

/* The angle of a ray, just inside the border where it leaves the frame. */
static void draw_angles(const scene *s)
{
    for (int i = 0; i < s->rays.count; i++) {
        const carom_ray *ray = &s->rays.rays[i];
        double out = 1 / fmax(fabs(ray->direction.c), fabs(ray->direction.s)), r = 0.9 * s->view * out;
        double side = 0.05 * s->view; /* beside the ray */
        double x = frame_x(&s->frame, r * ray->direction.c - side * ray->direction.s);
        double y = frame_y(&s->frame, r * ray->direction.s + side * ray->direction.c);
        char text[48], angle[CAROM_NUMBER_SIZE];
        snprintf(text, sizeof text, "%s°", carom_internal_number_fixed(angle, ray->angle / FULL * 360, 1));
        text_style style = small_style(ANCHOR_MIDDLE);
        style.paint = solid(ray_style(ray).rgb);
        style.face = FACE_BOLD;
        double wide = text_size(text, style);
        x = fmin(fmax(x, s->frame.x + wide / 2 + 6), s->frame.x + s->frame.width - wide / 2 - 6);
        y = fmin(fmax(y, s->frame.y + 14), s->frame.y + s->frame.height - 10);
        draw_rectangle(s->frame.picture, x - wide / 2 - 3, y - 9, wide + 6, 15);
        draw_fill(s->frame.picture, clear_paint(WHITE, 0.8));
        draw_text(s->frame.picture, x, y + 2.5, text, style);
    }
}

static void draw_path(const scene *s)
{
    const track *t = &s->track;
    point *points = malloc((size_t)t->count * sizeof *points);
    s->frame.picture->lost |= !points;
    for (int i = 0; points && i < t->count; i++)
        points[i] = (point){t->list[i].u.t1, t->list[i].u.t2};
    if (points)
        frame_curve(&s->frame, points, t->count, path_line);
    free(points);
    const carom_state *first = &t->list[0], *last = &t->list[t->count - 1];
    draw_mark(s->frame.picture, frame_x(&s->frame, first->u.t1), frame_y(&s->frame, first->u.t2), 0, INK);
    draw_mark(s->frame.picture, frame_x(&s->frame, last->u.t1), frame_y(&s->frame, last->u.t2), 1, INK);
}

static void draw_starts(const scene *s)
{
    draw_circle(s->frame.picture, frame_x(&s->frame, 0), frame_y(&s->frame, 0),
                frame_x(&s->frame, s->radius) - frame_x(&s->frame, 0));
    draw_stroke(s->frame.picture, clear_paint(GREY, 0.5), 1);
    for (int n = 0; n < STARTS; n++) {
        double a = FULL * n / STARTS;
        carom_direction d = {cos(a), sin(a)};
        draw_circle(s->frame.picture, frame_x(&s->frame, s->radius * d.c), frame_y(&s->frame, s->radius * d.s), 2.6);
        draw_fill(s->frame.picture, solid(carom_hodograph_reaches(&s->rays, d) ? to_rest.rgb : to_infinity.rgb));
    }
}

static int count_reaching(const scene *s)
{
    int count = 0;
    for (int n = 0; n < STARTS; n++)
        count += carom_hodograph_reaches(&s->rays, (carom_direction){cos(FULL * n / STARTS), sin(FULL * n / STARTS)});
    return count;
}

static void draw_key(const scene *s)
{
    static const curve_style diverging = {RED, 2, 0, 0}, attracting = {GREEN, 2, 0, 0}, repelling = {GREEN, 2, 7, 4},
                             area = {SKY, 0, 0, 0}, ink = {INK, 0, 0, 0}, stationary = {PURPLE, 2, 0, 0};
    bool has[4] = {false};
    for (int i = 0; i < s->rays.count; i++) {
        const carom_ray *r = &s->rays.rays[i];
        has[r->kind == CAROM_RAY_DIVERGING ? 0 : r->kind == CAROM_RAY_STATIONARY ? 3 : r->attracting ? 1 : 2] = true;
    }
    legend_entry e[16];
    int n = 0, reaching = count_reaching(s);
    char count[80];
    snprintf(count, sizeof count, "come to rest: %d of %d starts", reaching, STARTS);
    e[n++] = (legend_entry){ENTRY_HEAD, "flow of the slip velocity", false, area, 0};
    e[n++] = (legend_entry){ENTRY_CURVE, count, false, to_rest, 0};
    e[n++] = (legend_entry){ENTRY_CURVE, "slip grows", false, to_infinity, 0};
    e[n++] = (legend_entry){ENTRY_AREA, "basin of rest", false, area, 0};
    e[n++] = (legend_entry){ENTRY_HEAD, "invariant rays", false, area, 0};
    if (has[0])
        e[n++] = (legend_entry){ENTRY_CURVE, "diverging, attracting", false, diverging, 0};
    if (has[1])
        e[n++] = (legend_entry){ENTRY_CURVE, "converging, attracting", false, attracting, 0};
    if (has[2])
        e[n++] = (legend_entry){ENTRY_CURVE, "converging, repelling", false, repelling, 0};
    if (has[3])
        e[n++] = (legend_entry){ENTRY_CURVE, "stationary", false, stationary, 0};
    if (s->rays.every)
        e[n++] = (legend_entry){ENTRY_CURVE, "every direction", false, attracting, 0};
    e[n++] =
        (legend_entry){ENTRY_HEAD, s->rays.sticks ? "at rest: sticks" : "at rest: slip leaves again", false, area, 0};
    if (s->has_track) {
        e[n++] = (legend_entry){ENTRY_HEAD, "this case", false, area, 0};
        e[n++] = (legend_entry){ENTRY_CURVE, s->rule.law->id, true, path_line, 0};
        e[n++] = (legend_entry){ENTRY_MARK, "before", false, ink, 0};
        e[n++] = (legend_entry){ENTRY_MARK, "after", false, ink, 1};
    }
    draw_legend(s->frame.picture, LEGEND_X, PLOT_Y + 10, LEGEND_W, e, n);
}

/* The law whose path is shown: the one requested, else the case's own if it has a path, else Stronge's. */
static carom_rule path_rule(const carom_plot *request)
{
    const carom_law *law = request->law_count ? request->laws[0] : request->c->rule.law;
    if (!law || !(law->traits & CAROM_TRAIT_HAS_PATH))
        law = carom_law_find("routh-stronge");
    return rule_with(request->c, law);
}

static void choose_view(scene *s, const carom_problem *pb)
{
    double slip = carom_cvec_slip(pb->u);
    s->radius = slip > 0 ? slip : fabs(pb->u.n);
    s->view = OPEN * s->radius;
    for (int i = 0; i < s->track.count; i++) {
        carom_cvec u = s->track.list[i].u;
        s->view = fmax(s->view, fmin(1.1 * fmax(fabs(u.t1), fabs(u.t2)), WIDEST * s->radius));
    }
    s->frame.sx.low = s->frame.sy.low = -s->view;
    s->frame.sx.high = s->frame.sy.high = s->view;
}

carom_picture *carom_plot_hodograph(const carom_plot *request, char *why, size_t room)
{
    const carom_problem *pb = &request->c->problem;
    scene s = {.K = &pb->K, .mu = fmin(request->c->rule.coeffs.mu, STEEPEST), .rule = path_rule(request)};
    if (request->c->dim != 3)
        return plot_refuse(why, room, "hodograph: a planar case has no slip plane; give t1, t2 and n");
    carom_status status = carom_hodograph_of(s.K, s.mu, &s.rays);
    if (status)
        return plot_refuse(why, room, "hodograph: %s", carom_status_message(status));
    picture *p = plot_page(request, WIDTH, HEIGHT, "Slip plane");
    if (!p)
        return plot_refuse(why, room, "out of memory");
    s.has_track = track_take(&s.track, request->c, &s.rule);
    s.frame = frame_at(p, PLOT_X, PLOT_Y, PLOT_W, PLOT_H);
    choose_view(&s, pb);
    char text[200];
    coefficient_text(text, sizeof text, &s.rule, CAROM_COEFF_COUNT);
    plot_subtitle(p, text);
    frame_begin(&s.frame);
    draw_basin(&s);
    frame_end(&s.frame);
    frame_axes(&s.frame, (axis_text){"slip  *u*_{t1}  (m/s)", "slip  *u*_{t2}  (m/s)", false, 0});
    frame_begin(&s.frame);
    for (int n = 0; n < STARTS; n++)
        draw_flow(&s, FULL * n / STARTS);
    draw_rays(&s);
    draw_starts(&s);
    if (s.has_track)
        draw_path(&s);
    draw_angles(&s);
    frame_end(&s.frame);
    draw_key(&s);
    track_free(&s.track);
    return p;
}
