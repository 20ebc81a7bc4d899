#include "recording_input.h"

#include <stdio.h>

#include "input.h"

enum { TOLD = 8 }; /* faults told one by one */

#define OPEN 0.5 /* of the change of spin: a closure above it is a wrong body or a wrong table */

static bool describe(void *rec, const carom_text *text, carom_case_error *error)
{
    return carom_recording_describe(rec, text, error);
}

static bool read_table(void *rec, const carom_text *text, carom_case_error *error)
{
    return carom_recording_read(rec, text, error);
}

bool recording_input(const char *description, const char *table, carom_recording *rec)
{
    return input_whole(description, describe, rec) && input_whole(table, read_table, rec);
}

static void tell_faults(const carom_recording *rec, const char *table)
{
    int told = 0;
    for (int i = 0; i < rec->record_count; i++) {
        const carom_record *r = &rec->records[i];
        if (r->fault && told++ < TOLD)
            fprintf(stderr, "%s: %s %s, frame %d: %s (%.4g); the record is left out\n", table, rec->column[0], r->name,
                    r->fault_frame, carom_record_fault_meaning(r->fault), r->fault_value);
    }
    if (told > TOLD)
        fprintf(stderr, "%s: and %d more records with faults\n", table, told - TOLD);
}

/* How far the change of spin misses the moment of the impulse, whatever the law. False: by more than any body does. */
static bool tell_closure(const carom_recording *rec)
{
    static const carom_closure_wants nothing;
    carom_tracked body = rec->body;
    carom_closure c;
    if (carom_tracked_close(&body, nothing, rec->impact_count, rec->impacts, &c) != CAROM_STATUS_OK)
        return true;
    fprintf(stderr, "; closure %.3g of %.3g rad/s", c.rms, c.rms_change);
    return c.rms < OPEN * c.rms_change;
}

void recording_tell(const carom_recording *rec, const char *table)
{
    tell_faults(rec, table);
    fprintf(stderr, "%s: %d of %d records, %d impacts at one contact;", table, rec->faults[CAROM_RECORD_FAULT_NONE],
            rec->record_count, rec->left_out[CAROM_LEFT_OUT_NOTHING]);
    const char *between = " left out:";
    for (int i = 1; i < CAROM_LEFT_OUT_COUNT; i++)
        if (rec->left_out[i] > 0) {
            fprintf(stderr, "%s %d %s", between, rec->left_out[i], carom_left_out_word((carom_left_out)i));
            between = ",";
        }
    bool closes = tell_closure(rec);
    fprintf(stderr, "\n");
    if (!closes)
        fprintf(
            stderr,
            "%s: angular momentum misses most of the change of spin, so that no law can be right: check the order of "
            "the quaternion, the signs of the axes, and the body\n",
            table);
    if (rec->missing > 0)
        fprintf(stderr,
                "%s: %d frames are missing, by steps in flights and by flights that meet later; what follows them is "
                "later by as much, and they are not compared\n",
                table, rec->missing);
}
