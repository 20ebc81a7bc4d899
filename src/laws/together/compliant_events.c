/* The events of compliant: where polynomials of a step fall to zero, and what changes there. */
#include "core/taylor.h"
#include "laws/together/compliant_path.h"

#define ZERO_TOL 1e-13 /* of the unit of a polynomial: a leading coefficient below it is rounding */

#define CALM_STEP   1e-3 /* units of time: a step in which a contact on its bound is held */
#define POLISH_MOST 1e-6 /* of the time of a slip: larger corrections are not of rounding */

enum { POLISH_ROUNDS = 2, STOPS_MOST = 4 };
enum { SAMPLES = 8, LEADING_MOST = 14 }; /* a wave reaches contact j of a chain with order 2 j */

/* The first coefficient that is more than rounding; SPRING_TERMS when there is none. */
static int leading(const double *c, double unit)
{
    for (int i = 0; i <= LEADING_MOST; i++)
        if (fabs(c[i]) > ZERO_TOL * unit)
            return i;
    return SPRING_TERMS;
}

/* The first time up to *time at which c, which stays positive before, falls to zero. A polynomial that begins at zero
 * is judged by its first term that does not vanish: false while it rises. */
static bool falls(const double *c, double unit, double *time)
{
    double t;
    int skip = leading(c, unit);
    if (skip > SPRING_ORDER)
        return false;
    if (c[skip] < 0) {
        *time = 0;
        return true;
    }
    if (!taylor_falls(c + skip, SPRING_ORDER - skip, *time, SAMPLES, &t))
        return false;
    *time = t;
    return true;
}

/* The event noted first wins among events at the same time: contacts are taken in order. */
static void note(spring_event *first, carom_together_event_kind kind, int j, double time)
{
    if (first->contact >= 0 && !(time < first->time))
        return;
    first->kind = kind;
    first->contact = j;
    first->time = time;
}

static void note_fall(spring_event *first, carom_together_event_kind kind, int j, const double *c, double unit)
{
    double t = first->time;
    if (falls(c, unit, &t))
        note(first, kind, j, t);
}

/* u_n changes its sign; under `peak` the elastic line is left where the force passes its peak, under `first` never. */
static void line_event(const spring_path *s, int j, spring_event *first)
{
    const spring_contact *c = &s->contact[j];
    const double *u_n = spring_normal(s, j), *F = spring_series(s->F, j);
    double g[SPRING_TERMS];
    bool loads = c->line == LINE_LOADS;
    if (loads || s->phases == 0) {
        for (int i = 0; i <= SPRING_ORDER; i++)
            g[i] = loads ? -u_n[i] : u_n[i];
        note_fall(first, CAROM_TOGETHER_EVENT_ZERO, j, g, 1);
    } else if (s->phases == CAROM_OPTION_PHASES_PEAK) {
        for (int i = 0; i <= SPRING_ORDER; i++)
            g[i] = i < c->peak_zeros ? 0 : (i ? 0 : c->peak) - F[i];
        note_fall(first, CAROM_TOGETHER_EVENT_PEAK, j, g, c->unit);
    }
    if (!loads)
        note_fall(first, CAROM_TOGETHER_EVENT_END, j, F, c->unit);
}

/* Newton's steps on r - |x| from time t, a root of r^2 - |x|^2: where the force falls fast the squares at the beginning
 * of the step drown those at its end. */
static double polish_slip(const spring_path *s, int j, double t)
{
    for (int round = 0; round < POLISH_ROUNDS; round++) {
        double X[2] = {0, 0}, dX[2] = {0, 0}, dF;
        double F = taylor_at_slope(spring_series(s->F, j), SPRING_ORDER, t, &dF);
        for (int a = 0; a < s->dim - 1; a++)
            X[a] = taylor_at_slope(spring_series(s->X, 2 * j + a), SPRING_ORDER, t, &dX[a]);
        double size = s->dim == 3 ? length_of(X[0], X[1]) : fabs(X[0]);
        double slope = s->contact[j].hold * dF - (X[0] * dX[0] + X[1] * dX[1]) / size;
        double change = (s->contact[j].hold * F - size) / slope;
        if (!(fabs(change) < POLISH_MOST * t))
            return t;
        t -= change;
    }
    return t;
}

