/* Carom: models of other programs as scenes: URDF, MJCF and SDF; and friction problems of several contacts, as Siconos
 * and FCLIB write them, as cases. Library carom-io; not part of carom/carom.h.
 *
 *     carom_import_result r;
 *     char why[CAROM_IMPORT_MESSAGE];
 *     if (!carom_import("robot.urdf", &r, why))
 *         puts(why);                              one line: file, line, what is wrong
 *     carom_json_print(stdout, r.scene, false);    for carom_scene_read
 *     carom_json_print(stderr, r.losses, false);   what of the file the scene does not have, and what it meant
 *     carom_import_free(&r);
 *
 * Every element and attribute of the file is either taken or listed: the reader marks what it takes, and lists the
 * rest. docs/guide/import.md says what is taken of each format. */
#ifndef CAROM_IMPORT_H
#define CAROM_IMPORT_H

#include <stdbool.h>

#include "carom/export.h"
#include "carom/json.h"

CAROM_BEGIN

enum { CAROM_IMPORT_MESSAGE = 256 };

typedef struct carom_import_result {
    carom_json *scene;    /* or case */
    carom_json *losses;   /* array of {"line", "element", "meaning"} */
    carom_json *warnings; /* array of sentences: inertias that no body has, links of many metres */
} carom_import_result;

/* The root element of the file tells the format; a friction problem begins with a number. */
CAROM_API CAROM_MUST_USE bool carom_import(const char *path, carom_import_result *out, char why[CAROM_IMPORT_MESSAGE]);
CAROM_API void carom_import_free(carom_import_result *r);

CAROM_END

#endif
