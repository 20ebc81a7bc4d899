/* A bat hits a ball: two mechanisms meet. The bat swings about the hands, which swing about the shoulders; where along
 * the bat should the ball be met? */
#include <carom/carom.h>
#include <carom/mechanism.h>
#include <stdio.h>

enum { ARMS, BAT, LINKS };

/* Arms of 0.6 m, then a bat of 0.85 m whose mass sits towards its far end. Both swing about the vertical. */
static carom_status build_bat(carom_link *links, carom_mechanism *bat)
{
    carom_link_def defs[LINKS] = {carom_link_def_default(), carom_link_def_default()};
    defs[ARMS].mass = 6;
    defs[ARMS].com.x = 0.3;
    defs[ARMS].inertia = (carom_sym3){0.02, 0, 0, 0.2, 0, 0.2};
    defs[BAT].parent = ARMS;
    defs[BAT].origin.x = 0.6;
    defs[BAT].mass = 0.9;
    defs[BAT].com.x = 0.55;
    defs[BAT].inertia = (carom_sym3){0.0004, 0, 0, 0.045, 0, 0.045};
    return carom_mechanism_init(defs, LINKS, links, bat);
}

/* A baseball. */
static carom_status build_ball(carom_link *link, carom_mechanism *ball)
{
    carom_link_def def = carom_link_def_default();
    def.joint = CAROM_JOINT_FREE;
    def.mass = 0.145;
    def.inertia = (carom_sym3){8e-5, 0, 0, 8e-5, 0, 8e-5};
    return carom_mechanism_init(&def, 1, link, ball);
}

int main(void)
{
    carom_link bat_links[LINKS], ball_link;
    carom_link_state bat_states[LINKS], ball_state;
    carom_freedom bat_freedoms[2], ball_freedoms[6];
    carom_mechanism bat, ball;
    if (build_bat(bat_links, &bat) || build_ball(&ball_link, &ball))
        return 1;
    carom_rule rule = carom_rule_default(carom_law_find("routh-stronge"));
    rule.coeffs.e = 0.5;
    rule.coeffs.mu = 0.35;

    printf("met at   ball leaves   bat swings   hands feel   energy lost\n");
    for (int i = 0; i <= 7; i++) {
        double along = 0.45 + 0.05 * i, radius = 0.037;
        double bat_q[2] = {1.2, 0.3}, bat_qdot[2] = {8, 32}; /* rad/s */
        carom_motion swing = {&bat, bat_q, bat_qdot, bat_states, bat_freedoms, -1};
        double ball_q[7] = {0, 0, 0, 1, 0, 0, 0}, ball_qdot[6] = {0};
        carom_motion pitch = {&ball, ball_q, ball_qdot, &ball_state, ball_freedoms, -1};
        if (carom_motion_place(&swing))
            return 1;

        /* The ball arrives against the motion of the bat, 35 m/s, a little from above. */
        carom_vec3 handle = carom_motion_point(&swing, BAT, carom_vec3_make(0, 0, 0));
        carom_vec3 tip = carom_motion_point(&swing, BAT, carom_vec3_make(1, 0, 0));
        carom_vec3 axis = carom_vec3_sub(tip, handle), normal = {-axis.y, axis.x, 0};
        carom_vec3 centre = carom_vec3_add(carom_motion_point(&swing, BAT, carom_vec3_make(along, 0, 0)),
                                           carom_vec3_scale(radius, normal));
        carom_vec3 velocity = carom_vec3_add(carom_vec3_scale(-34.5, normal), carom_vec3_make(0, 0, -6));
        ball_q[0] = centre.x;
        ball_q[1] = centre.y;
        ball_qdot[0] = velocity.x;
        ball_qdot[1] = velocity.y;
        ball_qdot[2] = velocity.z;

        carom_touch touch;
        carom_problem problem;
        carom_outcome out;
        if (carom_motion_place(&pitch) ||
            carom_touch_init(&pitch, 0, carom_vec3_scale(-radius, normal), normal, &touch))
            return 1;
        touch.b = &swing;
        touch.link_b = BAT;
        double before = carom_motion_kinetic(&swing) + carom_motion_kinetic(&pitch), arms = bat_qdot[0];
        if (carom_touch_reduce(&touch, &problem) || carom_solve(&problem, &rule, NULL, &out))
            return 1;
        carom_touch_apply(&touch, out.p);
        double after = carom_motion_kinetic(&swing) + carom_motion_kinetic(&pitch);
        carom_vec3 v = carom_motion_velocity(&pitch, 0, carom_vec3_make(0, 0, 0));
        printf("%.2f m   %6.2f m/s    %6.2f rad/s %+6.3f rad/s  %6.1f J\n", along, carom_vec3_length(v), bat_qdot[1],
               bat_qdot[0] - arms, before - after);
    }
    return 0;
}
