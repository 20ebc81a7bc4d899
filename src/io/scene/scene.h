/* Inside carom-io: the parts of a scene file. */
#ifndef CAROM_IO_SCENE_H
#define CAROM_IO_SCENE_H

#include "carom/mechanism.h"
#include "carom/mesh.h"
#include "carom/scene_file.h"
#include "io/case/reader.h"

/* Memory that is handed out in pieces and freed as one: a list of blocks. */
typedef struct scene_block {
    struct scene_block *next;
    max_align_t start[];
} scene_block;

/* Zeroed memory for count things; null after a complaint when there is none. */
void *scene_take(const reader *r, carom_scene_file *file, size_t count, size_t size);

/* A name with a number, from 1: "pairs[2]". */
typedef struct scene_name {
    char text[32];
} scene_name;

scene_name scene_numbered(const char *word, size_t i);

/* 3 numbers, or the x and y of a planar scene. A missing key leaves the vector as it was. */
bool reader_world(const reader *r, const place *at, const json_t *object, int dim, carom_vec3 *v);

/* "shape" of a body or of a part of a compound. */
bool scene_solid(const reader *r, const place *body, const json_t *object, carom_scene_file *file, carom_solid *solid);

/* The shapes "mesh" and "height-field" of a body. */
bool scene_mesh(const reader *r, const place *at, const json_t *object, carom_scene_file *file, carom_solid *solid);
bool scene_height_field(const reader *r, const place *at, const json_t *object, carom_scene_file *file,
                        carom_solid *solid);

/* What the mesh that a body is made of weighs; null: it is made of none. */
const carom_mesh_measure *scene_mesh_found(const carom_scene_file *file, const json_t *object);

/* "bodies", with the materials they name. */
typedef struct scene_materials {
    const char **words; /* number 0 is for bodies that name none */
    int count;
} scene_materials;

/* Put the copies that "repeat" asks for into "bodies" of the document; file->given keeps the tree as it was. */
bool scene_repeat(const reader *r, carom_scene_file *file);

bool scene_bodies(const reader *r, const json_t *document, carom_scene_file *file, scene_materials *materials);

/* The number of the material that a body or link names. */
bool scene_material(const reader *r, const place *at, const json_t *object, scene_materials *materials, int *number);

/* Shape, mass and inertia of a link as those of body i; its place follows from the joints. */
bool scene_link_body(const reader *r, const place *at, const json_t *object, carom_scene_file *file, int i);

/* "path" of body i, which has been read otherwise. */
bool scene_path(const reader *r, const place *body, const json_t *object, carom_scene_file *file, int i);

/* Forces on the next body, number scene.body_count: its own keys, or the keys of the document. */
bool scene_fields(const reader *r, const place *at, const json_t *object, const json_t *document,
                  carom_scene_file *file);

/* The links of a scene: bodies first, first + 1, ... */
typedef struct scene_tree {
    int count, first;
    carom_link_def *defs;
    carom_link *links;
    carom_link_state *states;
    carom_freedom *freedoms;
    double *q, *qdot; /* where they begin */
    int nq, nv;
} scene_tree;

/* "links" and "joints", after the bodies. */
bool scene_mechanisms(const reader *r, const json_t *document, carom_scene_file *file, scene_materials *materials);

/* "no_contact", after bodies and links. */
bool scene_no_contact(const reader *r, const json_t *document, carom_scene_file *file);

/* "law", "coefficients", "pairs", "together" and the options. */
bool scene_rules(const reader *r, const json_t *document, carom_scene_file *file, const scene_materials *materials);
/* "stroke", after bodies and rules. */
bool scene_stroke(const reader *r, const json_t *document, carom_scene_file *file);

bool scene_check_rules(const reader *r, const carom_scene_file *file);
bool scene_check_patches(const reader *r, const carom_scene *scene);

/* Law, coefficients and options of a contact, into a case. */
void scene_set_rule(json_t *document, const carom_rule *rule);
void scene_set_together_rule(json_t *document, const carom_together_rule *rule);
json_t *scene_together_coefficients(const carom_scene_file *file, const carom_sim_contact *x);

/* A matrix of inertia as a case has it. */
json_t *scene_inertia_json(int dim, carom_sym3 inertia);

#endif
