/* Pieces of motion on closed contacts: how long they are, and where their modes break. */
#include "sim/contact/ground.h"
#include "sim/motion/air.h"
#include "sim/rest/collocate_newton.h"
#include "sim/rest/contensou.h"

enum { SAMPLES = 12 };  /* of the margins along a piece */
#define TAIL_FALLS  0.1 /* if half the step does not reduce the last coefficient to this share, it is rounding */
#define SPEED_GROWS 4.0 /* times, in the time scale of a flight */

/* Sizes of place, orientation, velocity and angular velocity of one member. */
static void member_sizes(const ride *r, int m, const double y[STATE], double h, double size[STATE])
{
    double R = member_size(r, m), g = r->strength;
    double w = sqrt(y[10] * y[10] + y[11] * y[11] + y[12] * y[12]);
    double speed = sqrt(y[7] * y[7] + y[8] * y[8] + y[9] * y[9]) + R * w + SMALL_SHARE * sqrt(g * R);
    double turn = speed / R, length = R;
    if (r->count == 0) { /* in flight: what happens within the piece */
        speed += g * h;
        length += speed * h;
        turn = w + DBL_MIN;
    }
    for (int i = 0; i < STATE; i++)
        size[i] = i < 3 ? length : i < 7 ? 1 : i < 10 ? speed : turn;
}

static void sizes_of(const ride *r, const double *y, double h, double *size)
{
    for (int m = 0; m < r->members; m++)
        member_sizes(r, m, y + STATE * m, h, size + STATE * m);
}

/* A weak field alone would make pieces so long that the speed at their end hides the one at their start. */
static double flight_scale(const ride *r, const double y[STATE])
{
    const ride_body *own = &r->m[0];
    carom_body b = {.inv_mass = 1 / own->mass, .inv_inertia = own->inv_inertia};
    b.velocity = carom_vec3_make(y[7], y[8], y[9]);
    b.omega = carom_vec3_make(y[10], y[11], y[12]);
    double turning = own->steady ? 0 : carom_vec3_length(b.omega);
    double speed = carom_vec3_length(b.velocity) + sqrt(r->strength * member_size(r, 0));
    double growth = r->strength > 0 ? r->strength / (SPEED_GROWS * speed) : 0; /* else it may rest: 0 / 0 */
    return 1 / (field_rate(own->fields, &b, r->strength) + turning + growth + 1 / PIECE_LONGEST);
}

static double time_scale(const ride *r, const double *y)
{
    double least = INFINITY;
    if (r->count == 0)
        return flight_scale(r, y);
    for (int m = 0; m < r->members; m++, y += STATE) {
        double w = sqrt(y[10] * y[10] + y[11] * y[11] + y[12] * y[12]);
        least = min(least, 1 / (w + sqrt(r->strength / member_size(r, m)) + DBL_MIN));
    }
    return least;
}

/* A ride that begins at a time. */
typedef struct ride_from {
    ride *r;
    double start;
} ride_from;

static bool rates_later(void *context, double s, const double *y, double *f)
{
    const ride_from *x = context;
    x->r->time = x->start + s;
    ride_rates(x->r, y, f, NULL);
    return true;
}

/* Rates at all nodes; false: the iteration does not settle. */
static bool collocate(ride *r, const double *y, double h, node_rates f)
{
    arena_mark mark = arena_now(r->arena);
    double size[RIDE_STATE], here[RIDE_STATE];
    ride_from from = {r, r->time};
    /* rounding, a digit better than the states need, may keep it from the last bits */
    node_search x = {rates_later, &from,   ride_states(r),    h,           y, size, here,
                     {NULL},      4 * EPS, 0.1 * ROUND_PLACE, NEWTON_STEPS};
    take_nodes(r, x.next);
    sizes_of(r, y, h, size);
    bool settles = nodes_settle(&x, f);
    r->time = from.start;
    arena_back(r->arena, mark);
    return settles;
}

/* The last coefficients of the polynomials against the sizes of the state, beyond what rounding of the rates puts into
 * them. */
