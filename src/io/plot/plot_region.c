/* carom plot region: the plane of impulses, with the energy ellipse, the cone, the accessible region, the paths of the
 * laws that have one, and where every law ends. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/geometry.h"
#include "carom/solve.h"
#include "io/plot/plot_common.h"

enum { WIDTH = 860, HEIGHT = 580, ARC = 96, ELLIPSE = 240, GROUPS = CAROM_PLOT_LAWS, ENTRIES = 80, REACH = 48 };

#define PLOT_X      72.0
#define PLOT_Y      64.0
#define PLOT_W      500.0
#define PLOT_H      460.0
#define LEGEND_X    592.0
#define LEGEND_W    250.0
#define LEGEND_LINE 18.5  /* with a little for texts of two lines */
#define SAME        0.008 /* of the frame: outcomes this near are one mark */
#define FAR         2.2   /* times the size of the region: outcomes beyond are named, not shown */
#define SQUASHED    3.0   /* a region more elongated than this gets axes of its own */

/* Outcomes that coincide share a mark. */
typedef struct group {
    point at;
    int count;
    const carom_law *laws[CAROM_PLOT_LAWS];
    bool gains, leaves; /* some rule is broken: energy appears; the bodies approach or the cone is left */
    bool is_far;
} group;

typedef struct scene {
    const carom_plot *request;
    carom_direction plane;
    bool is_slice; /* the problem is not planar: a cut through n and the slip */
    carom_region region;
    carom_rule rule;
    frame frame;
    int count;
    group groups[GROUPS];
    int law_count;
    const carom_law *laws[CAROM_PLOT_LAWS];
    point ends[CAROM_PLOT_LAWS];
    unsigned flags[CAROM_PLOT_LAWS];
    bool solved[CAROM_PLOT_LAWS];
} scene;

static point in_plane(const scene *s, carom_cvec p)
{
    point at = {s->plane.c * p.t1 + s->plane.s * p.t2, p.n};
    return at;
}

/* ---- what to show ---- */

static bool find_region(scene *s, char *why, size_t room)
{
    const carom_case *c = s->request->c;
    const carom_problem *pb = &c->problem;
    double slip = carom_cvec_slip(pb->u);
    s->plane = (carom_direction){1, 0};
    if (c->dim == 3 && carom_problem_plane(pb, &s->plane) != CAROM_STATUS_OK) {
        s->is_slice = true;
        if (slip > 0)
            s->plane = (carom_direction){pb->u.t1 / slip, pb->u.t2 / slip};
    }
    carom_status status = carom_region_slice(pb, fmin(c->rule.coeffs.mu, STEEPEST), s->plane, &s->region);
    if (status)
        plot_refuse(why, room, "region: %s", carom_status_message(status));
    return status == CAROM_STATUS_OK;
}

static void solve_all(scene *s)
{
    const carom_case *c = s->request->c;
    for (int i = 0; i < s->law_count; i++) {
        carom_rule rule = rule_with(c, s->laws[i]);
        carom_outcome out;
        carom_status status = carom_solve(&c->problem, &rule, NULL, &out);
        s->solved[i] = carom_status_is_answer(status);
        s->ends[i] = in_plane(s, out.p);
        s->flags[i] = out.flags;
    }
}

static void hold(frame *f, point p)
{
    scale_hold(&f->sx, p.x);
    scale_hold(&f->sy, p.y);
}

/* An edge, or of an endless one what lies below a height. */
static void hold_edge(scene *s, const carom_edge *edge, double height)
{
    bool endless = edge->from.at_infinity || edge->to.at_infinity;
    for (int k = endless; k <= ARC - endless; k++) {
        carom_cvec p = carom_edge_at(&s->region, edge, (double)k / ARC);
        if (!endless || fabs(p.n) <= height)
            hold(&s->frame, (point){p.t1, p.n});
    }
}

