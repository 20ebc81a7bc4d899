/* carom plot impulse and carom plot energy: what happens inside the impact, against the normal impulse. */
#include <stdio.h>
#include <stdlib.h>

#include "io/plot/plot_common.h"

enum { CURVES = 8 };

/* Columns of a track, one array each. */
typedef struct columns {
    double *data;
    int count;
    carom_curve curves[CURVES];
    int used;
} columns;

static bool columns_start(columns *c, const track *t)
{
    static const columns nothing;
    *c = nothing;
    c->count = t->count;
    c->data = malloc((size_t)t->count * (CURVES + 1) * sizeof *c->data);
    for (int i = 0; c->data && i < t->count; i++)
        c->data[i] = t->list[i].p.n;
    return c->data;
}

/* A new curve; its values are to be filled in. */
static double *columns_add(columns *c, const char *label)
{
    double *y = c->data + (size_t)(c->used + 1) * (size_t)c->count;
    carom_curve curve = {label, c->data, y, c->count, false, 0};
    c->curves[c->used++] = curve;
    return y;
}

/* The track of the law to show, or a refusal. */
static bool take(const carom_plot *request, track *t, carom_rule *rule, char *why, size_t room)
{
    const carom_law *laws[CAROM_PLOT_LAWS];
    int count = plot_laws(request, false, laws);
    *rule = rule_with(request->c, laws[0]);
    static const track nothing;
    *t = nothing;
    if (count != 1) {
        plot_refuse(why, room, "this plot shows one law; name one with --law");
        return false;
    }
    if (!(rule->law->traits & CAROM_TRAIT_HAS_PATH)) {
        plot_refuse(why, room, "%s has no path to plot; `carom laws` says which laws have one", rule->law->id);
        return false;
    }
    if (track_take(t, request->c, rule))
        return true;
    plot_refuse(why, room, "%s has no path here: no impulse, or the law refuses the case", rule->law->id);
    return false;
}

static void subtitle(char text[300], const carom_rule *rule)
{
    char coefficients[200];
    coefficient_text(coefficients, sizeof coefficients, rule, CAROM_COEFF_COUNT);
    snprintf(text, 300, "%s:  %s", rule->law->id, coefficients);
}

static carom_picture *draw(const carom_plot *request, carom_chart *chart, const track *t, const carom_rule *rule)
{
    char text[300];
    subtitle(text, rule);
    chart->title = request->title ? request->title : request->c->name ? request->c->name : "Inside the impact";
    chart->x_label = "normal impulse  *p*_n  (N s)";
    return chart_draw_with(chart, text, t);
}

/* Curves 0 and 1 of p and of u are the tangents, curve 2 of u the normal. */
static void fill_impulse(columns *p, columns *u, const track *t, bool spatial)
{
    const char *first = spatial ? "along *t*_1" : "along *t*";
    double *p1 = columns_add(p, first), *p2 = spatial ? columns_add(p, "along *t*_2") : NULL;
    double *u1 = columns_add(u, first), *u2 = spatial ? columns_add(u, "along *t*_2") : NULL;
    double *un = columns_add(u, "along *n*");
    u->curves[u->used - 1].style = 3;
    for (int i = 0; i < t->count; i++) {
        const carom_state *s = &t->list[i];
        p1[i] = s->p.t1;
        u1[i] = s->u.t1;
        un[i] = s->u.n;
        if (spatial) {
            p2[i] = s->p.t2;
            u2[i] = s->u.t2;
        }
    }
}

carom_picture *carom_plot_impulse(const carom_plot *request, char *why, size_t room)
{
    track t;
    carom_rule rule;
    columns p = {0}, u = {0};
    carom_picture *out = NULL;
    if (!take(request, &t, &rule, why, room)) {
        track_free(&t);
        return NULL;
    }
    if (columns_start(&p, &t) && columns_start(&u, &t)) {
        fill_impulse(&p, &u, &t, request->c->dim == 3);
        carom_chart chart = {.panels = {{"*p*_t  (N s)", p.curves, p.used},
                                        {"*u*_t  (m/s)", u.curves, u.used - 1},
                                        {"*u*_n  (m/s)", u.curves + u.used - 1, 1}},
                             .count = 3};
        out = draw(request, &chart, &t, &rule);
    }
    free(p.data);
    free(u.data);
    track_free(&t);
    return out ? out : plot_refuse(why, room, "out of memory");
}

carom_picture *carom_plot_energy(const carom_plot *request, char *why, size_t room)
{
    track t;
    carom_rule rule;
    columns w = {0};
    carom_picture *out = NULL;
    if (!take(request, &t, &rule, why, room)) {
        track_free(&t);
        return NULL;
    }
    bool springs = rule.law->traits & CAROM_TRAIT_SPRINGS;
    if (columns_start(&w, &t)) {
        double *normal = columns_add(&w, "normal work  *W*_n"), *friction = columns_add(&w, "friction work  *W*_f");
        double *change = columns_add(&w, "kinetic energy, change");
        double *spin = rule.coeffs.patch > 0 ? columns_add(&w, "work on spin  *W*_s") : NULL;
        double *tight = springs ? columns_add(&w, "stored, normal") : NULL;
        double *slack = springs ? columns_add(&w, "stored, tangential") : NULL;
        for (int i = 0; i < t.count; i++) {
            const carom_state *s = &t.list[i];
            normal[i] = s->work_normal;
            friction[i] = s->work_friction;
            change[i] = s->work_normal + s->work_friction + s->work_spin;
            if (spin)
                spin[i] = s->work_spin;
            if (springs) {
                tight[i] = s->stored.n;
                slack[i] = s->stored.t1 + s->stored.t2;
            }
        }
        carom_chart chart = {.panels = {{"energy  (J)", w.curves, w.used}}, .count = 1};
        out = draw(request, &chart, &t, &rule);
    }
    free(w.data);
    track_free(&t);
    return out ? out : plot_refuse(why, room, "out of memory");
}
