/* The module: its types, its exception, and solve_one. */
#include "ext.h"

core_state *core_state_of(PyObject *module)
{
    return PyModule_GetState(module);
}

PyObject *raise_status(const core_state *state, carom_status status, const char *about)
{
    if (PyErr_Occurred()) /* of a law written in Python */
        return NULL;
    PyObject *args = about ? Py_BuildValue("(is)", (int)status, about)
                           : Py_BuildValue("(is)", (int)status, carom_status_message(status));
    if (args)
        PyErr_SetObject(state->error, args);
    Py_XDECREF(args);
    return NULL;
}

/* ---- numbers ---- */

/* Floats and ints of Python itself in a list or tuple: reading them runs no foreign code. False without an exception
 * when there is anything else. */
static int plain_numbers(PyObject *object, double *to, int count)
{
    int is_tuple = PyTuple_Check(object);
    if (!is_tuple && !PyList_Check(object))
        return 0;
    for (int i = 0; i < count; i++) {
        PyObject *item = is_tuple ? PyTuple_GetItem(object, i) : PyList_GetItem(object, i);
        if (!item || !(PyFloat_CheckExact(item) || PyLong_CheckExact(item))) {
            PyErr_Clear();
            return 0;
        }
        to[i] = PyFloat_AsDouble(item);
        if (to[i] == -1 && PyErr_Occurred()) { /* an int that is too large */
            PyErr_Clear();
            return 0;
        }
    }
    return 1;
}

static int numbers_from_sequence(PyObject *object, double *to, int count, const char *name)
{
    if (PySequence_Size(object) != count) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%s needs %d numbers", name, count);
        return 0;
    }
    if (plain_numbers(object, to, count))
        return 1;
    PyObject *items = PySequence_Tuple(object); /* a copy that nobody else can change */
    int fine = items && PyTuple_Size(items) == count;
    for (int i = 0; i < count && fine; i++) {
        to[i] = PyFloat_AsDouble(PyTuple_GetItem(items, i));
        fine = !(to[i] == -1 && PyErr_Occurred());
    }
    Py_XDECREF(items);
    if (!fine && !PyErr_Occurred())
        PyErr_Format(PyExc_ValueError, "%s needs %d numbers", name, count);
    return fine;
}

static int is_doubles(const Py_buffer *b, int count)
{
    return b->itemsize == (Py_ssize_t)sizeof(double) && b->len == count * b->itemsize && b->format &&
           b->format[0] == 'd' && b->format[1] == 0;
}

int numbers_from(PyObject *object, double *to, int count, const char *name)
{
    Py_buffer b;
    if (PyTuple_Check(object) || PyList_Check(object) || !PyObject_CheckBuffer(object))
        return numbers_from_sequence(object, to, count, name);
    if (PyObject_GetBuffer(object, &b, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) < 0) {
        PyErr_Clear();
        return numbers_from_sequence(object, to, count, name);
    }
    int fits = is_doubles(&b, count);
    if (fits)
        memcpy(to, b.buf, (size_t)count * sizeof *to);
    PyBuffer_Release(&b);
    return fits || numbers_from_sequence(object, to, count, name);
}

/* The rows of a matrix, from one buffer or from a sequence of rows. */
static int matrix_from(PyObject *K, int dim, double *to)
{
    Py_buffer b;
    if (!PyTuple_Check(K) && !PyList_Check(K) && PyObject_CheckBuffer(K)) {
        if (PyObject_GetBuffer(K, &b, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) == 0) {
            int fits = is_doubles(&b, dim * dim) && b.ndim == 2;
            if (fits)
                memcpy(to, b.buf, (size_t)(dim * dim) * sizeof *to);
            PyBuffer_Release(&b);
            if (fits)
                return 1;
        }
        PyErr_Clear();
    }
    if (PySequence_Size(K) != dim) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "K must be %d x %d, as u has %d entries", dim, dim, dim);
        return 0;
    }
    for (int i = 0; i < dim; i++) {
        PyObject *row = PySequence_GetItem(K, i);
        int fine = row && numbers_from(row, to + dim * i, dim, "a row of K");
        Py_XDECREF(row);
        if (!fine)
            return 0;
    }
    return 1;
}

/* A carom_problem_from_K or carom_problem_load. */
typedef carom_status load_function(int dim, const double *K, const double *u, carom_problem *problem);

static int load_problem(const core_state *state, PyObject *K, PyObject *u, load_function *load, carom_problem *problem)
{
    double k[9], v[3];
    Py_ssize_t dim = PySequence_Size(u);
    if (dim != 2 && dim != 3) {
        PyErr_Clear();
        PyErr_SetString(PyExc_ValueError, "u needs 3 numbers [t1, t2, n], or 2 in the plane [t, n]");
        return 0;
    }
    if (!numbers_from(u, v, (int)dim, "u") || !matrix_from(K, (int)dim, k))
        return 0;
    carom_status status = load((int)dim, k, v, problem);
    if (status) {
        raise_status(state, status, NULL);
        return 0;
    }
    return (int)dim;
}

