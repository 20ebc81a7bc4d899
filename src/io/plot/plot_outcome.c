/* carom plot outcome: what comes out, against a coefficient or the angle of approach, for several laws. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/solve.h"
#include "io/plot/plot_common.h"

enum { MOST_POINTS = 100000 };

#define DEGREE 0.017453292519943295

/* Where tangential numbers have their sign: the contact axis of a planar problem, else along the slip before. */
typedef struct view {
    carom_direction tangent;
    tangent_name axis;
    const carom_case *at; /* the case of the point at hand */
} view;

/* In a label, %t is the letter of the tangent and %a the words for its direction. */
typedef struct quantity {
    const char *name, *label;
    double (*of)(const view *v, const carom_outcome *out);
} quantity;

static double along(const view *v, carom_cvec w)
{
    return v->tangent.c * w.t1 + v->tangent.s * w.t2;
}

static double slip_after(const view *v, const carom_outcome *out)
{
    return along(v, out->u_after);
}

static double slip_1(const view *v, const carom_outcome *out)
{
    (void)v;
    return out->u_after.t1;
}

static double slip_2(const view *v, const carom_outcome *out)
{
    (void)v;
    return out->u_after.t2;
}

static double rebound(const view *v, const carom_outcome *out)
{
    (void)v;
    return out->u_after.n;
}

static double friction(const view *v, const carom_outcome *out)
{
    return along(v, out->p);
}

static double normal(const view *v, const carom_outcome *out)
{
    (void)v;
    return out->p.n;
}

static double ratio(const view *v, const carom_outcome *out)
{
    return out->p.n > 0 ? along(v, out->p) / out->p.n : NAN;
}

static double loss(const view *v, const carom_outcome *out)
{
    (void)v;
    return out->energy.before > 0 ? -100 * out->energy.change / out->energy.before : NAN;
}

static double restitution(const view *v, const carom_outcome *out)
{
    (void)v;
    return out->restitution.defined & CAROM_HAS_NEWTON ? out->restitution.newton : NAN;
}

/* Body A after the impact; at rest when the case has no bodies. */
static carom_body moved(const view *v, const carom_outcome *out)
{
    static const carom_body at_rest;
    carom_body bodies[2];
    if (v->at->body_count < 2)
        return at_rest;
    memcpy(bodies, v->at->bodies, sizeof bodies);
    carom_bodies_apply(&v->at->pairs->contact, out->p, &bodies[0], &bodies[1]);
    return bodies[0];
}

#define BODY_QUANTITY(name, member)                                                                                    \
    static double name(const view *v, const carom_outcome *out)                                                        \
    {                                                                                                                  \
        return moved(v, out).member;                                                                                   \
    }
BODY_QUANTITY(body_v_x, velocity.x)
BODY_QUANTITY(body_v_y, velocity.y)
BODY_QUANTITY(body_v_z, velocity.z)
BODY_QUANTITY(body_w_x, omega.x)
BODY_QUANTITY(body_w_y, omega.y)
BODY_QUANTITY(body_w_z, omega.z)

static const quantity quantities[] = {
    {"u_t", "*u*%t^{+}%a  (m/s)", slip_after},
    {"u_t1", "*u*_{t1}^{+}  (m/s)", slip_1},
    {"u_t2", "*u*_{t2}^{+}  (m/s)", slip_2},
    {"u_n", "*u*_n^{+}  (m/s)", rebound},
    {"p_t", "*p*%t%a  (N s)", friction},
    {"p_n", "*p*_n  (N s)", normal},
    {"ratio", "*p*%t / *p*_n%a", ratio},
    {"loss", "contact energy lost  (%)", loss},
    {"restitution", "−*u*_n^{+} / *u*_n", restitution},
    {"v_x", "*V*_x^{+} of A  (m/s)", body_v_x},
    {"v_y", "*V*_y^{+} of A  (m/s)", body_v_y},
    {"v_z", "*V*_z^{+} of A  (m/s)", body_v_z},
    {"w_x", "*ω*_x^{+} of A  (rad/s)", body_w_x},
    {"w_y", "*ω*_y^{+} of A  (rad/s)", body_w_y},
    {"w_z", "*ω*_z^{+} of A  (rad/s)", body_w_z},
};

