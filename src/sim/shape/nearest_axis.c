#include "sim/shape/nearest_axis.h"

#include <math.h>

#include "core/num.h"
#include "sim/shape/distance.h"
#include "sim/shape/exact_axis.h"
#include "sim/shape/feature.h"
#include "sim/world/tolerance.h"

#define OVER_SHARE  0.05          /* in a search, of the gap that it may be short of */
#define PULL        (VISIBLE * 4) /* of the sizes: how far close cores are moved apart */
#define APART_GROWS 8             /* times: how fast cores that overlap are pulled apart */

enum { CLOSE_TRIES = 3, GUESS_STEPS = 5 };

/* The best of the axes of both pieces and of the line of centres. */
static carom_vec3 best_simple_axis(const placed *a, const placed *b)
{
    const carom_vec3 x = {1, 0, 0};
    carom_vec3 best = x;
    double most = -INFINITY;
    for (int k = 0; k < 14; k++) {
        carom_vec3 n = k < 6 ? a->axis[k % 3] : k < 12 ? b->axis[k % 3] : carom_vec3_sub(a->center, b->center);
        n = unit_or(carom_vec3_scale(k / 3 % 2 ? -1 : 1, n), x);
        double gap = gap_along(a, b, n);
        if (gap > most)
            most = gap, best = n;
    }
    return best;
}

/* ---- round surfaces: the axis to its last digits ----
 *
 * Nearest points lie along the axis: y = s_A(-n) - s_B(n) is parallel to n. When n turns by dn the support points move
 * by H dn, so one step of Newton's method in the tangent plane is ((H_A + H_B) + n.y) dn = y. */

/* H turn. The side of a cone is a line whose point at the place `at` moves on a circle of its own. */
static carom_vec3 support_moves(const placed *p, carom_vec3 d, carom_vec3 turn, carom_vec3 at)
{
    piece circle = *p->piece;
    if (!is_round(p))
        return carom_vec3_make(0, 0, 0);
    if (circle.kind == CORE_CONE && feature_of(p, d, VISIBLE).edges == 1) {
        carom_vec3 arm = to_piece(p, carom_vec3_sub(at, p->center));
        circle.kind = CORE_DISK;
        circle.size[0] = sqrt(arm.x * arm.x + arm.y * arm.y);
    }
    return from_piece(p, core_support_rate(&circle, to_piece(p, d), to_piece(p, turn)));
}

/* How the points of two pieces that are nearest along n move when n turns: in directions t in which it may turn, none
 * along edges that it is perpendicular to. */
typedef struct stand {
    const placed *a, *b;
    feature fa, fb;
    carom_vec3 n, at_a, at_b; /* the points */
    carom_vec3 t[2];
    int free;
    double gap;
    bool parallel; /* a round side along an edge, or along another: the axis turns about both */
} stand;

static stand stand_on(const placed *a, const placed *b, carom_vec3 n)
{
    stand s = {.a = a, .b = b, .n = n};
    const carom_vec3 up = {0, 0, 1}, side = fabs(n.x) < 0.5 ? (carom_vec3){1, 0, 0} : (carom_vec3){0, 1, 0};
    bool flat = a->piece->is_flat;
    s.fa = feature_of(a, carom_vec3_scale(-1, n), VISIBLE), s.fb = feature_of(b, n, VISIBLE);
    s.at_a = feature_middle(&s.fa), s.at_b = feature_middle(&s.fb);
    s.parallel = (is_round(a) || is_round(b)) && s.fa.edges == 1 && s.fb.edges == 1 &&
                 !(carom_vec3_length(carom_vec3_cross(s.fa.edge[0], s.fb.edge[0])) > VISIBLE);
    int edges = s.fa.edges + s.fb.edges - s.parallel;
    if (edges == 1 && s.fa.edges)
        s.at_a = vec_plus(s.at_a, carom_vec3_dot(s.fa.edge[0], carom_vec3_sub(s.at_b, s.at_a)), s.fa.edge[0]);
    else if (edges == 1)
        s.at_b = vec_plus(s.at_b, carom_vec3_dot(s.fb.edge[0], carom_vec3_sub(s.at_a, s.at_b)), s.fb.edge[0]);
    s.gap = max(carom_vec3_dot(n, carom_vec3_sub(s.at_a, s.at_b)), 0);
    s.free = edges > (flat ? 0 : 1) ? 0 : flat || edges ? 1 : 2;
    carom_vec3 held = flat ? up : s.fa.edges ? s.fa.edge[0] : s.fb.edges ? s.fb.edge[0] : side;
    s.t[0] = unit_or(carom_vec3_cross(n, held), side);
    s.t[1] = carom_vec3_cross(n, s.t[0]);
    return s;
}

