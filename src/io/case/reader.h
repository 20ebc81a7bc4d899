/* Reading JSON strictly: every refusal names the path of the key and the rule it breaks.
 *
 * A place is a key and the place above it, on the stack; its text is made only when something is wrong. */
#ifndef CAROM_IO_READER_H
#define CAROM_IO_READER_H

#include <stdbool.h>

#include "carom/case.h"
#include "carom/json_short.h"
#include "carom/shape.h"

typedef struct place {
    const struct place *up; /* null at the top */
    const char *key;
} place;

typedef struct reader {
    const carom_text *text;
    carom_case_error *error;
} reader;

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

/* Fill the error; always false. reader_refuse also records the status that refused. */
bool reader_fail(const reader *r, const place *at, const char *format, ...) PRINTF_LIKE(3, 4);
bool reader_refuse(const reader *r, const place *at, carom_status status);

/* The same for a number: "rule (is NUMBER)". */
bool reader_fail_number(const reader *r, const place *at, const char *rule, double number);

/* The text as JSON, an object; what it should hold ("case") is for messages. */
bool reader_parse(const reader *r, const char *what, carom_json **tree);

/* The value of "name", or null: one line without control characters. */
bool reader_name(const reader *r, const json_t *document, const char **name);

/* value must be an object with no keys but these (ended by null); with the nearest known key as a hint. */
bool reader_keys(const reader *r, const place *at, const json_t *value, const char *const *known);

/* Missing key: always false. */
bool reader_missing(const reader *r, const place *at, const char *key);

bool reader_number(const reader *r, const place *at, const json_t *value, double *number);
bool reader_bool(const reader *r, const place *at, const json_t *value, bool *flag);

/* An array of exactly count numbers. */
bool reader_vector(const reader *r, const place *at, const json_t *value, int count, double *numbers);

/* An array of rows arrays of exactly columns numbers, by rows. */
bool reader_matrix(const reader *r, const place *at, const json_t *value, int rows, int columns, double *numbers);

/* The same with equal entries on both sides of the diagonal (to 1e-10 of the largest). */
bool reader_symmetric(const reader *r, const place *at, const json_t *value, int n, double *numbers);

/* An inertia: a number in planar cases; three principal values or a 3 x 3 matrix otherwise. */
bool reader_inertia(const reader *r, const place *at, const json_t *value, int dim, carom_sym3 *inertia);

/* The shape of a body; its mass and inertia from "mass" or "density". */
bool read_shape(const reader *r, const place *body, const json_t *object, int dim, carom_shape *shape);
bool read_shape_masses(const reader *r, const place *at, const json_t *object, int dim, carom_body_def *def);

/* "material" of a body of this mass (infinite: immovable); E = 0 when it has none. */
bool reader_material(const reader *r, const place *body, const json_t *object, double mass,
                     carom_elastic_body *elastic);

/* The law that a value names, or as it was when there is no value. */
bool reader_law(const reader *r, const place *at, const json_t *value, const carom_law **law);
bool reader_together(const reader *r, const place *at, const json_t *value, const carom_together **law);

/* The coefficients of an object, over those that coeffs holds. */
bool reader_coefficients(const reader *r, const place *at, const json_t *object, carom_coeffs *coeffs);

/* A coefficient that is given as a function of the speed, and its JSON. */
bool reader_of_speed(const reader *r, const place *at, const json_t *object, carom_coeff i, carom_coeffs *coeffs);
json_t *of_speed_json(const carom_of_speed *f, double value);

/* Coefficients that are functions become numbers, at the speed of approach of their contact. */
void case_take_speeds(carom_case *c);

/* A 3-vector, or the (x, y) of a planar case, under the key of its place. Absent keys leave it as it was. */
bool reader_world(const reader *r, const place *at, const json_t *object, int dim, carom_vec3 *v);
bool reader_orientation(const reader *r, const place *at, const json_t *value, int dim, carom_quat *q);

/* The frame of a contact: its normal, and t1 when given. */
bool reader_frame(const reader *r, const place *at, const json_t *contact, int dim, carom_frame *frame);

