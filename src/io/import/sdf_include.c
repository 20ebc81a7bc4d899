/* <include> of SDF: the model of another file, found beside the file that names it or one folder up. */
#include <stdio.h>
#include <string.h>

#include "io/import/sdf.h"

enum { INCLUDES = 16 }; /* depth */

/* Two models that worlds of Gazebo include, and that come with it: the sun, which shines only, and the ground. */
static const char ground_plane[] =
    "<sdf version='1.6'><model name='ground_plane'><static>true</static><link name='link'><collision name='collision'>"
    "<geometry><plane><normal>0 0 1</normal></plane></geometry><surface><friction><ode><mu>100</mu></ode></friction>"
    "</surface></collision></link></model></sdf>";

static bool is_sun(const char *uri)
{
    return strcmp(uri, "model://sun") == 0;
}

static xml *load_model(const char *uri, const char *name, char *why)
{
    return name[0] || strcmp(uri, "model://ground_plane") != 0 ? xml_load(name, why)
                                                               : xml_read(ground_plane, sizeof ground_plane - 1, why);
}

/* model://name is a folder with a model.sdf; other addresses are files or such folders. */
static bool find_file(const char *path, const char *uri, char *name, size_t size)
{
    const char *slash = strrchr(path, '/'), *bare = strstr(uri, "://") ? strstr(uri, "://") + 3 : uri;
    int folder = bare[0] != '/' && slash ? (int)(slash + 1 - path) : 0;
    static const char *const up[] = {"", "../"}, *const inside[] = {"", "/model.sdf"};
    for (int k = 0; k < 4; k++) {
        snprintf(name, size, "%.*s%s%.250s%s", folder, path, bare[0] == '/' ? "" : up[k / 2], bare, inside[k % 2]);
        if (file_exists(name))
            return true;
    }
    name[0] = 0;
    return strcmp(uri, "model://ground_plane") == 0;
}

/* What the include says takes the place of what the model says. */
static void override(xml *include, xml *to)
{
    static const char *const keys[] = {"pose", "static"};
    const char *name = xml_text_of(include, "name");
    if (name)
        xml_set(to, "name", name);
    for (int k = 0; k < 2; k++) {
        xml *own = xml_child(include, keys[k], NULL), *old = xml_child(to, keys[k], NULL);
        if (own && old)
            xml_cut(old);
        if (own)
            xml_move(own, to);
    }
}

static bool follow(xml *e, const char *path, int depth, char *why);

static bool take_include(xml *include, const char *path, int depth, char *why)
{
    const char *uri = xml_text_of(include, "uri");
    char name[512];
    if (depth == INCLUDES) {
        snprintf(why, CAROM_IMPORT_MESSAGE, "%.100s:%ld: files include each other, more than %d deep", path,
                 include->line, INCLUDES);
        return false;
    }
    bool found_file = uri && find_file(path, uri, name, sizeof name);
    if (uri && !found_file && is_sun(uri))
        return true;
    if (!found_file) {
        snprintf(why, CAROM_IMPORT_MESSAGE, "%.100s:%ld: no model %.80s beside this file or one folder up", path,
                 include->line, uri ? uri : "(an include needs a uri)");
        return false;
    }
    xml *root = load_model(uri, name, why);
    if (!root)
        return false;
    xml *found = strcmp(root->name, "sdf") == 0 ? xml_child(root, "model", NULL) : NULL;
    bool fine = found && follow(root, name, depth + 1, why);
    if (!found)
        snprintf(why, CAROM_IMPORT_MESSAGE, "%.100s: an included file needs an <sdf> with a <model>", name);
    if (fine) {
        include->taken = true;
        override(include, found);
        xml_move(found, include->up);
    }
    xml_free(root);
    return fine;
}

static bool follow(xml *e, const char *path, int depth, char *why)
{
    for (xml *c = e->first; c; c = c->next) {
        bool fine = strcmp(c->name, "include") == 0 ? take_include(c, path, depth, why) : follow(c, path, depth, why);
        if (!fine)
            return false;
    }
    return true;
}

bool sdf_follow_includes(xml *e, const char *path, char *why)
{
    return follow(e, path, 0, why);
}