enum { QUANTITIES = sizeof quantities / sizeof quantities[0] };

const char *const *carom_plot_quantities(void)
{
    static const char *const names[] = {"u_t",         "u_t1", "u_t2", "u_n", "p_t", "p_n", "ratio", "loss",
                                        "restitution", "v_x",  "v_y",  "v_z", "w_x", "w_y", "w_z",   NULL};
    return names;
}

static const quantity *find(const char *name)
{
    for (int i = 0; i < QUANTITIES; i++)
        if (strcmp(quantities[i].name, name) == 0)
            return &quantities[i];
    return NULL;
}

/* The problem and rule at one value of the sweep. */
static void set_point(const carom_plot_sweep *sweep, double value, carom_problem *pb, carom_rule *rule)
{
    if (!sweep->is_angle) {
        carom_coeffs_set(&rule->coeffs, sweep->coeff, value);
        if (rule->coeffs.mu_s >= 0 && rule->coeffs.mu_s < rule->coeffs.mu)
            rule->coeffs.mu_s = CAROM_SAME_AS_MU;
        return;
    }
    double slip = carom_cvec_slip(pb->u), speed = hypot(slip, pb->u.n), a = value * DEGREE;
    double c = slip > 0 ? pb->u.t1 / slip : 1, s = slip > 0 ? pb->u.t2 / slip : 0;
    pb->u = carom_cvec_make(speed * sin(a) * c, speed * sin(a) * s, -speed * cos(a));
}

static view view_of(const carom_case *c)
{
    const carom_problem *pb = &c->problem;
    double slip = carom_cvec_slip(pb->u);
    view v = {.tangent = {1, 0}};
    if (c->dim == 2 || carom_problem_plane(pb, &v.tangent) == CAROM_STATUS_OK) {
        v.axis = tangent_of_plane(c->dim, c->dim == 2 ? (carom_direction){1, 0} : v.tangent);
        return v;
    }
    v.tangent = (carom_direction){slip > 0 ? pb->u.t1 / slip : 1, slip > 0 ? pb->u.t2 / slip : 0};
    v.axis = slip > 0 ? tangent_of_slip() : tangent_of_plane(3, v.tangent);
    return v;
}

static void write_label(char *text, size_t room, const char *label, const tangent_name *axis)
{
    size_t used = 0;
    for (text[0] = 0; *label && used + 1 < room; label++) {
        const char *word = label[0] == '%' && label[1] == 't'   ? axis->letter
                           : label[0] == '%' && label[1] == 'a' ? axis->along
                                                                : NULL;
        int n =
            word ? snprintf(text + used, room - used, "%s", word) : snprintf(text + used, room - used, "%c", *label);
        used += n > 0 ? (size_t)n : 0;
        label += word != NULL;
    }
}

/* Everything of one plot in one block: x, then one column per panel and law. */
typedef struct grid {
    const carom_plot *request;
    int panels, laws, points;
    view view;
    char labels[CAROM_CHART_PANELS][96];
    const quantity *shown[CAROM_CHART_PANELS];
    const carom_law *law[CAROM_PLOT_LAWS];
    double *x, *y;
    carom_curve curves[CAROM_CHART_PANELS][CAROM_PLOT_LAWS];
} grid;

static double *column(const grid *g, int panel, int law)
{
    return g->y + ((size_t)panel * (size_t)g->laws + (size_t)law) * (size_t)g->points;
}

static void solve_point(grid *g, int law, int i, const carom_case *c)
{
    carom_problem pb = c->problem;
    carom_rule rule = rule_with(c, g->law[law]);
    carom_outcome out;
    if (!g->request->sweep.at)
        set_point(&g->request->sweep, g->x[i], &pb, &rule);
    bool fine = carom_status_is_answer(carom_solve(&pb, &rule, NULL, &out));
    g->view.at = c;
    for (int k = 0; k < g->panels; k++)
        column(g, k, law)[i] = fine ? g->shown[k]->of(&g->view, &out) : NAN;
}

static void solve_column(grid *g, int law)
{
    const carom_plot_sweep *sweep = &g->request->sweep;
    for (int i = 0; i < g->points; i++) {
        carom_case made = {0};
        if (!sweep->at)
            solve_point(g, law, i, g->request->c);
        else if (sweep->at(sweep->context, g->x[i], &made))
            solve_point(g, law, i, &made);
        else
            for (int k = 0; k < g->panels; k++)
                column(g, k, law)[i] = NAN;
        if (sweep->at)
            carom_case_free(&made);
    }
}

