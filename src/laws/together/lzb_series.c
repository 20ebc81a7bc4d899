/* One step of lzb as Taylor polynomials in the fictitious time:
 *
 *     delta' = -rate u_n,   p_n' = F = kappa delta^eta,   p_t' = -mu F u_t / |u_t| or what sticking needs,   u' = K p'
 *
 * Powers follow from their differential equations, so that an order costs one product with K. Where eta is not one,
 * delta^eta has no expansion at delta = 0: a contact that begins gets no force in its first, short step, and the
 * leading term of its impulse afterwards; one that is about to end loses a force below rounding. */
#include <string.h>

#include "core/taylor.h"
#include "laws/together/lzb_path.h"
#include "laws/together/together_linear.h"

#define SERIES_TOL   1e-17 /* of the unit velocity: the last terms of a step */
#define NEWBORN_STEP 1e-4  /* units of time: the first step of a contact with eta != 1 */
#define FAINT_TIME   1e-7  /* units of time to its end: a force that is left out, relative FAINT_TIME^(1 + eta) */
#define TURN_TOL     1e-13 /* of the unit impulse: what a slip that is taken as straight may miss by turning */
#define TURN_STEP    1e-8  /* units of time: the shortest straight step */
#define CREEP_STEP   1e-7  /* units of time: a slow slip that keeps steps this short creeps */
#define DEPART_STEP  2e-4  /* units of time: the shortest step of a slip that leaves rest */
#define STEP_MOST    8.0

size_t lzb_path_work(const carom_contacts *x)
{
    size_t m = (size_t)x->count, n = m * (size_t)x->dim;
    return block_doubles(n * n + 2 * n + m) + m * sizeof(lzb_contact) + block_doubles((2 * n + 6 * m) * LZB_TERMS) +
           block_doubles(n * n + 2 * n) + block_ints(n) + block_doubles(4 * n + m) + linear_work(n);
}

/* (a^power)_k from the coefficients of a and the lower ones of the result f; a[0] > 0. */
static double power_term(const double *a, const double *f, double power, int k)
{
    double sum = 0;
    for (int i = 1; i <= k; i++)
        sum += (power * i - (k - i)) * a[i] * f[k - i];
    return sum / (k * a[0]);
}

static bool is_faint(const lzb_path *s, int j)
{
    const lzb_contact *c = &s->contact[j];
    return s->eta != 1 && !c->compresses && s->delta[j] < FAINT_TIME * c->rate * s->u[(j + 1) * s->dim - 1];
}

static void force_term(const lzb_path *s, int j, int k)
{
    const lzb_contact *c = &s->contact[j];
    double *F = lzb_series(s->F, j), *D = lzb_series(s->D, j);
    if (!c->active || c->newborn || is_faint(s, j))
        F[k] = 0;
    else if (s->eta == 1)
        F[k] = c->kappa * D[k];
    else
        F[k] = k == 0 ? lzb_force(s, j, D[0]) : power_term(D, F, s->eta, k);
}

/* Coefficient k of u_t / |u_t|, in Q. */
static void direction_term(const lzb_path *s, int j, int k)
{
    double *W = lzb_series(s->W, j), *V = lzb_series(s->V, j);
    W[k] = 0;
    for (int a = 0; a < 2; a++) {
        const double *U = lzb_series(s->U, j * s->dim + a);
        for (int i = 0; i <= k; i++)
            W[k] += U[i] * U[k - i];
    }
    V[k] = k == 0 ? 1 / sqrt(W[0]) : power_term(W, V, -0.5, k);
    for (int a = 0; a < 2; a++) {
        const double *U = lzb_series(s->U, j * s->dim + a);
        double *Q = lzb_series(s->Q, 2 * j + a);
        Q[k] = 0;
        for (int i = 0; i <= k; i++)
            Q[k] += V[i] * U[k - i];
    }
}

/* Friction of contact j: -mu (F d)_k, or the share that it carries while it sticks. */
static void friction_term(lzb_path *s, int j, int k)
{
    double *rate = s->rate + j * s->dim;
    const lzb_contact *c = &s->contact[j];
    const double *F = lzb_series(s->F, j);
    for (int a = 0; a < s->dim - 1; a++)
        rate[a] = c->active && c->grip == LZB_STICKS ? c->mu * F[k] * c->share[a] : 0;
    if (!c->active || c->mu == 0 || c->grip == LZB_STICKS)
        return;
    if (c->grip == LZB_SLIPS) {
        for (int a = 0; a < s->dim - 1; a++)
            rate[a] = -c->mu * F[k] * c->direction[a];
        return;
    }
    direction_term(s, j, k);
    for (int a = 0; a < 2; a++)
        for (int i = 0; i <= k; i++)
            rate[a] -= c->mu * F[i] * lzb_series(s->Q, 2 * j + a)[k - i];
}

