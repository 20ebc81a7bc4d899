#include "memory_files.h"

#include <stdlib.h>
#include <string.h>

enum { FILES = 8 };

typedef struct memory_file {
    char *path, *text;
    size_t length;
} memory_file;

static memory_file files[FILES];
static int count;

FILE *memory_file_open(const char *path)
{
    if (count == FILES)
        return NULL;
    memory_file *f = &files[count];
    f->path = strdup(path);
    FILE *stream = f->path ? open_memstream(&f->text, &f->length) : NULL;
    if (stream)
        count++;
    else
        free(f->path);
    return stream;
}

const char *memory_file_text(const char *path, size_t *length)
{
    for (int i = 0; i < count; i++)
        if (strcmp(files[i].path, path) == 0) {
            *length = files[i].length;
            return files[i].text;
        }
    return NULL;
}

void memory_files_forget(void)
{
    for (int i = 0; i < count; i++) {
        free(files[i].path);
        free(files[i].text);
        files[i] = (memory_file){NULL, NULL, 0};
    }
    count = 0;
}