static double tail_of(const double size[STATE], const track *k)
{
    static const int group[5] = {0, 3, 7, 10, 13}; /* place, orientation, velocity, angular velocity */
    double worst = 0;
    for (int g = 0; g < 4; g++) {
        double most = 0, tail = 0;
        for (int i = group[g]; i < group[g + 1]; i++) {
            most = max(most, fabs(k->c[i][1]));
            tail = max(tail, fabs(k->c[i][GAUSS_NODES]));
        }
        /* rounding of the rates, in the last coefficient */
        worst = max(worst, (tail - 10 * ROUND_SPEED * most) / size[group[g]]);
    }
    return worst;
}

static void state_on(const ride *r, track *const *k, double s, double *y)
{
    for (int m = 0; m < r->members; m++)
        for (int i = 0; i < STATE; i++)
            y[STATE * m + i] = track_value(k[m], i, k[m]->t0 + s);
}

/* The works of moving ground and of patches along the piece, from their powers at the nodes. Slips that go straight on
 * keep their directions beyond their end, as in the solution. */
static void integrate_works(ride *r, track *const *k)
{
    double drive[ISLAND_BODIES][GAUSS_NODES], bore[GAUSS_NODES], y[RIDE_STATE], f[RIDE_STATE], h = k[0]->h;
    bool frozen = r->frozen;
    r->frozen |= r->straight;
    for (int j = 0; j < GAUSS_NODES; j++) {
        state_on(r, k, gauss_node[j] * h, y);
        r->time = k[0]->t0 + gauss_node[j] * h;
        ride_rates(r, y, f, NULL);
        for (int m = 0; m < r->members; m++)
            drive[m][j] = r->m[m].drive;
        bore[j] = patch_power(r, y);
    }
    r->frozen = frozen;
    for (int m = 0; m < r->members; m++)
        track_integrate(h, drive[m], k[m]->work[WORK_OF_GROUND]);
    track_integrate(h, bore, k[0]->work[WORK_OF_SPIN]);
}

/* ---- where modes break ---- */

/* How far contact i is from the border of its ground, against the size of its body. Where the ground is a member, a
 * corner may stand on the border itself. */
static double border_margin(const ride *r, int i, const double *y)
{
    const ride_contact *c = &r->c[i];
    if (is_crossing(&c->foot)) {
        crossing_bodies x = crossing_bodies_at(r, i, y);
        const closed_contact *closed = (const closed_contact *)r->sim->closed.data + c->closed;
        return min(inside_crossing(r->sim, closed, &c->under, &x), under_plane(r->sim, closed, &c->under, &x)) /
               member_radius(r, c->a);
    }
    touch_point at = {contact_place(r, i, y), c->n, ground_snap(r, i, y)};
    double inside = inside_ground(r->sim, c->ground, &c->under, at) / member_radius(r, c->a);
    return c->b < 0 ? inside : inside + 2 * CARRIED_PLACE;
}

enum { MARGINS = 5 };

/* Of one contact: load, friction or slip, border, rolling, and the end of an onset; and what ends where one is gone. */
static void margins_of(const ride *r, int i, const double *y, double margins[MARGINS], ride_end ends[MARGINS])
{
    const ride_contact *c = &r->c[i];
    double weight = r->mass * r->strength;
    for (int m = 0; m < MARGINS; m++)
        margins[m] = INFINITY;
    margins[0] = c->force[2] / weight + c->pull;
    if (has_patch(c)) /* one that pivots needs no friction, to rounding of the forces */
        margins[1] = min(patch_margin(r, i, y) / (c->mode == RIDE_STICK ? weight : 1),
                         10 * ROUND_SPEED - patch_needs(r, i) / weight);
    else if (c->mode == RIDE_STICK && c->mu_s > 0)
        margins[1] =
            (c->mu_s * c->force[2] - sqrt(c->force[0] * c->force[0] + c->force[1] * c->force[1])) / weight + c->slack;
    else if ((c->mode == RIDE_SLIP || c->mode == RIDE_ONSET) && c->mu > 0)
        margins[1] = carom_vec3_dot(c->slip, contact_velocity(r, i, y)) / c->u_n;
    margins[2] = border_margin(r, i, y);
    if (c->mode == RIDE_ONSET && !r->planar && !r->resists)
        margins[4] = 2 - carom_vec3_length(contact_velocity(r, i, y)) / onset_speed(r);
    if (r->resists)
        margins[3] = turn_margin(r, i, y, weight * ride_size(r));
    ends[0] = RIDE_LIFTS;
    ends[1] = c->mode == RIDE_STICK ? RIDE_SLIPS : RIDE_STICKS;
    ends[2] = RIDE_LEAVES;
    ends[3] = c->roll.mode == TURN_HELD ? RIDE_SLIPS : RIDE_STICKS;
    ends[4] = RIDE_GOES_ON;
}

