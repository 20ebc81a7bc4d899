#include "gradient/flight_change.h"

#include "core/num.h"

enum { COLUMNS = TURN, FLIGHT_STEPS = 1 << 20 };

#define SMALL_ANGLE 0.75 /* rad: below it (x - sin x) / x^3 by its series */

static void put_column(double *turn, int row, int k, carom_vec3 v)
{
    turn[row * TURN + k] = v.x;
    turn[(row + 1) * TURN + k] = v.y;
    turn[(row + 2) * TURN + k] = v.z;
}

/* (x - sin x) / x^3 */
static double third_part(double x)
{
    double y = x * x, sum = 0;
    if (x > SMALL_ANGLE)
        return (x - carom_sin(x)) / (y * x);
    for (int k = 9; k >= 0; k--) /* 1/6 - y/120 + ... */
        sum = 1.0 / ((2 * k + 2) * (2 * k + 3)) * (1 - y * sum);
    return sum;
}

/* How exp(v) turns when v changes by d: d + (1 - cos)/x^2 v x d + (x - sin)/x^3 v x (v x d), x = |v|. */
static carom_vec3 exp_change(carom_vec3 v, carom_vec3 d)
{
    double x = carom_vec3_length(v), half = x > 0 ? carom_sin(x / 2) / x : 0.5;
    carom_vec3 once = carom_vec3_cross(v, d), twice = carom_vec3_cross(v, once);
    return vec_plus(vec_plus(d, 2 * half * half, once), third_part(x), twice);
}

/* A unit change of the start: number k of (phi, dw). */
static carom_vec3 unit_of(int k, int from)
{
    return carom_vec3_make(k == from, k == from + 1, k == from + 2);
}

/* Steady rotation: q(t) = exp(s w) q. */
static void turn_steady(const flight_end *from, double s, double *turn)
{
    carom_vec3 v = carom_vec3_scale(s, from->at.w);
    carom_quat q = quat_exp(v);
    for (int k = 0; k < COLUMNS; k++) {
        carom_vec3 dw = unit_of(k, 3), phi = quat_turn(q, unit_of(k, 0));
        put_column(turn, 0, k, carom_vec3_add(phi, exp_change(v, carom_vec3_scale(s, dw))));
        put_column(turn, 3, k, dw);
    }
}

/* dL = I dw + phi x L - I (phi x w), and back. */
static carom_vec3 momentum_change(const flight_end *e, carom_vec3 phi, carom_vec3 dw)
{
    carom_vec3 L = carom_sym3_apply(e->inertia, e->at.w);
    carom_vec3 turned = carom_sym3_apply(e->inertia, carom_vec3_sub(dw, carom_vec3_cross(phi, e->at.w)));
    return carom_vec3_add(turned, carom_vec3_cross(phi, L));
}

static carom_vec3 omega_change(const flight_end *e, carom_vec3 phi, carom_vec3 dL)
{
    carom_vec3 L = carom_sym3_apply(e->inertia, e->at.w);
    carom_vec3 turned = carom_sym3_apply(e->inv_inertia, carom_vec3_sub(dL, carom_vec3_cross(phi, L)));
    return carom_vec3_add(turned, carom_vec3_cross(phi, e->at.w));
}

/* A top: q(t) = exp(s L / I_1) q exp(s c e), c = (L.a / I_3) (I_1 - I_3) / I_1 with its axis a in the world. */
static void turn_top(const moments *m, const flight_end *from, const flight_end *to, double *turn)
{
    const double s = to->time - from->time, I_1 = m->I[0], I_3 = m->I[2], per = (I_1 - I_3) / (I_1 * I_3);
    const carom_vec3 L = carom_sym3_apply(from->inertia, from->at.w), v = carom_vec3_scale(s / I_1, L);
    const carom_vec3 a = quat_turn(from->at.q, m->axis[2]), a_end = quat_turn(to->at.q, m->axis[2]);
    const carom_quat q = quat_exp(v);
    for (int k = 0; k < COLUMNS; k++) {
        carom_vec3 phi = unit_of(k, 0), dL = momentum_change(from, phi, unit_of(k, 3));
        double rate = per * (carom_vec3_dot(dL, a) + carom_vec3_dot(L, carom_vec3_cross(phi, a)));
        carom_vec3 end = carom_vec3_add(quat_turn(q, phi), exp_change(v, carom_vec3_scale(s / I_1, dL)));
        end = vec_plus(end, s * rate, a_end);
        put_column(turn, 0, k, end);
        put_column(turn, 3, k, omega_change(to, end, dL));
    }
}

/* ---- three different moments ----
 *
 * In principal axes, with psi = R^T phi and the change eta of w in the body,
 *
 *     w_i' = c_i w_j w_k,   eta_i' = c_i (eta_j w_k + w_j eta_k),   psi' = eta + psi x w,
 *
 * all quadratic: Taylor series by products. */
typedef struct body_turn {
    double w[3], eta[3][COLUMNS], psi[3][COLUMNS];
} body_turn;

static double horner(const double *c, double x)
{
    double sum = c[SPIN_TERMS - 1];
    for (int k = SPIN_TERMS - 2; k >= 0; k--)
        sum = sum * x + c[k];
    return sum;
}

