/* The request that traces a run back from its end. */
#include <stdlib.h>

#include "carom/reconstruct.h"
#include "io/request/request.h"

static bool use_want(void *context, const char *text, carom_case_error *error)
{
    return carom_reconstruction_want(context, text, error);
}

static bool use_sigma(void *context, const char *text, carom_case_error *error)
{
    return carom_reconstruction_sigma(context, text, error);
}

static bool use_vary(void *context, const char *text, carom_case_error *error)
{
    return carom_reconstruction_vary(context, text, error);
}

static bool reconstruct(request *r, carom_reconstruction *s, carom_scene_file *file)
{
    static const char *const options[] = {"want", "sigma", "vary", "time", "impacts", "rate", NULL};
    request_limits l;
    const carom_scene_change change = {request_change_scene, &l};
    if (!request_options(r, true, options) || !request_each(r, "want", ',', use_want, s) ||
        !request_each(r, "sigma", ',', use_sigma, s) || !request_each(r, "vary", ',', use_vary, s))
        return false;
    if (s->wish_count == 0 || !s->names[0])
        return request_fail(r, s->names[0] ? "want" : "vary", "missing: say what is wanted and what may vary");
    s->watcher = r->watcher ? *r->watcher : (carom_watcher){0};
    return request_read_scene(r, &l, file) && carom_reconstruct(s, file, &change, &r->reply->error);
}

bool carom_internal_request_reconstruct(request *r)
{
    carom_reconstruction *s = calloc(1, sizeof *s);
    carom_scene_file file = {0};
    bool fine = s ? reconstruct(r, s, &file) : request_fail(r, "", "out of memory");
    if (fine)
        r->reply->answer = carom_reconstruction_json(s);
    if (s)
        carom_reconstruction_free(s);
    free(s);
    carom_scene_free(&file);
    return fine;
}
