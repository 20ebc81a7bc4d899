/* What the simulation refused, in the words of the scene. */
#include <stdio.h>

#include "io/json/number.h"
#include "io/scene/scene.h"

static const place bodies_place = {NULL, "bodies"};

bool carom_scene_refuse(const carom_scene_file *file, carom_status status, const carom_sim_error *blame,
                        carom_case_error *error)
{
    reader r = {&file->text, error};
    const char *a = blame->body >= 0 ? file->names[blame->body] : NULL;
    const char *b = blame->other >= 0 ? file->names[blame->other] : NULL;
    place here = {&bodies_place, a ? a : ""};
    char depth[CAROM_NUMBER_SIZE];
    error->status = status;
    if (!a)
        return reader_fail(&r, NULL, "%s", carom_status_message(status));
    if (status == CAROM_STATUS_OVERLAP && b)
        return reader_fail(&r, &here, "overlaps \"%.64s\" at the start by %s m", b,
                           carom_internal_number_rounded(depth, blame->amount, 6));
    if (!b)
        return reader_fail(&r, &here, "%s", carom_status_message(status));
    return reader_fail(&r, &here, "with \"%.64s\": %s", b, carom_status_message(status));
}
