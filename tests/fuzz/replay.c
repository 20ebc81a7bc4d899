/* A fuzz target without a fuzzer: runs it on every file of the folders named, and on each of them cut in half. */
#include <dirent.h>

#include "fuzz.h"

enum { LARGEST = 1 << 20 };

static int replay(const char *path)
{
    static uint8_t bytes[LARGEST];
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t part = size; part > 0; part /= 2) {
        uint8_t *copy = malloc(part); /* exactly: so that reading past its end is seen */
        MUST(copy);
        memcpy(copy, bytes, part);
        LLVMFuzzerTestOneInput(copy, part);
        free(copy);
    }
    return 1;
}

int main(int argc, char **argv)
{
    int count = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        for (struct dirent *entry; folder && (entry = readdir(folder));) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            if (entry->d_name[0] != '.')
                count += replay(path);
        }
        if (folder)
            closedir(folder);
    }
    printf("%d passed, 0 failed\n", count);
    return count == 0;
}
