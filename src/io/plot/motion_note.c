#include "io/plot/motion_note.h"

#include <math.h>
#include <stdio.h>

#define MARGIN    16.0
#define BAR_SHARE 0.2 /* of the width: the longest bar */

/* The largest of 1, 2 and 5 times a power of ten that is not above a length. */
static double round_length(double most)
{
    double power = pow(10, floor(log10(most)));
    return power * (5 * power <= most ? 5 : 2 * power <= most ? 2 : 1);
}

static void length_text(char *text, size_t room, double length)
{
    double unit = length >= 1 ? 1 : length >= 0.01 ? 0.01 : 0.001;
    snprintf(text, room, "%g %s", length / unit, length >= 1 ? "m" : length >= 0.01 ? "cm" : "mm");
}

static void draw_bar(const frame *f)
{
    double metres = round_length(BAR_SHARE * (f->sx.high - f->sx.low)), y = f->y + f->height - MARGIN;
    double width = frame_x(f, metres) - frame_x(f, 0);
    char text[32];
    length_text(text, sizeof text, metres);
    draw_move(f->picture, f->x + MARGIN, y - 5);
    draw_line(f->picture, f->x + MARGIN, y);
    draw_line(f->picture, f->x + MARGIN + width, y);
    draw_line(f->picture, f->x + MARGIN + width, y - 5);
    draw_stroke(f->picture, solid(INK), 1.2);
    draw_text(f->picture, f->x + MARGIN + 0.5 * width, y - 8, text, small_style(ANCHOR_MIDDLE));
}

static void draw_times(const frame *f, const carom_motion_plot *m)
{
    int last = m->shown_count - 1;
    char from[32], to[32], text[128];
    if (last < 0)
        return;
    number_text(from, sizeof from, m->times[m->shown[0]], 4);
    number_text(to, sizeof to, m->times[m->shown[last]], 4);
    if (last == 0)
        snprintf(text, sizeof text, "%s s", to);
    else
        snprintf(text, sizeof text, "%d moments from %s s to %s s", m->shown_count, from, to);
    draw_text(f->picture, f->x + MARGIN, f->y + MARGIN + 6, text, small_style(ANCHOR_LEFT));
}

void motion_note(const frame *f, const carom_motion_plot *m)
{
    if (m->times)
        draw_times(f, m);
    draw_bar(f);
}
