/* Carom: requests. A document and options in, both JSON texts; an answer in JSON out, or an error whose key, line and
 * column are fields. Library carom-io; not part of carom/carom.h.
 *
 *     carom_text text = {"ball.json", 1, bytes, length};
 *     carom_reply reply;
 *     if (carom_request("geometry", &text, "{\"law\": \"newton\", \"set\": {\"e\": 0.8}}", NULL, &reply))
 *         carom_json_print(stdout, reply.answer, true);
 *     else
 *         puts(reply.error.message);
 *     carom_reply_free(&reply);
 *
 * The program, the Python package and the JavaScript package make the same requests, so that they give the same answers
 * and refuse with the same words. Options have the names of the command line with underscores for hyphens; a value that
 * may be repeated there is an array here, and KEY=VALUE is a member of an object. docs/guide/requests.md lists them. */
#ifndef CAROM_REQUEST_H
#define CAROM_REQUEST_H

#include "carom/settings.h"

CAROM_BEGIN

/* A warning that came with an answer. */
typedef struct carom_told {
    carom_warning kind;
    carom_case_error what; /* rule is the sentence, message the line of the command line */
} carom_told;

typedef struct carom_reply {
    carom_json *answer;     /* null when the request was refused */
    carom_case_error error; /* then: why */
    int warning_count;
    carom_told *warnings;
} carom_reply;

/* Make a request by its name. The document is null for requests without one; options may be null; so may the watcher.
 */
CAROM_API CAROM_MUST_USE bool carom_request(const char *name, const carom_text *document, const char *options,
                                            const carom_watcher *watcher, carom_reply *reply);

CAROM_API void carom_reply_free(carom_reply *reply);

/* The same with texts alone, for languages that know no structs of C: the answer as JSON, or, with refused set to 1,
 * the line that says why. The document is null for requests without one. Null: memory ends. Free it with
 * carom_request_text_free. */
CAROM_API char *carom_request_text(const char *name, const char *document, const char *options, int *refused);
CAROM_API void carom_request_text_free(char *text);

/* The names of the requests of this build, ended by null. */
CAROM_API const char *const *carom_request_names(void);

CAROM_END

#endif
