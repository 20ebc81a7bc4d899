#include "carom/compare.h"

#include "carom/json_short.h"

/* Does the law take part where the case names this one? */
static bool takes_part(const carom_law *law, const carom_law *own)
{
    return !(law->traits & CAROM_TRAIT_CONTACT_FORCE) || (own && own->traits & CAROM_TRAIT_CONTACT_FORCE);
}

static bool solve(const carom_case *c, carom_result *result, carom_case_error *error)
{
    if (!carom_case_check(c, error))
        return false;
    carom_status status = carom_case_solve(c, result);
    return !carom_status_is_refusal(status) || carom_case_refuse(c, status, error);
}

void carom_case_each_law(carom_case *c, carom_law_visit *visit, void *context)
{
    carom_result result = {0};
    carom_case_error error = {.status = CAROM_STATUS_OK};
    const carom_law *own = c->rule.law;
    for (int i = 0; i < (c->together ? carom_together_count() : carom_law_count()); i++) {
        if (c->together)
            c->together_rule.law = carom_together_at(i);
        else if (takes_part(carom_law_at(i), own))
            c->rule.law = carom_law_at(i);
        else
            continue;
        visit(context, c, solve(c, &result, &error) ? &result : NULL, &error);
    }
    carom_result_free(&result);
}

static void add_answer(void *context, const carom_case *c, const carom_result *result, const carom_case_error *error)
{
    json_array_append_new(context, result ? carom_case_answer(c, result) : carom_case_error_answer(c, error));
}

carom_json *carom_case_compare(carom_case *c)
{
    json_t *answers = json_array(), *all = json_object();
    carom_case_each_law(c, add_answer, answers);
    if (c->name)
        json_object_set_new(all, "name", json_string(c->name));
    json_object_set_new(all, "answers", answers);
    return all;
}
