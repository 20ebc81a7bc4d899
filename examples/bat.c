/* A bat hits a ball: two mechanisms meet. The bat swings about the hands, which swing about the shoulders; where along
 * the bat should the ball be met? */
#include <carom/carom.h>
#include <stdio.h>

enum { ARMS, BAT, LINKS };

static const double RADIUS = 0.037; /* of the ball */

typedef struct game {
    carom_link bat_links[LINKS], ball_link;
    carom_link_state bat_states[LINKS], ball_state;
    carom_freedom bat_freedoms[2], ball_freedoms[6];
    carom_mechanism bat, ball;
    double bat_q[2], bat_qdot[2], ball_q[7], ball_qdot[6];
    carom_motion swing, pitch;
} game;

/* Arms of 0.6 m, then a bat of 0.85 m whose mass sits towards its far end, both about the vertical; and a baseball. */
static carom_status build(game *g)
{
    carom_link_def bat[LINKS] = {carom_link_def_default(), carom_link_def_default()}, ball = carom_link_def_default();
    bat[ARMS].mass = 6;
    bat[ARMS].com.x = 0.3;
    bat[ARMS].inertia = (carom_sym3){0.02, 0, 0, 0.2, 0, 0.2};
    bat[BAT].parent = ARMS;
    bat[BAT].origin.x = 0.6;
    bat[BAT].mass = 0.9;
    bat[BAT].com.x = 0.55;
    bat[BAT].inertia = (carom_sym3){0.0004, 0, 0, 0.045, 0, 0.045};
    ball.joint = CAROM_JOINT_FREE;
    ball.mass = 0.145;
    ball.inertia = (carom_sym3){8e-5, 0, 0, 8e-5, 0, 8e-5};
    carom_status status = carom_mechanism_init(bat, LINKS, g->bat_links, &g->bat);
    g->swing = (carom_motion){&g->bat, g->bat_q, g->bat_qdot, g->bat_states, g->bat_freedoms, -1};
    g->pitch = (carom_motion){&g->ball, g->ball_q, g->ball_qdot, &g->ball_state, g->ball_freedoms, -1};
    return status ? status : carom_mechanism_init(&ball, 1, &g->ball_link, &g->ball);
}

/* The bat at its fastest; the ball arrives against it at 35 m/s, a little from above, and touches it at a distance from
 * the hands. */
static carom_status meet(game *g, double along, carom_touch *touch)
{
    carom_motion_reset(&g->swing);
    carom_motion_reset(&g->pitch);
    g->bat_q[ARMS] = 1.2;
    g->bat_q[BAT] = 0.3;
    g->bat_qdot[ARMS] = 8; /* rad/s */
    g->bat_qdot[BAT] = 32;
    carom_status status = carom_motion_place(&g->swing);
    if (status)
        return status;
    carom_vec3 spot = carom_motion_point(&g->swing, BAT, carom_vec3_make(along, 0, 0));
    carom_vec3 side = carom_motion_point(&g->swing, BAT, carom_vec3_make(along, 1, 0));
    carom_vec3 normal = carom_vec3_sub(side, spot), centre = carom_vec3_add(spot, carom_vec3_scale(RADIUS, normal));
    g->ball_q[0] = centre.x;
    g->ball_q[1] = centre.y;
    g->ball_qdot[0] = -34.5 * normal.x;
    g->ball_qdot[1] = -34.5 * normal.y;
    g->ball_qdot[2] = -6;
    status = carom_motion_place(&g->pitch);
    if (!status)
        status = carom_touch_init(&g->pitch, 0, carom_vec3_scale(-RADIUS, normal), normal, touch);
    touch->b = &g->swing;
    touch->link_b = BAT;
    return status;
}

int main(void)
{
    static game g;
    if (build(&g))
        return 1;
    carom_rule rule = carom_rule_default(carom_law_find("routh-stronge"));
    rule.coeffs.e = 0.5;
    rule.coeffs.mu = 0.35;
    printf("met at   ball leaves    bat swings    arms feel      energy lost\n");
    for (int i = 0; i <= 7; i++) {
        double along = 0.45 + 0.05 * i;
        carom_touch touch;
        carom_problem problem;
        carom_outcome out;
        if (meet(&g, along, &touch) || carom_touch_reduce(&touch, &problem) ||
            carom_status_is_error(carom_solve(&problem, &rule, NULL, &out)))
            return 1;
        double arms = g.bat_qdot[ARMS];
        carom_touch_apply(&touch, out.p);
        carom_vec3 v = carom_motion_velocity(&g.pitch, 0, carom_vec3_make(0, 0, 0));
        printf("%.2f m   %6.2f m/s    %6.2f rad/s  %+6.3f rad/s  %6.1f J\n", along, carom_vec3_length(v),
               g.bat_qdot[BAT], g.bat_qdot[ARMS] - arms, -out.energy.change);
    }
    return 0;
}
