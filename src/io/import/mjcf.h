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

/* The joints of a body, link number i: how it hangs on its parent, where it begins, and where the joint is in the body.
 * shift: where the frame of the parent's link is in the frame of its body. Links may be added: pointers to them end. */
bool mjcf_read_joints(mjcf *j, int i, carom_vec3 shift, carom_vec3 *at);

/* A share of the mass of a link for the pieces between its joints. */
void mjcf_share_mass(model *m, model_link *l);

/* The first keyframe; later ones are not taken. After the joints: has it as many numbers as they have? */
bool mjcf_read_keyframe(mjcf *j, xml *root);
bool mjcf_check_keyframe(const mjcf *j, xml *root);

#endif
