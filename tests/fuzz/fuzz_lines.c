/* The program's reader of files: what it hands out are the lines of the file that are not blank, or the whole file. */
#include "program.h"

#include <unistd.h>

#include "cli.h"
#include "input.h"

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The next line at or after *at that is not blank, without its line break. */
static size_t next_line(const char *bytes, size_t size, size_t *at, size_t *start)
{
    for (;;) {
        size_t end = *at, last;
        *start = *at;
        while (end < size && bytes[end] != '\n')
            end++;
        for (last = end; last > *start && is_space(bytes[last - 1]);)
            last--;
        bool blank = last == *start;
        for (last = end; last > *start && (bytes[last - 1] == '\r' || bytes[last - 1] == '\n');)
            last--;
        *at = end < size ? end + 1 : size;
        if (!blank || *start >= size)
            return last - *start;
    }
}

static void must_hand_out_lines(input *in, const char *bytes, size_t size)
{
    carom_text text;
    size_t at = 0, start;
    while (input_next(in, &text)) {
        size_t length = next_line(bytes, size, &at, &start);
        MUST(text.length == length && memcmp(text.bytes, bytes + start, length) == 0);
        try_case(text.bytes, text.length, carom_law_at(0));
    }
    next_line(bytes, size, &at, &start);
    MUST(start >= size || at >= size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *file = tmpfile();
    char path[64];
    input in;
    carom_text text;
    MUST(file && fwrite(data, 1, size, file) == size && fflush(file) == 0);
    snprintf(path, sizeof path, "/dev/fd/%d", fileno(file));
    rewind(file);
    if (input_open(&in, path)) {
        if (in.is_lines)
            must_hand_out_lines(&in, (const char *)data, size);
        else {
            MUST(input_next(&in, &text));
            try_case(text.bytes, text.length, carom_law_at(0));
            MUST(!input_next(&in, &text));
        }
    }
    MUST(input_close(&in));
    fclose(file);
    return 0;
}
