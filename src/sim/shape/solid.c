/* Mass, centre and inertia of solids. Shapes have formulas; hulls are cut into tetrahedra (in the plane: triangles)
 * under their faces; compounds add their parts by the parallel-axis theorem. */
#include "carom/sim.h"

#include <math.h>

#include "carom/assert.h"
#include "core/rotate.h"
#include "sim/shape/hull.h"
#include "sim/world/tolerance.h"

/* Volume (in the plane: area), its first moment, and second moments of position about the origin. */
typedef struct content {
    double volume;
    carom_vec3 first;
    carom_sym3 second;
} content;

static void add_content(content *sum, const content *x, double sign)
{
    sum->volume += sign * x->volume;
    sum->first = vec_plus(sum->first, sign, x->first);
    sum->second.xx += sign * x->second.xx, sum->second.xy += sign * x->second.xy, sum->second.xz += sign * x->second.xz;
    sum->second.yy += sign * x->second.yy, sum->second.yz += sign * x->second.yz, sum->second.zz += sign * x->second.zz;
}

/* The sum over the corners p of a simplex with the origin: int x x^T = V / ((d+1)(d+2)) (sum p p^T + s s^T). */
static content simplex(const carom_vec3 *p, int count, double volume)
{
    content c = {volume, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    carom_vec3 s = {0, 0, 0};
    for (int i = 0; i < count; i++)
        s = carom_vec3_add(s, p[i]);
    double f = volume / ((count + 1) * (count + 2));
    for (int i = 0; i <= count; i++) {
        carom_vec3 v = i < count ? p[i] : s;
        c.second.xx += f * v.x * v.x, c.second.xy += f * v.x * v.y, c.second.xz += f * v.x * v.z;
        c.second.yy += f * v.y * v.y, c.second.yz += f * v.y * v.z, c.second.zz += f * v.z * v.z;
    }
    c.first = carom_vec3_scale(volume / (count + 1), s);
    return c;
}

/* The corner of a face, with normal n, that is furthest from the origin of the points. */
static int furthest_corner(const hull_points *h, int i, carom_vec3 n)
{
    int first = i;
    for (int k = 0; k < hull_looks(h); k++) {
        const carom_vec3 *v = h->at;
        int m = hull_look(h, k);
        if (fabs(carom_vec3_dot(n, carom_vec3_sub(v[m], v[i]))) <= h->flat &&
            carom_vec3_dot(v[m], v[m]) > carom_vec3_dot(v[first], v[first]))
            first = m;
    }
    return first;
}

/* A way round a face: from its first corner towards the neighbour that comes first in the list. Mirrored points are so
 * taken in the same order, and sums over them have the same bits. */
typedef struct way_round {
    carom_vec3 n; /* the normal about which the way is counter-clockwise */
    double sign;  /* -1: that is the inward one */
    int first, second;
} way_round;

static way_round way_round_face(const hull_points *h, int i, carom_vec3 n)
{
    way_round w = {n, 1, furthest_corner(h, i, n), 0};
    carom_vec3 inward = carom_vec3_scale(-1, n);
    int ahead = hull_next(h, w.first, n), back = hull_next(h, w.first, inward);
    w.second = ahead;
    if (back >= 0 && back < ahead)
        w.n = inward, w.sign = -1, w.second = back;
    return w;
}

/* Fan over a face: tetrahedra to the origin of the points. */
static void add_face(void *sum, const hull_points *h, int i, carom_vec3 n)
{
    way_round w = way_round_face(h, i, n);
    int second = w.second;
    for (int guard = 0; guard < h->count && second >= 0; guard++) {
        int third = hull_next(h, second, w.n);
        if (third == w.first || third < 0)
            return;
        carom_vec3 p[3] = {h->at[w.first], h->at[second], h->at[third]};
        content c = simplex(p, 3, w.sign * carom_vec3_dot(p[0], carom_vec3_cross(p[1], p[2])) / 6);
        add_content(sum, &c, 1);
        second = third;
    }
}

/* The convex hull in the plane, by wrapping. */
static void add_polygon(const hull_points *h, content *sum)
{
    way_round w = way_round_face(h, 0, carom_vec3_make(0, 0, 1));
    int at = w.first, to = w.second;
    for (int guard = 0; guard < h->count && to >= 0; guard++) {
        carom_vec3 p[2] = {h->at[at], h->at[to]};
        content c = simplex(p, 2, w.sign * (p[0].x * p[1].y - p[0].y * p[1].x) / 2);
        add_content(sum, &c, 1);
        if (to == w.first)
            return;
        at = to;
        to = hull_next(h, at, w.n);
    }
}

/* Inertia from second moments about the centre. */
static carom_sym3 inertia_of(const content *c, double density, carom_vec3 centre)
{
    double m = density * c->volume;
    double xx = density * c->second.xx - m * centre.x * centre.x, yy = density * c->second.yy - m * centre.y * centre.y,
           zz = density * c->second.zz - m * centre.z * centre.z, xy = density * c->second.xy - m * centre.x * centre.y,
           xz = density * c->second.xz - m * centre.x * centre.z, yz = density * c->second.yz - m * centre.y * centre.z;
    carom_sym3 I = {yy + zz, -xy, -xz, xx + zz, -yz, xx + yy};
    return I;
}

static bool is_positive(double x)
{
    return x > 0 && x < INFINITY;
}

static carom_status hull_body(const carom_solid *h, int dim, double density, carom_body_def *def, carom_vec3 *centre)
{
    if (h->point_count < (dim == 2 ? 3 : 4) || !h->points)
        return CAROM_STATUS_BAD_SHAPE;
    for (int i = 0; i < h->point_count; i++)
        if (!isfinite(h->points[i].x + h->points[i].y + h->points[i].z))
            return CAROM_STATUS_NOT_FINITE;
    content c = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    hull_points points = hull_of(h->points, h->point_count);
    if (dim == 2)
        add_polygon(&points, &c);
    else
        hull_faces(&points, add_face, &c);
    if (!(c.volume > ROUND_PLACE * (dim == 2 ? points.size * points.size : points.size * points.size * points.size)))
        return CAROM_STATUS_BAD_SHAPE;
    double rho = density > 0 ? density : def->mass / c.volume;
    *centre = carom_vec3_scale(1 / c.volume, c.first);
    def->mass = rho * c.volume;
    def->inertia = inertia_of(&c, rho, *centre);
    return CAROM_STATUS_OK;
}

/* Areas in the plane, volumes in space. */
static double shape_content(const carom_shape *shape, int dim)
{
    const double *s = shape->size;
    if (dim == 3)
        return carom_shape_volume(shape);
    return shape->kind == CAROM_SHAPE_BOX                                         ? s[0] * s[1]
           : shape->kind == CAROM_SHAPE_DISK || shape->kind == CAROM_SHAPE_SPHERE ? 3.14159265358979323846 * s[0] * s[0]
                                                                                  : 0;
}

static carom_status shape_body(const carom_shape *shape, int dim, double density, carom_body_def *def)
{
    carom_shape flat = *shape;
    if (dim == 2 && shape->kind == CAROM_SHAPE_BOX)
        flat.size[2] = fmax(flat.size[0], flat.size[1]); /* only the moment about z is read */
    double m = density > 0 ? density * shape_content(shape, dim) : def->mass;
    carom_body_def made = carom_shape_body(&flat, 1);
    if (!is_positive(made.mass))
        return CAROM_STATUS_BAD_SHAPE;
    if (!is_positive(m))
        return CAROM_STATUS_BAD_MASS;
    made = carom_shape_body(&flat, m);
    def->mass = made.mass;
    def->inertia = made.inertia;
    if (dim == 2 && shape->kind == CAROM_SHAPE_ROD)
        def->inertia.zz = made.inertia.xx;
    return CAROM_STATUS_OK;
}

/* Add a part, turned, at its distance r from the common centre: I + m (r.r - r r^T). */
static void add_part(carom_sym3 *I, const carom_body_def *part, carom_quat q, carom_vec3 r)
{
    carom_sym3 t = quat_turn_sym3(q, part->inertia);
    double m = part->mass;
    I->xx += t.xx + m * (r.y * r.y + r.z * r.z), I->yy += t.yy + m * (r.x * r.x + r.z * r.z);
    I->zz += t.zz + m * (r.x * r.x + r.y * r.y);
    I->xy += t.xy - m * r.x * r.y, I->xz += t.xz - m * r.x * r.z, I->yz += t.yz - m * r.y * r.z;
}

/* Where the centre of mass of a part lies in the compound. */
static carom_status part_body(const carom_part *part, int dim, carom_body_def *def, carom_vec3 *at)
{
    carom_vec3 centre = {0, 0, 0};
    if (part->solid.kind == CAROM_SOLID_COMPOUND || part->solid.kind == CAROM_SOLID_HALF_SPACE ||
        part->solid.kind == CAROM_SOLID_PARTICLE || !is_positive(part->density))
        return CAROM_STATUS_BAD_SHAPE;
    carom_status status = carom_solid_body(&part->solid, dim, part->density, def, &centre);
    *at = part->position; /* of the centre of mass: hulls are moved there */
    return status;
}

static carom_status compound_body(const carom_solid *s, int dim, double scale, carom_body_def *def, carom_vec3 *centre)
{
    carom_vec3 first = {0, 0, 0}, at;
    carom_body_def part;
    double total = 0;
    if (s->part_count < 1 || !s->parts)
        return CAROM_STATUS_BAD_SHAPE;
    for (int i = 0; i < s->part_count; i++) {
        carom_status status = part_body(&s->parts[i], dim, &part, &at);
        if (status)
            return status;
        total += part.mass;
        first = vec_plus(first, part.mass, at);
    }
    *centre = carom_vec3_scale(1 / total, first);
    carom_sym3 I = {0, 0, 0, 0, 0, 0};
    scale = scale > 0 ? scale : def->mass / total;
    for (int i = 0; i < s->part_count; i++) {
        carom_status status = part_body(&s->parts[i], dim, &part, &at);
        if (status)
            return status;
        carom_quat q = s->parts[i].orientation;
        add_part(&I, &part, quat_scale(1 / quat_norm(q), q), carom_vec3_sub(at, *centre));
    }
    def->mass = scale * total;
    def->inertia = (carom_sym3){scale * I.xx, scale * I.xy, scale * I.xz, scale * I.yy, scale * I.yz, scale * I.zz};
    return CAROM_STATUS_OK;
}

carom_status carom_solid_body(const carom_solid *solid, int dim, double density, carom_body_def *def,
                              carom_vec3 *centre)
{
    CAROM_ASSERT(solid && def && (dim == 2 || dim == 3));
    carom_vec3 at = {0, 0, 0};
    carom_status status = CAROM_STATUS_BAD_SHAPE;
    if (!is_positive(density > 0 ? density : def->mass))
        return CAROM_STATUS_BAD_MASS;
    if (solid->kind == CAROM_SOLID_SHAPE)
        status = shape_body(&solid->shape, dim, density, def);
    else if (solid->kind == CAROM_SOLID_HULL)
        status = hull_body(solid, dim, density, def, &at);
    else if (solid->kind == CAROM_SOLID_COMPOUND)
        status = compound_body(solid, dim, density, def, &at);
    else if (solid->kind == CAROM_SOLID_PARTICLE) { /* it never turns: any inertia serves */
        status = density > 0 ? CAROM_STATUS_BAD_MASS : CAROM_STATUS_OK;
        def->inertia = (carom_sym3){def->mass, 0, 0, def->mass, 0, def->mass};
    }
    if (centre)
        *centre = at;
    return status;
}
