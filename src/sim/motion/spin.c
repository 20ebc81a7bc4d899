#include "sim/motion/spin.h"

#include <string.h>

#include "core/num.h"
#include "core/psd.h"
#include "core/rotate.h"
#include "core/vectors.h"
#include "sim/motion/circular.h"
#include "sim/world/tolerance.h"

/* The halves of a turn: sin(|v|/2) / |v| by its series where |v| is small. */
carom_quat quat_exp(carom_vec3 v)
{
    double size = carom_vec3_length(v);
    if (size < 0.1 * SMALL_SHARE) /* the next term is below rounding */ {
        double y = size * size, s = 0.5 - y / 48;
        carom_quat small = {1 - y / 8 + y * y / 384, s * v.x, s * v.y, s * v.z};
        return small;
    }
    circular half = circular_of(0.5 * size);
    double s = half.sin / size;
    carom_quat q = {half.cos, s * v.x, s * v.y, s * v.z};
    return q;
}

static carom_vec3 scaled(double s, carom_vec3 v)
{
    return carom_vec3_scale(s, v);
}

static bool is_same(double a, double b, double whole)
{
    return fabs(a - b) <= 0.1 * ROUND_PLACE * whole; /* moments as they are given, a digit above their last */
}

/* An inertia that is diagonal already keeps its axes; others are turned to principal ones. */
static void principal(carom_sym3 m, double I[3], carom_vec3 axis[3])
{
    static const carom_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    I[0] = m.xx, I[1] = m.yy, I[2] = m.zz;
    for (int i = 0; i < 3; i++)
        axis[i] = unit[i];
    if (m.xy == 0 && m.xz == 0 && m.yz == 0)
        return;
    carom_csym c = {m.xx, m.xy, m.yy, m.xz, m.yz, m.zz};
    carom_cvec axes[3];
    csym_eigen(&c, I, axes);
    for (int i = 0; i < 3; i++)
        axis[i] = carom_vec3_make(axes[i].t1, axes[i].t2, axes[i].n);
    if (carom_vec3_dot(carom_vec3_cross(axis[0], axis[1]), axis[2]) < 0)
        axis[2] = scaled(-1, axis[2]);
}

/* Put axis k last, keeping the three right-handed. */
static void make_last(moments *m, int k)
{
    for (; k < 2; k++) {
        double I = m->I[2];
        carom_vec3 a = m->axis[2];
        m->I[2] = m->I[1], m->axis[2] = m->axis[1];
        m->I[1] = m->I[0], m->axis[1] = m->axis[0];
        m->I[0] = I, m->axis[0] = a;
    }
}

moments moments_of(carom_sym3 inertia)
{
    moments m;
    principal(inertia, m.I, m.axis);
    double whole = m.I[0] + m.I[1] + m.I[2];
    bool ab = is_same(m.I[0], m.I[1], whole), bc = is_same(m.I[1], m.I[2], whole), ca = is_same(m.I[2], m.I[0], whole);
    m.kind = ab && bc && ca ? SPIN_STEADY : ab || bc || ca ? SPIN_TOP : SPIN_SERIES;
    if (m.kind == SPIN_TOP)
        make_last(&m, ab ? 2 : bc ? 0 : 1);
    return m;
}

static carom_vec3 turned_back(carom_quat q, carom_vec3 v)
{
    return quat_turn(quat_conjugate(q), v);
}

/* Body components along the principal axes. */
static void components(const moments *m, carom_vec3 v, double c[3])
{
    for (int i = 0; i < 3; i++)
        c[i] = carom_vec3_dot(m->axis[i], v);
}

static carom_vec3 composed(const moments *m, const double c[3])
{
    return carom_vec3_add(carom_vec3_add(scaled(c[0], m->axis[0]), scaled(c[1], m->axis[1])), scaled(c[2], m->axis[2]));
}

static carom_vec3 momentum_of(const moments *m, carom_quat q, carom_vec3 w)
{
    double c[3];
    components(m, turned_back(q, w), c);
    for (int i = 0; i < 3; i++)
        c[i] *= m->I[i];
    return quat_turn(q, composed(m, c));
}

/* Euler's equations and q' = q w / 2, both quadratic: Taylor coefficients by products of series. */
static void expand(spin *s)
{
    const double *I = s->m->I;
    double(*c)[SPIN_ROWS] = s->series, body[3][SPIN_TERMS];
    double per[3] = {(I[1] - I[2]) / I[0], (I[2] - I[0]) / I[1], (I[0] - I[1]) / I[2]};
    c[0][0] = s->q.w, c[0][1] = s->q.x, c[0][2] = s->q.y, c[0][3] = s->q.z, c[0][7] = 0;
    for (int k = 0; k + 1 < SPIN_TERMS; k++) {
        double sum[3] = {0, 0, 0}, dq[4] = {0, 0, 0, 0};
        carom_vec3 v = composed(s->m, c[k] + 4);
        body[0][k] = v.x, body[1][k] = v.y, body[2][k] = v.z;
        for (int j = 0; j <= k; j++) {
            const double *w = c[j] + 4, *other = c[k - j] + 4, *q = c[j];
            sum[0] += w[1] * other[2];
            sum[1] += w[2] * other[0];
            sum[2] += w[0] * other[1];
            double x = body[0][k - j], y = body[1][k - j], z = body[2][k - j];
            dq[0] -= q[1] * x + q[2] * y + q[3] * z;
            dq[1] += q[0] * x + q[2] * z - q[3] * y;
            dq[2] += q[0] * y + q[3] * x - q[1] * z;
            dq[3] += q[0] * z + q[1] * y - q[2] * x;
        }
        for (int i = 0; i < 3; i++)
            c[k + 1][4 + i] = per[i] * sum[i] / (k + 1);
        for (int i = 0; i < 4; i++)
            c[k + 1][i] = 0.5 * dq[i] / (k + 1);
        c[k + 1][7] = 0;
    }
}

