/* The modes of compliant sticking: what they are, and the way along them. */
#include "laws/springs/compliant_modes.h"

/* One Jacobi rotation; the smaller eigenvalue from the determinant, so that it carries the digits K has. */
static void planar_modes(const compliant *c, mode_set *m)
{
    double a = c->K.t11, b = c->d * c->K.t1n, g = c->k * c->K.nn, cs = 1, sn = 0;
    double det = c->k * difference_of_products(c->K.t11, c->K.nn, c->K.t1n, c->K.t1n);
    double half = 0.5 * (g - a), root = fabs(half);
    if (b != 0) {
        root = sqrt(half * half + b * b);
        double t = b / (half + copysign(root, half));
        cs = 1 / sqrt(1 + t * t);
        sn = t * cs;
    }
    int fast = half >= 0; /* (cs, -sn) belongs to a - t b, (sn, cs) to g + t b */
    double large = 0.5 * (a + g) + root;
    *m = (mode_set){.count = 2, .omega2 = {det > 0 ? det / large : 0, large}, .d = c->d};
    m->t1[!fast] = m->n[fast] = cs;
    m->t1[fast] = sn;
    m->n[!fast] = -sn;
}

static void spatial_modes(const compliant *c, mode_set *m)
{
    const carom_csym *K = &c->K;
    carom_csym A = {K->t11, K->t12, K->t22, c->d * K->t1n, c->d * K->t2n, c->k * K->nn};
    carom_cvec v[3];
    csym_eigen(&A, m->omega2, v);
    m->d = c->d;
    m->count = MODES;
    for (int i = 0; i < MODES; i++) {
        m->omega2[i] = max(0, m->omega2[i]);
        m->t1[i] = v[i].t1;
        m->t2[i] = v[i].t2;
        m->n[i] = v[i].n;
    }
}

/* v_i . A v_j of axes without partial derivatives: all of them are in A. */
static void couple(const compliant *c, mode_set *m)
{
    const carom_csym *K = &c->K;
    const carom_csym A = {K->t11, K->t12, K->t22, c->d * K->t1n, c->d * K->t2n, c->k * K->nn};
    carom_cvec v[MODES];
    for (int i = 0; i < m->count; i++) {
        m->t1[i] = plain(m->t1[i]);
        m->t2[i] = plain(m->t2[i]);
        m->n[i] = plain(m->n[i]);
        v[i] = carom_cvec_make(m->t1[i], m->t2[i], m->n[i]);
    }
    for (int i = 0; i < m->count; i++) {
        double partials = carom_cvec_dot(v[i], carom_csym_apply(A, v[i]));
        m->omega2[i] = plain(m->omega2[i]) + (partials - plain(partials));
    }
    for (int k = 0; k < MODES; k++) {
        int i = coupled_first(k), j = coupled_second(k);
        double entry = j < m->count ? carom_cvec_dot(v[i], carom_csym_apply(A, v[j])) : 0;
        m->cross[k] = entry - plain(entry);
    }
}

const mode_set *compliant_modes(compliant *c)
{
    mode_set *m = &c->modes;
    if (m->d == c->d && !CARRIES_PARTIALS) /* e = 1 changes those of d, and not its value */
        return m;
    if (c->planar)
        planar_modes(c, m);
    else
        spatial_modes(c, m);
    if (CARRIES_PARTIALS)
        couple(c, m);
    return m;
}

/* Move a spot to the coordinates x, which are counted from there. */
static void move(const compliant *c, const modal *x, spot *a)
{
    spot_move(c, a, compose(&c->modes, x->push), a);
    a->F = compose(&c->modes, x->xi);
}

/* A stretch of sticking, for the tracer. */
typedef struct stick_stretch {
    const compliant *c;
    double time;
} stick_stretch;

static void stick_stretch_at(const carom_piece *piece, double s, carom_state *state)
{
    const stick_stretch *x = (const stick_stretch *)piece->data;
    const mode_set *m = &x->c->modes;
    modal from, there;
    spot a = x->c->now;
    project(m, &a, &from);
    swing(m, &from, s * x->time, &there);
    move(x->c, &there, &a);
    *state = compliant_state(x->c, &a);
}

void compliant_swing_to(compliant *c, const modal *x, double t)
{
    if (c->tracer) {
        stick_stretch way = {c, t};
        compliant_show(c, c->now.p.n + compose(&c->modes, x->push).n, stick_stretch_at, &way);
    }
    move(c, x, &c->now);
}
