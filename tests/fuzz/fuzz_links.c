/* The links of a mechanism: the input is the value of "mechanism", and after a byte 0 the value of "contact". */
#include "fuzz.h"

static const char usual_contact[] = "{\"link\": \"a\", \"point\": [1, 0, 0], \"normal\": [0, 0, 1]}";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
    int links = zero ? (int)(zero - data) : (int)size;
    const char *contact = zero ? (const char *)zero + 1 : usual_contact;
    int rest = zero ? (int)size - links - 1 : (int)sizeof usual_contact - 1;
    size_t room = size + sizeof usual_contact + 128;
    char *text = malloc(room);
    MUST(text);
    int length = snprintf(text, room, "{\"law\": \"routh-stronge\", \"mechanism\": ");
    memcpy(text + length, data, (size_t)links);
    length += links;
    length += snprintf(text + length, room - (size_t)length, ", \"contact\": ");
    memcpy(text + length, contact, (size_t)rest);
    length += rest;
    text[length++] = '}';
    try_case(text, (size_t)length, NULL);
    free(text);
    return 0;
}
