/* carom plot patch: the limit surface of a contact with a patch, and the path of the impact in it.
 *
 * For a given p_n, friction can have the force and moment mu p_n (f, a m) with (f, m) inside the surface; a patch that
 * slips has one on it, (F(s), M(s)). What has acted so far is a mean of such points: the path begins on the surface and
 * lies inside. Page: docs/theory/patch.md */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/case/reader.h"
#include "io/plot/plot_common.h"

enum { WIDTH = 800, HEIGHT = 600, POINTS = 361 };

#define PLOT_X    72.0
#define PLOT_Y    62.0
#define PLOT_W    400.0
#define PLOT_H    480.0
#define LEGEND_X  500.0
#define LEGEND_W  280.0
#define HALF_TURN 3.141592653589793
#define OPEN      0.06 /* of the view: room around the surface */

static const curve_style surface_line = {BLUE, 2.2, 0, 0}, ellipse_line = {ORANGE, 1, 5, 3},
                         point_line = {GREY, 1.4, 2, 2}, path_line = {INK, 2.4, 0, 0}, area = {SKY, 0, 0, 0},
                         ink = {INK, 0, 0, 0};

typedef struct view {
    frame frame;
    carom_rule rule;
    track track;
    carom_outcome out;
    bool has_track, ends;
} view;

/* The border in a direction: where the dual norm of force and moment is one. */
static point on_surface(const view *s, int pressure, double angle)
{
    const carom_coeffs *c = &s->rule.coeffs;
    const double f = cos(angle), m = sin(angle);
    const double needs = carom_patch_needs(c, pressure, carom_cvec_make(f, 0, 0), m * c->patch);
    return (point){f / needs, m / needs};
}

/* From full spin one way, over pure slip, to full spin the other way. */
static void draw_surface(const view *s, int pressure, curve_style style, bool fill)
{
    point points[POINTS];
    const frame *f = &s->frame;
    for (int i = 0; i < POINTS; i++) {
        points[i] = on_surface(s, pressure, HALF_TURN * ((double)i / (POINTS - 1) - 0.5));
        if (!fill)
            continue;
        if (i == 0)
            draw_move(f->picture, frame_x(f, points[i].x), frame_y(f, points[i].y));
        else
            draw_line(f->picture, frame_x(f, points[i].x), frame_y(f, points[i].y));
    }
    if (fill) {
        draw_close(f->picture);
        draw_fill(f->picture, clear_paint(SKY, 0.16));
    }
    frame_curve(f, points, POINTS, style);
}

/* The share of mu p_n, and of mu a p_n, that friction has used. */
static point used(const view *s, carom_cvec p, double m_n)
{
    const double most = s->rule.coeffs.mu * p.n;
    return (point){carom_cvec_slip(p) / most, m_n / (most * s->rule.coeffs.patch)};
}

static void draw_path(const view *s)
{
    const track *t = &s->track;
    point *points = malloc((size_t)t->count * sizeof *points);
    int count = 0;
    s->frame.picture->lost |= !points;
    for (int i = 0; points && i < t->count; i++)
        if (t->list[i].p.n > 0)
            points[count++] = used(s, t->list[i].p, t->list[i].m.n);
    if (points && count > 1) {
        frame_curve(&s->frame, points, count, path_line);
        draw_mark(s->frame.picture, frame_x(&s->frame, points[0].x), frame_y(&s->frame, points[0].y), 0, INK);
    }
    free(points);
}

static void draw_end(const view *s)
{
    const point end = used(s, s->out.p, s->out.turning.m.n);
    draw_mark(s->frame.picture, frame_x(&s->frame, end.x), frame_y(&s->frame, end.y), 1, INK);
}