/* The least margin of all contacts at s: positive while every mode holds. */
static double margin_at(ride *r, track *const *k, double s, ride_end *why)
{
    double y[RIDE_STATE], f[RIDE_STATE], least = INFINITY, margins[MARGINS];
    ride_end ends[MARGINS];
    state_on(r, k, s, y);
    r->time = k[0]->t0 + s;
    ride_rates(r, y, f, NULL);
    *why = RIDE_GOES_ON;
    for (int i = 0; i < r->count; i++) {
        if (r->c[i].mode == RIDE_OPEN)
            continue;
        margins_of(r, i, y, margins, ends);
        for (int m = 0; m < MARGINS; m++)
            if (margins[m] < least)
                least = margins[m], *why = ends[m];
    }
    return least;
}

/* The first s at which a margin is gone; h when none is. */
static double first_break(ride *r, track *const *k, ride_end *why)
{
    double a = 0, h = k[0]->h;
    ride_end at = RIDE_GOES_ON;
    for (int i = 1; i <= SAMPLES; i++) {
        double b = h * i / SAMPLES, fb = margin_at(r, k, b, &at);
        if (fb >= -ROUND_SPEED) {
            a = b;
            continue;
        }
        for (int n = 0; n < HALVINGS && b - a > EPS * (fabs(k[0]->t0) + b); n++) {
            double m = 0.5 * (a + b);
            ride_end here;
            if (margin_at(r, k, m, &here) >= (at == RIDE_STICKS ? 0 : -ROUND_SPEED))
                a = m;
            else
                b = m, at = here;
        }
        *why = at;
        return b;
    }
    *why = RIDE_GOES_ON;
    return h;
}

/* Forces of contacts that repeat each other are not unique: those at hand may exceed a bound of friction where others
 * would not, which the choice of modes has found. Then the piece may exceed it by ten times as much; on other bodies,
 * which may need all the friction there is for as long as they slide together, by a hundredth of the weight more. */
static double stick_slack(const ride *r, const ride_contact *c)
{
    double friction = sqrt(c->force[0] * c->force[0] + c->force[1] * c->force[1]);
    double excess = (friction - c->mu_s * c->force[2]) / (r->mass * r->strength);
    if (r->count == 1 || has_patch(c) || c->mode != RIDE_STICK)
        return 0;
    if (r->members == 1)
        return max(10 * excess, ROUND_SPEED);
    /* until modes are chosen again */
    return excess > -SAME ? excess + 10 * SMALL_SHARE : SAME;
}

static bool slips(const ride *r)
{
    for (int k = 0; k < r->count; k++)
        if (r->c[k].mode == RIDE_SLIP || r->c[k].mode == RIDE_ONSET)
            return true;
    return false;
}

static void repeat(const ride *r, const double *start, node_rates f)
{
    for (int j = 0; j < GAUSS_NODES; j++)
        memcpy(f[j], start, (size_t)ride_states(r) * sizeof *start);
}

