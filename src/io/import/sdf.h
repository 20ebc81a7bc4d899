/* Inside the reader of SDF. */
#ifndef CAROM_IO_SDF_H
#define CAROM_IO_SDF_H

#include "io/import/model.h"

/* The <pose> of an element as it is written, and the frame it names with relative_to, or null. */
bool sdf_pose(const model *m, xml *e, pose *out, const char **relative_to);

/* Where a link, joint, frame or nested model ("inner", "inner::link") is, in the frame of a <model>. */
bool sdf_frame(const model *m, xml *in, const char *name, pose *out);

/* Where a child of a <model> is, in its frame. */
bool sdf_place(const model *m, xml *in, xml *e, pose *out);

/* Where something inside a link is, in the frame of the link. */
bool sdf_place_in_link(const model *m, xml *in, xml *link, xml *e, pose *out);

/* <include> becomes the <model> of the file that it names, with its own name, pose and static. */
bool sdf_follow_includes(xml *e, const char *path, char *why);

#endif
