/* Documents from files, and changes to them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/import.h"
#include "io/import/xml.h"

bool file_exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    bool is_file = file && fgetc(file) != EOF;
    if (file)
        fclose(file);
    return is_file;
}

char *file_load(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t room = 0;
    *length = 0;
    for (size_t got = 1; file && got;) {
        char *more = *length == room ? realloc(bytes, room = room ? 2 * room : 1 << 14) : bytes;
        if (!more) {
            free(bytes);
            fclose(file);
            return NULL;
        }
        bytes = more;
        got = fread(bytes + *length, 1, room - *length, file);
        *length += got;
    }
    if (file)
        fclose(file);
    return bytes;
}

xml *xml_load(const char *path, char *why)
{
    size_t length;
    char text[160], *bytes = file_load(path, &length);
    if (!bytes) {
        snprintf(why, CAROM_IMPORT_MESSAGE, "%.150s: %s", path, strerror(errno));
        return NULL;
    }
    xml *root = xml_read(bytes, length, text);
    free(bytes);
    if (!root)
        snprintf(why, CAROM_IMPORT_MESSAGE, "%.90s:%s", path, text);
    return root;
}

static char *copy_of(const char *text)
{
    char *out = malloc(strlen(text) + 1);
    return out ? strcpy(out, text) : NULL;
}

void xml_set(xml *e, const char *name, const char *value)
{
    for (int k = 0; k < e->attribute_count; k++)
        if (strcmp(e->attributes[k].name, name) == 0) {
            char *text = copy_of(value);
            free(text ? e->attributes[k].value : NULL);
            e->attributes[k].value = text ? text : e->attributes[k].value;
            return;
        }
    xml_attribute *more = realloc(e->attributes, (size_t)(e->attribute_count + 1) * sizeof *more);
    if (!more)
        return;
    e->attributes = more;
    more[e->attribute_count] = (xml_attribute){copy_of(name), copy_of(value), false};
    if (more[e->attribute_count].name && more[e->attribute_count].value)
        e->attribute_count++;
}

static void unhook(xml *e)
{
    xml *up = e->up, *before = NULL;
    for (xml *c = up->first; c != e; c = c->next)
        before = c;
    if (before)
        before->next = e->next;
    else
        up->first = e->next;
    up->last = up->last == e ? before : up->last;
    e->up = e->next = NULL;
}

void xml_cut(xml *e)
{
    unhook(e);
    xml_free(e);
}

void xml_move(xml *e, xml *to)
{
    unhook(e);
    e->up = to;
    if (to->last)
        to->last->next = e;
    else
        to->first = e;
    to->last = e;
}
