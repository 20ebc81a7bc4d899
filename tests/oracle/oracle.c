/* Contact-force laws against an independent integrator: CVODE of SUNDIALS with rootfinding, 50 random impacts per law.
 *
 * The equations are written from the pages of the laws. Here they have a tangential dashpot, so that stick and slip are
 * one projection and the only event is the end (and x' = 0 for the bilinear springs); split-mass and mindlin, without
 * dashpots, have files of their own. Built by `./run test-oracle` alone. */
#include "oracle.h"

enum { STATES = 10 }; /* x, s1, s2, p1, p2, p3, z1, z1', z2, z2' */

typedef struct model {
    const char *id;
    carom_problem pb;
    carom_coeffs c;
    const carom_vibration *v;
    double e_t, e_n; /* eigen-springs: the axis of k */
    double slope, rest, top;
    bool unloading;
} model;

static carom_cvec velocity(const model *m, const double *y)
{
    carom_cvec u = carom_cvec_add(m->pb.u, carom_csym_apply(m->pb.K, carom_cvec_make(y[3], y[4], y[5])));
    for (int j = 0; m->v && j < m->v->count; j++)
        u = carom_cvec_add(u, carom_cvec_scale(y[7 + 2 * j], m->v->modes[j].phi));
    return u;
}

static double normal_force(const model *m, double x, double rate)
{
    const carom_coeffs *c = &m->c;
    if (strcmp(m->id, "spring-dashpot") == 0)
        return c->k * x + c->c * rate;
    if (strcmp(m->id, "walton") == 0 || strcmp(m->id, "chatterjee-spring") == 0)
        return m->slope * (x - m->rest);
    double k = strcmp(m->id, "hertz") == 0 ? 4.0 / 3 * c->E_star * sqrt(c->R) : c->k;
    double exponent = strcmp(m->id, "hertz") == 0 ? 1.5 : c->exponent, a = strcmp(m->id, "hertz") == 0 ? 0 : c->a;
    return x > 0 ? k * pow(x, exponent) * (1 + a * rate) : 0;
}

/* Force, and the rate of the tangential springs. */
static carom_cvec force(const model *m, const double *y, double rate_s[2])
{
    const carom_coeffs *c = &m->c;
    const carom_cvec v = velocity(m, y);
    double st[2] = {-c->k_t * y[1] - c->c_t * v.t1, -c->k_t * y[2] - c->c_t * v.t2};
    double f = normal_force(m, y[0], -v.n), size = hypot(st[0], st[1]), cone = c->mu * fmax(f, 0);
    double share = size > cone ? cone / size : 1;
    carom_cvec F = {share * st[0], share * st[1], f};
    rate_s[0] = -(F.t1 + c->k_t * y[1]) / c->c_t;
    rate_s[1] = -(F.t2 + c->k_t * y[2]) / c->c_t;
    return F;
}

/* Ivanov: y[1], y[2] are the tangential displacements. */
static carom_cvec potential_force(const model *m, const double *y, double rate_s[2])
{
    const carom_cvec v = velocity(m, y);
    double h = y[0], q = sqrt(h * h + y[1] * y[1] + y[2] * y[2]), c2 = 2 * m->c.c_1, mu = m->c.mu;
    rate_s[0] = v.t1;
    rate_s[1] = v.t2;
    carom_cvec none = {0, 0, 0};
    return q > 0 ? carom_cvec_make(-c2 * mu * h * y[1] / q, -c2 * mu * h * y[2] / q, c2 * (h + mu * q + mu * h * h / q))
                 : none;
}

/* Elements along the axes of K, planar. */
static carom_cvec eigen_force(const model *m, const double *y, double rate_s[2])
{
    const carom_coeffs *c = &m->c;
    const carom_cvec v = velocity(m, y);
    double t = m->e_t, n = m->e_n, dk = c->k - c->k_t, dc = c->c - c->c_t;
    double S_tt = c->k_t + dk * t * t, S_nt = dk * t * n, S_nn = c->k_t + dk * n * n;
    double C_tt = c->c_t + dc * t * t, C_nt = dc * t * n, C_nn = c->c_t + dc * n * n;
    double F_t = -(S_tt * y[1] - S_nt * y[0]) - C_tt * v.t1 - C_nt * v.n;
    double F_n = -(S_nt * y[1] - S_nn * y[0]) - C_nt * v.t1 - C_nn * v.n, w = 0;
    if (fabs(F_t) > c->mu * F_n) {
        double sigma = F_t > 0 ? -1 : 1;
        w = -(F_t + c->mu * sigma * F_n) / (C_tt + c->mu * sigma * C_nt);
    }
    rate_s[0] = v.t1 - w;
    rate_s[1] = 0;
    return carom_cvec_make(F_t + C_tt * w, 0, F_n + C_nt * w);
}

static carom_cvec any_force(const model *m, const double *y, double rate_s[2])
{
    return strcmp(m->id, "ivanov-potential") == 0 ? potential_force(m, y, rate_s)
           : strcmp(m->id, "eigen-springs") == 0  ? eigen_force(m, y, rate_s)
                                                  : force(m, y, rate_s);
}

