/* What the plots share: the page, the case in words, and the path of a law as points. */
#ifndef CAROM_IO_PLOT_COMMON_H
#define CAROM_IO_PLOT_COMMON_H

#include "io/plot/chart.h"

#define STEEPEST 1e9 /* friction beyond it is drawn as this: its cone fills the half space */

enum { TRACK_EVENTS = 64, TRACK_POINTS = 400 };

/* The path of a law: states along it, and its events. */
typedef struct track {
    carom_state *list;
    int count, room;
    double total; /* normal impulse of the whole */
    bool lost;
    int event_count;
    carom_event events[TRACK_EVENTS];
} track;

/* Walk the path; false when the law refuses, has no path, or memory ends. Free in any case. */
bool track_take(track *t, const carom_case *c, const carom_rule *rule);
void track_free(track *t);

/* What a person calls an event. */
const char *event_text(carom_event_kind kind);

/* The rule of the case with another law (null: its own). */
carom_rule rule_with(const carom_case *c, const carom_law *law);

/* The laws a request names; for none: all of them, or the case's own. Returns how many. */
int plot_laws(const carom_plot *request, bool all, const carom_law *laws[CAROM_PLOT_LAWS]);

/* A page with its white ground, title, and a line about the coefficients below it. */
picture *plot_page(const carom_plot *request, double width, double height, const char *title);
void plot_subtitle(picture *p, const char *text);

/* The letter of a coefficient, with marks. */
const char *coefficient_letter(carom_coeff i);

/* "e = 0.5, mu = 0.4": the coefficients that a law uses, but one (CAROM_COEFF_COUNT: none). */
void coefficient_text(char *text, size_t room, const carom_rule *rule, carom_coeff without);

/* How an axis names a tangential component: the letter of the contact axis; for other
 * directions along says which it is. */
typedef struct tangent_name {
    char letter[16], along[64];
} tangent_name;

tangent_name tangent_of_plane(int dim, carom_direction plane);
tangent_name tangent_of_slip(void);

/* Events inside the path as vertical lines of a frame, numbered above it. */
bool is_shown_event(const track *t, int i);
void draw_events(const frame *f, const track *t, bool numbers);

/* carom_chart_draw, with a second line below the title and the events of a path as vertical lines (or null). */
carom_picture *chart_draw_with(const carom_chart *chart, const char *subtitle, const track *events);

/* Null with a sentence. */
carom_picture *plot_refuse(char *why, size_t room, const char *format, ...);

#endif