/* The view: the origin, the region, and the outcomes that are not far beyond it. */
static void choose_view(scene *s)
{
    frame *f = &s->frame;
    hold(f, (point){0, 0});
    for (int i = 0; i < s->region.count; i++)
        if (!s->region.edges[i].from.at_infinity && !s->region.edges[i].to.at_infinity)
            hold_edge(s, &s->region.edges[i], INFINITY);
    double top = fmax(f->sy.high, -2 * s->region.problem.u.n / s->region.problem.K.nn);
    for (int i = 0; i < s->law_count; i++)
        if (s->solved[i] && s->ends[i].y <= FAR * top)
            hold(f, s->ends[i]);
    for (int i = 0; i < s->region.count; i++)
        if (s->region.edges[i].from.at_infinity || s->region.edges[i].to.at_infinity)
            hold_edge(s, &s->region.edges[i], 1.15 * fmax(f->sy.high, top / 2));
    double spans[2] = {f->sx.high - f->sx.low, f->sy.high - f->sy.low};
    scale_pad(&f->sx, 0.14);
    scale_pad(&f->sy, 0.1);
    if (spans[0] > spans[1] / SQUASHED && spans[0] < spans[1] * SQUASHED)
        frame_equal(f);
}

static bool is_same(const scene *s, point a, point b)
{
    const frame *f = &s->frame;
    return fabs(a.x - b.x) <= SAME * (f->sx.high - f->sx.low) && fabs(a.y - b.y) <= SAME * (f->sy.high - f->sy.low);
}

static void add_to_group(scene *s, int i)
{
    int g = 0;
    while (g < s->count && !is_same(s, s->groups[g].at, s->ends[i]))
        g++;
    if (g == s->count) {
        static const group nothing;
        s->groups[s->count] = nothing;
        s->groups[s->count++].at = s->ends[i];
    }
    group *here = &s->groups[g];
    here->laws[here->count++] = s->laws[i];
    here->gains = here->gains || s->flags[i] & CAROM_FLAG_CREATES_ENERGY;
    here->leaves = here->leaves || s->flags[i] & (CAROM_FLAG_PENETRATES | CAROM_FLAG_OUTSIDE_CONE);
    here->is_far = here->at.y > s->frame.sy.high || here->at.x > s->frame.sx.high || here->at.x < s->frame.sx.low;
}

static int by_height(const void *a, const void *b)
{
    const group *x = a, *y = b;
    return x->at.y != y->at.y ? (x->at.y > y->at.y) - (x->at.y < y->at.y) : (x->at.x > y->at.x) - (x->at.x < y->at.x);
}

/* ---- shapes ---- */

static const curve_style energy_line = {SKY, 1.6, 0, 0}, cone_line = {ORANGE, 1.6, 0, 0},
                         compression_line = {GREEN, 1.6, 0, 0}, sticking_line = {PURPLE, 1.6, 7, 4},
                         rebound_line = {GREY, 1.2, 2, 3.5}, path_line = {INK, 1.6, 0, 0};

static void draw_ellipse(const scene *s)
{
    const carom_problem *pb = &s->region.problem;
    carom_ellipsoid e;
    double B = (pb->K.nn * pb->K.t11 - pb->K.t1n * pb->K.t1n) / pb->K.nn, rho = sqrt(2 * carom_problem_energy(pb));
    if (carom_ellipsoid_of(pb, &e) != CAROM_STATUS_OK)
        return;
    if (e.rank < 2) { /* a strip: two lines */
        point along = {-pb->K.nn, pb->K.t1n}, zero = {0, 0};
        point far = {2 * e.centre.t1, 2 * e.centre.n};
        frame_straight(&s->frame, zero, along, energy_line);
        frame_straight(&s->frame, far, along, energy_line);
        return;
    }
    point points[ELLIPSE + 1];
    for (int i = 0; i <= ELLIPSE; i++) {
        double a = 6.283185307179586 * i / ELLIPSE, t = rho * cos(a) / sqrt(B);
        points[i].x = e.centre.t1 + t;
        points[i].y = e.centre.n + rho * sin(a) / sqrt(pb->K.nn) - pb->K.t1n / pb->K.nn * t;
    }
    frame_curve(&s->frame, points, ELLIPSE + 1, energy_line);
}

