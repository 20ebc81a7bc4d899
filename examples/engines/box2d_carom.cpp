// Box2D finds the contact, Carom resolves it in PreSolve; the contact is disabled for the step.
#include <box2d/box2d.h>

#include "adapter.h"

namespace
{

carom_body body_of(const b2Body *b)
{
    if (b->GetType() != b2_dynamicBody)
        return adapter_ground();
    b2Vec2 v = b->GetLinearVelocity();
    double about_centre = b->GetInertia() - b->GetMass() * b->GetLocalCenter().LengthSquared();
    return adapter_body(b->GetMass(), adapter_planar_inertia(about_centre), carom_vec3_make(v.x, v.y, 0),
                        carom_vec3_make(0, 0, b->GetAngularVelocity()));
}

carom_vec3 arm_of(const b2Body *b, b2Vec2 point)
{
    b2Vec2 arm = point - b->GetWorldCenter();
    return carom_vec3_make(arm.x, arm.y, 0);
}

class resolver : public b2ContactListener
{
  public:
    resolver(adapter &carom, float h) : carom(carom), h(h)
    {
    }

    void PreSolve(b2Contact *contact, const b2Manifold *) override
    {
        b2WorldManifold found;
        b2Body *first = contact->GetFixtureA()->GetBody(), *second = contact->GetFixtureB()->GetBody();
        contact->GetWorldManifold(&found);
        carom_vec3 normal = carom_vec3_make(-found.normal.x, -found.normal.y, 0); // Box2D's points from A to B
        for (int i = 0; i < contact->GetManifold()->pointCount; i++) {
            carom_body a = body_of(first), b = body_of(second);
            if (!adapter_hit(&carom, &a, &b, arm_of(first, found.points[i]), arm_of(second, found.points[i]), normal))
                continue;
            put_back(first, a);
            put_back(second, b);
            contact->SetEnabled(false);
        }
    }

  private:
    void put_back(b2Body *b, const carom_body &from)
    {
        b2Vec2 g = b->GetWorld()->GetGravity();
        carom_vec3 v = adapter_after(from.velocity, carom_vec3_make(g.x, g.y, 0), h);
        if (b->GetType() != b2_dynamicBody)
            return;
        b->SetLinearVelocity(b2Vec2(float(v.x), float(v.y)));
        b->SetAngularVelocity(float(from.omega.z));
    }

    adapter &carom;
    float h;
};

b2Body *add(b2World &world, const b2Shape &shape, b2BodyType type, double e, double mu)
{
    b2BodyDef def;
    b2FixtureDef fixture;
    def.type = type;
    def.allowSleep = false;
    fixture.shape = &shape;
    fixture.density = 1;
    fixture.restitution = float(e);
    fixture.friction = float(mu);
    b2Body *body = world.CreateBody(&def);
    body->CreateFixture(&fixture);
    return body;
}

void add_floor(b2World &world, double e, double mu)
{
    b2EdgeShape floor;
    floor.SetTwoSided(b2Vec2(-50, 0), b2Vec2(50, 0));
    add(world, floor, b2_staticBody, e, mu);
}

// The rod touches with a ball at its lower end.
rod_motion rod(adapter *w)
{
    const float h = 1e-5f, tip = 0.05f;
    b2World world(b2Vec2(0, 0));
    world.SetContinuousPhysics(false);
    resolver listener(*w, h);
    if (w->rule.law)
        world.SetContactListener(&listener);
    add_floor(world, ROD_E, ROD_MU);
    b2CircleShape end;
    end.m_radius = tip;
    end.m_p = b2Vec2(float(-ROD_ARM), float(-ROD_ARM) + tip);
    b2Body *body = add(world, end, b2_dynamicBody, ROD_E, ROD_MU);
    b2MassData mass = {1, b2Vec2(0, 0), float(ROD_INERTIA)};
    rod_motion v = rod_before();
    body->SetMassData(&mass);
    body->SetTransform(b2Vec2(0, float(ROD_ARM) - 0.5f * b2_linearSlop), 0);
    body->SetLinearVelocity(b2Vec2(float(v.x), float(v.up)));
    world.Step(h, 8, 3);
    b2Vec2 u = body->GetLinearVelocity();
    return {u.x, u.y, body->GetAngularVelocity()};
}

apexes ball(adapter *w)
{
    const float h = 1e-3f, radius = 0.1f;
    b2World world(b2Vec2(0, -9.81f));
    world.SetContinuousPhysics(false); // or Box2D moves the ball to its own time of impact
    resolver listener(*w, h);
    if (w->rule.law)
        world.SetContactListener(&listener);
    add_floor(world, 1, 0);
    b2CircleShape shape;
    shape.m_radius = radius;
    b2Body *body = add(world, shape, b2_dynamicBody, 1, 0);
    body->SetTransform(b2Vec2(0, 1 + radius), 0);
    apexes a = apexes_make();
    for (int i = 0; i < 60000; i++) {
        world.Step(h, 8, 3);
        apexes_see(&a, body->GetPosition().y - radius, body->GetLinearVelocity().y);
    }
    return a;
}

} // namespace

int main()
{
    adapter none = {}, stronge = adapter_make("routh-stronge", ROD_E, ROD_MU), newton = adapter_make("newton", 1, 0);
    int failed = rod_report("Box2D", rod(&none), rod(&stronge), 0.02); // its contact point is half a slop off
    return failed | apexes_report("Box2D", ball(&none), ball(&newton));
}