/* y = K x */
static void multiply(const lzb_path *s, const double *x, double *y)
{
    for (int i = 0; i < s->n; i++) {
        double sum = 0;
        for (int j = 0; j < s->n; j++)
            sum += s->K[i * s->n + j] * x[j];
        y[i] = sum;
    }
}

/* In which friction of a sticking row is measured where redundant contacts share it. */
static double unit_of(const lzb_path *s, int row)
{
    int j = row / s->dim;
    return s->shared ? s->contact[j].mu * lzb_force(s, j, s->delta[j]) : 1;
}

/* The tangents that stick take what keeps their velocity at zero. */
static void stick_term(lzb_path *s)
{
    double *rate = s->rate;
    int z = s->stuck_count;
    for (int i = 0; i < z; i++) {
        double sum = 0;
        for (int j = 0; j < s->n; j++)
            sum += s->K[s->stuck[i] * s->n + j] * rate[j];
        s->b[i] = -sum * unit_of(s, s->stuck[i]);
    }
    if (linear_limit(z, s->A, s->b, s->phi, s->linear) != LINEAR_REGULAR)
        s->redundant = true;
    for (int i = 0; i < z; i++)
        rate[s->stuck[i]] += s->phi[i] * unit_of(s, s->stuck[i]);
}

static void list_stuck(lzb_path *s)
{
    s->stuck_count = 0;
    for (int j = 0; j < s->m; j++)
        for (int a = 0; a < s->dim - 1; a++)
            if (s->contact[j].active && s->contact[j].mu > 0 && s->contact[j].grip == LZB_STICKS)
                s->stuck[s->stuck_count++] = j * s->dim + a;
    for (int i = 0; i < s->stuck_count; i++)
        for (int j = 0; j < s->stuck_count; j++)
            s->A[i * s->stuck_count + j] =
                unit_of(s, s->stuck[i]) * s->K[s->stuck[i] * s->n + s->stuck[j]] * unit_of(s, s->stuck[j]);
}

static void start_series(lzb_path *s)
{
    for (int i = 0; i < s->n; i++) {
        lzb_series(s->U, i)[0] = s->u[i];
        lzb_series(s->P, i)[0] = s->p[i];
    }
    for (int j = 0; j < s->m; j++) {
        lzb_contact *c = &s->contact[j];
        lzb_series(s->D, j)[0] = s->delta[j];
        c->rate = c->compresses ? 1 : 1 / (c->e * c->e);
        c->newborn = s->eta != 1 && c->active && s->delta[j] == 0;
        if (c->active && c->grip != LZB_STICKS && s->dim == 3 && c->mu > 0) {
            double slip = lzb_slip(s, j);
            c->grip = slip > LZB_SLOW_SLIP && !c->departs ? LZB_TURNS : LZB_SLIPS;
            for (int a = 0; a < 2 && slip > LZB_REST_TOL && !c->departs; a++)
                c->direction[a] = s->u[j * s->dim + a] / slip;
        }
    }
}

/* How far a slip may be taken as straight: the friction that turning would shift aside stays below TURN_TOL. */
static double straight_reach(const lzb_path *s, int j, double h)
{
    const lzb_contact *c = &s->contact[j];
    const double *U1 = lzb_series(s->U, j * s->dim), *U2 = lzb_series(s->U, j * s->dim + 1);
    for (; h > TURN_STEP; h *= 0.5) {
        double u1 = taylor_at(U1, LZB_ORDER, h), u2 = taylor_at(U2, LZB_ORDER, h);
        double along = fabs(c->direction[0] * u1 + c->direction[1] * u2);
        double aside = fabs(c->direction[0] * u2 - c->direction[1] * u1);
        double force = c->mu * fabs(taylor_at(lzb_series(s->F, j), LZB_ORDER, h));
        if (aside * force * h <= TURN_TOL * along || aside <= LZB_REST_TOL)
            break;
    }
    return h;
}

