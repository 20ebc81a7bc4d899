/* Stretches of p_n are cut until the bounds of its slope leave phi no zero, or until one change of sign is left. Where
 * these bounds are far above its slopes, short stretches are cut only as long as phi comes nearer to zero inside. */
#include "laws/patch/patch_search.h"

enum { ROOT_STEPS = 80, SEARCH_STEPS = 1000, STACK = 64 };
#define ROOT_TOL     (2 * EPS) /* of p_n, and of the terms of phi */
#define SEARCH_SHORT 1.1       /* the ratio of the ends of a short stretch; a change of sign in it is one zero */
#define SEARCH_CLOSE 1.000001  /* the same of a stretch without one: it has none */

/* A value of phi. */
typedef struct phi_point {
    double phi;
    patch_solution s;
} phi_point;

typedef struct stretch {
    phi_point low, high;
} stretch;

static carom_status look(const patch_target *t, double p_n, const patch_solution *near, phi_point *at)
{
    const carom_patch_contact *x = t->x;
    at->s = *near;
    const carom_status status = carom_patch_resolve(x, x->U, p_n, &at->s);
    at->phi = x->K_nn * p_n - t->c;
    for (int i = 0; i < x->count; i++)
        at->phi += x->k[i] * at->s.P[i];
    return status;
}

bool carom_patch_end_in_mode(const patch_target *t, int groups, patch_solution *s)
{
    patch_free f;
    return carom_patch_free_make(t->x, groups, t->x->U, t->c, &f) && carom_patch_free_end(&f, s) &&
           carom_patch_groups(t->x, s->V) == groups && carom_patch_holds(t->x, groups, s);
}

/* Newton's method in the mode of one of the ends. */
static bool end_within(const patch_target *t, const stretch *on, patch_solution *s)
{
    const patch_solution *starts[2] = {&on->low.s, &on->high.s};
    for (int i = 0; i < 2; i++) {
        *s = *starts[i];
        if (carom_patch_end_in_mode(t, carom_patch_groups(t->x, s->V), s) && s->p >= on->low.s.p * (1 - ROOT_TOL) &&
            s->p <= on->high.s.p * (1 + ROOT_TOL))
            return true;
    }
    return false;
}

/* The zero between two values of unlike sign: Newton, or regula falsi (Illinois) with halves. */
static carom_status zero_between(const patch_target *t, stretch on, patch_solution *s)
{
    double f_low = on.low.phi, f_high = on.high.phi, low = on.low.s.p, high = on.high.s.p;
    if (end_within(t, &on, s))
        return CAROM_STATUS_OK;
    *s = on.low.s;
    for (int i = 0; i < ROOT_STEPS; i++) {
        const double mid = i % 3 == 2 ? 0.5 * (low + high) : (low * f_high - high * f_low) / (f_high - f_low);
        const double p = mid > low && mid < high ? mid : 0.5 * (low + high);
        phi_point at;
        const carom_status status = look(t, p, s, &at);
        *s = at.s;
        if (status || fabs(at.phi) <= ROOT_TOL * (t->x->K_nn * p + t->c) || high - low <= ROOT_TOL * high)
            return status;
        if ((at.phi < 0) == (f_low < 0))
            low = p, f_low = at.phi, f_high *= 0.5;
        else
            high = p, f_high = at.phi, f_low *= 0.5;
    }
    return CAROM_STATUS_OK;
}

/* Two values of like sign, and no zero between them: what phi can come to from both. */
static bool has_none(const patch_target *t, const stretch *on)
{
    const double L = on->high.s.p - on->low.s.p, a = on->low.phi, b = on->high.phi, up = t->up, down = t->down;
    return a > 0 ? a * up + b * down > L * up * down : a * down + b * up < -L * up * down;
}

static bool change_sign(const stretch *on)
{
    return (on->low.phi < 0) != (on->high.phi < 0);
}

/* Nothing is left to cut. */
static bool is_short(const patch_target *t, const stretch *on)
{
    const double ratio = on->high.s.p / on->low.s.p;
    return change_sign(on) ? t->down == 0 || ratio <= SEARCH_SHORT : has_none(t, on) || ratio <= SEARCH_CLOSE;
}

/* A short stretch whose middle is no nearer to zero than its ends. */
static bool has_no_dip(const stretch *on, const phi_point *mid)
{
    return on->high.s.p <= SEARCH_SHORT * on->low.s.p && !change_sign(on) && (mid->phi < 0) == (on->low.phi < 0) &&
           fabs(mid->phi) >= min(fabs(on->low.phi), fabs(on->high.phi));
}

/* The last of the open stretches becomes two, the lower one last; or none. */
static carom_status cut(const patch_target *t, stretch *open, int *count)
{
    stretch *on = &open[*count - 1];
    phi_point mid;
    const carom_status status = look(t, sqrt(on->low.s.p * on->high.s.p), &on->low.s, &mid);
    if (has_no_dip(on, &mid)) {
        --*count;
    } else {
        open[*count] = (stretch){on->low, mid};
        on->low = mid;
        ++*count;
    }
    return status;
}

carom_status carom_patch_search(const patch_target *t, double first, double last, patch_ends *ends)
{
    stretch open[STACK];
    int count = 1;
    const patch_solution nowhere = {{0}, {0}, 0};
    carom_status status = look(t, first, &nowhere, &open[0].low);
    status = status ? status : look(t, last, &open[0].low.s, &open[0].high);
    for (int i = 0; i < SEARCH_STEPS && count > 0 && !status; i++) {
        const stretch *on = &open[count - 1];
        if (!is_short(t, on) && count < STACK) {
            status = cut(t, open, &count);
            continue;
        }
        if (change_sign(on) && ends->count < ENDS)
            status = zero_between(t, *on, &ends->at[ends->count++]);
        count--;
    }
    return count > 0 && !status ? CAROM_STATUS_ITERATION_LIMIT : status;
}