static void expand_w(const double per[3], double w[3][SPIN_TERMS])
{
    for (int k = 0; k + 1 < SPIN_TERMS; k++)
        for (int i = 0; i < 3; i++) {
            double sum = 0;
            for (int j = 0; j <= k; j++)
                sum += w[(i + 1) % 3][j] * w[(i + 2) % 3][k - j];
            w[i][k + 1] = per[i] * sum / (k + 1);
        }
}

static void step_column(const double per[3], double w[3][SPIN_TERMS], double h, body_turn *b, int column)
{
    double eta[3][SPIN_TERMS] = {{0}}, psi[3][SPIN_TERMS] = {{0}};
    for (int i = 0; i < 3; i++)
        eta[i][0] = b->eta[i][column], psi[i][0] = b->psi[i][column];
    for (int k = 0; k + 1 < SPIN_TERMS; k++)
        for (int i = 0; i < 3; i++) {
            const int y = (i + 1) % 3, z = (i + 2) % 3;
            double sum = 0, cross = 0;
            for (int j = 0; j <= k; j++) {
                sum += eta[y][j] * w[z][k - j] + eta[z][j] * w[y][k - j];
                cross += psi[y][j] * w[z][k - j] - psi[z][j] * w[y][k - j];
            }
            eta[i][k + 1] = per[i] * sum / (k + 1);
            psi[i][k + 1] = (eta[i][k] + cross) / (k + 1);
        }
    for (int i = 0; i < 3; i++) {
        b->eta[i][column] = horner(eta[i], h);
        b->psi[i][column] = horner(psi[i], h);
    }
}

static void step_body(const double per[3], double h, body_turn *b)
{
    double w[3][SPIN_TERMS] = {{0}};
    for (int i = 0; i < 3; i++)
        w[i][0] = b->w[i];
    expand_w(per, w);
    for (int k = 0; k < COLUMNS; k++)
        step_column(per, w, h, b, k);
    for (int i = 0; i < 3; i++)
        b->w[i] = horner(w[i], h);
}

static carom_vec3 in_body(const moments *m, carom_quat q, carom_vec3 v)
{
    carom_vec3 b = quat_turn(quat_conjugate(q), v);
    return carom_vec3_make(carom_vec3_dot(m->axis[0], b), carom_vec3_dot(m->axis[1], b), carom_vec3_dot(m->axis[2], b));
}

static carom_vec3 in_world(const moments *m, carom_quat q, carom_vec3 c)
{
    carom_vec3 b = vec_plus(carom_vec3_scale(c.x, m->axis[0]), c.y, m->axis[1]);
    return quat_turn(q, vec_plus(b, c.z, m->axis[2]));
}

static void put3(double x[3][COLUMNS], int k, carom_vec3 v)
{
    x[0][k] = v.x;
    x[1][k] = v.y;
    x[2][k] = v.z;
}

static carom_vec3 take3(double x[3][COLUMNS], int k)
{
    return carom_vec3_make(x[0][k], x[1][k], x[2][k]);
}

static bool turn_series(const moments *m, const flight_end *from, const flight_end *to, double *turn)
{
    const double *I = m->I, s = to->time - from->time;
    const double per[3] = {(I[1] - I[2]) / I[0], (I[2] - I[0]) / I[1], (I[0] - I[1]) / I[2]};
    const carom_vec3 c = in_body(m, from->at.q, from->at.w);
    body_turn b = {.w = {c.x, c.y, c.z}};
    for (int k = 0; k < COLUMNS; k++) {
        carom_vec3 phi = unit_of(k, 0), dw = unit_of(k, 3);
        put3(b.psi, k, in_body(m, from->at.q, phi));
        put3(b.eta, k, in_body(m, from->at.q, carom_vec3_sub(dw, carom_vec3_cross(phi, from->at.w))));
    }
    double done = 0;
    for (int steps = 0; done < s; steps++) {
        double size = fabs(b.w[0]) + fabs(b.w[1]) + fabs(b.w[2]), h = s - done;
        if (steps == FLIGHT_STEPS)
            return false;
        h = size * h > 0.5 * SPIN_ANGLE ? 0.5 * SPIN_ANGLE / size
                                        : h; /* derivatives converge as fast over half of it */
        step_body(per, h, &b);
        done = h == s - done ? s : done + h;
    }
    for (int k = 0; k < COLUMNS; k++) {
        carom_vec3 phi = in_world(m, to->at.q, take3(b.psi, k));
        carom_vec3 eta = in_world(m, to->at.q, take3(b.eta, k));
        put_column(turn, 0, k, phi);
        put_column(turn, 3, k, carom_vec3_add(eta, carom_vec3_cross(phi, to->at.w)));
    }
    return true;
}

bool flight_change_of(const moments *m, const flight_end *from, const flight_end *to, flight_change *out)
{
    out->s = to->time - from->time;
    if (m->kind == SPIN_SERIES)
        return turn_series(m, from, to, out->turn);
    if (m->kind == SPIN_TOP)
        turn_top(m, from, to, out->turn);
    else
        turn_steady(from, out->s, out->turn);
    return true;
}
