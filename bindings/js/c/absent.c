/* Commands and files that a page has no use for. */
#include "cli.h"
#include "sim_ensemble.h"
#include "sim_gradient.h"
#include "sim_propagate.h"
#include "sim_record.h"

/* Every command of the program, where no file of the build has it. */
int absent_command(int argc, char **argv);

int absent_command(int argc, char **argv)
{
    (void)argc;
    return complain("%s: not part of the WebAssembly build", argv[0]);
}

#define CAROM_COMMAND(name, summary)                                                                                   \
    int cmd_##name(int argc, char **argv) __attribute__((weak, alias("absent_command")));                              \
    __attribute__((weak)) const char help_##name[] = "This command is not part of the WebAssembly build.\n";
#include "commands.def"
#undef CAROM_COMMAND

/* ---- gradients, ensembles and files of `carom sim` ---- */

bool gradient_method_read(const char *word, gradient_method *method)
{
    (void)word, (void)method;
    complain("--method: the WebAssembly build has no gradients");
    return false;
}

int gradient_print(const carom_scene_file *file, const gradient_task *task)
{
    (void)file, (void)task;
    return complain("--gradient: the WebAssembly build has no gradients");
}

int propagate_print(ensemble *e, const carom_scene_file *file, const gradient_task *task)
{
    (void)e, (void)file, (void)task;
    return complain("--propagate: the WebAssembly build has no gradients");
}

void ensemble_start(ensemble *e, bool asked)
{
    (void)e, (void)asked;
}

void ensemble_end(ensemble *e)
{
    (void)e;
}

bool ensemble_option(ensemble *e, int letter, const char *text, bool *fine)
{
    (void)e, (void)letter, (void)text, (void)fine;
    return false;
}

void sweep_identify(sweep *s, const char *text)
{
    (void)s, (void)text;
}

int ensemble_run(ensemble *e, const carom_scene_file *file, const char *output)
{
    (void)e, (void)file, (void)output;
    return complain("--ensemble: not part of the WebAssembly build");
}

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
