/* The stroke of a cue: ball and cue as bodies, tip and table as contacts, and the slide that follows. */
#include "carom/stroke.h"

#include <math.h>

#include "carom/elementary.h"
#include "core/num.h"

#define HALF_PI 1.5707963267948966

carom_stroke carom_stroke_default(void)
{
    return (carom_stroke){.speed = 1,
                          .ball_mass = 0.17,
                          .ball_radius = 0.028575,
                          .cue_mass = 0.54,
                          .cue_length = 1.47,
                          .cue_radius = 0.0125,
                          .cue_com = 1.02};
}

/* Along the cue, to its left and above it: d, l and w of docs/guide/stroke.md. */
typedef struct cue_axes {
    carom_vec3 d, l, w;
} cue_axes;

static cue_axes axes_of(const carom_stroke *s)
{
    double level = carom_cos(s->elevation), c = carom_cos(s->direction), n = carom_sin(s->direction);
    cue_axes a = {{level * c, level * n, -carom_sin(s->elevation)}, {-n, c, 0}, {0, 0, 0}};
    a.w = carom_vec3_cross(a.d, a.l);
    return a;
}

/* The hit point from the centre of the ball, in radii. */
static carom_vec3 hit_of(const carom_stroke *s, const cue_axes *a)
{
    double depth = sqrt(1 - s->side * s->side - s->height * s->height);
    carom_vec3 off = carom_vec3_add(carom_vec3_scale(s->side, a->l), carom_vec3_scale(s->height, a->w));
    return carom_vec3_sub(off, carom_vec3_scale(depth, a->d));
}

static carom_status ball_of(const carom_stroke *s, carom_body *ball)
{
    carom_body_def def = carom_body_def_default();
    double I = 0.4 * s->ball_mass * s->ball_radius * s->ball_radius;
    def.mass = s->ball_mass;
    def.inertia = (carom_sym3){.xx = I, .yy = I, .zz = I};
    def.position = carom_vec3_make(0, 0, s->ball_radius);
    return carom_body_init(&def, ball);
}

/* Moments A across and B along the cue: A + (B - A) d d. */
static carom_status cue_of(const carom_stroke *s, const cue_axes *a, carom_vec3 hit, carom_body *cue)
{
    carom_body_def def = carom_body_def_default();
    carom_vec3 d = a->d, tip = carom_vec3_make(hit.x, hit.y, hit.z + s->ball_radius);
    double A = s->cue_mass * s->cue_length * s->cue_length / 12,
           drop = 0.5 * s->cue_mass * s->cue_radius * s->cue_radius - A;
    def.mass = s->cue_mass;
    def.inertia = (carom_sym3){.xx = A + drop * d.x * d.x,
                               .yy = A + drop * d.y * d.y,
                               .zz = A + drop * d.z * d.z,
                               .xy = drop * d.x * d.y,
                               .xz = drop * d.x * d.z,
                               .yz = drop * d.y * d.z};
    def.position = carom_vec3_sub(tip, carom_vec3_scale(s->cue_com, d));
    def.velocity = carom_vec3_scale(s->speed, d);
    return carom_body_init(&def, cue);
}

/* The normal points into the ball; t1 is to the left. */
static carom_status tip_of(const carom_stroke *s, const cue_axes *a, carom_vec3 hit, carom_contact *contact)
{
    carom_vec3 n = carom_vec3_scale(-1, hit);
    carom_vec3 t1 = carom_vec3_sub(a->l, carom_vec3_scale(carom_vec3_dot(a->l, n), n));
    contact->arm_a = carom_vec3_scale(s->ball_radius, hit);
    contact->arm_b = carom_vec3_scale(s->cue_com, a->d);
    return carom_frame_init_t1(n, carom_vec3_scale(1 / carom_vec3_length(t1), t1), &contact->frame);
}

static bool is_stroke(const carom_stroke *s)
{
    double off = s->side * s->side + s->height * s->height;
    bool sizes = s->ball_mass > 0 && s->ball_radius > 0 && s->cue_mass > 0 && s->cue_length > 0 && s->cue_radius > 0;
    return sizes && s->speed > 0 && off < 1 && s->elevation >= 0 && s->elevation <= HALF_PI && isfinite(s->direction) &&
           isfinite(s->cue_com);
}

carom_status carom_stroke_bodies(const carom_stroke *s, carom_body bodies[2], carom_pair pairs[2])
{
    if (!is_stroke(s))
        return CAROM_STATUS_OUT_OF_RANGE;
    const cue_axes a = axes_of(s);
    const carom_vec3 hit = hit_of(s, &a), up = {0, 0, 1}, x = {1, 0, 0};
    pairs[0] = (carom_pair){.a = 0, .b = 1};
    pairs[1] = (carom_pair){.a = 0, .b = CAROM_WORLD};
    pairs[1].contact.arm_a = carom_vec3_make(0, 0, -s->ball_radius);
    carom_status status = ball_of(s, &bodies[0]);
    if (status == CAROM_STATUS_OK)
        status = cue_of(s, &a, carom_vec3_scale(s->ball_radius, hit), &bodies[1]);
    if (status == CAROM_STATUS_OK)
        status = tip_of(s, &a, hit, &pairs[0].contact);
    return status == CAROM_STATUS_OK ? carom_frame_init_t1(up, x, &pairs[1].contact.frame) : status;
}

carom_slide carom_slide_of(const carom_body *ball, double radius, double mu, double gravity)
{
    const carom_vec3 v = ball->velocity, w = ball->omega;
    carom_slide s = {.slip_x = v.x - radius * w.y, .slip_y = v.y + radius * w.x};
    double slip = length_of(s.slip_x, s.slip_y);
    s.v_x = v.x - 2 * s.slip_x / 7;
    s.v_y = v.y - 2 * s.slip_y / 7;
    s.time = mu > 0 && gravity > 0 ? 2 * slip / (7 * mu * gravity) : 0;
    s.x = 0.5 * (v.x + s.v_x) * s.time; /* friction is constant: the mean velocity */
    s.y = 0.5 * (v.y + s.v_y) * s.time;
    return s;
}
