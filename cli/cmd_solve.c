#include "cli.h"
const char help_solve[] = "";
int cmd_solve(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return 0;
}
