/* carom plot scene: the bodies or links, their contacts, and how they move before and after.
 *
 * A body is drawn as its shape. One without a shape is drawn as the ellipsoid that has its mass and inertia (in the
 * plane: a disk), made smaller where it would cross a plane of contact; the caption says so. Mechanisms described by
 * links show them with their joints. Other cases show the contact alone, in its axes: the relative velocity before and
 * after, and the impulse. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/solve.h"
#include "io/case/looks.h"
#include "io/plot/plot_common.h"
#include "io/plot/stage.h"

#define PAGE_WIDTH  860.0
#define PAGE_HEIGHT 560.0
#define KEY_WIDTH   210.0
#define LEVEL       1e-9 /* relative: directions that agree */
#define AT_END      1e-6 /* relative: an arm that reaches the end of a planar rod or the corner of a planar box */
#define SMALLEST    0.2  /* an ellipsoid smaller than this share is not drawn */

static const carom_vec3 nowhere = {0, 0, 0};

/* What the caption has to say. */
typedef struct captions {
    bool planar, shapes, ellipsoids, shrunk, links;
} captions;

typedef struct scene {
    stage s;
    captions say;
    const carom_case *c;
    bool has_bar[CAROM_CASE_LINKS];
} scene;

/* ---- bodies without a shape ---- */

/* The second moments of mass over the mass, five times: the matrix of the equivalent ellipsoid. */
static carom_sym3 ellipsoid_of(const carom_body *b)
{
    double half = 0.5 * (b->inertia.xx + b->inertia.yy + b->inertia.zz), k = 5 / b->mass;
    return (carom_sym3){k * (half - b->inertia.xx), -k * b->inertia.xy, -k * b->inertia.xz,
                        k * (half - b->inertia.yy), -k * b->inertia.yz, k * (half - b->inertia.zz)};
}

/* A planar body is a disk: of the length of its arm when that is along the normal, else with I = m r^2 / 2. */
static carom_sym3 disk_of(const carom_body *b, carom_vec3 arm, carom_vec3 n)
{
    double r2 = carom_vec3_dot(arm, arm), across = arm.x * n.y - arm.y * n.x;
    if (r2 == 0 || across * across > LEVEL * r2)
        r2 = 2 * b->inertia.zz / b->mass;
    return (carom_sym3){r2, 0, 0, r2, 0, 0};
}

static void shrink(scene *sc, solid_body *solid, carom_vec3 arm, carom_vec3 towards)
{
    double reach = carom_vec3_dot(towards, solid_support(solid, towards)), room = carom_vec3_dot(towards, arm);
    double share = reach > room * (1 + LEVEL) ? fmax(room / reach, 0) : 1, square = share * share;
    carom_sym3 *m = &solid->ellipsoid;
    if (share == 1)
        return;
    square = share < SMALLEST ? 0 : square;
    sc->say.shrunk = true;
    *m = (carom_sym3){square * m->xx, square * m->xy, square * m->xz, square * m->yy, square * m->yz, square * m->zz};
}

/* ---- bodies with a shape ---- */

/* About z by this angle. */
static carom_quat planar_quat(double angle)
{
    return (carom_quat){cos(angle / 2), 0, 0, sin(angle / 2)};
}

/* Planar bodies have no orientation: a rod whose end or a box whose corner is struck is turned that way. */
static carom_quat planar_turn(const carom_shape *shape, carom_vec3 arm)
{
    double length = carom_vec3_length(arm), angle = length > 0 ? atan2(arm.y, arm.x) : 0;
    double half = 0.5 * (shape->kind == CAROM_SHAPE_ROD ? shape->size[0] : hypot(shape->size[0], shape->size[1]));
    bool at_end = fabs(length - half) <= AT_END * half;
    const double root = 0.7071067811865476, quarter = 1.5707963267948966;
    if (shape->kind == CAROM_SHAPE_ROD) { /* its z axis into the plane */
        angle = at_end ? angle : 0;
        return (carom_quat){root, -root * sin(angle), root * cos(angle), 0};
    }
    if (shape->kind != CAROM_SHAPE_BOX || !at_end)
        return planar_quat(0);
    double corner = atan2(shape->size[1], shape->size[0]), least = 2 * quarter;
    for (int i = -2; i <= 2; i++) { /* the corner that is nearest to the arm */
        double off = remainder(angle - (i % 2 ? -corner : corner) - (i / 2) * 2 * quarter, 4 * quarter);
        least = fabs(off) < fabs(least) ? off : least;
    }
    return planar_quat(least);
}

/* An immovable body may leave out its arm: it touches the plane where its shape does. */
static carom_vec3 fixed_arm(const solid_body *solid, carom_vec3 arm, carom_vec3 towards)
{
    return carom_vec3_length(arm) > 0 ? arm : solid_support(solid, towards);
}

