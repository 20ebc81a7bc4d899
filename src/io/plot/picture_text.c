/* Text as outlines, with *italics*, subscripts and superscripts. */
#include <math.h>
#include <stddef.h>

#include "carom/utf8.h"
#include "io/plot/picture.h"

typedef struct glyph {
    face face;
    unsigned code;
    int advance; /* thousandths of an em */
    const char *path;
} glyph;

static const glyph glyphs[] = {
#define CAROM_GLYPH(f, code, advance, path) {FACE_##f, code, advance, path},
#include "io/plot/glyphs.def"
#undef CAROM_GLYPH
};

enum { GLYPHS = sizeof glyphs / sizeof glyphs[0] };

#define EM        1000.0
#define SMALL     0.72 /* size of sub- and superscripts */
#define DROP      0.20 /* how far a subscript sinks, of the size */
#define RAISE     0.36 /* how far a superscript rises */
#define SLANT_GAP 0.03 /* space after italics, so that they do not touch what follows */
#define RADIAN    0.017453292519943295

const char *glyph_path(int i)
{
    return glyphs[i].path;
}

int glyph_count(void)
{
    return GLYPHS;
}

static int find_in(face f, unsigned code)
{
    int low = 0, high = GLYPHS;
    while (low < high) { /* the table is sorted by face, then code */
        int middle = (low + high) / 2;
        bool before = glyphs[middle].face < f || (glyphs[middle].face == f && glyphs[middle].code < code);
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    return low < GLYPHS && glyphs[low].face == f && glyphs[low].code == code ? low : -1;
}

/* A face that lacks a letter borrows it from the upright one; a letter that no face has becomes a question mark. */
static int find(face f, unsigned code)
{
    int i = find_in(f, code);
    i = i < 0 ? find_in(FACE_REGULAR, code) : i;
    return i < 0 ? find_in(FACE_REGULAR, '?') : i;
}

/* The next character; invalid bytes count as question marks. */
static unsigned next_code(const char **text)
{
    unsigned code;
    int length = carom_utf8_decode(*text, &code);
    *text += length;
    return code == CAROM_UTF8_BAD && length == 1 ? '?' : code;
}

/* Layout: where the pen is and how it writes. Without a picture it only measures. */
typedef struct pen {
    picture *picture;
    text_style style;
    double x, y;    /* of the first letter */
    double along;   /* written so far */
    bool italic;    /* between asterisks */
    int level;      /* -1 subscript, 0, 1 superscript */
    bool group;     /* inside { } of a script */
    bool is_open;   /* a run of letters is open in the picture, ... */
    double started; /* ... which began here */
} pen;

static double letter_size(const pen *p)
{
    return p->level ? SMALL * p->style.size : p->style.size;
}

static void open_run(pen *p)
{
    double a = p->style.angle * RADIAN, shift = p->level < 0 ? DROP : p->level > 0 ? -RAISE : 0;
    double across = shift * p->style.size;
    double x[4] = {p->x + p->along * cos(a) - across * sin(a), p->y + p->along * sin(a) + across * cos(a),
                   letter_size(p), p->style.angle};
    draw_letters(p->picture, x, p->style.paint);
    p->is_open = true;
    p->started = p->along;
}

static void write_code(pen *p, unsigned code)
{
    int i = find(p->italic ? FACE_ITALIC : p->style.face, code);
    double size = letter_size(p);
    if (i < 0)
        return;
    if (p->picture && !p->is_open)
        open_run(p);
    if (p->picture)
        draw_letter(p->picture, i, (p->along - p->started) / size * EM);
    p->along += glyphs[i].advance * size / EM;
}

static void set_level(pen *p, int level)
{
    p->level = level;
    p->is_open = false;
}

/* One mark or one character. */
static void write_marked(pen *p, unsigned code, const char **text)
{
    bool script = code == '_' || code == '^';
    if (code == '*') {
        p->along += p->italic ? SLANT_GAP * letter_size(p) : 0;
        p->italic = !p->italic;
    } else if (script && **text) {
        set_level(p, code == '_' ? -1 : 1);
        p->group = **text == '{';
        *text += p->group;
        if (!p->group) {
            bool slanted = p->italic;
            p->italic = false;
            write_code(p, next_code(text));
            p->italic = slanted;
            set_level(p, 0);
        }
    } else if (code == '}' && p->group) {
        p->group = false;
        set_level(p, 0);
    } else
        write_code(p, code);
}

static double write_text(pen *p, const char *text)
{
    while (*text) {
        unsigned code = next_code(&text);
        if (p->style.plain)
            write_code(p, code);
        else
            write_marked(p, code, &text);
    }
    return p->along;
}

double text_size(const char *text, text_style style)
{
    pen p = {.style = style};
    return write_text(&p, text);
}

void draw_text(picture *page, double x, double y, const char *text, text_style style)
{
    double a = style.angle * RADIAN;
    double back = style.anchor == ANCHOR_LEFT ? 0 : text_size(text, style) * (style.anchor == ANCHOR_RIGHT ? 1 : 0.5);
    pen p = {.picture = page, .style = style, .x = x - back * cos(a), .y = y - back * sin(a)};
    write_text(&p, text);
}
