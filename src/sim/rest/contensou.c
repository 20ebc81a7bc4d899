#include "sim/rest/contensou.h"

#include "core/patch.h"

/* From the foot of contact k to the centre of its patch. */
static carom_vec3 to_centre(const ride *r, int k, const double *y)
{
    const ride_contact *c = &r->c[k];
    carom_vec3 none = {0, 0, 0};
    if (!c->patch.shared)
        return none;
    return quat_turn(quat_at(y + STATE * c->a + 3), carom_vec3_sub(c->patch.centre, c->foot.offset));
}

glide glide_of(const ride *r, int k, const double *y)
{
    const ride_contact *c = &r->c[k];
    carom_vec3 w = turn_against(r, k, y), u = slip_velocity(r, k, y);
    if (c->patch.shared)
        u = sum_of(u, carom_vec3_cross(carom_vec3_scale(carom_vec3_dot(w, c->n), c->n), to_centre(r, k, y)));
    return (glide){u, c->patch.radius * carom_vec3_dot(w, c->n)};
}

double glide_size(const glide *x)
{
    return max(carom_vec3_length(x->v), fabs(x->W));
}

/* Friction per mu N, against the glide: the gradient of the norm. */
static glide drag_of(const ride_contact *c, const glide *x)
{
    patch_slope s = patch_slope_at(c->patch.pressure, carom_vec3_dot(x->v, x->v), x->W * x->W);
    return (glide){carom_vec3_scale(s.alpha / s.L, x->v), s.beta * x->W / s.L};
}

static double power_of(const glide *drag, const glide *x)
{
    return carom_vec3_dot(drag->v, x->v) + drag->W * x->W;
}

static glide kept_drag(const ride_contact *c)
{
    return (glide){c->patch.force, c->patch.moment};
}

static void keep_drag(ride_contact *c, const glide *drag)
{
    c->patch.force = c->slip = drag->v;
    c->patch.moment = drag->W;
}

/* ---- which contacts have one ---- */

/* Contacts of one body with one ground. */
static bool same_pair(const ride_contact *x, const ride_contact *y)
{
    return x->a == y->a && x->ground == y->ground;
}

static int count_pair(const ride *r, int k)
{
    int count = 0;
    for (int i = 0; i < r->count; i++)
        count += same_pair(&r->c[i], &r->c[k]);
    return count;
}

/* Three corners or more in one plane are a face; a ground that has feet of its own on the body is none. */
static bool stands_on_face(const ride *r, int k)
{
    for (int i = 0; i < r->count; i++) {
        const ride_contact *c = &r->c[i], *first = &r->c[k];
        if (first->b >= 0 && c->a == first->b && c->b == first->a)
            return false;
        if (same_pair(c, first) && (is_round(&c->foot) || !has_patch(c) || c->under.kind != GROUND_FLAT ||
                                    carom_vec3_length(carom_vec3_cross(c->n, first->n)) > ROUND_PLACE))
            return false;
    }
    return count_pair(r, k) >= 3;
}

static carom_vec3 centre_of_pair(const ride *r, int k)
{
    carom_vec3 centre = {0, 0, 0};
    for (int i = 0; i < r->count; i++)
        if (same_pair(&r->c[i], &r->c[k]))
            centre = sum_of(centre, carom_vec3_scale(1.0 / count_pair(r, k), r->c[i].foot.offset));
    return centre;
}

void patch_assign(ride *r)
{
    for (int k = 0; k < r->count; k++) {
        ride_patch *p = &r->c[k].patch;
        p->shared = stands_on_face(r, k);
        p->centre = centre_of_pair(r, k);
    }
    r->resists = false;
    for (int k = 0; k < r->count; k++) {
        ride_contact *c = &r->c[k];
        bool has_own = c->patch.shared || is_round(&c->foot) || count_pair(r, k) == 1;
        c->patch.radius = has_own ? c->patch.radius : 0;
        r->resists |= has_patch(c) || c->roll.length > 0;
    }
}

