// ODE: a body of spheres over a plane, with contact joints that bounce and give way.
#include <ode/ode.h>

#include "movers.hpp"

namespace
{

enum { MU, BOUNCE, BOUNCE_SPEED, ERP, DEPTH };

struct motion {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts, holds;
    dBodyID body;
    const double *p;
    double step;
    long done;
};

void touch(void *data, dGeomID one, dGeomID other)
{
    auto m = static_cast<motion *>(data);
    dContactGeom found[4];
    dBodyID first = dGeomGetBody(one), second = dGeomGetBody(other);
    if (first == second)
        return;
    int count = dCollide(one, other, 4, found, sizeof found[0]);
    for (int i = 0; i < count; i++) {
        dContact c = {};
        c.geom = found[i];
        c.surface.mode = dContactBounce | dContactSoftERP | dContactApprox1;
        c.surface.mu = m->p[MU];
        c.surface.bounce = m->p[BOUNCE];
        c.surface.bounce_vel = m->p[BOUNCE_SPEED];
        c.surface.soft_erp = m->p[ERP];
        dJointAttach(dJointCreateContact(m->world, m->contacts, &c), first, second);
    }
}

void make_body(motion *m, const carom_tracked *b, const carom_free_flight_state *at)
{
    carom_vec3 I = principal(b);
    dMass mass;
    const dQuaternion q = {at->q.w, at->q.x, at->q.y, at->q.z};
    m->body = dBodyCreate(m->world);
    dMassSetParameters(&mass, 1, 0, 0, 0, I.x, I.y, I.z, 0, 0, 0);
    dBodySetMass(m->body, &mass);
    for (int i = 0; i < b->point_count; i++) {
        carom_vec3 c = sphere_centre(b, i);
        dGeomID sphere = dCreateSphere(m->space, sphere_radius(b));
        dGeomSetBody(sphere, m->body);
        dGeomSetOffsetPosition(sphere, c.x, c.y, c.z);
    }
    dBodySetPosition(m->body, at->x.x, at->x.y, at->x.z);
    dBodySetQuaternion(m->body, q);
    dBodySetLinearVel(m->body, at->v.x, at->v.y, at->v.z);
    dBodySetAngularVel(m->body, at->omega.x, at->omega.y, at->omega.z);
    dBodySetLinearDamping(m->body, b->drag * m->step);
    dBodySetAngularDamping(m->body, b->spin_drag * m->step);
    dBodySetAutoDisableFlag(m->body, 0);
    if (b->dim == 2)
        dJointAttach(dJointCreatePlane2D(m->world, m->holds), m->body, nullptr);
}

carom_status begin(const carom_prediction_plan *plan, const carom_tracked *b, const carom_free_flight_state *at,
                   void **out)
{
    auto m = new motion{};
    carom_vec3 up = carom_tracked_up(b), g = gravity_of(b);
    m->p = static_cast<const double *>(plan->context);
    m->step = b->dt / STEPS_PER_FRAME;
    m->world = dWorldCreate();
    m->space = dSimpleSpaceCreate(nullptr);
    m->contacts = dJointGroupCreate(0);
    m->holds = dJointGroupCreate(0);
    dWorldSetGravity(m->world, g.x, g.y, g.z);
    dWorldSetLinearDampingThreshold(m->world, 0);
    dWorldSetAngularDampingThreshold(m->world, 0);
    dWorldSetMaxAngularSpeed(m->world, dInfinity);
    dCreatePlane(m->space, up.x, up.y, up.z, floor_height(b, m->p[DEPTH]));
    make_body(m, b, at);
    *out = m;
    return CAROM_STATUS_OK;
}

carom_status move(void *data, double time, carom_vec3 *com, carom_quat *q)
{
    auto m = static_cast<motion *>(data);
    for (int left = steps_to(time, m->step, &m->done); left > 0; left--) {
        dSpaceCollide(m->space, m, touch);
        dWorldStep(m->world, m->step);
        dJointGroupEmpty(m->contacts);
    }
    const dReal *x = dBodyGetPosition(m->body), *r = dBodyGetQuaternion(m->body);
    *com = carom_vec3_make(x[0], x[1], x[2]);
    *q = {r[0], r[1], r[2], r[3]};
    return std::isfinite(x[0] + r[0]) ? CAROM_STATUS_OK : CAROM_STATUS_STEP_LIMIT;
}

void end(void *data)
{
    auto m = static_cast<motion *>(data);
    dJointGroupDestroy(m->contacts);
    dJointGroupDestroy(m->holds);
    dSpaceDestroy(m->space);
    dWorldDestroy(m->world);
    delete m;
}

void set(carom_prediction_plan *plan, const double *values)
{
    static const carom_mover ode = {begin, move, end};
    static const int started = dInitODE2(0);
    (void)started;
    plan->mover = &ode;
    plan->context = values;
}

} // namespace

engine ode_engine()
{
    return {"ODE",
            {{"mu", 0.02, 0.6}, {"bounce", 0.02, 0.95}, {"bounce_vel", 0.001, 0.5}, {"soft_erp", 0.02, 0.9}, {"depth", 1e-5, 3e-3}},
            set};
}
