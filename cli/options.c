#include "options.h"

#include <getopt.h>
#include <math.h>
#include <string.h>

#include "cli.h"

enum { FIRST = 256 };                         /* the value of an option for getopt_long, above all letters */
enum { LABEL = 64, COLUMN = 26, LINE = 104 }; /* of help texts, in characters */

/* ---- reading ---- */

bool take_law(void *member, const char *text, const option_row *row)
{
    (void)row;
    return settings_law(member, text);
}

bool take_set(void *member, const char *text, const option_row *row)
{
    (void)row;
    return settings_set(member, text);
}

bool take_positive(void *member, const char *text, const option_row *row)
{
    double value;
    bool fine = carom_text_number(text, &value) && value > 0;
    if (fine)
        *(double *)member = value;
    else
        complain("--%s: \"%s\" is not a number > 0", row->name, text);
    return fine;
}

bool take_whole(void *member, const char *text, const option_row *row)
{
    double value;
    bool fine = carom_text_number(text, &value) && value >= row->least && value <= row->most && value == floor(value);
    if (fine)
        *(long long *)member = (long long)value;
    else
        complain("--%s: \"%s\" is not a whole number from %.0f to %.0f", row->name, text, row->least, row->most);
    return fine;
}

static bool take(const option_row *row, void *session)
{
    void *member = (char *)session + row->at;
    if (row->take)
        return row->take(member, optarg, row);
    if (row->argument)
        *(const char **)member = optarg;
    else
        *(bool *)member = true;
    return true;
}

/* The rows as getopt_long wants them. */
static void convert(const option_row *rows, struct option *list, char *letters)
{
    for (int i = 0; rows[i].name && i < OPTIONS_MOST; i++) {
        const option_row *row = &rows[i];
        int has = row->argument ? required_argument : no_argument;
        list[i] = (struct option){row->name, has, NULL, FIRST + i};
        if (row->letter)
            strcat(letters, (char[]){row->letter, row->argument ? ':' : 0, 0});
    }
}

static const option_row *row_of(const option_row *rows, int value)
{
    if (value >= FIRST)
        return &rows[value - FIRST];
    while (rows->letter != value)
        rows++;
    return rows;
}

/* An option that getopt_long does not know, or one without its value. */
static void complain_option(const char *command, const option_row *rows, int letter, const char *word)
{
    const char *list[OPTIONS_MOST + 1] = {NULL}, *hint;
    for (int i = 0; rows[i].name && i < OPTIONS_MOST; i++)
        list[i] = rows[i].name;
    if (letter == ':')
        complain("%s: option %s needs a value; see `carom %s --help`", command, word, command);
    else if ((hint = carom_nearest(word + strspn(word, "-"), list)))
        complain("%s: unknown option %s; did you mean --%s?", command, word, hint);
    else
        complain("%s: unknown option %s; see `carom %s --help`", command, word, command);
}

bool options_read(const char *command, const command_help *help, int argc, char **argv, void *session)
{
    static const option_row none = {.name = NULL};
    const option_row *rows = help->options ? help->options : &none;
    struct option list[OPTIONS_MOST + 1] = {{0}};
    char letters[2 * OPTIONS_MOST + 2] = ":";
    convert(rows, list, letters);
    for (int o; (o = getopt_long(argc, argv, letters, list, NULL)) != -1;) {
        if (o == '?' || o == ':')
            return complain_option(command, rows, o, argv[optind - 1]), false;
        if (!take(row_of(rows, o), session))
            return false;
        if (help->seen)
            help->seen(session, row_of(rows, o), optarg);
    }
    return true;
}

/* ---- telling ---- */

static int label_of(const option_row *row, char label[LABEL])
{
    char letter[8] = "    ";
    if (row->letter)
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    return snprintf(label, LABEL, "  %s--%s%s%s", letter, row->name, row->argument ? " " : "",
                    row->argument ? row->argument : "");
}

/* Words from this column to the end of the line. */
static void print_words(FILE *out, const char *text, int column)
{
    int at = column;
    for (size_t length; *text; text += length + strspn(text + length, " ")) {
        length = strcspn(text, " ");
        if (at > column && at + 1 + (int)length > LINE) {
            fprintf(out, "\n%*s", column, "");
            at = column;
        } else if (at > column) {
            fputc(' ', out);
            at++;
        }
        fwrite(text, 1, length, out);
        at += (int)length;
    }
    fputc('\n', out);
}

static void print_row(FILE *out, const option_row *row, int column)
{
    char label[LABEL];
    int length = label_of(row, label);
    fputs(label, out);
    if (length + 1 >= column) /* the meaning begins on the next line */
        fprintf(out, "\n%*s", column, "");
    else
        fprintf(out, "%*s", column - length, "");
    print_words(out, row->meaning, column);
}

void options_help(FILE *out, const command_help *help)
{
    char label[LABEL];
    int column = 0;
    fputs(help->usage, out);
    for (const option_row *row = help->options; row && row->name; row++) {
        int length = label_of(row, label) + 3;
        column = length > column && length <= COLUMN ? length : column;
    }
    for (const option_row *row = help->options; row && row->name; row++)
        print_row(out, row, column ? column : COLUMN);
    fputs(help->rest, out);
}

void options_list(FILE *out, const char *command, const command_help *help)
{
    for (const option_row *row = help->options; row && row->name; row++)
        fprintf(out, "%s %c %s %s\n", command, row->letter ? row->letter : '-', row->name,
                row->argument ? row->argument : "-");
}
