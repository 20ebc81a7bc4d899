/* Friction along the path: its variational equation, along the pieces that the walk shows.
 *
 * At constant p = p_n, with gamma and Gamma the gradient and the Hessian of the norm (mu = 1),
 *
 *     d dP/dp = -dmu gamma - mu Gamma dU      dU = S + K dP,   S = dU_0 + dk p + dK P                             (1)
 *     du_n = du_n0 + dK_nn p + dk.P + k.dP    d dW/dp = du_n   the work of the normal                             (2)
 *
 * A piece is cut until Gamma dp is smooth on it, and (1) is solved by collocation at Gauss' points: a linear system for
 * all columns. What stops the slip, and what follows it, are closed forms:
 *
 *     at the origin      dU = -U' dp_s                                                                            (3)
 *     in stick           dU = 0                                                                                   (4)
 *     along the ray      U = V (p - p_s),  (1 + mu K Gamma) dV = dk - (dmu K + mu dK) gamma                       (5)
 *
 * At a zero of u_n dp = -du_n / u_n'; at the end dp follows from the measure of the law: */
#include <string.h>

#include "derivative/patch_gauss.h"
#include "derivative/patch_variation.h"
#include "laws/patch/patch_path.h"

enum { UNKNOWNS = GAUSS * PATCH_SLIPS, CUTS = 2000 };
#define SMOOTH_CLOCK 1e-12 /* of dp/ds and of p: the last coefficients of its polynomial */
#define SMOOTH       1e-8  /* of mu K Gamma dp: the same; the end of a smooth step has the square of that error */
#define SMALL        1e-3  /* of mu K Gamma dp: what is smaller is held to this share of it */
#define REACHED      1e-13 /* of a piece: its end, and the shortest cut */
#define AT_ORIGIN    1e-11 /* of the largest slip */
#define STRAIGHT     1e-14 /* of the slip: a piece is a line */
#define LINE_END     1e-4  /* of the slip at its start: what is left of it is a closed form, but for its cube in dW */

static const struct {
    const char *law;
    coulomb_measure by;
} measures[] = {{"routh-newton", BY_VELOCITY}, {"routh-poisson", BY_IMPULSE}, {"routh-stronge", BY_WORK}};

typedef struct path_point {
    double U[PATCH_SLIPS], P[PATCH_SLIPS], p, u_n, W;
} path_point;

typedef struct path_column {
    double dP[PATCH_SLIPS], dW;
    double dp_c, dW_c, dW_first, dp_up; /* of the compressions; of the last end of one */
    double dp_s;                        /* where slip stopped */
} path_column;

typedef struct path_tangent {
    const patch_variations *v;
    gauss_rule rule;
    path_column at[PATCH_COLUMNS];
    path_point here;
    double slope[PATCH_SLIPS], most; /* dU/dp before the origin; the largest slip */
    bool sticks, stopped, failed;
    int ups;
    double p_up, W_first;
} path_tangent;

/* ---- points of the path ---- */

static path_point point_of(const path_tangent *t, const carom_state *s)
{
    const double a = t->v->x->length;
    const path_point at = {
        {s->u.t1, s->u.t2, a * s->w.n}, {s->p.t1, s->p.t2, s->m.n / a}, s->p.n, s->u.n, s->work_normal};
    return at;
}

static double size3(const double *a)
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* y = K^-1 y */
static void over_K(const carom_patch_contact *x, double *y)
{
    double A[PATCH_SLIPS * PATCH_SLIPS];
    for (int i = 0; i < PATCH_SLIPS; i++)
        for (int j = 0; j < PATCH_SLIPS; j++)
            A[i * PATCH_SLIPS + j] = x->K[i][j];
    (void)carom_patch_solve_rows(PATCH_SLIPS, A, 1, y);
}

