#include "program.h"

#include <stdarg.h>
#include <unistd.h>

#include "cli.h"

int complaints;

static FILE *terminal;
static char *printed;
static size_t printed_length;

/* What the program says is one line, whatever it quotes. */
int complain(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    carom_utf8_clean(text);
    MUST(length > 0);
    must_be_clean(text);
    complaints++;
    return BAD_INPUT;
}

void *must_have(void *block)
{
    MUST(block);
    return block;
}

FILE *file_of(const void *bytes, size_t size, char path[64])
{
    FILE *file = tmpfile();
    MUST(file && fwrite(bytes, 1, size, file) == size && fflush(file) == 0);
    rewind(file);
    snprintf(path, 64, "/dev/fd/%d", fileno(file));
    return file;
}

void capture_begin(void)
{
    terminal = stdout;
    stdout = open_memstream(&printed, &printed_length);
    MUST(stdout);
}

char *capture_end(size_t *length)
{
    MUST(fclose(stdout) == 0);
    stdout = terminal;
    *length = printed_length;
    return printed;
}
