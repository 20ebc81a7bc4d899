#include "sim_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "output.h"
#include "table.h"
#include "term.h"

enum { SHOWN_PAIRS = 12, SHOWN_BODIES = 12, NAME = 160 };

static void pair_name(const sim_run *run, const sim_pair *p, char name[NAME])
{
    snprintf(name, NAME, "%.70s - %.70s", run->file->names[p->a], run->file->names[p->b]);
}

/* ---- for people ---- */

/* Columns that not every scene has are left out when they are zero. */
static void print_energy(const carom_sim_ledger *l)
{
    const struct {
        const char *head;
        double x;
        bool shown;
    } columns[] = {
        {"before", l->before, true},           {"normal", l->normal, true},     {"friction", l->friction, true},
        {"sliding", l->sliding, true},         {"spin", l->spin, l->spin != 0}, {"fields", l->fields, l->fields != 0},
        {"driven", l->driven, l->driven != 0}, {"at rest", l->rest, true},      {"after", l->after, true},
        {"residual", l->residual, true}};
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    char text[COLUMNS][CAROM_NUMBER_SIZE], align[COLUMNS + 2] = "l";
    const char *heads[COLUMNS + 1] = {"energy, J"}, *cells[COLUMNS + 1] = {""};
    int count = 1;
    for (int i = 0; i < COLUMNS; i++) {
        if (!columns[i].shown)
            continue;
        snprintf(text[i], sizeof text[i], i == COLUMNS - 1 ? "%.2g" : "%.6g", columns[i].x + 0.0);
        align[count] = 'r';
        heads[count] = columns[i].head;
        cells[count++] = text[i];
    }
    table t = table_start(align, heads);
    table_add(&t, ROW_PLAIN, cells);
    table_end(&t);
}

/* Where the table counts more than the head: an impact that closes several contacts counts at each. */
static void print_contacts(const sim_run *run)
{
    sim_pair *list = must_have(carom_scene_run_meetings(run));
    long long contacts = run->unlisted;
    for (int i = 0; i < run->pair_count; i++)
        contacts += list[i].count;
    if (contacts > carom_sim_impacts(run->sim))
        printf("%lld impacts at %lld contacts: bodies may touch at several points at once\n",
               carom_sim_impacts(run->sim), contacts);
    free(list);
}

static void print_bounces(const sim_run *run)
{
    static const char *const heads[] = {"impacts of", "number"};
    sim_pair *list = must_have(carom_scene_run_meetings(run));
    table t = table_start("lr", heads);
    for (int i = 0; i < run->pair_count && i < SHOWN_PAIRS; i++) {
        char name[NAME], count[32];
        pair_name(run, &list[i], name);
        snprintf(count, sizeof count, "%lld", list[i].count);
        table_add(&t, ROW_PLAIN, (const char *[]){name, count});
    }
    long long others = run->unlisted;
    for (int i = SHOWN_PAIRS; i < run->pair_count; i++)
        others += list[i].count;
    if (others) {
        char name[64], count[32];
        snprintf(name, sizeof name, "%s", run->unlisted ? "all other pairs" : "other pairs");
        snprintf(count, sizeof count, "%lld", others);
        table_add(&t, ROW_DIM, (const char *[]){name, count});
    }
    if (run->pair_count) {
        printf("\n");
        table_print(&t);
        print_contacts(run);
    }
    table_free(&t);
    free(list);
}

enum { NUMBERS = 9 };

/* Places and velocities; in the plane the angle and one spin. */
static int numbers_of(const carom_sim_state *s, int dim, double x[NUMBERS])
{
    const double plane[6] = {s->position.x, s->position.y, carom_state_angle(s),
                             s->velocity.x, s->velocity.y, s->omega.z};
    const double space[NUMBERS] = {s->position.x, s->position.y, s->position.z, s->velocity.x, s->velocity.y,
                                   s->velocity.z, s->omega.x,    s->omega.y,    s->omega.z};
    memcpy(x, dim == 2 ? plane : space, dim == 2 ? sizeof plane : sizeof space);
    return dim == 2 ? 6 : NUMBERS;
}

