#include "sim/shape/feature.h"

#include <math.h>

#include "core/num.h"
#include "sim/world/tolerance.h"

static void add_point(feature *f, double x, double y, double z)
{
    f->point[f->count++] = carom_vec3_make(x, y, z);
}

static void add_edge(feature *f, carom_vec3 e)
{
    double length = carom_vec3_length(e);
    f->edge[f->edges++] = carom_vec3_scale(length > 0 ? 1 / length : 0, e);
}

static void box_feature(const double *s, carom_vec3 d, double flat, feature *f)
{
    static const carom_vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double c[3] = {d.x, d.y, d.z}, at[3];
    int open[3], opened = 0;
    for (int k = 0; k < 3; k++) {
        at[k] = c[k] < 0 ? -s[k] : s[k];
        if (s[k] > 0 && fabs(c[k]) <= flat && opened < 2)
            open[opened++] = k;
    }
    for (int k = 0; k < opened; k++)
        add_edge(f, unit[open[k]]);
    static const int turn[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int k = 0; k < 1 << opened; k++) {
        for (int m = 0; m < opened; m++)
            at[open[m]] = (opened == 1 ? (k ? 1 : -1) : turn[k][m]) * s[open[m]];
        add_point(f, at[0], at[1], at[2]);
    }
}

