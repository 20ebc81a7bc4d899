/* Files that are read as one text: tables and descriptions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "input.h"

enum { WHOLE_BYTES = 1 << 28 };

static char *read_whole(const char *path, size_t *length)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    size_t room = 1 << 16;
    char *bytes = file ? must_have(malloc(room)) : NULL;
    *length = 0;
    for (size_t got = 1; bytes && got > 0 && *length < WHOLE_BYTES; *length += got) {
        if (*length == room)
            bytes = must_have(realloc(bytes, room *= 2));
        got = fread(bytes + *length, 1, room - *length, file);
    }
    if (!file)
        complain("%s: cannot be read", path);
    else if (file != stdin)
        fclose(file);
    return bytes;
}

bool input_whole(const char *path, input_reader *read, void *context)
{
    size_t length;
    carom_case_error error;
    char *bytes = read_whole(path, &length);
    const carom_text text = {strcmp(path, "-") == 0 ? "stdin" : path, 1, bytes, length};
    const bool fine = bytes && read(context, &text, &error);
    if (bytes && !fine)
        fprintf(stderr, "%s\n", error.message);
    free(bytes);
    return fine;
}
