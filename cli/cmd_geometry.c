/* carom geometry: the shapes of an impact as numbers. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/elementary.h"
#include "carom/geometry.h"
#include "cli.h"
#include "input.h"
#include "json.h"
#include "options.h"
#include "table.h"

#define DEGREE 0.017453292519943295

typedef struct session {
    bool json;
    settings settings;
} session;

static json_t *number(double value)
{
    return isfinite(value) && fabs(value) < CAROM_UNBOUNDED ? json_real(value + 0.0) : json_null();
}

static json_t *pair(double a, double b)
{
    json_t *array = json_array();
    json_array_append_new(array, number(a));
    json_array_append_new(array, number(b));
    return array;
}

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static json_t *matrix_json(const carom_case *c, const carom_ellipsoid *e, double energy)
{
    json_t *values = json_array(), *axes = json_array(), *object = json_object();
    for (int i = 0; i < e->rank; i++) {
        json_array_append_new(values, number(2 * energy / (e->radius[i] * e->radius[i])));
        json_array_append_new(axes, json_vector(c, e->axis[i]));
    }
    set(object, "rank", json_integer(e->rank));
    set(object, "eigenvalues", values);
    set(object, "axes", axes);
    return object;
}

static json_t *ellipsoid_json(const carom_case *c, const carom_ellipsoid *e, double energy)
{
    json_t *radii = json_array(), *object = json_object();
    for (int i = 0; i < e->rank; i++)
        json_array_append_new(radii, number(e->radius[i]));
    set(object, "centre", json_vector(c, e->centre));
    set(object, "radii", radii);
    set(object, "contact_energy", number(energy));
    return object;
}

static json_t *sticking_json(const carom_case *c)
{
    carom_sticking s;
    if (carom_sticking_of(&c->problem, c->rule.coeffs.mu, &s) != CAROM_STATUS_OK)
        return json_null();
    json_t *object = json_object();
    set(object, "point", json_vector(c, s.line.point));
    set(object, "direction", json_vector(c, s.line.direction));
    set(object, "compression_p_n", number(s.centre));
    set(object, "energy_p_n", pair(s.energy[0], s.energy[1]));
    set(object, "cone_p_n", s.cone[0] <= s.cone[1] ? pair(s.cone[0], s.cone[1]) : json_null());
    set(object, "holds", json_boolean(s.is_within_cone));
    return object;
}

static json_t *region_json(const carom_case *c)
{
    static const char *const kinds[] = {"compression", "cone+", "energy", "cone-"};
    carom_region r;
    if (carom_region_of(&c->problem, c->rule.coeffs.mu, &r) != CAROM_STATUS_OK)
        return json_null();
    json_t *object = json_object(), *edges = json_array();
    set(object, "bounded", json_boolean(r.bounded));
    set(object, "angles_degrees", pair(r.angle[0] / DEGREE, r.angle[1] / DEGREE));
    for (int i = 0; i < r.count; i++) {
        const carom_edge *e = &r.edges[i];
        json_t *edge = json_object();
        set(edge, "kind", json_string(kinds[e->kind]));
        set(edge, "from", e->from.at_infinity ? json_null() : pair(e->from.p.t1, e->from.p.n));
        set(edge, "to", e->to.at_infinity ? json_null() : pair(e->to.p.t1, e->to.p.n));
        json_array_append_new(edges, edge);
    }
    set(object, "edges", edges);
    return object;
}

static json_t *rays_json(const carom_case *c)
{
    static const char *const kinds[] = {"converging", "stationary", "diverging"};
    carom_hodograph h;
    if (c->dim == 2 || carom_hodograph_of(&c->problem.K, c->rule.coeffs.mu, &h) != CAROM_STATUS_OK)
        return json_null();
    json_t *object = json_object(), *rays = json_array();
    set(object, "all_invariant", json_boolean(h.every));
    set(object, "sticks", json_boolean(h.sticks));
    for (int i = 0; i < h.count; i++) {
        const carom_ray *ray = &h.rays[i];
        carom_slip_rates at = carom_slip_rates_at(&c->problem.K, c->rule.coeffs.mu, ray->direction);
        json_t *one = json_object();
        set(one, "angle_degrees", number(ray->angle / DEGREE));
        set(one, "kind", json_string(kinds[ray->kind]));
        set(one, "slip_rate", number(ray->g));
        set(one, "normal_rate", number(at.h));
        set(one, "stability", json_string(ray->attracting ? "attracting" : ray->repelling ? "repelling" : "neither"));
        json_array_append_new(rays, one);
    }
    set(object, "rays", rays);
    return object;
}

/* p_t = -(a u_t + b u_t after): the span condition holds when a, b >= 0. */
static json_t *span_json(carom_cvec u, const carom_outcome *out)
{
    carom_cvec v = out->u_after, p = out->p;
    double det = u.t1 * v.t2 - u.t2 * v.t1, scale = carom_cvec_slip(u) * carom_cvec_slip(v);
    if (!(fabs(det) > 1e-9 * scale))
        return json_null();
    double a = -(p.t1 * v.t2 - p.t2 * v.t1) / det, b = -(u.t1 * p.t2 - u.t2 * p.t1) / det;
    json_t *object = json_object();
    set(object, "a", number(a));
    set(object, "b", number(b));
    set(object, "holds", json_boolean(a >= 0 && b >= 0));
    return object;
}