static void round_face(double radius, double z, feature *f)
{
    static const double turn[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (int k = 0; k < 4; k++)
        add_point(f, radius * turn[k][0], radius * turn[k][1], z);
    add_edge(f, carom_vec3_make(1, 0, 0));
    add_edge(f, carom_vec3_make(0, 1, 0));
}

/* A straight line from the rim at z0 to a point or rim at z1. */
static void side_line(carom_vec3 from, carom_vec3 to, feature *f)
{
    f->point[0] = from, f->point[1] = to, f->count = 2;
    add_edge(f, carom_vec3_sub(to, from));
}

static void round_feature(const piece *p, carom_vec3 d, double flat, feature *f)
{
    const double *s = p->size;
    double across = sqrt(d.x * d.x + d.y * d.y), cx = across > 0 ? d.x / across : 1, cy = across > 0 ? d.y / across : 0;
    double low = p->kind == CORE_CONE ? s[1] : p->kind == CORE_DISK ? 0 : -s[1];
    double high = p->kind == CORE_CYLINDER ? s[1] : p->kind == CORE_DISK ? 0 : s[2];
    carom_vec3 rim_low = {s[0] * cx, s[0] * cy, low}, rim_high = {s[0] * cx, s[0] * cy, high};
    if (across <= flat && (p->kind != CORE_CONE || d.z < 0)) {
        round_face(s[0], d.z < 0 ? low : high, f);
        return;
    }
    if (p->kind == CORE_CONE) {
        double h = high - low, slant = sqrt(h * h + s[0] * s[0]), lean = (d.z * h - across * s[0]) / slant;
        if (fabs(lean) <= flat)
            side_line(rim_low, carom_vec3_make(0, 0, high), f);
        else if (lean > 0)
            add_point(f, 0, 0, high);
        else
            f->point[f->count++] = rim_low;
        return;
    }
    if (p->kind == CORE_CYLINDER && fabs(d.z) <= flat) {
        side_line(rim_low, rim_high, f);
        return;
    }
    f->point[f->count++] = d.z < 0 ? rim_low : rim_high;
}

static carom_vec3 hull_point(const placed *p, int k)
{
    return p->points[p->piece->first_point + k];
}

/* The face of a hull that looks most along d; null: it has none, or parts of that face are lower than least. */
static const hull_face *highest_face(const placed *p, carom_vec3 d, double least)
{
    const hull_face *best = NULL;
    for (int k = 0; k < p->piece->face_count; k++)
        if (!best || carom_vec3_dot(p->piece->faces[k].normal, d) > carom_vec3_dot(best->normal, d))
            best = &p->piece->faces[k];
    for (int k = 0; best && k < best->count; k++)
        if (!(carom_vec3_dot(hull_point(p, best->corner[k]), d) >= least))
            return NULL;
    return best;
}

/* The point of those at or above a level that is furthest from the line through a along e, or from a where e is zero.
 */
static int furthest_from(const placed *p, carom_vec3 d, double least, carom_vec3 a, carom_vec3 e)
{
    int best = 0;
    double most = -1;
    for (int i = 0; i < p->piece->point_count; i++) {
        carom_vec3 v = hull_point(p, i), r = carom_vec3_sub(v, a);
        double away = carom_vec3_length(vec_plus(r, -carom_vec3_dot(r, e), e));
        if (carom_vec3_dot(v, d) >= least && away > most)
            most = away, best = i;
    }
    return best;
}

/* Points at or above a level that are no face of the hull: the longest segment between them, and the point that is
 * furthest from it. */
static void loose_feature(const placed *p, carom_vec3 d, double least, feature *f)
{
    carom_vec3 none = {0, 0, 0};
    int a = furthest_from(p, d, least, f->point[0], none), b = furthest_from(p, d, least, hull_point(p, a), none);
    f->point[0] = hull_point(p, a < b ? a : b), f->point[1] = hull_point(p, a < b ? b : a);
    f->count = 2;
    add_edge(f, carom_vec3_sub(f->point[1], f->point[0]));
    carom_vec3 far = hull_point(p, furthest_from(p, d, least, f->point[0], f->edge[0]));
    carom_vec3 e = carom_vec3_sub(far, f->point[0]), across = carom_vec3_cross(f->edge[0], e);
    if (!(carom_vec3_length(across) > VISIBLE * carom_vec3_length(e))) /* on the line of the edge */
        return;
    f->point[f->count++] = far;
    add_edge(f, e);
}

static double hull_level(const placed *p, carom_vec3 d, double flat)
{
    double most = -INFINITY;
    for (int i = 0; i < p->piece->point_count; i++)
        most = max(most, carom_vec3_dot(hull_point(p, i), d));
    return most - flat * 2 * p->piece->reach;
}

static void hull_feature(const placed *p, carom_vec3 d, double flat, feature *f)
{
    double least = hull_level(p, d, flat);
    int found = 0;
    for (int i = 0; i < p->piece->point_count; i++)
        if (carom_vec3_dot(hull_point(p, i), d) >= least && found++ < 2)
            f->point[f->count++] = hull_point(p, i);
    if (found < 2)
        return;
    const hull_face *face = found > 2 ? highest_face(p, d, least) : NULL;
    if (found == 2) {
        add_edge(f, carom_vec3_sub(f->point[1], f->point[0]));
    } else if (face) {
        f->point[0] = hull_point(p, face->corner[0]), f->point[1] = hull_point(p, face->corner[1]);
        f->count = face->count;
        for (int k = 0; k < (f->count > 2 ? 2 : 1); k++)
            add_edge(f, carom_vec3_sub(hull_point(p, face->far[k]), f->point[0]));
        f->loop = face->corner;
    } else {
        loose_feature(p, d, least, f);
    }
}

feature feature_of(const placed *p, carom_vec3 dir, double flat)
{
    feature f = {.of = p};
    carom_vec3 d = to_piece(p, dir);
    d = carom_vec3_scale(1 / carom_vec3_length(d), d);
    switch (p->piece->kind) {
    case CORE_BOX:
        box_feature(p->piece->size, d, flat, &f);
        break;
    case CORE_CYLINDER:
    case CORE_CONE:
    case CORE_DISK:
        round_feature(p->piece, d, flat, &f);
        break;
    case CORE_HULL:
        hull_feature(p, d, flat, &f);
        break;
    case CORE_SEGMENT:
        if (fabs(d.z) <= flat) {
            side_line(carom_vec3_make(0, 0, -p->piece->size[0]), carom_vec3_make(0, 0, p->piece->size[0]), &f);
            break;
        } /* fall through */
    default:
        f.point[f.count++] = core_support(p->piece, p->points, d);
    }
    for (int i = 0; i < (f.loop ? 2 : f.count); i++)
        f.point[i] = carom_vec3_add(p->center, from_piece(p, f.point[i]));
    for (int i = 0; i < f.edges; i++)
        f.edge[i] = from_piece(p, f.edge[i]);
    return f;
}

carom_vec3 feature_mean(const feature *f)
{
    carom_vec3 mean = {0, 0, 0};
    for (int i = 0; i < f->count; i++)
        mean = vec_plus(mean, 1.0 / f->count, feature_point(f, i));
    return mean;
}

carom_vec3 feature_support(const placed *p, carom_vec3 d, double flat, carom_vec3 dir)
{
    feature f = feature_of(p, d, flat);
    carom_vec3 best = f.point[0];
    if (p->piece->kind != CORE_HULL) {
        for (int i = 1; i < f.count; i++)
            best = carom_vec3_dot(f.point[i], dir) > carom_vec3_dot(best, dir) ? f.point[i] : best;
        return best;
    }
    carom_vec3 own = to_piece(p, d), there = to_piece(p, dir);
    own = carom_vec3_scale(1 / carom_vec3_length(own), own);
    double least = hull_level(p, own, flat), most = -INFINITY;
    for (int i = 0; i < p->piece->point_count; i++) {
        carom_vec3 v = hull_point(p, i);
        if (carom_vec3_dot(v, own) >= least && carom_vec3_dot(v, there) > most)
            most = carom_vec3_dot(v, there), best = v;
    }
    return carom_vec3_add(p->center, from_piece(p, best));
}

double gap_along(const placed *a, const placed *b, carom_vec3 n)
{
    if (a->piece->is_flat && n.z != 0)
        return -INFINITY;
    return carom_vec3_dot(n, carom_vec3_sub(support(a, carom_vec3_scale(-1, n)), support(b, n)));
}

/* ---- contact points ---- */

/* Keep what lies on the inner side of the line through p with the inward direction m. What is on the line but for its
 * rounding, on, is kept as it is: an edge that lies along the border of a face touches it. */
static int cut(const carom_vec3 *in, int count, carom_vec3 p, carom_vec3 m, double on, carom_vec3 *out)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        carom_vec3 a = in[i], b = in[(i + 1) % count];
        double da = carom_vec3_dot(m, carom_vec3_sub(a, p)), db = carom_vec3_dot(m, carom_vec3_sub(b, p));
        if (da >= -on)
            out[kept++] = a;
        if (min(da, db) < -on && max(da, db) > on && (count > 2 || i == 0))
            out[kept++] = vec_plus(a, da / (da - db), carom_vec3_sub(b, a));
    }
    return kept;
}

