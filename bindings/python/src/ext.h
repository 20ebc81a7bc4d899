/* carom._core: the library for Python, in the limited API of 3.11 (one binary for 3.11 and every later version).
 *
 * The extension knows values, tuples and buffers; arrays of NumPy are buffers, and NumPy itself is not needed. Names,
 * defaults, hints and shapes are the business of the Python files beside it. */
#ifndef CAROM_PYTHON_EXT_H
#define CAROM_PYTHON_EXT_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <string.h>

#include "carom/carom.h"

/* What the module keeps: its types, and the class that outcomes are made of. */
typedef struct core_state {
    PyObject *rule_type, *outcome_type, *outcome_class, *error;
} core_state;

core_state *core_state_of(PyObject *module);

/* A law with its coefficients and options, checked once. A law written in Python has a descriptor of its own. */
typedef struct rule_object {
    PyObject_HEAD carom_rule rule;
    carom_law own;
    PyObject *call, *keywords, *name; /* or null */
} rule_object;

/* Is the law a function of Python? It may be called only with the interpreter's lock. */
int is_python_law(const carom_rule *rule);

/* What carom_solve has written. */
typedef struct outcome_object {
    PyObject_HEAD int dim;
    carom_problem problem;
    carom_outcome outcome;
} outcome_object;

extern PyType_Spec rule_spec, outcome_spec, mechanism_spec, linkage_spec;

/* A new outcome of the module's class, not yet filled. */
outcome_object *outcome_new(const core_state *state, int dim);

/* Raise carom.Error with a status and one sentence. Returns null. */
PyObject *raise_status(const core_state *state, carom_status status, const char *about);

/* The rule inside an argument, or null with an exception. */
const carom_rule *rule_of(const core_state *state, PyObject *object);

/* count numbers from a sequence or a buffer of doubles; the name is for messages. False with an exception. */
int numbers_from(PyObject *object, double *to, int count, const char *name);

/* No object of a caller is read after foreign code has run: a number may have a __float__ that changes the list or dict
 * it lies in. So lists become tuples and dicts are copied before their numbers are read; both return new references. */
static inline PyObject *copy_list(PyObject *list)
{
    return PyList_AsTuple(list);
}

static inline PyObject *copy_dict(PyObject *dict)
{
    return PyDict_Copy(dict);
}

/* K and u as the caller has them: 3 x 3 and 3, or 2 x 2 and 2. The dimension, or 0 with an exception. */
int problem_from(const core_state *state, PyObject *K, PyObject *u, carom_problem *problem);

/* A body from (mass, inertia, orientation, position, velocity, omega, fixed). False with an exception. */
int body_def_from(PyObject *tuple, carom_body_def *to);

/* The rule of a batch: not a law of Python, for batches run without the interpreter's lock. */
const carom_rule *batch_rule(const core_state *state, PyObject *object);

/* A column of a batch: where its address is kept, and its format, 'd' or 'B'. */
typedef struct batch_column {
    const char *name;
    void **at;
    char format;
    int writable;
} batch_column;

/* Columns by name from dicts: take turns each value into an address. False with an exception. */
typedef void *batch_take(void *context, PyObject *value, batch_column column);
int batch_coefficients(PyObject *own, carom_batch_in *in, batch_take *take, void *context);
int batch_results(PyObject *results, carom_batch_out *out, batch_take *take, void *context);

PyObject *vector_of(int dim, carom_cvec v);
PyObject *triple_of(carom_vec3 v);

extern PyMethodDef batch_methods[], body_methods[], law_methods[], trace_methods[], several_methods[],
    geometry_methods[], derivative_methods[], generalized_methods[], gpu_methods[];

#endif
