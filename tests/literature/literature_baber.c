/* Baber's worked example and Figure 4. */
#include <math.h>
#include <stddef.h>

#include "carom/geometry.h"
#include "literature.h"

#define DEGREE 0.017453292519943295

static const place example = {GROUP_PRINTED, DOCUMENT_BABER, "section 1.2: an example"},
                   figure_4 = {GROUP_PRINTED, DOCUMENT_BABER, "section 3.7, Figure 4"};

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

/* The body of the example: mass 1, the printed inverse inertia, struck at (1, 1, 1). Its inertia breaks the triangle
 * inequality (B1). */
static carom_csym matrix_of_body(void)
{
    static const carom_csym none = {NAN, NAN, NAN, NAN, NAN, NAN};
    carom_body_def def = carom_body_def_default();
    carom_body a, wall = {0};
    carom_contact contact = {.arm_a = {1, 1, 1}, .planar = false};
    carom_problem back;
    /* the inverse of (9 6 -6; 6 6 -2; -6 -2 9): its adjugate over 54 */
    def.inertia = (carom_sym3){50 / 54.0, -42 / 54.0, 24 / 54.0, 45 / 54.0, -18 / 54.0, 18 / 54.0};
    def.unphysical = true;
    if (carom_body_init(&def, &a) ||
        carom_frame_init_t1((carom_vec3){0, 0, 1}, (carom_vec3){1, 0, 0}, &contact.frame) ||
        carom_bodies_reduce(&a, &wall, &contact, &back))
        return none;
    return back.K;
}

/* Eigenvalues, descending, from the ellipsoid p K p = 2 E. */
static void eigenvalues(const carom_csym *K, double value[3])
{
    carom_ellipsoid e;
    carom_problem pb = {*K, {1, 1, -1}};
    double energy = 2 * carom_problem_energy(&pb);
    bool fine = carom_ellipsoid_of(&pb, &e) == CAROM_STATUS_OK;
    for (int i = 0; i < 3; i++)
        value[i] = fine ? energy / (e.radius[i] * e.radius[i]) : NAN;
}

static void add_matrix(literature *l)
{
    static const carom_csym inverse_inertia = {9, 6, 6, -6, -2, 9};
    carom_csym K = matrix_of_body();
    double value[3];
    eigenvalues(&inverse_inertia, value);
    literature_add(l, &example, "17.8", value[0], "largest eigenvalue of the inverse inertia");
    literature_add(l, &example, "5.6", value[1], "middle one");
    literature_add(l, &example, "0.5", value[2], "smallest one");
    literature_add(l, &example, "20", K.t11, "K_11 of the body struck at (1,1,1)");
    literature_add(l, &example, "-23", K.t12, "K_12");
    literature_add(l, &example, "4", K.t1n, "K_13");
    literature_add(l, &example, "31", K.t22, "K_22");
    literature_add(l, &example, "-7", K.t2n, "K_23");
    literature_add(l, &example, "4", K.nn, "K_33");
    eigenvalues(&worked.K, value);
    literature_add(l, &example, "50.5", value[0], "largest eigenvalue of K");
    literature_add(l, &example, "3.5", value[1], "middle one");
    literature_add(l, &example, "1.0", value[2], "smallest one");
    /* the second moments of mass, tr(I)/2 - I: the smallest is negative, so no body has this inertia */
    double I[3] = {1, 1, 1};
    eigenvalues(&inverse_inertia, I);
    const double slack[3] = {0.5 * (1 / I[0] + 1 / I[1] - 1 / I[2]), 0, INFINITY};
    literature_add_word(l, &example, "valid", slack, "smallest second moment of mass");
    literature_blame(l, ERRATUM_B1, NAN);
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
    literature_add(l, &example, "14.6", w.zeros[0], "first zero of u_n(p_n)");
    literature_add(l, &example, "29.8", w.zeros[1], "second zero");
    literature_add(l, &example, "56.0", w.zeros[2], "third zero");
    literature_add(l, &example, "22.5", w.top_p, "p_n at the local maximum of u_n");
    const double two[3] = {out.phases.phases, 2, 2};
    literature_add_word(l, &example, "two", two, "compression phases (e = 0.9)");
}

/* 76 K^-1, column by column: the impulse that gives the contact a unit velocity. */
static void add_inverse(literature *l, const carom_csym *K)
{
    static const struct {
        int i, j;
        const char *printed;
    } entries[] = {{0, 0, "4"}, {0, 1, "6"}, {0, 2, "-4"}, {1, 1, "199"}, {1, 2, "-120"}, {2, 2, "80"}};
    double column[3][3];
    for (int j = 0; j < 3; j++) {
        carom_ellipsoid e;
        carom_problem pb = {*K, {j == 0, j == 1, j == 2}};
        bool fine = carom_ellipsoid_of(&pb, &e) == CAROM_STATUS_OK; /* centre = -K^-1 u */
        column[j][0] = fine ? -76 * e.centre.t1 : NAN;
        column[j][1] = fine ? -76 * e.centre.t2 : NAN;
        column[j][2] = fine ? -76 * e.centre.n : NAN;
    }
    for (size_t k = 0; k < sizeof entries / sizeof entries[0]; k++)
        literature_add(l, &figure_4, entries[k].printed, column[entries[k].j][entries[k].i], "76 (K^-1)_%d%d",
                       entries[k].i + 1, entries[k].j + 1);
}

static void add_rays(literature *l)
{
    static const char *const angles[] = {"87", "209", "281", "323"};
    static const carom_csym K = {20, 0, 4, 1, 6, 10};
    carom_hodograph h;
    add_inverse(l, &K);
    carom_status status = carom_hodograph_of(&K, 0.7, &h);
    for (int i = 0; i < 4; i++)
        literature_add(l, &figure_4, angles[i], status || i >= h.count ? NAN : h.rays[i].angle / DEGREE,
                       "ray of constant sliding %d, degrees", i + 1);
    int reaching = 0;
    for (int n = 0; n < 16 && status == CAROM_STATUS_OK; n++)
        reaching += carom_hodograph_reaches(&h, (carom_direction){cos(22.5 * n * DEGREE), sin(22.5 * n * DEGREE)});
    const double five[3] = {reaching, 5, 5};
    literature_add_word(l, &figure_4, "5", five, "trajectories of 16 that end up at the origin");
}

void literature_baber(literature *l)
{
    add_matrix(l);
    add_path(l);
    add_rays(l);
}