/* ---- on the stage ---- */

/* Where a body is struck: arm from its centre to the contact, and the direction of the plane of contact from there. */
typedef struct strike {
    carom_vec3 contact, arm, towards;
} strike;

/* Add a body; -1 when it has no look of its own, or the stage is full. */
static int add_body(scene *sc, const carom_body *b, const char *key, const char *name, strike at)
{
    solid_body solid = {.name = name, .is_fixed = !(b->inv_mass > 0)};
    solid.is_shape = look_shape(sc->c, key, &solid.shape, &solid.turn);
    if (sc->s.body_count == STAGE_BODIES || (solid.is_fixed && !solid.is_shape))
        return -1;
    if (solid.is_shape && sc->c->dim == 2)
        solid.turn = planar_turn(&solid.shape, at.arm);
    if (solid.is_fixed)
        at.arm = fixed_arm(&solid, at.arm, at.towards);
    solid.centre = carom_vec3_sub(at.contact, at.arm);
    if (!solid.is_shape) {
        solid.ellipsoid = sc->c->dim == 3 ? ellipsoid_of(b) : disk_of(b, at.arm, at.towards);
        shrink(sc, &solid, at.arm, at.towards);
    }
    sc->say.shapes |= solid.is_shape;
    sc->say.ellipsoids |= !solid.is_shape;
    sc->s.bodies[sc->s.body_count] = solid;
    return sc->s.body_count++;
}

static stage_contact *add_contact(scene *sc, carom_vec3 at, const carom_frame *axes)
{
    stage_contact *c = &sc->s.contacts[sc->s.contact_count++];
    *c = (stage_contact){at, *axes, -1, -1, true};
    stage_add_arrow(&sc->s, at, axes->n, NORMAL_COLOUR);
    return c;
}

static void add_motion(scene *sc, int body, const carom_body *before, const carom_body *after)
{
    if (body < 0 || sc->s.bodies[body].is_fixed)
        return;
    stage_add_arrow(&sc->s, sc->s.bodies[body].centre, before->velocity, BEFORE_COLOUR);
    stage_add_arrow(&sc->s, sc->s.bodies[body].centre, after->velocity, AFTER_COLOUR);
}

static void add_two_bodies(scene *sc, const carom_result *r)
{
    const carom_case *c = sc->c;
    const carom_contact *where = &c->pairs->contact;
    const carom_frame *axes = &where->frame;
    const strike at_a = {nowhere, where->arm_a, carom_vec3_scale(-1, axes->n)}, at_b = {nowhere, where->arm_b, axes->n};
    stage_contact *contact = add_contact(sc, nowhere, axes);
    contact->a = add_body(sc, &c->bodies[0], "a", "A", at_a);
    contact->b = add_body(sc, &c->bodies[1], "b", "B", at_b);
    contact->is_ground = contact->b < 0;
    add_motion(sc, contact->a, &c->bodies[0], &r->bodies[0]);
    add_motion(sc, contact->b, &c->bodies[1], &r->bodies[1]);
    stage_add_arrow(&sc->s, nowhere, carom_frame_to_world(*axes, r->outcome.p), IMPULSE_COLOUR);
}

/* Relative velocities and the impulse at contact k, written in these axes. */
static stage_contact *add_relative(scene *sc, int k, const carom_frame *axes, carom_vec3 at, const carom_result *r)
{
    const carom_cvec u = carom_case_u(sc->c, k), v = carom_result_u_after(sc->c, r, k), p = carom_result_p(sc->c, r, k);
    stage_contact *contact = add_contact(sc, at, axes);
    stage_add_arrow(&sc->s, at, carom_frame_to_world(*axes, u), BEFORE_COLOUR);
    stage_add_arrow(&sc->s, at, carom_frame_to_world(*axes, v), AFTER_COLOUR);
    stage_add_arrow(&sc->s, at, carom_frame_to_world(*axes, p), IMPULSE_COLOUR);
    return contact;
}

/* ---- links ---- */

static bool is_bonded(const link_look *link)
{
    return link->joint != CAROM_JOINT_FREE && link->joint != CAROM_JOINT_PLANAR;
}

/* A stretch of link i: from its joint (or its centre of mass when nothing holds it) to where things happen. The first
 * one shows the joint. */
static void add_bar(scene *sc, const links_look *look, int i, carom_vec3 to)
{
    const link_look *link = &look->list[i];
    carom_vec3 from = is_bonded(link) ? link->origin : link->com;
    if (sc->s.bar_count < STAGE_BARS)
        sc->s.bars[sc->s.bar_count++] =
            (link_bar){from, to, !sc->has_bar[i] && is_bonded(link), link->parent == CAROM_WORLD, link->joint};
    sc->has_bar[i] = true;
}

