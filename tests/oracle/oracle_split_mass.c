/* split-mass: the plastic stage in the impulse, the springs in time. In space only impacts that slide throughout. */
#include "oracle.h"

enum { S1, S2, X, U1, U2 = U1 + 3, P = U2 + 2, STATES = P + 3 };

typedef struct parts {
    carom_problem pb;
    carom_coeffs c;
    bool planar, sticks;
    double d; /* planar slip: sign of u_2 */
} parts;

/* ---- the plastic stage: u, then p, per unit of p_n ---- */

static carom_cvec plastic_force(const parts *m, const double *y)
{
    const carom_csym *K = &m->pb.K;
    double size = hypot(y[0], y[1]), mu = m->c.mu;
    if (m->sticks)
        return carom_cvec_make(-K->t1n / K->t11, 0, 1);
    return m->planar ? carom_cvec_make(-mu * m->d, 0, 1) : carom_cvec_make(-mu * y[0] / size, -mu * y[1] / size, 1);
}

static void plastic_rates(const void *model, const double *y, double *dy)
{
    const parts *m = model;
    carom_cvec F = plastic_force(m, y), a = carom_csym_apply(m->pb.K, F);
    const double rate[6] = {a.t1, a.t2, a.n, F.t1, F.t2, F.n};
    memcpy(dy, rate, sizeof rate);
}

static void plastic_tests(const void *model, const double *y, double *g)
{
    const parts *m = model;
    g[0] = -y[2];
    g[1] = m->planar && !m->sticks ? m->d * y[0] : 1;
}

static oracle_next plastic_event(void *model, double *y, const int *found)
{
    parts *m = model;
    const carom_csym *K = &m->pb.K;
    if (found[0])
        return ORACLE_OVER;
    y[0] = 0;
    m->sticks = fabs(K->t1n) <= m->c.mu * K->t11;
    m->d = K->t1n > 0 ? 1 : -1; /* it goes where the normal impulse pulls */
    return ORACLE_GO_ON;
}

/* ---- the springs ---- */

static carom_cvec spring_force(const parts *m, const double *y)
{
    return carom_cvec_make(-m->c.k_t1 * y[S1], -m->c.k_t2 * y[S2], m->c.k * y[X]);
}

static carom_cvec ground_force(const parts *m, const double *y)
{
    const carom_csym *K = &m->pb.K;
    const carom_cvec f = spring_force(m, y);
    double size = hypot(y[U2], y[U2 + 1]), mu = m->c.mu;
    double d1 = m->planar ? m->d : y[U2] / size, d2 = m->planar ? 0 : y[U2 + 1] / size;
    if (m->sticks)
        return f;
    double N = (K->nn * f.n + K->t1n * f.t1 + K->t2n * f.t2) / (K->nn - mu * (K->t1n * d1 + K->t2n * d2));
    return carom_cvec_make(-mu * N * d1, -mu * N * d2, N);
}

static void rates(const void *model, const double *y, double *dy)
{
    const parts *m = model;
    const double e = m->c.e;
    const carom_cvec f = spring_force(m, y), R = ground_force(m, y);
    const carom_cvec a1 = carom_csym_apply(m->pb.K, f), a2 = carom_csym_apply(m->pb.K, carom_cvec_sub(R, f));
    const double rate[STATES] = {y[U1] - y[U2],
                                 y[U1 + 1] - y[U2 + 1],
                                 -y[U1 + 2],
                                 a1.t1 / e,
                                 a1.t2 / e,
                                 a1.n / e,
                                 m->sticks ? 0 : a2.t1 / (1 - e),
                                 m->sticks ? 0 : a2.t2 / (1 - e),
                                 R.t1,
                                 R.t2,
                                 R.n};
    memcpy(dy, rate, sizeof rate);
}

static void tests(const void *model, const double *y, double *g)
{
    const parts *m = model;
    const carom_cvec f = spring_force(m, y);
    g[0] = ground_force(m, y).n;
    g[1] = m->sticks ? m->c.mu * f.n - hypot(f.t1, f.t2) : m->planar ? m->d * y[U2] : 1;
}

static oracle_next event(void *model, double *y, const int *found)
{
    parts *m = model;
    const carom_cvec f = spring_force(m, y);
    if (found[0])
        return ORACLE_OVER;
    y[U2] = 0;
    m->sticks = !m->sticks && fabs(f.t1) <= m->c.mu * f.n;
    m->d = f.t1 < 0 ? 1 : -1;
    return ORACLE_GO_ON;
}

static bool slides_throughout(const carom_contact_force *f)
{
    return f->mode_count == 2 && f->modes[0] == CAROM_CONTACT_MODE_DEAD_SLIP && f->modes[1] == CAROM_CONTACT_MODE_SLIP;
}

bool oracle_split_mass(const oracle_case *c, const carom_outcome *out, oracle_answer *answer)
{
    const carom_cvec u = c->pb.u;
    const double e = c->rule.coeffs.e;
    parts m = {.pb = c->pb, .c = c->rule.coeffs, .planar = c->pb.K.t22 == 0, .d = u.t1 > 0 ? 1 : -1};
    if (out->status || (!m.planar && !slides_throughout(&out->force)))
        return false;
    double dead[6] = {u.t1, u.t2, u.n}, y[STATES] = {[U1] = u.t1, u.t2, u.n};
    const oracle_system first = {6, 2, plastic_rates, plastic_tests, plastic_event, &m};
    if (isnan(oracle_integrate(&first, dead)))
        return false;
    y[U2] = dead[0];
    y[U2 + 1] = dead[1];
    for (int i = 0; i < 3; i++)
        y[P + i] = (1 - e) * dead[3 + i];
    if (m.sticks && m.c.k_t1 * fabs(u.t1) > m.c.mu * m.c.k * -u.n) { /* rates of the forces decide at first touch */
        m.sticks = false;
        m.d = u.t1 > 0 ? 1 : -1;
    }
    const oracle_system second = {STATES, 2, rates, tests, event, &m};
    answer->duration = oracle_integrate(&second, y);
    answer->p = carom_cvec_make(y[P], y[P + 1], y[P + 2]);
    return true;
}
