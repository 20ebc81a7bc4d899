#include "cli.h"
const char help_laws[] = "";
int cmd_laws(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return 0;
}
