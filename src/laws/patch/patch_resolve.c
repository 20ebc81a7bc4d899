#include "laws/patch/patch_resolve.h"

enum { MODES = 4 };
#define HOLD_TOL (16 * EPS) /* of the border: the rounding of the dual norm */

int carom_patch_groups(const carom_patch_contact *x, const double *V)
{
    return (carom_patch_sticks(x, V) ? 0 : FREE_FRICTION) | (carom_patch_rests(x, V) ? 0 : FREE_ROLLING);
}

/* The groups besides the free ones that carry more than p holds. */
static int loose_groups(const carom_patch_contact *x, int free, const patch_solution *s)
{
    int loose = 0;
    if (!(free & FREE_FRICTION) && carom_patch_friction_share(x, s->P, s->p) > 1 + HOLD_TOL)
        loose |= FREE_FRICTION;
    if (!(free & FREE_ROLLING) && carom_patch_rolling_share(x, s->P, s->p) > 1 + HOLD_TOL)
        loose |= FREE_ROLLING;
    return loose;
}

bool carom_patch_holds(const carom_patch_contact *x, int groups, const patch_solution *s)
{
    return loose_groups(x, groups, s) == 0;
}

/* Where a group begins to slip that carries too much: along the slip d whose friction is what it carries, as far as
 * that lowers the function that V minimises, (d.P + p Psi(d)) / (d K^-1 d). */
static void push_off(const carom_patch_contact *x, int from, int to, patch_solution *s)
{
    const double *P = s->P;
    double d[SLIPS] = {0}, held = 0, dd = 0, form = 0, psi = 0, v = 1, W = 0;
    const double f = length_of(P[from], P[from + 1]);
    patch_friction friction;
    if (to - from == 3)
        patch_dual_slip(x->pressure, f, fabs(P[2]), &v, &W);
    d[from] = f > 0 ? -v * P[from] / f : 0;
    d[from + 1] = f > 0 ? -v * P[from + 1] / f : 0;
    if (to - from == 3)
        d[2] = P[2] > 0 ? -W : W;
    carom_patch_friction(x, d, &friction);
    for (int i = from; i < to; i++) {
        psi += d[i] * friction.g[i];
        held += d[i] * P[i];
        dd += d[i] * d[i];
        for (int j = from; j < to; j++)
            form += d[i] * x->K[i][j] * d[j];
    }
    for (int i = from; i < to; i++)
        s->V[i] = max(-held - s->p * psi, 0) * form / square(dd) * d[i];
}

/* Let a group slip: from where it slips nearby, if it does. */
static void release(const carom_patch_contact *x, int group, const double *near, patch_solution *s)
{
    const int from = group == FREE_FRICTION ? 0 : x->frictional, to = group == FREE_FRICTION ? x->frictional : x->count;
    if (carom_patch_groups(x, near) & group)
        memcpy(s->V + from, near + from, (size_t)(to - from) * sizeof *near);
    else
        push_off(x, from, to, s);
}

/* Finds the groups that slip: each candidate is the minimiser with the others held at zero, and is the one where these
 * are held by what they carry; where not, they slip in the next. `first` is the group where both carry too much. */
static carom_status resolve_in_order(const carom_patch_contact *x, const double *U, int first, const double *near,
                                     patch_solution *s)
{
    int groups = 0;
    memset(s->V, 0, sizeof s->V);
    for (int mode = 0; mode < MODES; mode++) {
        patch_free f;
        if (!carom_patch_free_make(x, groups, U, 0, &f))
            return CAROM_STATUS_OUT_OF_SCOPE;
        if (!carom_patch_free_resolve(&f, s))
            return CAROM_STATUS_ITERATION_LIMIT;
        const int loose = loose_groups(x, groups, s), next = loose & first ? first : loose;
        if (!loose)
            return CAROM_STATUS_OK;
        release(x, next, near, s);
        groups |= next;
    }
    return CAROM_STATUS_ITERATION_LIMIT;
}

carom_status carom_patch_resolve(const carom_patch_contact *x, const double *U, double p, patch_solution *s)
{
    const struct {
        int first;
        bool near; /* from the slips given; else from where they begin, or where all would slip without friction */
        bool far;
    } tries[] = {{FREE_FRICTION, true, false},
                 {FREE_FRICTION, false, false},
                 {FREE_ROLLING, false, false},
                 {FREE_FRICTION, false, true}};
    carom_status status = CAROM_STATUS_ITERATION_LIMIT;
    double given[SLIPS], from[SLIPS];
    memcpy(given, s->V, sizeof given);
    s->p = p;
    for (int t = 0; t < (int)(sizeof tries / sizeof tries[0]) && status == CAROM_STATUS_ITERATION_LIMIT; t++) {
        for (int i = 0; i < x->count; i++)
            from[i] = tries[t].near ? given[i] : tries[t].far ? U[i] + p * x->k[i] : 0;
        status = resolve_in_order(x, U, tries[t].first, from, s);
    }
    return status;
}
