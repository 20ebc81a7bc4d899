/* MuJoCo finds the contact, Carom resolves it between mj_step1 and mj_step2: K = J M^-1 J^T from MuJoCo's own mass
 * matrix and Jacobians, and qvel += M^-1 J^T p. That works for arms and legs as for free bodies. The geoms have a gap,
 * so that MuJoCo lists their contacts and makes no force of them. */
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

#include "adapter.h"

/* Rows (t1, t2, n) of J for a contact: the velocity of geom 2's body relative to geom 1's, in the contact frame. */
static void jacobian(const mjModel *m, mjData *d, const mjContact *c, double *J)
{
    const int n = m->nv;
    static const int row[3] = {2, 0, 1}; /* MuJoCo's frame is (n, t1, t2), from geom 1 to geom 2 */
    double *one = calloc((size_t)(6 * n), sizeof *one), *two = one + 3 * n;
    mj_jac(m, d, one, NULL, c->pos, m->geom_bodyid[c->geom1]);
    mj_jac(m, d, two, NULL, c->pos, m->geom_bodyid[c->geom2]);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int i = 0; i < 3; i++)
                sum += c->frame[3 * k + i] * (two[i * n + j] - one[i * n + j]);
            J[row[k] * n + j] = sum;
        }
    free(one);
}

static bool hit(adapter *w, const mjModel *m, mjData *d, const mjContact *c)
{
    const size_t n = (size_t)m->nv;
    double *M = malloc((n * n + 3 * n + CAROM_GENERALIZED_WORK(n)) * sizeof *M), *J = M + n * n, *work = J + 3 * n;
    carom_generalized mechanism = {m->nv, 3, M, J, d->qvel, work};
    carom_problem problem;
    carom_outcome out;
    mj_fullM(m, M, d->qM);
    jacobian(m, d, c, J);
    bool happens = carom_generalized_reduce(&mechanism, &problem) == CAROM_STATUS_OK && problem.u.n <= -w->rest_speed &&
                   carom_solve(&problem, &w->rule, NULL, &out) == CAROM_STATUS_OK;
    if (happens) {
        carom_generalized_apply(&mechanism, out.p, d->qvel);
        w->impacts++;
        w->energy += out.energy.change;
    }
    free(M);
    return happens;
}

/* MuJoCo will add the acceleration of gravity: give it back to the free body. */
static void give_gravity_back(const mjModel *m, mjData *d)
{
    for (int i = 0; i < 3; i++)
        d->qvel[i] -= m->opt.gravity[i] * m->opt.timestep;
}

static void step(adapter *w, const mjModel *m, mjData *d)
{
    bool resolved = false;
    mj_step1(m, d);
    for (int i = 0; i < d->ncon && w; i++)
        resolved |= d->contact[i].dist <= 0 && hit(w, m, d, &d->contact[i]);
    if (resolved) {
        give_gravity_back(m, d);
        mj_fwdVelocity(m, d);
    }
    mj_step2(m, d);
}

static mjModel *load(const char *text)
{
    char error[512] = "";
    mjVFS *files = malloc(sizeof *files);
    mj_defaultVFS(files);
    mj_makeEmptyFileVFS(files, "scene.xml", (int)strlen(text));
    memcpy(files->filedata[mj_findFileVFS(files, "scene.xml")], text, strlen(text));
    mjModel *m = mj_loadXML("scene.xml", files, error, sizeof error);
    if (!m)
        fprintf(stderr, "%s\n", error);
    mj_deleteVFS(files);
    free(files);
    return m;
}

/* A world z = 0 and one free body that touches it with a sphere. MuJoCo has no coefficient of restitution: alone it
 * does what its default solref does. */
static mjModel *world(const char *gravity, const char *step_size, const char *body, double mu, bool carom)
{
    char text[2048];
    snprintf(text, sizeof text,
             "<mujoco><option gravity='%s' timestep='%s'><flag energy='disable'/></option>"
             "<default><geom friction='%g 0 0' condim='3' %s/></default>"
             "<worldbody><geom type='plane' size='50 50 1'/>%s</worldbody></mujoco>",
             gravity, step_size, mu, carom ? "margin='0' gap='1'" : "", body);
    return load(text);
}

static rod_motion rod(adapter *w)
{
    char body[512];
    const double tip = 1e-6;
    rod_motion v = rod_before();
    snprintf(body, sizeof body,
             "<body pos='0 0 %.17g'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='%.17g %.17g %.17g'/>"
             "<geom type='sphere' size='%g' pos='%.17g 0 %.17g'/></body>",
             ROD_ARM - 1e-9, ROD_INERTIA, ROD_INERTIA, ROD_INERTIA, tip, -ROD_ARM, -ROD_ARM + tip);
    mjModel *m = world("0 0 0", w ? "1e-7" : "1e-4", body, ROD_MU, w != NULL);
    mjData *d = mj_makeData(m);
    d->qvel[0] = v.x;
    d->qvel[2] = v.up;
    for (int i = 0; i < (w ? 1 : 20000); i++) /* alone its soft contact takes a while */
        step(w, m, d);
    rod_motion after = {d->qvel[0], d->qvel[2], -d->qvel[4]};
    mj_deleteData(d);
    mj_deleteModel(m);
    return after;
}

static apexes ball(adapter *w)
{
    mjModel *m = world("0 0 -9.81", "1e-3", "<body pos='0 0 1.1'><freejoint/><geom type='sphere' size='.1'/></body>", 0,
                       w != NULL);
    mjData *d = mj_makeData(m);
    apexes a = apexes_make();
    for (int i = 0; i < 60000; i++) {
        step(w, m, d);
        apexes_see(&a, d->qpos[2] - 0.1, d->qvel[2]);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
    return a;
}

int main(void)
{
    adapter stronge = adapter_make("routh-stronge", ROD_E, ROD_MU), newton = adapter_make("newton", 1, 0);
    int failed = rod_report("MuJoCo", rod(NULL), rod(&stronge), 2e-5);
    return failed | apexes_report("MuJoCo", ball(NULL), ball(&newton));
}
