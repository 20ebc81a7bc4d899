/* Carom: recordings, files of poses of one body at a rate. Library carom-io; not part of carom/carom.h.
 *
 *     carom_recording r = {0};
 *     if (carom_recording_describe(&r, &description, &error) && carom_recording_read(&r, &table, &error) &&
 *         carom_recording_reduce(&r, &error))
 *         r.impacts[0].v[1] ...
 *     carom_recording_free(&r);
 *
 * The description is a JSON object: rate, columns, shape and masses of the body, floor. The table is text with commas,
 * plain or compressed by gzip. docs/guide/recordings.md lists keys and columns. */
#ifndef CAROM_RECORDING_H
#define CAROM_RECORDING_H

#include "carom/case.h"
#include "carom/settings.h"
#include "carom/tracked.h"

CAROM_BEGIN

typedef enum carom_record_fault {
#define CAROM_RECORD_FAULT(name, meaning) CAROM_RECORD_FAULT_##name,
#include "carom/record_faults.def"
#undef CAROM_RECORD_FAULT
    CAROM_RECORD_FAULT_COUNT
} carom_record_fault;

CAROM_API const char *carom_record_fault_meaning(carom_record_fault fault);

enum { CAROM_RECORD_NAME = 32 };

/* One record: frames first...first + count - 1 of the recording. A record with a fault is not used. */
typedef struct carom_record {
    char name[CAROM_RECORD_NAME];
    int first, count;
    int missing; /* of them, that the file lacks and that were put in */
    carom_record_fault fault;
    int fault_frame;    /* number of the frame, from the file */
    double fault_value; /* the length, angle or distance that is wrong */
} carom_record;

/* What `carom body` finds: bits of carom_recording.fit. */
enum {
    CAROM_FIND_HALF = 1,
    CAROM_FIND_COM = 2,
    CAROM_FIND_INERTIA = 4,
    CAROM_FIND_RADIUS = 8,
    CAROM_FIND_GRAVITY = 16,
    CAROM_FIND_FLOOR = 32,
    CAROM_FIND_TURN = 64,
    CAROM_FIND_DRAG = 128,
    CAROM_FIND_DEPTH = 256,
    CAROM_FIND_SLIDING = 512
};

enum { CAROM_RECORDING_COLUMNS = 9 };

typedef struct carom_recording {
    carom_tracked body;
    double turn; /* planar: added to every angle */
    unsigned fit;
    char column[CAROM_RECORDING_COLUMNS][CAROM_RECORD_NAME]; /* record, frame, x, y, z, qw, qx, qy, qz; planar: record,
                                                                frame, x, y, angle */
    carom_json *document;                                    /* the description */
    int record_count, record_room;
    carom_record *records;
    int frame_count, frame_room;
    int missing; /* frames that the file lacks and that were put in */
    carom_pose *poses;
    int impact_count, impact_room;
    carom_track_impact *impacts; /* with those left out */
    int *impact_record;          /* which record each is in */
    int left_out[CAROM_LEFT_OUT_COUNT], faults[CAROM_RECORD_FAULT_COUNT];
} carom_recording;

CAROM_API CAROM_MUST_USE bool carom_recording_describe(carom_recording *r, const carom_text *text,
                                                       carom_case_error *error);

/* Every record of a table, with its faults, and with frames put in that a camera has left out. Refused: a table of
 * another kind, and lengths that do not fit the body. */
CAROM_API CAROM_MUST_USE bool carom_recording_read(carom_recording *r, const carom_text *table,
                                                   carom_case_error *error);

/* The impacts of all records without faults, with errors from the scatter of all flights. May be repeated. */
CAROM_API CAROM_MUST_USE bool carom_recording_reduce(carom_recording *r, carom_case_error *error);

/* The body from its records: what the description asks for under "fit". The answer is the description with what was
 * found, and under "found" the errors, the closure and counts. */
CAROM_API CAROM_MUST_USE bool carom_recording_body(carom_recording *r, carom_json **answer, carom_case_error *error);

/* Impact i as a line of data for carom fit. */
CAROM_API carom_json *carom_recording_impact_json(const carom_recording *r, int i);

/* How many records and impacts are used, what was left out and why, noise and closure. */
CAROM_API carom_json *carom_recording_report(const carom_recording *r);

CAROM_API void carom_recording_free(carom_recording *r);

/* The bytes of a gzip file in new memory; null if it is no gzip file, or damaged. */
CAROM_API char *carom_gunzip(const char *bytes, size_t length, size_t *size);

CAROM_END

#endif