/* To the joints of the links that it carries. */
static void add_carried(scene *sc, const links_look *look)
{
    for (int k = 0; k < look->count; k++)
        if (look->list[k].parent != CAROM_WORLD && is_bonded(&look->list[k]))
            add_bar(sc, look, look->list[k].parent, look->list[k].origin);
}

/* To a contact. */
static void add_struck(scene *sc, const links_look *look)
{
    add_bar(sc, look, look->link, look->point);
    if (look->against != CAROM_WORLD)
        add_bar(sc, look, look->against, look->point);
}

/* A link without either ends at its centre of mass. */
static void add_ends(scene *sc, const links_look *look)
{
    for (int i = 0; i < look->count; i++)
        if (!sc->has_bar[i])
            add_bar(sc, look, i, look->list[i].com);
}

static bool add_links(scene *sc, const carom_result *r)
{
    const int contacts = sc->c->count;
    links_look look;
    for (int k = 0; k < contacts; k++) {
        if (sc->c->source != CAROM_SOURCE_MECHANISM || !look_links(sc->c, k, &look))
            return false;
        if (k == 0)
            add_carried(sc, &look);
        add_struck(sc, &look);
        if (k == contacts - 1)
            add_ends(sc, &look);
        add_relative(sc, k, &look.axes, look.point, r)->is_ground = look.against == CAROM_WORLD;
        free(look.list);
    }
    sc->say.links = true;
    return true;
}

/* ---- several contacts ---- */

/* A body is placed once a contact of it is: the others follow through the arms. */
static int add_named(scene *sc, int body, const carom_pair *pair, carom_vec3 contact)
{
    const carom_case *s = sc->c;
    bool is_a = body == pair->a;
    const carom_contact *c = &pair->contact;
    strike at = {contact, is_a ? c->arm_a : c->arm_b, is_a ? carom_vec3_scale(-1, c->frame.n) : c->frame.n};
    return add_body(sc, &s->bodies[body], s->names[body], s->names[body], at);
}

/* One pass over the pairs: those with a placed body place the other. Returns how many pairs became placed. */
static int place_pairs(scene *sc, int placed[], bool done[])
{
    const carom_case *s = sc->c;
    int count = 0;
    for (int k = 0; k < s->count; k++) {
        const carom_pair *pair = &s->pairs[k];
        int a = placed[pair->a], b = pair->b < 0 ? -1 : placed[pair->b];
        if (done[k] || (a < 0 && b < 0))
            continue;
        const solid_body *from = &sc->s.bodies[a >= 0 ? a : b];
        carom_vec3 at = carom_vec3_add(from->centre, a >= 0 ? pair->contact.arm_a : pair->contact.arm_b);
        stage_contact *contact = &sc->s.contacts[k];
        contact->at = at;
        contact->axes = pair->contact.frame;
        if (a < 0)
            placed[pair->a] = a = add_named(sc, pair->a, pair, at);
        else if (pair->b >= 0 && b < 0)
            placed[pair->b] = b = add_named(sc, pair->b, pair, at);
        contact->a = a;
        contact->b = b;
        contact->is_ground = b < 0;
        done[k] = true;
        count++;
    }
    return count;
}

/* Bodies that hang together through contacts are placed from the first of them, which stands where the case says. */
static void place_all(scene *sc, int placed[])
{
    const carom_case *s = sc->c;
    bool done[STAGE_CONTACTS] = {false};
    for (int i = 0; i < s->body_count; i++)
        placed[i] = -1;
    sc->s.contact_count = s->count;
    for (int k = 0; k < s->count; k++) {
        const carom_pair *pair = &s->pairs[k];
        if (done[k])
            continue;
        bool by_a = s->bodies[pair->a].inv_mass > 0;
        int root = by_a ? pair->a : pair->b;
        carom_vec3 arm = by_a ? pair->contact.arm_a : pair->contact.arm_b;
        placed[root] = add_named(sc, root, pair, carom_vec3_add(s->bodies[root].position, arm));
        while (place_pairs(sc, placed, done) > 0)
            continue;
    }
}

static void add_many(scene *sc, const carom_result *r)
{
    const carom_case *s = sc->c;
    int placed[STAGE_BODIES];
    place_all(sc, placed);
    for (int i = 0; i < s->body_count; i++)
        add_motion(sc, placed[i], &s->bodies[i], &r->bodies[i]);
    for (int k = 0; k < s->count; k++) {
        const stage_contact *c = &sc->s.contacts[k];
        stage_add_arrow(&sc->s, c->at, c->axes.n, NORMAL_COLOUR);
        stage_add_arrow(&sc->s, c->at, carom_frame_to_world(c->axes, carom_result_p(s, r, k)), IMPULSE_COLOUR);
    }
}

/* ---- the page ---- */

