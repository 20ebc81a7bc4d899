#include "record.h"

#include <stdlib.h>

static bool open_record(record *x)
{
    x->stream = open_memstream(&x->bytes, &x->length);
    return x->stream;
}

static void close_record(record *x)
{
    if (x->stream)
        fclose(x->stream);
    free(x->bytes);
    *x = (record){0};
}

bool run_record_start(run_record *r)
{
    r->failed = !open_record(&r->samples) || !open_record(&r->events);
    return !r->failed;
}

void run_record_end(run_record *r)
{
    close_record(&r->samples);
    close_record(&r->events);
}

double state_number(const carom_sim_state *s, int i)
{
    const double all[RECORD_STATE] = {s->position.x,    s->position.y,    s->position.z,    s->orientation.w,
                                      s->orientation.x, s->orientation.y, s->orientation.z, s->velocity.x,
                                      s->velocity.y,    s->velocity.z,    s->omega.x,       s->omega.y,
                                      s->omega.z};
    return all[i];
}

static void keep(run_record *r, const double *x, size_t count)
{
    r->failed |= fwrite(x, sizeof *x, count, r->samples.stream) != count;
}

void run_record_sample(run_record *r)
{
    const double head[RECORD_HEAD] = {carom_sim_time(r->sim), carom_sim_energy(r->sim).after};
    keep(r, head, RECORD_HEAD);
    for (int i = 0; i < r->file->scene.body_count; i++) {
        if (r->file->bodies[i].def.fixed)
            continue;
        carom_sim_state state = carom_sim_body(r->sim, i);
        double x[RECORD_STATE];
        for (int k = 0; k < RECORD_STATE; k++)
            x[k] = state_number(&state, k);
        keep(r, x, RECORD_STATE);
    }
}

bool run_record_event(void *context, const carom_sim_event *event)
{
    run_record *r = context;
    if (!r->keeps_events)
        return true;
    bool repeats = true;
    carom_json *line = carom_event_json(r->file, event, 0, &r->result, &repeats);
    if (line)
        carom_json_print(r->events.stream, line, true);
    r->failed |= !line || ferror(r->events.stream);
    r->unrepeated += !repeats;
    carom_json_free(line);
    return !r->failed;
}
