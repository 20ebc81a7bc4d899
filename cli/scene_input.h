/* Scenes for the commands that run them: files or scenes that come with the program, with what the command line changes
 * in them. */
#ifndef CAROM_CLI_SCENE_INPUT_H
#define CAROM_CLI_SCENE_INPUT_H

#include "cli.h"
#include "options.h"

/* What the command line says against a scene. */
typedef struct scene_request {
    settings settings;
    double time;       /* 0: the scene's */
    long long impacts; /* -1: the scene's */
} scene_request;

/* The options of it, for a session with a member "scene". */
#define SCENE_OPTIONS(session)                                                                                         \
    {"time", "T", "end at this time", .at = offsetof(session, scene.time), take_positive},                             \
        {"impacts", "N", "end after so many impacts", .at = offsetof(session, scene.impacts), take_whole, 0, 0, 1e15}, \
        {"law", "ID", "this law instead of the scene's, for all pairs", .at = offsetof(session, scene.settings),       \
         take_law},                                                                                                    \
    {                                                                                                                  \
        "set", "KEY=VALUE", "this coefficient or option instead, for all pairs (may be repeated)",                     \
            .at = offsetof(session, scene.settings), take_set                                                          \
    }

/* Change a scene that has been read (a scene_change); request is a scene_request. */
bool scene_apply(const void *request, carom_scene_file *file, carom_case_error *error);

/* Read the scene of this path or name, change it, and do something with it. An exit status, after complaints. */
typedef int scene_action(carom_scene_file *file, void *context);
int scene_with(const char *command, const char *path, const scene_request *request, scene_action *act, void *context);

#endif
