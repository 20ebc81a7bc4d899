#include "sim_files.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "csv.h"
#include "output.h"
#include "sim_h5.h"

struct sim_file {
    output_file file;
    sim_h5 *h5; /* or null */
};

bool sim_moves(const carom_scene_file *file, int i)
{
    const carom_body_def *def = &file->bodies[i].def;
    return !def->fixed || file->bodies[i].drive || carom_vec3_length(def->velocity) > 0 ||
           carom_vec3_length(def->omega) > 0;
}

/* ---- a line per sample ---- */

static bool json_sample(void *context, const sim_run *run)
{
    sim_file *f = context;
    json_t *line = json_object(), *bodies = json_object();
    for (int i = 0; i < run->file->scene.body_count; i++) {
        carom_sim_state state = carom_sim_body(run->sim, i);
        if (sim_moves(run->file, i))
            json_object_set_new(bodies, run->file->names[i], (json_t *)carom_state_json(run->file, &state));
    }
    json_object_set_new(line, "t", json_real(carom_sim_time(run->sim)));
    json_object_set_new(line, "bodies", bodies);
    json_print(f->file.file, line, true);
    json_decref(line);
    return !ferror(f->file.file);
}

static const char *const columns[2][13] = {
    {"x", "y", "angle", "v_x", "v_y", "omega", NULL},
    {"x", "y", "z", "q_w", "q_x", "q_y", "q_z", "v_x", "v_y", "v_z", "w_x", "w_y", "w_z"},
};

static int column_count(const sim_run *run)
{
    return run->file->scene.dim == 2 ? 6 : 13;
}

static void csv_head_of(FILE *out, const sim_run *run)
{
    fputs("t", out);
    for (int i = 0; i < run->file->scene.body_count; i++)
        for (int k = 0; sim_moves(run->file, i) && k < column_count(run); k++) {
            char text[512];
            snprintf(text, sizeof text, "%s.%s", run->file->names[i], columns[run->file->scene.dim - 2][k]);
            fputc(',', out);
            csv_text(out, text);
        }
    fputc('\n', out);
}

/* The numbers of a state in the order of the columns. */
static void numbers_of(int dim, const carom_sim_state *s, double x[13])
{
    double planar[6] = {s->position.x, s->position.y, carom_state_angle(s), s->velocity.x, s->velocity.y, s->omega.z};
    double spatial[13] = {s->position.x,    s->position.y,    s->position.z, s->orientation.w, s->orientation.x,
                          s->orientation.y, s->orientation.z, s->velocity.x, s->velocity.y,    s->velocity.z,
                          s->omega.x,       s->omega.y,       s->omega.z};
    memcpy(x, dim == 2 ? planar : spatial, (dim == 2 ? 6 : 13) * sizeof *x);
}

static bool csv_sample(void *context, const sim_run *run)
{
    sim_file *f = context;
    char text[CAROM_NUMBER_SIZE];
    double x[13];
    carom_number_print(text, carom_sim_time(run->sim));
    fputs(text, f->file.file);
    for (int i = 0; i < run->file->scene.body_count; i++) {
        carom_sim_state state = carom_sim_body(run->sim, i);
        if (!sim_moves(run->file, i))
            continue;
        numbers_of(run->file->scene.dim, &state, x);
        for (int k = 0; k < column_count(run); k++) {
            carom_number_print(text, x[k]);
            fprintf(f->file.file, ",%s", text);
        }
    }
    fputc('\n', f->file.file);
    return !ferror(f->file.file);
}

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
    json_print(f->file.file, run->line, true);
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
    sim_sink sink = {.sample = csv ? csv_sample : json_sample};
    sim_file *f;
    if (strcmp(ending(path), ".h5") == 0) {
        f = must_have(calloc(1, sizeof *f));
        f->h5 = sim_h5_open(path, run);
        sink.sample = h5_sample;
        if (!f->h5) {
            free(f);
            return NULL;
        }
    } else if (!(f = open_text(path)))
        return NULL;
    if (csv)
        csv_head_of(f->file.file, run);
    sink.context = f;
    sim_run_add(run, &sink);
    return f;
}

sim_file *sim_events_open(const char *path, sim_run *run)
{
    sim_file *f = open_text(path);
    sim_sink sink = {.event = event_line, .context = f, .wants_lines = true};
    if (f)
        sim_run_add(run, &sink);
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
