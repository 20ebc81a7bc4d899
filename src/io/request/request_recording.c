/* Requests about recordings: the body from its records, and impacts from records. */
#include <stdlib.h>
#include <string.h>

#include "carom/recording.h"
#include "io/request/request.h"

static const char *const options[] = {"body", "all", NULL};

/* The recording of the request: the table is the document, "body" its description. */
bool request_recording(request *r, carom_recording *rec)
{
    const json_t *body = json_object_get(r->options, "body");
    char *bytes = json_is_object(body) ? json_text(body, 17) : NULL;
    const carom_text text = {"body", 1, bytes, bytes ? strlen(bytes) : 0};
    if (!bytes)
        return request_fail(r, "body", "must be an object: the description of the body and its recording");
    bool fine = carom_recording_describe(rec, &text, &r->reply->error) &&
                (r->text || request_fail(r, "", "%s takes a table of records", r->name)) &&
                carom_recording_read(rec, r->text, &r->reply->error);
    free(bytes);
    return fine;
}

bool carom_internal_request_body(request *r)
{
    carom_recording rec = {0};
    bool fine = request_options(r, false, options) && request_recording(r, &rec) &&
                carom_recording_body(&rec, &r->reply->answer, &r->reply->error);
    carom_recording_free(&rec);
    return fine;
}

bool carom_internal_request_reduce(request *r)
{
    carom_recording rec = {0};
    bool all = false, fine = request_options(r, false, options) && request_flag(r, "all", &all) &&
                             request_recording(r, &rec) && carom_recording_reduce(&rec, &r->reply->error);
    json_t *impacts = json_array();
    for (int i = 0; i < rec.impact_count && fine; i++) {
        carom_left_out why = rec.impacts[i].why;
        if (!why || (all && why == CAROM_LEFT_OUT_SEVERAL))
            json_array_append_new(impacts, carom_recording_impact_json(&rec, i));
    }
    r->reply->answer =
        fine ? json_pack("{s:o, s:o}", "impacts", impacts, "report", carom_recording_report(&rec)) : NULL;
    if (!fine)
        json_decref(impacts);
    carom_recording_free(&rec);
    return fine;
}
