/* What a tracer sees of compliant: impulses, velocities, springs and modes, in the units of the problem. */
#include "core/taylor.h"
#include "laws/together/compliant_path.h"

_Static_assert(sizeof(carom_together_mode) <= sizeof(int), "modes are taken as ints");

enum { SHOWN_PARTS = 8 }; /* points of a step that a tracer sees */

static carom_together_mode mode_of(const spring_contact *c)
{
    static const carom_together_mode of[] = {CAROM_TOGETHER_MODE_CLOSED, CAROM_TOGETHER_MODE_STICK,
                                             CAROM_TOGETHER_MODE_SLIP};
    return c->on ? of[c->grip] : CAROM_TOGETHER_MODE_OPEN;
}

/* Time, impulses, velocities, forces and springs as given, of the contacts as they are. */
static carom_together_state shown(const spring_path *s, double time)
{
    const int others = 2 * s->n + s->m;
    for (int i = 0; i < others + (s->dim - 1) * s->m; i++)
        s->shown[i] *= s->speed;
    for (int j = 0; j < s->m; j++) {
        s->shown[2 * s->n + j] /= s->contact[j].k;
        s->modes[j] = mode_of(&s->contact[j]);
    }
    return (carom_together_state){time, s->shown, s->shown + s->n, s->shown + 2 * s->n, s->shown + others, s->modes};
}

carom_together_state spring_state(const spring_path *s)
{
    double *p = s->shown, *u = p + s->n, *f = u + s->n, *spring = f + s->m;
    for (int i = 0; i < s->n; i++) {
        p[i] = s->p[i];
        u[i] = s->u[i];
    }
    for (int j = 0; j < s->m; j++) {
        const spring_contact *c = &s->contact[j];
        f[j] = c->f;
        for (int a = 0; a < s->dim - 1; a++)
            spring[j * (s->dim - 1) + a] = c->grip == GRIP_SLIPS ? c->hold * c->f * c->s[a] : c->x[a];
    }
    return shown(s, s->time);
}

/* The spring of contact j at time t of the step. */
static void spring_at(const spring_path *s, int j, double t, double *x)
{
    const spring_contact *c = &s->contact[j];
    double r = c->hold * taylor_at(spring_series(s->F, j), SPRING_ORDER, t), C = 1, S = 0;
    if (spring_turns(s, c)) {
        C = taylor_at(spring_series(s->cosine, j), SPRING_ORDER, t);
        S = taylor_at(spring_series(s->sine, j), SPRING_ORDER, t);
        r /= length_of(C, S); /* where the force is small the direction is rough */
    }
    const double slip[2] = {r * (C * c->s[0] - S * c->s[1]), r * (S * c->s[0] + C * c->s[1])};
    for (int a = 0; a < s->dim - 1; a++)
        x[a] = !c->on || c->grip == GRIP_FREE ? 0
               : c->grip == GRIP_SLIPS        ? slip[a]
                                              : taylor_at(spring_series(s->X, 2 * j + a), SPRING_ORDER, t);
}

void spring_show_step(const spring_path *s, double h)
{
    const carom_together_tracer *tracer = s->tracer;
    if (!tracer || !tracer->step || !(h > 0))
        return;
    double *p = s->shown, *u = p + s->n, *f = u + s->n, *spring = f + s->m;
    for (int k = 1; k < SHOWN_PARTS; k++) {
        double t = h * k / SHOWN_PARTS;
        for (int i = 0; i < s->n; i++) {
            p[i] = taylor_at(spring_series(s->P, i), SPRING_ORDER, t);
            u[i] = taylor_at(spring_series(s->U, i), SPRING_ORDER, t);
        }
        for (int j = 0; j < s->m; j++) {
            f[j] = s->contact[j].on ? max(0, taylor_at(spring_series(s->F, j), SPRING_ORDER, t)) : 0;
            spring_at(s, j, t, spring + j * (s->dim - 1));
        }
        const carom_together_state state = shown(s, s->time + t);
        tracer->step(tracer->context, &state);
    }
}

void spring_report(const spring_path *s, carom_together_event_kind kind, int j)
{
    const carom_together_tracer *t = s->tracer;
    if (!t || !t->event)
        return;
    const carom_together_event event = {kind, j, spring_state(s)};
    t->event(t->context, &event);
}
