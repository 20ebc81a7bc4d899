/* The report of a contact-force law about its path, in the units and axes of the problem it was given. */
#include <string.h>

#include "laws/force/force.h"
#include "laws/stick_slip.h"

static const char *const words[CAROM_CONTACT_MODE_COUNT] = {
#define CAROM_CONTACT_MODE(name, value, word, meaning) word,
#include "carom/contact_modes.def"
#undef CAROM_CONTACT_MODE
};

const char *carom_contact_mode_word(carom_contact_mode mode)
{
    return mode >= 0 && mode < CAROM_CONTACT_MODE_COUNT ? words[mode] : "?";
}

const char *const carom_force_modes[FORCE_MODES] = {STICK_SLIP_MODES, "several-contacts", "dead:slip", "dead:stick",
                                                    "potential"};

/* The name of the whole path: its modes after the plastic stage, if it has one. */
static const char *path_name(const carom_contact_force *f)
{
    int first = 0;
    while (first < f->mode_count && first < CAROM_CONTACT_MODES_KEPT && f->modes[first] > CAROM_CONTACT_MODE_GAP)
        first++;
    if (f->contacts > 1)
        return "several-contacts";
    if (first >= f->mode_count)
        return f->mode_count > 0 ? words[f->modes[0]] : "no_impact";
    return carom_force_modes[stick_slip_mode(f->modes[first] == CAROM_CONTACT_MODE_SLIP, f->mode_count - first - 1)];
}

void force_report_begin(force_report *r, const carom_problem *problem, const carom_tracer *tracer, carom_outcome *out)
{
    r->problem = problem;
    r->tracer = tracer;
    r->out = out;
    r->compressing = true;
    r->core = NULL;
    r->p_mark = r->loss_mark = 0;
    memset(&out->force, 0, sizeof out->force);
    out->force.contacts = 1;
    out->phases.phases = 1;
}

void force_report_mode(force_report *r, carom_contact_mode mode)
{
    carom_contact_force *f = &r->out->force;
    if (f->mode_count == 0)
        r->out->phases.first = words[mode];
    if (f->mode_count < CAROM_CONTACT_MODES_KEPT)
        f->modes[f->mode_count] = (unsigned char)mode;
    f->mode_count++;
}

/* A vector of the dimensionless problem in the axes of the given one. */
static carom_cvec turned_back(const force_units *units, double t1, double t2, double n, double unit)
{
    carom_direction d = units->turn;
    return carom_cvec_make(unit * (d.c * t1 - d.s * t2), unit * (d.s * t1 + d.c * t2), unit * n);
}

static force_sample sample_at(const force_report *r, double h)
{
    const force_core *c = r->core;
    if (!c)
        return r->sample(r->law, h);
    if (h == 0)
        return (force_sample){{c->p[0][0], c->p[1][0], c->p[2][0]},
                              {c->F[0][0], c->F[1][0], c->F[2][0]},
                              c->x[0],
                              c->time[0],
                              c->loss_normal[0],
                              c->loss_friction[0],
                              c->loss_tangential[0]};
    return (force_sample){{series_at(c->p[0], h), series_at(c->p[1], h), series_at(c->p[2], h)},
                          {series_at(c->F[0], h), series_at(c->F[1], h), series_at(c->F[2], h)},
                          series_at(c->x, h),
                          series_at(c->time, h),
                          series_at(c->loss_normal, h),
                          series_at(c->loss_friction, h),
                          series_at(c->loss_tangential, h)};
}

static void state_at(const force_report *r, double h, carom_state *state)
{
    const force_sample s = sample_at(r, h);
    const force_units *units = &r->units;
    memset(state, 0, sizeof *state);
    state->p = turned_back(units, s.p[0], s.p[1], s.p[2], units->impulse);
    state->u = carom_cvec_add(r->problem->u, carom_csym_apply(r->problem->K, state->p));
    state->work_normal = -s.loss_normal * units->energy;
    state->work_friction = 0.5 * carom_cvec_dot(state->p, carom_cvec_add(r->problem->u, state->u)) - state->work_normal;
    state->time = s.time * units->time;
    state->compression = s.x * units->length;
    state->force = turned_back(units, s.F[0], s.F[1], s.F[2], units->force);
    if (!r->springs)
        return;
    double stretch[2], stored[3];
    r->springs(r->law, h, stretch, stored);
    state->stretch = turned_back(units, stretch[0], stretch[1], -s.x, units->length);
    state->stored = carom_cvec_scale(units->energy, carom_cvec_make(stored[0], stored[1], stored[2]));
}

