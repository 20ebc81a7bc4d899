/* A break: the cue ball strikes the head of a triangle of six balls, ten contacts closed at once. Where the balls go
 * under each law. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BALLS = 7, MOST = 16 };

#define RADIUS 0.0285

static int find_contacts(const carom_body *balls, carom_pair *pairs)
{
    int count = 0;
    for (int i = 0; i < BALLS; i++)
        for (int j = i + 1; j < BALLS; j++) {
            carom_vec3 gap = carom_vec3_sub(balls[j].position, balls[i].position);
            double length = carom_vec3_length(gap);
            if (length > 2 * RADIUS * (1 + 1e-9))
                continue;
            carom_vec3 n = carom_vec3_scale(1 / length, gap);
            carom_pair pair = {.a = j, .b = i};
            if (carom_contact_init(carom_vec3_scale(-RADIUS, n), carom_vec3_scale(RADIUS, n), n, &pair.contact))
                exit(1);
            pairs[count++] = pair;
        }
    return count;
}

static void place(carom_body *balls)
{
    static const double rows[BALLS][2] = {{-1, 0}, {0, 0}, {1, 1}, {1, -1}, {2, 2}, {2, 0}, {2, -2}};
    for (int i = 0; i < BALLS; i++) {
        carom_body_def def = carom_body_def_default();
        double I = 0.4 * 0.17 * RADIUS * RADIUS, step = i == 0 ? 2 * RADIUS : sqrt(3) * RADIUS;
        def.mass = 0.17;
        def.inertia = (carom_sym3){I, 0, 0, I, 0, I};
        def.position = carom_vec3_make(rows[i][0] * step, rows[i][1] * RADIUS, 0);
        def.velocity.x = i == 0 ? 8 : 0;
        if (carom_body_init(&def, &balls[i]))
            exit(1);
    }
}

int main(void)
{
    carom_body balls[BALLS], after[BALLS];
    carom_pair pairs[MOST];
    carom_coeffs coeffs[MOST];
    place(balls);
    int m = find_contacts(balls, pairs);
    carom_bodies set = {BALLS, balls, m, pairs, 3};
    carom_contacts problem;
    void *memory = malloc(carom_bodies_size(&set));
    if (!memory || carom_bodies_contacts(&set, memory, &problem))
        return 1;
    for (int i = 0; i < m; i++) {
        coeffs[i] = carom_coeffs_default();
        coeffs[i].e = 0.95;
        coeffs[i].mu = 0;
    }
    printf("%d contacts, cue ball at 8 m/s; speeds after, and the share of energy that is left\n", m);
    for (int i = 0; i < carom_together_count(); i++) {
        carom_together_rule rule = carom_together_rule_default(carom_together_at(i), coeffs);
        double p[3 * MOST], u_after[3 * MOST];
        carom_together_outcome out = {.p = p, .u_after = u_after};
        void *work = malloc(carom_together_work(&problem, &rule));
        if (!work || carom_together_solve(&problem, &rule, NULL, work, &out))
            return 1;
        carom_bodies_push(&set, p, after);
        printf("%-12s", rule.law->id);
        for (int k = 0; k < BALLS; k++)
            printf(" %6.3f", carom_vec3_length(after[k].velocity));
        printf("  %5.1f %%\n", 100 + 100 * out.energy.change / carom_body_energy(&balls[0]));
        free(work);
    }
    free(memory);
    return 0;
}
