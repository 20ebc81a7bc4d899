/* Drive the simulator from C: to an impact, with a callback, to rest, and back to a snapshot. */
#include <stdio.h>

#include "carom/carom.h"
#include "carom/heap.h"

static bool after(void *context, const carom_sim_event *event)
{
    const carom_sim *sim = context;
    const carom_vec3 v = event->contacts[0].def_a.velocity, v_after = carom_sim_body(sim, 0).velocity;
    if (event->kind == CAROM_SIM_EVENT_IMPACT && carom_sim_impacts(sim) <= 3)
        printf("%.6f s  impact, %.4f -> %.4f m/s\n", event->time, v.z, v_after.z);
    return true;
}

int main(void)
{
    carom_scene_body bodies[] = {carom_scene_sphere(0.17, 0.03), carom_scene_half_space(carom_vec3_make(0, 0, 1), 0)};
    bodies[0].def.position.z = 1.03;
    carom_scene scene = carom_scene_default();
    scene.gravity.z = -9.81;
    scene.rule.coeffs.e = 0.5;
    scene.bodies = bodies, scene.body_count = 2;
    const carom_memory heap = carom_heap();
    carom_sim *sim;
    if (carom_sim_create(&scene, &heap, &sim, NULL))
        return 1;
    carom_sim_observe(sim, &(carom_sim_observer){.after = after, .context = sim});
    carom_status status = carom_sim_to_impacts(sim, 3);
    void *snapshot = malloc(carom_sim_snapshot_size(sim));
    carom_sim_save(sim, snapshot);
    for (int k = 0; k < 2 && !status; k++) {
        status = carom_sim_to_rest(sim, 10);
        printf("%.6f s  at rest, %.6f m high\n", carom_sim_time(sim), carom_sim_body(sim, 0).position.z - 0.03);
        status = status ? status : carom_sim_restore(sim, snapshot);
    }
    free(snapshot);
    carom_sim_free(sim);
    return (int)status;
}
