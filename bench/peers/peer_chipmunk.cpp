// Chipmunk: a space of one body and the ground, in the plane of x and z. Its arbiters remember the last step, so each timed step follows
// an untimed one far from the ground.
#include <chipmunk/chipmunk.h>

#include "peers.hpp"

namespace {
impact now;
cpSpace *space;
cpBody *body;
cpShape *shape, *floor_shape;
double took;
constexpr double tip = 0.05, h = 1e-5, sunk = 1e-4;

bool prepare(const impact &i)
{
    if (!i.planar)
        return false;
    now = i;
    space = cpSpaceNew();
    cpSpaceSetCollisionPersistence(space, 1);
    cpSpaceSetCollisionSlop(space, 0.1);
    floor_shape = cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-50, 0), cpv(50, 0), 0));
    cpShapeSetElasticity(floor_shape, 1);
    cpShapeSetFriction(floor_shape, 1);
    body = cpSpaceAddBody(space, cpBodyNew(1, i.inertia.y));
    double radius = i.radius > 0 ? i.radius : tip;
    shape = cpSpaceAddShape(space, cpCircleShapeNew(body, radius, cpv(i.arm.x, i.arm.z + radius)));
    cpShapeSetElasticity(shape, restitution);
    cpShapeSetFriction(shape, friction);
    return true;
}

void place(double height)
{
    cpBodySetPosition(body, cpv(0, height));
    cpBodySetAngle(body, 0);
    cpBodySetVelocity(body, cpv(now.v.x, now.v.z));
    cpBodySetAngularVelocity(body, -now.w.y);
}

void step()
{
    place(20);
    cpSpaceStep(space, h);
    cpSpaceStep(space, h);
    double start = seconds();
    place(-now.arm.z - sunk);
    cpSpaceStep(space, h);
    took = seconds() - start;
}

double step_seconds()
{
    return took;
}

carom_vec3 p()
{
    cpVect v = cpBodyGetVelocity(body);
    return carom_vec3_make(v.x - now.v.x, 0, v.y - now.v.z);
}

void done()
{
    cpSpaceRemoveShape(space, shape);
    cpSpaceRemoveShape(space, floor_shape);
    cpSpaceRemoveBody(space, body);
    cpShapeFree(shape);
    cpShapeFree(floor_shape);
    cpBodyFree(body);
    cpSpaceFree(space);
}
} // namespace

const peer chipmunk_step = {"Chipmunk cpSpaceStep", "set body, whole step in 2D with collision detection, 10 iterations; the clock's own 50 ns included", prepare, step, p, done, true, step_seconds};
