/* Some parts of a model never collide: those of which the format says so, those that are welded together, and links of
 * one tree that overlap where the model begins. They become the groups "no_contact" of the scene. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/heap.h"
#include "carom/json_short.h"
#include "carom/scene_file.h"
#include "io/import/model.h"

#define OVERLAP 1e-10 /* m: less is contact, as numbers in files are rounded */

/* A link that moves, or a shape of the world. */
typedef struct thing {
    const model_link *link;
    const model_geom *geom; /* of the world; null: all shapes of the link */
    char name[NAME_MOST + 24];
    int weld, weld_above; /* the first thing of what is welded together, and that of its parent; -1: the world */
    int tree;             /* the first thing of the tree */
} thing;

typedef struct things {
    thing *all;
    int count;
    bool *apart; /* of each pair: never collide */
} things;

/* ---- things ---- */

static int thing_named(const things *t, const char *name)
{
    for (int k = 0; k < t->count; k++)
        if (!t->all[k].geom && strcmp(t->all[k].link->name, name) == 0)
            return k;
    return -1;
}

/* Pieces between the joints of a body are none of its neighbours. */
static int above_pieces(const things *t, int at)
{
    while (at >= 0 && t->all[at].link->piece_of)
        at = t->all[at].link->parent[0] ? thing_named(t, t->all[at].link->parent) : -1;
    return at;
}

/* Up the tree, which has no circle here: a link without parent stands on the world. */
static void find_weld(things *t, int k, int *weld, int *above, int *tree)
{
    bool welded = true;
    *weld = *tree = k;
    *above = -1;
    for (int at = k, steps = 0; steps <= t->count; steps++) {
        const model_link *l = t->all[at].link;
        int up = l->parent[0] ? thing_named(t, l->parent) : -1;
        bool fixed = strcmp(l->joint, "fixed") == 0;
        if (welded && !fixed)
            *weld = at, *above = above_pieces(t, up), welded = false;
        if (up < 0) {
            if (welded)
                *weld = -1;
            *tree = fixed && *weld == -1 ? -1 : at;
            return;
        }
        at = up;
    }
}

static bool add_things(const model *m, things *t)
{
    int most = 0;
    for (int k = 0; k < m->link_count; k++)
        most += m->links[k].is_static ? m->links[k].geom_count : 1;
    t->all = calloc((size_t)most + 1, sizeof *t->all);
    t->apart = calloc((size_t)most * (size_t)most + 1, sizeof *t->apart);
    for (int k = 0; t->all && k < m->link_count; k++) {
        const model_link *l = &m->links[k];
        for (int g = 0; g < (l->is_static ? l->geom_count : 1); g++) {
            thing x = {.link = l, .geom = l->is_static ? &l->geoms[g] : NULL, .weld = -1, .weld_above = -1, .tree = -1};
            if (l->is_static && l->geoms[g].no_contact)
                continue;
            model_body_name(l, l->is_static ? g + 1 : 0, x.name, sizeof x.name);
            t->all[t->count++] = x;
        }
    }
    for (int k = 0; t->all && k < t->count; k++) {
        thing *x = &t->all[k];
        int above = -1;
        if (x->geom)
            continue;
        find_weld(t, k, &x->weld, &above, &x->tree);
        int w, a, tree;
        if (above >= 0)
            find_weld(t, above, &w, &a, &tree);
        x->weld_above = above >= 0 ? w : -1;
    }
    return t->all && t->apart;
}

/* ---- who never collides with whom ---- */

static bool touch(const model_geom *a, const model_geom *b)
{
    return !a->no_contact && !b->no_contact && ((a->type & b->affinity) || (b->type & a->affinity));
}

static bool shapes_touch(const thing *a, const thing *b)
{
    const model_geom *g = a->geom ? a->geom : a->link->geoms, *h = b->geom ? b->geom : b->link->geoms;
    for (int i = 0; i < (a->geom ? 1 : a->link->geom_count); i++)
        for (int k = 0; k < (b->geom ? 1 : b->link->geom_count); k++)
            if (touch(&g[i], &h[k]))
                return true;
    return false;
}

static bool is_excluded(const model *m, const thing *a, const thing *b)
{
    for (int k = 0; k < m->exclude_count; k++) {
        const char *x = m->excludes[2 * k], *y = m->excludes[2 * k + 1];
        if ((strcmp(x, a->link->name) == 0 && strcmp(y, b->link->name) == 0) ||
            (strcmp(y, a->link->name) == 0 && strcmp(x, b->link->name) == 0))
            return true;
    }
    return false;
}

static bool is_held(const model_link *l)
{
    return l->parent[0] && (strcmp(l->joint, "free") != 0 || l->bond.is_used);
}

static bool is_joined(const thing *a, const thing *b)
{
    return !a->geom && !b->geom &&
           ((is_held(a->link) && strcmp(a->link->parent, b->link->name) == 0) ||
            (is_held(b->link) && strcmp(b->link->parent, a->link->name) == 0));
}

static bool are_welded(const thing *a, const thing *b)
{
    return a->weld == b->weld || (a->weld_above >= 0 && a->weld_above == b->weld) ||
           (b->weld_above >= 0 && b->weld_above == a->weld);
}

static bool are_apart(const model *m, const thing *a, const thing *b)
{
    return are_welded(a, b) || (a->link->family && a->link->family == b->link->family) || is_excluded(m, a, b) ||
           !shapes_touch(a, b);
}