/* dP/dp and du_n/dp where the path is. */
static double slopes_here(const path_tangent *t, double P[PATCH_SLIPS])
{
    const carom_patch_contact *x = t->v->x;
    double lift = x->K_nn;
    patch_friction f;
    for (int i = 0; i < PATCH_SLIPS; i++)
        P[i] = -x->k[i];
    if (t->sticks) {
        over_K(x, P);
    } else {
        carom_patch_unit_friction(x, t->here.U, &f);
        for (int i = 0; i < PATCH_SLIPS; i++)
            P[i] = -x->mu * f.g[i];
    }
    for (int i = 0; i < PATCH_SLIPS; i++)
        lift += x->k[i] * P[i];
    return lift;
}

/* (2), of a column whose dP is given. */
static double change_of_normal(const path_tangent *t, int column, const path_point *at, const double *dP)
{
    const patch_variation *d = &t->v->at[column];
    double sum = d->u_n + d->K_nn * at->p;
    for (int i = 0; i < PATCH_SLIPS; i++)
        sum += d->k[i] * at->P[i] + t->v->x->k[i] * dP[i];
    return sum;
}

/* dP from dU. */
static void impulse_of_slip(const path_tangent *t, int column, const path_point *at, const double *dU, double *dP)
{
    double S[SLIPS];
    carom_patch_drive(t->v, column, at->P, at->p, S);
    for (int i = 0; i < PATCH_SLIPS; i++)
        dP[i] = dU[i] - S[i];
    over_K(t->v->x, dP);
}

/* ---- collocation ---- */

typedef struct path_nodes {
    path_point at[GAUSS];
    double clock[GAUSS]; /* dp/ds */
    double g[GAUSS][PATCH_SLIPS], H[GAUSS][PATCH_SLIPS][PATCH_SLIPS];
} path_nodes;

static path_point look(const path_tangent *t, const carom_piece *piece, double s)
{
    carom_state state;
    piece->at(piece, s, &state);
    return point_of(t, &state);
}

/* dU/dp where the slips are U, and the terms that it is the sum of. */
static double slip_slope(const carom_patch_contact *x, const double *U, double slope[PATCH_SLIPS])
{
    patch_state s;
    double terms = 0;
    carom_patch_slopes(x, U, true, &s);
    memcpy(slope, s.U, sizeof s.U);
    for (int i = 0; i < PATCH_SLIPS; i++)
        terms += carom_patch_most_slope(x, i);
    return terms;
}

/* Slips measure the clock better than p does where p hardly grows: what rounding leaves of both. */
static bool slips_tell(const path_tangent *t, const path_point *from, const path_nodes *n)
{
    const path_point *to = &n->at[GAUSS - 1];
    double slope[PATCH_SLIPS], change[PATCH_SLIPS];
    const double terms = slip_slope(t->v->x, n->at[GAUSS / 2].U, slope);
    for (int i = 0; i < PATCH_SLIPS; i++)
        change[i] = to->U[i] - from->U[i];
    return max(size3(from->U), size3(to->U)) / size3(change) + terms / size3(slope) < to->p / (to->p - from->p);
}

/* dp/ds: of p, or dU/ds over dU/dp. */
static void set_clock(const path_tangent *t, const path_point *from, path_nodes *n)
{
    const bool by_slips = slips_tell(t, from, n);
    for (int i = 0; i < GAUSS; i++) {
        double p = 0, U[PATCH_SLIPS] = {0}, slope[PATCH_SLIPS];
        for (int j = 0; j < GAUSS; j++) {
            p += t->rule.slope[j][i] * (n->at[j].p - from->p);
            for (int k = 0; k < PATCH_SLIPS; k++)
                U[k] += t->rule.slope[j][i] * (n->at[j].U[k] - from->U[k]);
        }
        slip_slope(t->v->x, n->at[i].U, slope);
        n->clock[i] = by_slips ? (U[0] * slope[0] + U[1] * slope[1] + U[2] * slope[2]) / square(size3(slope)) : p;
    }
}

