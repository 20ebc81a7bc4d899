/* Carom: the stroke of a cue on a ball that lies on a table, two contacts at once.
 *
 *     carom_stroke stroke = carom_stroke_default();               4 m/s, level, through the centre
 *     stroke.elevation = 1.0, stroke.side = 0.4;
 *     carom_body bodies[2];                                       the ball, the cue
 *     carom_pair pairs[2];                                        the tip on the ball, the ball on the table
 *     carom_status status = carom_stroke_bodies(&stroke, bodies, pairs);
 *     carom_bodies set = {2, bodies, 2, pairs, 3};                to carom_bodies_contacts, carom_together_solve,
 *                                                                 carom_bodies_push
 *     carom_slide slide = carom_slide_of(&bodies[0], radius, mu, g);
 *
 * The table is the plane z = 0, the ball touches it, and the cue moves along itself. docs/guide/stroke.md. */
#ifndef CAROM_STROKE_H
#define CAROM_STROKE_H

#include "carom/body.h"
#include "carom/contacts.h"
#include "carom/export.h"

CAROM_BEGIN

typedef struct carom_stroke {
    double speed;                  /* of the cue, along itself, m/s */
    double elevation;              /* of the cue above the table, 0 ... pi/2 */
    double direction;              /* of the stroke seen from above, from x towards y, rad */
    double side, height;           /* of the tip, in radii of the ball: to the left of and above the cue's line through
                                      the centre of the ball, seen along the cue */
    double ball_mass, ball_radius; /* a uniform ball */
    double cue_mass, cue_length, cue_radius; /* moments of a uniform cylinder, ... */
    double cue_com;                          /* ... centre of mass this far behind the tip */
} carom_stroke;

/* A pool ball and a cue of 0.54 kg; 1 m/s, level, through the centre. */
CAROM_API carom_stroke carom_stroke_default(void);

/* Ball and cue before the stroke, and the contacts of tip and table. CAROM_STATUS_OUT_OF_RANGE where the tip misses the
 * ball or the cue is below the table. */
CAROM_API CAROM_MUST_USE carom_status carom_stroke_bodies(const carom_stroke *stroke, carom_body bodies[2],
                                                          carom_pair pairs[2]);

/* How a ball slides on a table until it rolls: along a parabola, with constant friction. */
typedef struct carom_slide {
    double time;           /* until it rolls */
    double x, y;           /* way until then */
    double v_x, v_y;       /* velocity from then on */
    double slip_x, slip_y; /* velocity of the contact point at the beginning */
} carom_slide;

CAROM_API carom_slide carom_slide_of(const carom_body *ball, double radius, double mu, double gravity);

CAROM_END

#endif
