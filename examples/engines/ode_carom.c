/* ODE finds the contact, Carom resolves it in the near callback; no contact joint is made for a pair that was hit. */
#include <ode/ode.h>

#include "adapter.h"

typedef struct scene {
    dWorldID world;
    dSpaceID space;
    dJointGroupID joints;
    adapter *carom; /* or null: ODE's own contact joints */
    double e, mu, h;
} scene;

static carom_vec3 vector(const dReal *v)
{
    return carom_vec3_make(v[0], v[1], v[2]);
}

/* I = R I_body R^T */
static carom_sym3 world_inertia(dBodyID b)
{
    dMass mass;
    dBodyGetMass(b, &mass);
    const dReal *R = dBodyGetRotation(b), *I = mass.I; /* both by rows of 4 */
    double W[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            W[i][j] = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    W[i][j] += R[4 * i + k] * I[4 * k + l] * R[4 * j + l];
        }
    carom_sym3 inertia = {W[0][0], W[0][1], W[0][2], W[1][1], W[1][2], W[2][2]};
    return inertia;
}

static carom_body body_of(dBodyID b)
{
    dMass mass;
    if (!b)
        return adapter_ground();
    dBodyGetMass(b, &mass);
    return adapter_body(mass.mass, world_inertia(b), vector(dBodyGetLinearVel(b)), vector(dBodyGetAngularVel(b)));
}

static carom_vec3 arm_of(dBodyID b, const dReal *point)
{
    const carom_vec3 none = {0, 0, 0};
    return b ? carom_vec3_sub(vector(point), vector(dBodyGetPosition(b))) : none;
}

static void put_back(const scene *s, dBodyID b, const carom_body *from)
{
    dVector3 g;
    if (!b)
        return;
    dWorldGetGravity(s->world, g);
    carom_vec3 v = adapter_after(from->velocity, vector(g), s->h);
    dBodySetLinearVel(b, v.x, v.y, v.z);
    dBodySetAngularVel(b, from->omega.x, from->omega.y, from->omega.z);
}

static bool hit(const scene *s, dBodyID first, dBodyID second, const dContactGeom *c)
{
    carom_body a = body_of(first), b = body_of(second);
    if (!adapter_hit(s->carom, &a, &b, arm_of(first, c->pos), arm_of(second, c->pos), vector(c->normal)))
        return false; /* ODE's normal points from B to A, as ours */
    put_back(s, first, &a);
    put_back(s, second, &b);
    return true;
}

static void add_joint(const scene *s, dBodyID first, dBodyID second, const dContactGeom *c)
{
    dContact contact = {.geom = *c};
    contact.surface.mode = dContactBounce | dContactApprox1;
    contact.surface.mu = s->mu;
    contact.surface.bounce = s->e;
    dJointAttach(dJointCreateContact(s->world, s->joints, &contact), first, second);
}

static void near_callback(void *data, dGeomID one, dGeomID other)
{
    const scene *s = data;
    dContactGeom found[8];
    dBodyID first = dGeomGetBody(one), second = dGeomGetBody(other);
    int count = dCollide(one, other, 8, found, sizeof found[0]);
    bool resolved = false;
    for (int i = 0; i < count && s->carom; i++)
        resolved |= hit(s, first, second, &found[i]);
    for (int i = 0; i < count && !resolved; i++)
        add_joint(s, first, second, &found[i]);
}

static scene scene_make(adapter *carom, double e, double mu, double h)
{
    scene s = {dWorldCreate(), dSimpleSpaceCreate(0), dJointGroupCreate(0), carom, e, mu, h};
    dWorldSetCFM(s.world, 0);
    dCreatePlane(s.space, 0, 0, 1, 0);
    return s;
}

static void step(scene *s)
{
    dSpaceCollide(s->space, s, near_callback);
    dWorldStep(s->world, s->h);
    dJointGroupEmpty(s->joints);
}

static void scene_free(scene *s)
{
    dJointGroupDestroy(s->joints);
    dSpaceDestroy(s->space);
    dWorldDestroy(s->world);
}

/* The rod touches with a small sphere at its lower end. Up is z here, so the spin from x to up is -omega_y. */
static rod_motion rod(adapter *w)
{
    const double tip = 1e-6;
    scene s = scene_make(w, ROD_E, ROD_MU, 1e-6);
    dBodyID body = dBodyCreate(s.world);
    dGeomID end = dCreateSphere(s.space, tip);
    dMass mass;
    rod_motion v = rod_before();
    dMassSetParameters(&mass, 1, 0, 0, 0, ROD_INERTIA, ROD_INERTIA, ROD_INERTIA, 0, 0, 0);
    dBodySetMass(body, &mass);
    dGeomSetBody(end, body);
    dGeomSetOffsetPosition(end, -ROD_ARM, 0, -ROD_ARM + tip);
    dBodySetPosition(body, 0, 0, ROD_ARM - 1e-9);
    dBodySetLinearVel(body, v.x, 0, v.up);
    step(&s);
    const dReal *u = dBodyGetLinearVel(body);
    rod_motion after = {u[0], u[2], -dBodyGetAngularVel(body)[1]};
    scene_free(&s);
    return after;
}

static apexes ball(adapter *w)
{
    const double radius = 0.1;
    scene s = scene_make(w, 1, 0, 1e-3);
    dBodyID body = dBodyCreate(s.world);
    dGeomSetBody(dCreateSphere(s.space, radius), body);
    dWorldSetGravity(s.world, 0, 0, -9.81);
    dBodySetPosition(body, 0, 0, 1 + radius);
    apexes a = apexes_make();
    for (int i = 0; i < 60000; i++) {
        step(&s);
        apexes_see(&a, dBodyGetPosition(body)[2] - radius, dBodyGetLinearVel(body)[2]);
    }
    scene_free(&s);
    return a;
}

int main(void)
{
    adapter stronge = adapter_make("routh-stronge", ROD_E, ROD_MU), newton = adapter_make("newton", 1, 0);
    dInitODE2(0);
    int failed = rod_report("ODE", rod(NULL), rod(&stronge), 2e-5); /* the tip rolls by its radius */
    failed |= apexes_report("ODE", ball(NULL), ball(&newton));
    dCloseODE();
    return failed;
}