static carom_vec3 moves_by(const stand *s, carom_vec3 turn_a, carom_vec3 turn_b)
{
    return carom_vec3_add(support_moves(s->a, carom_vec3_scale(-1, s->n), turn_a, s->at_a),
                          support_moves(s->b, s->n, turn_b, s->at_b));
}

/* H_A + H_B in the free directions. */
static void radii_of(const stand *s, double H[2][2])
{
    for (int j = 0; j < s->free; j++) {
        carom_vec3 moved = moves_by(s, s->t[j], s->t[j]);
        for (int i = 0; i < s->free; i++)
            H[i][j] = carom_vec3_dot(s->t[i], moved);
    }
}

/* Do faces, edges or round surfaces determine the axis, not only the direction from one point to another? */
static bool is_determined(const stand *s)
{
    /* the least radius of curvature that fixes the axis of close bodies */
    double H[2][2] = {{1, 0}, {0, 1}}, least = SMALL_SHARE * (s->a->piece->reach + s->b->piece->reach);
    radii_of(s, H);
    if (s->free == 1)
        return H[0][0] > least;
    return s->free == 0 || H[0][0] * H[1][1] - H[0][1] * H[1][0] > least * (H[0][0] + H[1][1]);
}

/* The turn for which ((H_A + H_B) + gap) turn = y; false when there is none. */
static bool turn_for(const stand *s, carom_vec3 y, carom_vec3 *turn)
{
    double M[2][2] = {{1, 0}, {0, 1}}, x[2] = {0, 0};
    radii_of(s, M);
    for (int j = 0; j < s->free; j++) {
        M[j][j] += s->gap;
        x[j] = carom_vec3_dot(s->t[j], y);
    }
    double det = M[0][0] * M[1][1] - M[0][1] * M[1][0];
    *turn = carom_vec3_scale((M[1][1] * x[0] - M[0][1] * x[1]) / det, s->t[0]);
    *turn = vec_plus(*turn, (M[0][0] * x[1] - M[1][0] * x[0]) / det, s->t[1]);
    return det > 0;
}

/* One step; its length, or a negative number when it is not to be taken. */
static double turn_axis(const placed *a, const placed *b, carom_vec3 *n)
{
    stand s = stand_on(a, b, *n);
    carom_vec3 dn;
    if (s.free == 0)
        return 0;
    if (!turn_for(&s, carom_vec3_sub(s.at_a, s.at_b), &dn))
        return -1;
    double size = carom_vec3_length(dn);
    if (!(size < AXIS_TURN))
        return -1;
    *n = unit_or(carom_vec3_add(*n, dn), *n);
    return size;
}

/* False when the method does not arrive. A step this small that is a small share of the last one has doubled the
 * digits, and the next would be rounding. */
static bool polish_axis(const placed *a, const placed *b, carom_vec3 *n)
{
    double last = INFINITY;
    for (int k = 0; k < NEWTON_STEPS; k++) {
        double size = turn_axis(a, b, n);
        *n = refine_axis(a, b, *n);
        if (size < 2 * EPS || (size < SAME && size < SMALL_SHARE * last))
            return size >= 0;
        last = size;
    }
    return false;
}

/* The better of an axis and the one found from it; false when none is found. */
static bool keep_polished(const placed *a, const placed *b, double *gap, carom_vec3 *n)
{
    carom_vec3 exact = *n;
    if (!is_round(a) && !is_round(b))
        return true;
    bool arrived = polish_axis(a, b, &exact);
    double found = gap_along(a, b, exact);
    if (!(found >= *gap - 4 * EPS * (a->piece->reach + b->piece->reach)))
        return false;
    *n = exact;
    *gap = max(found, *gap);
    return arrived;
}

/* Margins that are about to touch: the normal is that of the faces of the cores. */
static double margin_axis(const placed *a, const placed *b, double distance, carom_vec3 *n)
{
    carom_vec3 exact = refine_axis(a, b, *n);
    double gap = gap_along(a, b, exact);
    if (gap >= distance - 4 * EPS * (a->piece->reach + b->piece->reach)) {
        *n = exact;
        distance = max(gap, distance);
    }
    keep_polished(a, b, &distance, n);
    return distance;
}

