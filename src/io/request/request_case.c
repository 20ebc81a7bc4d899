/* Requests about one impact. */
#include "io/request/request.h"

#include <stdlib.h>

#include "carom/compare.h"
#include "carom/trace.h"

enum { POINTS = 200, POINTS_MOST = 10000000 }; /* of a trace */

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

bool carom_internal_request_realize(request *r)
{
    static const char *const options[] = {NULL};
    carom_case c = {0};
    bool fine = request_options(r, false, options) && request_case(r, &c, false);
    r->reply->answer = fine ? carom_case_realize(&c, &r->reply->error) : NULL;
    carom_case_free(&c);
    return fine && r->reply->answer;
}

/* ---- every law, every order ---- */

static bool answer_orders(request *r, carom_case *c)
{
    carom_orders orders;
    bool fine = carom_case_orders(c, &orders, &r->reply->error);
    r->reply->answer = fine ? carom_orders_json(c, &orders) : NULL;
    carom_orders_free(&orders);
    return fine;
}

bool carom_internal_request_compare(request *r)
{
    static const char *const options[] = {"orders", NULL};
    bool orders = false;
    carom_case c = {0};
    bool fine = request_options(r, true, options) && request_flag(r, "orders", &orders) && request_read(r, &c, true) &&
                carom_settings_apply_to_all(&r->settings, &c, &r->reply->error) &&
                carom_settings_warn_of_all(&r->settings, &c, &r->reply->error);
    if (fine && orders)
        fine = answer_orders(r, &c);
    else if (fine)
        r->reply->answer = carom_case_compare(&c);
    carom_case_free(&c);
    return fine;
}

/* ---- the path inside ---- */

bool carom_internal_request_trace(request *r)
{
    static const char *const options[] = {"points", NULL};
    double points = POINTS;
    carom_case_error *error = &r->reply->error;
    carom_case c = {0};
    carom_trace t = {0};
    bool fine = request_options(r, true, options) &&
                request_number(r, "points", (request_range){2, POINTS_MOST, true}, &points) &&
                request_read(r, &c, true) && carom_settings_path_law(&r->settings, &c, error) &&
                carom_settings_apply(&r->settings, &c, error) && carom_settings_warn(&r->settings, &c, error);
    t.wanted = (int)points;
    fine = fine && carom_trace_take(&t, &c, error);
    r->reply->answer = fine ? carom_trace_json(&t) : NULL;
    carom_trace_free(&t);
    carom_case_free(&c);
    return fine;
}
