/* One step of Gauss collocation with seven nodes: order 14 at its end, a polynomial of degree seven inside. */
#include "sim/collocate_newton.h"
#include "sim/fields.h"
#include "sim/ground.h"
#include "sim/ride.h"

enum { FIXED_POINT = 60, HALVINGS = 24, SAMPLES = 12, LOCATE = 100 };
#define FIXED_TOL  (4 * EPS) /* of the sizes of the state: the iteration has settled */
#define TAIL_TOL   1e-13     /* of the sizes of the state: last coefficient of the polynomials */
#define FLIGHT_TOL 1e-12     /* the same in flight, of what the state changes by within a piece */
#define TAIL_FALLS 0.1       /* a tail that half the length does not bring below this share of itself is rounding */
#define TAIL_MOST  1e-9      /* if it is no more than this */
#define TAIL_NOISE 1e-11     /* of the first coefficient: rounding of the rates in the last one */
#define FIRST_STEP 0.05      /* of the time scales of the body */

/* Sizes of place, orientation, velocity and angular velocity. */
static void sizes_of(const ride *r, const double y[STATE], double h, double size[STATE])
{
    double R = ride_size(r), g = r->strength;
    double w = sqrt(y[10] * y[10] + y[11] * y[11] + y[12] * y[12]);
    double speed = sqrt(y[7] * y[7] + y[8] * y[8] + y[9] * y[9]) + R * w + 1e-3 * sqrt(g * R);
    double turn = speed / R, length = R;
    if (r->count == 0) { /* in flight: what happens within the piece */
        speed += g * h;
        length += speed * h;
        turn = w + 1e-300;
    }
    for (int i = 0; i < STATE; i++)
        size[i] = i < 3 ? length : i < 7 ? 1 : i < 10 ? speed : turn;
}

static double flight_scale(const ride *r, const double y[STATE])
{
    carom_body b = {.inv_mass = 1 / r->mass, .inv_inertia = r->inv_inertia};
    b.velocity = carom_vec3_make(y[7], y[8], y[9]);
    b.omega = carom_vec3_make(y[10], y[11], y[12]);
    return 1 / (field_rate(r->fields, &b, r->strength) + (r->steady ? 0 : carom_vec3_length(b.omega)) + 1e-300);
}

static double time_scale(const ride *r, const double y[STATE])
{
    double R = ride_size(r), g = r->strength;
    double w = sqrt(y[10] * y[10] + y[11] * y[11] + y[12] * y[12]);
    return r->count == 0 ? flight_scale(r, y) : 1 / (w + sqrt(g / R) + 1e-300);
}

void track_weights(double h, double x, double weight[GAUSS_NODES])
{
    for (int j = 0; j < GAUSS_NODES; j++) {
        weight[j] = gauss_integral[j][GAUSS_NODES - 1];
        for (int k = GAUSS_NODES - 2; k >= 0; k--)
            weight[j] = weight[j] * x + gauss_integral[j][k];
        weight[j] *= h * x;
    }
}

/* y + h times the integrals up to x of the rates at the nodes. */
static void advance_to(const double y[STATE], double h, double f[GAUSS_NODES][STATE], double x, double out[STATE])
{
    double weight[GAUSS_NODES];
    track_weights(h, x, weight);
    for (int i = 0; i < STATE; i++) {
        out[i] = y[i];
        for (int j = 0; j < GAUSS_NODES; j++)
            out[i] += weight[j] * f[j][i];
    }
}

/* Rates at all nodes; false: the iteration does not settle. */
static bool collocate(ride *r, const double y[STATE], double h, double f[GAUSS_NODES][STATE])
{
    double size[STATE], last = INFINITY, start = r->time;
    sizes_of(r, y, h, size);
    for (int step = 0; step < FIXED_POINT; step++) {
        double change = 0, next[GAUSS_NODES][STATE];
        for (int j = 0; j < GAUSS_NODES; j++) {
            double here[STATE];
            advance_to(y, h, f, gauss_node[j], here);
            r->time = start + gauss_node[j] * h;
            ride_rates(r, here, next[j], NULL);
            for (int i = 0; i < STATE; i++)
                change = max(change, h * fabs(next[j][i] - f[j][i]) / size[i]);
        }
        memcpy(f, next, sizeof next);
        r->time = start;
        if (change <= FIXED_TOL || (step > 12 && change <= 1e-13 && change >= last))
            return true;
        if (!(change < 1e6))
            return false;
        last = change;
    }
    return false;
}

void track_integrate(double h, const double f[GAUSS_NODES], double c[GAUSS_NODES + 1])
{
    c[0] = 0;
    for (int k = 0; k < GAUSS_NODES; k++) {
        double sum = 0;
        for (int j = 0; j < GAUSS_NODES; j++)
            sum += gauss_integral[j][k] * f[j];
        c[k + 1] = h * sum;
    }
}

