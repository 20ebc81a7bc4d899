/* "vibration": the modes of the bodies at the contact, for laws that have any use for them. */
#include <stdlib.h>

#include "io/case/format.h"

static const place vibration_place = {NULL, "vibration"};
static const place modes_place = {&vibration_place, "modes"};

/* One block: the case may be copied, the block stays where it is. */
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
    mode->omega = json_number_value(json_object_get(object, "omega"));
    mode->zeta = json_number_value(json_object_get(object, "zeta"));
    mode->phi = carom_cvec_make(numbers[0], dim == 3 ? numbers[1] : 0, numbers[dim - 1]);
    return true;
}

static bool read_modes(const reader *r, const json_t *array, int dim, carom_mode *modes)
{
    size_t i;
    json_t *entry;
    json_array_foreach(array, i, entry)
    {
        char index[32];
        snprintf(index, sizeof index, "[%zu]", i);
        place here = {&modes_place, index};
        if (!read_mode(r, &here, entry, dim, &modes[i]))
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
    vibration_block *block = calloc(1, sizeof *block + count * sizeof block->modes[0]);
    if (!block)
        return reader_fail(r, &vibration_place, "out of memory");
    c->vibration = block;
    block->vibration = (carom_vibration){block->modes, (int)count, again};
    c->rule.vibration = &block->vibration;
    return read_modes(r, modes, c->dim, block->modes);
}