static void fill_region(const scene *s)
{
    const frame *f = &s->frame;
    bool first = true;
    double huge = 50 * (f->sy.high - f->sy.low);
    for (int i = 0; i < s->region.count; i++) {
        const carom_edge *edge = &s->region.edges[i];
        for (int k = 0; k <= ARC; k++) {
            double t =
                edge->is_straight && !edge->to.at_infinity && !edge->from.at_infinity ? k == ARC : (double)k / ARC;
            if ((edge->to.at_infinity && k == ARC) || (edge->from.at_infinity && k == 0))
                t = edge->to.at_infinity ? huge / (1 + huge) : 1 / (1 + huge);
            carom_cvec p = carom_edge_at(&s->region, edge, t);
            if (first)
                draw_move(f->picture, frame_x(f, p.t1), frame_y(f, p.n));
            else
                draw_line(f->picture, frame_x(f, p.t1), frame_y(f, p.n));
            first = false;
        }
    }
    draw_close(f->picture);
    draw_fill(f->picture, clear_paint(SKY, 0.3));
}

static void draw_lines(const scene *s)
{
    const carom_problem *pb = &s->region.problem;
    const carom_csym *K = &pb->K;
    double mu = s->region.mu, P1 = -pb->u.n / K->nn;
    double reach = fmax(s->frame.sy.high, s->frame.sx.high - s->frame.sx.low) * 3;
    point edges[3] = {{mu * reach, reach}, {0, 0}, {-mu * reach, reach}};
    point at = {0, P1}, along = {K->nn, -K->t1n}, e_at = {0, (1 + s->rule.coeffs.e) * P1};
    frame_straight(&s->frame, e_at, along, rebound_line);
    frame_straight(&s->frame, at, along, compression_line);
    if (K->t11 > 0) {
        point stick = {-pb->u.t1 / K->t11, 0}, up = {-K->t1n, K->t11};
        frame_straight(&s->frame, stick, up, sticking_line);
    }
    frame_curve(&s->frame, edges, 3, cone_line);
}

static void draw_paths(const scene *s)
{
    for (int i = 0; i < s->law_count; i++) {
        track t;
        carom_rule rule = rule_with(s->request->c, s->laws[i]);
        if (track_take(&t, s->request->c, &rule)) {
            point *points = malloc((size_t)t.count * sizeof *points);
            for (int k = 0; points && k < t.count; k++)
                points[k] = in_plane(s, t.list[k].p);
            if (points)
                frame_curve(&s->frame, points, t.count, path_line);
            free(points);
        }
        track_free(&t);
    }
}

/* ---- what laws can reach ---- */

/* Outlines lie over each other: solid, dashed, dotted. */
static curve_style reach_style(int i)
{
    static const unsigned colours[] = {BLUE, RED, INK, PURPLE};
    static const double dashes[][2] = {{0, 0}, {9, 6}, {2, 5}};
    curve_style s = {colours[i % 4], 2.2, dashes[i % 3][0], dashes[i % 3][1]};
    return s;
}

/* The outline of the impulses of a law over its coefficients, numbered like curves. */
static void draw_reach(const scene *s, int i)
{
    const carom_case *c = s->request->c;
    carom_rule rule = rule_with(c, s->laws[i]);
    carom_sweep2 sweep = carom_sweep2_of(&rule);
    carom_reach reach;
    carom_cvec points[4 * REACH];
    curve_style style = reach_style(i);
    const frame *f = &s->frame;
    if (carom_reach_trace(&c->problem, &rule, &sweep, REACH, points, &reach) != CAROM_STATUS_OK)
        return;
    for (int k = 0; k < reach.count; k++) {
        point at = in_plane(s, points[k]);
        if (k == 0)
            draw_move(f->picture, frame_x(f, at.x), frame_y(f, at.y));
        else
            draw_line(f->picture, frame_x(f, at.x), frame_y(f, at.y));
    }
    draw_close(f->picture);
    draw_fill_keep(f->picture, clear_paint(style.rgb, 0.1));
    draw_stroke_dashed(f->picture, solid(style.rgb), style.width, style.dash, style.gap);
}

/* ---- outcomes ---- */

static unsigned group_colour(const group *g)
{
    return g->gains ? RED : g->leaves ? ORANGE : BLUE;
}

