/* Linkages for tests: memory, and bodies to join. */
#ifndef CAROM_TESTS_LINKAGES_H
#define CAROM_TESTS_LINKAGES_H

#include <stdlib.h>
#include <string.h>

#include "carom/joint.h"
#include "support/check.h"

enum { LINKAGE_BODIES = 128 };

typedef struct rig {
    carom_member bodies[LINKAGE_BODIES];
    carom_joint_def defs[LINKAGE_BODIES];
    carom_joint joints[LINKAGE_BODIES];
    carom_linkage linkage;
} rig;

static inline void rig_clear(rig *r)
{
    free(r->linkage.rows);
    free(r->linkage.work);
    r->linkage = carom_linkage_default();
    r->linkage.bodies = r->bodies;
    r->linkage.joints = r->joints;
}

/* A box of the given sides, centre at position. Returns its index. */
static inline int rig_body(rig *r, double mass, carom_vec3 position, carom_vec3 side)
{
    carom_body_def def = carom_body_def_default();
    double xx = side.x * side.x, yy = side.y * side.y, zz = side.z * side.z, m = mass / 12;
    def.mass = mass;
    def.inertia = (carom_sym3){m * (yy + zz), 0, 0, m * (xx + zz), 0, m * (xx + yy)};
    def.position = position;
    assert_int_equal(carom_member_init(&def, &r->bodies[r->linkage.body_count]), CAROM_STATUS_OK);
    return r->linkage.body_count++;
}

/* A joint of a with b at a point of the world, with these freedoms and axes. */
static inline carom_joint_def *rig_joint(rig *r, int a, int b, const int freedoms[2], const carom_vec3 at[3])
{
    carom_joint_def *def = &r->defs[r->linkage.joint_count++];
    *def = carom_joint_def_default();
    def->a = a;
    def->b = b;
    def->linear = freedoms[0];
    def->angular = freedoms[1];
    carom_joint_at(r->bodies, at[0], at[1], at[2], def);
    return def;
}

static inline carom_status rig_init(rig *r)
{
    carom_status status = carom_linkage_init(&r->linkage, r->defs);
    if (status)
        return status;
    size_t rows = ((size_t)r->linkage.row_count + 1) * sizeof *r->linkage.rows;
    size_t work = r->linkage.work_size * sizeof *r->linkage.work;
    r->linkage.rows = malloc(rows);
    r->linkage.work = malloc(work);
    assert_true(r->linkage.rows && r->linkage.work);
    memset(r->linkage.rows, 0xff, rows); /* nothing may be read before it is written */
    memset(r->linkage.work, 0xff, work);
    return CAROM_STATUS_OK;
}

static inline double rig_energy(const rig *r)
{
    return carom_linkage_kinetic(&r->linkage) + carom_linkage_potential(&r->linkage);
}

#endif
