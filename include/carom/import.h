/* Carom: models of other programs as scenes: URDF, MJCF and SDF, and scenes as MJCF and SDF; friction problems of
 * several contacts, as Siconos and FCLIB write them, as cases. Library carom-io; not part of carom/carom.h.
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

#include "carom/case.h"
#include "carom/export.h"
#include "carom/json.h"
#include "carom/scene_file.h"

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

/* A model seldom has ground. This puts a half-space under it, across gravity, so far below its lowest point (m). */
CAROM_API CAROM_MUST_USE bool carom_import_ground(carom_import_result *r, double below, char why[CAROM_IMPORT_MESSAGE]);

/* The N-th impact of the run takes the place of the scene, as a case: of the mechanism where links meet the world. */
CAROM_API CAROM_MUST_USE bool carom_import_impact(carom_import_result *r, long long number,
                                                  char why[CAROM_IMPORT_MESSAGE]);

/* ---- and back ---- */

typedef enum carom_model_format { CAROM_MODEL_MJCF, CAROM_MODEL_SDF } carom_model_format;

/* "mjcf" or "sdf", or the name of a file that ends in .xml, .mjcf, .sdf or .world. False: none of these. */
CAROM_API CAROM_MUST_USE bool carom_model_format_of(const char *word, carom_model_format *format);

typedef struct carom_export_result {
    char *text;         /* XML */
    carom_json *files;  /* object: names of mesh files beside the model, and their texts (SDF) */
    carom_json *losses; /* array of {"line", "element", "meaning"}: what of the scene the model does not have */
} carom_export_result;

/* stem: how the names of mesh files begin. A planar scene is refused; free the result either way. */
CAROM_API CAROM_MUST_USE bool carom_model_export(const carom_scene_file *scene, carom_model_format format,
                                                 const char *stem, carom_export_result *out, carom_case_error *error);
CAROM_API void carom_export_free(carom_export_result *r);

CAROM_END

#endif
