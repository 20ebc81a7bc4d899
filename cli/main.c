/* carom: rigid-body impact, resolved. Finds the command and hands over. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "carom/utf8.h"
#include "cli.h"
#include "output.h"
#include "term.h"

typedef struct command {
    const char *name, *summary;
    const command_help *help;
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
#define CAROM_COMMAND(name, summary) {#name, summary, &help_##name, cmd_##name},
#include "commands.def"
#undef CAROM_COMMAND
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const command *find(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static void print_help(void)
{
    printf("carom %s: rigid-body impact, resolved\n\n"
           "usage: carom COMMAND [options] [CASE...]\n\ncommands\n",
           carom_version());
    for (int i = 0; i < COMMAND_COUNT; i++)
        printf("  %s%-10s%s %s\n", term_bold(), commands[i].name, term_plain(), commands[i].summary);
    printf("\n  --help     this text; `carom COMMAND --help` for one command\n"
           "  --version  the version\n\n"
           "A CASE is a JSON file, a JSON Lines file with one case per line, or - for standard input.\n"
           "Exit status: 0 fine, 1 a check failed, 2 bad input or a file that cannot be read or written.\n\n"
           "try    carom compare\n");
}

static int unknown_command(const char *name)
{
    static const char *const names[] = {
#define CAROM_COMMAND(word, summary) #word,
#include "commands.def"
#undef CAROM_COMMAND
        "help", NULL};
    const char *hint = carom_nearest(name, names);
    if (hint)
        return complain("unknown command \"%s\"; did you mean \"%s\"?", name, hint);
    return complain("unknown command \"%s\"; `carom --help` lists them", name);
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

static int run(int argc, char **argv)
{
    const command *c = find(argv[0]);
    if (!c)
        return unknown_command(argv[0]);
    if (asks_for_help(argc, argv)) {
        options_help(stdout, c->help);
        return FINE;
    }
    opterr = 0;
    return c->run(argc, argv);
}

int main(int argc, char **argv)
{
    output_start();
    term_start();
    const char *first = argc > 1 ? argv[1] : "--help";
    if (strcmp(first, "--version") == 0) {
        printf("carom %s\n", carom_version());
        return output_finish(FINE);
    }
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || (strcmp(first, "help") == 0 && argc == 2)) {
        print_help();
        return output_finish(FINE);
    }
    if (strcmp(first, "help") == 0) { /* carom help CMD */
        char *swapped[] = {argv[2], "--help", NULL};
        return output_finish(run(2, swapped));
    }
    if (strcmp(first, "--options") == 0) { /* for tools/make-manual */
        for (int i = 0; i < COMMAND_COUNT; i++)
            options_list(stdout, commands[i].name, commands[i].help);
        return output_finish(FINE);
    }
    if (first[0] == '-')
        return complain("unknown option %s; see `carom --help`", first);
    return output_finish(run(argc - 1, argv + 1));
}
