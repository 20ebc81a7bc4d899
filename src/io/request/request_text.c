/* Requests of texts. */
#include <stdlib.h>
#include <string.h>

#include "carom/json.h"
#include "carom/request.h"

static char *copy_of(const char *text)
{
    char *out = malloc(strlen(text) + 1);
    return out ? strcpy(out, text) : NULL;
}

char *carom_request_text(const char *name, const char *document, const char *options, int *refused)
{
    carom_reply reply;
    carom_text text = {name, 1, document ? document : "", document ? strlen(document) : 0};
    bool fine = carom_request(name, document ? &text : NULL, options, NULL, &reply);
    char *out = fine ? carom_json_text(reply.answer, 17) : copy_of(reply.error.message);
    *refused = !fine;
    carom_reply_free(&reply);
    return out;
}

void carom_request_text_free(char *text)
{
    free(text);
}