static void draw_key(const view *s)
{
    const char *pressure = carom_option_at(CAROM_OPTION_pressure)->words[s->rule.options.pressure];
    const bool is_ellipse = s->rule.options.pressure == CAROM_OPTION_PRESSURE_ELLIPSE;
    char surface[64];
    legend_entry e[10];
    int n = 0;
    snprintf(surface, sizeof surface, "limit surface: %s", pressure);
    e[n++] = (legend_entry){ENTRY_HEAD, "what friction can have", false, area, 0};
    e[n++] = (legend_entry){ENTRY_CURVE, surface, true, surface_line, 0};
    if (!is_ellipse)
        e[n++] = (legend_entry){ENTRY_CURVE, "ellipse of engines", false, ellipse_line, 0};
    e[n++] = (legend_entry){ENTRY_CURVE, "point contact: no moment", false, point_line, 0};
    if (s->ends)
        e[n++] = (legend_entry){ENTRY_HEAD, "what it has had, of *p*_n so far", false, area, 0};
    if (s->has_track) {
        e[n++] = (legend_entry){ENTRY_CURVE, s->rule.law->id, true, path_line, 0};
        e[n++] = (legend_entry){ENTRY_MARK, "begins", false, ink, 0};
    }
    if (s->ends)
        e[n++] = (legend_entry){ENTRY_MARK, s->has_track ? "ends" : s->rule.law->id, !s->has_track, ink, 1};
    draw_legend(s->frame.picture, LEGEND_X, PLOT_Y + 10, LEGEND_W, e, n);
}

static void choose_view(view *s)
{
    const double own = on_surface(s, s->rule.options.pressure, HALF_TURN / 2).y,
                 spin = fmax(own, on_surface(s, CAROM_OPTION_PRESSURE_ELLIPSE, HALF_TURN / 2).y);
    s->frame.sx.low = -OPEN;
    s->frame.sx.high = 1 + OPEN;
    s->frame.sy.low = -spin * (1 + OPEN);
    s->frame.sy.high = spin * (1 + OPEN);
}

static void draw_all(const view *s)
{
    static const point edge[2] = {{0, 0}, {1, 0}};
    const int pressure = s->rule.options.pressure;
    char text[200];
    coefficient_text(text, sizeof text, &s->rule, CAROM_COEFF_COUNT);
    plot_subtitle(s->frame.picture, text);
    frame_axes(&s->frame, (axis_text){"force  |*p*_t| / *μp*_n", "moment  *m*_n / *μap*_n", false, 0});
    frame_begin(&s->frame);
    draw_surface(s, pressure, surface_line, true);
    if (pressure != CAROM_OPTION_PRESSURE_ELLIPSE)
        draw_surface(s, CAROM_OPTION_PRESSURE_ELLIPSE, ellipse_line, false);
    frame_curve(&s->frame, edge, 2, point_line);
    if (s->has_track)
        draw_path(s);
    if (s->ends)
        draw_end(s);
    frame_end(&s->frame);
    draw_key(s);
}

carom_picture *carom_plot_patch(const carom_plot *request, char *why, size_t room)
{
    const carom_law *law = request->law_count ? request->laws[0] : request->c->rule.law;
    view s = {.rule = rule_with(request->c, law ? law : carom_law_find("routh-stronge"))};
    if (request->c->dim != 3 || !(s.rule.coeffs.patch > 0) || patch_numbers(request->c) < 4)
        return plot_refuse(why, room,
                           "patch: the contact has no patch; give coefficients.patch, or --set patch=RADIUS");
    if (!(s.rule.coeffs.mu > 0))
        return plot_refuse(why, room, "patch: without friction there is no limit surface; mu must be > 0");
    const carom_status status = solve_contact(request->c, &s.rule, NULL, &s.out);
    if (carom_status_is_refusal(status))
        return plot_refuse(why, room, "patch: %s: %s", s.rule.law->id, carom_status_message(status));
    picture *p = plot_page(request, WIDTH, HEIGHT, "Limit surface");
    if (!p)
        return plot_refuse(why, room, "out of memory");
    s.ends = s.out.p.n > 0;
    s.has_track = track_take(&s.track, request->c, &s.rule);
    s.frame = frame_at(p, PLOT_X, PLOT_Y, PLOT_W, PLOT_H);
    choose_view(&s);
    draw_all(&s);
    track_free(&s.track);
    return p;
}
