#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures_paths.h"
#include "literature.h"

enum { POINTS = 401, MOST_CURVES = 4 };

/* ---- figures that are plots of a case ---- */

static carom_picture *draw_case(const figure *f)
{
    carom_text text = {f->name, 1, f->text, strlen(f->text)};
    carom_case c;
    carom_case_error error;
    char why[256], words[200], *rest = NULL;
    carom_picture *picture = NULL;
    if (carom_case_read(&text, &c, &error)) {
        carom_plot request = {.c = &c, .reach = f->reach};
        snprintf(words, sizeof words, "%s", f->laws ? f->laws : "");
        for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
            if (carom_law_find(w))
                request.laws[request.law_count++] = carom_law_find(w);
        picture = f->plot(&request, why, sizeof why);
    }
    carom_case_free(&c);
    return picture;
}

/* ---- figures that are curves ---- */

typedef struct curves {
    double x[POINTS], y[CAROM_CHART_PANELS][MOST_CURVES][POINTS];
    carom_curve list[CAROM_CHART_PANELS][MOST_CURVES];
} curves;

/* Draw panels times count curves whose values are in place. */
static carom_picture *draw_curves(curves *c, carom_chart *chart, const char *const *labels, int count, int points)
{
    for (int k = 0; k < chart->count; k++) {
        for (int i = 0; i < count; i++)
            c->list[k][i] = (carom_curve){labels[i], c->x, c->y[k][i], points, false, 0};
        chart->panels[k].curves = c->list[k];
        chart->panels[k].count = count;
    }
    return carom_chart_draw(chart);
}

static void grid(curves *c, double from, double to)
{
    for (int i = 0; i < POINTS; i++)
        c->x[i] = from + (to - from) * i / (POINTS - 1);
}

/* One curve of a thesis table: a law, and the r_t it takes. */
typedef struct thesis_curve {
    const char *law;
    double r_t;
} thesis_curve;

enum { THESIS_CURVES = 3 };

/* V_fN, V_fT and the change of energy of the thesis' pendulum over lambda = 1 ... 10^decades. */
static carom_picture *draw_thesis(const char *title, const char *subtitle, double decades, const thesis_curve *list,
                                  const char *const *labels)
{
    curves *c = calloc(1, sizeof *c);
    carom_chart chart = {.title = title,
                         .subtitle = subtitle,
                         .x_label = "log_{10} *λ*",
                         .panels = {{"*V*_{fN}  (m/s)", NULL, 0}, {"*V*_{fT}  (m/s)", NULL, 0}, {"Δ*E*  (J)", NULL, 0}},
                         .count = 3};
    if (!c)
        return NULL;
    grid(c, 0, decades);
    for (int i = 0; i < THESIS_CURVES; i++)
        for (int k = 0; k < POINTS; k++) {
            double after[3];
            bool fine = thesis_pendulum(list[i].law, list[i].r_t, pow(10, -c->x[k]), after);
            for (int j = 0; j < 3; j++)
                c->y[j][i][k] = fine ? after[j] : NAN;
        }
    carom_picture *p = draw_curves(c, &chart, labels, THESIS_CURVES, POINTS);
    free(c);
    return p;
}

static carom_picture *draw_table_71(const figure *f)
{
    static const thesis_curve list[THESIS_CURVES] = {{"routh-poisson", 0}, {"smith", 0}, {"whittaker", 0}};
    static const char *const labels[THESIS_CURVES] = {"routh-poisson", "smith", "whittaker"};
    (void)f;
    return draw_thesis("Chatterjee, Table 7.1: the pendulum grows heavy along its rod",
                       "*θ* = π/10,  *e* = 0.8,  *μ* = 0.5", 2, list, labels);
}

static carom_picture *draw_table_72(const figure *f)
{
    static const thesis_curve list[THESIS_CURVES] = {
        {"chatterjee-rebound", 0.6}, {"chatterjee-rebound", 0.8}, {"chatterjee-rebound", 0.9}};
    static const char *const labels[THESIS_CURVES] = {"*r*_t = 0.6", "*r*_t = 0.8", "*r*_t = 0.9"};
    (void)f;
    return draw_thesis("Chatterjee, Table 7.2: law III on the same pendulum", "*θ* = π/10,  *r*_n = 0.8,  *μ* = 0.5", 7,
                       list, labels);
}