static void caption_text(const captions *say, char *text, size_t room)
{
    const char *stand_in = say->planar ? "disks" : "ellipsoids";
    char others[120] = "";
    if (say->ellipsoids)
        snprintf(others, sizeof others, "%s drawn as the %s of their inertia. ",
                 say->shapes ? "Those without one are" : "Bodies without a shape are", stand_in);
    snprintf(text, room, "%s%s%s%s", say->shapes ? "Bodies are drawn as their shapes. " : "", others,
             say->shrunk ? "Where these would cross the plane of contact they are drawn smaller: the real surface "
                           "reaches the contact. "
                         : "",
             say->links ? "Links are drawn as bars between joints and contact." : "");
}

static void draw_key(const scene *sc)
{
    bool bodies = sc->s.body_count > 0, several = sc->s.contact_count > 1;
    const curve_style before = {BEFORE_COLOUR, 2.2, 0, 0}, after = {AFTER_COLOUR, 2.2, 0, 0},
                      n = {NORMAL_COLOUR, 1.6, 0, 0}, p = {IMPULSE_COLOUR, 2.2, 0, 0};
    char text[360];
    const legend_entry entries[] = {
        {ENTRY_HEAD, sc->s.axonometric ? "seen from the front right, above" : "seen from the side", false, before, 0},
        {ENTRY_CURVE, bodies ? "velocity before" : "relative velocity before", false, before, 0},
        {ENTRY_CURVE, bodies ? "velocity after" : "relative velocity after", false, after, 0},
        {ENTRY_CURVE, several ? "impulses on A" : "impulse on A", false, p, 0},
        {ENTRY_CURVE, "normal  *n*, from B to A", false, n, 0},
        {ENTRY_HEAD, text, true, before, 0}};
    caption_text(&sc->say, text, sizeof text);
    draw_legend(sc->s.p, PAGE_WIDTH - KEY_WIDTH - 20, 90, KEY_WIDTH, entries, text[0] ? 6 : 5);
}

static void draw_rule(const scene *sc)
{
    const carom_case *c = sc->c;
    const carom_coeffs *k = c->together ? c->coeffs : &c->rule.coeffs;
    char text[300], line[360];
    if (c->together)
        snprintf(text, sizeof text, "*e* = %.4g,  *μ* = %.4g%s", k->e, k->mu,
                 c->count > 1 && memcmp(&k[0], &k[1], sizeof k[0]) ? " at contact 1" : "");
    else
        coefficient_text(text, sizeof text, &c->rule, CAROM_COEFF_COUNT);
    snprintf(line, sizeof line, "%s:  %s", carom_case_law(c), text);
    plot_subtitle(sc->s.p, line);
}

static const char *objection(const carom_case *c)
{
    if (!c->together)
        return NULL;
    if (c->body_count > STAGE_BODIES || c->count > STAGE_CONTACTS)
        return "a picture holds at most 64 bodies and 64 contacts";
    return NULL;
}

/* False when the case says nothing about where its contacts are. */
static bool add_everything(scene *sc, const carom_result *r)
{
    static const carom_frame contact_axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    sc->s.is_planar = sc->say.planar = sc->c->source == CAROM_SOURCE_BODIES && sc->c->dim == 2;
    if (sc->c->source == CAROM_SOURCE_BODIES) {
        (sc->c->together ? add_many : add_two_bodies)(sc, r);
        return true;
    }
    if (add_links(sc, r))
        return true;
    if (!sc->c->together)
        add_relative(sc, 0, &contact_axes, nowhere, r);
    return !sc->c->together;
}

carom_picture *carom_plot_scene(const carom_plot *request, char *why, size_t room)
{
    scene sc = {.c = request->c};
    carom_result result = {0};
    if (objection(sc.c))
        return plot_refuse(why, room, "scene: %s", objection(sc.c));
    carom_status status = carom_case_solve(sc.c, &result);
    if (carom_status_is_error(status)) {
        carom_result_free(&result);
        return plot_refuse(why, room, "scene: %s", carom_status_message(status));
    }
    sc.s.p = plot_page(request, PAGE_WIDTH, PAGE_HEIGHT, "Scene");
    if (!sc.s.p) {
        carom_result_free(&result);
        return plot_refuse(why, room, "out of memory");
    }
    draw_rule(&sc);
    sc.s.f = frame_at(sc.s.p, 40, 70, PAGE_WIDTH - KEY_WIDTH - 90, PAGE_HEIGHT - 100);
    bool placed = add_everything(&sc, &result);
    carom_result_free(&result);
    if (!placed) {
        carom_picture_free(sc.s.p);
        return plot_refuse(why, room,
                           "scene: several contacts without bodies or links have no place in space; `carom plot "
                           "impulse` shows them");
    }
    stage_look(&sc.s);
    stage_draw(&sc.s);
    draw_key(&sc);
    return sc.s.p;
}
