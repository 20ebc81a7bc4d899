/* "vibration": the modes of the bodies at the contact, for laws that have any use for them. */
#include <stdlib.h>

#include "io/case/format.h"

static const place vibration_place = {NULL, "vibration"};
static const place modes_place = {&vibration_place, "modes"};

static const place damping_place = {&vibration_place, "damping"};

/* One block: the case may be copied, the block stays where it is. The matrix of damping lies behind the modes. */
typedef struct vibration_block {
    carom_vibration vibration;
    carom_mode modes[];
} vibration_block;

static bool read_mode(const reader *r, const place *at, const json_t *object, int dim, carom_mode *mode)
{
    const json_t *phi = json_object_get(object, "phi");
    place here = {at, "phi"};
    double numbers[3];
    if (!reader_object(r, at, object, FORMAT_mode) || !reader_vector(r, &here, phi, dim, numbers))
        return false;
    reader_take(object, "omega", &mode->omega);
    reader_take(object, "zeta", &mode->zeta);
    reader_take(object, "z", &mode->z);
    reader_take(object, "rate", &mode->rate);
    mode->phi = carom_cvec_make(numbers[0], dim == 3 ? numbers[1] : 0, numbers[dim - 1]);
    return true;
}

/* Damping ratios belong to modes that are damped one by one. */
static bool check_zeta(const reader *r, const place *at, const json_t *object, bool coupled)
{
    const bool given = json_object_get(object, "zeta") != NULL;
    place zeta = {at, "zeta"};
    if (given && coupled)
        return reader_fail(r, &zeta, "is in the matrix vibration.damping already");
    return given || coupled || reader_missing(r, at, "zeta");
}

static bool read_damping(const reader *r, const json_t *rows, int count, double *matrix)
{
    if (!json_is_array(rows) || json_array_size(rows) != (size_t)count)
        return reader_fail(r, &damping_place, "must have a row for each of the %d modes", count);
    for (int i = 0; i < count; i++) {
        char index[32];
        snprintf(index, sizeof index, "[%d]", i);
        place here = {&damping_place, index};
        if (!reader_vector(r, &here, json_array_get(rows, (size_t)i), count, matrix + i * count))
            return false;
    }
    return true;
}

static bool read_modes(const reader *r, const json_t *array, const carom_case *c, carom_mode *modes)
{
    size_t i;
    json_t *entry;
    json_array_foreach(array, i, entry)
    {
        char index[32];
        snprintf(index, sizeof index, "[%zu]", i);
        place here = {&modes_place, index};
        if (!read_mode(r, &here, entry, c->dim, &modes[i]) ||
            !check_zeta(r, &here, entry, c->rule.vibration->damping != NULL))
            return false;
    }
    return true;
}

bool read_vibration(const reader *r, const json_t *document, carom_case *c)
{
    const json_t *object = json_object_get(document, "vibration");
    if (!object)
        return true;
    if (!reader_object(r, &vibration_place, object, FORMAT_vibration))
        return false;
    const json_t *modes = json_object_get(object, "modes");
    bool again = json_is_true(json_object_get(object, "recontact"));
    if (!json_is_array(modes))
        return reader_fail(r, &modes_place, "must be an array of {\"omega\", \"zeta\", \"phi\"}");
    size_t count = json_array_size(modes);
    const json_t *damping = json_object_get(object, "damping");
    const size_t entries = damping ? count * count : 0;
    vibration_block *block = calloc(1, sizeof *block + count * sizeof block->modes[0] + entries * sizeof(double));
    if (!block)
        return reader_fail(r, &vibration_place, "out of memory");
    c->vibration = block;
    double *matrix = damping ? (double *)(void *)(block->modes + count) : NULL;
    block->vibration = (carom_vibration){block->modes, (int)count, again, matrix};
    c->rule.vibration = &block->vibration;
    return (!damping || read_damping(r, damping, (int)count, matrix)) && read_modes(r, modes, c, block->modes);
}
