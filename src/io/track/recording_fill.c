/* Frames that a recording lacks, put in after it was read. */
#include <stdlib.h>
#include <string.h>

#include "io/track/recording_parts.h"

enum { IMPACTS = 64, MORE = 64 }; /* of one record, at most: impacts, and frames that it lacks */

static int longest(const carom_recording *rec)
{
    int most = 0;
    for (int i = 0; i < rec->record_count; i++)
        most = rec->records[i].count > most ? rec->records[i].count : most;
    return most;
}

/* Every record into the new poses, one after the other. */
static void fill_records(carom_recording *rec, const carom_track_room *room, carom_pose *poses)
{
    int at = 0;
    for (int i = 0; i < rec->record_count; i++) {
        carom_record *record = &rec->records[i];
        memcpy(poses + at, rec->poses + record->first, (size_t)record->count * sizeof *poses);
        int count = record->fault ? record->count : carom_track_fill(&rec->body, record->count, poses + at, room);
        record->missing = count - record->count;
        record->first = at;
        record->count = count;
        rec->missing += record->missing;
        at += count;
    }
    rec->frame_count = at;
}

bool recording_fill(carom_recording *rec)
{
    carom_track_room room = {longest(rec) + MORE, IMPACTS, NULL, NULL};
    size_t frames = (size_t)rec->frame_count + MORE * (size_t)rec->record_count;
    carom_pose *poses = malloc(frames * sizeof *poses);
    room.mark = malloc((size_t)room.frames);
    room.impact = malloc(IMPACTS * sizeof *room.impact);
    bool fine = poses && room.mark && room.impact;
    if (fine) {
        fill_records(rec, &room, poses);
        free(rec->poses);
        rec->poses = poses;
        rec->frame_room = (int)frames;
    } else
        free(poses);
    free(room.mark);
    free(room.impact);
    return fine;
}

json_t *missing_json(const carom_recording *rec)
{
    json_t *list = json_array();
    for (int i = 0; i < rec->record_count; i++) {
        const carom_pose *p = rec->poses + rec->records[i].first;
        int missing = 0, frames = 0;
        for (int k = 1; k < rec->records[i].count; k++) {
            missing += p[k].missing;
            frames += p[k].missing;
            if (!p[k].missing && frames > 0) {
                json_array_append_new(list, json_pack("{s:s, s:i, s:i}", "record", rec->records[i].name, "after",
                                                      k - missing - 1, "frames", frames));
                frames = 0;
            }
        }
    }
    return list;
}
