/* Commands and files that a page has no use for. */
#include "cli.h"
#include "sim_record.h"

static int absent(const char *command)
{
    return complain("%s: not part of the WebAssembly build", command);
}

const char help_plot[] = "carom plot is not part of the WebAssembly build.\n";
const char help_sweep[] = "carom sweep is not part of the WebAssembly build.\n";
const char help_fit[] = "carom fit is not part of the WebAssembly build.\n";
const char help_verify[] = "carom verify is not part of the WebAssembly build.\n";
const char help_bench[] = "carom bench is not part of the WebAssembly build.\n";

int cmd_plot(int argc, char **argv)
{
    (void)argc;
    return absent(argv[0]);
}

int cmd_sweep(int argc, char **argv)
{
    (void)argc;
    return absent(argv[0]);
}

int cmd_fit(int argc, char **argv)
{
    (void)argc;
    return absent(argv[0]);
}

int cmd_verify(int argc, char **argv)
{
    (void)argc;
    return absent(argv[0]);
}

int cmd_bench(int argc, char **argv)
{
    (void)argc;
    return absent(argv[0]);
}

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
    complain("%s: the WebAssembly build draws no pictures", path);
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
