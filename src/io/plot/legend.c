/* Marks and legends. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/plot/chart.h"

#define ROW     18.0 /* height of a line of the legend */
#define SWATCH  22.0 /* width of what stands before the text */
#define SPACE   8.0
#define MARK    5.2 /* radius of a mark */
#define OUTLINE 1.4

enum { LINE_ROOM = 200 };

/* Corners on a circle: shape i has so many, the first at this angle (quarter turns). */
static void polygon(picture *p, double x, double y, int corners, double start)
{
    for (int i = 0; i < corners; i++) {
        double a = 6.283185307179586 * (i + start) / corners, r = MARK * 1.2;
        if (i == 0)
            draw_move(p, x + r * sin(a), y - r * cos(a));
        else
            draw_line(p, x + r * sin(a), y - r * cos(a));
    }
    draw_close(p);
}

void draw_mark(picture *p, double x, double y, int shape, unsigned rgb)
{
    static const struct {
        int corners;
        double start;
    } shapes[MARK_SHAPES] = {{0, 0}, {4, 0.5}, {3, 0}, {4, 0}, {3, 1.5}, {5, 0}, {6, 0.5}};
    int i = shape % MARK_SHAPES;
    if (shapes[i].corners == 0)
        draw_circle(p, x, y, MARK);
    else
        polygon(p, x, y, shapes[i].corners, shapes[i].start);
    draw_fill_keep(p, solid(rgb));
    draw_stroke(p, solid(WHITE), OUTLINE);
}

void draw_number(picture *p, double x, double y, int number)
{
    char text[16];
    text_style style = small_style(ANCHOR_MIDDLE);
    style.size = 9.5;
    style.face = FACE_BOLD;
    style.paint = solid(WHITE);
    snprintf(text, sizeof text, "%d", number);
    draw_circle(p, x, y, 6.8);
    draw_fill(p, solid(GREY));
    draw_text(p, x, y + 3.4, text, style);
}

static void draw_swatch(picture *p, double x, double y, const legend_entry *e)
{
    double middle = y - 4;
    if (e->kind == ENTRY_CURVE) {
        draw_move(p, x, middle);
        draw_line(p, x + SWATCH, middle);
        draw_stroke_dashed(p, solid(e->style.rgb), e->style.width, e->style.dash, e->style.gap);
    } else if (e->kind == ENTRY_NUMBER)
        draw_number(p, x + SWATCH / 2, middle, e->shape);
    else if (e->kind == ENTRY_MARK)
        draw_mark(p, x + SWATCH / 2, middle, e->shape, e->style.rgb);
    else if (e->kind == ENTRY_AREA) {
        draw_rectangle(p, x + 2, middle - 6, SWATCH - 4, 12);
        draw_fill(p, clear_paint(e->style.rgb, 0.3));
    }
}

/* As much of the text as fits, broken at a space; the rest is returned. */
static const char *take_line(const char *text, double width, text_style style, char line[LINE_ROOM])
{
    const char *end = text, *next = text;
    line[0] = 0;
    while (*next) {
        size_t word = strcspn(next, " ");
        char trial[LINE_ROOM];
        snprintf(trial, sizeof trial, "%.*s", (int)(next + word - text), text);
        if (end > text && text_size(trial, style) > width)
            break;
        strcpy(line, trial);
        end = next + word;
        next = end + strspn(end, " ");
    }
    return end + strspn(end, " ");
}

double draw_legend(picture *p, double x, double y, double width, const legend_entry *entries, int count)
{
    for (int i = 0; i < count; i++) {
        const legend_entry *e = &entries[i];
        bool head = e->kind == ENTRY_HEAD;
        text_style style = head ? small_style(ANCHOR_LEFT) : label_style(ANCHOR_LEFT);
        double indent = head ? 0 : SWATCH + SPACE;
        char line[LINE_ROOM];
        style.size = head ? style.size : 12;
        style.plain = e->plain;
        y += head && i > 0 ? 0.6 * ROW : 0;
        draw_swatch(p, x, y, e);
        for (const char *rest = e->text; *rest; y += ROW) {
            rest = take_line(rest, width - indent, style, line);
            draw_text(p, x + indent, y, line, style);
        }
    }
    return y;
}
