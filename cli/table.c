#include "table.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/utf8.h"
#include "cli.h"
#include "term.h"

enum { GAP = 2 };

/* Combining marks take no column, the wide scripts of East Asia and emoji take two. */
static int code_width(unsigned code)
{
    if (code >= 0x300 && code <= 0x36F)
        return 0;
    int wide = (code >= 0x1100 && code <= 0x115F) || (code >= 0x2E80 && code <= 0xA4CF) ||
               (code >= 0xAC00 && code <= 0xD7A3) || (code >= 0xF900 && code <= 0xFAFF) ||
               (code >= 0xFF00 && code <= 0xFF60) || (code >= 0x1F300 && code <= 0x1FAFF);
    return wide ? 2 : 1;
}

/* The next character as it is printed; returns its columns. Texts come from files: a terminal must not obey them. */
static int take(const char **text, const char **shown, int *bytes)
{
    unsigned code;
    int length = carom_utf8_decode(*text, &code);
    bool fine = carom_utf8_is_printable(code) && (code != CAROM_UTF8_BAD || length > 1);
    *shown = fine ? *text : "?";
    *bytes = fine ? length : 1;
    *text += length;
    return fine ? code_width(code) : 1;
}

int text_width(const char *text)
{
    int width = 0, bytes;
    for (const char *shown; *text;)
        width += take(&text, &shown, &bytes);
    return width;
}

/* Print as much of a text as fits; returns the columns taken. */
static int print_cut(const char *text, int room)
{
    int used = 0, bytes;
    bool cut = text_width(text) > room;
    for (const char *shown; *text;) {
        int columns = take(&text, &shown, &bytes);
        if (cut && used + columns > room - 1)
            break;
        printf("%.*s", bytes, shown);
        used += columns;
    }
    fputs(cut ? "…" : "", stdout);
    return used + cut;
}

void text_put(const char *text)
{
    print_cut(text, INT_MAX);
}

table table_start(const char *align, const char *const *heads)
{
    table t = {align, heads, (int)strlen(align), 0, 0, NULL};
    return t;
}

static char *copy(const char *text)
{
    const char *from = text ? text : "";
    char *to = must_have(malloc(strlen(from) + 1));
    return strcpy(to, from);
}

static table_line *new_line(table *t, row_style style, int is_note)
{
    if (t->rows == t->room) {
        t->room = t->room ? 2 * t->room : 16;
        t->lines = must_have(realloc(t->lines, (size_t)t->room * sizeof *t->lines));
    }
    table_line *line = &t->lines[t->rows++];
    line->style = style;
    line->is_note = is_note;
    return line;
}

void table_add(table *t, row_style style, const char *const *cells)
{
    table_line *line = new_line(t, style, 0);
    for (int i = 0; i < t->columns; i++)
        line->cells[i] = copy(cells[i]);
}

void table_note(table *t, row_style style, const char *label, const char *text)
{
    table_line *line = new_line(t, style, 1);
    for (int i = 0; i < t->columns; i++)
        line->cells[i] = copy(i == 0 ? label : i == 1 ? text : "");
}

static int column_width(const table *t, int column)
{
    int width = text_width(t->heads[column]);
    for (int i = 0; i < t->rows; i++) {
        int here = text_width(t->lines[i].cells[column]), counts = column == 0 || !t->lines[i].is_note;
        width = counts && here > width ? here : width;
    }
    return width;
}

static void spaces(int count)
{
    printf("%*s", count > 0 ? count : 0, "");
}

void text_print(const char *text, int width)
{
    int used = print_cut(text, width);
    spaces(width - used);
}

/* Whether anything but blanks follows in this row: nothing is padded at the end of a line. */
static int has_more(const table *t, const char *const *cells, int column)
{
    for (int i = column + 1; i < t->columns; i++)
        if (cells[i][0])
            return 1;
    return 0;
}

static void print_note(const table_line *line, const int *widths)
{
    print_cut(line->cells[0], widths[0]);
    spaces(widths[0] - text_width(line->cells[0]) + GAP);
    print_cut(line->cells[1], TABLE_WIDTH - widths[0] - GAP);
}

/* The words of a text from this column on; further lines are indented to it. */
static void print_words(const char *text, int indent)
{
    for (int column = indent; *text;) {
        int word = (int)strcspn(text, " ");
        bool first = column == indent, breaks = !first && column + 1 + word > TABLE_WIDTH;
        printf("%s%*s%.*s", breaks ? "\n" : "", breaks ? indent : !first, "", word, text);
        column = breaks ? indent + word : column + !first + word;
        text += word + (text[word] == ' ');
    }
}

static void print_row(const table *t, const char *const *cells, const int *widths)
{
    int used = 0;
    for (int i = 0; i < t->columns; i++) {
        int more = has_more(t, cells, i), blank = widths[i] - text_width(cells[i]);
        if (t->align[i] == 'r') {
            spaces(blank);
            print_cut(cells[i], widths[i]);
        } else if (t->align[i] == 'w') {
            print_words(cells[i], used);
        } else {
            int room = more ? widths[i] : TABLE_WIDTH - used;
            print_cut(cells[i], room);
            spaces(more ? blank : 0);
        }
        if (!more)
            break;
        spaces(GAP);
        used += widths[i] + GAP;
    }
}

void table_print(const table *t)
{
    int widths[TABLE_COLUMNS];
    for (int i = 0; i < t->columns; i++)
        widths[i] = column_width(t, i);
    fputs(term_bold(), stdout);
    print_row(t, t->heads, widths);
    printf("%s\n", term_plain());
    for (int i = 0; i < t->rows; i++) {
        const table_line *line = &t->lines[i];
        fputs(line->style == ROW_DIM ? term_dim() : line->style == ROW_BAD ? term_red() : "", stdout);
        if (line->is_note)
            print_note(line, widths);
        else
            print_row(t, (const char *const *)line->cells, widths);
        printf("%s\n", line->style == ROW_PLAIN ? "" : term_plain());
    }
}

void table_free(table *t)
{
    for (int i = 0; i < t->rows; i++)
        for (int j = 0; j < t->columns; j++)
            free(t->lines[i].cells[j]);
    free(t->lines);
    t->lines = NULL;
    t->rows = t->room = 0;
}

void table_end(table *t)
{
    table_print(t);
    table_free(t);
}

void text_wrapped(const char *text, int indent)
{
    spaces(indent);
    print_words(text, indent);
    putchar('\n');
}
