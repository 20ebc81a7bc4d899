/* Carom: what a request says against a case or a scene: another law, other coefficients and options. Library carom-io;
 * not part of carom/carom.h.
 *
 *     carom_settings s = {0};
 *     if (!carom_settings_law(&s, "routh-stronge", &error) || !carom_settings_set(&s, "e=0.8", &error))
 *         puts(error.message);                        the key ("law", "set.e") and the rule it breaks
 *     if (!carom_settings_apply(&s, &c, &error) || !carom_settings_warn(&s, &c, &error))
 *         ...
 *
 * Errors of settings have no line: the file is not to blame. */
#ifndef CAROM_SETTINGS_H
#define CAROM_SETTINGS_H

#include "carom/case.h"
#include "carom/scene_file.h"

CAROM_BEGIN

#if defined(__GNUC__)
#define CAROM_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CAROM_PRINTF(text, first)
#endif

/* Receives warnings: the kind, and an error whose rule is the sentence. Its line is 0 when no key of the file is meant.
 */
typedef void carom_tell(void *context, carom_warning kind, const carom_case_error *what);

/* Called now and then during long work with the part of it done; false ends it. */
typedef struct carom_watcher {
    bool (*watch)(void *context, double share);
    void *context;
} carom_watcher;

typedef struct carom_settings {
    const carom_law *law;
    const carom_together *together; /* the law is one of several contacts */
    unsigned coefficients, options; /* which were set, as bits */
    carom_rule rule;                /* their values */
    bool strict;                    /* warnings are errors */
    unsigned warned;                /* which warnings were told before, as bits: each is told once */
    carom_tell *tell;               /* or null */
    void *context;
} carom_settings;

/* Fill an error that no line of a file is to blame for: "key: rule". A dot parts an option from the name in it,
 * "free.mu_s". Always returns false. */
CAROM_API bool carom_request_fail(carom_case_error *error, const char *key, const char *format, ...) CAROM_PRINTF(3, 4);

/* The law with this id, of one contact or of several. */
CAROM_API CAROM_MUST_USE bool carom_settings_law(carom_settings *s, const char *id, carom_case_error *error);

/* "KEY=VALUE": a coefficient or an option. Values are numbers, "infinite" where the range has no end, words of options,
 * and for eta "poisson:NU" or "frequencies:OMEGA_T:OMEGA_N[:RATIO]". */
CAROM_API CAROM_MUST_USE bool carom_settings_set(carom_settings *s, const char *assignment, carom_case_error *error);

/* Change the rule of a case and check it: for its law, or for whatever law it is to be solved with. */
CAROM_API CAROM_MUST_USE bool carom_settings_apply(const carom_settings *s, carom_case *c, carom_case_error *error);
CAROM_API CAROM_MUST_USE bool carom_settings_apply_to_all(const carom_settings *s, carom_case *c,
                                                          carom_case_error *error);

/* The same for the rule of the scene and the rules of all pairs. */
CAROM_API CAROM_MUST_USE bool carom_settings_apply_to_scene(const carom_settings *s, carom_scene_file *file,
                                                            carom_case_error *error);

/* For requests that follow the path inside an impact: the case gets a law that has one, with a warning where it had
 * another or none. */
CAROM_API CAROM_MUST_USE bool carom_settings_path_law(carom_settings *s, carom_case *c, carom_case_error *error);

/* Tell what there is to warn of in a case. False when warnings are errors and there is one. */
CAROM_API CAROM_MUST_USE bool carom_settings_warn(carom_settings *s, carom_case *c, carom_case_error *error);

/* The same for a case that is to be solved with every law: what one of them does not use, another may. */
CAROM_API CAROM_MUST_USE bool carom_settings_warn_of_all(carom_settings *s, carom_case *c, carom_case_error *error);

/* Raise a warning of the request itself: it is recorded in the case, and told. False when warnings are errors. */
CAROM_API bool carom_settings_raise(carom_settings *s, carom_case *c, carom_warning kind, carom_case_error *error,
                                    const char *format, ...) CAROM_PRINTF(5, 6);

/* The whole text as a finite number. */
CAROM_API bool carom_text_number(const char *text, double *value);

CAROM_END

#endif