/* A face cuts a face or an edge, line by line. A line adds one point at most to what is convex. */
static int cut_by_face(const feature *f, const feature *face, carom_vec3 n, carom_vec3 *point[2])
{
    carom_vec3 middle = feature_mean(face), *from = point[0], *to = point[1];
    int count = f->count;
    for (int i = 0; i < count; i++)
        from[i] = feature_point(f, i);
    for (int i = 0; i < face->count && count > 0; i++) {
        carom_vec3 p = feature_point(face, i), e = carom_vec3_sub(feature_point(face, (i + 1) % face->count), p);
        carom_vec3 m = carom_vec3_cross(n, e);
        if (carom_vec3_dot(m, carom_vec3_sub(middle, p)) < 0)
            m = carom_vec3_scale(-1, m);
        count = cut(from, count, p, m, ROUND_PLACE * face->of->piece->reach * carom_vec3_length(e), to);
        carom_vec3 *swap = from;
        from = to, to = swap;
    }
    for (int i = 0; i < count && from != point[0]; i++)
        point[0][i] = from[i];
    return count;
}

/* ---- round faces ---- */

static bool is_round(const feature *f)
{
    core_kind kind = f->of->piece->kind;
    return f->edges == 2 && (kind == CORE_CYLINDER || kind == CORE_CONE || kind == CORE_DISK);
}

