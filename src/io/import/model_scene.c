/* The scene of a model, and what of the file is not in it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/json_short.h"
#include "io/import/model.h"

static json_t *vector(carom_vec3 v)
{
    return json_pack("[f f f]", v.x, v.y, v.z);
}

static json_t *quaternion(carom_quat q)
{
    return json_pack("[f f f f]", q.w, q.x, q.y, q.z);
}

/* ---- shapes ---- */

static const char *word_of(carom_shape_kind kind)
{
    static const char *const words[] = {
#define CAROM_SHAPE(name, function, word, keys, meaning) word,
#include "carom/shapes.def"
#undef CAROM_SHAPE
    };
    return words[kind];
}

static json_t *points_json(const carom_solid *s)
{
    json_t *list = json_array();
    for (int k = 0; k < s->point_count; k++)
        json_array_append_new(list, vector(s->points[k]));
    return list;
}

static json_t *triangles_json(const carom_solid *s)
{
    json_t *list = json_array();
    for (int k = 0; k < s->triangle_count; k++)
        json_array_append_new(
            list, json_pack("[i i i]", s->triangles[3 * k], s->triangles[3 * k + 1], s->triangles[3 * k + 2]));
    return list;
}

static json_t *shape_json(const carom_solid *s)
{
    const double *x = s->shape.size;
    if (s->kind == CAROM_SOLID_MESH)
        return json_pack("{s:{s:o, s:o}}", "mesh", "points", points_json(s), "triangles", triangles_json(s));
    json_t *shape = json_object();
    json_t *sizes = s->kind == CAROM_SOLID_HULL              ? json_pack("{s:o}", "points", points_json(s))
                    : s->shape.kind == CAROM_SHAPE_SPHERE    ? json_pack("{s:f}", "radius", x[0])
                    : s->shape.kind == CAROM_SHAPE_BOX       ? json_pack("{s:[f f f]}", "size", x[0], x[1], x[2])
                    : s->shape.kind == CAROM_SHAPE_ELLIPSOID ? json_pack("{s:[f f f]}", "semi_axes", x[0], x[1], x[2])
                                                             : json_pack("{s:f, s:f}", "radius", x[0], "length", x[1]);
    json_object_set_new(shape, s->kind == CAROM_SOLID_HULL ? "hull" : word_of(s->shape.kind), sizes);
    return shape;
}

static bool collides(const model_geom *g)
{
    return !g->no_contact && g->solid.kind != CAROM_SOLID_HALF_SPACE;
}

static json_t *link_shape(const model_link *l)
{
    json_t *parts = json_array();
    for (int k = 0; k < l->geom_count; k++)
        if (collides(&l->geoms[k]))
            json_array_append_new(parts, json_pack("{s:o, s:o, s:o}", "shape", shape_json(&l->geoms[k].solid),
                                                   "position", vector(geom_middle(&l->geoms[k])), "orientation",
                                                   quaternion(l->geoms[k].at.q)));
    return json_pack("{s:{s:o}}", "compound", "parts", parts);
}

/* ---- materials: each pair of coefficients once ---- */

enum { MATERIALS = 64 };

typedef struct materials {
    double mu[MATERIALS], e[MATERIALS];
    int count;
} materials;

static void put_material(materials *all, const model_geom *g, json_t *object)
{
    char name[32];
    int k = 0;
    if (!g || (g->mu < 0 && g->e < 0))
        return;
    while (k < all->count && (all->mu[k] != g->mu || all->e[k] != g->e))
        k++;
    if (k == MATERIALS)
        return;
    if (k == all->count)
        all->mu[k] = g->mu, all->e[k] = g->e, all->count++;
    snprintf(name, sizeof name, "surface %d", k + 1);
    json_object_set_new(object, "material", json_string(name));
}

static double mixed(double a, double b, bool largest, double otherwise)
{
    a = a < 0 ? otherwise : a;
    b = b < 0 ? otherwise : b;
    return largest ? fmax(a, b) : fmin(a, b);
}

static json_t *pairs_json(const model *m, const materials *all)
{
    json_t *pairs = json_array();
    for (int i = 0; i < all->count; i++)
        for (int k = i; k < all->count; k++) {
            char a[32], b[32];
            snprintf(a, sizeof a, "surface %d", i + 1);
            snprintf(b, sizeof b, "surface %d", k + 1);
            json_array_append_new(pairs, json_pack("{s:[s s], s:{s:f, s:f}}", "between", a, b, "coefficients", "e",
                                                   mixed(all->e[i], all->e[k], false, m->e), "mu",
                                                   mixed(all->mu[i], all->mu[k], m->mu_is_largest, m->mu)));
        }
    return pairs;
}

/* ---- bodies and links ---- */

void model_body_name(const model_link *l, int ground, char *out, size_t size)
{
    if (ground)
        snprintf(out, size, "%s ground %d", l->name, ground);
    else
        snprintf(out, size, "%s", l->name);
}

static void add_static(const model_link *l, materials *all, json_t *bodies)
{
    for (int k = 0; k < l->geom_count; k++) {
        const model_geom *g = &l->geoms[k];
        pose at = pose_times(l->at, g->at);
        char name[NAME_MOST + 24];
        json_t *body;
        if (g->no_contact)
            continue;
        model_body_name(l, k + 1, name, sizeof name);
        if (g->solid.kind == CAROM_SOLID_HALF_SPACE) {
            carom_vec3 n = pose_times((pose){{0, 0, 0}, at.q}, (pose){g->solid.normal, {1, 0, 0, 0}}).x;
            body = json_pack("{s:{s:{s:o, s:f}}, s:b}", "shape", "half-space", "normal", vector(n), "offset",
                             carom_vec3_dot(n, at.x), "fixed", true);
        } else {
            model_geom there = *g;
            there.at = at;
            body = json_pack("{s:o, s:o, s:o, s:b}", "shape", shape_json(&g->solid), "position",
                             vector(geom_middle(&there)), "orientation", quaternion(at.q), "fixed", true);
        }
        put_material(all, g, body);
        json_object_set_new(bodies, name, body);
    }
}

