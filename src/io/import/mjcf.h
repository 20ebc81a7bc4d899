/* Inside the reader of MJCF. */
#ifndef CAROM_IO_MJCF_H
#define CAROM_IO_MJCF_H

#include "io/import/model.h"

typedef struct mjcf {
    model *m;
    xml *root, *defaults; /* the main class */
    double angle;         /* rad per unit of angles */
    const char *meshes;   /* folder, or null */
    int nq, nv;           /* coordinates and speeds of the joints read so far, as MuJoCo counts them */
    double *q, *v;        /* of the first keyframe, or null */
    int q_count, v_count;
} mjcf;

/* An attribute of an element, or of its class or a class around it; null: none has it. */
const char *mjcf_get(const mjcf *j, xml *e, const char *name);
bool mjcf_numbers(const mjcf *j, xml *e, const char *name, double *out, int count);

/* The joints of a body: how its link hangs on its parent, where it begins, and where the joint is in the body. */
bool mjcf_read_joints(mjcf *j, xml *body, model_link *l, carom_vec3 *at);

/* The first keyframe; later ones are not taken. After the joints: has it as many numbers as they have? */
bool mjcf_read_keyframe(mjcf *j, xml *root);
bool mjcf_check_keyframe(const mjcf *j, xml *root);

#endif
