/* Objects of JSON: a list of members in their order, and above a few of them an index by the hash of the key. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/json/json_tree.h"

typedef struct member {
    carom_json *value;
    size_t place; /* in the text */
    char key[];
} member;

typedef struct object {
    carom_json head;
    size_t count, room;
    member **members;
    size_t slots; /* a power of two; 0: no index */
    member **index;
} object;

enum { UNINDEXED = 8 };

carom_json *carom_json_object(void)
{
    object *o = malloc(sizeof *o);
    if (o)
        *o = (object){.head = {.kind = CAROM_JSON_OBJECT, .references = 1}};
    return (carom_json *)o;
}

void carom_internal_json_object_clear(carom_json *value)
{
    object *o = (object *)value;
    for (size_t i = 0; i < o->count; i++) {
        carom_json_free(o->members[i]->value);
        free(o->members[i]);
    }
    free(o->members);
    free(o->index);
}

/* ---- find ---- */

static size_t hash_of(const char *key)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *key; key++)
        hash = (hash ^ (unsigned char)*key) * 16777619u;
    return hash;
}

/* Where the key stands in the index, or the empty slot where it would. */
static member **slot_of(const object *o, const char *key)
{
    for (size_t at = hash_of(key);; at++) {
        member **slot = &o->index[at & (o->slots - 1)];
        if (!*slot || strcmp((*slot)->key, key) == 0)
            return slot;
    }
}

static member *find(const carom_json *value, const char *key)
{
    const object *o = (const object *)value;
    if (!key || !carom_json_is(value, CAROM_JSON_OBJECT))
        return NULL;
    if (o->slots > 0)
        return *slot_of(o, key);
    for (size_t i = 0; i < o->count; i++)
        if (strcmp(o->members[i]->key, key) == 0)
            return o->members[i];
    return NULL;
}

/* The index anew, at most half full. False when memory ends: then there is none. */
static bool make_index(object *o)
{
    free(o->index);
    o->index = NULL;
    o->slots = 0;
    if (o->room <= UNINDEXED)
        return true;
    o->index = malloc(2 * o->room * sizeof(member *));
    if (!o->index)
        return false;
    o->slots = 2 * o->room;
    memset(o->index, 0, o->slots * sizeof(member *));
    for (size_t i = 0; i < o->count; i++)
        *slot_of(o, o->members[i]->key) = o->members[i];
    return true;
}

bool carom_internal_json_has(const carom_json *value, const char *key)
{
    return find(value, key) != NULL;
}

carom_json *carom_json_object_get(const carom_json *value, const char *key)
{
    const member *m = find(value, key);
    return m ? m->value : NULL;
}

size_t carom_json_object_size(const carom_json *value)
{
    return carom_json_is(value, CAROM_JSON_OBJECT) ? ((const object *)value)->count : 0;
}

const char *carom_json_object_key(const carom_json *value, size_t i)
{
    return i < carom_json_object_size(value) ? ((const object *)value)->members[i]->key : NULL;
}

carom_json *carom_json_object_value(const carom_json *value, size_t i)
{
    return i < carom_json_object_size(value) ? ((const object *)value)->members[i]->value : NULL;
}

size_t carom_json_object_place(const carom_json *value, size_t i)
{
    return i < carom_json_object_size(value) ? ((const object *)value)->members[i]->place : 0;
}

/* ---- change ---- */

static bool object_has_room(object *o)
{
    if (o->count < o->room)
        return true;
    size_t room = o->room ? 2 * o->room : 4;
    member **larger = realloc(o->members, room * sizeof *larger);
    if (!larger)
        return false;
    o->members = larger;
    o->room = room;
    return make_index(o);
}

bool carom_internal_json_add(carom_json *value, const char *key, size_t place, carom_json *entry)
{
    object *o = (object *)value;
    size_t length = strlen(key) + 1;
    member *m = entry && object_has_room(o) ? malloc(sizeof *m + length) : NULL;
    if (!m) {
        if (entry)
            carom_internal_json_break(value);
        carom_json_free(entry);
        return false;
    }
    m->value = entry;
    m->place = place;
    memcpy(m->key, key, length);
    o->members[o->count++] = m;
    if (o->slots)
        *slot_of(o, key) = m;
    return true;
}

int carom_json_object_set_new(carom_json *value, const char *key, carom_json *entry)
{
    if (!key || !entry || entry == value || !carom_json_is(value, CAROM_JSON_OBJECT)) {
        carom_json_free(entry);
        return -1;
    }
    member *m = find(value, key);
    if (!m)
        return carom_internal_json_add(value, key, 0, entry) ? 0 : -1;
    carom_json_free(m->value);
    m->value = entry;
    return 0;
}

int carom_json_object_set(carom_json *value, const char *key, carom_json *entry)
{
    return carom_json_object_set_new(value, key, carom_json_share(entry));
}

int carom_json_object_del(carom_json *value, const char *key)
{
    object *o = (object *)value;
    member *m = find(value, key);
    if (!m)
        return -1;
    size_t i = 0;
    while (o->members[i] != m)
        i++;
    o->count--;
    memmove(o->members + i, o->members + i + 1, (o->count - i) * sizeof(member *));
    carom_json_free(m->value);
    free(m);
    make_index(o);
    return 0;
}

int carom_json_object_update(carom_json *value, const carom_json *other)
{
    if (!carom_json_is(value, CAROM_JSON_OBJECT) || !carom_json_is(other, CAROM_JSON_OBJECT))
        return -1;
    for (size_t i = 0; i < carom_json_object_size(other); i++)
        if (carom_json_object_set(value, carom_json_object_key(other, i), carom_json_object_value(other, i)) != 0)
            return -1;
    return 0;
}
