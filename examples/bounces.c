/* Drive the simulator from C: from event to event, with a callback, and back to a snapshot. */
#include <stdio.h>
#include <stdlib.h>

#include "carom/carom.h"

static void *resize(void *context, void *block, size_t bytes)
{
    (void)context;
    if (bytes)
        return realloc(block, bytes);
    free(block);
    return NULL;
}

static bool after(void *context, const carom_sim_event *event)
{
    const carom_sim_contact *c = &event->contacts[0];
    if (event->kind == CAROM_SIM_EVENT_IMPACT && ++*(int *)context <= 3)
        printf("%.6f s  impact, %.4f -> %.4f m/s\n", event->time, c->def_a.velocity.z, c->after_a.velocity.z);
    return true;
}

int main(void)
{
    carom_scene_body bodies[2] = {{.solid = {.kind = CAROM_SOLID_SHAPE, .shape = {CAROM_SHAPE_SPHERE, {0.03}}}},
                                  {.solid = {.kind = CAROM_SOLID_HALF_SPACE, .normal = {0, 0, 1}}}};
    bodies[0].def = carom_shape_sphere(0.17, 0.03);
    bodies[0].def.position.z = 1.03;
    bodies[1].def = carom_body_def_default();
    bodies[1].def.fixed = true;
    carom_scene scene = carom_scene_default();
    scene.gravity.z = -9.81;
    scene.rule.coeffs.e = 0.5;
    scene.bodies = bodies, scene.body_count = 2;

    int impacts = 0;
    carom_memory memory = {resize, NULL};
    carom_sim_observer observer = {.after = after, .context = &impacts};
    carom_sim_until until = carom_sim_until_default();
    carom_sim_stop stop;
    carom_sim *sim;
    if (carom_sim_create(&scene, &memory, &sim, NULL))
        return 1;
    carom_sim_observe(sim, &observer);
    until.events = 2; /* from event to event */
    if (carom_sim_advance(sim, &until, &stop))
        return 1;
    void *snapshot = malloc(carom_sim_snapshot_size(sim));
    carom_sim_save(sim, snapshot);
    until.events = -1, until.rest = true; /* to rest, twice */
    double ends[2];
    for (int k = 0; k < 2; k++) {
        if (carom_sim_restore(sim, snapshot) || carom_sim_advance(sim, &until, &stop))
            return 1;
        ends[k] = carom_sim_time(sim);
    }
    printf("%s at %.6f s, %.6f m high; again from the snapshot: %s\n", carom_sim_stop_word(stop), ends[0],
           carom_sim_body(sim, 0).position.z - 0.03, ends[0] == ends[1] ? "the same" : "different");
    free(snapshot);
    carom_sim_free(sim);
    return 0;
}
