/* Recording a run for its gradient. */
#include "gradient/run_gradient.h"

#include <math.h>

#include "carom/assert.h"
#include "carom/patch.h"
#include "gradient/surface_at.h"
#include "sim/resolve/gather.h"

#define WORD(name, word, sentence)     word,
#define SENTENCE(name, word, sentence) sentence,
const char *carom_gradient_refusal_word(carom_gradient_refusal refusal)
{
    static const char *const words[] = {
#define CAROM_GRADIENT_REFUSAL WORD
#include "carom/gradient_refusals.def"
#undef CAROM_GRADIENT_REFUSAL
    };
    return (unsigned)refusal < CAROM_GRADIENT_REFUSAL_COUNT ? words[refusal] : "";
}

const char *carom_gradient_refusal_sentence(carom_gradient_refusal refusal)
{
    static const char *const sentences[] = {
#define CAROM_GRADIENT_REFUSAL SENTENCE
#include "carom/gradient_refusals.def"
#undef CAROM_GRADIENT_REFUSAL
    };
    return (unsigned)refusal < CAROM_GRADIENT_REFUSAL_COUNT ? sentences[refusal] : "";
}

static flight_end *end_of(const carom_gradient *g, int i)
{
    return (flight_end *)g->ends.data + i;
}

/* ---- refusals: the first one stays ---- */

static bool is_refused(const carom_gradient *g)
{
    return g->reason.refusal != CAROM_GRADIENT_NONE;
}

static bool refuse(carom_gradient *g, carom_gradient_refusal why, int body, int other)
{
    if (!is_refused(g)) {
        g->reason.refusal = why;
        g->reason.time = g->sim->time;
        g->reason.body = body;
        g->reason.other = other;
    }
    return false;
}

/* ---- flights ---- */

static flight_end end_now(const carom_gradient *g, int i, double t)
{
    carom_body body = body_at(g->sim, i, t);
    flight_end e = {t, snap_at(g->sim, i, t), body.inertia, body.inv_inertia};
    return e;
}

/* What does not change in free flight: w of steady bodies, the angular momentum of others. */
static carom_vec3 kept_spin(const moments *m, const flight_end *e)
{
    return m->kind == SPIN_STEADY ? e->at.w : carom_sym3_apply(e->inertia, e->at.w);
}

static bool is_near(carom_vec3 a, carom_vec3 b, double size)
{
    return vec_distance(a, b) <= SAME * size;
}

static bool flies_freely(const carom_gradient *g, int i, const flight_end *from, const flight_end *to)
{
    const moments *m = &frame_of(g->sim, i)->moments;
    bool falls = mover_of(g->sim, i)->is_movable;
    carom_vec3 gain = carom_vec3_scale(falls ? to->time - from->time : 0, g->sim->scene->gravity);
    carom_vec3 v = carom_vec3_add(from->at.v, gain), L = kept_spin(m, from);
    return is_near(v, to->at.v, carom_vec3_length(from->at.v) + carom_vec3_length(gain)) &&
           is_near(L, kept_spin(m, to), carom_vec3_length(L));
}

/* Does anything but the gravity of the scene act on body i, or does it follow a path of its own? */
static bool is_forced(const carom_gradient *g, int i)
{
    const carom_scene *scene = g->sim->scene;
    const carom_fields *f = scene->bodies[i].fields ? scene->bodies[i].fields : scene->fields;
    if (!mover_of(g->sim, i)->is_movable)
        return scene->bodies[i].drive != NULL;
    return f &&
           (f->own_gravity || f->drag_linear != 0 || f->drag_quadratic != 0 || f->drag_angular != 0 || f->magnus != 0);
}

/* The flight of body i up to the end `to`. */
static bool record_flight(carom_gradient *g, int i, const flight_end *to, flight_change *out)
{
    const flight_end *from = end_of(g, i);
    const frame_of_body *f = frame_of(g->sim, i);
    const mover *m = mover_of(g->sim, i);
    if (f->stepped)
        return refuse(g, CAROM_GRADIENT_STEPPED, i, -1);
    if (f->assembly >= 0)
        return refuse(g, CAROM_GRADIENT_JOINTED, i, -1);
    if (m->closed)
        return refuse(g, CAROM_GRADIENT_CONTACT, i, -1);
    if (is_forced(g, i) || m->track || !flies_freely(g, i, from, to))
        return refuse(g, CAROM_GRADIENT_FORCED, i, -1);
    out->falls = m->is_movable;
    return flight_change_of(&f->moments, from, to, out) || refuse(g, CAROM_GRADIENT_TURNS, i, -1);
}

/* ---- impacts ---- */

static int rule_number(const carom_sim *sim, int a, int b)
{
    int i = frame_of(sim, a)->material, j = frame_of(sim, b)->material;
    return store_ints(&sim->rules)[i * sim->materials + j] + 1;
}

