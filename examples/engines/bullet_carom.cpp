// Bullet finds the contact, Carom resolves it before Bullet's solver sees it.
#include <btBulletDynamicsCommon.h>

#include <vector>

#include "adapter.h"

namespace
{

carom_vec3 vector(const btVector3 &v)
{
    return carom_vec3_make(v.x(), v.y(), v.z());
}

btVector3 vector(carom_vec3 v)
{
    return btVector3(btScalar(v.x), btScalar(v.y), btScalar(v.z));
}

carom_body body_of(const btRigidBody *b)
{
    if (!b || b->getInvMass() == 0)
        return adapter_ground();
    const btMatrix3x3 I = b->getInvInertiaTensorWorld().inverse();
    carom_sym3 inertia = {I[0][0], I[0][1], I[0][2], I[1][1], I[1][2], I[2][2]};
    return adapter_body(1 / b->getInvMass(), inertia, vector(b->getLinearVelocity()), vector(b->getAngularVelocity()));
}

class resolver : public btSequentialImpulseConstraintSolver
{
  public:
    adapter *carom = nullptr; // or null: Bullet alone

    btScalar solveGroup(btCollisionObject **bodies, int body_count, btPersistentManifold **manifolds, int count,
                        btTypedConstraint **constraints, int constraint_count, const btContactSolverInfo &info,
                        btIDebugDraw *draw, btDispatcher *dispatcher) override
    {
        std::vector<btPersistentManifold *> rest;
        for (int i = 0; i < count; i++)
            if (!carom || !resolve(*manifolds[i], info.m_timeStep))
                rest.push_back(manifolds[i]);
        return btSequentialImpulseConstraintSolver::solveGroup(bodies, body_count, rest.data(), int(rest.size()),
                                                               constraints, constraint_count, info, draw, dispatcher);
    }

  private:
    // Bullet slows down a body that is about to touch, so it sees resting pairs only.
    bool rests(const btRigidBody *first, const btRigidBody *second, const btManifoldPoint &p) const
    {
        btVector3 one = p.getPositionWorldOnB() - first->getCenterOfMassPosition(),
                  two = p.getPositionWorldOnB() - second->getCenterOfMassPosition();
        btVector3 u = first->getVelocityInLocalPoint(one) - second->getVelocityInLocalPoint(two);
        return btFabs(u.dot(p.m_normalWorldOnB)) < carom->rest_speed;
    }

    // One point after the other; false when the pair is left to Bullet.
    bool resolve(btPersistentManifold &manifold, btScalar h)
    {
        auto first = const_cast<btRigidBody *>(btRigidBody::upcast(manifold.getBody0()));
        auto second = const_cast<btRigidBody *>(btRigidBody::upcast(manifold.getBody1()));
        bool ours = false;
        for (int i = 0; i < manifold.getNumContacts(); i++) {
            const btManifoldPoint &p = manifold.getContactPoint(i);
            ours |= !rests(first, second, p);
            carom_body a = body_of(first), b = body_of(second);
            if (p.getDistance() > 0 || // Bullet lists points before they touch
                !adapter_hit(carom, &a, &b, vector(p.getPositionWorldOnB() - first->getCenterOfMassPosition()),
                             vector(p.getPositionWorldOnB() - second->getCenterOfMassPosition()),
                             vector(p.m_normalWorldOnB))) // from B to A, as ours
                continue;
            put_back(first, a, h);
            put_back(second, b, h);
        }
        return ours;
    }

    static void put_back(btRigidBody *b, const carom_body &from, btScalar h)
    {
        if (b->getInvMass() == 0)
            return;
        b->setLinearVelocity(vector(adapter_after(from.velocity, vector(b->getGravity()), h)));
        b->setAngularVelocity(vector(from.omega));
    }
};

// A world with the floor y = 0.
struct scene {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    resolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btStaticPlaneShape plane{btVector3(0, 1, 0), 0};
    btRigidBody floor{0, nullptr, &plane};

    explicit scene(adapter *carom)
    {
        solver.carom = carom;
        world.getSolverInfo().m_restitutionVelocityThreshold = 0;
        floor.setRestitution(1); // Bullet multiplies the two
        floor.setFriction(1);
        world.addRigidBody(&floor);
        world.setGravity(btVector3(0, 0, 0));
    }

    ~scene()
    {
        world.removeRigidBody(&floor);
    }
};

void add(scene &s, btRigidBody &body, double e, double mu, btVector3 at)
{
    body.setRestitution(btScalar(e));
    body.setFriction(btScalar(mu));
    body.setDamping(0, 0);
    body.setActivationState(DISABLE_DEACTIVATION);
    body.setWorldTransform(btTransform(btQuaternion::getIdentity(), at));
    body.setInterpolationWorldTransform(body.getWorldTransform());
    s.world.addRigidBody(&body);
}

// The rod touches with a small ball at its lower end.
rod_motion rod(adapter *w)
{
    const btScalar tip = btScalar(0.01), arm = btScalar(ROD_ARM);
    scene s(w);
    btSphereShape ball(tip);
    btCompoundShape shape;
    shape.addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(-arm, -arm + tip, 0)), &ball);
    btScalar I = btScalar(ROD_INERTIA);
    btRigidBody body(1, nullptr, &shape, btVector3(I, I, I));
    rod_motion v = rod_before();
    add(s, body, ROD_E, ROD_MU, btVector3(0, arm - btScalar(1e-6), 0));
    body.setLinearVelocity(btVector3(btScalar(v.x), btScalar(v.up), 0));
    s.world.stepSimulation(btScalar(1e-5), 0);
    rod_motion after = {body.getLinearVelocity().x(), body.getLinearVelocity().y(), body.getAngularVelocity().z()};
    s.world.removeRigidBody(&body);
    return after;
}

apexes ball(adapter *w)
{
    const btScalar h = btScalar(1e-3), radius = btScalar(0.1);
    scene s(w);
    btSphereShape shape(radius);
    btRigidBody body(1, nullptr, &shape, btVector3(btScalar(0.004), btScalar(0.004), btScalar(0.004)));
    add(s, body, 1, 0, btVector3(0, 1 + radius, 0));
    body.setGravity(btVector3(0, btScalar(-9.81), 0));
    apexes a = apexes_make();
    for (int i = 0; i < 60000; i++) {
        s.world.stepSimulation(h, 0);
        apexes_see(&a, body.getWorldTransform().getOrigin().y() - radius, body.getLinearVelocity().y());
    }
    s.world.removeRigidBody(&body);
    return a;
}

} // namespace

int main()
{
    adapter stronge = adapter_make("routh-stronge", ROD_E, ROD_MU), newton = adapter_make("newton", 1, 0);
    int failed = rod_report("Bullet", rod(nullptr), rod(&stronge), 2e-4); // single precision
    return failed | apexes_report("Bullet", ball(nullptr), ball(&newton));
}