/* eta along the direction of p: where the plane of maximum compression is crossed, and 1 on the ellipsoid. */
static json_t *eta_range_json(const carom_problem *pb, carom_cvec p)
{
    double rise = carom_csym_apply(pb->K, p).n, low;
    if (!(rise > 0) || carom_ivanov_eta(pb, carom_cvec_scale(-pb->u.n / rise, p), &low) != CAROM_STATUS_OK)
        return json_null();
    return pair(low, 1);
}

/* e, share and turn of the law region; null outside the region. */
static json_t *place_json(const carom_case *c, carom_cvec p)
{
    carom_region_place place;
    if (carom_region_place_of(&c->problem, c->rule.coeffs.mu, p, &place) != CAROM_STATUS_OK)
        return json_null();
    json_t *object = json_object();
    set(object, "e", number(place.e));
    set(object, "share", number(place.share));
    set(object, "turn", number(place.turn));
    return object;
}

static json_t *outcome_json(const carom_case *c)
{
    carom_outcome out;
    carom_distances d;
    double eta;
    if (!c->rule.law || carom_status_is_error(carom_solve(&c->problem, &c->rule, NULL, &out)))
        return json_null();
    json_t *object = json_object();
    set(object, "law", json_string(c->rule.law->id));
    set(object, "p", json_vector(c, out.p));
    set(object, "eta", carom_ivanov_eta(&c->problem, out.p, &eta) == CAROM_STATUS_OK ? number(eta) : json_null());
    set(object, "eta_range", eta_range_json(&c->problem, out.p));
    set(object, "place", place_json(c, out.p));
    if (carom_distances_at(&c->problem, c->rule.coeffs.mu, out.p, &d) == CAROM_STATUS_OK) {
        json_t *distances = json_object();
        set(distances, "compression", number(d.compression));
        set(distances, "energy", number(d.energy));
        set(distances, "cone", number(d.cone));
        set(object, "distances", distances);
    }
    set(object, "span", c->dim == 3 ? span_json(c->problem.u, &out) : json_null());
    return object;
}

static json_t *geometry_json(const carom_case *c)
{
    json_t *all = json_object(), *cone = json_object(), *plane = json_object();
    carom_ellipsoid e;
    double energy = carom_problem_energy(&c->problem);
    const carom_csym *K = &c->problem.K;
    if (c->name)
        set(all, "name", json_string(c->name));
    if (carom_ellipsoid_of(&c->problem, &e) == CAROM_STATUS_OK) {
        set(all, "K", matrix_json(c, &e, energy));
        set(all, "ellipsoid", ellipsoid_json(c, &e, energy));
    }
    set(cone, "mu", isinf(c->rule.coeffs.mu) ? json_string("infinite") : number(c->rule.coeffs.mu));
    set(cone, "half_angle_degrees", number(carom_atan(c->rule.coeffs.mu) / DEGREE));
    set(all, "cone", cone);
    set(plane, "normal", json_vector(c, carom_cvec_make(K->t1n, K->t2n, K->nn)));
    set(plane, "offset", number(-c->problem.u.n));
    set(all, "compression_plane", plane);
    set(all, "sticking", sticking_json(c));
    set(all, "region", region_json(c));
    set(all, "slip_plane", rays_json(c));
    set(all, "outcome", outcome_json(c));
    return all;
}