/* How free a place for a letter is: the distance to the nearest mark or letter. */
static double freedom(const scene *s, const point *letters, int placed, point at)
{
    double nearest = INFINITY;
    for (int i = 0; i < s->count; i++)
        nearest = fmin(
            nearest, hypot(frame_x(&s->frame, s->groups[i].at.x) - at.x, frame_y(&s->frame, s->groups[i].at.y) - at.y));
    for (int i = 0; i < placed; i++)
        nearest = fmin(nearest, hypot(letters[i].x - at.x, letters[i].y - at.y));
    return fmin(nearest, 14);
}

static void letter_of(int i, char text[3])
{
    text[0] = (char)('a' + i % 26);
    text[1] = i < 26 ? 0 : '2';
    text[2] = 0;
}

static void draw_outcomes(const scene *s)
{
    static const point around[] = {{1, -1}, {1, 1}, {-1, -1}, {-1, 1}, {1.3, 0}, {-1.3, 0}, {0, -1.3}, {0, 1.3}};
    point letters[GROUPS];
    for (int i = 0; i < s->count; i++)
        if (!s->groups[i].is_far)
            draw_mark(s->frame.picture, frame_x(&s->frame, s->groups[i].at.x), frame_y(&s->frame, s->groups[i].at.y), 0,
                      group_colour(&s->groups[i]));
    for (int i = 0; i < s->count; i++) {
        double best = -1, x = frame_x(&s->frame, s->groups[i].at.x), y = frame_y(&s->frame, s->groups[i].at.y);
        char text[3];
        letters[i] = (point){-1e9, -1e9};
        if (s->groups[i].is_far)
            continue;
        for (size_t k = 0; k < sizeof around / sizeof around[0]; k++) {
            point at = {x + 10 * around[k].x, y + 10 * around[k].y};
            double room = freedom(s, letters, i, at);
            if (room > best + 0.5) {
                best = room;
                letters[i] = at;
            }
        }
        text_style style = label_style(ANCHOR_MIDDLE), halo = style;
        style.face = halo.face = FACE_BOLD;
        letter_of(i, text);
        draw_circle(s->frame.picture, letters[i].x, letters[i].y, 7);
        draw_fill(s->frame.picture, clear_paint(WHITE, 0.75));
        draw_text(s->frame.picture, letters[i].x, letters[i].y + 4, text, style);
    }
}

/* ---- legend ---- */

typedef struct legend {
    legend_entry entries[ENTRIES];
    char texts[GROUPS][400], reached[CAROM_PLOT_LAWS][80];
    int count;
} legend;

static void add_entry(legend *l, entry_kind kind, const char *text, curve_style style)
{
    legend_entry *e = &l->entries[l->count++];
    static const legend_entry nothing;
    *e = nothing;
    e->kind = kind;
    e->text = text;
    e->style = style;
}

static void group_text(const group *g, int i, char text[400])
{
    char letter[3];
    letter_of(i, letter);
    size_t used = (size_t)snprintf(text, 400, "%s ", letter);
    for (int k = 0; k < g->count && used < 330; k++)
        used += (size_t)snprintf(text + used, 400 - used, "%s%s", k ? " · " : " ", g->laws[k]->id);
    const char *note = g->gains ? " – gains energy" : g->leaves ? " – leaves the region" : "";
    snprintf(text + used, 400 - used, "%s%s", note, g->is_far ? " – beyond the frame" : "");
}

/* "smith over e and mu" */
static void reach_text(const scene *s, int i, char text[80])
{
    carom_rule rule = rule_with(s->request->c, s->laws[i]);
    carom_sweep2 sweep = carom_sweep2_of(&rule);
    const char *first = coefficient_letter(sweep.coeff[0]);
    if (sweep.coeff[1] < CAROM_COEFF_COUNT)
        snprintf(text, 80, "%s  (%s and %s)", s->laws[i]->id, first, coefficient_letter(sweep.coeff[1]));
    else
        snprintf(text, 80, "%s  (%s)", s->laws[i]->id, first);
}

