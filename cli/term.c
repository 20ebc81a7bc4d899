#include "term.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool colour;

void term_start(void)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    colour = isatty(STDOUT_FILENO) && !(no && no[0]) && term && strcmp(term, "dumb") != 0;
}

const char *term_bold(void)
{
    return colour ? "\033[1m" : "";
}

const char *term_dim(void)
{
    return colour ? "\033[2m" : "";
}

const char *term_red(void)
{
    return colour ? "\033[31m" : "";
}

const char *term_green(void)
{
    return colour ? "\033[32m" : "";
}

const char *term_plain(void)
{
    return colour ? "\033[0m" : "";
}
