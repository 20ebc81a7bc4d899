/* The request for a fit. */
#include <ctype.h>
#include <string.h>

#include "carom/fit_plan.h"
#include "io/request/request.h"

static const char *const options[] = {"law",   "fix",   "free", "per",       "of_speed", "loss",
                                      "noise", "folds", "seed", "intervals", "impacts",  NULL};

typedef struct plan_option {
    carom_fit_plan *plan;
    const char *option;
} plan_option;

static bool use(void *context, const char *text, carom_case_error *error)
{
    const plan_option *o = context;
    return carom_fit_plan_set(o->plan, o->option, text, error);
}

/* Lists of laws are one text; ranges have a colon. */
static bool read_plan(request *r, carom_fit_plan *plan)
{
    for (int i = 0; options[i]; i++) {
        plan_option o = {plan, options[i]};
        if (!request_each(r, options[i], strcmp(options[i], "law") == 0 ? ',' : ':', use, &o))
            return false;
    }
    return true;
}

bool carom_fit_plan_read(carom_fit_plan *plan, const char *text, carom_case_error *error)
{
    carom_reply reply = {0};
    request r = {.name = "fit", .reply = &reply};
    *plan = carom_fit_plan_default();
    bool fine = request_parse(&r, text) && request_options(&r, false, options) && read_plan(&r, plan);
    json_decref(r.options);
    *error = reply.error;
    return fine;
}

static bool is_blank(const carom_text *line)
{
    size_t at = 0;
    while (at < line->length && isspace((unsigned char)line->bytes[at]))
        at++;
    return at == line->length;
}

bool carom_fit_data_add_text(carom_fit_data *data, const carom_text *text, carom_case_error *error)
{
    size_t at = 0;
    while (at < text->length && isspace((unsigned char)text->bytes[at]))
        at++;
    if (at < text->length && text->bytes[at] != '{' && text->bytes[at] != '[')
        return carom_fit_data_add_csv(data, text, error);
    carom_text line = *text;
    for (at = 0; at < text->length; at += line.length + 1, line.line++) {
        const char *end = memchr(text->bytes + at, '\n', text->length - at);
        line.bytes = text->bytes + at;
        line.length = end ? (size_t)(end - line.bytes) : text->length - at;
        if (!is_blank(&line) && !carom_fit_data_add(data, &line, error))
            return false;
    }
    return data->count > 0 || carom_request_fail(error, "data", "no impacts in it");
}

bool carom_internal_request_fit(request *r)
{
    carom_case_error *error = &r->reply->error;
    carom_fit_plan plan = carom_fit_plan_default();
    carom_fit_data data = {0};
    carom_fit_answers answers = {0};
    bool fine = request_options(r, false, options) && read_plan(r, &plan) &&
                (r->text || request_fail(r, "", "fit takes recorded impacts")) &&
                carom_fit_data_add_text(&data, r->text, error) &&
                carom_fit_run(&plan, &data, r->watcher, &answers, error);
    r->reply->answer = fine ? carom_fit_json(&answers, &plan, &data, r->text->file) : NULL;
    carom_fit_answers_free(&answers);
    carom_fit_data_free(&data);
    return fine;
}