static bool find_surfaces(const carom_gradient *g, const carom_sim_contact *c, pair_impact *in, const flight_end now[2])
{
    carom_vec3 point = carom_vec3_add(now[0].at.x, c->arm_a), out = carom_vec3_scale(-1, c->normal);
    surface_place a = {c->a, now[0].at, point, out, &in->contact->frame};
    surface_place b = {c->b, now[1].at, carom_vec3_add(now[1].at.x, c->arm_b), c->normal, &in->contact->frame};
    return surface_at(g->sim, &a, &in->surface[0]) && surface_at(g->sim, &b, &in->surface[1]);
}

static bool frame_contact(const carom_gradient *g, const carom_sim_contact *c, carom_contact *contact)
{
    if (g->sim->scene->dim == 3)
        return carom_contact_init(c->arm_a, c->arm_b, c->normal, contact) == CAROM_STATUS_OK;
    *contact = (carom_contact){.arm_a = c->arm_a, .arm_b = c->arm_b, .planar = true};
    return carom_frame_init_planar(c->normal.x, c->normal.y, &contact->frame) == CAROM_STATUS_OK;
}

/* Why a saltation matrix was refused. */
static bool blame(carom_gradient *g, const pair_change *x, double u_n)
{
    if (x->about.status == CAROM_STATUS_GRAZING || !(u_n < 0))
        return refuse(g, CAROM_GRADIENT_GRAZING, -1, -1);
    return refuse(g, x->border ? CAROM_GRADIENT_LAW : CAROM_GRADIENT_SURFACES, -1, -1);
}

static bool judge(carom_gradient *g, const pair_change *x)
{
    if (x->about.nonsmooth && !g->take_branches) {
        g->reason.border = x->border;
        return refuse(g, CAROM_GRADIENT_KINK, -1, -1);
    }
    g->about.impacts++;
    g->about.kinks += x->about.nonsmooth;
    g->about.grazing += x->about.grazing;
    if (x->distance < g->about.distance) {
        g->about.distance = x->distance;
        g->about.distance_time = g->sim->time;
        g->about.border = x->border;
    }
    return true;
}

static bool record_jump(carom_gradient *g, const carom_sim_contact *c, const flight_end now[2], impact_change *x)
{
    carom_contact contact;
    carom_body a = body_at(g->sim, c->a, x->time), b = body_at(g->sim, c->b, x->time);
    pair_impact in = {.contact = &contact, .body = {&a, &b}, .gravity = g->sim->scene->gravity, .rule = &c->rule};
    if (!frame_contact(g, c, &contact) || !find_surfaces(g, c, &in, now))
        return refuse(g, CAROM_GRADIENT_SURFACES, c->a, c->b);
    carom_status status = saltation_pair(&in, &x->change);
    return (status == CAROM_STATUS_OK || blame(g, &x->change, c->problem.u.n)) && judge(g, &x->change);
}

/* Does another contact of the same bodies touch at this instant? Contacts of the impact at hand are still listed. */
static bool touches_others(const carom_sim *sim, const carom_sim_contact *c)
{
    int members = 0;
    for (int k = 0; k < (int)sim->touchings.count; k++) {
        const touching *t = touching_at(sim, k);
        members += t->a == c->a || t->a == c->b || (mover_of(sim, t->b)->is_movable && (t->b == c->a || t->b == c->b));
    }
    return members > 1;
}

static bool record_impact(carom_gradient *g, const carom_sim_event *event)
{
    const carom_sim_contact *c = event->contacts;
    if (c->jointed)
        return refuse(g, CAROM_GRADIENT_JOINTED, c->a, c->b);
    if (carom_coeffs_vary(&rule_of(g->sim, c->a, c->b)->coeffs))
        return refuse(g, CAROM_GRADIENT_SPEED, c->a, c->b);
    if (event->count > 1 || !event->outcome || touches_others(g->sim, c))
        return refuse(g, CAROM_GRADIENT_SEVERAL, c->a, c->b);
    if (carom_patch_size(&c->rule.coeffs) > 3)
        return refuse(g, CAROM_GRADIENT_LAW, c->a, c->b);
    impact_change *x = store_push(&g->impacts, &g->memory);
    if (!x)
        return refuse(g, CAROM_GRADIENT_MEMORY, -1, -1);
    *x = (impact_change){.body = {c->a, c->b}, .rule = rule_number(g->sim, c->a, c->b), .time = event->time};
    flight_end now[2] = {end_now(g, c->a, event->time), end_now(g, c->b, event->time)};
    for (int s = 0; s < 2; s++) {
        if (mover_of(g->sim, x->body[s])->is_movable && !(event->time > end_of(g, x->body[s])->time))
            return refuse(g, CAROM_GRADIENT_AGAIN, c->a, c->b);
        if (!record_flight(g, x->body[s], &now[s], &x->flight[s]))
            return false;
    }
    if (!record_jump(g, c, now, x))
        return false;
    now[0].at.v = c->after_a.velocity, now[0].at.w = c->after_a.omega;
    now[1].at.v = c->after_b.velocity, now[1].at.w = c->after_b.omega;
    *end_of(g, c->a) = now[0];
    *end_of(g, c->b) = now[1];
    return true;
}

