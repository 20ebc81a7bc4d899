/* The things of a scene in the world, and how they come on paper: bodies, links, contacts, arrows. plot_scene.c makes
 * the list, stage.c draws it. */
#ifndef CAROM_IO_STAGE_H
#define CAROM_IO_STAGE_H

#include "carom/mechanism.h"
#include "carom/shape.h"
#include "io/plot/chart.h"

enum { STAGE_BODIES = 64, STAGE_CONTACTS = 64, STAGE_BARS = 256, STAGE_ARROWS = 2 * (STAGE_BODIES + STAGE_CONTACTS) };

/* A body: its shape, turned, or the ellipsoid of the points x with x . ellipsoid^-1 x = 1 around its centre. */
typedef struct solid_body {
    const char *name;
    carom_vec3 centre;
    bool is_fixed, is_shape;
    carom_shape shape;
    carom_quat turn;
    carom_sym3 ellipsoid;
} solid_body;

/* A stretch of a link, and the joint at its beginning. */
typedef struct link_bar {
    carom_vec3 from, to;
    bool has_joint, on_world;
    carom_joint_type joint;
} link_bar;

/* A contact and its axes between two bodies of the stage (or -1); is_ground: B is immovable and has no shape. */
typedef struct stage_contact {
    carom_vec3 at;
    carom_frame axes;
    int a, b;
    bool is_ground;
} stage_contact;

typedef struct stage_arrow {
    carom_vec3 from, along; /* along: a velocity, an impulse or a direction */
    unsigned rgb;           /* says which */
} stage_arrow;

typedef struct stage {
    picture *p;
    frame f;
    carom_vec3 right, up, out; /* the axes of the paper in the world; out points to the reader */
    bool is_planar;            /* everything lies in the plane z = 0 */
    bool axonometric;
    double size; /* of the largest body, m */
    int body_count, bar_count, contact_count, arrow_count;
    solid_body bodies[STAGE_BODIES];
    link_bar bars[STAGE_BARS];
    stage_contact contacts[STAGE_CONTACTS];
    stage_arrow arrows[STAGE_ARROWS];
} stage;

/* Arrows are told apart by colour. */
#define BEFORE_COLOUR  BLUE
#define AFTER_COLOUR   RED
#define IMPULSE_COLOUR PURPLE
#define NORMAL_COLOUR  GREEN

/* Zero arrows are left out. */
void stage_add_arrow(stage *s, carom_vec3 from, carom_vec3 along, unsigned rgb);

/* How far the body reaches from its centre: the point that is farthest along d, a unit vector. */
carom_vec3 solid_support(const solid_body *b, carom_vec3 d);

/* Choose the view and the scales once everything is on the stage. */
void stage_look(stage *s);

/* Everything, into the frame. */
void stage_draw(const stage *s);

#endif