/* Do slips go along straight lines? Then they keep their directions until they end, which the margins see. */
static bool slips_straight(ride *r, const double *y, double h, node_rates f)
{
    double here[RIDE_STATE], start = r->time;
    const node_search x = {.size = ride_states(r), .h = h, .y = y};
    bool straight = true;
    for (int j = 0; j < GAUSS_NODES && straight; j++) {
        nodes_state(&x, gauss_node[j], f, here);
        r->time = start + gauss_node[j] * h;
        ride_aim(r, here);
        for (int k = 0; k < r->count; k++) {
            const ride_contact *c = &r->c[k];
            if (c->mode != RIDE_SLIP && c->mode != RIDE_ONSET)
                continue;
            carom_vec3 u = slip_velocity(r, k, here);
            u = carom_vec3_sub(u, carom_vec3_scale(carom_vec3_dot(u, c->slip), c->slip));
            straight &= c->mode == RIDE_SLIP && !has_patch(c) && carom_vec3_length(u) <= rest_speed(r);
        }
    }
    r->time = start;
    ride_aim(r, y);
    return straight;
}

/* Rates at the nodes of a piece of length h: by iteration, or, from a first guess in which slips keep their directions,
 * by Newton's method. */
static bool solve_nodes(ride *r, const double *y, double h, const double *size, node_rates f)
{
    double start[RIDE_STATE];
    memcpy(start, f[0], (size_t)ride_states(r) * sizeof *start);
    r->straight = false;
    if (collocate(r, y, h, f))
        return true;
    if (!slips(r))
        return false;
    repeat(r, start, f);
    r->frozen = true;
    bool settles = collocate(r, y, h, f);
    r->frozen = false;
    r->straight = settles && slips_straight(r, y, h, f);
    return settles && (r->straight || collocate_newton(r, y, h, size, f));
}

/* The tracks of all members; returns the largest tail. */
static double make_tracks(const ride *r, double t, double h, const double *y, node_rates f, const double *size,
                          track *const *out)
{
    double worst = 0, own[GAUSS_NODES][STATE];
    for (int m = 0; m < r->members; m++) {
        for (int j = 0; j < GAUSS_NODES; j++)
            memcpy(own[j], f[j] + STATE * m, sizeof own[j]);
        track_make(y + STATE * m, t, h, own, out[m]);
        worst = max(worst, tail_of(size + STATE * m, out[m]));
    }
    return worst;
}

/* Does the motion begin with the rates that it has there? Friction many times the load drives the load away from where
 * it is within a short time; polynomials over a long one follow where it would stay. Where a slip has a direction, that
 * of its first moments is of no account. */
static bool begins_well(const ride *r, const double *start, const double *size, track *const *k)
{
    for (int c = 0; c < r->count; c++)
        if (r->c[c].mode == RIDE_SLIP)
            return true;
    for (int i = 0; i < ride_states(r); i++) {
        const track *own = k[i / STATE];
        if (fabs(own->c[i % STATE][1] - own->h * start[i]) > SAME * size[i])
            return false;
    }
    return true;
}

static void copy_tracks(const ride *r, track *const *from, track *to)
{
    for (int m = 0; m < r->members; m++)
        to[m] = *from[m];
}

/* The longest piece, from h downwards, whose polynomials hold. */
static bool find_length(ride *r, double t, const double *y, double h, track *const *out)
{
    double start[RIDE_STATE], size[RIDE_STATE], last = INFINITY;
    node_rates f;
    take_nodes(r, f);
    track *longer = TAKE(r->arena, track, r->members);
    copy_tracks(r, out, longer);
    ride_rates(r, y, start, NULL);
    for (int n = 0; n < PIECE_HALVINGS; n++, h *= 0.5) {
        sizes_of(r, y, h, size);
        repeat(r, start, f);
        if (!solve_nodes(r, y, h, size, f))
            continue;
        double tail = make_tracks(r, t, h, y, f, size, out);
        if (!begins_well(r, start, size, out))
            continue;
        /* a digit less than the states are good for; in flight they grow */
        if (tail <= (r->count ? 0.1 * ROUND_PLACE : ROUND_PLACE))
            return true;
        if (tail <= SAME && tail > TAIL_FALLS * last) {
            for (int m = 0; m < r->members; m++)
                *out[m] = longer[m];
            return true;
        }
        copy_tracks(r, out, longer);
        last = tail;
    }
    return false;
}