bool face_holds(const feature *face, carom_vec3 n, carom_vec3 x)
{
    carom_vec3 middle = feature_mean(face);
    for (int i = 0; i < face->count; i++) {
        carom_vec3 p = feature_point(face, i), e = carom_vec3_sub(feature_point(face, (i + 1) % face->count), p);
        carom_vec3 m = carom_vec3_cross(n, e);
        if (carom_vec3_dot(m, carom_vec3_sub(middle, p)) * carom_vec3_dot(m, carom_vec3_sub(x, p)) < 0)
            return false;
    }
    return face->count > 2;
}

/* Where the line from a to b enters and leaves a circle about the origin, as shares of the line; false: nowhere. */
static bool cross_circle(carom_vec3 a, carom_vec3 b, double radius, double s[2])
{
    carom_vec3 e = carom_vec3_sub(b, a);
    double A = carom_vec3_dot(e, e), B = carom_vec3_dot(a, e), C = carom_vec3_dot(a, a) - radius * radius;
    double root = B * B - A * C;
    if (!(root > 0) || !(A > 0))
        return false;
    s[0] = (-B - sqrt(root)) / A;
    s[1] = (-B + sqrt(root)) / A;
    return true;
}

/* A round face cuts a face or an edge: corners within its circle, where edges cross it, and those of the four points of
 * its rim that lie within the face. */
static int cut_by_circle(const feature *f, const feature *round, carom_vec3 n, carom_vec3 *point)
{
    carom_vec3 middle = feature_mean(round);
    /* ends this close touch */
    double radius = vec_distance(round->point[0], middle), most = (1 + ROUND_PLACE) * radius, s[2];
    int count = 0;
    for (int i = 0; i < f->count; i++) {
        carom_vec3 p = feature_point(f, i), q = feature_point(f, (i + 1) % f->count), e = carom_vec3_sub(q, p);
        carom_vec3 a = vec_across(carom_vec3_sub(p, middle), n), b = vec_across(carom_vec3_sub(q, middle), n);
        bool in[2] = {carom_vec3_length(a) <= most, carom_vec3_length(b) <= most};
        if (in[0])
            point[count++] = p;
        if ((f->count == 2 && i > 0) || !cross_circle(a, b, radius, s))
            continue;
        for (int k = 0; k < 2; k++)
            if (!in[k] && s[k] > 0 && s[k] < 1)
                point[count++] = vec_plus(p, s[k], e);
    }
    for (int i = 0; i < round->count; i++)
        if (face_holds(f, n, round->point[i]))
            point[count++] = round->point[i];
    return count;
}

/* Does x cut the other one? A round face cuts what is not round, and the larger of two the smaller. */
static bool cuts(const feature *x, const feature *other)
{
    if (x->edges != 2 || !other->edges || !is_round(other))
        return x->edges == 2 && other->edges;
    return is_round(x) && x->of->piece->size[0] >= other->of->piece->size[0];
}

/* The common part of two parallel edges, along e; a point where only their ends touch. */
static int common_segment(const feature *a, const feature *b, carom_vec3 *point)
{
    carom_vec3 e = a->edge[0], o = a->point[0];
    double x[4] = {0, carom_vec3_dot(e, carom_vec3_sub(a->point[1], o)),
                   carom_vec3_dot(e, carom_vec3_sub(b->point[0], o)),
                   carom_vec3_dot(e, carom_vec3_sub(b->point[1], o))};
    double low = max(min(x[0], x[1]), min(x[2], x[3])), high = min(max(x[0], x[1]), max(x[2], x[3]));
    if (!(high - low >= -ROUND_PLACE * fabs(x[1])))
        return 0;
    point[0] = vec_plus(o, low, e);
    point[1] = vec_plus(o, high, e);
    return high > low ? 2 : 1;
}

