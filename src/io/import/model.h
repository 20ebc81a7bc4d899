/* Inside carom-io: what the three formats have in common. */
#ifndef CAROM_IO_MODEL_H
#define CAROM_IO_MODEL_H

#include "carom/import.h"
#include "carom/sim.h"
#include "io/import/xml.h"

typedef struct pose {
    carom_vec3 x;
    carom_quat q;
} pose;

enum { NAME_MOST = 96 };

/* A shape in the frame of its link. */
typedef struct model_geom {
    carom_solid solid; /* a shape, a half-space, a hull or a mesh (freed with the model) */
    pose at;
    double density;     /* MJCF: where the link has no inertia of its own */
    double mu, e;       /* negative: the format does not say */
    bool no_contact;    /* it has mass, and touches nothing */
    int type, affinity; /* MJCF: two shapes touch where a bit of one's type is in the other's affinity */
} model_geom;

/* Freedoms of a joint that links have no word for: then the link is "free", and a joint of the scene holds it. */
typedef struct model_bond {
    bool is_used;
    int linear, angular;                 /* freedoms */
    carom_vec3 line, of_parent, of_link; /* at rest, in the joint frame */
} model_bond;

typedef struct model_link {
    char name[NAME_MOST], parent[NAME_MOST]; /* empty parent: the world */
    xml *from;
    char leans_on[NAME_MOST]; /* SDF: the link that its pose is given in, or empty ... */
    pose direct;              /* ... and the pose there */
    bool is_moved;            /* SDF: its frame has moved to its joint */
    const char *joint;        /* a word of scenes: "fixed", "revolute", "prismatic", "spherical", "planar", "free" */
    pose at;                  /* of the joint at rest, in the frame of the parent's link */
    carom_vec3 axis;
    double mass;
    carom_vec3 com;
    carom_sym3 inertia; /* about com, axes of the link */
    model_bond bond;
    pose start;                 /* displacement of the joint at the start */
    carom_vec3 velocity, omega; /* of the origin of the link and of its turn, axes of the joint frame */
    double q[7], qdot[6];       /* the same as coordinates and speeds */
    bool is_static;             /* part of the world */
    int piece_of;               /* MJCF: the number of the link, from 1, whose joints it lies between; or 0 */
    int family;                 /* links of one family do not collide; 0: none */
    model_geom *geoms;
    int geom_count;
} model_link;

typedef struct model {
    const char *path;
    char *why;
    model_link *links;
    int link_count;
    carom_vec3 gravity;
    double mu, e;       /* of pairs that nothing is said of */
    bool mu_is_largest; /* mixing: of MuJoCo; else the smallest counts, as in ODE */
    char name[NAME_MOST];
    const char **excludes; /* pairs of names of links that do not collide: two for each */
    int exclude_count;
    carom_json *notes; /* warnings found while reading, or null */
} model;

void model_free(model *m);
void model_free_geoms(model_link *l);
bool model_fail(const model *m, const xml *e, const char *format, ...);
void model_note(model *m, const model_link *l, const char *format, ...);
model_link *model_add_link(model *m, xml *from);
model_geom *model_add_geom(model *m, model_link *l);

pose pose_none(void);
pose pose_times(pose a, pose b);
pose pose_inverse(pose a);
carom_vec3 pose_turned(carom_quat q, carom_vec3 v);
carom_quat quat_unit(const double q[4]); /* none for zero */
carom_quat quat_about(carom_vec3 axis, double angle);
carom_quat quat_of_rpy(double roll, double pitch, double yaw);
carom_vec3 vec_of(const double x[3]);
carom_sym3 inertia_turned(carom_quat q, carom_sym3 I);

/* Coordinates and speeds of the joint from its displacement and motion; into the link of a scene; joints of bonds. */
void model_set_state(model_link *l);
void model_put_state(const model_link *l, carom_json *link);
carom_json *model_bonds(const model *m);

/* Numbers of an attribute or a text: exactly so many, or none (then out stays). False after a complaint. */
bool model_numbers(const model *m, const xml *e, const char *text, double *out, int count);

/* The points of the hull of a mesh file. False after a complaint. */
bool model_hull(const model *m, const xml *e, const char *file, const double scale[3], carom_solid *solid);

/* The same of points in the text; the triangles of a mesh file as ground. */
bool model_points(const model *m, const xml *e, const char *text, const double scale[3], carom_solid *solid);
bool model_surface(const model *m, const xml *e, const char *file, const double scale[3], carom_solid *solid);

/* Where the centre of a shape is, in the frame of the link: hulls are given from any origin. */
carom_vec3 geom_middle(const model_geom *g);

/* Mass, centre and inertia of a link from its shapes and their densities. */
bool model_weigh(const model *m, model_link *l);

bool model_read_urdf(model *m, xml *root);
bool model_read_mjcf(model *m, xml *root);
bool model_read_sdf(model *m, xml *root);

/* URDF: a link without mass that is fixed is part of what holds it, a root without mass part of the link that is fixed
 * to it or of the world. False after a complaint: one that moves needs a mass. */
bool model_fuse_massless(model *m);

/* What a link is called in the scene; ground: the number of its shape, from 1, where it is part of the world. */
void model_body_name(const model_link *l, int ground, char *out, size_t size);

/* "no_contact" of the scene. */
void model_add_no_contact(model *m, carom_json *scene);

/* The scene; null after a complaint. */
carom_json *model_scene(model *m);
carom_json *model_losses(const xml *root);
carom_json *model_warnings(model *m);

#endif