static void draw_key(const scene *s, bool has_paths)
{
    legend l = {.count = 0};
    curve_style area = {SKY, 0, 0, 0};
    add_entry(&l, ENTRY_HEAD, "impulse space", area);
    add_entry(&l, ENTRY_AREA, s->is_slice ? "accessible region (slice)" : "accessible region", area);
    add_entry(&l, ENTRY_CURVE, "no change of energy", energy_line);
    add_entry(&l, ENTRY_CURVE, "friction cone  |*p*_t| = *μp*_n", cone_line);
    add_entry(&l, ENTRY_CURVE, "maximum compression  *u*_n^{+} = 0", compression_line);
    add_entry(&l, ENTRY_CURVE, "sticking  *u*_t^{+} = 0", sticking_line);
    add_entry(&l, ENTRY_CURVE, "*u*_n^{+} = −*e u*_n", rebound_line);
    if (has_paths)
        add_entry(&l, ENTRY_CURVE, "path inside the impact", path_line);
    if (s->request->reach) {
        add_entry(&l, ENTRY_HEAD, "reached over the coefficients", area);
        for (int i = 0; i < s->law_count; i++) {
            if (!s->solved[i])
                continue;
            reach_text(s, i, l.reached[i]);
            add_entry(&l, ENTRY_CURVE, l.reached[i], reach_style(i));
        }
    }
    add_entry(&l, ENTRY_HEAD, s->is_slice ? "outcomes (projected)" : "outcomes", area);
    for (int i = 0; i < s->count; i++) {
        curve_style style = {group_colour(&s->groups[i]), 0, 0, 0};
        group_text(&s->groups[i], i, l.texts[i]);
        add_entry(&l, ENTRY_MARK, l.texts[i], style);
        l.entries[l.count - 1].plain = true;
    }
    draw_legend(s->frame.picture, LEGEND_X, PLOT_Y + 10, LEGEND_W, l.entries, l.count);
}

/* As high as the legend needs: a line each for the shapes, what is reached, and at most one outcome per law. */
static double page_height(const scene *s)
{
    double lines = 13 + s->law_count + (s->request->reach ? s->law_count + 2 : 0);
    return fmax(HEIGHT, PLOT_Y + lines * LEGEND_LINE);
}

carom_picture *carom_plot_region(const carom_plot *request, char *why, size_t room)
{
    scene s = {.request = request, .rule = rule_with(request->c, NULL)};
    if (!find_region(&s, why, room))
        return NULL;
    s.law_count = plot_laws(request, true, s.laws);
    solve_all(&s);
    picture *p = plot_page(request, WIDTH, page_height(&s), "Impulse space");
    if (!p)
        return plot_refuse(why, room, "out of memory");
    s.frame = frame_at(p, PLOT_X, PLOT_Y, PLOT_W, PLOT_H);
    choose_view(&s);
    bool has_paths = false;
    for (int i = 0; i < s.law_count; i++) {
        if (s.solved[i])
            add_to_group(&s, i);
        has_paths = has_paths || s.laws[i]->traits & CAROM_TRAIT_HAS_PATH;
    }
    qsort(s.groups, (size_t)s.count, sizeof s.groups[0], by_height);
    char text[200];
    carom_rule shown = s.rule;
    shown.law = NULL;
    coefficient_text(text, sizeof text, &shown, CAROM_COEFF_COUNT);
    plot_subtitle(p, text);
    frame_begin(&s.frame);
    fill_region(&s);
    frame_end(&s.frame);
    char label[160];
    tangent_name axis = s.is_slice ? tangent_of_slip() : tangent_of_plane(request->c->dim, s.plane);
    snprintf(label, sizeof label, "tangential impulse%s  *p*%s  (N s)", axis.along, axis.letter);
    frame_axes(&s.frame, (axis_text){label, "normal impulse  *p*_n  (N s)", false, 0});
    frame_begin(&s.frame);
    draw_ellipse(&s);
    draw_lines(&s);
    for (int i = 0; request->reach && i < s.law_count; i++)
        if (s.solved[i])
            draw_reach(&s, i);
    draw_paths(&s);
    frame_end(&s.frame);
    draw_outcomes(&s);
    draw_key(&s, has_paths);
    return p;
}