static const model_geom *first_contact(const model_link *l)
{
    for (int k = 0; k < l->geom_count; k++)
        if (collides(&l->geoms[k]))
            return &l->geoms[k];
    return NULL;
}

static json_t *link_json(const model *m, const model_link *l, materials *all)
{
    const char *parent = l->parent[0] ? l->parent : "world";
    pose at = l->at;
    carom_sym3 I = l->inertia;
    for (int k = 0; k < m->link_count; k++)
        if (m->links[k].is_static && strcmp(m->links[k].name, l->parent) == 0) {
            parent = "world";
            at = pose_times(m->links[k].at, at);
        }
    bool axis =
        strcmp(l->joint, "revolute") == 0 || strcmp(l->joint, "prismatic") == 0 || strcmp(l->joint, "planar") == 0;
    json_t *joint =
        json_pack("{s:s, s:o, s:o}", "type", l->joint, "origin", vector(at.x), "rotation", quaternion(at.q));
    if (axis)
        json_object_set_new(joint, "axis", vector(l->axis));
    json_t *link = json_pack("{s:s, s:s, s:o, s:f, s:o, s:[[f f f] [f f f] [f f f]]}", "name", l->name, "parent",
                             parent, "joint", joint, "mass", l->mass, "com", vector(l->com), "inertia", I.xx, I.xy,
                             I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz);
    bool shaped = first_contact(l) != NULL;
    json_object_set_new(link, "shape", shaped ? link_shape(l) : json_pack("{s:{}}", "particle"));
    if (shaped)
        json_object_set_new(link, "frame", json_string("link"));
    put_material(all, first_contact(l), link);
    model_put_state(l, link);
    return link;
}

/* Parents come first; a cycle leaves links over. */
static bool add_links(const model *m, materials *all, json_t *links)
{
    bool *done = calloc((size_t)m->link_count + 1, sizeof *done), grew = done != NULL;
    int left = 0;
    for (int k = 0; done && k < m->link_count; k++)
        done[k] = m->links[k].is_static;
    while (grew) {
        grew = false;
        left = 0;
        for (int k = 0; k < m->link_count; k++) {
            bool ready = !m->links[k].parent[0];
            for (int p = 0; p < m->link_count && !ready; p++)
                ready = done[p] && strcmp(m->links[p].name, m->links[k].parent) == 0;
            if (!done[k] && ready) {
                json_array_append_new(links, link_json(m, &m->links[k], all));
                done[k] = grew = true;
            }
            left += !done[k];
        }
    }
    free(done);
    return left == 0;
}

carom_json *model_scene(model *m)
{
    materials all = {.count = 0};
    json_t *bodies = json_object(), *links = json_array();
    for (int k = 0; k < m->link_count; k++)
        if (m->links[k].is_static)
            add_static(&m->links[k], &all, bodies);
    bool whole = add_links(m, &all, links);
    if (!whole || !json_array_size(links)) {
        json_decref(bodies);
        json_decref(links);
        model_fail(m, NULL, whole ? "nothing in this model moves" : "links hang on each other in a circle");
        return NULL;
    }
    json_t *scene = json_pack("{s:s, s:o, s:o, s:s, s:{s:f, s:f}, s:o, s:{s:f}}", "name", m->name, "bodies", bodies,
                              "links", links, "law", "routh-stronge", "coefficients", "e", m->e, "mu", m->mu, "gravity",
                              vector(m->gravity), "until", "time", 2.0);
    json_t *bonds = model_bonds(m);
    if (json_array_size(bonds))
        json_object_set_new(scene, "joints", json_incref(bonds));
    json_decref(bonds);
    if (all.count)
        json_object_set_new(scene, "pairs", pairs_json(m, &all));
    model_add_no_contact(m, scene);
    return scene;
}

/* ---- losses ---- */

static const char *meaning_of(const char *name)
{
    static const char *const rows[][2] = {
#define CAROM_MEANING(name, meaning) {name, meaning},
#include "io/import/meanings.def"
#undef CAROM_MEANING
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        if (strcmp(rows[k][0], name) == 0)
            return rows[k][1];
    return "not known to the importer";
}

static void add_loss(json_t *list, long line, const char *path, const char *name)
{
    json_array_append_new(
        list, json_pack("{s:f, s:s, s:s}", "line", (double)line, "element", path, "meaning", meaning_of(name)));
}

static void list_losses(const xml *e, const char *above, json_t *list)
{
    char path[512], own[600];
    snprintf(path, sizeof path, "%.400s%s%.80s", above, above[0] ? "/" : "", e->name);
    if (!e->taken) {
        add_loss(list, e->line, path, e->name);
        return;
    }
    for (int k = 0; k < e->attribute_count; k++)
        if (!e->attributes[k].taken) {
            snprintf(own, sizeof own, "%s@%.80s", path, e->attributes[k].name);
            add_loss(list, e->line, own, e->attributes[k].name);
        }
    if (e->text && !e->text_taken) {
        snprintf(own, sizeof own, "%s (text)", path);
        add_loss(list, e->line, own, e->name);
    }
    for (const xml *c = e->first; c; c = c->next)
        list_losses(c, path, list);
}

carom_json *model_losses(const xml *root)
{
    json_t *list = json_array();
    list_losses(root, "", list);
    return list;
}
