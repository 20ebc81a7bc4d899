/* PNG and PDF through cairo. */
#include <cairo-pdf.h>
#include <cairo.h>
#include <errno.h>
#include <stdlib.h>

#include "io/plot/picture.h"

#define PNG_SCALE 2.0           /* pixels per unit */
#define POINT     (72.0 / 96.0) /* a unit in points */
#define RADIAN    0.017453292519943295

static void set_paint(cairo_t *cr, paint p)
{
    cairo_set_source_rgba(cr, (double)(p.rgb >> 16) / 255, (double)(p.rgb >> 8 & 255) / 255,
                          (double)(p.rgb & 255) / 255, p.alpha);
}

/* The outline of a glyph: letters with their coordinates, as tools/make-glyphs writes them. */
static void letter_path(cairo_t *cr, const char *path)
{
    double x[6];
    while (*path) {
        char letter = *path++;
        int count = letter == 'C' ? 6 : letter == 'Z' ? 0 : 2;
        for (int i = 0; i < count; i++) {
            char *end;
            x[i] = (double)strtol(path, &end, 10);
            path = end;
        }
        if (letter == 'M')
            cairo_move_to(cr, x[0], x[1]);
        else if (letter == 'L')
            cairo_line_to(cr, x[0], x[1]);
        else if (letter == 'C')
            cairo_curve_to(cr, x[0], x[1], x[2], x[3], x[4], x[5]);
        else
            cairo_close_path(cr);
    }
}

/* o is a run; its letters follow it. */
static void put_run(cairo_t *cr, const op *o, const op *end)
{
    cairo_save(cr);
    cairo_translate(cr, o->x[0], o->x[1]);
    cairo_rotate(cr, o->x[3] * RADIAN);
    cairo_scale(cr, o->x[2] / 1000, o->x[2] / 1000);
    set_paint(cr, o->paint);
    for (const op *l = o + 1; l < end && l->kind == OP_LETTER; l++) {
        cairo_save(cr);
        cairo_translate(cr, l->x[0], 0);
        letter_path(cr, glyph_path(l->glyph));
        cairo_restore(cr);
    }
    cairo_fill(cr);
    cairo_restore(cr);
}

static void put_paint(cairo_t *cr, const op *o)
{
    set_paint(cr, o->paint);
    if (o->kind == OP_FILL) {
        if (o->keep)
            cairo_fill_preserve(cr);
        else
            cairo_fill(cr);
        return;
    }
    double dash[2] = {o->x[1], o->x[2]};
    cairo_set_dash(cr, dash, o->x[1] > 0 ? 2 : 0, 0);
    cairo_set_line_width(cr, o->x[0]);
    cairo_stroke(cr);
}

static void put_op(cairo_t *cr, const op *o, const op *end)
{
    const double *x = o->x;
    if (o->kind == OP_MOVE)
        cairo_move_to(cr, x[0], x[1]);
    else if (o->kind == OP_LINE)
        cairo_line_to(cr, x[0], x[1]);
    else if (o->kind == OP_CURVE)
        cairo_curve_to(cr, x[0], x[1], x[2], x[3], x[4], x[5]);
    else if (o->kind == OP_CLOSE)
        cairo_close_path(cr);
    else if (o->kind == OP_FILL || o->kind == OP_STROKE)
        put_paint(cr, o);
    else if (o->kind == OP_CLIP) {
        cairo_save(cr);
        cairo_rectangle(cr, x[0], x[1], x[2], x[3]);
        cairo_clip(cr);
    } else if (o->kind == OP_UNCLIP)
        cairo_restore(cr);
    else if (o->kind == OP_LETTERS)
        put_run(cr, o, end);
}

static int error_number(cairo_status_t status)
{
    return status == CAIRO_STATUS_NO_MEMORY ? ENOMEM : errno ? errno : EIO;
}

static cairo_surface_t *new_surface(const picture *p, const char *path, bool pdf)
{
    if (!pdf)
        return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(PNG_SCALE * p->width),
                                          (int)(PNG_SCALE * p->height));
    cairo_surface_t *surface = cairo_pdf_surface_create(path, POINT * p->width, POINT * p->height);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, p->title);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "carom");
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z"); /* same bytes */
    return surface;
}

bool picture_write_cairo(const picture *p, const char *path, bool pdf)
{
    errno = 0;
    cairo_surface_t *surface = new_surface(p, path, pdf);
    cairo_t *cr = cairo_create(surface);
    double scale = pdf ? POINT : PNG_SCALE;
    cairo_scale(cr, scale, scale);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    for (int i = 0; i < p->count; i++)
        put_op(cr, &p->ops[i], p->ops + p->count);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    if (status == CAIRO_STATUS_SUCCESS && !pdf)
        status = cairo_surface_write_to_png(surface, path);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (status != CAIRO_STATUS_SUCCESS)
        errno = error_number(status);
    return status == CAIRO_STATUS_SUCCESS;
}
