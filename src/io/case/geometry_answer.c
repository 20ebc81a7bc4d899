/* The shapes of an impact as numbers. */
#include <math.h>

#include "carom/case.h"
#include "carom/elementary.h"
#include "carom/geometry.h"
#include "carom/json_short.h"
#include "carom/solve.h"

#define DEGREE   0.017453292519943295
#define PARALLEL 1e-9 /* of |u_t| |u_t after|: slips closer to parallel span no plane */

/* A contact vector as the case counts. */
static json_t *json_vector(const carom_case *c, carom_cvec v)
{
    return c->dim == 3 ? json_pack("[f, f, f]", v.t1, v.t2, v.n) : json_pack("[f, f]", v.t1, v.n);
}

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
    if (!(fabs(det) > PARALLEL * scale))
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

carom_json *carom_case_geometry(const carom_case *c)
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
