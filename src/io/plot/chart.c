#include "io/plot/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/json/number.h"

#define LABEL_SIZE 12.5
#define TICK_SIZE  11.0
#define TITLE_SIZE 15.0
#define TICK       4.0
#define TICK_GAP_X 84.0 /* page units between ticks, about */
#define TICK_GAP_Y 40.0
#define THIN       0.04 /* page units: a point this near to a line through its neighbours does not show */
#define ON_TICK    1e-9 /* of a step: a value this near counts as on the tick */

enum { MOST_TICKS = 40, CURVE_STYLES = 6, THIN_RUN = 64 };

text_style label_style(anchor a)
{
    text_style s = {LABEL_SIZE, {INK, 1}, a, FACE_REGULAR, 0, false};
    return s;
}

text_style small_style(anchor a)
{
    text_style s = {TICK_SIZE, {GREY, 1}, a, FACE_REGULAR, 0, false};
    return s;
}

text_style title_style(void)
{
    text_style s = {TITLE_SIZE, {INK, 1}, ANCHOR_LEFT, FACE_BOLD, 0, true};
    return s;
}

curve_style curve_style_of(int i)
{
    static const unsigned colours[CURVE_STYLES] = {BLUE, RED, GREEN, PURPLE, ORANGE, SKY};
    static const double dashes[][2] = {{0, 0}, {7, 4}, {2, 3.5}};
    int round = i / CURVE_STYLES % 3;
    curve_style s = {colours[i % CURVE_STYLES], 2, dashes[round][0], dashes[round][1]};
    return s;
}

void number_text(char *text, size_t room, double value, int digits)
{
    char raw[CAROM_NUMBER_SIZE];
    carom_internal_number_rounded(raw, value == 0 ? 0 : value, digits);
    const char *minus = raw[0] == '-' ? "−" : "";
    snprintf(text, room, "%s%s", minus, isinf(value) ? "∞" : raw + (raw[0] == '-'));
}

/* ---- scales ---- */

frame frame_at(picture *p, double x, double y, double width, double height)
{
    frame f = {p, x, y, width, height, {INFINITY, -INFINITY, x, x + width}, {INFINITY, -INFINITY, y + height, y}};
    return f;
}

void scale_hold(scale *s, double value)
{
    if (!isfinite(value))
        return;
    s->low = fmin(s->low, value);
    s->high = fmax(s->high, value);
}

void scale_pad(scale *s, double share)
{
    if (!(s->low <= s->high))
        s->low = 0, s->high = 1;
    double size = fmax(fabs(s->low), fabs(s->high)), span = s->high - s->low;
    if (span <= 1e-9 * size || span == 0) {
        double half = size > 0 ? 0.5 * size : 0.5;
        s->low -= half;
        s->high += half;
        return;
    }
    s->low -= share * span;
    s->high += share * span;
}

static double unit_length(const scale *s)
{
    return fabs(s->to - s->from) / (s->high - s->low);
}

static void widen(scale *s, double unit)
{
    double middle = 0.5 * (s->low + s->high), half = 0.5 * fabs(s->to - s->from) / unit;
    s->low = middle - half;
    s->high = middle + half;
}

void frame_equal(frame *f)
{
    double x = unit_length(&f->sx), y = unit_length(&f->sy);
    if (x > y)
        widen(&f->sx, y);
    else
        widen(&f->sy, x);
}

static double place(const scale *s, double value)
{
    return s->from + (value - s->low) / (s->high - s->low) * (s->to - s->from);
}

double frame_x(const frame *f, double value)
{
    return place(&f->sx, value);
}

double frame_y(const frame *f, double value)
{
    return place(&f->sy, value);
}

/* ---- ticks ---- */

/* Round steps of 1, 2 or 5 times a power of ten, about gap apart on the page. */
typedef struct ticks {
    double first, step;
    int count;
    int decimals; /* of the numbers, after dividing by 10^power */
    int power;    /* of ten, shown once */
} ticks;

static double round_step(double rough)
{
    double ten = pow(10, floor(log10(rough))), lead = rough / ten;
    return ten * (lead > 5 ? 10 : lead > 2 ? 5 : lead > 1 ? 2 : 1);
}

static void place_ticks(const scale *s, double step, ticks *t)
{
    t->step = step;
    t->first = ceil(s->low / step - ON_TICK) * step;
    t->count = (int)floor((s->high - t->first) / step + ON_TICK) + 1;
}

