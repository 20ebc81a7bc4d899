/* SVG, written by hand so that its bytes depend on the picture alone: coordinates in hundredths, letters defined once.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/utf8.h"
#include "io/plot/picture.h"

typedef struct svg {
    FILE *file;
    int clips;   /* clip paths defined so far */
    bool in_run; /* a group of letters is open */
    char *path;  /* the outline at hand */
    size_t length, room;
    bool lost;
} svg;

/* Hundredths without trailing zeros: "12", "-0.5", "3.14". */
static void number(char text[32], double value)
{
    double hundredths = round(value * 100);
    if (!(fabs(hundredths) < 1e9))
        hundredths = hundredths > 0 ? 1e9 : -1e9; /* far off the page */
    long n = (long)hundredths, whole = labs(n) / 100, rest = labs(n) % 100;
    const char *sign = n < 0 ? "-" : "";
    if (rest == 0)
        snprintf(text, 32, "%s%ld", sign, whole);
    else if (rest % 10 == 0)
        snprintf(text, 32, "%s%ld.%ld", sign, whole, rest / 10);
    else
        snprintf(text, 32, "%s%ld.%02ld", sign, whole, rest);
}

static void put(svg *s, char letter, const double *x, int count)
{
    if (s->length + 256 > s->room) {
        size_t room = s->room ? 2 * s->room : 4096;
        char *larger = realloc(s->path, room);
        s->lost |= !larger;
        if (!larger)
            return;
        s->path = larger;
        s->room = room;
    }
    s->path[s->length++] = letter;
    for (int i = 0; i < count; i++) {
        char text[32];
        number(text, x[i]);
        s->length += (size_t)snprintf(s->path + s->length, 40, "%s%s", i ? " " : "", text);
    }
    s->path[s->length] = 0;
}

static void end_run(svg *s)
{
    if (s->in_run)
        fputs("</g>\n", s->file);
    s->in_run = false;
}

static void attribute(svg *s, const char *name, double value)
{
    char text[32];
    number(text, value);
    fprintf(s->file, " %s=\"%s\"", name, text);
}

static void colour(svg *s, const char *name, paint ink)
{
    fprintf(s->file, " %s=\"#%06x\"", name, ink.rgb);
    if (ink.alpha < 1) {
        char opacity[32];
        snprintf(opacity, sizeof opacity, "%s-opacity", name);
        attribute(s, opacity, ink.alpha);
    }
}

static void end_path(svg *s, const op *o)
{
    fprintf(s->file, "<path d=\"%s\"", s->path ? s->path : "");
    if (o->kind == OP_FILL)
        colour(s, "fill", o->paint);
    else {
        fputs(" fill=\"none\"", s->file);
        colour(s, "stroke", o->paint);
        attribute(s, "stroke-width", o->x[0]);
    }
    if (o->kind == OP_STROKE && o->x[1] > 0) {
        char dash[32], gap[32];
        number(dash, o->x[1]);
        number(gap, o->x[2]);
        fprintf(s->file, " stroke-dasharray=\"%s %s\"", dash, gap);
    }
    fputs("/>\n", s->file);
    s->length = 0;
}

static void clip(svg *s, const op *o)
{
    static const char *const names[] = {"x", "y", "width", "height"};
    fprintf(s->file, "<clipPath id=\"c%d\"><rect", s->clips);
    for (int i = 0; i < 4; i++)
        attribute(s, names[i], o->x[i]);
    fprintf(s->file, "/></clipPath><g clip-path=\"url(#c%d)\">\n", s->clips++);
}

/* Thousandths of the size are small numbers: four decimals keep the letters in place. */
static void start_run(svg *s, const op *o)
{
    char x[32], y[32], angle[32];
    number(x, o->x[0]);
    number(y, o->x[1]);
    number(angle, o->x[3]);
    fputs("<g", s->file);
    colour(s, "fill", o->paint);
    fprintf(s->file, " transform=\"translate(%s %s)", x, y);
    if (o->x[3] != 0)
        fprintf(s->file, " rotate(%s)", angle);
    fprintf(s->file, " scale(.%05d)\">", (int)lround(o->x[2] * 100));
    s->in_run = true;
}

static void put_letter(svg *s, const op *o)
{
    int at = (int)lround(o->x[0]);
    if (!glyph_path(o->glyph)[0])
        return;
    if (at)
        fprintf(s->file, "<use href=\"#g%d\" x=\"%d\"/>", o->glyph, at);
    else
        fprintf(s->file, "<use href=\"#g%d\"/>", o->glyph);
}

static void put_op(svg *s, const op *o)
{
    static const struct {
        char letter;
        int count;
    } outline[] = {[OP_MOVE] = {'M', 2}, [OP_LINE] = {'L', 2}, [OP_CURVE] = {'C', 6}, [OP_CLOSE] = {'Z', 0}};
    if (o->kind != OP_LETTER)
        end_run(s);
    if (o->kind <= OP_CLOSE)
        put(s, outline[o->kind].letter, o->x, outline[o->kind].count);
    else if (o->kind == OP_FILL || o->kind == OP_STROKE) {
        size_t length = s->length;
        end_path(s, o);
        s->length = o->keep ? length : 0;
    } else if (o->kind == OP_CLIP)
        clip(s, o);
    else if (o->kind == OP_UNCLIP)
        fputs("</g>\n", s->file);
    else if (o->kind == OP_LETTERS)
        start_run(s, o);
    else
        put_letter(s, o);
}

/* Text for people who hear the picture or search in it. */
static void put_escaped(FILE *file, const char *text)
{
    char clean[PICTURE_TITLE];
    snprintf(clean, sizeof clean, "%s", text);
    carom_utf8_clean(clean);
    for (const char *c = clean; *c; c++)
        if (*c == '&')
            fputs("&amp;", file);
        else if (*c == '<' || *c == '>')
            fputs(*c == '<' ? "&lt;" : "&gt;", file);
        else
            fputc(*c, file);
}

/* The outlines of the letters that occur. */
static bool put_letters(const picture *p, FILE *file)
{
    bool *used = calloc((size_t)glyph_count(), sizeof *used);
    if (!used)
        return false;
    for (int i = 0; i < p->count; i++)
        if (p->ops[i].kind == OP_LETTER)
            used[p->ops[i].glyph] = true;
    fputs("<defs>\n", file);
    for (int i = 0; i < glyph_count(); i++)
        if (used[i] && glyph_path(i)[0])
            fprintf(file, "<path id=\"g%d\" d=\"%s\"/>\n", i, glyph_path(i));
    fputs("</defs>\n", file);
    free(used);
    return true;
}

bool carom_picture_print(const carom_picture *p, FILE *out)
{
    svg s = {.file = out};
    fprintf(s.file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
            "stroke-linejoin=\"round\" stroke-linecap=\"round\" role=\"img\">\n<title>",
            p->width, p->height, p->width, p->height);
    put_escaped(s.file, p->title);
    fputs("</title>\n", s.file);
    s.lost |= !put_letters(p, s.file);
    for (int i = 0; i < p->count; i++)
        put_op(&s, &p->ops[i]);
    end_run(&s);
    fputs("</svg>\n", s.file);
    free(s.path);
    if (s.lost)
        errno = ENOMEM;
    return !ferror(s.file) && !s.lost && !p->lost;
}

bool picture_write_svg(const picture *p, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    bool fine = carom_picture_print(p, file);
    int why = errno;
    fine = fclose(file) == 0 && fine;
    errno = errno ? errno : why;
    return fine;
}
