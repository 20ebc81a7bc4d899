/* cli/output.h in memory: standard output and standard error are two texts, files are kept by their names until the
 * next command. There are no signals. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "memory_files.h"
#include "output.h"

void output_start(void)
{
}

void output_hold_signals(void)
{
}

bool output_is_stopped(void)
{
    return false;
}

bool output_wait(int file)
{
    (void)file;
    return true;
}

void output_commit(void)
{
    fflush(stdout);
}

int output_finish(int status)
{
    fflush(stdout);
    return status;
}

output_file output_open(const char *path)
{
    output_file f = {memory_file_open(path), NULL, NULL, false, false};
    if (!f.file)
        complain("%s: out of memory", path);
    return f;
}

bool output_close(output_file *f, bool whole)
{
    (void)whole;
    bool fine = fclose(f->file) == 0;
    f->file = NULL;
    return fine;
}
