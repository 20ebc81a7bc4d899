/* Coefficients of pairs as coefficients of bodies. MuJoCo takes the larger friction of a pair, Gazebo the smaller one
 * and the smaller restitution. Of all numbers x_i with max(x_i, x_j) = x_ij the largest ones are x_i = min_j x_ij, so
 * that they fit where any do; for the smaller one likewise. What does not fit is listed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/export_task.h"

#define LARGEST 1000.0 /* friction of bodies that never slip here */

typedef struct coefficient {
    const char *word;
    bool largest; /* the mixing rule */
    double (*of)(const carom_coeffs *c);
    double otherwise; /* of materials that touch nothing */
} coefficient;

static double mu_of(const carom_coeffs *c)
{
    return c->mu;
}

static double e_of(const carom_coeffs *c)
{
    return c->e;
}

/* The number of materials, and for each how many bodies have it, and how many of them move. */
typedef struct material {
    const char *name; /* null: none */
    int bodies, movable;
    double x;
} material;

static const carom_scene_pair *pair_of(const carom_scene *s, int a, int b)
{
    for (int k = 0; k < s->pair_count; k++)
        if ((s->pairs[k].a == a && s->pairs[k].b == b) || (s->pairs[k].a == b && s->pairs[k].b == a))
            return &s->pairs[k];
    return NULL;
}

/* Does a pair of materials have a rule of its own, or can two bodies of it touch? */
static bool counts(const carom_scene *s, const material *m, int a, int b)
{
    bool two = a != b ? m[a].bodies && m[b].bodies : m[a].bodies > 1;
    return m[a].bodies && m[b].bodies && (pair_of(s, a, b) || (two && (m[a].movable || m[b].movable)));
}

static double of_pair(const carom_scene *s, const coefficient *c, int a, int b)
{
    const carom_scene_pair *p = pair_of(s, a, b);
    return c->of(p ? &p->rule.coeffs : &s->rule.coeffs);
}

static void choose(const carom_scene *s, const coefficient *c, material *m, int count)
{
    for (int a = 0; a < count; a++) {
        m[a].x = NAN;
        for (int b = 0; b < count; b++)
            if (counts(s, m, a, b)) {
                double x = of_pair(s, c, a, b);
                m[a].x = isnan(m[a].x) ? x : c->largest ? fmin(m[a].x, x) : fmax(m[a].x, x);
            }
        m[a].x = isnan(m[a].x) ? c->otherwise : m[a].x;
    }
}

static void say(export_task *t, const coefficient *c, const material *a, const material *b, double x)
{
    char element[200], meaning[160], here[CAROM_NUMBER_SIZE], there[CAROM_NUMBER_SIZE];
    carom_number_print(here, x);
    carom_number_print(there, c->largest ? fmax(a->x, b->x) : fmin(a->x, b->x));
    snprintf(element, sizeof element, "pairs (%.60s, %.60s)", a->name ? a->name : "no material",
             b->name ? b->name : "no material");
    snprintf(meaning, sizeof meaning, "%s is %s here; there a pair has the %s of two numbers of its bodies, %s",
             c->word, here, c->largest ? "larger" : "smaller", there);
    export_lose(t, element, meaning);
}

static void apply(export_task *t, const coefficient *c, material *m, int count, double *out)
{
    const carom_scene *s = &t->file->scene;
    choose(s, c, m, count);
    for (int a = 0; a < count; a++)
        for (int b = a; b < count; b++)
            if (counts(s, m, a, b)) {
                double x = of_pair(s, c, a, b), mixed = c->largest ? fmax(m[a].x, m[b].x) : fmin(m[a].x, m[b].x);
                if (mixed != x)
                    say(t, c, &m[a], &m[b], x);
            }
    bool endless = false;
    for (int i = 0; i < s->body_count; i++) {
        double x = m[s->bodies[i].material].x;
        endless |= !(x <= LARGEST);
        out[i] = fmin(x, LARGEST);
    }
    if (endless)
        export_lose(t, "coefficients.mu", "friction without end: there it is 1000");
}

static const char *material_name(const carom_scene_file *f, int i)
{
    const scene_tree *tree = f->linkage;
    const json_t *body = tree && i >= tree->first
                             ? json_array_get(json_object_get(f->document, "links"), (size_t)(i - tree->first))
                             : json_object_get(json_object_get(f->document, "bodies"), f->names[i]);
    return json_string_value(json_object_get(body, "material"));
}

bool export_friction(export_task *t)
{
    const carom_scene *s = &t->file->scene;
    const bool mujoco = t->format == CAROM_MODEL_MJCF;
    int count = 1;
    for (int i = 0; i < s->body_count; i++)
        count = s->bodies[i].material >= count ? s->bodies[i].material + 1 : count;
    material *m = calloc((size_t)count, sizeof *m);
    t->mu = calloc((size_t)s->body_count + 1, sizeof *t->mu);
    t->e = calloc((size_t)s->body_count + 1, sizeof *t->e);
    bool fine = m && t->mu && t->e;
    for (int i = 0; fine && i < s->body_count; i++) {
        material *own = &m[s->bodies[i].material];
        own->name = material_name(t->file, i);
        own->bodies++;
        own->movable += !s->bodies[i].def.fixed;
    }
    if (fine) {
        apply(t, &(coefficient){"mu", mujoco, mu_of, 1}, m, count, t->mu);
        if (!mujoco)
            apply(t, &(coefficient){"e", false, e_of, 0}, m, count, t->e);
    }
    free(m);
    return fine;
}
