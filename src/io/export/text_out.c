/* Text that grows: XML and meshes. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/export_task.h"

static bool reserve(text_out *t, size_t more)
{
    size_t need = t->length + more + 1;
    if (need <= t->room)
        return true;
    size_t room = need > 2 * t->room ? need : 2 * t->room;
    char *bytes = t->failed ? NULL : realloc(t->bytes, room);
    t->failed |= !bytes;
    if (!bytes)
        return false;
    t->bytes = bytes, t->room = room;
    return true;
}

static void append(text_out *t, const char *bytes, size_t length)
{
    if (!reserve(t, length))
        return;
    memcpy(t->bytes + t->length, bytes, length);
    t->length += length;
    t->bytes[t->length] = 0;
}

void text_add(text_out *t, const char *format, ...)
{
    char line[512];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    append(t, line, length < 0 ? 0 : length < (int)sizeof line ? (size_t)length : sizeof line - 1);
}

void text_escaped(text_out *t, const char *text)
{
    static const struct {
        char c;
        const char *as;
    } escapes[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&apos;"}};
    for (; *text; text++) {
        size_t k = 0;
        while (k < sizeof escapes / sizeof escapes[0] && escapes[k].c != *text)
            k++;
        if (k < sizeof escapes / sizeof escapes[0])
            append(t, escapes[k].as, strlen(escapes[k].as));
        else
            append(t, text, 1);
    }
}

void text_numbers(text_out *t, const double *x, int count)
{
    for (int k = 0; k < count; k++) {
        char number[CAROM_NUMBER_SIZE];
        int length = carom_number_print(number, x[k] == 0 ? 0 : x[k]);
        if (k)
            append(t, " ", 1);
        append(t, number, (size_t)length);
    }
}

void text_vector(text_out *t, carom_vec3 v)
{
    text_numbers(t, (double[3]){v.x, v.y, v.z}, 3);
}

void text_indent(text_out *t, int depth)
{
    for (int k = 0; k < depth; k++)
        append(t, "  ", 2);
}

void text_join(text_out *t, const text_out *other)
{
    append(t, other->bytes ? other->bytes : "", other->length);
}