/* At least two ticks: one alone gives no scale. */
static ticks ticks_of(const scale *s, double gap)
{
    double wanted = fmax(2, fabs(s->to - s->from) / gap), span = s->high - s->low;
    ticks t = {0};
    place_ticks(s, round_step(span / wanted), &t);
    for (int i = 0; i < 3 && t.count < 2; i++)
        place_ticks(s, round_step(0.45 * t.step), &t);
    t.count = t.count < MOST_TICKS ? t.count : MOST_TICKS;
    double size = fmax(fabs(s->low), fabs(s->high));
    int power = (int)floor(log10(size));
    t.power = power >= 4 || power <= -4 ? power : 0;
    t.decimals = (int)fmax(0, -floor(log10(t.step) - t.power + ON_TICK));
    return t;
}

static double tick_value(const ticks *t, int i)
{
    double value = (round(t->first / t->step) + i) * t->step;
    return fabs(value) < ON_TICK * t->step ? 0 : value;
}

static void tick_text(const ticks *t, int i, char *text, size_t room)
{
    char raw[CAROM_NUMBER_SIZE];
    carom_internal_number_fixed(raw, tick_value(t, i) / pow(10, t->power), t->decimals);
    snprintf(text, room, "%s%s", raw[0] == '-' ? "−" : "", raw + (raw[0] == '-'));
}

static void power_text(const ticks *t, char *text, size_t room)
{
    snprintf(text, room, "×10^{%s%d}", t->power < 0 ? "−" : "", t->power < 0 ? -t->power : t->power);
}

/* ---- axes ---- */

static void segment(picture *p, double x0, double y0, double x1, double y1)
{
    draw_move(p, x0, y0);
    draw_line(p, x1, y1);
}

static void draw_grid(const frame *f, const ticks *tx, const ticks *ty)
{
    picture *p = f->picture;
    for (int i = 0; i < tx->count; i++)
        segment(p, frame_x(f, tick_value(tx, i)), f->y, frame_x(f, tick_value(tx, i)), f->y + f->height);
    for (int i = 0; i < ty->count; i++)
        segment(p, f->x, frame_y(f, tick_value(ty, i)), f->x + f->width, frame_y(f, tick_value(ty, i)));
    draw_stroke(p, solid(PALE), 1);
    if (f->sx.low < 0 && f->sx.high > 0)
        segment(p, frame_x(f, 0), f->y, frame_x(f, 0), f->y + f->height);
    if (f->sy.low < 0 && f->sy.high > 0)
        segment(p, f->x, frame_y(f, 0), f->x + f->width, frame_y(f, 0));
    if ((f->sx.low < 0 && f->sx.high > 0) || (f->sy.low < 0 && f->sy.high > 0))
        draw_stroke(p, clear_paint(GREY, 0.6), 1);
}

static void draw_x_numbers(const frame *f, const ticks *t)
{
    char text[64];
    double base = f->y + f->height;
    for (int i = 0; i < t->count; i++) {
        double x = frame_x(f, tick_value(t, i));
        tick_text(t, i, text, sizeof text);
        draw_text(f->picture, x, base + TICK + 14, text, small_style(ANCHOR_MIDDLE));
    }
    if (t->power) {
        power_text(t, text, sizeof text);
        draw_text(f->picture, f->x + f->width, base + TICK + 30, text, small_style(ANCHOR_RIGHT));
    }
}

double frame_reach(const frame *f)
{
    char text[64];
    double widest = 0;
    ticks t = ticks_of(&f->sy, TICK_GAP_Y);
    for (int i = 0; i < t.count; i++) {
        tick_text(&t, i, text, sizeof text);
        widest = fmax(widest, text_size(text, small_style(ANCHOR_RIGHT)));
    }
    return widest + TICK + 4;
}

static void draw_y_numbers(const frame *f, const ticks *t)
{
    char text[64];
    for (int i = 0; i < t->count; i++) {
        tick_text(t, i, text, sizeof text);
        draw_text(f->picture, f->x - TICK - 4, frame_y(f, tick_value(t, i)) + 4, text, small_style(ANCHOR_RIGHT));
    }
    if (t->power) {
        power_text(t, text, sizeof text);
        draw_text(f->picture, f->x, f->y - 6, text, small_style(ANCHOR_LEFT));
    }
}

static void draw_border(const frame *f, const ticks *tx, const ticks *ty)
{
    picture *p = f->picture;
    double base = f->y + f->height;
    for (int i = 0; i < tx->count; i++)
        segment(p, frame_x(f, tick_value(tx, i)), base, frame_x(f, tick_value(tx, i)), base + TICK);
    for (int i = 0; i < ty->count; i++)
        segment(p, f->x - TICK, frame_y(f, tick_value(ty, i)), f->x, frame_y(f, tick_value(ty, i)));
    draw_rectangle(p, f->x, f->y, f->width, f->height);
    draw_stroke(p, solid(GREY), 1);
}

