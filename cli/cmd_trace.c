#include "cli.h"
const char help_trace[] = "";
int cmd_trace(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return 0;
}
