/* mindlin by brute force: every spring has its own length and its own events. The law sums over springs instead. */
#include "oracle.h"

enum { ANNULI = 6, SPRINGS = 4 * ANNULI + 16, X = SPRINGS, P_T, P_N, STATES };

typedef enum spring { OPEN, STICK, PLUS, MINUS } spring;

typedef struct row {
    carom_problem pb;
    double mu, kappa, k[SPRINGS], gap[SPRINGS];
    spring state[SPRINGS];
} row;

static double u_t(const row *m, const double *y)
{
    return m->pb.u.t1 + m->pb.K.t11 * y[P_T] + m->pb.K.t1n * y[P_N];
}

static double x_rate(const row *m, const double *y)
{
    return -(m->pb.u.n + m->pb.K.t1n * y[P_T] + m->pb.K.nn * y[P_N]);
}

static double side(spring s)
{
    return s == PLUS ? 1 : -1;
}

static void rates(const void *model, const double *y, double *dy)
{
    const row *m = model;
    memset(dy, 0, STATES * sizeof *dy);
    dy[X] = x_rate(m, y);
    for (int j = 0; j < SPRINGS; j++) {
        double f = m->k[j] * (y[X] - m->gap[j]);
        if (m->state[j] == OPEN)
            continue;
        dy[P_N] += f;
        dy[P_T] -= m->state[j] == STICK ? m->kappa * m->k[j] * y[j] : side(m->state[j]) * m->mu * f;
        dy[j] = m->state[j] == STICK ? u_t(m, y) : 0;
    }
}

/* Two per spring: it closes or opens; it slips or sticks. */
static void tests(const void *model, const double *y, double *g)
{
    const row *m = model;
    for (int j = 0; j < SPRINGS; j++) {
        double depth = y[X] - m->gap[j];
        g[2 * j] = m->state[j] == OPEN ? -depth : depth;
        g[2 * j + 1] = m->state[j] == OPEN    ? 1
                       : m->state[j] == STICK ? m->mu * depth - m->kappa * fabs(y[j])
                                              : side(m->state[j]) * u_t(m, y) - m->mu / m->kappa * x_rate(m, y);
    }
}

static void close(row *m, double *y, int j)
{
    bool sticks = m->kappa * fabs(u_t(m, y)) <= m->mu * x_rate(m, y);
    m->state[j] = sticks ? STICK : u_t(m, y) > 0 ? PLUS : MINUS;
    y[j] = 0;
}

static oracle_next event(void *model, double *y, const int *found)
{
    row *m = model;
    for (int j = 0; j < SPRINGS; j++) {
        if (found[2 * j] && j == 0)
            return ORACLE_OVER;
        if (found[2 * j] && m->state[j] == OPEN)
            close(m, y, j);
        else if (found[2 * j])
            m->state[j] = OPEN;
        else if (found[2 * j + 1] && m->state[j] == STICK)
            m->state[j] = y[j] > 0 ? PLUS : MINUS;
        else if (found[2 * j + 1]) {
            y[j] = side(m->state[j]) * m->mu / m->kappa * (y[X] - m->gap[j]);
            m->state[j] = STICK;
        }
    }
    return ORACLE_GO_ON;
}

bool oracle_mindlin(const oracle_case *c, const carom_outcome *out, oracle_answer *answer)
{
    const carom_coeffs *a = &c->rule.coeffs;
    const double v = -c->pb.u.n, stiff = 4.0 / 3 * a->E_star * sqrt(a->R);
    const double x_H = pow(5 * v * v / (4 * stiff * c->pb.K.nn), 0.4), D = sqrt(a->R * x_H) / a->annuli;
    double y[STATES] = {0};
    row m = {.pb = c->pb, .mu = a->mu, .kappa = a->kappa};
    if (a->annuli != ANNULI || out->force.max_compression >= 16 * x_H)
        return false;
    for (int j = 0; j < SPRINGS; j++) {
        m.k[j] = a->E_star * (j == 0 ? D : 2 * D);
        m.gap[j] = j * D * (j * D) / a->R;
    }
    close(&m, y, 0);
    const oracle_system system = {STATES, 2 * SPRINGS, rates, tests, event, &m};
    answer->duration = oracle_integrate(&system, y);
    answer->p = carom_cvec_make(y[P_T], 0, y[P_N]);
    return true;
}
