/* A picture: a list of outlines with their paint, in units of 1/96 inch, y down. Everything is drawn into it once and
 * then written in any format. */
#ifndef CAROM_IO_PICTURE_H
#define CAROM_IO_PICTURE_H

#include <stdbool.h>

#include "carom/plot.h"

typedef enum op_kind {
    OP_MOVE,    /* x, y */
    OP_LINE,    /* x, y */
    OP_CURVE,   /* two control points and the end */
    OP_CLOSE,   /* back to the last move */
    OP_FILL,    /* ends the path, unless keep */
    OP_STROKE,  /* ends the path; x[0] width, x[1] dash, x[2] gap (0: solid) */
    OP_CLIP,    /* x, y, width, height: until unclip */
    OP_UNCLIP,  /**/
    OP_LETTERS, /* a run of letters begins: x, y, size, turned by x[3] degrees */
    OP_LETTER   /* which glyph, at x[0] thousandths of the size */
} op_kind;

typedef struct paint {
    unsigned rgb;
    double alpha;
} paint;

typedef struct op {
    op_kind kind;
    int glyph;
    bool keep; /* OP_FILL: the outline is used again by the next paint */
    paint paint;
    double x[6];
} op;

enum { PICTURE_TITLE = 240 };

struct carom_picture {
    double width, height;
    char title[PICTURE_TITLE];
    op *ops;
    int count, room;
    bool lost; /* memory ended: the picture cannot be written ... */
    op sink;   /* ... and what is drawn goes here */
};

/* Where things are drawn in the rest of this package. */
typedef carom_picture picture;

picture *picture_new(double width, double height);

void draw_move(picture *p, double x, double y);
void draw_line(picture *p, double x, double y);
void draw_close(picture *p);
void draw_fill(picture *p, paint colour);
void draw_fill_keep(picture *p, paint colour); /* the same outline is stroked next */
void draw_stroke(picture *p, paint colour, double width);
void draw_stroke_dashed(picture *p, paint colour, double width, double dash, double gap);
void draw_rectangle(picture *p, double x, double y, double width, double height);
void draw_circle(picture *p, double x, double y, double radius);
void draw_clip(picture *p, double x, double y, double width, double height);
void draw_unclip(picture *p);

/* Letters, for the text below: a run at a point of the base line, then its glyphs. */
void draw_letters(picture *p, const double x[4], paint colour);
void draw_letter(picture *p, int glyph, double at);

/* ---- text ---- */

typedef enum face { FACE_REGULAR, FACE_ITALIC, FACE_BOLD } face;

typedef enum anchor { ANCHOR_LEFT, ANCHOR_MIDDLE, ANCHOR_RIGHT } anchor;

typedef struct text_style {
    double size;
    paint paint;
    anchor anchor;
    face face;
    double angle; /* degrees, clockwise */
    bool plain;   /* no marks: every character is itself */
} text_style;

/* The width of a text; *marks* as in carom/plot.h. */
double text_size(const char *text, text_style style);

/* Draw at a point of the base line. */
void draw_text(picture *p, double x, double y, const char *text, text_style style);

/* The outline of glyph i and its advance: for the writers. */
const char *glyph_path(int i);
int glyph_count(void);

/* ---- writers ---- */

/* Both return false and set errno on failure. */
bool picture_write_svg(const picture *p, const char *path);
bool picture_write_cairo(const picture *p, const char *path, bool pdf);

#endif
