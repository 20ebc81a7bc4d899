/* Recordings to impacts, and impacts to lines of data. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rotate.h"
#include "io/track/recording_parts.h"

enum { IMPACTS = 64 }; /* of one record, at most */

#define OPEN 6.0 /* medians of the closure */

static bool add_impacts(carom_recording *rec, int record, int count, const carom_track_impact *impacts)
{
    if (rec->impact_count + count > rec->impact_room) {
        int room = 2 * rec->impact_room + IMPACTS;
        void *more = realloc(rec->impacts, (size_t)room * sizeof *rec->impacts);
        rec->impacts = more ? more : rec->impacts;
        void *numbers = more ? realloc(rec->impact_record, (size_t)room * sizeof *rec->impact_record) : NULL;
        rec->impact_record = numbers ? numbers : rec->impact_record;
        if (!numbers)
            return false;
        rec->impact_room = room;
    }
    for (int i = 0; i < count; i++) {
        rec->impact_record[rec->impact_count] = record;
        rec->impacts[rec->impact_count++] = impacts[i];
        rec->left_out[impacts[i].why]++;
    }
    return true;
}

/* What closes far worse than most is no impact at one contact, whatever the law. */
static void leave_open_ones_out(carom_recording *rec)
{
    static const carom_closure_wants nothing;
    carom_closure c;
    carom_tracked body = rec->body;
    if (carom_tracked_close(&body, nothing, rec->impact_count, rec->impacts, &c) != CAROM_STATUS_OK)
        return;
    for (int i = 0; i < rec->impact_count; i++) {
        carom_track_impact *m = &rec->impacts[i];
        if (!m->why && carom_vec3_length(m->closure) > OPEN * c.median) {
            m->why = CAROM_LEFT_OUT_NOT_CLOSED;
            rec->left_out[m->why]++;
            rec->left_out[CAROM_LEFT_OUT_NOTHING]--;
        }
    }
}

bool carom_recording_reduce(carom_recording *rec, carom_case_error *error)
{
    carom_track_impact *found = malloc(IMPACTS * sizeof *found);
    unsigned char *marks = malloc((size_t)rec->frame_count + 1);
    bool fine = found && marks;
    rec->impact_count = 0;
    memset(rec->left_out, 0, sizeof rec->left_out);
    for (int i = 0; i < rec->record_count && fine; i++) {
        const carom_record *record = &rec->records[i];
        if (record->fault)
            continue;
        int count = carom_track_impacts(&rec->body, record->count, rec->poses + record->first, marks, IMPACTS, found);
        fine = add_impacts(rec, i, count, found);
    }
    free(found);
    free(marks);
    if (!fine)
        return carom_request_fail(error, "", "out of memory");
    leave_open_ones_out(rec);
    carom_tracked_weigh(&rec->body, rec->impact_count, rec->impacts);
    if (rec->left_out[CAROM_LEFT_OUT_NOTHING] == 0)
        return carom_request_fail(error, "", "no impact between two flights in %d records, %d of which have faults",
                                  rec->record_count, rec->record_count - rec->faults[CAROM_RECORD_FAULT_NONE]);
    return true;
}

/* ---- as JSON ---- */

json_t *json_numbers(const double *numbers, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(array, json_real(numbers[i]));
    return array;
}

static json_t *vector(carom_vec3 v, int dim)
{
    const double x[3] = {v.x, v.y, v.z};
    return json_numbers(x, dim);
}

/* omega: a number in the plane. */
static json_t *spin(carom_vec3 w, int dim)
{
    return dim == 3 ? vector(w, 3) : json_real(w.z);
}

/* The covariance of v and omega; in the plane of v_x, v_y and omega_z. */
static json_t *matrix(const double *S, int dim)
{
    static const int spatial[] = {0, 1, 2, 3, 4, 5}, planar[] = {0, 1, 5};
    const int *of = dim == 3 ? spatial : planar, n = dim == 3 ? 6 : 3;
    json_t *rows = json_array();
    for (int i = 0; i < n; i++) {
        double row[6];
        for (int j = 0; j < n; j++)
            row[j] = S[6 * of[i] + of[j]];
        json_array_append_new(rows, json_numbers(row, n));
    }
    return rows;
}

static json_t *body_json(const carom_recording *rec, const carom_track_impact *m)
{
    int dim = rec->body.dim;
    const double q[4] = {m->pose.q.w, m->pose.q.x, m->pose.q.y, m->pose.q.z};
    json_t *a = json_pack("{s:f, s:o, s:o, s:o}", "mass", 1.0, "inertia",
                          dim == 3 ? vector(rec->body.inertia, 3) : json_real(rec->body.inertia.z), "velocity",
                          vector(m->v[0], dim), "omega", spin(m->omega[0], dim));
    if (dim == 3)
        json_object_set_new(a, "orientation", json_numbers(q, 4));
    return a;
}

