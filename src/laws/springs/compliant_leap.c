/* Compliant sticking over many fast swings at once.
 *
 * Where one frequency is far above another (small eta, ill-conditioned K) the fast modes only add a ripple of known
 * size to the slow ones. As long as the slow part keeps further from every border than the ripple, nothing can happen,
 * and (11) is evaluated at the far end of that time. Bounds on the slow speeds give its length. */
#include "carom/elementary.h"
#include "laws/springs/compliant_modes.h"

enum { LEAP_STEPS = 4 };  /* that a leap counts as */
enum { LEAPS_MOST = 64 }; /* in a row; each but the last keeps a fixed share of the distance to the border */
#define LEAP_SHARE   0.9  /* of the time that the bounds allow */
#define LEAP_FOREVER 1e15 /* rad of the fastest mode: beyond it no phase is known, and the contact is wedged */
#define LEAP_WORTH   4.0  /* steps that a leap must replace */

/* The time during which no border is met, with the modes from `first` on as ripple. */
static double quiet(const compliant *c, const modal *x, int first)
{
    const mode_set *m = &c->modes;
    double slow[MODES] = {0}, fall = 0, ripple = 0, ripple_n = 0, pace = 0, pace_n = 0;
    for (int i = 0; i < m->count; i++) {
        double w = sqrt(m->omega2[i]), size = w > 0 ? carom_hypot(x->xi[i], x->eta[i] / w) : fabs(x->xi[i]);
        double reach = m->d * fabs(m->n[i]) + c->per_mu * carom_hypot(m->t1[i], m->t2[i]), normal = fabs(m->n[i]);
        if (i >= first) {
            ripple += reach * size;
            ripple_n += normal * w * size;
        } else {
            slow[i] = x->xi[i];
            fall -= m->n[i] * x->eta[i];
            pace += reach * w * size;
            pace_n += normal * w * w * size;
        }
    }
    carom_cvec F = compose(m, slow);
    double far = (F.n - c->per_mu * carom_hypot(F.t1, F.t2) - ripple) / pace;
    double far_n = !c->restitution                          ? (fall - ripple_n) / pace_n
                   : !may_reload(c)                         ? INFINITY
                   : c->reading == CAROM_OPTION_PHASES_PEAK ? (c->peak - F.n - ripple) / pace
                                                            : (-fall - ripple_n) / pace_n;
    return LEAP_SHARE * (far < far_n ? far : far_n); /* NaN, from 0 / 0, is no leap */
}

/* One leap, if it replaces several steps of the time h. False: sticking never ends. */
static bool leap(compliant *c, double h, bool *leapt)
{
    const mode_set *m = &c->modes;
    modal x, there;
    double t = 0;
    project(m, &c->now, &x);
    for (int first = 1; first < m->count; first++)
        t = fmax(t, quiet(c, &x, first));
    *leapt = t > LEAP_WORTH * h;
    if (!*leapt)
        return true;
    if (!(t * sqrt(m->omega2[m->count - 1]) < LEAP_FOREVER))
        return false;
    swing(m, &x, t, &there);
    compliant_swing_to(c, &there, t);
    return true;
}

bool compliant_leap(compliant *c, double h)
{
    bool leapt = true;
    for (int i = 0; i < LEAPS_MOST && leapt; i++) {
        if (!leap(c, h, &leapt))
            return true;
        c->steps += LEAP_STEPS;
    }
    return false;
}
