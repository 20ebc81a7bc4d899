/* Aligned tables of at most 100 columns. Widths count characters of UTF-8, not bytes. */
#ifndef CAROM_CLI_TABLE_H
#define CAROM_CLI_TABLE_H

#include <stddef.h>

enum { TABLE_WIDTH = 100, TABLE_COLUMNS = 12 };

typedef enum row_style { ROW_PLAIN, ROW_DIM, ROW_BAD } row_style;

typedef struct table_line {
    row_style style;
    int is_note; /* a first cell, then free text across the other columns */
    char *cells[TABLE_COLUMNS];
} table_line;

typedef struct table {
    const char *align; /* one letter per column: l or r; w: the last, in several lines where it is long */
    const char *const *heads;
    int columns, rows, room;
    table_line *lines;
} table;

table table_start(const char *align, const char *const *heads);

/* Cells are copied; null is an empty cell. */
void table_add(table *t, row_style style, const char *const *cells);

/* A row whose text runs across all columns but the first. */
void table_note(table *t, row_style style, const char *label, const char *text);

/* Print to stdout; the last column, unless it is w, is cut with an ellipsis where the row would be too wide. */
void table_print(const table *t);

void table_free(table *t);

/* Both. */
void table_end(table *t);

/* Columns that a text takes on a terminal. */
int text_width(const char *text);

/* Print a text from outside as it is, with question marks for what a terminal would obey. */
void text_put(const char *text);

/* Print a text in a column of its own: cut with an ellipsis, or filled with blanks. */
void text_print(const char *text, int width);

/* Print the words of a text in lines of at most TABLE_WIDTH columns, indented. */
void text_wrapped(const char *text, int indent);

#endif
