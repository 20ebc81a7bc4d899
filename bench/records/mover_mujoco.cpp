// MuJoCo: spheres of one body over a plane. It has no restitution; solref and solimp say how the contact gives way.
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "movers.hpp"

namespace
{

enum { MU, TIME, DAMPING, IMPEDANCE, DEPTH };

struct motion {
    mjData *d;
    const mjModel *m;
    int dim;
    long done;
};

std::string number(double x)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.17g ", x);
    return text;
}

std::string vector(carom_vec3 v)
{
    return number(v.x) + number(v.y) + number(v.z);
}

// A free body in space; in the plane two slides and a hinge, with the decay of velocities as damping.
std::string joints(const carom_tracked *b)
{
    if (b->dim == 3)
        return "<freejoint/>";
    std::string slide = "<joint type='slide' damping='" + number(b->drag) + "' axis='";
    return slide + "1 0 0'/>" + slide + "0 1 0'/><joint type='hinge' axis='0 0 1' damping='" +
           number(b->spin_drag * b->inertia.z) + "'/>";
}

std::string scene(const carom_tracked *b)
{
    carom_vec3 up = carom_tracked_up(b);
    std::string text = "<mujoco><option integrator='Euler' cone='elliptic' impratio='10' tolerance='1e-10' gravity='" +
                       vector(gravity_of(b)) + "' timestep='" + number(b->dt / STEPS_PER_FRAME) +
                       "'/><worldbody><geom type='plane' size='10 10 1' zaxis='" + vector(up) + "'/><body>" + joints(b) +
                       "<inertial pos='0 0 0' mass='1' diaginertia='" + vector(principal(b)) + "'/>";
    for (int i = 0; i < b->point_count; i++)
        text += "<geom type='sphere' size='" + number(sphere_radius(b)) + "' pos='" + vector(sphere_centre(b, i)) + "'/>";
    return text + "</body></worldbody></mujoco>";
}

mjModel *load(const std::string &text)
{
    char error[512] = "";
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(text.size()));
    std::memcpy(files->filedata[mj_findFileVFS(files.get(), "scene.xml")], text.data(), text.size());
    mjModel *m = mj_loadXML("scene.xml", files.get(), error, sizeof error);
    if (!m)
        std::fprintf(stderr, "%s\n", error);
    mj_deleteVFS(files.get());
    return m;
}

// The model of a body is compiled once; contacts and floor are those of the last values.
mjModel *model_of(const carom_tracked *b)
{
    static const carom_tracked *last = nullptr;
    static mjModel *m = nullptr;
    if (b != last) {
        if (m)
            mj_deleteModel(m);
        m = load(scene(b));
        last = b;
    }
    return m;
}

void set_contact(mjModel *m, const carom_tracked *b, const double *p)
{
    carom_vec3 up = carom_tracked_up(b);
    double height = floor_height(b, p[DEPTH]);
    for (int i = 0; i < m->ngeom; i++) {
        m->geom_friction[3 * i] = p[MU];
        m->geom_solref[mjNREF * i] = p[TIME];
        m->geom_solref[mjNREF * i + 1] = p[DAMPING];
        m->geom_solimp[mjNIMP * i] = m->geom_solimp[mjNIMP * i + 1] = p[IMPEDANCE];
    }
    m->geom_pos[0] = height * up.x, m->geom_pos[1] = height * up.y, m->geom_pos[2] = height * up.z;
}

void put(motion *o, const carom_free_flight_state *at)
{
    mjtNum *x = o->d->qpos, *v = o->d->qvel;
    if (o->dim == 2) {
        x[0] = at->x.x, x[1] = at->x.y, x[2] = 2 * std::atan2(at->q.z, at->q.w);
        v[0] = at->v.x, v[1] = at->v.y, v[2] = at->omega.z;
        return;
    }
    const mjtNum q[4] = {at->q.w, at->q.x, at->q.y, at->q.z}, spin[3] = {at->omega.x, at->omega.y, at->omega.z};
    mjtNum back[4];
    mju_negQuat(back, q);
    x[0] = at->x.x, x[1] = at->x.y, x[2] = at->x.z;
    v[0] = at->v.x, v[1] = at->v.y, v[2] = at->v.z;
    mju_copy4(x + 3, q);
    mju_rotVecQuat(v + 3, spin, back); // MuJoCo's spin is in body axes
}

carom_status begin(const carom_prediction_plan *plan, const carom_tracked *b, const carom_free_flight_state *at,
                   void **out)
{
    mjModel *m = model_of(b);
    if (!m)
        return CAROM_STATUS_NO_MEMORY;
    set_contact(m, b, static_cast<const double *>(plan->context));
    auto o = new motion{mj_makeData(m), m, b->dim, 0};
    put(o, at);
    *out = o;
    return CAROM_STATUS_OK;
}

carom_status move(void *data, double time, carom_vec3 *com, carom_quat *q)
{
    auto o = static_cast<motion *>(data);
    for (int left = steps_to(time, o->m->opt.timestep, &o->done); left > 0; left--)
        mj_step(o->m, o->d);
    const mjtNum *x = o->d->qpos;
    if (o->dim == 2) {
        *com = carom_vec3_make(x[0], x[1], 0);
        *q = {std::cos(x[2] / 2), 0, 0, std::sin(x[2] / 2)};
    } else {
        *com = carom_vec3_make(x[0], x[1], x[2]);
        *q = {x[3], x[4], x[5], x[6]};
    }
    return std::isfinite(com->x + q->w) ? CAROM_STATUS_OK : CAROM_STATUS_STEP_LIMIT;
}

void end(void *data)
{
    auto o = static_cast<motion *>(data);
    mj_deleteData(o->d);
    delete o;
}

void set(carom_prediction_plan *plan, const double *values)
{
    static const carom_mover mujoco = {begin, move, end};
    plan->mover = &mujoco;
    plan->context = values;
}

} // namespace

engine mujoco_engine()
{
    return {"MuJoCo",
            {{"friction", 0.02, 0.6}, {"timeconst", 1e-3, 0.05}, {"dampratio", 0.02, 1.5}, {"impedance", 0.3, 0.99}, {"depth", 1e-5, 3e-3}},
            set};
}