/* r^2 - |x|^2, divided by r^2 where there is a force. A spring that nothing stretches does not slip. */
static void slip_event(const spring_path *s, int j, spring_event *first)
{
    const spring_contact *c = &s->contact[j];
    const double *F = spring_series(s->F, j), *X1 = spring_series(s->X, 2 * j), *X2 = spring_series(s->X, 2 * j + 1);
    double g[SPRING_TERMS], unit = c->hold * (c->f > 0 ? c->f : c->unit), stretched = 0;
    for (int i = 0; i <= SPRING_ORDER; i++) {
        double sum = 0;
        for (int l = 0; i >= c->zeros && l <= i; l++)
            sum += c->hold * c->hold * F[l] * F[i - l] - X1[l] * X1[i - l] - (s->dim == 3 ? X2[l] * X2[i - l] : 0);
        g[i] = sum / (unit * unit);
        stretched = max(stretched, fabs(X1[i]) + (s->dim == 3 ? fabs(X2[i]) : 0));
    }
    double t = first->time;
    if (stretched > ZERO_TOL * unit && falls(g, 1, &t))
        note(first, CAROM_TOGETHER_EVENT_SLIP, j, t > 0 ? min(polish_slip(s, j, t), first->time) : t);
}

/* sigma of a contact that slips. It is not negative where a spring has just reached its bound. */
static void stick_event(const spring_path *s, int j, spring_event *first)
{
    double *sigma = spring_series(s->sigma, j);
    if (s->contact[j].frozen) /* its direction is no longer followed */
        return;
    if (s->contact[j].reached)
        sigma[0] = max(0, sigma[0]);
    note_fall(first, CAROM_TOGETHER_EVENT_STICK, j, sigma, 1);
}

/* Slip and stick have taken turns at this instant: the contact sticks for a short step. */
static bool is_held(const spring_path *s, const spring_contact *c)
{
    return c->on && c->grip == GRIP_STICKS && c->stops > STOPS_MOST && plain(s->time) == c->stopped;
}

spring_event spring_next_event(spring_path *s, double h)
{
    spring_event first = {CAROM_TOGETHER_EVENT_ON, -1, h};
    for (int j = 0; j < s->m; j++)
        if (is_held(s, &s->contact[j]))
            first.time = min(first.time, CALM_STEP);
    for (int j = 0; j < s->m; j++) {
        const spring_contact *c = &s->contact[j];
        if (!c->on) {
            note_fall(&first, CAROM_TOGETHER_EVENT_ON, j, spring_normal(s, j), 1);
            continue;
        }
        line_event(s, j, &first);
        if (c->grip == GRIP_STICKS && !is_held(s, c))
            slip_event(s, j, &first);
        else if (c->grip == GRIP_SLIPS)
            stick_event(s, j, &first);
    }
    return first;
}

/* ---- contacts that begin ---- */

static void turn_on(spring_path *s, int j)
{
    spring_contact *c = &s->contact[j];
    c->on = c->fresh = true;
    c->frozen = c->reached = false;
    c->told = 0;
    c->line = c->peak > 0 ? LINE_ELASTIC : LINE_LOADS; /* `peak` keeps its memory until the impact ends */
    c->grip = c->mu > 0 ? GRIP_STICKS : GRIP_FREE;
    c->f = c->from = c->x[0] = c->x[1] = 0;
    c->order = -1;
    c->zeros = c->peak_zeros = 0;
    spring_report(s, CAROM_TOGETHER_EVENT_ON, j);
}

/* The order of -u_n, which rises from zero or is positive. */
static int start_order(const spring_path *s, int j)
{
    return leading(spring_normal(s, j), 1);
}

/* Contact j chooses its grip, as the one of this order to do so. u_n ~ -a t^l, u_t ~ b t^q: slip if q < l, or q = l and
 * |b| >= hold kappa a; else stick. */
static void choose_grip(spring_path *s, int j, int order)
{
    spring_contact *c = &s->contact[j];
    const double *u_1 = spring_tangent(s, j), *u_2 = s->dim == 3 ? u_1 + SPRING_TERMS : NULL;
    int l = start_order(s, j), q = leading(u_1, 1), q_2 = u_2 ? leading(u_2, 1) : q;
    q = q_2 < q ? q_2 : q;
    c->fresh = false;
    c->zeros = 2 * (l + 1); /* of r^2 - |x|^2, both of order l + 1 or higher */
    if (c->grip == GRIP_FREE || q > l || l > SPRING_ORDER)
        return;
    double b_1 = u_1[q], b_2 = u_2 ? u_2[q] : 0, b = u_2 ? length_of(b_1, b_2) : fabs(b_1);
    if (q == l && b < c->hold * spring_stiffness(c) * fabs(spring_normal(s, j)[l]))
        return;
    c->grip = GRIP_SLIPS;
    c->told = order;
    c->s[0] = b_1 / b;
    c->s[1] = b_2 / b;
    c->order = q;
}

/* The contact whose grip is decided next: forces of low order act on those of higher order, not the other way. */
static int next_fresh(const spring_path *s)
{
    int found = -1;
    for (int j = 0; j < s->m; j++)
        if (s->contact[j].fresh && (found < 0 || start_order(s, j) < start_order(s, found)))
            found = j;
    return found;
}

static int next_pushed(const spring_path *s)
{
    double t = 0;
    for (int j = 0; j < s->m; j++)
        if (!s->contact[j].on && falls(spring_normal(s, j), 1, &t) && t == 0)
            return j;
    return -1;
}

