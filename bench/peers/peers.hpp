// Five impacts, and what every engine must do with them.
#pragma once

#include <carom/carom.h>

// A body of mass 1 that touches the ground z = 0 with one point. e = 0.5, mu = 0.4.
struct impact {
    const char *name, *what;
    carom_vec3 inertia; // principal
    carom_quat turn;    // body to world
    carom_vec3 arm;     // world axes, from the centre to the contact
    carom_vec3 v, w;
    double radius; // of a ball, or 0
    bool planar;   // x and z tell everything: v.y = w.x = w.z = 0
};

constexpr double restitution = 0.5, friction = 0.4;

// An engine under test. prepare makes its world for an impact; step sets the velocities and resolves the impact once; p is the impulse
// that the last step gave the body, in world axes.
struct peer {
    const char *name, *measures;
    bool (*prepare)(const impact &);
    void (*step)();
    carom_vec3 (*p)();
    void (*done)();
    bool times_itself; // step_seconds says how long the last step took (where a step needs preparation that is not the engine's work)
    double (*step_seconds)();
};

extern const peer carom_whittaker, carom_stronge, carom_poisson, carom_momentum;
extern const peer ode_step, ode_quick, bullet_solver, box2d_step, chipmunk_step, siconos_nsgs, siconos_quartic;

double seconds();