/* The largest sum of the x_i = w_i^2 >= 0 whose sums of I_i x_i and I_i^2 x_i stay: one of the x_i is zero there, and
 * the ratio of the two sums lies between the moments I, J of the others. */
static double most_square(const moments *m, double energy, double square)
{
    double most = 0;
    for (int i = 0; i < 3; i++) {
        double I = m->I[(i + 1) % 3], J = m->I[(i + 2) % 3];
        if ((square - I * energy) * (square - J * energy) <= SAME * square * square)
            most = fmax(most, ((I + J) * energy - square) / (I * J));
    }
    return most * (1 + SAME);
}

/* The rate at which the terms of the series grow like (rate s)^k: the sixteenth root of the term of that number. */
static double term_rate(const spin *s)
{
    const double *c = s->series[16], *w = s->series[0] + 4;
    double q = 0, turn = 0, whole = 0;
    for (int i = 0; i < 4; i++)
        q = fmax(q, fabs(c[i]));
    for (int i = 0; i < 3; i++)
        turn = fmax(turn, fabs(c[4 + i])), whole = fmax(whole, fabs(w[i]));
    return sqrt(sqrt(sqrt(sqrt(fmax(q, turn / whole)))));
}

/* How long the series may be used: terms that fall by a third of SPIN_ANGLE each end at rounding. Moments that are
 * alike make them fall faster than the sum of |w| says. */
static double reach(const spin *s)
{
    const double *w = s->series[0] + 4;
    double size = fabs(w[0]) + fabs(w[1]) + fabs(w[2]), rate = size > 0 ? term_rate(s) : 0;
    return size > 0 ? fmax(SPIN_ANGLE / size, rate > 0 ? SPIN_ANGLE / (3 * rate) : 0) : INFINITY;
}

void spin_drive(spin *s, double t0, carom_quat q, carom_vec3 w, carom_vec3 alpha)
{
    s->kind = alpha.x == 0 && alpha.y == 0 && alpha.z == 0 ? SPIN_STEADY : SPIN_RAMP;
    s->t0 = t0;
    s->until = INFINITY;
    s->q = q;
    s->w = w;
    s->alpha = alpha;
}

void spin_follow(spin *s, const track *k)
{
    s->kind = SPIN_TRACK;
    s->track = k;
    s->t0 = k->t0;
    s->until = INFINITY;
}

void spin_start(spin *s, const moments *m, double t0, carom_quat q, carom_vec3 w)
{
    carom_vec3 none = {0, 0, 0};
    s->m = m;
    spin_drive(s, t0, quat_scale(1 / quat_norm(q), q), w, none);
    if (m->kind == SPIN_STEADY)
        return;
    s->kind = m->kind;
    s->L = momentum_of(m, s->q, w);
    if (m->kind == SPIN_TOP) {
        s->e = m->axis[2];
        s->I_1 = m->I[0];
        s->rate = carom_vec3_dot(turned_back(s->q, w), s->e) * ((s->I_1 - m->I[2]) / s->I_1); /* c */
        return;
    }
    double c[3];
    components(m, turned_back(s->q, w), c);
    s->energy = s->square = 0;
    for (int i = 0; i < 3; i++) {
        s->series[0][4 + i] = c[i];
        s->energy += m->I[i] * c[i] * c[i];
        s->square += m->I[i] * m->I[i] * c[i] * c[i];
    }
    s->most = most_square(m, s->energy, s->square);
    expand(s);
    s->until = t0 + reach(s);
}

/* The nearest w with the same energy and the same |L|: one step of Newton along I w and I^2 w. */
static void keep_invariants(const spin *s, double w[3])
{
    double e = s->energy, l = s->square, aa = 0, ab = 0, bb = 0;
    const double *I = s->m->I;
    for (int i = 0; i < 3; i++) {
        double a = I[i] * w[i], b = I[i] * a;
        e = fma(-a, w[i], e);
        l = fma(-a, a, l);
        aa += a * a, ab += a * b, bb += b * b;
    }
    double det = minor_of(aa, bb, ab);
    if (!(det > SAME * aa * bb)) /* near a principal axis both are equal */
        return;
    double x = 0.5 * (e * bb - l * ab) / det, y = 0.5 * (l * aa - e * ab) / det;
    for (int i = 0; i < 3; i++)
        w[i] += x * I[i] * w[i] + y * I[i] * I[i] * w[i];
}

