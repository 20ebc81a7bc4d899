/* Objects of JSON: a list of members in their order, and above a few of them an index by the hash of the key. */
#include <string.h>

#include "json_memory.h"

typedef struct member {
    json_t *value;
    size_t place; /* in the list */
    size_t length;
    char key[];
} member;

typedef struct object {
    json_t head;
    size_t count, room;
    member **members;
    size_t slots; /* a power of two; 0: no index */
    member **index;
} object;

enum { UNINDEXED = 8 };

json_t *json_object(void)
{
    object *o = json_room(sizeof *o);
    if (o)
        *o = (object){.head = {JSON_OBJECT, 1}};
    return (json_t *)o;
}

void json_object_clear(json_t *value)
{
    object *o = (object *)value;
    for (size_t i = 0; i < o->count; i++) {
        json_decref(o->members[i]->value);
        json_release(o->members[i]);
    }
    json_release(o->members);
    json_release(o->index);
}

/* ---- find ---- */

static size_t hash_of(const char *key, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)key[i]) * 16777619u;
    return hash;
}

static bool has_key(const member *m, const char *key, size_t length)
{
    return m->length == length && memcmp(m->key, key, length) == 0;
}

static member *find(const object *o, const char *key, size_t length)
{
    if (o->slots == 0) {
        for (size_t i = 0; i < o->count; i++)
            if (has_key(o->members[i], key, length))
                return o->members[i];
        return NULL;
    }
    for (size_t at = hash_of(key, length);; at++) {
        member *m = o->index[at & (o->slots - 1)];
        if (!m || has_key(m, key, length))
            return m;
    }
}

static void enter(object *o, member *m)
{
    size_t at = hash_of(m->key, m->length);
    while (o->index[at & (o->slots - 1)])
        at++;
    o->index[at & (o->slots - 1)] = m;
}

/* The index anew, at most half full. False when memory ends: then there is none. */
static bool make_index(object *o)
{
    json_release(o->index);
    o->index = NULL;
    o->slots = 0;
    if (o->room <= UNINDEXED)
        return true;
    o->index = json_room(2 * o->room * sizeof(member *));
    if (!o->index)
        return false;
    o->slots = 2 * o->room;
    memset(o->index, 0, o->slots * sizeof(member *));
    for (size_t i = 0; i < o->count; i++)
        enter(o, o->members[i]);
    return true;
}

json_t *json_member_of(const json_t *value, const char *key, size_t length)
{
    const member *m = json_is_object(value) && key ? find((const object *)value, key, length) : NULL;
    return m ? m->value : NULL;
}

json_t *json_object_get(const json_t *value, const char *key)
{
    return key ? json_member_of(value, key, strlen(key)) : NULL;
}

size_t json_object_size(const json_t *value)
{
    return json_is_object(value) ? ((const object *)value)->count : 0;
}

/* ---- change ---- */

static bool object_has_room(object *o)
{
    if (o->count < o->room)
        return true;
    size_t room = o->room ? 2 * o->room : 4;
    member **larger = json_larger(o->members, o->count, room, sizeof *larger);
    if (!larger)
        return false;
    o->members = larger;
    o->room = room;
    return make_index(o);
}

static bool add(object *o, const char *key, size_t length, json_t *value)
{
    member *m = object_has_room(o) ? json_room(sizeof *m + length + 1) : NULL;
    if (!m)
        return false;
    *m = (member){value, o->count, length};
    memcpy(m->key, key, length);
    m->key[length] = 0;
    o->members[o->count++] = m;
    if (o->slots)
        enter(o, m);
    return true;
}

int json_member_set(json_t *value, const char *key, size_t length, json_t *entry)
{
    member *m = json_is_object(value) && entry ? find((object *)value, key, length) : NULL;
    if (m) {
        json_decref(m->value);
        m->value = entry;
        return 0;
    }
    if (entry && json_is_object(value) && entry != value && add((object *)value, key, length, entry))
        return 0;
    json_decref(entry);
    return -1;
}

int json_object_set_new_nocheck(json_t *value, const char *key, json_t *entry)
{
    if (key)
        return json_member_set(value, key, strlen(key), entry);
    json_decref(entry);
    return -1;
}

int json_object_set_new(json_t *value, const char *key, json_t *entry)
{
    json_t *text = json_string(key); /* null unless UTF-8 */
    json_decref(text);
    return json_object_set_new_nocheck(value, text ? key : NULL, entry);
}

int json_object_set(json_t *value, const char *key, json_t *entry)
{
    return json_object_set_new(value, key, json_incref(entry));
}

int json_object_del(json_t *value, const char *key)
{
    object *o = (object *)value;
    member *m = json_is_object(value) && key ? find(o, key, strlen(key)) : NULL;
    if (!m)
        return -1;
    for (size_t i = m->place; i + 1 < o->count; i++) {
        o->members[i] = o->members[i + 1];
        o->members[i]->place = i;
    }
    o->count--;
    json_decref(m->value);
    json_release(m);
    make_index(o);
    return 0;
}

int json_object_update(json_t *value, json_t *other)
{
    const char *key;
    json_t *entry;
    if (!json_is_object(value) || !json_is_object(other))
        return -1;
    json_object_foreach(other, key, entry)
    {
        if (json_object_set_new_nocheck(value, key, json_incref(entry)) != 0)
            return -1;
    }
    return 0;
}

/* ---- walk ---- */

void *json_object_iter(json_t *value)
{
    return json_object_size(value) > 0 ? ((object *)value)->members[0] : NULL;
}

void *json_object_iter_next(json_t *value, void *at)
{
    const object *o = (const object *)value;
    size_t next = at ? ((member *)at)->place + 1 : o->count;
    return next < o->count ? o->members[next] : NULL;
}

const char *json_object_iter_key(void *at)
{
    return at ? ((member *)at)->key : NULL;
}

json_t *json_object_iter_value(void *at)
{
    return at ? ((member *)at)->value : NULL;
}

void *json_object_key_to_iter(const char *key)
{
    return key ? (char *)(uintptr_t)key - offsetof(member, key) : NULL;
}
