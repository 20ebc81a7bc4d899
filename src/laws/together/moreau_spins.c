/* moreau with spins: friction of a patch and rolling resistance at every contact.
 *
 * Equations    y_n = u_n after + e min(u_n, 0),  y_t = u_t after + e_t u_t,  y = q + K p,
 *              0 <= p_n, 0 <= y_n, p_n y_n = 0                                                                     (1)
 *              (p_t, m_n) in -mu p_n dPhi(y_t, y_wn),   m_t in -rho p_n d|y_wt|                                    (2)
 *              one contact while the others are held: Whittaker's end with c = -y_n, patch_end.c                   (3)
 * Sweeps over the contacts (Gauss and Seidel) until none changes. The residual is the largest of
 *              -y_n, p_n y_n, load - mu p_n, p_t.y_t + m_n y_wn + mu p_n Phi(y), |m_t| - rho p_n,
 *              m_t.y_wt + rho p_n |y_wt|,   as shares of the largest y_n, p_n, and their product                   (4)
 * Page         docs/theory/patch.md */
#include "laws/together/moreau_spins.h"

#include "carom/patch.h"
#include "laws/patch/patch_end.h"

enum { SPIN_SWEEPS = 5000 };
#define SWEEP_GOAL 1e-15 /* of the largest p_n: no contact changes by more in a sweep */
#define ACCEPT     1e-9  /* residual above which the sweeps have failed */

/* The contacts, each with its block. */
typedef struct spin_problem {
    const carom_contacts *x;
    const carom_together_rule *rule;
    double *q, *y;
    carom_patch_contact *own;
} spin_problem;

size_t moreau_spins_work(const carom_contacts *x)
{
    const size_t n = (size_t)(x->count * x->dim);
    return block_doubles(2 * n) + block_doubles((size_t)x->count * sizeof(carom_patch_contact) / sizeof(double));
}

static carom_patch_problem block_of(const spin_problem *s, int i, const double *u)
{
    const int size = s->x->dim;
    carom_patch_problem pb = {.size = size};
    memcpy(pb.K, carom_contacts_block(s->x, i, i), (size_t)(size * size) * sizeof *pb.K);
    memcpy(pb.u, u, (size_t)size * sizeof *pb.u);
    return pb;
}

static bool prepare(const spin_problem *s)
{
    const carom_contacts *x = s->x;
    for (int i = 0; i < x->count; i++) {
        const carom_coeffs *c = &s->rule->coeffs[i];
        double *q = s->q + i * x->dim;
        memcpy(q, x->u + i * x->dim, (size_t)x->dim * sizeof *q);
        q[0] *= 1 + c->e_t;
        q[1] *= 1 + c->e_t;
        q[2] += c->e * (q[2] < 0 ? q[2] : 0);
        const carom_patch_problem pb = block_of(s, i, q);
        if (!carom_patch_contact_make(&pb, c, s->rule->options.pressure, &s->own[i]))
            return false;
    }
    return true;
}

/* y of contact i without its own impulse. */
static void others(const spin_problem *s, int i, const double *p, double *y)
{
    const carom_contacts *x = s->x;
    const int d = x->dim;
    memcpy(y, s->q + i * d, (size_t)d * sizeof *y);
    for (int k = x->row[i]; k < x->row[i + 1]; k++)
        for (int a = 0; x->column[k] != i && a < d; a++)
            for (int b = 0; b < d; b++)
                y[a] += x->K[(k * d + a) * d + b] * p[x->column[k] * d + b];
}

/* (3); returns the largest change, impulses and moments over the length. */
static carom_status solve_contact(const spin_problem *s, int i, double *p, double *change)
{
    const int d = s->x->dim;
    carom_patch_contact *own = &s->own[i];
    carom_cvec linear = {0, 0, 0};
    carom_cspin m = {0, 0, 0};
    carom_patch_problem pb = {.size = d};
    double *mine = p + i * d;
    others(s, i, p, pb.u);
    carom_patch_contact_set(&pb, &s->rule->coeffs[i], own);
    if (own->u_n < 0) {
        patch_ends ends;
        const carom_status status = carom_patch_ends(own, -own->u_n, &ends);
        if (status)
            return status;
        int chosen = 0;
        for (int k = 0; k < ends.count; k++)
            chosen = carom_patch_groups(own, ends.at[k].V) == 0 ? k : chosen;
        carom_patch_write(own, &ends.at[chosen], &linear, &m);
    }
    const double next[CAROM_PATCH_SIZE] = {linear.t1, linear.t2, linear.n, m.n, m.t1, m.t2};
    for (int a = 0; a < d; a++) {
        *change = max(*change, fabs(next[a] - mine[a]) / (a < 3 ? 1 : own->length));
        mine[a] = next[a];
    }
    return CAROM_STATUS_OK;
}

