/* Carom for C++20: owners that free what they hold, spans in place of pointers and counts, exceptions in place of
 * statuses. Everything else is carom/carom.h.
 *
 *     carom::simulation sim{scene};
 *     sim.to_time(5);
 *     carom_sim_state ball = sim.body(0);
 *
 * Header only. */
#ifndef CAROM_CAROM_HPP
#define CAROM_CAROM_HPP

#include <cstddef>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <utility>

#include "carom/carom.h"

namespace carom {

/* A status that is an error, as a sentence. */
class error : public std::runtime_error {
public:
    explicit error(carom_status status) : std::runtime_error(carom_status_message(status)), status_(status) {}
    carom_status status() const noexcept { return status_; }

private:
    carom_status status_;
};

inline void check(carom_status status)
{
    if (status != CAROM_STATUS_OK)
        throw error(status);
}

/* The bodies and pairs of a scene from spans, which must outlive it. */
inline carom_scene scene_of(std::span<const carom_scene_body> bodies, std::span<const carom_scene_pair> pairs = {})
{
    carom_scene s = carom_scene_default();
    s.bodies = bodies.data();
    s.body_count = static_cast<int>(bodies.size());
    s.pairs = pairs.data();
    s.pair_count = static_cast<int>(pairs.size());
    return s;
}

/* A simulation that frees itself; it moves, and does not copy. The scene must outlive it. */
class simulation {
public:
    explicit simulation(const carom_scene &scene)
    {
        const carom_memory heap = {resize, nullptr};
        check(carom_sim_create(&scene, &heap, &sim_, nullptr));
    }
    simulation(simulation &&other) noexcept : sim_(std::exchange(other.sim_, nullptr)) {}
    simulation &operator=(simulation &&other) noexcept
    {
        std::swap(sim_, other.sim_);
        return *this;
    }
    simulation(const simulation &) = delete;
    simulation &operator=(const simulation &) = delete;
    ~simulation() { carom_sim_free(sim_); }

    void to_time(double time) { check(carom_sim_to_time(sim_, time)); }
    void to_impacts(long long impacts) { check(carom_sim_to_impacts(sim_, impacts)); }
    void to_rest(double time) { check(carom_sim_to_rest(sim_, time)); }
    double time() const { return carom_sim_time(sim_); }
    long long impacts() const { return carom_sim_impacts(sim_); }
    carom_sim_state body(int i) const { return carom_sim_body(sim_, i); }
    carom_sim_ledger energy() const { return carom_sim_energy(sim_); }
    carom_sim *get() noexcept { return sim_; }

private:
    static void *resize(void *, void *block, std::size_t bytes)
    {
        if (bytes)
            return std::realloc(block, bytes);
        std::free(block);
        return nullptr;
    }
    carom_sim *sim_ = nullptr;
};

} // namespace carom

#endif
