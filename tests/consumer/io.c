/* The smallest program that reads a case file with an installed Carom. It needs no header of another library. */
#include <carom/case.h>
#include <stdio.h>

int main(void)
{
    static const char bytes[] = "{\"law\": \"newton\", \"reduced\": {\"K\": [[3.5, 0], [0, 1]], \"u\": [0, -2]}}";
    carom_text text = {"consumer", 1, bytes, sizeof bytes - 1};
    carom_case c;
    carom_case_error error;
    carom_result result = {0};
    bool fine = carom_case_read(&text, &c, &error) && carom_case_solve(&c, &result) == CAROM_STATUS_OK;
    if (fine) {
        carom_json *answer = carom_case_answer(&c, &result);
        carom_json_print(stdout, answer, true);
        carom_json_free(answer);
    }
    fine = fine && result.outcome.u_after.n == 1;
    carom_result_free(&result);
    carom_case_free(&c);
    return !fine;
}