static bool *apart_at(const things *t, int a, int b)
{
    return &t->apart[(size_t)a * (size_t)t->count + (size_t)b];
}

/* Both belong to the world, or a joint holds them: nothing to say. */
static bool is_known(const thing *a, const thing *b)
{
    return (a->geom && b->geom) || is_joined(a, b);
}

static void find_pairs(const model *m, things *t)
{
    for (int a = 0; a < t->count; a++)
        for (int b = a + 1; b < t->count; b++)
            *apart_at(t, a, b) = *apart_at(t, b, a) =
                is_known(&t->all[a], &t->all[b]) || are_apart(m, &t->all[a], &t->all[b]);
}

/* ---- groups ---- */

/* A link without shapes. One whose shapes touch nothing of the model may still meet ground that is added. */
static bool touches_nothing(const model_link *l)
{
    for (int k = 0; k < l->geom_count; k++)
        if (!l->geoms[k].no_contact)
            return false;
    return true;
}

/* The largest group, taken greedily, that begins with a pair: all of it is known then. */
static carom_json *group_from(things *t, bool *said, int a, int b)
{
    json_t *names = json_array();
    int *in = calloc((size_t)t->count + 1, sizeof *in), n = 0;
    for (int k = a; in && k < t->count; k++) {
        bool fits = (k == a || k >= b) && !*apart_at(t, k, k);
        for (int i = 0; fits && i < n; i++)
            fits = *apart_at(t, in[i], k);
        if (fits)
            in[n++] = k;
    }
    for (int i = 0; i < n; i++) {
        json_array_append_new(names, json_string(t->all[in[i]].name));
        for (int k = 0; k < n; k++)
            said[(size_t)in[i] * (size_t)t->count + (size_t)in[k]] = true;
    }
    free(in);
    return names;
}

static carom_json *groups_of(things *t)
{
    json_t *list = json_array();
    bool *said = calloc((size_t)t->count * (size_t)t->count + 1, sizeof *said);
    for (int a = 0; said && a < t->count; a++)
        if (!t->all[a].geom && touches_nothing(t->all[a].link)) {
            json_array_append_new(list, json_pack("[s]", t->all[a].name));
            *apart_at(t, a, a) = true; /* it needs no further group */
            for (int b = 0; b < t->count; b++)
                said[(size_t)a * (size_t)t->count + (size_t)b] = said[(size_t)b * (size_t)t->count + (size_t)a] = true;
        }
    for (int a = 0; said && a < t->count; a++)
        for (int b = a + 1; b < t->count; b++)
            if (*apart_at(t, a, b) && !is_known(&t->all[a], &t->all[b]) &&
                !said[(size_t)a * (size_t)t->count + (size_t)b])
                json_array_append_new(list, group_from(t, said, a, b));
    free(said);
    return list;
}

/* ---- overlaps at the start ---- */

/* The scene in which nothing collides tells the distances. */
static carom_sim *still_sim(const carom_json *scene, carom_scene_file *file, const carom_memory *heap)
{
    carom_case_error error;
    carom_sim_error why;
    carom_sim *sim = NULL;
    char *bytes = carom_json_text(scene, 17);
    carom_text text = {"import", 1, bytes ? bytes : "", bytes ? strlen(bytes) : 0};
    bool fine = carom_scene_read(&text, file, &error);
    int count = fine ? file->scene.body_count : 0, *all = calloc((size_t)count + 1, sizeof *all);
    for (int k = 0; all && k < count; k++)
        all[k] = k;
    carom_no_contact nothing = {count, all};
    if (fine && all && count > 1) {
        file->scene.no_contacts = &nothing;
        file->scene.no_contact_count = 1;
        if (carom_sim_create(&file->scene, heap, &sim, &why))
            sim = NULL;
    }
    file->scene.no_contact_count = 0; /* the group goes, and distances do not need it */
    free(all);
    free(bytes);
    return sim;
}

static int body_named(const carom_scene_file *file, const char *name)
{
    for (int k = 0; k < file->scene.body_count; k++)
        if (strcmp(file->names[k], name) == 0)
            return k;
    return -1;
}

static void find_overlaps(model *m, things *t, const carom_json *scene)
{
    const carom_memory heap = carom_heap();
    carom_scene_file file;
    carom_sim *sim = still_sim(scene, &file, &heap);
    for (int a = 0; sim && a < t->count; a++)
        for (int b = a + 1; b < t->count; b++) {
            const thing *x = &t->all[a], *y = &t->all[b];
            if (x->geom || y->geom || x->tree < 0 || x->tree != y->tree || *apart_at(t, a, b))
                continue;
            double gap = carom_sim_distance(sim, body_named(&file, x->name), body_named(&file, y->name));
            if (!(gap < -OVERLAP))
                continue;
            *apart_at(t, a, b) = *apart_at(t, b, a) = true;
            model_note(m, x->link, "overlaps \"%.60s\" by %.3g m at the start: the two do not collide", y->name, -gap);
        }
    carom_sim_free(sim);
    carom_scene_free(&file);
}

void model_add_no_contact(model *m, carom_json *scene)
{
    things t = {.count = 0};
    if (add_things(m, &t)) {
        find_pairs(m, &t);
        find_overlaps(m, &t, scene);
        json_t *list = groups_of(&t);
        if (json_array_size(list))
            json_object_set_new(scene, "no_contact", json_incref(list));
        json_decref(list);
    }
    free(t.all);
    free(t.apart);
}
