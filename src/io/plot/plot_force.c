/* carom plot force and carom plot force-displacement: the contact force of a law that follows the contact in time. */
#include <stdlib.h>
#include <string.h>

#include "carom/solve.h"
#include "io/plot/plot_common.h"

enum { POINTS_PER_PIECE = 24 };

/* Points of the path, one array for each number. */
typedef struct history {
    double *time, *depth, *normal, *tangent1, *tangent2;
    int count, room;
    bool lost;
} history;

static bool grow(history *h)
{
    double **columns[] = {&h->time, &h->depth, &h->normal, &h->tangent1, &h->tangent2};
    int room = h->room > 0 ? 2 * h->room : 512;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        double *larger = realloc(*columns[i], (size_t)room * sizeof *larger);
        if (!larger)
            return false;
        *columns[i] = larger;
    }
    h->room = room;
    return true;
}

static void keep_piece(void *context, const carom_piece *piece)
{
    history *h = context;
    for (int i = h->count > 0; i <= POINTS_PER_PIECE; i++) {
        carom_state s;
        if (h->count == h->room && !grow(h)) {
            h->lost = true;
            return;
        }
        piece->at(piece, (double)i / POINTS_PER_PIECE, &s);
        h->time[h->count] = 1e3 * s.time;
        h->depth[h->count] = 1e3 * s.compression;
        h->normal[h->count] = s.force.n;
        h->tangent1[h->count] = s.force.t1;
        h->tangent2[h->count] = s.force.t2;
        h->count++;
    }
}

static void history_free(history *h)
{
    free(h->time);
    free(h->depth);
    free(h->normal);
    free(h->tangent1);
    free(h->tangent2);
}

/* The path of the law to show, or a refusal. */
static bool take(const carom_plot *request, history *h, carom_rule *rule, char *why, size_t room)
{
    const carom_law *laws[CAROM_PLOT_LAWS];
    carom_outcome out;
    const carom_tracer tracer = {NULL, keep_piece, h};
    memset(h, 0, sizeof *h);
    if (plot_laws(request, false, laws) != 1) {
        plot_refuse(why, room, "this plot shows one law; name one with --law");
        return false;
    }
    *rule = rule_with(request->c, laws[0]);
    if (!(rule->law->traits & CAROM_TRAIT_CONTACT_FORCE)) {
        plot_refuse(why, room, "%s has no contact force to plot; `carom laws` lists the family contact-force",
                    rule->law->id);
        return false;
    }
    if (carom_status_is_answer(carom_solve(&request->c->problem, rule, &tracer, &out)) && h->count > 1 && !h->lost)
        return true;
    plot_refuse(why, room, "%s has no force here: no impact, or the law refuses the case", rule->law->id);
    return false;
}

static carom_picture *draw(const carom_plot *request, carom_chart *chart, const carom_rule *rule)
{
    char text[300], coefficients[200];
    coefficient_text(coefficients, sizeof coefficients, rule, CAROM_COEFF_COUNT);
    snprintf(text, sizeof text, "%s:  %s", rule->law->id, coefficients);
    chart->title = request->title ? request->title : request->c->name ? request->c->name : "Contact force";
    return chart_draw_with(chart, text, NULL);
}

carom_picture *carom_plot_force(const carom_plot *request, char *why, size_t room)
{
    history h;
    carom_rule rule;
    carom_picture *out = NULL;
    if (take(request, &h, &rule, why, room)) {
        const bool spatial = request->c->dim == 3;
        const carom_curve normal = {NULL, h.time, h.normal, h.count, false, 0};
        const carom_curve tangents[] = {{spatial ? "along *t*_1" : NULL, h.time, h.tangent1, h.count, false, 0},
                                        {"along *t*_2", h.time, h.tangent2, h.count, false, 0}};
        const carom_curve depth = {NULL, h.time, h.depth, h.count, false, 0};
        carom_chart chart = {.x_label = "time  *t*  (ms)",
                             .panels = {{"*F*_n  (N)", &normal, 1},
                                        {"*F*_t  (N)", tangents, spatial ? 2 : 1},
                                        {"compression  *x*  (mm)", &depth, 1}},
                             .count = 3};
        out = draw(request, &chart, &rule);
        if (!out)
            plot_refuse(why, room, "out of memory");
    }
    history_free(&h);
    return out;
}

carom_picture *carom_plot_force_displacement(const carom_plot *request, char *why, size_t room)
{
    history h;
    carom_rule rule;
    carom_picture *out = NULL;
    if (take(request, &h, &rule, why, room)) {
        const carom_curve normal = {NULL, h.depth, h.normal, h.count, false, 0};
        const carom_curve tangent = {NULL, h.depth, h.tangent1, h.count, false, 0};
        carom_chart chart = {.x_label = "compression  *x*  (mm)",
                             .panels = {{"*F*_n  (N)", &normal, 1}, {"*F*_t  (N)", &tangent, 1}},
                             .count = 2};
        out = draw(request, &chart, &rule);
        if (!out)
            plot_refuse(why, room, "out of memory");
    }
    history_free(&h);
    return out;
}