/* The axis of the cores moved apart by this way along an axis; zero: they overlap still. */
static carom_vec3 pulled_apart(const placed *a, const placed *b, double far, carom_vec3 along_axis, double share)
{
    placed apart = *a;
    apart.center = vec_plus(a->center, far, along_axis);
    return distance_of(&apart, b, along_axis, (looseness){share, 0}).axis;
}

/* Cores that are close: moved apart by a little along n, they have an axis with digits. False: not with this share. */
static bool close_axis(const placed *a, const placed *b, double share, double *best, carom_vec3 *n)
{
    double size = a->piece->reach + b->piece->reach;
    carom_vec3 axis = *n;
    *best = gap_along(a, b, axis);
    for (int k = 0; k < CLOSE_TRIES; k++) {
        carom_vec3 old = axis;
        axis = unit_or(pulled_apart(a, b, PULL * size, axis, share), axis);
        carom_vec3 tries[2] = {axis, refine_axis(a, b, axis)};
        for (int m = 0; m < 2; m++) {
            double gap = gap_along(a, b, tries[m]);
            if (gap >= *best || (m && gap >= *best - 4 * EPS * size))
                *best = max(gap, *best), *n = tries[m];
        }
        axis = *n;
        if (vec_distance(axis, old) <= VISIBLE) /* both move the bodies apart in the same way */
            break;
    }
    return keep_polished(a, b, best, n);
}

/* ---- an axis from a guess ---- */

/* Does a point lie over a face of the piece, seen along the normal n of that face? */
static bool is_over_face(const placed *p, carom_vec3 n, carom_vec3 point)
{
    const double *s = p->piece->size;
    carom_vec3 d = to_piece(p, n), r = to_piece(p, carom_vec3_sub(point, p->center));
    switch (p->piece->kind) {
    case CORE_BOX:
        return (fabs(d.x) > 0.5 || fabs(r.x) <= s[0]) && (fabs(d.y) > 0.5 || fabs(r.y) <= s[1]) &&
               (fabs(d.z) > 0.5 || fabs(r.z) <= s[2]);
    case CORE_CYLINDER:
    case CORE_CONE:
    case CORE_DISK:
        return r.x * r.x + r.y * r.y <= s[0] * s[0];
    default:
        return false;
    }
}

/* Do two parallel edges lie side by side, and over each other along n? */
static bool lie_over(const stand *s, double tol)
{
    double halves = carom_vec3_length(half_edge(&s->fa)) + carom_vec3_length(half_edge(&s->fb));
    return vec_distance(s->at_a, feature_middle(&s->fa)) <= halves &&
           carom_vec3_length(vec_across(carom_vec3_sub(s->at_a, s->at_b), s->n)) <= tol;
}

/* Does one of the points of the feature that are nearest to a face of the piece lie over it? out: the normal of the
 * face, outwards. */
static bool has_point_over(const placed *p, carom_vec3 out, const feature *f)
{
    double least = INFINITY;
    for (int k = 0; k < f->count; k++)
        least = min(least, carom_vec3_dot(out, feature_point(f, k)));
    for (int k = 0; k < f->count; k++) {
        carom_vec3 point = feature_point(f, k);
        if (carom_vec3_dot(out, point) <= least + ROUND_PLACE * f->of->piece->reach && is_over_face(p, out, point))
            return true;
    }
    return false;
}

/* Do the features lie over each other along n? Then n is the axis of the nearest points. */
static bool is_nearest(const stand *s, double tol)
{
    if (s->parallel)
        return lie_over(s, tol);
    if (s->fa.edges < 2 && s->fb.edges < 2)
        return do_cross(&s->fa, &s->fb, s->n, tol);
    return (s->fb.edges == 2 && has_point_over(s->b, s->n, &s->fa)) ||
           (s->fa.edges == 2 && has_point_over(s->a, carom_vec3_scale(-1, s->n), &s->fb));
}