/* Turn q by the small rotation that brings the momentum of w onto L. */
static carom_quat keep_momentum(const spin *s, carom_quat q, const double w[3])
{
    double c[3];
    for (int i = 0; i < 3; i++)
        c[i] = s->m->I[i] * w[i];
    carom_vec3 now = quat_turn(q, composed(s->m, c));
    carom_vec3 turn = scaled(1 / carom_vec3_dot(s->L, s->L), carom_vec3_cross(now, s->L));
    return quat_multiply(quat_exp(turn), q);
}

/* Four rows of the series from this one on, by Horner's rule. */
static void series_at(const spin *s, double x, int first, double row[SPIN_ROWS / 2])
{
    double sum[SPIN_ROWS / 2];
    memcpy(sum, s->series[SPIN_TERMS - 1] + first, sizeof sum);
    for (int k = SPIN_TERMS - 2; k >= 0; k--)
        for (int i = 0; i < SPIN_ROWS / 2; i++)
            sum[i] = sum[i] * x + s->series[k][first + i];
    memcpy(row, sum, sizeof sum);
}

void spin_renew(spin *s)
{
    pose p = spin_at(s, s->until);
    double w[SPIN_ROWS / 2];
    series_at(s, s->until - s->t0, 4, w);
    keep_invariants(s, w);
    s->t0 = s->until;
    p.q = keep_momentum(s, p.q, w);
    s->q = quat_scale(1 / quat_norm(p.q), p.q);
    s->w = quat_turn(s->q, composed(s->m, w));
    for (int i = 0; i < 3; i++)
        s->series[0][4 + i] = w[i];
    expand(s);
    s->until = s->t0 + reach(s);
}

/* Magnus of fourth order over pieces of a few hundredths of a radian. */
static carom_quat ramp_at(const spin *s, double duration)
{
    carom_vec3 end = carom_vec3_add(s->w, scaled(duration, s->alpha));
    double size = fmax(carom_vec3_length(s->w), carom_vec3_length(end)) * fabs(duration);
    int pieces = 1 + (int)(min(size, 1 / VISIBLE) * 16); /* an angle without digits needs no more */
    double h = duration / pieces;
    carom_quat q = s->q;
    carom_vec3 twist = scaled(h * h * h / 12, carom_vec3_cross(s->alpha, s->w)); /* -h^3/12 [w, alpha], constant */
    for (int i = 0; i < pieces; i++) {
        carom_vec3 middle = carom_vec3_add(s->w, scaled((i + 0.5) * h, s->alpha));
        q = quat_multiply(quat_exp(carom_vec3_add(scaled(h, middle), twist)), q);
    }
    return quat_scale(1 / quat_norm(q), q);
}

void spin_step(spin *s, carom_vec3 beta)
{
    s->kind = SPIN_STEP;
    s->beta = beta;
}

carom_quat spin_steadily(const spin *s, double t)
{
    double d = t - s->t0;
    bool still = d == 0 || (s->w.x == 0 && s->w.y == 0 && s->w.z == 0);
    return still ? s->q : quat_multiply(quat_exp(scaled(d, s->w)), s->q);
}

carom_quat spin_turn(const spin *s, double t)
{
    double d = t - s->t0, row[SPIN_ROWS / 2];
    switch (s->kind) {
    case SPIN_STEADY:
        return spin_steadily(s, t);
    case SPIN_RAMP:
        return ramp_at(s, d);
    case SPIN_STEP:
        return quat_multiply(quat_exp(scaled(d, carom_vec3_add(s->w, scaled(d, s->beta)))), s->q);
    case SPIN_TOP:
        return quat_multiply(quat_multiply(quat_exp(scaled(d / s->I_1, s->L)), s->q),
                             quat_exp(scaled(d * s->rate, s->e)));
    case SPIN_TRACK:
        return track_turn(s->track, t);
    case SPIN_SERIES:
        series_at(s, d, 0, row);
        carom_quat q = {row[0], row[1], row[2], row[3]};
        return quat_scale(1 / quat_norm(q), q);
    }
    return s->q;
}

pose spin_at(const spin *s, double t)
{
    double d = t - s->t0, row[SPIN_ROWS / 2];
    pose p = {spin_turn(s, t), s->w};
    switch (s->kind) {
    case SPIN_STEADY:
        break;
    case SPIN_RAMP:
    case SPIN_STEP:
        p.w = carom_vec3_add(s->w, scaled(d, s->alpha));
        break;
    case SPIN_TOP:
        p.w = vec_plus(scaled(1 / s->I_1, s->L), s->rate, quat_turn(p.q, s->e)); /* L / I_1 + c R e */
        break;
    case SPIN_TRACK:
        p.w = track_omega(s->track, t);
        break;
    case SPIN_SERIES:
        series_at(s, d, 4, row);
        p.w = quat_turn(p.q, composed(s->m, row));
        break;
    }
    return p;
}