static void look_at_nodes(const path_tangent *t, const carom_piece *piece, const double ends[2], path_nodes *n)
{
    const path_point from = look(t, piece, ends[0]);
    for (int i = 0; i < GAUSS; i++) {
        patch_friction f;
        n->at[i] = look(t, piece, ends[0] + t->rule.x[i] * (ends[1] - ends[0]));
        carom_patch_unit_friction(t->v->x, n->at[i].U, &f);
        for (int k = 0; k < PATCH_SLIPS; k++) {
            n->g[i][k] = f.g[k];
            for (int l = 0; l < PATCH_SLIPS; l++)
                n->H[i][k][l] = f.H[k][l];
        }
    }
    set_clock(t, &from, n);
}

/* Is (1) smooth on the piece? */
static bool is_smooth(const path_tangent *t, const path_nodes *n)
{
    const carom_patch_contact *x = t->v->x;
    const double scale = x->mu * (x->K[0][0] + x->K[1][1] + x->K[2][2]);
    double f[GAUSS], most = 0;
    for (int i = 0; i < GAUSS; i++)
        most = max(most, fabs(n->clock[i]));
    bool smooth = carom_gauss_last(&t->rule, n->clock) <= SMOOTH_CLOCK * (most + n->at[0].p);
    most = SMALL;
    for (int i = 0; i < GAUSS; i++)
        most = max(most, scale * n->clock[i] * (n->H[i][0][0] + n->H[i][1][1] + n->H[i][2][2]));
    for (int k = 0; k < PATCH_SLIPS; k++)
        for (int l = 0; l <= k; l++) {
            for (int i = 0; i < GAUSS; i++)
                f[i] = scale * n->clock[i] * n->H[i][k][l];
            smooth = smooth && carom_gauss_last(&t->rule, f) <= SMOOTH * most;
        }
    return smooth;
}

/* -(dmu gamma + mu Gamma S) dp/ds at all points. */
static void drive_at_nodes(const path_tangent *t, const path_nodes *n, int column, double b[GAUSS][PATCH_SLIPS])
{
    const patch_variation *d = &t->v->at[column];
    for (int i = 0; i < GAUSS; i++) {
        double S[SLIPS];
        carom_patch_drive(t->v, column, n->at[i].P, n->at[i].p, S);
        for (int k = 0; k < PATCH_SLIPS; k++) {
            b[i][k] = d->mu * n->g[i][k];
            for (int l = 0; l < PATCH_SLIPS; l++)
                b[i][k] += t->v->x->mu * n->H[i][k][l] * S[l];
            b[i][k] *= -n->clock[i];
        }
    }
}

/* -mu Gamma K dp/ds */
static void fill_nodes(const path_tangent *t, const path_nodes *n, double GK[GAUSS][PATCH_SLIPS][PATCH_SLIPS],
                       double *A)
{
    const carom_patch_contact *x = t->v->x;
    for (int j = 0; j < GAUSS; j++)
        for (int k = 0; k < PATCH_SLIPS; k++)
            for (int l = 0; l < PATCH_SLIPS; l++) {
                GK[j][k][l] = 0;
                for (int m = 0; m < PATCH_SLIPS; m++)
                    GK[j][k][l] -= x->mu * n->clock[j] * n->H[j][k][m] * x->K[m][l];
            }
    for (int i = 0; i < GAUSS; i++)
        for (int k = 0; k < PATCH_SLIPS; k++)
            for (int j = 0; j < GAUSS; j++)
                for (int l = 0; l < PATCH_SLIPS; l++)
                    A[(i * PATCH_SLIPS + k) * UNKNOWNS + j * PATCH_SLIPS + l] =
                        (i == j && k == l) - t->rule.integral[i][j] * GK[j][k][l];
}

