/* The table of a recording: records, frames, and what is wrong with them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/elementary.h"
#include "io/track/recording_parts.h"

enum { COLUMNS = 64, LEAST_FRAMES = 12, MOST_FRAMES = 1 << 24 };

#define UNIT_LENGTH 0.01 /* of 1: quaternions are rounded to a few digits */
#define JUMP_ANGLE  0.6  /* rad between frames */
#define MOVING      0.1  /* of the size of the body, in three frames: not at rest */
#define UNITS       5.0  /* heights at rest this many times the size of the body, or less than one over it */

static const char *const meanings[] = {
#define CAROM_RECORD_FAULT(name, meaning) meaning,
#include "carom/record_faults.def"
#undef CAROM_RECORD_FAULT
};

const char *carom_record_fault_meaning(carom_record_fault fault)
{
    return (unsigned)fault < CAROM_RECORD_FAULT_COUNT ? meanings[fault] : "";
}

/* ---- rows ---- */

/* A table at work: where its columns are, and the frame before. */
typedef struct table {
    carom_recording *rec;
    const reader *r;
    int column[CAROM_RECORDING_COLUMNS], width;
    double frame; /* number of the last one */
} table;

static int split_cells(char *line, char **cells)
{
    int count = 0;
    for (char *at = line; at && count < COLUMNS;) {
        char *comma = strchr(at, ',');
        if (comma)
            *comma = 0;
        at += strspn(at, " \t\"");
        size_t length = strlen(at);
        while (length > 0 && strchr(" \t\r\"", at[length - 1]))
            at[--length] = 0;
        cells[count++] = at;
        at = comma ? comma + 1 : NULL;
    }
    return count;
}

static int columns_of(const carom_recording *rec)
{
    return rec->body.dim == 3 ? 9 : 5;
}

static bool read_head(table *t, char **cells, int count)
{
    t->width = count;
    if (!t->rec->column[0][0])
        snprintf(t->rec->column[0], CAROM_RECORD_NAME, "%s", cells[0]);
    for (int k = 0; k < columns_of(t->rec); k++) {
        t->column[k] = -1;
        for (int i = 0; i < count; i++)
            t->column[k] = strcmp(cells[i], t->rec->column[k]) == 0 ? i : t->column[k];
        if (t->column[k] < 0)
            return reader_fail(t->r, NULL, "the column \"%s\" is missing", t->rec->column[k]);
    }
    return true;
}

static bool grow(void **block, int *room, int count, size_t size)
{
    if (count < *room)
        return true;
    int more = *room ? 2 * *room : 64;
    void *bigger = count < MOST_FRAMES ? realloc(*block, (size_t)more * size) : NULL;
    if (!bigger)
        return false;
    *block = bigger;
    *room = more;
    return true;
}

static void blame(carom_record *record, carom_record_fault fault, double frame, double value)
{
    if (record->fault)
        return;
    record->fault = fault;
    record->fault_frame = (int)frame;
    record->fault_value = value;
}

static bool begin_record(table *t, const char *name)
{
    carom_recording *rec = t->rec;
    void *records = rec->records;
    if (!grow(&records, &rec->record_room, rec->record_count, sizeof *rec->records))
        return reader_fail(t->r, NULL, "out of memory");
    rec->records = records;
    carom_record *record = &rec->records[rec->record_count++];
    memset(record, 0, sizeof *record);
    snprintf(record->name, sizeof record->name, "%s", name);
    record->first = rec->frame_count;
    for (int i = 0; i + 1 < rec->record_count; i++)
        if (strcmp(rec->records[i].name, record->name) == 0)
            blame(record, CAROM_RECORD_FAULT_REPEATED, 0, 0);
    return true;
}

/* The pose of a row; the length of its quaternion is judged, then made one. */
static carom_pose pose_of(const carom_recording *rec, const double *x, double *length)
{
    carom_pose pose = {{x[0], x[1], 0}, {1, 0, 0, 0}, false};
    *length = 1;
    if (rec->body.dim == 2) {
        pose.q.w = carom_cos((x[2] + rec->turn) / 2);
        pose.q.z = carom_sin((x[2] + rec->turn) / 2);
        return pose;
    }
    *length = sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6]);
    double s = *length > 0 ? 1 / *length : 0;
    carom_quat q = {s * x[3], s * x[4], s * x[5], s * x[6]};
    pose.x.z = x[2];
    pose.q = q;
    return pose;
}

