#include "io/plot/picture.h"

#include <stdlib.h>

enum { FIRST_ROOM = 1024 };

#define ROUND 0.5522847498307936 /* control points of a quarter circle, 4/3 (sqrt 2 - 1) */

picture *picture_new(double width, double height)
{
    picture *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->width = width;
    p->height = height;
    return p;
}

void carom_picture_free(carom_picture *p)
{
    if (p)
        free(p->ops);
    free(p);
}

static op *add(picture *p, op_kind kind)
{
    if (p->count == p->room) {
        int room = p->room ? 2 * p->room : FIRST_ROOM;
        op *larger = realloc(p->ops, (size_t)room * sizeof *larger);
        p->lost |= !larger;
        if (!larger)
            return &p->sink;
        p->ops = larger;
        p->room = room;
    }
    op *o = &p->ops[p->count++];
    static const op nothing;
    *o = nothing;
    o->kind = kind;
    return o;
}

static op *add_point(picture *p, op_kind kind, double x, double y)
{
    op *o = add(p, kind);
    o->x[0] = x;
    o->x[1] = y;
    return o;
}

void draw_move(picture *p, double x, double y)
{
    add_point(p, OP_MOVE, x, y);
}

void draw_line(picture *p, double x, double y)
{
    add_point(p, OP_LINE, x, y);
}

static void draw_curve(picture *p, const double points[6])
{
    op *o = add(p, OP_CURVE);
    for (int i = 0; i < 6; i++)
        o->x[i] = points[i];
}

void draw_close(picture *p)
{
    add(p, OP_CLOSE);
}

void draw_fill(picture *p, paint colour)
{
    add(p, OP_FILL)->paint = colour;
}

void draw_fill_keep(picture *p, paint colour)
{
    op *o = add(p, OP_FILL);
    o->paint = colour;
    o->keep = true;
}

void draw_stroke(picture *p, paint colour, double width)
{
    draw_stroke_dashed(p, colour, width, 0, 0);
}

void draw_stroke_dashed(picture *p, paint colour, double width, double dash, double gap)
{
    op *o = add(p, OP_STROKE);
    o->paint = colour;
    o->x[0] = width;
    o->x[1] = dash;
    o->x[2] = gap;
}

void draw_rectangle(picture *p, double x, double y, double width, double height)
{
    draw_move(p, x, y);
    draw_line(p, x + width, y);
    draw_line(p, x + width, y + height);
    draw_line(p, x, y + height);
    draw_close(p);
}

void draw_circle(picture *p, double x, double y, double r)
{
    double k = ROUND * r;
    draw_move(p, x + r, y);
    draw_curve(p, (double[]){x + r, y + k, x + k, y + r, x, y + r});
    draw_curve(p, (double[]){x - k, y + r, x - r, y + k, x - r, y});
    draw_curve(p, (double[]){x - r, y - k, x - k, y - r, x, y - r});
    draw_curve(p, (double[]){x + k, y - r, x + r, y - k, x + r, y});
    draw_close(p);
}

void draw_clip(picture *p, double x, double y, double width, double height)
{
    op *o = add_point(p, OP_CLIP, x, y);
    o->x[2] = width;
    o->x[3] = height;
}

void draw_unclip(picture *p)
{
    add(p, OP_UNCLIP);
}

void draw_letters(picture *p, const double x[4], paint colour)
{
    op *o = add(p, OP_LETTERS);
    o->paint = colour;
    for (int i = 0; i < 4; i++)
        o->x[i] = x[i];
}

void draw_letter(picture *p, int glyph, double at)
{
    op *o = add_point(p, OP_LETTER, at, 0);
    o->glyph = glyph;
}