/* Loads of contacts that repeat each other are not unique either: where the least ones make a contact pull that presses
 * by the choice of modes, it gets less of a share, so that it bears next to nothing. */
static void share_loads(ride *r, const double *y, double *f)
{
    double weight = r->mass * r->strength;
    for (bool changed = r->count > 1 && !r->resists; changed;) {
        changed = false;
        for (int k = 0; k < r->count; k++) {
            ride_contact *c = &r->c[k];
            if (c->mode == RIDE_OPEN || c->share < 1 || !(c->force[2] < -ROUND_SPEED * weight))
                continue;
            c->share = SMALL_SHARE;
            changed = true;
        }
        if (changed)
            ride_rates(r, y, f, NULL);
    }
    for (int k = 0; k < r->count; k++)
        r->c[k].pull = r->c[k].share < 1 ? max(0, -2 * r->c[k].force[2] / weight) + SAME : 0;
}

/* What slips, turns and friction of a piece are compared with. */
static void set_scales(ride *r, const double *y)
{
    for (int k = 0; k < r->count; k++) {
        ride_contact *c = &r->c[k];
        carom_vec3 u = contact_velocity(r, k, y), w = turn_against(r, k, y);
        double least = VISIBLE * sqrt(r->strength / ride_size(r));
        c->roll.rate = max(fabs(carom_vec3_dot(c->roll.axis, w)), least);
        c->slack = stick_slack(r, c);
        glide x = glide_of(r, k, y);
        double slip = has_patch(c) ? glide_size(&x) : fabs(carom_vec3_dot(u, c->slip));
        c->u_n = max(slip, VISIBLE * sqrt(r->strength * ride_radius(r)));
    }
}

/* Twice the length of the last piece; of the first one, a share of the time scale. */
static double first_length(const ride *r, const double *y, track *const *out)
{
    double h = INFINITY;
    for (int m = 0; m < r->members; m++)
        if (out[m]->h > 0 && out[m]->h < INFINITY)
            h = min(h, 2 * out[m]->h);
    return h < INFINITY ? h : PIECE_FIRST * time_scale(r, y);
}

/* A piece of slip and spin of patches does not go beyond half of what is left of them: where they end, friction has no
 * direction. Nearer and nearer to the end its direction settles, and once it is known well enough it is kept. */
static double brake_length(ride *r, const double *y)
{
    patch_end e = patch_ends(r, y);
    /* error of the time at which slip and spin end together */
    r->frozen = e.error <= 10 * SMALL_SHARE * r->sim->scene->resting_time;
    return r->frozen ? 2 * e.left : 0.5 * e.left;
}

ride_end ride_piece(ride *r, double t, const double *y, double last, track *const *out)
{
    double f[RIDE_STATE];
    ride_end why = RIDE_GOES_ON;
    double h = min(first_length(r, y, out), min(last - t, 2 * time_scale(r, y)));
    r->time = t;
    if (r->resists)
        h = min(h, brake_length(r, y));
    ride_rates(r, y, f, NULL);
    share_loads(r, y, f);
    set_scales(r, y);
    arena_mark mark = arena_now(r->arena);
    bool found = find_length(r, t, y, h, out);
    arena_back(r->arena, mark);
    if (!found)
        return RIDE_FAILS;
    for (int m = 0; m < r->members; m++)
        if (r->m[m].fields)
            field_work(r->m[m].fields, out[m]);
    if (r->is_driven || r->resists)
        integrate_works(r, out);
    double end = t + (r->count ? first_break(r, out, &why) : out[0]->h);
    if (why == RIDE_GOES_ON && out[0]->h >= last - t)
        end = last;
    for (int m = 0; m < r->members; m++)
        out[m]->end = end;
    return why;
}