/* Newton's method from n, on the features it is perpendicular to, until they lie over each other. */
static bool approach_axis(const placed *a, const placed *b, double share, double *gap, carom_vec3 *n)
{
    double size = a->piece->reach + b->piece->reach, margins = a->piece->margin + b->piece->margin, last = INFINITY;
    for (int k = 0; k < GUESS_STEPS; k++) {
        stand s = stand_on(a, b, *n);
        carom_vec3 dn;
        *gap = carom_vec3_dot(*n, carom_vec3_sub(s.at_a, s.at_b));
        if (!(*gap > -VISIBLE * size) || (a->piece->is_flat && n->z != 0))
            return false;
        /* features over each other */
        if (is_nearest(&s, max(ROUND_PLACE * size, OVER_SHARE * share * (*gap - margins)))) {
            int edges = s.fa.edges + s.fb.edges;
            if ((k > 0 && edges > 0) || edges > 2) /* found on the way, or nearly parallel */
                *n = refine_axis(a, b, *n);
            *gap = gap_along(a, b, *n);
            return *gap > VISIBLE * size || is_determined(&s);
        }
        if (s.free == 0 || !turn_for(&s, carom_vec3_sub(s.at_a, s.at_b), &dn))
            return false;
        double turn = carom_vec3_length(dn);
        if (!(turn < AXIS_TURN) || turn > 0.5 * last)
            return false;
        last = turn;
        *n = unit_or(carom_vec3_add(*n, dn), *n);
    }
    return false;
}

/* The axis that the features near a guess determine, if they lie over each other. */
static bool axis_from(const placed *a, const placed *b, carom_vec3 guess, double share, double *gap, carom_vec3 *n)
{
    carom_vec3 g = unit_or(guess, guess);
    const double flat[] = {100 * SMALL_SHARE, 10 * SMALL_SHARE, VISIBLE}; /* sines: from far to near */
    carom_vec3 tried = {0, 0, 0};
    for (size_t k = 0; k < sizeof flat / sizeof flat[0]; k++) {
        *n = refine_within(a, b, g, flat[k]);
        if (vec_same(*n, tried))
            continue;
        tried = *n;
        if (approach_axis(a, b, share, gap, n))
            return share > 0 || keep_polished(a, b, gap, n);
    }
    return false;
}

/* A point inside: the mean of support points. */
static carom_vec3 middle_of(const placed *p)
{
    carom_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 6; k++)
        sum = vec_plus(sum, 1.0 / 6, support(p, carom_vec3_scale(k % 2 ? -1 : 1, p->axis[k / 2])));
    return sum;
}

/* Cores that overlap are pulled apart along the line of their middles, which leads out wherever they only just overlap,
 * until they have an axis; along that they are pulled again. */
static carom_vec3 axis_apart(const placed *a, const placed *b, carom_vec3 otherwise)
{
    double size = a->piece->reach + b->piece->reach;
    carom_vec3 way = unit_or(carom_vec3_sub(middle_of(a), middle_of(b)), otherwise), axis = {0, 0, 0};
    for (double far = PULL * size; far < 2 * size && vec_is_zero(axis); far *= APART_GROWS)
        axis = pulled_apart(a, b, far, way, SMALL_SHARE); /* the axis is polished afterwards */
    for (int k = 0; k < CLOSE_TRIES && !vec_is_zero(axis); k++) {
        double gap = gap_along(a, b, axis);
        way = pulled_apart(a, b, PULL * size + max(-gap, 0), axis, SMALL_SHARE);
        if (vec_is_zero(way) || !(gap_along(a, b, way) > gap))
            break;
        axis = way;
    }
    return unit_or(axis, otherwise);
}

/* A corner exactly on a corner: several axes of the pieces, each of which would be that of the impact if one of the two
 * stood a little to its side, are as good as the best. Their mean belongs to no side. */
static carom_vec3 mean_of_sides(const placed *a, const placed *b, carom_vec3 best)
{
    /* rounding of the places of corners */
    double tol = 16 * EPS * (a->piece->reach + b->piece->reach), most = gap_along(a, b, best);
    carom_vec3 sum = {0, 0, 0};
    bool sides = false;
    for (int k = 0; k < 12 && fabs(most) <= tol; k++) {
        carom_vec3 n = carom_vec3_scale(k / 3 % 2 ? -1 : 1, k < 6 ? a->axis[k % 3] : b->axis[k % 3]);
        if (gap_along(a, b, n) < most - tol)
            continue;
        sides |= carom_vec3_dot(n, best) < 1 - VISIBLE; /* further apart they are two axes */
        sum = carom_vec3_add(sum, n);
    }
    carom_vec3 mean = unit_or(sum, best);
    return sides && gap_along(a, b, mean) >= most - tol ? mean : best;
}

