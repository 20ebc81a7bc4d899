/* Requests about one impact. */
#include "io/request/request.h"

#include <stdlib.h>

static bool answer_case(request *r, carom_case *c, carom_result *result, bool all)
{
    carom_status status = carom_case_solve(c, result);
    if (result->lost)
        return request_fail(r, "", "out of memory");
    if (carom_status_is_refusal(status))
        return request_refuse(r, c, status);
    json_t *answer = carom_case_answer(c, result);
    if (answer && all)
        json_object_set_new(answer, "all", carom_case_solutions(c, result));
    r->reply->answer = answer;
    return true;
}

bool carom_internal_request_solve(request *r)
{
    static const char *const options[] = {"all", NULL};
    bool all = false;
    carom_case c = {0};
    carom_result result = {0};
    bool fine = request_options(r, true, options) && request_flag(r, "all", &all) && request_case(r, &c, true) &&
                carom_case_check(&c, &r->reply->error) && carom_settings_warn(&r->settings, &c, &r->reply->error) &&
                answer_case(r, &c, &result, all);
    carom_result_free(&result);
    carom_case_free(&c);
    return fine;
}

bool carom_internal_request_geometry(request *r)
{
    static const char *const options[] = {NULL};
    carom_case c = {0};
    bool fine = request_options(r, true, options) && request_case(r, &c, false) &&
                carom_settings_warn(&r->settings, &c, &r->reply->error);
    r->reply->answer = fine ? carom_case_geometry(&c) : NULL;
    carom_case_free(&c);
    return fine;
}
