/* What fuzz targets share. A target is one file fuzz_NAME.c with LLVMFuzzerTestOneInput; its seeds and everything that
 * was once found wrong are in corpus/NAME. With libFuzzer (./run fuzz SECONDS) it runs on inputs that nobody has
 * thought of; with replay.c, in every build, on its corpus alone. */
#ifndef CAROM_FUZZ_H
#define CAROM_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/case.h"
#include "carom/json_short.h"
#include "carom/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                                                                \
    do                                                                                                                 \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
            abort();                                                                                                   \
        }                                                                                                              \
    while (0)

/* What people see is one line that no terminal obeys. */
static inline void must_be_clean(const char *text)
{
    char copy[1024];
    MUST(strlen(text) < sizeof copy);
    strcpy(copy, text);
    carom_utf8_clean(copy);
    MUST(strcmp(copy, text) == 0);
}

static inline void must_refuse_well(const carom_case *c, const carom_case_error *error)
{
    MUST(error->rule[0] && error->message[0]);
    must_be_clean(error->message);
    must_be_clean(error->key);
    must_be_clean(error->rule);
    json_t *answer = carom_case_error_answer(c, error);
    MUST(json_is_string(json_object_get(answer, "message")));
    json_decref(answer);
}

/* What is printed is JSON, one line of it, and reads back. */
static inline void must_read_back(const json_t *answer)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    MUST(out);
    carom_json_print(out, (json_t *)answer, true);
    MUST(fclose(out) == 0 && length > 0 && memchr(text, '\n', length) == text + length - 1);
    json_t *back = json_parse(text, length, NULL);
    MUST(back);
    json_decref(back);
    free(text);
}

/* Read a text as a case; when it is one, solve it with its law (or this one) and print the answer. */
static inline void try_case(const char *bytes, size_t length, const carom_law *law)
{
    carom_text text = {"fuzz", 1, bytes, length};
    carom_case c;
    carom_case_error error;
    carom_result result = {0};
    if (!carom_case_read(&text, &c, &error))
        must_refuse_well(&c, &error);
    else {
        c.rule.law = c.rule.law ? c.rule.law : law;
        if (!carom_case_check(&c, &error))
            must_refuse_well(&c, &error);
        else {
            (void)carom_case_solve(&c, &result);
            json_t *answer = carom_case_answer(&c, &result);
            must_read_back(answer);
            json_decref(answer);
        }
    }
    carom_result_free(&result);
    carom_case_free(&c);
}

#endif