/* All columns to the end of the nodes. */
static bool advance(path_tangent *t, const path_nodes *n)
{
    double A[UNKNOWNS * UNKNOWNS], B[PATCH_COLUMNS * UNKNOWNS], GK[GAUSS][PATCH_SLIPS][PATCH_SLIPS];
    double b[PATCH_COLUMNS][GAUSS][PATCH_SLIPS];
    fill_nodes(t, n, GK, A);
    for (int c = 0; c < t->v->count; c++) {
        drive_at_nodes(t, n, c, b[c]);
        for (int i = 0; i < GAUSS; i++)
            for (int k = 0; k < PATCH_SLIPS; k++) {
                double sum = t->at[c].dP[k];
                for (int j = 0; j < GAUSS; j++)
                    sum += t->rule.integral[i][j] * b[c][j][k];
                B[c * UNKNOWNS + i * PATCH_SLIPS + k] = sum;
            }
    }
    if (!carom_patch_solve_rows(UNKNOWNS, A, t->v->count, B))
        return false;
    for (int c = 0; c < t->v->count; c++)
        for (int j = 0; j < GAUSS; j++) {
            const double *dP = B + c * UNKNOWNS + j * PATCH_SLIPS;
            t->at[c].dW += t->rule.w[j] * n->clock[j] * change_of_normal(t, c, &n->at[j], dP);
            for (int k = 0; k < PATCH_SLIPS; k++)
                t->at[c].dP[k] +=
                    t->rule.w[j] * (b[c][j][k] + GK[j][k][0] * dP[0] + GK[j][k][1] * dP[1] + GK[j][k][2] * dP[2]);
        }
    return true;
}

/* ---- pieces ---- */

static bool is_at_origin(const path_tangent *t, const double *U)
{
    return !(size3(U) > AT_ORIGIN * t->most);
}

/* dk - (dmu K + mu dK) gamma: what drives dU along a line. */
static void drive_line(const path_tangent *t, int column, const double *g, double *drive)
{
    const carom_patch_contact *x = t->v->x;
    const patch_variation *d = &t->v->at[column];
    for (int i = 0; i < PATCH_SLIPS; i++) {
        drive[i] = d->k[i];
        for (int j = 0; j < PATCH_SLIPS; j++)
            drive[i] -= (d->mu * x->K[i][j] + x->mu * d->K[i][j]) * g[j];
    }
}

/* (3), after what is left of p in a straight line. Changes across U die out, and are orthogonal to it in the metric of
 * K^-1. */
static void stop_slip(path_tangent *t)
{
    const double left = size3(t->here.U) / size3(t->slope);
    path_point origin = t->here;
    double dual[PATCH_SLIPS], along = 0;
    patch_friction f = {{0}, {0}, {{0}}};
    if (left > 0)
        carom_patch_unit_friction(t->v->x, t->here.U, &f);
    origin.p += left;
    memcpy(dual, t->slope, sizeof dual);
    over_K(t->v->x, dual);
    for (int i = 0; i < PATCH_SLIPS; i++) {
        along += dual[i] * t->slope[i];
        origin.P[i] -= left * t->v->x->mu * f.g[i];
    }
    for (int c = 0; c < t->v->count; c++) {
        double dU[SLIPS], dP[PATCH_SLIPS], drive[PATCH_SLIPS], sum = 0;
        carom_patch_drive(t->v, c, t->here.P, t->here.p, dU);
        drive_line(t, c, f.g, drive);
        for (int i = 0; i < PATCH_SLIPS; i++) {
            for (int j = 0; j < PATCH_SLIPS; j++)
                dU[i] += t->v->x->K[i][j] * t->at[c].dP[j];
            sum += dual[i] * (dU[i] + left * drive[i]);
        }
        t->at[c].dp_s = -sum / along;
        for (int i = 0; i < PATCH_SLIPS; i++)
            dU[i] = -t->slope[i] * t->at[c].dp_s;
        impulse_of_slip(t, c, &origin, dU, dP);
        t->at[c].dW +=
            0.5 * left * (change_of_normal(t, c, &t->here, t->at[c].dP) + change_of_normal(t, c, &origin, dP));
    }
    t->stopped = true;
}