static bool same_face(const ride *r, int i, int k)
{
    return i == k || (r->c[i].patch.shared && r->c[k].patch.shared && same_pair(&r->c[i], &r->c[k]));
}

/* The first foot of a face stands for all of them. */
static bool leads(const ride *r, int k)
{
    for (int i = 0; i < k; i++)
        if (same_face(r, i, k) && r->c[i].mode != RIDE_OPEN)
            return false;
    return true;
}

ride_mode patch_mode(const ride *r, int k)
{
    for (int i = 0; i < r->count; i++)
        if (i != k && same_face(r, i, k) && r->c[i].mode != RIDE_OPEN)
            return r->c[i].mode;
    return RIDE_STICK;
}

static double load_of(const ride *r, int k)
{
    double N = 0;
    for (int i = 0; i < r->count; i++)
        N += i == k || (same_face(r, i, k) && r->c[i].mode != RIDE_OPEN) ? r->c[i].force[2] : 0;
    return N;
}

/* ---- modes ---- */

void patch_first(ride *r, int k, const double *y, double slow)
{
    ride_contact *c = &r->c[k];
    glide x = glide_of(r, k, y);
    bool slides = carom_vec3_length(x.v) > slow, spins = fabs(x.W) / c->patch.radius * ride_size(r) > slow;
    c->mode = slides || spins ? RIDE_SLIP : RIDE_STICK;
    c->pivots = spins && !slides && !c->patch.shared;
    c->patch.slow = slow;
    c->patch.holds = false;
    glide drag = {c->t1, 0};
    if (c->pivots)
        x.v = carom_vec3_make(0, 0, 0);
    c->patch.spin = x.W;
    if (c->mode == RIDE_SLIP)
        drag = drag_of(c, &x);
    keep_drag(c, &drag);
}

/* The dual norm of what holds contact k, and what it holds, against the friction that would. */
static double held_by(const ride_contact *c, glide *hold)
{
    *hold = (glide){sum_of(carom_vec3_scale(-c->force[0], c->t1), carom_vec3_scale(-c->force[1], c->t2)),
                    -c->force[5] / c->patch.radius};
    return patch_dual(c->patch.pressure, carom_vec3_length(hold->v), fabs(hold->W));
}

double patch_margin(const ride *r, int k, const double *y)
{
    const ride_contact *c = &r->c[k];
    glide hold, x, drag = kept_drag(c);
    if (!leads(r, k))
        return INFINITY;
    if (c->mode == RIDE_STICK)
        return c->mu_s * load_of(r, k) - held_by(c, &hold);
    x = glide_of(r, k, y);
    return power_of(&drag, &x) / c->u_n;
}

static double pivot_force(const ride_contact *c)
{
    return c->mode == RIDE_SLIP && c->pivots ? sqrt(c->force[0] * c->force[0] + c->force[1] * c->force[1]) : 0;
}

double patch_needs(const ride *r, int k)
{
    return r->c[k].patch.holds ? 0 : pivot_force(&r->c[k]);
}

/* Slip over W at which friction is the share F of mu N: F grows with it. Slower ones than rounding are none. */
static double creep_ratio(const ride_contact *c, double F)
{
    double low = 0, high = 1 / ROUND_SPEED;
    for (int n = 0; n < ITERATIONS; n++) {
        double s = low > 0 ? sqrt(low * high) : ROUND_SPEED;
        glide x = {carom_vec3_scale(s, c->t1), 1}, drag = drag_of(c, &x);
        if (carom_vec3_length(drag.v) < F)
            low = s;
        else
            high = s;
    }
    return high;
}

/* Where the slip that gives contact c the friction that it needs is no slip any more, against the speeds of the body,
 * it is left out: the contact holds, and its moment is the one that friction leaves. */
