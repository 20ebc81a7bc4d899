/* Carom: the path inside an impact, for laws that have one.
 *
 * An algebraic law jumps from before to after. An incremental or compliant law walks there through states, and a
 * tracer may watch it walk:
 *
 *     event   called at every event, in order;
 *     piece   called for every smooth stretch of the path, which can then be evaluated anywhere, exactly.
 *
 * Both may be null. The tracer costs nothing when it is not given. */
#ifndef CAROM_PATH_H
#define CAROM_PATH_H

#include "carom/export.h"
#include "carom/vec.h"

CAROM_BEGIN

/* A point on the path. Works are done on the bodies, from the beginning to here. */
typedef struct carom_state {
    carom_cvec p;         /* impulse so far */
    carom_cvec u;         /* relative velocity here */
    double work_normal;   /* integral of u_n dp_n */
    double work_friction; /* integral of u_t . dp_t */
    carom_cvec stretch;   /* spring lengths in units where k_t = 1 (compliant laws, else zero) */
    carom_cvec stored;    /* energies held by the three springs (compliant laws, else zero) */
    double time;          /* since first touch (contact-force laws, else zero), and with them */
    double compression;   /* x = -r_n */
    carom_cvec force;     /* F on A */
    carom_cspin m, w;     /* moment and spin (contacts with a patch, else zero) */
    double work_spin;     /* integral of w_n dm_n */
} carom_state;

typedef enum carom_event_kind {
#define CAROM_EVENT(name, word, meaning) CAROM_EVENT_##name,
#include "carom/path.def"
#undef CAROM_EVENT
    CAROM_EVENT_KIND_COUNT
} carom_event_kind;

typedef struct carom_event {
    carom_event_kind kind;
    carom_state at;
} carom_event;

/* A smooth stretch of the path between events. Valid only during the tracer's call. */
typedef struct carom_piece {
    const char *mode; /* "slip" or "stick" */
    int compressing;  /* u_n < 0 (incremental) or the loading spring acts (compliant) */
    double p_n[2];    /* normal impulse at both ends */
    void (*at)(const struct carom_piece *piece, double s, carom_state *state); /* s from 0 to 1 along the stretch */
    const void *data;                                                          /* for at */
} carom_piece;

typedef struct carom_tracer {
    void (*event)(void *context, const carom_event *event);
    void (*piece)(void *context, const carom_piece *piece);
    void *context;
} carom_tracer;

/* An array of the caller's that keeps events: solve with the tracer carom_event_log_tracer(&log). count may exceed
 * room; the events beyond it are lost. */
typedef struct carom_event_log {
    carom_event *events;
    int room, count;
} carom_event_log;

CAROM_API carom_tracer carom_event_log_tracer(carom_event_log *log);

/* The word of an event, e.g. "stick". */
CAROM_API const char *carom_event_word(carom_event_kind kind);

CAROM_END

#endif
