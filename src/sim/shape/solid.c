/* Mass, centre and inertia of solids. Shapes have formulas; hulls are cut into tetrahedra (in the plane: triangles)
 * under their faces; compounds add their parts by the parallel-axis theorem. */
#include "carom/sim.h"

#include <math.h>

#include "carom/assert.h"
#include "core/rotate.h"

#define LINE_TOL 1e-9  /* sine: three points this close to a line span no plane */
#define FLAT_TOL 1e-12 /* of the cube of the size of a hull: points this close to a plane lie in it */

/* Volume (in the plane: area), its first moment, and second moments of position about the origin. */
typedef struct content {
    double volume;
    carom_vec3 first;
    carom_sym3 second;
} content;

static void add_content(content *sum, const content *x, double sign)
{
    sum->volume += sign * x->volume;
    sum->first = carom_vec3_add(sum->first, carom_vec3_scale(sign, x->first));
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

static double det(carom_vec3 a, carom_vec3 b, carom_vec3 c)
{
    return carom_vec3_dot(a, carom_vec3_cross(b, c));
}

static double hull_size(const carom_solid *h)
{
    double size = 0;
    for (int i = 0; i < h->point_count; i++)
        size = fmax(size, carom_vec3_length(carom_vec3_sub(h->points[i], h->points[0])));
    return size;
}

/* Is the plane of i, j, k one of the hull, seen counter-clockwise from outside, and are these the first three of its
 * points? */
static bool is_face(const carom_solid *h, int i, int j, int k, double flat)
{
    carom_vec3 o = h->points[i], n = carom_vec3_cross(carom_vec3_sub(h->points[j], o), carom_vec3_sub(h->points[k], o));
    double edges =
        carom_vec3_length(carom_vec3_sub(h->points[j], o)) * carom_vec3_length(carom_vec3_sub(h->points[k], o));
    if (!(carom_vec3_length(n) > LINE_TOL * edges))
        return false;
    for (int m = 0; m < h->point_count; m++) {
        if (m == i || m == j || m == k)
            continue;
        double side = carom_vec3_dot(n, carom_vec3_sub(h->points[m], o));
        if (side > flat)
            return false;
        if (side >= -flat && m < (i < j ? (j < k ? k : j) : (i < k ? k : i)))
            return false; /* an earlier triple has this plane */
    }
    return true;
}

/* The next corner of a face after c, counter-clockwise about n: no other point of the face is to the right. */
static int next_corner(const carom_solid *h, int c, carom_vec3 n, double flat)
{
    int best = -1;
    carom_vec3 o = h->points[c];
    for (int m = 0; m < h->point_count; m++) {
        carom_vec3 d = carom_vec3_sub(h->points[m], o);
        if (m == c || fabs(carom_vec3_dot(n, d)) > flat)
            continue;
        if (best < 0) {
            best = m;
            continue;
        }
        carom_vec3 e = carom_vec3_sub(h->points[best], o);
        double turn = det(n, e, d);
        if (turn < 0 || (turn == 0 && carom_vec3_dot(d, d) > carom_vec3_dot(e, e)))
            best = m;
    }
    return best;
}

/* The corner of a face, with normal n, that is furthest from the origin of the points. */
static int furthest_corner(const carom_solid *h, int i, carom_vec3 n, double flat)
{
    int first = i;
    for (int m = 0; m < h->point_count; m++) {
        const carom_vec3 *v = h->points;
        if (fabs(carom_vec3_dot(n, carom_vec3_sub(v[m], v[i]))) <= flat &&
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

static way_round way_round_face(const carom_solid *h, int i, carom_vec3 n, double flat)
{
    way_round w = {n, 1, furthest_corner(h, i, n, flat), 0};
    carom_vec3 inward = carom_vec3_scale(-1, n);
    int ahead = next_corner(h, w.first, n, flat), back = next_corner(h, w.first, inward, flat);
    w.second = ahead;
    if (back >= 0 && back < ahead)
        w.n = inward, w.sign = -1, w.second = back;
    return w;
}

/* Fan over a face: tetrahedra to the origin of the points. */
static void add_face(const carom_solid *h, int i, carom_vec3 n, double flat, content *sum)
{
    way_round w = way_round_face(h, i, n, flat);
    int second = w.second;
    for (int guard = 0; guard < h->point_count && second >= 0; guard++) {
        int third = next_corner(h, second, w.n, flat);
        if (third == w.first || third < 0)
            return;
        carom_vec3 p[3] = {h->points[w.first], h->points[second], h->points[third]};
        content c = simplex(p, 3, w.sign * det(p[0], p[1], p[2]) / 6);
        add_content(sum, &c, 1);
        second = third;
    }
}

static content hull_content(const carom_solid *h)
{
    content sum = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    double size = hull_size(h), flat = FLAT_TOL * size * size * size;
    int n = h->point_count;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            for (int k = j + 1; k < n; k++)
                for (int way = 0; way < 2; way++) {
                    int b = way ? k : j, c = way ? j : k;
                    if (!is_face(h, i, b, c, flat))
                        continue;
                    carom_vec3 o = h->points[i];
                    carom_vec3 normal =
                        carom_vec3_cross(carom_vec3_sub(h->points[b], o), carom_vec3_sub(h->points[c], o));
                    add_face(h, i, normal, flat, &sum);
                }
    return sum;
}

/* The convex hull in the plane, by wrapping. */
static content polygon_content(const carom_solid *h)
{
    content sum = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    way_round w = way_round_face(h, 0, carom_vec3_make(0, 0, 1), INFINITY);
    int at = w.first, to = w.second;
    for (int guard = 0; guard < h->point_count && to >= 0; guard++) {
        carom_vec3 p[2] = {h->points[at], h->points[to]};
        content c = simplex(p, 2, w.sign * (p[0].x * p[1].y - p[0].y * p[1].x) / 2);
        add_content(&sum, &c, 1);
        if (to == w.first)
            return sum;
        at = to;
        to = next_corner(h, at, w.n, INFINITY);
    }
    return sum;
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
    content c = dim == 2 ? polygon_content(h) : hull_content(h);
    double size = hull_size(h), least = FLAT_TOL * (dim == 2 ? size * size : size * size * size);
    if (!(c.volume > least))
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
        first = carom_vec3_add(first, carom_vec3_scale(part.mass, at));
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