void frame_axes(const frame *f, axis_text text)
{
    ticks tx = ticks_of(&f->sx, TICK_GAP_X), ty = ticks_of(&f->sy, TICK_GAP_Y);
    draw_grid(f, &tx, &ty);
    draw_border(f, &tx, &ty);
    if (!text.hide_x_numbers)
        draw_x_numbers(f, &tx);
    draw_y_numbers(f, &ty);
    double reach = text.y_reach > 0 ? text.y_reach : frame_reach(f);
    if (text.x && !text.hide_x_numbers)
        draw_text(f->picture, f->x + f->width / 2, f->y + f->height + 38, text.x, label_style(ANCHOR_MIDDLE));
    if (text.y) {
        text_style style = label_style(ANCHOR_MIDDLE);
        style.angle = -90;
        draw_text(f->picture, fmax(f->x - reach - 10, LABEL_SIZE + 2), f->y + f->height / 2, text.y, style);
    }
}

void frame_begin(const frame *f)
{
    draw_clip(f->picture, f->x, f->y, f->width, f->height);
}

void frame_end(const frame *f)
{
    draw_unclip(f->picture);
}

/* ---- curves ---- */

static point on_page(const frame *f, point p)
{
    point q = {frame_x(f, p.x), frame_y(f, p.y)};
    return q;
}

static bool is_finite_point(point p)
{
    return isfinite(p.x) && isfinite(p.y);
}

/* How far q is from the segment a, b. */
static double off_segment(point q, point a, point b)
{
    double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    double s = length > 0 ? ((q.x - a.x) * dx + (q.y - a.y) * dy) / length : 0;
    s = fmin(fmax(s, 0), 1);
    return hypot(q.x - a.x - s * dx, q.y - a.y - s * dy);
}

/* The last of the points after i that one segment from i can reach without leaving out anything that shows. */
static int reach_from(const frame *f, const point *points, int count, int i)
{
    int last = i + 1;
    point from = on_page(f, points[i]);
    for (int next = i + 2; next < count && next <= i + THIN_RUN && is_finite_point(points[next]); next++) {
        point to = on_page(f, points[next]);
        for (int k = i + 1; k < next; k++)
            if (off_segment(on_page(f, points[k]), from, to) > THIN)
                return last;
        last = next;
    }
    return last;
}

void frame_curve(const frame *f, const point *points, int count, curve_style style)
{
    bool down = false, any = false;
    for (int i = 0; i < count;) {
        point at = on_page(f, points[i]);
        if (!is_finite_point(points[i])) {
            down = false;
            i++;
            continue;
        }
        if (down)
            draw_line(f->picture, at.x, at.y);
        else
            draw_move(f->picture, at.x, at.y);
        any = down = true;
        bool more = i + 1 < count && is_finite_point(points[i + 1]);
        i = more ? reach_from(f, points, count, i) : i + 1;
    }
    if (any)
        draw_stroke_dashed(f->picture, solid(style.rgb), style.width, style.dash, style.gap);
}

void frame_straight(const frame *f, point through, point direction, curve_style style)
{
    double size = hypot(direction.x / (f->sx.high - f->sx.low), direction.y / (f->sy.high - f->sy.low));
    double off =
        hypot((through.x - f->sx.low) / (f->sx.high - f->sx.low), (through.y - f->sy.low) / (f->sy.high - f->sy.low));
    double reach = (3 + off) / size; /* beyond the frame on both sides */
    point ends[2] = {{through.x - reach * direction.x, through.y - reach * direction.y},
                     {through.x + reach * direction.x, through.y + reach * direction.y}};
    frame_curve(f, ends, 2, style);
}

void frame_arrow(const frame *f, point tip, point direction, unsigned rgb)
{
    double dx = frame_x(f, direction.x) - frame_x(f, 0), dy = frame_y(f, direction.y) - frame_y(f, 0);
    double size = hypot(dx, dy), x = frame_x(f, tip.x), y = frame_y(f, tip.y);
    if (!(size > 0))
        return;
    dx *= 7 / size;
    dy *= 7 / size;
    draw_move(f->picture, x + 0.4 * dx, y + 0.4 * dy);
    draw_line(f->picture, x - 0.6 * dx - 0.42 * dy, y - 0.6 * dy + 0.42 * dx);
    draw_line(f->picture, x - 0.6 * dx + 0.42 * dy, y - 0.6 * dy - 0.42 * dx);
    draw_close(f->picture);
    draw_fill(f->picture, solid(rgb));
}
