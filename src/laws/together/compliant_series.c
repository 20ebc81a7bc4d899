/* One step of compliant as Taylor polynomials in the fictitious time, order by order:
 *
 *     f' = -kappa u_n,   p_n' = f,   u' = K p'
 *     stick   x' = u_t,   p_t' = -k_t x
 *     slip    p_t' = -mu f s,   r phi' = u_t . s',   s = (cos phi, sin phi) in the frame of s at the beginning
 *
 * where s' is s turned by a right angle. Slip that begins at f = 0 is a regular singular point: with u_t of order v and
 * f of order v + 1 or higher, coefficient i of phi follows from order v + i of its equation,
 *
 *     (|b| + i r_{v+1}) phi_i = (u_t . s' - r phi')_{v+i}   formed without phi_i,   u_t ~ b t^v;
 *
 * elsewhere the same line holds with v = -1 and b = 0. Slip whose spring is short against the way it goes is stiff: its
 * direction follows u_t at a small angle. Its phi is a slow solution, found by v = 0 with the terms of r_0 from the
 * expansion before, until they no longer change. */
#include "core/taylor.h"
#include "laws/together/compliant_path.h"

#define SERIES_TOL 1e-16 /* of the unit velocity: the last terms of a step */
#define TURN_TOL   1e-15 /* the same for the direction of slip, which counts with the square of its force */
#define TURN_LEAST 1e-11 /* least weight of an error in the direction of slip */
#define STIFF      400.0 /* |u_t| over r and over |r'|, from which slip follows u_t */
#define FOLLOW_TOL 1e-14 /* of the unit impulse: what may be missed when slip begins to follow u_t */
#define STEP_MOST  3.0   /* units of time */
#define FROZEN     1e-7  /* of the unit force: below it slip no longer turns; it moves impulses by its square */

enum { FOLLOW_ROUNDS = 8 }; /* expansions of a step in which slip follows u_t */

size_t spring_path_work(const carom_contacts *x)
{
    size_t m = (size_t)x->count, n = m * (size_t)x->dim;
    return block_doubles(n * n + 2 * n) + m * sizeof(spring_contact) +
           block_doubles((2 * n + 7 * m) * SPRING_TERMS + 4 * n + 3 * m) + block_ints(m);
}

void spring_path_take(spring_path *s, block_memory *block)
{
    size_t m = (size_t)s->m, n = (size_t)s->n;
    s->K = take_doubles(block, n * n);
    s->u = take_doubles(block, n);
    s->p = take_doubles(block, n);
    s->contact = (spring_contact *)(void *)block->at;
    block->at += m * sizeof(spring_contact);
    s->U = take_doubles(block, n * SPRING_TERMS);
    s->P = take_doubles(block, n * SPRING_TERMS);
    s->F = take_doubles(block, m * SPRING_TERMS);
    s->X = take_doubles(block, 2 * m * SPRING_TERMS);
    s->turn = take_doubles(block, m * SPRING_TERMS);
    s->cosine = take_doubles(block, m * SPRING_TERMS);
    s->sine = take_doubles(block, m * SPRING_TERMS);
    s->sigma = take_doubles(block, m * SPRING_TERMS);
    s->rate = take_doubles(block, n);
    s->next = take_doubles(block, n);
    s->shown = take_doubles(block, 2 * n + 3 * m);
    s->modes = (carom_together_mode *)(void *)take_ints(block, m);
}

static void start_series(spring_path *s)
{
    for (int i = 0; i < s->n; i++) {
        spring_series(s->U, i)[0] = s->u[i];
        spring_series(s->P, i)[0] = s->p[i];
    }
    for (int j = 0; j < s->m; j++) {
        const spring_contact *c = &s->contact[j];
        spring_series(s->F, j)[0] = c->f;
        for (int a = 0; a < 2; a++)
            spring_series(s->X, 2 * j + a)[0] = c->x[a];
        spring_series(s->turn, j)[0] = 0;
        spring_series(s->cosine, j)[0] = 1;
        spring_series(s->sine, j)[0] = 0;
    }
}

