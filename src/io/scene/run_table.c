/* A run as lines: JSON, or comma-separated values. */
#include <stdio.h>
#include <string.h>

#include "carom/run_record.h"

void carom_csv_text(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\n\r")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static bool json_sample(void *context, const carom_scene_run *run)
{
    carom_json *line = carom_scene_run_sample(run);
    carom_json_print(context, line, true);
    carom_json_free(line);
    return !ferror((FILE *)context);
}

static const char *const columns[2][13] = {
    {"x", "y", "angle", "v_x", "v_y", "omega", NULL},
    {"x", "y", "z", "q_w", "q_x", "q_y", "q_z", "v_x", "v_y", "v_z", "w_x", "w_y", "w_z"},
};

static int column_count(const carom_scene_file *file)
{
    return file->scene.dim == 2 ? 6 : 13;
}

void carom_run_table_head(FILE *out, const carom_scene_file *file)
{
    fputs("t", out);
    for (int i = 0; i < file->scene.body_count; i++)
        for (int k = 0; carom_scene_moves(file, i) && k < column_count(file); k++) {
            char text[512];
            snprintf(text, sizeof text, "%s.%s", file->names[i], columns[file->scene.dim - 2][k]);
            fputc(',', out);
            carom_csv_text(out, text);
        }
    fputs(",energy\n", out);
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

static bool csv_sample(void *context, const carom_scene_run *run)
{
    FILE *out = context;
    char text[CAROM_NUMBER_SIZE];
    double x[13];
    carom_number_print(text, carom_sim_time(run->sim));
    fputs(text, out);
    for (int i = 0; i < run->file->scene.body_count; i++) {
        carom_sim_state state = carom_sim_body(run->sim, i);
        if (!carom_scene_moves(run->file, i))
            continue;
        numbers_of(run->file->scene.dim, &state, x);
        for (int k = 0; k < column_count(run->file); k++) {
            carom_number_print(text, x[k]);
            fprintf(out, ",%s", text);
        }
    }
    carom_number_print(text, carom_sim_energy(run->sim).after);
    fprintf(out, ",%s\n", text);
    return !ferror(out);
}

carom_run_sink carom_run_lines(FILE *out)
{
    return (carom_run_sink){.sample = json_sample, .context = out};
}

carom_run_sink carom_run_table(FILE *out)
{
    return (carom_run_sink){.sample = csv_sample, .context = out};
}
