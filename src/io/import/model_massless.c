/* Links of URDF without mass: frames of cameras and tools, and roots that only name a place. */
#include <string.h>

#include "io/import/model.h"

static bool is_word(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* The shapes of a link that is at a place in the frame of another one become that one's. */
static bool give_shapes(model *m, int from, int to, pose at)
{
    for (int k = 0; k < m->links[from].geom_count; k++) {
        model_geom *g = model_add_geom(m, &m->links[to]);
        if (!g)
            return false;
        *g = m->links[from].geoms[k];
        g->at = pose_times(at, g->at);
    }
    m->links[from].geom_count = 0; /* points of hulls belong to the other link now */
    return true;
}

/* Links on it hang on another one; the other one itself stays. */
static void give_children(model *m, int from, int to, pose at)
{
    for (int k = 0; k < m->link_count; k++)
        if (k != to && is_word(m->links[k].parent, m->links[from].name)) {
            memcpy(m->links[k].parent, m->links[to].name, NAME_MOST);
            m->links[k].at = pose_times(at, m->links[k].at);
        }
}

static int find_link(const model *m, const char *name)
{
    for (int k = 0; name[0] && k < m->link_count; k++)
        if (is_word(m->links[k].name, name))
            return k;
    return -1;
}

static int fixed_child(const model *m, int of)
{
    for (int k = 0; k < m->link_count; k++)
        if (is_word(m->links[k].parent, m->links[of].name) && is_word(m->links[k].joint, "fixed"))
            return k;
    return -1;
}

static bool has_children(const model *m, int of)
{
    for (int k = 0; k < m->link_count; k++)
        if (is_word(m->links[k].parent, m->links[of].name))
            return true;
    return false;
}

static void remove_link(model *m, int i)
{
    model_free_geoms(&m->links[i]);
    memmove(&m->links[i], &m->links[i + 1], (size_t)(m->link_count - i - 1) * sizeof *m->links);
    m->link_count--;
}

/* Link i has no mass. */
static bool fuse(model *m, int i)
{
    model_link *l = &m->links[i];
    int up = find_link(m, l->parent), child = fixed_child(m, i);
    bool root = !l->parent[0];
    if (up >= 0 && is_word(l->joint, "fixed")) {
        model_note(m, l, "has no mass: it is part of \"%.60s\"", m->links[up].name);
        if (!give_shapes(m, i, up, l->at))
            return false;
        give_children(m, i, up, l->at);
    } else if (root && child >= 0) {
        pose back = pose_inverse(m->links[child].at);
        model_note(m, l, "has no mass: it is part of \"%.60s\"", m->links[child].name);
        if (!give_shapes(m, i, child, back))
            return false;
        give_children(m, i, child, back);
        m->links[child].parent[0] = 0;
        m->links[child].joint = "free";
    } else if (root && has_children(m, i)) {
        model_note(m, l, "has no mass, and joints that move: it is part of the world");
        l->is_static = true;
        return true;
    } else
        return model_fail(m, l->from, "link \"%.40s\" has no mass", l->name);
    remove_link(m, i);
    return true;
}

bool model_fuse_massless(model *m)
{
    for (int i = 0; i < m->link_count;) {
        bool bare = !m->links[i].is_static && !(m->links[i].mass > 0);
        if (bare && !fuse(m, i))
            return false;
        i = bare ? 0 : i + 1; /* the world and removed links are bare no more, so this ends */
    }
    return true;
}
