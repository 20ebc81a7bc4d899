/* What every program of the project says when something is wrong. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/utf8.h"
#include "cli.h"
#include "output.h"

enum { LONGEST = 8192 }; /* bytes of a complaint */

int complain(const char *format, ...)
{
    char text[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    carom_utf8_clean(text); /* it quotes options, names and files */
    fprintf(stderr, "carom: %s\n", text);
    return BAD_INPUT;
}

void *must_have(void *block)
{
    if (!block)
        exit(output_finish(complain("out of memory")));
    return block;
}
