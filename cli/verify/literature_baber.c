/* Baber's worked example and Figure 4; Smith's law with three solutions. */
#include <math.h>
#include <stddef.h>

#include "carom/geometry.h"
#include "literature.h"

#define DEGREE 0.017453292519943295

static const char example[] = "Baber, example", figure_4[] = "Baber, Figure 4", smith_3d[] = "Smith in 3D";

static const carom_problem worked = {{20, -23, 31, 4, -7, 4}, {630, -780, -0.22}};

/* What the walk along the path finds: where u_n is zero, and its largest value between the first two. */
typedef struct walk {
    double zeros[3];
    int count;
    double top_p, top_u;
} walk;

static void see_event(void *context, const carom_event *event)
{
    walk *w = context;
    if ((event->kind == CAROM_EVENT_UP || event->kind == CAROM_EVENT_DOWN) && w->count < 3)
        w->zeros[w->count++] = event->at.p.n;
}

static carom_state state_at(const carom_piece *piece, double s)
{
    carom_state state;
    piece->at(piece, s, &state);
    return state;
}

/* Golden section on every stretch: u_n has one local maximum on the whole decompression. */
static void see_piece(void *context, const carom_piece *piece)
{
    walk *w = context;
    double low = 0, high = 1, golden = 0.6180339887498949;
    if (w->count != 1)
        return;
    for (int i = 0; i < 60; i++) {
        double a = high - golden * (high - low), b = low + golden * (high - low);
        if (state_at(piece, a).u.n < state_at(piece, b).u.n)
            low = a;
        else
            high = b;
    }
    carom_state top = state_at(piece, 0.5 * (low + high));
    if (top.u.n > w->top_u) {
        w->top_u = top.u.n;
        w->top_p = top.p.n;
    }
}

/* K again from two bodies that have it. */
static carom_csym rebuilt(void)
{
    static const carom_csym none = {NAN, NAN, NAN, NAN, NAN, NAN};
    carom_realization r;
    carom_body a, b;
    carom_contact contact = {.planar = false};
    carom_problem back;
    if (carom_realize(&worked, &r) || carom_body_init(&r.a, &a) || carom_body_init(&r.b, &b) ||
        carom_frame_init_t1(r.normal, r.t1, &contact.frame))
        return none;
    contact.arm_a = r.arm_a;
    contact.arm_b = r.arm_b;
    return carom_bodies_reduce(&a, &b, &contact, &back) ? none : back.K;
}

static void add_matrix(literature *l)
{
    carom_csym K = rebuilt();
    literature_add(l, example, "20", K.t11, "K_11, of two bodies that realize K");
    literature_add(l, example, "-23", K.t12, "K_12");
    literature_add(l, example, "4", K.t1n, "K_13");
    literature_add(l, example, "31", K.t22, "K_22");
    literature_add(l, example, "-7", K.t2n, "K_23");
    literature_add(l, example, "4", K.nn, "K_33");
    carom_ellipsoid e;
    double energy = 2 * carom_problem_energy(&worked), value[3] = {NAN, NAN, NAN};
    if (carom_ellipsoid_of(&worked, &e) == CAROM_STATUS_OK)
        for (int i = 0; i < 3; i++)
            value[i] = energy / (e.radius[i] * e.radius[i]);
    literature_add(l, example, "50.5", value[0], "largest eigenvalue of K");
    literature_add(l, example, "3.5", value[1], "middle eigenvalue");
    literature_add(l, example, "1.0", value[2], "smallest eigenvalue");
}

static void add_path(literature *l)
{
    walk w = {{NAN, NAN, NAN}, 0, NAN, -INFINITY};
    carom_tracer tracer = {see_event, see_piece, &w};
    const carom_law *law = carom_law_find("routh-stronge");
    carom_outcome out = {.phases.phases = 0};
    if (law) {
        carom_rule rule = carom_rule_default(law);
        rule.coeffs.e = 0.9;
        rule.coeffs.mu = 0.5;
        (void)!carom_solve(&worked, &rule, &tracer, &out);
    }
    literature_add(l, example, "14.6", w.zeros[0], "first zero of u_n(p_n)");
    literature_add(l, example, "29.8", w.zeros[1], "second zero");
    literature_add(l, example, "56.0", w.zeros[2], "third zero");
    literature_add(l, example, "22.5", w.top_p, "p_n at the local maximum of u_n");
    literature_add_word(l, example, "two", out.phases.phases, 2, 2, "compression phases (e = 0.9)");
}

static void add_rays(literature *l)
{
    /* the angles of the figure, refined in 200-bit arithmetic */
    static const char *const angles[] = {"86.668939286850", "209.081674736515", "281.352223993617", "322.897161983019"};
    static const carom_csym K = {20, 0, 4, 1, 6, 10};
    carom_hodograph h;
    carom_status status = carom_hodograph_of(&K, 0.7, &h);
    for (int i = 0; i < 4; i++)
        literature_add(l, figure_4, angles[i], status || i >= h.count ? NAN : h.rays[i].angle / DEGREE,
                       "ray %d, degrees", i + 1);
    int reaching = 0;
    for (int n = 0; n < 16 && status == CAROM_STATUS_OK; n++)
        reaching += carom_hodograph_reaches(&h, (carom_direction){cos(22.5 * n * DEGREE), sin(22.5 * n * DEGREE)});
    literature_add_word(l, figure_4, "five", reaching, 5, 5, "starts of sixteen that reach the origin");
}

void literature_baber(literature *l)
{
    add_matrix(l);
    add_path(l);
    add_rays(l);
}

/* ---- several solutions ---- */

typedef struct several {
    const char *law, *what;
    carom_problem problem;
    double mu;
    const char *p_n[3];
} several;

void literature_smith(literature *l)
{
    static const several examples[] = {
        {"smith",
         "coupled",
         {{1.5, -0.45, 0.35, 0.95, 0, 1}, {-0.4, 0.9, -0.3}},
         4,
         {"0.18876152855187", "2.3742361992937", "18.850361357243"}},
        {"smith",
         "grazing",
         {{1, 0, 1, 0.9, 0, 1}, {0.513, 0.858, -0.001}},
         2,
         {"0.0147871075", "0.1404913270", "0.8657537355"}},
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const several *e = &examples[i];
        const carom_law *law = carom_law_find(e->law);
        carom_outcome out = {.solutions = 0};
        if (law) {
            carom_rule rule = carom_rule_default(law);
            rule.coeffs.e = 0;
            rule.coeffs.mu = e->mu;
            (void)!carom_solve(&e->problem, &rule, NULL, &out);
        }
        literature_add_word(l, smith_3d, "three", out.solutions, 3, 3,
                            i ? "solutions, near grazing" : "solutions, coupled K");
        for (int k = 0; k < 3; k++)
            literature_add(l, smith_3d, e->p_n[k], out.solutions == 3 ? out.all[k].n : NAN, "%s: p_n of solution %d",
                           e->what, k + 1);
    }
}
