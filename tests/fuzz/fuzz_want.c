/* What `carom invert` reads: the first line of the input is --want, the second --vary, to which a name that does not
 * exist is added, since a search takes longer than a fuzzer waits. */
#include <getopt.h>

#include "cli.h"
#include "program.h"

int cmd_invert(int argc, char **argv);

static const char ball[] =
    "{\"law\": \"newton\", \"coefficients\": {\"e\": 0.5}, \"bodies\": {\"a\": {\"mass\": 1, \"inertia\": 0.1, "
    "\"position\": [0, 1], \"velocity\": [1, -2], \"omega\": 0.3}, \"b\": {\"fixed\": true}}, \"contact\": "
    "{\"point\": [0, 0], \"normal\": [0, 1]}}";

static const char absent[] = ",absent";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64], *lines = malloc(size + sizeof absent);
    MUST(lines);
    memcpy(lines, data, size);
    lines[size] = 0;
    char *end = strchr(lines, '\n'), *vary = end ? end + 1 : lines + strlen(lines);
    memcpy(vary + strlen(vary), absent, sizeof absent);
    if (end)
        *end = 0;
    char *words[] = {"invert", "--json", "--want", end ? lines : "u_after=0,1", "--vary", vary, path, NULL};
    FILE *file = file_of(ball, sizeof ball - 1, path);
    size_t length;
    optind = 0;
    complaints = 0;
    capture_begin();
    int status = cmd_invert(7, words);
    char *text = capture_end(&length);
    MUST(status == BAD_INPUT && complaints == 1 && length == 0);
    free(text);
    free(lines);
    fclose(file);
    return 0;
}
