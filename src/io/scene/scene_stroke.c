/* "stroke" of a scene: a cue strikes a ball at the beginning, before the run. Ball, tip and table are resolved as the
 * two contacts that they are; the run begins with what the ball has then, and knows no cue. */
#include <stdlib.h>
#include <string.h>

#include "io/case/format.h"
#include "io/scene/scene.h"

static const place stroke_place = {NULL, "stroke"}, ball_place = {&stroke_place, "ball"};

static carom_scene_body *find_ball(const reader *r, const json_t *object, carom_scene_file *file)
{
    const char *name = json_string_value(json_object_get(object, "ball"));
    for (int i = 0; name && i < file->scene.body_count; i++) {
        carom_scene_body *body = &file->bodies[i];
        bool ball = body->solid.kind == CAROM_SOLID_SHAPE && body->solid.shape.kind == CAROM_SHAPE_SPHERE;
        if (strcmp(file->names[i], name) != 0)
            continue;
        if (!ball || body->def.fixed)
            return reader_fail(r, &ball_place, "\"%.64s\" must be a ball that can move", name), NULL;
        return body;
    }
    return reader_fail(r, &ball_place, "no body is named \"%.64s\"", name ? name : ""), NULL;
}

/* The impact of tip, ball and table; the result is the ball afterwards. */
static carom_status strike(const carom_stroke *stroke, const carom_together_rule *rule, carom_body *ball)
{
    carom_body bodies[2], after[2];
    carom_pair pairs[2];
    carom_contacts problem;
    double p[6], u_after[6];
    carom_status status = carom_stroke_bodies(stroke, bodies, pairs);
    carom_bodies set = {2, bodies, 2, pairs, 3};
    void *reduced = malloc(carom_bodies_size(&set)), *work = NULL;
    if (status == CAROM_STATUS_OK)
        status = reduced ? carom_bodies_contacts(&set, reduced, &problem) : CAROM_STATUS_NO_MEMORY;
    if (status == CAROM_STATUS_OK)
        work = malloc(carom_together_work(&problem, rule));
    if (status == CAROM_STATUS_OK && work) {
        carom_together_outcome out = {.p = p, .u_after = u_after};
        status = carom_together_solve(&problem, rule, NULL, work, &out);
        carom_bodies_push(&set, p, after);
        *ball = after[0];
    }
    free(reduced);
    free(work);
    return status;
}

bool scene_stroke(const reader *r, const json_t *document, carom_scene_file *file)
{
    const json_t *object = json_object_get(document, "stroke");
    carom_stroke stroke = carom_stroke_default();
    carom_coeffs coeffs[2] = {file->scene.rule.coeffs, file->scene.rule.coeffs};
    carom_together_rule rule = carom_together_rule_default(carom_together_find("compliant"), coeffs);
    carom_body after;
    if (!object)
        return true;
    if (!reader_object(r, &stroke_place, object, FORMAT_scene_stroke))
        return false;
    if (file->scene.dim != 3)
        return reader_fail(r, &stroke_place, "needs a scene in space");
    carom_scene_body *ball = find_ball(r, object, file);
    if (!ball || !reader_stroke(r, object, &stroke) || !read_stroke_coefficients(r, object, coeffs))
        return false;
    if (carom_coeffs_vary(&coeffs[0]) || carom_coeffs_vary(&coeffs[1]))
        return reader_fail(r, &stroke_place, "needs e and mu of \"tip\" and \"table\" as numbers");
    stroke.ball_mass = ball->def.mass;
    stroke.ball_radius = ball->solid.shape.size[0];
    carom_status status = strike(&stroke, &rule, &after);
    r->error->status = status;
    if (!carom_status_is_answer(status))
        return reader_refuse(r, &stroke_place, status);
    ball->def.velocity = after.velocity;
    ball->def.omega = after.omega;
    return true;
}