static void print_bodies(const sim_run *run)
{
    static const char *const plane[] = {"at the end", "x", "y", "angle", "v_x", "v_y", "w"};
    static const char *const space[] = {"at the end", "x", "y", "z", "v_x", "v_y", "v_z", "w_x", "w_y", "w_z"};
    const int dim = run->file->scene.dim;
    table t = dim == 2 ? table_start("lrrrrrr", plane) : table_start("lrrrrrrrrr", space);
    int shown = 0, left = 0;
    for (int i = 0; i < run->file->scene.body_count; i++) {
        if (run->file->bodies[i].def.fixed)
            continue;
        if (shown++ >= SHOWN_BODIES) {
            left++;
            continue;
        }
        carom_sim_state s = carom_sim_body(run->sim, i);
        double x[NUMBERS];
        char text[NUMBERS][CAROM_NUMBER_SIZE];
        const char *cells[NUMBERS + 1] = {run->file->names[i]};
        const int count = numbers_of(&s, dim, x);
        for (int k = 0; k < count; k++) {
            snprintf(text[k], sizeof text[k], "%.4g", x[k] + 0.0);
            cells[k + 1] = text[k];
        }
        table_add(&t, ROW_PLAIN, cells);
    }
    printf("\n");
    table_end(&t);
    if (left)
        printf("and %d more bodies\n", left);
}

/* Spheres look alike in all orientations. */
static bool shows_orientation(const carom_scene_body *body)
{
    const carom_solid *solid = &body->solid;
    const bool round = solid->kind == CAROM_SOLID_PARTICLE ||
                       (solid->kind == CAROM_SOLID_SHAPE &&
                        (solid->shape.kind == CAROM_SHAPE_SPHERE || solid->shape.kind == CAROM_SHAPE_HOLLOW_SPHERE));
    return !body->def.fixed && !round;
}

/* In space: quaternions, body to world. */
static void print_orientations(const sim_run *run)
{
    static const char *const heads[] = {"orientation", "w", "x", "y", "z"};
    table t = table_start("lrrrr", heads);
    int shown = 0;
    for (int i = 0; i < run->file->scene.body_count && run->file->scene.dim == 3 && shown < SHOWN_BODIES; i++) {
        const carom_quat q = carom_sim_body(run->sim, i).orientation;
        const double x[4] = {q.w, q.x, q.y, q.z};
        char text[4][CAROM_NUMBER_SIZE];
        if (!shows_orientation(&run->file->bodies[i]))
            continue;
        for (int k = 0; k < 4; k++)
            snprintf(text[k], sizeof text[k], "%.4g", x[k] + 0.0);
        table_add(&t, ROW_PLAIN, (const char *[]){run->file->names[i], text[0], text[1], text[2], text[3]});
        shown++;
    }
    if (shown) {
        printf("\n");
        table_end(&t);
    } else
        table_free(&t);
}

static void print_roads(const sim_run *run)
{
    carom_run_roads r = carom_scene_run_roads(run);
    printf("  road     exact");
    if (r.exact_until < INFINITY)
        printf(" until %.6g s; now %d exact, %d stepped, %d in piles, error of places about %.1g m", r.exact_until,
               r.bodies[CAROM_SIM_ROAD_EXACT], r.bodies[CAROM_SIM_ROAD_STEPPED], r.bodies[CAROM_SIM_ROAD_PILE],
               r.error);
    printf("\n\n");
}

void sim_report_head(const sim_run *run)
{
    char time[CAROM_NUMBER_SIZE];
    carom_number_print(time, carom_sim_time(run->sim));
    printf("%s", term_bold());
    text_put(run->file->name ? run->file->name : "scene");
    printf("%s\n", term_plain());
    printf("  law      %s; at several contacts %s\n", run->file->scene.rule.law->id, run->file->scene.together.law->id);
    printf("  status   %s: %s\n", carom_scene_run_word(run), carom_scene_run_message(run));
    printf("  time     %s s\n", time);
    printf("  impacts  %lld\n", carom_sim_impacts(run->sim));
    print_roads(run);
}

void sim_report_print(const sim_run *run)
{
    carom_sim_ledger ledger = carom_sim_energy(run->sim);
    sim_report_head(run);
    print_energy(&ledger);
    print_bounces(run);
    print_bodies(run);
    print_orientations(run);
}