static double reach(lzb_path *s)
{
    double last[2] = {0, 0}, h = STEP_MOST;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < s->n; i++)
            last[k] = max(last[k], fabs(lzb_series(s->U, i)[LZB_ORDER - 1 + k]));
        for (int j = 0; j < s->m; j++)
            last[k] = max(last[k], fabs(lzb_series(s->D, j)[LZB_ORDER - 1 + k]));
    }
    h = min(h, taylor_reach(last, LZB_ORDER, SERIES_TOL));
    for (int j = 0; j < s->m; j++) {
        lzb_contact *c = &s->contact[j];
        if (c->newborn)
            h = min(h, NEWBORN_STEP);
        if (c->active && s->time < c->calm) /* no event of friction is looked for until then */
            h = min(h, 2 * (c->calm - s->time));
        if (!(s->dim == 3 && c->active && c->mu > 0 && c->grip == LZB_SLIPS)) {
            c->creeps = 0;
            continue;
        }
        double straight = max(straight_reach(s, j, h), c->departs ? DEPART_STEP : 0);
        c->creeps = straight <= CREEP_STEP ? c->creeps + 1 : 0;
        h = min(h, straight);
    }
    return h;
}

double lzb_expand(lzb_path *s)
{
    start_series(s);
    list_stuck(s);
    for (int k = 0; k < LZB_ORDER; k++) {
        for (int j = 0; j < s->m; j++) {
            force_term(s, j, k);
            friction_term(s, j, k);
            s->rate[(j + 1) * s->dim - 1] = lzb_series(s->F, j)[k];
        }
        if (s->stuck_count)
            stick_term(s);
        multiply(s, s->rate, s->next);
        for (int i = 0; i < s->n; i++) {
            lzb_series(s->P, i)[k + 1] = s->rate[i] / (k + 1);
            lzb_series(s->U, i)[k + 1] = s->next[i] / (k + 1);
        }
        for (int i = 0; i < s->stuck_count; i++)
            lzb_series(s->U, s->stuck[i])[k + 1] = 0;
        for (int j = 0; j < s->m; j++) {
            const lzb_contact *c = &s->contact[j];
            double u_n = lzb_series(s->U, (j + 1) * s->dim - 1)[k];
            lzb_series(s->D, j)[k + 1] = c->active ? -c->rate * u_n / (k + 1) : 0;
        }
    }
    for (int j = 0; j < s->m; j++)
        force_term(s, j, LZB_ORDER);
    return plain(reach(s));
}

/* The impulse of a first step, in s->rate: F ~ s^(q eta) where delta ~ s^q. */
static bool newborn_impulse(lzb_path *s, int j, double h)
{
    lzb_contact *c = &s->contact[j];
    double slope = -s->u[(j + 1) * s->dim - 1];
    if (!(c->newborn && s->delta[j] > 0 && slope > 0))
        return false;
    double q = slope * h / s->delta[j], P = lzb_force(s, j, s->delta[j]) * h / (q * s->eta + 1);
    for (int a = 0; a < s->dim - 1; a++)
        s->rate[j * s->dim + a] = c->mu > 0 && c->grip != LZB_STICKS ? -c->mu * P * c->direction[a] : 0;
    s->rate[(j + 1) * s->dim - 1] = P;
    return true;
}

static void add_newborns(lzb_path *s, double h)
{
    bool some = false;
    for (int i = 0; i < s->n; i++)
        s->rate[i] = 0;
    for (int j = 0; j < s->m; j++)
        some |= newborn_impulse(s, j, h);
    if (!some)
        return;
    if (s->stuck_count)
        stick_term(s);
    multiply(s, s->rate, s->next);
    for (int i = 0; i < s->n; i++) {
        s->p[i] += s->rate[i];
        s->u[i] += s->next[i];
    }
    for (int i = 0; i < s->stuck_count; i++)
        s->u[s->stuck[i]] = 0;
}

void lzb_move(lzb_path *s, double h)
{
    for (int i = 0; i < s->n; i++) {
        s->u[i] = taylor_at(lzb_series(s->U, i), LZB_ORDER, h);
        s->p[i] = taylor_at(lzb_series(s->P, i), LZB_ORDER, h);
    }
    for (int j = 0; j < s->m; j++)
        if (s->contact[j].active)
            s->delta[j] = max(0, taylor_at(lzb_series(s->D, j), LZB_ORDER, h));
    if (s->eta != 1 && h > 0)
        add_newborns(s, h);
    s->time += h;
}