/* All fresh contacts that the expansion decides: one of the lowest order, and all that approach already. The result is
 * how many have chosen so far. */
static int choose_grips(spring_path *s, int chosen)
{
    int first = next_fresh(s), order = start_order(s, first);
    choose_grip(s, first, ++chosen);
    for (int j = 0; order == 0 && j < s->m; j++)
        if (s->contact[j].fresh && start_order(s, j) == 0)
            choose_grip(s, j, ++chosen);
    return chosen;
}

double spring_begin(spring_path *s)
{
    double h = spring_expand(s);
    int chosen = 0;
    while (next_pushed(s) >= 0 || next_fresh(s) >= 0) {
        for (int j; (j = next_pushed(s)) >= 0;)
            turn_on(s, j);
        chosen = choose_grips(s, chosen);
        h = spring_expand(s);
    }
    for (int k = 1; k <= chosen; k++)
        for (int j = 0; j < s->m; j++)
            if (s->contact[j].told == k)
                spring_report(s, CAROM_TOGETHER_EVENT_SLIP, j);
    for (int j = 0; j < s->m; j++)
        s->contact[j].told = 0;
    return h;
}

/* ---- what events change ---- */

void spring_turn_off(spring_path *s, int j)
{
    spring_contact *c = &s->contact[j];
    c->on = false;
    c->grip = GRIP_FREE;
    c->f = c->x[0] = c->x[1] = 0;
    spring_report(s, CAROM_TOGETHER_EVENT_END, j);
}

/* The normal loss is that of first loading, which the elastic line does not give back. */
static void leave_loading(spring_path *s, int j)
{
    spring_contact *c = &s->contact[j];
    c->loss[0] += (1 - c->e * c->e) * (c->f * c->f - c->from * c->from) / (2 * c->k);
    c->line = LINE_ELASTIC;
    c->peak = s->phases == CAROM_OPTION_PHASES_PEAK && c->e > 0 ? c->f : 0; /* e = 0: as new when it returns */
    c->peak_zeros = 2;
    if (c->e > 0)
        return;
    if (c->grip == GRIP_SLIPS)
        c->x[0] = c->hold * c->f * c->s[0], c->x[1] = c->hold * c->f * c->s[1];
    c->loss[1] += c->k_t * (c->x[0] * c->x[0] + c->x[1] * c->x[1]) / 2;
    spring_turn_off(s, j);
}

static void change_line(spring_path *s, int j)
{
    spring_contact *c = &s->contact[j];
    if (c->line == LINE_LOADS) {
        leave_loading(s, j);
        return;
    }
    c->line = LINE_LOADS;
    c->from = c->f;
}

static void begin_slip(spring_path *s, int j)
{
    spring_contact *c = &s->contact[j];
    double size = s->dim == 3 ? length_of(c->x[0], c->x[1]) : fabs(c->x[0]);
    c->grip = GRIP_SLIPS;
    c->reached = true;
    c->s[0] = c->x[0] / size;
    c->s[1] = s->dim == 3 ? c->x[1] / size : 0;
}

static void end_slip(spring_path *s, int j)
{
    spring_contact *c = &s->contact[j];
    c->grip = GRIP_STICKS;
    c->stops = plain(s->time) == c->stopped ? c->stops + 1 : 1;
    c->stopped = plain(s->time);
    c->frozen = c->reached = false;
    c->zeros = 2;
    for (int a = 0; a < s->dim - 1; a++)
        c->x[a] = c->hold * c->f * c->s[a];
}

bool spring_apply_event(spring_path *s, const spring_event *event)
{
    int j = event->contact;
    spring_contact *c = &s->contact[j];
    double *u_n = &s->u[(j + 1) * s->dim - 1];
    switch (event->kind) {
    case CAROM_TOGETHER_EVENT_ON:
        *u_n = min(*u_n, 0);
        turn_on(s, j);
        return true;
    case CAROM_TOGETHER_EVENT_ZERO:
        *u_n = 0;
        spring_report(s, CAROM_TOGETHER_EVENT_ZERO, j);
        change_line(s, j);
        break;
    case CAROM_TOGETHER_EVENT_PEAK:
        c->f = c->peak;
        spring_report(s, CAROM_TOGETHER_EVENT_PEAK, j);
        change_line(s, j);
        break;
    case CAROM_TOGETHER_EVENT_SLIP:
        begin_slip(s, j);
        spring_report(s, CAROM_TOGETHER_EVENT_SLIP, j);
        break;
    case CAROM_TOGETHER_EVENT_STICK:
        end_slip(s, j);
        spring_report(s, CAROM_TOGETHER_EVENT_STICK, j);
        break;
    default:
        spring_turn_off(s, j);
        break;
    }
    return false;
}