/* Cores that touch, or nearly so. */
static double touching_axis(const placed *a, const placed *b, carom_vec3 guess, const nearness *near, carom_vec3 *n)
{
    double size = a->piece->reach + b->piece->reach, gap;
    carom_vec3 simple = best_simple_axis(a, b), first = near->distance > 0 ? near->axis : unit_or(guess, simple);
    if (gap_along(a, b, simple) >= gap_along(a, b, first) - ROUND_PLACE * size) /* a face, where rounding decides */
        first = mean_of_sides(a, b, simple);
    if (gap_along(a, b, first) < -VISIBLE * size) { /* no axis near by, or they overlap indeed */
        carom_vec3 apart = axis_apart(a, b, first);
        first = gap_along(a, b, apart) > gap_along(a, b, first) ? apart : first;
    }
    *n = first;
    if ((is_round(a) || is_round(b)) && close_axis(a, b, SMALL_SHARE, &gap, n))
        return gap;
    *n = first;
    close_axis(a, b, 0, &gap, n);
    return gap;
}

axis_between near_axis(const placed *a, const placed *b, carom_vec3 guess, double share)
{
    double size = a->piece->reach + b->piece->reach, margins = a->piece->margin + b->piece->margin;
    axis_between out = {.is_exact = true};
    if (!vec_is_zero(guess) && axis_from(a, b, guess, share, &out.gap, &out.n))
        return out;
    /* well enough to begin with */
    nearness near = distance_of(a, b, guess, (looseness){GAP_SHARE, SMALL_SHARE * size});
    if (!vec_is_zero(near.axis) && axis_from(a, b, near.axis, share, &out.gap, &out.n))
        return out;
    near = distance_of(a, b, !vec_is_zero(near.axis) ? near.axis : guess, (looseness){margins > 0 ? 0 : share, 0});
    out = (axis_between){near.axis, near.distance, share == 0 || near.distance - margins <= VISIBLE * size};
    if (near.distance <= VISIBLE * size)
        out.gap = touching_axis(a, b, guess, &near, &out.n);
    else if (margins > 0 && near.distance - margins <= VISIBLE * size)
        out.gap = margin_axis(a, b, near.distance, &out.n);
    else if (share == 0)
        keep_polished(a, b, &out.gap, &out.n);
    return out;
}

/* ---- how it turns ---- */

static carom_vec3 edges_rate(const meeting *m, carom_vec3 a, carom_vec3 b)
{
    carom_vec3 none = {0, 0, 0}, n = m->n, cross = carom_vec3_cross(a, b);
    double length = carom_vec3_length(cross), sign = carom_vec3_dot(cross, n) < 0 ? -1 : 1;
    if (!(length > VISIBLE))
        return none;
    carom_vec3 rate = carom_vec3_add(carom_vec3_cross(carom_vec3_cross(m->wa, a), b),
                                     carom_vec3_cross(a, carom_vec3_cross(m->wb, b)));
    return vec_across(carom_vec3_scale(sign / length, rate), n);
}

/* In the axes of a piece the direction turns by n' - w x n: ((H_A + H_B) + gap) n' is the velocity of the points
 * across n, and what H makes of w x n. */
carom_vec3 axis_rate(const meeting *m)
{
    stand s = stand_on(&m->a, &m->b, m->n);
    carom_vec3 turn_a = carom_vec3_cross(m->wa, m->n), turn_b = carom_vec3_cross(m->wb, m->n), known = {0, 0, 0}, turn;
    if (s.fa.edges == 2 || s.fb.edges == 2)
        return s.fb.edges == 2 ? turn_b : turn_a;
    if (s.fa.edges && s.fb.edges)
        return edges_rate(m, s.fa.edge[0], s.fb.edge[0]);
    if (s.fa.edges || s.fb.edges) {
        carom_vec3 e = s.fa.edges ? s.fa.edge[0] : s.fb.edge[0];
        known = carom_vec3_scale(carom_vec3_dot(e, s.fa.edges ? turn_a : turn_b), e);
    }
    if (s.free == 0)
        return known;
    carom_vec3 v = carom_vec3_add(m->w, carom_vec3_cross(m->wa, carom_vec3_sub(s.at_a, m->xa)));
    v = carom_vec3_sub(v, carom_vec3_cross(m->wb, carom_vec3_sub(s.at_b, m->xb)));
    v = carom_vec3_add(v, moves_by(&s, carom_vec3_sub(turn_a, known), carom_vec3_sub(turn_b, known)));
    return turn_for(&s, v, &turn) ? carom_vec3_add(known, turn) : known;
}