static int flat_contact(const feature *a, const feature *b, carom_vec3 n, double flat, carom_vec3 *point[2])
{
    double parallel = max(SAME, 2 * flat); /* edges that lie along each other */
    if (cuts(a, b))
        return is_round(a) ? cut_by_circle(b, a, n, point[0]) : cut_by_face(b, a, n, point);
    if (cuts(b, a))
        return is_round(b) ? cut_by_circle(a, b, n, point[0]) : cut_by_face(a, b, n, point);
    if (a->edges == 1 && b->edges == 1 && carom_vec3_length(carom_vec3_cross(a->edge[0], b->edge[0])) <= parallel)
        return common_segment(a, b, point[0]);
    return 0;
}

/* The point of edge A nearest to edge B, seen along n; an end of A where the lines of the two meet beyond it. */
static carom_vec3 crossing(const feature *a, const feature *b, carom_vec3 n)
{
    carom_vec3 from = feature_middle(a), e = a->edge[0], m = carom_vec3_cross(n, b->edge[0]);
    double rate = carom_vec3_dot(m, e), low = 0, high = 0;
    for (int i = 0; i < a->count; i++) {
        double x = carom_vec3_dot(e, carom_vec3_sub(feature_point(a, i), from));
        low = min(low, x), high = max(high, x);
    }
    double x = rate != 0 ? carom_vec3_dot(m, carom_vec3_sub(feature_middle(b), from)) / rate : 0;
    return vec_plus(from, max(low, min(high, x)), e);
}

int contact_points(const placed *a, const placed *b, carom_vec3 n, double flat, carom_vec3 *room[2])
{
    feature fa = feature_of(a, carom_vec3_scale(-1, n), flat);
    carom_vec3 *point = room[0];
    int count = 0;
    if (b->piece->kind == CORE_HALF_SPACE) {
        for (; count < fa.count; count++)
            point[count] = vec_plus(feature_point(&fa, count), -a->piece->margin, n);
        return count;
    }
    feature fb = feature_of(b, n, flat);
    if (fa.edges && fb.edges)
        count = flat_contact(&fa, &fb, n, flat, room);
    double shift = a->piece->margin;
    if (count > 0) {
        for (int i = 0; i < count; i++) {
            double height = carom_vec3_dot(n, carom_vec3_sub(fa.point[0], point[i])); /* bring it to the side of A */
            point[i] = vec_plus(point[i], height - shift, n);
        }
        return count;
    }
    if (fa.count == 1) {
        point[0] = vec_plus(fa.point[0], -shift, n);
    } else if (fb.count == 1) {
        point[0] = vec_plus(fb.point[0], b->piece->margin, n);
    } else {
        point[0] = vec_plus(crossing(&fa, &fb, n), -shift, n);
    }
    return 1;
}

/* From a point along n to the feature: to its plane, or for an edge to the plane through it that n is nearest to. */
static double height_of(const feature *f, carom_vec3 n, carom_vec3 point)
{
    carom_vec3 m = n, from = carom_vec3_sub(f->edges == 1 ? feature_middle(f) : f->point[0], point);
    if (f->edges == 2)
        m = carom_vec3_cross(f->edge[0], f->edge[1]);
    else if (f->edges == 1)
        m = vec_plus(n, -carom_vec3_dot(n, f->edge[0]), f->edge[0]);
    return carom_vec3_dot(m, from) / carom_vec3_dot(m, n);
}

double contact_gap_at(const placed *a, const placed *b, carom_vec3 n, double flat, carom_vec3 point)
{
    feature fa = feature_of(a, carom_vec3_scale(-1, n), flat), fb = feature_of(b, n, flat);
    return height_of(&fa, n, point) - height_of(&fb, n, point) - a->piece->margin - b->piece->margin;
}