void track_make(const double y[STATE], double t, double h, double f[GAUSS_NODES][STATE], track *out)
{
    out->t0 = t;
    out->h = h;
    out->accel = out->turn = 0;
    memset(out->work, 0, sizeof out->work);
    memset(out->drive, 0, sizeof out->drive);
    out->driven = NULL;
    for (int i = 0; i < STATE; i++) {
        out->c[i][0] = y[i];
        for (int k = 0; k < GAUSS_NODES; k++) {
            double sum = 0;
            for (int j = 0; j < GAUSS_NODES; j++)
                sum += gauss_integral[j][k] * f[j][i];
            out->c[i][k + 1] = h * sum;
        }
    }
    double W = 0, rate = 0;
    for (int k = 0; k <= GAUSS_NODES; k++) {
        double v = 0, w = 0;
        for (int i = 0; i < 3; i++) {
            v += fabs(out->c[7 + i][k]);
            w += fabs(out->c[10 + i][k]);
        }
        out->accel += k * v / h;
        rate += k * w / h;
        W += w;
    }
    out->turn = W * W + rate;
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
        worst = max(worst, (tail - TAIL_NOISE * most) / size[group[g]]);
    }
    return worst;
}

static void state_on(const track *k, double s, double y[STATE])
{
    for (int i = 0; i < STATE; i++)
        y[i] = track_value(k, i, k->t0 + s);
}

/* The work of moving ground along the piece, from its power at the nodes. */
static void integrate_drive(ride *r, track *k)
{
    double power[GAUSS_NODES], y[STATE], f[STATE];
    for (int j = 0; j < GAUSS_NODES; j++) {
        state_on(k, gauss_node[j] * k->h, y);
        r->time = k->t0 + gauss_node[j] * k->h;
        ride_rates(r, y, f, NULL);
        power[j] = r->drive;
    }
    track_integrate(k->h, power, k->drive);
}

/* ---- where modes break ---- */

#define MARGIN_TOL 1e-12 /* of the weight: a contact that neither pulls nor gives way */
#define SLACK      0.01  /* of the same: by how much an excess of friction may grow before modes are chosen again */
#define STICK_TOL  1e-9  /* of the same: friction that exceeds its bound no more than this holds on */

