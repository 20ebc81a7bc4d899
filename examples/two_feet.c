/* A biped lands on both feet: a trunk on two legs, a tree of three links in the plane, hits the floor with both feet at
 * once. What each law gives the feet and the hip. examples/cases/two-feet.json is the same impact as a case file. */
#include <carom/carom.h>
#include <stdio.h>
#include <stdlib.h>

enum { TRUNK, LEFT, RIGHT, LINKS, N = 5, FEET = 2 }; /* x, y and pitch of the trunk, two hip angles */

static carom_status build(carom_link *links, carom_mechanism *biped)
{
    carom_link_def defs[LINKS];
    for (int i = 0; i < LINKS; i++) {
        defs[i] = carom_link_def_default();
        defs[i].parent = i == TRUNK ? CAROM_WORLD : TRUNK;
        defs[i].joint = i == TRUNK ? CAROM_JOINT_PLANAR : CAROM_JOINT_REVOLUTE;
        defs[i].mass = i == TRUNK ? 10 : 2;
        defs[i].com = carom_vec3_make(0, i == TRUNK ? 0.2 : -0.5, 0);
        defs[i].inertia = i == TRUNK ? (carom_sym3){0.7, 0, 0, 0.3, 0, 0.9} : (carom_sym3){0.17, 0, 0, 0.02, 0, 0.17};
    }
    return carom_mechanism_init(defs, LINKS, links, biped);
}

/* Each foot is the end of its leg; t1 along the floor. */
static carom_status touch_down(carom_motion *motion, carom_touch *feet)
{
    const carom_vec3 up = {0, 1, 0}, forward = {1, 0, 0}, foot = {0, -1, 0};
    carom_status status = CAROM_STATUS_OK;
    for (int i = 0; i < FEET && !status; i++) {
        status = carom_touch_init(motion, LEFT + i, foot, up, &feet[i]);
        if (!status)
            status = carom_frame_init_t1(up, forward, &feet[i].frame);
    }
    return status;
}

int main(void)
{
    carom_link links[LINKS];
    carom_link_state states[LINKS];
    carom_freedom freedoms[N];
    carom_mechanism biped;
    carom_touch feet[FEET];
    if (build(links, &biped))
        return 1;
    carom_coeffs coeffs[FEET] = {carom_coeffs_default(), carom_coeffs_default()};
    coeffs[0].e = coeffs[1].e = 0.1;
    coeffs[0].mu = coeffs[1].mu = 0.6;
    printf("law            p left         p right         hip velocity    dE\n");
    for (int i = 0; i < carom_together_count(); i++) {
        double q[N] = {0, 0.98, 0, 0.2, -0.2}, qdot[N] = {0.4, -1.2, 0.1, 0.5, -0.3}, p[2 * FEET], u_after[2 * FEET];
        carom_motion motion = {&biped, q, qdot, states, freedoms, -1};
        carom_touches set = {FEET, feet, 2};
        carom_contacts problem;
        if (carom_motion_place(&motion) || touch_down(&motion, feet))
            return 1;
        void *memory = malloc(carom_touches_size(&set));
        if (!memory || carom_touches_reduce(&set, memory, &problem))
            return 1;
        carom_together_rule rule = carom_together_rule_default(carom_together_at(i), coeffs);
        rule.base = carom_law_find("routh-stronge");
        carom_together_outcome out = {.p = p, .u_after = u_after};
        void *work = malloc(carom_together_work(&problem, &rule));
        if (!work || carom_together_solve(&problem, &rule, NULL, work, &out))
            return 1;
        carom_touches_apply(&set, p);
        printf("%-12s %7.4f %7.4f %7.4f %7.4f  %7.4f %7.4f  %8.4f\n", rule.law->id, p[0] + 0.0, p[1], p[2] + 0.0, p[3],
               qdot[0], qdot[1], out.energy.change);
        free(work);
        free(memory);
    }
    return 0;
}
