/* Commands and files that the comparison of machines has no use for. */
#include "cli.h"
#include "sim_record.h"

/* Every command of the program, where no file of the build has it. */
int absent_command(int argc, char **argv);

int absent_command(int argc, char **argv)
{
    (void)argc;
    return complain("%s: not part of this build", argv[0]);
}

#define CAROM_COMMAND(name, summary)                                                                                   \
    int cmd_##name(int argc, char **argv) __attribute__((weak, alias("absent_command")));                              \
    __attribute__((weak))                                                                                              \
    const command_help help_##name = {.usage = "This command is not part of this build.\n", .rest = ""};
#include "commands.def"
#undef CAROM_COMMAND

/* ---- files of `carom sim` ---- */

bool sim_page_is_known(void)
{
    return false;
}

bool sim_page_write(const char *path, const sim_record *r, const sim_run *run)
{
    (void)path, (void)r, (void)run;
    return false;
}

bool sim_picture_is_known(const char *path)
{
    complain("%s: this build draws no pictures", path);
    return false;
}

bool sim_picture_write(const char *path, const sim_record *r, const sim_run *run)
{
    (void)path, (void)r, (void)run;
    return false;
}

bool sim_stills_write(const char *path, int count, const sim_record *r, const sim_run *run)
{
    (void)count;
    return sim_picture_write(path, r, run);
}