static bool choose(grid *g, char *why, size_t room)
{
    static const char *const usual[] = {"u_t", "u_n", "loss"};
    const carom_plot *r = g->request;
    bool given = r->shown_count > 0;
    g->panels = given ? r->shown_count : 3;
    if (g->panels > CAROM_CHART_PANELS) {
        plot_refuse(why, room, "--show: at most %d quantities", CAROM_CHART_PANELS);
        return false;
    }
    for (int i = 0; i < g->panels; i++) {
        const char *name = given ? r->shown[i] : usual[i];
        g->shown[i] = find(name);
        if (!g->shown[i]) {
            plot_refuse(why, room,
                        "--show: unknown quantity \"%s\"; known are u_t, u_t1, u_t2, u_n, p_t, p_n, ratio, "
                        "loss, restitution, v_x, v_y, v_z, w_x, w_y, w_z",
                        name);
            return false;
        }
    }
    if (r->sweep.count < 2 || r->sweep.count > MOST_POINTS) {
        plot_refuse(why, room, "outcome: needs --sweep NAME=FROM:TO:POINTS, for example --sweep mu=0:1:101");
        return false;
    }
    g->laws = plot_laws(r, false, g->law);
    g->points = r->sweep.count;
    return true;
}

static const char *x_label(const carom_plot_sweep *sweep, char *text, size_t room)
{
    if (sweep->at)
        return sweep->label;
    if (sweep->is_angle)
        return "angle of approach from the normal  (°)";
    static const char *const letters[CAROM_COEFF_COUNT] = {
        [CAROM_COEFF_e] = "restitution  *e*",       [CAROM_COEFF_e_t] = "tangential restitution  *e*_t",
        [CAROM_COEFF_mu] = "friction  *μ*",         [CAROM_COEFF_mu_s] = "static friction  *μ*_s",
        [CAROM_COEFF_eta] = "stiffness ratio  *η*",
    };
    snprintf(text, room, "%s", letters[sweep->coeff] ? letters[sweep->coeff] : carom_coeff_at(sweep->coeff)->name);
    return text;
}

static carom_picture *draw(grid *g)
{
    const carom_plot *r = g->request;
    carom_chart chart = {.count = g->panels};
    char label[80], text[300];
    carom_rule rule = rule_with(r->c, g->laws == 1 ? g->law[0] : NULL);
    if (g->laws > 1)
        rule.law = NULL;
    coefficient_text(text, sizeof text, &rule, r->sweep.is_angle || r->sweep.at ? CAROM_COEFF_COUNT : r->sweep.coeff);
    chart.title = r->title ? r->title : r->c->name ? r->c->name : "Outcome";
    chart.x_label = x_label(&r->sweep, label, sizeof label);
    for (int k = 0; k < g->panels; k++) {
        for (int i = 0; i < g->laws; i++)
            g->curves[k][i] = (carom_curve){g->law[i]->id, g->x, column(g, k, i), g->points, false, 0};
        write_label(g->labels[k], sizeof g->labels[k], g->shown[k]->label, &g->view.axis);
        chart.panels[k] = (carom_chart_panel){g->labels[k], g->curves[k], g->laws};
    }
    return chart_draw_with(&chart, text, NULL);
}

carom_picture *carom_plot_outcome(const carom_plot *request, char *why, size_t room)
{
    grid g = {.request = request, .view = view_of(request->c)};
    if (!choose(&g, why, room))
        return NULL;
    g.x = malloc((size_t)g.points * (size_t)(1 + g.panels * g.laws) * sizeof *g.x);
    if (!g.x)
        return plot_refuse(why, room, "out of memory");
    g.y = g.x + g.points;
    for (int i = 0; i < g.points; i++)
        g.x[i] = request->sweep.from + (request->sweep.to - request->sweep.from) * i / (g.points - 1);
    for (int i = 0; i < g.laws; i++)
        solve_column(&g, i);
    carom_picture *p = draw(&g);
    free(g.x);
    return p ? p : plot_refuse(why, room, "out of memory");
}
