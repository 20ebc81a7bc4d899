// Bullet: a compound of spheres over a static plane.
#include <btBulletDynamicsCommon.h>

#include <memory>

#include "movers.hpp"

namespace
{

enum { MU, BOUNCE, BOUNCE_SPEED, ERP, DEPTH };

btVector3 vector(carom_vec3 v)
{
    return btVector3(btScalar(v.x), btScalar(v.y), btScalar(v.z));
}

struct motion {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btStaticPlaneShape plane;
    btSphereShape sphere;
    btCompoundShape shape;
    btRigidBody floor, body;
    double step;
    long done = 0;

    motion(const carom_tracked *b, const carom_free_flight_state *at, const double *p)
        : plane(vector(carom_tracked_up(b)), btScalar(floor_height(b, p[DEPTH]))), sphere(btScalar(sphere_radius(b))),
          floor(0, nullptr, &plane), body(1, nullptr, &shape, vector(principal(b))), step(b->dt / STEPS_PER_FRAME)
    {
        for (int i = 0; i < b->point_count; i++)
            shape.addChildShape(btTransform(btQuaternion::getIdentity(), vector(sphere_centre(b, i))), &sphere);
        btContactSolverInfo &info = world.getSolverInfo();
        info.m_restitutionVelocityThreshold = btScalar(p[BOUNCE_SPEED]);
        info.m_erp2 = btScalar(p[ERP]);
        info.m_erp = btScalar(p[ERP]);
        info.m_numIterations = 50;
        world.setGravity(vector(gravity_of(b)));
        floor.setRestitution(1); // Bullet multiplies the two
        floor.setFriction(1);
        world.addRigidBody(&floor);
        put(b, at, p);
        world.addRigidBody(&body);
    }

    void put(const carom_tracked *b, const carom_free_flight_state *at, const double *p)
    {
        btQuaternion q(btScalar(at->q.x), btScalar(at->q.y), btScalar(at->q.z), btScalar(at->q.w));
        body.setRestitution(btScalar(p[BOUNCE]));
        body.setFriction(btScalar(p[MU]));
        // Bullet's damping is the share of the velocity that a second takes away.
        body.setDamping(btScalar(1 - std::exp(-b->drag)), btScalar(1 - std::exp(-b->spin_drag)));
        body.setActivationState(DISABLE_DEACTIVATION);
        body.setWorldTransform(btTransform(q, vector(at->x)));
        body.setInterpolationWorldTransform(body.getWorldTransform());
        body.setLinearVelocity(vector(at->v));
        body.setAngularVelocity(vector(at->omega));
        if (b->dim == 2) {
            body.setLinearFactor(btVector3(1, 1, 0));
            body.setAngularFactor(btVector3(0, 0, 1));
        }
    }

    ~motion()
    {
        world.removeRigidBody(&body);
        world.removeRigidBody(&floor);
    }
};

carom_status begin(const carom_prediction_plan *plan, const carom_tracked *b, const carom_free_flight_state *at,
                   void **out)
{
    *out = new motion(b, at, static_cast<const double *>(plan->context));
    return CAROM_STATUS_OK;
}

carom_status move(void *data, double time, carom_vec3 *com, carom_quat *q)
{
    auto m = static_cast<motion *>(data);
    for (int left = steps_to(time, m->step, &m->done); left > 0; left--)
        m->world.stepSimulation(btScalar(m->step), 0);
    btVector3 x = m->body.getCenterOfMassPosition();
    btQuaternion r = m->body.getOrientation();
    *com = carom_vec3_make(x.x(), x.y(), x.z());
    *q = {r.w(), r.x(), r.y(), r.z()};
    return std::isfinite(com->x + q->w) ? CAROM_STATUS_OK : CAROM_STATUS_STEP_LIMIT;
}

void end(void *data)
{
    delete static_cast<motion *>(data);
}

void set(carom_prediction_plan *plan, const double *values)
{
    static const carom_mover bullet = {begin, move, end};
    plan->mover = &bullet;
    plan->context = values;
}

} // namespace

engine bullet_engine()
{
    return {"Bullet",
            {{"friction", 0.02, 0.6}, {"restitution", 0.02, 0.95}, {"threshold", 0.001, 0.5}, {"erp", 0.02, 0.9}, {"depth", 1e-5, 3e-3}},
            set};
}