/* (4), of one contact. */
static double defect(const spin_problem *s, int i, const double *p, double most, double fastest)
{
    const int d = s->x->dim;
    const double *mine = p + i * d, *y = s->y + i * d, p_n = mine[2];
    carom_patch_contact here = s->own[i];
    carom_patch_problem pb = {.size = d};
    patch_friction friction;
    double P[SLIPS] = {0}, work = 0, held = 0;
    memcpy(pb.u, mine, (size_t)d * sizeof *mine);
    carom_patch_contact_set(&pb, &s->rule->coeffs[i], &here);
    for (int a = 0; a < here.count; a++)
        P[a] = here.U[a] / (a < 2 ? 1 : square(here.length)); /* moments over the length */
    memcpy(pb.u, y, (size_t)d * sizeof *y);
    carom_patch_contact_set(&pb, &s->rule->coeffs[i], &here);
    carom_patch_friction(&here, here.U, &friction);
    for (int a = 0; a < here.count; a++) {
        work += P[a] * here.U[a];
        held += friction.g[a] * here.U[a] * p_n;
    }
    const double load = carom_patch_carried(&here, P) - here.mu * p_n, roll = carom_patch_rolling_share(&here, P, p_n);
    double left = max(-y[2] / fastest, fabs(p_n * y[2]) / (most * fastest));
    left = max(left, max(load / most, p_n > 0 ? (roll - 1) * here.rho * p_n / most : 0));
    return max(left, fabs(work + held) / (most * fastest));
}

static double residual_of(const spin_problem *s, const double *p)
{
    const carom_contacts *x = s->x;
    double most = 0, fastest = 0, left = 0;
    together_velocity(x, s->q, p, s->y);
    for (int i = 0; i < x->count; i++) {
        most = max(most, fabs(together_normal(x, p, i)));
        fastest = max(fastest, fabs(together_normal(x, s->q, i)));
    }
    for (int i = 0; i < x->count && most > 0; i++)
        left = max(left, defect(s, i, p, most, fastest));
    return left;
}

static void name_modes(const spin_problem *s, const double *p, carom_together_mode *modes)
{
    for (int i = 0; modes && i < s->x->count; i++) {
        const carom_patch_contact *own = &s->own[i];
        const double *mine = p + i * s->x->dim,
                     P[3] = {mine[0], mine[1], own->frictional == 3 ? mine[3] / own->length : 0};
        const bool slips = carom_patch_friction_share(own, P, mine[2]) > 1 - ACCEPT;
        modes[i] = !(mine[2] > 0) ? CAROM_TOGETHER_MODE_OPEN
                   : own->mu == 0 ? CAROM_TOGETHER_MODE_CLOSED
                   : slips        ? CAROM_TOGETHER_MODE_SLIP
                                  : CAROM_TOGETHER_MODE_STICK;
    }
}

carom_status moreau_spins(const carom_together_call *call, carom_together_outcome *out)
{
    const carom_contacts *x = call->x;
    const carom_together_rule *rule = call->rule;
    const size_t n = (size_t)(x->count * x->dim);
    block_memory block = {call->work};
    spin_problem s = {.x = x, .rule = rule, .q = take_doubles(&block, n), .y = take_doubles(&block, n)};
    s.own = (carom_patch_contact *)(void *)block.at;
    const int bound = rule->iterations > 0 ? rule->iterations : SPIN_SWEEPS;
    const double goal = rule->tolerance > 0 ? rule->tolerance : SWEEP_GOAL;
    if (rule->options.cone == CAROM_OPTION_CONE_CONVEX || !prepare(&s))
        return CAROM_STATUS_OUT_OF_SCOPE;
    double change = INFINITY, most = 0;
    for (out->iterations = 0; out->iterations < bound && change > goal * most; out->iterations++) {
        change = most = 0;
        for (int i = 0; i < x->count; i++) {
            const carom_status status = solve_contact(&s, i, out->p, &change);
            if (status)
                return status;
            most = max(most, together_normal(x, out->p, i));
        }
    }
    out->residual = residual_of(&s, out->p);
    out->solutions = 1;
    name_modes(&s, out->p, out->modes);
    return out->residual <= max(goal, ACCEPT) ? CAROM_STATUS_OK : CAROM_STATUS_ITERATION_LIMIT;
}