/* u_t of order k along s at the beginning of the step, and across it. */
static void along_and_across(const spring_path *s, int j, int k, double out[2])
{
    const spring_contact *c = &s->contact[j];
    double u_1 = spring_tangent(s, j)[k], u_2 = s->dim == 3 ? spring_series(s->U, j * s->dim + 1)[k] : 0;
    out[0] = c->s[0] * u_1 + c->s[1] * u_2;
    out[1] = c->s[0] * u_2 - c->s[1] * u_1;
}

/* Coefficient i = k - v of phi, and of its cosine and sine, once u_t is known up to order k. */
static void turn_term(spring_path *s, int j, int k)
{
    const spring_contact *c = &s->contact[j];
    const int v = c->order, i = k - v;
    double *phi = spring_series(s->turn, j), *C = spring_series(s->cosine, j), *S = spring_series(s->sine, j);
    const double *F = spring_series(s->F, j);
    if (i < 1 || i > SPRING_ORDER)
        return;
    double c_i = 0, s_i = 0, sum = 0, u[2];
    for (int q = 1; q < i; q++) {
        c_i -= q * phi[q] * S[i - q];
        s_i += q * phi[q] * C[i - q];
    }
    C[i] = c_i / i;
    S[i] = s_i / i; /* without phi_i */
    for (int l = spring_order(c); l <= k; l++) {
        along_and_across(s, j, l, u);
        sum += u[1] * C[k - l] - u[0] * S[k - l];
    }
    for (int l = v + 2; l <= k; l++)
        sum -= c->hold * F[l] * (k - l + 1) * phi[k - l + 1];
    if (c->follows && k < SPRING_ORDER - 1)
        sum -= c->hold * F[0] * (k + 1) * phi[k + 1]; /* of the expansion before */
    double b = 0;
    if (v >= 0) {
        along_and_across(s, j, v, u);
        b = u[0];
    }
    phi[i] = sum / (b + i * c->hold * F[v + 1]);
    S[i] += phi[i];
}

/* mu f s of order k along s at the beginning of the step, and across it. */
static void slip_term(const spring_path *s, int j, int k, double out[2])
{
    const spring_contact *c = &s->contact[j];
    const double *F = spring_series(s->F, j), *C = spring_series(s->cosine, j), *S = spring_series(s->sine, j);
    out[0] = F[k], out[1] = 0;
    if (spring_turns(s, c)) {
        out[0] = 0;
        for (int l = c->follows ? 0 : c->order + 1; l <= k; l++) {
            out[0] += F[l] * C[k - l];
            out[1] += F[l] * S[k - l];
        }
    }
    out[0] *= c->mu;
    out[1] *= c->mu;
}

static void tangential_term(spring_path *s, int j, int k)
{
    const spring_contact *c = &s->contact[j];
    double *rate = s->rate + j * s->dim, q[2];
    if (c->grip == GRIP_STICKS)
        for (int a = 0; a < s->dim - 1; a++) {
            double *X = spring_series(s->X, 2 * j + a);
            rate[a] = -c->k_t * X[k];
            X[k + 1] = spring_series(s->U, j * s->dim + a)[k] / (k + 1);
        }
    if (c->grip == GRIP_SLIPS) {
        if (spring_turns(s, c))
            turn_term(s, j, k);
        slip_term(s, j, k, q);
        rate[0] = -(c->s[0] * q[0] - c->s[1] * q[1]);
        if (s->dim == 3)
            rate[1] = -(c->s[1] * q[0] + c->s[0] * q[1]);
    }
}

static void multiply(const spring_path *s)
{
    for (int i = 0; i < s->n; i++) {
        double sum = 0;
        for (int j = 0; j < s->n; j++)
            sum += s->K[i * s->n + j] * s->rate[j];
        s->next[i] = sum;
    }
}

/* sigma = u_t . s + mu eta^2 (kappa / k) u_n of a contact that slips. */
static void expand_sigma(spring_path *s, int j)
{
    const spring_contact *c = &s->contact[j];
    const double *u_n = spring_normal(s, j), *C = spring_series(s->cosine, j), *S = spring_series(s->sine, j);
    double *sigma = spring_series(s->sigma, j), U[SPRING_TERMS][2];
    for (int k = 0; k <= SPRING_ORDER; k++)
        along_and_across(s, j, k, U[k]);
    for (int k = 0; k <= SPRING_ORDER; k++) {
        double sum = U[k][0];
        if (spring_turns(s, c)) {
            sum = 0;
            for (int l = spring_order(c); l <= k; l++)
                sum += U[l][0] * C[k - l] + U[l][1] * S[k - l];
        }
        sigma[k] = sum + c->hold * spring_stiffness(c) * u_n[k];
    }
}

