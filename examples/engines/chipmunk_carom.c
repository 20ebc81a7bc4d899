/* Chipmunk2D finds the contact, Carom resolves it: a preSolve handler in place of the engine's restitution and
 * friction. */
#include <chipmunk/chipmunk.h>

#include "adapter.h"

static carom_body body_of(cpBody *b)
{
    cpVect v = cpBodyGetVelocity(b);
    if (cpBodyGetType(b) != CP_BODY_TYPE_DYNAMIC)
        return adapter_ground();
    return adapter_body(cpBodyGetMass(b), adapter_planar_inertia(cpBodyGetMoment(b)), carom_vec3_make(v.x, v.y, 0),
                        carom_vec3_make(0, 0, cpBodyGetAngularVelocity(b)));
}

static carom_vec3 arm_of(cpBody *b, cpVect point)
{
    cpVect arm = cpvsub(point, cpBodyLocalToWorld(b, cpBodyGetCenterOfGravity(b)));
    return carom_vec3_make(arm.x, arm.y, 0);
}

static void put_back(cpSpace *space, cpBody *b, const carom_body *from)
{
    cpVect g = cpSpaceGetGravity(space);
    carom_vec3 v = adapter_after(from->velocity, carom_vec3_make(g.x, g.y, 0), cpSpaceGetCurrentTimeStep(space));
    if (cpBodyGetType(b) != CP_BODY_TYPE_DYNAMIC)
        return;
    cpBodySetVelocity(b, cpv(v.x, v.y));
    cpBodySetAngularVelocity(b, from->omega.z);
}

/* False: Chipmunk leaves this pair alone in this step. */
static cpBool resolve(cpArbiter *arbiter, cpSpace *space, cpDataPointer data)
{
    cpBody *first, *second;
    cpArbiterGetBodies(arbiter, &first, &second);
    cpVect n = cpvneg(cpArbiterGetNormal(arbiter)); /* Chipmunk's points from A to B */
    bool hit = false;
    for (int i = 0; i < cpArbiterGetCount(arbiter); i++) {
        cpVect point = cpvlerp(cpArbiterGetPointA(arbiter, i), cpArbiterGetPointB(arbiter, i), 0.5);
        carom_body a = body_of(first), b = body_of(second);
        if (!adapter_hit(data, &a, &b, arm_of(first, point), arm_of(second, point), carom_vec3_make(n.x, n.y, 0)))
            continue;
        put_back(space, first, &a);
        put_back(space, second, &b);
        hit = true;
    }
    return !hit;
}

static cpSpace *space_with_floor(adapter *w, double e)
{
    cpSpace *space = cpSpaceNew();
    cpShape *floor = cpSpaceAddShape(space, cpBoxShapeNew2(cpSpaceGetStaticBody(space), cpBBNew(-50, -10, 50, 0), 0));
    cpShapeSetElasticity(floor, e); /* Chipmunk multiplies the two */
    cpShapeSetFriction(floor, 1);
    if (w) {
        cpCollisionHandler *handler = cpSpaceAddDefaultCollisionHandler(space);
        handler->preSolveFunc = resolve;
        handler->userData = w;
    }
    return space;
}

static rod_motion rod(adapter *w)
{
    cpSpace *space = space_with_floor(w, 1);
    cpBody *body = cpSpaceAddBody(space, cpBodyNew(1, ROD_INERTIA));
    cpShape *shape = cpSpaceAddShape(space, cpSegmentShapeNew(body, cpv(-1, 0), cpv(1, 0), 0));
    rod_motion v = rod_before();
    cpShapeSetElasticity(shape, ROD_E);
    cpShapeSetFriction(shape, ROD_MU);
    cpBodySetAngle(body, CP_PI / 4);
    cpBodySetPosition(body, cpv(0, ROD_ARM - 1e-9));
    cpBodySetVelocity(body, cpv(v.x, v.up));
    cpSpaceStep(space, 1e-9);
    cpVect u = cpBodyGetVelocity(body);
    rod_motion after = {u.x, u.y, cpBodyGetAngularVelocity(body)};
    cpSpaceFree(space);
    return after;
}

static apexes ball(adapter *w)
{
    const double h = 1e-3, radius = 0.1;
    cpSpace *space = space_with_floor(w, 1);
    cpSpaceSetGravity(space, cpv(0, -9.81));
    cpBody *body = cpSpaceAddBody(space, cpBodyNew(1, 1));
    cpShapeSetElasticity(cpSpaceAddShape(space, cpCircleShapeNew(body, radius, cpvzero)), 1);
    cpBodySetPosition(body, cpv(0, 1 + radius));
    apexes a = apexes_make();
    for (int i = 0; i < 60000; i++) {
        cpSpaceStep(space, h);
        apexes_see(&a, cpBodyGetPosition(body).y - radius, cpBodyGetVelocity(body).y);
    }
    cpSpaceFree(space);
    return a;
}

int main(void)
{
    adapter stronge = adapter_make("routh-stronge", ROD_E, ROD_MU), newton = adapter_make("newton", 1, 0);
    int failed = rod_report("Chipmunk", rod(NULL), rod(&stronge), 1e-6);
    return failed | apexes_report("Chipmunk", ball(NULL), ball(&newton));
}
