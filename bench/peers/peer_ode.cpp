// ODE: one body, one contact joint, one step without gravity.
#include <ode/ode.h>

#include "peers.hpp"

namespace {
dWorldID world;
dBodyID body;
dJointID joint;
impact now;
constexpr double h = 1e-6; // the step moves the body by nothing

bool prepare(const impact &i)
{
    now = i;
    dInitODE2(0);
    world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, 0);
    dWorldSetCFM(world, 0);
    body = dBodyCreate(world);
    dMass mass;
    dMassSetParameters(&mass, 1, 0, 0, 0, i.inertia.x, i.inertia.y, i.inertia.z, 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetGyroscopicMode(body, 0);
    dContact c = {};
    c.surface.mode = dContactBounce | dContactApprox1;
    c.surface.mu = friction;
    c.surface.bounce = restitution;
    c.geom.normal[2] = 1;
    for (int k = 0; k < 3; k++)
        c.geom.pos[k] = (&i.arm.x)[k];
    joint = dJointCreateContact(world, 0, &c);
    dJointAttach(joint, body, 0);
    return true;
}

void set()
{
    const dQuaternion q = {now.turn.w, now.turn.x, now.turn.y, now.turn.z};
    dBodySetPosition(body, 0, 0, 0);
    dBodySetQuaternion(body, q);
    dBodySetLinearVel(body, now.v.x, now.v.y, now.v.z);
    dBodySetAngularVel(body, now.w.x, now.w.y, now.w.z);
}

void step()
{
    set();
    dWorldStep(world, h);
}

void quick()
{
    set();
    dWorldQuickStep(world, h);
}

carom_vec3 p()
{
    const dReal *v = dBodyGetLinearVel(body);
    return carom_vec3_make(v[0] - now.v.x, v[1] - now.v.y, v[2] - now.v.z);
}

void done()
{
    dWorldDestroy(world);
    dCloseODE();
}
} // namespace

const peer ode_step = {"ODE dWorldStep", "set body, whole step of one body and one contact", prepare, step, p, done, false, nullptr};
const peer ode_quick = {"ODE dWorldQuickStep", "set body, whole step of one body and one contact, 20 iterations", prepare, quick, p, done, false, nullptr};