/* ---- Jia's studies of the ball ---- */

typedef struct study {
    const char *name, *title, *x_label;
    double from, to;
    void (*set)(double x, double motion[2], carom_coeffs *c);
} study;

static void set_speed(double x, double motion[2], carom_coeffs *c)
{
    (void)c;
    motion[0] = x;
}

static void set_spin(double x, double motion[2], carom_coeffs *c)
{
    (void)c;
    motion[1] = x;
}

static void set_mu(double x, double motion[2], carom_coeffs *c)
{
    (void)motion;
    c->mu = x;
}

static void set_e(double x, double motion[2], carom_coeffs *c)
{
    (void)motion;
    c->e = x;
}

static void set_eta(double x, double motion[2], carom_coeffs *c)
{
    (void)motion;
    c->eta = x;
}

static const study studies[] = {
    {"jia-speed", "Jia: the ball's speed", "velocity before  *V*_{0x}  (m/s)", -10, 14, set_speed},
    {"jia-spin", "Jia: the ball's spin", "spin before  *ω*_{0y}  (rad/s)", -12, 12, set_spin},
    {"jia-mu", "Jia: friction", "friction  *μ*", 0, 1, set_mu},
    {"jia-e", "Jia: restitution", "restitution  *e*", 0, 1, set_e},
    {"jia-eta", "Jia: stiffness ratio", "stiffness ratio  *η*_0", 0.1, 3, set_eta},
};

static carom_picture *draw_study(const figure *f)
{
    static const char *const labels[] = {NULL};
    const study *s = studies;
    while (strcmp(s->name, f->name) != 0)
        s++;
    curves *c = calloc(1, sizeof *c);
    carom_chart chart = {
        .title = s->title,
        .subtitle = "solid ball,  *V* = (−1, 0, −5),  *ω* = (0, 2, 0),  *e* = 0.5,  *μ* = 0.4,  *η*_0 = 1.102  "
                    "unless varied",
        .x_label = s->x_label,
        .panels = {{"*V*_x  (m/s)", NULL, 0}, {"*ω*_y  (rad/s)", NULL, 0}},
        .count = 2};
    if (!c)
        return NULL;
    grid(c, s->from, s->to);
    for (int k = 0; k < POINTS; k++) {
        double motion[2] = {-1, 2}, after[2];
        carom_coeffs coeffs = carom_coeffs_default();
        coeffs.mu = 0.4;
        s->set(c->x[k], motion, &coeffs);
        bool fine = jia_ball(motion[0], motion[1], &coeffs, after);
        for (int j = 0; j < 2; j++)
            c->y[j][0][k] = fine ? after[j] : NAN;
    }
    carom_picture *p = draw_curves(c, &chart, labels, 1, POINTS);
    free(c);
    return p;
}

/* ---- the reflection curve of elastic spheres ---- */

enum { MAW_CURVES = 4, MAW_ANNULI = 50, MAW_LANDMARKS = 2 };

static carom_picture *draw_maw(const figure *f)
{
    static const char *const laws[MAW_CURVES - 1] = {"mindlin", "walton", "routh-stronge"};
    static const char *const labels[MAW_CURVES - 1] = {"mindlin", "walton: one spring", "routh-stronge: rigid"};
    const double at[MAW_LANDMARKS] = {1, 4 * maw_chi() - 1};
    double height[MAW_LANDMARKS];
    curves *c = calloc(1, sizeof *c);
    carom_chart chart = {.title = "Maw, Barber and Fawcett: the oblique impact of an elastic sphere",
                         .subtitle =
                             "solid sphere,  *ν* = 0.3;  the contact sticks at first below *ψ*_1 = 1  and slips "
                             "throughout from 4.765",
                         .x_label = "*ψ*_1 = *κ* *u*_t/(*μ* |*u*_n|) before",
                         .panels = {{"*ψ*_2 after", NULL, MAW_CURVES}},
                         .count = 1};
    (void)f;
    if (!c)
        return NULL;
    grid(c, 0, 6);
    for (int i = 0; i < MAW_CURVES - 1; i++) {
        for (int k = 0; k < POINTS; k++)
            c->y[0][i][k] = maw_reflection(laws[i], MAW_ANNULI, c->x[k]);
        c->list[0][i] = (carom_curve){labels[i], c->x, c->y[0][i], POINTS, false, 0};
    }
    for (int k = 0; k < MAW_LANDMARKS; k++)
        height[k] = maw_reflection("mindlin", MAW_ANNULI, at[k]);
    c->list[0][MAW_CURVES - 1] = (carom_curve){"*ψ*_1 = 1 and 4.765", at, height, MAW_LANDMARKS, true, 0};
    chart.panels[0].curves = c->list[0];
    carom_picture *p = carom_chart_draw(&chart);
    free(c);
    return p;
}