/* "contact" of a case with one, or entry i of "contacts". */
typedef struct contact_entry {
    char key[32]; /* "contacts[2]": messages count from 1 */
    place at;
    const json_t *value; /* null where it is missing */
    bool is_listed;
} contact_entry;

void contact_entry_at(contact_entry *e, const carom_case *c, const json_t *document, int i);

/* Room in the case for its contacts, so many bodies and so many numbers; for the reduction of contacts that are solved
 * together; for M, J, qdot and the workspace of a mechanism. */
bool case_allocate(const reader *r, carom_case *c, size_t bodies, size_t numbers);
bool case_reduced(const reader *r, carom_case *c, size_t bytes);
bool mechanism_allocate(const reader *r, carom_case *c, int n, int dim);

/* ---- the parts of a case; each reads one source or the rule ---- */

bool read_bodies(const reader *r, const json_t *document, carom_case *c);
bool read_contact(const reader *r, const json_t *document, int i, carom_case *c); /* of bodies */
bool read_reduced(const reader *r, const json_t *document, carom_case *c);
bool read_mechanism(const reader *r, const json_t *document, carom_case *c);
bool read_links(const reader *r, const json_t *document, carom_case *c);
bool read_stroke(const reader *r, const json_t *document, carom_case *c);
bool read_vibration(const reader *r, const json_t *document, carom_case *c);
bool read_saltation(const reader *r, const json_t *document, carom_case *c);

/* Contacts beside K or J hold coefficients only. */
bool check_plain_contacts(const reader *r, const json_t *document, const carom_case *c);

/* K and u from what was read. */
bool reduce_bodies(const reader *r, const place *at, carom_case *c);
bool reduce_mechanism(const reader *r, carom_case *c);

/* The mechanism with all rows of its contacts. */
carom_generalized_contacts all_contacts(const carom_case *c);

/* A "stroke" that has been checked, over what s holds; its "tip" and "table", over what coeffs holds. */
bool reader_stroke(const reader *r, const json_t *object, carom_stroke *s);
bool read_stroke_coefficients(const reader *r, const json_t *object, carom_coeffs coeffs[2]);

/* The saltation matrix of a case that has one, and its JSON. */
carom_status saltation_solve(const carom_case *c, const carom_rule *rule, carom_result *result);
json_t *saltation_answer(const carom_result *result);

/* The derivatives of contacts that are solved together; null, and the status, where there are none. */
json_t *together_derivatives(const carom_case *c, carom_status *status);

/* The contact numbers of a case, 2, 3, or with a patch 4 or 6; its problem with a patch, its mechanism with all rows of
 * J; its generalized speeds after impulse and moment; and whether the numbers are there that the coefficients need. */
int patch_numbers(const carom_case *c);
carom_status patch_problem(const carom_case *c, carom_patch_problem *problem);
carom_generalized patch_mechanism(const carom_case *c);
void patch_speeds(const carom_case *c, carom_cvec p, carom_cspin m, double *qdot);
bool check_patch(const reader *r, const carom_case *c);

/* J of links gets so many rows of each contact. */
void take_rows(carom_case *c, int count);

/* The problem of bodies or links that are solved together has as many numbers per contact as patches and rolling
 * resistance need; false without memory. */
bool fit_spins(carom_case *c);

/* Solve the one contact of a case, by its point or by its patch. */
carom_status solve_contact(const carom_case *c, const carom_rule *rule, const carom_tracer *tracer, carom_outcome *out);

/* Options and coefficients of a case or a scene; with the laws, of a case. */
bool reader_option(const reader *r, const place *at, const json_t *object, carom_option i, carom_options *options);
bool read_rule(const reader *r, const json_t *document, carom_rule *rule);
bool read_case_rule(const reader *r, const json_t *document, carom_case *c);

/* The range checks, shared by reading and carom_case_check; a case that is read may have no law yet. */
bool check_rule(const reader *r, const carom_rule *rule);
bool check_rule_at(const reader *r, const place *above, const carom_rule *rule); /* of the object above */
bool check_coeffs(const reader *r, const carom_rule *rule);
bool check_case_rule(const reader *r, const carom_case *c);
bool check_read_rule(const reader *r, const carom_case *c);

#endif
