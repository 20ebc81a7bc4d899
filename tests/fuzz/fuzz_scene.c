/* A scene file, byte by byte; small scenes of spheres, particles and half-spaces run for a few events. */
#include "carom/heap.h"
#include "carom/scene_file.h"
#include "fuzz.h"

enum { MOST_BODIES = 24, EVENTS = 40 };

/* What is logged is JSON. */
static bool log_event(void *context, const carom_sim_event *event)
{
    const carom_scene_file *file = context;
    carom_result result = {0};
    bool repeats;
    json_t *line = carom_event_json(file, event, 0, &result, &repeats);
    must_read_back(line);
    json_decref(line);
    carom_result_free(&result);
    return true;
}

/* Other shapes can keep the simulator busy for longer than a fuzzer waits; tests/sim has them. */
static bool is_cheap(const carom_scene_file *file)
{
    for (int i = 0; i < file->scene.body_count; i++) {
        const carom_solid *s = &file->bodies[i].solid;
        if (s->kind != CAROM_SOLID_PARTICLE && s->kind != CAROM_SOLID_HALF_SPACE &&
            !(s->kind == CAROM_SOLID_SHAPE && s->shape.kind == CAROM_SHAPE_SPHERE))
            return false;
    }
    return file->scene.body_count <= MOST_BODIES;
}

static void run(const carom_scene_file *file)
{
    static const carom_memory memory = {carom_heap_resize, NULL};
    carom_sim_error blame = {CAROM_STATUS_OK, -1, -1, 0};
    carom_case_error error;
    carom_sim *sim;
    carom_status status = carom_sim_create(&file->scene, &memory, &sim, &blame);
    if (status != CAROM_STATUS_OK) {
        carom_scene_refuse(file, status, &blame, &error);
        MUST(error.message[0]);
        must_be_clean(error.message);
        return;
    }
    carom_sim_observer observer = {.after = log_event, .context = (void *)file};
    carom_sim_until until = file->until;
    carom_sim_stop stop;
    until.events = EVENTS;
    carom_sim_observe(sim, &observer);
    (void)!carom_sim_advance(sim, &until, &stop);
    carom_sim_free(sim);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    carom_text text = {"fuzz", 1, (const char *)data, size};
    carom_scene_file file;
    carom_case_error error;
    if (!carom_scene_read(&text, &file, &error)) {
        MUST(error.rule[0] && error.message[0]);
        must_be_clean(error.message);
    } else if (is_cheap(&file))
        run(&file);
    carom_scene_free(&file);
    return 0;
}
