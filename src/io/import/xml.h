/* Inside carom-io: a small reader of XML, which knows what of a document has been taken. */
#ifndef CAROM_IO_XML_H
#define CAROM_IO_XML_H

#include <stdbool.h>
#include <stddef.h>

typedef struct xml_attribute {
    char *name, *value;
    bool taken;
} xml_attribute;

typedef struct xml {
    char *name;
    char *text; /* between its tags, without the texts of its children; or null */
    long line;
    bool taken, text_taken;
    xml_attribute *attributes;
    int attribute_count;
    struct xml *up, *first, *last, *next; /* children in their order */
} xml;

/* The root of a document, or null, and why has "line: what is wrong". */
xml *xml_read(const char *bytes, size_t length, char why[160]);
void xml_free(xml *root);

/* The next child with a name, after one or the first (null): it is taken then. */
xml *xml_child(xml *e, const char *name, xml *after);

/* The value of an attribute, which is taken then; null: it has none. */
const char *xml_get(xml *e, const char *name);

/* The text of an element, or of a child of it, which is taken then. */
const char *xml_text(xml *e);
const char *xml_text_of(xml *e, const char *child);

/* The root of a file, or null, and why has one line with file and line. */
xml *xml_load(const char *path, char *why);

/* Is there a file with a byte in it? */
bool file_exists(const char *path);

/* The bytes of a file, or null. */
char *file_load(const char *path, size_t *length);

/* Change a document: an attribute; an element leaves its parent; it becomes the last child of another one. */
void xml_set(xml *e, const char *name, const char *value);
void xml_cut(xml *e);
void xml_move(xml *e, xml *to);

/* Numbers of a text; returns how many there are, or -1 when a word is not a number. */
int xml_numbers(const char *text, double *out, int most);

#endif
