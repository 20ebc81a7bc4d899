// carom/carom.hpp: owners, spans, exceptions.
#include <cmath>
#include <utility>
#include <vector>

#include "carom/carom.hpp"

/* A ball falls 1 m; a scene with an overlap throws. */
int main()
{
    std::vector<carom_scene_body> bodies{carom_scene_sphere(0.17, 0.03), carom_scene_half_space({0, 0, 1}, 0)};
    bodies[0].def.position.z = 1.03;
    carom_scene scene = carom::scene_of(bodies);
    scene.gravity.z = -9.81;
    carom::simulation first{scene}, sim{std::move(first)};
    sim.to_impacts(1);
    if (std::fabs(sim.time() - std::sqrt(2 / 9.81)) > 1e-15 || sim.impacts() != 1)
        return 1;
    bodies[0].def.position.z = 0; /* it overlaps the ground */
    try {
        carom::simulation bad{scene};
        return 2;
    } catch (const carom::error &e) {
        return e.status() == CAROM_STATUS_OVERLAP ? 0 : 3;
    }
}
