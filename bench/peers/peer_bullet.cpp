// Bullet: its sequential-impulse solver on one manifold with one point, without the rest of a step.
#include <btBulletDynamicsCommon.h>

#include <memory>

#include "peers.hpp"

namespace {
impact now;
std::unique_ptr<btSphereShape> shape;
std::unique_ptr<btRigidBody> body, ground;
std::unique_ptr<btPersistentManifold> manifold;
std::unique_ptr<btSequentialImpulseConstraintSolver> solver;
btContactSolverInfo info;

btVector3 vector(carom_vec3 v)
{
    return btVector3(btScalar(v.x), btScalar(v.y), btScalar(v.z));
}

bool prepare(const impact &i)
{
    now = i;
    shape.reset(new btSphereShape(1));
    body.reset(new btRigidBody(1, nullptr, shape.get(), vector(i.inertia)));
    ground.reset(new btRigidBody(0, nullptr, shape.get()));
    body->setDamping(0, 0);
    body->setFlags(0);
    solver.reset(new btSequentialImpulseConstraintSolver);
    info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    info.m_solverMode &= ~SOLVER_USE_WARMSTARTING;
    info.m_restitutionVelocityThreshold = 0;
    info.m_timeStep = btScalar(1e-3);
    return true;
}

void set()
{
    btTransform at(btQuaternion(btScalar(now.turn.x), btScalar(now.turn.y), btScalar(now.turn.z), btScalar(now.turn.w)));
    body->setWorldTransform(at);
    body->setInterpolationWorldTransform(at);
    body->updateInertiaTensor();
    body->setLinearVelocity(vector(now.v));
    body->setAngularVelocity(vector(now.w));
    if (manifold)
        return;
    btVector3 arm = vector(now.arm);
    manifold.reset(new btPersistentManifold(body.get(), ground.get(), 0, btScalar(0.1), btScalar(0.1)));
    btManifoldPoint point(at.invXform(arm), arm, btVector3(0, 0, 1), 0);
    point.m_positionWorldOnA = point.m_positionWorldOnB = arm;
    point.m_combinedFriction = btScalar(friction);
    point.m_combinedRestitution = btScalar(restitution);
    manifold->addManifoldPoint(point);
}

void step()
{
    set();
    btManifoldPoint &point = manifold->getContactPoint(0);
    point.m_appliedImpulse = point.m_appliedImpulseLateral1 = point.m_appliedImpulseLateral2 = 0;
    btCollisionObject *bodies[] = {body.get(), ground.get()};
    btPersistentManifold *manifolds[] = {manifold.get()};
    solver->solveGroup(bodies, 2, manifolds, 1, nullptr, 0, info, nullptr, nullptr);
}

carom_vec3 p()
{
    btVector3 v = body->getLinearVelocity() - vector(now.v);
    return carom_vec3_make(v.x(), v.y(), v.z());
}

void done()
{
    manifold.reset();
    solver.reset();
    body.reset();
    ground.reset();
    shape.reset();
}
} // namespace

const peer bullet_solver = {"Bullet solveGroup", "set body, solver alone on one contact point, 10 iterations", prepare, step, p, done, false, nullptr};