int problem_from(const core_state *state, PyObject *K, PyObject *u, carom_problem *problem)
{
    return load_problem(state, K, u, carom_problem_from_K, problem);
}

PyObject *vector_of(int dim, carom_cvec v)
{
    return dim == 3 ? Py_BuildValue("(ddd)", v.t1, v.t2, v.n) : Py_BuildValue("(dd)", v.t1, v.n);
}

PyObject *triple_of(carom_vec3 v)
{
    return Py_BuildValue("(ddd)", v.x, v.y, v.z);
}

/* ---- one impact ---- */

static PyObject *solve_one(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    const core_state *state = core_state_of(module);
    carom_problem problem;
    if (count != 3) {
        PyErr_SetString(PyExc_TypeError, "solve_one(K, u, rule) takes three arguments");
        return NULL;
    }
    const carom_rule *rule = rule_of(state, args[2]);
    int dim = rule ? load_problem(state, args[0], args[1], carom_problem_load, &problem) : 0;
    outcome_object *o = dim ? outcome_new(state, dim) : NULL;
    if (!o)
        return NULL;
    o->problem = problem;
    carom_status status = carom_solve(&problem, rule, NULL, &o->outcome);
    if (!carom_status_is_error(status))
        return (PyObject *)o;
    Py_DECREF(o);
    return raise_status(state, status, NULL);
}

PyDoc_STRVAR(solve_one_doc, "solve_one(K, u, rule, /)\n--\n\n"
                            "Resolve one impact: K is 3 x 3 (or 2 x 2), u the velocity of approach, rule a Rule.\n\n"
                            "The quick call: no arrays, no keywords. Raises Error where there is no answer.");

static PyObject *set_classes(PyObject *module, PyObject *args)
{
    core_state *state = core_state_of(module);
    PyObject *outcome, *error;
    if (!PyArg_ParseTuple(args, "OO", &outcome, &error))
        return NULL;
    Py_XDECREF(state->outcome_class);
    Py_XDECREF(state->error);
    state->outcome_class = Py_NewRef(outcome);
    state->error = Py_NewRef(error);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"solve_one", (PyCFunction)(void (*)(void))solve_one, METH_FASTCALL, solve_one_doc},
                                {"_set_classes", set_classes, METH_VARARGS, "The classes of outcomes and errors."},
                                {NULL, NULL, 0, NULL}};

/* ---- the module ---- */

static PyObject *add_type(PyObject *module, PyType_Spec *spec, const char *name)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    if (type && PyModule_AddObjectRef(module, name, type) == 0)
        return type;
    Py_XDECREF(type);
    return NULL;
}

static int start(PyObject *module)
{
    core_state *state = core_state_of(module);
    state->rule_type = add_type(module, &rule_spec, "Rule");
    state->outcome_type = state->rule_type ? add_type(module, &outcome_spec, "Outcome") : NULL;
    PyObject *tree = state->outcome_type ? add_type(module, &mechanism_spec, "Tree") : NULL;
    PyObject *joined = tree ? add_type(module, &linkage_spec, "Joined") : NULL;
    Py_XDECREF(tree);
    Py_XDECREF(joined);
    if (!joined)
        return -1;
    state->outcome_class = Py_NewRef(state->outcome_type);
    state->error = Py_NewRef(PyExc_ValueError);
    PyMethodDef *const parts[] = {batch_methods,      body_methods,        law_methods,
                                  trace_methods,      several_methods,     geometry_methods,
                                  derivative_methods, generalized_methods, gpu_methods};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (PyModule_AddFunctions(module, parts[i]) < 0)
            return -1;
    return 0;
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    core_state *state = core_state_of(module);
    Py_VISIT(state->rule_type);
    Py_VISIT(state->outcome_type);
    Py_VISIT(state->outcome_class);
    Py_VISIT(state->error);
    return 0;
}

static int clear(PyObject *module)
{
    core_state *state = core_state_of(module);
    Py_CLEAR(state->rule_type);
    Py_CLEAR(state->outcome_type);
    Py_CLEAR(state->outcome_class);
    Py_CLEAR(state->error);
    return 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)start}, {0, NULL}};

static struct PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                        .m_name = "carom._core",
                                        .m_doc = "The library: impacts, batches, bodies, laws.",
                                        .m_size = sizeof(core_state),
                                        .m_methods = methods,
                                        .m_slots = slots,
                                        .m_traverse = traverse,
                                        .m_clear = clear};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