/* A line to the origin: near it the direction of U is rounding. */
static bool is_line_to_origin(const path_tangent *t, const carom_piece *piece)
{
    const path_point start = look(t, piece, 0), middle = look(t, piece, 0.5), end = look(t, piece, 1);
    double off[PATCH_SLIPS];
    for (int i = 0; i < PATCH_SLIPS; i++)
        off[i] = middle.U[i] - 0.5 * (start.U[i] + end.U[i]);
    return is_at_origin(t, end.U) && size3(off) <= STRAIGHT * size3(start.U);
}

/* To the end of the piece, or to the origin. */
static void slip_along(path_tangent *t, const carom_piece *piece)
{
    const double near = is_line_to_origin(t, piece) ? LINE_END * size3(t->here.U) : 0;
    double from = 0, length = 1;
    bool stops = false;
    for (int i = 0; i < CUTS && from < 1 && !stops; i++) {
        const double ends[2] = {from, min(1, from + length)};
        path_nodes n;
        look_at_nodes(t, piece, ends, &n);
        if (!is_smooth(t, &n) && length > REACHED) {
            length *= 0.5;
            continue;
        }
        if (!advance(t, &n)) {
            t->failed = true;
            return;
        }
        slip_slope(t->v->x, n.at[GAUSS - 1].U, t->slope);
        t->here = look(t, piece, ends[1]);
        stops = is_at_origin(t, t->here.U) || size3(t->here.U) <= near;
        from = ends[1];
        length *= 2;
    }
    t->failed |= from < 1 && !stops;
    if (stops)
        stop_slip(t);
}

/* Along stick and ray, where dP is linear in p. */
static void go_straight(path_tangent *t, const path_point *end, double dU[][2][PATCH_SLIPS])
{
    for (int c = 0; c < t->v->count; c++) {
        path_column *at = &t->at[c];
        double dP[PATCH_SLIPS];
        impulse_of_slip(t, c, &t->here, dU[c][0], dP);
        const double first = change_of_normal(t, c, &t->here, dP);
        impulse_of_slip(t, c, end, dU[c][1], at->dP);
        at->dW += 0.5 * (end->p - t->here.p) * (first + change_of_normal(t, c, end, at->dP));
    }
}

static void stick_on(path_tangent *t, const path_point *end)
{
    double none[PATCH_COLUMNS][2][PATCH_SLIPS] = {{{0}}};
    go_straight(t, end, none);
}

/* (5) */
static void leave_along_ray(path_tangent *t, const path_point *end)
{
    const carom_patch_contact *x = t->v->x;
    const double d = end->p - t->here.p, V[PATCH_SLIPS] = {end->U[0] / d, end->U[1] / d, end->U[2] / d};
    double A[PATCH_SLIPS * PATCH_SLIPS], B[PATCH_COLUMNS][PATCH_SLIPS], dU[PATCH_COLUMNS][2][PATCH_SLIPS];
    patch_friction f;
    carom_patch_unit_friction(x, V, &f);
    for (int i = 0; i < PATCH_SLIPS; i++)
        for (int j = 0; j < PATCH_SLIPS; j++) {
            A[i * PATCH_SLIPS + j] = i == j;
            for (int l = 0; l < PATCH_SLIPS; l++)
                A[i * PATCH_SLIPS + j] += x->mu * x->K[i][l] * f.H[l][j];
        }
    for (int c = 0; c < t->v->count; c++)
        drive_line(t, c, f.g, B[c]);
    t->failed |= !t->stopped || !carom_patch_solve_rows(PATCH_SLIPS, A, t->v->count, &B[0][0]);
    for (int c = 0; c < t->v->count; c++)
        for (int i = 0; i < PATCH_SLIPS; i++) {
            dU[c][0][i] = -V[i] * t->at[c].dp_s;
            dU[c][1][i] = dU[c][0][i] + B[c][i] * d;
        }
    go_straight(t, end, dU);
}

