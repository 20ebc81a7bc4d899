#include "sim_files.h"

#include <stdlib.h>
#include <string.h>

#include "carom/run_record.h"
#include "cli.h"
#include "output.h"
#include "sim_h5.h"

struct sim_file {
    output_file file;
    sim_h5 *h5; /* or null */
};

static bool h5_sample(void *context, const sim_run *run)
{
    sim_file *f = context;
    return sim_h5_append(f->h5, run);
}

/* ---- a line per event ---- */

static bool event_line(void *context, const sim_run *run, const carom_sim_event *event)
{
    sim_file *f = context;
    (void)event;
    carom_json_print(f->file.file, run->line, true);
    return !ferror(f->file.file);
}

/* ---- open and close ---- */

static const char *ending(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot : "";
}

bool sim_trajectory_is_known(const char *path)
{
    const char *dot = ending(path);
    if (strcmp(dot, ".jsonl") == 0 || strcmp(dot, ".csv") == 0 || strcmp(dot, ".h5") == 0)
        return true;
    complain("%s: unknown ending; known are .jsonl, .csv and .h5", path);
    return false;
}

static sim_file *open_text(const char *path)
{
    sim_file *f = must_have(calloc(1, sizeof *f));
    f->file = output_open(path);
    f->file.keep = true;
    if (f->file.file)
        return f;
    free(f);
    return NULL;
}

sim_file *sim_trajectory_open(const char *path, sim_run *run)
{
    bool csv = strcmp(ending(path), ".csv") == 0;
    sim_sink sink = {.sample = h5_sample};
    sim_file *f;
    if (strcmp(ending(path), ".h5") == 0) {
        f = must_have(calloc(1, sizeof *f));
        f->h5 = sim_h5_open(path, run);
        if (!f->h5) {
            free(f);
            return NULL;
        }
        sink.context = f;
    } else if (!(f = open_text(path)))
        return NULL;
    if (csv)
        carom_run_table_head(f->file.file, run->file);
    if (!f->h5)
        sink = csv ? carom_run_table(f->file.file) : carom_run_lines(f->file.file);
    carom_scene_run_add(run, &sink);
    return f;
}

sim_file *sim_events_open(const char *path, sim_run *run)
{
    sim_file *f = open_text(path);
    sim_sink sink = {.event = event_line, .context = f, .wants_lines = true};
    if (f)
        carom_scene_run_add(run, &sink);
    return f;
}

bool sim_file_close(sim_file *f)
{
    if (!f)
        return true;
    bool fine = f->h5 ? sim_h5_close(f->h5) : output_close(&f->file, true);
    free(f);
    return fine;
}
