/* Tracks of a camera through `carom reduce`: each line that it prints is one that `carom fit` reads. */
#include <getopt.h>

#include "carom/fit_data.h"
#include "cli.h"
#include "program.h"

int cmd_reduce(int argc, char **argv);

static void must_be_data(const char *bytes, size_t length)
{
    carom_fit_data data = {0};
    carom_case_error error;
    for (size_t at = 0; at < length;) {
        const char *end = memchr(bytes + at, '\n', length - at);
        MUST(end);
        carom_text text = {"fuzz", 1, bytes + at, (size_t)(end - bytes) - at};
        if (!carom_fit_data_add(&data, &text, &error)) {
            fprintf(stderr, "%s\n%.*s\n", error.message, (int)text.length, text.bytes);
            MUST(!"read back");
        }
        at = (size_t)(end - bytes) + 1;
    }
    carom_fit_data_free(&data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    char *words[] = {"reduce",  "--mass",  "0.07",     "--inertia",  "8e-5", "--radius", "0.05",
                     "--pixel", "0.00023", "--recipe", "two-frames", path,   NULL};
    const bool lines = size > 0 && data[0] % 2;
    FILE *file = file_of(data, size, path);
    words[10] = lines ? "least-squares" : "two-frames";
    size_t length;
    optind = 0;
    complaints = 0;
    capture_begin();
    int status = cmd_reduce(12, words);
    char *text = capture_end(&length);
    MUST(status == FINE ? complaints == 0 && length > 0 : status == BAD_INPUT && complaints == 1);
    must_be_data(text, length);
    free(text);
    fclose(file);
    return 0;
}
