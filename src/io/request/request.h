/* What the requests share: their options, the case they are about, the reply. */
#ifndef CAROM_IO_REQUEST_H
#define CAROM_IO_REQUEST_H

#include "carom/recording.h"
#include "carom/request.h"
#include "io/case/reader.h"

typedef struct request {
    const char *name;
    const carom_text *text; /* the document, or null */
    json_t *options;        /* an object, or null */
    const carom_watcher *watcher;
    carom_settings settings; /* of "law", "set" and "strict" */
    carom_reply *reply;
} request;

/* One request: its options (ended by null; "law", "set" and "strict" are read before) and its function, which sets
 * reply->answer or fails. */
typedef bool request_answer(request *r);

#define CAROM_REQUEST(name) request_answer carom_internal_request_##name;
#include "io/request/requests.def"
#undef CAROM_REQUEST

/* Fill the error; always false. */
bool request_fail(request *r, const char *key, const char *format, ...) PRINTF_LIKE(3, 4);

/* The text of the options as a tree; null is allowed. */
bool request_parse(request *r, const char *options);

/* Only these options besides "law", "set" and "strict" (with_settings) are allowed. */
bool request_options(request *r, bool with_settings, const char *const *known);

/* Hand every text of an option to use: a number or a word once, members of an array one by one, members of an object as
 * "KEY=VALUE"; in values, arrays are joined by between and null is "_". */
typedef bool request_use(void *context, const char *text, carom_case_error *error);
bool request_each(request *r, const char *option, char between, request_use *use, void *context);

/* One number, one flag, one word; as they are where the option is not given. Numbers from least to most. */
typedef struct request_range {
    double least, most;
    bool whole;
} request_range;
bool request_number(request *r, const char *option, request_range range, double *value);
bool request_flag(request *r, const char *option, bool *value);
bool request_word(request *r, const char *option, const char **value);

/* Words of an array, or of one text, with commas between them, in new memory; null when not given or without memory. */
char *request_list(request *r, const char *option);

/* Read the case of the request. several: cases with several contacts too. The caller frees the case either way. */
bool request_read(request *r, carom_case *c, bool several);

/* The same, and what may be said against it (settings, warnings) is done. */
bool request_case(request *r, carom_case *c, bool several);

/* The same for a scene. */
bool request_scene(request *r, carom_scene_file *file);

/* A recording: the table is the document, "body" among the options its description. The caller frees it either way. */
bool request_recording(request *r, carom_recording *rec);

/* Where a run ends, and what it is sampled at, in place of what the scene says. */
typedef struct request_limits {
    double time, impacts, rate; /* 0, -1, 0: the scene's */
    const carom_settings *settings;
} request_limits;

/* Read "time", "impacts" and "rate", and the scene, which gets them and the settings. */
bool request_read_scene(request *r, request_limits *l, carom_scene_file *file);

/* The change alone: a function of carom_scene_change whose context is a request_limits. */
bool request_change_scene(const void *context, carom_scene_file *file, carom_case_error *error);

/* The refusal of a solver. */
bool request_refuse(request *r, const carom_case *c, carom_status status);

/* Tell a warning of the request itself. */
void request_tell(void *context, carom_warning kind, const carom_case_error *what);

#endif
