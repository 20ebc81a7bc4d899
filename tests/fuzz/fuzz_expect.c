/* Expectations of a case, as verify reads them: the input is the value of "expect"; its length chooses the case. */
#include "fuzz.h"

#include "check.h"

static const char *const cases[] = {
    "{\"law\": \"newton\", \"reduced\": {\"K\": [[1, 0], [0, 1]], \"u\": [0, -1]}, \"expect\": ",
    "{\"law\": \"routh-stronge\", \"reduced\": {\"K\": [[20, -23, 4], [-23, 31, -7], [4, -7, 4]], "
    "\"u\": [630, -780, -0.22]}, \"error_bound\": 1e-15, \"expect\": ",
    "{\"law\": \"jia\", \"bodies\": {\"a\": {\"mass\": 1, \"inertia\": [0.4, 0.4, 0.4], \"velocity\": [-1, 0, -5]}, "
    "\"b\": {\"fixed\": true}}, \"contact\": {\"arm_a\": [0, 0, -1], \"normal\": [0, 0, 1]}, \"expect\": ",
    "{\"law\": \"smith\", \"mechanism\": {\"M\": [[2, 0], [0, 1]], \"J\": [[1, 0], [0, 1]], \"qdot\": [1, -1]}, "
    "\"expect\": ",
};

enum { CASES = sizeof cases / sizeof cases[0] };

static void verify(const carom_case *c)
{
    carom_result result = {0};
    (void)carom_case_solve(c, &result);
    json_t *answer = carom_case_answer(c, &result);
    check k = check_answer(c, &result, answer, 1e-12);
    must_be_clean(k.why);
    must_be_clean(k.worst);
    MUST(k.failures >= 0 && k.tolerance > 0 && !(k.error < 0));
    MUST((k.failures > 0) == (k.why[0] != 0));
    json_decref(answer);
    carom_result_free(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *head = cases[size % CASES];
    size_t length = strlen(head);
    char *bytes = malloc(length + size + 1);
    MUST(bytes);
    memcpy(bytes, head, length);
    memcpy(bytes + length, data, size);
    bytes[length + size] = '}';
    carom_text text = {"fuzz", 1, bytes, length + size + 1};
    carom_case c;
    carom_case_error error;
    if (carom_case_read(&text, &c, &error))
        verify(&c);
    else
        must_refuse_well(&c, &error);
    carom_case_free(&c);
    free(bytes);
    return 0;
}