/* ---- text: the same tree, a line per leaf ---- */

static bool is_leaf(const json_t *value)
{
    return !json_is_object(value) && !(json_is_array(value) && json_is_object(json_array_get(value, 0))) &&
           !(json_is_array(value) && json_is_array(json_array_get(value, 0)));
}

static void print_leaf(const json_t *value)
{
    size_t i;
    json_t *item;
    if (json_is_array(value)) {
        json_array_foreach((json_t *)value, i, item)
        {
            fputs(i ? "  " : "", stdout);
            print_leaf(item);
        }
    } else if (json_is_number(value))
        printf("%.6g", json_number_value(value));
    else if (json_is_string(value))
        text_put(json_string_value(value));
    else
        fputs(json_is_true(value) ? "yes" : json_is_false(value) ? "no" : "-", stdout);
}

static void print_tree(const json_t *value, int depth)
{
    const char *key;
    json_t *item;
    size_t i;
    if (json_is_array(value) && !is_leaf(value)) {
        json_array_foreach((json_t *)value, i, item)
        {
            printf("%*s%-*zu", 2 * depth, "", is_leaf(item) ? 26 - 2 * depth : 1, i + 1);
            if (is_leaf(item))
                print_leaf(item);
            putchar('\n');
            if (!is_leaf(item))
                print_tree(item, depth + 1);
        }
        return;
    }
    if (is_leaf(value)) {
        printf("%*s", 2 * depth, "");
        print_leaf(value);
        putchar('\n');
        return;
    }
    json_object_foreach((json_t *)value, key, item)
    {
        printf("%*s%-*s", 2 * depth, "", is_leaf(item) ? 26 - 2 * depth : 1, key);
        if (is_leaf(item))
            print_leaf(item);
        putchar('\n');
        if (!is_leaf(item))
            print_tree(item, depth + 1);
    }
}

static int geometry_case(carom_case *c, void *context)
{
    session *s = context;
    carom_case_error error;
    bool fine = c->rule.law || s->settings.law ? settings_apply(&s->settings, c, &error)
                                               : settings_apply_to_all(&s->settings, c, &error);
    if (!fine || !settings_warn(&s->settings, c, &error)) {
        fprintf(stderr, "%s%s", error.message, error.message[0] ? "\n" : "");
        return BAD_INPUT;
    }
    json_t *all = geometry_json(c);
    if (s->json)
        json_print(stdout, all, false);
    else
        print_tree(all, 0);
    json_decref(all);
    return FINE;
}

/* ---- options ---- */

static const option_row options[] = {JSON_OPTION(session, "the same as JSON"),
                                     LAW_OPTION(session),
                                     SET_OPTION(session),
                                     STRICT_OPTION(session),
                                     {.name = NULL}};

const command_help help_geometry = {
    .usage = "usage: carom geometry [options] CASE\n\n"
             "Prints the geometry of one case as numbers: eigenvalues and axes of K, the energy ellipsoid, the\n"
             "friction cone, the plane of maximum compression, the line of sticking, the accessible region of a\n"
             "planar case, the invariant rays of the slip plane, and for the case's law where its impulse lies:\n"
             "Ivanov's eta, the range of eta inside the region, its place in the region (the coefficients with\n"
             "which the law region gives it), distances to the borders, and the span condition.\n\n",
    options,
    "\nexample    carom geometry examples/cases/rod.json --law routh-stronge\n"};

int cmd_geometry(int argc, char **argv)
{
    session s = {0};
    if (!options_read("geometry", &help_geometry, argc, argv, &s))
        return BAD_INPUT;
    if (argc - optind != 1)
        return complain("geometry: expected one case; see `carom geometry --help`");
    return input_one_case("geometry", argv[optind], geometry_case, &s);
}