/* What is wrong between two frames: jumps of the tracker. */
static void compare_frames(const carom_recording *rec, carom_record *record, double frame)
{
    const carom_pose *now = &rec->poses[rec->frame_count - 1], *last = now - 1;
    double cosine = fabs(now->q.w * last->q.w + now->q.x * last->q.x + now->q.y * last->q.y + now->q.z * last->q.z);
    double angle = 2 * carom_acos(cosine < 1 ? cosine : 1);
    double far = carom_vec3_length(carom_vec3_sub(now->x, last->x));
    if (angle > JUMP_ANGLE)
        blame(record, CAROM_RECORD_FAULT_JUMP_TURN, frame, angle);
    if (far > carom_vec3_length(rec->body.corner[0]))
        blame(record, CAROM_RECORD_FAULT_JUMP_PLACE, frame, far);
}

static bool add_frame(table *t, double frame, const double *x)
{
    carom_recording *rec = t->rec;
    carom_record *record = &rec->records[rec->record_count - 1];
    void *poses = rec->poses;
    double length;
    if (!grow(&poses, &rec->frame_room, rec->frame_count, sizeof *rec->poses))
        return reader_fail(t->r, NULL, "out of memory, or more than %d frames", MOST_FRAMES);
    rec->poses = poses;
    rec->poses[rec->frame_count++] = pose_of(rec, x, &length);
    if (!(fabs(length - 1) <= UNIT_LENGTH))
        blame(record, CAROM_RECORD_FAULT_QUATERNION, frame, length);
    if (record->count++ > 0) {
        if (frame != t->frame + 1)
            blame(record, frame > t->frame ? CAROM_RECORD_FAULT_DROPPED : CAROM_RECORD_FAULT_ORDER, frame, frame);
        compare_frames(rec, record, frame);
    }
    t->frame = frame;
    return true;
}

static bool read_row(table *t, char **cells, int count)
{
    const carom_recording *rec = t->rec;
    double x[CAROM_RECORDING_COLUMNS];
    if (count != t->width)
        return reader_fail(t->r, NULL, "%d values, and the header has %d columns", count, t->width);
    for (int k = 1; k < columns_of(rec); k++) {
        place at = {NULL, rec->column[k]};
        if (!carom_text_number(cells[t->column[k]], &x[k]))
            return reader_fail(t->r, &at, "\"%s\" is not a finite number", cells[t->column[k]]);
    }
    const char *name = cells[t->column[0]];
    place at = {NULL, rec->column[0]};
    if (!name[0] || strlen(name) >= CAROM_RECORD_NAME)
        return reader_fail(t->r, &at, "must have 1 to %d bytes", CAROM_RECORD_NAME - 1);
    bool same = rec->record_count > 0 && strcmp(rec->records[rec->record_count - 1].name, name) == 0;
    return (same || begin_record(t, name)) && add_frame(t, x[1], x + 2);
}

