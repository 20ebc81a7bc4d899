/* The options of a command, one row each: what getopt_long reads, what --help, the manual and the completions say, and
 * what a misspelt option is compared with.
 *
 *     static const option_row options[] = {{"json", NULL, "answers as JSON", .at = offsetof(session, json)},
 *                                          {"tol", "X", "relative tolerance", .at = offsetof(session, tol),
 * take_positive}, SET_OPTION(session), {.name = NULL}}; const command_help help_check = {.usage = "usage: ...\n",
 * options, "example ...\n"};
 *     ...
 *     if (!options_read("check", &help_check, argc, argv, &s))    the arguments begin at argv[optind]
 *         return BAD_INPUT; */
#ifndef CAROM_CLI_OPTIONS_H
#define CAROM_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct option_row option_row;

/* Reads the value of an option into a member of the session. False after a complaint. */
typedef bool option_taker(void *member, const char *text, const option_row *row);

struct option_row {
    const char *name;     /* without dashes; null ends the rows */
    const char *argument; /* what --help calls its value; null: the option has none */
    const char *meaning;
    size_t at;          /* of the member in the session */
    option_taker *take; /* null: a flag (bool) becomes true, a text (const char *) is kept */
    char letter;        /* 'o' for -o, or 0 */
    double least, most; /* of take_whole */
};

typedef struct command_help {
    const char *usage; /* and what the command does */
    const option_row *options;
    const char *rest; /* examples */
    /* Called after each option that was taken; text is its value. Or null. */
    void (*seen)(void *session, const option_row *row, const char *text);
} command_help;

enum { OPTIONS_MOST = 32 }; /* of a command */

/* ---- takers ---- */

option_taker take_law, take_set; /* of a settings */
option_taker take_positive;      /* of a double */
option_taker take_whole;         /* of a long long from least to most */

#define LAW_OPTION(session)                                                                                            \
    {                                                                                                                  \
        "law", "ID", "this law instead of the case's own", .at = offsetof(session, settings), take_law                 \
    }
#define STRICT_OPTION(session)                                                                                         \
    {                                                                                                                  \
        "strict", NULL, "warnings are errors", .at = offsetof(session, settings.strict)                                \
    }
#define SET_OPTION(session)                                                                                            \
    {                                                                                                                  \
        "set", "KEY=VALUE",                                                                                            \
            "this coefficient or option instead (may be repeated); eta also as poisson:0.3 or "                        \
            "frequencies:OMEGA_T:OMEGA_N",                                                                             \
            .at = offsetof(session, settings), take_set                                                                \
    }
#define JSON_OPTION(session, meaning)                                                                                  \
    {                                                                                                                  \
        "json", NULL, meaning, .at = offsetof(session, json), NULL, 'j'                                                \
    }

/* ---- the command line ---- */

/* False after a complaint, which names the command. */
bool options_read(const char *command, const command_help *help, int argc, char **argv, void *session);

void options_help(FILE *out, const command_help *help);

/* "COMMAND LETTER NAME ARGUMENT" of every option of every command, for tools/make-manual; "-" where there is none. */
void options_list(FILE *out, const char *command, const command_help *help);

#endif