/* The least margin of all contacts at s: positive while every mode holds. */
static double margin_at(ride *r, const track *k, double s, ride_end *why)
{
    double y[STATE], f[STATE], least = INFINITY, weight = r->mass * r->strength;
    state_on(k, s, y);
    r->time = k->t0 + s;
    ride_rates(r, y, f, NULL);
    *why = RIDE_GOES_ON;
    for (int i = 0; i < r->count; i++) {
        const ride_contact *c = &r->c[i];
        if (c->mode == RIDE_OPEN)
            continue;
        double margins[6] = {c->force[2] / weight, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
        if (c->mode == RIDE_STICK && c->mu_s > 0)
            margins[1] =
                (c->mu_s * c->force[2] - sqrt(c->force[0] * c->force[0] + c->force[1] * c->force[1])) / weight +
                c->slack;
        else if (c->mode == RIDE_SLIP || c->mode == RIDE_ONSET)
            margins[1] = carom_vec3_dot(c->slip, contact_velocity(r, i, y)) / c->u_n;
        carom_vec3 place = carom_vec3_add(carom_vec3_make(y[0], y[1], y[2]), contact_arm(r, i, y));
        margins[2] = inside_ground(r->sim, c->ground, &c->under, (touch_point){place, c->n, r->time}) /
                     mover_of(r->sim, r->body)->radius;
        if (c->mode == RIDE_ONSET && !r->planar && !r->resists)
            margins[5] = 2 - carom_vec3_length(contact_velocity(r, i, y)) / onset_speed(r);
        if (r->resists) {
            margins[3] = turn_margin(c, &c->roll, y, weight * ride_size(r));
            margins[4] = turn_margin(c, &c->whirl, y, weight * ride_size(r));
        }
        ride_end ends[6] = {RIDE_LIFTS,
                            c->mode == RIDE_STICK ? RIDE_SLIPS : RIDE_STICKS,
                            RIDE_LEAVES,
                            c->roll.mode == TURN_HELD ? RIDE_SLIPS : RIDE_STICKS,
                            c->whirl.mode == TURN_HELD ? RIDE_SLIPS : RIDE_STICKS,
                            RIDE_GOES_ON};
        for (int m = 0; m < 6; m++)
            if (margins[m] < least)
                least = margins[m], *why = ends[m];
    }
    return least;
}

/* The first s at which a margin is gone; h when none is. */
static double first_break(ride *r, const track *k, ride_end *why)
{
    double a = 0;
    ride_end at = RIDE_GOES_ON;
    for (int i = 1; i <= SAMPLES; i++) {
        double b = k->h * i / SAMPLES, fb = margin_at(r, k, b, &at);
        if (fb >= -MARGIN_TOL) {
            a = b;
            continue;
        }
        for (int n = 0; n < LOCATE && b - a > EPS * (fabs(k->t0) + b); n++) {
            double m = 0.5 * (a + b);
            ride_end here;
            if (margin_at(r, k, m, &here) >= (at == RIDE_STICKS ? 0 : -MARGIN_TOL))
                a = m;
            else
                b = m, at = here;
        }
        *why = at;
        return b;
    }
    *why = RIDE_GOES_ON;
    return k->h;
}

/* Forces of contacts that repeat each other are not unique: those at hand may exceed a bound of friction where others
 * would not, which the choice of modes has found. Then the piece may exceed it a little more. */
static double stick_slack(const ride *r, const ride_contact *c)
{
    double friction = sqrt(c->force[0] * c->force[0] + c->force[1] * c->force[1]);
    double excess = (friction - c->mu_s * c->force[2]) / (r->mass * r->strength);
    return r->count == 1 || c->mode != RIDE_STICK ? 0 : excess > -STICK_TOL ? excess + SLACK : STICK_TOL;
}

static bool slips(const ride *r)
{
    for (int k = 0; k < r->count; k++)
        if (r->c[k].mode == RIDE_SLIP || r->c[k].mode == RIDE_ONSET)
            return true;
    return false;
}

static void repeat(const double start[STATE], double f[GAUSS_NODES][STATE])
{
    for (int j = 0; j < GAUSS_NODES; j++)
        memcpy(f[j], start, STATE * sizeof *start);
}

/* Rates at the nodes of a piece of length h: by iteration, or, from a first guess in which slips keep their directions,
 * by Newton's method. */
static bool solve_nodes(ride *r, const double y[STATE], double h, const double size[STATE],
                        double f[GAUSS_NODES][STATE])
{
    double start[STATE];
    memcpy(start, f[0], sizeof start);
    if (collocate(r, y, h, f))
        return true;
    if (!slips(r))
        return false;
    repeat(start, f);
    r->frozen = true;
    bool settles = collocate(r, y, h, f);
    r->frozen = false;
    return settles && collocate_newton(r, y, h, size, f);
}

/* The longest piece, from h downwards, whose polynomials hold. */
static bool find_length(ride *r, double t, const double y[STATE], double h, track *out)
{
    double f[GAUSS_NODES][STATE], start[STATE], size[STATE], last = INFINITY;
    track longer = *out;
    ride_rates(r, y, start, NULL);
    for (int n = 0; n < HALVINGS; n++, h *= 0.5) {
        sizes_of(r, y, h, size);
        repeat(start, f);
        if (!solve_nodes(r, y, h, size, f))
            continue;
        track_make(y, t, h, f, out);
        double tail = tail_of(size, out);
        if (tail <= (r->count ? TAIL_TOL : FLIGHT_TOL))
            return true;
        if (tail <= TAIL_MOST && tail > TAIL_FALLS * last) {
            *out = longer;
            return true;
        }
        longer = *out;
        last = tail;
    }
    return false;
}

ride_end ride_piece(ride *r, double t, const double y[STATE], double last, track *out)
{
    double f[STATE];
    double h = out->h > 0 && out->h < INFINITY ? 2 * out->h : FIRST_STEP * time_scale(r, y);
    ride_end why = RIDE_GOES_ON;
    h = min(h, min(last - t, 2 * time_scale(r, y)));
    r->time = t;
    ride_rates(r, y, f, NULL);
    for (int k = 0; k < r->count; k++) { /* the speed that slips are compared with */
        ride_contact *c = &r->c[k];
        carom_vec3 u = contact_velocity(r, k, y);
        double least = 1e-6 * sqrt(r->strength / ride_size(r));
        c->roll.rate = max(fabs(carom_vec3_dot(c->roll.axis, vec_at(y + 10))), least);
        c->whirl.rate = max(fabs(carom_vec3_dot(c->whirl.axis, vec_at(y + 10))), least);
        c->slack = stick_slack(r, c);
        c->u_n = max(fabs(carom_vec3_dot(u, c->slip)), 1e-6 * sqrt(r->strength * mover_of(r->sim, r->body)->radius));
    }
    if (!find_length(r, t, y, h, out))
        return RIDE_FAILS;
    if (r->fields)
        field_work(r->fields, out);
    if (r->is_driven)
        integrate_drive(r, out);
    out->end = t + (r->count ? first_break(r, out, &why) : out->h);
    if (why == RIDE_GOES_ON && out->h >= last - t)
        out->end = last;
    return why;
}
