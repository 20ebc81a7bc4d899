#include "sim/contact/foot.h"

#include "sim/contact/seam.h"
#include "sim/motion/motion.h"
#include "sim/shape/feature.h"

static piece point_foot(const piece *p, carom_vec3 at)
{
    piece foot = *p;
    foot.kind = CORE_POINT;
    foot.offset = at;
    foot.is_plain = false;
    return foot;
}

/* A circle of piece p at the height z of its axis. */
static piece rim_foot(const piece *p, double z)
{
    piece foot = *p;
    foot.kind = CORE_DISK;
    foot.offset = carom_vec3_add(p->offset, quat_turn(p->turn, carom_vec3_make(0, 0, z)));
    foot.is_plain = false;
    return foot;
}

piece side_foot(const piece *p)
{
    piece foot = point_foot(p, p->offset);
    foot.margin += p->kind == CORE_CYLINDER ? p->size[0] : 0;
    return foot;
}

piece end_foot(const piece *p, bool upper)
{
    double half = p->kind == CORE_CYLINDER ? p->size[1] : p->size[0];
    piece rim = rim_foot(p, upper ? half : -half);
    return p->kind == CORE_CYLINDER ? rim : point_foot(p, rim.offset);
}

bool foot_of(const carom_sim *sim, const touch_place *at, piece *foot)
{
    const piece *p = piece_at(sim, at->body, at->piece);
    snap s = snap_at(sim, at->body, at->time);
    carom_vec3 core = vec_plus(at->point, p->margin, at->normal);
    carom_vec3 body = quat_turn(quat_conjugate(s.q), carom_vec3_sub(core, s.x));
    carom_vec3 local = quat_turn(quat_conjugate(p->turn), carom_vec3_sub(body, p->offset));
    placed here = place_piece(sim, p, &s);
    bool flat = feature_of(&here, carom_vec3_scale(-1, at->normal), SAME).edges == 2;
    switch (p->kind) {
    case CORE_POINT:
        *foot = point_foot(p, p->offset);
        return true;
    case CORE_ELLIPSOID:
        *foot = *p;
        return true;
    case CORE_CYLINDER:
        *foot = flat ? point_foot(p, body) : rim_foot(p, local.z < 0 ? -p->size[1] : p->size[1]);
        return true;
    case CORE_DISK:
        *foot = flat ? point_foot(p, body) : rim_foot(p, 0);
        return true;
    case CORE_CONE: {
        bool apex = local.z > 0.5 * (p->size[1] + p->size[2]);
        *foot = apex   ? point_foot(p, carom_vec3_add(p->offset, quat_turn(p->turn, carom_vec3_make(0, 0, p->size[2]))))
                : flat ? point_foot(p, body)
                       : rim_foot(p, p->size[1]);
        return true;
    }
    default:
        *foot = point_foot(p, body);
        return true;
    }
}

bool is_corner(const carom_sim *sim, const touch_place *at)
{
    const piece *p = piece_at(sim, at->body, at->piece);
    snap s = snap_at(sim, at->body, at->time);
    placed here = place_piece(sim, p, &s);
    feature f = feature_of(&here, carom_vec3_scale(-1, at->normal), ROUND_PLACE);
    carom_vec3 core = vec_plus(at->point, p->margin, at->normal);
    for (int k = 0; k < f.count; k++)
        if (vec_distance(feature_point(&f, k), core) <= SAME * p->reach)
            return true;
    return false;
}

bool same_foot(const piece *a, const piece *b)
{
    return a->kind == b->kind && vec_distance(a->offset, b->offset) <= SAME * a->reach;
}

static bool is_foot(const carom_sim *sim, pair_of_bodies pair, int k, carom_vec3 corner)
{
    const closed_contact *c = sim->closed.data;
    for (size_t n = 0; n < sim->closed.count; n++)
        if (c[n].a == pair.a && c[n].piece == k && stands_on(sim, &c[n], pair.b) &&
            vec_distance(c[n].foot.offset, corner) <= SAME * c[n].foot.reach)
            return true;
    return false;
}

bool has_feet(const carom_sim *sim, pair_of_bodies pair, int k)
{
    const closed_contact *c = sim->closed.data;
    for (size_t n = 0; n < sim->closed.count; n++)
        if (c[n].a == pair.a && c[n].piece == k && stands_on(sim, &c[n], pair.b))
            return true;
    return false;
}

static int corner_count(const piece *p)
{
    return p->kind == CORE_BOX ? BOX_POINTS : p->kind == CORE_SEGMENT ? 2 : p->kind == CORE_HULL ? p->point_count : 0;
}