static void rates(const void *data, const double *y, double *d)
{
    const model *m = data;
    double rate_s[2];
    carom_cvec F = any_force(m, y, rate_s);
    memset(d, 0, STATES * sizeof *d);
    d[0] = -velocity(m, y).n;
    d[1] = rate_s[0];
    d[2] = rate_s[1];
    d[3] = F.t1;
    d[4] = F.t2;
    d[5] = F.n;
    for (int j = 0; m->v && j < m->v->count; j++) {
        const carom_mode *mode = &m->v->modes[j];
        double z = y[6 + 2 * j], rate = y[7 + 2 * j], w = mode->omega;
        d[6 + 2 * j] = rate;
        d[7 + 2 * j] = carom_cvec_dot(mode->phi, F) - 2 * mode->zeta * w * rate - w * w * z;
    }
}

/* The end, and x' = 0. */
static void tests(const void *data, const double *y, double *g)
{
    const model *m = data;
    double rate_s[2];
    bool by_force =
        strcmp(m->id, "spring-dashpot") == 0 || strcmp(m->id, "walton") == 0 || strcmp(m->id, "eigen-springs") == 0;
    g[0] = by_force ? any_force(m, y, rate_s).n : y[0];
    g[1] = -velocity(m, y).n;
}

static void turn(model *m, double x)
{
    bool walton = strcmp(m->id, "walton") == 0;
    if (m->unloading || !(walton || strcmp(m->id, "chatterjee-spring") == 0))
        return;
    m->unloading = true;
    m->top = x;
    m->slope = walton ? m->c.k / (m->c.e * m->c.e) : m->c.k * m->c.e * m->c.e;
    m->rest = walton ? (1 - m->c.e * m->c.e) * x : 0;
}

static oracle_next event(void *data, double *y, const int *found)
{
    model *m = data;
    if (found[0] && velocity(m, y).n > 0)
        return ORACLE_OVER;
    if (found[1])
        turn(m, y[0]);
    return ORACLE_GO_ON;
}

/* ---- random impacts ---- */

static const carom_mode modes[] = {{9, 0.05, {0.3, 0.2, 0.5}, 0, 0}, {17, 0.2, {-0.2, 0.4, 0.3}, 0, 0}};
static const carom_vibration bell = {modes, 2, 0, NULL};

oracle_case oracle_draw(dice *d, const char *id, bool planar)
{
    oracle_case x = {{corpus_spread(d, 0.6), dice_cvec(d)}, carom_rule_default(carom_law_find(id))};
    carom_coeffs *c = &x.rule.coeffs;
    x.pb.u.n = -fabs(x.pb.u.n) - 0.2;
    if (planar)
        x.pb.K.t12 = x.pb.K.t2n = x.pb.K.t22 = x.pb.u.t2 = 0;
    c->k = dice_between(d, 50, 500);
    c->k_t = c->k_t1 = c->k_t2 = dice_between(d, 40, 400);
    c->c = dice_between(d, 0.5, 8);
    c->c_t = dice_between(d, 0.5, 5);
    c->e = dice_between(d, 0.3, 1);
    c->mu = dice_between(d, 0.05, planar ? 0.3 : 1);
    c->exponent = dice_between(d, 0, 1) < 0.5 ? 1 : 1.5;
    c->a = dice_between(d, 0, 0.5);
    c->E_star = dice_between(d, 500, 5000);
    c->R = dice_between(d, 0.2, 2);
    c->annuli = 6;
    c->c_1 = dice_between(d, 20, 200);
    if (strcmp(id, "modal") == 0)
        x.rule.vibration = &bell;
    return x;
}

static oracle_case draw_spatial(dice *d, const char *id)
{
    return oracle_draw(d, id, false);
}

static oracle_case draw_planar(dice *d, const char *id)
{
    return oracle_draw(d, id, true);
}

static oracle_case draw_either(dice *d, const char *id)
{
    return oracle_draw(d, id, dice_between(d, 0, 1) < 0.5);
}

/* One phase of compression, no body that vibrates away: the equations above. */
static bool damped_point(const oracle_case *x, const carom_outcome *out, oracle_answer *answer)
{
    model m = {
        .id = x->rule.law->id, .pb = x->pb, .c = x->rule.coeffs, .v = x->rule.vibration, .slope = x->rule.coeffs.k};
    double angle = 0.5 * atan2(2 * m.pb.K.t1n, m.pb.K.t11 - m.pb.K.nn), c = cos(angle), s = sin(angle);
    double y[STATES] = {0};
    if (out->status == CAROM_STATUS_NOT_REGULAR || out->phases.phases > 1 || out->flags & CAROM_FLAG_PENETRATES)
        return false;
    m.e_t = fabs(s) > fabs(c) ? c : -s;
    m.e_n = fabs(s) > fabs(c) ? s : c;
    const oracle_system system = {STATES, 2, rates, tests, event, &m};
    answer->duration = oracle_integrate(&system, y);
    answer->p = carom_cvec_make(y[3], y[4], y[5]);
    return true;
}

int main(void)
{
    static const char *const in_space[] = {"spring-dashpot",    "hunt-crossley",    "hertz", "walton",
                                           "chatterjee-spring", "ivanov-potential", "modal"};
    int failed = 0;
    for (size_t i = 0; i < sizeof in_space / sizeof in_space[0]; i++)
        failed += oracle_compare(in_space[i], draw_spatial, damped_point);
    failed += oracle_compare("eigen-springs", draw_planar, damped_point);
    failed += oracle_compare("split-mass", draw_either, oracle_split_mass);
    failed += oracle_compare("mindlin", draw_planar, oracle_mindlin);
    printf("%d failed\n", failed);
    return failed > 0;
}
