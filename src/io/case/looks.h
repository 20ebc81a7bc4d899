/* What the things of a case look like, for pictures. Read again from the document, which the case owns: solving needs
 * none of it. */
#ifndef CAROM_IO_LOOKS_H
#define CAROM_IO_LOOKS_H

#include "carom/case.h"
#include "carom/mechanism.h"
#include "carom/shape.h"

/* The shape of a body of the case and how it is turned; false when the case gives none. */
bool look_shape(const carom_case *c, const char *body, carom_shape *shape, carom_quat *turn);

/* A link in the world. */
typedef struct link_look {
    const char *name;
    int parent; /* or CAROM_WORLD */
    carom_joint_type joint;
    carom_vec3 origin, com;
} link_look;

/* The links of a case and the point where they are struck; the caller frees the list. */
typedef struct links_look {
    int count;
    int link, against; /* who meets whom; against may be CAROM_WORLD */
    carom_vec3 point;
    carom_frame axes;
    link_look *list;
} links_look;

/* The links and contact number i, from 0. False when the case is no mechanism of links, or memory ended. */
bool look_links(const carom_case *c, int i, links_look *look);

#endif
