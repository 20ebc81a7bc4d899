/* `carom invert`: the first line of the input is --want, the second --vary; the case is a ball. What is printed is
 * JSON. */
#include <getopt.h>

#include "cli.h"
#include "program.h"

int cmd_invert(int argc, char **argv);

static const char ball[] =
    "{\"law\": \"newton\", \"coefficients\": {\"e\": 0.5}, \"bodies\": {\"a\": {\"mass\": 1, \"inertia\": 0.1, "
    "\"position\": [0, 1], \"velocity\": [1, -2], \"omega\": 0.3}, \"b\": {\"fixed\": true}}, \"contact\": "
    "{\"point\": [0, 0], \"normal\": [0, 1]}}";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64], *lines = malloc(size + 1);
    MUST(lines);
    memcpy(lines, data, size);
    lines[size] = 0;
    char *end = strchr(lines, '\n'), *vary = end ? end + 1 : lines + size;
    if (end)
        *end = 0;
    char *words[] = {"invert", "--json", "--want", lines, "--vary", vary, path, NULL};
    FILE *file = file_of(ball, sizeof ball - 1, path);
    size_t length;
    optind = 0;
    complaints = 0;
    capture_begin();
    int status = cmd_invert(7, words);
    char *text = capture_end(&length);
    MUST(status == FINE || status == BAD_INPUT);
    json_t *answer = length > 0 ? json_loadb(text, length, JSON_DECODE_INT_AS_REAL, NULL) : NULL;
    MUST(status == FINE ? answer != NULL : length == 0 && complaints == 1);
    json_decref(answer);
    free(text);
    free(lines);
    fclose(file);
    return 0;
}
