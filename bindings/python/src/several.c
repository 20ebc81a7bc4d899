/* Several contacts at once: K and u of all of them in, impulses out. */
#include <stdlib.h>

#include "ext.h"

typedef struct several {
    int count, dim;
    double *K, *u, *p, *u_after;
    carom_coeffs *coeffs;
    carom_together_mode *modes;
    void *memory, *work;
    carom_contacts problem;
    carom_together_rule rule;
    carom_together_outcome out;
} several;

static void release(several *s)
{
    free(s->K);
    free(s->u);
    free(s->coeffs);
    free(s->modes);
    free(s->memory);
    free(s->work);
}

static int allocate(several *s)
{
    size_t size = (size_t)s->count * (size_t)s->dim;
    s->K = calloc(size * size + 1, sizeof *s->K);
    s->u = calloc(3 * size + 1, sizeof *s->u);
    s->coeffs = calloc((size_t)s->count, sizeof *s->coeffs);
    s->modes = calloc((size_t)s->count, sizeof *s->modes);
    s->memory = malloc(carom_contacts_size(s->count, s->dim));
    if (s->K && s->u && s->coeffs && s->modes && s->memory) {
        s->p = s->u + size;
        s->u_after = s->u + 2 * size;
        return 1;
    }
    PyErr_NoMemory();
    return 0;
}

/* The coefficients of one contact. */
static int read_own(carom_coeffs *coeffs, PyObject *own)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(own, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        double x = name ? PyFloat_AsDouble(value) : 0;
        if (PyErr_Occurred())
            return 0;
        carom_coeffs_set(coeffs, carom_coeff_find(name), x);
    }
    return 1;
}

/* A dict of coefficients per contact. */
static int read_coefficients(several *s, PyObject *list)
{
    PyObject *all = copy_list(list);
    int fine = all && PyTuple_Size(all) == s->count;
    for (int i = 0; i < s->count && fine; i++) {
        PyObject *own = PyTuple_GetItem(all, i), *copy = PyDict_Check(own) ? copy_dict(own) : NULL;
        s->coeffs[i] = carom_coeffs_default();
        fine = copy && read_own(&s->coeffs[i], copy);
        Py_XDECREF(copy);
    }
    Py_XDECREF(all);
    if (!fine && !PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "a dict of coefficients is needed for every contact");
    return fine;
}

static int read_options(several *s, PyObject *options)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(options, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        long choice = name ? PyLong_AsLong(value) : 0;
        if (PyErr_Occurred())
            return 0;
        carom_options_set(&s->rule.options, carom_option_find(name), (int)choice);
    }
    return 1;
}

static PyObject *numbers_by_contact(const several *s, const double *x)
{
    PyObject *all = PyTuple_New(s->count);
    for (int i = 0; all && i < s->count; i++) {
        const double *own = x + (ptrdiff_t)i * s->dim;
        PyObject *one =
            s->dim == 3 ? Py_BuildValue("(ddd)", own[0], own[1], own[2]) : Py_BuildValue("(dd)", own[0], own[1]);
        if (!one || PyTuple_SetItem(all, i, one) < 0)
            Py_CLEAR(all);
    }
    return all;
}

static PyObject *modes_of(const several *s)
{
    PyObject *all = PyTuple_New(s->count);
    int known = (s->rule.law->traits & CAROM_TRAIT_CONTACT_MODES) != 0;
    for (int i = 0; all && i < s->count; i++) {
        PyObject *one = PyUnicode_FromString(known ? carom_together_mode_word(s->modes[i]) : "");
        if (!one || PyTuple_SetItem(all, i, one) < 0)
            Py_CLEAR(all);
    }
    return all;
}

static PyObject *refuse_rule(const core_state *state, carom_status status, int contact, carom_coeff culprit)
{
    const carom_coeff_info *info = carom_coeff_at(culprit);
    char about[240];
    if (status != CAROM_STATUS_BAD_COEFFICIENT && status != CAROM_STATUS_NOT_FINITE)
        return raise_status(state, status, NULL);
    PyOS_snprintf(about, sizeof about, "contact %d: %s must be in its range %s", contact, info->name, info->range);
    return raise_status(state, status, about);
}

static PyObject *solve(const core_state *state, several *s)
{
    int contact = 0;
    carom_coeff culprit = CAROM_COEFF_e;
    carom_status status = carom_contacts_from_K(s->count, s->dim, s->K, s->u, s->memory, &s->problem);
    if (status)
        return raise_status(state, status, NULL);
    status = carom_together_check(&s->rule, s->count, &contact, &culprit);
    if (status)
        return refuse_rule(state, status, contact, culprit);
    s->work = malloc(carom_together_work(&s->problem, &s->rule) + 1);
    if (!s->work)
        return PyErr_NoMemory();
    s->out = (carom_together_outcome){.p = s->p, .u_after = s->u_after, .modes = s->modes};
    Py_BEGIN_ALLOW_THREADS;
    status = carom_together_solve(&s->problem, &s->rule, NULL, s->work, &s->out);
    Py_END_ALLOW_THREADS;
    if (carom_status_is_refusal(status))
        return raise_status(state, status, NULL);
    const carom_energy *e = &s->out.energy;
    return Py_BuildValue("NN(ddd)iINdiiNN", numbers_by_contact(s, s->p), numbers_by_contact(s, s->u_after), e->change,
                         e->normal, e->friction, (int)status, s->out.flags, modes_of(s), s->out.residual,
                         s->out.iterations, s->out.solutions, PyBool_FromLong(s->out.examined),
                         PyBool_FromLong(s->out.endless));
}

static PyObject *together(PyObject *module, PyObject *args)
{
    const core_state *state = core_state_of(module);
    several s = {0};
    const char *id, *base;
    PyObject *K, *u, *coefficients, *options;
    if (!PyArg_ParseTuple(args, "iiOOszO!O!", &s.count, &s.dim, &K, &u, &id, &base, &PyList_Type, &coefficients,
                          &PyDict_Type, &options))
        return NULL;
    const carom_together *law = carom_together_find(id);
    if (!law || s.count < 1 || s.count > 4096 || (s.dim != 2 && s.dim != 3))
        return PyErr_Format(PyExc_ValueError, "1 to 4096 contacts and a law of several contacts are needed");
    int size = s.count * s.dim;
    PyObject *got = NULL;
    if (allocate(&s) && numbers_from(K, s.K, size * size, "K") && numbers_from(u, s.u, size, "u") &&
        read_coefficients(&s, coefficients)) {
        s.rule = carom_together_rule_default(law, s.coeffs);
        s.rule.base = base ? carom_law_find(base) : NULL;
        got = read_options(&s, options) ? solve(state, &s) : NULL;
    }
    release(&s);
    return got;
}

PyMethodDef several_methods[] = {
    {"together", together, METH_VARARGS,
     "together(count, dim, K, u, law, base, coefficients, options, /)\n--\n\nSeveral contacts at once."},
    {NULL, NULL, 0, NULL}};
