#include "figures_paths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jia_model.h"

enum { PIECE = 64, ROOM = 4096, BOUNCES = 8 };

/* States along a path, dense on every piece of it. */
typedef struct walk {
    int count;
    double p[3][ROOM], x[ROOM], F[ROOM], stretch[ROOM], rate[ROOM];
} walk;

/* (68) of Jia in the plane: the rate of the tangential spring is the velocity where it sticks, and follows the normal
 * spring where it slips. */
static double spring_rate(const carom_state *s, bool slips, double eta)
{
    const double ratio = s->stored.n > 0 ? sqrt(s->stored.t1 / s->stored.n) : NAN; /* at first touch and at the end */
    return slips ? (s->stretch.t1 < 0 ? 1 : -1) * eta * s->u.n * ratio : s->u.t1;
}

static void keep_piece(void *context, const carom_piece *piece)
{
    walk *w = context;
    const carom_coeffs usual = jia_usual();
    const double eta = piece->compressing ? usual.eta : usual.eta / usual.e;
    for (int i = 0; i <= PIECE && w->count < ROOM; i++) {
        carom_state s;
        const int k = w->count++;
        piece->at(piece, (double)i / PIECE, &s);
        w->p[0][k] = s.p.t1;
        w->p[1][k] = s.p.t2;
        w->p[2][k] = s.p.n;
        w->x[k] = s.compression;
        w->F[k] = s.force.n;
        w->stretch[k] = s.stretch.t1;
        w->rate[k] = spring_rate(&s, strcmp(piece->mode, "slip") == 0, eta);
    }
}

/* The path of a law on a problem; null when memory ends. */
static walk *walked(const carom_problem *problem, const carom_rule *rule)
{
    walk *w = calloc(1, sizeof *w);
    carom_outcome out;
    const carom_tracer tracer = {NULL, keep_piece, w};
    if (w && !carom_status_is_answer(carom_solve(problem, rule, &tracer, &out)))
        w->count = 0;
    return w;
}

/* The same for the case of a figure. */
static walk *walked_case(const figure *f)
{
    carom_text text = {f->name, 1, f->text, strlen(f->text)};
    carom_case c;
    carom_case_error error;
    walk *w = carom_case_read(&text, &c, &error) ? walked(&c.problem, &c.rule) : NULL;
    carom_case_free(&c);
    return w;
}

carom_picture *draw_bilinear(const figure *f)
{
    static const char *const laws[2] = {"walton", "chatterjee-spring"};
    const carom_problem head_on = {{3.5, 0, 3.5, 0, 0, 1}, {0, 0, -1}};
    walk *w[2] = {NULL, NULL};
    carom_curve list[2];
    carom_chart chart = {.title = "Chatterjee, Figure 8.4: two springs with the same restitution",
                         .subtitle = "*e* = 0.6;  the stiffer line ends with a dent, the softer one drops at once",
                         .x_label = "compression *x*  (m)",
                         .panels = {{"*F*_n  (N)", list, 2}},
                         .count = 1};
    carom_picture *picture = NULL;
    (void)f;
    for (int i = 0; i < 2; i++) {
        carom_rule rule = carom_rule_default(carom_law_find(laws[i]));
        rule.coeffs.e = 0.6;
        rule.coeffs.k = 100;
        w[i] = walked(&head_on, &rule);
        if (w[i])
            list[i] = (carom_curve){laws[i], w[i]->x, w[i]->F, w[i]->count, false, 0};
    }
    if (w[0] && w[1])
        picture = carom_chart_draw(&chart);
    free(w[0]);
    free(w[1]);
    return picture;
}

carom_picture *draw_spring(const figure *f)
{
    const carom_problem ball = {{3.5, 0, 3.5, 0, 0, 1}, {-3, 0, -5}};
    carom_rule rule = carom_rule_default(carom_law_find("jia"));
    rule.coeffs = jia_usual();
    walk *w = walked(&ball, &rule);
    carom_curve rate, length;
    carom_chart chart = {.title = "Jia, Figures 12(b) and 12(c): the tangential spring of the ball",
                         .subtitle = "its rate is discontinuous where the contact begins to slip back",
                         .x_label = "*I*_z  (N s)",
                         .panels = {{"rate  (m/s)", &rate, 1}, {"length, *k*_t = 1", &length, 1}},
                         .count = 2};
    (void)f;
    if (!w)
        return NULL;
    rate = (carom_curve){NULL, w->p[2], w->rate, w->count, false, 0};
    length = (carom_curve){NULL, w->p[2], w->stretch, w->count, false, 0};
    carom_picture *picture = carom_chart_draw(&chart);
    free(w);
    return picture;
}

carom_picture *draw_plan(const figure *f)
{
    const double gravity = 9.81;
    double x[BOUNCES] = {0}, y[BOUNCES] = {0};
    const carom_coeffs usual = jia_usual();
    motion m = jia_spun;
    for (int i = 0; i < BOUNCES; i++) {
        m = jia_bounce(m, &usual).after;
        if (i + 1 < BOUNCES) {
            const double flight = 2 * m.v.z / gravity;
            x[i + 1] = x[i] + flight * m.v.x;
            y[i + 1] = y[i] + flight * m.v.y;
        }
        m.v.z = -m.v.z;
    }
    const double ends[2][2] = {{x[0], x[BOUNCES - 1]}, {y[0], y[BOUNCES - 1]}};
    const carom_curve list[3] = {{"trajectory", x, y, BOUNCES, false, 0},
                                 {"impacts", x, y, BOUNCES, true, 0},
                                 {"straight", ends[0], ends[1], 2, false, 2}};
    const carom_chart chart = {.title = "Jia, Figure 13: eight bounces, seen from above",
                               .subtitle =
                                   "*V*_0 = (−1, 0, −5),  *ω*_0 = (6, 6, 0);  the first bounce is at the origin",
                               .x_label = "*x*  (m)",
                               .panels = {{"*y*  (m)", list, 3}},
                               .count = 1};
    (void)f;
    return carom_chart_draw(&chart);
}