static bool holds_on(ride_contact *c, bool *changed)
{
    double load = c->mu * c->force[2], F = load > 0 ? pivot_force(c) / load : INFINITY;
    double s = F < 1 ? creep_ratio(c, F) : INFINITY;
    if (!(s * fabs(c->patch.spin) <= 2 * c->patch.slow))
        return false;
    glide x = {carom_vec3_scale(s, c->t1), c->patch.spin < 0 ? -1 : 1}, drag = drag_of(c, &x);
    /* a digit better than friction is read */
    *changed |= !c->patch.holds || fabs(drag.W - c->patch.moment) > 0.1 * ROUND_SPEED;
    c->patch.holds = true;
    c->patch.moment = drag.W;
    return true;
}

/* A patch that spins holds nothing: friction along the ground begins with slip. */
bool patch_creep(ride *r, double least)
{
    bool creeps = false, changed = false;
    for (int k = 0; k < r->count; k++)
        creeps |= pivot_force(&r->c[k]) > least && !holds_on(&r->c[k], &changed);
    for (int k = 0; creeps && k < r->count; k++)
        r->c[k].pivots = r->c[k].patch.holds = false;
    return creeps || changed;
}

void patch_yield(ride *r, int k)
{
    glide hold;
    double size = held_by(&r->c[k], &hold);
    glide drag = {carom_vec3_scale(1 / size, hold.v), hold.W / size};
    for (int i = 0; i < r->count; i++) {
        ride_contact *c = &r->c[i];
        if (i != k && !(same_face(r, i, k) && c->mode != RIDE_OPEN))
            continue;
        c->mode = c->mu < NEVER_SLIPS ? RIDE_ONSET : RIDE_OPEN;
        keep_drag(c, &drag);
    }
}

/* The rate of the glide of contact k, where a is the acceleration of its foot; slips are slow where this matters. */
static glide glide_rate(const ride *r, int k, const double *y, const double *f, carom_vec3 a)
{
    const ride_contact *c = &r->c[k];
    carom_vec3 w = vec_at(y + STATE * c->a + 10), w_rate = turn_against(r, k, f), arm = to_centre(r, k, y);
    a = sum_of(a, sum_of(carom_vec3_cross(w_rate, arm), carom_vec3_cross(w, carom_vec3_cross(w, arm))));
    if (c->b >= 0) {
        carom_vec3 below = vec_at(y + STATE * c->b + 10);
        a = carom_vec3_sub(a, carom_vec3_cross(below, carom_vec3_cross(below, arm)));
    }
    a = carom_vec3_sub(a, carom_vec3_scale(carom_vec3_dot(a, c->n), c->n));
    double turned = carom_vec3_dot(turn_against(r, k, y), c->n_rate);
    return (glide){a, c->patch.radius * (carom_vec3_dot(w_rate, c->n) + turned)};
}

bool patch_follow(ride *r, const double *y, const double *f, const carom_vec3 *a)
{
    bool turned = false;
    for (int k = 0; k < r->count; k++) {
        ride_contact *c = &r->c[k];
        glide rate = glide_rate(r, k, y, f, a[k]);
        if (c->mode != RIDE_ONSET || !has_patch(c) || !(glide_size(&rate) > 0))
            continue;
        glide next = drag_of(c, &rate), last = kept_drag(c);
        glide change = {carom_vec3_sub(next.v, last.v), next.W - last.W};
        turned |= glide_size(&change) > 0.1 * ROUND_SPEED; /* friction has settled: a digit better than it is read */
        keep_drag(c, &next);
    }
    return turned;
}

/* V ends at V + V' left = 0 if it keeps its direction; what is left there takes longer, or comes sooner. */
static patch_end end_of(const ride_contact *c, const glide *x, const glide *rate)
{
    glide drag = drag_of(c, x);
    double falls = -power_of(&drag, rate), left = falls > 0 ? power_of(&drag, x) / falls : INFINITY;
    if (left == INFINITY)
        return (patch_end){INFINITY, INFINITY};
    glide miss = {sum_of(x->v, carom_vec3_scale(left, rate->v)), x->W + left * rate->W};
    return (patch_end){left, left * glide_size(&miss) / glide_size(x)};
}

