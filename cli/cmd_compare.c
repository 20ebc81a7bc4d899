#include "cli.h"
const char help_compare[] = "";
int cmd_compare(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return 0;
}
