#include "recording_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { MOST_BYTES = 1 << 28, TOLD = 8 }; /* of a file, 256 MiB; faults told one by one */

static char *read_file(const char *path, size_t *length)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    size_t room = 1 << 16;
    char *bytes = file ? must_have(malloc(room)) : NULL;
    *length = 0;
    for (size_t got = 1; bytes && got > 0 && *length < MOST_BYTES; *length += got) {
        if (*length == room)
            bytes = must_have(realloc(bytes, room *= 2));
        got = fread(bytes + *length, 1, room - *length, file);
    }
    if (!file)
        complain("%s: cannot be read", path);
    else if (file != stdin)
        fclose(file);
    return bytes;
}

typedef bool text_reader(carom_recording *rec, const carom_text *text, carom_case_error *error);

static bool read_with(text_reader *read, const char *path, carom_recording *rec)
{
    size_t length;
    carom_case_error error;
    char *bytes = read_file(path, &length);
    carom_text text = {strcmp(path, "-") == 0 ? "stdin" : path, 1, bytes, length};
    bool fine = bytes && read(rec, &text, &error);
    if (bytes && !fine)
        fprintf(stderr, "%s\n", error.message);
    free(bytes);
    return fine;
}

bool recording_input(const char *description, const char *table, carom_recording *rec)
{
    return read_with(carom_recording_describe, description, rec) && read_with(carom_recording_read, table, rec);
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
    fprintf(stderr, "\n");
    if (rec->missing > 0)
        fprintf(stderr,
                "%s: %d frames are missing, by steps in flights and by flights that meet later; what follows them is "
                "later by as much, and they are not compared\n",
                table, rec->missing);
}
