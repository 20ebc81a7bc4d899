#include "io/plot/plot_common.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/words.h"
#include "io/case/reader.h"

#define SAME_POINT  1e-12 /* of the whole p_n: two events at one point */
#define LEFT        72.0
#define SMALLEST    10.0 /* size of a title that hardly fits */
#define EVENT_CLEAR 15.0 /* page units between the numbers of two events */

/* ---- the path of a law ---- */

static void keep_state(track *t, const carom_piece *piece, double s)
{
    if (t->count == t->room) {
        int room = t->room ? 2 * t->room : 512;
        carom_state *larger = realloc(t->list, (size_t)room * sizeof *larger);
        t->lost |= !larger;
        if (!larger)
            return;
        t->list = larger;
        t->room = room;
    }
    piece->at(piece, s, &t->list[t->count++]);
}

static void keep_piece(void *context, const carom_piece *piece)
{
    track *t = context;
    double share = t->total > 0 ? (piece->p_n[1] - piece->p_n[0]) / t->total : 0;
    int steps = (int)ceil(share * TRACK_POINTS);
    steps = steps < 8 ? 8 : steps > TRACK_POINTS ? TRACK_POINTS : steps;
    for (int k = 0; k <= steps; k++) /* with both ends: springs lose energy between two stretches */
        keep_state(t, piece, (double)k / steps);
}

static void keep_event(void *context, const carom_event *event)
{
    track *t = context;
    if (t->event_count < TRACK_EVENTS)
        t->events[t->event_count++] = *event;
}

bool track_take(track *t, const carom_case *c, const carom_rule *rule)
{
    static const track nothing;
    *t = nothing;
    carom_outcome out;
    carom_tracer tracer = {keep_event, keep_piece, t};
    if (!(rule->law->traits & CAROM_TRAIT_HAS_PATH) || carom_status_is_refusal(solve_contact(c, rule, NULL, &out)))
        return false;
    t->total = out.p.n;
    (void)!solve_contact(c, rule, &tracer, &out);
    return t->count > 1 && !t->lost;
}

void track_free(track *t)
{
    free(t->list);
    t->list = NULL;
    t->count = t->room = 0;
}

const char *event_text(carom_event_kind kind)
{
    static const char *const texts[CAROM_EVENT_KIND_COUNT] = {
        [CAROM_EVENT_SLIDE] = "slides",
        [CAROM_EVENT_SLIDE_PLUS] = "slides along +t",
        [CAROM_EVENT_SLIDE_MINUS] = "slides along −t",
        [CAROM_EVENT_RAY] = "leaves rest",
        [CAROM_EVENT_STICK] = "sticks",
        [CAROM_EVENT_UP] = "compression ends",
        [CAROM_EVENT_DOWN] = "compresses again",
        [CAROM_EVENT_SLIP_TO_STICK] = "sticks",
        [CAROM_EVENT_STICK_TO_SLIP] = "slips",
        [CAROM_EVENT_COMPRESSION_END] = "compression ends",
        [CAROM_EVENT_END] = "end",
    };
    return texts[kind] ? texts[kind] : carom_event_word(kind);
}

/* Not the ends of the path, and not the new stretch that some other event begins. */
bool is_shown_event(const track *t, int i)
{
    const carom_event *e = &t->events[i];
    bool begins =
        e->kind == CAROM_EVENT_SLIDE || e->kind == CAROM_EVENT_SLIDE_PLUS || e->kind == CAROM_EVENT_SLIDE_MINUS;
    bool follows = i > 0 && e->at.p.n - t->events[i - 1].at.p.n <= SAME_POINT * t->total;
    return e->at.p.n > 0 && e->kind != CAROM_EVENT_END && !(begins && follows);
}

static void event_line(const frame *f, double x)
{
    draw_move(f->picture, x, f->y);
    draw_line(f->picture, x, f->y + f->height);
    draw_stroke_dashed(f->picture, clear_paint(GREY, 0.8), 1, 2, 3);
}

/* Discs that would touch rise above each other. */
void draw_events(const frame *f, const track *t, bool numbers)
{
    double last = -INFINITY, lift = 0;
    int number = 0;
    for (int i = 0; i < t->event_count; i++) {
        double x = frame_x(f, t->events[i].at.p.n);
        if (!is_shown_event(t, i))
            continue;
        event_line(f, x);
        lift = x - last < EVENT_CLEAR ? lift + EVENT_CLEAR - 1 : 0;
        if (numbers)
            draw_number(f->picture, x, f->y - 10 - lift, ++number);
        last = x;
    }
}

/* ---- the case in words ---- */

carom_rule rule_with(const carom_case *c, const carom_law *law)
{
    carom_rule rule = c->rule;
    if (law)
        rule.law = law;
    return rule;
}

int plot_laws(const carom_plot *request, bool all, const carom_law *laws[CAROM_PLOT_LAWS])
{
    int count = 0;
    for (int i = 0; i < request->law_count; i++)
        laws[count++] = request->laws[i];
    if (count == 0 && !all && request->c->rule.law)
        laws[count++] = request->c->rule.law;
    for (int i = 0; count == 0 || (all && request->law_count == 0 && i < carom_law_count()); i++) {
        if (i >= carom_law_count() || count >= CAROM_PLOT_LAWS)
            break;
        if (!(carom_law_at(i)->traits & CAROM_TRAIT_CONTACT_FORCE)) /* their stiffness must come from the case */
            laws[count++] = carom_law_at(i);
    }
    return count;
}

