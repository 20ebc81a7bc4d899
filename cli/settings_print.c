/* The settings of carom/settings.h, with complaints on standard error. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

int complain_error(const char *command, const carom_case_error *error)
{
    const char *rest = strchr(error->key, '.');
    int length = (int)strcspn(error->key, ".");
    char option[sizeof error->key];
    if (error->line > 0) {
        fprintf(stderr, "%s\n", error->message);
        return BAD_INPUT;
    }
    snprintf(option, sizeof option, "%.*s", length, error->key);
    for (char *c = option; *c; c++)
        *c = *c == '_' ? '-' : *c;
    if (strcmp(error->key, "law") == 0 || (!option[0] && !command)) /* sentences about laws name them */
        return complain("%s", error->rule);
    if (!option[0])
        return complain("%s: %s", command, error->rule);
    return complain("--%s%s%s: %s", option, rest ? " " : "", rest ? rest + 1 : "", error->rule);
}

void tell_warning(void *context, carom_warning kind, const carom_case_error *what)
{
    (void)context, (void)kind;
    if (what->line > 0)
        fprintf(stderr, "warning: %s\n", what->message);
    else
        complain("warning: %s", what->rule);
}

bool settings_law(settings *s, const char *id)
{
    carom_case_error error;
    return carom_settings_law(s, id, &error) || (complain_error(NULL, &error), false);
}

bool settings_set(settings *s, const char *assignment)
{
    carom_case_error error;
    return carom_settings_set(s, assignment, &error) || (complain_error(NULL, &error), false);
}

/* A refusal of an option, as the line that callers print. Always returns false. */
static bool with_option(carom_case_error *error)
{
    if (error->line == 0)
        snprintf(error->message, sizeof error->message, "carom: --set %s: %s", error->key + strlen("set."),
                 error->rule);
    return false;
}

bool settings_apply(const settings *s, carom_case *c, carom_case_error *error)
{
    return carom_settings_apply(s, c, error) || with_option(error);
}

bool settings_apply_to_all(const settings *s, carom_case *c, carom_case_error *error)
{
    return carom_settings_apply_to_all(s, c, error) || with_option(error);
}

/* A warning that is an error is printed here unless a line of the file is to blame. */
static bool refused(carom_case_error *error)
{
    if (error->line > 0)
        return false;
    complain("error: %s", error->rule);
    error->message[0] = 0;
    return false;
}

bool settings_path_law(settings *s, carom_case *c)
{
    carom_case_error error;
    s->tell = tell_warning;
    if (carom_settings_path_law(s, c, &error))
        return true;
    if (error.key[0])
        complain_error(NULL, &error);
    return error.key[0] ? false : refused(&error);
}

bool settings_warn(settings *s, carom_case *c, carom_case_error *error)
{
    s->tell = tell_warning;
    return carom_settings_warn(s, c, error) || refused(error);
}

bool settings_warn_of_all(settings *s, carom_case *c, carom_case_error *error)
{
    s->tell = tell_warning;
    return carom_settings_warn_of_all(s, c, error) || refused(error);
}

bool settings_raise(settings *s, carom_case *c, carom_warning i, const char *format, ...)
{
    char text[200];
    carom_case_error error;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    s->tell = tell_warning;
    return carom_settings_raise(s, c, i, &error, "%s", text) || refused(&error);
}