static void take_piece(void *context, const carom_piece *piece)
{
    path_tangent *t = (path_tangent *)context;
    t->here = look(t, piece, 0);
    const path_point end = look(t, piece, 1);
    t->most = max(t->most, size3(t->here.U));
    t->sticks = strcmp(piece->mode, "stick") == 0;
    if (t->failed)
        return;
    if (t->sticks)
        stick_on(t, &end);
    else if (!is_at_origin(t, t->here.U))
        slip_along(t, piece);
    else if (!is_at_origin(t, end.U))
        leave_along_ray(t, &end);
    t->here = end;
}

/* ---- events ---- */

static void take_event(void *context, const carom_event *event)
{
    path_tangent *t = (path_tangent *)context;
    const bool up = event->kind == CAROM_EVENT_UP;
    double slope[PATCH_SLIPS];
    if (t->failed || (!up && event->kind != CAROM_EVENT_DOWN))
        return;
    const double lift = slopes_here(t, slope);
    for (int c = 0; c < t->v->count; c++) {
        path_column *at = &t->at[c];
        const double dp = -change_of_normal(t, c, &t->here, at->dP) / lift;
        at->dp_c += up ? dp : -dp;
        at->dW_c += up ? at->dW : -at->dW;
        at->dW_first = up && t->ups == 0 ? at->dW : at->dW_first;
        at->dp_up = dp;
    }
    if (up && t->ups++ == 0)
        t->W_first = t->here.W;
    t->p_up = t->here.p;
}

/* ---- the end ---- */

/* The change of p at the end. Restitution that ends with compression grows like e. */
static double change_of_end(const path_tangent *t, int column, const carom_rule *rule, const carom_outcome *out)
{
    const path_column *at = &t->at[column];
    const patch_variation *d = &t->v->at[column];
    double P[PATCH_SLIPS];
    const double e = rule->coeffs.e, lift = slopes_here(t, P), du_n = change_of_normal(t, column, &t->here, at->dP);
    const bool first = rule->options.phases == CAROM_OPTION_PHASES_FIRST, ends_up = t->here.p <= t->p_up,
               grows = e == 0 && t->ups == 1;
    const double W = first ? t->W_first : out->phases.work_compression, dW = first ? at->dW_first : at->dW_c;
    coulomb_measure by = BY_VELOCITY;
    for (int i = 0; i < (int)(sizeof measures / sizeof measures[0]); i++)
        by = strcmp(measures[i].law, rule->law->id) == 0 ? measures[i].by : by;
    if (by == BY_VELOCITY)
        return (-d->e * t->v->x->u_n - e * d->u_n - du_n) / lift;
    if (ends_up)
        return at->dp_up + (grows ? d->e * (by == BY_IMPULSE ? t->p_up : sqrt(max(0, -2 * W / lift))) : 0);
    if (by == BY_IMPULSE)
        return d->e * out->phases.p_compression + (1 + e) * at->dp_c;
    return (-2 * e * d->e * W + (1 - square(e)) * dW - at->dW) / t->here.u_n;
}

bool carom_patch_path_changes(const patch_variations *v, const carom_patch_problem *pb, const carom_rule *rule,
                              patch_change *changes)
{
    path_tangent t;
    const carom_tracer tracer = {take_event, take_piece, &t};
    carom_outcome out;
    double P[PATCH_SLIPS];
    memset(&t, 0, sizeof t);
    t.v = v;
    if (!carom_gauss_make(&t.rule) || carom_patch_solve(pb, rule, &tracer, &out) != CAROM_STATUS_OK || t.failed)
        return false;
    (void)slopes_here(&t, P);
    for (int c = 0; c < v->count; c++) {
        changes[c].p = change_of_end(&t, c, rule, &out);
        for (int i = 0; i < PATCH_SLIPS; i++)
            changes[c].P[i] = t.at[c].dP[i] + P[i] * changes[c].p;
    }
    return true;
}