/* Coefficients have their letters; the others stand as they are spelled. */
const char *coefficient_letter(carom_coeff i)
{
    static const char *const letters[CAROM_COEFF_COUNT] = {
        [CAROM_COEFF_e] = "*e*",      [CAROM_COEFF_e_t] = "*e*_t",     [CAROM_COEFF_mu] = "*μ*",
        [CAROM_COEFF_mu_s] = "*μ*_s", [CAROM_COEFF_nu] = "*ν*",        [CAROM_COEFF_s_1] = "*s*_1",
        [CAROM_COEFF_s_2] = "*s*_2",  [CAROM_COEFF_ratio_1] = "*ρ*_1", [CAROM_COEFF_ratio_2] = "*ρ*_2",
        [CAROM_COEFF_eta] = "*η*",    [CAROM_COEFF_k] = "*k*",         [CAROM_COEFF_c] = "*c*",
        [CAROM_COEFF_k_t] = "*k*_t",  [CAROM_COEFF_c_t] = "*c*_t",     [CAROM_COEFF_exponent] = "*m*",
        [CAROM_COEFF_a] = "*a*",      [CAROM_COEFF_E_star] = "*E*^*",  [CAROM_COEFF_R] = "*R*",
        [CAROM_COEFF_kappa] = "*κ*",  [CAROM_COEFF_k_t1] = "*k*_{t1}", [CAROM_COEFF_k_t2] = "*k*_{t2}",
        [CAROM_COEFF_c_1] = "*c*_1",  [CAROM_COEFF_Y] = "*Y*",
    };
    return letters[i] ? letters[i] : carom_coeff_at(i)->name;
}

#define ON_AXIS 1e-12 /* sine: a direction this close to a contact axis is along it */

tangent_name tangent_of_plane(int dim, carom_direction plane)
{
    tangent_name axis = {"_t", ""};
    if (dim == 3 && fabs(plane.s) <= ON_AXIS)
        snprintf(axis.letter, sizeof axis.letter, "_{t1}");
    else if (dim == 3 && fabs(plane.c) <= ON_AXIS)
        snprintf(axis.letter, sizeof axis.letter, "_{t2}");
    else if (dim == 3)
        snprintf(axis.along, sizeof axis.along, " along %.3g t1 %s %.3g t2", plane.c, plane.s < 0 ? "−" : "+",
                 fabs(plane.s));
    return axis;
}

tangent_name tangent_of_slip(void)
{
    tangent_name axis = {"_t", " along the slip before"};
    return axis;
}

void coefficient_text(char *text, size_t room, const carom_rule *rule, carom_coeff without)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < CAROM_COEFF_COUNT; i++) {
        double value = carom_coeffs_get(&rule->coeffs, (carom_coeff)i);
        bool wanted = !rule->law ? i == CAROM_COEFF_e || i == CAROM_COEFF_mu : rule->law->uses >> i & 1;
        if (!wanted || i == (int)without || carom_coeff_is_silent((carom_coeff)i, value))
            continue;
        char number[48];
        number_text(number, sizeof number, value, 4);
        int written = snprintf(text + used, room - used, "%s%s = %s", used ? ",  " : "",
                               coefficient_letter((carom_coeff)i), number);
        used += written > 0 && (size_t)written < room - used ? (size_t)written : 0;
    }
}

/* As large as it fits; what does not fit even in small letters is cut at a character, with dots. */
static void draw_title(picture *p, double room)
{
    char text[sizeof p->title + 4];
    text_style style = title_style();
    size_t length = strlen(p->title);
    while (style.size > SMALLEST && text_size(p->title, style) > room)
        style.size -= 0.5;
    snprintf(text, sizeof text, "%s", p->title);
    while (length > 0 && text_size(text, style) > room) {
        do
            length--;
        while (length > 0 && (p->title[length] & 0xC0) == 0x80);
        snprintf(text, sizeof text, "%.*s…", (int)length, p->title);
    }
    draw_text(p, LEFT, 28, text, style);
}

picture *plot_page(const carom_plot *request, double width, double height, const char *title)
{
    picture *p = picture_new(width, height);
    if (!p)
        return NULL;
    const char *name = request->title ? request->title : request->c && request->c->name ? request->c->name : title;
    snprintf(p->title, sizeof p->title, "%s", name);
    draw_rectangle(p, 0, 0, width, height);
    draw_fill(p, solid(WHITE));
    draw_title(p, width - LEFT - LEFT / 4);
    return p;
}

void plot_subtitle(picture *p, const char *text)
{
    text_style style = small_style(ANCHOR_LEFT);
    style.size = 12;
    draw_text(p, LEFT, 46, text, style);
}

carom_picture *plot_refuse(char *why, size_t room, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, room, format, arguments);
    va_end(arguments);
    return NULL;
}