typedef struct stretch_data {
    const force_report *report;
    double h;
} stretch_data;

static void piece_at(const carom_piece *piece, double s, carom_state *state)
{
    const stretch_data *data = piece->data;
    state_at(data->report, s * data->h, state);
}

void force_report_piece(const force_report *r, carom_contact_mode mode, double h)
{
    if (!r->tracer || !r->tracer->piece || !(h > 0))
        return;
    const stretch_data data = {r, h};
    const double unit = r->units.impulse;
    const carom_piece piece = {
        words[mode], r->compressing, {unit * sample_at(r, 0).p[2], unit * sample_at(r, h).p[2]}, piece_at, &data};
    r->tracer->piece(r->tracer->context, &piece);
}

void force_report_event(const force_report *r, carom_event_kind kind)
{
    carom_outcome *out = r->out;
    out->event_count++;
    if (r->tracer && r->tracer->event) {
        carom_event event = {.kind = kind};
        state_at(r, 0, &event.at);
        r->tracer->event(r->tracer->context, &event);
    }
}

/* The half of a phase that ends here. */
static void close_half(force_report *r, const force_sample *s)
{
    carom_phases *ph = &r->out->phases;
    double p = s->p[2], loss = s->loss_normal;
    double impulse = (p - r->p_mark) * r->units.impulse, work = -(loss - r->loss_mark) * r->units.energy;
    ph->p_compression += r->compressing ? impulse : 0;
    ph->p_restitution += r->compressing ? 0 : impulse;
    ph->work_compression += r->compressing ? work : 0;
    ph->work_decompression += r->compressing ? 0 : work;
    r->p_mark = p;
    r->loss_mark = loss;
}

void force_report_turn(force_report *r)
{
    carom_contact_force *f = &r->out->force;
    const force_sample s = sample_at(r, 0);
    close_half(r, &s);
    if (r->compressing)
        f->max_compression = fmax(f->max_compression, s.x * r->units.length);
    else
        r->out->phases.phases++;
    r->compressing = !r->compressing;
    force_report_event(r, r->compressing ? CAROM_EVENT_DOWN : CAROM_EVENT_COMPRESSION_END);
}

void force_report_force(force_report *r, double f)
{
    r->out->force.peak_force = fmax(r->out->force.peak_force, f * r->units.force);
}

void force_report_peak(force_report *r, const double *f, double h)
{
    force_series slope;
    double end, top = h;
    force_report_force(r, f[0]);
    if (!(f[1] > 0)) /* f at h, or f of the next stretch, is lower */
        return;
    force_report_force(r, taylor_at_slope(f, FORCE_ORDER, h, &end));
    if (end >= 0)
        return;
    for (int k = 0; k < FORCE_ORDER; k++)
        slope[k] = (k + 1) * f[k + 1];
    if (series_falls(slope, 0, FORCE_ORDER - 1, &top))
        force_report_force(r, series_at(f, top));
}

void force_report_end(force_report *r)
{
    const force_sample s = sample_at(r, 0);
    carom_outcome *out = r->out;
    const double E = r->units.energy;
    close_half(r, &s);
    out->p = turned_back(&r->units, s.p[0], s.p[1], s.p[2], r->units.impulse);
    carom_cvec after = carom_cvec_add(r->problem->u, carom_csym_apply(r->problem->K, out->p));
    double change = 0.5 * carom_cvec_dot(out->p, carom_cvec_add(r->problem->u, after));
    out->phases.work_friction = change - out->phases.work_compression - out->phases.work_decompression;
    out->force.duration = s.time * r->units.time;
    out->force.dissipated_normal = s.loss_normal * E;
    out->force.dissipated_friction = s.loss_friction * E;
    out->force.dissipated_tangential = s.loss_tangential * E;
    out->mode = path_name(&out->force);
    force_report_event(r, CAROM_EVENT_END);
}
