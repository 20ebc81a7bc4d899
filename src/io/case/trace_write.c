/* A trace as JSON and as CSV. */
#include <stdio.h>

#include "carom/json_short.h"
#include "carom/trace.h"

/* ---- JSON ---- */

static json_t *numbers(const double *x, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(array, json_real(x[i] + 0.0));
    return array;
}

static const char *contact_mode(double mode)
{
    return carom_together_mode_word((carom_together_mode)mode);
}

static json_t *at_contact(const carom_trace_field *f, const double *x)
{
    return f->kind == CAROM_TRACE_NUMBER         ? json_real(x[0] + 0.0)
           : f->kind == CAROM_TRACE_CONTACT_MODE ? json_string(contact_mode(x[0]))
                                                 : numbers(x, f->size);
}

static json_t *value_of(const carom_trace *t, const carom_trace_field *f, int i)
{
    const double *x = t->numbers + (size_t)i * (size_t)t->width + f->at;
    if (f->kind == CAROM_TRACE_MODE)
        return json_string(t->modes[i]);
    if (!f->per_contact)
        return at_contact(f, x);
    json_t *list = json_array();
    for (int k = 0; k < t->contacts; k++)
        json_array_append_new(list, at_contact(f, x + k * f->size));
    return list;
}

static json_t *point(const carom_trace *t, int i)
{
    json_t *out = json_object();
    for (int k = 0; k < t->field_count; k++)
        json_object_set_new(out, t->fields[k].key, value_of(t, &t->fields[k], i));
    if (t->events[i][0])
        json_object_set_new(out, "event", json_string(t->events[i]));
    return out;
}

carom_json *carom_trace_json(const carom_trace *t)
{
    static const char *const kept[] = {"name", "law", "status", "phases", "path", "modes"};
    json_t *all = json_object(), *points = json_array();
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        json_object_set(all, kept[i], json_object_get(t->answer, kept[i]));
    for (int i = 0; i < t->count; i++)
        json_array_append_new(points, point(t, i));
    json_object_set_new(all, "points", points);
    json_object_set(all, "events", json_object_get(t->answer, "events"));
    return all;
}

/* ---- CSV ---- */

static const char *axis_of(const carom_trace *t, int k)
{
    static const char *const planar[] = {"t", "n"}, *const spatial[] = {"t1", "t2", "n", "n", "t1", "t2"};
    return t->dim == 3 ? spatial[k] : planar[k];
}

/* The number in column k. The normal of an impulse at one contact comes first, since the path goes along it. */
static int order_of(const carom_trace *t, const carom_trace_field *f, int k)
{
    return f == &t->fields[0] && f->kind == CAROM_TRACE_AXES && k < t->dim ? (k + t->dim - 1) % t->dim : k;
}

/* With a patch impulses go on with moments, velocities with spins. */
static const char *letter_of(const carom_trace *t, const carom_trace_field *f, int k)
{
    return f->kind != CAROM_TRACE_AXES || k < t->dim ? f->key : f == &t->fields[0] ? "m" : "w";
}

/* "p_t1", "m_n", "qdot_3", "time"; at a contact of several "p_t1_2". */
static void put_head(FILE *out, const carom_trace *t, const carom_trace_field *f, int contact)
{
    for (int k = 0; k < (f->size ? f->size : 1); k++) {
        fputs(letter_of(t, f, k), out);
        if (f->kind == CAROM_TRACE_AXES)
            fprintf(out, "_%s", axis_of(t, order_of(t, f, k)));
        else if (f->kind == CAROM_TRACE_LIST)
            fprintf(out, "_%d", k + 1);
        if (contact)
            fprintf(out, "_%d", contact);
        fputc(',', out);
    }
}

static void put_values(FILE *out, const carom_trace *t, const carom_trace_field *f, const double *x)
{
    char text[CAROM_NUMBER_SIZE];
    for (int k = 0; k < f->size; k++) {
        carom_number_print(text, x[order_of(t, f, k)] + 0.0);
        fprintf(out, "%s,", f->kind == CAROM_TRACE_CONTACT_MODE ? contact_mode(x[0]) : text);
    }
}

/* What all contacts share, then one contact after the other. i < 0: the head. */
static void put_row(FILE *out, const carom_trace *t, int i)
{
    const double *row = i < 0 ? NULL : t->numbers + (size_t)i * (size_t)t->width;
    for (int contact = 0; contact <= (t->together ? t->contacts : 0); contact++)
        for (int k = 0; k < t->field_count; k++) {
            const carom_trace_field *f = &t->fields[k];
            if (f->per_contact != (contact > 0))
                continue;
            if (i < 0)
                put_head(out, t, f, contact);
            else if (f->kind == CAROM_TRACE_MODE)
                fprintf(out, "%s,", t->modes[i]);
            else
                put_values(out, t, f, row + f->at + (contact ? (contact - 1) * f->size : 0));
        }
    fprintf(out, "%s\n", i < 0 ? "event" : t->events[i]);
}

void carom_trace_csv(FILE *out, const carom_trace *t)
{
    for (int i = -1; i < t->count; i++)
        put_row(out, t, i);
}
