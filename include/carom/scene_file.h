/* Carom: scenes for the simulator, the files of `carom sim` (JSON). Library carom-io; not part of carom/carom.h.
 *
 *     carom_text text = {"ball.json", 1, bytes, length};
 *     carom_scene_file file;
 *     carom_case_error error;
 *     if (!carom_scene_read(&text, &file, &error))         strict, as carom_case_read is
 *         puts(error.message);                             one line: file, line, key, rule
 *     carom_sim_error blame;
 *     carom_status status = carom_sim_create(&file.scene, &memory, &sim, &blame);
 *     if (status != CAROM_STATUS_OK && !carom_scene_refuse(&file, status, &blame, &error))
 *         puts(error.message);                             the bodies to blame, by name
 *
 * The keys of a scene are listed in docs/guide/scene-format.md. Everything a file owns is freed by carom_scene_free. */
#ifndef CAROM_SCENE_FILE_H
#define CAROM_SCENE_FILE_H

#include <stdbool.h>

#include "carom/case.h"
#include "carom/export.h"
#include "carom/sim.h"

CAROM_BEGIN

/* The bounds on one scene, besides the bounds of a case. */
enum {
    CAROM_SCENE_BODIES = 1000000,
    CAROM_SCENE_POINTS = 10000, /* of a hull or a polygon */
    CAROM_SCENE_PARTS = 1000    /* of a compound */
};

#define CAROM_SCENE_RATE 60.0 /* lines of a trajectory per second, unless the scene has a rate */

/* How pictures look at a scene in space. */
typedef enum carom_scene_view {
    CAROM_SCENE_VIEW_ANY, /* along y where the motion keeps to a plane y, else from the front right, a little above */
    CAROM_SCENE_VIEW_FRONT,
    CAROM_SCENE_VIEW_SIDE,
    CAROM_SCENE_VIEW_ABOVE
} carom_scene_view;

typedef struct carom_scene_file {
    carom_text text;
    carom_json *document;     /* owns the names below; every body that moves in the run is in it */
    carom_json *given;        /* the document of the text, where "repeat" has made bodies; else null */
    const char *name;         /* or null */
    carom_scene scene;        /* its arrays live in memory */
    carom_scene_body *bodies; /* scene.bodies, for those who change them */
    carom_scene_pair *pairs;  /* scene.pairs, likewise */
    const char **names;       /* of the bodies */
    carom_vec3 *centres;      /* of mass, in the frame in which each shape is given */
    carom_sim_until until;
    double rate;
    carom_scene_view view;
    void *memory;
    void *meshes;                     /* what the meshes of bodies weigh */
    const struct scene_tree *linkage; /* its "links", or null */
} carom_scene_file;

/* Read one scene. On failure only document and name are set; the caller frees it either way. */
CAROM_API CAROM_MUST_USE bool carom_scene_read(const carom_text *text, carom_scene_file *file, carom_case_error *error);

/* The rule between materials changed: is a law named, are coefficients in range, does it fit the dimension? */
CAROM_API CAROM_MUST_USE bool carom_scene_check(const carom_scene_file *file, carom_case_error *error);

CAROM_API void carom_scene_free(carom_scene_file *file);

/* What a status of the simulation means for the author of the scene. Always returns false. */
CAROM_API bool carom_scene_refuse(const carom_scene_file *file, carom_status status, const carom_sim_error *blame,
                                  carom_case_error *error);

/* Is something of a scene that is simulated doubtful: a patch larger than its body, or of a body that cannot have one;
 * steps so short that a run would take more than 1e9 of them? */
CAROM_API bool carom_scene_warn(const carom_scene_file *file, const carom_sim *sim, carom_case_error *warning);

/* ---- what happened, as JSON ---- */

/* A state of a body as {"position", "orientation", "velocity", "omega"}; "angle" for "orientation" in the plane. */
CAROM_API carom_json *carom_state_json(const carom_scene_file *file, const carom_sim_state *state);

/* The angle of a planar state, -pi...pi. */
CAROM_API double carom_state_angle(const carom_sim_state *state);

/* An impact as a case for carom_case_read and `carom solve`: bodies, contacts, rule. */
CAROM_API carom_json *carom_event_case(const carom_scene_file *file, const carom_sim_event *event);

/* The same impact of links of the scene with the world or other links, as a mechanism with its coordinates and
 * speeds: all links, one contact or several, the answer to rounding. Only before the impact (carom_sim_observer); null
 * for every other event.
 */
CAROM_API carom_json *carom_event_linkage(const carom_scene_file *file, const carom_sim *sim,
                                          const carom_sim_event *event);

/* An event as {"t", "kind", "a", "b", "case", "answer", "energy"}; case and answer of impacts only. The answer is that
 * of the case, read and solved again with result (start it from {0}); repeats says whether it has the bits of the
 * simulation. "swept" marks an impact for which its law had no answer, and which the simulation resolved without it.
 * Null when memory ends. */
CAROM_API carom_json *carom_event_json(const carom_scene_file *file, const carom_sim_event *event, double energy,
                                       carom_result *result, bool *repeats);

CAROM_END

#endif
