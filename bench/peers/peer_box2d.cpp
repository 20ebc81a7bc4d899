// Box2D: a world of one body and the ground, in the plane of x and z.
#include <box2d/box2d.h>

#include <cmath>
#include <memory>

#include "peers.hpp"

namespace {
impact now;
std::unique_ptr<b2World> world;
b2Body *body;
constexpr float tip = 0.05f; // radius of the ball at the end of a rod
b2Vec2 at;

bool prepare(const impact &i)
{
    if (!i.planar)
        return false;
    now = i;
    world.reset(new b2World(b2Vec2(0, 0)));
    world->SetWarmStarting(false);
    world->SetContinuousPhysics(false);
    b2BodyDef ground;
    b2EdgeShape floor;
    floor.SetTwoSided(b2Vec2(-50, 0), b2Vec2(50, 0));
    b2FixtureDef fixture;
    fixture.shape = &floor;
    fixture.friction = float(friction);
    fixture.restitution = float(restitution);
    world->CreateBody(&ground)->CreateFixture(&fixture);

    b2BodyDef def;
    def.type = b2_dynamicBody;
    def.allowSleep = false;
    body = world->CreateBody(&def);
    float radius = i.radius > 0 ? float(i.radius) : tip;
    b2CircleShape ball;
    ball.m_radius = radius;
    ball.m_p = b2Vec2(float(i.arm.x), float(i.arm.z) + radius);
    fixture.shape = &ball;
    fixture.density = 1;
    body->CreateFixture(&fixture);
    b2MassData mass = {1, b2Vec2(0, 0), float(i.inertia.y)};
    body->SetMassData(&mass);
    at = b2Vec2(0, float(-i.arm.z) - 0.5f * b2_linearSlop);
    return true;
}

void step()
{
    body->SetTransform(at, 0);
    body->SetLinearVelocity(b2Vec2(float(now.v.x), float(now.v.z)));
    body->SetAngularVelocity(float(-now.w.y));
    world->Step(1e-5f, 8, 3);
}

carom_vec3 p()
{
    b2Vec2 v = body->GetLinearVelocity();
    return carom_vec3_make(v.x - now.v.x, 0, v.y - now.v.z);
}

void done()
{
    world.reset();
}
} // namespace

const peer box2d_step = {"Box2D Step", "set body, whole step in 2D with collision detection, 8 and 3 iterations, single precision", prepare, step, p, done, false, nullptr};
