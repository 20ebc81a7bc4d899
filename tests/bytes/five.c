/* Five scenes and the bits of their runs: one line each. tests/bytes/five.sh compares builds of this program. */
#include <stdio.h>

#include "sim/generated_classes.h"

#define UNTIL 1.0 /* s */

static uint64_t mix(uint64_t hash, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (hash ^ bits) * UINT64_C(0x100000001b3); /* FNV-1a, in words */
}

static uint64_t mix_vec(uint64_t hash, carom_vec3 v)
{
    return mix(mix(mix(hash, v.x), v.y), v.z);
}

static bool note(void *context, const carom_sim_event *event)
{
    uint64_t *hash = context;
    *hash = mix(mix(*hash, event->time), event->count);
    for (int k = 0; k < event->count; k++)
        *hash = mix_vec(mix(mix(mix(*hash, event->contacts[k].p.t1), event->contacts[k].p.t2), event->contacts[k].p.n),
                        event->contacts[k].normal);
    return true;
}

static void run(const char *name)
{
    for (int class = 0; class < SCENE_CLASSES; class ++) {
        if (strcmp(scene_classes[class].name, name) != 0)
            continue;
        generated g;
        uint64_t hash = UINT64_C(0xcbf29ce484222325);
        const carom_sim_observer observer = {.after = note, .context = &hash};
        carom_scene scene = generate(&g, class, 0);
        carom_sim *sim = sim_of(&scene);
        carom_sim_observe(sim, &observer);
        carom_status status = carom_sim_to_time(sim, UNTIL);
        for (int k = 0; k < g.count; k++) {
            carom_sim_state s = carom_sim_body(sim, k);
            hash = mix_vec(mix_vec(mix_vec(hash, s.position), s.velocity), s.omega);
            hash = mix(mix(mix(mix(hash, s.orientation.w), s.orientation.x), s.orientation.y), s.orientation.z);
        }
        printf("%-16s %016llx  %s, %lld events\n", name, (unsigned long long)hash, carom_status_id(status),
               carom_sim_events(sim));
        carom_sim_free(sim);
    }
}

int main(void)
{
    /* Of classes that draw one number per statement: compilers differ in the order within one. */
    static const char *const names[] = {"turntable", "curved", "lively", "tipping", "corner on corner"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        run(names[k]);
    return 0;
}
