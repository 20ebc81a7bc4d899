// Carom beside the engines, in one process and one run:
//
//     peers [RESULTS.csv]
//
// For every engine and impact: nanoseconds (fastest and median of short rounds) and the error of the impulse against the law that the engine
// claims (Newton's restitution and Coulomb friction at the end of the impact: whittaker) and against the impact followed through (routh-poisson,
// routh-stronge).
#include <ctime>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "peers.hpp"

double seconds()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

namespace {
constexpr int rounds = 41, steps = 500;

// The lowest corner of a box with these half edges, turned.
carom_vec3 lowest_corner(carom_vec3 half, carom_quat q)
{
    carom_vec3 best = {0, 0, 1e9};
    for (int k = 0; k < 8; k++) {
        carom_vec3 c = {k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z};
        carom_vec3 axis = {q.x, q.y, q.z}, t = carom_vec3_scale(2, carom_vec3_cross(axis, c));
        carom_vec3 w = carom_vec3_add(c, carom_vec3_add(carom_vec3_scale(q.w, t), carom_vec3_cross(axis, t)));
        if (w.z < best.z)
            best = w;
    }
    return best;
}

std::vector<impact> impacts()
{
    const carom_vec3 ball = {0.4, 0.4, 0.4}, rod = {1.0 / 3, 1.0 / 3, 0.01}, none = {0, 0, 0}, spin = {0, 2, 0}, fall = {-1, 0, -5};
    const double half = std::sqrt(0.5), s = std::sin(0.35) / std::sqrt(5.0), lean = 0.39269908169872414; // pi / 8
    const carom_quat straight = {1, 0, 0, 0}, slant = {std::cos(lean), 0, std::sin(lean), 0}, turned = {std::cos(0.35), s, 2 * s, 0};
    const carom_vec3 box = {(1 + 0.25) / 12, (4 + 0.25) / 12, (4 + 1.0) / 12}, end = {-half, 0, -half};
    return {
        {"A", "ball, stops slipping", ball, straight, {0, 0, -1}, fall, spin, 1, true},
        {"B", "ball, oblique, slides", ball, straight, {0, 0, -1}, {-10, -10, -5}, none, 1, false},
        {"C", "rod at 45 degrees", rod, slant, end, fall, spin, 0, true},
        {"D", "the rod, slip reverses", rod, slant, end, {3, 0, -5}, none, 0, true},
        {"E", "box on a corner", box, turned, lowest_corner({1, 0.5, 0.25}, turned), fall, spin, 0, false},
    };
}

carom_vec3 exact(const peer &law, const impact &i)
{
    law.prepare(i);
    law.step();
    return law.p();
}

double error(carom_vec3 got, carom_vec3 want)
{
    return carom_vec3_length(carom_vec3_sub(got, want)) / carom_vec3_length(want);
}

struct timing {
    double fastest, median;
};

timing time_of(const peer &e)
{
    std::vector<double> ns;
    for (int k = 0; k < rounds; k++) {
        double start = seconds(), inside = 0;
        for (int j = 0; j < steps; j++) {
            e.step();
            if (e.times_itself)
                inside += e.step_seconds();
        }
        ns.push_back(1e9 * (e.times_itself ? inside : seconds() - start) / steps);
    }
    std::sort(ns.begin(), ns.end());
    return {ns[0], ns[rounds / 2]};
}
} // namespace

int main(int argc, char **argv)
{
    const peer *peers[] = {&carom_whittaker, &carom_momentum, &carom_poisson, &carom_stronge, &ode_step,     &ode_quick,
                           &bullet_solver,   &box2d_step,     &chipmunk_step, &siconos_nsgs,  &siconos_quartic};
    FILE *csv = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
    if (argc > 1 && !csv) {
        std::fprintf(stderr, "peers: cannot write %s\n", argv[1]);
        return 2;
    }
    if (csv)
        std::fprintf(csv, "engine,impact,ns_fastest,ns_median,error_whittaker,error_routh_poisson,error_routh_stronge,measures\n");
    std::printf("%-26s %-7s %9s %9s %12s %14s %14s\n", "engine", "impact", "fastest", "median", "whittaker", "routh-poisson", "routh-stronge");
    for (const impact &i : impacts()) {
        const carom_vec3 end = exact(carom_whittaker, i), poisson = exact(carom_poisson, i), stronge = exact(carom_stronge, i);
        for (const peer *e : peers) {
            if (!e->prepare(i))
                continue;
            e->step();
            const carom_vec3 p = e->p();
            const timing t = time_of(*e);
            e->done();
            std::printf("%-26s %-7s %9.0f %9.0f %12.1e %14.1e %14.1e\n", e->name, i.name, t.fastest, t.median, error(p, end), error(p, poisson), error(p, stronge));
            if (csv)
                std::fprintf(csv, "%s,%s,%.1f,%.1f,%.3e,%.3e,%.3e,\"%s\"\n", e->name, i.name, t.fastest, t.median, error(p, end), error(p, poisson), error(p, stronge), e->measures);
        }
    }
    if (csv)
        std::fclose(csv);
    return 0;
}
