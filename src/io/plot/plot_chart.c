/* Charts of curves: panels above each other with a common x axis and one legend. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/plot/plot_common.h"

enum { WIDTH = 800, PLAIN = 600, ENTRIES = 40 };

#define PLOT_X   72.0
#define PLOT_Y   64.0
#define NUMBERS  16.0 /* more room above the first panel for the numbers of events */
#define PLOT_W   500.0
#define LEGEND_X 600.0
#define LEGEND_W 195.0
#define BOTTOM   56.0
#define GAP      16.0
#define COINCIDE 0.35 /* of the way: curves that share more than this are drawn so that both show */

static const double heights[CAROM_CHART_PANELS] = {360, 210, 160};

static void hold_curve(frame *f, const carom_curve *c)
{
    for (int i = 0; i < c->count; i++) {
        if (!isfinite(c->y[i]))
            continue;
        scale_hold(&f->sx, c->x[i]);
        scale_hold(&f->sy, c->y[i]);
    }
}

/* The same x range for all panels. */
static void scale_panels(const carom_chart *chart, frame *frames)
{
    scale common = {INFINITY, -INFINITY, 0, 0};
    for (int i = 0; i < chart->count; i++) {
        for (int k = 0; k < chart->panels[i].count; k++)
            hold_curve(&frames[i], &chart->panels[i].curves[k]);
        scale_pad(&frames[i].sy, 0.08);
        scale_hold(&common, frames[i].sx.low);
        scale_hold(&common, frames[i].sx.high);
    }
    scale_pad(&common, 0);
    for (int i = 0; i < chart->count; i++) {
        frames[i].sx.low = common.low;
        frames[i].sx.high = common.high;
    }
}

/* Two curves over the same x that can hardly be told apart on most of their way. */
static bool coincide(const frame *f, const carom_curve *a, const carom_curve *b)
{
    int same = 0, both = 0;
    if (a->x != b->x || a->count != b->count || a->dots || b->dots)
        return false;
    for (int i = 0; i < a->count; i++) {
        bool finite = isfinite(a->y[i]) && isfinite(b->y[i]);
        both += finite;
        same += finite && fabs(frame_y(f, a->y[i]) - frame_y(f, b->y[i])) < 1.5;
    }
    return both > 0 && same > COINCIDE * both;
}

/* How many earlier curves lie beneath curve k: it is drawn narrower, so that they show on both sides. Colour and dashes
 * stay those of the legend. */
static int beneath(const frame *f, const carom_curve *curves, int k)
{
    int count = 0;
    for (int i = 0; i < k; i++)
        count += coincide(f, &curves[i], &curves[k]);
    return count;
}

static curve_style style_of(const carom_curve *c, int i)
{
    return curve_style_of(c->style > 0 ? c->style - 1 : i);
}

/* One point or unlinked dots are marks; everything else is a line. */
static void draw_one(const frame *f, const carom_curve *c, int i, int under)
{
    curve_style style = style_of(c, i);
    point *points = malloc((size_t)(c->count ? c->count : 1) * sizeof *points);
    f->picture->lost |= !points;
    for (int k = 0; points && k < c->count; k++)
        points[k] = (point){c->x[k], c->y[k]};
    if (under > 0)
        style.width *= under == 1 ? 0.5 : 0.3;
    if (points && !c->dots)
        frame_curve(f, points, c->count, style);
    for (int k = 0; points && c->dots && k < c->count; k++)
        if (isfinite(c->y[k]))
            draw_mark(f->picture, frame_x(f, c->x[k]), frame_y(f, c->y[k]), i, style.rgb);
    free(points);
}

static bool is_listed(const legend_entry *entries, int count, const char *text)
{
    for (int i = 0; i < count; i++)
        if (strcmp(entries[i].text, text) == 0)
            return true;
    return false;
}

/* Every label once; panels that number their curves alike share the entries. */
static void draw_key(picture *p, const carom_chart *chart, const track *events)
{
    legend_entry entries[ENTRIES];
    char texts[ENTRIES][96];
    int count = 0;
    for (int i = 0; i < chart->count; i++)
        for (int k = 0; k < chart->panels[i].count && count < ENTRIES; k++) {
            const carom_curve *c = &chart->panels[i].curves[k];
            if (!c->label || is_listed(entries, count, c->label))
                continue;
            legend_entry e = {c->dots ? ENTRY_MARK : ENTRY_CURVE, c->label, false, style_of(c, k), k};
            entries[count++] = e;
        }
    static const legend_entry head = {ENTRY_HEAD, "events at *p*_n =", false, {0, 0, 0, 0}, 0};
    int number = 0;
    for (int i = 0; events && i < events->event_count && count + 2 < ENTRIES; i++) {
        if (!is_shown_event(events, i))
            continue;
        if (number == 0)
            entries[count++] = head;
        char value[48];
        number_text(value, sizeof value, events->events[i].at.p.n, 5);
        snprintf(texts[number], sizeof texts[number], "%s  %s", value, event_text(events->events[i].kind));
        legend_entry e = {ENTRY_NUMBER, texts[number], true, {0, 0, 0, 0}, number + 1};
        entries[count++] = e;
        number++;
    }
    draw_legend(p, LEGEND_X, PLOT_Y + 12, LEGEND_W, entries, count);
}

static bool has_legend(const carom_chart *chart)
{
    for (int i = 0; i < chart->count; i++)
        for (int k = 0; k < chart->panels[i].count; k++)
            if (chart->panels[i].curves[k].label)
                return true;
    return false;
}

carom_picture *chart_draw_with(const carom_chart *chart, const char *subtitle, const track *events)
{
    double height = heights[chart->count - 1];
    frame frames[CAROM_CHART_PANELS];
    carom_plot named = {.title = chart->title};
    double top = PLOT_Y + (events ? NUMBERS : 0);
    picture *p = plot_page(&named, has_legend(chart) || events ? WIDTH : PLAIN,
                           top + chart->count * (height + GAP) - GAP + BOTTOM, "");
    if (!p)
        return NULL;
    plot_subtitle(p, subtitle);
    for (int i = 0; i < chart->count; i++)
        frames[i] = frame_at(p, PLOT_X, top + i * (height + GAP), PLOT_W, height);
    scale_panels(chart, frames);
    double reach = 0; /* the labels of all panels stand in one line */
    for (int i = 0; i < chart->count; i++)
        reach = fmax(reach, frame_reach(&frames[i]));
    for (int i = 0; i < chart->count; i++) {
        const frame *f = &frames[i];
        frame_axes(f, (axis_text){chart->x_label, chart->panels[i].y_label, i + 1 < chart->count, reach});
        if (events)
            draw_events(f, events, i == 0);
        frame_begin(f);
        for (int k = 0; k < chart->panels[i].count; k++)
            draw_one(f, &chart->panels[i].curves[k], k, beneath(f, chart->panels[i].curves, k));
        frame_end(f);
    }
    draw_key(p, chart, events);
    return p;
}

carom_picture *carom_chart_draw(const carom_chart *chart)
{
    return chart_draw_with(chart, chart->subtitle ? chart->subtitle : "", NULL);
}