patch_end patch_ends(ride *r, const double *y)
{
    arena_mark mark = arena_now(r->arena);
    double f[RIDE_STATE];
    patch_end first = {INFINITY, 0};
    carom_vec3 *a = TAKE(r->arena, carom_vec3, r->count);
    ride_rates(r, y, f, a);
    for (int k = 0; k < r->count; k++) {
        const ride_contact *c = &r->c[k];
        if (!has_patch(c) || c->mode != RIDE_SLIP)
            continue;
        glide x = glide_of(r, k, y), rate = glide_rate(r, k, y, f, a[k]);
        patch_end e = end_of(c, &x, &rate);
        first = (patch_end){min(first.left, e.left), max(first.error, e.error)};
    }
    arena_back(r->arena, mark);
    first.error = first.left < INFINITY ? first.error : INFINITY;
    return first;
}

double patch_steady(const ride *r, int k, const double *y, const double *f, carom_vec3 a)
{
    const ride_contact *c = &r->c[k];
    glide x = glide_of(r, k, y), rate = glide_rate(r, k, y, f, a);
    double pull = carom_vec3_length(rate.v), along = carom_vec3_dot(x.v, rate.v), slip = carom_vec3_length(x.v);
    if (c->pivots)
        return x.W * rate.W < 0 ? -x.W / rate.W : INFINITY;
    /* friction keeps its direction over the whole way */
    if (x.W != 0 || rate.W != 0 || carom_vec3_length(carom_vec3_cross(x.v, rate.v)) > 0.01 * ROUND_SPEED * slip * pull)
        return 0;
    return along < 0 ? slip * slip / -along : INFINITY;
}

/* ---- rows ---- */

/* Friction per mu N in state y. */
static glide drag_at(const ride *r, int k, const double *y)
{
    const ride_contact *c = &r->c[k];
    glide x = glide_of(r, k, y);
    double size = glide_size(&x), speed = carom_vec3_length(vec_at(y + STATE * c->a + 7));
    bool begins = c->mode == RIDE_ONSET && !(size > SAME * speed); /* a slip that begins has a direction */
    return r->frozen || c->pivots || begins || !(size > 0) ? kept_drag(c) : drag_of(c, &x);
}

/* A force through the centre of the patch, as a row of the foot. */
static row row_at_centre(int k, int axis, carom_vec3 along, carom_vec3 arm)
{
    carom_vec3 turn = carom_vec3_cross(arm, along);
    return (row){k, axis, along, along, turn, turn};
}

int patch_rows(const ride *r, int k, const double *y, row *rows)
{
    const ride_contact *c = &r->c[k];
    carom_vec3 none = {0, 0, 0}, arm = to_centre(r, k, y);
    rows[0] = (row){k, 2, c->n, c->n, none, none};
    if (c->mode != RIDE_STICK) {
        glide drag = drag_at(r, k, y);
        carom_vec3 friction = carom_vec3_scale(-c->mu, drag.v);
        rows[0].force = sum_of(c->n, friction);
        rows[0].moment =
            sum_of(carom_vec3_cross(arm, friction), carom_vec3_scale(-c->mu * c->patch.radius * drag.W, c->n));
    }
    bool holds = c->mode == RIDE_STICK;
    if (!leads(r, k) || !(holds || c->pivots))
        return 1;
    rows[1] = row_at_centre(k, 0, c->t1, arm);
    rows[2] = row_at_centre(k, 1, c->t2, arm);
    rows[3] = (row){k, 5, none, none, c->n, c->n};
    return holds ? 4 : 3;
}

double patch_power(const ride *r, const double *y)
{
    double power = 0;
    for (int k = 0; k < r->count; k++) {
        const ride_contact *c = &r->c[k];
        if (has_patch(c) && (c->mode == RIDE_SLIP || c->mode == RIDE_ONSET))
            power -= c->mu * c->force[2] * drag_at(r, k, y).W * glide_of(r, k, y).W;
    }
    return power;
}