static double reach(const spring_path *s)
{
    double last[2] = {0, 0}, turns[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < s->n; i++)
            last[k] = max(last[k], fabs(spring_series(s->U, i)[SPRING_ORDER - 1 + k]));
        for (int j = 0; j < s->m; j++) {
            const spring_contact *c = &s->contact[j];
            int top = SPRING_ORDER - 1 + k;
            if (c->on)
                last[k] = max(last[k], fabs(spring_series(s->F, j)[top]) / c->unit);
            if (spring_turns(s, c)) /* where slip begins, with a force of the unit */
                turns[k] = max(turns[k], (c->f > 0 ? max(TURN_LEAST, square(c->f / c->unit)) : 1) *
                                             fabs(spring_series(s->turn, j)[top - 1 - c->order]));
        }
    }
    return min(STEP_MOST,
               min(taylor_reach(last, SPRING_ORDER, SERIES_TOL), taylor_reach(turns, SPRING_ORDER, TURN_TOL)));
}

static void expand_once(spring_path *s)
{
    start_series(s);
    for (int k = 0; k < SPRING_ORDER; k++) {
        for (int j = 0; j < s->m; j++) {
            const spring_contact *c = &s->contact[j];
            double *F = spring_series(s->F, j), *rate = s->rate + j * s->dim;
            F[k + 1] = c->on ? -spring_stiffness(c) * spring_normal(s, j)[k] / (k + 1) : 0;
            for (int a = 0; a < s->dim; a++)
                rate[a] = 0;
            if (!c->on)
                continue;
            rate[s->dim - 1] = F[k];
            tangential_term(s, j, k);
        }
        multiply(s);
        for (int i = 0; i < s->n; i++) {
            spring_series(s->P, i)[k + 1] = s->rate[i] / (k + 1);
            spring_series(s->U, i)[k + 1] = s->next[i] / (k + 1);
        }
    }
    for (int j = 0; j < s->m; j++) {
        const spring_contact *c = &s->contact[j];
        for (int i = SPRING_ORDER - c->order; spring_turns(s, c) && i <= SPRING_ORDER; i++)
            spring_series(s->turn, j)[i] = spring_series(s->cosine, j)[i] = spring_series(s->sine, j)[i] = 0;
    }
}

/* ---- slip that follows u_t ---- */

static bool is_stiff(const spring_path *s, int j)
{
    const spring_contact *c = &s->contact[j];
    const double *u = s->u + j * s->dim;
    double r = c->hold * c->f, rate = c->hold * spring_stiffness(c) * fabs(s->u[(j + 1) * s->dim - 1]);
    return spring_turns(s, c) && c->order < 0 && c->f > 0 && length_of(u[0], u[1]) > STIFF * max(r, rate);
}

/* The impulse that an angle off the slow solution moves before it decays, at the rate |u_t| / r. */
static double missed(const spring_path *s, int j, double angle)
{
    const spring_contact *c = &s->contact[j];
    const double *u = s->u + j * s->dim;
    return angle * c->mu * (c->f / c->unit) * (c->hold * c->f) / length_of(u[0], u[1]);
}

/* Turn s to where u_t . s' = r phi' at the beginning of the step. False if that moves impulses: slip is not there yet.
 */
static bool align(spring_path *s, int j)
{
    spring_contact *c = &s->contact[j];
    double u[2];
    along_and_across(s, j, 0, u);
    double size = length_of(u[0], u[1]),
           sine = clamp((u[1] - c->hold * c->f * spring_series(s->turn, j)[1]) / size, -1, 1);
    double angle = u[0] > 0 ? fabs(sine) : 2;
    if (missed(s, j, angle) > FOLLOW_TOL)
        return false;
    if (u[0] <= 0) { /* far off, where the force is tiny */
        c->s[0] = s->u[j * s->dim] / size;
        c->s[1] = s->u[j * s->dim + 1] / size;
        return true;
    }
    double cosine = sqrt(1 - sine * sine), s_1 = c->s[0];
    c->s[0] = cosine * s_1 - sine * c->s[1];
    c->s[1] = sine * s_1 + cosine * c->s[1];
    return true;
}

