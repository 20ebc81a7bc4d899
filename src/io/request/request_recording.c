/* Requests about recordings: the body from its records, and impacts from records. */
#include <stdlib.h>
#include <string.h>

#include "carom/prediction.h"
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

/* ---- predictions ---- */

static const char *const prediction_options[] = {"body",    "sliding", "together", "fit",
                                                 "horizon", "every",   "starts",   NULL};

static bool add_free(void *context, const char *text, carom_case_error *error)
{
    return carom_prediction_plan_free(context, text, error);
}

static bool read_prediction(request *r, carom_prediction_plan *plan)
{
    const char *together = NULL;
    double horizon = plan->horizon, every = 1, starts = plan->starts;
    const request_range counts = {1, 1e5, true}, few = {1, CAROM_PREDICTION_STARTS, true}, friction = {0, 1e6, false};
    if (!r->settings.law)
        return request_fail(r, "law", "is missing");
    plan->rule = r->settings.rule;
    plan->rule.law = r->settings.law;
    if (!request_number(r, "sliding", friction, &plan->sliding) || !request_number(r, "horizon", counts, &horizon) ||
        !request_number(r, "every", counts, &every) || !request_number(r, "starts", few, &starts) ||
        !request_word(r, "together", &together) || !request_each(r, "fit", ',', add_free, plan))
        return false;
    plan->horizon = (int)horizon;
    plan->every = (int)every;
    plan->starts = (int)starts;
    plan->together = together ? carom_together_find(together) : plan->together;
    return plan->together || request_fail(r, "together", "no law of several contacts \"%s\"", together);
}

bool carom_internal_request_predict(request *r)
{
    carom_recording rec = {0};
    carom_prediction_plan plan = carom_prediction_plan_default();
    carom_case_error *error = &r->reply->error;
    json_t *fit = NULL, *table = NULL;
    r->settings.rule = plan.rule;
    bool fine = request_options(r, true, prediction_options) && read_prediction(r, &plan) &&
                carom_prediction_plan_check(&plan, error) && request_recording(r, &rec) &&
                carom_recording_reduce(&rec, error) &&
                (plan.free_count == 0 || carom_prediction_fit(&rec, &plan, 1, &fit, error)) &&
                (table = carom_prediction_report(&rec, &plan, 1, error));
    r->reply->answer = fine ? json_pack("{s:o, s:o}", "prediction", table, "fit", fit ? fit : json_null()) : NULL;
    if (!fine)
        json_decref(fit);
    carom_recording_free(&rec);
    return fine;
}
