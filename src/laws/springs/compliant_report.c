/* Compliant impact: from the units of the problem to scaled units, and back into the outcome. */
#include "contact/plane.h"
#include "laws/springs/springs.h"

/* u = 2^a u', K = 4^b K'. */
static carom_problem scale(const carom_problem *pb, compliant *c)
{
    int a = exponent_of(max(max(fabs(pb->u.t1), fabs(pb->u.t2)), fabs(pb->u.n)));
    int b = exponent_of(max(pb->K.nn, max(pb->K.t11, pb->K.t22))) & ~1;
    c->unit_u = power_of_two(a);
    c->unit_K = power_of_two(b);
    double r = power_of_two(-b);
    carom_problem scaled = {{r * pb->K.t11, r * pb->K.t12, r * pb->K.t22, r * pb->K.t1n, r * pb->K.t2n, r * pb->K.nn},
                            carom_cvec_scale(power_of_two(-a), pb->u)};
    return scaled;
}

void compliant_units(compliant *c)
{
    c->impulse = c->unit_u / c->unit_K;
    c->length = c->unit_u / sqrt(c->unit_K);
    c->energy = c->unit_u * c->impulse;
}

void compliant_take(compliant *c, const carom_problem *problem)
{
    carom_problem turned, scaled = scale(problem, c);
    carom_direction plane;
    c->planar = CARRIES_PARTIALS ? scaled.K.t22 == 0 : problem_plane(&scaled, &plane, &turned); /* they leave a plane */
    bool turns = c->planar && !CARRIES_PARTIALS && plane.s != 0;
    c->turned = turns ? plane : (carom_direction){1, 0};
    c->K = turns ? turned.K : scaled.K;
    c->u0 = turns ? turned.u : scaled.u;
    if (c->planar)
        c->K.t12 = c->K.t2n = c->u0.t2 = 0; /* what is left of them is rounding */
}

static carom_cvec turn_back(const compliant *c, double unit, carom_cvec v)
{
    carom_direction d = c->turned;
    return carom_cvec_make(unit * (d.c * v.t1 - d.s * v.t2), unit * (d.s * v.t1 + d.c * v.t2), unit * v.n);
}

carom_state compliant_state(const compliant *c, const spot *a)
{
    double x_n = -a->F.n / c->k, held = -0.5 * a->F.n * x_n, energy = c->energy;
    carom_cvec x = turn_back(c, c->length, carom_cvec_make(-a->F.t1, -a->F.t2, x_n));
    double work = 0.5 * carom_cvec_dot(a->p, carom_cvec_add(a->u, c->u0)); /* of all forces: u - u0 = K p */
    carom_state state;
    state.p = turn_back(c, c->impulse, a->p);
    state.u = turn_back(c, c->unit_u, a->u);
    state.work_normal = -energy * (held + c->loss);
    state.work_friction = energy * work - state.work_normal;
    state.stretch = x;
    state.stored = carom_cvec_make(0.5 * square(x.t1), 0.5 * square(x.t2), energy * held);
    return state;
}

void compliant_record(compliant *c, carom_event_kind kind)
{
    carom_outcome *out = c->out;
    if (c->tracer && c->tracer->event) {
        const carom_event event = {kind, compliant_state(c, &c->now)};
        c->tracer->event(c->tracer->context, &event);
    }
    out->event_count++;
}

void compliant_show(const compliant *c, double p_n, piece_function *at, const void *data)
{
    if (!c->tracer || !c->tracer->piece)
        return;
    carom_piece piece = {
        c->slipping ? "slip" : "stick", !c->restitution, {c->impulse * c->now.p.n, c->impulse * p_n}, at, data};
    c->tracer->piece(c->tracer->context, &piece);
}

void compliant_close(compliant *c)
{
    carom_phases *ph = &c->out->phases;
    carom_state last = compliant_state(c, &c->now);
    c->out->p = last.p;
    c->out->u_after = last.u;
    if (!c->restitution && ph->p_compression == 0) {
        ph->p_compression = last.p.n;
        ph->work_compression = last.work_normal;
    }
    ph->p_restitution = last.p.n - ph->p_compression;
    ph->work_decompression = c->restitution ? square(c->e) * -ph->work_compression - last.stored.n : 0;
    ph->work_friction = last.work_friction;
}
