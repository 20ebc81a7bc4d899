/* --vary and --sweep: a line of the input is an assignment. Points of the sweep give numbers, and cases that are read
 * or refused. */
#include <math.h>

#include <stdlib.h>
#include <string.h>

#include "carom/inputs.h"
#include "fuzz.h"

static const char ball[] =
    "{\"law\": \"bilinear\", \"coefficients\": {\"e\": 0.5, \"mu\": 0.3}, \"reduced\": {\"K\": [[3.5, 0, 0], [0, 3.5, "
    "0], [0, 0, 1]], \"u\": [1, 0.2, -2]}}";

static void visit(const carom_variables *v, carom_inputs *tree, long i)
{
    double values[CAROM_STUDY_VARIABLES];
    carom_case point;
    carom_case_error error;
    carom_study_values(v, i, values);
    for (int k = 0; k < v->count; k++)
        MUST(isfinite(values[k]));
    if (!carom_inputs_case(tree, values, &point, &error))
        must_be_clean(error.message);
    else
        carom_inputs_coefficients(v, values, &point);
    carom_case_free(&point);
}

static void sweep(const carom_variables *v, const carom_case *c)
{
    carom_inputs tree = {0};
    double total = carom_study_total(v);
    MUST(total >= 1);
    carom_case_error error;
    bool open = total < 1e15 && carom_inputs_open(&tree, v, c, "vary", &error);
    const long last = open ? (long)total - 1 : 0, at[3] = {0, last / 2, last};
    for (int i = 0; open && i < 3; i++)
        visit(v, &tree, at[i]);
    if (tree.v)
        carom_inputs_close(&tree);
}

static void add_lines(carom_variables *v, char *text)
{
    for (char *line = text; line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = 0;
        int before = v->count;
        carom_case_error error = {.status = CAROM_STATUS_OK};
        bool added = carom_vary_add(v, "vary", line, &error);
        MUST(v->count == before + added);
        if (!added)
            must_be_clean(error.message);
        line = end ? end + 1 : NULL;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    carom_variables v = {.draws = 5, .seed = 7};
    carom_text text = {"fuzz", 1, ball, sizeof ball - 1};
    carom_case c;
    carom_case_error error;
    char *lines = malloc(size + 1);
    MUST(lines && carom_case_read(&text, &c, &error));
    memcpy(lines, data, size);
    lines[size] = 0;
    add_lines(&v, lines);
    sweep(&v, &c);
    carom_vary_free(&v);
    carom_case_free(&c);
    free(lines);
    return 0;
}
