// Siconos: its frictional contact solvers on the reduced problem (K, u), whose reduction is not timed.
extern "C" {
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <fc3d_Solvers.h>
}

#include "peers.hpp"

namespace {
FrictionContactProblem *problem;
SolverOptions *options;
double W[9], q[3], mu[1] = {friction}, r[3], v[3];
carom_contact contact;

bool prepare(const impact &i, int solver)
{
    carom_body_def def = carom_body_def_default(), ground = def;
    carom_body a, b;
    carom_problem pb;
    def.inertia = carom_sym3{i.inertia.x, 0, 0, i.inertia.y, 0, i.inertia.z};
    def.orientation = i.turn;
    def.velocity = i.v;
    def.omega = i.w;
    ground.fixed = true;
    if (carom_body_init(&def, &a) || carom_body_init(&ground, &b) || carom_contact_init(i.arm, carom_vec3_make(0, 0, 0), carom_vec3_make(0, 0, 1), &contact) || carom_bodies_reduce(&a, &b, &contact, &pb))
        return false;
    const carom_csym K = pb.K;
    const double rows[9] = {K.nn, K.t1n, K.t2n, K.t1n, K.t11, K.t12, K.t2n, K.t12, K.t22};
    for (int k = 0; k < 9; k++)
        W[k] = rows[k];
    q[0] = (1 + restitution) * pb.u.n; // Newton's restitution
    q[1] = pb.u.t1;
    q[2] = pb.u.t2;
    NumericsMatrix *M = NM_create_from_data(NM_DENSE, 3, 3, W);
    problem = frictionContactProblem_new_with_data(3, 1, M, q, mu);
    options = solver_options_create(solver);
    options->dparam[SICONOS_DPARAM_TOL] = 1e-10;
    return true;
}

void step()
{
    for (int k = 0; k < 3; k++)
        r[k] = v[k] = 0;
    fc3d_driver(problem, r, v, options);
}

carom_vec3 p()
{
    return carom_frame_to_world(contact.frame, carom_cvec_make(r[1], r[2], r[0]));
}

void done() {} // the arrays belong to this file; the process ends soon
} // namespace

const peer siconos_nsgs = {"Siconos fc3d NSGS", "solver alone on (K, u), tolerance 1e-10", [](const impact &i) { return prepare(i, SICONOS_FRICTION_3D_NSGS); }, step, p, done, false, nullptr};
const peer siconos_quartic = {"Siconos fc3d quartic", "solver alone on (K, u), its closed form for one contact", [](const impact &i) { return prepare(i, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC); }, step, p, done, false, nullptr};