carom_picture *draw_projections(const figure *f)
{
    carom_picture *picture = NULL;
    walk *w = walked_case(f);
    if (w) {
        const carom_curve above = {NULL, w->p[1], w->p[0], w->count, false, 0},
                          front = {NULL, w->p[1], w->p[2], w->count, false, 0};
        const carom_chart chart = {.title = "Jia, Figure 17: the impulse on the pencil, projected",
                                   .subtitle = "with the true inertia; it ends at (4.037, 0.331, 5.790) (erratum J5)",
                                   .x_label = "*I*_y  (N s)",
                                   .panels = {{"*I*_x  (N s)", &above, 1}, {"*I*_z  (N s)", &front, 1}},
                                   .count = 2};
        picture = carom_chart_draw(&chart);
    }
    free(w);
    return picture;
}

/* ---- Figure 17(a) ---- */

/* A space curve seen from the front right, a little above; axes as lines. */
enum { AXES = 3 };

static void seen(const double at[3], double *x, double *y)
{
    static const double right[3] = {-0.55, 0.83, 0}, up[3] = {-0.30, -0.20, 0.93};
    *x = *y = 0;
    for (int i = 0; i < 3; i++) {
        *x += right[i] * at[i];
        *y += up[i] * at[i];
    }
}

carom_picture *draw_space_curve(const figure *f)
{
    static const char *const names[AXES] = {"*I*_x: 5 N s", "*I*_y: 1 N s", "*I*_z: 6 N s"};
    static const double lengths[AXES] = {5, 1, 6};
    carom_picture *picture = NULL;
    walk *w = walked_case(f);
    if (w) {
        double ends[AXES][2][2] = {{{0}}};
        carom_curve list[AXES + 1];
        for (int k = 0; k < w->count; k++)
            seen((double[3]){w->p[0][k], w->p[1][k], w->p[2][k]}, &w->stretch[k], &w->rate[k]);
        list[0] = (carom_curve){"impulse", w->stretch, w->rate, w->count, false, 0};
        for (int i = 0; i < AXES; i++) {
            double tip[3] = {0, 0, 0};
            tip[i] = lengths[i];
            seen(tip, &ends[i][0][1], &ends[i][1][1]);
            list[i + 1] = (carom_curve){names[i], ends[i][0], ends[i][1], 2, false, 0};
        }
        const carom_chart chart = {.title = "Jia, Figure 17(a): the impulse on the pencil in space",
                                   .subtitle = "with the true inertia; the straight lines are the axes",
                                   .x_label = "to the right  (N s)",
                                   .panels = {{"upward  (N s)", list, AXES + 1}},
                                   .count = 1};
        picture = carom_chart_draw(&chart);
    }
    free(w);
    return picture;
}

/* ---- Figure 10.4 ---- */

/* The ellipse P^T K P + 2 P^T u = 0 of (10.11) about its centre -K^-1 u, and the ellipse of half its size. */
carom_picture *draw_ivanov_region(const figure *f)
{
    enum { ROUND = 361 };
    const double tt = 0.9283813728906052, tn = 0.2204194696096774, nn = 0.3216186271093947;
    const double u[2] = {-0.9510565162951535, -0.3090169943749474}, det = tt * nn - tn * tn;
    const double centre[2] = {-(nn * u[0] - tn * u[1]) / det, -(tt * u[1] - tn * u[0]) / det};
    const double size = -(centre[0] * u[0] + centre[1] * u[1]), L = sqrt(tt), M = tn / L, N = sqrt(nn - M * M);
    static double x[2][ROUND], y[2][ROUND];
    for (int k = 0; k < ROUND; k++) { /* K = R^T R: the ellipse is R^-1 of a circle */
        const double angle = 2 * acos(-1) * k / (ROUND - 1), b = sqrt(size) * sin(angle) / N;
        const double a = (sqrt(size) * cos(angle) - M * b) / L;
        x[0][k] = centre[0] + a;
        y[0][k] = centre[1] + b;
        x[1][k] = x[0][k] / 2;
        y[1][k] = y[0][k] / 2;
    }
    const double line_x[2] = {0, 2}, line_y[2] = {-u[1] / nn, -(u[1] + tn * 2) / nn};
    const carom_curve list[] = {{"*η* = 1: no loss", x[0], y[0], ROUND, false, 0},
                                {"*η* = 0: most lost along *P*", x[1], y[1], ROUND, false, 0},
                                {"greatest compression", line_x, line_y, 2, false, 0}};
    const carom_chart chart = {.title = "Chatterjee, Figure 10.4: the region of Ivanov's restitution, 0 ≤ η ≤ 1",
                               .subtitle = "the pendulum of Table 7.1 at *λ* = 4;  a part lies below the line",
                               .x_label = "*P*_t  (N s)",
                               .panels = {{"*P*_n  (N s)", list, 3}},
                               .count = 1};
    (void)f;
    return carom_chart_draw(&chart);
}