/* ---- the list ---- */

#define PENDULUM(title, K)                                                                                             \
    "{\"name\": \"" title                                                                                              \
    "\", \"law\": \"routh-poisson\", \"coefficients\": {\"e\": 0.8, \"mu\": 0.5}, \"reduced\": {\"K\": " K             \
    ", \"u\": [-0.9510565162951535, -0.3090169943749474]}}"
#define BABER                                                                                                          \
    "{\"name\": \"Baber's example: two compression phases\", \"law\": \"routh-stronge\", \"coefficients\": {\"e\": "   \
    "0.9, "                                                                                                            \
    "\"mu\": 0.5}, \"reduced\": {\"K\": [[20, -23, 4], [-23, 31, -7], [4, -7, 4]], \"u\": [630, -780, -0.22]}}"
#define FIGURE_4                                                                                                       \
    "{\"name\": \"Baber, Figure 4\", \"law\": \"routh-stronge\", \"coefficients\": {\"e\": 0.5, \"mu\": 0.7}, "        \
    "\"reduced\": {"                                                                                                   \
    "\"K\": [[20, 0, 1], [0, 4, 6], [1, 6, 10]], \"u\": [0.3826834323650898, -0.9238795325112867, -1]}}"
#define BALL                                                                                                           \
    "{\"name\": \"Jia's ball\", \"law\": \"jia\", \"coefficients\": {\"e\": 0.5, \"mu\": 0.4, \"eta\": "               \
    "1.1019463300386794}, "                                                                                            \
    "\"bodies\": {\"a\": {\"mass\": 1, \"inertia\": [0.4, 0.4, 0.4], \"velocity\": [-1, 0, -5], \"omega\": [0, 2, "    \
    "0]}, "                                                                                                            \
    "\"b\": {\"fixed\": true}}, \"contact\": {\"arm_a\": [0, 0, -1], \"arm_b\": [0, 0, 0], \"normal\": [0, 0, 1]}}"
#define PENCIL                                                                                                         \
    "{\"name\": \"Jia's pencil\", \"law\": \"jia\", \"coefficients\": {\"e\": 0.5, \"mu\": 0.8, \"eta\": "             \
    "1.1019463300386794}, "                                                                                            \
    "\"bodies\": {\"a\": {\"mass\": 1, \"inertia\": [[0.7084942001385042, 0, -0.33839987633420754], [0, "              \
    "0.903869459833795, 0], "                                                                                          \
    "[-0.33839987633420754, 0, 0.31774368074792286]], \"velocity\": [-4.330127018922194, 0, -2.5], \"omega\": "        \
    "[-1.1160254037844386, -0.5, 0.06698729810778081]}, \"b\": {\"fixed\": true}}, \"contact\": {\"arm_a\": "          \
    "[-0.9572368421052634, 0, -1.657982845403103], \"arm_b\": [0, 0, 0], \"normal\": [0, 0, 1], \"t1\": [1, 0, 0]}}"

static const figure figures[] = {
#define FIGURE(name, section, caption, draw, plot, text, laws, reach)                                                  \
    {name, section, caption, draw, plot, text, laws, reach},
#include "figures.def"
#undef FIGURE
};

int figure_count(void)
{
    return sizeof figures / sizeof figures[0];
}

const figure *figure_at(int i)
{
    return &figures[i];
}

carom_picture *figure_draw(const figure *f)
{
    return f->draw(f);
}