/* The angle psi of the arm from the normal, and of the shape that touches. */
static json_t *notes_json(const carom_recording *rec, const carom_track_impact *m)
{
    const carom_tracked *b = &rec->body;
    carom_vec3 up = carom_tracked_up(b);
    double lift = -carom_vec3_dot(m->arm, up), reach = carom_vec3_length(m->arm);
    return json_pack("{s:i, s:f, s:f, s:i, s:f, s:o, s:f}", "frame", m->first, "time", m->time, "depth", m->depth,
                     "point", m->contacts[0], "psi", acos(fmin(1, lift / reach)), "closure",
                     b->dim == 3 ? vector(m->closure, 3) : json_real(m->closure.z), "closure_length",
                     carom_vec3_length(m->closure));
}

/* From the centre of mass to the contact k of an impact. */
static carom_vec3 arm_of(const carom_tracked *b, const carom_track_impact *m, int k)
{
    const int i = m->contacts[k];
    carom_vec3 centre = carom_vec3_sub(b->corner[i], carom_vec3_scale(b->radius, b->inward[i]));
    return carom_vec3_sub(quat_turn(m->pose.q, carom_vec3_sub(centre, b->com)),
                          carom_vec3_scale(b->radius, carom_tracked_up(b)));
}

static json_t *contact_json(const carom_tracked *b, const carom_track_impact *m, int k)
{
    return json_pack("{s:o, s:o}", "arm_a", vector(k ? arm_of(b, m, k) : m->arm, b->dim), "normal",
                     vector(carom_tracked_up(b), b->dim));
}

/* One contact as "contact" of bodies a and b; several as the list "contacts" of body a and the world. */
static void set_contacts(const carom_recording *rec, const carom_track_impact *m, json_t *line)
{
    if (m->contact_count == 1) {
        json_object_set_new(json_object_get(line, "bodies"), "b", json_pack("{s:b}", "fixed", 1));
        json_object_set_new(line, "contact", contact_json(&rec->body, m, 0));
        return;
    }
    json_t *list = json_array();
    for (int k = 0; k < m->contact_count; k++) {
        json_t *contact = contact_json(&rec->body, m, k);
        json_object_set_new(contact, "a", json_string("a"));
        json_array_append_new(list, contact);
    }
    json_object_set_new(line, "contacts", list);
}

json_t *carom_recording_impact_json(const carom_recording *rec, int i)
{
    const carom_track_impact *m = &rec->impacts[i];
    const carom_record *record = &rec->records[rec->impact_record[i]];
    int dim = rec->body.dim;
    char name[2 * CAROM_RECORD_NAME];
    snprintf(name, sizeof name, "%s@%d", record->name, m->first);
    json_t *after = json_pack("{s:o, s:o}", "velocity", vector(m->v[1], dim), "omega", spin(m->omega[1], dim));
    json_t *line =
        json_pack("{s:s, s:s, s:{s:o}}", "name", name, "group", record->name, "bodies", "a", body_json(rec, m));
    set_contacts(rec, m, line);
    json_object_set_new(line, "measured",
                        json_pack("{s:o, s:o, s:o}", "a", after, "covariance", matrix(m->covariance[1], dim), "before",
                                  matrix(m->covariance[0], dim)));
    json_object_set_new(line, "notes", notes_json(rec, m));
    return line;
}

/* ---- the report ---- */

static json_t *faults_json(const carom_recording *rec)
{
    json_t *list = json_array();
    for (int i = 0; i < rec->record_count; i++) {
        const carom_record *record = &rec->records[i];
        if (record->fault)
            json_array_append_new(
                list, json_pack("{s:s, s:i, s:s, s:f}", "record", record->name, "frame", record->fault_frame, "fault",
                                carom_record_fault_meaning(record->fault), "value", record->fault_value));
    }
    return list;
}

json_t *carom_recording_report(const carom_recording *rec)
{
    static const carom_closure_wants nothing;
    carom_closure c;
    carom_tracked body = rec->body;
    json_t *left = json_object();
    for (int i = 1; i < CAROM_LEFT_OUT_COUNT; i++)
        json_object_set_new(left, carom_left_out_word((carom_left_out)i), json_integer(rec->left_out[i]));
    carom_status status = carom_tracked_close(&body, nothing, rec->impact_count, rec->impacts, &c);
    return json_pack("{s:i, s:i, s:o, s:o, s:i, s:o, s:{s:f, s:f}, s:{s:i, s:f, s:f, s:f}}", "records",
                     rec->record_count, "used", rec->faults[CAROM_RECORD_FAULT_NONE], "faults", faults_json(rec),
                     "missing", missing_json(rec), "impacts", rec->left_out[CAROM_LEFT_OUT_NOTHING], "left_out", left,
                     "noise", "position", rec->body.sigma_x, "angle", rec->body.sigma_q, "closure", "impacts",
                     status == CAROM_STATUS_OK ? c.count : 0, "rms", c.rms, "median", c.median, "change", c.rms_change);
}
