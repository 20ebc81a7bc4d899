/* What the commands share: exit statuses, complaints, and the settings every command takes from its options. */
#ifndef CAROM_CLI_CLI_H
#define CAROM_CLI_CLI_H

#include <stdbool.h>

#include "carom/carom.h"
#include "carom/case.h"
#include "carom/settings.h"
#include "json.h"
#include "options.h"

enum { FINE = 0, FAILED = 1, BAD_INPUT = 2 }; /* exit statuses */

#define CAROM_COMMAND(name, summary)                                                                                   \
    int cmd_##name(int argc, char **argv);                                                                             \
    extern const command_help help_##name;
#include "commands.def"
#undef CAROM_COMMAND

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

/* One line on stderr. Returns BAD_INPUT. */
int complain(const char *format, ...) PRINTF_LIKE(1, 2);

/* The block itself; without memory a complaint, and the program ends. */
void *must_have(void *block);

/* An error of a request: a line of a file, or an option and the rule it breaks; the command is named where no option is
 * to blame (null: neither). Returns BAD_INPUT. */
int complain_error(const char *command, const carom_case_error *error);

/* Prints a warning (a carom_tell). */
void tell_warning(void *context, carom_warning kind, const carom_case_error *what);

/* --law, --set and --strict: what the command line says against the case file. */
typedef carom_settings settings;

/* Both complain and return false on a word they do not know. */
bool settings_law(settings *s, const char *id);
bool settings_set(settings *s, const char *assignment);

/* Change the rule of a case and check it: for its law, or for whatever law it is to be solved with. */
bool settings_apply(const settings *s, carom_case *c, carom_case_error *error);
bool settings_apply_to_all(const settings *s, carom_case *c, carom_case_error *error);

/* For commands that follow the path inside an impact: the case gets a law that has one, with a warning where it had
 * another or none. False when --law names a law without a path, or with --strict. */
bool settings_path_law(settings *s, carom_case *c);

/* Print what there is to warn of in a case, each kind once per run. False with --strict and a warning: the error is
 * then the first of them. */
bool settings_warn(settings *s, carom_case *c, carom_case_error *error);
bool settings_warn_of_all(settings *s, carom_case *c, carom_case_error *error);

/* Raise a warning of the command itself: recorded in the case, and printed. False with --strict. */
bool settings_raise(settings *s, carom_case *c, carom_warning i, const char *format, ...) PRINTF_LIKE(4, 5);

#endif
