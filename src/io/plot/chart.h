/* Axes, curves, marks and legends: what the plots share. */
#ifndef CAROM_IO_CHART_H
#define CAROM_IO_CHART_H

#include "io/plot/picture.h"

/* ---- colours: Okabe and Ito's, which the colour-blind can tell apart, on white ---- */

#define INK    0x1b1f24
#define GREY   0x667079
#define PALE   0xe4e7ea
#define BLUE   0x0072b2
#define RED    0xd55e00
#define GREEN  0x009e73
#define PURPLE 0xcc79a7
#define ORANGE 0xe69f00
#define SKY    0x56b4e9
#define WHITE  0xffffff

static inline paint solid(unsigned rgb)
{
    paint p = {rgb, 1};
    return p;
}

static inline paint clear_paint(unsigned rgb, double alpha)
{
    paint p = {rgb, alpha};
    return p;
}

/* Text in the sizes of the plots. */
text_style label_style(anchor a);
text_style small_style(anchor a);
text_style title_style(void);

/* How a curve looks; the first CURVE_STYLES differ, later ones repeat with dashes. */
typedef struct curve_style {
    unsigned rgb;
    double width, dash, gap;
} curve_style;

curve_style curve_style_of(int i);

/* ---- a pair of axes ---- */

typedef struct scale {
    double low, high; /* values at the ends */
    double from, to;  /* where they are on the page */
} scale;

typedef struct frame {
    picture *picture;
    double x, y, width, height;
    scale sx, sy;
} frame;

frame frame_at(picture *p, double x, double y, double width, double height);

/* Make room for a value; then widen by a little on each side. An empty range becomes one round something. */
void scale_hold(scale *s, double value);
void scale_pad(scale *s, double share);

/* The same length for a unit of x and of y, by widening one of them. */
void frame_equal(frame *f);

double frame_x(const frame *f, double value);
double frame_y(const frame *f, double value);

typedef struct axis_text {
    const char *x, *y;
    bool hide_x_numbers; /* panels that share the axis below */
    double y_reach;      /* how far left of the frame y stands; 0: beside the numbers */
} axis_text;

/* How far the numbers of the y axis reach to the left. */
double frame_reach(const frame *f);

/* Ground, grid, ticks on round numbers, labels. */
void frame_axes(const frame *f, axis_text text);

/* Drawing inside is cut off at the border between these two. */
void frame_begin(const frame *f);
void frame_end(const frame *f);

typedef struct point {
    double x, y;
} point;

/* A curve through points; a point that is not finite lifts the pen. */
void frame_curve(const frame *f, const point *points, int count, curve_style style);

/* A straight line through a point, across the whole frame. */
void frame_straight(const frame *f, point through, point direction, curve_style style);

/* An arrow head at a point of a curve, along a direction in values. */
void frame_arrow(const frame *f, point tip, point direction, unsigned rgb);

/* ---- marks ---- */

enum { MARK_SHAPES = 7 };

/* A mark of one of the shapes, on the page. */
void draw_mark(picture *p, double x, double y, int shape, unsigned rgb);

/* A number in a small disc. */
void draw_number(picture *p, double x, double y, int number);

/* ---- legend ---- */

typedef enum entry_kind { ENTRY_CURVE, ENTRY_MARK, ENTRY_AREA, ENTRY_HEAD, ENTRY_NUMBER } entry_kind;

typedef struct legend_entry {
    entry_kind kind;
    const char *text;
    bool plain; /* the text has no marks */
    curve_style style;
    int shape; /* of a mark; or the number itself */
} legend_entry;

/* Entries from the top down; long texts are broken at spaces to fit. Returns where it ends. */
double draw_legend(picture *p, double x, double y, double width, const legend_entry *entries, int count);

/* A number for people: at most so many digits, with a real minus sign. */
void number_text(char *text, size_t room, double value, int digits);

#endif