/* Corner i of a piece in body axes. */
static carom_vec3 corner_of(const carom_sim *sim, const piece *p, int i)
{
    carom_vec3 at = p->kind == CORE_HULL ? ((const carom_vec3 *)sim->points.data)[p->first_point + i]
                    : p->kind == CORE_SEGMENT
                        ? carom_vec3_make(0, 0, i ? p->size[0] : -p->size[0])
                        : carom_vec3_make(i & 1 ? p->size[0] : -p->size[0], i & 2 ? p->size[1] : -p->size[1],
                                          i & 4 ? p->size[2] : -p->size[2]);
    return carom_vec3_add(p->offset, quat_turn(p->turn, at));
}

bool foot_at_corner(const carom_sim *sim, int body, int piece_of_body, piece *foot)
{
    const piece *p = piece_at(sim, body, piece_of_body);
    for (int i = 0; i < corner_count(p); i++) {
        carom_vec3 corner = corner_of(sim, p, i);
        if (vec_distance(corner, foot->offset) <= SAME * foot->reach) {
            foot->offset = corner;
            return true;
        }
    }
    return corner_count(p) == 0;
}

/* The feet of a round piece: on which rims, and whether one point of the lower rim is all of them. */
typedef struct round_stand {
    bool on_low, on_high;
    int count;
    carom_vec3 point; /* the last one, axes of the piece */
    bool tips;
} round_stand;

static round_stand stand_of_round(const carom_sim *sim, pair_of_bodies pair, int k, double middle)
{
    const piece *p = piece_at(sim, pair.a, k);
    const closed_contact *c = sim->closed.data;
    round_stand s = {.count = 0};
    for (size_t n = 0; n < sim->closed.count; n++) {
        if (c[n].a != pair.a || c[n].piece != k || !stands_on(sim, &c[n], pair.b))
            continue;
        s.point = quat_turn(quat_conjugate(p->turn), carom_vec3_sub(c[n].foot.offset, p->offset));
        s.on_low |= !(s.point.z > middle);
        s.on_high |= s.point.z > middle;
        s.count++;
        s.tips = s.count == 1 && c[n].foot.kind == CORE_POINT &&
                 sqrt(s.point.x * s.point.x + s.point.y * s.point.y) > 0.5 * p->size[0];
    }
    return s;
}

/* What comes down next of a round piece: its other rim, or the apex; where it tips over one point of a rim, one of the
 * points in the plane in which it does so. Returns how many points of a hull; 0: a rim, -1: nothing. */
static int rest_of_round(const carom_sim *sim, pair_of_bodies pair, int k, rest_of_piece *out)
{
    const piece *p = piece_at(sim, pair.a, k);
    double low = p->kind == CORE_CONE ? p->size[1] : p->kind == CORE_DISK ? 0 : -p->size[1];
    double high = p->kind == CORE_CONE ? p->size[2] : -low;
    round_stand s = stand_of_round(sim, pair, k, 0.5 * (low + high));
    double other = s.on_low ? high : low, r = p->kind == CORE_CONE ? 0 : 1;
    if (s.tips) {
        carom_vec3 d = s.point;
        const carom_vec3 at[3] = {{-d.x, -d.y, d.z}, {r * d.x, r * d.y, other}, {-r * d.x, -r * d.y, other}};
        for (int i = 0; i < 3; i++)
            out->points[i] = carom_vec3_add(p->offset, quat_turn(p->turn, at[i]));
        return p->kind == CORE_DISK ? 1 : 3;
    }
    if ((s.on_low && s.on_high) || p->kind == CORE_DISK)
        return -1;
    out->piece = rim_foot(p, other);
    if (p->kind == CORE_CONE && s.on_low) /* the apex */
        out->piece = point_foot(p, out->piece.offset);
    return 0;
}

bool without_feet(const carom_sim *sim, pair_of_bodies pair, int k, rest_of_piece *out)
{
    const piece *p = piece_at(sim, pair.a, k);
    int left = 0;
    out->piece = *p;
    out->points = sim->hulls.rest.data;
    if (p->kind == CORE_CYLINDER || p->kind == CORE_CONE || p->kind == CORE_DISK) {
        left = rest_of_round(sim, pair, k, out);
        if (left <= 0)
            return left == 0;
    }
    for (int i = 0; i < corner_count(p); i++) {
        carom_vec3 corner = corner_of(sim, p, i);
        if (!is_foot(sim, pair, k, corner))
            out->points[left++] = corner;
    }
    out->piece.kind = CORE_HULL;
    out->piece.first_point = out->piece.face_count = 0;
    out->piece.point_count = left;
    out->piece.offset = carom_vec3_make(0, 0, 0);
    out->piece.turn = (carom_quat){1, 0, 0, 0};
    out->piece.is_plain = true;
    return left > 0;
}