/* Mark the stiff slips that follow u_t from here; their first expansion takes phi as zero. */
static bool begin_to_follow(spring_path *s)
{
    bool some = false;
    for (int j = 0; j < s->m; j++) {
        spring_contact *c = &s->contact[j];
        c->frozen = s->dim == 3 && c->f < FROZEN * c->unit && s->u[(j + 1) * s->dim - 1] > 0;
        c->order = c->follows ? -1 : c->order;
        c->follows = false;
        if (!is_stiff(s, j))
            continue;
        for (int i = 0; i <= SPRING_ORDER; i++)
            spring_series(s->turn, j)[i] = 0;
        c->follows = true;
        c->order = 0;
        some = true;
    }
    return some;
}

/* Expand until the directions that follow u_t settle. A slip that is not there yet is taken step by step. */
static void expand_following(spring_path *s)
{
    for (int round = 0; round < FOLLOW_ROUNDS; round++) {
        expand_once(s);
        double change = 0;
        bool all = true;
        for (int j = 0; j < s->m; j++) {
            spring_contact *c = &s->contact[j];
            double s_1 = c->s[0], s_2 = c->s[1];
            if (!c->follows)
                continue;
            if (!align(s, j)) {
                c->follows = all = false;
                c->order = -1;
                continue;
            }
            change = max(change, missed(s, j, fabs(c->s[0] - s_1) + fabs(c->s[1] - s_2)));
        }
        if (all && round > 1 && change < FOLLOW_TOL)
            return;
    }
}

double spring_expand(spring_path *s)
{
    if (begin_to_follow(s))
        expand_following(s);
    else
        expand_once(s);
    for (int j = 0; j < s->m; j++)
        if (s->contact[j].on && s->contact[j].grip == GRIP_SLIPS)
            expand_sigma(s, j);
    return plain(reach(s));
}

/* Integral of mu f sigma: all of the product, which converges more slowly than its factors. */
static double slip_loss(const spring_path *s, int j, double h)
{
    const double *F = spring_series(s->F, j), *sigma = spring_series(s->sigma, j);
    double at_h[SPRING_TERMS], sum = 0, power = 1; /* terms of sigma at h */
    for (int k = 0; k <= SPRING_ORDER; k++, power *= h)
        at_h[k] = sigma[k] * power;
    power = h;
    for (int l = 0; l <= SPRING_ORDER; l++, power *= h)
        for (int k = 0; k <= SPRING_ORDER; k++)
            sum += F[l] * power * at_h[k] / (k + l + 1);
    return s->contact[j].mu * sum;
}

static void turn_slip(spring_path *s, int j, double h)
{
    spring_contact *c = &s->contact[j];
    double C = taylor_at(spring_series(s->cosine, j), SPRING_ORDER, h);
    double S = taylor_at(spring_series(s->sine, j), SPRING_ORDER, h), size = length_of(C, S);
    double s_1 = (C * c->s[0] - S * c->s[1]) / size, s_2 = (S * c->s[0] + C * c->s[1]) / size;
    c->s[0] = s_1;
    c->s[1] = s_2;
}

void spring_move(spring_path *s, double h)
{
    if (!(h > 0))
        return;
    for (int i = 0; i < s->n; i++) {
        s->u[i] = taylor_at(spring_series(s->U, i), SPRING_ORDER, h);
        s->p[i] = taylor_at(spring_series(s->P, i), SPRING_ORDER, h);
    }
    for (int j = 0; j < s->m; j++) {
        spring_contact *c = &s->contact[j];
        if (!c->on)
            continue;
        if (s->books && c->grip == GRIP_SLIPS)
            c->loss[1] += slip_loss(s, j, h);
        if (spring_turns(s, c))
            turn_slip(s, j, h);
        c->f = max(0, taylor_at(spring_series(s->F, j), SPRING_ORDER, h));
        for (int a = 0; c->grip == GRIP_STICKS && a < s->dim - 1; a++)
            c->x[a] = taylor_at(spring_series(s->X, 2 * j + a), SPRING_ORDER, h);
        c->order = -1;
        c->reached = false;
        c->zeros = c->peak_zeros = 0;
    }
    s->time += h;
}
