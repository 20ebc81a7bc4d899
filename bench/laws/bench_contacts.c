#include "bench_contacts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, LINE_DOUBLES = LINE / sizeof(double) };

static double uniform(uint64_t *state, double low, double high)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static carom_quat random_turn(uint64_t *state)
{
    carom_quat q = {uniform(state, -1, 1), uniform(state, -1, 1), uniform(state, -1, 1), uniform(state, -1, 1)};
    double size = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z) + 1e-3;
    carom_quat unit = {q.w / size, q.x / size, q.y / size, q.z / size};
    double rest = 1 - (unit.x * unit.x + unit.y * unit.y + unit.z * unit.z);
    unit.w = sqrt(rest > 0 ? rest : 0);
    return unit;
}

static carom_vec3 random_vector(uint64_t *state, double size)
{
    return carom_vec3_make(uniform(state, -size, size), uniform(state, -size, size), uniform(state, -size, size));
}

/* A box, or a ball, above the ground. */
static carom_body_def random_body(uint64_t *state, contact_kind kind, carom_vec3 *arm)
{
    carom_body_def def = carom_body_def_default();
    carom_vec3 half = {uniform(state, 0.2, 1), uniform(state, 0.2, 1), uniform(state, 0.2, 1)};
    double m = uniform(state, 0.5, 2), r = half.x;
    def.mass = m;
    def.inertia =
        (carom_sym3){m / 3 * (half.y * half.y + half.z * half.z), 0, 0,
                     m / 3 * (half.x * half.x + half.z * half.z), 0, m / 3 * (half.x * half.x + half.y * half.y)};
    *arm = carom_vec3_make(uniform(state, -1, 1) * half.x, uniform(state, -1, 1) * half.y, -half.z);
    if (kind == CONTACT_SPHERE) {
        double inertia = 0.4 * m * r * r;
        def.inertia = (carom_sym3){inertia, 0, 0, inertia, 0, inertia};
        *arm = carom_vec3_make(0, 0, -r);
    } else {
        def.orientation = random_turn(state);
    }
    def.velocity = random_vector(state, 3);
    def.velocity.z = uniform(state, -4, -1);
    def.omega = random_vector(state, 2);
    return def;
}

static bool random_problem(uint64_t *state, contact_kind kind, carom_problem *problem)
{
    carom_body_def ground = carom_body_def_default();
    carom_vec3 arm, here = {0, 0, 0}, up = {0, 0, 1};
    carom_body_def def = random_body(state, kind, &arm);
    carom_body a, b;
    carom_contact contact;
    ground.fixed = true;
    if (carom_body_init(&def, &a) || carom_body_init(&ground, &b) || carom_contact_init(arm, here, up, &contact) ||
        carom_bodies_reduce(&a, &b, &contact, problem))
        return false;
    if (kind == CONTACT_PLANAR)
        problem->K.t12 = problem->K.t22 = problem->K.t2n = problem->u.t2 = 0;
    return problem->u.n < 0;
}

const char *contact_word(contact_kind kind)
{
    static const char *const words[CONTACT_KINDS] = {"general", "sphere", "planar"};
    return words[kind];
}

static void set_row(double *const array[CONTACT_ARRAYS], size_t i, const carom_problem *p)
{
    const double row[CONTACT_ARRAYS] = {p->K.t11, p->K.t12, p->K.t22, p->K.t1n, p->K.t2n,
                                        p->K.nn,  p->u.t1,  p->u.t2,  p->u.n};
    for (int j = 0; j < CONTACT_ARRAYS; j++)
        array[j][i] = row[j];
}

bool contacts_make(contacts *c, contact_kind kind, size_t count)
{
    size_t room = (count / LINE_DOUBLES + 2) * LINE_DOUBLES;
    uint64_t state = 1;
    double *array[CONTACT_ARRAYS + CONTACT_OUTPUTS];
    memset(c, 0, sizeof *c);
    c->count = count;
    c->kind = kind;
    c->problems = malloc(CONTACT_PROBLEMS * sizeof *c->problems);
    c->memory = aligned_alloc(LINE, (CONTACT_ARRAYS + CONTACT_OUTPUTS) * room * sizeof(double));
    c->status = malloc(count);
    if (!c->problems || !c->memory || !c->status)
        return false;
    for (int j = 0; j < CONTACT_ARRAYS + CONTACT_OUTPUTS; j++)
        array[j] = c->memory + (size_t)j * room;
    for (int i = 0; i < CONTACT_PROBLEMS; i++)
        while (!random_problem(&state, kind, &c->problems[i]))
            continue;
    for (size_t i = 0; i < count; i++)
        set_row(array, i, &c->problems[i % CONTACT_PROBLEMS]);
    memset(array[CONTACT_ARRAYS], 0, CONTACT_OUTPUTS * room * sizeof(double));
    c->in = (carom_batch_in){count,    array[0], array[1], array[2], array[3], array[4],
                             array[5], array[6], array[7], array[8], {0}};
    c->out = (carom_batch_out){count, array[9], array[10], array[11], array[12], array[13], array[14], c->status, {0}};
    return true;
}

void contacts_free(contacts *c)
{
    free(c->problems);
    free(c->memory);
    free(c->status);
    memset(c, 0, sizeof *c);
}