/* ---- the whole table ---- */

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median_of(double *numbers, int count)
{
    qsort(numbers, (size_t)count, sizeof *numbers, compare_numbers);
    return count == 0 ? 0 : (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
}

/* The deviation of a coordinate while the body moves, from third differences, which motion hardly reaches: the median
 * of their sizes over that of a normal distribution, with sqrt(20) for the weights 1, -3, 3, -1. */
static bool find_jitter(carom_recording *rec)
{
    double *sizes = malloc((size_t)(3 * rec->frame_count + 1) * sizeof *sizes), size = tracked_size(&rec->body);
    int count = 0;
    for (int i = 0; i < rec->record_count && sizes; i++)
        for (int k = 3; k < rec->records[i].count; k++) {
            const carom_pose *p = rec->poses + rec->records[i].first + k;
            carom_vec3 way = carom_vec3_sub(p[0].x, p[-3].x);
            carom_vec3 d = carom_vec3_sub(way, carom_vec3_scale(3, carom_vec3_sub(p[-1].x, p[-2].x)));
            if (!(carom_vec3_length(way) > MOVING * size))
                continue;
            sizes[count++] = fabs(d.x);
            sizes[count++] = fabs(rec->body.dim == 3 ? d.z : d.y);
        }
    rec->body.jitter = sizes ? median_of(sizes, count) / (0.6745 * sqrt(20)) : 0;
    free(sizes);
    return sizes != NULL;
}

/* Heights in the last frames must be of the size of the body: metres and millimetres are soon mixed up. */
static bool check_units(const carom_recording *rec, const reader *r)
{
    double *heights = malloc((size_t)(rec->record_count + 1) * sizeof *heights), size = tracked_size(&rec->body);
    int count = 0;
    for (int i = 0; i < rec->record_count && heights; i++) {
        const carom_vec3 x = rec->poses[rec->records[i].first + rec->records[i].count - 1].x;
        heights[count++] = fabs((rec->body.dim == 3 ? x.z : x.y) - rec->body.floor);
    }
    double height = heights ? median_of(heights, count) : size;
    free(heights);
    if (height > size / UNITS && height < size * UNITS)
        return true;
    const carom_record *first = &rec->records[0];
    return reader_fail(
        r, NULL,
        "%s %s, frame %d and others: records end with the centre %.4g m over the floor, and the body has a "
        "radius of %.4g m: are all lengths in metres?",
        rec->column[0], first->name, first->count - 1, height, size);
}

static bool read_text(table *t, char *text, carom_text *here)
{
    bool fine = true, head = false;
    char *cells[COLUMNS];
    for (char *next = text; fine && next;) {
        char *line = next, *end = strchr(line, '\n');
        here->line++;
        if (end)
            *end = 0;
        next = end ? end + 1 : NULL;
        if (!line[strspn(line, " \t\r")] || line[0] == '#')
            continue;
        int count = split_cells(line, cells);
        fine = head ? read_row(t, cells, count) : read_head(t, cells, count);
        head = true;
    }
    return fine;
}

static void finish(carom_recording *rec)
{
    for (int i = 0; i < rec->record_count; i++) {
        carom_record *record = &rec->records[i];
        if (record->count < LEAST_FRAMES)
            blame(record, CAROM_RECORD_FAULT_SHORT, 0, record->count);
        rec->faults[record->fault]++;
    }
}

/* The bytes as text in new memory: unpacked where they are packed, without a byte order mark. */
static char *plain_text(const carom_text *in, const reader *r)
{
    bool packed = in->length > 2 && (unsigned char)in->bytes[0] == 0x1F && (unsigned char)in->bytes[1] == 0x8B;
    size_t length = in->length;
    char *unpacked = packed ? carom_gunzip(in->bytes, in->length, &length) : NULL;
    if (packed && !unpacked)
        return reader_fail(r, NULL, "a gzip file that is damaged"), NULL;
    const char *bytes = packed ? unpacked : in->bytes;
    size_t mark = length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    char *text = malloc(length - mark + 1);
    if (text) {
        memcpy(text, bytes + mark, length - mark);
        text[length - mark] = 0;
    } else
        reader_fail(r, NULL, "out of memory");
    free(unpacked);
    return text;
}

bool carom_recording_read(carom_recording *rec, const carom_text *in, carom_case_error *error)
{
    static const carom_case_error nothing;
    carom_text here = {in->file, 0, NULL, 0}, whole = {in->file, 1, NULL, 0};
    reader all = {&whole, error}, r = {&here, error};
    table t = {.rec = rec, .r = &r};
    *error = nothing;
    char *text = plain_text(in, &all);
    bool fine = text && read_text(&t, text, &here);
    free(text);
    if (fine && rec->record_count == 0)
        return reader_fail(&all, NULL, "no records in it");
    if (fine)
        finish(rec);
    fine = fine && check_units(rec, &all);
    return fine && ((find_jitter(rec) && recording_fill(rec)) || reader_fail(&all, NULL, "out of memory"));
}

void carom_recording_free(carom_recording *rec)
{
    static const carom_recording nothing;
    json_decref(rec->document);
    free(rec->records);
    free(rec->poses);
    free(rec->impacts);
    free(rec->impact_record);
    *rec = nothing;
}