bool carom_gradient_event(void *gradient, const carom_sim_event *event)
{
    carom_gradient *g = gradient;
    CAROM_ASSERT(g && event);
    if (is_refused(g))
        return true;
    g->reason.event = event->kind;
    bool fine = event->kind == CAROM_SIM_EVENT_IMPACT
                    ? record_impact(g, event)
                    : refuse(g, CAROM_GRADIENT_CONTACT, event->contacts->a, event->contacts->b);
    if (!fine && g->reason.body < 0)
        g->reason.body = event->contacts->a, g->reason.other = event->contacts->b;
    return true;
}

/* ---- beginning and end ---- */

carom_status carom_gradient_create(carom_sim *sim, const carom_memory *memory, carom_gradient **gradient)
{
    CAROM_ASSERT(sim && memory && gradient);
    carom_gradient *g = memory->resize(memory->context, NULL, sizeof *g);
    *gradient = NULL;
    if (!g)
        return CAROM_STATUS_NO_MEMORY;
    memset(g, 0, sizeof *g);
    g->sim = sim;
    g->memory = *memory;
    g->reason = (carom_gradient_reason){CAROM_GRADIENT_NONE, 0, -1, -1, CAROM_SIM_EVENT_IMPACT, ""};
    g->about.distance = INFINITY;
    g->about.border = "";
    store_init(&g->impacts, sizeof(impact_change));
    store_init(&g->ends, sizeof(flight_end));
    store_init(&g->flights, sizeof(flight_change));
    store_init(&g->rates, EACH_STATE * sizeof(double));
    size_t n = (size_t)sim->count;
    if (!store_resize(&g->ends, memory, n) || !store_resize(&g->flights, memory, n) ||
        !store_resize(&g->rates, memory, n)) {
        carom_gradient_free(g);
        return CAROM_STATUS_NO_MEMORY;
    }
    for (int i = 0; i < sim->count; i++)
        *end_of(g, i) = end_now(g, i, sim->time);
    *gradient = g;
    return CAROM_STATUS_OK;
}

void carom_gradient_free(carom_gradient *g)
{
    if (!g)
        return;
    store_free(&g->impacts, &g->memory);
    store_free(&g->ends, &g->memory);
    store_free(&g->flights, &g->memory);
    store_free(&g->rates, &g->memory);
    g->memory.resize(g->memory.context, g, 0);
}

void carom_gradient_take_branches(carom_gradient *g)
{
    g->take_branches = true;
}

/* How the state of body i moves on: v, w, gravity and the change of w in free rotation. */
static void put_rates(carom_gradient *g, int i, const flight_end *now)
{
    double *rate = (double *)g->rates.data + (size_t)i * EACH_STATE;
    const carom_vec3 zero = {0, 0, 0}, L = carom_sym3_apply(now->inertia, now->at.w);
    bool falls = mover_of(g->sim, i)->is_movable;
    carom_vec3 part[4] = {now->at.v, now->at.w, falls ? g->sim->scene->gravity : zero, zero};
    if (frame_of(g->sim, i)->moments.kind != SPIN_STEADY)
        part[3] = carom_sym3_apply(now->inv_inertia, carom_vec3_cross(L, now->at.w));
    for (int k = 0; k < 4; k++)
        rate[3 * k] = part[k].x, rate[3 * k + 1] = part[k].y, rate[3 * k + 2] = part[k].z;
}

/* The impact that ends the run must be alone in its instant; where a time ends it, there must be none. */
static bool check_last(carom_gradient *g, bool at_impact)
{
    size_t n = g->impacts.count, last = 0;
    while (last < n && impact_at(g, n - 1 - last)->time == g->sim->time)
        last++;
    if (!at_impact)
        return last == 0 || refuse(g, CAROM_GRADIENT_END, impact_at(g, n - 1)->body[0], impact_at(g, n - 1)->body[1]);
    return last == 1 || refuse(g, CAROM_GRADIENT_SEVERAL, -1, -1);
}

carom_status carom_gradient_end(carom_gradient *g, bool at_impact)
{
    CAROM_ASSERT(g);
    bool fine = !is_refused(g) && check_last(g, at_impact);
    for (int i = 0; i < g->sim->count && fine; i++) {
        flight_end now = end_now(g, i, g->sim->time);
        fine = record_flight(g, i, &now, (flight_change *)g->flights.data + i);
        put_rates(g, i, &now);
    }
    g->at_impact = at_impact;
    g->ended = fine;
    if (fine)
        return CAROM_STATUS_OK;
    return g->reason.refusal == CAROM_GRADIENT_MEMORY ? CAROM_STATUS_NO_MEMORY : CAROM_STATUS_NO_DERIVATIVE;
}

carom_gradient_reason carom_gradient_refused(const carom_gradient *g)
{
    return g->reason;
}

carom_gradient_about carom_gradient_describe(const carom_gradient *g)
{
    return g->about;
}
