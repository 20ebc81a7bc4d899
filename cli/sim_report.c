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

/* ---- words ---- */

/* Why the run ended. */
static const char *status_of(const sim_run *run)
{
    if (run->status != CAROM_STATUS_OK)
        return carom_status_id(run->status);
    return run->failed ? "not-written" : run->interrupted ? "interrupted" : carom_sim_stop_word(run->stop);
}

static const char *message_of(const sim_run *run)
{
    if (run->status != CAROM_STATUS_OK)
        return carom_status_message(run->status);
    return run->failed        ? "a file could not be written; the run ended there"
           : run->interrupted ? "the run was interrupted; what is given is its beginning"
                              : carom_sim_stop_meaning(run->stop);
}

/* ---- meetings ---- */

static int by_count(const void *x, const void *y)
{
    const sim_pair *a = x, *b = y;
    if (a->count != b->count)
        return a->count < b->count ? 1 : -1;
    return a->a != b->a ? a->a - b->a : a->b - b->b;
}

/* The pairs that met, most often first; the caller frees the list. */
static sim_pair *sorted_pairs(const sim_run *run)
{
    sim_pair *list = must_have(calloc((size_t)run->pair_count + 1, sizeof *list));
    int count = 0;
    for (int i = 0; i < SIM_PAIRS; i++)
        if (run->pairs[i].count > 0)
            list[count++] = run->pairs[i];
    qsort(list, (size_t)count, sizeof *list, by_count);
    return list;
}

static void pair_name(const sim_run *run, const sim_pair *p, char name[NAME])
{
    snprintf(name, NAME, "%.70s - %.70s", run->file->names[p->a], run->file->names[p->b]);
}

static json_t *bounces_of(const sim_run *run)
{
    json_t *object = json_object();
    sim_pair *list = sorted_pairs(run);
    for (int i = 0; i < run->pair_count; i++) {
        char name[NAME];
        pair_name(run, &list[i], name);
        json_object_set_new(object, name, json_integer(list[i].count));
    }
    free(list);
    if (run->unlisted)
        json_object_set_new(object, "others", json_integer(run->unlisted));
    return object;
}

/* ---- JSON ---- */

static json_t *world(const sim_run *run, carom_vec3 v)
{
    return run->file->scene.dim == 2 ? json_pack("[f, f]", v.x, v.y) : json_pack("[f, f, f]", v.x, v.y, v.z);
}

static json_t *energy_of(const carom_sim_ledger *l)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "before", l->before, "after", l->after, "normal",
                     l->normal, "friction", l->friction, "rest", l->rest, "sliding", l->sliding, "fields", l->fields,
                     "driven", l->driven, "residual", l->residual);
}

static json_t *bodies_of(const sim_run *run)
{
    json_t *object = json_object();
    for (int i = 0; i < run->file->scene.body_count; i++) {
        carom_sim_state state = carom_sim_body(run->sim, i);
        if (!run->file->bodies[i].def.fixed)
            json_object_set_new(object, run->file->names[i], (json_t *)carom_state_json(run->file, &state));
    }
    return object;
}

json_t *sim_report_json(const sim_run *run, bool bodies)
{
    carom_sim_ledger ledger = carom_sim_energy(run->sim);
    double time = carom_sim_time(run->sim);
    json_t *object = json_object(), *momentum = json_object();
    if (run->file->name)
        json_object_set_new(object, "name", json_string(run->file->name));
    json_object_set_new(object, "law", json_string(run->file->scene.rule.law->id));
    json_object_set_new(object, "status", json_string(status_of(run)));
    json_object_set_new(object, "message", json_string(message_of(run)));
    json_object_set_new(object, "time", json_real(time));
    json_object_set_new(object, "impacts", json_integer(carom_sim_impacts(run->sim)));
    json_object_set_new(object, "events", json_integer(carom_sim_events(run->sim)));
    json_object_set_new(object, "bounces", bounces_of(run));
    json_object_set_new(object, "rest_time", run->stop == CAROM_SIM_STOP_REST ? json_real(time) : json_null());
    json_object_set_new(object, "energy", energy_of(&ledger));
    if (bodies)
        json_object_set_new(object, "bodies", bodies_of(run));
    json_object_set_new(momentum, "linear", world(run, ledger.momentum));
    json_object_set_new(momentum, "angular",
                        run->file->scene.dim == 2 ? json_real(ledger.angular.z) : world(run, ledger.angular));
    json_object_set_new(object, "momentum", momentum);
    return object;
}

/* ---- for people ---- */

/* Columns that not every scene has are left out when they are zero. */
static void print_energy(const carom_sim_ledger *l)
{
    const struct {
        const char *head;
        double x;
        bool shown;
    } columns[] = {{"before", l->before, true},
                   {"normal", l->normal, true},
                   {"friction", l->friction, true},
                   {"sliding", l->sliding, true},
                   {"fields", l->fields, l->fields != 0},
                   {"driven", l->driven, l->driven != 0},
                   {"at rest", l->rest, true},
                   {"after", l->after, true},
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
    table_print(&t);
    table_free(&t);
}

static void print_bounces(const sim_run *run)
{
    static const char *const heads[] = {"impacts of", "number"};
    sim_pair *list = sorted_pairs(run);
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
    }
    table_free(&t);
    free(list);
}

static void print_bodies(const sim_run *run)
{
    static const char *const heads[] = {"at the end", "x", "y", "z", "v_x", "v_y", "v_z", "w_x", "w_y", "w_z"};
    table t = table_start("lrrrrrrrrr", heads);
    int shown = 0, left = 0;
    for (int i = 0; i < run->file->scene.body_count; i++) {
        if (run->file->bodies[i].def.fixed)
            continue;
        if (shown++ >= SHOWN_BODIES) {
            left++;
            continue;
        }
        carom_sim_state s = carom_sim_body(run->sim, i);
        double x[9] = {s.position.x, s.position.y, s.position.z, s.velocity.x, s.velocity.y,
                       s.velocity.z, s.omega.x,    s.omega.y,    s.omega.z};
        char text[9][CAROM_NUMBER_SIZE];
        const char *cells[10] = {run->file->names[i]};
        for (int k = 0; k < 9; k++) {
            snprintf(text[k], sizeof text[k], "%.4g", x[k] + 0.0);
            cells[k + 1] = text[k];
        }
        table_add(&t, ROW_PLAIN, cells);
    }
    printf("\n");
    table_print(&t);
    table_free(&t);
    if (left)
        printf("and %d more bodies\n", left);
}

void sim_report_head(const sim_run *run)
{
    char time[CAROM_NUMBER_SIZE];
    carom_number_print(time, carom_sim_time(run->sim));
    printf("%s", term_bold());
    text_put(run->file->name ? run->file->name : "scene");
    printf("%s\n", term_plain());
    printf("  law      %s\n", run->file->scene.rule.law->id);
    printf("  status   %s: %s\n", status_of(run), message_of(run));
    printf("  time     %s s\n", time);
    printf("  impacts  %lld\n\n", carom_sim_impacts(run->sim));
}

void sim_report_print(const sim_run *run)
{
    carom_sim_ledger ledger = carom_sim_energy(run->sim);
    sim_report_head(run);
    print_energy(&ledger);
    print_bounces(run);
    print_bodies(run);
}
