/* "stroke" of a case or a scene: a cue, a ball and a table as bodies and contacts. */
#include "carom/stroke.h"

#include "carom/elementary.h"
#include "io/case/format.h"

static const place stroke_place = {NULL, "stroke"};

/* The stroke itself, over what stroke holds; what no object can say alone is checked here. */
bool reader_stroke(const reader *r, const json_t *object, carom_stroke *s)
{
    place ball = {&stroke_place, "ball"}, cue = {&stroke_place, "cue"};
    const json_t *a = json_object_get(object, "ball"), *b = json_object_get(object, "cue");
    a = json_is_object(a) ? a : NULL; /* in a scene the name of a body */
    if ((a && !reader_object(r, &ball, a, FORMAT_stroke_ball)) || (b && !reader_object(r, &cue, b, FORMAT_cue)))
        return false;
    reader_take(object, "speed", &s->speed);
    reader_take(object, "elevation", &s->elevation);
    reader_take(object, "direction", &s->direction);
    reader_take(object, "side", &s->side);
    reader_take(object, "height", &s->height);
    reader_take(a, "mass", &s->ball_mass);
    reader_take(a, "radius", &s->ball_radius);
    reader_take(b, "mass", &s->cue_mass);
    reader_take(b, "length", &s->cue_length);
    reader_take(b, "radius", &s->cue_radius);
    reader_take(b, "com", &s->cue_com);
    place elevation = {&stroke_place, "elevation"}, side = {&stroke_place, "side"};
    if (!(s->elevation >= 0 && s->elevation <= 1.5707963267948966))
        return reader_fail(r, &elevation, "must be from 0 to pi/2 (is %g): the cue is above the table", s->elevation);
    if (!(s->side * s->side + s->height * s->height < 1))
        return reader_fail(r, &side, "side and height are (%g, %g) radii: the tip misses the ball", s->side, s->height);
    return true;
}

bool read_stroke(const reader *r, const json_t *document, carom_case *c)
{
    const json_t *object = json_object_get(document, "stroke");
    carom_stroke stroke = carom_stroke_default();
    c->dim = 3;
    if (!reader_object(r, &stroke_place, object, FORMAT_stroke) || !reader_stroke(r, object, &stroke) ||
        !case_allocate(r, c, 2, 0))
        return false;
    c->names[0] = "ball";
    c->names[1] = "cue";
    const carom_status status = carom_stroke_bodies(&stroke, c->bodies, c->pairs);
    r->error->status = status;
    return status == CAROM_STATUS_OK ? reduce_bodies(r, &stroke_place, c) : reader_refuse(r, &stroke_place, status);
}

bool read_stroke_coefficients(const reader *r, const json_t *object, carom_coeffs coeffs[2])
{
    place tip = {&stroke_place, "tip"}, table = {&stroke_place, "table"};
    return reader_coefficients(r, &tip, json_object_get(object, "tip"), &coeffs[0]) &&
           reader_coefficients(r, &table, json_object_get(object, "table"), &coeffs[1]);
}

/* Does the tip slip from its first instant? */
static bool is_miscue(const carom_result *result)
{
    for (int i = 0; i < result->contact_event_count; i++)
        if (result->contact_events[i].kind == CAROM_TOGETHER_EVENT_SLIP && result->contact_events[i].contact == 0)
            return result->contact_events[i].time == 0;
    return false;
}

bool carom_case_stroke(const carom_case *c, const carom_result *result, carom_stroke_result *out)
{
    const json_t *object = json_object_get(c->document, "stroke");
    double gravity = 9.81;
    if (!object || !c->together)
        return false;
    const carom_vec3 v = result->bodies[0].velocity, d = c->bodies[1].velocity;
    reader_take(object, "gravity", &gravity);
    out->squirt = carom_atan2(d.x * v.y - d.y * v.x, d.x * v.x + d.y * v.y);
    out->miscue = is_miscue(result);
    out->slide = carom_slide_of(&result->bodies[0], -c->pairs[1].contact.arm_a.z, c->coeffs[1].mu, gravity);
    return true;
}
