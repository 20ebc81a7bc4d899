/* What the exports of this folder share. */
#ifndef CAROM_JS_H
#define CAROM_JS_H

#include <stddef.h>

#include "carom/case.h"

#define EXPORT(name) __attribute__((export_name(#name)))

/* Keep a tree as the text that the package reads next (carom_js_text), and free the tree. */
void js_answer(carom_json *tree);

/* The same for a refusal: {error: {key, rule, line, column}}. */
void js_refuse(const carom_case_error *error);

#endif
